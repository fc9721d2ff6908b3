"""Claims for use elsewhere: what a name means, and that each format says what the report says and loads nothing."""

from __future__ import annotations

import json
import re
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import test_report
from hypothesis import given
from hypothesis import strategies as st
from test_cli import MODULE
from typer.testing import CliRunner

import grpo_symbolic.report.exported.write as writing
from grpo_symbolic.cli import app
from grpo_symbolic.derivation.library import load
from grpo_symbolic.errors import LibraryError, ReportError
from grpo_symbolic.judging import results
from grpo_symbolic.judging.assess import Assessment
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.report import compile, figures
from grpo_symbolic.report.exported.markdown import environment, markdown, maths, plain
from grpo_symbolic.report.exported.order import Format, ordered
from grpo_symbolic.report.exported.write import export
from grpo_symbolic.report.lookup import Named, claims_and_results
from grpo_symbolic.report.render import render
from grpo_symbolic.report.tex import escape

SCHEMA = json.loads(Path(results.__file__).with_name("results.schema.json").read_text(encoding="utf-8"))
WHOLE = Named(frozenset(), frozenset({test_report.RESULT.module}))
EQ14 = Named(frozenset({"sample_2025.eq14"}), frozenset())
BOUND = Named(frozenset({"sample_2025.bound"}), frozenset())


@pytest.fixture(scope="module", autouse=True)
def no_pictures() -> Iterator[None]:
    """Drawing takes longer than everything else, and has tests of its own."""

    def drawn(_: object, *paths: Path) -> None:
        for path in paths:
            path.write_text("<svg/>")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "draw", drawn)
        yield


@pytest.fixture(scope="module")
def sample() -> Assessment:
    return test_report.assessment()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / f"derivations_{uuid.uuid4().hex}"
    path.mkdir()
    (path / "__init__.py").write_text("")
    (path / "small.py").write_text(MODULE)
    return path


@pytest.mark.parametrize(
    ("name", "claims", "results"),
    [
        ("product", ["p.product"], []),
        ("p.product", ["p.product"], []),
        ("Eq. (1)", ["p.product"], []),
        ("1.2", ["p.less"], []),
        ("product.step-1", ["p.product"], []),
        ("small", [], ["small"]),
        ("p.small", [], ["small"]),
        ("a-product", [], ["small"]),
        ("p", [], ["small"]),
    ],
)
def test_what_a_name_means(folder: Path, name: str, claims: list[str], results: list[str]) -> None:
    found = claims_and_results(load(folder), [name])
    assert sorted(found.claims) == claims
    assert [module.rpartition(".")[2] for module in found.results] == results


def test_several_names_stand_in_reading_order(folder: Path) -> None:
    library = load(folder)
    assert claims_and_results(library, ["rising", "product"]).all_claims(library) == ("p.product", "p.rising")


@pytest.mark.parametrize(("name", "near"), [("produkt", "product"), ("smal", "small")])
def test_near_names_are_proposed(folder: Path, name: str, near: str) -> None:
    with pytest.raises(LibraryError, match=rf"no claim is called '{name}'; did you mean .*{near}"):
        claims_and_results(load(folder), [name])


@pytest.mark.slow
def test_a_whole_result_is_the_file_that_the_report_writes(sample: Assessment, tmp_path: Path) -> None:
    render(sample, tmp_path, pdf=False)
    made = export(sample, WHOLE, Format.TEX)
    written = tmp_path / "appendix" / "sample_2025" / f"{test_report.RESULT.slug}.tex"
    assert made.text == written.read_text(encoding="utf-8")
    assert [part.result for part in made.pictured] == [test_report.RESULT]


def test_a_claim_stands_without_what_opens_its_result(sample: Assessment) -> None:
    made = export(sample, EQ14, Format.TEX)
    assert made.text.count(r"\grpoclaim{") == 1
    assert r"\section" not in made.text
    assert "other traps" not in made.text
    assert made.pictured == ()


