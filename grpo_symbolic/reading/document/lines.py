"""The lines of a display: the rows of its environments, cut into statements and the conditions on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from grpo_symbolic.reading.document.columns import columns_of
from grpo_symbolic.reading.document.cutter import Cutter
from grpo_symbolic.reading.document.displays import Condition
from grpo_symbolic.reading.document.prose import spoken
from grpo_symbolic.reading.document.relations import relations_in, stripped
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.symbols import LINES, PUNCTUATION
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Environment,
    Group,
    Name,
    Nodes,
    Number,
    Row,
    Space,
    Words,
    place_of,
)

#: Environments in which every row is a formula of its own.
_SEPARATE = frozenset({"gather", "gathered", "array"})
#: Environments in which every row has a number, unless it says otherwise or the name ends with a star.
_NUMBERED = frozenset({"align", "alignat", "flalign", "gather", "eqnarray", "IEEEeqnarray"})
_UNNUMBERED = re.compile(r"\\(?:nonumber|notag)(?![A-Za-z])")


@dataclass(frozen=True, slots=True)
class Line:
    """One statement of a ``row`` with the conditions that stand on the row.

    ``own`` says that it is the first statement of its row, so that it may go on from the row before;
    ``opens`` that it does not, although it begins with a sign. ``alone`` says that no other statement stands beside it
    in its column of the row. ``column`` numbers equations beside each other, and
    ``numbered`` says that the number of another row is not that of this one.
    """

    items: Nodes
    place: Place
    row: Place
    own: bool = True
    opens: bool = False
    conditions: tuple[Condition, ...] = ()
    label: str | None = None
    tag: str | None = None
    column: int = 0
    numbered: bool = False
    alone: bool = True


def lines_of(rows: tuple[Row, ...]) -> Iterator[Line]:
    """Yield the lines of a display column by column; a row of words only is a line without items."""
    opened = list(_opened(rows, ""))
    named = [(row, name.rstrip("*")) for row, name in opened]
    numbered = _numbered(opened)
    pieces = columns_of(named)
    for number in sorted({number for row in pieces for number, _ in row} | {0}):
        begins = bool(number)
        for (row, environment), columns, own in zip(named, pieces, numbered, strict=True):
            found = [nodes for column, nodes in columns if column == number]
            for nodes in found or ([()] if not columns and not number else []):
                for line in _lines_of_piece(row, nodes, environment):
                    yield replace(line, column=number, opens=line.opens or begins, numbered=own)
                    begins = False


def _numbered(rows: list[tuple[Row, str]]) -> list[bool]:
    """Say of each row whether it has a number of its own."""
    found: list[bool] = []
    for at, (row, environment) in enumerate(rows):
        if environment not in _NUMBERED:
            found.append(False)
            continue
        text, start = row.place.source.text, row.place.start
        later = rows[at + 1][0].place.start if at + 1 < len(rows) else len(text)
        end = later if later > row.place.end else len(text)
        close = text.find(r"\end", row.place.end, end)
        hidden = _UNNUMBERED.search(text, start, end if close < 0 else close)
        found.append(hidden is None)
    return found


def _lines_of_piece(row: Row, nodes: Nodes, environment: str) -> Iterator[Line]:
    items, tag = _printed_number(stripped(tuple(map(spoken, nodes)), PUNCTUATION))
    opens = _opens(row, items, environment)
    if opens and len(items) > 1 and isinstance(items[1], Words):
        items = items[1:]  # the dash of a list
    opens = opens or _is_named(items)
    statements = Cutter(items).cut()
    for index, (statement, conditions) in enumerate(statements):
        place = place_of(statement) if statement else row.place
        first, alone = index == 0, len(statements) < 2
        yield Line(statement, place, row.place, first, opens, conditions, row.label, row.tag or tag, alone=alone)


def _opened(rows: tuple[Row, ...], environment: str) -> Iterator[tuple[Row, str]]:
    """Yield rows with the environments that fill them opened up; what stands before one joins its first row."""
    for row in rows:
        core = stripped(row.items, PUNCTUATION)
        last = core[-1] if core else None
        lines = isinstance(last, Environment) and last.name.rstrip("*") in LINES
        if not isinstance(last, Environment) or not lines or (last.name == "array" and len(core) > 1):
            yield row, environment
            continue
        first, *others = last.rows
        first = replace(first, cells=(core[:-1] + first.cells[0], *first.cells[1:]))
        inner = (replace(one, label=one.label or row.label, tag=one.tag or row.tag) for one in (first, *others))
        yield from _opened(tuple(inner), last.name)


def _opens(row: Row, items: Nodes, environment: str) -> bool:
    """Say whether a row that begins with a sign is a formula of its own, such as ``-x &= y``."""
    if len(items) < 2 or not isinstance(items[0], Atom) or items[0].text not in ("-", "+"):
        return False
    if isinstance(items[1], Words):
        return True
    aligned = len(row.cells) > 1 and bool(row.cells[0])
    return bool(relations_in(items)) and (aligned or environment in _SEPARATE)


def _is_named(items: Nodes) -> bool:
    """Whether a row begins with a name for it, such as ``\\textbf{PPO:}``, so that it goes on from nothing."""
    return bool(items) and isinstance(items[0], Words) and items[0].text.rstrip().endswith(":")


def _printed_number(items: Nodes) -> tuple[Nodes, str | None]:
    """Take off a number such as ``(18)`` that a scan left at the end of the formula, after a full stop or space."""
    if len(items) < 2:
        return items, None
    match items[-2], items[-1]:
        case (Atom("." | ",") | Space(), Group("(", ")", (Number(text) | Name(text),))):
            return stripped(items[:-2], PUNCTUATION), text
    return items, None
