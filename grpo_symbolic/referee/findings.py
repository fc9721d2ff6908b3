"""What the referee says about a paper: one finding for each step, and the summary of a run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum

from grpo_symbolic.evidence import Evidence, Verdict, Witness

#: The code of what is supported because it is decided for some values of a size that stands for all whole numbers.
SIZES = "sizes"
#: The code of a solution that is said to be the only one, and is not or may not be.
NOT_UNIQUE = "not-unique"
#: The code of a step with something on its row that was not read, whether the rest of it holds or not.
CONDITION_NOT_READ = "condition-not-read"
#: Exit codes of a run.
HOLDS, WRONG, USAGE, UNCHECKED = 0, 1, 2, 3


class Status(Enum):
    """What is said about one step of a paper."""

    PROVED = "PROVED"
    DECIDED = "DECIDED"
    SUPPORTED = "SUPPORTED"
    REFUTED = "REFUTED"
    NOT_AN_IDENTITY = "NOT AN IDENTITY"
    BY_DEFINITION = "BY DEFINITION"
    CONDITION = "CONDITION"
    UNDECIDED = "UNDECIDED"
    NOT_UNDERSTOOD = "NOT UNDERSTOOD"
    BROKEN = "BROKEN"

    @classmethod
    def of(cls, verdict: Verdict) -> Status:
        """The status of the same name."""
        return cls(verdict.value)


#: What was asserted and stands, what was not asserted, what is wrong, and what nobody has checked.
STANDING = (Status.PROVED, Status.DECIDED, Status.SUPPORTED)
RECORDED = (Status.BY_DEFINITION, Status.CONDITION)
MISTAKES = (Status.REFUTED, Status.BROKEN)
OPEN = (Status.NOT_AN_IDENTITY, Status.UNDECIDED, Status.NOT_UNDERSTOOD)


@dataclass(frozen=True)
class Span:
    """Where something stands: a file, and lines and columns counted from 1; the end is behind the last character."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class InstanceInWords:
    """How a step was read for one choice of its free indices, in words for a reader; ``given`` what it rests on."""

    at: tuple[tuple[str, str], ...]
    left: str
    relation: str
    right: str
    given: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """What was found about one step, or about something seen that is no step.

    ``left``, ``relation`` and ``right`` are the LaTeX of the paper, ``instances`` how it was understood, one for
    every choice of its free indices, and ``read`` the one that fails if one does, else the first. ``code`` says why
    there is no better status: ``domain``, ``timeout``, ``condition-not-read``, the kind of a refusal such as
    ``undeclared``, ...; ``token`` and ``readings`` come from a refusal. ``failing`` is the share of sampled points at
    which the step fails, as ``(failing, of)``. ``across`` marks a comparison of the two sides around one that was not
    understood.
    """

    place: Span
    status: Status
    label: str | None = None
    index: int = 0
    left: str = ""
    relation: str = ""
    right: str = ""
    read: InstanceInWords | None = None
    instances: tuple[InstanceInWords, ...] = ()
    kind: str = ""
    code: str = ""
    reason: str = ""
    token: str = ""
    readings: tuple[str, ...] = ()
    counterexample: Witness | None = None
    failing: tuple[int, int] | None = None
    repair: str | None = None
    evidence: tuple[Evidence, ...] = ()
    domains: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    across: bool = False

    @property
    def name(self) -> str:
        """What a reader calls the step: its number in its chain, and the label if it has one."""
        step = f"step {self.index}" if self.index else "display"
        return step if self.label is None else f"{step} of {self.label}"


@dataclass(frozen=True)
class Review:
    """The findings about one paper, in reading order, and what should be known about the run.

    ``proposed`` says that the notation was guessed, since nobody declared any; then the run never counts as
    complete. ``map_name`` is the file with the notation. ``warnings`` are about that map, ``problems`` about
    files that could not be followed.
    """

    file: str
    findings: tuple[Finding, ...]
    digits: int
    points: int
    seed: int
    proposed: bool = False
    map_name: str | None = None
    warnings: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)

    @property
    def counts(self) -> Counter[Status]:
        """How many findings have each status."""
        return Counter(finding.status for finding in self.findings)

    def exit_code(self, *, allow_unchecked: bool = False) -> int:
        """0 if everything holds, 1 if something is wrong, 3 if something was not checked."""
        counts = self.counts
        if any(counts[status] for status in MISTAKES):
            return WRONG
        settled = any(counts[status] for status in (*STANDING, *RECORDED))
        left_open = self.problems or not settled or any(counts[status] for status in OPEN)
        if self.proposed or (left_open and not allow_unchecked):
            return UNCHECKED
        return HOLDS
