"""What a piece of notation means: the entries of a notation map, and the table in which they are looked up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from grpo_symbolic.language.expression import Definition, Expression, Symbol
from grpo_symbolic.reading.notation.patterns import Match, Pattern
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.tree import Group, Nodes, Number, Scripted


@dataclass(frozen=True)
class Plain:
    """A symbol of the paper: a variable with its domain, or an abbreviation for an expression."""

    value: Expression


@dataclass(frozen=True)
class Family:
    """An indexed family: the value for every label, or tuple of labels, that fills its holes.

    With ``alone`` the notation has no hole and is the distribution itself: ``\\pi`` for ``\\pi(\\cdot)``;
    ``distribution`` says that the map declares it as one.
    """

    values: Mapping[tuple[str, ...], Expression]
    alone: bool = False
    distribution: bool = False


@dataclass(frozen=True)
class Function:
    """A function of what fills the holes, in the order of the definition's parameters."""

    definition: Definition
    holes: tuple[str, ...]


@dataclass(frozen=True)
class ListFunction:
    """A function of lists and numbers, such as the mean of ``r_1, \\dots, r_G``, by the formula of the map."""

    formula: str
    names: Mapping[str, Expression] = field(default_factory=dict)


@dataclass(frozen=True)
class Prefix:
    """Another way to print an elementary function, such as ``\\tan^{-1}`` for the arctangent."""

    function: str


@dataclass(frozen=True)
class Template:
    """LaTeX to be read in place of the notation, with its holes filled, ``of_distributions`` only by distributions."""

    body: Nodes
    of_distributions: bool = False


@dataclass(frozen=True)
class Skipped:
    """Notation that is known and deliberately not read."""

    reason: str


Meaning = Plain | Family | Function | ListFunction | Prefix | Template | Skipped


@dataclass(frozen=True, eq=False)
class Entry:
    """One way to print something, and what it means.

    ``samples`` are the sets standing for any finite set over which a definition of the paper runs. ``guessed`` says of
    a symbol that nobody knows whether brackets after it are a factor.
    """

    pattern: Pattern
    meaning: Meaning
    name: str
    place: Place | None = None
    samples: frozenset[tuple[str, ...]] = frozenset()
    guessed: bool = False

    @property
    def symbol(self) -> Symbol | None:
        """The symbol, if the entry declares one."""
        value = self.meaning.value if isinstance(self.meaning, Plain) else None
        return value if isinstance(value, Symbol) else None


class Table:
    """Entries by the text with which they begin, those with more literal nodes first; later layers win."""

    def __init__(self, layers: Iterable[Sequence[Entry]]) -> None:
        self._entries: dict[str, list[tuple[int, Entry]]] = {}
        for level, layer in enumerate(layers):
            for entry in layer:
                self._entries.setdefault(entry.pattern.head, []).append((level, entry))
        for found in self._entries.values():
            # A later layer hides what an earlier one says about the same pattern.
            found.sort(key=lambda item: (item[1].pattern.weight, item[0]), reverse=True)

    def matches(self, head: str, nodes: Nodes, start: int) -> list[tuple[Entry, Match]]:
        """The entries whose pattern stands here: the most literal ones, of the innermost section only."""
        found: list[tuple[Entry, Match]] = []
        best: tuple[int, int] | None = None
        for level, entry in self._entries.get(head, ()):
            rank = (entry.pattern.weight, level)
            if best is not None and rank != best:
                break
            match = entry.pattern.match(nodes, start)
            if match is not None:
                found.append((entry, match))
                best = rank
        return found

    def applications(self, entry: Entry) -> list[str]:
        """The notations that consist of this one and a bracket with an argument."""
        nodes = entry.pattern.nodes
        return [
            other.pattern.text
            for _, other in self._entries.get(entry.pattern.head, ())
            if other.pattern.nodes[:-1] == nodes and isinstance(other.pattern.nodes[-1], Group)
        ]

    def arguments(self, entry: Entry) -> set[str]:
        """What the notations that consist of this one and a bracket have in it, as ``compact`` prints it."""
        nodes = entry.pattern.nodes
        others = [other.pattern.nodes for _, other in self._entries.get(entry.pattern.head, ())]
        return {compact(one[-1].items) for one in others if one[:-1] == nodes and isinstance(one[-1], Group)}

    def bare(self, entry: Entry) -> tuple[Nodes, bool]:
        """The symbol that is a function's notation without its bracket, and whether a later layer has the function.

        Empty if there is no such symbol.
        """
        nodes = entry.pattern.nodes
        same = self._entries.get(entry.pattern.head, ())
        own = next((level for level, other in same if other is entry), 0)
        for level, other in same if isinstance(nodes[-1], Group) else ():
            if other.pattern.nodes == nodes[:-1] and other.symbol is not None:
                return other.pattern.nodes, level < own
        return (), False

    def patterns_of(self, symbol: Symbol) -> list[Pattern]:
        """The ways in which a symbol is printed."""
        return [entry.pattern for found in self._entries.values() for _, entry in found if entry.symbol == symbol]

    def families(self) -> Iterator[Entry]:
        """The families with one index, such as the probabilities of a distribution."""
        for _, entry in (item for found in self._entries.values() for item in found):
            if isinstance(entry.meaning, Family) and not entry.meaning.alone and len(entry.pattern.holes) == 1:
                yield entry

    def is_numbered(self, head: str) -> bool:
        """Whether names with numbers for indices begin with this, so that another one is no new name."""
        nodes = (entry.pattern.nodes for _, entry in self._entries.get(head, ()))
        subs = (one[0].sub for one in nodes if len(one) == 1 and isinstance(one[0], Scripted))
        return any(sub is not None and len(sub) == 1 and isinstance(sub[0], Number) for sub in subs)

    def near(self, head: str, text: str) -> str:
        """The declared notation nearest to some text, for a hint; empty if none is near."""
        same = [entry.pattern.text for _, entry in self._entries.get(head, ())]
        if same:
            return same[0]
        known = [entry.pattern.text for found in self._entries.values() for _, entry in found]
        near = get_close_matches(text, known, n=1, cutoff=0.7)
        return near[0] if near else ""
