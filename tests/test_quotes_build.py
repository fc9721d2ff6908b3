"""A quote that says something else than was typed fails the build, and what was interpreted is never called printed."""

from __future__ import annotations

import json
import re
import uuid

import jsonschema
import pytest
from test_cli import QUICK
from test_results import SCHEMA
from typer.testing import CliRunner

from grpo_symbolic.cli import app
from grpo_symbolic.derivation.library import load
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.quotes import Standing, counts_in_words, standing
from grpo_symbolic.readback.readings import Reading

MODULE = r'''
"""A product, quoted."""
from grpo_symbolic import Paper, Result, claim, eq, gt, lt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
def build():
    less = lt(x * (1 - x), x)
    yield claim("p.whole", "Less than itself", less, printed=paper.quote("Eq. (1)", %r, less))
    yield claim("p.words", "Small", lt(x, 1), printed=paper.quote("Eq. (2)", r"x \text{ is small}", lt(x, 1)))
    yield claim("p.sign", "Positive", gt(x, 0), printed=paper.quote("Eq. (3)", r"x \gg 0 \text{ always}", gt(x, 0)))
    yield claim("p.side", "Named", eq(x * (1 + x), x + x**2),
        printed=paper.quote("Eq. (4)", "Q = x + x^2", eq(x * (1 + x), x + x**2)))
    yield claim("p.wrong", "Below 1", lt(x, 1), printed=paper.quote("Eq. (5)", r"\text{tiny is } x", lt(x, 0),
        instead="It is below 1."))
product = Result("Product", paper, build)
'''
NOTATION = r"""
[also_printed]
"Q" = ['Q']
[interpreted]
words = "small is typed as less than 1"
wrong = "tiny is typed as negative"
[reworded.sign]
'\gg 0 \text{ always}' = '> 0'
"""


def folder_with(tmp_path, monkeypatch, quoted, notation=NOTATION):
    package = tmp_path / f"quoting_{uuid.uuid4().hex}"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "product.py").write_text(MODULE % quoted)
    (package / "quotes.toml").write_text(notation)
    monkeypatch.syspath_prepend(str(tmp_path))
    return package


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.mark.parametrize("command", ["report", "show"])
def test_a_quote_that_differs_is_an_error_of_the_derivation(tmp_path, monkeypatch, command):
    package, out = folder_with(tmp_path, monkeypatch, "x(1+x) < x"), tmp_path / "out"
    asked = ["report", package, "--out", out, *QUICK] if command == "report" else ["show", "whole", package]
    found = run(*asked)
    assert found.exit_code == 2
    assert "p.whole (product.py:8): the quote of Eq. (1) differs from the statement typed beside it" in found.output
    assert re.search(r"quoted: x\(1\+x\) < x\n  typed: x·\(1 - x\) < x\n  read: .*\n  correct the quote", found.output)
    assert not out.exists()


@pytest.mark.parametrize("entry", ["[interpreted]\nwhole = 'never mind'\n", "[reworded.whole]\n'1+x' = '1-x'\n"])
def test_no_entry_goes_before_what_was_read(tmp_path, monkeypatch, entry):
    kind = entry.partition("\n")[0]
    notation = NOTATION.replace("[interpreted]\n", entry) if kind in NOTATION else NOTATION + entry
    found = run("show", "whole", folder_with(tmp_path, monkeypatch, "x(1+x) < x", notation))
    assert (found.exit_code, "differs from the statement" in found.output) == (2, True)


@pytest.mark.slow
def test_what_was_not_read_is_listed_or_an_error(tmp_path, monkeypatch):
    package = folder_with(tmp_path, monkeypatch, "x(1-x) < x", NOTATION.replace("words =", "others ="))
    found = run("show", "words", package)
    assert found.exit_code == 2
    assert "p.words (product.py:9): the quote of Eq. (2) was not read" in found.output
    assert "say under [interpreted] there what it is taken to mean" in found.output
    assert run("show", "whole", package).exit_code == 0


