"""Which solvers agree on a decision: both of them, or one alone."""

from __future__ import annotations

from grpo_symbolic.evidence import STANDING, Evidence

BOTH = "both solvers"


def agreement(item: Evidence) -> str | None:
    """``both solvers``, or ``z3 alone`` and the like; None for evidence that no solver decided.

    A solver that left a part open does not count. Where every solver did, different ones decided different parts.
    """
    if item.verdict not in STANDING or not any(answer.status == "unsat" for answer in item.answers):
        return None
    asked = dict.fromkeys(answer.solver for answer in item.answers)
    open_to = {answer.solver for answer in item.answers if answer.status != "unsat"}
    sure = [solver for solver in asked if solver not in open_to]
    if len(sure) > 1:
        return BOTH
    return f"{sure[0]} alone" if sure else "each solver in part"
