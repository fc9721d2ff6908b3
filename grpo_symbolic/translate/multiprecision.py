"""Evaluate expressions with mpmath at any precision, each value together with the size of its rounding noise.

The raw mpmath functions used here take the precision as an argument, so no context, global or local, is touched.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from mpmath import libmp

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.translate.program import Inexact, Point, Program, Raw, Value

#: Rounding noise may be this power of two larger than scale * 2**-bits: one bit per few operations.
SLACK = 10
#: Noise is only estimated, so few bits suffice.
_ROUGH = 30
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
    return libmp.mpf_add(left, right, _ROUGH, "u")


def _times(left: Raw, right: Raw) -> Raw:
    return libmp.mpf_mul(left, right, _ROUGH, "u")


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
        slope = libmp.mpf_pow_int(base[0], steps - 1, _ROUGH, "n") if base[0][1] or steps > 1 else libmp.fone
        growth = _times(libmp.from_int(abs(steps)), libmp.mpf_abs(slope))
        return value, _plus(_times(growth, base[1]), libmp.mpf_abs(value))

    def _demand_nonzero(self, number: Scaled, complaint: str) -> None:
        if self.is_noise(number):
            raise UnresolvedError(complaint)

    def _keep_both(self, left: Raw, right: Raw) -> None:
        """Notice if of two terms the smaller one is rounded away."""
        if left[1] and right[1]:
            self._need(abs(left[2] + left[3] - right[2] - right[3]))

    def _need(self, bits: float) -> None:
        if bits > self.bits and bits > self.lost:
            self.lost = math.ceil(bits)

    def _keep_exponentials(self, argument: Raw, *, even: bool) -> None:
        """Notice if 1 is lost next to an argument near 0, or exp(-x) next to exp(x)."""
        if argument[1]:
            self._need(-magnitude(argument) * (2 if even else 1))
            self._need(float(libmp.to_float(libmp.mpf_abs(argument))) * 2 / math.log(2) if even else 0)

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
        return value, libmp.mpf_div(moved, libmp.mpf_abs(right[0]), _ROUGH, "u")

    def _sqrt(self, operand: Scaled) -> Scaled:
        radicand, scale = operand
        if self.is_noise(operand):
            noise = libmp.mpf_sqrt(libmp.mpf_shift(scale, -self.bits), _ROUGH, "u")
            positive = libmp.mpf_abs(radicand) if radicand[0] == 0 else libmp.fzero
            return libmp.mpf_sqrt(positive, self.bits, "n"), libmp.mpf_shift(noise, self.bits)
        if radicand[0]:
            raise UndefinedError("square root of a negative number")
        value = libmp.mpf_sqrt(radicand, self.bits, "n")
        return value, _plus(libmp.mpf_div(scale, value, _ROUGH, "u"), value)

    def _log(self, operand: Scaled) -> Scaled:
        self._demand_nonzero(operand, "logarithm of 0")
        if operand[0][0]:
            raise UndefinedError("logarithm of a negative number")
        value = libmp.mpf_log(operand[0], self.bits, "n")
        return value, _plus(libmp.mpf_div(operand[1], operand[0], _ROUGH, "u"), libmp.mpf_abs(value))

    def _exp(self, operand: Scaled) -> Scaled:
        _demand_moderate(operand[0])
        self._keep_exponentials(operand[0], even=False)
        value = libmp.mpf_exp(operand[0], self.bits, "n")
        return value, _times(value, _plus(operand[1], libmp.fone))

    def _cosh(self, operand: Scaled) -> Scaled:
        _demand_moderate(operand[0])
        self._keep_exponentials(operand[0], even=True)
        value = libmp.mpf_cosh(operand[0], self.bits, "n")
        return value, _times(value, _plus(operand[1], libmp.fone))

    def _sinh(self, operand: Scaled) -> Scaled:
        _demand_moderate(operand[0])
        self._keep_exponentials(operand[0], even=True)
        value = libmp.mpf_sinh(operand[0], self.bits, "n")
        slope = libmp.mpf_cosh(operand[0], _ROUGH, "u")
        return value, _plus(_times(slope, operand[1]), libmp.mpf_abs(value))

    def _tanh(self, operand: Scaled) -> Scaled:
        _demand_moderate(operand[0])
        self._keep_exponentials(operand[0], even=True)
        value = libmp.mpf_tanh(operand[0], self.bits, "n")
        slope = libmp.mpf_sub(libmp.fone, libmp.mpf_mul(value, value), _ROUGH, "u")
        return value, _plus(_times(libmp.mpf_abs(slope), operand[1]), libmp.mpf_abs(value))

    def _keep_cubes(self, argument: Raw) -> None:
        """Notice if next to an argument near 0 its square is lost, by which the sine or cosine differs from it or 1."""
        if argument[1]:
            self._need(-2 * magnitude(argument))

    def _sin(self, operand: Scaled) -> Scaled:
        _demand_moderate(operand[0])
        self._keep_cubes(operand[0])
        slope, value = libmp.mpf_cos_sin(operand[0], self.bits, "n")
        return value, _plus(_times(libmp.mpf_abs(slope), operand[1]), libmp.mpf_abs(value))

    def _cos(self, operand: Scaled) -> Scaled:
        _demand_moderate(operand[0])
        self._keep_cubes(operand[0])
        value, slope = libmp.mpf_cos_sin(operand[0], self.bits, "n")
        return value, _plus(_times(libmp.mpf_abs(slope), operand[1]), libmp.mpf_abs(value))

    def _arctan(self, operand: Scaled) -> Scaled:
        self._keep_cubes(operand[0])
        value = libmp.mpf_atan(operand[0], self.bits, "n")
        growth = libmp.mpf_add(libmp.fone, libmp.mpf_mul(operand[0], operand[0]), _ROUGH, "d")
        return value, _plus(libmp.mpf_div(operand[1], growth, _ROUGH, "u"), libmp.mpf_abs(value))

    def _gamma(self, operand: Scaled) -> Scaled:
        argument, scale = operand
        if magnitude(argument) > _LARGEST_FACTORIAL:
            raise OutOfReachError(f"the gamma function at {libmp.to_str(argument, 5)} is out of reach")
        self._demand_nonzero(operand, "the gamma function at 0")
        if argument[0]:
            raise UndefinedError("the gamma function of a negative number")
        value = libmp.mpf_gamma(argument, self.bits, "n")
        slope = _times(libmp.mpf_abs(value), libmp.mpf_abs(libmp.mpf_psi0(argument, _ROUGH, "u")))
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


@lru_cache(maxsize=64)
def _rounded(bits: int) -> Rounded:
    """The arithmetic with so many bits, which is made once: what a computation loses is noticed anew in each."""
    return Rounded(bits)


def _demand_moderate(argument: Raw) -> None:
    if magnitude(argument) > _LARGEST_EXPONENT:
        raise OutOfReachError(f"the exponential of {libmp.to_str(argument, 5)} is out of reach")


@dataclass(frozen=True)
class Difference:
    """What was found about ``left - right`` at a point.

    ``sign`` is 0 if the two cannot be told apart at any precision that was tried; ``relative`` is
    left - right divided by the scale of both.
    """

    left: Raw
    right: Raw
    sign: int
    relative: Raw


def precisions(digits: int) -> tuple[int, int, int]:
    """The numbers of bits at which values are computed in turn: guard digits, then doubled twice."""
    bits = math.ceil((digits + 15) * math.log2(10))
    return bits, 2 * bits, 4 * bits


def difference(sides: Program, point: Point, digits: int, *, thorough: bool, start: int = 0) -> Difference:
    """Compare the two expressions of a program at a point, with more digits until cancellation is seen through.

    A difference that stands out of the rounding noise is real. One that does not is accepted as 0 once the
    noise is below ``digits`` digits of the larger side, or each side by itself vanishes at doubled precision. With
    ``thorough`` (for inequalities, where touching is not enough) all precisions are tried first, and more than
    these, up to 40 times ``digits``, while terms are lost that may decide the sign.
    ``start`` skips precisions, to confirm what was found with fewer digits.

    Raises:
        UndefinedError: where a side has no value.
        OutOfReachError: where a value is too large, or too much cancels or is lost at the highest precision.
    """
    levels = precisions(digits)
    wanted = math.ceil(digits * math.log2(10))
    bits = levels[start]
    while True:
        arithmetic = _rounded(bits)
        arithmetic.lost = 0
        last = bits >= levels[-1]
        try:
            left, right = sides.run(arithmetic, point)
        except UnresolvedError:
            if last and not arithmetic.lost:
                raise
        else:
            gap = arithmetic.operations["subtract"](left, right)
            relative = libmp.mpf_div(gap[0], gap[1], _ROUGH, "n") if gap[1][1] else libmp.fzero
            if not arithmetic.is_noise(gap):
                return Difference(left[0], right[0], libmp.mpf_sign(gap[0]), relative)
            largest = max(magnitude(left[0]), magnitude(right[0]))
            vanish = arithmetic.is_noise(left) and arithmetic.is_noise(right)
            settled = magnitude(gap[1]) + SLACK - bits <= largest - wanted or (bits > levels[0] and vanish)
            if settled and (not thorough or (last and not arithmetic.lost)):
                return Difference(left[0], right[0], 0, relative)
        bits = _raised(bits, arithmetic.lost, levels, digits)


def _raised(bits: int, lost: int, levels: tuple[int, int, int], digits: int) -> int:
    """The next precision: that of the next level, then whatever keeps all terms, within limits."""
    if bits < levels[-1]:
        return 2 * bits
    raised = lost + levels[0] if lost else 2 * bits
    if raised > 40 * digits * math.log2(10):
        raise OutOfReachError(f"too much cancels for {bits} bits; {raised} might do")
    return raised


def evaluate(expression: Expression, point: Point, digits: int) -> Scaled:
    """The value of an expression to ``digits`` digits, with its scale.

    Raises:
        UndefinedError: where it has no value.
        OutOfReachError: where it is too large to be computed.
    """
    program = Program((expression,))
    wanted = math.ceil(digits * math.log2(10))
    levels = precisions(digits)
    for bits in levels:
        try:
            value, scale = program.run(Rounded(bits), point)[0]
        except UnresolvedError:
            if bits == levels[-1]:
                raise
            continue
        if magnitude(scale) + SLACK - bits <= magnitude(value) - wanted:
            break
    return value, scale
