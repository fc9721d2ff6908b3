"""What the report shows, as frozen views of LaTeX and truth values only; templates see nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, cast

from grpo_symbolic.cache.store import Json
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.coverage.aboutness import Aboutness
from grpo_symbolic.coverage.score import NOT_JUDGED
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.errata import is_erratum
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.judging.quotes import standings
from grpo_symbolic.judging.results import covered_lines
from grpo_symbolic.language.expression import Expression, Total
from grpo_symbolic.language.index_set import ELEMENTS, IndexSet
from grpo_symbolic.language.indexed import index_sets
from grpo_symbolic.language.inside import holds
from grpo_symbolic.language.statement import expressions_of
from grpo_symbolic.language.vocabulary import definitions_in
from grpo_symbolic.obligations.principles import sums
from grpo_symbolic.readback.readings import QuoteRead
from grpo_symbolic.readback.unread import listed
from grpo_symbolic.report.cited import cited_theorems
from grpo_symbolic.report.contents import ContentsRow, contents, totals
from grpo_symbolic.report.coverage import CoverageView, coverage_view
from grpo_symbolic.report.debt import DebtView, debt_view
from grpo_symbolic.report.errata import PaperView, paper_view
from grpo_symbolic.report.findings import FindingsView, findings_view
from grpo_symbolic.report.gaps import gaps_of
from grpo_symbolic.report.glance import glance
from grpo_symbolic.report.graph import GraphView, dependency_graphs, graph_view
from grpo_symbolic.report.links import Links, label
from grpo_symbolic.report.quotes import quote_counts
from grpo_symbolic.report.reasons import why_counts
from grpo_symbolic.report.rows import StateView, state_view
from grpo_symbolic.report.sections import ChapterView, Part, chapter_view
from grpo_symbolic.report.shorthand import Shown
from grpo_symbolic.report.sources import sources
from grpo_symbolic.report.supposed import suppositions
from grpo_symbolic.report.tex import Tex, code, escape, paragraphs
from grpo_symbolic.report.trusted import TrustedView, trusted_view
from grpo_symbolic.report.verification import badge

if TYPE_CHECKING:
    from grpo_symbolic.derivation.library import Chapter, Library
    from grpo_symbolic.judging.claims import Judged
    from grpo_symbolic.judging.why import Why


class Assessed(Protocol):
    """What the report needs to know of an assessment."""

    @property
    def library(self) -> Library:
        """Everything that was loaded."""

    @property
    def settings(self) -> Settings:
        """How hard the checks looked."""

    @property
    def judged(self) -> Mapping[str, Judged]:
        """What the checks found, by id."""

    @property
    def kept(self) -> frozenset[str]:
        """The claims whose judgements are kept from an earlier run."""

    @property
    def whys(self) -> Mapping[str, Why]:
        """Why claims hold, by id."""

    @property
    def seconds(self) -> float:
        """The time all of it took."""

    @property
    def quotes(self) -> Mapping[str, QuoteRead]:
        """The readings of what the claims quote, by id."""


@dataclass(frozen=True)
class ListView:
    """A titled list of the front page, such as the assumptions."""

    title: Tex
    items: tuple[Tex, ...]


@dataclass(frozen=True)
class IndexEntry:
    """A place in a paper and the labels of the claims about it."""

    place: Tex
    labels: tuple[Tex, ...]


@dataclass(frozen=True)
class IndexView:
    """The places in one paper."""

    paper: Tex
    entries: tuple[IndexEntry, ...]


@dataclass(frozen=True)
class VerdictView:
    """A verdict and what it means."""

    badge: Tex
    meaning: Tex


@dataclass(frozen=True)
class ReportView:
    """Everything on the pages."""

    papers: tuple[PaperView, ...]
    counts: Tex
    findings: tuple[FindingsView, ...]
    assumptions: tuple[Tex, ...]
    graphs: tuple[GraphView, ...]
    contents: tuple[ContentsRow, ...]
    totals: tuple[Tex, ...]
    verdicts: tuple[VerdictView, ...]
    legend: tuple[Tex, ...]
    rules: tuple[Tex, ...]
    lists: tuple[ListView, ...]
    cited: tuple[Tex, ...]
    supposed: tuple[Tex, ...]
    settings: Tex
    reasons: Tex | None
    trusted: TrustedView
    debt: DebtView | None
    chapters: tuple[ChapterView, ...]
    coverage: tuple[CoverageView, ...]
    states: tuple[StateView, ...]
    index: tuple[IndexView, ...]


VERDICT_MEANINGS = {
    Verdict.PROVED: "a proof that the kernel accepted, which starts from the statement and trusts no other program",
    Verdict.DECIDED: "a decision procedure or a rigorous enclosure says so; one has to trust that program",
    Verdict.SUPPORTED: "it held at every point tried; this is not a proof",
    Verdict.UNDECIDED: "the checks could not settle it; this is not a pass, and the reason is given",
    Verdict.REFUTED: "the negation is decided, by an exact counterexample or a rigorous enclosure",
}
_LEGEND = paragraphs("""
Each claim is followed by the methods that spoke about it, by its derivation, by what the paper prints in its place
and, if that does not hold, by an erratum. Where the derivation shows exactly what is claimed, the claim is the first
line related to the last. What is printed has the verdict of the claim unless another one is named; it *holds as
printed* if our reader of LaTeX found in it what was judged, and else *as abridged*, *as far as it was read* or *as
interpreted*: then the verdict is one on what somebody typed for it, which is said with it. A claim never
stands higher than the steps and claims it rests on. At the end of each result a table tells how far each claim was
checked: the figure is the worst residual of an equation or the smallest *gap* of an inequality over all points; a row
covers the steps of the derivation except those that have a row of their own, the verdict is named unless it is
DECIDED, and *s* is the time in seconds. The ids of claims stand without that of their paper, which the heading of each
section names in typewriter. Every single obligation is in `results.json`.
""")
_EQUATION = re.compile(r"Eqs?\. \((\d+)\)")


def report_view(
    assessment: Assessed,
    source_url: str | None = None,
    rewritten: Shown | None = None,
    fragments: Fragments | None = None,
) -> ReportView:
    """Build the view of an assessment; results without a judged claim are left out.

    ``source_url`` makes addresses of the lines at which claims are stated. ``rewritten`` are the claims of its library
    with their shorthands, if somebody has them already. The views of results may be kept in ``fragments``.

    Raises:
        DeclarationError: if two different symbols of a result share a name.
    """
    fragments = Fragments(None) if fragments is None else fragments
    judged = assessment.judged
    rewritten = rewritten or Shown(assessment.library)
    parts = [(chapter, _judged_parts(chapter, judged)) for chapter in assessment.library.chapters]
    parts = [(chapter, inside) for chapter, inside in parts if inside]
    everything = [(result.paper, made) for _, inside in parts for result, claims in inside for made in claims]
    claims = [made for _, made in everything]
    links = Links(frozenset(made.id for made in claims), sources(assessment.library, source_url))
    aboutness = Aboutness(assessment.library)
    shown = [(chapter, [(result, rewritten.of(result, judged)) for result, _ in results]) for chapter, results in parts]
    chapters = tuple(
        chapter_view(chapter, inside, judged, links, assessment.quotes, aboutness.ties, assessment.whys, fragments)
        for chapter, inside in shown
    )
    errata = [
        (result.paper, claim.erratum)
        for (_, results), chapter in zip(shown, chapters, strict=True)
        for (result, _), view in zip(results, chapter.results, strict=True)
        for claim in view.claims
        if claim.erratum is not None
    ]
    # Not if only some of the claims were judged: most lines would have none.
    covered = [item for item in covered_lines(judged, assessment.quotes, aboutness) if NOT_JUDGED not in item.outcomes]
    wrong = {id for id, item in judged.items() if is_erratum(item)}
    papers = dict.fromkeys(paper for paper, _ in everything)
    glances = {item.coverage.paper: glance(item, judged) for item in covered}
    return ReportView(
        papers=tuple(
            paper_view(
                paper,
                [found for other, found in errata if other == paper],
                glances.get(paper),
                gaps_of([made for other, made in everything if other == paper], judged, links),
            )
            for paper in papers
        ),
        counts=quote_counts(
            standings((judged[made.id] for made in claims), assessment.quotes),
            {made.id: assessment.quotes[made.id] for made in claims if made.id in assessment.quotes},
        ),
        findings=tuple(
            findings_view(paper, [part for _, inside in parts for part in inside], judged, links) for paper in papers
        ),
        assumptions=tuple(_assumption(made, claims, judged, links) for made in claims if made.assumed),
        graphs=tuple(graph_view(graph, links) for graph in dependency_graphs(assessment.library, judged)),
        contents=tuple(contents(chapters, [inside for _, inside in parts], judged)),
        totals=totals(claims, judged),
        verdicts=tuple(VerdictView(badge(verdict), escape(text)) for verdict, text in VERDICT_MEANINGS.items()),
        legend=_LEGEND,
        rules=tuple(map(escape, _rules((own for _, inside in parts for _, own in inside), fragments))),
        cited=cited_theorems(claims, links),
        supposed=suppositions(assessment.library, claims, links),
        lists=_lists(claims, judged, links, listed(assessment.library, judged)),
        settings=_settings(assessment),
        reasons=why_counts(assessment.library.claims, assessment.whys),
        trusted=trusted_view(judged.values(), fragments),
        debt=debt_view(assessment.library, (made.id for made in claims), links),
        chapters=chapters,
        coverage=tuple(coverage_view(item, links, wrong) for item in covered),
        states=tuple(state_view(item, links, judged) for item in covered),
        index=_index([item for item in everything if item[0] not in {found.coverage.paper for found in covered}]),
    )


def _judged_parts(chapter: Chapter, judged: Mapping[str, Judged]) -> list[Part]:
    """The results of a chapter with their judged claims, without the steps of derivations."""
    parts = [(result, tuple(made for made in result.claims if made.id in judged)) for result in chapter.results]
    return [(result, claims) for result, claims in parts if claims]


def _rules(parts: Iterable[tuple[Claim, ...]], fragments: Fragments) -> tuple[str, ...]:
    """The rules for sums if there are any in some results, in the words of their index set if it is one only."""
    found = [
        fragments.kept("sums", (claims,), partial(_index_sets, claims), _sets_written, _sets_read) for claims in parts
    ]
    sets = tuple(dict.fromkeys(one for part in found if part is not None for one in part))
    if all(part is None for part in found):
        return ()
    return tuple(rule.sentence for rule in sums(sets[0] if len(sets) == 1 else ELEMENTS))


def _index_sets(claims: Sequence[Claim]) -> tuple[IndexSet, ...] | None:
    """The index sets in those of some claims that have sums; None if none has."""
    written = [item for made in claims if _has_total(made) for item in _written(made)]
    return index_sets(*written) if written else None


def _sets_written(sets: tuple[IndexSet, ...] | None) -> Json:
    return {"sets": None if sets is None else [[one.element, one.elements, one.letter] for one in sets]}


def _sets_read(value: Json) -> tuple[IndexSet, ...] | None:
    sets = cast("dict[str, list[list[str]] | None]", value)["sets"]
    return None if sets is None else tuple(IndexSet(element, elements, letter) for element, elements, letter in sets)


def _has_total(made: Claim) -> bool:
    return holds(Total, _written(made))


def _written(made: Claim) -> list[Expression]:
    """The expressions of a claim, and those that its named functions stand for."""
    written = [item for statement in (*made.given, made.statement) for item in expressions_of(statement)]
    return [*written, *(definition.body for item in written for definition in definitions_in(item))]


def _lists(
    claims: Sequence[Claim], judged: Mapping[str, Judged], links: Links, unread: Mapping[str, str]
) -> tuple[ListView, ...]:
    """What a reader must know before trusting the summary; lists without items are left out."""
    meant = [made for made in claims if made.refuted is not None]
    refutable = [made for made in claims if made.refuted is None]
    lists = [
        ListView(escape("Refuted claims"), _standing(refutable, judged, links, Verdict.REFUTED)),
        ListView(escape("Falsehoods that are stated on purpose"), _standing(meant, judged, links, Verdict.REFUTED)),
        ListView(escape("Undecided claims"), _standing(claims, judged, links, Verdict.UNDECIDED)),
        ListView(
            escape("Formulas that were not read back"),
            tuple(Tex(f"{links.reference(id)}: {links.prose(reason)}") for id, reason in unread.items()),
        ),
        ListView(escape("Methods that were not available"), _skipped(judged.values())),
    ]
    return tuple(shown for shown in lists if shown.items)


def _standing(claims: Sequence[Claim], judged: Mapping[str, Judged], links: Links, verdict: Verdict) -> tuple[Tex, ...]:
    # That an assumption is not decided is no news; that it is refuted is.
    found = (made for made in claims if not made.assumed or verdict is Verdict.REFUTED)
    return tuple(_listed(made, links) for made in found if judged[made.id].verdict is verdict)


def _assumption(made: Claim, claims: Sequence[Claim], judged: Mapping[str, Judged], links: Links) -> Tex:
    """An assumption, and how many claims rest on it."""
    count = sum(made.id in judged[other.id].claim.assumes for other in claims)
    rest = f"{count or 'no'} claim{' rests' if count == 1 else 's rest'} on it"
    refuted = f"; it is {badge(Verdict.REFUTED)}" if judged[made.id].verdict is Verdict.REFUTED else ""
    return Tex(f"{_listed(made, links)}: {rest}{refuted}")


def _listed(made: Claim, links: Links) -> Tex:
    return Tex(f"{links.title(made.title)} ({links.reference(made.id)})")


def _skipped(judged: Iterable[Judged]) -> tuple[Tex, ...]:
    reasons: dict[str, str] = {}
    for item in judged:
        for judgement in (item.alone, item.printed):
            for skipped in judgement.skipped if judgement is not None else ():
                reasons.setdefault(skipped.method, skipped.reason)
    return tuple(Tex(f"{code(method)}: {escape(reason)}") for method, reason in reasons.items())


def _settings(assessment: Assessed) -> Tex:
    settings = assessment.settings
    return escape(
        f"Numerical checks used {settings.digits} digits at {settings.points} points, and at the first "
        f"{min(settings.points, settings.first_points)} of them where that ended with a decision (seed "
        f"{settings.seed}); "
        f"solvers had a budget of {settings.effort} units and ball arithmetic of {settings.boxes} boxes for each "
        f"obligation. All checks together took {assessment.seconds:.0f} s.{_reused(assessment)}"
    )


def _reused(assessment: Assessed) -> str:
    count = len(assessment.kept)
    return f" The judgements on {count} of {len(assessment.judged)} are kept from an earlier run." if count else ""


def _index(claims: Sequence[tuple[Paper, Claim]]) -> tuple[IndexView, ...]:
    """Where the places of each paper are treated; equations come first, by number."""
    found: dict[Paper, dict[str, list[str]]] = {}
    for paper, made in claims:
        places = [] if made.equation is None else [made.equation]
        places += [] if made.printed is None else [made.printed.where]
        for place in dict.fromkeys(places):
            found.setdefault(paper, {}).setdefault(place, []).append(made.id)
    return tuple(
        IndexView(
            escape(paper.authors),
            tuple(IndexEntry(escape(place), tuple(map(label, places[place]))) for place in sorted(places, key=_order)),
        )
        for paper, places in found.items()
    )


def _order(place: str) -> tuple[int, tuple[tuple[int, str], ...]]:
    equation = _EQUATION.search(place)
    return (1, _natural(place)) if equation is None else (0, ((int(equation[1]), ""), *_natural(place)))


def _natural(place: str) -> tuple[tuple[int, str], ...]:
    """A sort key in which Eq. (9) stands before Eq. (10)."""
    words = "".join(letter if letter.isalnum() else " " for letter in place).split()
    return tuple((int(word), "") if word.isdecimal() else (-1, word) for word in words)
