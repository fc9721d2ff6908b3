"""Which part of the meaning every printed token serves, so that none can stand in a formula and say nothing.

Whatever reads a node says so here, by the node itself; what nobody has read is found by what is left. So a reader of
one form that overlooks something, such as a set below a sum, makes the step a refusal and not a wrong reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grpo_symbolic.reading.tex.tree import Node, Nodes, children, walk


class Account:
    """The tokens that were read, each with its part: ``"symbol"``, ``"range of a sum"``, ``"sign"``."""

    def __init__(self) -> None:
        # By identity, since equal tokens stand in many places; a node is kept so that its identity is not given anew.
        self._parts: dict[int, tuple[Node, str]] = {}

    def serve(self, nodes: Iterable[Node], part: str) -> None:
        """Say that all tokens of some nodes serve one part of the meaning."""
        for node in walk(tuple(nodes)):
            self._parts.setdefault(id(node), (node, part))

    def part_of(self, node: Node) -> str:
        """The part that a token serves, empty if it serves none."""
        found = self._parts.get(id(node))
        return "" if found is None else found[1]

    def idle(self, nodes: Nodes) -> Iterator[Node]:
        """Yield the tokens that serve no part, in reading order."""
        return (node for node in tokens(nodes) if id(node) not in self._parts)


def tokens(nodes: Nodes) -> Iterator[Node]:
    """Yield the nodes that hold no others: letters, numbers, names, signs and words."""
    return (node for node in walk(nodes) if not children(node))