@pytest.mark.slow
def test_page_terminal_ledger_and_data_count_alike(tmp_path, monkeypatch):
    package, out = folder_with(tmp_path, monkeypatch, "x(1-x) < x"), tmp_path / "out"
    found = run("report", package, "--out", out, "--accept", *QUICK)
    assert found.exit_code == 0, found.output
    data = json.loads((out / "results.json").read_text())
    jsonschema.validate(data, SCHEMA)
    assert data["quotes"] == {
        "holds as printed": 1,
        "holds as far as it was read": 1,
        "holds as interpreted": 2,
        "is refuted": 1,
    }
    said = "1 holds as printed, 1 holds as far as it was read, 2 hold as interpreted"
    report = (out / "report.tex").read_text()
    assert f"Of 5 formulas and statements that the papers print, {said}, 1 is " in report
    assert f"of 5 quotes, {said}, 1 is refuted" in run("list", package).output
    page = (out / "appendix.tex").read_text()
    assert "It holds as interpreted: small is typed as less than 1." in page
    assert r"It holds as interpreted: read with $\gg 0 \text{ always}$ as $> 0$." in page
    assert "It holds as far as it was read: one side was compared" in page
    assert "Judged as interpreted: tiny is typed as negative." in page
    claims = {claim["id"]: claim for claim in data["claims"]}
    listed = run("list", package).output
    for id, claim in claims.items():
        shown = run("show", id, package).output
        words = claim["printed"]["standing"].replace("is refuted", "erratum as interpreted")
        assert f"{claim['printed']['where']}: {words} (" in shown
        assert words == "holds as printed" or words in re.search(rf"{re.escape(id)} .*", listed)[0]


@pytest.mark.parametrize(
    ("kind", "lead", "standing", "said"),
    [
        ("abridged", "Printed, abridged here", "holds as abridged", ""),
        ("in_words", "In words", "holds as interpreted", "It holds as interpreted: the words are ours."),
    ],
)
def test_what_is_not_quoted_word_for_word_is_not_said_to_be(tmp_path, monkeypatch, kind, lead, standing, said):
    package = folder_with(tmp_path, monkeypatch, "x(1-x) < x", f"{kind} = ['whole']\n{NOTATION}")
    out = tmp_path / "out"
    assert run("report", package, "--out", out, "--only", "whole", *QUICK).exit_code == 0
    (claim,) = json.loads((out / "results.json").read_text())["claims"]
    assert claim["printed"]["standing"] == standing
    assert claim["printed"]["in_words"] == (kind == "in_words")
    page = (out / "appendix.tex").read_text()
    assert rf"\grpolead{{{lead}}}" in page
    assert said in page
    assert r"\grpolead{Printed}" not in page


def test_a_reading_that_changes_is_a_finding(tmp_path, monkeypatch):
    package, out = folder_with(tmp_path, monkeypatch, "x(1-x) < x"), tmp_path / "out"
    assert run("report", package, "--out", out, "--accept", *QUICK).exit_code == 0
    path = package / "ledger.json"
    path.write_text(path.read_text().replace('"reading": "in part"', '"reading": "as abridged"'))
    found = run("report", package, "--out", out, *QUICK)
    assert found.exit_code == 1
    assert "p.side: what is printed at Eq. (4) is read in part; the ledger says as abridged" in found.output


@pytest.mark.parametrize("reading", Reading)
@pytest.mark.parametrize("verdict", Verdict)
def test_only_what_was_read_as_printed_holds_as_printed(tmp_path, monkeypatch, verdict, reading):
    made = load(folder_with(tmp_path, monkeypatch, "x(1-x) < x")).claims["p.whole"]
    found = standing(made, Verdict.DECIDED, verdict, reading)
    holds = verdict in (Verdict.DECIDED, Verdict.PROVED)
    assert (found is Standing.PRINTED) == (holds and reading is Reading.PRINTED)
    assert ("holds" in found.value) == holds
    assert (found is Standing.ERRATUM) == (verdict is Verdict.REFUTED)


def test_counts_are_in_words():
    counted = {Standing.PRINTED: 0, Standing.PART: 2, Standing.ERRATUM: 1, Standing.SUPPORTED: 0}
    assert counts_in_words(counted) == ["0 hold as printed", "2 hold as far as they were read", "1 is refuted"]
