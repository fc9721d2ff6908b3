"""What the report shows, as frozen views of LaTeX and truth values only; templates see nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from grpo_symbolic.chain import Claim, Result, steps_of
from grpo_symbolic.domain import Interval
from grpo_symbolic.evidence import Settings, Verdict
from grpo_symbolic.expression import Definition, Symbol, definitions_in
from grpo_symbolic.report.claims import ClaimView, ErratumView, badge, claim_view, label, number, reference, version
from grpo_symbolic.report.lines import display
from grpo_symbolic.report.tex import Tex, code, escape, paragraphs
from grpo_symbolic.source import Paper
from grpo_symbolic.statement import eq, expressions_of, symbols_of
from grpo_symbolic.translate.latex import domain_latex

if TYPE_CHECKING:
    from grpo_symbolic.judge import Judged
    from grpo_symbolic.library import Library


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
    def seconds(self) -> float:
        """The time all of it took."""


@dataclass(frozen=True)
class SymbolView:
    """One row of the table of symbols."""

    domain: Tex
    meaning: Tex


@dataclass(frozen=True)
class FigureView:
    """A figure: its file name without extension, its caption and its label."""

    file: Tex
    caption: Tex
    label: Tex


@dataclass(frozen=True)
class ResultView:
    """One section: a result with its claims."""

    title: Tex
    label: Tex
    introduction: tuple[Tex, ...]
    symbols: tuple[SymbolView, ...]
    definitions: tuple[Tex, ...]
    figures: tuple[FigureView, ...]
    claims: tuple[ClaimView, ...]


@dataclass(frozen=True)
class PaperView:
    """A paper that was checked, with the errata found in it."""

    authors: Tex
    title: Tex
    version: Tex
    errata: tuple[ErratumView, ...]


@dataclass(frozen=True)
class SummaryRow:
    """One line of the summary: a result, its size, and how often each verdict was given."""

    title: Tex
    label: Tex
    cells: tuple[Tex, ...]


@dataclass(frozen=True)
class ListView:
    """A titled list of the front page, such as the assumptions."""

    title: Tex
    items: tuple[Tex, ...]


@dataclass(frozen=True)
class IndexEntry:
    """A place in a paper and the claim about it."""

    place: Tex
    id: Tex
    label: Tex


@dataclass(frozen=True)
class VerdictView:
    """A verdict and what it means."""

    badge: Tex
    meaning: Tex


@dataclass(frozen=True)
class ReportView:
    """Everything on the pages."""

    papers: tuple[PaperView, ...]
    summary: tuple[SummaryRow, ...]
    totals: tuple[Tex, ...]
    verdicts: tuple[VerdictView, ...]
    legend: Tex
    lists: tuple[ListView, ...]
    settings: Tex
    results: tuple[ResultView, ...]
    index: tuple[IndexEntry, ...]


VERDICT_MEANINGS = {
    Verdict.PROVED: "a certificate that an independent program checked again, or a proof that a proof kernel accepted",
    Verdict.DECIDED: "a decision procedure or a rigorous enclosure says so; one has to trust that program",
    Verdict.SUPPORTED: "it held at every point tried; this is not a proof",
    Verdict.UNDECIDED: "the checks could not settle it; this is not a pass, and the reason is given",
    Verdict.REFUTED: "the negation is decided, by an exact counterexample or a rigorous enclosure",
}
_LEGEND = escape(
    "Each claim is followed by its derivation, by what the paper prints in its place, and by what each method found. "
    "A claim never stands higher than the steps and claims it rests on."
)
_COLUMNS = (Verdict.PROVED, Verdict.DECIDED, Verdict.SUPPORTED, Verdict.UNDECIDED, Verdict.REFUTED)


def report_view(assessment: Assessed) -> ReportView:
    """Build the view of an assessment; results without a judged claim are left out.

    Raises:
        DeclarationError: if two different symbols of a result share a name.
    """
    judged = assessment.judged
    chosen = [(result, _judged_claims(assessment, result)) for result in assessment.library.results]
    chosen = [(result, claims) for result, claims in chosen if claims]
    results = tuple(_result_view(result, claims, judged) for result, claims in chosen)
    everything = [made for _, claims in chosen for made in claims]
    return ReportView(
        papers=_papers([result.paper for result, _ in chosen], chosen, results),
        summary=tuple(_summary_row(result, claims, judged) for result, claims in chosen),
        totals=_cells(everything, judged),
        verdicts=tuple(VerdictView(badge(verdict), escape(text)) for verdict, text in VERDICT_MEANINGS.items()),
        legend=_LEGEND,
        lists=_lists(everything, judged),
        settings=_settings(assessment),
        results=results,
        index=_index(everything),
    )


def _judged_claims(assessment: Assessed, result: Result) -> list[Claim]:
    """The judged claims of a result, without the steps of their derivations."""
    return [made for made in result.claims if made.id in assessment.judged]


def _lists(claims: Sequence[Claim], judged: Mapping[str, Judged]) -> tuple[ListView, ...]:
    """What a reader must know before trusting the summary; lists without items are left out."""
    lists = [
        ListView(escape("Refuted claims"), _links(claims, judged, Verdict.REFUTED)),
        ListView(escape("Undecided claims"), _links(claims, judged, Verdict.UNDECIDED)),
        ListView(escape("Assumptions"), tuple(_listed(made, judged) for made in claims if made.assumed)),
        ListView(escape("Methods that were not available"), _skipped(judged.values())),
    ]
    return tuple(shown for shown in lists if shown.items)


def _links(claims: Sequence[Claim], judged: Mapping[str, Judged], verdict: Verdict) -> tuple[Tex, ...]:
    return tuple(_listed(made, judged) for made in claims if _has(made, judged, verdict))


def _has(made: Claim, judged: Mapping[str, Judged], verdict: Verdict) -> bool:
    return not made.assumed and judged[made.id].verdict is verdict


def _listed(made: Claim, judged: Mapping[str, Judged]) -> Tex:
    return Tex(f"{escape(made.title)} ({reference(made.id, judged)})")


def _result_view(result: Result, claims: Sequence[Claim], judged: Mapping[str, Judged]) -> ResultView:
    figures = tuple(result.figures()) if result.figures is not None else ()
    return ResultView(
        title=escape(result.title),
        label=_result_label(result),
        introduction=paragraphs(result.introduction),
        symbols=_symbols(claims),
        definitions=_definitions(claims),
        figures=tuple(
            FigureView(Tex(figure.id), escape(figure.caption), label(f"figure.{figure.id}")) for figure in figures
        ),
        claims=tuple(claim_view(made, judged, result.paper) for made in claims),
    )


def _result_label(result: Result) -> Tex:
    return label(f"{result.paper.id}.{result.slug}.section")


def _symbols(claims: Sequence[Claim]) -> tuple[SymbolView, ...]:
    """The symbols used in claims, their derivations and what is printed; a name is listed once."""
    found: dict[tuple[str, Interval], Symbol] = {}
    for made in claims:
        for item in (made, *steps_of(made)):
            for symbol in symbols_of(*item.hypotheses, item.statement):
                found.setdefault((symbol.name, symbol.domain), symbol)
    return tuple(SymbolView(domain_latex(symbol), escape(symbol.meaning)) for symbol in found.values())


def _definitions(claims: Sequence[Claim]) -> tuple[Tex, ...]:
    """The named functions that claims and derivations use, as displays; each after those it uses itself."""
    found: dict[Definition, None] = {}
    for made in claims:
        for item in (made, *steps_of(made)):
            for statement in (*item.given, item.statement):
                for expression in expressions_of(statement):
                    found.update(dict.fromkeys(definitions_in(expression)))
    return tuple(display(eq(definition(*definition.parameters), definition.body)) for definition in found)


def _papers(
    papers: Iterable[Paper], chosen: Sequence[tuple[Result, list[Claim]]], results: Sequence[ResultView]
) -> tuple[PaperView, ...]:
    views = []
    for paper in dict.fromkeys(papers):
        shown = [view for (result, _), view in zip(chosen, results, strict=True) if result.paper == paper]
        errata = tuple(made.erratum for view in shown for made in view.claims if made.erratum is not None)
        views.append(PaperView(escape(paper.authors), escape(paper.title), version(paper), errata))
    return tuple(views)


def _summary_row(result: Result, claims: Sequence[Claim], judged: Mapping[str, Judged]) -> SummaryRow:
    return SummaryRow(escape(result.title), _result_label(result), _cells(claims, judged))


def _cells(claims: Sequence[Claim], judged: Mapping[str, Judged]) -> tuple[Tex, ...]:
    """Claims, steps, verdicts of both together, and the fewest digits of a numerical agreement."""
    steps = [step for made in claims for step in steps_of(made) if step.id in judged]
    counted = Counter(judged[made.id].verdict for made in (*claims, *steps) if not made.assumed)
    digits = [
        item.digits for made in (*claims, *steps) for item in judged[made.id].alone.evidence if item.digits is not None
    ]
    counts = [len(claims), len(steps), *(counted[verdict] for verdict in _COLUMNS)]
    shown = [Tex(str(count)) if count else Tex(r"\grponone") for count in counts]
    return (*shown, number(min(digits)) if digits else Tex(r"\grponone"))


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
        f"Numerical checks used {settings.digits} digits at {settings.points} points (seed {settings.seed}); "
        f"solvers had a budget of {settings.effort} units and ball arithmetic of {settings.boxes} boxes for each "
        f"obligation. All checks together took {assessment.seconds:.0f} s."
    )


def _index(claims: Sequence[Claim]) -> tuple[IndexEntry, ...]:
    entries = []
    for made in claims:
        places = [made.equation] if made.equation is not None else []
        if made.printed is not None and made.printed.where not in places:
            places.append(made.printed.where)
        entries += [(place, made.id) for place in places]
    ordered = sorted(entries, key=lambda entry: (entry[1].split(".")[0], _natural(entry[0])))
    return tuple(IndexEntry(escape(place), code(id), label(id)) for place, id in ordered)


def _natural(place: str) -> tuple[tuple[int, str], ...]:
    """A sort key in which Eq. (9) stands before Eq. (10)."""
    words = "".join(letter if letter.isalnum() else " " for letter in place).split()
    return tuple((int(word), "") if word.isdecimal() else (-1, word) for word in words)
