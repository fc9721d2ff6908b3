"""Put the repairs that were found into a copy of a paper, and keep those with which the copy is found to hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path

from grpo_symbolic.reading.places import Source
from grpo_symbolic.referee.check import review_of
from grpo_symbolic.referee.copies import Replaced, changed
from grpo_symbolic.referee.findings import RECORDED, STANDING, Finding, Review, Rewrite, Status
from grpo_symbolic.referee.options import Options
from grpo_symbolic.referee.papers import Opened, open_paper
from grpo_symbolic.referee.workers import Answering

#: Most times that a copy is checked, with fewer repairs each time, and that others are looked for.
MAX_ROUNDS = 4
MAX_PASSES = 3


@dataclass(frozen=True)
class Fixed:
    """What became of the repairs of a paper.

    ``taken`` are the findings whose repair stands in the copy, ``left`` those with a reason why theirs does not.
    ``review`` is about the copy, with the places in it; it is that of the paper if nothing was taken.
    """

    opened: Opened
    before: Review
    review: Review
    taken: tuple[Finding, ...] = ()
    left: tuple[tuple[Finding, str], ...] = ()
    replaced: Mapping[str, tuple[Replaced, ...]] = field(default_factory=dict)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The texts of the paper, each once."""
        return tuple({source.name: source for source in self.opened.paper.sources}.values())

    def difference(self, copy: str) -> Iterator[str]:
        """The lines of the unified difference; ``copy`` is what the changed paper is called."""
        for source in self.sources:
            if source.name not in self.replaced:
                continue
            after = changed(source.text, self.replaced[source.name])
            main = source is self.sources[0]
            old = str(self.opened.path if main else self.opened.path.parent / source.name)
            new = copy if main else str(Path(copy).parent / source.name)
            yield from unified_diff(source.text.split("\n"), after.split("\n"), old, new, lineterm="")


@dataclass(frozen=True)
class _Copy:
    """A paper with changes, by the name of their text and where they stand in the paper as it was."""

    opened: Opened
    review: Review
    replaced: Mapping[str, tuple[Replaced, ...]] = field(default_factory=dict)

    def with_changes(self, findings: Sequence[Finding]) -> dict[str, tuple[Replaced, ...]]:
        """The changes with those of some findings about this copy, each once."""
        names = {str(self.opened.path): self.opened.paper.source}
        for source in self.opened.paper.sources[1:]:
            names.setdefault(str(self.opened.path.parent / source.name), source)
        found = {name: dict.fromkeys(places) for name, places in self.replaced.items()}
        for rewrite in (one.rewrite for one in findings):
            if rewrite is not None:
                place, source = rewrite.place, names[rewrite.place.file]
                before = self.replaced.get(source.name, ())
                start = _as_it_was(source.offset(place.line, place.column), before)
                end = _as_it_was(source.offset(place.end_line, place.end_column), before)
                if start is not None and end is not None:
                    found.setdefault(source.name, {})[start, end, rewrite.new] = None
        return {name: tuple(places) for name, places in found.items()}


def _as_it_was(offset: int, replaced: Sequence[Replaced]) -> int | None:
    """An offset in the paper as it was, from that in a copy; None inside of what was changed or beside it."""
    moved = 0
    for start, end, new in sorted(replaced):
        if offset < start + moved:
            break
        if offset <= start + moved + len(new):
            return None
        moved += len(new) - (end - start)
    return offset - moved


def fix(
    opened: Opened,
    review: Review,
    options: Options,
    notation: Path | None = None,
    answer: Answering | None = None,
) -> Fixed:
    """Put the repairs of a review into a copy and check it again, without those that do not do what they should.

    A repair stays if its row holds in the copy and everything that held still does. With a row mended, another repair
    may be found for one that goes on from it; so this is done a few times.
    """
    best = _Copy(opened, review)
    original = {source.name: source.text for source in opened.paper.sources}

    def checked(replaced: Mapping[str, tuple[Replaced, ...]]) -> _Copy:
        texts = {name: changed(text, replaced.get(name, ())) for name, text in original.items()}
        copy = open_paper(opened.path, notation, inline=options.inline, texts=texts)
        return _Copy(copy, review_of(copy, options, answer=answer), replaced)

    taken: list[Finding] = []
    left: list[tuple[Finding, str]] = []
    for _ in range(MAX_PASSES):
        better, mended, left = _mended(best, checked)
        if better is None:
            break
        best, taken = better, [*taken, *mended]
    return Fixed(opened, review, best.review, tuple(taken), tuple(left), best.replaced)


