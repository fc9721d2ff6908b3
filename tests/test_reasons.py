"""Reasons that are searched for: with them the kernel accepts proofs of what is true, and of nothing false."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from itertools import product

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic import (
    Total,
    absolute,
    eq,
    exp,
    ge,
    gt,
    le,
    log,
    lt,
    maximum,
    minimum,
    ne,
    rational,
    real,
    sqrt,
    whole,
)
from grpo_symbolic.kernel import terms
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.language.folding import negated
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Relation, symbols_of
from grpo_symbolic.proofs.finding import Finder
from grpo_symbolic.proofs.goal import Goal, goals_of, simplified
from grpo_symbolic.proofs.reason import Cases, Difference, Given, Sign, Term, sum_of_signs
from grpo_symbolic.proofs.ring import with_absolute_values
from grpo_symbolic.proofs.search import reason_for
from grpo_symbolic.proofs.tables import Table
from grpo_symbolic.proofs.walks import along

p, q = (real(name, "(0, 1)", "a probability") for name in "pq")
x, y, z = (real(name, "(-oo, oo)", "a number") for name in "xyz")
u, v = (real(name, "(0, oo)", "a positive number") for name in "uv")
part = real("t", "[0, 1]", "a number from 0 to 1")

weight = real("w", "[0, 1]", "a weight", indexed=True)

COMPARED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}


def only(hypotheses, conclusion) -> Goal:
    (goal,) = map(simplified, goals_of(hypotheses, conclusion))
    return goal


def is_proved(goal) -> bool:
    """Whether the kernel accepts a proof that is found."""
    terms.forget()
    return not Finder(Table(), symbols_of(*goal.hypotheses, goal.relation)).prove(goal.hypotheses, goal.relation).open


LONG = gt(sum((log(1 + k * u) for k in range(1, 12)), start=log(u)), 0)

EXAMPLES = {
    "identity": only((), eq((x + y) ** 2 - (x - y) ** 2, 4 * x * y)),
    "factor": only((), gt(p, p**2)),
    "hypothesis": only((lt(q, p),), gt(p * (1 - q), q * (1 - p))),
    "square": only((), ge(x**2 + y**2, 2 * x * y)),
    "root": only((), ge(u + v, 2 * sqrt(u * v))),
    "conjugate": only((), gt(sqrt(u**2 + 1), u)),
    "tangent": only((), le(log(u), u - 1)),
    "exponential": only((), ge(exp(x), 1 + x)),
    "rising": only((), gt(log(u + v), log(u))),
    "absolute": only((), ge(absolute(x), x)),
    "maximum": only((), ge(maximum(x, y), (x + y) / 2)),
    "equation": only((eq(x, 2 * y),), eq(x**2, 4 * y**2)),
    "linear": only((eq(u * x, u * y + u),), gt(x, y)),
    "ranges": only((), lt(p, 2)),
    "contrary": only((gt(x + y, 0), le(y, 0)), gt(x, 0)),
    "zero": only((eq(x * y, 0), ne(x, 0)), eq(y, 0)),
    "sum": only((gt(x, y), gt(y, z)), gt(x, z)),
    "both sides of 0": only((gt(sqrt(u + v), x),), ge(sqrt(u + v) - x, -1 / (4 * u))),
    "known value": only((eq(z, 1), gt(u, 1)), eq(minimum(u * v, z * v), v)),
    "disjunction": only(
        (
            Any((lt(x, -1), gt(x, 1))),
            Implies(lt(x, -1), All((lt(x, 1), eq(z, -1)))),
            Implies(gt(x, 1), eq(z, 1)),
        ),
        eq(maximum(-1, minimum(x, 1)), z),
    ),
    "unused lemma": only((Equivalent(eq(x, 1), gt(y, 0)),), gt(p, p**2)),
    "long lemma": only((gt(u, 1), Implies(gt(u, 1), LONG)), LONG),
    "stretches": only((), lt(part * exp(-part), rational(2, 5))),
    "slope": only((), gt((1 + part) * exp(part / 2) - part / 3, rational(99, 100))),
    "case by stretches": only((le(part * exp(-part), rational(2, 5)), gt(part * exp(-part), rational(2, 5))), gt(x, 0)),
    "other side": only((eq(exp(-part) / 2, part),), lt(part, 1)),
}


@pytest.mark.parametrize("goal", EXAMPLES.values(), ids=EXAMPLES)
def test_a_reason_is_found_and_proved(goal):
    found = reason_for(goal)
    assert found is not None
    assert is_proved(goal)
    assert found == reason_for(goal), "the search is not the same twice"


FALSE = {
    "strict": only((), gt(x**2 + y**2, 2 * x * y)),
    "domain": only((), gt(u, u**2)),
    "identity": only((), eq((x + y) ** 2, x**2 + y**2)),
    "hypothesis": only((lt(p, q),), gt(p * (1 - q), q * (1 - p))),
    "logarithm": only((), lt(log(u), u - 1)),
    "root": only((), ge(sqrt(u * v), (u + v) / 2)),
    "absolute": only((), eq(absolute(x), x)),
    "equation": only((eq(x**2, y**2),), eq(x, y)),
    "case": only((Any((gt(x, 0), gt(y, 0))),), gt(x, 0)),
    "negative root": only((), eq(sqrt(x**2), x)),
    "premise": only((Implies(gt(x, 0), gt(y, 0)),), gt(y, 0)),
    "disjunction": only((Any((lt(x, -1), gt(x, 1))), Implies(gt(x, 1), eq(z, 1))), eq(z, 1)),
    "one side of 0": only((gt(x, 0),), ge(x, u)),
    "long premise": only((Implies(gt(u, 1), LONG),), LONG),
    "stretches": only((), lt(part * exp(-part), rational(9, 25))),
    "end": only((), gt(exp(part) - part, 1)),
    "near a pole": only((), lt(part * exp(-part) / (part - rational(1, 2)), 100)),
    "other side": only((eq(exp(-part) / 2, x),), lt(part, rational(1, 2))),
}


@pytest.mark.parametrize("goal", FALSE.values(), ids=FALSE)
def test_nothing_false_is_proved(goal):
    assert not is_proved(goal)


def test_below_a_fraction_bar_nothing_may_vanish():
    assert Term(Fraction(1), ((Sign(x**2, ">="), -1),)).signs == frozenset()
    assert sum_of_signs([frozenset()]) == {-1, 0, 1}


def test_squares_leave_roots_only_where_what_stays_has_a_root():
    assert with_absolute_values(sqrt(x**2 * u)) == absolute(x) * sqrt(u)
    # At 0 this is 0, but the root of x - 1 has no value there.
    assert with_absolute_values(sqrt(x**2 * (x - 1))) == sqrt(x**2 * (x - 1))


# Random polynomials: an independent program expands, and exact values at rational points have to agree.

SYMBOLS = (p, u, x)
GRID = {
    p: [Fraction(1, 100), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)],
    u: [Fraction(1, 50), Fraction(1), Fraction(7, 3), Fraction(20)],
    x: [Fraction(-5), Fraction(-1, 3), Fraction(0), Fraction(1, 2), Fraction(4)],
}
ATOMS: list[Expression] = [p, u, x, 1 - p, x**2, (x - u) ** 2, u - p, x + 1, rational(1), rational(2)]


@st.composite
def polynomials(draw) -> Expression:
    whole: Expression = ZERO
    for _ in range(draw(st.integers(1, 3))):
        term: Expression = Number(Fraction(draw(st.integers(-3, 5))))
        for _ in range(draw(st.integers(0, 3))):
            term = term * draw(st.sampled_from(ATOMS))
        whole = whole + term
    return whole


def by_sympy(expression: Expression):
    """An expression in another program's words, made by this test alone."""
    match expression:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Symbol():
            return sympy.Symbol(expression.name)
        case Apply("negate", (inner,)):
            return -by_sympy(inner)
        case Apply("power", (base, Number(exponent))):
            return by_sympy(base) ** sympy.Rational(exponent.numerator, exponent.denominator)
        case Apply(name, (left, right)):
            apply = {
                "add": operator.add,
                "subtract": operator.sub,
                "multiply": operator.mul,
                "divide": operator.truediv,
            }[name]
            return apply(by_sympy(left), by_sympy(right))
    raise AssertionError(expression)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(left=polynomials(), right=polynomials(), compare=st.sampled_from([gt, ge, lt, le, eq]))
