"""Whether a condition follows from what is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grpo_symbolic.checks import smt
from grpo_symbolic.evidence import Settings, Verdict
from grpo_symbolic.language.statement import Relation, Statement
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.ranges import decide_by_range

if TYPE_CHECKING:
    from grpo_symbolic.checks.proposer import Proposer


def is_shown(condition: Relation, known: tuple[Statement, ...], settings: Settings, proposer: Proposer) -> bool:
    """Whether a condition holds on all of the domains, is known, or follows from what is known."""
    if decide_by_range(condition) or condition in known:
        return True
    if smt.unavailable() is not None:
        return False
    found = smt.check(Obligation("side condition", known, condition), settings, proposer)
    return found is not None and found.verdict is Verdict.DECIDED
