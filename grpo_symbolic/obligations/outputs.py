"""Obligations about every output, written out for so many outputs."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from grpo_symbolic.language.expression import Expression, Symbol, Total, walk
from grpo_symbolic.language.outputs import written_out
from grpo_symbolic.language.statement import Statement, expressions_of, map_expressions
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

    The coordinate of ``pi`` at the second output is the symbol ``pi[2]``.
    """
    if not speaks_of_outputs(obligation):
        return obligation
    labels = [str(number) for number in range(1, outputs + 1)]

    def expression_at(label: str, expression: Expression) -> Expression:
        return written_out(expression, label, labels)

    def statement_at(label: str, statement: Statement) -> Statement:
        return map_expressions(statement, lambda side: expression_at(label, side))

    hypotheses = dict.fromkeys(statement_at(label, item) for item in obligation.hypotheses for label in labels)
    return replace(
        obligation,
        hypotheses=tuple(hypotheses),
        conclusion=statement_at(labels[0], obligation.conclusion),
        defined=tuple(expression_at(labels[0], item) for item in obligation.defined),
    )
