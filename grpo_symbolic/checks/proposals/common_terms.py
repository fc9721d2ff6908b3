"""Proposals for terms that a proof may not have to look into: roots and functions that several statements share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from grpo_symbolic.language.expression import Apply, Expression, Number, free_symbols
from grpo_symbolic.language.inside import applied, every_node
from grpo_symbolic.language.statement import Statement, expressions_of

_POLYNOMIAL = frozenset({"add", "subtract", "multiply", "negate", "absolute", "maximum", "minimum"})


def shared_terms(statements: Sequence[Statement]) -> frozenset[Expression]:
    """The terms whose outermost operator is a quotient, a root or a transcendental function, in two statements."""
    homes = Counter(term for statement in statements for term in set(_terms(statement)))
    return frozenset(term for term, number in homes.items() if number > 1)


def circular_terms(statements: Sequence[Statement]) -> frozenset[Expression]:
    """The sines, cosines and inverse tangents in statements."""
    sides = tuple(side for statement in statements for side in expressions_of(statement))
    return frozenset(node for operator in ("sin", "cos", "arctan") for node in applied(operator, *sides))


def _terms(statement: Statement) -> Iterator[Expression]:
    for expression in expressions_of(statement):
        for node in every_node(expression):
            if isinstance(node, Apply) and _is_kernel(node) and free_symbols(node):
                yield node


def _is_kernel(node: Apply) -> bool:
    if node.operator == "power":
        exponent = node.operands[1]
        return not (isinstance(exponent, Number) and exponent.value.denominator == 1 and exponent.value >= 0)
    if node.operator == "divide":
        return not isinstance(node.operands[1], Number)
    return node.operator not in _POLYNOMIAL
