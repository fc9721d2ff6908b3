"""What somebody wants left alone, with a reason: ``[[ignore]]`` in the map, or a comment in the paper.

A comment says ``% grpo-symbolic: ignore CODE because REASON``, in Markdown between ``<!--`` and ``-->``. At the end of
a line it is about what begins on that line, on a line of its own about what begins on the next one; a display that
begins there is meant as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grpo_symbolic.reading.document.paper import LATEX
from grpo_symbolic.reading.notation.addresses import squashed
from grpo_symbolic.reading.notation.map import IgnoreEntry
from grpo_symbolic.reading.places import Place, ReadingError, Source
from grpo_symbolic.referee.extents import file_of
from grpo_symbolic.referee.findings import RECORDED, STANDING, Finding
from grpo_symbolic.referee.papers import Opened

_TEX = re.compile(r"(?<!\\)(?P<sign>%)[ \t]*grpo-symbolic:(?P<said>[^\n]*)")
_MARKDOWN = re.compile(r"(?P<sign><!--)\s*grpo-symbolic:(?P<said>[^\n]*?)-->")
_SAID = re.compile(r"\s*ignore\s+(?P<codes>[a-z-]+(?:\s*,\s*[a-z-]+)*)\s+because\s+(?P<reason>\S.*?)\s*\Z")
_FORM = "write: grpo-symbolic: ignore CODE because REASON"


class IgnoreRefused(ReadingError):  # noqa: N818 - about the paper, not a failure of ours
    """A comment that ignores something, and does not say what or why."""


@dataclass(frozen=True)
class Ignored:
    """What is left alone: what an entry of the map says, or what begins on some lines of a text."""

    place: Place
    file: str
    reason: str
    codes: tuple[str, ...]
    lines: range | None = None
    entry: IgnoreEntry | None = None

    def fits(self, finding: Finding, folder: str) -> bool:
        """Whether a finding is meant; files are named as they are seen from a ``folder``."""
        if self.codes and not set(self.codes) & set(finding.names):
            return False
        if self.entry is None:
            return finding.place.file == self.file and self.lines is not None and finding.place.line in self.lines
        entry = self.entry
        if entry.labels and (finding.label or "").strip("()") not in {label.strip("()") for label in entry.labels}:
            return False
        if entry.files and not any(finding.place.file in (name, f"{folder}{name}") for name in entry.files):
            return False
        row = squashed(f"{finding.left}{finding.relation}{finding.right}{finding.printed}")
        return not entry.quotes or any(squashed(quote) in row for quote in entry.quotes)


def ignores_of(opened: Opened) -> tuple[Ignored, ...]:
    """What the map and the comments of a paper want left alone.

    Raises:
        IgnoreRefused: a comment does not say what is ignored, or gives no reason.
    """
    entries = [Ignored(one.place, "", one.reason, one.codes, entry=one) for one in opened.notation.ignores]
    sources = {source.name: source for source in opened.paper.sources}
    return (*entries, *(one for source in sources.values() for one in _comments(source, opened)))


def ignoring(
    opened: Opened, findings: Sequence[Finding], ignores: Sequence[Ignored]
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """The findings with the reason for which some are left alone, and what is to be told of ignores without any."""
    folder = "" if opened.path.parent == Path() else f"{opened.path.parent}/"
    used: set[int] = set()
    told: list[Finding] = []
    for finding in findings:
        fitting = [one for one in ignores if one.fits(finding, folder)]
        if fitting and finding.status not in (*STANDING, *RECORDED):
            used.update(map(id, fitting))
            finding = replace(finding, ignored=fitting[0].reason, ignored_here=fitting[0].entry is None)
        told.append(finding)
    idle = (one for one in ignores if id(one) not in used)
    return tuple(told), tuple(f"{one.place}: this ignores nothing that was found; is it still needed?" for one in idle)


def _comments(source: Source, opened: Opened) -> Iterator[Ignored]:
    tex = source.name.endswith(LATEX)
    blocks = [block.place for block in opened.paper.blocks if block.place.source.name == source.name]
    for match in (_TEX if tex else _MARKDOWN).finditer(source.text):
        place = Place(source, match.start(), match.end())
        if not tex and any(block.start <= place.start < block.end for block in blocks):
            continue  # there it is no comment
        said = _SAID.match(match["said"])
        if said is None:
            raise IgnoreRefused(place, f"it is not said what is ignored and why; {_FORM}")
        codes = tuple(code.strip() for code in said["codes"].split(","))
        lines = _lines(source, place, blocks)
        yield Ignored(place, file_of(place, opened.path), said["reason"], codes, lines)


def _lines(source: Source, place: Place, blocks: Sequence[Place]) -> range:
    """The lines on which begins what a comment is about."""
    line = place.line
    if not source.text[source.offset(line) : place.start].strip():
        line = _next(source, source.line_column(place.end)[0])
    ends = [source.line_column(max(block.end - 1, block.start))[0] for block in blocks if block.line == line]
    return range(line, max(ends, default=line) + 1)


def _next(source: Source, line: int) -> int:
    """The first line after this one that is neither empty nor a comment."""
    last = source.line_column(len(source.text))[0]
    for number in range(line + 1, last + 1):
        text = source.text[source.offset(number) : source.offset(number + 1)].strip()
        if text and not text.startswith(("%", "<!--")):
            return number
    return line
