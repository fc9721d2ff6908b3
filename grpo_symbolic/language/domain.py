"""Intervals of the real line with rational or infinite end points, or the whole numbers in one: domains of symbols."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from grpo_symbolic.errors import DeclarationError

#: As many whole numbers are listed one by one.
_MOST_LISTED = 4


@dataclass(frozen=True)
class Interval:
    """A non-empty real interval; an end point ``None`` means that this side is unbounded.

    With ``whole`` only its whole numbers count, and its ends are whole numbers that belong to it.

    Raises:
        DeclarationError: where ends are none of whole numbers, or both are missing.
    """

    lower: Fraction | None
    upper: Fraction | None
    lower_closed: bool = False
    upper_closed: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        if not self.whole:
            return
        ends = ((self.lower, self.lower_closed), (self.upper, self.upper_closed))
        if not any(closed for _, closed in ends):
            raise DeclarationError("whole numbers need a first or a last one")
        if any(closed is (end is None) or (end is not None and end.denominator != 1) for end, closed in ends):
            raise DeclarationError(f"whole numbers do not begin or end at {self.lower}, {self.upper}")

    def __contains__(self, value: Fraction) -> bool:
        if self.whole and value.denominator != 1:
            return False
        above = self.lower is None or value > self.lower or (self.lower_closed and value == self.lower)
        below = self.upper is None or value < self.upper or (self.upper_closed and value == self.upper)
        return above and below

    def includes(self, other: Interval) -> bool:
        """Whether the ends of another interval lie in this one, or are those of this one and belong to it as well."""
        above = self.lower is None or (
            other.lower is not None
            and (other.lower > self.lower or (other.lower == self.lower and other.lower_closed <= self.lower_closed))
        )
        below = self.upper is None or (
            other.upper is not None
            and (other.upper < self.upper or (other.upper == self.upper and other.upper_closed <= self.upper_closed))
        )
        return above and below

    @property
    def is_whole_line(self) -> bool:
        """Whether every number lies in the interval."""
        return self.lower is None and self.upper is None

    @property
    def hull(self) -> Interval:
        """The interval with all real numbers between its ends, of which deciding methods speak: that is more."""
        return replace(self, whole=False) if self.whole else self

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
        if self.whole:
            return f"{{{', '.join(self.listed('...'))}}}"
        left = "[" if self.lower_closed else "("
        right = "]" if self.upper_closed else ")"
        low = "-oo" if self.lower is None else str(self.lower)
        high = "oo" if self.upper is None else str(self.upper)
        return f"{left}{low}, {high}{right}"

    def listed(self, and_so_on: str) -> tuple[str, ...]:
        """The whole numbers of the domain as they are listed: a few at an end, and words for the others."""
        if self.lower is not None and self.upper is not None:
            if self.upper - self.lower < _MOST_LISTED:
                return tuple(str(number) for number in range(int(self.lower), int(self.upper) + 1))
            return str(self.lower), str(self.lower + 1), and_so_on, str(self.upper)
        if self.lower is not None:
            return str(self.lower), str(self.lower + 1), and_so_on
        last = self.upper or Fraction(0)
        return and_so_on, str(last - 1), str(last)
