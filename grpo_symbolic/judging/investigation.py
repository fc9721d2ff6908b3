"""Gather evidence on an inquiry: sample, try plans in turn, search for counterexamples, show that premises can hold.

Nothing rests on this: what is gathered counts only if a check has sealed it for exactly what is asked (``verdicts``).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from grpo_symbolic.checks import exact, smt
from grpo_symbolic.checks.binders import has_binders
from grpo_symbolic.checks.deciding import Reduced, shown_impossible
from grpo_symbolic.errors import CheckError, GrpoSymbolicError, UnsupportedError
from grpo_symbolic.evidence import AWARDED, STANDING, Evidence, Verdict
from grpo_symbolic.judging.verdicts import Gathered, Inquiry
from grpo_symbolic.language.expression import Apply, Number, Symbol, walk
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.obligations.expansion import Premises
from grpo_symbolic.obligations.obligation import Obligation, impossibility
from grpo_symbolic.obligations.support import divided

if TYPE_CHECKING:
    from grpo_symbolic.judging.search import Search

#: Larger numbers may have no machine number near them.
_FLOATS = 10**300
#: What solvers for polynomials know as it is, and not by axioms.
_ALGEBRAIC = frozenset(
    ("add", "subtract", "multiply", "divide", "negate", "power", "sqrt", "absolute", "maximum", "minimum")
)


def investigate(inquiry: Inquiry, search: Search, where: str) -> Gathered:
    """Everything that was found about an inquiry.

    Raises:
        CheckError: if a check breaks, two methods contradict each other, or a search answers something else than what
            it was asked; ``where`` names the claim.
    """
    started = time.perf_counter()
    try:
        investigation = _Investigation(inquiry, search)
        investigation.run()
        gathered = replace(investigation.gathered, seconds=time.perf_counter() - started)
        # What would not be accepted is told here, with its place.
        inquiry.judgement(gathered)
    except (GrpoSymbolicError, ArithmeticError) as error:
        raise CheckError(f"{where}: {error}") from error
    return gathered


class _Investigation:
    """What was found so far."""

    def __init__(self, inquiry: Inquiry, search: Search) -> None:
        self._inquiry, self._search = inquiry, search
        self._evidence: list[Evidence] = []
        self._tried = 0
        self._asked: set[Obligation] = set()
        self._samples = {item.label: item for item in inquiry.samples}

    @property
    def gathered(self) -> Gathered:
        """The evidence so far."""
        return Gathered(tuple(self._evidence), self._tried, self._search.skipped)

    def run(self) -> None:
        """Sample a little, try the plans in turn until one is decided, then ask whether the premises can hold.

        What is not decided by then is sampled in full: a verdict that rests on samples alone rests on all of them.
        A point at which the statement is said to fail comes before everything, and is all if it does.

        Raises:
            CheckError: if it does not fail there.
        """
        if self._inquiry.proposed:
            self._try_proposed()
            return
        whole = self._inquiry.whole
        proved = whole is not None and whole.verdict is Verdict.PROVED
        for obligation in self._inquiry.samples:
            self._add_searched(self._search.sample(obligation, proved), obligation.label)
        self._add(whole)
        for plan in self._inquiry.plans:
            if self._refuted():
                break
            self._tried += 1
            for obligation in plan:
                self._settle(obligation)
            if all(STANDING & self._said(obligation.label) for obligation in plan):
                break
        if self._tried or whole is not None:
            for zero in self._search.zeros(self._inquiry.statement):
                self._add(zero)
        if not self._refuted():
            for wanted in self._inquiry.premises:
                self._require(wanted)
        if self._verdict not in AWARDED:
            for label in list(self._samples):
                self._sample_more(label)
            self._doubt()

    def _try_proposed(self) -> None:
        for obligation in self._inquiry.bare.values():
            at = divided(self._inquiry.proposed, obligation)
            self._add_searched(self._search.at(obligation, at), obligation.label)
            if self._refuted():
                return
        where = ", ".join(f"{name} = {value}" for name, value in self._inquiry.proposed)
        raise CheckError(
            f"it is said to fail at {where}, but this was not confirmed; give values to all symbols, inside their "
            "domains, at which all hypotheses and the paper's setting hold and the statement does not"
        )

    def _sample_more(self, label: str) -> None:
        """Replace what the first samples say of something, if they all agree, by what all of them say."""
        obligation = self._samples.pop(label, None)
        if obligation is None or Verdict.SUPPORTED not in self._said(label):
            return
        found = self._search.sample_more(obligation)
        if found is None:
            return
        same = [item for item in self._evidence if item.method == found.method and item.obligation == label]
        place = self._evidence.index(same[0]) if same else len(self._evidence)
        self._evidence = [item for item in self._evidence if item not in same]
        self._add_searched(found, label, place)

    def _doubt(self) -> None:
        """Where a solver has a model of the contrary, agreeing samples support nothing: none may have met it."""
        for found in list(self._evidence):
            if found.method != smt.METHOD or not self._is_model(found):
                continue
            for place, item in enumerate(self._evidence):
                if item.obligation == found.obligation and item.verdict is Verdict.SUPPORTED:
                    note = f"{item.note}, but a solver has a model{_near(found)}"
                    self._evidence[place] = replace(item, verdict=Verdict.UNDECIDED, note=note)

    def _is_model(self, found: Evidence) -> bool:
        """Whether a solver found a point, and everything in the obligation means to it what it means to us."""
        if not any(answer.status == "sat" for answer in found.answers):
            return False
        plan = next((one for plan in self._inquiry.plans for one in plan if one.label == found.obligation), None)
        if plan is None:
            return False
        nodes = (node for side in plan.expressions for node in walk(side))
        return all(
            isinstance(node, (Number, Symbol)) or (isinstance(node, Apply) and node.operator in _ALGEBRAIC)
            for node in nodes
        )

    @property
    def _verdict(self) -> Verdict:
        return self._inquiry.judgement(self.gathered).verdict

    def _refuted(self) -> bool:
        return self._verdict is Verdict.REFUTED

    def _said(self, label: str) -> set[Verdict]:
        """The verdicts of all evidence on an obligation."""
        return {item.verdict for item in self._evidence if item.obligation == label}

    def _add(self, found: Evidence | None, place: int | None = None) -> None:
        if found is not None and found not in self._evidence:
            self._evidence.insert(len(self._evidence) if place is None else place, found)

    def _add_searched(self, found: Evidence | None, label: str, place: int | None = None) -> None:
        """Add what a search says, which has to be about what it was asked; what it says unsealed counts as well."""
        if found is not None and found.obligation != label:
            raise CheckError(
                f"a search says {found.verdict.value} of {found.obligation!r}, asked about {label!r}; an answer has to "
                "be about what was asked"
            )
        self._add(found, place)

    def _settle(self, obligation: Obligation) -> None:
        """Ask the deciding methods in turn until one decides, searching for counterexamples in between."""
        if obligation in self._asked:
            return
        self._asked.add(obligation)
        reduced, label = self._reduced(obligation), obligation.label
        if reduced is None:
            return
        # The premise of a lemma is no part of the statement, so a counterexample to it says nothing.
        bare = self._inquiry.bare.get(label)
        for found in chain(self._answers(reduced), [None]):
            if found is None:
                self._sample_more(label)
            self._add(found)
            if found is not None and found.verdict in STANDING:
                return
            if bare is not None:
                # Aggregates vary independently after a reduction, so candidates for them say nothing.
                after = found if found is None or reduced.obligation == obligation else replace(found, candidates=())
                quiet = Verdict.SUPPORTED in self._said(label)
                self._add_searched(self._search.counterexample(bare, after, quiet), label)
            if Verdict.REFUTED in self._said(label):
                return

    def _reduced(self, obligation: Obligation) -> Reduced | None:
        """An obligation without sums; None if something is left for which the deciding methods have no word."""
        try:
            return Reduced(obligation, self._search.proposer, self._search.patient)
        except UnsupportedError as error:
            # Of integrals, series and limits whoever samples them has said all there is to say.
            if not has_binders((*obligation.hypotheses, obligation.conclusion)):
                self._add(Evidence(exact.METHOD, Verdict.UNDECIDED, obligation.label, str(error)))
            return None

    def _answers(self, reduced: Reduced) -> Iterator[Evidence]:
        """What the deciding methods say, one after the other; at last the exact one again, about what takes longer."""
        said: dict[str, Evidence | None] = {}
        for method in self._search.methods(reduced.obligation):
            found = said[method] = reduced.ask(method)
            if found is not None:
                yield found
        found = reduced.ask(exact.METHOD, patiently=True) if exact.METHOD in said else None
        if found is not None and found != said[exact.METHOD]:
            yield found

    def _require(self, wanted: Premises) -> None:
        """Show that premises can hold, by a point; failing this, ask whether they are impossible."""
        found = self._search.point(wanted)
        if found is not None:
            self._add_searched(found, wanted.label)
            return
        sides = [side for side in (wanted.statements, wanted.otherwise) if side]
        never = [found for side in sides if (found := self._impossible(wanted.label, side)) is not None]
        if len(never) < len(sides):
            note = "no point was found at which they certainly hold"
            self._add(Evidence("point", Verdict.UNDECIDED, wanted.label, note))
        elif wanted.otherwise:
            for item in shown_impossible(wanted, never):
                self._add(item)
        else:
            note = f"they never hold, by {never[0].method}; if this is what is meant, state it with never(...)"
            self._add(Evidence("point", Verdict.UNDECIDED, wanted.label, note, impossible=True))

    def _impossible(self, label: str, statements: tuple[Statement, ...]) -> Evidence | None:
        """Evidence that statements never hold together."""
        reduced = self._reduced(impossibility(label, statements))
        answers = () if reduced is None else self._answers(reduced)
        return next((found for found in answers if found.verdict in STANDING), None)


def _near(found: Evidence) -> str:
    """Where a solver's model is, in few digits."""
    point = next(iter(found.candidates), {})
    values = [f"{symbol} = {float(value):.6g}" for symbol, value in point.items() if abs(value) < _FLOATS]
    return f" near {', '.join(values)}" if values else ""
