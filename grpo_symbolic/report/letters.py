"""One letter, one thing: what each letter of a section stands for, and where the page has to say so.

In the formulas of one claim a letter stands for one symbol or one function, and in a section no letter stands for two
functions, or for a function and a symbol: derivations that need more letters are refused. A letter that stands for
symbols with other domains or meanings in other claims of a section is explained with each of these claims.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.language.expression import Definition, Symbol
from grpo_symbolic.language.inside import holds
from grpo_symbolic.language.statement import Statement, expressions_of
from grpo_symbolic.readback.notations import printed_objects
from grpo_symbolic.report.shorthand import Shown

_INDEX = "{index}"
#: How the exponential function is printed.
_EXPONENTIAL = "e"


@dataclass(frozen=True)
class _Exponential:
    """The base of the natural logarithm, where it is printed."""


_Thing: TypeAlias = Symbol | Definition | _Exponential
_Letters: TypeAlias = dict[str, dict[_Thing, Claim]]


def check_letters(shown: Shown, selected: Container[str], fragments: Fragments | None = None) -> None:
    """Refuse sections in which a reader could not tell what a letter stands for; that one can may be kept.

    Raises:
        DeclarationError: if a claim prints one letter for two things, or a section for two functions, or for a function
            and a symbol; with the claims, both things and what to do.
    """
    fragments = Fragments(None) if fragments is None else fragments
    for result in shown.library.results:
        claims = shown.of(result, selected)
        fragments.kept("letters", (claims,), partial(_check_letters, claims), lambda _: True, lambda _: None)


def _check_letters(claims: Sequence[Claim]) -> None:
    section: _Letters = {}
    for made in claims:
        letters = _letters(made)
        for letter, things in letters.items():
            _check_claim(made, letter, tuple(things))
            section.setdefault(letter, {}).update((thing, made) for thing in things)
    for letter, where in section.items():
        _check_section(letter, where)


def ambiguous_letters(claims: Sequence[Claim]) -> Mapping[str, tuple[Symbol, ...]]:
    """By id of a claim, the symbols in it whose letters stand for other things elsewhere in the section."""
    found = {made.id: _letters(made) for made in claims}
    kinds: dict[str, set[tuple[object, str]]] = {}
    for letters in found.values():
        for letter, things in letters.items():
            kinds.setdefault(letter, set()).update(map(_kind, things))
    return {
        id: tuple(
            thing
            for letter, things in letters.items()
            for thing in things
            if isinstance(thing, Symbol) and len(kinds[letter]) > 1
        )
        for id, letters in found.items()
    }


def of_quote_alone(made: Claim, symbols: Sequence[Symbol]) -> tuple[Symbol, ...]:
    """Of symbols in a claim those that stand only in what is said of its quote."""
    said = {symbol for statement in _said(made) for symbol in _objects(statement)}
    return tuple(symbol for symbol in symbols if symbol not in said)


def _check_claim(made: Claim, letter: str, things: tuple[_Thing, ...]) -> None:
    if len(things) > 1:
        raise DeclarationError(
            f"{made.id} ({made.declared_at}): the letter {letter} stands for {_told(things[0])} and for "
            f"{_told(things[1])} in one claim; give one of them another letter by latex=..."
        )


def _check_section(letter: str, where: Mapping[_Thing, Claim]) -> None:
    things = list(where)
    if len(things) < 2 or all(isinstance(thing, Symbol) for thing in things):
        return
    # A function is named before a symbol that has its letter.
    first, second = sorted(things, key=lambda thing: isinstance(thing, Symbol))[:2]
    one, other = where[first], where[second]
    raise DeclarationError(
        f"{other.id} ({other.declared_at}): the letter {letter} stands for {_told(second)}, and in {one.id} "
        f"({one.declared_at}), of the same section, for {_told(first)}; give one of them another letter by latex=..."
    )


def _told(thing: _Thing) -> str:
    match thing:
        case Symbol(name, domain, meaning):
            return f"{name} in {domain} ({meaning})"
        case Definition(name, parameters, body):
            return f"the function {name}({', '.join(map(str, parameters))}) := {body}"
        case _:
            return "the exponential function"


def _kind(thing: _Thing) -> tuple[object, str]:
    """What a reader needs to know of a symbol: two with the same domain and meaning need not be told apart."""
    return (thing.domain, thing.meaning) if isinstance(thing, Symbol) else (thing, "")


def _letters(made: Claim) -> _Letters:
    """What stands in the formulas of a claim on the page, not inside of its functions, by its letter."""
    expressions = [expression for statement in _printed(made) for expression in expressions_of(statement)]
    symbols, definitions = printed_objects(expressions)
    exponential = holds("exp", expressions)
    things: tuple[_Thing, ...] = (*symbols, *definitions, *([_Exponential()] if exponential else []))
    found: _Letters = {}
    for thing in things:
        found.setdefault(_letter(thing), {})[thing] = made
    return found


def _objects(statement: Statement) -> Iterator[Symbol]:
    symbols, _ = printed_objects(list(expressions_of(statement)))
    yield from symbols


def _said(made: Claim) -> Iterator[Statement]:
    for item in (made, *made.steps):
        yield from (*item.given, item.statement)


def _printed(made: Claim) -> Iterator[Statement]:
    yield from _said(made)
    quote = made.printed
    if quote is not None and quote.expected_to_fail:
        yield from (quote.statement, *quote.hypotheses)


def _letter(thing: _Thing) -> str:
    """The LaTeX of a symbol or function without index or argument."""
    if isinstance(thing, _Exponential):
        return _EXPONENTIAL
    return thing.latex.partition(f"({_INDEX}")[0]
