"""Rigorous evaluation of expressions: exact rationals as long as possible, balls of real numbers beyond.

A value is an ``fmpq`` (exact) or an ``arb`` (a ball that certainly contains the number). Rational
arithmetic, roots of perfect squares, exp(0), log(1) and the like stay exact; everything else is
enclosed. An enclosure of something that may be undefined is *indeterminate*: it decides nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from flint import arb, ctx, fmpq

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, walk

if TYPE_CHECKING:
    from typing_extensions import TypeIs

#: An exact ``fmpq`` or an enclosing ``arb``.
Value: TypeAlias = fmpq | arb

#: ``with precision(bits):`` computes with balls of so many bits inside the block only.
precision = ctx.workprec

#: The ball of which nothing is known, not even that it contains a number.
INDETERMINATE = arb.nan()


def exact(value: Fraction) -> fmpq:
    """The same rational as an ``fmpq``."""
    return fmpq(value.numerator, value.denominator)


def as_fraction(value: fmpq) -> Fraction:
    """The same rational as a Fraction."""
    return Fraction(int(value.p), int(value.q))


def midpoint(ball: arb) -> Fraction:
    """The centre of a finite ball, exactly."""
    return as_fraction(ball.mid().fmpq())


def interval_ball(low: Value, high: Value) -> arb:
    """The ball around the interval between two rationals, rounded outwards but never across an end at 0."""
    ball = arb(low).union(arb(high))
    if low >= 0:
        return ball.nonnegative_part()
    return -((-ball).nonnegative_part()) if high <= 0 else ball


def is_exact(value: Value) -> TypeIs[fmpq]:
    """Whether the value is a rational number rather than a ball around a real one."""
    return isinstance(value, fmpq)


def is_determinate(value: Value) -> bool:
    """Whether the value certainly exists: an exact rational or a finite ball."""
    return is_exact(value) or bool(value.is_finite())


class BallFunction:
    """An expression compiled once, as a list of steps in which equal sub-expressions share one step."""

    def __init__(self, expression: Expression, symbols: Sequence[Symbol]) -> None:
        """Compile the expression as a function of the symbols, in this order.

        Raises:
            UnsupportedError: for Totals, for unfinished derivatives and for symbols that are not listed.
        """
        numbers = dict.fromkeys(node for node in walk(expression) if isinstance(node, Number))
        self._constants: list[Value] = [exact(number.value) for number in numbers]
        self._places: dict[Expression, int] = {node: place for place, node in enumerate((*symbols, *numbers))}
        self._first = len(symbols) + len(numbers)
        self.steps: list[tuple[Callable[..., Value], tuple[int, ...]]] = []
        self._result = self._compile(expression)

    def __call__(self, values: Sequence[Value]) -> Value:
        """Evaluate at exact rationals, balls or a mixture of both, in the order of the symbols.

        Raises:
            UndefinedError: where exact values meet a zero denominator, a negative radicand or a
                logarithm of something not positive. With balls the result is indeterminate instead.
        """
        slots = [*values, *self._constants]
        for operation, operands in self.steps:
            slots.append(operation(*[slots[place] for place in operands]))
        return slots[self._result]

    def enclose(self, values: Sequence[Value]) -> arb:
        """Evaluate as a ball, indeterminate wherever the expression may be undefined; never raises."""
        try:
            return arb(self(values))
        except UndefinedError:
            return INDETERMINATE

    def _compile(self, expression: Expression) -> int:
        """The slot in which the value of the expression stands."""
        known = self._places.get(expression)
        if known is not None:
            return known
        match expression:
            case Apply("power", (base, Number(exponent))):
                place = self._step(_power(exponent), (self._compile(base),))
            case Apply(name, operands):
                places = tuple(self._compile(operand) for operand in operands)
                if name == "multiply" and places[0] == places[1]:
                    # The square of a ball is narrower than the product of two independent balls.
                    place = self._step(_power(Fraction(2)), places[:1])
                else:
                    place = self._step(OPERATIONS[name], places)
            case _:
                raise UnsupportedError(f"balls cannot evaluate {type(expression).__name__} {expression}")
        self._places[expression] = place
        return place

    def _step(self, operation: Callable[..., Value], operands: tuple[int, ...]) -> int:
        self.steps.append((operation, operands))
        return self._first + len(self.steps) - 1


def _divide(left: Value, right: Value) -> Value:
    if is_exact(right) and right == 0:
        raise UndefinedError("division by zero")
    return left / right


def _power(exponent: Fraction) -> Callable[[Value], Value]:
    """The function base -> base**exponent; 0 to a power that is not positive has no value."""
    numerator, rooted = exponent.numerator, exponent.denominator == 2

    def power(base: Value) -> Value:
        value = _sqrt(base) if rooted else base
        if is_exact(value):
            if numerator <= 0 and value == 0:
                raise UndefinedError(f"0 to the power {exponent}")
            return value**numerator
        if numerator <= 0 and value.contains(0):
            return INDETERMINATE
        raised = _even_power(value, abs(numerator)) if numerator % 2 == 0 else value ** abs(numerator)
        return 1 / raised if numerator < 0 else raised

    return power


def _even_power(base: arb, exponent: int) -> arb:
    # The ends of |base| enclose the power without the dependency between factors; NaN stays NaN.
    return (base.abs_lower() ** exponent).union(base.abs_upper() ** exponent).nonnegative_part()


def _sqrt(radicand: Value) -> Value:
    if is_exact(radicand):
        if radicand < 0:
            raise UndefinedError(f"square root of the negative number {radicand}")
        if radicand.p.is_square() and radicand.q.is_square():
            return fmpq(radicand.p.isqrt(), radicand.q.isqrt())
        return arb(radicand).sqrt()
    return radicand.sqrt() if radicand >= 0 else INDETERMINATE


def _function(name: str, *, at: int, value: int, positive: bool = False) -> Callable[[Value], Value]:
    """A function, of positive numbers only or of all; it is rational ``at`` one point, and enclosed elsewhere."""
    method: Callable[[arb], arb] = getattr(arb, name)

    def function(argument: Value) -> Value:
        if positive and not argument > 0:
            if is_exact(argument):
                raise UndefinedError(f"{name} of {argument}, which is not positive")
            return INDETERMINATE
        if is_exact(argument):
            return fmpq(value) if argument == at else method(arb(argument))
        return method(argument)

    return function


def _absolute(value: Value) -> Value:
    # A ball that contains 0 would otherwise keep its negative half.
    return abs(value) if is_exact(value) else abs(value).nonnegative_part()


def _signum(value: Value) -> Value:
    return fmpq((value > 0) - (value < 0)) if is_exact(value) else value.sgn()


def _extreme(exactly: Callable[[fmpq, fmpq], fmpq], enclosed: Callable[[arb, arb], arb]) -> Callable[..., Value]:
    def function(left: Value, right: Value) -> Value:
        return exactly(left, right) if is_exact(left) and is_exact(right) else enclosed(arb(left), arb(right))

    return function


OPERATIONS: Mapping[str, Callable[..., Value]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": _divide,
    "negate": operator.neg,
    "sqrt": _sqrt,
    "exp": _function("exp", at=0, value=1),
    "log": _function("log", at=1, value=0, positive=True),
    "cosh": _function("cosh", at=0, value=1),
    "sinh": _function("sinh", at=0, value=0),
    "tanh": _function("tanh", at=0, value=0),
    "sin": _function("sin", at=0, value=0),
    "cos": _function("cos", at=0, value=1),
    "arctan": _function("atan", at=0, value=0),
    "gamma": _function("gamma", at=1, value=1, positive=True),
    "sign": _signum,
    "absolute": _absolute,
    "maximum": _extreme(max, arb.max),
    "minimum": _extreme(min, arb.min),
}
