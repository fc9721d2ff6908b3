"""A result of a paper: the claims that belong together, in reading order."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.figure import Figure
from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require_fields
from grpo_symbolic.language.expression import Definition


@dataclass(frozen=True)
class Result:
    """A result of a paper: one section of the report, built when asked for.

    ``build`` yields the claims; its module's docstring opens the section. ``shorthands`` names long formulas, each
    after those in it: the report prints the names in their place. What is checked stays written out.
    """

    title: str
    paper: Paper
    build: Callable[[], Iterable[Claim]]
    figures: Callable[[], Iterable[Figure]] | None = None
    shorthands: Callable[[], Iterable[Definition]] | None = None

    def __post_init__(self) -> None:
        require_fields(self, title=str)
        for part in (self.build, self.figures, self.shorthands):
            if part is not None and not callable(part):
                name = getattr(part, "__name__", "derivation")
                raise DeclarationError(
                    f"result {self.title!r} was given what {name}() returns; give it the function, {name} without "
                    "brackets, so that it is called when it is asked for"
                )
        if not isinstance(self.paper, Paper):
            raise DeclarationError(
                f"result {self.title!r} needs a paper, such as Paper('author_2025', 'A. Author', 'A title', 'v1'); "
                f"{self.paper!r} is none"
            )

    @property
    def module(self) -> str:
        """The module that defines the result."""
        return self.build.__module__

    @property
    def slug(self) -> str:
        """The module's own name, such as ``quadratic_roots``."""
        return self.module.rsplit(".", 1)[-1]

    @property
    def folder(self) -> Path | None:
        """The folder of that module, where what belongs to it stands in files; None if it was not read from a file."""
        place = getattr(sys.modules.get(self.module), "__file__", None)
        return None if place is None else Path(place).parent

    @property
    def introduction(self) -> str:
        """The module's docstring."""
        return (sys.modules[self.module].__doc__ or "").strip()

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """The claims, in reading order; what is not remembered of them is built.

        Raises:
            DeclarationError: as ``made``.
        """
        return self.made

    @cached_property
    def made(self) -> tuple[Claim, ...]:
        """The claims as they are built.

        Raises:
            DeclarationError: if what builds them returns claims that it does not yield, or yields something else.
        """
        name = f"{getattr(self.build, '__name__', 'the function')}() of {self.module}"
        built = self.build()
        if isinstance(built, Claim):
            raise DeclarationError(f"{name} returns a claim: write yield in the place of return")
        if not isinstance(built, Iterable):
            raise DeclarationError(f"{name} yields no claim: write yield claim(...)")
        found, returned = _all_of(iter(built))
        if returned is not None:
            raise DeclarationError(f"{name} yields claims and returns one, which is lost: write yield for return")
        for item in found:
            if not isinstance(item, Claim):
                raise DeclarationError(f"{name} yields {item}, which is no claim: write yield claim(id, title, ...)")
        return tuple(found)

    def claim(self, slug: str) -> Claim:
        """One claim of this result by its slug, for use as a lemma elsewhere.

        Raises:
            DeclarationError: if there is none, naming those there are.
        """
        wanted = f"{self.paper.id}.{slug}"
        for made in self.claims:
            if made.id == wanted:
                return made
        known = ", ".join(made.id.split(".", 1)[1] for made in self.claims)
        raise DeclarationError(f"no claim {wanted} in {self.module}; there are: {known}")


def _all_of(items: Iterator[Claim]) -> tuple[list[Claim], object]:
    """What an iterator yields, and what it returns."""
    found = []
    while True:
        try:
            found.append(next(items))
        except StopIteration as end:
            return found, end.value
