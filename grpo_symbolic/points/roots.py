"""Values of one symbol at which an equation holds."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property, lru_cache

from flint import arb, fmpq
from mpmath import libmp

from grpo_symbolic.errors import GrpoSymbolicError, UndefinedError, UnsupportedError
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.translate.arithmetics import BALLS, EXACT, FLOATS, certain_sign, raw
from grpo_symbolic.translate.balls import as_fraction, exact, precision
from grpo_symbolic.translate.multiprecision import difference, precisions
from grpo_symbolic.translate.program import Inexact, Point, Program, Raw, Value

#: An equation that was never linear at so many points is not tried as a linear one again.
_TRIALS = 4
#: Bits of balls that tell most sides apart; what computes with digits takes many times as long.
_BITS = (64, 512)
#: Sides that differ by less than this part of them, as machine numbers, may be equal.
_NEARLY = 1e-12
#: Places where the sides nearly agree, and sign changes, that are looked at more closely in one search.
_MOST_PLACES = 6


class Equation:
    """An equation that is solved for one symbol at many points of the others."""

    def __init__(self, sides: Program, symbol: Symbol, digits: int) -> None:
        self._sides, self._symbol, self._digits = sides, symbol, digits
        self._bits = precisions(digits)[-1]
        self._linear, self._not_linear = 0, 0

    def solve(self, point: Point, draw: random.Random) -> Value | None:
        """A value of the symbol in its domain at which both sides agree, exact if the equation is linear in it.

        Other roots are found on a grid over the whole domain: exact zeros at its points, and changes of
        sign, which are refined by the secant method and enclosed. Failing these, the symbol keeps its value
        if the equation happens to hold. None if nothing was found.
        """
        name, domain = self._symbol.name, self._symbol.domain
        if self._linear or self._not_linear < _TRIALS:
            linear = self._linear_root(point)
            if linear is not None:
                self._linear += 1
                return linear if in_domain(linear, domain) else None
            self._not_linear += 1
        for place in self._places(point, draw):
            if isinstance(place, Fraction):
                if self._holds(point.put(name, place)):
                    return place
                continue
            root = self._refine(point, place)
            if root is not None and in_domain(root, domain):
                return root
        return point.value(name) if self._holds(point) else None

    def _holds(self, point: Point) -> bool:
        """Whether the sides agree here and nothing is lost to rounding, as 1 - 1e-999 = 1 would be."""
        try:
            if any(certain_sign(self._sides, point, bits) for bits in _BITS):
                return False
            return difference(self._sides, point, self._digits, thorough=True).sign == 0
        except GrpoSymbolicError:
            return False

    def _linear_root(self, point: Point) -> Value | None:
        """The root of the line through two exact residuals, if it is an exact root of the equation."""
        first, second = self._trial_values
        try:
            values = self._sides.along(EXACT, point, self._symbol.name)
            at_first, at_second = (left - right for left, right in (values(first), values(second)))
            if at_first == at_second:
                present = point.value(self._symbol.name)
                if at_first != 0 or not isinstance(present, Fraction):
                    return None
                left, right = values(exact(present))
                return present if left == right else None
            root = first - at_first * (second - first) / (at_second - at_first)
            left, right = values(root)
        except (UndefinedError, UnsupportedError):
            return None
        return as_fraction(root) if left == right else None

    @cached_property
    def _trial_values(self) -> tuple[fmpq, fmpq]:
        grid = self._grid
        # Of whole numbers there may be one only.
        return exact(grid[len(grid) // 3][0]), exact(grid[min(len(grid) // 2 + 1, len(grid) - 1)][0])

    @property
    def _grid(self) -> tuple[tuple[Fraction, float], ...]:
        return _grid(self._symbol.domain)

    def _places(self, point: Point, draw: random.Random) -> Iterator[Fraction | tuple[float, float]]:
        """Grid points where the sides nearly agree and brackets of a sign change, from a random one on."""
        try:
            values = self._sides.along(FLOATS, point, self._symbol.name)
        except (ArithmeticError, ValueError, GrpoSymbolicError):
            return
        grid, known, found = self._grid, dict[int, tuple[float, bool]](), 0

        def at(number: int) -> tuple[float, bool]:
            if number not in known:
                known[number] = _residual(values, grid[number][1])
            return known[number]

        first = draw.randrange(len(grid))
        # In either direction, so that of two roots at the ends of the grid neither is favoured.
        onwards = 1 if first % 2 else -1
        for step in range(len(grid)):
            number = (first + onwards * step) % len(grid)
            value, nearly = at(number)
            if nearly:
                yield grid[number][0]
            if number + 1 < len(grid) and value * at(number + 1)[0] < 0:
                bracket = _narrowed(values, (grid[number][1], grid[number + 1][1]), (value, at(number + 1)[0]))
                if bracket is not None:
                    yield bracket
                    found += 1
            if found == _MOST_PLACES:
                return

    def _refine(self, point: Point, bracket: tuple[float, float]) -> Inexact | None:
        """The root near a narrow bracket to nearly all bits, enclosed by a certain sign change."""
        with precision(self._bits):
            try:
                values = self._sides.along(BALLS, point, self._symbol.name)
            except GrpoSymbolicError:
                return None
            return _enclosed_root(values, bracket, self._bits)


def _residual(values: Callable[[float], list[float]], argument: float) -> tuple[float, bool]:
    """The difference of the sides as machine numbers, and whether it may be rounding only."""
    try:
        left, right = values(argument)
    except (ArithmeticError, ValueError):
        return math.nan, False
    difference = left - right
    return difference, abs(difference) <= _NEARLY * max(abs(left), abs(right))


def _narrowed(
    values: Callable[[float], list[float]], ends: tuple[float, float], residuals: tuple[float, float]
) -> tuple[float, float] | None:
    """Halve a bracket until secants will do; None at a pole, where the sign changes but the residual grows."""
    (low, high), size = ends, min(abs(residuals[0]), abs(residuals[1]))
    at_middle = math.inf
    for _ in range(18):
        middle = (low + high) / 2
        at_middle, _ = _residual(values, middle)
        low, high = (middle, high) if residuals[0] * at_middle > 0 else (low, middle)
    return (low, high) if abs(at_middle) < size else None


def _enclosed_root(values: Callable[[arb], list[arb]], bracket: tuple[float, float], bits: int) -> Inexact | None:
    def residual(argument: arb) -> arb:
        left, right = values(argument)
        return left - right

    older, newer = arb(bracket[0]), arb(bracket[1])
    at_older, at_newer = residual(older).mid(), residual(newer).mid()
    for _ in range(40):
        slope = (at_newer - at_older).mid()
        if not (slope.is_finite() and slope != 0):
            break
        move = (at_newer * (newer - older) / slope).mid()
        older, at_older = newer, at_newer
        newer = (newer - move).mid()
        enclosure = residual(newer)
        at_newer = enclosure.mid()
        if enclosure.contains(0) or not enclosure.is_finite():
            break
    for lost in (24, bits // 4, bits // 2):
        error = (abs(newer) if newer != 0 else arb(1)) * arb(2) ** (lost - bits)
        error = error.mid()
        below, above = residual((newer - error).mid()), residual((newer + error).mid())
        if (below < 0 < above or above < 0 < below) and residual(
            newer.union(newer + error).union(newer - error)
        ).is_finite():
            return Inexact(raw(newer), raw(error))
    return None


def in_domain(value: Value, domain: Interval) -> bool:
    """Whether a value certainly lies in an interval; one that is enclosed is not known to be whole."""
    if isinstance(value, Fraction) or domain.whole:
        return value in domain if isinstance(value, Fraction) else False
    least, most = libmp.mpf_sub(value.value, value.error), libmp.mpf_add(value.value, value.error)
    above = domain.lower is None or _compare(least, domain.lower) > -domain.lower_closed
    below = domain.upper is None or _compare(most, domain.upper) < domain.upper_closed
    return above and below


def _compare(number: Raw, bound: Fraction) -> int:
    """The sign of number - bound, exactly; a rational with the number's exponent could be far too long."""
    scaled = libmp.mpf_mul(number, libmp.from_int(bound.denominator))
    return int(libmp.mpf_cmp(scaled, libmp.from_int(bound.numerator)))


