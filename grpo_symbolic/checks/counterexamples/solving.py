"""Equations solved for one symbol each: by a formula, or between two points of opposite sign of the residual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.calculus import ZERO, differentiate
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import CONTINUOUS, Apply, Expression, Symbol, free_symbols, substitute, walk
from grpo_symbolic.language.folding import is_equation
from grpo_symbolic.language.statement import Relation, assignments, symbols_of
from grpo_symbolic.points.intervals import closed_ends, point_at
from grpo_symbolic.translate.balls import INDETERMINATE, exact
from grpo_symbolic.translate.values import Value, ValueFunction, is_determinate, is_exact
from grpo_symbolic.translate.zeros import zeros

_SCANNED = [Fraction(k, 24) for k in range(1, 24)]
_EDGES = [Fraction(1, 10**k) for k in (2, 4, 8)]


def solve_order(
    relations: Sequence[Relation], allowed: frozenset[Symbol]
) -> tuple[list[tuple[Symbol, Relation]], set[Relation]]:
    """Choose for each equation a symbol to solve it for, such that the solutions can be computed in order."""
    chosen: dict[Symbol, Relation] = {}
    needs: dict[Symbol, set[Symbol]] = {}
    for relation in relations:
        if not is_equation(relation) or relation in chosen.values():
            continue
        involved = set(symbols_of(relation))
        for target in _targets(relation):
            others = involved - {target}
            if target in allowed and target not in chosen and target not in _reach(others, needs):
                chosen[target], needs[target] = relation, others
                break
    ordered: list[tuple[Symbol, Relation]] = []
    while len(ordered) < len(chosen):
        done = {symbol for symbol, _ in ordered}
        ready = [symbol for symbol in chosen if symbol not in done and not needs[symbol] & (chosen.keys() - done)]
        ordered += [(symbol, chosen[symbol]) for symbol in ready]
    return ordered, set(chosen.values())


def _reach(symbols: set[Symbol], needs: Mapping[Symbol, set[Symbol]]) -> set[Symbol]:
    """The symbols and everything that they are computed from."""
    reached: set[Symbol] = set()
    waiting = list(symbols)
    while waiting:
        symbol = waiting.pop()
        if symbol not in reached:
            reached.add(symbol)
            waiting += needs.get(symbol, ())
    return reached


def _targets(relation: Relation) -> Iterator[Symbol]:
    """The symbols of an equation, easiest to solve for first: explicit, then linear, then the others.

    Some come more than once; nobody has to differentiate for those that are not asked for.
    """
    symbols = symbols_of(relation)
    yield from (symbol for symbol in symbols if _explicit(relation, symbol) is not None)
    yield from (symbol for symbol in symbols if _slope(relation, symbol) is not None)
    yield from (symbol for symbol in symbols if None not in (symbol.domain.lower, symbol.domain.upper))
    yield from symbols


def _explicit(relation: Relation, symbol: Symbol) -> Expression | None:
    """The other side of an equation whose one side is the symbol alone."""
    return next((value for assigned, value in assignments(relation) if assigned == symbol), None)


@lru_cache(maxsize=256)
def _slope(relation: Relation, symbol: Symbol) -> Expression | None:
    """The factor of the symbol in an equation that is plainly linear in it."""
    try:
        slope = differentiate(relation.left - relation.right, symbol)
    except UnsupportedError:
        return None
    return None if symbol in free_symbols(slope) else slope


class SolvedEquation:
    """An equation solved for one symbol, given values of the others."""

    def __init__(self, symbol: Symbol, relation: Relation, symbols: Sequence[Symbol]) -> None:
        self.symbol = symbol
        self._place = symbols.index(symbol)
        residual = relation.left - relation.right
        explicit = _explicit(relation, symbol)
        if explicit is None and (slope := _slope(relation, symbol)) is not None:
            explicit = -substitute(residual, {symbol: ZERO}) / slope
        # What is linear on paper may still be undefined at the solution, as in 0*log(x) + x = -1.
        self._explicit = None if explicit is None else ValueFunction(explicit, symbols)
        self._residual = ValueFunction(residual, symbols)
        # A change of sign shows a zero of a continuous function only.
        self._jumps = any(isinstance(node, Apply) and node.operator not in CONTINUOUS for node in walk(residual))
        self._points = [] if explicit is not None else [exact(point) for point in _scan(symbol.domain)]
        self.cost = len(self._residual.steps) * (1 if explicit is not None else 2 * len(self._points))

    def values(self, values: Sequence[Value]) -> list[Value]:
        """The solutions that were found, each exact or certainly enclosed."""
        before, after = list(values[: self._place]), list(values[self._place + 1 :])

        def residual(value: Value) -> Value:
            return value_at(self._residual, [*before, value, *after])

        if self._explicit is None:
            found = zeros(residual, self._points)
            return [zero for zero in found if is_exact(zero)] if self._jumps else found
        solution = value_at(self._explicit, values)
        return [solution] if is_determinate(solution) and is_determinate(residual(solution)) else []


def value_at(function: ValueFunction, values: Sequence[Value]) -> Value:
    """Exact or enclosed value, or an indeterminate ball where there is none."""
    try:
        return function(values)
    except UndefinedError:
        return INDETERMINATE


def _scan(domain: Interval) -> list[Fraction]:
    """Increasing points of the domain between which zeros are looked for."""
    positions = [*reversed(_EDGES), *_SCANNED, *(1 - edge for edge in _EDGES)]
    return sorted({*closed_ends(domain), *(point_at(domain, position) for position in positions)})
