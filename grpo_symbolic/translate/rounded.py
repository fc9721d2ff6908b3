"""Evaluate expressions with mpmath at any precision, each value together with the size of its rounding noise.

The raw mpmath functions used here take the precision as an argument, so no context, global or local, is touched.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from mpmath import libmp

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.translate.program import Inexact, Raw, Value

#: Rounding noise may be this power of two larger than scale * 2**-bits: one bit per few operations.
SLACK = 10
#: Noise is only estimated, so few bits suffice.
ROUGH = 30
#: Beyond exp(2**40) a value is of no use and its computation takes forever.
_LARGEST_EXPONENT = 40
#: Beyond gamma(2**20) likewise.
_LARGEST_FACTORIAL = 20


class UnresolvedError(UndefinedError):
    """A divisor or an argument of a logarithm is 0 to within rounding noise; more digits may tell."""


class OutOfReachError(UnsupportedError):
    """A value is so large that its digits are not worth computing."""


def magnitude(number: Raw) -> float:
    """The binary exponent of a raw number; minus infinity for 0."""
    return number[2] + number[3] if number[1] else -math.inf


def _plus(left: Raw, right: Raw) -> Raw:
    return libmp.mpf_add(left, right, ROUGH, "u")


def _times(left: Raw, right: Raw) -> Raw:
    return libmp.mpf_mul(left, right, ROUGH, "u")


#: A value and its scale: the noise in the value is at most about scale * 2**-bits.
Scaled: TypeAlias = tuple[Raw, Raw]


class Rounded:
    """Binary floating point of ``bits`` bits; a number is a pair (value, scale).

    The scale of a sum is the sum of the scales, that is of the absolute values of its terms; elsewhere it
    is the first-order effect on the value of changing every operand by its scale. So scale * 2**-bits is
    the noise that rounding leaves in the value, however much has cancelled.

    ``lost`` is 0 unless a term was so small next to another that all of it was rounded away, as in 1 + 1e-999;
    it is then the number of bits that would have kept it.
    """

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.lost = 0
        self.operations: Mapping[str, Callable[..., Any]] = {
            "add": self._add,
            "subtract": self._subtract,
            "multiply": self._multiply,
            "divide": self._divide,
            "negate": lambda operand: (libmp.mpf_neg(operand[0]), operand[1]),
            "absolute": lambda operand: (libmp.mpf_abs(operand[0]), operand[1]),
            "sqrt": self._sqrt,
            "exp": self._exp,
            "log": self._log,
            "cosh": self._cosh,
            "sinh": self._sinh,
            "tanh": self._tanh,
            "sin": self._sin,
            "cos": self._cos,
            "arctan": self._arctan,
            "gamma": self._gamma,
            "sign": self._sign,
            "maximum": lambda left, right: self._either(left, right, left_if=1),
            "minimum": lambda left, right: self._either(left, right, left_if=-1),
        }

    def load(self, value: Value) -> Scaled:
        """Round an input to the working precision; its own error counts as noise."""
        if isinstance(value, Inexact):
            rounded = libmp.mpf_pos(value.value, self.bits, "n")
            return rounded, _plus(libmp.mpf_abs(rounded), libmp.mpf_shift(value.error, self.bits))
        if value.denominator == 1:
            rounded = libmp.from_int(value.numerator, self.bits, "n")
        else:
            rounded = libmp.from_rational(value.numerator, value.denominator, self.bits, "n")
        return rounded, libmp.mpf_abs(rounded)

    def is_noise(self, number: Scaled) -> bool:
        """Whether the value cannot be told from 0 at this precision."""
        return magnitude(number[0]) <= magnitude(number[1]) + SLACK - self.bits

    def power(self, base: Scaled, exponent: Fraction) -> Scaled:
        """An integer power, or one of the square root; 0 has no power of exponent 0 or less."""
        if exponent.denominator == 2:
            base = self._sqrt(base)
        steps = exponent.numerator
        if steps <= 0:
            self._demand_nonzero(base, "a base with an exponent of 0 or less is 0")
        value = libmp.mpf_pow_int(base[0], steps, self.bits, "n")
        slope = libmp.mpf_pow_int(base[0], steps - 1, ROUGH, "n") if base[0][1] or steps > 1 else libmp.fone
        growth = _times(libmp.from_int(abs(steps)), libmp.mpf_abs(slope))
        return value, _plus(_times(growth, base[1]), libmp.mpf_abs(value))

    def _demand_nonzero(self, number: Scaled, complaint: str) -> None:
        if self.is_noise(number):
            raise UnresolvedError(complaint)

    def _keep_both(self, left: Raw, right: Raw) -> None:
        """Notice if of two terms the smaller one is rounded away."""
        if left[1] and right[1]:
            self.need(abs(left[2] + left[3] - right[2] - right[3]))

    def need(self, bits: float) -> None:
        """Notice that so many bits would have kept what is rounded away."""
        if bits > self.bits and bits > self.lost:
            self.lost = math.ceil(bits)

    def keep_exponentials(self, argument: Raw, *, even: bool) -> None:
        """Notice if 1 is lost next to an argument near 0, or exp(-x) next to exp(x)."""
        if argument[1]:
            self.need(-magnitude(argument) * (2 if even else 1))
            self.need(float(libmp.to_float(libmp.mpf_abs(argument))) * 2 / math.log(2) if even else 0)

    def _add(self, left: Scaled, right: Scaled) -> Scaled:
        self._keep_both(left[0], right[0])
        return libmp.mpf_add(left[0], right[0], self.bits, "n"), _plus(left[1], right[1])

    def _subtract(self, left: Scaled, right: Scaled) -> Scaled:
        self._keep_both(left[0], right[0])
        return libmp.mpf_sub(left[0], right[0], self.bits, "n"), _plus(left[1], right[1])

    def _multiply(self, left: Scaled, right: Scaled) -> Scaled:
        (a, a_scale), (b, b_scale) = left, right
        scale = _plus(_times(a_scale, libmp.mpf_abs(b)), _times(libmp.mpf_abs(a), b_scale))
        if not (a[1] and b[1]):  # a product of two vanishing factors has noise of second order
            scale = _plus(scale, libmp.mpf_shift(_times(a_scale, b_scale), -self.bits))
        return libmp.mpf_mul(a, b, self.bits, "n"), scale

    def _divide(self, left: Scaled, right: Scaled) -> Scaled:
        self._demand_nonzero(right, "division by zero")
        value = libmp.mpf_div(left[0], right[0], self.bits, "n")
        moved = _plus(left[1], _times(right[1], libmp.mpf_abs(value)))
        return value, libmp.mpf_div(moved, libmp.mpf_abs(right[0]), ROUGH, "u")

    def _sqrt(self, operand: Scaled) -> Scaled:
        radicand, scale = operand
        if self.is_noise(operand):
            noise = libmp.mpf_sqrt(libmp.mpf_shift(scale, -self.bits), ROUGH, "u")
            positive = libmp.mpf_abs(radicand) if radicand[0] == 0 else libmp.fzero
            return libmp.mpf_sqrt(positive, self.bits, "n"), libmp.mpf_shift(noise, self.bits)
        if radicand[0]:
            raise UndefinedError("square root of a negative number")
        value = libmp.mpf_sqrt(radicand, self.bits, "n")
        return value, _plus(libmp.mpf_div(scale, value, ROUGH, "u"), value)

    def _log(self, operand: Scaled) -> Scaled:
        self._demand_nonzero(operand, "logarithm of 0")
        if operand[0][0]:
            raise UndefinedError("logarithm of a negative number")
        value = libmp.mpf_log(operand[0], self.bits, "n")
        return value, _plus(libmp.mpf_div(operand[1], operand[0], ROUGH, "u"), libmp.mpf_abs(value))

    def _exp(self, operand: Scaled) -> Scaled:
        demand_moderate(operand[0])
        self.keep_exponentials(operand[0], even=False)
        value = libmp.mpf_exp(operand[0], self.bits, "n")
        return value, _times(value, _plus(operand[1], libmp.fone))

    def _cosh(self, operand: Scaled) -> Scaled:
        demand_moderate(operand[0])
        self.keep_exponentials(operand[0], even=True)
        value = libmp.mpf_cosh(operand[0], self.bits, "n")
        return value, _times(value, _plus(operand[1], libmp.fone))

    def _sinh(self, operand: Scaled) -> Scaled:
        demand_moderate(operand[0])
        self.keep_exponentials(operand[0], even=True)
        value = libmp.mpf_sinh(operand[0], self.bits, "n")
        slope = libmp.mpf_cosh(operand[0], ROUGH, "u")
        return value, _plus(_times(slope, operand[1]), libmp.mpf_abs(value))

    def _tanh(self, operand: Scaled) -> Scaled:
        demand_moderate(operand[0])
        self.keep_exponentials(operand[0], even=True)
        value = libmp.mpf_tanh(operand[0], self.bits, "n")
        slope = libmp.mpf_sub(libmp.fone, libmp.mpf_mul(value, value), ROUGH, "u")
        return value, _plus(_times(libmp.mpf_abs(slope), operand[1]), libmp.mpf_abs(value))

    def _keep_cubes(self, argument: Raw) -> None:
        """Notice if next to an argument near 0 its square is lost, by which the sine or cosine differs from it or 1."""
        if argument[1]:
            self.need(-2 * magnitude(argument))

    def _sin(self, operand: Scaled) -> Scaled:
        demand_moderate(operand[0])
        self._keep_cubes(operand[0])
        slope, value = libmp.mpf_cos_sin(operand[0], self.bits, "n")
        return value, _plus(_times(libmp.mpf_abs(slope), operand[1]), libmp.mpf_abs(value))

    def _cos(self, operand: Scaled) -> Scaled:
        demand_moderate(operand[0])
        self._keep_cubes(operand[0])
        value, slope = libmp.mpf_cos_sin(operand[0], self.bits, "n")
        return value, _plus(_times(libmp.mpf_abs(slope), operand[1]), libmp.mpf_abs(value))

    def _arctan(self, operand: Scaled) -> Scaled:
        self._keep_cubes(operand[0])
        value = libmp.mpf_atan(operand[0], self.bits, "n")
        growth = libmp.mpf_add(libmp.fone, libmp.mpf_mul(operand[0], operand[0]), ROUGH, "d")
        return value, _plus(libmp.mpf_div(operand[1], growth, ROUGH, "u"), libmp.mpf_abs(value))

    def _gamma(self, operand: Scaled) -> Scaled:
        argument, scale = operand
        if magnitude(argument) > _LARGEST_FACTORIAL:
            raise OutOfReachError(f"the gamma function at {libmp.to_str(argument, 5)} is out of reach")
        self._demand_nonzero(operand, "the gamma function at 0")
        if argument[0]:
            raise UndefinedError("the gamma function of a negative number")
        value = libmp.mpf_gamma(argument, self.bits, "n")
        slope = _times(libmp.mpf_abs(value), libmp.mpf_abs(libmp.mpf_psi0(argument, ROUGH, "u")))
        return value, _plus(_times(slope, scale), libmp.mpf_abs(value))

    def _sign(self, operand: Scaled) -> Scaled:
        if not operand[0][1] and not operand[1][1]:
            return operand
        self._demand_nonzero(operand, "the sign of something that cannot be told from 0")
        value = libmp.fone if operand[0][0] == 0 else libmp.fnone
        return value, libmp.fone

    def _either(self, left: Scaled, right: Scaled, left_if: int) -> Scaled:
        chosen = left if libmp.mpf_cmp(left[0], right[0]) == left_if else right
        if self.is_noise(self._subtract(left, right)):
            return chosen[0], _plus(left[1], right[1])
        return chosen


def demand_moderate(argument: Raw) -> None:
    """Refuse what has an exponential that is too large to be of any use.

    Raises:
        OutOfReachError: if it is.
    """
    if magnitude(argument) > _LARGEST_EXPONENT:
        raise OutOfReachError(f"the exponential of {libmp.to_str(argument, 5)} is out of reach")
