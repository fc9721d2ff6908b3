"""One run of ``check``: the paper is read and checked, told of, and mended if that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from grpo_symbolic.errors import GrpoSymbolicError, LibraryError
from grpo_symbolic.reading.document.notebooks import NOTEBOOK
from grpo_symbolic.referee.archives import ENDINGS, is_archive, stem_of, unpacked
from grpo_symbolic.referee.baseline import Former, read_former, refuse_to_overwrite, since
from grpo_symbolic.referee.certifying import write_proofs
from grpo_symbolic.referee.check import review_of
from grpo_symbolic.referee.copies import is_folder, target_of, write_copy, write_in_place
from grpo_symbolic.referee.findings import Review, Span
from grpo_symbolic.referee.fixing import Fixed, fix
from grpo_symbolic.referee.machine import as_json
from grpo_symbolic.referee.options import Mending, Options, Run
from grpo_symbolic.referee.papers import map_beside, open_paper
from grpo_symbolic.referee.versions import Comparison, compare
from grpo_symbolic.referee.workers import Answering, Listener

#: Told the review of the paper as it is, before anything is mended.
Teller = Callable[[Review], None]


def run(
    wanted: Run,
    tell: Teller,
    say: Callable[[str], None],
    listener: Listener | None = None,
    answer: Answering | None = None,
) -> Review:
    """Check a paper, ``tell`` what was found and, if that is wanted, mend it, which is told by ``say``.

    Returns what holds of the paper as it stands afterwards: a copy changes nothing of it.

    Raises:
        LibraryError: if nothing of the paper has one of the labels that were asked for, the baseline is none, or a copy
            cannot be written.
        OSError, ReadingError, MapError: if the paper or its map cannot be read.
    """
    paper, options = wanted.paper, wanted.options
    if wanted.record is not None:
        refuse_to_overwrite(wanted.record)
    packed = is_archive(paper)
    if packed and wanted.mending is not None:
        raise LibraryError(f"{paper} is an archive: unpack it, and mend what is in it")
    if paper.suffix == NOTEBOOK and wanted.mending is not None:
        raise LibraryError(f"{paper} is a notebook, into which repairs are not typed: leave out --fix")
    if wanted.main is not None and not packed:
        raise LibraryError(f"--main names a file of an archive ({', '.join(ENDINGS)}), and {paper} is none")
    former = None if wanted.baseline is None else read_former(wanted.baseline)
    opened = None if packed else open_paper(paper, wanted.notation, inline=options.inline)
    if opened is None:
        review = review_archive(paper, options, wanted.notation, wanted.main, listener, answer)
    else:
        review = review_of(opened, options, listener, answer)
    review = _since(review, former)
    if options.only and not review.findings:
        raise LibraryError(f"{paper} has no display with the label or tag {', '.join(options.only)}")
    tell(review)
    if wanted.proofs is not None:
        say(write_proofs(review, wanted.proofs))
    if wanted.record is not None:
        wanted.record.write_text(as_json(review, review.exit_code()), encoding="utf-8")
    if wanted.mending is None or opened is None:
        return review
    fixed = fix(opened, review, options, wanted.notation, answer)
    for line in _mended(fixed, wanted, wanted.mending):
        say(line)
    return _since(fixed.review, former) if wanted.mending.in_place else review


def review_archive(
    path: Path,
    options: Options,
    notation: Path | None = None,
    main: str | None = None,
    listener: Listener | None = None,
    answer: Answering | None = None,
) -> Review:
    """Check the paper in an archive; its files are told as if they stood in a folder with the name of the archive.

    The map is the one that is named, or the file beside the archive that has its name, or beside the paper in it.
    """
    beside = path.with_name(f"{stem_of(path)}.notation.toml")
    chosen = notation or (beside if beside.is_file() else None)
    with unpacked(path, main) as (folder, paper):
        try:
            review = review_of(open_paper(paper, chosen, inline=options.inline), options, listener, answer)
        except GrpoSymbolicError as error:
            raise LibraryError(str(error).replace(str(folder), str(path))) from error
    return _elsewhere(review, str(folder), str(path))


def _elsewhere(review: Review, folder: str, archive: str) -> Review:
    """The review with an archive in the place of the folder in which it was unpacked."""

    def moved(place: Span) -> Span:
        return replace(place, file=place.file.replace(folder, archive, 1))

    findings = tuple(
        replace(
            one,
            place=moved(one.place),
            related=tuple(replace(other, place=moved(other.place)) for other in one.related),
            rewrite=None if one.rewrite is None else replace(one.rewrite, place=moved(one.rewrite.place)),
        )
        for one in review.findings
    )
    return replace(review, file=review.file.replace(folder, archive, 1), findings=findings)


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
    if is_archive(path):
        return Former.of(review_archive(path, options, notation))
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
