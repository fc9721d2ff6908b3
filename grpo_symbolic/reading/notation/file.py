"""Read a notation map from TOML: the sidecar file, the ``%:`` comments of a paper, or both."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.reading.notation.claims import claim_of, definition_of, ignore_of
from grpo_symbolic.reading.notation.context import MAX_TERMS, Choices
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.elementary import MAP_FUNCTIONS
from grpo_symbolic.reading.notation.entries import Entry, Function, Plain
from grpo_symbolic.reading.notation.formulas import read_formula
from grpo_symbolic.reading.notation.map import ClaimEntry, DefinitionEntry, IgnoreEntry, MapError, Notation, Section
from grpo_symbolic.reading.notation.names import Names
from grpo_symbolic.reading.notation.pieces import (
    GUESS,
    known_only,
    members_of,
    strings_of,
    symbol_of,
    table_of,
    tables_of,
    trees_of,
)
from grpo_symbolic.reading.notation.tables import entries_of
from grpo_symbolic.reading.tex.tree import Nodes

#: Most entries of the map of one paper, which needs some tens.
MAX_ENTRIES = 2_000
_TABLES = ("symbols", "sets", "indices", "sizes", "reading", "notation", "definition", "claim", "section", "ignore")


def read_map(documents: Iterable[Document]) -> Notation:
    """Put together what some documents say; later ones add to earlier ones.

    Raises:
        MapError: for a mistake, with its file, line and remedy.
    """
    builder = _Builder()
    for document in documents:
        builder.add(document)
    return builder.notation()


class _Builder:
    """Collects the parts of a map: names first, then what is defined with them."""

    def __init__(self) -> None:
        self.sets: dict[str, tuple[str, ...]] = {}
        self.labels: dict[Nodes, tuple[str, ...]] = {}
        self.points: set[Nodes] = set()
        self.sizes: set[Nodes] = set()
        self.choices = Choices()
        self.symbols: dict[str, Symbol] = {}
        self.constants: set[Symbol] = set()
        self.entries: list[Entry] = []
        self.functions: dict[str, Callable[..., Expression]] = {}
        self.names = Names()
        self.definitions: list[DefinitionEntry] = []
        self.claims: list[ClaimEntry] = []
        self.sections: list[Section] = []
        self.ignores: list[IgnoreEntry] = []
        self.size = 0

    def notation(self) -> Notation:
        return Notation(
            self.symbols, tuple(self.entries), self.labels, frozenset(self.points), frozenset(self.sizes), self.choices,
            tuple(self.definitions), tuple(self.claims), tuple(self.sections), self.sets,
            frozenset(self.constants), tuple(self.ignores),
        )  # fmt: skip

    def add(self, document: Document) -> None:
        known_only(document.data, _TABLES, lambda key: document.place(key), "table")
        for name, table in document.data.items():
            self.size += len(table) if isinstance(table, dict | list) else 0
            if self.size > MAX_ENTRIES:
                raise MapError(document.place(name), f"more than {MAX_ENTRIES} entries in the map of one paper")
        self._keep_names(document)
        self._indices(document)
        self.choices = self._reading(document, table_of(document, document.data, "reading"), "reading", self.choices)
        self.entries += self._symbols(document, table_of(document, document.data, "symbols"), "symbols", self.symbols)
        notations = tables_of(document, document.data, "notation")
        self.entries += self._notations(document, notations, "notation", self.symbols)
        for number, table in enumerate(tables_of(document, document.data, "definition")):
            self.definitions.append(definition_of(document, table, number))
        for number, table in enumerate(tables_of(document, document.data, "ignore")):
            self.ignores.append(ignore_of(document, table, number))
        for number, table in enumerate(tables_of(document, document.data, "section")):
            self.sections.append(self._section(document, table, number))
        for number, table in enumerate(tables_of(document, document.data, "claim")):
            self.claims.append(self._claim(document, table, number))

    def _keep_names(self, document: Document) -> None:
        """Leave the names of all symbols to them, also of those that are declared later, for a section."""
        for table in (document.data, *tables_of(document, document.data, "section")):
            symbols = table.get("symbols")
            for name in symbols if isinstance(symbols, dict) else ():
                self.names.keep(name)

    # Sets, indices and sizes.

    def _indices(self, document: Document) -> None:
        for name, members in table_of(document, document.data, "sets").items():
            place = document.place("sets", key=name)
            self.sets[name] = members_of(members, place)
        for index, name in table_of(document, document.data, "indices").items():
            place = document.place("indices", key=index)
            if name == "point":
                self.points.update(trees_of(index, place))
                continue
            if not isinstance(name, str) or name not in self.sets:
                known = ", ".join(self.sets) or "none yet"
                raise MapError(
                    place, f"the index {index} runs over {name!r}, which is no set", f"sets: {known}, or 'point'"
                )
            for nodes in trees_of(index, place):
                self.labels[nodes] = self.sets[name]
        for size, values in table_of(document, document.data, "sizes").items():
            place = document.place("sizes", key=size)
            if not isinstance(values, list) or not all(
                isinstance(value, int) and 0 < value < MAX_TERMS for value in values
            ):
                raise MapError(place, f"the size {size} is not a list of whole numbers", f"write {size} = [2, 3]")
            if len(values) < 2:
                raise MapError(
                    place,
                    f"one value of {size} is not enough, at which different formulas may agree",
                    f"write {size} = [2, 3]",
                )
            for nodes in trees_of(size, place):
                self.labels[nodes] = tuple(map(str, values))
                self.sizes.add(nodes)

    def _reading(self, document: Document, table: Mapping[str, Any], name: str, before: Choices) -> Choices:
        options = ("product_argument", "function_power", "restricted", "samples")
        known_only(table, options, lambda key: document.place(name, key=key), "reading")
        choices = before
        for key, value in table.items():
            place = document.place(name, key=key)
            if key == "product_argument":
                names = strings_of(value, place, key)
                unknown = [item for item in names if item not in MAP_FUNCTIONS]
                if unknown:
                    raise MapError(
                        place, f"{unknown[0]} is no elementary function", f"known: {', '.join(MAP_FUNCTIONS)}"
                    )
                choices = replace(choices, product_argument=frozenset(names))
            elif key == "samples":
                sets = strings_of(value, place, key) if value != [] else ()
                unknown = [item for item in sets if item not in self.sets]
                if unknown:
                    raise MapError(place, f"{unknown[0]} is no set", f"sets: {', '.join(self.sets) or 'none'}")
                choices = replace(choices, samples=frozenset(self.sets[item] for item in sets))
            elif key == "function_power" and value in ("value", ""):
                choices = replace(choices, function_power=value)
            elif key == "restricted" and value in ("indicator", ""):
                choices = replace(choices, restricted=value)
            else:
                known = {"function_power": "value", "restricted": "indicator"}[key]
                raise MapError(place, f"{key} = {value!r} is no reading", f"write {key} = {known!r}")
        return choices

    # Symbols and notation.

    def _symbols(
        self, document: Document, table: Mapping[str, Any], title: str, into: dict[str, Symbol], number: int = 0
    ) -> list[Entry]:
        entries: list[Entry] = []
        for name, said in table.items():
            place = document.place(title, number, name)
            if keyword.iskeyword(name):
                raise MapError(place, f"{name} is a word of Python, in which formulas are written", f"write {name}_")
            if name in into:
                raise MapError(place, f"the symbol {name} is declared twice", "keep one of the declarations")
            symbol, patterns = symbol_of(name, said, place)
            into[name] = symbol
            if isinstance(said, dict) and said.get("constant"):
                self.constants.add(symbol)
            guessed = isinstance(said, dict) and said.get("factor") == GUESS
            entries += [Entry(pattern, Plain(symbol), name, place, guessed=guessed) for pattern in patterns]
        for entry in entries:
            self.names.keep(entry.name, entry.pattern.nodes)
        return entries

    def _notations(
        self, document: Document, tables: Sequence[Mapping[str, Any]], title: str, symbols: dict[str, Symbol]
    ) -> list[Entry]:
        entries: list[Entry] = []
        for number, table in enumerate(tables):
            place = document.place(title, number)
            before = set(symbols)
            found = self.names.given(entries_of(table, place, symbols, self.functions, self.sets))
            for name in symbols.keys() - before:
                self.names.keep(name)
            for one in found:
                if isinstance(one.meaning, Function) and one.name in self.functions:
                    self.functions[one.name] = one.meaning.definition
            entries += found
        return entries

    def _section(self, document: Document, table: Mapping[str, Any], number: int) -> Section:
        place = document.place("section", number)
        known_only(table, ("from", "to", "symbols", "notation", "reading"), lambda _: place, "section")
        start, end = table.get("from"), table.get("to", "")
        if not isinstance(start, str) or not start or not isinstance(end, str):
            raise MapError(place, "a section does not say where it begins", "write from = 'some text of the paper'")
        symbols = dict(self.symbols)
        added: dict[str, Symbol] = {}
        entries = self._symbols(document, table_of(document, table, "symbols"), "section.symbols", added, number)
        symbols.update(added)
        notations = tables_of(document, table, "notation")
        entries += self._notations(document, notations, "section.notation", symbols)
        added.update({name: symbol for name, symbol in symbols.items() if name not in self.symbols})
        reading = table_of(document, table, "reading")
        choices = self._reading(document, reading, "section.reading", self.choices) if reading else None
        return Section(start, end, place, tuple(entries), added, choices)

    def _claim(self, document: Document, table: Mapping[str, Any], number: int) -> ClaimEntry:
        place = document.place("claim", number)
        claim = claim_of(table, place)
        put, where = table.get("put", {}), table.get("where", {})
        if not isinstance(put, dict) or not isinstance(where, dict):
            raise MapError(place, "put and where are tables", "write put = { x_old = 'x' } or where = { G = '2' }")
        sections = {key: value for section in self.sections for key, value in section.symbols.items()}
        known = {**self.symbols, **sections}
        unknown = [name for name in put if name not in known]
        if unknown:
            raise MapError(place, f"{unknown[0]} is no symbol of the map", "declare it under [symbols]")
        try:
            values = {name: read_formula(str(formula), known) for name, formula in put.items()}
        except DeclarationError as error:
            raise MapError(place, str(error)) from error
        labels = {nodes: str(label) for index, label in where.items() for nodes in trees_of(index, place)}
        return replace(claim, put=values, where=labels)
