"""Things of which nobody said what they are: every one is an atom, the same wherever it is printed alike."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from grpo_symbolic.language.expression import Symbol, free_symbols
from grpo_symbolic.language.vocabulary import real
from grpo_symbolic.reading.notation.patterns import identifier_of
from grpo_symbolic.reading.places import ReadingError
from grpo_symbolic.reading.tex.tree import Nodes


@dataclass
class Objects:
    """The atoms of a paper by what they print; ``vectors`` are those that need not be numbers, ``composed`` those that
    are no names; ``names`` are taken. ``unclear`` are terms that were not read, each with the refusal.

    Nothing is known of an atom but that it is the same object each time: two that print differently may be equal, so
    that a step that fails for some values of its atoms is not wrong, while one that holds does so for all objects.
    """

    names: set[str] = field(default_factory=set)
    known: dict[Hashable, Symbol] = field(default_factory=dict)
    vectors: set[Symbol] = field(default_factory=set)
    composed: set[Symbol] = field(default_factory=set)
    unclear: dict[Symbol, ReadingError] = field(default_factory=dict)

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
            if composed:
                self.composed.add(self.known[key])
            if vector:
                self.vectors.add(self.known[key])
        return self.known[key]

    def printed(self, symbol: Symbol) -> Nodes:
        """What is printed for an atom, with all that an operator covers; nothing for other symbols."""
        key = next((key for key, atom in self.known.items() if atom == symbol), None)
        if not isinstance(key, tuple) or len(key) < 2:
            return ()
        nodes = key[1] if isinstance(key[1], tuple) else (key[1],)
        covered = (
            key[2] if isinstance(key[2], tuple) and key[0] == "linear" else (key[2],) if key[0] == "product" else ()
        )
        inside = {one for expression in covered for one in free_symbols(expression)}
        return (*nodes, *(node for one in sorted(inside, key=lambda one: one.name) for node in self.printed(one)))

    def among(self, symbols: Iterable[Symbol]) -> tuple[Symbol, ...]:
        """Those of some symbols that are atoms, by name."""
        atoms = set(self.known.values())
        return tuple(sorted((symbol for symbol in set(symbols) if symbol in atoms), key=lambda symbol: symbol.name))


def _names(stem: str) -> Iterator[str]:
    yield stem
    yield from (f"{stem}_{number}" for number in count(2))
