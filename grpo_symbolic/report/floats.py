"""Plain floating-point evaluation, which is enough to draw with and decides nothing."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.language.statement import All, Equivalent, Implies, Relation, Statement
from grpo_symbolic.language.statement import Any as Either

_Function: TypeAlias = Callable[[Mapping[Symbol, float]], float]

_EQUAL = 1e-9  # relative tolerance of an equation on a grid of floats

_OPERATORS: Mapping[str, Callable[..., float]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "negate": operator.neg,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "cosh": math.cosh,
    "sinh": math.sinh,
    "tanh": math.tanh,
    "sin": math.sin,
    "cos": math.cos,
    "arctan": math.atan,
    "gamma": math.gamma,
    "sign": lambda value: float((value > 0) - (value < 0)),
    "absolute": abs,
    "maximum": max,
    "minimum": min,
}
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": lambda left, right: math.isclose(left, right, rel_tol=_EQUAL),
    "!=": lambda left, right: not math.isclose(left, right, rel_tol=_EQUAL),
}


def value(expression: Expression, at: Mapping[Symbol, float]) -> float:
    """Evaluate an expression.

    Raises:
        UndefinedError: where the expression has no finite value.
        UnsupportedError: for sums over outputs and for symbols without a value.
    """
    try:
        result = compiled(expression)(at)
    except KeyError as error:
        raise UnsupportedError(f"{error.args[0]} has no value in this figure") from error
    except (ArithmeticError, ValueError) as error:
        raise UndefinedError(f"{expression} is undefined: {error}") from error
    if not math.isfinite(result):
        raise UndefinedError(f"{expression} is not finite")
    return result


@lru_cache(maxsize=128)
def compiled(expression: Expression) -> _Function:
    """The expression as a function of the values of its symbols, for many evaluations.

    Raises:
        UnsupportedError: for sums over outputs.
    """
    match expression:
        case Number(exact):
            constant = float(exact)
            return lambda at: constant
        case Symbol():
            return lambda at: at[expression]
        case Apply("power", (base, Number(exponent))):
            inner = compiled(base)
            return lambda at: _power(inner(at), exponent)
        case Apply("power"):
            return compiled(unfold(expression))
        case Apply(name, (operand,)):
            unary, argument = _OPERATORS[name], compiled(operand)
            return lambda at: unary(argument(at))
        case Apply(name, (first, second)):
            binary, left, right = _OPERATORS[name], compiled(first), compiled(second)
            return lambda at: binary(left(at), right(at))
    raise UnsupportedError(f"{type(expression).__name__} cannot be drawn")


def _power(base: float, exponent: Fraction) -> float:
    return float(base**exponent.numerator) if exponent.denominator == 1 else math.sqrt(base) ** exponent.numerator


def holds(statement: Statement, at: Mapping[Symbol, float]) -> bool:
    """Evaluate an elementary statement with plain floats; equations hold up to rounding.

    Raises:
        UndefinedError: where an expression in it has no finite value.
        UnsupportedError: for composite statements.
    """
    match statement:
        case Relation(left, comparison, right):
            return _COMPARISONS[comparison](value(left, at), value(right, at))
        case All(parts):
            return all(holds(part, at) for part in parts)
        case Either(parts):
            return any(holds(part, at) for part in parts)
        case Implies(premise, conclusion):
            return not holds(premise, at) or holds(conclusion, at)
        case Equivalent(left, right):
            return holds(left, at) == holds(right, at)
    raise UnsupportedError(f"a region needs relations; this is a {type(statement).__name__}")
