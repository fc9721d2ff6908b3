"""Where claims are stated: paths and lines in every output, links where somebody says how the addresses are made."""

from __future__ import annotations

import re
import shutil
import uuid
from pathlib import Path

import pytest
import test_report
from test_cli import MODULE
from typer.testing import CliRunner

from grpo_symbolic.cli import app
from grpo_symbolic.derivation.library import Library, load
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.report import compile
from grpo_symbolic.report.addresses import checked_template
from grpo_symbolic.report.exported.order import Format
from grpo_symbolic.report.exported.write import export
from grpo_symbolic.report.lookup import Named
from grpo_symbolic.report.sources import SourceView, sources

TEMPLATE = "https://example.org/a%20b/{path}?a=1&b=2#L{line}"
EQ14 = Named(frozenset({"sample_2025.eq14"}), frozenset())
HELPER = """
from grpo_symbolic import claim, gt, real
x = real("x", "(0, 1)", "a number")
def stated():
    return claim("p.helped", "Helped", gt(x, 0))
"""


def package(folder: Path, **files: str) -> Path:
    path = folder / f"derivations_{uuid.uuid4().hex}"
    for name, text in {"__init__": "", **files}.items():
        target = path / f"{name.replace('__in__', '/')}.py"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return path


def test_a_path_begins_with_the_folder_of_derivations(tmp_path: Path) -> None:
    path = package(tmp_path, inner__in____init__="", inner__in__small=MODULE)
    found = sources(load(path), None)
    lines = MODULE.splitlines()
    for id, source in found.items():
        place, _, line = source.place.rpartition(":")
        assert place == f"{path.name}/inner/small.py"
        assert f'claim("{id}"' in lines[int(line) - 1]
        assert source.address is None


def test_a_claim_made_by_another_module_is_found_there(tmp_path: Path) -> None:
    text = "from {0}.helper import stated\nfrom {0}.small import paper\nfrom grpo_symbolic import Result\n"
    path = package(tmp_path, small=MODULE, helper=HELPER)
    text = text.format(path.name) + "result = Result('Helped', paper, lambda: [stated()])\n"
    (path / "user.py").write_text(text)
    assert sources(load(path), None)["p.helped"].place == f"{path.name}/helper.py:5"


def test_of_two_files_of_one_name_none_is_guessed(tmp_path: Path) -> None:
    path = package(tmp_path, small=MODULE, helper=HELPER, inner__in____init__="", inner__in__helper="")
    text = (
        f"from {path.name}.helper import stated\nimport {path.name}.inner.helper\nfrom {path.name}.small import paper\n"
    )
    text += "from grpo_symbolic import Result\nresult = Result('Helped', paper, lambda: [stated()])\n"
    (path / "user.py").write_text(text)
    assert "p.helped" not in sources(load(path), None)


def test_every_claim_of_this_repository_has_a_line(library: Library) -> None:
    root = Path(__file__).resolve().parent.parent
    found = sources(library, "https://example.org/{path}#L{line}")
    stated = [made.id for result in library.results for made in result.claims]
    assert list(found) == stated
    for id, source in found.items():
        name, _, line = source.place.rpartition(":")
        assert "claim" in (root / name).read_text(encoding="utf-8").splitlines()[int(line) - 1], id
        assert source.address == f"https://example.org/{name}#L{line}"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{path}", "this is no address"),
        ("ftp://example.org/{path}", "this is no address"),
        ('https://example.org/"{path}', "this is no address"),
        ("https://example.org/{path} {line}", "this is no address"),
        ("https://example.org/{line}", r"write \{path\}"),
        ("https://example.org/{path}/{file}", r"write \{path\}"),
        ("https://example.org/{path}/{", r"write \{path\}"),
    ],
)
def test_a_wrong_template_is_refused(template: str, message: str) -> None:
    with pytest.raises(LibraryError, match=message):
        checked_template(template)


def test_a_wrong_template_costs_no_run(tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["report", str(package(tmp_path, small=MODULE)), "--source-url", "nowhere"])
    assert found.exit_code == 2
    assert "this is no address; write one such as https://" in found.stderr


def test_what_tex_does_not_take_in_an_address_is_escaped() -> None:
    linked = SourceView("a_b.py:1", "https://example.org/a%20b?c&d#L1").linked
    assert linked.startswith(r"\grposource{https://example.org/a\%20b?c\&d\#L1}{\texttt{a\_")


def test_every_format_tells_the_line_and_links_it_if_asked() -> None:
    assessment = test_report.assessment()
    made = assessment.library.claims["sample_2025.eq14"]
    place = f"test_report.py:{made.declared_at.rpartition(':')[2]}"
    address = TEMPLATE.replace("{path}", "test_report.py").replace("{line}", place.partition(":")[2])
    for form in (Format.TEX, Format.HTML, Format.MD):
        plain = export(assessment, EQ14, form).text
        linked = export(assessment, EQ14, form, source_url=TEMPLATE).text
        assert place in re.sub(r"\\allowbreak\{\}|<wbr>|\\(?=_)", "", plain)
        assert "example.org" not in plain
        escaped = {
            Format.TEX: address.replace("%", r"\%").replace("&", r"\&").replace("#", r"\#"),
            Format.HTML: address.replace("&", "&amp;"),
            Format.MD: address,
        }
        assert escaped[form] in linked


@pytest.mark.slow
@pytest.mark.parametrize("kind", test_report.PREAMBLES)
def test_links_compile_with_and_without_hyperref(kind: str, tmp_path: Path) -> None:
    test_report.needs_tex()
    text = export(test_report.assessment(), EQ14, Format.TEX, source_url=TEMPLATE).text
    (tmp_path / "eq14.tex").write_text(text, encoding="utf-8")
    shutil.copy(Path(compile.__file__).parent / "templates" / "grpo-appendix.sty", tmp_path)
    body = r"\usepackage{grpo-appendix}\begin{document}Text.\input{eq14}\end{document}"
    (tmp_path / "paper.tex").write_text(
        test_report.PREAMBLES[kind] + r"\pdfcompresslevel=0\pdfobjcompresslevel=0" + body, encoding="utf-8"
    )
    made = compile.compile_pdf(tmp_path, "paper").read_bytes()
    linked = b"https://example.org/a%20b/test_report.py?a=1&b=2#L" in made
    assert linked == ("hyperref" in test_report.PREAMBLES[kind])
