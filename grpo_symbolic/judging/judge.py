"""Run the checks on a claim and combine what they found; then let no claim stand above what it rests on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TypeAlias

from grpo_symbolic.checks import binders, composition, enclosure, exact, numeric, oracle, smt, unique_zero
from grpo_symbolic.checks.counterexamples.boundary import boundary_counterexample
from grpo_symbolic.checks.counterexamples.climb import climbed_counterexample
from grpo_symbolic.checks.totals import reduce_totals
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.source import AMBIGUOUS, Quote
from grpo_symbolic.errors import CheckError, GrpoSymbolicError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Settings, Skipped, Verdict, strongest, weakest
from grpo_symbolic.language.expression import Apply, walk
from grpo_symbolic.language.statement import All, Relation, Statement, expressions_of
from grpo_symbolic.obligations.expansion import expand
from grpo_symbolic.obligations.obligation import WELL_DEFINED, Obligation, Plan, well_defined

#: The deciding methods, cheapest and strongest first; the first that decides an obligation ends the search.
DECIDERS = (exact, smt, enclosure)
_ABSTRACT = frozenset({"exp", "log", "cosh", "sinh", "tanh"})

#: Told the name of a method just before it is asked, so that a reader can see what takes the time.
Watch: TypeAlias = Callable[[str], None]


def _unwatched(method: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Judgement:
    """What the checks say about one statement taken alone."""

    verdict: Verdict
    evidence: tuple[Evidence, ...]
    skipped: tuple[Skipped, ...]
    seconds: float

    @property
    def digits(self) -> int | None:
        """The fewest digits to which samples agree; an oracle's own approximation says nothing about the formula."""
        sampled = [item.digits for item in self.evidence if item.method == numeric.METHOD and item.digits is not None]
        return min(sampled, default=None)


@dataclass(frozen=True)
class Judged:
    """A claim with its judgement, the judgement of what is printed, and its verdict after weakest link."""

    claim: Claim
    since: tuple[str, ...]
    alone: Judgement
    printed: Judgement | None
    verdict: Verdict

    @property
    def assumes(self) -> tuple[str, ...]:
        """The ids of the assumptions that the claim rests on, however indirectly."""
        return self.claim.assumes

    @property
    def carries(self) -> Verdict:
        """The height up to which another claim may rest on this one: an assumption is granted unless it is refuted.

        What rests on something refuted may still be true for another reason.
        """
        if self.verdict is Verdict.REFUTED:
            return Verdict.UNDECIDED
        return Verdict.PROVED if self.claim.assumed else self.verdict

    @property
    def ambiguous(self) -> bool:
        """Whether one reading of what is printed fails and another, which the claim states, is decided."""
        quote = self.claim.printed
        return (
            self._printed_fails
            and quote is not None
            and quote.severity == AMBIGUOUS
            and self.verdict.rank >= Verdict.DECIDED.rank
        )

    @property
    def erratum(self) -> bool:
        """Whether what is printed fails under every reading that was given."""
        return self._printed_fails and not self.ambiguous

    @property
    def _printed_fails(self) -> bool:
        return self.printed is not None and self.printed.verdict is Verdict.REFUTED


def judge_claim(claim: Claim, settings: Settings, watch: Watch = _unwatched) -> tuple[Judgement, Judgement | None]:
    """Judge a claim's statement and, separately, what the paper prints in its place.

    ``watch`` is told which method is asked next.
    """
    given, lemmas = hypotheses_and_lemmas(claim)
    if claim.assumed:
        # Its symbols stand for things that the statement does not define, so only an oracle can look at them.
        alone = Judgement(Verdict.UNDECIDED, (), (), 0.0)
    else:
        composed = composition.check(claim)
        alone = judge_statement(
            claim.statement, given, settings, claim.id, lemmas=lemmas, composed=composed, watch=watch
        )
    if claim.oracle is not None:
        watch(oracle.METHOD)
    compared = oracle.check(claim, settings)
    if compared is not None:
        if compared.verdict is Verdict.REFUTED and alone.verdict.rank >= Verdict.DECIDED.rank:
            raise CheckError(f"{claim.id}: decided, but brute force disagrees: {compared.note} at {compared.witness}")
        refuted = Verdict.REFUTED in (alone.verdict, compared.verdict)
        verdict = Verdict.REFUTED if refuted else strongest([alone.verdict, compared.verdict])
        alone = replace(alone, evidence=(*alone.evidence, compared), verdict=verdict)
    return alone, None if claim.printed is None else _judge_quote(claim, claim.printed, alone, settings, watch)


def hypotheses_and_lemmas(claim: Claim) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """What samples must satisfy, and what only helps to decide.

    What is assumed cannot be expected of arbitrary values, nor can what rests on it: both are hypotheses, not lemmas.
    """
    assumed = dict.fromkeys(lemma.statement for lemma in claim.using_anywhere if lemma.assuming)
    return (*claim.given, *assumed), tuple(lemma.statement for lemma in claim.using if not lemma.assuming)


