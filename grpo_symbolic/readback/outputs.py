"""Sums over all outputs, written out for two labelled outputs as the reader writes them out."""

from __future__ import annotations

from grpo_symbolic.language import outputs
from grpo_symbolic.language.expression import Expression, Symbol

#: Two labels tell a coordinate from a sum; that is all the LaTeX can get wrong.
LABELS = ("first", "second")


def member(symbol: Symbol, label: str = LABELS[0]) -> Symbol:
    """The coordinate of an indexed symbol at one output; any other symbol is itself."""
    return outputs.member(symbol, label)


def written_out(expression: Expression, label: str = LABELS[0]) -> Expression:
    """The expression at one output, with every sum over the outputs written out."""
    return outputs.written_out(expression, label, LABELS)
