"""Questions from Python: what comes back knows what it is about, prints itself, and says what to do after a mistake."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from referee_here import QUICK, in_this_process

import grpo_symbolic
from grpo_symbolic import (
    assess,
    both,
    check_text,
    claim,
    define,
    derive,
    eq,
    exp,
    gt,
    implies,
    increasing,
    judge,
    load,
    lt,
    rational,
    real,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.evidence import Verdict

__all__ = ["in_this_process"]

FAST = Settings(points=20, effort=1_000, boxes=1_000)
p = real("p", "(0, 1)", "a probability")
beta = real("beta", "(0, oo)", "a weight", latex=r"\beta")
TRUE, FALSE = eq(p * (1 - p), p - p**2), eq(p * (1 - p), p - p**2 / 2)


class _Balanced(HTMLParser):
    """The texts of a page, and whether every element of it is closed where it has to be."""

    def __init__(self) -> None:
        super().__init__()
        self.open, self.texts = [], []

    def handle_starttag(self, tag, attrs):
        assert tag not in ("script", "link", "img"), "nothing is fetched"
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def words(page: str) -> str:
    parser = _Balanced()
    parser.feed(page)
    assert parser.open == []
    assert "$" not in page, "a notebook would send it to a program that is fetched"
    return "".join(parser.texts)


# Statements.


def test_a_judgement_knows_its_statement_and_hypotheses():
    found = judge(gt(p, rational(1, 2)), given=[gt(p, rational(2, 3))], settings=FAST)
    assert found.verdict is Verdict.DECIDED
    assert (found.statement, found.given) == (gt(p, rational(1, 2)), (gt(p, rational(2, 3)),))
    assert repr(found).splitlines()[:3] == ["DECIDED  p > 1/2", "    for all p in (0, 1)", "    given p > 2/3"]
    assert repr(judge(gt(p, rational(1, 2)), gt(p, rational(2, 3)), settings=FAST)) == repr(found)
    assert repr(found.judgement) == "DECIDED\n    by exact"
    assert "by exact" in words(found.judgement._repr_html_())


def test_what_is_refuted_has_a_point_and_a_program_that_runs():
    found = judge(FALSE, settings=FAST)
    assert found.verdict is Verdict.REFUTED
    assert dict(found.witness.at)["p"] in repr(found)
    ran = subprocess.run([sys.executable, "-c", found.program], capture_output=True, text=True, check=True)
    assert ran.stdout.rstrip().endswith("fails")
    assert judge(TRUE, settings=FAST).program == ""
    assert judge(TRUE, settings=FAST).witness is None


def test_what_is_open_says_why():
    found = judge(eq(p, p), given=[gt(p, 2)], settings=FAST)
    assert found.verdict is Verdict.UNDECIDED
    assert "they never hold" in repr(found)


def test_a_derivation_is_judged_step_by_step():
    good = derive(p * (1 - p), "variance").eq(p - p**2, "expand $p(1-p)$").le(rational(1, 4), "square")
    found = judge(good, settings=FAST)
    assert found.verdict is Verdict.DECIDED
    assert "DECIDED  step-2: p - p² ≤ 1/4    (square)" in repr(found)
    assert "expand" in words(found._repr_html_())
    bad = judge(derive(p * (1 - p), "variance").eq(p - p**2 / 2, "wrong").le(1, "true"), settings=FAST)
    assert bad.verdict is Verdict.UNDECIDED
    assert "REFUTED  step-1" in repr(bad)
    assert "rests on something weaker" in repr(bad)


def test_a_claim_is_judged_with_what_it_rests_on():
    wrong = claim("q.wrong", "Wrong", gt(p, rational(1, 2)))
    top = claim("q.top", "Top", gt(p, rational(1, 3)), using=[wrong])
    found = judge(top, settings=FAST)
    assert (found.claim, found.verdict) == (top, Verdict.REFUTED)
    assert found.others["q.wrong"].verdict is Verdict.REFUTED
    assert "q.wrong" in repr(found)
    assert "q.top: Top" in words(found._repr_html_())
    assert repr(found.judged).startswith("REFUTED  q.top: Top")
    assert "q.top" in words(found.judged._repr_html_())


@pytest.mark.parametrize(
    ("asked", "given", "message"),
    [
        (p == p + 1, (), r"False is no statement: == compares what was typed; write eq"),
        (p * 2, (), r"\(p \* 2\) states nothing: write eq"),
        ("p > 0", (), r"'p > 0' is no statement"),
        (TRUE, [p], "p states nothing"),
        (eq(p, real("p", "(0, 2)", "another")), (), "two symbols are called p"),
        (claim("q.c", "C", TRUE), [TRUE], "q.c has its hypotheses already"),
        (derive(p, "a start"), (), "derivation without a step"),
    ],
)
def test_what_cannot_be_judged_says_what_to_write(asked, given, message):
    with pytest.raises(DeclarationError, match=message):
        judge(asked, given, settings=FAST)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (lambda: p > 0, r"write gt\(left, right\) for left > right"),
        (lambda: p < 1, r"write lt\(left, right\) for left < right"),
        (lambda: p <= beta, r"write le\(left, right\)"),
        (lambda: p >= beta, r"write ge\(left, right\)"),
        (lambda: p ^ 2, r"write x\*\*2 for x\^2"),
        (lambda: abs(p), r"write absolute\(x\)"),
        (lambda: float(p), "an expression has no value"),
    ],
)
def test_what_is_typed_by_habit_says_what_to_write(typed, message):
    with pytest.raises(TypeError, match=message):
        typed()


def test_a_judgement_has_no_truth_value():
    with pytest.raises(DeclarationError, match="look at its verdict"):
        bool(judge(TRUE, settings=FAST))


def test_names_that_come_late_are_there_and_others_are_not():
    assert set(grpo_symbolic._LATER) <= set(grpo_symbolic.__all__)
    with pytest.raises(AttributeError, match=r"has no 'judgee'; it has .*judge"):
        grpo_symbolic.judgee  # noqa: B018


# Representations.

double = define("double", (p,), 2 * p)


@pytest.mark.parametrize(
    ("thing", "text", "latex"),
    [
        (p, "p", r"$\displaystyle p$"),
        (p * (1 - p), "p·(1 - p)", r"$\displaystyle p(1 - p)$"),
        (double(p), "double(p)", None),
        (TRUE, "p·(1 - p) = p - p²", r"$\displaystyle p(1 - p) = p - p^{2}$"),
        (both(gt(p, 0), lt(p, 1)), "p > 0 and p < 1", None),
        (implies(gt(p, 0), gt(p, -1)), "p > 0 ⇒ p > -1", None),
        (increasing(exp(p), p), "exp(p) is strictly increasing in p", None),
        (claim("q.c", "The $p$ of it", TRUE, given=[gt(p, 0)]), "q.c: The $p$ of it\n    p·(1 - p) = p - p²", None),
        (derive(p, "a start").eq(2 * p / 2, "as $1 = 2/2$"), "p    (a start)\n    = 2·p/2    (as $1 = 2/2$)", None),
    ],
)
def test_mathematics_prints_itself(thing, text, latex):
    assert repr(thing).startswith(text)
    page = thing._repr_html_()
    assert words(page)
    assert "<math" in page
    if latex is not None:
        assert thing._repr_latex_() == latex


@pytest.mark.parametrize("kind", grpo_symbolic.Statement.__subclasses__(), ids=lambda kind: kind.__name__)
def test_no_kind_of_statement_prints_its_fields(kind):
    if kind.__module__.startswith("grpo_symbolic.language"):
        assert kind.__repr__ is grpo_symbolic.Statement.__repr__


def test_a_sentence_is_set_with_its_formulas():
    stated = increasing(p / (p + beta), p)
    assert "is strictly increasing in" in words(stated._repr_html_())
    assert stated._repr_latex_().count("$") == 4


# Texts.

PAGE = r"""
\[ p(1-p) = p - p^2 \]
text
\begin{equation} p(1-p) = p - \frac{p^2}{2} \label{eq:second} \end{equation}
"""
CLAIMED = {"symbols": {"p": "(0, 1)"}, "claim": [{"label": "eq:second", "kind": "identity"}]}


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("notation", [CLAIMED, '[symbols]\np = "(0, 1)"\n', {"p": "(0, 1)"}])
def test_a_text_is_checked_with_a_map_in_any_form(notation):
    review = check_text(PAGE, notation, options=QUICK)
    assert [one.status.value for one in review.findings] == ["DECIDED", "REFUTED"]
    assert str(review.findings[1].place).startswith("text:4:")
    assert "text:4:" in repr(review)
    assert repr(review.findings[1]) in repr(review)
    assert "p²/2 -> p²" in words(review._repr_html_())
    assert review.findings[1]._repr_latex_() == r"$\displaystyle p(1-p) = p - \frac{p^2}{2}$"


@pytest.mark.usefixtures("in_this_process")
def test_a_map_may_be_a_file(tmp_path):
    path = tmp_path / "map.toml"
    path.write_text('[symbols]\np = "(0, 1)"\n')
    assert len(check_text(PAGE, path, options=QUICK).findings) == 2


@pytest.mark.usefixtures("in_this_process")
def test_without_a_map_nothing_is_refuted():
    review = check_text(PAGE, options=QUICK)
    assert review.proposed
    assert "no notation was declared" in repr(review)


@pytest.mark.usefixtures("in_this_process")
def test_formulas_inside_sentences_are_checked_if_that_is_asked_for():
    with pytest.raises(DeclarationError, match=r"displays no formula; put each between .* inline=True"):
        check_text("It is $p = p$.", {"p": "(0, 1)"}, options=QUICK)
    assert check_text("It is $p = p$.", {"p": "(0, 1)"}, inline=True, options=QUICK).findings


def test_what_no_map_holds_is_refused():
    with pytest.raises(DeclarationError, match=r"1\.5 cannot stand in a notation map"):
        check_text(PAGE, {"symbols": {"p": 1.5}})


# Folders.


@pytest.mark.slow
def test_a_folder_is_loaded_and_some_of_it_judged():
    library = load("derivations")
    found = assess(library, FAST, only="bounds-gap", jobs=1)
    assert found.judged["vojnovic_yun_2025.bounds-gap"].verdict is Verdict.PROVED
    assert repr(found).splitlines() == [
        f"{len(found.judged)} claims and steps: {len(found.judged)} PROVED",
        "    PROVED  vojnovic_yun_2025.bounds-gap",
    ]
    assert "The gap between the bounds" in words(found._repr_html_())
    assert "vojnovic_yun_2025.bounds-gap" in repr(library)


@pytest.mark.slow
def test_every_statement_of_the_library_prints_itself(library):
    for made in library.claims.values():
        assert re.match(r"[\w.-]+: ", repr(made))
        page = made._repr_html_()
        words(page)
        assert "<code>" not in page, "a formula has no MathML"
        if made.derivation is not None:
            words(made.derivation._repr_html_())
