"""Plain floating-point evaluation, which is enough to draw with and decides nothing."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import repeat
from typing import TypeAlias

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.language.statement import All, Equivalent, Implies, Relation, Statement
from grpo_symbolic.language.statement import Any as Either

_Function: TypeAlias = Callable[[Mapping[Symbol, float]], float]
#: Values at many places, or one number that is the value at all of them.
_Column: TypeAlias = "list[float] | float"
Columns: TypeAlias = Mapping[Symbol, _Column]

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


def values(expression: Expression, at: Columns, count: int) -> list[float]:
    """Evaluate an expression at ``count`` places at once, as ``value`` does at each; not a number where it has none.

    Raises:
        UnsupportedError: for sums over outputs and for symbols without a value.
    """
    undefined: set[int] = set()
    found = _column(expression, at, count, {}, undefined)
    column = found if isinstance(found, list) else [found] * count
    nowhere = {place for place, height in enumerate(column) if not math.isfinite(height)} | undefined
    return [math.nan if place in nowhere else height for place, height in enumerate(column)] if nowhere else column


def _column(
    expression: Expression, at: Columns, count: int, known: dict[Expression, _Column], undefined: set[int]
) -> _Column:
    """The values of an expression, each part of which is evaluated once; what is ``undefined`` somewhere is noted."""
    found = known.get(expression)
    if found is None:
        operation, parts = _operation(expression, at)
        columns = [_column(part, at, count, known, undefined) for part in parts]
        found = known[expression] = _mapped(operation, columns, count, undefined)
    return found


def _operation(expression: Expression, at: Columns) -> tuple[Callable[..., float] | _Column, tuple[Expression, ...]]:
    """What an expression makes of its parts; a number or what a symbol is given has none."""
    match expression:
        case Number(exact):
            return float(exact), ()
        case Symbol():
            if expression not in at:
                raise UnsupportedError(f"{expression} has no value in this figure")
            return at[expression], ()
        case Apply("power", (base, Number(exponent))) if exponent.denominator != 1:
            return partial(_power, exponent=exponent), (base,)
        case Apply("power", operands):
            return operator.pow, operands
        case Apply(name, operands):
            return _OPERATORS[name], operands
    raise UnsupportedError(f"{type(expression).__name__} cannot be drawn")


def _mapped(
    operation: Callable[..., float] | _Column, columns: Sequence[_Column], count: int, undefined: set[int]
) -> _Column:
    if not callable(operation):
        return operation
    alike = not any(isinstance(column, list) for column in columns)
    rows = [column if isinstance(column, list) else repeat(column, 1 if alike else count) for column in columns]
    try:
        found = list(map(operation, *rows))
    except (ArithmeticError, ValueError):
        if alike:
            undefined.update(range(count))
            return math.nan
        rows = [column if isinstance(column, list) else repeat(column, count) for column in columns]
        return [_noted(operation, row, place, undefined) for place, row in enumerate(zip(*rows, strict=True))]
    return found[0] if alike else found


def _noted(operation: Callable[..., float], row: tuple[float, ...], place: int, undefined: set[int]) -> float:
    try:
        return operation(*row)
    except (ArithmeticError, ValueError):
        undefined.add(place)
        return math.nan


def where(statement: Statement, at: Columns, count: int) -> list[bool | None]:
    """Whether an elementary statement holds at each of ``count`` places; None where a part that matters has no value.

    Equations hold up to rounding. Parts matter from left to right, until one settles the whole.

    Raises:
        UnsupportedError: for composite statements.
    """
    match statement:
        case Relation(left, comparison, right):
            sides = values(left, at, count), values(right, at, count)
            truths = map(_COMPARISONS[comparison], *sides)
            return [None if a != a or b != b else truth for a, b, truth in zip(*sides, truths, strict=True)]
        case All(parts):
            return _settled(parts, at, count, going_on=True)
        case Either(parts):
            return _settled(parts, at, count, going_on=False)
        case Implies(premise, conclusion):
            found = where(premise, at, count)
            open_ = [place for place, truth in enumerate(found) if truth]
            answers: list[bool | None] = [True if truth is False else truth for truth in found]
            for place, truth in zip(open_, where(conclusion, _at(open_, at), len(open_)), strict=True):
                answers[place] = truth
            return answers
        case Equivalent(left, right):
            both = zip(where(left, at, count), where(right, at, count), strict=True)
            return [None if a is None or b is None else a == b for a, b in both]
    raise UnsupportedError(f"a region needs relations; this is a {type(statement).__name__}")


def _settled(parts: Sequence[Statement], at: Columns, count: int, *, going_on: bool) -> list[bool | None]:
    """What the first part says that says something else than ``going_on``."""
    answers: list[bool | None] = [going_on] * count
    open_ = list(range(count))
    for part in parts:
        found = where(part, _at(open_, at), len(open_))
        for place, truth in zip(open_, found, strict=True):
            answers[place] = truth
        open_ = [place for place, truth in zip(open_, found, strict=True) if truth is going_on]
    return answers


def _at(places: Sequence[int], at: Columns) -> Columns:
    """The values at some of the places."""
    return {
        symbol: [column[place] for place in places] if isinstance(column, list) else column
        for symbol, column in at.items()
    }
