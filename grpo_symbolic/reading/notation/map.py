"""A notation map: what a paper's symbols mean, which displays define something, and what kind of claim each one is.

The map is data; ``file`` reads it from TOML, and ``interpret`` reads a paper with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.reading.notation.context import Choices, Context
from grpo_symbolic.reading.notation.entries import Entry, Table
from grpo_symbolic.reading.places import Place, ReadingError
from grpo_symbolic.reading.tex.tree import Nodes

#: What a displayed relation can be.
KINDS = (
    "identity",  # it holds for all values of its symbols
    "definition",  # it holds because it says what its left side means
    "condition",  # it is required or assumed
    "consequence",  # it follows from other displays
    "equivalent",  # it holds exactly where another display does
    "solution",  # it is the solution of another display for a symbol
    "limit",  # it says what something tends to
    "skip",  # it is left alone, for a reason
)


class MapError(ReadingError, DeclarationError):
    """A mistake in a notation map: where it stands, what is wrong and what to write instead."""

    def __init__(self, place: Place, reason: str, remedy: str = "") -> None:
        super().__init__(place, f"{reason}; {remedy}" if remedy else reason)
        self.remedy = remedy


@dataclass(frozen=True, eq=False)
class Address:
    """Which displays an entry of the map is about: those with some labels, tags, or quoted LaTeX.

    ``by`` is ``label``, ``tag``, ``quote``, or ``next`` for the next display after ``place``; ``texts`` are what
    to look for, any of them; ``step`` picks one step of a chain.
    """

    place: Place
    by: str = "next"
    texts: tuple[str, ...] = ()
    step: int | None = None

    def apart(self) -> tuple[Address, ...]:
        """One address for each of its texts."""
        return tuple(replace(self, texts=(text,)) for text in self.texts) or (self,)


@dataclass(frozen=True, eq=False)
class DefinitionEntry:
    """A display whose first equation says what its left side means.

    ``parameters`` are names of symbols in it that are arguments; ``holes`` are names for pieces of LaTeX that
    stand for anything, such as distributions; ``patterns`` are further ways in which the paper prints the left side.
    """

    address: Address
    parameters: tuple[str, ...] = ()
    holes: Mapping[str, str] = field(default_factory=dict)
    patterns: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True, eq=False)
class ClaimEntry:
    """What kind of claim a display is.

    ``of`` are other displays, by label, tag or quote; ``solve`` is the symbol for which an equation is solved;
    ``assume`` are relations in LaTeX that are assumed here; ``varies`` are the symbols in which "equal up to a
    constant" is meant; ``put`` are symbols that get a value after all derivatives are taken; ``where`` fixes
    indices that are left free; ``reason`` says why a display is skipped or what justifies it; ``unique`` that a
    solution is said to be the only one.
    """

    address: Address
    kind: str
    of: tuple[str, ...] = ()
    solve: str = ""
    assume: tuple[str, ...] = ()
    varies: tuple[str, ...] = ()
    put: Mapping[str, Expression] = field(default_factory=dict)
    where: Mapping[Nodes, str] = field(default_factory=dict)
    reason: str = ""
    unique: bool = False


@dataclass(frozen=True, eq=False)
class IgnoreEntry:
    """Findings that somebody has looked at and wants left alone, for a ``reason``.

    They are about the displays with a label or tag of ``labels``, the rows in which one of ``quotes`` stands, or the
    ``files``; what is said of all of these has to fit. ``codes`` are the findings that are meant; none means all.
    """

    place: Place
    reason: str
    codes: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Section:
    """Other readings in a part of the paper, from one quoted text up to another one."""

    start: str
    end: str
    place: Place
    entries: tuple[Entry, ...] = ()
    symbols: Mapping[str, Symbol] = field(default_factory=dict)
    choices: Choices | None = None


@dataclass(frozen=True, eq=False)
class Notation:
    """Everything that a map says. ``labels`` gives the values of every declared index, sizes among them.

    ``common`` is notation that needs no entry, and which every entry goes before.
    """

    symbols: Mapping[str, Symbol] = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()
    labels: Mapping[Nodes, tuple[str, ...]] = field(default_factory=dict)
    points: frozenset[Nodes] = frozenset()
    sizes: frozenset[Nodes] = frozenset()
    choices: Choices = field(default_factory=Choices)
    definitions: tuple[DefinitionEntry, ...] = ()
    claims: tuple[ClaimEntry, ...] = ()
    sections: tuple[Section, ...] = ()
    sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    constants: frozenset[Symbol] = frozenset()
    ignores: tuple[IgnoreEntry, ...] = ()
    common: tuple[Entry, ...] = ()

    def context(self, sections: Sequence[Section] = (), defined: Sequence[Entry] = ()) -> Context:
        """What formulas are read against in some sections, after the paper has defined some notation itself."""
        layers = [self.common, self.entries, defined, *(section.entries for section in sections)]
        choices = next((section.choices for section in reversed(sections) if section.choices), self.choices)
        return Context(Table(layers), self.labels, self.points, self.sizes, choices, self.sets, self.constants)

    def symbol(self, name: str, sections: Sequence[Section] = ()) -> Symbol | None:
        """The symbol of this name, in some sections."""
        for section in reversed(sections):
            if name in section.symbols:
                return section.symbols[name]
        return self.symbols.get(name)

    def warnings(self) -> list[MapError]:
        """Entries that clash: the same pattern twice, or two patterns with the same value, which hides a swap."""
        found: list[MapError] = []
        for entries in (self.entries, *(section.entries for section in self.sections)):
            patterns: dict[Nodes, Entry] = {}
            for entry in entries:
                other = patterns.setdefault(entry.pattern.nodes, entry)
                if other is not entry and entry.place is not None:
                    found.append(MapError(entry.place, f"{entry.pattern.text} is declared twice", "keep one of them"))
            found.extend(_merged(entries))
        return found


def _merged(entries: Sequence[Entry]) -> list[MapError]:
    found: list[MapError] = []
    targets: dict[Symbol, Entry] = {}
    for entry in entries:
        symbol = entry.symbol
        if symbol is None:
            continue
        other = targets.setdefault(symbol, entry)
        if other.name != entry.name and entry.place is not None:
            reason = f"{entry.pattern.text} and {other.pattern.text} are both the symbol {symbol.name}"
            found.append(MapError(entry.place, reason, "a swap of the two in the paper would go unnoticed"))
    return found
