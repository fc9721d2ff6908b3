"""Obligations about every output, written out for so many outputs."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from grpo_symbolic.language.expression import Symbol, Total, walk
from grpo_symbolic.language.finite import finite
from grpo_symbolic.language.statement import expressions_of
from grpo_symbolic.obligations.obligation import Obligation


def speaks_of_outputs(obligation: Obligation) -> bool:
    """Whether the obligation sums over outputs or mentions the coordinate of a generic one."""
    statements = (*obligation.hypotheses, obligation.conclusion)
    expressions = chain(obligation.defined, *(expressions_of(statement) for statement in statements))
    return any(
        isinstance(node, Total) or (isinstance(node, Symbol) and node.indexed)
        for expression in expressions
        for node in walk(expression)
    )


def with_outputs(obligation: Obligation, outputs: int) -> Obligation:
    """The obligation for outputs 1, 2, ...: sums written out, hypotheses for every output, conclusion for the first.

    The coordinate of ``pi`` at the second output is the symbol ``pi[2]``. Of several sets the first one has so many
    elements, and the others another number; the coordinate of two of them is ``pi[2,1]``.
    """
    if not speaks_of_outputs(obligation):
        return obligation
    hypotheses, conclusion, defined = finite(obligation.hypotheses, obligation.conclusion, obligation.defined, outputs)
    return replace(obligation, hypotheses=hypotheses, conclusion=conclusion, defined=defined)