@pytest.mark.parametrize("form", [Format.TEX, Format.HTML, Format.MD])
def test_every_format_has_the_verdict_the_steps_and_their_reasons(sample: Assessment, form: Format) -> None:
    text = export(sample, EQ14, form).text
    for words in ("The stationary policy", "Eq. (14)", "multiply by", "the other root is negative"):
        assert words in text
    assert "supported" in text.lower()


@pytest.mark.parametrize("form", [Format.TEX, Format.HTML, Format.MD])
def test_every_format_has_the_erratum(sample: Assessment, form: Format) -> None:
    text = export(sample, BOUND, form).text
    for words in ("Erratum", "Eq. (15)", "It holds if", "Counterexample"):
        assert words in text


def test_data_are_those_of_the_results(sample: Assessment) -> None:
    data = json.loads(export(sample, EQ14, Format.JSON).text)
    jsonschema.validate(data, SCHEMA)
    whole = results.results(sample)
    ids = [f"sample_2025.eq14.step-{number}" for number in (1, 2, 3)]
    assert [claim["id"] for claim in data["claims"]] == [*ids, "sample_2025.eq14"]
    assert all(claim in whole["claims"] for claim in data["claims"])


@pytest.mark.parametrize("standalone", [False, True])
@pytest.mark.parametrize("named", [WHOLE, EQ14, BOUND], ids=["result", "claim", "erratum"])
def test_a_page_loads_nothing_and_styles_nothing_around_it(sample: Assessment, named: Named, standalone: bool) -> None:
    page = export(sample, named, Format.HTML, standalone=standalone).text
    assert page.startswith("<!doctype html>") == standalone
    assert not re.search(r"(?:src|href|url)\s*[=(]\s*['\"]?(?!#|data:)[\w/]", page)
    assert "<script" not in page
    assert "<button" not in page
    assert page.count("<math") == len(re.findall(r'<math[^>]* aria-label="[^"]+"', page))
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    style = page.partition('<div class="grpo-export"')[2].partition("<style>")[2].partition("</style>")[0]
    selectors = [part for rule in re.findall(r"([^{}]+)\{", style) for part in rule.split(",")]
    assert ".grpo-export .f > math" in style
    assert all(part.strip().startswith((".grpo-export", "@")) for part in selectors)
    assert ("data:image/svg+xml" in page) == (named is WHOLE)


@pytest.mark.parametrize("named", [WHOLE, EQ14, BOUND], ids=["result", "claim", "erratum"])
def test_markdown_has_no_tex_outside_of_formulas(sample: Assessment, named: Named) -> None:
    text = export(sample, named, Format.MD).text
    code = re.sub(r"(?s)```.*?```|``?[^`\n]+``?", "", re.sub(r"\$`([^`]+)`\$", r"$\1$", text))
    outside = re.sub(r"(?s)\$\$.*?\$\$|(?<!\\)\$[^$]+\$", "", code)
    assert not re.search(r"(?<!\\)\$|\\[A-Za-z]", outside)
    assert "\n\n\n" not in text
    for inside in re.findall(r"(?s)\$\$(.*?)\$\$|(?<!\\)\$([^$]+)\$", code):
        assert not re.search(r"\\[{}|,:;!\\]|[<>]", "".join(inside))


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"a \& b -- c ``d''", "a & b – c “d”"),
        (r"\emph{so} \textbf{it} \texttt{is\_\allowbreak{}so}", "*so* **it** `is_so`"),
        (
            r"\grpobadge{refuted}, 50\% of \textless{}x\textgreater{} [y] and z*",
            r"**REFUTED**, 50% of \<x\> \[y\] and z\*",
        ),
        (r"for $x \in \{1, 2\}$, $y < 1$", r"for $x \in \lbrace 1, 2\rbrace$, $y \lt 1$"),
        (r"($x$), $y$th, $a$$b$th, \emph{$c$ so}", "($`x`$), $`y`$th, $a$ $`b`$th, *$`c`$ so*"),
        (r"0$\times$0, n$\times$m", r"0$`\times`$0, n $`\times`$m"),
        (r"see \grporef{grpo:p.known}, step 2", "see p.known, step 2"),
        (r"so \grpodisplay{\grpofit{a = b}}.", "so\n\n$$\na = b\n$$"),
        ("1. of all", r"1\. of all"),
    ],
)
def test_text_of_the_report_as_markdown(tex: str, text: str) -> None:
    assert markdown(tex, lambda label: None) == text


