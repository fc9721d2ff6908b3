"""Slips in a paper's definitions: a single change in the body of a function, and claims with it in them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from grpo_symbolic.coverage.aboutness import Aboutness, Tie
from grpo_symbolic.derivation.chain import Claim, Derivation, Lemma
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.judging.mutants import slips_of
from grpo_symbolic.language.expression import Definition, Expression
from grpo_symbolic.language.instances import Exchange
from grpo_symbolic.language.statement import Statement, map_expressions


@dataclass(frozen=True)
class Slip:
    """A single change in the body of a function that a name of a paper's table stands for."""

    paper: str
    name: str
    function: Definition
    number: int
    change: str
    changed: Definition


def slips(aboutness: Aboutness, sampled: int | None, seed: int) -> Iterator[Slip]:
    """Slips in each function of the tables: all of them, or so many by a seed, in a fixed order."""
    for paper, table in aboutness.tables.items():
        for name, functions in table.definitions.items():
            for function in functions:
                every = list(enumerate(slips_of(function), start=1))
                if sampled is not None and sampled < len(every):
                    chosen = random.Random(f"{seed} {paper} {name} {function.name}").sample(every, sampled)
                    every = sorted(chosen, key=lambda item: item[0])
                for number, (change, changed) in every:
                    yield Slip(paper, name, function, number, change, changed)


class Trial:
    """A slip, put into the claims of a library wherever its function stands, by its name or written out."""

    def __init__(self, library: Library, aboutness: Aboutness, slip: Slip) -> None:
        self.slip = slip
        self._library, self._aboutness = library, aboutness
        self._exchange = Exchange(slip.function, slip.changed)
        self._claims: dict[str, Claim | None] = {}
        self._below: dict[str, tuple[str, ...]] = {}

    def concerns(self, tie: Tie) -> bool:
        """Whether a claim is about the name, and this very function, of those it stands for, is in it or below it."""
        named = tie.id.startswith(f"{self.slip.paper}.") and self.slip.name in (*tie.contains, *tie.through)
        below = self._aboutness.closure(tie.id) if named else ()
        return any(self._aboutness.contains(id, self.slip.function) for id in below)

    def below(self, id: str) -> tuple[str, ...]:
        """The claim and what it rests on, as far as it is not assumed and the slip makes a difference to it."""
        if id not in self._below:
            claims = self._library.claims
            found = (other for other in self._aboutness.closure(id) if not claims[other].assumed)
            self._below[id] = tuple(other for other in found if self.changed(other) != claims[other])
        return self._below[id]

    def changed(self, id: str) -> Claim | None:
        """The claim with the slip in everything that it says and uses; None if it cannot be written then."""
        try:
            return self._claim(self._library.claims[id])
        except DeclarationError:
            self._claims[id] = None
            return None

    def _claim(self, made: Claim) -> Claim:
        if made.id not in self._claims:
            self._claims[made.id] = replace(
                made,
                statement=self._statement(made.statement),
                given=tuple(map(self._statement, made.given)),
                using=tuple(map(self._lemma, made.using)),
                derivation=None if made.derivation is None else self._derivation(made.derivation),
            )
        changed = self._claims[made.id]
        if changed is None:
            raise DeclarationError(f"{made.id} cannot be written with {self.slip.change}")
        return changed

    def _statement(self, statement: Statement) -> Statement:
        return map_expressions(statement, self._exchange)

    def _part(self, part: Expression | Statement) -> Expression | Statement:
        return self._exchange(part) if isinstance(part, Expression) else self._statement(part)

    def _lemma(self, lemma: Lemma) -> Lemma:
        return replace(
            lemma,
            claim=self._claim(lemma.claim),
            values=tuple((symbol, self._exchange(value)) for symbol, value in lemma.values),
            ends=None if lemma.ends is None else (self._exchange(lemma.ends[0]), self._exchange(lemma.ends[1])),
        )

    def _derivation(self, chain: Derivation) -> Derivation:
        steps = (
            replace(step, to=self._part(step.to), using=tuple(map(self._lemma, step.using))) for step in chain.steps
        )
        given = tuple(map(self._statement, chain.given))
        return replace(chain, start=self._part(chain.start), given=given, steps=tuple(steps))
