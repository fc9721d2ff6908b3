"""Cut a text into passages: paragraphs, displays with the numbers printed after them, lists of references."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from grpo_symbolic.reading.document.blocks import Block
from grpo_symbolic.reading.document.displays import Display
from grpo_symbolic.reading.document.mending import mended_rows
from grpo_symbolic.reading.document.paper import read_displays, read_text
from grpo_symbolic.reading.places import Place, Source

_LOOSE = re.compile(r"^=[^\n]*\$[^\n]*$", re.MULTILINE)
_NEW_PARAGRAPH = re.compile(r"\s*(?:- |#{1,6} |FIGURE |Figure \d|<sup>)")
_MARKDOWN = re.compile(r"\s*#{1,6}\s+")
_NUMBER = re.compile(r"(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)*)(?=\.?\s)")
_PLAIN = re.compile(r"\s*(?:(\d+(?:\.\d+)*)\.\s+(?=[A-Z*])|Appendix\s+([A-Z])\.\s|(References)\s*$|ABSTRACT\.\s)")


@dataclass(frozen=True)
class Passage:
    """A display with its printed number, a paragraph with the formulas in it, or a list of references."""

    kind: str
    start: int
    end: int
    formulas: tuple[Block, ...] = ()
    display: Display | None = None


def passages(text: str) -> Iterator[Passage]:
    """Cut a text of Markdown into passages, in reading order, and read the displays; only blanks are left out."""
    source = Source("text", text)
    found = list(_passages(source, read_text(source, tex=False).blocks))
    last: Passage | None = None
    for passage, display in zip(found, _read(found), strict=True):
        number = display is not None and [one.code for one in display.unread] == ["number-only"]
        if number and last is not None and last.display is not None:
            last = replace(last, end=passage.end)  # a number in a display of its own belongs to the one before
            continue
        if last is not None:
            yield last
        last = replace(passage, display=display)
    if last is not None:
        yield last


def section_of(paragraph: str) -> str | None:
    """The section that a paragraph opens, by number or name."""
    markdown = _MARKDOWN.match(paragraph)
    if markdown:
        title = paragraph[markdown.end() :].replace("*", "").strip()
        number = _NUMBER.match(title)
        return title if title in ("Abstract", "References") else number[0] if number else None
    plain = _PLAIN.match(paragraph)
    return (plain[1] or plain[2] or plain[3] or "Abstract") if plain else None


def _read(passages: Sequence[Passage]) -> Iterator[Display | None]:
    """What each passage displays; a chain goes on from display to display, but not over a paragraph."""
    follows = [before is not None and before.kind == "display" for before, _ in pairwise([None, *passages])]
    blocks = [
        replace(passage.formulas[0], kind="display", joined=joined)
        for passage, joined in zip(passages, follows, strict=True)
        if passage.kind == "display"
    ]
    displays = iter(read_displays(blocks, mended_rows))
    for passage in passages:
        yield next(displays) if passage.kind == "display" else None


def _passages(source: Source, blocks: Sequence[Block]) -> Iterator[Passage]:
    """Displays and paragraphs in order; a formula alone in its paragraph is a display."""
    text = source.text
    at = 0
    references_until = 0
    for block in [*_displayed(source, blocks), None]:
        until = block.place.start if block else len(text)
        for passage in _paragraphs(text, at, until, blocks):
            if passage.start < references_until:
                continue
            if section_of(text[passage.start : passage.end]) == "References":
                references_until = _next_heading(text, passage.end)
                passage = Passage("references", passage.start, references_until)
            yield passage
        at = _end(text, block) if block else until
        if block and block.place.start >= references_until:
            yield Passage("display", block.place.start, at, (block,))


def _displayed(source: Source, blocks: Sequence[Block]) -> list[Block]:
    """The displays that are set as such, and the lines that a scan has left of others: they begin with a relation."""
    found = [block for block in blocks if block.kind == "display"]
    loose: list[Block] = []
    for line in _LOOSE.finditer(source.text):
        before = _within(found, 0, line.end())
        if not before or before[-1].place.end <= line.start():
            place = Place(source, *line.span())
            loose.append(Block("display", place, place, {}))
    return sorted([*found, *loose], key=_start)


def _start(block: Block) -> int:
    return block.place.start


def _within(blocks: Sequence[Block], start: int, end: int) -> Sequence[Block]:
    """The blocks that begin in a span, of some in reading order."""
    return blocks[bisect_left(blocks, start, key=_start) : bisect_left(blocks, end, key=_start)]


def _end(text: str, block: Block) -> int:
    """Where a display ends, with the number that is printed after it."""
    number = "" if block.tag is None else f"({block.tag})"
    return text.index(number, block.place.end) + len(number)


def _next_heading(text: str, start: int) -> int:
    found = re.compile(r"^#{1,6} ", re.MULTILINE).search(text, start)
    return found.start() if found else len(text)


def _paragraphs(text: str, start: int, end: int, blocks: Sequence[Block]) -> Iterator[Passage]:
    """Paragraphs end at blank lines, and before items of lists, headings, captions and footnotes."""
    begin = start
    for line in re.finditer(r"[^\n]*(?:\n|$)", text[start:end]):
        at = start + line.start()
        blank = not line[0].strip()
        if (blank or _NEW_PARAGRAPH.match(line[0])) and text[begin:at].strip():
            yield _paragraph(text, begin, at, blocks)
            begin = at
        elif blank:
            begin = start + line.end()
    if text[begin:end].strip():
        yield _paragraph(text, begin, end, blocks)


def _paragraph(text: str, start: int, end: int, blocks: Sequence[Block]) -> Passage:
    source = text[start:end]
    start, stop = start + len(source) - len(source.lstrip()), start + len(source.rstrip())
    formulas = tuple(_within(blocks, start, end))
    alone = len(formulas) == 1 and (formulas[0].place.start, formulas[0].place.end) == (start, stop)
    return Passage("display" if alone else "text", start, end, formulas)
