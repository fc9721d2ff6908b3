"""What looks for points when a statement is judged: samples, counterexamples, points at which premises hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grpo_symbolic.checks import binders, numeric, oracle, refuting, unique_zero
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.proposals.models import rounded
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Evidence, Settings
from grpo_symbolic.judging.decide import Candidates
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.obligations.premises import Premises


@dataclass(frozen=True)
class Searcher:
    """The search that every judgement uses, as hard as the settings say."""

    settings: Settings

    @property
    def proposer(self) -> Everything:
        """Everything that is proposed to the deciding methods."""
        return Everything(self.settings.seed)

    def sample(self, obligation: Obligation) -> Evidence | None:
        """Evaluate an obligation at many points; None if it has no value at a point."""
        return binders.check(obligation, self.settings) or numeric.check(obligation, self.settings)

    def counterexample(self, obligation: Obligation, candidates: Candidates) -> Evidence | None:
        """A certified counterexample, first near the candidates."""
        return refuting.refute(obligation, self.settings, rounded(candidates))

    def last_counterexample(self, obligation: Obligation) -> Evidence | None:
        """A certified counterexample at the boundary or in a corner."""
        return refuting.refute_last(obligation, self.settings)

    def point(self, wanted: Premises) -> Evidence | None:
        """A certified point at which premises hold."""
        return refuting.possible(wanted, self.settings)

    def zeros(self, statement: Statement) -> Iterator[Evidence]:
        """The digits of the zeros that a statement is about."""
        return unique_zero.zeros(statement)

    def compare(self, claim: Claim) -> Evidence | None:
        """What the claim's own program says, if it has one."""
        return oracle.check(claim, self.settings)
