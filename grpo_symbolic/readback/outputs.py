"""Sums over all outputs, written out for two labelled outputs as the reader writes them out."""

from __future__ import annotations

from dataclasses import replace

from grpo_symbolic.language.expression import Derivative, Expression, Substitution, Symbol, Total, rebuild

#: Two labels tell a coordinate from a sum; that is all the LaTeX can get wrong.
LABELS = ("first", "second")


def member(symbol: Symbol, label: str = LABELS[0]) -> Symbol:
    """The coordinate of an indexed symbol at one output; any other symbol is itself."""
    return replace(symbol, name=f"{symbol.name}[{label}]", indexed=None) if symbol.indexed else symbol


def written_out(expression: Expression, label: str = LABELS[0]) -> Expression:
    """The expression at one output, with every sum over the outputs written out."""
    match expression:
        case Symbol():
            return member(expression, label)
        case Derivative(body, symbol):
            return Derivative(written_out(body, label), member(symbol, label))
        case Substitution(body, symbol, replacement):
            return Substitution(written_out(body, label), member(symbol, label), written_out(replacement, label))
        case Total(body):
            result = written_out(body, LABELS[0])
            for other in LABELS[1:]:
                result = result + written_out(body, other)
            return result
        case _:
            return rebuild(expression, tuple(written_out(child, label) for child in expression.children))
