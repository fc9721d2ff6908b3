r"""Intervals of the real line with rational or infinite end points: the domains of symbols."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from grpo_symbolic.errors import DeclarationError

_INTERVAL = re.compile(r"\s*([\[(])\s*([^,\s]+)\s*,\s*([^,\s]+)\s*([\])])\s*")
_INFINITIES = {"oo": None, "+oo": None, "-oo": None}


@dataclass(frozen=True)
class Interval:
    """A non-empty real interval; an end point ``None`` means that this side is unbounded."""

    lower: Fraction | None
    upper: Fraction | None
    lower_closed: bool = False
    upper_closed: bool = False

    @classmethod
    def parse(cls, text: str) -> Interval:
        """Read an interval such as ``(0, 1]`` or ``[1/2, oo)``.

        Raises:
            DeclarationError: if the text is not an interval with rational or infinite ends.

        >>> Interval.parse("(0, 1/2]").upper
        Fraction(1, 2)
        """
        match = _INTERVAL.fullmatch(text)
        if match is None:
            raise DeclarationError(f"cannot read interval {text!r}; write e.g. '(0, 1]' or '[0, oo)'")
        left, low, high, right = match.groups()
        lower, upper = _end(low, "-oo", text), _end(high, "oo", text)
        interval = cls(lower, upper, left == "[", right == "]")
        if (lower is None and interval.lower_closed) or (upper is None and interval.upper_closed):
            raise DeclarationError(f"interval {text!r} is closed at infinity; write a round bracket there")
        if lower is not None and upper is not None:
            single = lower == upper and interval.lower_closed and interval.upper_closed
            if lower > upper or (lower == upper and not single):
                raise DeclarationError(f"interval {text!r} contains no number")
        return interval

    def __contains__(self, value: Fraction) -> bool:
        above = self.lower is None or value > self.lower or (self.lower_closed and value == self.lower)
        below = self.upper is None or value < self.upper or (self.upper_closed and value == self.upper)
        return above and below

    @property
    def closed_ends(self) -> tuple[Fraction, ...]:
        """The end points that belong to the interval."""
        ends = ((self.lower, self.lower_closed), (self.upper, self.upper_closed))
        return tuple(end for end, closed in ends if closed and end is not None)

    def chart(self, position: Fraction) -> Fraction | None:
        """The point of the closed interval at a position in [0, 1], increasing with it; None at infinity.

        >>> Interval.parse("(0, oo)").chart(Fraction(3, 4))
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

    def at(self, position: Fraction) -> Fraction:
        """The point of the interval at a position strictly between 0 and 1.

        Raises:
            DeclarationError: if the position is at infinity.
        """
        point = self.chart(position)
        if point is None:
            raise DeclarationError(f"position {position} of {self} is at infinity")
        return point

    def __str__(self) -> str:
        left = "[" if self.lower_closed else "("
        right = "]" if self.upper_closed else ")"
        low = "-oo" if self.lower is None else str(self.lower)
        high = "oo" if self.upper is None else str(self.upper)
        return f"{left}{low}, {high}{right}"


def _end(text: str, infinity: str, whole: str) -> Fraction | None:
    """Read one end point; ``infinity`` is the spelling of infinity that is allowed on this side."""
    if text in _INFINITIES:
        if text.lstrip("+") != infinity:
            raise DeclarationError(f"interval {whole!r}: {text} cannot stand on this side")
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise DeclarationError(f"interval {whole!r}: end point {text!r} is neither rational nor infinite") from error
