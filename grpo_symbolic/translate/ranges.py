"""Interval arithmetic over rationals: which values an expression takes on the domains of its symbols.

Ends are open or closed and rounded outwards where they are irrational. Every occurrence of a symbol
counts as independent of the others, so ranges are too wide rather than too narrow: what is decided here
is true, and what is true may stay undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf, isqrt

import flint

from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.language.statement import Relation

#: The only floats among the values are the two infinities.
_Value = Fraction | float
#: An end point and whether the interval contains it.
_End = tuple[_Value, bool]

WHOLE_LINE = Interval(None, None)
POSITIVE = Interval(Fraction(0), None)
NONNEGATIVE = Interval(Fraction(0), None, lower_closed=True)
ALL_SIGNS = frozenset((-1, 0, 1))

#: Beyond this the exponential function is replaced by 0 or infinity: exact ends would be enormous.
_LARGEST_EXPONENT = 500
#: Denominator to which square roots are rounded.
_ROOT_SCALE = 2**64


def decide_by_range(relation: Relation) -> bool | None:
    """Decide a relation by the ranges of its two sides.

    True: both sides are defined and the relation holds, for all values of its symbols in their domains.
    False: both sides are defined and the relation fails, for all values. None: neither was established.
    """
    left, right = range_on_domain(relation.left), range_on_domain(relation.right)
    if left is None or right is None:
        return None
    same = relation.left == relation.right
    signs = frozenset((0,)) if same else signs_of(difference_of(left, right))
    return holds_for_signs(signs, relation.operator)


def holds_for_signs(signs: frozenset[int], operator: str) -> bool | None:
    """Whether ``value operator 0`` holds (or fails) for every value with one of these signs."""
    allowed = {"=": {0}, "!=": {-1, 1}, "<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}}[operator]
    if signs <= allowed:
        return True
    return None if signs & allowed else False


def sign_on_domain(expression: Expression) -> frozenset[int]:
    """The signs -1, 0, 1 that the expression may take; all three where it may be undefined."""
    values = range_on_domain(expression)
    return ALL_SIGNS if values is None else signs_of(values)


def signs_of(values: Interval) -> frozenset[int]:
    """The signs of the numbers in an interval."""
    signs = set()
    if values.lower is None or values.lower < 0:
        signs.add(-1)
    if values.upper is None or values.upper > 0:
        signs.add(1)
    if Fraction(0) in values:
        signs.add(0)
    return frozenset(signs)


def range_on_domain(expression: Expression) -> Interval | None:
    """An interval that contains every value of the expression on the domains of its symbols.

    None if the expression may be undefined somewhere, or contains a Total, Derivative or Substitution.
    """
    match expression:
        case Number(value):
            return point(value)
        case Symbol():
            return expression.domain
        case Apply(operator, operands):
            return _range_of_apply(operator, operands)
        case _:
            return None


def _range_of_apply(operator: str, operands: tuple[Expression, ...]) -> Interval | None:
    if operator == "power":
        base, exponent = range_on_domain(operands[0]), operands[1]
        if base is None or not isinstance(exponent, Number):
            return None
        return power_of(base, exponent.value)
    if operator == "multiply" and operands[0] == operands[1]:
        # A square is not negative, which the product of two independent factors may be.
        base = range_on_domain(operands[0])
        return None if base is None else power_of(base, Fraction(2))
    ranges = [range_on_domain(operand) for operand in operands]
    known = [values for values in ranges if values is not None]
    if len(known) < len(ranges):
        return None
    if len(known) == 2:
        return _TWO_PLACE[operator](known[0], known[1])
    return _ONE_PLACE[operator](known[0])


def point(value: Fraction) -> Interval:
    """The interval that contains one number."""
    return Interval(value, value, True, True)


def sum_of(left: Interval, right: Interval) -> Interval:
    """All sums of a number of each interval."""
    lower = None if left.lower is None or right.lower is None else left.lower + right.lower
    upper = None if left.upper is None or right.upper is None else left.upper + right.upper
    return Interval(lower, upper, left.lower_closed and right.lower_closed, left.upper_closed and right.upper_closed)


def negative_of(values: Interval) -> Interval:
    """All numbers whose negatives lie in the interval."""
    lower = None if values.upper is None else -values.upper
    upper = None if values.lower is None else -values.lower
    return Interval(lower, upper, values.upper_closed, values.lower_closed)


def difference_of(left: Interval, right: Interval) -> Interval:
    """All differences of a number of each interval."""
    return sum_of(left, negative_of(right))


def product_of(left: Interval, right: Interval) -> Interval:
    """All products of a number of each interval."""
    products = [_end_product(a, b) for a in _ends(left) for b in _ends(right)]
    return _hull(products)


def reciprocal_of(values: Interval) -> Interval | None:
    """All reciprocals of the interval's numbers; None if it contains 0."""
    if 0 in signs_of(values):
        return None
    (low, low_closed), (high, high_closed) = _ends(values)
    # An end at 0 belongs to an interval on one side of it: its reciprocal is the infinity of that side.
    outer = inf if high > 0 else -inf
    top = _end_reciprocal(low, low_closed, outer)
    bottom = _end_reciprocal(high, high_closed, outer)
    return _hull([bottom, top])