@pytest.mark.parametrize("tex", [r"\input{x}", r"\grpounknown{x}", r"{x", "x}"])
def test_what_markdown_does_not_know_is_refused(tex: str) -> None:
    with pytest.raises(ReportError, match=r"pages know no|brace"):
        markdown(tex, lambda label: None)


def test_only_finished_markdown_reaches_a_page(tmp_path: Path) -> None:
    (tmp_path / "raw.md").write_text("{{ name }}")
    with pytest.raises(ReportError, match="would print 'x', which is not escaped"):
        environment(tmp_path, lambda label: None).get_template("raw.md").render(name="x")


@pytest.mark.slow
@given(st.text(st.characters(codec="utf-8", exclude_characters="$`*\\"), max_size=40))
def test_prose_has_no_markdown_of_its_own(text: str) -> None:
    shown = markdown(escape(text), lambda label: None)
    assert not re.search(r"(?<!\\)[_\[\]<>|#~]", re.sub(r"\$[^$]*\$", "", shown))
    # GitHub takes a dollar behind a bracket or beside a letter for a dollar.
    assert "$" not in re.sub(r"(?<![^\W\d_])\$`[^`]+`\$|(?<!\S)\$[^$`]+\$(?![a-zA-Z0-9])", "", shown)


def test_text_is_escaped_once() -> None:
    assert plain("a_b") == r"a\_b"
    assert maths(r"\left\{x \,\middle|\, y\right\} \\ z") == (
        r"\left\lbrace x \thinspace \middle|\thinspace  y\right\rbrace  \cr  z"
    )


@pytest.mark.parametrize(
    ("names", "form", "out", "standalone", "message"),
    [
        ([], None, None, False, "say what to export: --only NAME"),
        (["a"], "pdf", None, False, "--to pdf: there are tex, html, md, json"),
        (["a"], None, Path("a.txt"), False, "a.txt has no ending that names a format; add --to"),
        (["a"], "md", None, True, "--standalone is for tex and html; md is whole"),
        (["a"], None, Path("a.json"), True, "--standalone is for tex and html"),
        (["a"], "tex", Path(), False, r"\. is a folder; name a file: --out a\.tex"),
    ],
)
def test_what_cannot_be_exported_is_told(
    names: list[str], form: str | None, out: Path | None, standalone: bool, message: str
) -> None:
    with pytest.raises(LibraryError, match=message):
        ordered(names, form, out, standalone=standalone)


@pytest.mark.parametrize(
    ("form", "out", "expected"),
    [
        (None, None, Format.MD),
        (None, Path("a.tex"), Format.TEX),
        (None, Path("a.HTM"), Format.HTML),
        ("json", Path("a.txt"), Format.JSON),
    ],
)
def test_the_format_is_asked_for_or_follows_from_the_file(form: str | None, out: Path | None, expected: Format) -> None:
    assert ordered(["a"], form, out, standalone=False).form is expected


