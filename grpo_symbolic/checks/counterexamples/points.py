"""Points at which a case is tried: with small rational coordinates, the simplest first, and seeded random ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, islice
from random import Random

from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.points.intervals import closed_ends, nearest, point_at

#: (numerator, denominator) of relative positions in a bounded domain, and of distances in an unbounded one.
_SIMPLE = [(1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (4, 5), (1, 10), (9, 10), (2, 5), (3, 5), (1, 8), (7, 8)]
_SIMPLE += [(1, 100), (99, 100), (1, 7), (6, 7)]
_POSITIVE = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (4, 1), (1, 5), (5, 1), (3, 2), (10, 1), (1, 10), (2, 3)]
_POSITIVE += [(3, 4), (6, 1), (8, 1), (20, 1), (1, 20), (1, 100), (100, 1), (1000, 1), (1, 1000), (10**6, 1)]


def points(symbols: Sequence[Symbol], seed: int, budget: int) -> Iterator[dict[Symbol, Fraction]]:
    """Simple points for half of the budget, then seeded random ones."""
    yield from islice(simple_points(symbols), 1 + budget // 2)
    if symbols:
        yield from islice(random_points(symbols, seed), budget // 2)


def simple_points(symbols: Sequence[Symbol]) -> Iterator[dict[Symbol, Fraction]]:
    """Points with simple coordinates, by increasing total complexity."""
    choices = [_simple_values(symbol.domain) for symbol in symbols]
    for total in range(sum(len(values) - 1 for values in choices) + 1):
        for places in compositions(total, [len(values) - 1 for values in choices]):
            yield {s: values[place] for s, values, place in zip(symbols, choices, places, strict=True)}


def random_points(symbols: Sequence[Symbol], seed: int) -> Iterator[dict[Symbol, Fraction]]:
    """Points at seeded random places of the domains, without end."""
    random = Random(seed)
    while True:
        yield {symbol: point_at(symbol.domain, Fraction(random.randint(1, 63), 64)) for symbol in symbols}


def _simple_values(domain: Interval) -> list[Fraction]:
    """Small rationals of the domain, the simplest first."""
    distances = [Fraction(*pair) for pair in _POSITIVE]
    if domain.lower is not None and domain.upper is not None:
        inner = [domain.lower + (domain.upper - domain.lower) * Fraction(*pair) for pair in _SIMPLE]
    elif domain.lower is not None:
        inner = [domain.lower + distance for distance in distances]
    elif domain.upper is not None:
        inner = [domain.upper - distance for distance in distances]
    else:
        inner = [Fraction(0), *chain.from_iterable((distance, -distance) for distance in distances)]
    return list(dict.fromkeys(nearest(domain, value) for value in (inner[0], *closed_ends(domain), *inner[1:])))


def compositions(total: int, limits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to write ``total`` as an ordered sum whose terms stay within the limits."""
    if not limits:
        if total == 0:
            yield ()
        return
    for first in range(min(total, limits[0]) + 1):
        for rest in compositions(total - first, limits[1:]):
            yield (first, *rest)
