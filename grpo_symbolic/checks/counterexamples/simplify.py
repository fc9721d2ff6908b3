"""Simpler points near one that was found: the fractions with the smallest denominators that still satisfy a case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from grpo_symbolic.checks.counterexamples.case import Case
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.points.intervals import nearest
from grpo_symbolic.translate.values import Value
from grpo_symbolic.translate.zeros import simplest_between

#: How far a coordinate may be moved for the sake of a simpler fraction, relative to its distance from the ends.
_WIDTHS = tuple(Fraction(1, inverse) for inverse in (2, 5, 20, 100, 1000))
#: The same for all coordinates at once.
_TOGETHER = tuple(Fraction(1, inverse) for inverse in (2, 5, 20, 100, 10**4, 10**8))


def simplified(case: Case, candidate: Mapping[Symbol, Fraction]) -> Iterator[tuple[list[Value], Case]]:
    """The candidate with simpler coordinates, as long as it still satisfies the case."""
    point = {symbol: candidate[symbol] for symbol in case.free}
    found = case.completion(point)
    for width in _TOGETHER:
        together = {symbol: _simplest(symbol, value, width) for symbol, value in point.items()}
        success = case.completion(together)
        if success is not None:
            point, found = together, success
            break
    if found is None:
        return
    for symbol in case.free:
        for width in _WIDTHS:
            trial = point | {symbol: _simplest(symbol, point[symbol], width)}
            success = case.completion(trial)
            if success is not None:
                point, found = trial, success
                break
    yield found, case


def _simplest(symbol: Symbol, value: Fraction, width: Fraction) -> Fraction:
    """The simplest fraction within a relative distance of the value, measured to the ends of its domain."""
    gaps = [abs(value - end) for end in (symbol.domain.lower, symbol.domain.upper) if end is not None]
    reach = width * min([gap for gap in gaps if gap] or [max(abs(value), Fraction(1))])
    return nearest(symbol.domain, simplest_between(value - reach, value + reach))
