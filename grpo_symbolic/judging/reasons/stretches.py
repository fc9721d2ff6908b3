"""Reasons that go along a domain: on each of a few stretches of it, ranges or a slope and one end show a relation.

Soundness. The stretches of a symbol's interval cover it, and each has its ends if the interval has them. What is shown
is the sign of left side minus right side, f. On a stretch either the range of f shows it; or f has a value everywhere
and a derivative whose range is known, so that by the mean value theorem f(p) = f(end) + f'(q) (p - end) for an end that
belongs to the stretch and some q in it, and the range of that shows it. Of a coordinate, which stands for that of each
element, this says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.calculus import differentiate
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Expression, Number, Symbol, substitute
from grpo_symbolic.language.relations import difference
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.translate.ranges import point, product_of, range_on_domain, sum_of

_ABOVE, _BELOW = frozenset((">", ">=")), frozenset(("<", "<="))


@dataclass(frozen=True)
class Stretch:
    """Up to ``upper``; by the range there, or by the slope and the value at the ``lower`` or ``upper`` end."""

    upper: Fraction
    end: str | None = None


@dataclass(frozen=True)
class Along:
    """It holds on each stretch of the interval in which a symbol lies."""

    relation: Relation
    symbol: Symbol
    stretches: tuple[Stretch, ...]

    @property
    def parts(self) -> Iterator[BoundedStretch]:
        """The stretches as what they say."""
        low = self.symbol.domain.lower
        for stretch in self.stretches:
            if low is not None:
                yield BoundedStretch(self.relation, self.symbol, low, stretch)
            low = stretch.upper


@dataclass(frozen=True)
class BoundedStretch:
    """What one stretch, which begins at ``lower``, says of a relation."""

    relation: Relation
    symbol: Symbol
    lower: Fraction
    stretch: Stretch

    @property
    def bound(self) -> Fraction | None:
        """What left side minus right side is at least where it is to be positive, and at most where negative."""
        values, wants_more = self._values, self.relation.operator in _ABOVE
        return None if values is None else values.lower if wants_more else values.upper

    @property
    def slope(self) -> Interval | None:
        """The range of the derivative of left side minus right side."""
        derivative = _derivative(self.relation, self.symbol)
        return None if derivative is None else range_on_domain(substitute(derivative, {self.symbol: self._here}))

    @property
    def holds(self) -> bool:
        """Whether the relation is shown on the stretch."""
        values = self._values
        if values is None or self.lower >= self.stretch.upper:
            return False
        strict, bound = self.relation.operator in ("<", ">"), self.bound
        if bound is None:
            return False
        attained = values.lower_closed if self.relation.operator in _ABOVE else values.upper_closed
        beyond = bound > 0 if self.relation.operator in _ABOVE else bound < 0
        return beyond or (bound == 0 and not (strict and attained))

    @property
    def _here(self) -> Symbol:
        domain, low, high = self.symbol.domain, self.lower, self.stretch.upper
        ends = low != domain.lower or domain.lower_closed, high != domain.upper or domain.upper_closed
        return replace(self.symbol, domain=Interval(low, high, *ends))

    @property
    def _values(self) -> Interval | None:
        gap, stretch = difference(self.relation), self.stretch
        here = range_on_domain(substitute(gap, {self.symbol: self._here}))
        if stretch.end is None or here is None:
            return here
        end = self.lower if stretch.end == "lower" else stretch.upper
        at_end, slope = range_on_domain(substitute(gap, {self.symbol: Number(end)})), self.slope
        if at_end is None or slope is None or end not in self._here.domain:
            return None
        away = Interval(self.lower - end, stretch.upper - end, True, True)
        return sum_of(at_end, product_of(slope, away)) if away != point(Fraction(0)) else at_end


def objection_to_stretches(reason: Along) -> str | None:
    """What is wrong with going along these stretches; None if they show the relation."""
    symbol, operator = reason.symbol, reason.relation.operator
    if not runs_through_interval(symbol) or operator not in _ABOVE | _BELOW:
        return f"{reason.relation} does not speak of {symbol} in an interval"
    if not reason.stretches or reason.stretches[-1].upper != symbol.domain.upper:
        return f"the stretches do not reach the end of {symbol.domain}"
    fails = (part for part in reason.parts if not part.holds)
    return next((f"it is not shown from {part.lower} to {part.stretch.upper}" for part in fails), None)


def runs_through_interval(symbol: Symbol) -> bool:
    """Whether a symbol is a number between two others, and no coordinate."""
    bounded = symbol.domain.lower is not None and symbol.domain.upper is not None
    return bounded and not symbol.domain.whole and symbol.indexed is None and symbol.second is None


@lru_cache(maxsize=2**7)
def _derivative(relation: Relation, symbol: Symbol) -> Expression | None:
    try:
        return differentiate(difference(relation), symbol)
    except UnsupportedError:
        return None
