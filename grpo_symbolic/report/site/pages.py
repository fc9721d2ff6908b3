"""What each page of the site shows: the views of the report, put together by page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from markupsafe import Markup

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.report.claims import ClaimView
from grpo_symbolic.report.errata import ErratumView
from grpo_symbolic.report.links import Links, label
from grpo_symbolic.report.rows import RowsView
from grpo_symbolic.report.sections import ResultView
from grpo_symbolic.report.shorthand import Shown
from grpo_symbolic.report.site.copying import Citation, citation_of, cited, shared_lines, shortened
from grpo_symbolic.report.site.dependencies import Box, anchor_of_box, claim_edges, drawn, state_of, worst
from grpo_symbolic.report.site.index import Hit
from grpo_symbolic.report.site.kept import SiteKept
from grpo_symbolic.report.site.markup import Converter
from grpo_symbolic.report.site.places import Numbered, Place, anchor_of, numbered, places
from grpo_symbolic.report.tex import Tex
from grpo_symbolic.report.view import Assessed, ReportView

if TYPE_CHECKING:
    from grpo_symbolic.judging.claims import Judged


@dataclass(frozen=True)
class ClaimPage:
    """A claim on its page: the report's view, and what only a page needs.

    ``line`` is the number of the line that states it in the file that the page names.
    """

    view: ClaimView
    id: str
    number: str
    anchor: str
    state: str
    kinds: str
    used_by: tuple[Tex, ...]
    latex: str
    python: str | None
    citation: Citation
    line: str | None


@dataclass(frozen=True)
class ResultPage:
    """A result on its page; ``sizes`` are the numbers of claims, steps and errata.

    ``cited`` ends the citations of its claims, whose programs have the lines ``shared`` in common; ``file`` is where
    they are stated.
    """

    at: Numbered
    cited: str
    shared: tuple[str, ...]
    file: str | None
    claims: tuple[ClaimPage, ...]
    sizes: tuple[int, int, int]
    state: str
    graph: str | None
    before: Numbered | None
    after: Numbered | None


@dataclass(frozen=True)
class GraphPage:
    """The drawing of the results of one paper; ``folded`` are those of the claims in each."""

    authors: Tex
    drawing: Markup
    nodes: int
    folded: tuple[Markup, ...]


@dataclass(frozen=True)
class Site:
    """Everything that the pages show."""

    report: ReportView
    results: tuple[ResultPage, ...]
    graphs: tuple[GraphPage, ...]
    places: Mapping[str, Place]


class Builder:
    """Puts the pages together; ``converter`` says what a text is without markup, and what is ``kept`` is not made."""

    def __init__(
        self, view: ReportView, assessment: Assessed, shown: Shown, converter: Converter, kept: SiteKept
    ) -> None:
        self._kept = kept
        self._view = view
        self._judged: Mapping[str, Judged] = assessment.judged
        self._papers = {result.paper.id: result.paper for result in assessment.library.results}
        self._claims: dict[str, Claim] = {id: made for id, made in shown.claims.items() if id in self._judged}
        self._by_label = {str(label(id)): id for id in self._claims}
        self._links = Links(frozenset(self._claims))
        self._places = places(view)
        self._converter = converter
        self._edges = claim_edges(self._claims, self._judged)
        self._users: dict[str, list[str]] = {}
        for below, above in self._edges:
            self._users.setdefault(below, []).append(above)
        self._items = list(numbered(view))
        self._result_of = {
            self._by_label[str(claim.label)]: item for item in self._items for claim in item.result.claims
        }

        between = ((self._result_of[below].file, self._result_of[above].file) for below, above in self._edges)
        self._between = dict.fromkeys(edge for edge in between if edge[0] != edge[1])

    def site(self) -> Site:
        """All pages."""
        around = [None, *self._items, None]
        results = tuple(
            self._result(item, around[position], around[position + 2]) for position, item in enumerate(self._items)
        )
        return Site(self._view, results, tuple(self._graphs()), self._places)

    def _result(self, item: Numbered, before: Numbered | None, after: Numbered | None) -> ResultPage:
        file = _file(item.result)
        own = [self._claims[self._by_label[str(view.label)]] for view in item.result.claims]
        copied = zip(item.result.claims, self._kept.copies(item.result, own), strict=True)
        claims = tuple(
            self._claim(view, f"{item.number}.{position}", file, *copies)
            for position, (view, copies) in enumerate(copied, start=1)
        )
        shared = shared_lines([claim.python for claim in claims if claim.python is not None])
        claims = tuple(
            claim if claim.python is None else replace(claim, python=shortened(claim.python, shared))
            for claim in claims
        )
        errata = sum(claim.view.erratum is not None and not claim.view.erratum.ambiguous for claim in claims)
        sizes = len(claims), sum(len(claim.view.steps) for claim in claims), errata
        state = worst([claim.state for claim in claims])
        about = cited(self._papers[claims[0].id.partition(".")[0]])
        return ResultPage(item, about, shared, file, claims, sizes, state, self._in_graph(item), before, after)

    def _claim(self, view: ClaimView, number: str, file: str | None, latex: str, python: str | None) -> ClaimPage:
        id = self._by_label[str(view.label)]
        made, item = self._claims[id], self._judged[id]
        kinds = ["beyond" if made.beyond is not None else "paper"]
        if item.verdict is Verdict.REFUTED or view.erratum is not None:
            kinds.append("refuted")
        if view.badge != rf"\grpobadge{{{Verdict.DECIDED.value.lower()}}}":
            kinds.append("other")
        return ClaimPage(
            view,
            id,
            number,
            anchor_of(view.label),
            state_of(item),
            " ".join(kinds),
            tuple(map(self._links.reference, self._users.get(id, ()))),
            latex,
            python,
            citation_of(made, item.verdict, self._converter.text(view.title), self._converter.text(view.badge)),
            _line(view, file),
        )

    def _node(self, id: str) -> Box:
        place = self._places[label(id)]
        title = self._converter.text(place.title)
        return Box(id, place.number, title, place.address, state_of(self._judged[id]))

    def _folded(self, item: Numbered) -> Box:
        states = [state_of(self._judged[self._by_label[str(claim.label)]]) for claim in item.result.claims]
        title = self._converter.text(item.result.title)
        return Box(item.file, item.number, title, item.file, worst(states))

    def _graphs(self) -> Iterator[GraphPage]:
        """For each paper its results, each with all of its claims folded into it."""
        shown = dict.fromkeys(id.partition(".")[0] for id in self._claims)
        for paper, state in zip(self._view.papers, shown, strict=True):
            prefix = label(f"{state}.")
            items = [item for item in self._items if item.result.label.startswith(prefix)]
            items = [item for item in items if self._in_graph(item) is not None]
            if items:
                name = f"Results on {self._converter.text(paper.title)} and what they rest on"
                nodes = [self._folded(item) for item in items]
                drawing = Markup(drawn(nodes, self._acyclic(self._between), name))
                yield GraphPage(paper.authors, drawing, len(nodes), tuple(map(self._unfolded, items)))

    def _in_graph(self, item: Numbered) -> str | None:
        """Where a result stands among those that it rests on and that rest on it; None if there are none."""
        tied = any(item.file in edge for edge in self._between)
        return f"graph.html#{anchor_of_box(item.file)}" if tied else None

    def _unfolded(self, item: Numbered) -> Markup:
        """All claims of a result; what else they rest on is seen around it."""
        own = [id for id, other in self._result_of.items() if other is item]
        edges = [(below, above) for below, above in self._edges if {below, above} <= set(own)]
        name = f"Claims of {self._converter.text(item.result.title)}"
        return Markup(drawn([self._node(id) for id in own], edges, name, small=True))

    def _acyclic(self, edges: Mapping[tuple[str, str], None]) -> list[tuple[str, str]]:
        """Edges from earlier results to later ones: two results may use claims of each other."""
        order = {item.file: position for position, item in enumerate(self._items)}
        kept = dict.fromkeys(edges)
        return [edge for edge in kept if (edge[1], edge[0]) not in kept or order[edge[0]] < order[edge[1]]]


def _file(result: ResultView) -> str | None:
    """The file that states most claims of a result."""
    files = [claim.source.file for claim in result.claims if claim.source is not None]
    return max(files, key=files.count, default=None)


def _line(view: ClaimView, file: str | None) -> str | None:
    return view.source.line if view.source is not None and view.source.file == file else None


def hits(site: Site, converter: Converter) -> Iterator[Hit]:
    """Everything that the search finds."""
    for page in site.results:
        result = page.at.result
        text = " ".join(map(converter.text, result.introduction))
        yield Hit(converter.text(result.title), page.at.file, "result", "", page.at.number, "", text)
        for claim in page.claims:
            yield _claim_entry(claim, page.at.file, converter)
    for paper in site.report.papers:
        for found in (*(item for group in paper.groups for item in group.errata), *paper.ambiguous):
            yield _erratum_entry(found, converter)
    for state in site.report.states:
        yield from _row_entries(state.id, state.sections, converter)


def _claim_entry(claim: ClaimPage, file: str, converter: Converter) -> Hit:
    view = claim.view
    parts = [view.given, *((view.statement.formula, view.statement.sentence) if view.statement else (view.start,))]
    parts += [step.formula for step in view.steps[-1:]]
    words = " ".join(converter.text(part) for part in parts if part)
    place = converter.text(view.equation)
    return Hit(converter.text(view.title), f"{file}#{claim.anchor}", claim.state, claim.id, claim.number, place, words)


def _erratum_entry(found: ErratumView, converter: Converter) -> Hit:
    anchor = anchor_of(found.label)
    words = converter.text(found.reading)
    return Hit(
        converter.text(found.title), f"errata.html#{anchor}", "erratum", "", "", converter.text(found.where), words
    )


def _row_entries(paper: str, sections: Sequence[RowsView], converter: Converter) -> Iterator[Hit]:
    for section in sections:
        for row in section.rows:
            if row.says:
                title, place = converter.text(row.says), f"{section.title}, {row.place}"
                yield Hit(title, f"lines.{paper}.html#{row.anchor}", "line", "", "", place, "")
