"""Refute an obligation, or show that statements can hold, by a certified point. Awards REFUTED and DECIDED.

Whatever a search believes, only a witness that holds when it is checked again from its printed numbers counts.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from fractions import Fraction

from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.counterexamples.boundary import boundary_counterexample
from grpo_symbolic.checks.counterexamples.climb import climbed_counterexample
from grpo_symbolic.checks.counterexamples.search import counterexample
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Settings, Verdict, Witness
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.obligations.obligation import Obligation, impossibility
from grpo_symbolic.obligations.premises import Premises

METHOD = "counterexample"
#: How a point at which premises hold is called as a method.
POINT = "point"


def refute(
    obligation: Obligation, settings: Settings, candidates: Iterable[Mapping[Symbol, Fraction]] = ()
) -> Evidence | None:
    """A counterexample near one of the candidates or among simple and random points; None if none was found."""
    started = time.perf_counter()
    try:
        witness = counterexample(obligation, settings, candidates=candidates)
    except (UndefinedError, UnsupportedError):
        return None
    return _refuted(obligation, witness, "certified at a point", started)


def refute_last(obligation: Obligation, settings: Settings) -> Evidence | None:
    """A counterexample where a relation is just attained, or in a corner that samples miss."""
    started = time.perf_counter()
    witness = boundary_counterexample(obligation, settings)
    if witness is not None:
        return _refuted(obligation, witness, "fails where a hypothesis or the conclusion is just attained", started)
    witness = climbed_counterexample(obligation, settings)
    return _refuted(obligation, witness, "fails in a corner that the samples missed", started)


def _refuted(obligation: Obligation, witness: Witness | None, note: str, started: float) -> Evidence | None:
    if witness is None:
        return None
    seconds = time.perf_counter() - started
    return award(METHOD, Verdict.REFUTED, obligation.label, note, witness=witness, seconds=seconds)


def possible(wanted: Premises, settings: Settings) -> Evidence | None:
    """A point at which premises certainly hold; None if none was found.

    It is a counterexample to their impossibility, so it is found and certified like every counterexample.
    """
    started = time.perf_counter()
    for statements in (wanted.statements, wanted.otherwise):
        found = refute(impossibility(wanted.label, statements), settings) if statements else None
        if found is not None and found.witness is not None:
            return award(
                POINT,
                Verdict.DECIDED,
                wanted.label,
                "certified at a point",
                point=found.witness.at,
                seconds=time.perf_counter() - started,
            )
    return None