def test_proofs_of_random_relations_agree_with_another_program(left, right, compare):
    goal = only((), compare(left, right))
    if reason_for(goal) is None or not is_proved(goal):
        return
    gap = by_sympy(left) - by_sympy(right)
    for values in product(*GRID.values()):
        at = {
            sympy.Symbol(s.name): sympy.Rational(w.numerator, w.denominator) for s, w in zip(GRID, values, strict=True)
        }
        assert COMPARED[goal.relation.operator](gap.subs(at), 0), (goal, values)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from([p, 1 - p, u, u + 1, (x - u) ** 2, x**2 + 1, (x - 1) ** 2]), min_size=1, max_size=4))
def test_a_product_of_what_is_not_negative_has_a_reason(factors):
    whole_product: Expression = rational(1)
    for factor in factors:
        whole_product = whole_product * factor
    assert reason_for(only((), ge(whole_product, 0))) is not None


# What lemmas leave to show.

WEIGHTS = (x * y, y * z, x * z, x**2 * y, y**2 * z, z**2 * x, x**3, y**3, z**3)
LONG = lt(exp(sum(WEIGHTS, ZERO)) * exp(sum(WEIGHTS, x)) * exp(sum(WEIGHTS, y)), p)


def test_what_is_a_hypothesis_as_it_stands_has_that_reason_however_long_it_is():
    assert reason_for(only((LONG,), LONG)) == Given(LONG, LONG)
    assert reason_for(only((negated(LONG),), LONG)) is None


