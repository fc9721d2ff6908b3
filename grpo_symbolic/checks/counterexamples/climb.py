"""Climb to where an implication fails: from the sampled points at which it fails least to worse ones.

A false inequality may fail in a corner of its domain that a few hundred random points miss. Here points are moved,
on a logarithmic scale, as long as all hypotheses come closer to holding and the conclusion to failing. What is found is
a proposal, and only the search for a certified counterexample can make it count.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from flint import arb
from mpmath import libmp

from grpo_symbolic.checks.confirmation import confirms
from grpo_symbolic.checks.counterexamples.search import counterexample
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.evidence import Witness
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Symbol
from grpo_symbolic.language.folding import fold, is_equation
from grpo_symbolic.language.outputs import has_totals
from grpo_symbolic.language.statement import Relation, Statement, conjuncts, is_elementary
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.points.intervals import nearest
from grpo_symbolic.points.solutions import Sampler
from grpo_symbolic.points.truth import Truth
from grpo_symbolic.translate.arithmetics import BALLS
from grpo_symbolic.translate.balls import precision
from grpo_symbolic.translate.program import Point, Program

#: Points to begin with, how many of the better half are climbed from, and the steps of each climb.
_STARTS, _CLIMBS, _STEPS = 400, 8, 250
#: The same where equations have to be solved at each point, which costs more.
_STARTS_SOLVED, _CLIMBS_SOLVED, _STEPS_SOLVED = 300, 10, 300
#: Bits with which heights are measured: differences that cancel must not look like heights.
_BITS = 128
#: No coordinate is moved further out, or closer to an end, than this or one over this.
_FAR = Fraction(10**30)


def climbed_counterexample(obligation: Obligation, settings: Settings) -> Witness | None:
    """A certified counterexample uphill from sampled points, or None; sums over outputs are not climbed."""
    statements = (*obligation.hypotheses, obligation.conclusion)
    if not obligation.symbols or has_totals(statements) or not all(map(is_elementary, statements)):
        return None
    try:
        found = list(_failing(obligation, settings))
    except UnsupportedError:  # nothing to climb where an integral or a limit has no value at a point
        return None
    witness = counterexample(obligation, settings, found) if found else None
    return witness if witness is not None and confirms(obligation, witness) else None


def _failing(obligation: Obligation, settings: Settings) -> Iterator[dict[Symbol, Fraction]]:
    """Points at which the obligation seems to fail, one for each climb that arrives."""
    hill = _Hill(obligation, settings)
    starts, climbs, steps = (
        (_STARTS_SOLVED, _CLIMBS_SOLVED, _STEPS_SOLVED) if hill.equations else (_STARTS, _CLIMBS, _STEPS)
    )
    places = sorted((hill.fresh(number) for number in range(starts)), key=lambda place: -place.height)
    # Those next to failing may all lie in one corner where both sides nearly agree, so others get a chance.
    for place in places[: starts // 2 : starts // (2 * climbs)]:
        top = hill.climb(place, steps)
        if top.height > 0 and top.point is not None:
            yield _rationals(top.point, obligation.symbols)


class _Place(NamedTuple):
    """A start, the point that it becomes once the equations are solved, and by how much the obligation fails there."""

    start: Point
    point: Point | None
    height: float


class _Hill:
    """By how much an obligation fails, as a function of the point."""

    def __init__(self, obligation: Obligation, settings: Settings) -> None:
        self._symbols, self._conclusion = obligation.symbols, obligation.conclusion
        parts = list(conjuncts(*obligation.hypotheses))
        self.equations = tuple(part for part in parts if is_equation(part))
        self._wanted = [part for part in parts if not is_equation(part)]
        self._draw = random.Random(settings.seed)
        self._sampler = Sampler(self.equations, self._symbols, False, Truth(settings.digits), self._draw)
        self._gauge = _Gauge()

    def fresh(self, number: int) -> _Place:
        """A place to begin."""
        return self._place(_moved(self._sampler.start(number), self._symbols, 3.0, self._draw))

    def climb(self, place: _Place, steps: int) -> _Place:
        """Go up by random moves, longer after a success and shorter after a failure, until the obligation fails."""
        size = 1.0
        for _ in range(steps):
            if place.height > 0 or place.height == -math.inf:
                break
            other = self._place(_moved(place.start, self._symbols, size, self._draw))
            size = min(1.5 * size, 5.0) if other.height > place.height else max(0.9 * size, 1e-4)
            place = max(place, other, key=lambda candidate: candidate.height)
        return place

    def _place(self, start: Point) -> _Place:
        point = self._sampler.satisfy(start)
        if point is None:
            return _Place(start, None, -math.inf)
        margins = [self._gauge.margin(part, point) for part in self._wanted]
        height = _least([*margins, -self._gauge.margin(self._conclusion, point)])
        return _Place(start, point, -math.inf if math.isnan(height) else height)


class _Gauge:
    """Margins of statements; compiled relations are kept."""

    def __init__(self) -> None:
        self._programs: dict[Relation, Program] = {}

    def margin(self, statement: Statement, point: Point) -> float:
        """By how much a statement holds, relative to its terms: negative where it fails, NaN where it has no value."""
        return fold(
            statement,
            lambda relation: self._relation_margin(relation, point),
            every=_least,
            some=_greatest,
            implies=lambda premise, conclusion: _greatest((-premise, conclusion)),
            equivalent=lambda left, right: math.copysign(_least((abs(left), abs(right))), left * right),
        )

    def _relation_margin(self, relation: Relation, point: Point) -> float:
        if relation not in self._programs:
            parts = [*_terms(relation.left), *_terms(relation.right)]
            self._programs[relation] = Program((relation.left, relation.right, *parts))
        with precision(_BITS):
            left, right, *terms = self._programs[relation].run(BALLS, point)
            if left == right:
                return 0.0
            gap = (left - right) / sum((abs(term) for term in terms), start=arb(0))
            if not gap.is_finite() or gap.contains(0):
                return math.nan
            size = float(gap.mid())
        match relation.operator:
            case "<" | "<=":
                return -size
            case ">" | ">=":
                return size
            case "=":
                return -abs(size)
            case _:
                return abs(size)


def _least(values: Iterable[float]) -> float:
    """The smallest of some numbers, or NaN if one of them is."""
    known = list(values)
    return math.nan if any(map(math.isnan, known)) else min(known)


def _greatest(values: Iterable[float]) -> float:
    return -_least(-value for value in values)


def _terms(expression: Expression) -> Iterator[Expression]:
    """The terms of a sum: what 0 is compared with has a size only in them."""
    match expression:
        case Apply("add" | "subtract" | "negate", operands):
            for operand in operands:
                yield from _terms(operand)
        case _:
            yield expression


def _moved(point: Point, symbols: tuple[Symbol, ...], size: float, draw: random.Random) -> Point:
    """The point with about half of its coordinates moved by a factor, measured from the ends of their domains."""
    for symbol in symbols:
        value = point.value(symbol.name)
        if draw.random() < 0.6 and isinstance(value, Fraction):
            moved = _shifted(value, symbol.domain, math.exp(size * draw.gauss(0, 1)))
            point = point.put(symbol.name, nearest(symbol.domain, moved))
    return point


def _shifted(value: Fraction, domain: Interval, factor: float) -> Fraction:
    """Multiply the distance from one end, or the ratio of the distances from both, by about this factor."""
    stretch = Fraction(f"{factor:.4g}")
    lower, upper = domain.lower, domain.upper
    if lower is not None and upper is not None:
        above, below = _short((value - lower) * stretch), _short(upper - value)
        return (lower * below + upper * above) / (below + above)
    if lower is not None:
        return lower + _short((value - lower) * stretch)
    return upper - _short((upper - value) * stretch) if upper is not None else _short(value * stretch + stretch - 1)


def _short(value: Fraction) -> Fraction:
    """About the same number with few digits, so that repeated moves do not make it long, and not out of sight."""
    if not value:
        return value
    size = min(max(abs(value), 1 / _FAR), _FAR)
    short = Fraction(f"{float(size):.6g}")
    return short if value > 0 else -short


def _rationals(point: Point, symbols: tuple[Symbol, ...]) -> dict[Symbol, Fraction]:
    """The coordinates as rationals; those that were solved for are rounded, and will be solved for again."""
    found = {}
    for symbol in symbols:
        value = point.value(symbol.name)
        found[symbol] = value if isinstance(value, Fraction) else Fraction(libmp.to_float(value.value))
    return found
