"""Decide a statement: expand it, ask the deciding methods about every obligation, and say what was found.

This is the function that turns a claim into DECIDED. What it imports has to be believed; what only proposes (samples,
counterexamples, points at which hypotheses hold) is passed in as a Search, and is believed in nothing: it gives
evidence that checks have sealed, or none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from grpo_symbolic.checks import enclosure, exact, ranges, smt
from grpo_symbolic.checks.totals import reduce_totals
from grpo_symbolic.errors import CheckError, GrpoSymbolicError, UnsupportedError
from grpo_symbolic.evidence import STANDING, Evidence, Settings, Skipped, Verdict
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.language.expression import Apply, Binder, Expression, walk
from grpo_symbolic.language.statement import All, Relation, Statement, expressions_of
from grpo_symbolic.obligations.expansion import expand
from grpo_symbolic.obligations.obligation import WELL_DEFINED, Obligation, Plan, impossibility, well_defined
from grpo_symbolic.obligations.premises import Premises, premises

if TYPE_CHECKING:
    from grpo_symbolic.checks.proposer import Proposer

#: The deciding methods, cheapest and strongest first; the first that decides an obligation ends the search.
DECIDERS: tuple[ModuleType, ...] = (ranges, exact, smt, enclosure)
_ABSTRACT = frozenset({"exp", "log", "cosh", "sinh", "tanh"})

#: Told the name of a method just before it is asked, so that a reader can see what takes the time.
Watch: TypeAlias = Callable[[str], None]
Candidates: TypeAlias = Sequence[Mapping[Any, Fraction]]


def unwatched(method: str) -> None:
    """Tell nobody."""


class Search(Protocol):
    """What looks for points. Its evidence is at most SUPPORTED unless a check has sealed it."""

    @property
    def proposer(self) -> Proposer:
        """What proposes to the deciding methods how something could be shown."""

    def sample(self, obligation: Obligation) -> Evidence | None:
        """Evaluate an obligation at many points."""

    def counterexample(self, obligation: Obligation, candidates: Candidates) -> Evidence | None:
        """A certified counterexample, first near the candidates."""

    def last_counterexample(self, obligation: Obligation) -> Evidence | None:
        """A certified counterexample at the boundary or in a corner, for what would otherwise be left open."""

    def point(self, wanted: Premises) -> Evidence | None:
        """A certified point at which premises hold."""

    def zeros(self, statement: Statement) -> Iterable[Evidence]:
        """The digits of the zeros that a statement is about."""


def decide(
    statement: Statement,
    hypotheses: Sequence[Statement],
    settings: Settings,
    where: str,
    search: Search,
    *,
    lemmas: Sequence[Statement] = (),
    composed: Evidence | None = None,
    watch: Watch = unwatched,
) -> Judgement:
    """Judge one statement under hypotheses; lemmas help to decide it but restrict no sample.

    ``composed`` is the evidence that it follows from the steps of its derivation; it is then only sampled.

    Raises:
        CheckError: if a check breaks or two methods contradict each other; ``where`` names the claim.
    """
    started = time.perf_counter()
    try:
        inquiry = _Inquiry(statement, tuple(hypotheses), tuple(lemmas), composed, settings, search, watch)
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
        settings: Settings,
        search: Search,
        watch: Watch,
    ) -> None:
        self._settings, self._search, self._watch = settings, search, watch
        bare = expand(statement, hypotheses)
        self._bare = _by_label(bare)
        self._plans = bare if composed is not None else expand(statement, hypotheses, lemmas)
        self._statement, self._composed = statement, composed
        self._premises = premises(statement, hypotheses)
        necessary = {item.label: item for plan in bare for item in plan if item.necessary}
        # What is sampled is what the statement itself implies; if it implies nothing pointwise, a plan.
        self._samples = tuple((necessary or {item.label: item for item in bare[0]}).values())
        implied = {item.label for plan in (*bare, *self._plans) for item in plan if item.necessary}
        self._implied = frozenset(implied | {f"{label}{WELL_DEFINED}" for label in implied})
        self._evidence: list[Evidence] = []
        self._asked: set[Obligation] = set()

    def run(self) -> Judgement:
        """Sample, ask whether the premises can hold, then try the plans in turn until one is decided."""
        self._watch("numeric")
        for obligation in self._samples:
            self._add_searched(self._search.sample(obligation), obligation.label)
        plans: list[tuple[str, ...]] = []
        if self._composed is not None:
            self._add(self._composed)
            plans.append((self._composed.obligation,))
        elif self._so_far(plans).verdict is not Verdict.REFUTED:
            for plan in self._plans:
                plans.append(tuple(item.label for obligation in plan for item in _with_side(obligation)))
                for obligation in plan:
                    if obligation not in self._asked:
                        self._asked.add(obligation)
                        for item in _with_side(obligation):
                            self._ask(item)
                if self._so_far(plans).verdict is Verdict.REFUTED or _all_stand(plans[-1], self._evidence):
                    break
            for zero in self._search.zeros(self._statement):
                self._add_searched(zero, zero.obligation)
        if self._so_far(plans).verdict is not Verdict.REFUTED:
            for wanted in self._premises:
                self._require(wanted)
        return self._so_far(plans)

    def _so_far(self, plans: Sequence[tuple[str, ...]]) -> Judgement:
        skipped = (Skipped(method.METHOD, reason) for method in DECIDERS if (reason := method.unavailable()))
        return Judgement(
            tuple(plans),
            self._implied,
            tuple(wanted.label for wanted in self._premises),
            tuple(item.label for item in self._samples),
            tuple(replace(item, candidates=()) for item in self._evidence),
            tuple(skipped),
        )

    def _add_searched(self, found: Evidence | None, where: str) -> None:
        """Add what a search says, which may refute but not decide."""
        if found is not None and found.verdict in STANDING:
            raise CheckError(f"a search says {found.verdict.value} of {where!r}; only the deciding methods may")
        self._add(found)

    def _add(self, found: Evidence | None) -> None:
        if found is not None and found not in self._evidence:
            self._evidence.append(found)

    def _ask(self, obligation: Obligation) -> None:
        """Ask the deciding methods in turn until one decides, hunting where they point at a counterexample."""
        if _has_binders(obligation):
            return  # the deciding methods have no word for integrals, series and limits
        label = obligation.label
        bare = self._bare.get(label)
        try:
            reduced = reduce_totals(obligation, self._search.proposer)
        except UnsupportedError as error:
            self._add(Evidence("exact", Verdict.UNDECIDED, label, str(error)))
            return
        # Samples that agree leave nothing to hunt for, and the premise of a lemma is no part of the statement.
        quiet = bare is None or not self._settings.hunt or self._verdict(label) is Verdict.SUPPORTED
        for method in _order(reduced):
            if method.unavailable() is not None:
                continue
            self._watch(method.METHOD)
            found = method.check(reduced, self._settings, self._search.proposer)
            self._add(found)
            if found is None:
                continue
            if found.verdict in STANDING:
                break
            # Aggregates vary independently after a reduction, so candidates for them say nothing.
            candidates = found.candidates if reduced == obligation else ()
            if bare is not None and (candidates or (method is exact and not quiet)):
                self._add_searched(self._search.counterexample(bare, candidates), label)
            if self._verdict(label) is Verdict.REFUTED:
                return
        else:
            # Before a statement is left open, look where it would fail first, and then in corners.
            self._watch("numeric")
            if bare is not None:
                self._add_searched(self._search.last_counterexample(bare), label)
        if self._verdict(label) is Verdict.REFUTED and _all_stand((label,), self._evidence):
            raise CheckError(f"methods contradict each other on {label!r}")

    def _verdict(self, label: str) -> Verdict | None:
        verdicts = {item.verdict for item in self._evidence if item.obligation == label}
        for verdict in (Verdict.REFUTED, *STANDING, Verdict.SUPPORTED):
            if verdict in verdicts:
                return verdict
        return None

    def _require(self, wanted: Premises) -> None:
        """Show that premises can hold, by a point; failing this, ask whether they are impossible."""
        self._watch("point")
        found = self._search.point(wanted)
        if found is not None:
            self._add(found)
            return
        sides = [side for side in (wanted.statements, wanted.otherwise) if side]
        decided = [self._impossible(wanted.label, side) for side in sides]
        if None in decided:
            note = "no point was found at which they certainly hold"
            self._add(Evidence("point", Verdict.UNDECIDED, wanted.label, note))
        elif wanted.otherwise:
            # Both sides of an equivalence never hold: it is true, and the evidence says why.
            for item in decided:
                self._add(item)
        else:
            by = " and ".join(item.method for item in decided if item is not None)
            note = f"they never hold, by {by}; if this is what is meant, state it with never(...)"
            self._add(Evidence("point", Verdict.UNDECIDED, wanted.label, note, impossible=True))

    def _impossible(self, label: str, statements: tuple[Statement, ...]) -> Evidence | None:
        """Evidence that statements never hold together."""
        obligation = impossibility(label, statements)
        if _has_binders(obligation):
            return None
        try:
            reduced = reduce_totals(obligation, self._search.proposer)
        except UnsupportedError:
            return None
        for method in _order(reduced):
            if method.unavailable() is not None:
                continue
            found: Evidence | None = method.check(reduced, self._settings, self._search.proposer)
            if found is not None and found.verdict in STANDING:
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


def _all_stand(labels: Sequence[str], evidence: Sequence[Evidence]) -> bool:
    standing = {item.obligation for item in evidence if item.verdict in STANDING}
    return standing.issuperset(labels)


def _has_binders(obligation: Obligation) -> bool:
    """Whether an integral, series or limit occurs."""
    return any(isinstance(node, Binder) for side in _sides(obligation) for node in walk(side))


def _sides(obligation: Obligation) -> list[Expression]:
    statements = (*obligation.hypotheses, obligation.conclusion)
    return [side for statement in statements for side in expressions_of(statement)]


def _order(obligation: Obligation) -> tuple[ModuleType, ...]:
    """The deciding methods: balls first where one number is free and solvers know a function by axioms only."""
    if len(obligation.symbols) == 1 and all(map(_is_inequality, obligation.hypotheses)):
        nodes = (node for expression in expressions_of(obligation.conclusion) for node in walk(expression))
        if any(isinstance(node, Apply) and node.operator in _ABSTRACT for node in nodes):
            return ranges, enclosure, exact, smt
    return DECIDERS


def _is_inequality(statement: Statement) -> bool:
    match statement:
        case Relation(_, operator, _):
            return operator not in ("=", "!=")
        case All(parts):
            return all(map(_is_inequality, parts))
        case _:
            return False
