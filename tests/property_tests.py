"""How many examples a property test draws: all in full runs, a share of them in quick ones."""

from __future__ import annotations

from hypothesis import settings

#: What hypothesis draws unless told otherwise; the profile of a quick run says less.
FULL = 100


def examples(number: int) -> int:
    """Of so many examples in a full run, those that this run draws."""
    return number * settings.default.max_examples // FULL
