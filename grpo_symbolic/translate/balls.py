"""Rigorous enclosures of expressions by balls of real numbers.

A ball certainly contains the number that it stands for. An enclosure of something that may be undefined is
*indeterminate*: it decides nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, rule_for
from grpo_symbolic.language.inside import every_node

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


def interval_ball(low: fmpq | arb, high: fmpq | arb) -> arb:
    """The ball around the interval between two numbers, rounded outwards but never across an end at 0."""
    ball = arb(low).union(arb(high))
    if low >= 0:
        return ball.nonnegative_part()
    return -((-ball).nonnegative_part()) if high <= 0 else ball


class BallFunction:
    """An expression compiled once, as a list of steps in which equal sub-expressions share one step."""

    def __init__(self, expression: Expression, symbols: Sequence[Symbol]) -> None:
        """Compile the expression as a function of the symbols, in this order.

        Raises:
            UnsupportedError: for Totals, for unfinished derivatives and for symbols that are not listed.
        """
        numbers = [node for node in every_node(expression) if isinstance(node, Number)]
        self._constants = [exact(number.value) for number in numbers]
        self._places: dict[Expression, int] = {node: place for place, node in enumerate((*symbols, *numbers))}
        self._first = len(symbols) + len(numbers)
        self.steps: list[tuple[Callable[..., Any], tuple[int, ...]]] = []
        self._result = self._compile(expression)

    def operation(self, name: str) -> Callable[..., Any]:
        """What an operator does with the values of its operands."""
        return rule_for(name, OPERATIONS, "balls")

    def power(self, exponent: Fraction) -> Callable[[Any], Any]:
        """The function base -> base**exponent; 0 to a power that is not positive has no value."""
        return power_of_ball(exponent)

    def enclose(self, balls: Sequence[arb]) -> arb:
        """Evaluate at balls, in the order of the symbols; indeterminate wherever the expression may be undefined."""
        ball: arb = self.evaluated([*balls, *map(arb, self._constants)])
        return ball

    def evaluated(self, slots: list[Any]) -> Any:
        """The value of the last step, after those of symbols and numbers."""
        for operation, operands in self.steps:
            slots.append(operation(*[slots[place] for place in operands]))
        return slots[self._result]

    def _compile(self, expression: Expression) -> int:
        """The slot in which the value of the expression stands."""
        known = self._places.get(expression)
        if known is not None:
            return known
        match expression:
            case Apply("power", (base, Number(exponent))):
                place = self._step(self.power(exponent), (self._compile(base),))
            case Apply(name, operands):
                places = tuple(self._compile(operand) for operand in operands)
                if name == "multiply" and places[0] == places[1]:
                    # The square of a ball is narrower than the product of two independent balls.
                    place = self._step(self.power(Fraction(2)), places[:1])
                else:
                    place = self._step(self.operation(name), places)
            case _:
                raise UnsupportedError(f"balls cannot evaluate {type(expression).__name__} {expression}")
        self._places[expression] = place
        return place

    def _step(self, operation: Callable[..., Any], operands: tuple[int, ...]) -> int:
        self.steps.append((operation, operands))
        return self._first + len(self.steps) - 1


def power_of_ball(exponent: Fraction) -> Callable[[arb], arb]:
    """The function base -> base**exponent; 0 to a power that is not positive has no value."""
    numerator, rooted = exponent.numerator, exponent.denominator == 2

    def power(base: arb) -> arb:
        value = _sqrt(base) if rooted else base
        if numerator <= 0 and value.contains(0):
            return INDETERMINATE
        raised = _even_power(value, abs(numerator)) if numerator % 2 == 0 else value ** abs(numerator)
        return 1 / raised if numerator < 0 else raised

    return power


def _even_power(base: arb, exponent: int) -> arb:
    # The ends of |base| enclose the power without the dependency between factors; NaN stays NaN.
    return (base.abs_lower() ** exponent).union(base.abs_upper() ** exponent).nonnegative_part()


def _sqrt(radicand: arb) -> arb:
    return radicand.sqrt() if radicand >= 0 else INDETERMINATE


def _of_positive(function: Callable[[arb], arb]) -> Callable[[arb], arb]:
    return lambda argument: function(argument) if argument > 0 else INDETERMINATE


#: What Python's operators do with numbers of every kind that knows them.
ARITHMETIC: Mapping[str, Callable[..., Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "negate": operator.neg,
}
OPERATIONS: Mapping[str, Callable[..., arb]] = {
    **ARITHMETIC,
    "sqrt": _sqrt,
    "exp": arb.exp,
    "log": _of_positive(arb.log),
    "cosh": arb.cosh,
    "sinh": arb.sinh,
    "tanh": arb.tanh,
    "sin": arb.sin,
    "cos": arb.cos,
    "arctan": arb.atan,
    "gamma": _of_positive(arb.gamma),
    "sign": arb.sgn,
    # A ball that contains 0 would otherwise keep its negative half.
    "absolute": lambda value: abs(value).nonnegative_part(),
    "maximum": arb.max,
    "minimum": arb.min,
}
