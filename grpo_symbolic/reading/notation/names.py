"""The names under which what a paper prints is told: two different symbols or functions never share one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from grpo_symbolic.language.expression import OPERATORS, Call, Definition
from grpo_symbolic.reading.notation.entries import Entry, Function, Plain
from grpo_symbolic.reading.tex.spelling import numbered, spelled
from grpo_symbolic.reading.tex.tree import Nodes

#: Elementary functions as they are printed, with the number of their arguments.
_ELEMENTARY = tuple({**OPERATORS, "max": 2, "min": 2}.items())


class Names:
    """Who has which name. A symbol and functions of one and of two arguments may share it: brackets tell them apart."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._owners: dict[tuple[str, int], set[Nodes]] = {key: set() for key in _ELEMENTARY}
        self._numbered: dict[Nodes, str] = {}
        for entry in entries:
            definition = _definition(entry)
            if entry.symbol is not None:
                self.keep(entry.symbol.name, entry.pattern.nodes)
            elif definition is not None:
                self._owners.setdefault(_key(definition), set()).add(entry.pattern.nodes)

    def keep(self, name: str, printed: Nodes = ()) -> None:
        """Leave a name to a symbol, which the map calls so, and to what it defines where the symbol is ``printed``."""
        self._owners.setdefault((name, 0), set()).add(printed)

    def given(self, entries: Sequence[Entry]) -> list[Entry]:
        """The entries of one declaration, what they define with a name that nothing else has."""
        printed = {entry.pattern.nodes for entry in entries}
        return [
            self._given(entry, definition, printed) if (definition := _definition(entry)) else entry
            for entry in entries
        ]

    def _given(self, entry: Entry, definition: Definition, printed: set[Nodes]) -> Entry:
        nodes = entry.pattern.nodes
        for name in (definition.name, spelled(nodes), spelled(nodes, full=True)):
            named = replace(definition, name=name)
            owners = self._owners.get(_key(named))
            if owners is None or owners & printed:
                break
        else:
            fresh = numbered(definition.name, {name for name, _ in self._owners})
            named = replace(definition, name=self._numbered.setdefault(nodes, fresh))
        self._owners.setdefault(_key(named), set()).update(printed)
        match entry.meaning:
            case Function(_, holes):
                return replace(entry, meaning=Function(named, holes))
        return replace(entry, meaning=Plain(named()))


def _key(definition: Definition) -> tuple[str, int]:
    return definition.name, len(definition.parameters)


def _definition(entry: Entry) -> Definition | None:
    match entry.meaning:
        case Function(definition, _) | Plain(Call(definition, ())):
            return definition
    return None
