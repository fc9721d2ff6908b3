"""How the coordinates of a witness are printed: exactly, or with fifteen digits that are certain."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction

from grpo_symbolic.translate.balls import as_fraction, exact, midpoint
from grpo_symbolic.translate.values import Value, is_determinate, is_exact

_DIGITS = 15
#: Bits of an exact value beyond which its first digits are shown; Python prints no more than 4300 digits.
_LONGEST = 10_000
#: The power of 2 beyond which digits of a ball take minutes to compute; exp(10**9) has four hundred million of them.
_FARTHEST = 50_000
_UNREADABLE = 40


def printed(value: Value) -> str | None:
    """An exact rational, or a decimal rounded to fifteen digits.

    None for a ball that does not determine them, or that is so large or small that nobody would check them.
    """
    if is_exact(value):
        fraction = as_fraction(value)
        if fraction.numerator.bit_length() + fraction.denominator.bit_length() <= _LONGEST:
            return str(fraction)
        return f"{_decimal(fraction):.{_DIGITS - 1}E}"
    if not is_determinate(value):
        return None
    if value.rel_accuracy_bits() < 60:
        return f"{Decimal(0):.{_DIGITS - 1}f}" if abs(value) < exact(Fraction(1, 10**30)) else None
    if abs(int(value.mid().man_exp()[1])) > _FARTHEST:
        return None
    decimal = _decimal(midpoint(value))
    exponent = decimal.adjusted()
    return f"{decimal:.{_DIGITS - 1 - exponent}f}" if -6 < exponent < _DIGITS - 1 else f"{decimal:.{_DIGITS - 1}E}"


def _decimal(fraction: Fraction) -> Decimal:
    return Context(prec=_DIGITS).divide(Decimal(fraction.numerator), Decimal(fraction.denominator))


def complexity(values: Sequence[Value]) -> int:
    """How many digits a reader has to copy; an irrational value counts as many."""
    texts = [printed(value) for value in values]
    return sum(_UNREADABLE if text is None else len(text) for text in texts)
