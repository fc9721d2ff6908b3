"""The lines of a display: the rows of its environments, cut into statements and the conditions on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from grpo_symbolic.reading.document.displays import Condition
from grpo_symbolic.reading.document.relations import SETS, joins, relations_in, stripped
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.symbols import LINES, words
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Environment,
    Group,
    Name,
    Node,
    Nodes,
    Number,
    Row,
    Space,
    Words,
    place_of,
)

#: Environments in which every row is a formula of its own.
_SEPARATE = frozenset({"gather", "gathered", "array"})
_LISTS = frozenset({",", ";"})
_ENDS = _LISTS | {".", ":"}
_REASON = re.compile(
    r"\(|(?:by|using|from|due to|because|see|via|follows|thanks|eq|lemma|theorem|prop|cor|assum|def)\b", re.IGNORECASE
)
#: Words that introduce a statement without restricting it.
_NEUTRAL = words(
    "and then so hence thus therefore where let we have it follows that namely but while also finally clearly note"
    " obtain get i.e"
)
_QUANTIFIERS = frozenset({r"\forall", r"\exists"})
_EQUALITIES = frozenset({"=", ":=", r"\equiv"})


@dataclass(frozen=True, slots=True)
class Line:
    """One statement of a ``row`` with the conditions that stand on the row.

    ``own`` says that it is the first statement of its row, so that it may go on from the row before;
    ``opens`` that it does not, although it begins with a sign.
    """

    items: Nodes
    place: Place
    row: Place
    own: bool = True
    opens: bool = False
    conditions: tuple[Condition, ...] = ()
    label: str | None = None
    tag: str | None = None


def lines_of(rows: tuple[Row, ...]) -> Iterator[Line]:
    """Yield the lines of a display in reading order; a row of words only is a line without items."""
    for row, environment in _opened(rows, ""):
        items, tag = _printed_number(stripped(row.items, _ENDS))
        opens = _opens(row, items, environment)
        if opens and len(items) > 1 and isinstance(items[1], Words):
            items = items[1:]  # the dash of a list
        statements, conditions = _Cutter(items).cut()
        line = Line((), row.place, row.place, opens=opens, conditions=conditions, label=row.label, tag=row.tag or tag)
        for index, statement in enumerate(statements or [()]):
            place = place_of(statement) if statement else row.place
            yield replace(line, items=statement, place=place, own=index == 0)


def joins_or_reasons(prose: str) -> bool:
    """Whether words only join statements, or say why one holds."""
    return _REASON.match(prose) is not None or all(word.strip(",.:;") in _NEUTRAL for word in prose.lower().split())


def _opened(rows: tuple[Row, ...], environment: str) -> Iterator[tuple[Row, str]]:
    """Yield rows with the environments that fill them opened up; what stands before one joins its first row."""
    for row in rows:
        core = stripped(row.items, _ENDS)
        last = core[-1] if core else None
        lines = isinstance(last, Environment) and last.name.rstrip("*") in LINES
        if not isinstance(last, Environment) or not lines or (last.name == "array" and len(core) > 1):
            yield row, environment
            continue
        first, *others = last.rows
        first = replace(first, cells=(core[:-1] + first.cells[0], *first.cells[1:]))
        inner = (replace(one, label=one.label or row.label, tag=one.tag or row.tag) for one in (first, *others))
        yield from _opened(tuple(inner), last.name.rstrip("*"))


def _opens(row: Row, items: Nodes, environment: str) -> bool:
    """Say whether a row that begins with a sign is a formula of its own, such as ``-x &= y``."""
    if len(items) < 2 or not isinstance(items[0], Atom) or items[0].text not in ("-", "+"):
        return False
    if isinstance(items[1], Words):
        return True
    aligned = len(row.cells) > 1 and bool(row.cells[0])
    return bool(relations_in(items)) and (aligned or environment in _SEPARATE)


def _printed_number(items: Nodes) -> tuple[Nodes, str | None]:
    """Take off a number such as ``(18)`` that a scan left at the end of the formula, after a full stop or space."""
    if len(items) < 2:
        return items, None
    match items[-2], items[-1]:
        case (Atom("." | ",") | Space(), Group("(", ")", (Number(text) | Name(text),))):
            return stripped(items[:-2], _ENDS), text
    return items, None


def _bracketed(part: Nodes) -> Nodes:
    """What stands in brackets that hold a whole statement, as in ``a = b \\qquad (x > 0)``; else nothing."""
    match part:
        case (Group("(" | "[", ")" | "]", items),) if relations_in(items):
            return items
    return ()


class _Cutter:
    """Cuts a row at commas, wide spaces and words where both parts are statements, and sets conditions apart."""

    def __init__(self, items: Nodes) -> None:
        self.items = items
        self.statements: list[Nodes] = []
        self.conditions: list[Condition] = []
        self.current: Nodes = ()
        self.leading: tuple[str, Nodes, Place] | None = None  # a condition before any statement
        self.trailing: tuple[str, Nodes, Place] | None = None  # one after a statement, to the end of the row

    def cut(self) -> tuple[list[Nodes], tuple[Condition, ...]]:
        """Return the statements, and the conditions that hold for all of them."""
        for separators, part in self._parts():
            prose = " ".join(node.text for node in separators if isinstance(node, Words)).strip(" ,;")
            if self.trailing is not None:
                text, nodes, place = self.trailing
                self.trailing = (text, nodes + separators + part, place)
            elif prose:
                self._after_words(prose, separators, part)
            else:
                self._after_space(separators, part)
        for open_condition in (self.leading, self.trailing):
            if open_condition is not None:
                self._keep(*open_condition)
        if self.current:
            self.statements.append(stripped(self.current, _ENDS))
        return [statement for statement in self.statements if statement], tuple(self.conditions)

    def _parts(self) -> Iterator[tuple[Nodes, Nodes]]:
        """Yield what separates and what follows it."""
        separators: list[Node] = []
        part: list[Node] = []
        for node in self.items:
            if isinstance(node, Space | Words) or (isinstance(node, Atom) and node.text in _LISTS):
                if part:
                    yield tuple(separators), tuple(part)
                    separators, part = [], []
                separators.append(node)
            else:
                part.append(node)
        if separators or part:
            yield tuple(separators), tuple(part)

    def _keep(self, prose: str, items: Nodes, place: Place) -> None:
        self.conditions.append(Condition(prose, stripped(items, _ENDS), place))

    def _begin(self, part: Nodes) -> None:
        if self.current:
            self.statements.append(stripped(self.current, _ENDS))
        self.current = part

    def _after_words(self, prose: str, separators: Nodes, part: Nodes) -> None:
        place = place_of(separators + part)
        neutral = all(word.strip(",.:") in _NEUTRAL for word in prose.lower().split())
        heading = prose.endswith(":")  # of a row, such as "stationarity:"
        if (heading or neutral) and not self.current:
            self._after_space((), part)
        elif neutral and relations_in(self.current) and relations_in(part):
            self._begin(part)
        elif prose.lower() == "and":
            self.current += tuple(node for node in separators if isinstance(node, Words)) + part
        elif not part and _REASON.match(prose):
            pass
        elif not self.current:
            self._close_leading()
            self.leading = (prose, part, place)
        else:
            self.trailing = (prose, part, place)

    def _after_space(self, separators: Nodes, part: Nodes) -> None:
        quantified = bool(part) and isinstance(part[0], Atom) and part[0].text in _QUANTIFIERS
        if quantified and not self.current:
            self._close_leading()
            self.leading = ("", part, place_of(part))
        elif not self.current:
            self._close_leading()
            self.current = part
        elif quantified or self._restricts(part):
            self.trailing = ("", part, place_of(part))
        elif (inside := _bracketed(part)) and relations_in(self.current) and not joins(self.current[-1]):
            self.trailing = ("", inside, place_of(part))
        elif self._separate(separators, part):
            self._begin(part)
        else:
            self.current += tuple(node for node in separators if not isinstance(node, Space)) + part

    def _close_leading(self) -> None:
        if self.leading is not None:
            self._keep(*self.leading)
            self.leading = None

    def _restricts(self, part: Nodes) -> bool:
        """Say whether ``x > 0`` or ``n \\in N`` beside an equation is the range in which the equation is meant."""
        relations = relations_in(part)
        if not relations or joins(part[0]) or not relations_in(self.current):
            return False
        if all(relation in SETS for relation in relations):
            return True
        return bool(_EQUALITIES & set(relations_in(self.current))) and not _EQUALITIES & set(relations)

    def _separate(self, separators: Nodes, part: Nodes) -> bool:
        """Say whether a part is a statement of its own, or a remark that a wide space sets off from one."""
        if not part or not relations_in(self.current) or joins(part[0]) or joins(self.current[-1]):
            return False
        return bool(relations_in(part)) or any(isinstance(node, Space) for node in separators)
