"""Names for long formulas that a result prints again and again; what is judged stays written out."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from grpo_symbolic.derivation.chain import Claim, Derivation
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.language.expression import Definition, Expression, Symbol, rebuild
from grpo_symbolic.language.instances import arguments_of
from grpo_symbolic.language.statement import Statement

if TYPE_CHECKING:
    from grpo_symbolic.derivation.library import Library


class Shown:
    """The claims of a library with the shorthands of their results, each rewritten once for all that show it."""

    def __init__(self, library: Library) -> None:
        self.library = library

    @cached_property
    def claims(self) -> Mapping[str, Claim]:
        """All claims by id, in the order of their results."""
        return {made.id: made for result in self.library.results for made in as_shown(result, result.claims)}

    def of(self, result: Result, selected: Container[str]) -> tuple[Claim, ...]:
        """The selected claims of a result."""
        return tuple(self.claims[made.id] for made in result.claims if made.id in selected)


def as_shown(result: Result, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims with the result's shorthands in the place of what they stand for.

    Hypotheses, statements, derivations and the readings of errata are rewritten. Each name is defined on the page,
    and stands only where its definition, written out, is the very formula that it replaces.
    """
    names = tuple(result.shorthands()) if result.shorthands is not None else ()
    if not names:
        return tuple(claims)
    rewriter = _Rewriter(names)
    return tuple(rewriter.claim(made) for made in claims)


class _Rewriter:
    """Replaces formulas by names, longer ones first; later names may contain earlier ones."""

    def __init__(self, names: Sequence[Definition]) -> None:
        # By identity, each with what it was made of, so that the identity is given to no other.
        self._known: dict[int, tuple[Expression, Expression]] = {}
        self._names: list[tuple[Definition, Definition]] = []
        for name in names:
            self._names.insert(0, (name, replace(name, body=self.expression(name.body))))
            self._known.clear()  # what was made with fewer names is not what is made with all

    def claim(self, made: Claim) -> Claim:
        """A claim whose formulas use the names."""
        chain, quote = made.derivation, made.printed
        return replace(
            made,
            statement=self._statement(made.statement),
            given=tuple(map(self._statement, made.given)),
            derivation=None if chain is None else self._chain(chain),
            printed=None if quote is None else self._quote(quote),
        )

    def _chain(self, chain: Derivation) -> Derivation:
        return replace(
            chain,
            start=self._part(chain.start),
            given=tuple(map(self._statement, chain.given)),
            steps=tuple(replace(step, to=self._part(step.to)) for step in chain.steps),
        )

    def _quote(self, quote: Quote) -> Quote:
        hypotheses = tuple(map(self._statement, quote.hypotheses))
        return replace(quote, statement=self._statement(quote.statement), hypotheses=hypotheses)

    def _statement(self, statement: Statement) -> Statement:
        return replace(
            statement, **{item.name: self._part(getattr(statement, item.name)) for item in fields(statement)}
        )

    def _part(self, value: Any) -> Any:
        """A part of a statement or chain: an expression, a statement, a tuple of either, or something else."""
        match value:
            case Symbol():
                return value  # the symbol that a statement is about
            case Expression():
                return self.expression(value)
            case Statement():
                return self._statement(value)
            case tuple():
                return tuple(map(self._part, value))
        return value

    def expression(self, expression: Expression) -> Expression:
        """The expression with names in it; the same one comes again and again."""
        known = self._known.get(id(expression))
        if known is None:
            known = self._known[id(expression)] = (expression, self._named(expression))
        return known[1]

    def _named(self, expression: Expression) -> Expression:
        for name, shown in self._names:
            arguments = arguments_of(name, expression)
            if arguments is not None:
                return shown(*map(self.expression, arguments))
        return rebuild(expression, tuple(map(self.expression, expression.children)))
