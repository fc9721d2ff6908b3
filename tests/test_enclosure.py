"""Branch and bound: true claims with room are decided, false ones refuted, tight ones given up quickly."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging_here import asked
from property_tests import examples

from grpo_symbolic.checks import enclosure
from grpo_symbolic.checks.counterexamples.search import recheck
from grpo_symbolic.checks.enclosure import METHOD, check
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.proposer import Halve, Opinion
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.language.expression import Total, as_expression
from grpo_symbolic.language.statement import eq, ge, gt, le, lt, ne
from grpo_symbolic.language.stating import both, either, implies
from grpo_symbolic.language.vocabulary import (
    cosh,
    exp,
    log,
    maximum,
    real,
    sqrt,
)
from grpo_symbolic.obligations.obligation import Obligation

b = real("b", "(0, oo)", "a weight")
c = real("c", "(0, oo)", "a weight")
e = real("e", "[0, 1]", "an offset")
r = real("r", "(0, 1)", "a reference probability")
x = real("x", "(0, 1)", "a probability")
y = real("y", "(-oo, oo)", "a number")
negative = real("n", "(-oo, 0]", "a number that is not positive")
pi = real("pi", "(0, 1)", "probability of an output", indexed=True)

whitened = 1 / (1 + (1 - r) / r * exp(-1 / (b * sqrt(x * (1 - x) + e))))
root = (1 - c + sqrt((1 - c) ** 2 + 4 * c * r)) / 2


def claim(conclusion, *hypotheses):
    return Obligation("claim", hypotheses, conclusion)


def inside(low, high, *symbols):
    return [relation for symbol in symbols for relation in (ge(symbol, low), le(symbol, high))]


quarter, half, third = Fraction(1, 4), Fraction(1, 2), Fraction(1, 3)

TRUE = {
    "positive on an unbounded domain": claim(gt(b / (1 + b), 0)),
    "open ends": claim(gt(x * (1 - x), 0)),
    "denominators": claim(ne(x * (1 - x) * (1 + b), 0)),
    "at most one": claim(le(1 / (1 + b**2), 1)),
    "whole line": claim(ge(cosh(y), 1)),
    "half line to the left": claim(le(exp(negative), 1)),
    "away from its minimum": claim(gt(x**2 - x + third, 0)),
    "two symbols": claim(gt(x**2 - x + r**2 - r + Fraction(501, 1000), 0)),
    "amplification, away from the edges": claim(gt(whitened, r), *inside(quarter, 3 * quarter, b, r, x, e)),
    "root inside (0, 1), away from the edges": claim(
        both(gt(root, 0), lt(root, 1)), *inside(Fraction(1, 10), 4, c), *inside(quarter, 3 * quarter, r)
    ),
    "constant": claim(lt(sqrt(as_expression(2)), Fraction(142, 100))),
    "close constants": claim(
        ne(sqrt(as_expression(2)) * sqrt(as_expression(3)), sqrt(as_expression(6 + Fraction(1, 10**30))))
    ),
    "maximum": claim(ge(maximum(x, 1 - x), Fraction(49, 100))),
    "explicit value": claim(gt(y, 1), eq(y, 2 + x**2)),
    "an equation as a guard": claim(lt(x, Fraction(3, 4)), eq(x**2, half)),
    "either": claim(either(gt(x, third), lt(x, half))),
    "implication": claim(implies(gt(x, half), gt(x**2, Fraction(1, 5)))),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_with_room_are_decided(name):
    evidence = check(TRUE[name], Everything())
    assert evidence.verdict is Verdict.DECIDED, evidence.note
    assert evidence.method == METHOD
    assert "of width >= 2^-" in evidence.note


FALSE = {
    "narrow valley": claim(gt((x - Fraction(123, 457)) ** 2, Fraction(1, 10**6))),
    "narrow hole": claim(gt((x - Fraction(123, 457)) ** 2 + (r - Fraction(2, 7)) ** 2, Fraction(1, 10**5))),
    "far out": claim(lt(b, 1000)),
    "explicit value": claim(ge(x, 2 * r), eq(x, root)),
    "conjunction": claim(both(gt(x, 0), gt(x**2, Fraction(1, 10)))),
    "constant": claim(gt(sqrt(as_expression(2)), Fraction(142, 100))),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_refuted_with_a_point(name):
    evidence = asked(enclosure, FALSE[name], Settings())
    assert evidence.verdict is Verdict.REFUTED, evidence.note
    assert recheck(FALSE[name], evidence.witness)


TIGHT = {
    "both sides meet at 0": claim(gt(1 / (1 + b**2), 1 - b / 2 - b**2)),
    "logarithm below its tangent": claim(le(log(b), b - 1)),
    "amplification": claim(gt(whitened, r)),
    "root is at least the reference": claim(ge(root, r)),
    "undefined on a line": claim(gt((x - r) ** 2 / (x - r) ** 2, 0)),
    "undefined at a point": claim(ge(1 + 0 * log(x - half), 1)),
    "touching": claim(ge(x**2 - 2 * third * x + third**2, 0)),
}


@pytest.mark.parametrize("name", TIGHT)
def test_tight_or_undefined_claims_are_given_up_early(name):
    evidence = check(TIGHT[name], Everything())
    assert evidence.verdict is Verdict.UNDECIDED
    assert " near " in evidence.note


@pytest.mark.parametrize(
    "conclusion", [eq(x, x), both(gt(x, 0), eq(x, x)), gt(Total(pi), 0), either(eq(x, r), eq(x, 1))]
)
def test_equations_and_sums_are_not_its_business(conclusion):
    assert check(claim(conclusion), Everything()) is None


def test_the_budget_is_kept_and_named():
    claimed = claim(gt(x**2 - x + r**2 - r + Fraction(5001, 10000), 0))
    evidence = check(claimed, Everything(Settings(boxes=20)))
    assert evidence.verdict is Verdict.UNDECIDED
    assert "budget of 20 boxes" in evidence.note
    assert check(claimed, Everything()).verdict is Verdict.DECIDED


def test_nothing_fails_where_hypotheses_contradict_each_other():
    evidence = check(claim(gt(x, 2), gt(x, half), lt(x, third)), Everything())
    assert evidence.verdict is Verdict.DECIDED


@pytest.mark.parametrize("halved", [0, 1])
def test_giving_up_and_odd_halves_decide_nothing_false(halved):
    """Whatever is halved, a box on which the conclusion may fail stays open until it is given up."""

    class Stubborn:
        def next(self, box, boxes):
            return Halve(halved, upper_first=True) if boxes < 200 else None

        def opinion(self):
            return Opinion("covered")

    class Proposing(Everything):
        def subdivision(self, *arguments):
            return Stubborn()

    for false in (gt(x, r), gt(x + r, Fraction(1, 1000)), ne(x, r)):
        assert check(claim(false), Proposing()).verdict is Verdict.UNDECIDED
    assert check(claim(gt(x + r, 0)), Proposing()).verdict is Verdict.DECIDED


def test_it_is_deterministic():
    first, second = (check(TRUE["two symbols"], Everything()) for _ in range(2))
    assert (first.verdict, first.note) == (second.verdict, second.note)


levels = st.fractions(Fraction(-1), Fraction(2), max_denominator=40)


@given(levels, levels, levels)
@settings(max_examples=examples(40))
def test_verdicts_agree_with_the_exact_minimum_of_a_parabola(square, linear, constant):
    # The infimum over [0, 1] of a polynomial of degree two is at an end or at the vertex.
    places = [Fraction(0), Fraction(1)]
    if square != 0 and 0 < -linear / (2 * square) < 1:
        places.append(-linear / (2 * square))
    lowest = min(square * place**2 + linear * place + constant for place in places)
    evidence = asked(enclosure, claim(gt(square * e**2 + linear * e + constant, 0)), Settings(boxes=500))
    if evidence.verdict is Verdict.DECIDED:
        assert lowest > 0
    elif evidence.verdict is Verdict.REFUTED:
        assert lowest <= 0
    else:
        assert abs(lowest) < Fraction(1, 1000)
