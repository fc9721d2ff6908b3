"""Multiprecision numbers whose noise is a machine number: most of the work of ``Rounded`` is its scales.

The values are those of ``Rounded`` to the last bit. A scale is only an estimate of how far rounding reaches, for which
a machine number is more than enough wherever it neither overflows nor underflows; where it might, ``Rounded`` is asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from mpmath import libmp

from grpo_symbolic.errors import UndefinedError
from grpo_symbolic.translate.program import Point, Program, Raw, Value
from grpo_symbolic.translate.rounded import ROUGH, SLACK, Rounded, Scaled, UnresolvedError, demand_moderate

#: Products of scales within these limits are machine numbers with all their bits.
_LEAST, _MOST = 1e-140, 1e140
#: Scales are estimated with 53 bits: so much more is certainly enough for what thousands of roundings take away.
_UPWARDS = 1 + 2.0**-40

#: A value and, as a machine number, its scale.
_Noisy: TypeAlias = tuple[Raw, float]


class Quick:
    """As ``rounded``, which notices losses; raises OverflowError where machine numbers will not do for a scale."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.rounded = Rounded(bits)
        plain = self.rounded.operations
        self.operations: Mapping[str, Callable[..., Any]] = {
            **{name: self._borrowed(function) for name, function in plain.items()},
            "add": self._add,
            "subtract": self._subtract,
            "multiply": self._multiply,
            "divide": self._divide,
            # These leave scales as they are, of whatever kind.
            "negate": plain["negate"],
            "absolute": plain["absolute"],
            "sqrt": self._sqrt,
            "exp": self._exp,
            "log": self._log,
        }

    def load(self, value: Value) -> _Noisy:
        """Round an input to the working precision; its own error counts as noise."""
        return _noisy(self.rounded.load(value))

    def power(self, base: _Noisy, exponent: Fraction) -> _Noisy:
        """An integer power, or one of the square root; 0 has no power of exponent 0 or less."""
        steps = exponent.numerator
        if exponent.denominator == 2 or steps <= 0 or not base[0][1]:
            return _noisy(self.rounded.power(_scaled(base), exponent))
        value = libmp.mpf_pow_int(base[0], steps, self.bits, "n")
        size = _size(value)
        return value, _within(steps * size / _size(base[0]) * base[1] + size)

    def _borrowed(self, function: Callable[..., Scaled]) -> Callable[..., _Noisy]:
        return lambda *operands: _noisy(function(*map(_scaled, operands)))

    def _is_noise(self, number: _Noisy) -> bool:
        (_, mantissa, exponent, length), scale = number
        if not mantissa:
            return True
        return scale != 0 and exponent + length <= math.frexp(scale * _UPWARDS)[1] + SLACK - self.bits

    def _keep_both(self, left: Raw, right: Raw) -> None:
        if left[1] and right[1]:
            apart = abs(left[2] + left[3] - right[2] - right[3])
            if apart > self.bits:
                self.rounded.need(apart)

    def _add(self, left: _Noisy, right: _Noisy) -> _Noisy:
        self._keep_both(left[0], right[0])
        return libmp.mpf_add(left[0], right[0], self.bits, "n"), left[1] + right[1]

    def _subtract(self, left: _Noisy, right: _Noisy) -> _Noisy:
        self._keep_both(left[0], right[0])
        return libmp.mpf_sub(left[0], right[0], self.bits, "n"), left[1] + right[1]

    def _multiply(self, left: _Noisy, right: _Noisy) -> _Noisy:
        (a, a_scale), (b, b_scale) = left, right
        scale = a_scale * _size(b) + _size(a) * b_scale
        if not (a[1] and b[1]):  # a product of two vanishing factors has noise of second order
            scale += math.ldexp(a_scale * b_scale, -self.bits)
        if a_scale and b_scale:
            _within(scale)
        return libmp.mpf_mul(a, b, self.bits, "n"), scale

    def _divide(self, left: _Noisy, right: _Noisy) -> _Noisy:
        if self._is_noise(right):
            raise UnresolvedError("division by zero")
        value = libmp.mpf_div(left[0], right[0], self.bits, "n")
        scale = (left[1] + right[1] * _size(value)) / _size(right[0])
        return value, _within(scale) if left[1] else scale

    def _sqrt(self, operand: _Noisy) -> _Noisy:
        if self._is_noise(operand):
            return _noisy(self.rounded.operations["sqrt"](_scaled(operand)))
        if operand[0][0]:
            raise UndefinedError("square root of a negative number")
        value = libmp.mpf_sqrt(operand[0], self.bits, "n")
        size = _size(value)
        return value, _within(operand[1] / size + size)

    def _log(self, operand: _Noisy) -> _Noisy:
        if self._is_noise(operand):
            raise UnresolvedError("logarithm of 0")
        if operand[0][0]:
            raise UndefinedError("logarithm of a negative number")
        value = libmp.mpf_log(operand[0], self.bits, "n")
        return value, _within(operand[1] / _size(operand[0]) + _size(value))

    def _exp(self, operand: _Noisy) -> _Noisy:
        demand_moderate(operand[0])
        self.rounded.keep_exponentials(operand[0], even=False)
        value = libmp.mpf_exp(operand[0], self.bits, "n")
        return value, _within(_size(value) * (operand[1] + 1))


def scaled_values(program: Program, point: Point, quick: Quick) -> list[Scaled]:
    """The values of a program; what they lost is noticed by the ``rounded`` of the arithmetic.

    Raises:
        UndefinedError, OutOfReachError: as ``Program.run``.
    """
    quick.rounded.lost = 0
    try:
        return [_scaled(value) for value in program.run(quick, point)]
    except (OverflowError, ZeroDivisionError):
        quick.rounded.lost = 0
        return program.run(quick.rounded, point)


@lru_cache(maxsize=64)
def quick(bits: int) -> Quick:
    """The arithmetic with so many bits, which is made once: what a computation loses is noticed anew in each."""
    return Quick(bits)


def _size(number: Raw) -> float:
    """The absolute value of a raw number as a machine number, 0 where that is too small."""
    return math.ldexp(number[1], number[2])


def _within(scale: float) -> float:
    """A scale that is certainly not 0.

    Raises:
        OverflowError: if machine numbers might be too large or too small for what is done with it.
    """
    if not _LEAST < scale < _MOST:
        raise OverflowError(f"a scale of {scale}")
    return scale


def _noisy(number: Scaled) -> _Noisy:
    value, scale = number
    return value, _within(_size(scale)) if scale[1] else 0.0


def _scaled(number: _Noisy) -> Scaled:
    value, scale = number
    return value, libmp.from_float(scale, ROUGH, "u")
