"""Which hypotheses are assigned, which are solved for which symbol, and which are left for rejection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, permutations

from grpo_symbolic.language.elements import outside_totals
from grpo_symbolic.language.expression import Expression, Number, Symbol, Total, free_symbols
from grpo_symbolic.language.folding import is_equation, mirrored
from grpo_symbolic.language.statement import (
    Relation,
    Statement,
    assignments,
    substitute_statement,
    symbols_of,
)
from grpo_symbolic.translate.program import Program

_MOST_EQUATIONS = 4
#: So many ways to solve the equations are looked at, and so many of them kept.
_MOST_ORDERS = 60
_MOST_PLANS = 6


@dataclass
class Plan:
    """How to satisfy ``equations``: solve some, one unknown each, then assign; what is left is for rejection."""

    equations: list[Relation]
    solves: list[tuple[Relation, Symbol]]
    assignments: list[tuple[Symbol, Program]]
    rest: list[Statement]
    tried: int = 0
    found: int = 0


@lru_cache(maxsize=512)
def plans_for(branch: tuple[Statement, ...], totals: bool) -> tuple[Plan, ...]:
    """Ways to satisfy the equations of a branch: with and without elimination, for different unknowns.

    Symbols of the generic output are eliminated first: what is summed is then known before its sums are. They are the
    same objects for all who ask: whoever counts what was tried does so on copies.
    """
    turned = [_sum_first(statement) for statement in branch]
    generic_first = sorted(turned, key=lambda statement: not _defines_coordinate(statement, totals))
    orders = [generic_first, turned] if generic_first != turned else [turned]
    plans = list[Plan]()
    for order in orders:
        reduced, assignments = _eliminate(order, totals)
        plans += _best(_triangular(turned, reduced, assignments, totals))
    return (*plans, *_best(_triangular(turned, turned, [], totals))) if plans[0].assignments else tuple(plans)


def _best(plans: Iterator[Plan]) -> list[Plan]:
    """Some plans, those first that solve the most equations rather than leaving them to chance."""
    return sorted(islice(plans, _MOST_ORDERS), key=lambda plan: len(plan.rest))[:_MOST_PLANS]


def _defines_coordinate(statement: Statement, totals: bool) -> bool:
    chosen = _assignable(statement, totals)
    return chosen is not None and chosen[0].indexed is not None


def _eliminate(branch: Sequence[Statement], totals: bool) -> tuple[list[Statement], list[tuple[Symbol, Expression]]]:
    """Use equations ``symbol = expression`` to remove the symbol from all other statements."""
    left_over, assignments = list(branch), list[tuple[Symbol, Expression]]()
    for position in range(len(left_over)):
        statement = left_over[position]
        chosen = _assignable(statement, totals)
        if chosen is None:
            continue
        symbol, expression = chosen
        assignments.append(chosen)
        # Most others do not have the symbol, and building them anew is what takes the time.
        left_over = [
            _sum_first(substitute_statement(other, {symbol: expression})) if symbol in symbols_of(other) else other
            for other in left_over
        ]
    return left_over, assignments


def _assignable(statement: Statement, totals: bool) -> tuple[Symbol, Expression] | None:
    for symbol, expression in assignments(statement):
        if not totals or symbol.indexed or not outside_totals(expression):
            return symbol, expression
    return None


def _triangular(
    branch: Sequence[Statement],
    reduced: Sequence[Statement],
    assignments: Sequence[tuple[Symbol, Expression]],
    totals: bool,
) -> Iterator[Plan]:
    """Orders in which each equation has an unknown that no earlier equation contains."""
    programs = [(symbol, Program((expression,))) for symbol, expression in assignments]
    equations = [statement for statement in reduced if is_equation(statement) and statement.left != statement.right]
    # Those that fix a sum come first, then those with few symbols: more of the rest can then be solved.
    equations.sort(key=lambda equation: (summed_coordinate(equation) is None, len(symbols_of(equation))))
    stated = [statement for statement in branch if is_equation(statement)]
    rest = [statement for statement in branch if statement not in stated]
    rest += [bound for symbol, expression in assignments for bound in _bounded_sum(symbol, expression)]
    equations, alone = _set_apart(equations, totals) if len(equations) > _MOST_EQUATIONS else (equations, [])
    for order in permutations(equations[:_MOST_EQUATIONS]):
        for unknowns in _unknowns(order, totals):
            pairs = list(zip(order, unknowns, strict=True))
            solves = [(equation, symbol) for equation, symbol in pairs if symbol is not None]
            left = [equation for equation, symbol in pairs if symbol is None]
            yield Plan(stated, [*solves, *alone], programs, [*rest, *left, *equations[_MOST_EQUATIONS:]])


def _set_apart(equations: Sequence[Relation], totals: bool) -> tuple[list[Relation], list[tuple[Relation, Symbol]]]:
    """The equations without those that have an unknown which no other one contains, and these, each with it.

    Sums written out for each element of a set have many of them. Solved after the others they break none of these; and
    so on with what is left, in whose unknowns fewer share.
    """
    left, apart = list(equations), list[tuple[Relation, Symbol]]()
    while left:
        shared = Counter(symbol for equation in left for symbol in symbols_of(equation))
        own = ((equation, [one for one in _solvable(equation, totals) if shared[one] == 1]) for equation in left)
        # On the whole line there is a value sooner than between two ends.
        found = [
            (equation, max(unknowns, key=lambda one: one.domain.is_whole_line))
            for equation, unknowns in own
            if unknowns
        ]
        if not found:
            break
        apart = [*found, *apart]
        left = [equation for equation in left if all(equation is not solved for solved, _ in found)]
    return left, apart


def _bounded_sum(symbol: Symbol, expression: Expression) -> Iterator[Relation]:
    """A sum over the outputs that is assigned to a bounded symbol, as an inequality that rescaling can meet."""
    if isinstance(expression, Total) and symbol.domain.upper is not None:
        sign = "<=" if symbol.domain.upper_closed else "<"
        yield Relation(expression, sign, Number(symbol.domain.upper))


def _unknowns(
    order: Sequence[Relation], totals: bool, solved: tuple[Symbol, ...] = ()
) -> Iterator[tuple[Symbol | None, ...]]:
    """For each equation a symbol that no earlier one contains; None where there is none, and it may follow."""
    if not order:
        yield ()
        return
    here = symbols_of(order[0])
    choices: list[Symbol | None] = [symbol for symbol in _solvable(order[0], totals) if symbol not in solved]
    for symbol in choices or [None]:
        for later in _unknowns(order[1:], totals, (*solved, *here)):
            yield (symbol, *later)


def _solvable(relation: Relation, totals: bool) -> Iterable[Symbol]:
    """The symbols for which an equation may be solved, with Totals for every output at once."""
    coordinate = summed_coordinate(relation) if totals else None
    if coordinate is not None:
        return (coordinate,)
    generic = dict.fromkeys([*outside_totals(relation.left), *outside_totals(relation.right)]) if totals else {}
    if not generic:
        return symbols_of(relation)
    # A symbol that a sum binds as well would couple the equations of all outputs.
    summed = inside_totals(relation.left) | inside_totals(relation.right)
    return [symbol for symbol in generic if symbol not in summed] or generic


def inside_totals(expression: Expression) -> set[Symbol]:
    """The symbols in the sums of an expression."""
    if isinstance(expression, Total):
        return set(free_symbols(expression.body))
    return {symbol for child in expression.children for symbol in inside_totals(child)}


def _sum_first(statement: Statement) -> Statement:
    """The same relation with the plain sum of a coordinate on its left, where ``summed_coordinate`` looks."""
    if isinstance(statement, Relation) and summed_coordinate(statement) is None:
        turned = mirrored(statement)
        return statement if summed_coordinate(turned) is None else turned
    return statement


def summed_coordinate(relation: Relation) -> Symbol | None:
    """The coordinate whose plain sum over the outputs stands on the left, free of it on the right."""
    if isinstance(relation.left, Total) and isinstance(relation.left.body, Symbol) and relation.left.body.indexed:
        coordinate = relation.left.body
        return None if coordinate in free_symbols(relation.right) else coordinate
    return None
