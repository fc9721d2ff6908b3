"""Zeros that signs reveal, and simple fractions: where to look for counterexamples. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from flint import arb, ctx, fmpq

from grpo_symbolic.translate.balls import as_fraction, exact, interval_ball
from grpo_symbolic.translate.values import Value, is_determinate, is_exact


def zeros(function: Callable[[Value], Value], points: Sequence[fmpq]) -> list[Value]:
    """The zeros of a function of one variable that its signs at increasing exact points reveal.

    A zero is returned exactly if it is a simple fraction, otherwise as a ball between two points of
    certainly opposite sign over which the function is determinate, hence continuous.
    """
    found: list[Value] = []
    former: fmpq | None = None
    former_sign = 0
    for point in points:
        value = function(point)
        if is_exact(value) and value == 0:
            found.append(point)
        sign = _sign(value)
        if former is not None and former_sign * sign < 0:
            zero = _bisect(function, former, point, sign)
            if zero is not None:
                found.append(zero)
        former, former_sign = point, sign
    return found


def _sign(value: Value) -> int:
    """The certain sign of a value, 0 if it is zero, unknown or not defined."""
    if not is_determinate(value):
        return 0
    return 1 if value > 0 else (-1 if value < 0 else 0)


def _bisect(function: Callable[[Value], Value], low: fmpq, high: fmpq, sign_high: int) -> Value | None:
    """Halve a bracket until the ball arithmetic cannot tell the sign; prefer a simple fraction inside."""
    for halving in range(ctx.prec):
        if halving in (0, 12, 24, 36):
            simple = simplest_between(as_fraction(low), as_fraction(high))
            value = function(exact(simple))
            if is_exact(value) and value == 0:
                return exact(simple)
        middle = (low + high) / 2
        # As a ball, the middle keeps exact arithmetic from growing without bound.
        sign = _sign(function(arb(middle)))
        if sign == 0:
            break
        low, high = (low, middle) if sign == sign_high else (middle, high)
    bracket = interval_ball(low, high)
    return bracket if is_determinate(function(bracket)) else None


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of smallest denominator (then numerator) in the closed interval [low, high].

    >>> simplest_between(Fraction(30, 100), Fraction(34, 100))
    Fraction(1, 3)
    """
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_between(-high, -low)
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    return whole - 1 + 1 / simplest_between(1 / (high - whole + 1), 1 / (low - whole + 1))
