"""One letter, one thing: what a reader could not tell apart is refused, or told apart with each claim."""

from __future__ import annotations

import json
import uuid

import pytest
from test_cli import QUICK
from typer.testing import CliRunner

from grpo_symbolic.cli import app
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.errors import DeclarationError, LibraryError
from grpo_symbolic.readback.unread import listed
from grpo_symbolic.report import readback
from grpo_symbolic.report.letters import ambiguous_letters, check_letters
from grpo_symbolic.report.shorthand import Shown, as_shown

MODULE = r'''
"""Letters."""
from grpo_symbolic import Derivative, Paper, Result, claim, define, derive, eq, exp, gt, lt, real
paper = Paper("p", "A. Author", "A title", "v1")
p = real("p", "(0, 1)", "a probability")
low = real("low", "(-1, 0)", "a negative number", latex="p")
twin = real("twin", "(0, 1)", "a probability", latex="p")
x = real("x", "(-oo, oo)", "a number")
base = real("base", "(0, 1)", "a base", latex="e")
name = real("name", "(0, 1)", "a name", latex="h_{1}")
h = define("h", (p,), p * p, latex="h_{1}")
other = define("other", (p,), p + 1, latex="h_{1}")
unused = define("unused", (p,), p + 2, latex="g")
def build():
    BODY
letters = Result("Letters", paper, build)
'''
TWO = {
    "two symbols in a claim": (
        'yield claim("p.one", "One", gt(p, low))',
        r"p\.one \(letters\.py:\d+\): the letter p stands for p in \(0, 1\) \(a probability\) and for low in "
        r"\(-1, 0\) \(a negative number\) in one claim; give one of them another letter",
    ),
    "two symbols alike": ('yield claim("p.one", "One", lt(p - twin, 1))', r"stands for p in .* and for twin in"),
    "in a step": (
        'yield claim("p.one", "One", derivation=derive(p * 2, "start").eq(p + p, "sum").gt(low * 1, "sign"))',
        "stands for p in .* and for low in",
    ),
    "in an erratum": (
        'yield claim("p.one", "One", gt(p, -1), printed=paper.quote("Eq. (1)", "p > 0", gt(low, 0), instead="It is."))',
        "stands for p in .* and for low in",
    ),
    "two functions in a section": (
        'yield from (claim("p.one", "One", gt(h(p), -1)), claim("p.two", "Two", gt(other(p), 0)))',
        r"p\.two .*: the letter h_\{1\} stands for the function other\(p\) := \(p \+ 1\), and in p\.one .*, of "
        r"the same section, for the function h\(p\)",
    ),
    "a function and a symbol": (
        'yield from (claim("p.one", "One", gt(name, -1)), claim("p.two", "Two", gt(h(p), -1)))',
        r"p\.one .*: the letter h_\{1\} stands for name in .*, and in p\.two .*, of the same section, "
        r"for the function h",
    ),
    "the exponential function": ('yield claim("p.one", "One", lt(base, exp(p)))', "the letter e stands for base in"),
}
APART = {
    "another domain": (
        'yield from (claim("p.one", "One", gt(p, -1)), claim("p.two", "Two", lt(low, 1)))',
        {"p.one": ["p"], "p.two": ["low"]},
    ),
    "the same domain and meaning": (
        'yield from (claim("p.one", "One", gt(p, -1)), claim("p.two", "Two", lt(twin, 2)))',
        {"p.one": [], "p.two": []},
    ),
    "a parameter is no letter of its own": ('yield claim("p.one", "One", gt(h(low + 1), -1))', {"p.one": []}),
}


@pytest.fixture
def loaded(tmp_path, monkeypatch):
    def load(body):
        from grpo_symbolic.derivation.library import load

        package = tmp_path / f"letters_{uuid.uuid4().hex}"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "letters.py").write_text(MODULE.replace("BODY", body))
        monkeypatch.syspath_prepend(str(tmp_path))
        return package, load(package)

    return load


@pytest.mark.parametrize("kind", TWO)
def test_a_letter_for_two_things_is_refused(loaded, tmp_path, kind):
    body, message = TWO[kind]
    package, library = loaded(body)
    with pytest.raises(DeclarationError, match=message):
        check_letters(Shown(library), library.claims)
    if kind in ("two symbols in a claim", "two functions in a section"):
        run = CliRunner().invoke(app, ["report", str(package), "--out", str(tmp_path / "out"), *QUICK])
        assert (run.exit_code, "another letter by latex=" in run.output) == (2, True)
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", APART)
def test_letters_that_change_within_a_section_are_explained(loaded, kind):
    body, expected = APART[kind]
    _, library = loaded(body)
    check_letters(Shown(library), library.claims)
    found = ambiguous_letters(library.results[0].claims)
    assert {id: [symbol.name for symbol in symbols] for id, symbols in found.items()} == expected


