"""What looks for points when a statement is judged, and the order in which the deciding methods are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from grpo_symbolic.checks import binders, enclosure, exact, numeric, oracle, ranges, refuting, smt, unique_zero
from grpo_symbolic.checks.counterexamples.search import BRIEF_STEPS
from grpo_symbolic.checks.deciding import DECIDERS
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.proposals.installed import Skipped, skipped
from grpo_symbolic.checks.proposals.models import rounded
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Evidence, Place, Verdict
from grpo_symbolic.judging.investigation import investigate
from grpo_symbolic.judging.verdicts import Gathered, Inquiry
from grpo_symbolic.language.expression import Apply, walk
from grpo_symbolic.language.statement import All, Relation, Statement, expressions_of
from grpo_symbolic.obligations.expansion import Premises
from grpo_symbolic.obligations.obligation import Obligation

#: Told the name of a method just before it is asked, so that a reader can see what takes the time.
Watch: TypeAlias = Callable[[str], None]

_ABSTRACT = frozenset({"exp", "log", "cosh", "sinh", "tanh"})


def unwatched(method: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Searcher:
    """The search that every judgement uses, as hard as the settings say."""

    settings: Settings
    watch: Watch = unwatched

    @property
    def proposer(self) -> Everything:
        """Everything that is proposed to the deciding methods, certificates only if they are soon found."""
        return Everything(self.settings, brief=True)

    @property
    def patient(self) -> Everything:
        """Everything that is proposed, however long it takes to find."""
        return Everything(self.settings)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Deciding methods that are not there, and how to get them."""
        return skipped()

    def methods(self, obligation: Obligation) -> Iterator[str]:
        """Balls first where one number is free and solvers know a function by axioms only."""
        order = (ranges, enclosure, exact, smt) if _suits_balls(obligation) else DECIDERS.values()
        missing = {item.method for item in skipped()}
        for name in (method.METHOD for method in order):
            if name not in missing:
                self.watch(name)
                yield name

    def sample(self, obligation: Obligation, proved: bool = False) -> Evidence | None:
        """Evaluate an obligation at the first points, and at all unless it holds there; None if it has no values.

        Of what is ``proved``, it is enough if it holds at those of the first that there are and that digits reach.
        """
        self.watch(numeric.METHOD)
        settings = self.settings
        first = replace(settings, points=min(settings.points, settings.first_points))
        fewest = 1 if proved else numeric.FEWEST
        found = binders.check(obligation, settings) or numeric.check(obligation, first, fewest)
        if found is None or found.verdict is Verdict.SUPPORTED:
            return found
        return self.sample_more(obligation) or found

    def sample_more(self, obligation: Obligation) -> Evidence | None:
        """Evaluate an obligation at all points; None if those were the first, or it has no value at a point."""
        settings = self.settings
        # Between constants there is one point, and what is estimated was estimated at as many as that takes.
        if settings.points <= settings.first_points or not obligation.symbols:
            return None
        if binders.has_binders((*obligation.hypotheses, obligation.conclusion)):
            return None
        self.watch(numeric.METHOD)
        return numeric.check(obligation, settings)

    def counterexample(self, obligation: Obligation, found: Evidence | None, quiet: bool) -> Evidence | None:
        """A certified counterexample near candidates; without any only after normal forms, unless all samples agree.

        The search is brief as long as a method is left that may decide. Before a statement is left open, it is long,
        and goes on at the boundary, where the statement would fail first, and in corners; where only a decision counts,
        nobody looks for it.
        """
        if found is None and not self.settings.hunt:
            return None
        if found is None:
            self.watch(numeric.METHOD)
            return refuting.refute_last(obligation, self.settings)
        hunted = found.method == exact.METHOD and self.settings.hunt and not quiet
        if not found.candidates and not hunted:
            return None
        return refuting.refute(obligation, self.settings, rounded(found.candidates), steps=BRIEF_STEPS)

    def at(self, obligation: Obligation, point: Place) -> Evidence | None:
        """That an obligation fails at a point, if it certainly does."""
        return refuting.refute_at(obligation, point)

    def point(self, wanted: Premises) -> Evidence | None:
        """A certified point at which premises hold."""
        self.watch(refuting.POINT)
        return refuting.possible(wanted, self.settings)

    def zeros(self, statement: Statement) -> Iterator[Evidence]:
        """The digits of the zeros that a statement is about."""
        return unique_zero.zeros(statement)

    def investigate(self, inquiry: Inquiry, where: str) -> Gathered:
        """Everything that can be found about an inquiry; ``where`` names the claim in errors."""
        return investigate(inquiry, self, where)

    def compare(self, claim: Claim) -> Evidence | None:
        """What the claim's own program says, if it has one."""
        if claim.oracle is not None:
            self.watch(oracle.METHOD)
        return oracle.check(claim, self.settings)


def _suits_balls(obligation: Obligation) -> bool:
    if len(obligation.symbols) != 1 or not all(map(_is_inequality, obligation.hypotheses)):
        return False
    nodes = (node for expression in expressions_of(obligation.conclusion) for node in walk(expression))
    return any(isinstance(node, Apply) and node.operator in _ABSTRACT for node in nodes)


def _is_inequality(statement: Statement) -> bool:
    match statement:
        case Relation(_, operator, _):
            return operator not in ("=", "!=")
        case All(parts):
            return all(map(_is_inequality, parts))
        case _:
            return False