def _judge_quote(claim: Claim, quote: Quote, alone: Judgement, settings: Settings, watch: Watch) -> Judgement:
    """Judge what a paper prints, under the hypotheses that it states itself.

    The claim's lemmas may help where the quote has the claim's hypotheses; elsewhere they may not hold.
    """
    same_hypotheses = quote.hypotheses == claim.given
    if same_hypotheses and quote.statement == claim.statement:
        return replace(alone, seconds=0.0)
    lemmas = tuple(lemma.statement for lemma in claim.using) if same_hypotheses else ()
    where = f"{claim.id} (printed)"
    return judge_statement(quote.statement, quote.hypotheses, settings, where, lemmas=lemmas, watch=watch)


def judge_statement(
    statement: Statement,
    hypotheses: Sequence[Statement],
    settings: Settings,
    where: str,
    *,
    lemmas: Sequence[Statement] = (),
    composed: Evidence | None = None,
    watch: Watch = _unwatched,
) -> Judgement:
    """Judge one statement under hypotheses; lemmas help to decide it but restrict no sample.

    ``composed`` is the evidence that it follows from the steps of its derivation; it is then only sampled.

    Raises:
        CheckError: if a check breaks or two methods contradict each other; ``where`` names the claim.
    """
    started = time.perf_counter()
    skipped = tuple(
        Skipped(method.METHOD, reason) for method in DECIDERS if (reason := method.unavailable()) is not None
    )
    try:
        bare = expand(statement, hypotheses)
        watch(numeric.METHOD)
        evidence = list(_sample(bare, settings))
        plans = expand(statement, hypotheses, lemmas)
        if _refuted(plans, evidence):
            verdict = Verdict.REFUTED
        elif composed is not None:
            evidence.append(composed)
            verdict = composed.verdict
        else:
            zeros = dict(unique_zero.check(statement))
            verdict = _decide(plans, _Inquiry(_without_lemmas(bare), zeros, evidence, settings, watch))
        if hypotheses and verdict.rank >= Verdict.DECIDED.rank and not _can_hold(evidence):
            note = "vacuous? no point that satisfies the hypotheses was found"
            evidence.append(Evidence("numeric", Verdict.UNDECIDED, "hypotheses", note))
            verdict = Verdict.UNDECIDED
    except (GrpoSymbolicError, ArithmeticError) as error:
        raise CheckError(f"{where}: {error}") from error
    return Judgement(verdict, tuple(evidence), skipped, time.perf_counter() - started)


def _can_hold(evidence: Sequence[Evidence]) -> bool:
    """Whether some method saw the hypotheses hold: a sample at a point, or a solver that found a model of them."""
    return any(
        (item.method == numeric.METHOD and item.verdict is Verdict.SUPPORTED and item.points)
        or (item.method == smt.METHOD and item.verdict is Verdict.DECIDED and "not shown" not in item.note)
        for item in evidence
    )


def _sample(plans: Sequence[Plan], settings: Settings) -> Iterator[Evidence]:
    """Numeric evidence on what the statement itself implies; if it implies nothing pointwise, on a plan."""
    obligations = {item: None for plan in plans for item in plan if item.necessary}
    for obligation in obligations or dict.fromkeys(plans[0]):
        found = binders.check(obligation, settings) or numeric.check(obligation, settings)
        if found is not None:
            yield found


def _refuted(plans: Sequence[Plan], evidence: Sequence[Evidence]) -> bool:
    necessary = {item.label for plan in plans for item in plan if item.necessary}
    necessary |= {f"{label}{WELL_DEFINED}" for label in necessary}
    return any(item.verdict is Verdict.REFUTED and item.obligation in necessary for item in evidence)


def _without_lemmas(plans: Sequence[Plan]) -> dict[str, Obligation]:
    """Obligations and their side conditions by label: where lemmas are true, they only get in a search's way."""
    obligations = [obligation for plan in plans for obligation in plan]
    sides = [side for obligation in obligations if (side := well_defined(obligation)) is not None]
    return {item.label: item for item in (*obligations, *sides)}


@dataclass(frozen=True)
class _Inquiry:
    """What is asked with and about: the obligations without lemmas by label, zeros, and the evidence so far.

    A zero that interval Newton enclosed settles the obligations whose labels are its keys in ``zeros``.
    """

    bare: Mapping[str, Obligation]
    zeros: Mapping[str, Evidence]
    evidence: list[Evidence]
    settings: Settings
    watch: Watch


def _decide(plans: Sequence[Plan], inquiry: _Inquiry) -> Verdict:
    """Try the plans in turn, adding to the evidence; return the verdict for the statement."""
    evidence = inquiry.evidence
    best = Verdict.UNDECIDED
    sampled = {item.obligation: item.verdict for item in evidence}
    for plan in plans:
        verdicts = [_decide_obligation(obligation, inquiry) for obligation in plan]
        if _refuted(plans, evidence):
            return Verdict.REFUTED
        # A sufficient condition that fails says nothing about the statement.
        best = strongest([best, weakest(Verdict.UNDECIDED if v is Verdict.REFUTED else v for v in verdicts)])
        if best.rank >= Verdict.DECIDED.rank:
            break
    if any(item.note.startswith("vacuous") for item in evidence):
        return Verdict.UNDECIDED
    if best is Verdict.UNDECIDED and sampled and set(sampled.values()) == {Verdict.SUPPORTED}:
        return Verdict.SUPPORTED
    return best


