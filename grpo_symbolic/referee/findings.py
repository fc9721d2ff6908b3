"""What the referee says about a paper: one finding for each step, and the summary of a run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from grpo_symbolic.evidence import Evidence, Verdict, Witness

#: The code of what is supported because it is decided for some values of a size that stands for all whole numbers.
SIZES = "sizes"
#: The code of a solution that is said to be the only one, and is not or may not be.
NOT_UNIQUE = "not-unique"
#: The code of an equivalence of which one side holds where the other fails, and of one where the other has no value.
NOT_EQUIVALENT, NO_VALUE = "not-equivalent", "no-value"
#: The code of what fails on domains that were guessed; had they been declared, it would be refuted.
GUESSED = "guessed"
#: The code of a step with something on its row that was not read, whether the rest of it holds or not.
CONDITION_NOT_READ = "condition-not-read"
#: The code of an equation that fails and of which nobody says what it is.
KIND_UNKNOWN = "kind-unknown"
#: The code of what holds nowhere on the declared domains, so that it is no condition either.
NEVER = "never-holds"
#: The code of what is said to be two things, in different places.
DEFINED_TWICE = "defined-twice"
#: The code of what has no sign that asserts anything exact: an expression alone, about equal, drawn from.
NO_ASSERTION = "no-assertion"
#: The code of what the words before it suppose.
SUPPOSED = "supposed"
#: Line and column in what is told.
_PLACE = re.compile(r":\d+(?::\d+)?(?=[:,]|\Z)")
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
CERTAIN = (Status.PROVED, Status.DECIDED)
STANDING = (*CERTAIN, Status.SUPPORTED)
RECORDED = (Status.BY_DEFINITION, Status.CONDITION)
OPEN = (Status.NOT_AN_IDENTITY, Status.UNDECIDED, Status.NOT_UNDERSTOOD)


@dataclass(frozen=True)
class Meaning:
    """What a finding says of a step, and its exit codes.

    ``declared`` is the exit code with a map, ``allowed`` the same with ``--allow-unchecked``, ``guessed`` that without
    a map, where the flag changes nothing; it is ``None`` for what is never said on domains that nobody declared.
    """

    says: str
    declared: int
    allowed: int
    guessed: int | None = UNCHECKED

    def code(self, proposed: bool, allow_unchecked: bool) -> int:
        """The exit code, where the notation was declared or only ``proposed``."""
        if proposed:
            return UNCHECKED if self.guessed is None else self.guessed
        return self.allowed if allow_unchecked else self.declared


MEANINGS: Mapping[Status, Meaning] = {
    Status.PROVED: Meaning("holds; a certificate was re-checked by an independent program", HOLDS, HOLDS),
    Status.DECIDED: Meaning("holds; a decision procedure or a rigorous enclosure says so", HOLDS, HOLDS),
    Status.SUPPORTED: Meaning(
        "agrees at all sampled points to all digits, or for the sizes that were tried, which is no proof", HOLDS, HOLDS
    ),
    Status.BY_DEFINITION: Meaning("holds because it says what something means", HOLDS, HOLDS),
    Status.CONDITION: Meaning(
        "is required or assumed, not asserted; also what has no sign that asserts anything exact, such "
        "as \\approx or \\sim, or no relation at all",
        HOLDS,
        HOLDS,
    ),
    Status.REFUTED: Meaning(
        "is asserted and fails at the point that is given, or holds nowhere on the declared domains", WRONG, WRONG, None
    ),
    Status.NOT_AN_IDENTITY: Meaning(
        "fails at the point that is given, and nobody says that it is a condition, a definition or a consequence; "
        "or it is asserted and fails on domains that were guessed",
        WRONG,
        WRONG,
    ),
    Status.UNDECIDED: Meaning("was understood and could not be decided", UNCHECKED, HOLDS),
    Status.NOT_UNDERSTOOD: Meaning(
        "was seen and not read, so it was not checked; the token, the reason and both readings, if it is ambiguous, "
        "are told",
        UNCHECKED,
        HOLDS,
    ),
    Status.BROKEN: Meaning("is broken LaTeX, which TeX itself rejects", WRONG, WRONG, WRONG),
}


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
class Rewrite:
    """A repair in the LaTeX of the paper: ``new`` is to stand at ``place`` in the place of ``old``."""

    place: Span
    old: str
    new: str


@dataclass(frozen=True)
class Related:
    """What a finding hangs on: a declaration, a definition or a guess, and where it stands."""

    place: Span
    says: str


@dataclass(frozen=True)
class Guess:
    """What nobody declared and was guessed: the domain of a symbol, or what a function is, with what speaks for it."""

    name: str
    domain: str | None
    why: str


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
    which the step fails, as ``(failing, of)``. ``rewrite`` is the repair as it would be typed, or ``unwritten`` says
    why there is none. ``guesses`` are what it hangs on where nobody declared anything.
    ``across`` marks a comparison of the two sides around one that was not understood. ``printed`` is the LaTeX of a
    broken display, which has no sides. ``related`` are the places that it hangs on. ``ignored`` is the reason for which
    somebody wants it left alone, in the paper itself if it is ``ignored_here``. ``known`` says that it stands in a
    baseline. Neither counts. ``proofs`` are those of its instances, as JSON, if they were asked for and found.
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
    guesses: tuple[Guess, ...] = ()
    rewrite: Rewrite | None = None
    unwritten: str = ""
    printed: str = ""
    related: tuple[Related, ...] = ()
    ignored: str = ""
    ignored_here: bool = False
    known: bool = False
    proofs: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What a reader calls the step: its number in its chain, and the label if it has one."""
        step = f"step {self.index}" if self.index else "display"
        return step if self.label is None else f"{step} of {self.label}"

    @property
    def counts(self) -> bool:
        """Whether it makes an exit code: what is ignored or known does not."""
        return not self.ignored and not self.known

    @property
    def names(self) -> tuple[str, ...]:
        """By what an ignore calls it: its code, if it has one, and its status in small letters."""
        status = self.status.value.lower().replace(" ", "-")
        return (self.code, status) if self.code else (status,)


