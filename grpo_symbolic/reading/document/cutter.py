"""A row cut at commas, wide spaces and words: statements, and the conditions that stand on each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grpo_symbolic.reading.document.displays import Condition
from grpo_symbolic.reading.document.logic import is_congruence, truth_value
from grpo_symbolic.reading.document.prose import Role, connective, plain, role
from grpo_symbolic.reading.document.ranges import EQUALITIES, Range, is_plain, range_of
from grpo_symbolic.reading.document.relations import (
    LINKS,
    QUANTIFIERS,
    SETS,
    joins,
    relation_of,
    relations_in,
    stripped,
)
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.symbols import PUNCTUATION
from grpo_symbolic.reading.tex.tree import Atom, Group, Node, Nodes, Space, Words, place_of, walk

_LISTS = frozenset({",", ";"})


@dataclass
class _Open:
    """A condition that goes on as long as what follows belongs to it."""

    words: str
    items: Nodes
    place: Place
    unclear: bool = False

    def closed(self) -> Condition:
        place = self.place.to(place_of(self.items)) if self.items else self.place
        return Condition(self.words, stripped(self.items, PUNCTUATION), place, self.unclear)


class Cutter:
    """Cuts a row where both parts are statements, and sets conditions apart.

    A condition before any statement holds for all of them, one after a statement for those since the last condition.
    """

    def __init__(self, items: Nodes) -> None:
        self.items = items
        self.current: Nodes = ()
        self.waiting: list[Nodes] = []  # statements whose conditions may still follow
        self.done: list[tuple[Nodes, tuple[Condition, ...]]] = []
        self.leading: list[_Open] = []
        self.trailing: list[_Open] = []
        # "and" stays inside what an arrow or an "or" ties together, or double signs that may belong together.
        double = [node for node in walk(items) if isinstance(node, Atom) and node.text in (r"\pm", r"\mp")]
        self.tied = len(double) > 1 or any(connective(node) == r"\vee" or _is_arrow(node) for node in items)

    def cut(self) -> list[tuple[Nodes, tuple[Condition, ...]]]:
        """Return the statements with their conditions; a row of conditions only is one without a statement."""
        for separators, part in self._parts():
            words = [node for node in separators if isinstance(node, Words)]
            prose = " ".join(node.text for node in words).strip(" ,;")
            if prose:
                self._after_words(prose, separators, part)
            elif self.trailing:
                self._after_condition(separators, part)
            else:
                self._after_space(separators, part)
        self._close()
        if self.done:
            return self.done
        return [((), tuple(one.closed() for one in self.leading))]

    def _parts(self) -> Iterator[tuple[Nodes, Nodes]]:
        """Yield what separates and what follows it."""
        separators: list[Node] = []
        part: list[Node] = []
        for at, node in enumerate(self.items):
            said = isinstance(node, Words) and not self._is_statement(at)
            if said or isinstance(node, Space) or (isinstance(node, Atom) and node.text in _LISTS):
                if part:
                    yield tuple(separators), tuple(part)
                    separators, part = [], []
                separators.append(node)
            else:
                part.append(node)
        if separators or part:
            yield tuple(separators), tuple(part)

    def _is_statement(self, at: int) -> bool:
        """Whether words such as "no solution" stand where a statement does: alone, or beside arrows, "and" or "or"."""
        if truth_value((self.items[at],)) is None:
            return False
        beside = stripped(self.items[:at], PUNCTUATION)[-1:] + stripped(self.items[at + 1 :], PUNCTUATION)[:1]
        return all(map(_joins_statements, beside))

    def _begin(self, part: Nodes) -> None:
        """Begin a statement, which is over what a condition before it is about."""
        if self.trailing:
            self._close()
        elif self.current:
            self.waiting.append(self.current)
        self.current = part

    def _close(self) -> None:
        """Give the statements since the last condition what was said of them."""
        if self.current:
            self.waiting.append(self.current)
        found = tuple(one.closed() for one in self.leading + self.trailing)
        statements = [stripped(statement, PUNCTUATION) for statement in self.waiting]
        self.done += [(statement, found) for statement in statements if statement]
        self.current, self.waiting, self.trailing = (), [], []

    def _after_words(self, prose: str, separators: Nodes, part: Nodes) -> None:
        place = place_of(tuple(node for node in separators if isinstance(node, Words)) + part)
        open_condition = self._open_condition()
        does = role(prose, part)
        if plain(prose) == "where" and is_plain(part) and not EQUALITIES & set(relations_in(part)):
            does = Role.RESTRICTS
        if plain(prose) == "let" and ":=" not in relations_in(part):
            does = Role.RESTRICTS  # what is introduced is neither asserted nor equivalent to anything
        if does is Role.JOINS and open_condition is not None:
            self._extend(open_condition, separators, part)
        elif does is Role.JOINS:
            self._join(plain(prose), separators, part)
        elif (does is Role.BEGINS or prose.endswith(":")) and not self.current:
            self._after_space((), part)
        elif does is Role.BEGINS:
            self._begin(part)
        elif does is Role.REMARKS:
            pass
        elif not self.current:
            self.leading.append(_Open(prose, part, place))
        else:
            self.trailing.append(_Open(prose, part, place))

    def _open_condition(self) -> _Open | None:
        if self.trailing:
            return self.trailing[-1]
        before = self.leading[-1] if self.leading and not self.current else None
        return before if before is not None and is_plain(before.items) else None

    def _join(self, word: str, separators: Nodes, part: Nodes) -> None:
        """Join two statements by "and", which makes them two, or by "or", which does not.

        After an arrow, a comma before "and" leaves open whether the arrow is about what follows, so they are two.
        """
        comma = any(isinstance(node, Atom) for node in separators) and bool(LINKS & set(relations_in(self.current)))
        if not self.current:
            self._after_space((), part)
        elif word == "and" and (comma or not self.tied) and relations_in(self.current) and relations_in(part):
            self._begin(part)
        else:
            self.current += tuple(node for node in separators if isinstance(node, Words)) + part

    def _extend(self, condition: _Open, separators: Nodes, part: Nodes) -> None:
        """Go on with a condition that words join to what follows: ``for x > 0 and y > 0``, but hardly ``and c = d``."""
        if relations_in(part) and not is_plain(part) and EQUALITIES & set(relations_in(part)):
            condition.unclear = True
        condition.items += tuple(node for node in separators if not isinstance(node, Space)) + part

    def _after_condition(self, separators: Nodes, part: Nodes) -> None:
        """Go on with a condition, or with the next statement after it."""
        condition = self.trailing[-1]
        spaced = any(isinstance(node, Space) for node in separators)
        if not part or not relations_in(part) or is_plain(part) or not relations_in(condition.items):
            equation = bool(EQUALITIES & set(relations_in(part)))
            if relations_in(condition.items) and equation and (spaced or not condition.words):
                self._begin(part)
                return
            condition.items += tuple(node for node in separators if not isinstance(node, Space)) + part
        elif spaced or not condition.words:
            self._begin(part)
        else:
            condition.unclear = True
            condition.items += separators + part

    def _after_space(self, separators: Nodes, part: Nodes) -> None:
        if not part:
            return
        quantified = isinstance(part[0], Atom) and part[0].text in QUANTIFIERS
        if quantified and not self.current:
            self.leading.append(_Open("", part, place_of(part)))
        elif not self.current:
            self.current = part
        elif quantified:
            self.trailing.append(_Open("", part, place_of(part)))
        elif (found := self._range(part)) is not Range.STATEMENT:
            self.trailing.append(_Open("", part, place_of(part), found is Range.UNCLEAR))
        elif (inside := _bracketed(part)) and relations_in(self.current) and not joins(self.current[-1]):
            self.trailing.append(_Open("", inside, place_of(part)))
        elif self._assumed_too(separators, part):
            self.current += (Words("and", place_of(separators)), *part)
        elif self._separate(separators, part):
            self._begin(part)
        else:
            self.current += tuple(node for node in separators if not isinstance(node, Space)) + part

    def _range(self, part: Nodes) -> Range:
        """Whether ``x > 0`` or ``n \\in N`` beside an equation is the range in which the equation is meant."""
        signs, before = set(relations_in(part)), set(relations_in(self.current))
        if not signs or joins(part[0]) or not before or joins(self.current[-1]):
            return Range.STATEMENT
        if signs <= SETS:
            return Range.CONDITION
        if not EQUALITIES & before or EQUALITIES & signs or signs & LINKS:
            return Range.STATEMENT
        return range_of(part)

    def _assumed_too(self, separators: Nodes, part: Nodes) -> bool:
        """Whether a comma stands between what an arrow follows from: ``x = 1, y = 2 \\implies x + y = 3``."""
        if not self.tied or any(isinstance(node, Space) for node in separators) or not relations_in(self.current):
            return False
        if joins(part[0]) or LINKS & set(relations_in(self.current)):
            return False
        later = tuple(node for node in self.items if node.place.start > part[-1].place.start)
        return bool(relations_in(part)) and bool(LINKS & {*relations_in(part), *relations_in(later)})

    def _separate(self, separators: Nodes, part: Nodes) -> bool:
        """Say whether a part is a statement of its own, or a remark that a wide space sets off from one."""
        if not part or not relations_in(self.current) or joins(part[0]) or joins(self.current[-1]):
            return False
        if is_congruence(part, congruent=True):
            return bool(relations_in(part))
        return bool(relations_in(part)) or any(isinstance(node, Space) for node in separators)


def _is_arrow(node: Node) -> bool:
    sign = relation_of(node)
    return sign is not None and sign.symbol in LINKS


def _joins_statements(node: Node) -> bool:
    return connective(node) is not None or _is_arrow(node)


def _bracketed(part: Nodes) -> Nodes:
    """What stands in brackets that hold a whole statement, as in ``a = b \\qquad (x > 0)``; else nothing."""
    match part:
        case (Group("(" | "[", ")" | "]", items),) if relations_in(items):
            return items
    return ()
