"""Verdicts and the evidence they rest on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """What is known about a statement; REFUTED stands apart from the ladder of the other four."""

    UNDECIDED = "UNDECIDED"
    SUPPORTED = "SUPPORTED"
    DECIDED = "DECIDED"
    PROVED = "PROVED"
    REFUTED = "REFUTED"

    @property
    def rank(self) -> int:
        """Height on the ladder; REFUTED is below everything because nothing may rest on it."""
        return _LADDER.index(self)


_LADDER = [Verdict.REFUTED, Verdict.UNDECIDED, Verdict.SUPPORTED, Verdict.DECIDED, Verdict.PROVED]


def weakest(verdicts: Iterable[Verdict]) -> Verdict:
    """The lowest of some verdicts; of none at all, PROVED."""
    return min(verdicts, key=lambda verdict: verdict.rank, default=Verdict.PROVED)


def strongest(verdicts: Iterable[Verdict]) -> Verdict:
    """The highest of some verdicts; of none at all, UNDECIDED."""
    return max(verdicts, key=lambda verdict: verdict.rank, default=Verdict.UNDECIDED)


@dataclass(frozen=True)
class Witness:
    """A point at which something fails: exact values of the symbols, and both sides there.

    ``at`` holds rationals such as ``1/3``, or decimals where the hypotheses force irrational values.
    ``left`` and ``right`` are exact where they are rational, else decimals with at least ten digits.
    """

    at: tuple[tuple[str, str], ...]
    left: str
    right: str


@dataclass(frozen=True)
class Evidence:
    """What one method found about one obligation."""

    method: str
    verdict: Verdict
    obligation: str
    note: str
    witness: Witness | None = None
    digits: int | None = None
    points: int | None = None
    worst_residual: str | None = None
    smallest_gap: str | None = None
    worst_at: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class Skipped:
    """A method that could not be used, and how to get it."""

    method: str
    reason: str


@dataclass(frozen=True)
class Settings:
    """How hard to look.

    ``digits`` and ``points`` are for the numeric method; ``effort`` is the budget of a solver in its own
    deterministic resource units (thousands of z3 rlimit units), ``boxes`` that of ball arithmetic.
    ``hunt`` says whether the exact method looks for counterexamples; there is no point where sampling just did.
    """

    digits: int = 50
    points: int = 200
    seed: int = 20250218
    effort: int = 20_000
    boxes: int = 20_000
    hunt: bool = True
