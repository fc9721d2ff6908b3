"""What stands in a display and went into no step, condition or remark of it: told, so that nothing is left out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from grpo_symbolic.reading.document.displays import PrintedChain, Unread
from grpo_symbolic.reading.document.lines import joins_or_reasons
from grpo_symbolic.reading.document.relations import relation_of
from grpo_symbolic.reading.tex.account import tokens
from grpo_symbolic.reading.tex.symbols import PUNCTUATION
from grpo_symbolic.reading.tex.tree import Atom, Group, Name, Node, Nodes, Number, Row, Space, Words, place_of, walk


def leftover(rows: Iterable[Row], told: Collection[int], said: str, whole: Sequence[Unread]) -> Iterator[Unread]:
    """Yield what no one tells of, a run of tokens each.

    ``told`` are the identities of the tokens of steps, conditions and remarks, ``said`` the words before conditions;
    of the ``whole`` remarks those without tokens of their own are about all that stands at their place.
    """
    for row in rows:
        run: list[Node] = []
        for node in _tops(row):
            if id(node) in told or _says_nothing(node, said) or any(_covers(one, node) for one in whole):
                if run:
                    yield _unread(tuple(run))
                run = []
            else:
                run.append(node)
        if run:
            yield _unread(tuple(run))


def told_by(chains: Iterable[PrintedChain], unread: Iterable[Unread]) -> tuple[set[int], str]:
    """The tokens of steps, conditions and remarks by identity, and the words before conditions."""
    told: set[int] = set()
    words: list[str] = []
    for chain in chains:
        for step in chain.steps:
            told |= {id(node) for nodes in (step.left, step.right) for node in tokens(nodes)}
            told |= {id(node) for condition in step.conditions for node in tokens(condition.items)}
            words += [condition.words for condition in step.conditions]
    told |= {id(node) for one in unread for node in tokens(one.items)}
    return told, " ".join(words)


def _tops(row: Row) -> Iterator[Node]:
    """The tokens of a row, but for those of relations, of the number of the row and of a mark before words."""
    skipped = {id(inner) for node in walk(row.items) if relation_of(node) is not None for inner in walk((node,))}
    skipped |= {id(inner) for node in row.items if _is_number(node, row) for inner in walk((node,))}
    if len(row.items) > 1 and isinstance(row.items[1], Words):
        skipped |= {id(node) for node in row.items[:1] if isinstance(node, Atom)}  # the dash of a list
    return (node for node in tokens(row.items) if id(node) not in skipped)


def _is_number(node: Node, row: Row) -> bool:
    if node is not row.items[-1] or not isinstance(node, Group) or len(node.items) != 1:
        return False
    return isinstance(node.items[0], Number | Name)


def _covers(remark: Unread, node: Node) -> bool:
    place, inner = remark.place, node.place
    return not remark.items and place.source is inner.source and place.start <= inner.start and inner.end <= place.end


def _says_nothing(node: Node, said: str) -> bool:
    match node:
        case Space():
            return True
        case Atom(text):
            return text in PUNCTUATION
        case Words(text):
            return text.strip(" ,.;:") in said or joins_or_reasons(text)
    return False


def _unread(items: Nodes) -> Unread:
    return Unread("unread", "stands beside what was read, and says what was not", place_of(items), items)
