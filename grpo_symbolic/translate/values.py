"""Values of expressions: exact rationals as long as possible, balls of real numbers beyond.

A value is an ``fmpq`` (exact) or an ``arb`` (a ball that certainly contains the number). Rational arithmetic, roots of
perfect squares, exp(0), log(1) and the like stay exact; everything else is enclosed. Points rest on this, at which
something fails or hypotheses hold; no deciding method does.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from flint import arb, fmpq

from grpo_symbolic.errors import UndefinedError
from grpo_symbolic.language.expression import Expression, rule_for
from grpo_symbolic.language.powers import as_power
from grpo_symbolic.translate.balls import INDETERMINATE, OPERATIONS, BallFunction, power_of_ball

if TYPE_CHECKING:
    from typing_extensions import TypeIs

#: Beyond this, exact powers would be too long.
_LARGEST_EXPONENT = 1_000
#: An exact ``fmpq`` or an enclosing ``arb``.
Value: TypeAlias = fmpq | arb


def is_exact(value: Value) -> TypeIs[fmpq]:
    """Whether the value is a rational number rather than a ball around a real one."""
    return isinstance(value, fmpq)


def is_determinate(value: Value) -> bool:
    """Whether the value certainly exists: an exact rational or a finite ball."""
    return is_exact(value) or bool(value.is_finite())


class ValueFunction(BallFunction):
    """An expression compiled once, to be evaluated at exact rationals, balls or a mixture of both."""

    def __call__(self, values: Sequence[Value]) -> Value:
        """Evaluate, with values in the order of the symbols.

        Raises:
            UndefinedError: where exact values meet a zero denominator, a negative radicand or a
                logarithm of something not positive. With balls the result is indeterminate instead.
        """
        value: Value = self.evaluated([*values, *self._constants])
        return value

    def enclose(self, balls: Sequence[Value]) -> arb:
        """Evaluate as a ball, indeterminate wherever the expression may be undefined; never raises."""
        try:
            return arb(self(balls))
        except UndefinedError:
            return INDETERMINATE

    def _compile(self, expression: Expression) -> int:
        known, parts = self._places.get(expression), as_power(expression)
        if known is None and parts is not None:
            base, exponent = map(self._compile, parts)
            known = self._places[expression] = self._step(_general_power, (base, exponent))
        return super()._compile(expression) if known is None else known

    def operation(self, name: str) -> Callable[..., Value]:
        """What an operator does with exact operands and with balls."""
        return operation(name)

    def power(self, exponent: Fraction) -> Callable[[Value], Value]:
        """The function base -> base**exponent; 0 to a power that is not positive has no value."""
        enclosed, numerator = power_of_ball(exponent), exponent.numerator

        def power(base: Value) -> Value:
            value = _root(base) if is_exact(base) and exponent.denominator == 2 else base
            if value is None or not is_exact(value):
                return enclosed(arb(base))
            if numerator <= 0 and value == 0:
                raise UndefinedError(f"0 to the power {exponent}")
            return value**numerator

        return power


def _general_power(base: Value, exponent: Value) -> Value:
    """exp(exponent * log(base)), which is exact for a whole exponent."""
    logarithm = operation("log")(base)
    if is_exact(base) and is_exact(exponent) and exponent.q == 1 and abs(exponent.p) <= _LARGEST_EXPONENT:
        return base ** int(exponent.p)
    return operation("exp")(exponent * logarithm)


def operation(name: str) -> Callable[..., Value]:
    """What an operator does with exact operands and with balls."""
    if name in _ARITHMETIC:
        return _ARITHMETIC[name]
    exactly, enclosed = rule_for(name, _EXACTLY, "exact numbers"), rule_for(name, OPERATIONS, "balls")

    def operate(*operands: Value) -> Value:
        value = exactly(*operands) if all(map(is_exact, operands)) else None
        return enclosed(*map(arb, operands)) if value is None else value

    return operate


def _quotient(left: Value, right: Value) -> Value:
    if is_exact(right) and right == 0:
        raise UndefinedError("division by zero")
    return left / right


def _root(radicand: fmpq) -> fmpq | None:
    """The square root of a rational number, if that is one."""
    if radicand < 0:
        raise UndefinedError(f"square root of the negative number {radicand}")
    if radicand.p.is_square() and radicand.q.is_square():
        return fmpq(radicand.p.isqrt(), radicand.q.isqrt())
    return None


def _function(name: str, *, at: int, value: int, positive: bool = False) -> Callable[[fmpq], fmpq | None]:
    """A function, of positive numbers only or of all, which is rational ``at`` one point."""

    def function(argument: fmpq) -> fmpq | None:
        if positive and not argument > 0:
            raise UndefinedError(f"{name} of {argument}, which is not positive")
        return fmpq(value) if argument == at else None

    return function


#: What works with exact operands, balls, and one of each.
_ARITHMETIC: Mapping[str, Callable[..., Value]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "negate": operator.neg,
    "divide": _quotient,
}
#: Values that are rational, None for others.
_EXACTLY: Mapping[str, Callable[..., fmpq | None]] = {
    "sqrt": _root,
    "exp": _function("exp", at=0, value=1),
    "log": _function("log", at=1, value=0, positive=True),
    "cosh": _function("cosh", at=0, value=1),
    "sinh": _function("sinh", at=0, value=0),
    "tanh": _function("tanh", at=0, value=0),
    "sin": _function("sin", at=0, value=0),
    "cos": _function("cos", at=0, value=1),
    "arctan": _function("arctan", at=0, value=0),
    "gamma": _function("gamma", at=1, value=1, positive=True),
    "sign": lambda value: fmpq((value > 0) - (value < 0)),
    "absolute": abs,
    "maximum": max,
    "minimum": min,
}
