"""Interval arithmetic over rationals: which values an expression takes on the domains of its symbols.

Every rule returns an interval that contains all values of an operator on the intervals of its operands, or None if
it may have no value there. Ends are open or closed: an end is closed only if it is exact and attained at closed ends of
the operands, and irrational ends are rounded outwards by balls. Every occurrence of a symbol counts as independent of
the others, so ranges are too wide rather than too narrow: what is decided here is true, and what is true may stay
undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from math import inf
from typing import TypeAlias

from flint import arb

from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.translate.balls import OPERATIONS, exact, midpoint, precision

#: An end point, infinite if it is a float, and whether the interval contains it.
_End: TypeAlias = tuple[Fraction | float, bool]

WHOLE_LINE = Interval(None, None)
POSITIVE = Interval(Fraction(0), None)
NONNEGATIVE = Interval(Fraction(0), None, lower_closed=True)
UNIT = Interval(Fraction(-1), Fraction(1), lower_closed=True, upper_closed=True)
_POSITIVE_ONLY, _ALL_SIGNS = frozenset((1,)), frozenset((-1, 0, 1))

#: Bits of the balls that round irrational ends.
_BITS = 53
#: Beyond this, functions that grow like exp are bounded by their values here or by their limits: exact ends would be
#: enormous.
_LARGEST_EXPONENT = Fraction(500)
_STEEP = frozenset(("exp", "sinh", "cosh"))
#: Functions that increase, with the signs of numbers at which they are defined (cosh: at which it increases), and with
#: bounds of their values at the lower and at the upper end of these.
_INCREASING: Mapping[str, tuple[frozenset[int], Fraction | float, Fraction | float]] = {
    "sqrt": (frozenset((0, 1)), Fraction(0), inf),
    "log": (_POSITIVE_ONLY, -inf, inf),
    "exp": (_ALL_SIGNS, Fraction(0), inf),
    "sinh": (_ALL_SIGNS, -inf, inf),
    "cosh": (frozenset((0, 1)), Fraction(1), inf),
    "tanh": (_ALL_SIGNS, Fraction(-1), Fraction(1)),
    "arctan": (_ALL_SIGNS, Fraction(-2), Fraction(2)),
}


def decide_by_range(relation: Relation) -> bool | None:
    """Decide a relation by the ranges of its two sides.

    True: both sides are defined and the relation holds, for all values of its symbols in their domains.
    False: both sides are defined and the relation fails, for all values. None: neither was established.
    """
    left, right = range_on_domain(relation.left), range_on_domain(relation.right)
    if left is None or right is None:
        return None
    same = relation.left == relation.right
    signs = frozenset((0,)) if same else signs_of(sum_of(left, negative_of(right)))
    return holds_for_signs(signs, relation.operator)


def holds_for_signs(signs: frozenset[int], operator: str) -> bool | None:
    """Whether ``value operator 0`` holds (or fails) for every value with one of these signs."""
    allowed = {"=": {0}, "!=": {-1, 1}, "<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}}[operator]
    if signs <= allowed:
        return True
    return None if signs & allowed else False


def signs_of(values: Interval) -> frozenset[int]:
    """The signs of the numbers in an interval."""
    below = values.lower is None or values.lower < 0
    above = values.upper is None or values.upper > 0
    seen = {-1: below, 0: Fraction(0) in values, 1: above}
    return frozenset(sign for sign, possible in seen.items() if possible)


@lru_cache(maxsize=2**14)
def range_on_domain(expression: Expression) -> Interval | None:
    """An interval that contains every value of the expression on the domains of its symbols.

    None if the expression may be undefined somewhere, or contains a Total, Derivative or Substitution, or an operator
    of which no rule is known.
    """
    match expression:
        case Number(value):
            return point(value)
        case Symbol():
            return expression.domain.hull
        case Apply("power", (base, Number(exponent))):
            values = range_on_domain(base)
            return None if values is None else power_of(values, exponent)
        case Apply("multiply", (left, right)) if left == right:
            # A square is not negative, which the product of two independent factors may be.
            return range_on_domain(Apply("power", (left, Number(Fraction(2)))))
        case Apply(operator, operands):
            ranges = [values for values in map(range_on_domain, operands) if values is not None]
            rule = _RULES.get(operator)
            return None if rule is None or len(ranges) < len(operands) else rule(*ranges)
        case _:
            return None


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


def product_of(left: Interval, right: Interval) -> Interval:
    """All products of a number of each interval."""
    return _hull(_end_product(a, b) for a in _ends(left) for b in _ends(right))


def _end_product(left: _End, right: _End) -> _End:
    (a, a_closed), (b, b_closed) = left, right
    if a == 0 or b == 0:
        # Also 0 * infinity: products of factors near these ends lie on one side of 0, arbitrarily close.
        return Fraction(0), (a == 0 and a_closed) or (b == 0 and b_closed)
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b, a_closed and b_closed
    return (inf if (a > 0) == (b > 0) else -inf), False


def reciprocal_of(values: Interval) -> Interval | None:
    """All reciprocals of the interval's numbers; None if it contains 0."""
    if 0 in signs_of(values):
        return None
    # An end at 0 belongs to an interval on one side of it: its reciprocal is the infinity of that side.
    at_zero = inf if 1 in signs_of(values) else -inf
    return _hull(_end_reciprocal(end, at_zero) for end in _ends(values))