def _mended(
    before: _Copy, checked: Callable[[Mapping[str, tuple[Replaced, ...]]], _Copy]
) -> tuple[_Copy | None, list[Finding], list[tuple[Finding, str]]]:
    """The copy with all repairs that do what they should, their findings, and the others with the reason why not."""
    failing = [one for one in before.review.findings if one.repair is not None and not one.ignored]
    left = [(one, one.unwritten) for one in failing if one.rewrite is None]
    wanted = _apart([one for one in failing if one.rewrite is not None], left)
    for _ in range(MAX_ROUNDS):
        replaced = before.with_changes(wanted)
        if not wanted or replaced == before.replaced:
            break
        after = checked(replaced)
        bad = _bad(before.review, after.review, wanted)
        if not bad:
            return after, wanted, left
        left += [(one, bad[id(one)]) for one in wanted if id(one) in bad]
        wanted = [one for one in wanted if id(one) not in bad]
    left += [(one, "it cannot be told apart from other changes") for one in wanted]
    return None, [], left


def _apart(findings: Sequence[Finding], left: list[tuple[Finding, str]]) -> list[Finding]:
    """The findings whose changes do not meet; the same change may mend several rows."""
    kept: list[Finding] = []
    for one in findings:
        other = next((other for other in kept if _meet(one.rewrite, other.rewrite)), None)
        if other is None:
            kept.append(one)
        else:
            left.append((one, f"the repair of {other.place} changes the same place"))
    return kept


def _meet(one: Rewrite | None, other: Rewrite | None) -> bool:
    if one is None or other is None or one == other or one.place.file != other.place.file:
        return False
    starts, ends = [], []
    for place in (one.place, other.place):
        starts.append((place.line, place.column))
        ends.append((place.end_line, place.end_column))
    return max(starts) <= min(ends)


def _bad(before: Review, after: Review, wanted: Sequence[Finding]) -> dict[int, str]:
    """The findings whose repair does not do in the copy what it should, each with the reason."""
    if len(before.findings) != len(after.findings):
        return {id(one): "the copy is read as other steps than the paper" for one in wanted}
    good = {*STANDING, Status.BY_DEFINITION}
    pairs = list(zip(before.findings, after.findings, strict=True))
    mended = {id(one) for one in wanted}
    bad: dict[int, str] = {}
    for old, new in pairs:
        if id(old) in mended and new.status not in good:
            blamed = _blamed(old, wanted)
            which = "its row" if blamed is old else f"with it, {old.place}"
            bad.setdefault(id(blamed), f"{which} says {new.status.value} in the copy")
    if bad:
        return bad
    for old, new in pairs:
        if id(old) not in mended and _worse(old, new):
            # Whose doing it is, is not known; the nearest change in the same file is taken back.
            near = min(wanted, key=lambda one: (one.place.file != old.place.file, abs(one.place.line - old.place.line)))
            reason = f"with it, {old.place} says {new.status.value} and not {old.status.value}"
            bad.setdefault(id(near), reason)
    return bad


def _blamed(row: Finding, wanted: Sequence[Finding]) -> Finding:
    """Whose change keeps a repaired row from holding: of those inside of it, the one that the fewest rows ask for."""
    inside = [one for one in wanted if one is row or _stands_in(one.rewrite, row)]
    votes = Counter(one.rewrite for one in wanted)
    return min(inside, key=lambda one: (votes[one.rewrite], one is not row))


def _stands_in(rewrite: Rewrite | None, row: Finding) -> bool:
    if rewrite is None or rewrite.place.file != row.place.file:
        return False
    first, last = (row.place.line, row.place.column), (row.place.end_line, row.place.end_column)
    return first <= (rewrite.place.line, rewrite.place.column) <= last


def _worse(old: Finding, new: Finding) -> bool:
    """Whether something else than a repaired row says less in the copy than it did."""
    if old.status in STANDING or old.status in RECORDED:
        return new.status not in (*STANDING, *RECORDED)
    return new.status not in (*STANDING, *RECORDED) and (old.status, old.code) != (new.status, new.code)
