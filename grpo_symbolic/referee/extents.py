"""How far something reaches in the text of a paper, as a reader would mark it, and the text that stands there."""

from __future__ import annotations

import re
from pathlib import Path

from grpo_symbolic.reading.document.displays import PrintedStep
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.tree import Nodes, place_of
from grpo_symbolic.referee.findings import Span

_ENDS_IN_COMMAND = re.compile(r"\\[A-Za-z]+\*?\Z")
#: Longest argument of a macro that is looked for, in characters.
MAX_ARGUMENT = 2_000
#: Longest text of a paper that is shown, in characters.
MAX_SHOWN = 2_000


def extent(place: Place) -> Place:
    """The place with the arguments of a macro at its end, which the place of its body leaves out."""
    text = place.source.text
    end = place.end
    if not _ENDS_IN_COMMAND.search(text[place.start : end]):
        return place
    while (start := _skip_spaces(text, end)) < len(text) and text[start] == "{":
        after = _closing(text, start)
        if after is None:
            break
        end = after
    return Place(place.source, place.start, end)


def row_of(step: PrintedStep) -> Place:
    """Where a step stands that goes on a chain: without its left side, if that is printed on lines before."""
    if step.index == 1 or not step.left or not step.right:
        return step.place
    left, right = place_of(step.left), place_of(step.right)
    if not left.source is right.source is step.place.source:
        return step.place
    if left.source.line_column(max(left.end - 1, 0))[0] == right.line:
        return step.place
    sign = step.relation.place
    begins = sign if sign.source is right.source and sign.line == right.line else right
    return Place(step.place.source, begins.start, max(step.place.end, begins.end))


def text_of(nodes: Nodes) -> str:
    """The LaTeX of some nodes on one line."""
    return flat(place_of(nodes)) if nodes else ""


def flat(place: Place) -> str:
    """The text at a place on one line; very long ones are cut."""
    return cut(" ".join(extent(place).text.split()))


def cut(text: str) -> str:
    """The text, or its beginning if it is very long."""
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]} ..."


def span(place: Place, path: Path) -> Span:
    """Lines and columns of a place, with the file as the user would name it; ``path`` is the paper."""
    reach = extent(place)
    line, column = place.source.line_column(place.start)
    end_line, end_column = place.source.line_column(max(reach.end, place.start + 1))
    return Span(file_of(place, path), line, column, end_line, end_column)


def exact_span(place: Place, path: Path) -> Span:
    """Lines and columns of a place as it is, perhaps between two characters."""
    return Span(file_of(place, path), *place.source.line_column(place.start), *place.source.line_column(place.end))


def file_of(place: Place, path: Path) -> str:
    """The file in which a place lies: the paper itself, or one that it includes."""
    return str(path) if place.source.name == path.name else str(path.parent / place.source.name)


def _skip_spaces(text: str, start: int) -> int:
    while start < len(text) and text[start] in " \t":
        start += 1
    return start


def _closing(text: str, start: int) -> int | None:
    """The offset behind the brace that closes the one at ``start``."""
    depth = 0
    position = start
    while position < min(len(text), start + MAX_ARGUMENT):
        character = text[position]
        if character == "\\":
            position += 1
        elif character in "{}":
            depth += 1 if character == "{" else -1
            if depth == 0:
                return position + 1
        position += 1
    return None