def _end_reciprocal(end: _End, at_zero: float) -> _End:
    value, closed = end
    if value == 0:
        return at_zero, False
    return (1 / value, closed) if isinstance(value, Fraction) else (Fraction(0), False)


def power_of(base: Interval, exponent: Fraction) -> Interval | None:
    """All powers of the interval's numbers, for an exponent that is an integer or half of one."""
    if exponent.denominator == 2:
        root = image_of("sqrt", base)
        return None if root is None else power_of(root, 2 * exponent)
    if exponent < 0:
        positive = power_of(base, -exponent)
        return None if positive is None else reciprocal_of(positive)
    if exponent == 0:
        # 0**0 counts as undefined, as in definedness.side_conditions.
        return None if 0 in signs_of(base) else point(Fraction(1))
    ends: list[_End] = [(value**exponent.numerator, closed) for value, closed in _ends(base)]
    return _hull([*ends, *_zero_inside(base)] if exponent.numerator % 2 == 0 else ends)


def image_of(function: str, values: Interval) -> Interval | None:
    """All values of an increasing function at the interval's numbers; None if it is not defined at all of them."""
    signs, least, most = _INCREASING[function]
    if not signs_of(values) <= signs:
        return None
    (low, low_closed), (high, high_closed) = _ends(values)
    if function in _STEEP:
        # Ends are moved outwards, to infinity or to the largest exponent.
        if not -_LARGEST_EXPONENT <= low <= _LARGEST_EXPONENT:
            low, low_closed = (-inf if low < 0 else _LARGEST_EXPONENT), False
        if not -_LARGEST_EXPONENT <= high <= _LARGEST_EXPONENT:
            high, high_closed = (inf if high > 0 else -_LARGEST_EXPONENT), False
    at_pole = function == "log" and low == 0
    lower = (least, False) if low == -inf or at_pole else _rounded(function, low, low_closed)[0]
    upper = (most, False) if high == inf else _rounded(function, high, high_closed)[1]
    return _interval(max(lower, (least, False)), min(upper, (most, False)))


def _rounded(function: str, value: Fraction | float, closed: bool) -> tuple[_End, _End]:
    """Bounds of a function's value at a finite end, below and above; one that a ball has exactly is its own bounds."""
    with precision(_BITS):
        image = OPERATIONS[function](arb(exact(Fraction(value))))
        attained = closed and image.is_exact()
        return (midpoint(image.lower()), attained), (midpoint(image.upper()), attained)


def _absolute_of(values: Interval) -> Interval:
    ends: list[_End] = [(-value if value < 0 else value, closed) for value, closed in _ends(values)]
    return _hull([*ends, *_zero_inside(values)])


def _maximum_of(left: Interval, right: Interval) -> Interval:
    (low_left, high_left), (low_right, high_right) = _ends(left), _ends(right)
    lower = max(low_left, low_right, key=lambda end: (end[0], not end[1]))
    return _interval(lower, max(high_left, high_right))


def _quotient_of(left: Interval, right: Interval) -> Interval | None:
    inverse = reciprocal_of(right)
    return None if inverse is None else product_of(left, inverse)


def _sign_of(values: Interval) -> Interval:
    signs = signs_of(values)
    return Interval(Fraction(min(signs)), Fraction(max(signs)), True, True)


_RULES: Mapping[str, Callable[..., Interval | None]] = {
    "add": sum_of,
    "subtract": lambda left, right: sum_of(left, negative_of(right)),
    "multiply": product_of,
    "divide": _quotient_of,
    "maximum": _maximum_of,
    "minimum": lambda left, right: negative_of(_maximum_of(negative_of(left), negative_of(right))),
    "negate": negative_of,
    **{function: partial(image_of, function) for function in _INCREASING},
    "cosh": lambda values: image_of("cosh", _absolute_of(values)),
    "sin": lambda _: UNIT,
    "cos": lambda _: UNIT,
    "gamma": lambda values: POSITIVE if signs_of(values) == _POSITIVE_ONLY else None,
    "sign": _sign_of,
    "absolute": _absolute_of,
}


def _ends(values: Interval) -> tuple[_End, _End]:
    lower = -inf if values.lower is None else values.lower
    upper = inf if values.upper is None else values.upper
    return (lower, values.lower_closed), (upper, values.upper_closed)


def _zero_inside(values: Interval) -> list[_End]:
    """The end at which an even function turns, if the interval goes from one side of 0 to the other."""
    return [(Fraction(0), True)] if signs_of(values) >= {-1, 1} else []


def _interval(lower: _End, upper: _End) -> Interval:
    low = lower[0] if isinstance(lower[0], Fraction) else None
    high = upper[0] if isinstance(upper[0], Fraction) else None
    return Interval(low, high, low is not None and lower[1], high is not None and upper[1])


def _hull(ends: Iterable[_End]) -> Interval:
    """The smallest interval with these end points; a value that one of them attains is attained."""
    listed = list(ends)
    return _interval(min(listed, key=lambda end: (end[0], not end[1])), max(listed))