@pytest.mark.slow
def test_a_claim_is_exported_from_the_command_line(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object):
        return CliRunner().invoke(app, ["export", str(folder), *map(str, arguments)])

    found = run("--only", "less", "--out", "there/less.tex")
    assert found.exit_code == 0, found.output
    assert found.stdout == "wrote there/grpo-appendix.sty\nwrote there/less.tex\n"
    found = run("--only", "lass")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "did you mean less" in found.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "words", "complaint"),
    [("md", "## 1.2 It is less than x", ""), ("tex", r"\grpoclaim", "grpo-symbolic: this needs grpo-appendix.sty")],
)
def test_without_a_file_the_text_is_printed(folder: Path, form: str, words: str, complaint: str) -> None:
    found = CliRunner().invoke(app, ["export", str(folder), "--only", "less", "--to", form])
    assert found.exit_code == 0, found.output
    assert words in found.stdout
    assert found.stderr.startswith(complaint)
    assert bool(found.stderr) == bool(complaint)


def test_figures_stand_beside_a_file_for_latex(sample: Assessment, tmp_path: Path) -> None:
    made = export(sample, WHOLE, Format.TEX)
    written = writing.write(made, tmp_path / "a.tex", style=True, fragments=Fragments(None))
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        "a.tex",
        "figures/curves.pdf",
        "figures/regions.pdf",
        "grpo-appendix.sty",
    ]


def test_what_cannot_be_written_is_told_and_leaves_what_was_there(sample: Assessment, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("older")
    made = export(sample, EQ14, Format.MD)
    with pytest.raises(ReportError, match=r"cannot be written: .*; name another file with --out"):
        writing.write(made, tmp_path / "file" / "a.md", style=False, fragments=Fragments(None))
    assert (tmp_path / "file").read_text() == "older"


def test_a_formula_that_reads_as_something_else_is_not_exported(
    sample: Assessment, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = writing.exported_view(sample, EQ14)
    part = view.parts[0]
    (claim,) = part.view.claims
    last = replace(claim.steps[2], formula=claim.steps[0].formula)
    other = replace(part.view, claims=(replace(claim, steps=(*claim.steps[:2], last)),))
    monkeypatch.setattr(writing, "exported_view", lambda *_: replace(view, parts=(replace(part, view=other),)))
    with pytest.raises(ReportError, match=r"printed is not checked:\nsample_2025\.eq14, step 3"):
        export(sample, EQ14, Format.MD)


@pytest.mark.slow
@pytest.mark.parametrize("kind", test_report.PREAMBLES)
def test_what_is_exported_compiles_inside_papers(kind: str, sample: Assessment, tmp_path: Path) -> None:
    test_report.needs_tex()
    for name, named in (("eq14", EQ14), ("bound", BOUND)):
        writing.write(
            export(sample, named, Format.TEX), tmp_path / f"{name}.tex", style=True, fragments=Fragments(None)
        )
    body = r"\usepackage{grpo-appendix}\begin{document}Text.\appendix\section{A}\input{eq14}\input{bound}\end{document}"
    (tmp_path / "paper.tex").write_text(test_report.PREAMBLES[kind] + body, encoding="utf-8")
    compile.compile_pdf(tmp_path, "paper")
    log = (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")
    assert "undefined" not in log


@pytest.mark.slow
def test_a_standalone_document_needs_nothing_beside_it(sample: Assessment, tmp_path: Path) -> None:
    test_report.needs_tex()
    text = export(sample, EQ14, Format.TEX, standalone=True).text
    (tmp_path / "alone.tex").write_text(text, encoding="utf-8")
    assert compile.compile_pdf(tmp_path, "alone").read_bytes().startswith(b"%PDF")
    shutil.copy(compile.compile_pdf(tmp_path, "alone"), tmp_path / "again.pdf")


@pytest.mark.slow
@pytest.mark.parametrize("form", [Format.HTML, Format.MD, Format.JSON])
def test_every_result_of_the_library_can_be_exported(form: Format, library, assessment) -> None:
    named = Named(frozenset(), frozenset(result.module for result in library.results))
    text = export(assessment, named, form).text
    for result in library.results:
        for made in result.claims:
            assert made.id.partition(".")[2] in text
    if form is Format.JSON:
        jsonschema.validate(json.loads(text), SCHEMA)
