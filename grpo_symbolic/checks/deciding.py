"""Ask the deciding methods about an obligation. Awards DECIDED where one of them does.

Soundness. No method is asked about sums: each of them is written by aggregates first, and what holds whatever the
aggregates are holds for the sums (``totals``). Nor is any asked about an integral, a series or a limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from grpo_symbolic.checks import enclosure, exact, ranges, smt
from grpo_symbolic.checks.awarding import transferred
from grpo_symbolic.checks.totals import reduce_totals
from grpo_symbolic.errors import CheckError, UnsupportedError
from grpo_symbolic.evidence import STANDING, Evidence
from grpo_symbolic.language.expression import walk
from grpo_symbolic.language.statement import expressions_of
from grpo_symbolic.obligations.obligation import Obligation, impossibility
from grpo_symbolic.obligations.premises import Premises

if TYPE_CHECKING:
    from grpo_symbolic.checks.proposer import Proposer

#: The deciding methods by name, cheapest and strongest first.
DECIDERS: Mapping[str, ModuleType] = {method.METHOD: method for method in (ranges, exact, smt, enclosure)}


class Reduced:
    """An obligation with aggregates in the place of its sums, about which the deciding methods can be asked.

    Raises:
        UnsupportedError: if something is left for which none of them has a word.
    """

    def __init__(self, obligation: Obligation, proposer: Proposer) -> None:
        sides = (side for part in (*obligation.hypotheses, obligation.conclusion) for side in expressions_of(part))
        if any(node.bound is not None for side in sides for node in walk(side)):
            raise UnsupportedError("no deciding method knows integrals, series or limits")
        self._original, self._proposer = obligation, proposer
        self.obligation = reduce_totals(obligation, proposer)

    def ask(self, method: str) -> Evidence | None:
        """What a method says of the obligation with its sums; None if it has no word for it."""
        found: Evidence | None = DECIDERS[method].check(self.obligation, self._proposer)
        return found if found is None or found.verdict not in STANDING else transferred(found, self._original)


def shown_impossible(wanted: Premises, found: Sequence[Evidence]) -> Sequence[Evidence]:
    """What shows that neither side of an equivalence can hold, as evidence that it is not vacuous: it holds.

    Raises:
        CheckError: if it is no equivalence, or the evidence is not about its two sides.
    """
    sides = [impossibility(wanted.label, side) for side in (wanted.statements, wanted.otherwise) if side]
    if len(sides) < 2 or any(not item.is_sealed_for(side) for item, side in zip(found, sides, strict=True)):
        raise CheckError(f"it is not shown that both sides never hold: {wanted.label}")
    return [transferred(item, wanted, impossible=True, note=f"never holds: {item.note}") for item in found]
