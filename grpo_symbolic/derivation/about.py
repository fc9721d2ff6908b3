"""What the numbered places of a paper are about: the definitions that make a difference to what is claimed there."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.language.expression import Definition

#: The name of the module beside a paper's derivations, and of the table in it.
NAME = "about"

_STATEMENTS = "Theorem|Lemma|Proposition|Corollary|Definition|Assumption|Remark|Algorithm"
_PLACE = re.compile(rf"(Eq\. \(\d+\)|({_STATEMENTS}) \d+)( \(\d+\))?")
#: A number, or the proof of what has it; items of a statement have numbers in brackets as well.
_NUMBER = re.compile(
    rf"(?:(?:the )?end of the )?(?:proof of )?(?:(?:Eqs?\. )?(\([^()]+\))|((?:{_STATEMENTS}|Figure) \d+)(?: \(\d+\))?)"
)


@dataclass(frozen=True)
class About:
    """The definitions of a paper by name, and for each of its numbered places the names of those that it is about.

    A place that speaks of nothing that is defined, such as a lemma about any function, has no names. ``parts`` says of
    single claims, by their slugs, what the part of the place that they treat is about, such as a step of a proof, and
    ``rows`` the same of rows of the paper's coverage, by their places.
    """

    definitions: Mapping[str, tuple[Definition, ...]]
    places: Mapping[str, tuple[str, ...]]
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def names(self, slug: str, places: tuple[str, ...]) -> tuple[str, ...]:
        """The names of what a claim that is tied to these places is about."""
        if slug in self.parts:
            return self.parts[slug]
        return tuple(dict.fromkeys(name for place in places for name in self.places.get(place, ())))


def numbered(text: str) -> Iterator[str]:
    """The numbered places that a reference names as such; *proof of Theorem 3* or *after Eq. (2)* is another place."""
    for part in text.split(", "):
        place = f"Eq. {part}" if re.fullmatch(r"\(\d+\)", part) else part
        if _PLACE.fullmatch(place):
            yield place


def numbers_named(text: str) -> Iterator[str]:
    """The numbers, as a paper's lines have them, at which something is, or in whose proof or caption.

    What is after, on or between numbered lines is at none of them.
    """
    for part in text.split(", "):
        if (found := _NUMBER.fullmatch(part)) is not None:
            yield found[1] or found[2]


def places_of(made: Claim) -> tuple[str, ...]:
    """The numbered places that a claim says it is about, or about whose words it is."""
    named = (made.equation or "", "" if made.printed is None else made.printed.where)
    return tuple(dict.fromkeys(place for text in named for place in numbered(text)))


def tables(library: Library) -> dict[str, About]:
    """The table of each paper that has one, by the paper's id.

    Raises:
        LibraryError: if a module of that name has no table.
    """
    found: dict[str, About] = {}
    for result in library.results:
        name = f"{result.module.rpartition('.')[0]}.{NAME}"
        if result.paper.id in found or name not in sys.modules:
            continue
        table = getattr(sys.modules[name], NAME, None)
        if not isinstance(table, About):
            raise LibraryError(f"{name} has no table of the name {NAME}; write {NAME} = About(...)")
        found[result.paper.id] = table
    return found
