"""What is known about one statement: what has to be shown, what was found, and the verdict that follows from both.

Nobody sets the verdict on a statement: it is computed by these rules. That on a claim is never higher.

* REFUTED: something that the statement implies is refuted.
* Otherwise, if it is not shown that the hypotheses and premises can hold, UNDECIDED.
* Otherwise the best plan counts, and each plan is worth its weakest part; several pieces of evidence on one part are
  worth the strongest.
* SUPPORTED also where no plan is decided and all samples of what the statement implies agree.
* Never more than ``limit``, the weakest link among what the statement rests on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from grpo_symbolic.evidence import STANDING, Evidence, Verdict, strongest, weakest

if TYPE_CHECKING:
    from grpo_symbolic.checks.proposals.installed import Skipped


@dataclass(frozen=True)
class Judgement:
    """What the checks say about one statement.

    ``plans`` are alternatives, each the labels of all that suffices to decide the statement; ``implied`` are the labels
    of what the statement implies, whose refutation refutes it; ``possible`` those of what must be able to hold for it
    to say anything; ``sampled`` those of which samples alone support the statement.
    """

    plans: tuple[tuple[str, ...], ...]
    implied: frozenset[str]
    possible: tuple[str, ...]
    sampled: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    skipped: tuple[Skipped, ...] = ()
    seconds: float = 0.0
    limit: Verdict = Verdict.PROVED

    @classmethod
    def left_open(cls, *evidence: Evidence, seconds: float = 0.0) -> Judgement:
        """That nothing was shown, with what is known of why."""
        return cls((), frozenset(), (), (), evidence, seconds=seconds)

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict, by the rules above."""
        if any(item.verdict is Verdict.REFUTED and item.obligation in self.implied for item in self.evidence):
            return Verdict.REFUTED
        if self.vacuous:
            return Verdict.UNDECIDED
        return weakest([self._shown, self.limit])

    @property
    def vacuous(self) -> bool:
        """Whether it is not shown that the hypotheses can hold."""
        return any(self._best(label) not in STANDING for label in self.possible)

    @property
    def _shown(self) -> Verdict:
        # A plan without any part has shown nothing.
        shown = strongest(weakest(map(self._standing, plan)) for plan in self.plans if plan)
        if shown is Verdict.UNDECIDED and self.sampled:
            samples = weakest(map(self._standing, self.sampled))
            return Verdict.SUPPORTED if samples.rank >= Verdict.SUPPORTED.rank else shown
        return shown

    def _standing(self, label: str) -> Verdict:
        """What a part is worth; refuted without being implied, it says only that this plan does not work."""
        return Verdict.UNDECIDED if self._best(label) is Verdict.REFUTED else self._best(label)

    def _best(self, label: str) -> Verdict:
        said = {item.verdict for item in self.evidence if item.obligation == label}
        return Verdict.REFUTED if Verdict.REFUTED in said else strongest(said)
