"""Of which index set expressions and statements speak."""

from __future__ import annotations

from grpo_symbolic.language.expression import Call, Derivative, Expression, Substitution, Symbol, Total, walk
from grpo_symbolic.language.index_set import ELEMENTS, IndexSet
from grpo_symbolic.language.statement import Statement, expressions_of


def index_sets(*expressions: Expression) -> tuple[IndexSet, ...]:
    """The sets of which coordinates stand in expressions, also in functions that they name, and over which they sum."""
    found: dict[IndexSet, None] = {}
    for node in (node for expression in expressions for node in walk(expression)):
        match node:
            case Symbol() if node.indexed:
                found.setdefault(node.indexed)
            case Derivative(_, symbol) | Substitution(_, symbol, _) if symbol.indexed:
                found.setdefault(symbol.indexed)
            case Total() if node.over:
                found.setdefault(node.over)
            case Call(definition, _):
                found |= dict.fromkeys(index_sets(definition.body))
    return tuple(found)


def index_set_of(*statements: Statement) -> IndexSet:
    """The set of which statements speak, or the one of which nothing is said if they name none."""
    found = index_sets(*(expression for statement in statements for expression in expressions_of(statement)))
    return found[0] if found else ELEMENTS
