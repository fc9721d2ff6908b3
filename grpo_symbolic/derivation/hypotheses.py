"""What the equations among the hypotheses of claims are: names of quantities, suppositions, or what a claim shows.

A letter may stand for a derived quantity, such as the best value of an objective, only because a claim says what that
is; whatever is stated with the letter then rests on this claim. A table beside the derivations of a paper says so of
every equation that is a hypothesis, in three parts: ``described`` are equations that the description of a letter says,
``supposed`` those that a claim is about or that are left to the reader, under the words for it, and ``shown`` those
that claims show, with their slugs. Where a letter means different things, an equation stands with the slug of the claim
before it, as in ``'eq12: S = 0'``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.unbuilt import Unbuilt
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.language.statement import All, Relation, Statement
from grpo_symbolic.translate.text import statement_text

#: The name of the table's file.
FILE = "hypotheses.toml"


@dataclass(frozen=True)
class Hypotheses:
    """The table of a paper; equations are in the text form that ``show`` prints."""

    described: frozenset[str] = frozenset()
    supposed: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def key(self, made: Claim, equation: Relation) -> str | None:
        """The entry for a claim's equation, or None if there is none."""
        return self.entry(made, statement_text(equation))

    def entry(self, made: Claim, text: str) -> str | None:
        """The entry for the text of a claim's equation, or None if there is none."""
        for key in (f"{made.id.partition('.')[2]}: {text}", text):
            if key in self.described or key in self.supposed or key in self.shown:
                return key
        return None

    def shown_by(self, made: Claim, hypothesis: Statement) -> tuple[str, ...]:
        """The ids of the claims that show what a hypothesis of a claim says."""
        return self.showing(made, map(statement_text, _equations(hypothesis)))

    def showing(self, made: Claim, texts: Iterable[str]) -> tuple[str, ...]:
        """The ids of the claims that show equations of a claim, by their texts."""
        paper = made.id.partition(".")[0]
        keys = (self.entry(made, text) for text in texts)
        slugs = (slug for key in keys if key is not None for slug in self.shown.get(key, ()))
        return tuple(dict.fromkeys(f"{paper}.{slug}" for slug in slugs))

    @property
    def keys(self) -> frozenset[str]:
        """All entries."""
        return self.described | self.supposed.keys() | self.shown.keys()


def equations_of(made: Claim) -> Iterator[Relation]:
    """The equations among the hypotheses of a claim."""
    for hypothesis in made.given:
        yield from _equations(hypothesis)


def texts_of(made: Claim) -> tuple[str, ...]:
    """The same in the text form; of a claim that is not built, as they were when it was."""
    return made.equations if isinstance(made, Unbuilt) else tuple(map(statement_text, equations_of(made)))


def _equations(statement: Statement) -> Iterator[Relation]:
    match statement:
        case Relation(operator="="):
            yield statement
        case All(parts):
            for part in parts:
                yield from _equations(part)


def read_hypotheses(path: Path) -> Hypotheses:
    """Read a table.

    Raises:
        LibraryError: if the file is no such table, or has an equation twice.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise LibraryError(f"{path}: {error}") from error
    unknown = data.keys() - {"described", "supposed", "shown"}
    if unknown:
        raise LibraryError(f"{path}: there is no part {min(unknown)!r}; the parts are described, supposed and shown")
    described = _texts(path, "described", data.get("described", []))
    supposed = [(key, why) for why, keys in _table(path, data, "supposed") for key in _texts(path, why, keys)]
    shown = [(key, _texts(path, key, slugs)) for key, slugs in _table(path, data, "shown")]
    keys = [*described, *(key for key, _ in supposed), *(key for key, _ in shown)]
    twice = {key for key in keys if keys.count(key) > 1}
    if twice:
        raise LibraryError(f"{path}: {min(twice)!r} stands there twice; an equation is one thing in a paper")
    return Hypotheses(frozenset(described), dict(supposed), dict(shown))


def _table(path: Path, data: Mapping[str, Any], part: str) -> Iterator[tuple[str, object]]:
    table = data.get(part, {})
    if not isinstance(table, dict):
        raise LibraryError(f"{path}: [{part}] is no table")
    yield from table.items()


def _texts(path: Path, where: str, found: object) -> tuple[str, ...]:
    if not isinstance(found, list) or not all(isinstance(item, str) and item.strip() for item in found):
        raise LibraryError(f"{path}: {where!r} is no list of texts")
    return tuple(found)
