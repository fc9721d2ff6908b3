"""Names for long formulas that a result prints again and again; what is judged stays written out."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from grpo_symbolic.derivation.chain import Claim, Derivation
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.derivation.unbuilt import Unbuilt, rewritten
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.language.expression import Definition, Expression, Symbol, rebuild
from grpo_symbolic.language.instances import arguments_of
from grpo_symbolic.language.statement import Statement

if TYPE_CHECKING:
    from grpo_symbolic.derivation.library import Library


_KIND = "shown"


class Shown:
    """The claims of a library with the shorthands of their results, each rewritten once for all that show it.

    What the digests of claims are that are not built yet may be kept in ``fragments``.
    """

    def __init__(self, library: Library, fragments: Fragments | None = None) -> None:
        self.library = library
        self._fragments = Fragments(None) if fragments is None else fragments

    @cached_property
    def claims(self) -> Mapping[str, Claim]:
        """All claims by id, in the order of their results."""
        return {made.id: made for result in self.library.results for made in self._of(result)}

    def _of(self, result: Result) -> Sequence[Claim]:
        origin = self.library.origins.get(result.module)
        if origin is None or result.shorthands is None:
            return as_shown(result, result.claims)
        key = self._fragments.key(_KIND, (result.module, origin, tuple(made.id for made in result.claims)))
        match self._fragments.found(_KIND, key):
            case list() as digests if len(digests) == len(result.claims):
                return self._later(result, [bytes.fromhex(str(digest)) for digest in digests])
        made = as_shown(result, result.claims)
        digests = [self._fragments.digest(one) for one in made]
        if None not in digests:
            self._fragments.keep(_KIND, key, [digest.hex() for digest in digests if digest is not None])
        return made

    def _later(self, result: Result, digests: Sequence[bytes]) -> Sequence[Claim]:
        """The claims of a result, of which those that are not built are rewritten when they are."""

        @cache
        def rewriter() -> Callable[[Claim], Claim]:
            return _rewriter(result)

        found: list[Claim] = []
        for made, digest in zip(result.claims, digests, strict=True):
            if isinstance(made, Unbuilt):
                later = rewritten(made, lambda built: rewriter()(built))
                self._fragments.learn(later, digest)
                found.append(later)
            else:
                found.append(rewriter()(made))
        return found

    def of(self, result: Result, selected: Container[str]) -> tuple[Claim, ...]:
        """The selected claims of a result."""
        return tuple(self.claims[made.id] for made in result.claims if made.id in selected)


def as_shown(result: Result, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims with the result's shorthands in the place of what they stand for.

    Hypotheses, statements, derivations and the readings of errata are rewritten. Each name is defined on the page,
    and stands only where its definition, written out, is the very formula that it replaces.
    """
    return tuple(map(_rewriter(result), claims))


def _rewriter(result: Result) -> Callable[[Claim], Claim]:
    names = tuple(result.shorthands()) if result.shorthands is not None else ()
    return _Rewriter(names).claim if names else lambda made: made


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
