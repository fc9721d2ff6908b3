"""Hypotheses ``symbol = expression``, used by substitution: what follows without the symbol, follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.language.statement import Statement, assignments, substitute_statement
from grpo_symbolic.obligations.obligation import domain_statement


def without(symbol: Symbol, value: Expression, hypotheses: Iterable[Statement]) -> tuple[Statement, ...]:
    """Hypotheses with a symbol replaced; its domain stays, as a hypothesis about what replaces it."""
    replaced = [substitute_statement(hypothesis, {symbol: value}) for hypothesis in hypotheses]
    if not symbol.domain.is_whole_line:
        replaced.append(domain_statement(symbol, value))
    return tuple(replaced)


def assigned(hypotheses: Sequence[Statement]) -> tuple[tuple[Statement, ...], tuple[tuple[Symbol, Expression], ...]]:
    """What is left of hypotheses when no ``symbol = expression`` is among them, and what was put for which symbol.

    The replacements are in the order in which they were made, which is that in which they apply to a conclusion.
    """
    rest, used = tuple(hypotheses), list[tuple[Symbol, Expression]]()
    while True:
        for number, hypothesis in enumerate(rest):
            found = next(assignments(hypothesis), None)
            if found is not None:
                rest = without(*found, (*rest[:number], *rest[number + 1 :]))
                used.append(found)
                break
        else:
            return rest, tuple(used)
