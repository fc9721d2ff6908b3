"""Chains over rows and displays: a line that begins with a relation goes on from the line before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from grpo_symbolic.reading.document.displays import Condition, PrintedChain, PrintedStep, RelationSign, Unread
from grpo_symbolic.reading.document.lines import Line
from grpo_symbolic.reading.document.logic import (
    CONGRUENT,
    asserts,
    division,
    is_congruence,
    not_understood,
    truth_value,
)
from grpo_symbolic.reading.document.prose import connective
from grpo_symbolic.reading.document.relations import LINKS, joins, relation_of, relations_in
from grpo_symbolic.reading.places import BrokenLatex, NotRead, unforeseen
from grpo_symbolic.reading.tex.symbols import OPERATORS, RELATIONS
from grpo_symbolic.reading.tex.tree import Atom, Group, Node, Nodes, place_of

#: Signs that some authors repeat on both sides of a line break.
_REPEATED = OPERATORS | RELATIONS


@dataclass
class Found:
    """What the lines of one display gave."""

    chains: list[PrintedChain] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    broken: BrokenLatex | None = None


@dataclass(frozen=True)
class _Placed:
    """A node with the line and the display in which it stands."""

    node: Node
    line: Line
    display: int


class ChainBuilder:
    """Collects lines display by display; ``found`` lists what each display gave, by its number.

    ``repeated`` are the signs that stand on both sides of a line break and were read once, by identity.
    """

    def __init__(self) -> None:
        self.found: dict[int, Found] = {}
        self.repeated: set[int] = set()
        self._open: list[_Placed] = []
        self._conditions: tuple[Condition, ...] = ()
        self._display: int | None = None
        self._shared = False

    def interrupt(self) -> None:
        """Say that what follows cannot go on from what came before: text stands between, or a broken display."""
        self._flush()
        self._display = None

    def add(self, line: Line, display: int) -> None:
        """Add a line of a display."""
        found = self.found.setdefault(display, Found())
        if display != self._display:
            self._conditions = ()
        if not line.items:
            if line.conditions:
                self._conditions += line.conditions
                items = tuple(node for condition in line.conditions for node in condition.items)
                found.unread.append(Unread("words", "a row of words and conditions", line.place, items))
            return
        first, last = line.items[0], self._open[-1].node if self._open else None
        joined = joins(last) or (joins(first) and not (display != self._display and _negative_statement(line)))
        goes_on = last is not None and line.own and not line.opens and joined
        if not goes_on:
            self._flush()
        items = line.items
        if goes_on and isinstance(first, Atom) and first == last and first.text in _REPEATED and len(items) > 1:
            self.repeated.add(id(first))
            found.notes.append(f"{first.place}: the sign {first.text} is repeated at the line break; read once")
            items = items[1:]
        self._display = display
        if self._conditions:
            line = replace(line, conditions=self._conditions + line.conditions)
        self._open.extend(_Placed(node, line, display) for node in items)

    def finish(self) -> None:
        """End the last chain."""
        self._flush()

    def _flush(self) -> None:
        placed, self._open = self._open, []
        if not placed:
            return
        reason = not_understood(tuple(one.node for one in placed)) or _nothing_beside(placed)
        if reason is not None:
            self._unread(placed, reason)
            return
        self._shared = not all(one.line.alone for one in placed)
        link: str | None = None
        parts = _statements(placed)
        last = relation_of(placed[-1].node)
        if last is not None and last.symbol in LINKS:
            told = Unread("no-right-side", f"ends with {last.symbol}", last.place)
            self.found[placed[-1].display].unread.append(told)
        for number, (part, next_link) in enumerate(parts):
            rest = [one for later, _ in parts[number + 1 :] for one in later]
            if not self._tried(part, link) and rest:
                self._unread(rest, "an arrow ties it to something that was not read")
                return
            link = next_link

    def _unread(self, placed: list[_Placed], reason: str) -> None:
        told = replace(_expression(placed), code="arrow", reason=reason)
        self.found[placed[0].display].unread.append(told)

    def _tried(self, placed: list[_Placed], link: str | None) -> bool:
        """As ``_chain``; what fails unforeseen is told where it stands."""
        try:
            return self._chain(placed, link)
        except Exception as error:
            self.found[placed[0].display].broken = NotRead(placed[0].line.place, unforeseen(error), "internal")
            return False

    def _chain(self, placed: list[_Placed], link: str | None) -> bool:
        """Keep the steps of a statement; say whether there are any."""
        placed = _without_brackets(placed)
        at = division(tuple(one.node for one in placed))
        if at is not None:
            self._compound(placed, at, link)
            return True
        found = self.found[placed[0].display]
        try:
            sides, relations = _sides(placed)
        except BrokenLatex as broken:
            found.broken = broken
            return False
        relations = _modulo(placed, relations)
        if truth_value(tuple(one.node for one in placed)) is not None:
            self._keep([_without_relation(placed)], link, continues=False)
            return True
        if not relations:
            found.unread.append(_expression(placed))
            return False
        if not sides[0]:
            reason = "begins with a relation, and no formula that it could go on from stands right before"
            found.unread.append(Unread("no-left-side", reason, relations[0].place))
            sides, relations = sides[1:], relations[1:]
        if relations and not sides[-1]:
            self.found[placed[-1].display].unread.append(
                Unread("no-right-side", "ends with a relation", relations[-1].place)
            )
            sides, relations = sides[:-1], relations[:-1]
        rows = list(_conditions(sides))[1:]
        steps = [_step(sides, relations, index, conditions) for index, conditions in enumerate(rows)]
        start = 0
        for index in range(1, len(steps) + 1):
            if index == len(steps) or steps[index][1] != steps[start][1]:
                self._keep(steps[start:index], link if start == 0 else None, continues=start > 0)
                start = index
        if len(sides) == 1 and sides[0] and not steps:
            found.unread.append(_expression(sides[0]))
        return bool(steps)

    def _compound(self, placed: list[_Placed], at: int, link: str | None) -> None:
        """Keep two statements that "or" or "and" joins as the two sides of one step."""
        sign = placed[at].node
        relation = RelationSign(connective(sign) or "", sign.place)
        (conditions,) = _conditions([placed])
        step = _step([placed[:at], placed[at + 1 :]], [relation], 0, conditions)
        self._keep([step], link, continues=False)

    def _keep(self, steps: list[tuple[PrintedStep, int]], link: str | None, *, continues: bool) -> None:
        first, last = steps[0][0], steps[-1][0]
        begins = place_of(first.left) if not continues else first.relation.place
        chain = PrintedChain(tuple(step for step, _ in steps), begins.to(last.place), link, continues, self._shared)
        self.found[steps[0][1]].chains.append(chain)


def _negative_statement(line: Line) -> bool:
    """Whether a display is a statement of its own though it begins with a sign, as ``-x = y`` does."""
    first = line.items[0]
    return isinstance(first, Atom) and first.text in ("-", r"\pm", r"\mp") and bool(relations_in(line.items))


def _nothing_beside(placed: Sequence[_Placed]) -> str | None:
    """Why an arrow says nothing that can be checked, if it stands at the beginning or right after another one.

    One that leads on from the text before, ``\\Rightarrow x = x``, leaves a statement that can be checked by itself,
    and so does one that is repeated at a line break.
    """
    first = relation_of(placed[0].node)
    if first is not None and first.symbol in LINKS - {r"\Rightarrow"}:
        return f"begins with {first.symbol}, and no statement stands right before"
    for one, other in pairwise(placed):
        signs = [relation_of(one.node), relation_of(other.node)]
        if one.line is other.line and all(sign is not None and sign.symbol in LINKS for sign in signs):
            return "nothing stands between two arrows"
    return None


def _without_relation(placed: Sequence[_Placed]) -> tuple[PrintedStep, int]:
    """What says only for how much something holds, as a step, and the display that it stands in."""
    items, line = tuple(one.node for one in placed), placed[0].line
    place = place_of(items)
    step = PrintedStep(items, RelationSign("", place), (), place, 1, line.conditions, line.label, line.tag)
    return step, placed[0].display


def _expression(placed: Sequence[_Placed]) -> Unread:
    items = tuple(one.node for one in placed)
    return Unread("no-relation", "an expression without a relation", place_of(items), items)


def _statements(placed: list[_Placed]) -> list[tuple[list[_Placed], str | None]]:
    """Cut at signs between whole statements; each part comes with the sign after it."""
    signs = [relation.symbol if (relation := relation_of(one.node)) else None for one in placed]
    if not any(asserts((one.node,)) for one, sign in zip(placed, signs, strict=True) if sign not in LINKS):
        return [(placed, None)]
    parts: list[tuple[list[_Placed], str | None]] = []
    current: list[_Placed] = []
    for one, sign in zip(placed, signs, strict=True):
        if sign in LINKS:
            parts.append((current, sign))
            current = []
        else:
            current.append(one)
    parts.append((current, None))
    return [(part, sign) for part, sign in parts if part]


def _without_brackets(placed: list[_Placed]) -> list[_Placed]:
    """A statement without the brackets around all of it."""
    while len(placed) == 1 and isinstance(group := placed[0].node, Group) and group.open in "([{" and asserts((group,)):
        placed = [replace(placed[0], node=node) for node in group.items]
    return placed


def _modulo(placed: Sequence[_Placed], relations: list[RelationSign]) -> list[RelationSign]:
    """The relations, where a chain says modulo what it is meant with congruences in the place of equalities."""
    symbols = {relation.symbol for relation in relations}
    if not is_congruence([one.node for one in placed], congruent=r"\equiv" in symbols):
        return relations
    sign = r"\equiv" if r"\equiv" in symbols else "="
    return [replace(one, symbol=CONGRUENT) if one.symbol == sign else one for one in relations]


def _sides(placed: list[_Placed]) -> tuple[list[list[_Placed]], list[RelationSign]]:
    """Cut at the relations.

    Raises:
        NotRead: nothing stands between two relations.
    """
    sides: list[list[_Placed]] = [[]]
    relations: list[RelationSign] = []
    for one in placed:
        relation = relation_of(one.node)
        if relation is None:
            sides[-1].append(one)
            continue
        if relations and not sides[-1]:
            reason = f"nothing stands between {relations[-1].symbol} and {relation.symbol}"
            raise NotRead(relation.place, reason, "meaningless")
        relations.append(relation)
        sides.append([])
    return sides, relations


def _conditions(sides: Sequence[Sequence[_Placed]]) -> Iterator[tuple[Condition, ...]]:
    """Yield, for every side, the conditions on its rows and on the rows before it."""
    found: dict[Condition, None] = {}
    line: Line | None = None
    for side in sides:
        for one in side:
            if one.line is not line:
                line = one.line
                found.update(dict.fromkeys(line.conditions))
        yield tuple(found)


def _step(
    sides: list[list[_Placed]], relations: list[RelationSign], index: int, conditions: tuple[Condition, ...]
) -> tuple[PrintedStep, int]:
    """Return a step and the display that its right side stands in."""
    left, right = sides[index], sides[index + 1]
    items: Nodes = tuple(one.node for one in right)
    right_line = right[-1].line
    place = place_of(tuple(one.node for one in left)).to(place_of(items))
    step = PrintedStep(
        tuple(one.node for one in left),
        relations[index],
        items,
        place,
        index + 1,
        conditions,
        right_line.label,
        right_line.tag,
    )
    return step, right[0].display
