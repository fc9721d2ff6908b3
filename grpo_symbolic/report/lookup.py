"""Find a claim by what a reader calls it: its id, an equation of the paper, its number in the report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.derivation.naming import meant
from grpo_symbolic.errors import LibraryError

_EQUATION = re.compile(r"(?:eq(?:uation|n)?s?\.?)?\s*\(?(\d+)\)?", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(\.\d+)+")
#: Most claims that are listed where a name fits several.
_MOST = 12


@dataclass(frozen=True)
class Named:
    """Claims by their ids, and results that are meant as a whole, by their modules."""

    claims: frozenset[str]
    results: frozenset[str]

    def all_claims(self, library: Library) -> tuple[str, ...]:
        """The ids of all claims that are meant, in reading order, without the steps of derivations."""
        return tuple(
            made.id
            for result in library.results
            for made in result.claims
            if made.id in self.claims or result.module in self.results
        )


def numbers(library: Library) -> Mapping[str, str]:
    """The number of each claim in the report on all of a library, such as ``3.2.1``.

    A chapter is a section, a result in it a subsection unless it is the whole chapter.
    """
    found = dict[str, str]()
    for section, chapter in enumerate(library.chapters, start=1):
        alone = len(chapter.results) == 1 and chapter.results[0].title == chapter.title
        for subsection, result in enumerate(chapter.results, start=1):
            place = f"{section}" if alone else f"{section}.{subsection}"
            found |= {made.id: f"{place}.{number}" for number, made in enumerate(result.claims, start=1)}
    return found


def one_claim(library: Library, name: str) -> str:
    """The id of the claim with a name: an id, with or without its paper; ``"Eq. (14)"``, ``14``, or another place of
    the paper, ``"Theorem 2"``; or a number of the full report, such as ``3.2.1``.

    Raises:
        LibraryError: if nothing or more than one claim is called so; what was meant is proposed.
    """
    for called in (_by_id, _by_number, _by_place):
        found = list(dict.fromkeys(called(library, name)))
        if len(found) == 1:
            return found[0]
        if found:
            raise LibraryError(f"{name!r} may be one of these; write its id:\n{_listed(library, found)}")
    stated, with_paper = (
        list(_stated(library)),
        name.partition(".")[0] in {result.paper.id for result in library.results},
    )
    ids = [made.id if with_paper else made.id.partition(".")[2] for made in stated]
    slugs = (result.slug for result in library.results)
    known = (*ids, *(made.equation for made in stated if made.equation is not None), *slugs)
    raise LibraryError(f"no claim is called {name!r}{meant(name, known)}; `grpo-symbolic list` shows all")


def claims_and_results(library: Library, names: Iterable[str]) -> Named:
    """What names mean: claims as in ``one_claim``, of steps the claims that they belong to; results by their modules,
    with or without the paper; chapters and papers with all of their results.

    Raises:
        LibraryError: if nothing is called so, or several claims are; what was meant is proposed.
    """
    claims: set[str] = set()
    results: set[str] = set()
    for name in names:
        modules = () if any(_by_id(library, name)) else tuple(_results(library, name))
        results.update(modules)
        if not modules:
            claims.add(_stated_with(library, one_claim(library, name)))
    return Named(frozenset(claims), frozenset(results))


def _results(library: Library, name: str) -> Iterator[str]:
    for chapter in library.chapters:
        for result in chapter.results:
            if name in (result.slug, f"{result.paper.id}.{result.slug}", chapter.slug, result.paper.id):
                yield result.module


def _stated_with(library: Library, id: str) -> str:
    """The claim with an id, or the one whose derivation has this step."""
    return next(made.id for made in _stated(library) if id in (made.id, *(step.id for step in made.steps)))


def _by_id(library: Library, name: str) -> Iterator[str]:
    return (id for id in library.claims if name in (id, id.partition(".")[2]))


def _by_number(library: Library, name: str) -> Iterator[str]:
    if _NUMBER.fullmatch(name):
        yield from (id for id, number in numbers(library).items() if number == name)


def _by_place(library: Library, name: str) -> Iterator[str]:
    """Claims at a place of a paper; a bare number is that of an equation, and those in which it stands come next."""
    equation = _EQUATION.fullmatch(name.strip())
    wanted = f"Eq. ({equation[1]})" if equation else " ".join(name.split())
    places = [(made.id, place) for made in _stated(library) for place in _places(made)]
    exact = [id for id, place in places if place.casefold() == wanted.casefold()]
    return iter(exact or [id for id, place in places if _speaks_of(place, wanted)])


def _places(made: Claim) -> Iterator[str]:
    if made.equation is not None:
        yield made.equation
    if made.printed is not None:
        yield made.printed.where


def _speaks_of(place: str, wanted: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w|\.\d)", place, re.IGNORECASE) is not None


def _stated(library: Library) -> Iterator[Claim]:
    return (made for result in library.results for made in result.claims)


def _listed(library: Library, ids: list[str]) -> str:
    lines = [f"  {id}: {library.claims[id].title}" for id in ids[:_MOST]]
    more = len(ids) - _MOST
    return "\n".join([*lines, *([f"  and {more} more, which `grpo-symbolic list` shows"] if more > 0 else [])])
