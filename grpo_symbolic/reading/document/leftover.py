"""What stands in a display and went into no step, condition or remark of it: told, so that nothing is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from grpo_symbolic.reading.document.displays import PrintedChain, Unread
from grpo_symbolic.reading.document.prose import says_nothing, spoken
from grpo_symbolic.reading.document.relations import relation_of
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.account import tokens
from grpo_symbolic.reading.tex.symbols import PUNCTUATION
from grpo_symbolic.reading.tex.tree import Atom, Group, Name, Node, Number, Row, Space, Words, place_of, walk


@dataclass
class Told:
    """What is told of some displays: tokens by identity, the places of signs, and words before conditions."""

    tokens: set[int] = field(default_factory=set)
    signs: set[Place] = field(default_factory=set)
    words: dict[str, None] = field(default_factory=dict)

    def add(self, chains: Iterable[PrintedChain], unread: Iterable[Unread]) -> None:
        """Take up what the steps and remarks of a display hold."""
        for chain in chains:
            for step in chain.steps:
                held = (step.left, step.right, *(condition.items for condition in step.conditions))
                self.tokens |= {id(node) for nodes in held for node in tokens(nodes)}
                self.signs.add(step.relation.place)
                self.words.update(dict.fromkeys(condition.words for condition in step.conditions))
        self.tokens |= {id(node) for one in unread for node in tokens(one.items)}


def leftover(rows: Iterable[Row], told: Told, remarks: Sequence[Unread]) -> Iterator[Unread]:
    """Yield what no one tells of in each row; remarks on words are about all that stands there."""
    said = " ".join(told.words)
    for row in rows:
        untold = tuple(
            node
            for node in _tops(row)
            if id(node) not in told.tokens
            and node.place not in told.signs
            and not _says_nothing(node, said)
            and not any(_covers(one, node) for one in remarks)
        )
        if untold:
            yield Unread("unread", "stands beside what was read, and says what was not", place_of(untold), untold)


def _tops(row: Row) -> Iterator[Node]:
    """The tokens of a row, but for those of relations, of the number of the row and of a mark before words."""
    items = row.items
    skipped = {id(inner) for node in walk(items) if relation_of(node) is not None for inner in walk((node,))}
    match items[-1:]:
        case (Group(items=(Number() | Name() as number,)),):
            skipped.add(id(number))
    if len(items) > 1 and isinstance(items[0], Atom) and isinstance(items[1], Words):
        skipped.add(id(items[0]))  # the dash of a list
    return (node for node in tokens(items) if id(node) not in skipped)


def _covers(remark: Unread, node: Node) -> bool:
    place, inner = remark.place, node.place
    whole = remark.code == "words" or not remark.items
    return whole and place.source is inner.source and place.start <= inner.start and inner.end <= place.end


def _says_nothing(node: Node, said: str) -> bool:
    """Whether a token separates, or is a word that only leads on, or one before a condition that is told."""
    match spoken(node):
        case Space():
            return True
        case Atom(text):
            return text in PUNCTUATION or not isinstance(node, Atom)
        case Words(text):
            return text.strip(" ,.;:") in said or says_nothing(text)
    return False