def _decide_obligation(obligation: Obligation, inquiry: _Inquiry) -> Verdict:
    """The verdict on an obligation together with its well-definedness."""
    zero = inquiry.zeros.get(obligation.label)
    if zero is not None and zero not in inquiry.evidence:
        inquiry.evidence.append(zero)
    if zero is not None and zero.verdict is Verdict.DECIDED:
        return zero.verdict
    verdicts = [_ask(obligation, inquiry)]
    side = well_defined(obligation)
    if side is not None:
        verdicts.append(_ask(side, inquiry))
    return weakest(verdicts)


def _ask(obligation: Obligation, inquiry: _Inquiry) -> Verdict:
    """Ask the deciding methods in turn until one decides."""
    evidence, settings = inquiry.evidence, inquiry.settings
    verdicts = [item.verdict for item in evidence if item.obligation == obligation.label]
    if binders.has_binders((*obligation.hypotheses, obligation.conclusion)):
        return strongest(verdicts)  # the deciding methods have no word for integrals, series and limits
    bare = inquiry.bare.get(obligation.label)
    if bare is None or Verdict.SUPPORTED in verdicts:
        # Where there is nothing to refute: the premise of a lemma is no part of the statement.
        settings = replace(settings, hunt=False)
    try:
        reduced = reduce_totals(obligation)
    except UnsupportedError as error:
        evidence.append(Evidence("exact", Verdict.UNDECIDED, obligation.label, str(error)))
        return strongest(verdicts)
    for method in _order(reduced):
        if method.unavailable() is not None:
            continue
        inquiry.watch(method.METHOD)
        found = method.check(reduced, settings)
        if found is None:
            continue
        if found.verdict is Verdict.REFUTED and reduced != obligation:
            # Aggregates vary independently after the reduction, so its counterexamples may not exist.
            note = "fails for independent aggregates, which real outputs need not attain"
            found = replace(found, verdict=Verdict.UNDECIDED, witness=None, note=note)
        evidence.append(found)
        verdicts.append(found.verdict)
        if found.verdict in (Verdict.DECIDED, Verdict.PROVED, Verdict.REFUTED):
            break
    else:
        # Before a statement is left open, look where it would fail first, and then in corners.
        inquiry.watch(numeric.METHOD)
        note = "fails where a hypothesis or the conclusion is just attained"
        witness = None if bare is None else boundary_counterexample(bare, settings)
        if witness is None and bare is not None:
            note = "fails in a corner that the samples missed"
            witness = climbed_counterexample(bare, settings)
        if witness is not None:
            evidence.append(Evidence(numeric.METHOD, Verdict.REFUTED, obligation.label, note, witness))
            return Verdict.REFUTED
    if Verdict.REFUTED in verdicts:
        if Verdict.DECIDED in verdicts or Verdict.PROVED in verdicts:
            raise CheckError(f"methods contradict each other on {obligation.label!r}")
        return Verdict.REFUTED
    return strongest(verdicts)


def _order(obligation: Obligation) -> tuple[ModuleType, ...]:
    """The deciding methods: balls first where one number is free and solvers know a function by axioms only."""
    if len(obligation.symbols) == 1 and all(map(_is_inequality, obligation.hypotheses)):
        nodes = (node for expression in expressions_of(obligation.conclusion) for node in walk(expression))
        if any(isinstance(node, Apply) and node.operator in _ABSTRACT for node in nodes):
            return enclosure, exact, smt
    return DECIDERS


def _is_inequality(statement: Statement) -> bool:
    match statement:
        case Relation(_, operator, _):
            return operator not in ("=", "!=")
        case All(parts):
            return all(map(_is_inequality, parts))
        case _:
            return False


def combine(
    ordered: Sequence[tuple[Claim, tuple[str, ...]]], judgements: Mapping[str, tuple[Judgement, Judgement | None]]
) -> tuple[Judged, ...]:
    """Propagate the weakest link along ``since``; claims must come after all they rest on."""
    judged: dict[str, Judged] = {}
    for claim, since in ordered:
        alone, printed = judgements[claim.id]
        bound = weakest(judged[id].carries for id in since)
        verdict = alone.verdict if alone.verdict is Verdict.REFUTED else weakest([alone.verdict, bound])
        if printed is not None and printed.verdict is not Verdict.REFUTED:
            printed = replace(printed, verdict=weakest([printed.verdict, bound]))
        judged[claim.id] = Judged(claim, since, alone, printed, verdict)
    return tuple(judged.values())


def without_times(judged: Judged) -> Judged:
    """The same with all times set to zero, so that two runs can be compared."""
    return replace(judged, alone=_timeless(judged.alone), printed=judged.printed and _timeless(judged.printed))


def _timeless(judgement: Judgement) -> Judgement:
    evidence = tuple(replace(item, seconds=0.0) for item in judgement.evidence)
    return replace(judgement, evidence=evidence, seconds=0.0)
