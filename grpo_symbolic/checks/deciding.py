"""Ask the deciding methods about an obligation, or compose steps. Awards DECIDED where one of them or all do.

Soundness. No method is asked about sums: each of them is written by aggregates first, and what holds whatever the
aggregates are holds for the sums (``totals``). Nor is any asked about an integral, a series or a limit; a sum up to a
number of which a hypothesis speaks has a value where that holds, and what follows whatever this is, follows. Of gamma
functions they are told no more than their recursion (``factorials``).
From a = b and b <= c follows a <= c; from A <=> B and B => C follows A => C. The steps are claims of their own, and the
weakest link among them bounds the verdict; nothing else is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

from grpo_symbolic.checks import enclosure, exact, ranges, smt
from grpo_symbolic.checks.awarding import award, transferred
from grpo_symbolic.checks.common_terms import generalised, known_sums
from grpo_symbolic.checks.factorials import by_recursion
from grpo_symbolic.checks.totals import reduce_totals
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.errors import CheckError, UnsupportedError
from grpo_symbolic.evidence import STANDING, Evidence, Verdict
from grpo_symbolic.language.composites import Summed
from grpo_symbolic.language.expression import Expression, walk
from grpo_symbolic.language.statement import conjuncts
from grpo_symbolic.obligations.expansion import Premises
from grpo_symbolic.obligations.obligation import Obligation, impossibility

if TYPE_CHECKING:
    from grpo_symbolic.checks.proposer import Proposer

#: The deciding methods by name, cheapest and strongest first.
DECIDERS: Mapping[str, ModuleType] = {method.METHOD: method for method in (ranges, exact, smt, enclosure)}
#: That a claim is exactly what its derivation composes to, as a method.
COMPOSITION = "composition"


class Reduced:
    """An obligation with aggregates in the place of its sums, about which the deciding methods can be asked.

    Raises:
        UnsupportedError: if something is left for which none of them has a word.
    """

    def __init__(self, obligation: Obligation, proposer: Proposer, patient: Proposer | None = None) -> None:
        plain = generalised(obligation, known_sums(obligation))
        if any(node.bound is not None for side in plain.expressions for node in walk(side)):
            raise UnsupportedError("no deciding method knows integrals, series or limits")
        self._original, self._proposer, self._patient = obligation, proposer, patient or proposer
        self.obligation = reduce_totals(by_recursion(plain), proposer)

    def ask(self, method: str, *, patiently: bool = False) -> Evidence | None:
        """What a method says of the conclusion, part by part; None if it has no word for one of them.

        ``patiently`` it hears the proposer that searches for longer, if there is one.
        """
        proposer = self._patient if patiently else self._proposer
        goals = list(conjuncts(self.obligation.conclusion)) or [self.obligation.conclusion]
        told: list[Evidence] = []
        for goal in goals:
            found = DECIDERS[method].check(replace(self.obligation, conclusion=goal), proposer)
            if found is None:
                return None
            where = f"{goal}: " if len(goals) > 1 and found.verdict not in STANDING else ""
            told.append(replace(found, note=f"{where}{found.note}"))
            # An expression has no value as soon as one of its side conditions fails, so the others are asked as well.
            if found.verdict not in STANDING and not self.obligation.side_condition:
                break
        if resisting := [item for item in told if item.verdict not in STANDING]:
            return replace(resisting[0], candidates=tuple(point for item in resisting for point in item.candidates))
        return transferred(
            told[0],
            self._original.label,
            self._original,
            note="; ".join(dict.fromkeys(item.note for item in told)),
            answers=tuple(dict.fromkeys(answer for item in told for answer in item.answers)),
            aids=tuple(dict.fromkeys(aid for item in told for aid in item.aids)),
        )


def shown_impossible(wanted: Premises, found: Sequence[Evidence]) -> Sequence[Evidence]:
    """What shows that neither side of an equivalence can hold, as evidence that it is not vacuous: it holds.

    Raises:
        CheckError: if it is no equivalence, or the evidence is not about its two sides.
    """
    sides = [impossibility(wanted.label, side) for side in (wanted.statements, wanted.otherwise) if side]
    if len(sides) < 2 or any(not item.is_sealed_for(side) for item, side in zip(found, sides, strict=True)):
        raise CheckError(f"it is not shown that both sides never hold: {wanted.label}")
    return [
        transferred(item, wanted.label, wanted, impossible=True, note=f"never holds: {item.note}") for item in found
    ]


def composed(claim: Claim) -> Evidence | None:
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
    return award(COMPOSITION, Verdict.DECIDED, COMPOSITION, claim, note)
