"""How many examples a property test draws: all in full runs, a share of them in quick ones."""

from __future__ import annotations

from hypothesis import settings

#: What hypothesis draws unless told otherwise; the profile of a quick run says less.
FULL = 100


def examples(number: int, quick: int | None = None) -> int:
    """Of so many examples in a full run, those that this run draws: a share of them, unless it is said how many."""
    drawn = settings.default.max_examples
    return number * drawn // FULL if quick is None or drawn == FULL else quick
