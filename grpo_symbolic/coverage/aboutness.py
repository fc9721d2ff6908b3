"""Whether a claim that is tied to a numbered place of a paper contains the definitions that the place is about.

A claim is tied to a place if it names it, or if a row of the paper's coverage under that number is tied to the claim.
It contains a definition if this stands in its statement or hypotheses, by its name or written out, and depends on it
if it contains it or rests on a claim that does. A tied claim that does not depend on a definition would say the same
with any other in its place: it is abstract in this definition. If it depends on none, it is a lemma about abstract
quantities. A row none of whose claims depends on a definition that it is about is settled in part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from grpo_symbolic.cache.store import Json
from grpo_symbolic.coverage.rows import Annotation, Coverage, load
from grpo_symbolic.derivation.about import About, numbered, places_of, tables
from grpo_symbolic.derivation.keeping import kept
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.language.expression import Definition
from grpo_symbolic.language.instances import stands_in
from grpo_symbolic.language.statement import expressions_of


@dataclass(frozen=True)
class Tie:
    """A claim, the numbered places that it is tied to, and by name the definitions that they are about.

    ``contains`` are those in its statement or hypotheses, ``through`` those in claims that it rests on.
    """

    id: str
    places: tuple[str, ...]
    about: tuple[str, ...]
    contains: tuple[str, ...]
    through: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """The definitions that make no difference to the claim."""
        return tuple(name for name in self.about if name not in (*self.contains, *self.through))


def _written(tie: Tie) -> Json:
    return [tie.id, [*tie.places], [*tie.about], [*tie.contains], [*tie.through]]


class Aboutness:
    """The ties of a library's claims to what the tables of their papers say."""

    def __init__(self, library: Library, coverages: Sequence[Coverage] | None = None) -> None:
        self._library = library
        self.coverages = load(library) if coverages is None else tuple(coverages)
        self.tables = tables(library)
        self._contained: dict[tuple[str, Definition], bool] = {}

    @cached_property
    def places(self) -> Mapping[str, tuple[str, ...]]:
        """The numbered places of each claim that has one and whose paper has a table, and of those among its parts."""
        found: dict[str, dict[str, None]] = {}
        for id, made in self._library.claims.items():
            for place in places_of(made):
                found.setdefault(id, {})[place] = None
        for paper, table in self.tables.items():
            parts = [self._library.claims.get(f"{paper}.{slug}") for slug in table.parts]
            for part in parts:
                if part is not None and part.id not in found:
                    found[part.id] = {part.equation or part.title: None}
        for coverage in self.coverages:
            for entry in coverage.entries:
                for place in numbered(entry.label or ""):
                    for id in entry.claims:
                        found.setdefault(id, {})[place] = None
        return {
            id: tuple(found[id]) for id in self._library.claims if id in found and id.partition(".")[0] in self.tables
        }

    @cached_property
    def ties(self) -> Mapping[str, Tie]:
        """All tied claims by id, in reading order; those of modules that are the same may be kept."""
        modules = {made.id: name for name, claims in self._library.claims_of.items() for made in claims}
        tied: dict[str, list[str]] = {}
        for id in self.places:
            tied.setdefault(modules[id], []).append(id)
        found = {tie.id: tie for ids in tied.values() for tie in self._ties_of(ids, modules)}
        return {id: found[id] for id in self.places}

    def _ties_of(self, ids: Sequence[str], modules: Mapping[str, str]) -> tuple[Tie, ...]:
        """The ties of claims of one module: they depend on all that these rest on, on the places, and on the table."""

        def make() -> Json:
            return [_written(tie) for tie in self._made(ids)]

        below = [self.closure(id) for id in ids]
        origins = [self._library.origins.get(name) for name in sorted({modules[id] for part in below for id in part})]
        if None in origins:
            return self._made(ids)
        content = (self.tables[ids[0].partition(".")[0]], tuple(below), tuple(map(self.places.__getitem__, ids)))
        found = cast("list[list[Any]]", kept("ties", (*content, tuple(origins)), make))
        return tuple(Tie(id, *map(tuple, lists)) for id, *lists in found)

    def _made(self, ids: Sequence[str]) -> tuple[Tie, ...]:
        return tuple(self._tie(id, self.places[id]) for id in ids)

    def _tie(self, id: str, places: tuple[str, ...]) -> Tie:
        paper, _, slug = id.partition(".")
        table = self.tables[paper]
        about = table.names(slug, places)
        contains = tuple(name for name in about if self._in_claim(table, name, id))
        rest = [name for name in about if name not in contains]
        before = self.closure(id)[1:] if rest else ()
        through = tuple(name for name in rest if any(self._in_claim(table, name, other) for other in before))
        return Tie(id, places, about, contains, through)

    def _in_claim(self, table: About, name: str, id: str) -> bool:
        return any(self.contains(id, definition) for definition in table.definitions.get(name, ()))

    def contains(self, id: str, definition: Definition) -> bool:
        """Whether the definition stands in a claim's statement or hypotheses."""
        key = (id, definition)
        if key not in self._contained:
            made = self._library.claims[id]
            parts = [part for statement in (made.statement, *made.given) for part in expressions_of(statement)]
            self._contained[key] = any(stands_in(definition, part) for part in parts)
        return self._contained[key]

    def closure(self, id: str) -> tuple[str, ...]:
        """A claim and everything that it rests on, each once, the claim first."""
        found: dict[str, None] = {}
        waiting = [id]
        while waiting:
            current = waiting.pop()
            if current not in found:
                found[current] = None
                waiting.extend(reversed(self._library.since(self._library.claims[current])))
        return tuple(found)

    def in_part(self, coverage: Coverage) -> Mapping[str, tuple[str, ...]]:
        """The rows under a number, by their places, to none of whose claims some definition makes a difference."""
        table = self.tables.get(coverage.paper.id)
        found = {}
        for entry in coverage.entries if table is not None else ():
            missing = tuple(self._missing(entry, table)) if table is not None else ()
            if missing:
                found[entry.place] = missing
        return found

    def _missing(self, entry: Annotation, table: About) -> Iterator[str]:
        known = [self.ties[id] for id in entry.claims if id in self.ties]
        about = table.rows.get(
            entry.place, tuple(name for place in numbered(entry.label or "") for name in table.places.get(place, ()))
        )
        for name in about if known else ():
            if not any(name in (*tie.contains, *tie.through) for tie in known):
                yield name

    def problems(self) -> Iterator[str]:
        """What is wrong with the tables: places without a line, and names, claims and rows that do not exist."""
        yield from (message for paper in self.tables for message in self._problems(paper))

    def _problems(self, paper: str) -> Iterator[str]:
        table = self.tables[paper]
        tied = {place for id, places in self.places.items() if id.partition(".")[0] == paper for place in places}
        # Claims among the parts may stand elsewhere, such as in a proof.
        tied = {place for place in tied if any(numbered(place))}
        for place in sorted(tied - set(table.places)):
            ids = ", ".join(id for id, places in self.places.items() if place in places and id.startswith(f"{paper}."))
            yield f"{paper}: {ids} are tied to {place}; say in the table what it is about"
        for place in sorted(set(table.places) - tied):
            yield f"{paper}: no claim is tied to {place}; take it out of the table"
        for where, names in _entries(table):
            for name in names:
                if name not in table.definitions:
                    yield f"{paper}: {where} is about {name!r}, which the table does not define"
        for slug in table.parts:
            if f"{paper}.{slug}" not in self._library.claims:
                yield f"{paper}: there is no claim {slug}; take it out of the table's parts"
        rows = {entry.place for coverage in self.coverages if coverage.paper.id == paper for entry in coverage.entries}
        for row in set(table.rows) - rows:
            yield f"{paper}: there is no row {row}; take it out of the table's rows"


def _entries(table: About) -> Iterable[tuple[str, tuple[str, ...]]]:
    return (*table.places.items(), *table.parts.items(), *table.rows.items())
