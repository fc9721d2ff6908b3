"""What names mean while a formula is read: labels of bound indices, the dot of a distribution, filled holes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from grpo_symbolic.reading.tex.tree import Nodes


@dataclass(frozen=True)
class Closure:
    """What fills a hole: LaTeX together with the meaning of names where it was written."""

    nodes: Nodes
    scope: Scope


@dataclass(frozen=True)
class Scope:
    """The meaning of local names at one place.

    ``labels`` gives bound indices their value, such as ``o`` the output ``a`` or ``i`` the number 2;
    ``slot`` is what the dot of ``\\pi(\\cdot \\mid q)`` stands for, ``drawn`` the output that an expectation without an
    index, ``\\mathbb{E}_\\pi``, has drawn: there a bare distribution means its value at it. ``members`` are those
    labels that are members of a group of independent draws, such as ``o_1`` and ``o_2``; ``closures`` fill the holes
    of a template.
    """

    labels: Mapping[Nodes, str] = field(default_factory=dict)
    slot: str | None = None
    closures: Mapping[str, Closure] = field(default_factory=dict)
    drawn: str | None = None
    members: frozenset[Nodes] = frozenset()

    def bind(self, index: Nodes, label: str) -> Scope:
        """The same scope with one more bound index."""
        return replace(self, labels={**self.labels, index: label})

    def draw(self, member: Nodes, label: str) -> Scope:
        """The same scope with one more member of a group."""
        return replace(self.bind(member, label), members=self.members | {member})

    def at(self, label: str) -> Scope:
        """The same scope with the dot standing for a label."""
        return replace(self, slot=label)


class FreeIndex(Exception):  # noqa: N818 - control flow inside the reader, never seen outside
    """An index that nothing binds: the formula is about every value of it."""

    def __init__(self, index: Nodes, labels: tuple[str, ...]) -> None:
        super().__init__("an index without a binder")
        self.index = index
        self.labels = labels
