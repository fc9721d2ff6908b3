"""What whoever gathers evidence asks for, and what whoever judges asks of it. Both are believed in nothing.

Here are only their shapes, which are imported for the type checker; ``judging.searching`` has what is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from grpo_symbolic.checks.proposals.installed import Skipped
from grpo_symbolic.checks.proposer import Proposer
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Evidence, Place
from grpo_symbolic.judging.verdicts import Gathered, Inquiry, Judgement
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.obligations.expansion import Premises
from grpo_symbolic.obligations.obligation import Obligation


class Search(Protocol):
    """What looks for points. Its evidence is at most SUPPORTED unless a check has sealed it."""

    @property
    def proposer(self) -> Proposer:
        """What proposes to the deciding methods how something could be shown, without searching for long."""

    @property
    def patient(self) -> Proposer:
        """What proposes once more, and searches for longer, where all of them have left something open."""

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Methods that are not there; for people."""

    def methods(self, obligation: Obligation) -> Iterable[str]:
        """The names of the deciding methods to ask, in turn; the first that decides an obligation ends this."""

    def sample(self, obligation: Obligation, proved: bool = False) -> Evidence | None:
        """Evaluate an obligation at some points, before anything else is asked; at few where all is ``proved``."""

    def sample_more(self, obligation: Obligation) -> Evidence | None:
        """Evaluate it at more points, those of ``sample`` among them; None if there are no more."""

    def counterexample(self, obligation: Obligation, found: Evidence | None, quiet: bool) -> Evidence | None:
        """A certified counterexample where a method has left something open, ``quiet`` if all samples agree.

        The evidence is None if no method is left, and the obligation would be left open.
        """

    def at(self, obligation: Obligation, point: Place) -> Evidence | None:
        """That an obligation fails at a point, if it certainly does."""

    def point(self, wanted: Premises) -> Evidence | None:
        """A certified point at which premises hold."""

    def zeros(self, statement: Statement) -> Iterable[Evidence]:
        """The digits of the zeros that a statement is about."""


class Investigator(Protocol):
    """What gathers evidence on what has to be shown, and compares claims with programs of their own."""

    def investigate(self, inquiry: Inquiry, where: str) -> Gathered:
        """Evidence on an inquiry; ``where`` names the claim in errors."""

    def compare(self, claim: Claim) -> Evidence | None:
        """What brute force says of a claim; at most SUPPORTED unless it refutes."""


class Prover(Protocol):
    """What has proofs of claims. Its word counts only if it is sealed, as the kernel's is."""

    def kept(self, claim: Claim) -> Evidence | None:
        """The kernel's word on a proof that was found before; None if there is none."""

    def found(self, claim: Claim, judgement: Judgement) -> Evidence | None:
        """The kernel's word on a proof that is found now, of what is decided or agrees at points; else None."""
