"""Things of which nobody said what they are: every one is an atom, the same wherever it is printed alike."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.vocabulary import real
from grpo_symbolic.reading.notation.patterns import identifier_of


@dataclass
class Objects:
    """The atoms of a paper by what they print; ``vectors`` are those that need not be numbers.

    Nothing is known of an atom but that it is the same object each time: two that print differently may be equal, so
    that a step that fails for some values of its atoms is not wrong, while one that holds does so for all objects.
    """

    known: dict[Hashable, Symbol] = field(default_factory=dict)
    vectors: set[Symbol] = field(default_factory=set)
    _names: set[str] = field(default_factory=set)

    def atom(self, key: Hashable, latex: str, *, vector: bool = False) -> Symbol:
        """The atom of what is printed so."""
        if key not in self.known:
            stem = identifier_of(latex)[:60].rstrip("_") or "object"
            name = next(
                fresh for number in range(1, len(self._names) + 2) if (fresh := f"{stem}_o{number}") not in self._names
            )
            self._names.add(name)
            self.known[key] = real(name, "(-oo, oo)", f"an object of the paper, printed {latex}", latex=latex)
            if vector:
                self.vectors.add(self.known[key])
        return self.known[key]

    def of(self, symbols: frozenset[Symbol] | set[Symbol]) -> tuple[Symbol, ...]:
        """Those of some symbols that are atoms, by name."""
        atoms = set(self.known.values())
        return tuple(sorted((symbol for symbol in symbols if symbol in atoms), key=lambda symbol: symbol.name))
