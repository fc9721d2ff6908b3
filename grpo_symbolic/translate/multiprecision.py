"""Evaluate expressions with mpmath at any precision, each value together with the size of its rounding noise.

A tree is compiled once into a list of instructions that share equal sub-trees; an *arithmetic* runs it. The
raw mpmath functions used here take the precision as an argument, so no context, global or local, is touched.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from mpmath import libmp

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.expression import Apply, Expression, Number, Symbol, Total

#: A raw mpmath number: sign, mantissa, exponent, bit count.
Raw: TypeAlias = Any

#: Rounding noise may be this power of two larger than scale * 2**-bits: one bit per few operations.
SLACK = 10
#: Noise is only estimated, so few bits suffice.
_ROUGH = 30
#: Beyond exp(2**40) a value is of no use and its computation takes forever.
_LARGEST_EXPONENT = 40


class UnresolvedError(UndefinedError):
    """A divisor or an argument of a logarithm is 0 to within rounding noise; more digits may tell."""


class OutOfReachError(UnsupportedError):
    """A value is so large that its digits are not worth computing."""


@dataclass(frozen=True)
class Inexact:
    """A number known up to an absolute error, such as a root that was found by bisection."""

    value: Raw
    error: Raw


Value: TypeAlias = Fraction | Inexact


@dataclass(frozen=True)
class Point:
    """Values by symbol name; with Totals, one value per output for indexed symbols, and the generic output.

    Names are unique within an obligation, and looking them up is far cheaper than looking up symbols.
    """

    values: Mapping[str, Value]
    vectors: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    outputs: int = 0
    index: int = 0

    def value(self, name: str) -> Value:
        """The value of a symbol, for an indexed one at the generic output."""
        vector = self.vectors.get(name)
        return self.values[name] if vector is None else vector[self.index]

    def all_values(self, name: str) -> tuple[Value, ...]:
        """The values of a symbol at all outputs, or the one value of a plain symbol."""
        return self.vectors.get(name) or (self.values[name],)

    def at_output(self, index: int) -> Point:
        """The same point with another generic output."""
        return Point(self.values, self.vectors, self.outputs, index)

    def put(self, name: str, value: Value) -> Point:
        """The same point with another value of a symbol, for an indexed one at the generic output only."""
        if name not in self.vectors:
            return Point({**self.values, name: value}, self.vectors, self.outputs, self.index)
        vector = list(self.vectors[name])
        vector[self.index] = value
        return self.put_vector(name, tuple(vector))

    def put_vector(self, name: str, vector: tuple[Value, ...]) -> Point:
        """The same point with other values of an indexed symbol."""
        return Point(self.values, {**self.vectors, name: vector}, self.outputs, self.index)


class Arithmetic(Protocol):
    """What a program needs to know about a kind of numbers."""

    @property
    def operations(self) -> Mapping[str, Callable[..., Any]]:
        """The functions of the operators, except ``power``."""

    def load(self, value: Value) -> Any:
        """Turn an input or a constant into a number of this kind."""

    def power(self, base: Any, exponent: Fraction) -> Any:
        """``base`` to an integer or half-integer exponent."""


@dataclass(frozen=True)
class _Step:
    """One instruction: a constant, a symbol, an operator on earlier slots, or a sum over the outputs."""

    constant: Fraction | None = None
    name: str | None = None
    operator: str = ""
    slots: tuple[int, ...] = ()
    body: Program | None = None


class Program:
    """Some expressions compiled into one list of instructions, equal sub-trees once."""

    def __init__(self, expressions: Sequence[Expression]) -> None:
        """Compile the expressions.

        Raises:
            UnsupportedError: for nodes without a value at a point (Derivative, Substitution).
        """
        self._steps: list[_Step] = []
        self._places: dict[Expression, int] = {}
        self._results = [self._place(expression) for expression in expressions]

    def _place(self, expression: Expression) -> int:
        known = self._places.get(expression)
        if known is not None:
            return known
        match expression:
            case Number(value):
                step = _Step(constant=value)
            case Symbol(name):
                step = _Step(name=name)
            case Apply("power", (base, Number(exponent))):
                step = _Step(constant=exponent, operator="power", slots=(self._place(base),))
            case Apply(operator, operands):
                step = _Step(operator=operator, slots=tuple(self._place(operand) for operand in operands))
            case Total(body):
                step = _Step(body=Program((body,)))
            case _:
                raise UnsupportedError(f"cannot evaluate {expression}; unfold it first")
        self._steps.append(step)
        self._places[expression] = len(self._steps) - 1
        return len(self._steps) - 1

    def run(self, arithmetic: Arithmetic, point: Point) -> list[Any]:
        """The values of the expressions at a point.

        Raises:
            UndefinedError: where an expression has no value.
            OutOfReachError: where a value is too large to be computed.
        """
        operations, load, found = arithmetic.operations, arithmetic.load, list[Any]()
        for step in self._steps:
            if step.operator == "power":
                found.append(arithmetic.power(found[step.slots[0]], step.constant or Fraction(0)))
            elif step.operator:
                found.append(operations[step.operator](*[found[slot] for slot in step.slots]))
            elif step.name is not None:
                found.append(load(point.value(step.name)))
            elif step.body is not None:
                found.append(_total(step.body, arithmetic, point))
            else:
                found.append(load(step.constant or Fraction(0)))
        return [found[place] for place in self._results]


def _total(body: Program, arithmetic: Arithmetic, point: Point) -> Any:
    if point.outputs == 0:
        raise UnsupportedError("a sum over all outputs needs a point with explicit outputs")
    add = arithmetic.operations["add"]
    total = arithmetic.load(Fraction(0))
    for index in range(point.outputs):
        total = add(total, body.run(arithmetic, point.at_output(index))[0])
    return total


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
    """

    def __init__(self, bits: int) -> None:
        self.bits = bits
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
            "maximum": lambda left, right: self._either(left, right, left_if=1),
            "minimum": lambda left, right: self._either(left, right, left_if=-1),
        }

    def load(self, value: Value) -> Scaled:
        """Round an input to the working precision; its own error counts as noise."""
        if isinstance(value, Inexact):
            rounded = libmp.mpf_pos(value.value, self.bits, "n")
            return rounded, _plus(libmp.mpf_abs(rounded), libmp.mpf_shift(value.error, self.bits))
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

    def _add(self, left: Scaled, right: Scaled) -> Scaled:
        return libmp.mpf_add(left[0], right[0], self.bits, "n"), _plus(left[1], right[1])

    def _subtract(self, left: Scaled, right: Scaled) -> Scaled:
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
        value = libmp.mpf_exp(operand[0], self.bits, "n")
        return value, _times(value, _plus(operand[1], libmp.fone))

    def _cosh(self, operand: Scaled) -> Scaled:
        _demand_moderate(operand[0])
        value = libmp.mpf_cosh(operand[0], self.bits, "n")
        return value, _times(value, _plus(operand[1], libmp.fone))

    def _sinh(self, operand: Scaled) -> Scaled:
        _demand_moderate(operand[0])
        value = libmp.mpf_sinh(operand[0], self.bits, "n")
        slope = libmp.mpf_cosh(operand[0], _ROUGH, "u")
        return value, _plus(_times(slope, operand[1]), libmp.mpf_abs(value))

    def _tanh(self, operand: Scaled) -> Scaled:
        _demand_moderate(operand[0])
        value = libmp.mpf_tanh(operand[0], self.bits, "n")
        slope = libmp.mpf_sub(libmp.fone, libmp.mpf_mul(value, value), _ROUGH, "u")
        return value, _plus(_times(libmp.mpf_abs(slope), operand[1]), libmp.mpf_abs(value))

    def _either(self, left: Scaled, right: Scaled, left_if: int) -> Scaled:
        chosen = left if libmp.mpf_cmp(left[0], right[0]) == left_if else right
        if self.is_noise(self._subtract(left, right)):
            return chosen[0], _plus(left[1], right[1])
        return chosen


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
    ``thorough`` (for inequalities, where touching is not enough) all precisions are tried first.
    ``start`` skips precisions, to confirm what was found with fewer digits.

    Raises:
        UndefinedError: where a side has no value.
        OutOfReachError: where a value is too large, or too much cancels at the highest precision.
    """
    levels = precisions(digits)
    wanted = math.ceil(digits * math.log2(10))
    for level, bits in enumerate(levels[start:], start=start):
        last = level == len(levels) - 1
        arithmetic = Rounded(bits)
        try:
            left, right = sides.run(arithmetic, point)
        except UnresolvedError:
            if last:
                raise
            continue
        gap = arithmetic.operations["subtract"](left, right)
        relative = libmp.mpf_div(gap[0], gap[1], _ROUGH, "n") if gap[1][1] else libmp.fzero
        if not arithmetic.is_noise(gap):
            return Difference(left[0], right[0], libmp.mpf_sign(gap[0]), relative)
        largest = max(magnitude(left[0]), magnitude(right[0]))
        vanish = arithmetic.is_noise(left) and arithmetic.is_noise(right)
        settled = magnitude(gap[1]) + SLACK - bits <= largest - wanted or (level > 0 and vanish)
        if settled and (last or not thorough):
            return Difference(left[0], right[0], 0, relative)
    raise OutOfReachError(f"too much cancels for {levels[-1]} bits")


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
