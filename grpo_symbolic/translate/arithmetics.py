"""Arithmetics in which programs run fast: machine numbers, exact rationals and balls.

They find points and reject them; what is said about a claim at a point is computed by ``multiprecision``.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction

from flint import arb, ctx, fmpq
from mpmath import libmp

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.translate.balls import as_fraction, exact, precision
from grpo_symbolic.translate.program import Inexact, Point, Program, Raw, Value


def _float_gamma(operand: float) -> float:
    if operand <= 0:
        raise ValueError("the gamma function of a number that is not positive")
    return math.gamma(operand)


class Floats:
    """Machine numbers, to find out quickly where to look; raises what the math module raises."""

    bits = 53
    operations: Mapping[str, Callable[..., float]] = {
        "add": operator.add,
        "subtract": operator.sub,
        "multiply": operator.mul,
        "divide": operator.truediv,
        "negate": operator.neg,
        "absolute": abs,
        "sqrt": math.sqrt,
        "exp": math.exp,
        "log": math.log,
        "cosh": math.cosh,
        "sinh": math.sinh,
        "tanh": math.tanh,
        "sin": math.sin,
        "cos": math.cos,
        "arctan": math.atan,
        "gamma": _float_gamma,
        "sign": lambda operand: math.copysign(1.0, operand) if operand else 0.0,
        "maximum": max,
        "minimum": min,
    }

    def load(self, value: Value) -> float:
        """Round to a machine number."""
        if isinstance(value, Fraction):
            return value.numerator / value.denominator
        return float(libmp.to_float(value.value))

    def power(self, base: float, exponent: Fraction) -> float:
        """A real power; a negative base has no half-integer power."""
        return float(base**exponent.numerator if exponent.denominator == 1 else math.pow(base, exponent))


class Exact:
    """Rational numbers; raises UnsupportedError where a value is irrational or too long."""

    bits = 0

    def __init__(self) -> None:
        self.operations: Mapping[str, Callable[..., fmpq]] = {
            "add": operator.add,
            "subtract": operator.sub,
            "multiply": operator.mul,
            "divide": self._divide,
            "negate": operator.neg,
            "absolute": abs,
            "sqrt": _exact_root,
            "maximum": max,
            "minimum": min,
            "log": lambda operand: _known(operand, 1, 0),
            "gamma": _exact_gamma,
            "sign": lambda operand: fmpq((operand > 0) - (operand < 0)),
            **dict.fromkeys(("exp", "cosh", "cos"), lambda operand: _known(operand, 0, 1)),
            **dict.fromkeys(("sinh", "tanh", "sin", "arctan"), lambda operand: _known(operand, 0, 0)),
        }

    def load(self, value: Value) -> fmpq:
        """Only exact inputs are exact."""
        if isinstance(value, Inexact):
            raise UnsupportedError("an input is not exact")
        return exact(value)

    def power(self, base: fmpq, exponent: Fraction) -> fmpq:
        """An integer power, or one of an exact square root."""
        if exponent.denominator == 2:
            base = _exact_root(base)
        if exponent <= 0 and base == 0:
            raise UndefinedError("division by zero")
        if (base.p.bit_length() + base.q.bit_length()) * abs(exponent.numerator) > 20_000:
            raise UnsupportedError("the exact value is too long")
        return base**exponent.numerator

    def _divide(self, left: fmpq, right: fmpq) -> fmpq:
        if right == 0:
            raise UndefinedError("division by zero")
        return left / right


def _exact_root(operand: fmpq) -> fmpq:
    if operand < 0:
        raise UndefinedError("square root of a negative number")
    if not (operand.p.is_square() and operand.q.is_square()):
        raise UnsupportedError("an irrational square root")
    return fmpq(operand.p.isqrt(), operand.q.isqrt())


def _exact_gamma(operand: fmpq) -> fmpq:
    if operand <= 0:
        raise UndefinedError("the gamma function of a number that is not positive")
    if operand.q != 1 or operand > 500:
        raise UnsupportedError("no exact value of the gamma function")
    return fmpq(math.factorial(int(operand.p) - 1))


def _known(operand: fmpq, argument: int, value: int) -> fmpq:
    if operand != argument:
        raise UnsupportedError("a transcendental value")
    return fmpq(value)


class Balls:
    """Balls that certainly contain the number, at the precision in force; what may be undefined is not finite."""

    operations: Mapping[str, Callable[..., arb]] = {
        "add": operator.add,
        "subtract": operator.sub,
        "multiply": operator.mul,
        "divide": operator.truediv,
        "negate": operator.neg,
        "absolute": abs,
        "sqrt": arb.sqrt,
        "exp": arb.exp,
        "log": arb.log,
        "cosh": arb.cosh,
        "sinh": arb.sinh,
        "tanh": arb.tanh,
        "sin": arb.sin,
        "cos": arb.cos,
        "arctan": arb.atan,
        "gamma": lambda operand: operand.gamma() if operand > 0 else arb.nan(),
        "sign": arb.sgn,
        "maximum": arb.max,
        "minimum": arb.min,
    }

    @property
    def bits(self) -> int:
        """The precision in force."""
        return int(ctx.prec)

    def load(self, value: Value) -> arb:
        """The ball around a rational, or around a number that is known up to an error."""
        if isinstance(value, Inexact):
            return arb(_dyadic(value.value), _dyadic(value.error))
        return arb(exact(value))

    def power(self, base: arb, exponent: Fraction) -> arb:
        """An integer power, or one of the square root."""
        if exponent.denominator == 2:
            base = base.sqrt()
        if exponent <= 0 and base.contains(0):
            return arb.nan()
        raised = base ** abs(exponent.numerator)
        return 1 / raised if exponent < 0 else raised


FLOATS, EXACT, BALLS = Floats(), Exact(), Balls()


def _dyadic(number: Raw) -> tuple[int, int]:
    sign, mantissa, exponent, _ = number
    return (-int(mantissa) if sign else int(mantissa)), int(exponent)


def raw(ball: arb) -> Raw:
    """The centre of a finite ball, exactly."""
    mantissa, exponent = ball.mid().man_exp()
    return libmp.from_man_exp(int(mantissa), int(exponent))


def exact_values(program: Program, point: Point) -> list[Fraction] | None:
    """The values of a program as exact rationals, or None where they are irrational or undefined."""
    try:
        return [as_fraction(value) for value in program.run(EXACT, point)]
    except (UndefinedError, UnsupportedError):
        return None


def certain_sign(sides: Program, point: Point, bits: int) -> int | None:
    """The sign of the difference of two expressions, or None where balls of so many bits do not tell."""
    with precision(bits):
        left, right = sides.run(BALLS, point)
        gap = left - right
        if gap > 0:
            return 1 if gap.is_finite() else None
        return -1 if gap < 0 and gap.is_finite() else None


def enclose(program: Program, point: Point, bits: int) -> Inexact | None:
    """The value of a program with one result, with a bound of its error; None if it may be undefined."""
    with precision(bits):
        (ball,) = program.run(BALLS, point)
        return Inexact(raw(ball), raw(arb(ball.rad()))) if ball.is_finite() else None