def test_a_premise_that_is_given_is_left_out_though_it_is_no_relation():
    contracts = Implies(le(x, u), le(y, u))
    goal = only((contracts, Implies(contracts, gt(z, 1))), gt(z, 1))
    assert reason_for(goal) == Given(gt(z, 1), gt(z, 1))
    # The lemma is about something else.
    assert reason_for(only((contracts, Implies(Implies(le(x, v), le(y, u)), gt(z, 1))), gt(z, 1))) is None


def test_limits_at_infinity_say_that_a_reciprocal_is_positive():
    n = real("n", "[0, oo)", "a number of steps")
    assert only((gt(1 / n, 0),), le(1 / (1 + n), 1 / n)).hypotheses == (gt(n, 0),)
    assert isinstance(reason_for(only((gt(1 / n, 0),), le(1 / (1 + n) - 0, 1 / n))), Difference)
    assert reason_for(only((), le(1 / (1 + n), 1 / n))) is None


def test_zeros_that_limits_subtract_are_not_told():
    assert only((gt(x - 0, 0),), le(-(x - 0), y - (0 * z - 0))).relation == le(-x, y - 0 * z)


def test_a_combination_that_does_not_matter_asks_for_no_cases():
    lemma = Equivalent(gt(x, y), lt(z, u))
    assert isinstance(reason_for(only((lemma,), gt(p, p**2))), Difference)
    # Where it does, they are told.
    assert isinstance(reason_for(only((Any((gt(x, 2), gt(x, 1))),), gt(x, 1))), Cases)


def test_a_long_hypothesis_may_differ_by_a_factor_of_one_sign():
    turned = lt(-u * LONG.right, -u * LONG.left)
    assert reason_for(only((turned,), LONG)) == Given(LONG, turned)
    assert reason_for(only((lt(-x * LONG.right, -x * LONG.left),), LONG)) is None


# Stretches.


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-6, 6), min_size=1, max_size=4),
    st.integers(-4, 4),
    st.integers(-8, 8),
    st.sampled_from((">", ">=", "<", "<=")),
)
def test_what_stretches_show_holds_at_every_point(coefficients, rate, bound, operator):
    polynomial = sum((value * part**power for power, value in enumerate(coefficients, start=1)), start=ZERO)
    relation = Relation(polynomial * exp(rate * part), operator, Number(Fraction(bound)))
    if along(relation) is not None and is_proved(Goal((), relation)):
        for at in range(1001):
            point = at / 1000
            value = sum(c * point**power for power, c in enumerate(coefficients, start=1)) * math.exp(rate * point)
            assert COMPARED[operator](value, bound), (relation, point)


@pytest.mark.parametrize("numerator", [-1, 0, 3])
def test_bounds_on_both_sides_of_the_truth_are_told_apart(numerator):
    # The largest value of t exp(-t) on [0, 1] is 1/e, of which these are digits.
    relation = lt(part * exp(-part), rational(36787 + numerator, 10**5))
    assert is_proved(Goal((), relation)) is (numerator == 3)


def test_stretches_speak_of_one_bounded_number():
    for symbol in (u, weight, whole("k", "[0, 5]", "a whole number")):
        assert along(lt(symbol, 9)) is None
    assert along(lt(weight * exp(-weight), Total(weight))) is None


def test_what_has_no_slope_is_shown_by_ranges_alone():
    relation = lt(absolute(part - rational(1, 2)) + part**2, rational(5, 3))
    assert along(relation) is None or all(one.end is None for one in along(relation).stretches)