@dataclass(frozen=True)
class Since:
    """How a review differs from an earlier one, the baseline: what it says anyway does not count.

    ``proposed`` says that nobody had declared the notation then either, ``unsettled`` that nothing was settled,
    ``problems`` what could not be followed. ``gone`` tells what became of findings that are there no longer.
    """

    name: str
    proposed: bool = False
    unsettled: bool = False
    problems: frozenset[str] = frozenset()
    gone: tuple[str, ...] = ()


@dataclass(frozen=True)
class Review:
    """The findings about one paper, in reading order, and what should be known about the run.

    ``proposed`` says that the notation was guessed, since nobody declared any; then the run never counts as
    complete. ``map_name`` is the file with the notation. ``warnings`` are about that map, ``problems`` about
    files that could not be followed. ``since`` compares with a baseline.
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
    since: Since | None = None

    @property
    def counts(self) -> Counter[Status]:
        """How many findings have each status."""
        return Counter(finding.status for finding in self.findings)

    def exit_code(self, *, allow_unchecked: bool = False) -> int:
        """0 if everything holds, 1 if something fails, 3 if something was not checked; see ``MEANINGS``.

        What is ignored does not count, nor does what a baseline says as well.
        """
        since = self.since or Since("")
        proposed = self.proposed and not since.proposed
        problems = {unplaced(problem) for problem in self.problems} - since.problems
        found = {(one.status, self.proposed or bool(one.guesses)) for one in self.findings if one.counts}
        if self.proposed and since.proposed:
            found = {one for one in found if one[0] not in (*STANDING, *RECORDED)}
        codes = {self._code(status, guessed, allow_unchecked) for status, guessed in found}
        counts = self.counts
        settled = since.unsettled or any(counts[status] for status in (*STANDING, *RECORDED))
        if proposed or ((problems or not settled) and not allow_unchecked):
            codes.add(UNCHECKED)
        return next((code for code in (WRONG, UNCHECKED) if code in codes), HOLDS)

    def _code(self, status: Status, guessed: bool, allow_unchecked: bool) -> int:
        """The exit code of what has a status; beside a map, what is guessed and does not fail may be left unchecked."""
        meaning = MEANINGS[status]
        if guessed and not self.proposed and allow_unchecked and meaning.allowed is HOLDS:
            return HOLDS
        return meaning.code(guessed, allow_unchecked)


def unplaced(said: str) -> str:
    """What is said of a place without its line and column, which change with the text above it."""
    return _PLACE.sub("", said)
