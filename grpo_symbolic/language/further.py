"""Statements that speak of a further element of an index set beside the generic one, and what they may be."""

from __future__ import annotations

from collections.abc import Iterable

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Call, Delta, Derivative, Expression, Substitution, Symbol, Total, walk
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import All, Any, Implies, Relation, Statement, expressions_of


def further_elements(*expressions: Expression) -> tuple[IndexSet, ...]:
    """The further elements of index sets of which expressions speak, also in functions that they name."""
    found: dict[IndexSet, None] = {}
    for node in (node for expression in expressions for node in walk(expression)):
        match node:
            case Delta(other):
                found.setdefault(other)
            case Symbol(indexed=IndexSet(of=IndexSet()) as other):
                found.setdefault(other)
            case Derivative(_, symbol) | Substitution(_, symbol, _):
                found |= dict.fromkeys(further_elements(symbol))
            case Call(definition, _):
                found |= dict.fromkeys(further_elements(definition.body))
    return tuple(found)


def refuse_further(statement: Statement, hypotheses: Iterable[Statement]) -> None:
    """Refuse further elements where it is not clear for which of them something is said.

    Raises:
        DeclarationError: if hypotheses or premises speak of a further element, a statement that is no combination of
            relations does or one with an equivalence, or a statement does of two of them; or if a sum is said to run
            over one.
    """
    for item in hypotheses:
        if found := further_elements(*expressions_of(item)):
            element, letter = found[0].element, found[0].letter
            raise DeclarationError(f"a hypothesis about {element} {letter}: what is given holds at every {element}")
    if isinstance(statement, Implies):
        refuse_further(statement.conclusion, (statement.premise,))
        return
    spoken = further_elements(*expressions_of(statement))
    if len(spoken) > 1:
        raise DeclarationError(f"it speaks of further elements {' and '.join(one.letter for one in spoken)}; use one")
    for node in (node for expression in expressions_of(statement) for node in walk(expression)):
        if isinstance(node, Total) and node.over is not None and node.over.of is not None:
            raise DeclarationError(f"{node} runs over {node.over.letter}, which is one element; sum over the whole set")
    if spoken and not _combines_relations(statement):
        raise DeclarationError(f"a further element {spoken[0].letter} stands in a statement that is no relation")


def _combines_relations(statement: Statement) -> bool:
    match statement:
        case All(parts) | Any(parts):
            return all(map(_combines_relations, parts))
        case Implies(premise, conclusion):
            return not further_elements(*expressions_of(premise)) and _combines_relations(conclusion)
        case _:
            return isinstance(statement, Relation)
