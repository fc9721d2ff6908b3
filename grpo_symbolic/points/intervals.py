"""Points of a domain: those at its ends, and one at a position inside."""

from __future__ import annotations

from fractions import Fraction

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.domain import Interval


def closed_ends(domain: Interval) -> tuple[Fraction, ...]:
    """The end points that belong to the interval."""
    ends = ((domain.lower, domain.lower_closed), (domain.upper, domain.upper_closed))
    return tuple(end for end, closed in ends if closed and end is not None)


def nearest(domain: Interval, value: Fraction) -> Fraction:
    """The value itself, or of whole numbers the one next to it that belongs to the domain.

    >>> nearest(Interval(Fraction(1), None, True, whole=True), Fraction(1, 3))
    Fraction(1, 1)
    """
    if not domain.whole:
        return value
    floor = value if domain.lower is None else max(value, domain.lower)
    return Fraction(round(floor if domain.upper is None else min(floor, domain.upper)))


def point_at(domain: Interval, position: Fraction) -> Fraction:
    """The point of the interval at a position strictly between 0 and 1, or the whole number next to it.

    Raises:
        DeclarationError: if the position is at infinity.
    """
    point = domain.chart(position)
    if point is None:
        raise DeclarationError(f"position {position} of {domain} is at infinity")
    return nearest(domain, point)
