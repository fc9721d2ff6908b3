"""False statements that fail only in a corner of their domain are refuted; true ones are not."""

from __future__ import annotations

import pytest

from grpo_symbolic import eq, exp, ge, gt, le, log, lt, ne, rational, real, sqrt
from grpo_symbolic.checks import numeric
from grpo_symbolic.checks.counterexamples.boundary import boundary_counterexample
from grpo_symbolic.checks.counterexamples.climb import climbed_counterexample
from grpo_symbolic.checks.counterexamples.search import recheck
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.obligations.expansion import expand

SETTINGS = Settings(digits=30, points=24, effort=2_000, boxes=500)

x = real("x", "(0, 1)", "a probability")
y = real("y", "(0, 1)", "another probability")
beta = real("beta", "(0, oo)", "a weight")
z = real("z", "(-oo, oo)", "a number")


def only(statement, given=()):
    ((obligation,),) = expand(statement, given)
    return obligation


#: Each fails on a small part of its domain: between two weights, or close to a corner.
CORNERS = {
    "narrow": (gt((beta - 50) ** 2, rational(1, 100)), ()),
    "logarithm": (
        gt(1 / (beta * sqrt(1 - x)) - log(beta / (1 - x)) + log(y / (1 - y)), -16 * beta**2 * (1 - y) / y),
        (),
    ),
    "hypothesis": (lt(x * y, rational(81, 100)), [le(x + y, rational(19, 10))]),
    "equation": (lt(beta, 40 * x), [eq(y * beta, x), gt(y, rational(1, 50))]),
    "far": (lt(z, 1_234), [gt(z**2, 5)]),
}


@pytest.mark.parametrize("name", CORNERS)
def test_corners_are_found_and_certified(name):
    obligation = only(*CORNERS[name])
    witness = climbed_counterexample(obligation, SETTINGS)
    assert witness is not None
    assert recheck(obligation, witness)


@pytest.mark.slow
def test_the_judge_refutes_what_sampling_supports_and_nothing_decides():
    statement, given = CORNERS["logarithm"]
    assert numeric.check(only(statement, given), SETTINGS).verdict is Verdict.SUPPORTED
    found = judge_statement(statement, given, SETTINGS, "corner", lemmas=[gt(beta, 0), eq(x, x)])
    assert found.verdict is Verdict.REFUTED
    assert "fails in a corner that the samples missed" in [item.note for item in found.evidence]


@pytest.mark.parametrize(
    "statement",
    [
        gt(1 / (x * (1 - x)), 4 - rational(1, 10**9)),
        ge(beta - log(beta), 1),
        lt(sqrt(x * y), (x + y) / 2 + rational(1, 10**6)),
        gt(1 / (1 - x) + log(1 - x), 0),
    ],
    ids=str,
)
def test_true_statements_are_not_refuted(statement):
    assert climbed_counterexample(only(statement), SETTINGS) is None


def test_the_same_seed_finds_the_same_point():
    obligation = only(*CORNERS["logarithm"])
    assert climbed_counterexample(obligation, SETTINGS) == climbed_counterexample(obligation, SETTINGS)


def test_an_inequation_fails_where_its_sides_are_equal():
    obligation = only(ne(log(x), -3 * y))
    assert numeric.check(obligation, SETTINGS).verdict is Verdict.SUPPORTED
    witness = boundary_counterexample(obligation, SETTINGS)
    assert witness is not None
    assert recheck(obligation, witness)


def test_a_climb_without_a_top_ends_where_numbers_are_still_short():
    """Ever larger and ever smaller coordinates come closer and closer to failing, and never do."""
    assert climbed_counterexample(only(gt(1 / (beta + 1) + exp(z), 0)), SETTINGS) is None
    assert climbed_counterexample(only(gt(beta**3 + x**3, 0)), SETTINGS) is None
