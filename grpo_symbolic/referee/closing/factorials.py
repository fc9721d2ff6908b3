"""Gamma functions whose arguments differ by whole numbers, written with one of them: gamma(x + 1) = x gamma(x)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from itertools import count
from operator import mul

from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_symbols, rebuild, walk
from grpo_symbolic.language.statement import Statement, expressions_of, gt, map_expressions, symbols_of
from grpo_symbolic.language.vocabulary import gamma
from grpo_symbolic.reading.meaning.linear import TooManyTerms, terms
from grpo_symbolic.reading.notation.elementary import constant_value
from grpo_symbolic.referee.closing.limits import Decides
from grpo_symbolic.translate.text import expression_text

#: Most steps from one argument to another, and the largest number whose factorial is written as a number.
_FARTHEST, _LARGEST = 30, 200


def has_factorials(statement: Statement) -> bool:
    """Whether a gamma function stands in a statement."""
    return any(map(_arguments, expressions_of(statement)))


def counting(statement: Statement) -> tuple[Symbol, ...]:
    """The symbols in the arguments of gamma functions, which are whole numbers where these print factorials."""
    arguments = (argument for side in expressions_of(statement) for argument in _arguments(side))
    return tuple(dict.fromkeys(symbol for argument in arguments for symbol in free_symbols(argument)))


def shifted(statement: Statement, decides: Decides) -> tuple[Statement, tuple[str, ...]]:
    """The statement with as few different gamma functions as the recursion allows, and in words where it was used.

    It is used where the engine decides that the smallest of the arguments is positive.
    """
    smallest: dict[frozenset[tuple[tuple[Expression, ...], Fraction]], tuple[Fraction, Expression]] = {}
    offsets: dict[Expression, tuple[frozenset[tuple[tuple[Expression, ...], Fraction]], Fraction]] = {}
    for side in expressions_of(statement):
        for argument in _arguments(side):
            try:
                found = terms(argument)
            except TooManyTerms:
                continue
            offset = found.pop((), Fraction(0))
            key = frozenset(found.items())
            offsets[argument] = key, offset
            if key and (key not in smallest or offset < smallest[key][0]):
                smallest[key] = offset, argument
    positive = {key: one for key, one in smallest.items() if decides(gt(one[1], 0))}
    values: dict[Expression, Expression] = {}
    used: set[Expression] = set()
    for argument, (key, offset) in offsets.items():
        if key not in positive:
            continue
        start, base = positive[key]
        steps = offset - start
        if steps.denominator == 1 and steps <= _FARTHEST:
            factors = (base + Number(Fraction(number)) if number else base for number in range(int(steps)))
            values[argument] = reduce(mul, factors, gamma(base))
            used |= {base} if steps else set()
    changed = map_expressions(statement, lambda side: _with(side, values))
    shown = [expression_text(gamma(base)) for base in used]
    return changed, tuple(f"written with {one}, by gamma(x + 1) = x·gamma(x)" for one in sorted(shown))


def generalised(statement: Statement, decides: Decides) -> Statement:
    """The statement for any positive numbers in the place of gamma functions, of which they are special cases.

    They are where the engine decides that the argument is positive; elsewhere they may be negative, or have no value.
    """
    arguments = dict.fromkeys(argument for side in expressions_of(statement) for argument in _arguments(side))
    found = [argument for argument in arguments if decides(gt(argument, 0))]
    taken = {symbol.name for symbol in symbols_of(statement)}
    names = (name for name in (f"positive_{number}" for number in count()) if name not in taken)
    numbers = {
        argument: Symbol(name, Interval(Fraction(0), None), "a positive number", name)
        for argument, name in zip(found, names, strict=False)
    }
    return map_expressions(statement, lambda side: _with(side, numbers))


def _arguments(side: Expression) -> list[Expression]:
    return [node.operands[0] for node in walk(side) if isinstance(node, Apply) and node.operator == "gamma"]


def _with(expression: Expression, values: Mapping[Expression, Symbol] | Mapping[Expression, Expression]) -> Expression:
    match expression:
        case Apply("gamma", (argument,)) if argument in values:
            return values[argument]
    return rebuild(expression, tuple(_with(child, values) for child in expression.children))


def counted(expression: Expression) -> Expression:
    """The expression with numbers for the gamma functions of small whole numbers."""
    inner = rebuild(expression, tuple(counted(child) for child in expression.children))
    match inner:
        case Apply("gamma", (argument,)):
            value = constant_value(argument)
            if value is not None and value.denominator == 1 and 1 <= value <= _LARGEST:
                return Number(Fraction(math.factorial(int(value) - 1)))
    return inner