@lru_cache(maxsize=64)
def _grid(domain: Interval) -> tuple[tuple[Fraction, float], ...]:
    """Increasing points of a domain, dense near its ends, with ends that belong to it; also as machine numbers."""
    steps = [Fraction(1, 10**exponent) for exponent in range(7, 1, -1)]
    lower, upper = domain.lower, domain.upper
    if lower is not None and upper is not None:
        parts = [*steps, *[Fraction(number, 20) for number in range(1, 20)], *[1 - step for step in reversed(steps)]]
        inside = [lower + (upper - lower) * part for part in parts]
    else:
        middle = [Fraction(round(1000 * 10 ** (exponent / 4)), 1000) for exponent in range(-4, 9)]
        away = [*steps, *middle, *[Fraction(10) ** exponent for exponent in range(3, 7)]]
        if lower is not None:
            inside = [lower + step for step in away]
        elif upper is not None:
            inside = [upper - step for step in reversed(away)]
        else:
            inside = [*[-step for step in reversed(away)], Fraction(0), *away]
    first = [lower] if lower is not None and domain.lower_closed else []
    last = [upper] if upper is not None and domain.upper_closed and upper != lower else []
    points = (*first, *(value for value in inside if value in domain), *last)
    return tuple((value, value.numerator / value.denominator) for value in points)
