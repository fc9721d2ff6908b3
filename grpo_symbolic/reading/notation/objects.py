"""Things of which nobody said what they are: every one is an atom, the same wherever it is printed alike."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from grpo_symbolic.language.expression import Expression, Symbol, free_symbols
from grpo_symbolic.language.vocabulary import real
from grpo_symbolic.reading.notation.patterns import identifier_of
from grpo_symbolic.reading.places import ReadingError
from grpo_symbolic.reading.tex.tree import Atom, Command, Environment, Group, Name, Nodes, Number, Scripted, Words

_NODES = (Atom, Command, Environment, Group, Name, Number, Scripted, Words)


@dataclass
class Objects:
    """The atoms of a paper by what they print; ``vectors`` are those that need not be numbers, ``composed`` those that
    are no names; ``names`` are taken. ``unclear`` are terms that were not read, each with the refusal; ``contents`` are
    what is given in a variance or covariance, and what it is of. ``parts`` are the letters of sets that the paper calls
    samples or the like.

    Nothing is known of an atom but that it is the same object each time: two that print differently may be equal, so
    that a step that fails for some values of its atoms is not wrong, while one that holds does so for all objects.
    """

    names: set[str] = field(default_factory=set)
    parts: frozenset[str] = frozenset()
    known: dict[Hashable, Symbol] = field(default_factory=dict)
    vectors: set[Symbol] = field(default_factory=set)
    composed: set[Symbol] = field(default_factory=set)
    unclear: dict[Symbol, ReadingError] = field(default_factory=dict)
    contents: dict[Symbol, tuple[Nodes, tuple[Expression, ...]]] = field(default_factory=dict)
    _prints: dict[Symbol, Nodes] = field(default_factory=dict)
    _covers: dict[Symbol, tuple[Symbol, ...]] = field(default_factory=dict)

    def atom(
        self, key: Hashable, latex: str, *, stem: str = "", vector: bool = False, composed: bool = False
    ) -> Symbol:
        """The atom of what is printed so, named after ``stem`` or after the LaTeX.

        ``composed`` says that it is an operator with what it covers, and no name.
        """
        if key not in self.known:
            stem = stem or identifier_of(latex)[:40].rstrip("_")
            name = next(fresh for fresh in _names(stem) if fresh not in self.names)
            self.names.add(name)
            self.known[key] = real(name, "(-oo, oo)", f"an object of the paper, printed {latex}", latex=latex)
            self._remember(self.known[key], key)
            if composed:
                self.composed.add(self.known[key])
            if vector:
                self.vectors.add(self.known[key])
        return self.known[key]

    def _remember(self, symbol: Symbol, key: Hashable) -> None:
        parts = [one if isinstance(one, tuple) else (one,) for one in key] if isinstance(key, tuple) else []
        flat = [one for part in parts for one in part]
        self._prints[symbol] = tuple(one for one in flat if isinstance(one, _NODES))
        expressions = (one for one in flat if isinstance(one, Expression))
        self._covers[symbol] = tuple(dict.fromkeys(inner for one in expressions for inner in free_symbols(one)))

    def nodes_of(self, symbol: Symbol) -> Nodes:
        """What an atom prints, of an operator the sign with its range; empty for other symbols."""
        return self._prints.get(symbol, ())

    def parts_of(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """The symbols in what an operator covers."""
        return self._covers.get(symbol, ())

    def among(self, symbols: Iterable[Symbol]) -> tuple[Symbol, ...]:
        """Those of some symbols that are atoms, by name."""
        atoms = set(self.known.values())
        return tuple(sorted((symbol for symbol in set(symbols) if symbol in atoms), key=lambda symbol: symbol.name))


def _names(stem: str) -> Iterator[str]:
    yield stem
    yield from (f"{stem}_{number}" for number in count(2))