def power_of(base: Interval, exponent: Fraction) -> Interval | None:
    """All powers of the interval's numbers, for an exponent that is an integer or half of one."""
    if exponent.denominator == 2:
        root = root_of(base)
        return None if root is None else power_of(root, 2 * exponent)
    if exponent < 0:
        positive = power_of(base, -exponent)
        return None if positive is None else reciprocal_of(positive)
    if exponent == 0:
        # 0**0 counts as undefined, as in definedness.side_conditions.
        return None if 0 in signs_of(base) else point(Fraction(1))
    ends: list[_End] = [(value**exponent.numerator, closed) for value, closed in _ends(base)]
    if exponent.numerator % 2 == 0 and 0 in signs_of(base):
        ends.append((Fraction(0), True))
    return _hull(ends)


def root_of(values: Interval) -> Interval | None:
    """All square roots of the interval's numbers; None if it contains negative ones."""
    if -1 in signs_of(values):
        return None
    return _monotone_image(values, _root_below, _root_above)


def exponential_of(values: Interval) -> Interval:
    """All exponentials of the interval's numbers."""
    return _meet_lower(_monotone_image(values, _exp_below, _exp_above), Fraction(0))


def logarithm_of(values: Interval) -> Interval | None:
    """All logarithms of the interval's numbers; None if it contains 0 or negative ones."""
    if signs_of(values) != frozenset((1,)):
        return None
    return _monotone_image(values, _log_below, _log_above)


def absolute_of(values: Interval) -> Interval:
    """All absolute values of the interval's numbers."""
    ends: list[_End] = [(-value if value < 0 else value, closed) for value, closed in _ends(values)]
    if -1 in signs_of(values) and 1 in signs_of(values):
        ends.append((Fraction(0), True))
    return _hull(ends)


def maximum_of(left: Interval, right: Interval) -> Interval:
    """All maxima of a number of each interval."""
    (low_left, high_left), (low_right, high_right) = _ends(left), _ends(right)
    lower = max(low_left, low_right, key=lambda end: (end[0], not end[1]))
    upper = max(high_left, high_right, key=lambda end: (end[0], end[1]))
    return _interval(lower, upper)


def minimum_of(left: Interval, right: Interval) -> Interval:
    """All minima of a number of each interval."""
    return negative_of(maximum_of(negative_of(left), negative_of(right)))


def _quotient_of(left: Interval, right: Interval) -> Interval | None:
    inverse = reciprocal_of(right)
    return None if inverse is None else product_of(left, inverse)


def _cosh_of(values: Interval) -> Interval:
    growing = absolute_of(values)
    half = product_of(point(Fraction(1, 2)), sum_of(exponential_of(growing), exponential_of(negative_of(growing))))
    lowest = (Fraction(1), 0 in signs_of(values))
    lower, upper = _ends(half)
    return _interval(max(lower, lowest, key=lambda end: end[0]), upper)


def _sinh_of(values: Interval) -> Interval:
    doubled = difference_of(exponential_of(values), exponential_of(negative_of(values)))
    return _with_sign_of(values, product_of(point(Fraction(1, 2)), doubled))


def _tanh_of(values: Interval) -> Interval:
    return _with_sign_of(values, Interval(Fraction(-1), Fraction(1)))


def _wave_of(_: Interval) -> Interval:
    return Interval(Fraction(-1), Fraction(1), True, True)


def _arctan_of(values: Interval) -> Interval:
    return _with_sign_of(values, Interval(Fraction(-2), Fraction(2)))


def _gamma_of(values: Interval) -> Interval | None:
    return POSITIVE if signs_of(values) == frozenset((1,)) else None


def _sign_of(values: Interval) -> Interval:
    signs = signs_of(values)
    return Interval(Fraction(min(signs)), Fraction(max(signs)), True, True)


def _with_sign_of(values: Interval, image: Interval) -> Interval:
    """Narrow the image under an odd increasing function to the signs of the argument."""
    (low, low_closed), (high, high_closed) = _ends(values)
    lower, upper = _ends(image)
    if low >= 0:
        lower = max(lower, (Fraction(0), low_closed and low == 0), key=lambda end: end[0])
    if high <= 0:
        upper = min(upper, (Fraction(0), high_closed and high == 0), key=lambda end: end[0])
    return _interval(lower, upper)


