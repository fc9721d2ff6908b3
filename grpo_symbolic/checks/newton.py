"""Interval Newton: a function of one variable has exactly one zero between two points, and here are its digits.

Let X be an interval with middle m on which the derivative stays away from 0, and N(X) = m - f(m)/f'(X). By the mean
value theorem every zero in X lies in N(X). If N(X) lies inside X there is one: otherwise, say with f and f' positive,
the lower end l and some c in X would give m - f(m)/f'(c) = l - f(l)/f'(c) < l, which is in N(X) and not in X. It is
the only one, because f is monotone.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq

from grpo_symbolic.errors import CheckError, UnsupportedError
from grpo_symbolic.language.calculus import differentiate
from grpo_symbolic.language.expression import Expression, Symbol, free_symbols
from grpo_symbolic.translate.balls import exact, interval_ball, precision
from grpo_symbolic.translate.values import ValueFunction, is_determinate

#: Zeros may lie as close to an end as exp(-300), so the precision grows until balls resolve this.
_BITS = (128, 512, 2048)
_MOST_STEPS, _MOST_BOXES = 400, 2_000


@dataclass(frozen=True)
class Zero:
    """The only zero of a function between two points, enclosed.

    ``steps`` Newton steps or bisections led to an interval of this ``radius`` that contains its Newton image; on
    ``boxes`` parts of the interval the derivative was seen to have one sign.
    """

    enclosure: arb
    radius: str
    steps: int
    boxes: int
    increasing: bool


def enclose_zero(
    expression: Expression,
    symbol: Symbol,
    low: Fraction,
    high: Fraction,
    digits: int,
    *,
    throughout: tuple[Fraction, Fraction] | None = None,
) -> Zero:
    """Enclose the only zero of an unfolded expression strictly between two points.

    ``digits`` are decimal digits of its distance from the nearer one of the two. The expression is shown to be
    strictly monotone between them, or ``throughout`` an interval that contains them.

    Raises:
        CheckError: if the derivative may vanish or be undefined, there is no zero, or none that is so far from
            the end points that balls can tell.
        UnsupportedError: if other symbols, Totals, unfinished derivatives or functions without one occur.
    """
    if not set(free_symbols(expression)) <= {symbol}:
        raise UnsupportedError(f"{expression} depends on more than {symbol}")
    function = ValueFunction(expression, (symbol,))
    slope = ValueFunction(differentiate(expression, symbol), (symbol,))
    with precision(_BITS[0]):
        slopes, increasing, boxes = _slopes(function, slope, symbol, *(throughout or (low, high)))
    for bits in _BITS:
        with precision(bits + int(3.33 * digits)):
            found = _Contraction(function, slope, slopes, increasing, (exact(low), exact(high))).run(digits)
        if found is not None:
            return Zero(*found, boxes, increasing)
    raise CheckError(f"no interval between {low} and {high} contains its Newton image")


def _slopes(
    function: ValueFunction, slope: ValueFunction, symbol: Symbol, low: Fraction, high: Fraction
) -> tuple[arb, bool, int]:
    """A ball with all values of the derivative, whether they are positive, and how many parts it took to see it.

    Raises:
        CheckError: if they are not seen to have one sign, or the function to be defined, on all parts.
    """
    parts, known = [(low, high)], list[arb]()
    while parts:
        if len(known) + len(parts) > _MOST_BOXES:
            raise CheckError(f"the derivative may vanish or be undefined near {symbol} = {float(parts[-1][0]):.6g}")
        left, right = parts.pop()
        box = interval_ball(exact(left), exact(right))
        enclosed = slope.enclose([box])
        if (enclosed > 0 or enclosed < 0) and is_determinate(function.enclose([box])):
            known.append(enclosed)
        else:
            middle = (left + right) / 2
            parts += [(middle, right), (left, middle)]
    hull = known[0]
    for part in known[1:]:
        hull = hull.union(part)
    # Closed parts share their ends, so the signs agree; the hull of very different slopes may still touch 0.
    return hull, bool(known[0] > 0), len(known)


class _Contraction:
    """Newton steps and bisections from one interval, at the current precision of balls."""

    def __init__(
        self, function: ValueFunction, slope: ValueFunction, slopes: arb, increasing: bool, ends: tuple[fmpq, fmpq]
    ) -> None:
        self._function, self._slope, self._slopes, self._increasing = function, slope, slopes, increasing
        self._low, self._high = ends

    def run(self, digits: int) -> tuple[arb, str, int] | None:
        """The enclosure, the radius of the first interval that contained its image, and the steps to it.

        None where this precision does not resolve the zero.

        Raises:
            CheckError: if there certainly is no zero between the ends.
        """
        box, first = interval_ball(self._low, self._high), None
        for step in range(_MOST_STEPS):
            middle = box.mid()
            value = self._function.enclose([middle])
            image = middle - value / self._slope_on(box)
            if is_determinate(image):
                if not image.overlaps(box) or image < self._low or image > self._high:
                    raise CheckError(f"no zero between {self._low} and {self._high}")
                if first is None and box.contains_interior(image) and image > self._low and image < self._high:
                    first = (box.rad().str(2, radius=False), step + 1)
                if first is not None and self._is_narrow(image, digits):
                    return image, *first
            if is_determinate(image) and image.rad() < box.rad() / 2:
                box = image.intersection(box)
            elif value > 0 or value < 0:
                below = bool(value > 0) is self._increasing
                box = box.lower().union(middle) if below else middle.union(box.upper())
            else:
                return None
        return None

    def _slope_on(self, box: arb) -> arb:
        """A ball that holds the derivative on a box: evaluated there, and within what it is everywhere."""
        here = self._slope.enclose([box])
        return here.intersection(self._slopes) if is_determinate(here) else self._slopes

    def _is_narrow(self, zero: arb, digits: int) -> bool:
        """Whether an enclosure has so many digits of the distances from both ends."""
        least = zero.rad() * arb(10) ** digits
        return bool(zero - self._low > least) and bool(self._high - zero > least)
