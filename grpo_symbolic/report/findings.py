"""The main findings about each paper, and what holds beyond what it says: chosen by rules from what was judged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging.dependants import Fate, blast_radius
from grpo_symbolic.judging.errata import is_erratum
from grpo_symbolic.judging.severity import Severity, severity_of
from grpo_symbolic.report.links import Links, label
from grpo_symbolic.report.tex import Tex, escape
from grpo_symbolic.report.verification import badge, is_settled, standing

if TYPE_CHECKING:
    from grpo_symbolic.judging.claims import Judged

#: How many findings stand on the first page for each paper, and how many errata among them at most.
_MAIN, _ERRATA = 5, 3
#: Severities from this one on are no main findings unless there is nothing else.
_SLIGHT = Severity.SLIP.rank
#: The places that readers remember, the most prominent first.
_PROMINENT = tuple(map(re.compile, ("Abstract", "Theorem", "Proposition", "Lemma", r"Eqs?\. ", "Section")))


@dataclass(frozen=True)
class FindingView:
    """A finding in a list: where, what, and the label of the claim that shows it; an erratum has a severity.

    ``settled`` says that it is decided or proved without assumptions, so that its verdict need not be named.
    """

    place: Tex
    severity: Tex | None
    text: Tex
    badge: Tex
    settled: bool
    label: Tex


@dataclass(frozen=True)
class BeyondView:
    """What one result says beyond the paper."""

    result: Tex
    findings: tuple[FindingView, ...]


@dataclass(frozen=True)
class FindingsView:
    """What was found about one paper: the main findings, and everything that goes beyond it."""

    authors: Tex
    title: Tex
    main: tuple[FindingView, ...]
    beyond: tuple[BeyondView, ...]


#: A result with those of its claims that were judged.
Part = tuple[Result, Sequence[Claim]]


def findings_view(paper: Paper, parts: Sequence[Part], judged: Mapping[str, Judged], links: Links) -> FindingsView:
    """What was found about a paper, from its results with their judged claims.

    The main findings are the errata that change a conclusion or lack a hypothesis, those with the widest blast
    radius first; then decided claims beyond the paper, those about its most prominent places first, of which no
    erratum speaks; then the other errata. What is said twice counts once.
    """
    parts = [(result, claims) for result, claims in parts if result.paper == paper]
    claims = [made for _, inside in parts for made in inside]
    errata = sorted(_distinct_errata(claims, judged), key=lambda made: _gravity(made, judged))
    grave = [_erratum(made, judged, links) for made in errata if _severity(made, judged) < _SLIGHT]
    slight = [_erratum(made, judged, links) for made in errata if _severity(made, judged) >= _SLIGHT]
    stronger = [_beyond(made, judged, links) for made in _notable(claims, judged)]
    first = grave[:_ERRATA]
    found: dict[Tex, FindingView] = {}
    for view in (*first, *stronger[: _MAIN - len(first)], *grave, *slight):
        found.setdefault(view.label, view)
    return FindingsView(
        escape(paper.authors),
        escape(paper.title),
        tuple(found.values())[:_MAIN],
        tuple(
            BeyondView(
                links.title(result.title),
                tuple(_beyond(made, judged, links) for made in inside if made.beyond is not None),
            )
            for result, inside in parts
            if any(made.beyond is not None for made in inside)
        ),
    )


def _notable(claims: Sequence[Claim], judged: Mapping[str, Judged]) -> list[Claim]:
    """Decided claims beyond the paper, the most prominent places first, one for each way to go beyond.

    Every place has its turn before any has a second one.
    """
    wrong = {made.equation for made in _distinct_errata(claims, judged) if _severity(made, judged) < _SLIGHT}
    ways: dict[str | None, Claim] = {}
    for made in claims:
        if made.beyond is not None and judged[made.id].verdict in STANDING and made.equation not in wrong - {None}:
            ways.setdefault(made.beyond, made)
    found = sorted(ways.values(), key=_prominence)
    again = Counter[str | None]()
    turns = []
    for made in found:
        turns.append(again[made.equation])
        again[made.equation] += 1
    return [made for _, made in sorted(zip(turns, found, strict=True), key=itemgetter(0))]


def _distinct_errata(claims: Sequence[Claim], judged: Mapping[str, Judged]) -> Iterator[Claim]:
    """The claims with an erratum, one for each printed formula."""
    seen: set[str] = set()
    for made in claims:
        if made.printed is None or not is_erratum(judged[made.id]):
            continue
        if made.printed.latex not in seen:
            seen.add(made.printed.latex)
            yield made


def _severity(made: Claim, judged: Mapping[str, Judged]) -> int:
    found = severity_of(made.id, judged)
    return len(Severity) if found is None else found.severity.rank


def _gravity(made: Claim, judged: Mapping[str, Judged]) -> tuple[int, int, int]:
    radius = blast_radius(made.id, judged)
    return _severity(made, judged), -sum(item.outcome is Fate.FALLS for item in radius), -len(radius)


def _prominence(made: Claim) -> int:
    place = made.equation or ""
    return next((rank for rank, kind in enumerate(_PROMINENT) if kind.match(place)), len(_PROMINENT))


def _erratum(made: Claim, judged: Mapping[str, Judged], links: Links) -> FindingView:
    quote = made.printed
    if quote is None:
        return _beyond(made, judged, links)
    found = severity_of(made.id, judged)
    severity = escape("not assessed yet" if found is None else found.severity.value)
    text = Tex(". ".join(links.prose(words.rstrip(".")) for words in (made.title, quote.instead) if words))
    return FindingView(escape(quote.where), severity, text, badge(Verdict.REFUTED), True, label(made.id))


def _beyond(made: Claim, judged: Mapping[str, Judged], links: Links) -> FindingView:
    way = (made.beyond or "").strip()
    text = links.prose(f"{way[:1].upper()}{way[1:]}: {made.title}")
    own = judged[made.id]
    return FindingView(escape(made.equation or ""), None, text, standing(own), is_settled(own), label(made.id))
