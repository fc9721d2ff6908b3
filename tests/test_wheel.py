"""The wheel, built from here without fetching anything: what is inside, and under which licences."""

from __future__ import annotations

import importlib.util
import tomllib
import zipfile
from email.parser import Parser
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
FONTS = ("stix-two-math.woff2", "stix-two-text-normal.woff2", "stix-two-text-italic.woff2")
STATIC = "grpo_symbolic/report/site/static"


def try_wheel() -> ModuleType:
    spec = importlib.util.spec_from_file_location("try_wheel", ROOT / ".ci" / "try_wheel.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    if Version(metadata.version("setuptools")) < Version("77"):
        pytest.skip("setuptools is too old to build the wheel: pip install 'setuptools>=77'")
    made = try_wheel().wheel(tmp_path_factory.mktemp("wheel"), "--no-build-isolation", "--no-index")
    return zipfile.ZipFile(made)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "grpo_symbolic/py.typed",
        "grpo_symbolic/api/example/variance.py",
        "grpo_symbolic/judging/results.schema.json",
        "grpo_symbolic/referee/check.schema.json",
        "grpo_symbolic/referee/power.schema.json",
        "grpo_symbolic/report/templates/grpo-appendix.sty",
        "grpo_symbolic/report/templates/report.tex",
        "grpo_symbolic/report/templates/exported.md",
        "grpo_symbolic/report/site/templates/base.html",
        f"{STATIC}/site.css",
        f"{STATIC}/exported.css",
        f"{STATIC}/site.js",
        f"{STATIC}/OFL.txt",
        *(f"{STATIC}/{font}" for font in FONTS),
    ],
)
def test_what_the_package_needs_is_in_the_wheel(wheel: zipfile.ZipFile, name: str) -> None:
    assert wheel.read(name) == (ROOT / name).read_bytes()


@pytest.mark.slow
def test_nothing_else_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {top.partition("-")[0].partition(".")[0] for top in tops} == {"grpo_symbolic"}
    assert not [name for name in wheel.namelist() if "__pycache__" in name or name.endswith(".pyc")]


@pytest.mark.slow
def test_the_licences_are_those_of_the_program_and_of_its_fonts(wheel: zipfile.ZipFile) -> None:
    (about,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    told = Parser().parsestr(wheel.read(about).decode("utf-8"))
    assert told["License-Expression"] == "MIT AND OFL-1.1"
    files = told.get_all("License-File")
    assert files == ["LICENSE", f"{STATIC}/OFL.txt"]
    for file in files:
        assert wheel.read(about.replace("METADATA", f"licenses/{file}")) == (ROOT / file).read_bytes()


def test_every_font_comes_with_its_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "OFL-1.1" in project["license"]
    fonts = {
        path for ending in ("woff2", "woff", "ttf", "otf") for path in (ROOT / "grpo_symbolic").rglob(f"*.{ending}")
    }
    assert {path.name for path in fonts} == set(FONTS)
    for font in fonts:
        licence = font.with_name("OFL.txt")
        assert licence.relative_to(ROOT).as_posix() in project["license-files"]
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence.read_text(encoding="utf-8")
