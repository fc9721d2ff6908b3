"""Where each step of a display begins, so that the parts between these places hold all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from grpo_symbolic.reading.document.displays import Display, PrintedChain, Unread
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.tree import place_of

#: What is a step all the same, though one of its sides stands in the text.
_ONE_SIDED = frozenset({"no-left-side", "no-right-side"})
_BREAK = re.compile(r"\\\\\*?(?:[ \t]*\[[^\]\n]*\])?\s*")


@dataclass(frozen=True)
class Part:
    """A part of a display, up to where the next one begins.

    ``relation`` says whether it relates two expressions; ``left`` is the one before the relation where that belongs
    to an earlier part. ``tag`` is the number of its row.
    """

    start: int
    relation: bool
    left: Place | None = None
    tag: str | None = None


def parts_of(display: Display) -> tuple[Part, ...]:
    """Return the parts of a display in reading order, at least one; the first holds what stands before it as well.

    A step is a part, so is a sign between two statements, and so is what no step could be made of.
    """
    begins = display.place.start
    found = [
        Part(max(one.place.start, begins), one.code in _ONE_SIDED, None, display.tag)
        for one in display.unread
        if not _told(one.place, display.unread)
    ]
    before: PrintedChain | None = None
    for chain in display.chains:
        if chain.link is not None:
            place = None if before is None else before.place
            found.append(Part(begins if place is None else place.end, True, place, display.tag))
        found += _steps(chain, begins, display.unread)
        before = chain
    parts: list[Part] = []
    for part in sorted(found, key=lambda part: part.start):
        after = parts[-1].start if parts else -1
        if part.start > after:
            parts.append(part if part.left is not None else replace(part, start=_opened(display, part.start, after)))
    return tuple(parts) or (Part(begins, False, None, display.tag),)


def _opened(display: Display, start: int, after: int) -> int:
    """Where the row of a statement begins, such as with a condition, unless another part of it stands before."""
    text = display.place.source.text
    row = max((place.start for place in display.rows if place.start <= start), default=start)
    at = text.rfind("\\\\", max(after, display.place.start), row)
    sign = _BREAK.match(text, at) if at >= 0 else None
    return start if sign is None or sign.end() <= after else min(sign.end(), start)


def _steps(chain: PrintedChain, begins: int, unread: tuple[Unread, ...]) -> Iterator[Part]:
    """The steps of a chain; the first begins with its left side, unless that belongs to an earlier part."""
    for number, step in enumerate(chain.steps):
        left = place_of(step.left)
        if number or chain.continues or left.start < begins or _told(left, unread):
            yield Part(step.relation.place.start, True, left, step.tag)
        else:
            yield Part(left.start, True, None, step.tag)


def _told(side: Place, unread: tuple[Unread, ...]) -> bool:
    """Whether an expression is the right side of a relation that has no left one."""
    ends = (one.place.end for one in unread if one.code == "no-left-side" and one.place.end <= side.start)
    return any(not side.source.text[end : side.start].strip("$& \t\r\n") for end in ends)
