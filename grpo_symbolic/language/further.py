"""Statements that speak of a further element of an index set beside the generic one, and what they may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.composites import Existence, Extremum, Summed, UniqueRoot
from grpo_symbolic.language.elements import outside_totals
from grpo_symbolic.language.expression import Delta, Expression, Total, free_indices, free_symbols
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.inside import holds, nodes_of
from grpo_symbolic.language.outputs import has_totals
from grpo_symbolic.language.statement import (
    All,
    Any,
    Implies,
    Relation,
    Statement,
    expressions_of,
    map_expressions,
    symbols_of,
)


def further_elements(*expressions: Expression) -> tuple[IndexSet, ...]:
    """The further elements of index sets of which expressions speak, beside those through which a sum runs."""
    return tuple(dict.fromkeys(one for item in expressions for one in free_indices(item) if one.of is not None))


def ambiguous_index(total: Total) -> IndexSet | None:
    """That through which a sum runs, where the body does not tell."""
    generic = [one for one in free_indices(total.body) if one.of is None]
    return None if generic == [total.over] else total.over


def has_delta(*expressions: Expression) -> bool:
    """Whether Kronecker's delta stands in expressions."""
    return holds(Delta, expressions)


def has_pairs(*expressions: Expression) -> bool:
    """Whether something in expressions is of two elements, such as the outcome of a comparison."""
    symbols = (symbol for item in expressions for symbol in free_symbols(item))
    return any(symbol.second is not None for symbol in symbols)


def refuse_further(statement: Statement, hypotheses: Iterable[Statement]) -> None:
    """Refuse further elements where it is not clear for which of them something is said.

    Raises:
        DeclarationError: if premises speak of a further element, or hypotheses do beside the statement, a statement
            that is no combination of relations does or one with an equivalence, or a statement does of two of them.
    """
    if isinstance(statement, Implies):
        refuse_further(statement.conclusion, (*hypotheses, statement.premise))
        return
    spoken = further_elements(*expressions_of(statement))
    if isinstance(statement, Summed) and has_pairs(*expressions_of(statement.premise)):
        # Its premise holds of every pair, and is summed over all of them.
        spoken = further_elements(*expressions_of(statement.conclusion), statement.scale)
    for item in hypotheses:
        found = further_elements(*expressions_of(item))
        elsewhere = spoken and (spoken != found or has_delta(*expressions_of((item, statement))))
        if found and (elsewhere or len(found) > 1 or not has_pairs(*expressions_of(item))):
            element, letter = found[0].element, found[0].letter
            raise DeclarationError(f"a hypothesis about {element} {letter}: what is given holds at every {element}")
    if len(spoken) > 1:
        raise DeclarationError(f"it speaks of further elements {' and '.join(one.letter for one in spoken)}; use one")
    if spoken and any(node.over in spoken for node in nodes_of(Total, *expressions_of(statement))):
        raise DeclarationError(f"a sum runs through {spoken[0].letter}, of which it speaks outside as well")
    for side in expressions_of(statement):
        if any(node.over and node.over.of and has_delta(node) for node in nodes_of(Total, side)):
            raise DeclarationError(f"a sum with a delta in {side} runs through a further element; sum over the set")
    if spoken and not _combines_relations(statement):
        raise DeclarationError(f"a further element {spoken[0].letter} stands in a statement that is no relation")


def refuse_one_for_all(statement: Statement, hypotheses: Sequence[Statement]) -> None:
    """Refuse what one element has as the value of a number of which something is supposed at every element.

    Raises:
        DeclarationError: if that is claimed of a root, an extremum or a witness beside sums or a further element.
    """
    match statement:
        case Implies(premise, conclusion):
            return refuse_one_for_all(conclusion, (*hypotheses, premise))
        case All(parts):
            for part in parts:
                refuse_one_for_all(part, hypotheses)
            return None
        case UniqueRoot(symbol=symbol, root=value) | Extremum(symbol=symbol, at=value):
            values = {symbol: value}
        case Existence(at=at):
            values = dict(at)
        case _:
            return None
    stated = (*hypotheses, statement)
    several = has_totals(map_expressions(item, unfold) for item in stated) or further_elements(*expressions_of(stated))
    for symbol, value in values.items() if several else ():
        about = [side for item in hypotheses if symbol in symbols_of(item) for side in expressions_of(item)]
        if any(one not in symbol.indices for one in free_indices(value)) and any(map(outside_totals, about)):
            raise DeclarationError(f"something is supposed of {symbol} at every element, and {value} is of one")
    return None


def _combines_relations(statement: Statement) -> bool:
    match statement:
        case All(parts) | Any(parts):
            return all(map(_combines_relations, parts))
        case Implies(premise, conclusion):
            return not further_elements(*expressions_of(premise)) and _combines_relations(conclusion)
        case _:
            return isinstance(statement, Relation)
