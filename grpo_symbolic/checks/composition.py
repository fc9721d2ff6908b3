"""A claim that says exactly what its derivation composes to follows from the steps. Awards DECIDED.

From a = b and b <= c follows a <= c; from A <=> B and B => C follows A => C. The steps are claims of their
own, and the weakest link among them bounds the verdict; nothing else is used.
"""

from __future__ import annotations

from grpo_symbolic.checks.awarding import award
from grpo_symbolic.derivation.chain import Claim, Whole
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.language.composites import Summed
from grpo_symbolic.language.expression import Expression

METHOD = "composition"


def check(claim: Claim) -> Evidence | None:
    """Compare the claim with what its steps compose to; None if it says anything else.

    A step by a weighted sum over all outputs speaks about every output, not only about the line before it, so
    a derivation with such a step composes to nothing here.
    """
    chain = claim.derivation
    if chain is None or not chain.steps or claim.given != chain.given:
        return None
    if any(isinstance(step.to, Summed) for step in chain.steps) or claim.statement != chain.statement:
        return None
    kind = "transitivity" if isinstance(chain.start, Expression) else "composition of implications"
    count = len(chain.steps)
    note = f"follows from its {count} step{'' if count == 1 else 's'} by {kind}"
    return award(METHOD, Verdict.DECIDED, Whole(claim, METHOD), note)
