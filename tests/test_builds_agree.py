"""Two builds in different processes, with different hash seeds and numbers of jobs, differ in times only."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FOLDER

from grpo_symbolic.judging.results import versions
from grpo_symbolic.report import compile

#: Results with figures, sums over outputs, an erratum with its counterexample, brute force and enclosures.
SELECTION = ("bounds_compared", "kkt_conditions", "success_map", "direct_kl_threshold")
#: Where times stand in a text for TeX: the last column of a table of checks, and a sentence about all of them.
COLUMN = re.compile(r"(?m)^(\\grpocheck.*\{)[^{}]*(\})$")
SENTENCE = re.compile(r"(All checks together took )\d+( s\.)")
#: The texts that print a time, and which.
TIMED = {"report.tex": SENTENCE, "appendix-document.tex": SENTENCE, "appendix.tex": COLUMN}


def build(out: Path, *, seed: int, jobs: int) -> Path:
    command = [sys.executable, "-m", "grpo_symbolic", "report", str(FOLDER), "--out", str(out), "--jobs", str(jobs)]
    command.append("--no-cache")
    for name in SELECTION:
        command += ["--only", name]
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent), "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="module")
def builds(tmp_path_factory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("builds")
    return build(folder / "one", seed=1, jobs=1), build(folder / "other", seed=2, jobs=2)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def without_times(name: str, content: bytes) -> object:
    if name == "results.json":
        data = json.loads(content)
        assert set(data.pop("times")) == {"seconds", "claims", "kept"}
        return data
    if name == "manifest.json":
        data = json.loads(content)
        return {**data, "files": sorted(data["files"])}
    kind = "appendix.tex" if name.startswith("appendix/") else name
    if kind in TIMED:
        text, count = TIMED[kind].subn(r"\1time\2", content.decode())
        assert count
        return text
    if name.startswith("site/") and name.endswith(".html"):
        return re.sub(r"(, )[\d.]+( s<)|(took )\d+( s)", r"\1\3time\2\4", content.decode())
    return content


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_two_builds_differ_in_times_only(builds):
    one, other = map(files, builds)
    assert sorted(one) == sorted(other)
    assert any(name.startswith("figures") for name in one)
    for name in one.keys() - {"report.pdf", "appendix.pdf"}:  # their times are compared in the text they are made from
        assert without_times(name, one[name]) == without_times(name, other[name]), name


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_manifest_says_what_a_report_was_made_with(builds):
    for folder in builds:
        found = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        assert found["versions"].items() >= versions().items()
        assert found["only"] == sorted(SELECTION)
        written = files(folder)
        del written["manifest.json"]
        assert found["files"] == {name: hashlib.sha256(content).hexdigest() for name, content in written.items()}
        assert (found["versions"]["tex"] is not None) == ("report.pdf" in written)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_same_text_makes_the_same_pdf(builds, tmp_path):
    if compile.engine() is None:
        pytest.skip(compile.HINT)
    made = []
    for name in ("here", "there"):
        shutil.copytree(builds[0], tmp_path / name)
        # The report refers to what is written when the appendix is typeset.
        compile.compile_pdf(tmp_path / name, "appendix-document", made="appendix")
        made.append(compile.compile_pdf(tmp_path / name, "report").read_bytes())
    assert made[0] == made[1]
    assert made[0] == (builds[0] / "report.pdf").read_bytes()
