"""Seeded points, spread over the domains of symbols."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Symbol


def sample_points(symbols: Sequence[Symbol], count: int, seed: int) -> list[dict[Symbol, Fraction]]:
    """Exact points of the symbols' domains: small rationals, points near edges and corners, and a spread.

    Unbounded directions are covered from 1e-6 to about 1e6; closed ends are hit exactly. The same
    arguments give the same points.
    """
    return list(draw_points(symbols, count, seed))


def draw_points(symbols: Sequence[Symbol], count: int, seed: int) -> Iterator[dict[Symbol, Fraction]]:
    """The points of ``sample_points`` one by one, for those who often need only the first few."""
    draw = random.Random(seed)
    for number in range(count):
        yield {symbol: coordinate(symbol.domain, number, draw) for symbol in symbols}


def coordinate(domain: Interval, number: int, draw: random.Random) -> Fraction:
    """One coordinate of the point with this number: simple, near an edge or, every other time, spread.

    Those of the first four points are the plainest there are: 0, 1 or -1 on the whole line, one to four from the end
    of a half line. Whole numbers are small more often than not, and never beyond about 1e4.
    """
    if domain.whole:
        return _whole(domain, number, draw)
    if number < len(_PLAIN) and (domain.lower is None or domain.upper is None):
        return _plainest(domain, number, draw)
    return (_simple, _edge, _spread, _spread)[number % 4](domain, draw)


def _whole(domain: Interval, number: int, draw: random.Random) -> Fraction:
    """A whole number: the first ones in turn, ends, small ones and, every fourth time, any."""
    lower, upper = domain.lower, domain.upper
    size = None if lower is None or upper is None else int(upper - lower)
    far = draw.randint(0, size) if size is not None else draw.randint(1, 9) * 10 ** draw.randint(0, 3)
    distance = (number if number < len(_PLAIN) else draw.randint(0, 2), draw.randint(0, 12), draw.randint(0, 4), far)
    from_top = lower is None or (size is not None and number >= len(_PLAIN) and draw.random() < 0.5)
    steps = distance[number % 4 if number >= len(_PLAIN) else 0]
    steps = steps if size is None else min(steps, size)
    return (upper or Fraction(0)) - steps if from_top else (lower or Fraction(0)) + steps


def _place(domain: Interval, part: tuple[int, int], far: tuple[int, int], draw: random.Random) -> Fraction:
    """The point at ``part`` of a bounded domain, or ``far`` from an end (or from 0) of an unbounded one.

    Both are given as numerator and denominator: only one of them is needed, and fractions cost time.
    """
    lower, upper = domain.lower, domain.upper
    if lower is not None and upper is not None:
        fraction = Fraction(*part)
        return fraction if lower == 0 and upper == 1 else lower + (upper - lower) * fraction
    distance = Fraction(*far)
    if lower is not None:
        return lower + distance if lower else distance
    if upper is not None:
        return upper - distance
    return distance if draw.random() < 0.5 else -distance


#: On the whole line 0 comes first, and then both units and 0 in any order, so that corners are met.
_PLAIN: tuple[tuple[int, ...], ...] = ((0,), (1, -1, 0), (1, -1, 0), (1, -1, 0))


def _plainest(domain: Interval, number: int, draw: random.Random) -> Fraction:
    if domain.lower is not None:
        return domain.lower + number + 1
    if domain.upper is not None:
        return domain.upper - number - 1
    return Fraction(draw.choice(_PLAIN[number]))


def _simple(domain: Interval, draw: random.Random) -> Fraction:
    whole = draw.randint(2, 8)
    return _place(domain, (draw.randint(1, whole - 1), whole), (draw.randint(1, 12), whole - 1), draw)


def _edge(domain: Interval, draw: random.Random) -> Fraction:
    """A closed end itself, or close to an end; every third coordinate is simple, for edges that are no corners."""
    chance, upper = draw.random(), draw.random() < 0.5
    if chance < 1 / 3:
        return _simple(domain, draw)
    end, closed = (domain.upper, domain.upper_closed) if upper else (domain.lower, domain.lower_closed)
    if chance < 2 / 3 and closed and end is not None:
        return end
    whole = 10 ** draw.randint(2, 9)
    huge = draw.randint(1, 9) * 10 ** draw.randint(2, 5)
    return _place(domain, (whole - 1 if upper else 1, whole), (huge, 1) if upper else (1, whole), draw)


def _spread(domain: Interval, draw: random.Random) -> Fraction:
    part, mantissa, exponent = draw.randint(1, 9999), draw.randint(100, 999), draw.randint(-8, 3)
    far = (mantissa * 10**exponent, 1) if exponent > 0 else (mantissa, 10**-exponent)
    return _place(domain, (part, 10_000), far, draw)
