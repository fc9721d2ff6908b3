"""Decide a statement: expand it, ask the deciding methods about every obligation, and say what was found.

This is the function that turns a statement into DECIDED. What it imports has to be believed; what only proposes (the
order of the methods, samples, counterexamples, points at which hypotheses hold) is passed in as a Search, and is
believed in nothing: its evidence is about what it was asked, and at most SUPPORTED unless a check has sealed it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import ModuleType
from typing import TYPE_CHECKING

from grpo_symbolic.checks import enclosure, exact, ranges, smt
from grpo_symbolic.checks.totals import reduce_totals
from grpo_symbolic.errors import CheckError, GrpoSymbolicError, UnsupportedError
from grpo_symbolic.evidence import STANDING, Evidence, Verdict
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.language.expression import Binder, walk
from grpo_symbolic.language.statement import Statement, expressions_of
from grpo_symbolic.obligations.expansion import expand
from grpo_symbolic.obligations.obligation import WELL_DEFINED, Obligation, Plan, impossibility, well_defined
from grpo_symbolic.obligations.premises import Premises, premises

if TYPE_CHECKING:
    from grpo_symbolic.judging.search import Search

#: The deciding methods by name, cheapest and strongest first.
DECIDERS: Mapping[str, ModuleType] = {method.METHOD: method for method in (ranges, exact, smt, enclosure)}


def decide(
    statement: Statement,
    hypotheses: Sequence[Statement],
    where: str,
    search: Search,
    *,
    lemmas: Sequence[Statement] = (),
    composed: Evidence | None = None,
) -> Judgement:
    """Judge one statement under hypotheses; lemmas help to decide it but restrict no sample.

    ``composed`` is the evidence that it follows from the steps of its derivation; it is then only sampled.

    Raises:
        CheckError: if a check breaks, two methods contradict each other, or a search answers something else than what
            it was asked; ``where`` names the claim.
    """
    started = time.perf_counter()
    try:
        inquiry = _Inquiry(statement, tuple(hypotheses), tuple(lemmas), composed, search)
        judgement = inquiry.run()
    except (GrpoSymbolicError, ArithmeticError) as error:
        raise CheckError(f"{where}: {error}") from error
    return replace(judgement, seconds=time.perf_counter() - started)


class _Inquiry:
    """What is asked about one statement, and the evidence so far."""

    def __init__(
        self,
        statement: Statement,
        hypotheses: tuple[Statement, ...],
        lemmas: tuple[Statement, ...],
        composed: Evidence | None,
        search: Search,
    ) -> None:
        self._search, self._composed = search, composed
        bare = expand(statement, hypotheses)
        self._bare = _by_label(bare)
        self._plans = expand(statement, hypotheses, lemmas) if composed is None else ()
        self._statement = statement
        self._premises = premises(statement, hypotheses)
        necessary = {item.label: item for plan in bare for item in plan if item.necessary}
        # What is sampled is what the statement itself implies; if it implies nothing pointwise, a plan.
        self._samples = tuple((necessary or {item.label: item for item in bare[0]}).values())
        implied = {item.label for plan in (*bare, *self._plans) for item in plan if item.necessary}
        self._implied = frozenset(implied | {f"{label}{WELL_DEFINED}" for label in implied})
        self._tried: list[tuple[str, ...]] = []
        self._evidence: list[Evidence] = []
        self._asked: set[Obligation] = set()

    def run(self) -> Judgement:
        """Sample, try the plans in turn until one is decided, then ask whether the premises can hold."""
        for obligation in self._samples:
            self._add_searched(self._search.sample(obligation), obligation.label)
        if self._composed is not None:
            self._add(self._composed)
            self._tried.append((self._composed.obligation,))
        for plan in self._plans:
            if self._refuted() or (self._tried and all(STANDING & self._said(label) for label in self._tried[-1])):
                break
            parts = [part for obligation in plan for part in _with_side(obligation)]
            for part in parts:
                self._ask(part)
            self._tried.append(tuple(part.label for part in parts))
        if self._plans and self._tried:
            for zero in self._search.zeros(self._statement):
                self._add_searched(zero, zero.obligation)
        if not self._refuted():
            for wanted in self._premises:
                self._require(wanted)
        return self._so_far()

    def _so_far(self) -> Judgement:
        return Judgement(
            tuple(self._tried),
            self._implied,
            tuple(wanted.label for wanted in self._premises),
            tuple(item.label for item in self._samples),
            tuple(replace(item, candidates=()) for item in self._evidence),
            self._search.skipped,
        )

    def _refuted(self) -> bool:
        return self._so_far().verdict is Verdict.REFUTED

    def _said(self, label: str) -> set[Verdict]:
        """The verdicts of all evidence on an obligation."""
        return {item.verdict for item in self._evidence if item.obligation == label}

    def _add(self, found: Evidence | None) -> None:
        if found is not None and found not in self._evidence:
            self._evidence.append(found)

    def _add_searched(self, found: Evidence | None, label: str, decides: bool = False) -> None:
        """Add what a search says of what it was asked; it may refute but not decide, except by a point."""
        if found is not None and (found.obligation != label or (found.verdict in STANDING and not decides)):
            raise CheckError(
                f"a search says {found.verdict.value} of {found.obligation!r}, asked about {label!r}; only the "
                "deciding methods may decide"
            )
        self._add(found)

    def _ask(self, obligation: Obligation) -> None:
        """Ask the deciding methods in turn until one decides, searching for counterexamples in between."""
        if obligation in self._asked:
            return
        self._asked.add(obligation)
        reduced, label = self._reduced(obligation), obligation.label
        if reduced is None:
            return
        # The premise of a lemma is no part of the statement, so a counterexample to it says nothing.
        bare = self._bare.get(label)
        quiet = Verdict.SUPPORTED in self._said(label)
        for found in chain(self._answers(reduced), [None]):
            self._add(found)
            if found is not None and found.verdict in STANDING:
                break
            if bare is not None:
                # Aggregates vary independently after a reduction, so candidates for them say nothing.
                after = found if found is None or reduced == obligation else replace(found, candidates=())
                self._add_searched(self._search.counterexample(bare, after, quiet), label)
            if Verdict.REFUTED in self._said(label):
                return
        if Verdict.REFUTED in self._said(label) and STANDING & self._said(label):
            raise CheckError(f"methods contradict each other on {label!r}")

    def _reduced(self, obligation: Obligation) -> Obligation | None:
        """An obligation without sums; None if something is left for which the deciding methods have no word."""
        sides = (side for part in (*obligation.hypotheses, obligation.conclusion) for side in expressions_of(part))
        if any(isinstance(node, Binder) for side in sides for node in walk(side)):
            return None
        try:
            return reduce_totals(obligation, self._search.proposer)
        except UnsupportedError as error:
            self._add(Evidence(exact.METHOD, Verdict.UNDECIDED, obligation.label, str(error)))
            return None

    def _answers(self, reduced: Obligation) -> Iterator[Evidence]:
        """What the deciding methods say, one after the other."""
        for name in self._search.methods(reduced):
            found = DECIDERS[name].check(reduced, self._search.proposer)
            if found is not None:
                yield found

    def _require(self, wanted: Premises) -> None:
        """Show that premises can hold, by a point; failing this, ask whether they are impossible."""
        found = self._search.point(wanted)
        if found is not None:
            self._add_searched(found, wanted.label, decides=found.point is not None)
            return
        sides = [side for side in (wanted.statements, wanted.otherwise) if side]
        never = [found for side in sides if (found := self._impossible(wanted.label, side)) is not None]
        if len(never) < len(sides):
            note = "no point was found at which they certainly hold"
            self._add(Evidence("point", Verdict.UNDECIDED, wanted.label, note))
        elif wanted.otherwise:
            # Both sides of an equivalence never hold: it is true, and the evidence says why.
            for item in never:
                self._add(item)
        else:
            note = f"they never hold, by {never[0].method}; if this is what is meant, state it with never(...)"
            self._add(Evidence("point", Verdict.UNDECIDED, wanted.label, note, impossible=True))

    def _impossible(self, label: str, statements: tuple[Statement, ...]) -> Evidence | None:
        """Evidence that statements never hold together."""
        reduced = self._reduced(impossibility(label, statements))
        for found in () if reduced is None else self._answers(reduced):
            if found.verdict in STANDING:
                return replace(found, impossible=True, note=f"never holds: {found.note}")
        return None


def _by_label(plans: Sequence[Plan]) -> dict[str, Obligation]:
    """Obligations and their side conditions by label: where lemmas are true, they only get in a search's way.

    Raises:
        CheckError: if two different obligations have one label, since evidence is found by it.
    """
    found: dict[str, Obligation] = {}
    for obligation in (item for plan in plans for item in plan):
        for item in _with_side(obligation):
            if found.setdefault(item.label, item) != item:
                raise CheckError(f"two obligations are called {item.label!r}")
    return found


def _with_side(obligation: Obligation) -> tuple[Obligation, ...]:
    """An obligation and, unless it is defined everywhere, that it is."""
    side = well_defined(obligation)
    return (obligation,) if side is None else (obligation, side)
