"""Expressions as functions of multiprecision numbers, fast enough to be integrated and summed.

Unlike programs, these functions may hold integrals, series and limits, whose values somebody else estimates; and a
power such as ``(-1)^k``, which our tree writes with a logarithm, is one here wherever k is a whole number.
"""

from __future__ import annotations

import operator as arithmetic
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from mpmath.ctx_mp import MPContext

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, rule_for
from grpo_symbolic.translate.rounded import OutOfReachError

#: A multiprecision number; mpmath ships no types of its own.
Real: TypeAlias = Any
Values: TypeAlias = Mapping[str, Real]
Function: TypeAlias = Callable[[Values], Real]

#: Arguments of exp, sin and cos beyond 2 to this power cost too much, those of gamma beyond the smaller one.
_LARGEST_ARGUMENT = 200
_LARGEST_FACTORIAL = 40


def number(context: MPContext, value: Fraction) -> Real:
    """A rational, rounded."""
    return context.mpf(value.numerator) / value.denominator


class Functions:
    """Turns expressions into functions in one context; ``binder`` gives the values of integrals and the like."""

    def __init__(self, context: MPContext, binder: Callable[[Binder, Values], Real]) -> None:
        self._context = context
        self._binder = binder
        #: By the precision in force as well: to that constants are rounded, once.
        self._known: dict[tuple[int, Expression], Function] = {}
        self._single: Mapping[str, Callable[[Real], Real]] = {
            "negate": arithmetic.neg,
            "absolute": abs,
            "sqrt": self._sqrt,
            "exp": self._exp,
            "log": self._log,
            "cosh": self._moderate(context.cosh),
            "sinh": self._moderate(context.sinh),
            "tanh": self._moderate(context.tanh),
            "sin": self._moderate(context.sin),
            "cos": self._moderate(context.cos),
            "arctan": context.atan,
            "gamma": self._gamma,
            "sign": context.sign,
        }

    def of(self, expression: Expression) -> Function:
        """The function, which raises UndefinedError or ZeroDivisionError where it has no value.

        Raises:
            UnsupportedError: for nodes without a value at a point.
        """
        key = self._context.prec, expression
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._build(expression)
        return known

    def _build(self, expression: Expression) -> Function:
        match expression:
            case Number(value):
                constant = number(self._context, value)
                return lambda _: constant
            case Symbol(name):
                return lambda values: values[name]
            case Binder():
                return lambda values: self._binder(expression, values)
            case Apply("exp", (Apply("multiply", (exponent, Apply("log", (base,)))),)):
                return self._general_power(self.of(base), self.of(exponent))
            case Apply("power", (base, Number(value))):
                return self._power(self.of(base), value)
            case Apply(operator, (operand,)):
                return _composed(rule_for(operator, self._single, "estimates"), self.of(operand))
            case Apply(operator, (left, right)):
                return _joined(rule_for(operator, _PAIRS, "estimates"), self.of(left), self.of(right))
        raise UnsupportedError(f"cannot evaluate {expression}")

    def _power(self, base: Function, exponent: Fraction) -> Function:
        steps = exponent.numerator
        if exponent.denominator == 2:
            return lambda values: self._sqrt(base(values)) ** steps
        return lambda values: base(values) ** steps

    def _general_power(self, base: Function, exponent: Function) -> Function:
        def power(values: Values) -> Real:
            low, high = base(values), exponent(values)
            if low > 0:
                return self._exp(high * self._context.log(low))
            if high == int(high) and (low or high > 0):
                return low ** int(high)
            raise UndefinedError("a power of a number that is not positive")

        return power

    def _sqrt(self, operand: Real) -> Real:
        if operand < 0:
            raise UndefinedError("square root of a negative number")
        return self._context.sqrt(operand)

    def _log(self, operand: Real) -> Real:
        if operand <= 0:
            raise UndefinedError("logarithm of a number that is not positive")
        return self._context.log(operand)

    def _exp(self, operand: Real) -> Real:
        if self._context.mag(operand) <= _LARGEST_ARGUMENT:
            return self._context.exp(operand)
        if operand < 0:
            return self._context.zero
        raise OutOfReachError("an exponential is out of reach")

    def _moderate(self, function: Callable[[Real], Real]) -> Callable[[Real], Real]:
        def moderate(operand: Real) -> Real:
            if self._context.mag(operand) > _LARGEST_ARGUMENT:
                raise OutOfReachError("an argument is out of reach")
            return function(operand)

        return moderate

    def _gamma(self, operand: Real) -> Real:
        if operand <= 0:
            raise UndefinedError("the gamma function of a number that is not positive")
        if self._context.mag(operand) > _LARGEST_FACTORIAL:
            raise OutOfReachError("a value of the gamma function is out of reach")
        return self._context.gamma(operand)


_PAIRS: Mapping[str, Callable[[Real, Real], Real]] = {
    "add": arithmetic.add,
    "subtract": arithmetic.sub,
    "multiply": arithmetic.mul,
    "divide": arithmetic.truediv,
    "maximum": max,
    "minimum": min,
}


def _composed(outer: Callable[[Real], Real], inner: Function) -> Function:
    return lambda values: outer(inner(values))


def _joined(outer: Callable[[Real, Real], Real], left: Function, right: Function) -> Function:
    return lambda values: outer(left(values), right(values))
