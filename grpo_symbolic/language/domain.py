"""Intervals of the real line with rational or infinite end points: the domains of symbols."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Interval:
    """A non-empty real interval; an end point ``None`` means that this side is unbounded."""

    lower: Fraction | None
    upper: Fraction | None
    lower_closed: bool = False
    upper_closed: bool = False

    def __contains__(self, value: Fraction) -> bool:
        above = self.lower is None or value > self.lower or (self.lower_closed and value == self.lower)
        below = self.upper is None or value < self.upper or (self.upper_closed and value == self.upper)
        return above and below

    @property
    def is_whole_line(self) -> bool:
        """Whether every number lies in the interval."""
        return self.lower is None and self.upper is None

    def chart(self, position: Fraction) -> Fraction | None:
        """The point of the closed interval at a position in [0, 1], increasing with it; None at infinity.

        >>> Interval(Fraction(0), None).chart(Fraction(3, 4))
        Fraction(3, 1)
        """
        if self.lower is not None and self.upper is not None:
            return self.lower + (self.upper - self.lower) * position
        if (position == 0 and self.lower is None) or (position == 1 and self.upper is None):
            return None
        if self.lower is not None:
            return self.lower + position / (1 - position)
        beyond = (1 - position) / position
        return position / (1 - position) - beyond if self.upper is None else self.upper - beyond

    def __str__(self) -> str:
        left = "[" if self.lower_closed else "("
        right = "]" if self.upper_closed else ")"
        low = "-oo" if self.lower is None else str(self.lower)
        high = "oo" if self.upper is None else str(self.upper)
        return f"{left}{low}, {high}{right}"
