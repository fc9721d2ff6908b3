"""What is wanted of one run of ``check``; light to import, so that a command can start before the engine is there."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.processes.tasks import MEMORY


@dataclass(frozen=True)
class Options:
    """How a paper is checked; ``timeout`` is in seconds, for each step, and ``memory`` in bytes.

    ``needed`` asks for a condition under which what fails would hold, ``spared`` which conditions on what holds are
    not needed. ``certified`` asks for proofs of what holds.
    """

    settings: Settings = field(default_factory=lambda: Settings(effort=4_000, boxes=4_000))
    timeout: float = 10.0
    jobs: int | None = None
    memory: int = MEMORY
    only: tuple[str, ...] = ()
    inline: bool = False
    needed: bool = True
    spared: bool = False
    certified: bool = False


@dataclass(frozen=True)
class Mending:
    """Where the repairs go: a copy at ``out`` or beside the paper, or ``in_place``; ``force`` overwrites a copy."""

    out: Path | None = None
    in_place: bool = False
    force: bool = False


@dataclass(frozen=True)
class Run:
    """What was asked for; ``mending`` is None if nothing is to be mended.

    What stands in the result ``baseline`` as well does not count; ``record`` is where this result goes, and ``proofs``
    where the proofs of what holds go. Of an archive, ``main`` is the file that is the paper.
    """

    paper: Path
    options: Options
    notation: Path | None = None
    mending: Mending | None = None
    baseline: Path | None = None
    record: Path | None = None
    main: str | None = None
    proofs: Path | None = None
