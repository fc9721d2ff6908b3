"""Improper integrals: enclosed with all of their tails, or not at all."""

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from property_tests import examples

from grpo_symbolic.checks.quadrature import enclose_integral
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.checks.tails import Tail
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.calculus import differentiate
from grpo_symbolic.language.expression import Number, as_expression, substitute
from grpo_symbolic.language.statement import eq, lt
from grpo_symbolic.language.vocabulary import (
    absolute,
    arctan,
    cos,
    cosh,
    exp,
    gamma,
    log,
    maximum,
    rational,
    real,
    sign,
    sin,
    sqrt,
    tanh,
)
from grpo_symbolic.translate.balls import exact, precision
from grpo_symbolic.translate.values import ValueFunction

x = real("x", "(-oo, oo)", "the variable of an integral")
a = real("a", "(0, 1)", "a parameter")


def integral(body, low, high):
    return Binder("integral", body, x, *(None if end is None else as_expression(end) for end in (low, high)))


CONVERGENT = {
    "slow": (integral(1 / (x * log(x) ** Fraction(3, 2)), 2, None), lambda: 2 / mp.sqrt(mp.log(2))),
    "slow at an end": (integral(1 / (x * log(x) ** 2), 0, rational(1, 2)), lambda: 1 / mp.log(2)),
    "inverse square": (integral(1 / x**2, 1, None), lambda: mpf(1)),
    "inverse square, backwards": (integral(1 / x**2, None, -1), lambda: mpf(1)),
    "logarithm over a square": (integral(log(x) / x**2, 1, None), lambda: mpf(1)),
    "a sum": (integral(1 / (1 + x**2), None, None), lambda: mp.pi),
    "gauss": (integral(exp(x - x**2 / 2), None, None), lambda: mp.sqrt(2 * mp.pi) * mp.exp(mpf(1) / 2)),
    "a root in the exponent": (integral(exp(-sqrt(x)), 0, None), lambda: mpf(2)),
    "a rational rate": (integral(exp(-x / 3), 0, None), lambda: mpf(3)),
    "two exponentials": (integral(exp(a * x) * exp(-x), 0, None), lambda: mpf(2)),
    "log-normal": (integral(exp(-(log(x) ** 2)), 0, None), lambda: mp.sqrt(mp.pi) * mp.exp(mpf(1) / 4)),
    "power as an exponential": (integral(exp(-2 * log(x)), 1, None), lambda: mpf(1)),
    "softplus": (integral(log(1 + exp(-x)), 0, None), lambda: mp.pi**2 / 12),
    "what a tangent lacks": (integral(1 - tanh(x), 0, None), lambda: mp.log(2)),
    "bounded factor": (integral(arctan(x) / x**2, 1, None), lambda: mp.pi / 4 + mp.log(2) / 2),
    "kink": (integral(absolute(x) * exp(-absolute(x)), None, None), lambda: mpf(2)),
    "larger one": (integral(exp(-maximum(x, 2 * x)), 1, None), lambda: mp.exp(-2) / 2),
    "root at an end": (integral(1 / sqrt(x), 0, 1), lambda: mpf(2)),
    "roots at both ends": (integral(1 / sqrt(1 - x**2), -1, 1), lambda: mp.pi),
    "logarithm at an end": (integral(log(x) ** 2 / sqrt(x), 0, 1), lambda: mpf(16)),
    "zero of a sine": (
        integral(1 / sqrt(sin(x)), 0, 1),
        lambda: mp.quad(lambda t: 2 / mp.sqrt(mp.sin(t**2) / t**2) if t else mpf(2), [0, 1]),
    ),
    "flat at an end": (integral(exp(-1 / x) / x**2, 0, 1), lambda: mp.exp(-1)),
}


@pytest.mark.parametrize("name", CONVERGENT)
def test_the_ball_holds_all_of_the_integral(name):
    binder, known = CONVERGENT[name]
    with mp.workdps(40):
        ball = enclose_integral(binder, {a: Fraction(1, 2)})
        centre, radius = (mpf(part.str(50, radius=False)) for part in (ball.mid(), ball.rad()))
        assert abs(centre - known()) <= radius + mpf(10) ** -30
        assert radius < mpf(10) ** -8


