"""Which coordinates are of the generic element of an index set, and over which ones sums run."""

from __future__ import annotations

from grpo_symbolic.language.expression import Call, Expression, Symbol, Total, free_symbols
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.inside import nodes_of


def outside_totals(expression: Expression, bound: frozenset[IndexSet] = frozenset()) -> list[Symbol]:
    """The indexed symbols of a generic element: those that have an index over which no sum runs."""
    match expression:
        case Total(body, over):
            return [] if over is None else outside_totals(body, bound | {over})
        case Call():
            return outside_totals(expression.value, bound)
        case Symbol():
            return [expression] if any(one.of is None and one not in bound for one in expression.indices) else []
    inside = (
        (number, symbol) for number, child in enumerate(expression.children) for symbol in outside_totals(child, bound)
    )
    return [symbol for number, symbol in inside if number or symbol != expression.bound]


def sums_over(symbol: Symbol, *expressions: Expression) -> bool:
    """Whether a symbol is a coordinate over which a sum runs, so that the sum changes with that of every element."""
    indices = (*symbol.indices, None) if symbol.indices else ()
    totals = nodes_of(Total, *expressions)
    return any(total.over in indices and symbol in free_symbols(total) for total in totals)
