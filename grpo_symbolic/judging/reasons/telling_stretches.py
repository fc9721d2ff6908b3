"""What a reason that goes along stretches says: bounds on each of them, rounded so that they still show it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor

from grpo_symbolic.judging.reasons.stretches import Along, BoundedStretch
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import Number
from grpo_symbolic.translate.latex import expression_latex

#: Digits of a rounded bound that are not zeros in front.
_DIGITS = 2


def told_along(reason: Along) -> Iterator[tuple[str, bool]]:
    """Words, and formulas with ``True``."""
    what = "the left side" if reason.relation.right == ZERO else "left side minus right side"
    compared = "at least" if reason.relation.operator in (">", ">=") else "at most"
    symbol = str(expression_latex(reason.symbol))
    several = len(reason.stretches) > 1
    for number, part in enumerate(reason.parts):
        if several:
            yield ", up to " if number else "up to ", False
            yield f"{symbol} = {_number(part.stretch.upper)}" if number == 0 else _number(part.stretch.upper), True
            yield " ", False
        yield f"{what} is {compared} " if number == 0 else f"{compared} ", False
        yield _rounded(part.bound or Fraction(0), upwards=compared == "at most"), True
        yield from _by_slope(part, symbol)


def _by_slope(part: BoundedStretch, symbol: str) -> Iterator[tuple[str, bool]]:
    slope, end = part.slope, part.stretch.end
    if end is None or slope is None:
        return
    # Away from an end the difference changes by no more than the slope lets it, upwards or downwards.
    downwards = (part.relation.operator in (">", ">=")) is (end == "lower")
    most = slope.lower if downwards else slope.upper
    if most is None:
        return
    if most * (1 if downwards else -1) >= 0:
        yield f" (it {'rises' if downwards else 'falls'} in ", False
        yield symbol, True
        yield ")", False
        return
    yield f" (its slope is {'at least' if downwards else 'at most'} ", False
    yield _rounded(most, upwards=not downwards), True
    yield ")", False


def _number(value: Fraction) -> str:
    """A number as a decimal if it is one of few digits."""
    digits = next((digits for digits in range(13) if (value * 10**digits).denominator == 1), None)
    return str(expression_latex(Number(value))) if digits is None else _decimal(value, digits)


def _rounded(value: Fraction, *, upwards: bool) -> str:
    """A few digits of a number, rounded in one direction; a very small one as a power of ten."""
    if value == 0:
        return "0"
    digits = _DIGITS
    while abs(value) * 10**digits < 10 ** (_DIGITS - 1):
        digits += 1
    nearest = ceil if upwards else floor
    scaled = nearest(value * 10**digits)
    if digits <= 12:
        return _decimal(Fraction(scaled, 10**digits), digits)
    return rf"{scaled} \cdot 10^{{-{digits}}}"


def _decimal(value: Fraction, digits: int) -> str:
    whole, rest = divmod(abs(value.numerator) * 10**digits // value.denominator, 10**digits)
    fraction = f"{rest:0{digits}d}".rstrip("0") if digits else ""
    return f"{'-' if value < 0 else ''}{whole}{'.' if fraction else ''}{fraction}"
