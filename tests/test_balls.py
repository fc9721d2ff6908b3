"""Ball evaluation against mpmath: enclosures contain the true value, and the undefined decides nothing."""

from fractions import Fraction

import flint
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from property_tests import examples

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.calculus import differentiate
from grpo_symbolic.language.expression import (
    OPERATORS,
    Apply,
    Derivative,
    Number,
    Symbol,
    Total,
)
from grpo_symbolic.language.vocabulary import (
    exp,
    log,
    maximum,
    minimum,
    real,
    sqrt,
)
from grpo_symbolic.translate.balls import as_fraction, exact, interval_ball, midpoint, precision
from grpo_symbolic.translate.values import ValueFunction, is_determinate, is_exact
from grpo_symbolic.translate.zeros import simplest_between, zeros

x = real("x", "(-oo, oo)", "a number")
y = real("y", "(-oo, oo)", "another number")

#: What each operator means, said a second time.
MEANING = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "negate": lambda a: -a,
    "sqrt": mp.sqrt,
    "exp": mp.exp,
    "log": mp.log,
    "cosh": mp.cosh,
    "sinh": mp.sinh,
    "tanh": mp.tanh,
    "sin": mp.sin,
    "cos": mp.cos,
    "arctan": mp.atan,
    "gamma": mp.gamma,
    "sign": mp.sign,
    "absolute": abs,
    "maximum": max,
    "minimum": min,
}


class OutsideError(Exception):
    """The expression certainly has no value."""


class UnclearError(Exception):
    """The oracle rounds, so it cannot tell; or the number is astronomical."""


def evaluate(expression, values):
    return ValueFunction(expression, tuple(values))(tuple(values.values()))


def require(value, zero_allowed):
    """Refuse a negative value, and one that is as good as zero where that matters."""
    if value < -(mpf(10) ** -60):
        raise OutsideError
    if abs(value) < mpf(10) ** -60 and not (zero_allowed and value == 0):
        raise UnclearError


def oracle(expression, values):
    match expression:
        case Number(value):
            return mpf(value.numerator) / value.denominator
        case Symbol():
            return values[expression]
        case Apply("power", (base, Number(exponent))):
            inner = oracle(base, values)
            if exponent.denominator == 2:
                require(inner, exponent > 0)
            elif exponent <= 0:
                require(abs(inner), False)
            return inner ** (mpf(exponent.numerator) / exponent.denominator)
        case Apply(operator, operands):
            arguments = [oracle(operand, values) for operand in operands]
            if operator == "divide":
                require(abs(arguments[1]), False)
            if operator in ("sqrt", "log"):
                require(arguments[0], operator == "sqrt")
            if operator == "gamma":
                require(arguments[0], False)
                if arguments[0] == 0:
                    raise OutsideError
            if operator == "sign" and 0 < abs(arguments[0]) < mpf(10) ** -60:
                raise UnclearError
            if operator in ("exp", "cosh", "sinh", "tanh", "sin", "cos", "gamma") and abs(arguments[0]) > 200:
                raise UnclearError
            return MEANING[operator](*arguments)


fractions = st.fractions(Fraction(-4), Fraction(4), max_denominator=12)
exponents = st.sampled_from(
    [
        Fraction(-2),
        Fraction(-1),
        Fraction(-1, 2),
        Fraction(0),
        Fraction(1, 2),
        Fraction(1),
        Fraction(3, 2),
        Fraction(2),
        Fraction(3),
        Fraction(4),
    ]
)
leaves = st.one_of(st.just(x), st.just(y), fractions.map(Number))


def _nodes(children):
    powers = st.builds(lambda base, exponent: Apply("power", (base, Number(exponent))), children, exponents)
    plain = st.sampled_from([operator for operator in OPERATORS if operator != "power"])
    others = plain.flatmap(
        lambda operator: st.tuples(*[children] * OPERATORS[operator]).map(lambda parts: Apply(operator, parts))
    )
    return st.one_of(others, powers)


expressions = st.recursive(leaves, _nodes, max_leaves=8)


def contains(ball, number):
    """Whether a high-precision number lies in the ball, up to the error of the oracle itself."""
    if is_exact(ball):
        fraction = as_fraction(ball)
        ball_low = ball_high = mpf(fraction.numerator) / fraction.denominator
    else:
        ball_low, ball_high = (
            mpf(int(m)) * mpf(2) ** int(e) for m, e in (ball.lower().man_exp(), ball.upper().man_exp())
        )
    slack = mpf(10) ** -40 * (1 + abs(number))
    return ball_low - slack <= number <= ball_high + slack


@given(expressions, fractions, fractions)
@settings(max_examples=examples(150))
def test_values_at_points_agree_with_the_oracle(expression, at_x, at_y):
    with mp.workdps(80), precision(64):
        try:
            expected = oracle(
                expression, {x: mpf(at_x.numerator) / at_x.denominator, y: mpf(at_y.numerator) / at_y.denominator}
            )
        except (OutsideError, UnclearError):
            assume(False)
        try:
            value = evaluate(expression, {x: exact(at_x), y: exact(at_y)})
        except UndefinedError:
            # The oracle rounds: an exact zero may look like a tiny number to it.
            assume(False)
        assume(is_determinate(value))
        assert contains(value, expected)


