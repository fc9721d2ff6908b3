"""Sums over all outputs of a context, written out for so many outputs with labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from grpo_symbolic.language.expression import (
    Delta,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    Total,
    rebuild,
    walk,
)
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.statement import Statement, expressions_of


def has_totals(statements: Iterable[Statement]) -> bool:
    """Whether a sum over outputs occurs."""
    return any(
        isinstance(node, Total)
        for statement in statements
        for expression in expressions_of(statement)
        for node in walk(expression)
    )


def member(symbol: Symbol, label: str) -> Symbol:
    """The coordinate of an indexed symbol at one output; any other symbol is itself."""
    return replace(symbol, name=f"{symbol.name}[{label}]", indexed=None) if symbol.indexed else symbol


def second(labels: Sequence[str]) -> str:
    """The label of a further element: the second one if there are two."""
    return labels[min(1, len(labels) - 1)]


def written_out(expression: Expression, label: str, labels: Sequence[str]) -> Expression:
    """The expression at the output with this label, and every sum as one of terms for all labels.

    A further element is the one with the second label.
    """

    def at(label: str, inner: Expression) -> Expression:
        return written_out(inner, label, labels)

    def coordinate(symbol: Symbol) -> Symbol:
        return member(symbol.family, label if symbol.family == symbol else second(labels))

    match expression:
        case Symbol():
            return coordinate(expression)
        case Delta():
            return Number(Fraction(label == second(labels)))
        case Derivative(body, symbol):
            return Derivative(at(label, body), coordinate(symbol))
        case Substitution(body, symbol, replacement):
            return Substitution(at(label, body), member(symbol, label), at(label, replacement))
        case GroupExpectation(body):
            # What it sums over is the members of its own group.
            return expression.with_children((body, *(at(label, child) for child in expression.children[1:])))
        case Total(body):
            total = at(labels[0], body)
            for other in labels[1:]:
                total = total + at(other, body)
            return total
        case _:
            return rebuild(expression, tuple(at(label, child) for child in expression.children))
