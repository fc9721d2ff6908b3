"""What checking would notice: slips are planted in formulas of a paper that hold, and each changed paper is checked."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import islice
from pathlib import Path

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.processes.crew import working
from grpo_symbolic.processes.tasks import Ended, Limits, Lost
from grpo_symbolic.reading.document.displays import Display
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.referee.archives import is_archive, stem_of, unpacked
from grpo_symbolic.referee.check import Checked, check_together
from grpo_symbolic.referee.extents import exact_span
from grpo_symbolic.referee.falsity import false_somewhere
from grpo_symbolic.referee.findings import RECORDED, STANDING, Finding, Span, Status
from grpo_symbolic.referee.options import Options
from grpo_symbolic.referee.papers import Opened, open_paper
from grpo_symbolic.referee.questions import Question
from grpo_symbolic.referee.rewriting import Compared
from grpo_symbolic.referee.sites import Copy, Site, beginning, copies, holds, sample, sites_in, step_of
from grpo_symbolic.referee.workers import Listener

#: Errors that are planted if nobody says how many.
DEFAULT_COUNT = 40
#: Copies of a paper that are held at once.
_AT_ONCE = 64
#: Most seconds that reading the changed papers may take, as long as some are left, going by how long the paper took.
_READING_SECONDS, _FEWEST = 120.0, 5
_FAILING = (Status.REFUTED, Status.NOT_AN_IDENTITY, Status.BROKEN)


class Fate(Enum):
    """What became of a planted error: whether the change would be noticed, and how."""

    CAUGHT = "caught"
    REFUSED = "refused"
    OPEN = "open"
    MISSED = "missed"


@dataclass(frozen=True)
class Planted:
    """One planted error and what checking made of it.

    ``old`` is what stood at ``place``, ``new`` what stands there instead. ``status`` and ``code`` are those of the step
    that told most. ``false`` says whether the change makes something false, None if that is not known. ``repair`` is
    the first repair that was offered, ``restored`` whether it leads back to what stood there.
    """

    kind: str
    place: Span
    label: str | None
    step: int
    old: str
    new: str
    left: str
    relation: str
    right: str
    fate: Fate
    status: Status
    code: str = ""
    reason: str = ""
    false: bool | None = None
    repair: str | None = None
    restored: bool = False

    @property
    def error(self) -> bool:
        """Whether a true step was made false, as far as is known."""
        return self.false is True


@dataclass(frozen=True)
class Power:
    """What checking a paper would notice: the errors that were planted, of how many that could have been.

    ``standing`` is the number of steps that are asserted and hold, ``findings`` are those about the paper as it is.
    ``limited`` is to how many errors the run was limited because reading the paper takes long.
    """

    file: str
    seed: int
    planted: tuple[Planted, ...]
    standing: int
    candidates: int
    proposed: bool
    warnings: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = field(default=(), repr=False)
    limited: int | None = None
    seconds: float = field(default=0.0, compare=False)


#: Told how far the run is: what is done, how much of it, and of how much.
Progress = Callable[[str, int, int], None]


def _silent(what: str, done: int, of: int) -> None:
    """Nobody wants to know."""


def power_of_file(
    path: Path,
    options: Options,
    notation: Path | None = None,
    main: str | None = None,
    *,
    count: int | None = None,
    seed: int = 0,
    progress: Progress = _silent,
) -> Power:
    """As ``power_of``, also of an archive, in which ``main`` is the paper.

    Raises:
        LibraryError, OSError, ReadingError, MapError: if the paper, its archive or its map cannot be read.
    """
    started = time.perf_counter()
    if is_archive(path):
        beside = path.with_name(f"{stem_of(path)}.notation.toml")
        chosen = notation or (beside if beside.is_file() else None)
        with unpacked(path, main) as (folder, paper):
            found = power_of(paper, options, chosen, count=count, seed=seed, progress=progress)
        found = _elsewhere(found, str(folder), str(path))
    else:
        found = power_of(path, options, notation, count=count, seed=seed, progress=progress)
    return replace(found, seconds=time.perf_counter() - started)


def _elsewhere(power: Power, folder: str, archive: str) -> Power:
    """The result with an archive in the place of the folder in which it was unpacked."""
    planted = tuple(
        replace(one, place=replace(one.place, file=one.place.file.replace(folder, archive, 1))) for one in power.planted
    )
    return replace(power, file=power.file.replace(folder, archive, 1), planted=planted)


def power_of(
    path: Path,
    options: Options,
    notation: Path | None = None,
    *,
    count: int | None = None,
    seed: int = 0,
    progress: Progress = _silent,
) -> Power:
    """Plant ``count`` errors in a paper, one at a time, and check each changed paper.

    If nobody says how many, they are ``DEFAULT_COUNT``, and fewer for a paper that takes long to read.

    Raises:
        OSError, ReadingError, MapError: if the paper or its map cannot be read.
    """
    (found,) = powers_of([(path, notation)], options, count=count, seed=seed, progress=progress)
    return found


def powers_of(
    papers: Sequence[tuple[Path, Path | None]],
    options: Options,
    *,
    count: int | None = None,
    seed: int = 0,
    progress: Progress = _silent,
) -> list[Power]:
    """Plant ``count`` errors in each of several papers with their maps; all are checked in the same processes.

    Raises:
        OSError, ReadingError, MapError: if a paper or its map cannot be read.
    """
    opened, counts = [], []
    for path, notation in papers:
        started = time.process_time()
        opened.append(open_paper(path, notation, inline=options.inline))
        each = _READING_SECONDS / max(time.process_time() - started, 0.001) / len(papers)
        counts.append(min(DEFAULT_COUNT, max(_FEWEST, int(each))) if count is None else count)
    steps = sum(len(one.interpretation.outcomes) + len(one.across) for one in opened)
    checked = check_together([(one, lambda item: True) for one in opened], options, _told(progress, "checked", steps))
    standing = [[one for one in some if holds(one)] for some in checked]
    possible = [sites_in(one, some) for one, some in zip(opened, standing, strict=True)]
    taken = [sample(sites, most, seed) for sites, most in zip(possible, counts, strict=True)]
    planted = _planted(
        [(one, sites, notation) for one, sites, (_, notation) in zip(opened, taken, papers, strict=True)],
        options,
        progress,
    )
    return [
        Power(
            str(one.path),
            seed,
            tuple(planted_here),
            len(some),
            sum(map(len, sites.values())),
            one.proposed,
            one.warnings,
            one.problems,
            tuple(found.finding for found in all_found),
        )
        for one, planted_here, some, sites, all_found in zip(opened, planted, standing, possible, checked, strict=True)
    ]


def _told(progress: Progress, what: str, of: int) -> Listener:
    done = 0

    def listen(number: int, answer: object) -> None:
        nonlocal done
        done += 1
        progress(what, done, max(of, done))

    return listen


# The changed papers.


def _planted(
    papers: Sequence[tuple[Opened, Sequence[Site], Path | None]], options: Options, progress: Progress
) -> list[list[Planted]]:
    """What became of the errors at the sites of each paper; a few copies at a time, since each is a paper."""
    total = sum(len(sites) for _, sites, _ in papers)
    waiting = (
        (opened, site, copy)
        for opened, sites, notation in papers
        for site, copy in zip(sites, copies(opened, sites, notation, options), strict=True)
    )
    told: list[Planted] = []
    while len(told) < total:
        each: list[tuple[Opened, Site, Copy | GrpoSymbolicError]] = []
        for one in islice(waiting, _AT_ONCE):
            each.append(one)
            progress("planted", len(told) + len(each), total)
        copied = [copy for _, _, copy in each]
        results = _results(copied, options, progress)
        false = _evaluated(copied, results, options, progress)
        told += [
            _outcome(site, opened.path, copy, results[number], false.get(number))
            for number, (opened, site, copy) in enumerate(each)
        ]
    found = iter(told)
    return [list(islice(found, len(sites))) for _, sites, _ in papers]


def _results(copied: Sequence[Copy | GrpoSymbolicError], options: Options, progress: Progress) -> list[list[Checked]]:
    """What is found about the changed steps of each copy; nothing of those that cannot be read."""
    asked = [one for one in copied if isinstance(one, Copy)]

    def among(steps: Sequence[InterpretedStep]) -> Callable[[InterpretedStep | Display], bool]:
        known = set(map(id, steps))
        return lambda item: id(item) in known

    listener = _told(progress, "of the changed steps checked", sum(len(one.steps) for one in asked))
    wanted = [(one.opened, among(one.steps)) for one in asked]
    found = iter(check_together(wanted, replace(options, only=(), needed=False), listener))
    return [next(found) if isinstance(one, Copy) else [] for one in copied]


def _evaluated(
    copied: Sequence[Copy | GrpoSymbolicError],
    results: Sequence[Sequence[Checked]],
    options: Options,
    progress: Progress,
) -> dict[int, bool | None]:
    """Whether what was not caught is false all the same, by evaluation alone."""
    tasks: dict[int, tuple[Statement, ...]] = {}
    for number, (copy, found) in enumerate(zip(copied, results, strict=True)):
        if isinstance(copy, Copy) and _told_most(found)[0] is not Fate.CAUGHT:
            questions = {id(one.outcome): one.question for one in found if one.question is not None}
            tasks[number] = tuple(one for step in copy.steps for one in _said(step, questions.get(id(step))))
    known: dict[int, bool | None] = {}
    limits = Limits(options.timeout, options.memory)
    with working(false_somewhere, tasks, jobs=options.jobs or os.cpu_count() or 1, limits=limits) as events:
        for event in events:
            if isinstance(event, Ended):
                known[event.key] = None if isinstance(event.found, Lost) else event.found
                progress("evaluated", len(known), len(tasks))
    return known


def _said(step: InterpretedStep, question: Question | None) -> tuple[Statement, ...]:
    """What a changed step says, as it is asked, or as it was read if nothing is asked about it."""
    if question is not None:
        return question.statements
    return () if step.read is None else tuple(one.statement for one in step.read.instances)


# What became of them.


def _told_most(found: Sequence[Checked]) -> tuple[Fate, Finding | None]:
    """What became of an error, and the finding that says so."""
    fates = [(_fate(one.finding), one.finding) for one in found]
    order = list(Fate)
    return min(fates, key=lambda one: order.index(one[0])) if fates else (Fate.REFUSED, None)


def _fate(finding: Finding) -> Fate:
    if finding.status in _FAILING:
        return Fate.CAUGHT
    if finding.status is Status.NOT_UNDERSTOOD:
        return Fate.REFUSED
    return Fate.MISSED if finding.status in (*STANDING, *RECORDED) else Fate.OPEN


def _outcome(
    site: Site, path: Path, copy: Copy | GrpoSymbolicError, found: Sequence[Checked], false: bool | None
) -> Planted:
    fate, finding = _told_most(found)
    first = site.steps[0].finding
    reason = str(copy) if isinstance(copy, GrpoSymbolicError) else "it is not read as a step any more"
    repaired = next((one for one in found if _fate(one.finding) is Fate.CAUGHT and one.finding.repair), None)
    return Planted(
        site.kind,
        exact_span(site.place, path),
        first.label,
        first.index,
        site.place.text,
        site.new,
        first.left,
        first.relation,
        first.right,
        fate,
        Status.NOT_UNDERSTOOD if finding is None else finding.status,
        "" if finding is None else finding.code,
        reason if finding is None else finding.reason,
        True if fate is Fate.CAUGHT else false,
        None if repaired is None else repaired.finding.repair,
        repaired is not None and _restored(site, repaired),
    )


def _restored(site: Site, repaired: Checked) -> bool:
    """Whether a repair leads back to what stood there: relations of the same values."""
    begins = beginning(step_of(repaired))
    before = next((one.question for one in site.steps if beginning(step_of(one)) == begins), None)
    return before is not None and Compared(before.relations).same(repaired.mended)