def test_only_what_is_shown_has_to_be_told_apart(loaded):
    _, library = loaded(TWO["two functions in a section"][0])
    check_letters(Shown(library), {"p.one"})


def test_the_page_says_what_a_letter_is_here(loaded, tmp_path):
    package, _ = loaded(APART["another domain"][0])
    run = CliRunner().invoke(app, ["report", str(package), "--out", str(tmp_path / "out"), *QUICK])
    assert run.exit_code == 0, run.output
    page = (tmp_path / "out" / "appendix.tex").read_text()
    assert r"\grpolead{Here}$p \in (0, 1)$ (a probability)." in page
    assert r"\grpolead{Here}$p \in (-1, 0)$ (a negative number)." in page


def test_what_a_letter_is_in_a_quote_alone_is_said_in_the_box_of_the_quote(loaded, tmp_path):
    quote = 'paper.quote("Eq. (1)", r"p > 0", gt(low, 0), instead="It is negative.", fails_at={low: rational(-1, 2)})'
    package, _ = loaded(
        "from grpo_symbolic import rational\n"
        f'    yield from (claim("p.one", "One", lt(x, x + 1), printed={quote}), claim("p.two", "Two", gt(p, -1)))'
    )
    run = CliRunner().invoke(app, ["report", str(package), "--out", str(tmp_path / "out"), *QUICK])
    assert run.exit_code == 0, run.output
    page = (tmp_path / "out" / "appendix.tex").read_text()
    here = r"\grpolead{Here}$p \in (-1, 0)$ (a negative number)."
    assert page.count(here) == page.count("a negative number") == 1
    assert page.index(r"\grpolead{Read as}") < page.index(here) < page.index(r"\grpolead{Counterexample}")


@pytest.mark.slow
def test_no_section_of_the_papers_has_a_letter_for_two_things(library):
    check_letters(Shown(library), library.claims)
    told = [ambiguous_letters(as_shown(result, result.claims)) for result in library.results]
    assert sum(any(symbols for symbols in section.values()) for section in told) >= 10


def test_the_same_section_judged_result_by_result(library):
    for result in library.results[:5]:
        check_letters(Shown(Library((result,))), library.claims)


def test_a_formula_that_is_not_read_back_is_listed_or_fails_the_build(loaded, tmp_path, monkeypatch):
    package, _ = loaded('yield claim("p.one", "One", gt(p, -1))')
    out = ["--out", str(tmp_path / "out"), *QUICK]
    read = readback.read_back
    monkeypatch.setattr(readback, "read_back", lambda *given: type(read(*given))("not read", "too long"))
    run = CliRunner().invoke(app, ["report", str(package), *out])
    assert run.exit_code == 1
    assert "p.one: too long; print it otherwise, or list it in unread.toml" in run.output
    (package / "unread.toml").write_text("one = 'it is too long for the page'\n")
    run = CliRunner().invoke(app, ["report", str(package), *out])
    assert run.exit_code == 0, run.output
    assert "it is too long for the page" in (tmp_path / "out" / "report.tex").read_text()
    assert json.loads((tmp_path / "out" / "results.json").read_text())["read_back"]["not_read"]
    monkeypatch.setattr(readback, "read_back", read)
    run = CliRunner().invoke(app, ["report", str(package), *out])
    assert run.exit_code == 1
    assert "p.one is listed in unread.toml, but was read; drop the entry" in run.output


@pytest.mark.parametrize("entry", ["other = 'a reason'", "one = ''", "one = 1"])
def test_entries_name_a_claim_and_a_reason(loaded, entry):
    package, library = loaded('yield claim("p.one", "One", gt(p, -1))')
    (package / "unread.toml").write_text(f"{entry}\n")
    with pytest.raises(LibraryError, match=r"unread\.toml: .* is no claim of p with a reason"):
        listed(library, library.claims)


def test_a_list_that_cannot_be_read_is_named(loaded):
    package, library = loaded('yield claim("p.one", "One", gt(p, -1))')
    (package / "unread.toml").write_text("one =")
    with pytest.raises(LibraryError, match=r"unread\.toml: "):
        listed(library, library.claims)
