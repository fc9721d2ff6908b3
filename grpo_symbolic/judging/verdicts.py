"""What has to be shown of one statement, which evidence counts as showing it, and the verdict that follows from both.

Whoever gathers the evidence is believed in nothing: what stands or is refuted is sealed by a check, and it counts only
if the seal is for exactly what the statement expands to. Nobody sets the verdict on a statement: it is computed by
these rules. That on a claim is never higher.

* REFUTED: something that the statement implies is refuted.
* Otherwise, if it is not shown that the hypotheses and premises can hold, UNDECIDED.
* Otherwise the best plan counts, and each plan is worth its weakest part; several pieces of evidence on one part are
  worth the strongest.
* SUPPORTED also where no plan is decided and all samples of what the statement implies agree, unless these are samples
  of examples only.
* Never more than ``limit``, the weakest link among what the statement rests on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from grpo_symbolic.checks.deciding import DECIDERS
from grpo_symbolic.errors import CheckError
from grpo_symbolic.evidence import STANDING, Evidence, Place, Verdict, strongest, weakest
from grpo_symbolic.language.sequences import Supposed
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.obligations.expansion import Premises, expand, premises
from grpo_symbolic.obligations.obligation import WELL_DEFINED, Obligation, Plan, well_defined

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


@dataclass(frozen=True)
class Gathered:
    """Evidence on an inquiry, after how many of its plans were tried; for people, what was skipped and the time."""

    evidence: tuple[Evidence, ...]
    tried: int
    skipped: tuple[Skipped, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class Inquiry:
    """One statement under hypotheses; lemmas help to decide it but restrict no sample.

    ``whole`` is evidence on all of it, that it follows from the steps of its derivation or has a proof; it is then only
    sampled. A proof shows also that what it supposes can hold.
    ``proposed`` is a point at which it is said to fail.
    """

    statement: Statement
    hypotheses: tuple[Statement, ...] = ()
    lemmas: tuple[Statement, ...] = ()
    whole: Evidence | None = None
    proposed: Place = ()

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """Alternatives, each of which suffices; obligations are followed by their side conditions."""
        return () if self.whole is not None else self._expanded(self.lemmas)

    @cached_property
    def _stated(self) -> tuple[Plan, ...]:
        return self._expanded(())

    @cached_property
    def bare(self) -> Mapping[str, Obligation]:
        """What there is to be refuted, by label: where lemmas are true, they only get in a search's way."""
        return _by_label(item for plan in self._stated for item in plan)

    @cached_property
    def samples(self) -> tuple[Obligation, ...]:
        """What is sampled: what the statement itself implies; if it implies nothing pointwise, a plan."""
        stated = [[item for item in plan if not item.side_condition] for plan in self._stated]
        necessary = [item for plan in stated for item in plan if item.necessary]
        return tuple(_by_label(necessary or stated[0]).values())

    @cached_property
    def premises(self) -> tuple[Premises, ...]:
        """What must be shown to be able to hold for the statement to say anything."""
        if self.whole is not None and self.whole.verdict is Verdict.PROVED:
            return ()
        return premises(self.statement, self.hypotheses)

    def judgement(self, gathered: Gathered) -> Judgement:
        """What evidence says of the statement, by the first plans, those that were tried.

        Raises:
            CheckError: for evidence about something else, and where methods contradict each other.
        """
        for item in gathered.evidence:
            if item.verdict in STANDING and not self._shows(item):
                raise CheckError(f"{item.method} on {item.obligation!r}: {item.verdict.value} of something else")
            if item.verdict is Verdict.REFUTED and not item.is_sealed_for(self.bare.get(item.obligation)):
                raise CheckError(f"{item.method} on {item.obligation!r}: something else is refuted")
        evidence = gathered.evidence
        refuted = {item.obligation for item in evidence if item.verdict is Verdict.REFUTED}
        standing = {item.obligation for item in evidence if item.verdict in STANDING}
        plans = [{item.label for item in plan} for plan in self.plans[: gathered.tried]]
        # What a lemma helps to show stands only where all that the lemma supposes is shown as well.
        whole = {label for plan in plans if plan <= standing for label in plan}
        contradicted = [
            item.obligation
            for item in evidence
            if item.verdict in STANDING
            and item.obligation in refuted
            and (item.obligation in whole or item.is_sealed_for(self.bare.get(item.obligation)))
        ]
        if self.whole is not None and self.whole.verdict is Verdict.PROVED:
            contradicted += refuted & self._implied
        if contradicted:
            raise CheckError(f"methods contradict each other on {contradicted[0]!r}")
        by_itself = () if self.whole is None else ((self.whole.obligation,),)
        tried = self.plans[: gathered.tried]
        shown = dict.fromkeys(item.label for plan in tried for item in plan if item.possible)
        return Judgement(
            (*by_itself, *(tuple(item.label for item in plan) for plan in tried)),
            self._implied,
            (*(wanted.label for wanted in self.premises), *shown),
            () if self._of_examples else tuple(item.label for item in self.samples),
            tuple(replace(item, candidates=()) for item in evidence),
            gathered.skipped,
            gathered.seconds,
        )

    @property
    def _of_examples(self) -> bool:
        """Whether samples are of examples only: they are one function each of all of which something is stated."""
        return any(isinstance(item, Supposed) for item in self.hypotheses)

    @property
    def _implied(self) -> frozenset[str]:
        plans = (*self._stated, *self.plans)
        labels = {item.label for plan in plans for item in plan if item.necessary and not item.side_condition}
        return frozenset(labels | {f"{label}{WELL_DEFINED}" for label in labels})

    def _shows(self, item: Evidence) -> bool:
        """Whether evidence is about what has to be shown, or what must be able to hold."""
        parts = (part for plan in self.plans for part in plan) if item.method in DECIDERS else ()
        asked = (one for one in (*parts, *self.premises) if one.label == item.obligation)
        return item is self.whole or any(map(item.is_sealed_for, asked))

    def _expanded(self, lemmas: tuple[Statement, ...]) -> tuple[Plan, ...]:
        plans = expand(self.statement, self.hypotheses, lemmas)
        return tuple(tuple(part for item in plan for part in _with_side(item)) for plan in plans)


def _with_side(obligation: Obligation) -> Iterable[Obligation]:
    """An obligation and, unless it is defined everywhere, that it is."""
    side = well_defined(obligation)
    return (obligation,) if side is None else (obligation, side)


def _by_label(obligations: Iterable[Obligation]) -> dict[str, Obligation]:
    """Obligations by label.

    Raises:
        CheckError: if two different ones have one label, since evidence is found by it.
    """
    found: dict[str, Obligation] = {}
    for item in obligations:
        if found.setdefault(item.label, item) != item:
            raise CheckError(f"two obligations are called {item.label!r}")
    return found