@given(expressions, fractions, fractions, st.fractions(0, 1, max_denominator=8), st.fractions(0, 1, max_denominator=8))
@settings(max_examples=examples(150))
def test_enclosures_over_boxes_contain_the_values_inside(expression, low, width, place_x, place_y):
    high = low + abs(width)
    points = [low + (high - low) * place for place in (place_x, place_y)]
    with mp.workdps(80), precision(64):
        try:
            expected = oracle(
                expression, {s: mpf(p.numerator) / p.denominator for s, p in zip((x, y), points, strict=True)}
            )
        except UnclearError:
            assume(False)
        except OutsideError:
            expected = None
        box = interval_ball(exact(low), exact(high))
        enclosed = ValueFunction(expression, (x, y)).enclose([box, box])
        if is_determinate(enclosed):
            # An enclosure that certainly exists promises a value at every point of the box.
            assert expected is not None
            assert contains(enclosed, expected)


@pytest.mark.parametrize("undefined", [1 / (x - 1), log(x - 1), log(x - 2), sqrt(x - 2), (x - 1) ** -2, (x - 1) ** 0])
def test_undefined_points_are_refused_and_undefined_boxes_indeterminate(undefined):
    function = ValueFunction(undefined, (x,))
    with pytest.raises(UndefinedError):
        function([flint.fmpq(1)])
    assert not is_determinate(function.enclose([flint.fmpq(1)]))
    assert not is_determinate(function.enclose([interval_ball(flint.fmpq(1, 2), flint.fmpq(3, 2))]))


@pytest.mark.parametrize(
    "hidden", [0 * log(x - 1), maximum(1, log(x - 1)), minimum(log(x - 1), 1), exp(-(1 / (x - 1) ** 2))]
)
def test_nothing_hides_an_undefined_part(hidden):
    function = ValueFunction(hidden, (x,))
    assert not is_determinate(function.enclose([interval_ball(flint.fmpq(1, 2), flint.fmpq(3, 2))]))


def test_what_is_rational_stays_exact():
    value = evaluate(sqrt(x**2 + Fraction(5, 36)) * exp(0 * x) + log(x / x) + x**-1, {x: flint.fmpq(1, 3)})
    assert is_exact(value)
    assert as_fraction(value) == Fraction(1, 2) + 3


def test_edges_at_zero_are_not_crossed_by_rounding():
    assert interval_ball(flint.fmpq(0), flint.fmpq(1, 3)) >= 0
    assert interval_ball(flint.fmpq(-1, 3), flint.fmpq(0)) <= 0
    assert is_determinate(ValueFunction(sqrt(x), (x,)).enclose([interval_ball(flint.fmpq(0), flint.fmpq(1))]))


def test_precision_is_restored_even_after_an_error():
    former = flint.ctx.prec
    with precision(500):
        assert flint.ctx.prec == 500
    assert flint.ctx.prec == former
    with pytest.raises(UndefinedError, match="division by zero"), precision(500):
        evaluate(1 / x, {x: flint.fmpq(0)})
    assert flint.ctx.prec == former


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (Total(x), "cannot evaluate Total"),
        (Derivative(x, x), "cannot evaluate Derivative"),
        (y, "cannot evaluate Symbol y"),
    ],
)
def test_what_balls_cannot_say_is_unsupported(expression, message):
    with pytest.raises(UnsupportedError, match=message):
        ValueFunction(expression, (x,))


@given(st.fractions(Fraction(-5), Fraction(5), max_denominator=300), st.fractions(0, 1, max_denominator=300))
@settings(max_examples=examples(100))
def test_no_simpler_fraction_lies_between(low, width):
    high = low + width
    found = simplest_between(low, high)
    assert low <= found <= high
    for denominator in range(1, found.denominator):
        assert -(-low.numerator * denominator // low.denominator) > high * denominator


@given(st.lists(st.fractions(Fraction(-4), Fraction(4), max_denominator=9), min_size=1, max_size=3, unique=True))
@settings(max_examples=examples(40))
def test_rational_zeros_of_products_are_found_exactly(roots):
    expression = x - roots[0]
    for root in roots[1:]:
        expression = expression * (x - root)
    function = ValueFunction(expression, (x,))
    with precision(128):
        found = zeros(lambda value: function([value]), [exact(Fraction(k, 70)) for k in range(-301, 302)])
    assert all(is_exact(zero) for zero in found)
    assert [as_fraction(zero) for zero in found] == sorted(roots)


def test_irrational_zeros_are_enclosed_and_poles_are_not_zeros():
    with precision(128):
        function = ValueFunction(x**2 - 2, (x,))
        (zero,) = zeros(lambda value: function([value]), [exact(Fraction(0)), exact(Fraction(3))])
        assert abs(midpoint(zero) ** 2 - 2) < Fraction(1, 10**30)
        assert zero.contains(flint.arb(2).sqrt())
        pole = ValueFunction(1 / (x - Fraction(1, 3)), (x,))
        assert zeros(lambda value: pole.enclose([value]), [exact(Fraction(0)), exact(Fraction(1))]) == []


def test_equal_sub_expressions_are_computed_once():
    repeated = exp(x) * exp(x) + exp(x) / (1 + exp(x))
    assert len(ValueFunction(repeated, (x,)).steps) == 5
    assert len(ValueFunction(differentiate(repeated, x), (x,)).steps) < 20
