"""One run of ``check``: the paper is read and checked, told of, and mended if that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grpo_symbolic.errors import LibraryError
from grpo_symbolic.referee.baseline import Former, read_former, since
from grpo_symbolic.referee.check import Options, review_of
from grpo_symbolic.referee.copies import is_folder, target_of, write_copy, write_in_place
from grpo_symbolic.referee.findings import Review
from grpo_symbolic.referee.fixing import Fixed, fix
from grpo_symbolic.referee.machine import as_json
from grpo_symbolic.referee.papers import map_beside, open_paper
from grpo_symbolic.referee.versions import Comparison, compare
from grpo_symbolic.referee.workers import Listener


@dataclass(frozen=True)
class Mending:
    """Where the repairs go: a copy at ``out`` or beside the paper, or ``in_place``; ``force`` overwrites a copy."""

    out: Path | None = None
    in_place: bool = False
    force: bool = False


@dataclass(frozen=True)
class Run:
    """What was asked for; ``mending`` is None if nothing is to be mended.

    What stands in the result ``baseline`` as well does not count; ``record`` is where this result goes.
    """

    paper: Path
    options: Options
    notation: Path | None = None
    mending: Mending | None = None
    baseline: Path | None = None
    record: Path | None = None


#: Told the review of the paper as it is, before anything is mended.
Teller = Callable[[Review], None]


def run(wanted: Run, tell: Teller, say: Callable[[str], None], listener: Listener | None = None) -> Review:
    """Check a paper, ``tell`` what was found and, if that is wanted, mend it, which is told by ``say``.

    Returns what holds of the paper as it stands afterwards: a copy changes nothing of it.

    Raises:
        LibraryError: if nothing of the paper has one of the labels that were asked for, the baseline is none, or a copy
            cannot be written.
        OSError, ReadingError, MapError: if the paper or its map cannot be read.
    """
    former = None if wanted.baseline is None else read_former(wanted.baseline)
    opened = open_paper(wanted.paper, wanted.notation, inline=wanted.options.inline)
    review = _since(review_of(opened, wanted.options, listener), former)
    only = wanted.options.only
    if only and not review.findings:
        raise LibraryError(f"{wanted.paper} has no display with the label or tag {', '.join(only)}")
    tell(review)
    if wanted.record is not None:
        wanted.record.write_text(as_json(review, review.exit_code()), encoding="utf-8")
    if wanted.mending is None:
        return review
    fixed = fix(opened, review, wanted.options, wanted.notation)
    for line in _mended(fixed, wanted, wanted.mending):
        say(line)
    return _since(fixed.review, former) if wanted.mending.in_place else review


def _since(review: Review, former: Former | None) -> Review:
    return review if former is None else since(review, former)


def versions(old: Path, new: Path, options: Options, notation: Path | None = None) -> Comparison:
    """Compare two versions of a paper, each checked now or a former result; without a map OLD is read with that of NEW.

    Raises:
        LibraryError, OSError, ReadingError, MapError: if one of them cannot be read.
    """
    beside = map_beside(new)
    known = notation or (beside if beside.is_file() and not map_beside(old).is_file() else None)
    return compare(_version(old, options, known), _version(new, options, notation))


def _version(path: Path, options: Options, notation: Path | None) -> Former:
    if path.suffix == ".json":
        return read_former(path)
    return Former.of(review_of(open_paper(path, notation, inline=options.inline), options))


def _mended(fixed: Fixed, wanted: Run, mending: Mending) -> Iterator[str]:
    """Write what was mended, and say what was and what was not."""
    found = len(fixed.taken) + len(fixed.left)
    if not found:
        yield "no step that fails has a repair, so nothing was written"
        return
    if fixed.taken and mending.in_place:
        yield from fixed.difference(str(wanted.paper))
        write_in_place(wanted.paper, fixed.sources, fixed.replaced)
        yield f"{_counted(fixed)} in {wanted.paper}"
    elif fixed.taken:
        target = target_of(wanted.paper, fixed.sources, fixed.replaced, mending.out)
        written = write_copy(wanted.paper, fixed.sources, fixed.replaced, target, force=mending.force)
        yield from fixed.difference(str(target / wanted.paper.name if is_folder(target) else target))
        yield f"{_counted(fixed)} in {written[0]}; {wanted.paper} is as it was"
        beside = fixed.opened.map_name
        if beside is not None and beside != wanted.paper.name:
            yield f"check the copy with --notation {wanted.notation or wanted.paper.parent / beside}"
    for finding, why in fixed.left:
        yield f"not mended: {finding.place}, {finding.repair}: {why}"
    yield from (f"map, about the copy: {one}" for one in fixed.review.warnings if one not in fixed.before.warnings)


def _counted(fixed: Fixed) -> str:
    taken = len(fixed.taken)
    return (
        f"{taken} of {taken + len(fixed.left)} {'row' if taken == 1 else 'rows'} mended and checked again: "
        f"{'it holds' if taken == 1 else 'they hold'}, and whatever held before still does,"
    )