@pytest.mark.parametrize(
    "binder",
    [
        integral(1 / x, 1, None),
        integral(1 / x, 0, 1),
        integral(1 / (x * log(x)), 2, None),
        integral(1 / (x * log(x)), 0, rational(1, 2)),
        integral(exp(-x) / x, 0, None),
        integral(1 / (x - 1) ** 2, 1, 2),
        integral(as_expression(1), 0, None),
        integral(exp(x), 0, None),
        integral(exp(x**2) * exp(-x), 0, None),
        integral(tanh(x), 0, None),
        integral(sign(x), 0, None),
        integral(cosh(x), 0, None),
        integral(cos(x), 0, None),
        integral(1 / log(x), 2, None),
    ],
    ids=str,
)
def test_no_finite_ball_for_what_diverges(binder):
    assert enclose_integral(binder, {}) is None


@pytest.mark.parametrize("body", [gamma(x) * exp(-(x**2)), 1 / log(log(x)) / x**2, log(x - sqrt(x**2 - 1)) / x**3])
def test_what_no_rule_bounds_is_left_open(body):
    with precision(256), pytest.raises(UnsupportedError):
        Tail(x, None, 1, Fraction(2**100)).integral(body)


def test_statements_that_ended_on_the_wrong_side_of_a_tail():
    slow = integral(1 / (x * log(x) ** Fraction(3, 2)), 2, None)
    true = judge_statement(lt(rational(2402, 1000), slow), (), Settings(digits=30, points=30), "test")
    assert true.verdict is not Verdict.REFUTED
    harmonic = judge_statement(eq(integral(1 / x, 1, None), 5), (), Settings(digits=30, points=30), "test")
    assert harmonic.verdict is Verdict.UNDECIDED


# --- the fundamental theorem as an oracle

_POWERS = st.sampled_from([Fraction(n, 2) for n in (-5, -4, -3, -2, -1)])
_LOGS = st.integers(-3, 3)
_RATES = st.sampled_from([Fraction(0), Fraction(-1, 7), Fraction(-1), Fraction(-5, 2)])
_FACTORS = st.sampled_from([None, arctan(x), 2 + sin(1 / x), 1 + exp(-x), tanh(x), log(1 + 1 / x), sqrt(1 + 1 / x)])


@st.composite
def _falling(draw):
    """A function that tends to 0 far out."""
    falls = x ** draw(_POWERS) * log(x) ** Fraction(draw(_LOGS)) * exp(Number(draw(_RATES)) * x)
    factor = draw(_FACTORS)
    return falls if factor is None else falls * factor


@given(_falling(), st.integers(20, 120))
@settings(max_examples=examples(150))
def test_the_tail_of_a_derivative_is_the_function(function, exponent):
    start = Fraction(2**exponent)
    with precision(256):
        try:
            ball = Tail(x, None, 1, start).integral(differentiate(function, x))
        except UnsupportedError:
            return
        exactly = -ValueFunction(function, (x,)).enclose([exact(start)])
        assert arb(ball).overlaps(exactly)
        assert exactly.rad() < abs(exactly) * arb(2) ** -60


@given(_falling(), st.integers(20, 120), st.sampled_from([-1, 1]), st.sampled_from([Fraction(0), Fraction(3, 7)]))
@settings(max_examples=examples(150))
def test_next_to_an_end_as_well(function, exponent, direction, end):
    # One over the distance from the end tends to infinity.
    distance = x - Number(end) if direction == 1 else Number(end) - x
    composed = substitute(function, {x: 1 / distance})
    start = Fraction(2**exponent)
    with precision(256):
        try:
            ball = Tail(x, end, direction, start).integral(differentiate(composed, x))
        except UnsupportedError:
            return
        exactly = direction * ValueFunction(composed, (x,)).enclose([exact(end + direction / start)])
        assert arb(ball).overlaps(exactly)


def test_most_of_these_tails_have_a_bound():
    bounded = 0
    cases = [x**p * log(x) ** q * exp(k * x) for p in (-3, -1) for q in (-2, 0, 1) for k in (0, -1)]
    for function in cases:
        with precision(256):
            bounded += arb(Tail(x, None, 1, Fraction(2**100)).integral(differentiate(function, x))).is_finite()
    assert bounded == len(cases)
