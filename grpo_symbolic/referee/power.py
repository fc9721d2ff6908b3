"""What checking would notice: slips are planted in formulas of a paper that hold, and each changed paper is checked."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.processes.crew import working
from grpo_symbolic.processes.tasks import Ended, Limits, Lost
from grpo_symbolic.reading.document.displays import Display, PrintedStep
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.tree import Nodes, place_of
from grpo_symbolic.referee.archives import is_archive, stem_of, unpacked
from grpo_symbolic.referee.check import Checked, Options, check_together
from grpo_symbolic.referee.extents import extent, span
from grpo_symbolic.referee.falsity import false_somewhere
from grpo_symbolic.referee.findings import RECORDED, STANDING, Finding, Span, Status
from grpo_symbolic.referee.papers import Opened, open_paper
from grpo_symbolic.referee.planting import KINDS, reversed_relation, slips
from grpo_symbolic.referee.rewriting import Compared, NotWritten, side_of
from grpo_symbolic.referee.workers import Listener

#: Errors that are planted if nobody says how many.
DEFAULT_COUNT = 40
#: Most errors that are planted in one run.
MAX_COUNT = 2_000
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
    """What checking a paper would notice: the errors that were planted, of how many that could have been."""

    file: str
    seed: int
    planted: tuple[Planted, ...]
    standing: int
    candidates: int
    proposed: bool
    warnings: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class _Site:
    """A slip in the text of a paper: where, what kind, and the steps that hold and have it in a side of theirs."""

    kind: str
    place: Place
    new: str
    steps: tuple[Checked, ...]


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
    count: int = DEFAULT_COUNT,
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
    count: int = DEFAULT_COUNT,
    seed: int = 0,
    progress: Progress = _silent,
) -> Power:
    """Plant ``count`` errors in a paper, one at a time, and check each changed paper.

    Raises:
        OSError, ReadingError, MapError: if the paper or its map cannot be read.
    """
    opened = open_paper(path, notation, inline=options.inline)
    every = (*opened.interpretation.outcomes, *opened.across)
    (checked,) = check_together([(opened, lambda item: True)], options, _told(progress, "checked", len(every)))
    standing = [one for one in checked if _holds(one)]
    found = _sites(opened, standing)
    chosen = _chosen(found, count, seed)
    texts = {source.name: source.text for source in opened.paper.sources}
    papers: list[tuple[Opened, tuple[InterpretedStep, ...]] | GrpoSymbolicError] = []
    for number, site in enumerate(chosen, start=1):
        papers.append(_changed(opened, site, texts, notation, options))
        progress("planted", number, len(chosen))
    results = _results(papers, options, progress)
    evaluated = _evaluated(papers, results, options, progress)
    planted = tuple(
        _planted(site, opened.path, paper, results[number], evaluated.get(number))
        for number, (site, paper) in enumerate(zip(chosen, papers, strict=True))
    )
    candidates = sum(map(len, found.values()))
    return Power(str(path), seed, planted, len(standing), candidates, opened.proposed, opened.warnings, opened.problems)


def _told(progress: Progress, what: str, of: int) -> Listener:
    done = 0

    def listen(number: int, answer: object) -> None:
        nonlocal done
        done += 1
        progress(what, done, max(of, done))

    return listen


def _holds(checked: Checked) -> bool:
    """Whether a step is asserted and holds, so that a slip in it would be an error."""
    known = checked.question is not None and checked.outcome is not None and checked.outcome.read is not None
    return known and checked.finding.status in STANDING and not checked.finding.across


# Where errors may be planted.


def _sites(opened: Opened, standing: Sequence[Checked]) -> dict[str, list[_Site]]:
    """All slips in steps that hold, by kind; one in a side that two steps share belongs to both."""
    sides: dict[Place, tuple[Nodes, list[Checked]]] = {}
    found: dict[str, list[_Site]] = {kind: [] for kind in KINDS}
    for one in standing:
        step = _step(one)
        for nodes in (step.left, step.right):
            if nodes:
                sides.setdefault(extent(place_of(nodes)), (nodes, []))[1].append(one)
        new = reversed_relation(step)
        if new is not None:
            found["relation"].append(_Site("relation", step.relation.place, new, (one,)))
    for place, (nodes, steps) in sides.items():
        try:
            side = side_of(opened, nodes)
            for slip in slips(side.tree(side.text), side.text):
                at = Place(place.source, place.start + slip.start, place.start + slip.end)
                found[slip.kind].append(_Site(slip.kind, at, slip.new, tuple(steps)))
        except (NotWritten, GrpoSymbolicError):
            continue  # what is typed there is not read by itself
    return found


def _step(checked: Checked) -> PrintedStep:
    if checked.outcome is None:
        raise ValueError("what was not read has no step")
    return checked.outcome.step


def _chosen(found: Mapping[str, Sequence[_Site]], count: int, seed: int) -> list[_Site]:
    """A seeded sample with as many of each kind as there are, in reading order; rare kinds are taken whole."""
    draw = random.Random(seed)
    chosen: list[_Site] = []
    kinds = sorted((kind for kind in found if found[kind]), key=lambda kind: (len(found[kind]), KINDS.index(kind)))
    for left, kind in zip(range(len(kinds), 0, -1), kinds, strict=True):
        sites = sorted(found[kind], key=_order)
        share = -(-(count - len(chosen)) // left)
        chosen += draw.sample(sites, min(share, len(sites)))
    return sorted(chosen[:count], key=_order)


def _order(site: _Site) -> tuple[str, int, int, str, str]:
    return site.place.source.name, site.place.start, site.place.end, site.kind, site.new


# The changed papers.


def _changed(
    opened: Opened, site: _Site, texts: Mapping[str, str], notation: Path | None, options: Options
) -> tuple[Opened, tuple[InterpretedStep, ...]] | GrpoSymbolicError:
    """The paper with an error in it, and its steps that held before; or why it cannot be read."""
    name, text = site.place.source.name, site.place.source.text
    changed = text[: site.place.start] + site.new + text[site.place.end :]
    try:
        copy = open_paper(opened.path, notation, inline=options.inline, texts={**texts, name: changed})
    except GrpoSymbolicError as error:
        return error
    places = {_beginning(_step(one)) for one in site.steps}
    return copy, tuple(one for one in copy.interpretation.outcomes if _beginning(one.step) in places)


def _beginning(step: PrintedStep) -> tuple[str, int, int]:
    """Where a step begins, which no change inside of it moves."""
    place = place_of(step.left) if step.left else step.place
    return place.source.name, place.start, step.index


def _results(
    papers: Sequence[tuple[Opened, tuple[InterpretedStep, ...]] | GrpoSymbolicError],
    options: Options,
    progress: Progress,
) -> list[list[Checked]]:
    """What is found about the changed steps of each paper; nothing of those that cannot be read."""
    asked = [paper for paper in papers if not isinstance(paper, GrpoSymbolicError)]

    def among(steps: Sequence[InterpretedStep]) -> Callable[[InterpretedStep | Display], bool]:
        known = set(map(id, steps))
        return lambda item: id(item) in known

    wanted = [(opened, among(steps)) for opened, steps in asked]
    listener = _told(progress, "checked", sum(len(steps) for _, steps in asked))
    found = iter(check_together(wanted, replace(options, only=()), listener))
    return [[] if isinstance(paper, GrpoSymbolicError) else next(found) for paper in papers]


def _evaluated(
    papers: Sequence[tuple[Opened, tuple[InterpretedStep, ...]] | GrpoSymbolicError],
    results: Sequence[Sequence[Checked]],
    options: Options,
    progress: Progress,
) -> dict[int, bool | None]:
    """Whether what was not caught is false all the same, by evaluation alone."""
    tasks: dict[int, tuple[Statement, ...]] = {}
    for number, (paper, found) in enumerate(zip(papers, results, strict=True)):
        if isinstance(paper, GrpoSymbolicError) or _told_most(found)[0] is Fate.CAUGHT:
            continue
        questions = {id(one.outcome): one.question for one in found if one.question is not None}
        said = [
            questions[id(step)].statements
            if id(step) in questions
            else tuple(one.statement for one in step.read.instances)
            for step in paper[1]
            if step.read is not None
        ]
        tasks[number] = tuple(statement for statements in said for statement in statements)
    known: dict[int, bool | None] = {}
    limits = Limits(options.timeout, options.memory)
    with working(false_somewhere, tasks, jobs=options.jobs or os.cpu_count() or 1, limits=limits) as events:
        for event in events:
            if isinstance(event, Ended):
                known[event.key] = None if isinstance(event.found, Lost) else event.found
                progress("evaluated", len(known), len(tasks))
    return known


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


def _planted(
    site: _Site,
    path: Path,
    paper: tuple[Opened, tuple[InterpretedStep, ...]] | GrpoSymbolicError,
    found: Sequence[Checked],
    false: bool | None,
) -> Planted:
    fate, finding = _told_most(found)
    first = site.steps[0].finding
    reason = str(paper) if isinstance(paper, GrpoSymbolicError) else "it is not read as a step any more"
    repaired = next((one for one in found if _fate(one.finding) is Fate.CAUGHT and one.finding.repair), None)
    return Planted(
        site.kind,
        span(site.place, path),
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


def _restored(site: _Site, repaired: Checked) -> bool:
    """Whether a repair leads back to what stood there: relations of the same values."""
    begins = _beginning(_step(repaired))
    before = next((one.question for one in site.steps if _beginning(_step(one)) == begins), None)
    return before is not None and Compared(before.relations).same(repaired.mended)
