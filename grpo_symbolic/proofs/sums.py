"""Certificates by which the kernel removes sums: how the engine took them apart, and by which laws that is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import add

from grpo_symbolic.checks.double_sums import factors_of
from grpo_symbolic.checks.proposer import Proposer
from grpo_symbolic.checks.totals import Aggregates, Terms
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.kernel.terms import Json
from grpo_symbolic.language.calculus import ONE, ZERO, times
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Delta, Expression, Symbol, exchanged, free_symbols, rebuild, walk
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import All, Relation, Statement, conjuncts, eq, gt, map_expressions, symbols_of
from grpo_symbolic.obligations.obligation import Obligation, values_needed
from grpo_symbolic.proofs.finding import Finder
from grpo_symbolic.proofs.tables import Table


def certificate(obligation: Obligation, proposer: Proposer, table: Table) -> Json:
    """How the sums of an obligation are removed, inner ones first, with the names that the engine gives to others.

    Raises:
        UnsupportedError: where the engine does not remove them, or no proof is found of what it says.
    """
    sides = (*obligation.expressions, *obligation.defined)
    nodes = dict.fromkeys(node for side in sides for node in walk(side))
    deltas = {node: _coordinate(node.other) for node in nodes if isinstance(node, Delta)}
    plain = _changed(obligation, lambda side: _exchanged(side, deltas))
    aggregates = Aggregates.of(plain, proposer)
    if aggregates is None:
        return []
    reduced = _changed(plain, aggregates.reduced)
    learned = tuple(one for one in conjuncts(*reduced.hypotheses) if _tells(one, aggregates.known))
    back = {symbol: node for node, symbol in deltas.items()}
    there = {(one.family, one.indices): one for one in nodes if isinstance(one, Symbol)}
    found: list[Json] = []
    values: dict[Symbol, Expression] = {}
    for total, (inner, _, removed) in aggregates.removed.items():
        body = exchanged(inner, values)
        terms = tuple((exchanged(coefficient, values), summand, symbol) for coefficient, summand, symbol in removed)
        proofs = proofs_of_terms(body, terms, learned, table)
        pairs: list[Json] = []
        for coefficient, summand, symbol in terms:
            at = next((one for delta in back if (one := _at_other(summand, delta, there)) is not None), None)
            if at is not None:
                values[symbol] = at
            name = symbol.name if at is None else None
            pairs.append([table.expression(coefficient), table.expression(summand), name])
        found.append([table.expression(exchanged(total, back)), pairs, proofs])
    return found


def proofs_of_terms(body: Expression, terms: Terms, learned: Sequence[Statement], table: Table) -> Json:
    """Proofs that coefficients and summands have values where a body has, and sum to it."""
    whole = [times(coefficient, summand) for coefficient, summand, _ in terms]
    equation = eq(body, reduce(add, whole) if whole else ZERO)
    needed = values_needed(side for coefficient, summand, _ in terms for side in (coefficient, summand))
    has_value = values_needed((body,))
    known = (*learned, *has_value, *(gt(one.left.children[0], ZERO) for one in has_value if _is_root(one)))
    found = Finder(table, symbols_of(*known, equation, *needed)).prove(known, All((*needed, equation)))
    if found.open:
        raise UnsupportedError(f"the sum of {body}: {found.open[0]}")
    return [*found.proofs]


def _is_root(condition: Relation) -> bool:
    """Whether a root stands below a fraction bar."""
    return condition.operator == "!=" and isinstance(condition.left, Apply) and condition.left.operator == "sqrt"


def _tells(statement: Statement, known: Mapping[Symbol, Expression]) -> bool:
    """Whether a statement is an equation by which a sum is known."""
    if not (isinstance(statement, Relation) and statement.operator == "="):
        return False
    sides = (statement.left, statement.right)
    return any(isinstance(one, Symbol) and known.get(one) == other for one, other in (sides, sides[::-1]))


# Kronecker's delta, as a coordinate.


def _coordinate(other: IndexSet) -> Symbol:
    """The kernel's name for a delta."""
    name = f"delta {other.letter}"
    return Symbol(name, Interval(Fraction(0), Fraction(1), True, True), "a delta", name, other.whole, other)


def _at_other(
    summand: Expression, delta: Symbol, there: Mapping[tuple[Symbol, tuple[IndexSet, ...]], Symbol]
) -> Expression | None:
    """What the sum of a multiple of a delta is, if there are symbols for all that the further element has."""
    generic, other = delta.indices
    moved: dict[Symbol, Expression] = {delta: ONE}
    for one in free_symbols(summand):
        if one != delta and generic in one.indices:
            indices = tuple(other if at == generic else at for at in one.indices)
            if (one.family, indices) not in there:
                return None
            moved[one] = there[one.family, indices]
    return exchanged(summand, moved) if delta in factors_of(summand) else None


def _changed(obligation: Obligation, change: Callable[[Expression], Expression]) -> Obligation:
    *hypotheses, conclusion = (map_expressions(one, change) for one in (*obligation.hypotheses, obligation.conclusion))
    defined = tuple(map(change, obligation.defined))
    return replace(obligation, hypotheses=tuple(hypotheses), conclusion=conclusion, defined=defined)


def _exchanged(expression: Expression, deltas: Mapping[Delta, Symbol]) -> Expression:
    if isinstance(expression, Delta):
        return deltas[expression]
    return rebuild(expression, tuple(_exchanged(child, deltas) for child in expression.children))
