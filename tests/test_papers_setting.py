"""Counterexamples that a reader believes: inside what a paper takes for granted, and at a point that somebody chose."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grpo_symbolic import Paper, Quote, Total, both, eq, exp, gt, le, lt, rational, real
from grpo_symbolic.checks.recheck import holds
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import CheckError, DeclarationError
from grpo_symbolic.evidence import Verdict, Witness
from grpo_symbolic.judging.counterexamples import refuting
from grpo_symbolic.judging.searching import Searcher
from grpo_symbolic.judging.verdicts import Inquiry, Judgement
from grpo_symbolic.language.expression import Number, walk
from grpo_symbolic.language.statement import expressions_of

x = real("x", "(0, oo)", "a positive number")
y = real("y", "(-oo, oo)", "a number")
p = real("p", "(0, 1]", "probability", indexed=True)
PAPER = Paper("p", "A. Author", "A title", "v1", setting=(le(Total(p), 1), lt(x, 2)))
SLIP = {"instead": "otherwise"}
#: Larger denominators than this stand in a counterexample only if the paper prints them.
LARGEST = 60
#: Success probabilities from 0.00234 to 0.004: no other fraction there has so small a denominator.
NARROW = {"mroueh_2025.log-odds.contraction": 250}


def numbers(quote: Quote) -> set[Fraction]:
    """The numbers that stand in a quote."""
    sides = (side for statement in (quote.statement, *quote.given) for side in expressions_of(statement))
    return {node.value for side in sides for node in walk(side) if isinstance(node, Number)}


def judged(quote: Quote) -> Judgement:
    inquiry = Inquiry(quote.statement, quote.given, proposed=quote.fails_at)
    return inquiry.judgement(Searcher(Settings(digits=30, points=8)).investigate(inquiry, "p.claim"))


def test_the_setting_applies_where_all_its_symbols_occur():
    both_there = PAPER.quote("Eq. (1)", "x", both(gt(x, 1), gt(p, 0)), **SLIP)
    assert both_there.setting == PAPER.setting
    assert PAPER.quote("Eq. (1)", "x", gt(x, 1), **SLIP).setting == (lt(x, 2),)
    assert PAPER.quote("Eq. (1)", "x", gt(y, 1), **SLIP).setting == ()


def test_what_is_said_to_hold_has_to_hold_everywhere():
    assert PAPER.quote("Eq. (1)", "x", gt(x, 1)).setting == ()


def test_what_fails_outside_of_the_setting_only_is_not_refuted():
    assert judged(PAPER.quote("Eq. (1)", "x", lt(x, 3), **SLIP)).verdict is Verdict.DECIDED
    assert judged(PAPER.quote("Eq. (1)", "x", lt(x, 3))).verdict is Verdict.REFUTED
    found = refuting(judged(PAPER.quote("Eq. (1)", "x", lt(x, 1), **SLIP)))
    assert found is not None
    assert holds(PAPER.setting[1:], found.witness.at)


def test_the_point_that_is_named_comes_first():
    quote = PAPER.quote("Eq. (1)", "x", lt(x * y, 1), **SLIP, fails_at={x: rational(3, 2), y: 7})
    (evidence,) = judged(quote).evidence
    assert evidence.witness == Witness((("x", "3/2"), ("y", "7")), "21/2", "1")


def test_a_point_of_several_elements():
    quote = PAPER.quote("Eq. (1)", "x", eq(Total(p**2), 1), given=(eq(Total(p), 1),), **SLIP,
        fails_at={p: [rational(1, 4), rational(3, 4)]})  # fmt: skip
    (evidence,) = judged(quote).evidence
    assert (evidence.witness.left, evidence.witness.right) == ("5/8", "1")


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        (lt(x, 1), {x: rational(1, 2)}),  # it holds there
        (lt(x, 1), {x: -1}),  # outside of the domain
        (lt(x, 1), {x: 3}),  # outside of the setting
        (lt(x + y, 1), {x: 1}),  # not all symbols have a value
        (lt(exp(x), exp(x)), {y: 1}),
    ],
)
def test_a_point_that_is_no_counterexample_is_an_error(statement, values):
    with pytest.raises(CheckError, match=r"p\.claim: it is said to fail at .*, but this was not confirmed"):
        judged(PAPER.quote("Eq. (1)", "x", statement, **SLIP, fails_at=values))


def test_what_names_a_point_has_to_fail_and_points_are_rational():
    with pytest.raises(DeclarationError, match="fails_at is about what fails"):
        PAPER.quote("Eq. (1)", "x", lt(x, 1), fails_at={x: 1})
    with pytest.raises(DeclarationError, match="not a rational number"):
        PAPER.quote("Eq. (1)", "x", lt(x, 1), **SLIP, fails_at={x: exp(y)})


def test_counterexamples_to_the_papers_lie_in_their_setting_and_are_simple(library):
    """Those with a setting or with a point; the others are as simple as the search makes them."""
    quotes = {id: made.printed for id, made in library.claims.items() if made.printed is not None}
    chosen = {id: quote for id, quote in quotes.items() if quote.expected_to_fail and (quote.setting or quote.fails_at)}
    assert len(chosen) > 10
    for id, quote in chosen.items():
        found = refuting(judged(quote))
        assert found is not None, id
        assert holds(quote.setting, found.witness.at), id
        printed = {str(number) for number in numbers(quote)}
        sizes = [Fraction(value).denominator for _, value in found.witness.at if value not in printed]
        assert max(sizes, default=1) <= NARROW.get(id, LARGEST), (id, found.witness)
        for name in ("pi", "pi_old", "pi_ref"):
            mass = sum(Fraction(value) for coordinate, value in found.witness.at if coordinate.startswith(f"{name}["))
            assert mass <= 1, (id, found.witness)
