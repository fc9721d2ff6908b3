"""Refute an obligation, or show that statements can hold, by a certified point. Awards REFUTED and DECIDED.

Whatever a search believes, only a witness that holds when it is checked again from its printed numbers counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from types import ModuleType

from grpo_symbolic.checks import enclosure, exact, ranges, smt
from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.binders import has_binders
from grpo_symbolic.checks.confirmation import refuted_by
from grpo_symbolic.checks.counterexamples.boundary import boundary_counterexample
from grpo_symbolic.checks.counterexamples.climb import climbed_counterexample
from grpo_symbolic.checks.counterexamples.patterns import pattern_points
from grpo_symbolic.checks.counterexamples.search import (
    BRIEF_STEPS,
    SEARCH_STEPS,
    counterexample,
    counterexample_near,
)
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.proposals.installed import skipped
from grpo_symbolic.checks.proposals.models import rounded
from grpo_symbolic.checks.recheck import refutation
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.evidence import STANDING, Evidence, Place, Verdict, Witness
from grpo_symbolic.language.expression import Number, Symbol
from grpo_symbolic.language.finite import has_several_indices
from grpo_symbolic.language.statement import NEGATIONS, Relation, Statement, conjuncts, substitute_statement
from grpo_symbolic.obligations.expansion import Premises
from grpo_symbolic.obligations.obligation import Obligation, impossibility, well_defined
from grpo_symbolic.obligations.outputs import speaks_of_outputs, with_outputs

METHOD = "counterexample"
#: How a point at which premises hold is called as a method.
POINT = "point"
#: How the number of outputs is called in a point whose coordinates do not tell it.
OUTPUTS = "outputs"
#: Points of patterns that are looked at more closely.
_MOST_PATTERNS = 8
#: The methods that decide relations between constants.
_ON_NUMBERS = (ranges, exact, enclosure)


def refute(
    obligation: Obligation,
    settings: Settings,
    candidates: Iterable[Mapping[Symbol, Fraction]] = (),
    *,
    steps: int = SEARCH_STEPS,
) -> Evidence | None:
    """A counterexample near one of the candidates or among simple and random points; None if none was found."""
    try:
        witness = counterexample(obligation, settings, candidates, steps)
    except (UndefinedError, UnsupportedError):
        return None
    return _refuted(obligation, witness, "certified at a point")


def refute_at(obligation: Obligation, at: Place) -> Evidence | None:
    """A counterexample at a point that somebody names, with values of all symbols; None if that is not certain."""
    witness = refutation(obligation.hypotheses, obligation.conclusion, at, obligation.defined)
    return _refuted(obligation, witness, "fails at the point that is named beside it")


def refute_last(obligation: Obligation, settings: Settings) -> Evidence | None:
    """A counterexample where a brief search found none: anywhere, on a boundary, in a corner, of a pattern, by models.

    None if none was found.
    """
    anywhere = refute(obligation, settings)
    if anywhere is not None:
        return anywhere
    for find, note in (
        (boundary_counterexample, "fails where a hypothesis or the conclusion is just attained"),
        (climbed_counterexample, "fails in a corner that the samples missed"),
        (_patterned_counterexample, "fails at a point of a simple pattern"),
        (_modelled_counterexample, "fails near a model of a solver"),
    ):
        found = _refuted(obligation, find(obligation, settings), note)
        if found is not None:
            return found
    return None


def _patterned_counterexample(obligation: Obligation, settings: Settings) -> Witness | None:
    """A counterexample near a point at which all outputs are alike, or at which symbols have the numbers mentioned."""
    candidates = list[Mapping[Symbol, Fraction]]()
    for relation in conjuncts(obligation.conclusion):
        if not isinstance(relation, Relation):
            continue
        failing = replace(relation, operator=NEGATIONS[relation.operator])
        wanted = (*obligation.hypotheses, failing)
        for outputs in (1, 2, 3) if speaks_of_outputs(obligation) else (1,):
            finite = with_outputs(replace(obligation, conclusion=failing), outputs)
            labels = [str(number) for number in range(1, outputs + 1)]
            written = (*finite.hypotheses, finite.conclusion)
            found = pattern_points(written if has_several_indices(*wanted) else wanted, written, labels)
            candidates += islice(found, _MOST_PATTERNS)
    return counterexample_near(obligation, candidates)


def _modelled_counterexample(obligation: Obligation, settings: Settings) -> Witness | None:
    """A counterexample near a model of the obligation written out for two outputs.

    What reduces sums hides that they belong together, so that its models say nothing; and where few points satisfy the
    hypotheses, samples are too alike to meet the failing ones.
    """
    if not speaks_of_outputs(obligation) or skipped():
        return None
    found = smt.check(with_outputs(obligation, 2), Everything(settings))
    if found is None or not found.candidates:
        return None
    return counterexample_near(obligation, rounded(found.candidates))


def _refuted_by_model(obligation: Obligation, settings: Settings) -> Evidence | None:
    """A counterexample that is itself a model of a solver, such as the only solution of an equation."""
    if speaks_of_outputs(obligation) or has_binders((*obligation.hypotheses, obligation.conclusion)) or skipped():
        return None
    said = smt.check(obligation, Everything(settings))
    for model in rounded(said.candidates) if said is not None else ():
        at = tuple((symbol.name, str(model[symbol])) for symbol in obligation.symbols if symbol in model)
        found = refute_at(obligation, at) if len(at) == len(obligation.symbols) else None
        if found is not None:
            return found
    return None


def _refuted(obligation: Obligation, witness: Witness | None, note: str) -> Evidence | None:
    if witness is None:
        return None
    return refuted_by(METHOD, obligation, witness, note)


# The parts of a claim, and the steps of its derivation, mostly have the same hypotheses.
@lru_cache(maxsize=256)
def possible(wanted: Premises, settings: Settings) -> Evidence | None:
    """A point at which premises certainly hold; None if none was found.

    It is a counterexample to their impossibility, so it is found and certified like every counterexample; where a brief
    search finds none, points of simple patterns are put in, and what remains are relations between constants to be
    decided. What takes long comes last.
    """
    sides = [impossibility(wanted.label, side) for side in (wanted.statements, wanted.otherwise) if side]
    for find in (_at_first_sight, _of_a_pattern, _searched_long):
        for never in sides:
            at = find(never, settings)
            if at is not None:
                return award(POINT, Verdict.DECIDED, wanted.label, wanted, "certified at a point", point=at)
    return None


def _at_first_sight(never: Obligation, settings: Settings) -> Place | None:
    return _where(refute(never, settings, steps=BRIEF_STEPS))


def _searched_long(never: Obligation, settings: Settings) -> Place | None:
    return _where(_refuted_by_model(never, settings) or refute(never, settings))


def _where(found: Evidence | None) -> Place | None:
    return None if found is None or found.witness is None else found.witness.at


def _of_a_pattern(never: Obligation, settings: Settings) -> Place | None:
    """A point of a simple pattern at which the hypotheses are decided to hold."""
    for outputs in (1, 2, 3) if speaks_of_outputs(never) else (1,):
        finite = with_outputs(never, outputs).hypotheses
        labels = [str(number) for number in range(1, outputs + 1)]
        several = has_several_indices(*never.hypotheses)
        for point in islice(pattern_points(finite if several else never.hypotheses, finite, labels), _MOST_PATTERNS):
            if _decided_at(finite, point, settings):
                at = tuple((symbol.name, str(value)) for symbol, value in point.items())
                return (*at, (OUTPUTS, str(outputs))) if outputs > 1 and not several else at
    return None


def _decided_at(finite: Iterable[Statement], point: Mapping[Symbol, Fraction], settings: Settings) -> bool:
    """Whether statements are decided to hold once the numbers of a point are put in."""
    numbers = {symbol: Number(value) for symbol, value in point.items()}
    constant = [Obligation(POINT, (), substitute_statement(statement, numbers)) for statement in conjuncts(*finite)]
    sides = [side for item in constant if (side := well_defined(item)) is not None]
    return all(any(_stands(method, item, settings) for method in _ON_NUMBERS) for item in constant + sides)


def _stands(method: ModuleType, obligation: Obligation, settings: Settings) -> bool:
    proposer = Everything(settings)
    parts = (replace(obligation, conclusion=part) for part in conjuncts(obligation.conclusion))
    said = [method.check(part, proposer) for part in parts]
    return all(found is not None and found.verdict in STANDING for found in said)
