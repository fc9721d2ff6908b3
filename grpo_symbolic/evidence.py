"""Verdicts and the evidence they rest on.

Anybody may say that a statement is SUPPORTED or UNDECIDED. DECIDED, PROVED and REFUTED are *awarded*: Evidence that
says so carries a Seal for this method, this verdict and exactly what it is about, and only ``checks.awarding`` makes
one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import InitVar, dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, Final, final

from grpo_symbolic.errors import CheckError


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
#: What a statement that stands may be called.
STANDING: Final = frozenset({Verdict.DECIDED, Verdict.PROVED})
#: Verdicts that only a check can give.
AWARDED: Final = STANDING | {Verdict.REFUTED}


def weakest(verdicts: Iterable[Verdict]) -> Verdict:
    """The lowest of some verdicts; of none at all, PROVED."""
    return min(verdicts, key=lambda verdict: verdict.rank, default=Verdict.PROVED)


def strongest(verdicts: Iterable[Verdict]) -> Verdict:
    """The highest of some verdicts; of none at all, UNDECIDED."""
    return max(verdicts, key=lambda verdict: verdict.rank, default=Verdict.UNDECIDED)


#: Names of symbols with the exact or rounded values that they have at a point.
Place = tuple[tuple[str, str], ...]


def coordinate(name: str) -> tuple[str, str]:
    """The symbol of a coordinate such as ``x[2]`` and the number of its element; none if the name has none."""
    base, _, number = name.removesuffix("]").partition("[")
    return base, number


@dataclass(frozen=True)
class Witness:
    """A point at which something fails: exact values of the symbols, and both sides there.

    ``at`` holds rationals such as ``1/3``, or decimals where the hypotheses force irrational values.
    ``left`` and ``right`` are exact where they are rational, else decimals with at least ten digits.
    """

    at: Place
    left: str
    right: str


_KEY: Final = object()


@final
@dataclass(frozen=True)
class Seal:
    """What a check signs when it awards a verdict on something. What it is about stays behind in its process."""

    method: str
    verdict: Verdict
    obligation: str
    about: object = field(compare=False, repr=False)
    key: InitVar[object]

    def __post_init__(self, key: object) -> None:
        if key is not _KEY:
            raise CheckError(
                f"{self.method} on {self.obligation!r}: only checks.awarding can award {self.verdict.value}"
            )

    def __getstate__(self) -> dict[str, object]:
        return {**vars(self), "about": None}


@dataclass(frozen=True)
class SolverAnswer:
    """What a solver said about the negation of an obligation: ``unsat``, ``sat`` or ``unknown``."""

    solver: str
    status: str


@dataclass(frozen=True)
class Evidence:
    """What one method found about one obligation.

    Everything that anything depends on has a field of its own; the ``note`` is for people and read by no program.

    ``answers`` are what solvers said, ``aids`` names what else a decision used (such as interval arithmetic for some
    parts). ``point`` is where hypotheses were shown to hold; ``impossible`` says that they were shown never to hold.
    ``zero`` are the digits of an enclosed zero. ``failing`` and ``undefined`` count the samples that fail or have no
    value. ``candidates`` are points at which the obligation may fail, for a search for counterexamples; believed in
    nothing and not kept.

    Raises:
        CheckError: for DECIDED, PROVED or REFUTED without the seal of a check for exactly this.
    """

    method: str
    verdict: Verdict
    obligation: str
    note: str
    witness: Witness | None = None
    digits: int | None = None
    points: int | None = None
    worst_residual: str | None = None
    smallest_gap: str | None = None
    worst_at: Place = ()
    answers: tuple[SolverAnswer, ...] = ()
    aids: tuple[str, ...] = ()
    point: Place | None = None
    impossible: bool = False
    zero: str | None = None
    failing: int | None = None
    undefined: int | None = None
    seal: Seal | None = field(default=None, compare=False, repr=False)
    candidates: tuple[Mapping[Any, Fraction], ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        seal = self.seal
        signed = None if seal is None else (seal.method, seal.verdict, seal.obligation)
        if self.verdict in AWARDED and signed != (self.method, self.verdict, self.obligation):
            raise CheckError(f"{self.method} on {self.obligation!r}: {self.verdict.value} without the seal of a check")

    def is_sealed_for(self, about: object) -> bool:
        """Whether a check has awarded the verdict on exactly this, in this process."""
        return about is not None and self.seal is not None and self.seal.about == about