_TWO_PLACE: dict[str, Callable[[Interval, Interval], Interval | None]] = {
    "add": sum_of,
    "subtract": difference_of,
    "multiply": product_of,
    "divide": _quotient_of,
    "maximum": maximum_of,
    "minimum": minimum_of,
}
_ONE_PLACE: dict[str, Callable[[Interval], Interval | None]] = {
    "negate": negative_of,
    "sqrt": root_of,
    "exp": exponential_of,
    "log": logarithm_of,
    "cosh": _cosh_of,
    "sinh": _sinh_of,
    "tanh": _tanh_of,
    "sin": _wave_of,
    "cos": _wave_of,
    "arctan": _arctan_of,
    "gamma": _gamma_of,
    "sign": _sign_of,
    "absolute": absolute_of,
}


def _ends(values: Interval) -> tuple[_End, _End]:
    lower: _Value = -inf if values.lower is None else values.lower
    upper: _Value = inf if values.upper is None else values.upper
    return (lower, values.lower_closed), (upper, values.upper_closed)


def _interval(lower: _End, upper: _End) -> Interval:
    low = lower[0] if isinstance(lower[0], Fraction) else None
    high = upper[0] if isinstance(upper[0], Fraction) else None
    return Interval(low, high, low is not None and lower[1], high is not None and upper[1])


def _hull(ends: Iterable[_End]) -> Interval:
    """The smallest interval with these end points; a value that one of them attains is attained."""
    listed = list(ends)
    lower = min(listed, key=lambda end: (end[0], not end[1]))
    upper = max(listed, key=lambda end: (end[0], end[1]))
    return _interval(lower, upper)


def _end_product(left: _End, right: _End) -> _End:
    (a, a_closed), (b, b_closed) = left, right
    if a == 0 or b == 0:
        # Also 0 * infinity: products of factors near these ends lie on one side of 0, arbitrarily close.
        return Fraction(0), (a == 0 and a_closed) or (b == 0 and b_closed)
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b, a_closed and b_closed
    return (inf if (a > 0) == (b > 0) else -inf), False


def _end_reciprocal(value: _Value, closed: bool, at_zero: float) -> _End:
    if value == 0:
        return at_zero, False
    if isinstance(value, Fraction):
        return 1 / value, closed
    return Fraction(0), False


def _meet_lower(values: Interval, bound: Fraction) -> Interval:
    """The part of the interval above an open bound."""
    if values.lower is None or values.lower <= bound:
        return Interval(bound, values.upper, False, values.upper_closed)
    return values


def _monotone_image(values: Interval, below: Callable[[_Value], _End], above: Callable[[_Value], _End]) -> Interval:
    """The image under an increasing function, given lower and upper bounds and whether they are exact.

    An inexact bound is not attained, but it lies strictly outside, so whether it counts as closed is moot.
    """
    (low, low_closed), (high, high_closed) = _ends(values)
    (lower, lower_exact), (upper, upper_exact) = below(low), above(high)
    return _interval((lower, low_closed and lower_exact), (upper, high_closed and upper_exact))


def _root_below(value: _Value) -> _End:
    if not isinstance(value, Fraction):
        return value, True
    scaled = value.numerator * value.denominator
    root = isqrt(scaled)
    if root * root == scaled:
        return Fraction(root, value.denominator), True
    return Fraction(isqrt(scaled * _ROOT_SCALE**2), value.denominator * _ROOT_SCALE), False


def _root_above(value: _Value) -> _End:
    root, exact = _root_below(value)
    if exact or not isinstance(value, Fraction):
        return root, exact
    return root + Fraction(1, value.denominator * _ROOT_SCALE), False


def _exp_below(value: _Value) -> _End:
    if value == 0:
        return Fraction(1), True
    if not isinstance(value, Fraction):
        return (inf if value > 0 else Fraction(0)), False
    if value < -_LARGEST_EXPONENT:
        return Fraction(0), False
    return _exact(_ball(min(value, Fraction(_LARGEST_EXPONENT))).exp().lower()), False


def _exp_above(value: _Value) -> _End:
    if value == 0:
        return Fraction(1), True
    if not isinstance(value, Fraction):
        return (inf if value > 0 else Fraction(0)), False
    if value > _LARGEST_EXPONENT:
        return inf, False
    return _exact(_ball(max(value, Fraction(-_LARGEST_EXPONENT))).exp().upper()), False


def _log_below(value: _Value) -> _End:
    if value == 1:
        return Fraction(0), True
    if not isinstance(value, Fraction):
        return inf, False
    return (-inf if value == 0 else _exact(_ball(value).log().lower())), False


def _log_above(value: _Value) -> _End:
    if value == 1:
        return Fraction(0), True
    if not isinstance(value, Fraction):
        return inf, False
    return (-inf if value == 0 else _exact(_ball(value).log().upper())), False


def _ball(value: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def _exact(ball: flint.arb) -> Fraction:
    """The value of a ball of radius 0."""
    mantissa, exponent = ball.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
