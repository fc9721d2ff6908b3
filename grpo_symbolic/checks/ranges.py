"""Interval arithmetic on the domains of symbols: no solver is asked. Awards DECIDED.

Every operation of an expression maps intervals that contain its operands' values to one that contains its own; open
and infinite ends are kept. So where the intervals of two sides already compare as a relation says, it holds at every
point of the domains at which both sides have a value, whatever the hypotheses are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grpo_symbolic.checks.awarding import award
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.ranges import decide_by_range

if TYPE_CHECKING:
    from grpo_symbolic.checks.proposer import Proposer

METHOD = "range"


def check(goal: Obligation, proposer: Proposer) -> Evidence | None:
    """Decide a relation that follows from the domains alone; None for any other conclusion."""
    if not (isinstance(goal.conclusion, Relation) and decide_by_range(goal.conclusion)):
        return None
    return award(METHOD, Verdict.DECIDED, goal.label, goal, "interval arithmetic on the domains")
