"""Points of simple patterns at which statements may hold: all outputs alike, zeros, ends of domains.

A search that solves equations one after the other misses points at which several of them degenerate, such as two equal
policies. These points are proposals: whether the statements hold there is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import TypeAlias

from grpo_symbolic.checks.counterexamples.points import compositions
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Expression, Number, Symbol, free_symbols, walk
from grpo_symbolic.language.outputs import member
from grpo_symbolic.language.statement import (
    Relation,
    Statement,
    conjuncts,
    expressions_of,
    relations_of,
    symbols_of,
    truth,
)
from grpo_symbolic.points.intervals import nearest
from grpo_symbolic.translate.balls import as_fraction, exact
from grpo_symbolic.translate.values import Value, ValueFunction, is_determinate, is_exact

#: Values of a symbol, or of its coordinates at all outputs.
_Values: TypeAlias = Mapping[Symbol, Fraction]

#: Combinations that are tried for one number of outputs.
_MOST = 1_024
#: Numbers of the statements that are tried as values.
_MOST_NUMBERS = 3


def pattern_points(
    statements: Sequence[Statement], finite: Sequence[Statement], labels: Sequence[str]
) -> Iterator[Mapping[Symbol, Fraction]]:
    """Points that seem to satisfy the ``finite`` statements, which are ``statements`` written out for outputs."""
    numbers = list(dict.fromkeys(_numbers(statements)))[:_MOST_NUMBERS]
    said = {side for item in conjuncts(*statements) for side in _said_outright(item)}
    choices = [
        # What an equation says outright is put in afterwards, so one choice will do for it.
        list(islice(_choices(symbol, labels, numbers), 1 if symbol in said else None))
        for symbol in symbols_of(*statements)
    ]
    for chosen in islice(_simplest_first(choices), _MOST):
        point = {key: value for values in chosen for key, value in values.items()}
        try:
            completed = _completed(point, finite)
            if all(value in symbol.domain for symbol, value in completed.items()) and _seems_to_hold(finite, completed):
                yield completed
        except (GrpoSymbolicError, ArithmeticError):
            continue


def _simplest_first(choices: Sequence[Sequence[_Values]]) -> Iterator[tuple[_Values, ...]]:
    """One of each, the first ones first."""
    limits = [len(options) - 1 for options in choices]
    for total in range(sum(limits) + 1):
        for places in compositions(total, limits):
            yield tuple(options[place] for options, place in zip(choices, places, strict=True))


def _choices(symbol: Symbol, labels: Sequence[str], numbers: Sequence[Fraction]) -> Iterator[_Values]:
    """Values of a symbol, or of its coordinates at all outputs."""
    domain = symbol.domain
    if not symbol.indexed:
        for value in _values(domain, numbers):
            yield {symbol: value}
        return
    size = len(labels)
    if domain.lower is not None and domain.upper is not None:
        rows = [[domain.lower + (domain.upper - domain.lower) / size] * size]
    else:
        first, *others = _values(domain, numbers)
        rows = [[first] * size, *([first, other] * size for other in others), *([other] * size for other in others)]
        if domain.lower is None and domain.upper is None:
            rows.append([Fraction(1), Fraction(-1)] * size)
    for row in dict.fromkeys(tuple(row[:size]) for row in rows):
        yield {member(symbol, label): value for label, value in zip(labels, row, strict=True)}


def _numbers(statements: Sequence[Statement]) -> Iterator[Fraction]:
    """The numbers that statements mention, except for the commonest."""
    for statement in statements:
        for expression in expressions_of(statement):
            yield from (
                node.value for node in walk(expression) if isinstance(node, Number) and node.value not in (0, 1, 2)
            )


def _values(domain: Interval, numbers: Sequence[Fraction]) -> list[Fraction]:
    """Ends that belong to a domain, simple numbers inside, and those that statements mention."""
    mentioned = [number for number in numbers if number in domain]
    return list(dict.fromkeys([*(nearest(domain, value) for value in _simple(domain)), *mentioned]))


def _simple(domain: Interval) -> list[Fraction]:
    """Ends that belong to a domain, and simple numbers inside."""
    low, high = domain.lower, domain.upper
    ends = [
        end for end, closed in ((high, domain.upper_closed), (low, domain.lower_closed)) if closed and end is not None
    ]
    if low is not None and high is not None:
        return [*ends, (low + high) / 2]
    if low is None and high is None:
        return [Fraction(0), Fraction(1)]
    inside = [low + 1, low + Fraction(1, 2)] if low is not None else []
    return [*ends, *inside] if high is None else [*ends, high - 1]


def _said_outright(statement: Statement) -> tuple[Expression, ...]:
    """The sides of an equation that are symbols."""
    if not (isinstance(statement, Relation) and statement.operator == "="):
        return ()
    return tuple(side for side in (statement.left, statement.right) if isinstance(side, Symbol))


def _completed(point: Mapping[Symbol, Fraction], finite: Sequence[Statement]) -> dict[Symbol, Fraction]:
    """The point with the symbols that an equation says outright set to what it says."""
    found = dict(point)
    for statement in conjuncts(*finite):
        if isinstance(statement, Relation) and statement.operator == "=":
            for side, other in ((statement.left, statement.right), (statement.right, statement.left)):
                if isinstance(side, Symbol) and side not in free_symbols(other):
                    value = _value(other, found)
                    if value is not None:
                        found[side] = value
                    break
    return found


def _value(expression: Expression, point: Mapping[Symbol, Fraction]) -> Fraction | None:
    value = _evaluated(expression, {symbol: exact(number) for symbol, number in point.items()})
    return as_fraction(value) if is_exact(value) else None


def _seems_to_hold(finite: Sequence[Statement], point: Mapping[Symbol, Fraction]) -> bool:
    """Whether nothing certainly fails at the point."""
    values = {symbol: exact(number) for symbol, number in point.items()}

    def possible(relation: Relation) -> bool | None:
        gap = _evaluated(relation.left - relation.right, values)
        if not is_determinate(gap):
            return False
        below, above = bool(gap < 0), bool(gap > 0)
        return {"=": not (below or above), "<": not above, "<=": not above, ">": not below, ">=": not below}.get(
            relation.operator, True
        )

    return all(relations_of(statement) and truth(statement, possible) for statement in finite)


def _evaluated(expression: Expression, values: Mapping[Symbol, Value]) -> Value:
    return ValueFunction(expression, tuple(values))(tuple(values.values()))
