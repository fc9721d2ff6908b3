"""Refute an obligation by one point: all hypotheses hold there and the conclusion certainly fails.

The negated obligation is a disjunction of *cases*, each a list of relations that must all hold. In a
case equations are solved for one symbol each, the other symbols run over small rationals, and only exact
rational arithmetic and balls decide whether the relations hold. Where a solution is irrational it is
enclosed, either by a formula or between two points of opposite sign of a continuous residual.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import TypeAlias

from grpo_symbolic.checks.counterexamples.case import Case, symbols_in
from grpo_symbolic.checks.counterexamples.negation import ways_to_fail
from grpo_symbolic.checks.counterexamples.points import points, simple_points
from grpo_symbolic.checks.counterexamples.printing import complexity
from grpo_symbolic.checks.counterexamples.simplify import simplified
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.evidence import Witness
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.finite import SIZES, has_several_indices
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.obligations.outputs import speaks_of_outputs, with_outputs
from grpo_symbolic.translate.balls import precision
from grpo_symbolic.translate.values import Value

#: The values of a point in a case that it satisfies.
_Failure: TypeAlias = tuple[list[Value], Case]

_BITS = 192
_MAXIMAL_CANDIDATES = 12
#: Steps of evaluation that a search may spend over all cases; a step takes well below a microsecond.
SEARCH_STEPS = 150_000
#: As many for a look before other methods are asked. What is found at all is nearly always found by then.
BRIEF_STEPS = SEARCH_STEPS // 10
#: Simple points that are tried before the candidates of a sampler, whose coordinates are seldom simple.
_GLANCE = 4_000
#: Points at which every case is tried before any case is searched to the end of its budget.
_FIRST_LOOK = 40
_RATIONAL = re.compile(r"-?\d+(/\d+)?")
_DECIMAL = re.compile(r"-?\d+\.\d+(E[+-]\d+)?")


def counterexample(
    obligation: Obligation,
    settings: Settings,
    candidates: Iterable[Mapping[Symbol, Fraction]] = (),
    steps: int = SEARCH_STEPS,
) -> Witness | None:
    """Find a point at which the hypotheses hold and the conclusion fails, or None if none was found.

    ``candidates`` are tried first, after rounding them to simple fractions; then follow small rationals in a fixed
    order and seeded random ones, as far as ``steps`` go. Everything returned has been checked again by ``recheck``.
    Sums are tried over two elements, then three, then one.
    """
    known = tuple(islice(candidates, _MAXIMAL_CANDIDATES))
    budget = steps // (2 if speaks_of_outputs(obligation) else 1)
    return _certified(obligation, lambda cases: _failures(cases, known, settings, budget))


def counterexample_near(obligation: Obligation, candidates: Iterable[Mapping[Symbol, Fraction]]) -> Witness | None:
    """The same at the candidates and at simpler points beside them only, for who has searched everywhere else."""
    known = tuple(candidates)
    return _certified(obligation, lambda cases: _near(cases, known))


def _certified(obligation: Obligation, failures: Callable[[Sequence[Case]], Iterable[_Failure]]) -> Witness | None:
    """The first of what a search finds in the cases of an obligation that stands when it is checked again."""
    sizes = (2, 3, 1) if speaks_of_outputs(obligation) else (1,)
    with precision(_BITS):
        for outputs in sizes:
            finite = with_outputs(obligation, outputs)
            try:
                cases = [Case(literals, finite) for literals in ways_to_fail(finite)]
            except UnsupportedError:
                return None
            for values, case in failures(cases):
                witness = case.witness(values)
                if witness is not None and recheck(obligation, witness):
                    return witness
    return None


def recheck(obligation: Obligation, witness: Witness) -> bool:
    """Check a witness from its printed numbers alone.

    Rationals are taken as they stand. A decimal must be the rounding of a value that the hypotheses
    force, given the rationals: it is enclosed again from the equations among the hypotheses. Both sides
    of a violated relation of the conclusion must agree with what the witness prints.
    """
    printed = dict(witness.at)
    finite = _as_printed(obligation, set(printed))
    symbols = symbols_in(finite)
    texts_readable = all(_RATIONAL.fullmatch(text) or _DECIMAL.fullmatch(text) for text in printed.values())
    if len(witness.at) != len(symbols) or {symbol.name for symbol in symbols} != set(printed) or not texts_readable:
        return False
    try:
        given = {symbol: Fraction(text) for symbol in symbols if "." not in (text := printed[symbol.name])}
    except ZeroDivisionError:
        return False
    forced = frozenset(symbol for symbol in symbols if symbol not in given)
    with precision(_BITS):
        for literals in ways_to_fail(finite):
            case = Case(literals, finite, forced)
            if len(case.free) == len(given) and any(
                _same(case.witness(values), witness) for values in case.completions(given)
            ):
                return True
    return False


def _as_printed(obligation: Obligation, names: set[str]) -> Obligation:
    """The obligation for as many elements as coordinates are printed."""
    if not speaks_of_outputs(obligation):
        return obligation
    if has_several_indices(*obligation.hypotheses, obligation.conclusion, *obligation.defined):
        made = (with_outputs(obligation, size) for size in SIZES)
        return next((one for one in made if {symbol.name for symbol in symbols_in(one)} == names), obligation)
    sizes = (int(name[name.index("[") + 1 : -1]) for name in names if name.endswith("]"))
    return with_outputs(obligation, max(sizes, default=1))


def _same(found: Witness | None, printed: Witness) -> bool:
    """Whether two witnesses say the same; the order in which they name the symbols does not matter."""
    return found is not None and sorted(found.at) == sorted(printed.at) and replace(found, at=printed.at) == printed


def _failures(
    cases: Sequence[Case], candidates: Sequence[Mapping[Symbol, Fraction]], settings: Settings, steps: int
) -> Iterator[_Failure]:
    """Points that satisfy a case: a few simple ones, those near the candidates, more simple ones, random ones."""
    if candidates:
        for case in cases:
            for point in islice(simple_points(case.free), _GLANCE // case.cost):
                found = case.completion(point)
                if found is not None:
                    yield found, case
        yield from _near(cases, candidates)
    # A short look at every case comes before a long one at any.
    for start, stop in ((0, _FIRST_LOOK), (_FIRST_LOOK, None)):
        for case in cases:
            budget = 1 + steps // (len(cases) * case.cost)
            for point in islice(points(case.free, settings.seed, budget), start, stop):
                found = case.completion(point)
                if found is not None:
                    yield from simplified(case, point)
                    yield found, case


def _near(cases: Sequence[Case], candidates: Sequence[Mapping[Symbol, Fraction]]) -> list[_Failure]:
    """Points at the candidates and beside them that satisfy a case, those first that are quickly copied."""
    near = [
        found
        for candidate in candidates
        for case in cases
        if all(symbol in candidate for symbol in case.free)
        for found in simplified(case, candidate)
    ]
    return sorted(near, key=lambda found: complexity(found[0]))
