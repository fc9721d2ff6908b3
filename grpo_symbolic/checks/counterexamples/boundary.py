"""Where inequalities fail first: on the boundary of a hypothesis or of the conclusion.

At random points both sides of an equivalence between inequalities are nearly always true together or false
together, whatever their exact constants. A false one shows where one side is just attained.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grpo_symbolic.checks.confirmation import confirms
from grpo_symbolic.checks.counterexamples.search import counterexample
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Witness
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.obligations.obligation import Obligation


def boundary_counterexample(obligation: Obligation, settings: Settings) -> Witness | None:
    """A counterexample at which a weak hypothesis, or the negation of a strict conclusion, is an equality."""
    for restricted in _restricted(obligation):
        witness = counterexample(restricted, settings)
        if witness is not None and confirms(obligation, witness):
            return witness
    return None


def _restricted(obligation: Obligation) -> Iterator[Obligation]:
    """Obligations that fail on the solutions of an equation; their counterexamples are ones of this one too."""
    conclusion = obligation.conclusion
    if isinstance(conclusion, Relation) and conclusion.operator == "!=":
        yield obligation  # its sides are equal hardly anywhere, and there samples never are
    if isinstance(conclusion, Relation) and conclusion.operator in ("<", ">"):
        attained = replace(conclusion, operator="=")
        yield replace(obligation, hypotheses=(*obligation.hypotheses, attained))
    for position, hypothesis in enumerate(obligation.hypotheses):
        if isinstance(hypothesis, Relation) and hypothesis.operator in ("<=", ">="):
            attained = replace(hypothesis, operator="=")
            rest = obligation.hypotheses[:position], obligation.hypotheses[position + 1 :]
            yield replace(obligation, hypotheses=(*rest[0], attained, *rest[1]))
