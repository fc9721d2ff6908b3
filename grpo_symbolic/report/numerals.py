"""Numbers on the page: exact while they are short, else rounded and marked so."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from grpo_symbolic.report.tex import Tex, escape

_LONG_NUMBER = 22  # characters; longer exact values are shown as decimals
_EXACT_DECIMALS = 12  # characters; decimals of this length were not rounded
_SIGNIFICANT = 7
_MANTISSA = re.compile(r"(-?\d)(?:\.(\d*))?e([+-]?\d+)")


def number(value: int | str | Fraction) -> Tex:
    """Typeset an exact or decimal number; long exact values are rounded and marked so."""
    text = str(value)
    match = _MANTISSA.fullmatch(text)
    if match:
        digits = match[1] + ("." + match[2][:3] if match[2] else "")
        return Tex(rf"${digits} \cdot 10^{{{int(match[3])}}}$")
    if len(text) <= _LONG_NUMBER and re.fullmatch(r"-?\d+(/\d+|\.\d+)?", text):
        return Tex(f"${text}$")
    try:
        exact = Fraction(text)
    except ValueError:
        return escape(text)
    if 0 < abs(exact) < Fraction(1, 10**6) or abs(exact) >= 10**12:
        mantissa, exponent = _scientific(exact)
        return Tex(rf"$\approx {mantissa} \cdot 10^{{{exponent}}}$")
    return Tex(rf"$\approx {_decimal(exact, 12)}$")


def numbers(left: str, right: str) -> tuple[Tex, Tex]:
    """Typeset two different numbers; decimals with many digits are rounded as long as that keeps them apart."""
    short = [rounded(text) for text in (left, right)]
    if short[0] == short[1]:
        return number(left), number(right)
    return short[0], short[1]


def rounded(text: str) -> Tex:
    """Typeset a number whose decimals, if they are as many as of a rounded value, are cut to some and marked so."""
    many = re.fullmatch(r"-?\d+\.\d+", text) is not None and len(text) > _EXACT_DECIMALS
    if many and float(text) == 0:
        return number("0")
    if not many or not 1e-4 < abs(float(text)) < 10**_SIGNIFICANT:
        return number(text)
    return Tex(rf"$\approx {float(text):.{_SIGNIFICANT}g}$")


def magnitude(value: Decimal) -> Tex:
    """Write a residual or a gap in text, such as 3e-66: two digits tell how large it is."""
    if not value.is_finite():
        return escape(str(value))
    digits, exponent = f"{value:.1e}".split("e")
    short = f"{float(value):.2g}" if -4 < int(exponent) < 2 else f"{digits.removesuffix('.0')}e{int(exponent)}"
    return Tex(short.replace("-", "--"))


def seconds(value: float) -> Tex:
    """Typeset a time, without its unit."""
    return Tex(f"{value:.2f}" if value < 10 else f"{value:.0f}")


def _scientific(value: Fraction) -> tuple[str, int]:
    exponent = len(str(abs(value.numerator))) - len(str(value.denominator)) - 1
    while round(abs(value) / Fraction(10) ** exponent, 6) >= 10:
        exponent += 1
    return _decimal(value / Fraction(10) ** exponent, 6), exponent


def _decimal(value: Fraction, places: int) -> str:
    scaled = round(abs(value) * 10**places)
    whole, part = divmod(scaled, 10**places)
    return f"{'-' if value < 0 else ''}{whole}.{part:0{places}d}"
