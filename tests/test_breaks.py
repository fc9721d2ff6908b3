"""Statements that fail only where two cases meet, with one output, at plain numbers, or where they say nothing."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from property_tests import examples

from grpo_symbolic.checks import numeric
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.language.composites import UniqueZero
from grpo_symbolic.language.expression import Number, Total, as_expression
from grpo_symbolic.language.statement import eq, ge, gt, le, lt, ne
from grpo_symbolic.language.stating import either, implies, tends_to
from grpo_symbolic.language.vocabulary import absolute, exp, log, maximum, minimum, rational, real, sign, sqrt
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.points.breaks import break_equations
from grpo_symbolic.points.solutions import at_breaks
from grpo_symbolic.points.truth import Truth

x = real("x", "(0, 1)", "a probability")
r = real("r", "(0, 1)", "another probability")
y = real("y", "(-oo, oo)", "a number")
z = real("z", "(0, oo)", "a positive number")
p = real("p", "(0, 1]", "probability of an output", indexed=True)
score = real("score", "(-oo, oo)", "score of an output", indexed=True)
QUICK = Settings(digits=30, points=60)
STEP = sign(y - rational(7, 9))

ONLY_AT_A_BREAK = {
    "a step at a number": eq(sign(x - rational(355, 1130)) ** 2, 1),
    "a step between symbols": eq(sign(x - r) ** 2 * exp(x), exp(x)),
    "an indicator": eq(
        (1 + sign(y - rational(7, 9))) / 2 * sign(y - rational(7, 9)), (1 + sign(y - rational(7, 9))) / 2
    ),
    "an absolute value": gt(absolute(3 * x - 2 * r) * exp(r), 0),
    "the larger one": gt(maximum(x**2, r / 3) - minimum(x**2, r / 3), 0),
    "one of two cases": either(lt(x, r / 7), gt(x, r / 7)),
    "a premise": implies(ge(11 * x, 3 * r), gt((11 * x - 3 * r) * exp(x), 0)),
    "a corner": ne(absolute(y - rational(5, 13)) + absolute(z - rational(17, 19)), 0),
}

ONLY_WITH_ONE_OUTPUT = {
    "a sum of squares": (lt(Total(p**2), 1), eq(Total(p), 1)),
    "the others": (gt(Total(p) - p, 0),),
    "no certain output": (lt(p, 1), eq(Total(p), 1)),
    "entropy": (lt(Total(p * log(p)), 0), eq(Total(p), 1)),
    "softmax": (gt(Total(exp(score)), exp(score)),),
    "a pair": (ge(Total(as_expression(1)), 2),),
}

SAY_NOTHING = {
    "a rate that is not positive": tends_to(1 + 0 * x, None, x, to=0, side="+", constant=-1),
    "a rate that may not be positive": tends_to(1 + 0 * x * r, None, x, to=0, side="+", constant=r - 2),
    "no neighbourhood": tends_to(x, 0, x, to=0, side="+", constant=2, near=r - rational(1, 2)),
    "points on one side of the zero": UniqueZero(z - 1, z, rational(2), rational(3), True),
    "a point outside the interval": UniqueZero(y**3 - y, y, rational(1, 2), rational(2), True, lower=rational(3, 4)),
}


@pytest.mark.parametrize("name", ONLY_AT_A_BREAK)
def test_sampling_refutes_what_fails_only_at_a_break(name):
    found = numeric.check(Obligation("claim", (), ONLY_AT_A_BREAK[name]), QUICK)
    assert found.verdict is Verdict.REFUTED, found.note


@pytest.mark.parametrize("name", ONLY_WITH_ONE_OUTPUT)
def test_sums_are_tried_from_one_output_on(name):
    conclusion, *hypotheses = ONLY_WITH_ONE_OUTPUT[name]
    found = numeric.check(Obligation("claim", tuple(hypotheses), conclusion), QUICK)
    assert found.verdict is Verdict.REFUTED, found.note
    assert not any(coordinate.endswith("[2]") for coordinate, _ in found.witness.at)


def test_two_outputs_are_shown_where_they_fail_as_well():
    found = numeric.check(Obligation("claim", (eq(Total(p), 1),), ge(p, Total(p**2))), QUICK)
    assert [coordinate for coordinate, _ in found.witness.at] == ["p[1]", "p[2]"]


@pytest.mark.parametrize(
    "statement",
    [gt(exp(y) + exp(-y), 2), ne(y**3 * exp(y), 0), ne(exp(z - 1), z), gt((z - 3) ** 2 * exp(z), 0)],
    ids=str,
)
def test_sampling_refutes_what_fails_only_at_a_plain_number(statement):
    assert numeric.check(Obligation("claim", (), statement), QUICK).verdict is Verdict.REFUTED


@pytest.mark.parametrize("name", SAY_NOTHING)
def test_a_statement_that_says_nothing_is_refuted(name):
    judged = judge_statement(SAY_NOTHING[name], (), QUICK, name)
    assert judged.verdict is Verdict.REFUTED
    resisted = [item for item in judged.evidence if item.verdict is Verdict.REFUTED]
    assert resisted[0].obligation in (
        "constant is positive",
        "neighbourhood is positive",
        "bracket inside the interval",
        "sign at the lower point",
    )
    assert resisted[0].witness is not None


@pytest.mark.parametrize(
    "statement",
    [
        eq(absolute(x - r), maximum(x, r) - minimum(x, r)),
        eq(sign(x - r) * absolute(x - r), x - r),
        eq((1 + sign(x - r)) / 2 + (1 - sign(x - r)) / 2, 1),
        le(minimum(exp(y), exp(-y)), 1),
        implies(ge(x, r), ge(exp(x) + sign(x - r), exp(r))),
    ],
    ids=str,
)
def test_true_statements_are_supported_at_breaks_too(statement):
    found = numeric.check(Obligation("claim", (), statement), QUICK)
    assert found.verdict is Verdict.SUPPORTED, found.note


def test_breaks_are_met_under_hypotheses_and_at_every_output():
    conclusion = gt(Total(absolute(p - score)), 0)
    hypotheses = (eq(Total(p), 1),)
    points = at_breaks(hypotheses, conclusion, (p, score), True, Truth(30), 1)
    assert any(point.vectors["p"] == point.vectors["score"] for point in points)
    assert all(sum(point.vectors["p"]) == 1 for point in points)


def test_the_zeros_of_what_is_inside_are_the_breaks():
    statement = either(lt(maximum(x, r), sqrt(y**2)), eq(absolute(z - 1) + sign(rational(2)), 3))
    zeros = [item[0].left for item in break_equations((), statement)]
    found = [str(zero) for zero in dict.fromkeys(zeros)]
    assert found == ["(x - r)", "(z - 1)", "(maximum(x, r) - sqrt((y ** 2)))", "((absolute((z - 1)) + sign(2)) - 3)"]
    assert len(zeros) == 3 * len(found)


def test_factors_break_one_by_one_and_a_few_breaks_meet():
    statement = gt(absolute((x - rational(1, 3)) * exp(r) / z) + absolute(-((y - r) ** 2)), 0)
    single = [str(item[0].left) for item in break_equations((), statement)[:-1:3]]
    assert single == ["(x - 1/3)", "(y - r)"]
    assert [str(item) for item in break_equations((), statement)[-1]] == ["(x - 1/3) = 0", "(y - r) = 0"]


# --- random statements in pieces


@st.composite
def _pieces(draw):
    """A break, and a statement that is true but for the break or for one of its sides."""
    number = draw(st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=97))
    slope = draw(st.sampled_from([1, 2, -3, Fraction(1, 2)]))
    inner = draw(
        st.sampled_from(
            [Number(Fraction(slope)) * (x - Number(number)), x - Number(number) * r, (x - Number(number)) * exp(r)]
        )
    )
    factor = draw(st.sampled_from([exp(x), 1 + x * r, cosh_like(x)]))
    kind = draw(st.integers(0, 5))
    false = [
        eq(sign(inner) ** 2 * factor, factor),
        gt(absolute(inner) * factor, 0),
        ne(maximum(inner, 0) + maximum(-inner, 0), 0),
        either(lt(inner * factor, 0), gt(inner, 0)),
        eq((1 + sign(inner)) * (1 - sign(inner)) * factor, 0),
        implies(le(inner, 0), lt(inner * factor, 0)),
    ][kind]
    true = [
        eq(sign(inner) ** 3 * factor, sign(inner) * factor),
        ge(absolute(inner) * factor, 0),
        eq(maximum(inner, 0) + maximum(-inner, 0), absolute(inner)),
        either(lt(inner * factor, 0), ge(inner, 0)),
        ge((1 + sign(inner)) * (1 - sign(inner)) * factor, 0),
        implies(le(inner, 0), le(inner * factor, 0)),
    ][kind]
    return false, true


def cosh_like(variable):
    return exp(variable) + exp(-variable)


@given(_pieces())
@settings(max_examples=examples(16))
def test_random_statements_in_pieces(statements):
    false, true = statements
    assert numeric.check(Obligation("claim", (), false), QUICK).verdict is Verdict.REFUTED
    assert numeric.check(Obligation("claim", (), true), QUICK).verdict is Verdict.SUPPORTED
