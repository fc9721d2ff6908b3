"""The body of the report: chapters, results, and what opens each result."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grpo_symbolic.coverage.aboutness import Tie
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.figure import Figure
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import (
    Call,
    Definition,
    Derivative,
    Expression,
    Substitution,
    Symbol,
)
from grpo_symbolic.language.inside import every_node
from grpo_symbolic.language.statement import Statement, expressions_of
from grpo_symbolic.language.unknown import unknown_functions
from grpo_symbolic.language.vocabulary import definitions_in
from grpo_symbolic.readback.readings import QuoteRead
from grpo_symbolic.report.claims import ClaimView, Lower, claim_view, lower_than
from grpo_symbolic.report.errata import Consequences, consequences
from grpo_symbolic.report.keys import KeyView, key_views
from grpo_symbolic.report.letters import ambiguous_letters, of_quote_alone
from grpo_symbolic.report.lines import definition_display
from grpo_symbolic.report.links import Links, label
from grpo_symbolic.report.stored import restored, written
from grpo_symbolic.report.tex import Tex, code, escape
from grpo_symbolic.translate.formula import function_latex
from grpo_symbolic.translate.latex import domain_latex, symbol_latex

if TYPE_CHECKING:
    from grpo_symbolic.derivation.library import Chapter
    from grpo_symbolic.judging.claims import Judged
    from grpo_symbolic.judging.why import Why


@dataclass(frozen=True)
class SymbolView:
    """A symbol with its domain, and what it means."""

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
    """A result with its claims; ``headed`` unless its chapter has the same title and nothing else in it.

    ``file`` is where it stands alone, in the folder of the appendix. ``keys`` are the claims that the short report
    lists below ``summary``, the beginning of the introduction.
    """

    title: Tex
    label: Tex
    file: str
    headed: bool
    introduction: tuple[Tex, ...]
    summary: tuple[Tex, ...]
    symbols: tuple[SymbolView, ...]
    definitions: tuple[Tex, ...]
    figures: tuple[FigureView, ...]
    claims: tuple[ClaimView, ...]
    keys: tuple[KeyView, ...]


@dataclass(frozen=True)
class ChapterView:
    """Results of one paper that belong together."""

    title: Tex
    label: Tex
    paper: Tex
    results: tuple[ResultView, ...]


#: Characters of an introduction that the short report has, unless its first paragraph is longer.
_SHORT = 600
#: From so many on, symbols that differ in numbers only are listed together.
_MANY = 3
_NUMBERS = re.compile(r"\d+(?:, \d+)*")
_REDRAWN = re.compile(r"(?=Figure \d+: )")

#: A result with those of its claims that were judged; steps of derivations are not among them.
Part = tuple[Result, tuple[Claim, ...]]


def chapter_view(
    chapter: Chapter,
    parts: Sequence[Part],
    judged: Mapping[str, Judged],
    links: Links,
    quotes: Mapping[str, QuoteRead],
    ties: Mapping[str, Tie],
    whys: Mapping[str, Why],
    fragments: Fragments | None = None,
) -> ChapterView:
    """Build the view of a chapter from its results.

    ``quotes`` are the readings of what they quote, ``ties`` say which claims are abstract lemmas; ``whys`` why
    they hold. The views of results may be kept in ``fragments``.
    """
    fragments = Fragments(None) if fragments is None else fragments
    paper = parts[0][0].paper
    alone = len(parts) == 1 and parts[0][0].title == chapter.title
    return ChapterView(
        links.title(chapter.title),
        label(f"{paper.id}.{chapter.slug}.chapter"),
        _cited(paper),
        tuple(
            _kept_view(_material(result, claims, judged, links, quotes, ties, whys, headed=not alone), fragments)
            for result, claims in parts
        ),
    )


def _cited(paper: Paper) -> Tex:
    return Tex(rf"{escape(paper.authors)}, \emph{{{escape(paper.title)}}} ({code(paper.id)})")


@dataclass(frozen=True)
class _Material:
    """All that the view of a result is made of, and so the key under which it is kept.

    ``judged`` are the claims and the steps of their derivations, ``figures`` the ids and captions of the figures,
    ``errors`` what the errors in quotes bring about, and ``lower`` what pulls claims down.
    """

    paper: str
    slug: str
    title: str
    introduction: str
    headed: bool
    figures: tuple[tuple[str, str], ...]
    claims: tuple[Claim, ...]
    judged: dict[str, Judged]
    links: Links
    quotes: dict[str, QuoteRead]
    ties: dict[str, Tie]
    whys: dict[str, Why]
    errors: dict[str, Consequences]
    lower: dict[str, tuple[Lower, ...]]


def _material(
    result: Result,
    claims: Sequence[Claim],
    judged: Mapping[str, Judged],
    links: Links,
    quotes: Mapping[str, QuoteRead],
    ties: Mapping[str, Tie],
    whys: Mapping[str, Why],
    *,
    headed: bool,
) -> _Material:
    figures = tuple(result.figures()) if result.figures is not None else ()
    own = [made.id for made in claims]
    shown = [id for made in claims for id in (made.id, *made.step_ids) if id in judged]
    return _Material(
        result.paper.id,
        result.slug,
        result.title,
        result.introduction,
        headed,
        tuple((figure.id, _caption(figure)) for figure in figures),
        tuple(claims),
        {id: judged[id] for id in shown},
        links.at(claims),
        {id: quotes[id] for id in own if id in quotes},
        {id: ties[id] for id in own if id in ties},
        {id: whys[id] for id in own if id in whys},
        {made.id: consequences(made.id, judged) for made in claims if made.printed is not None},
        {made.id: lower for made in claims if (lower := lower_than(made, judged))},
    )


def _kept_view(material: _Material, fragments: Fragments) -> ResultView:
    key = fragments.key("view", (material,))
    view = restored(fragments.found("view", key), ResultView)
    if view is None:
        view = _result_view(material)
        fragments.keep("view", key, written(view))
    if key is not None:
        fragments.know(view, "view", key.encode())
    return view


def _result_view(of: _Material) -> ResultView:
    letters = ambiguous_letters(of.claims)
    told_apart = {symbol for made in of.claims for symbol in of_quote_alone(made, letters[made.id])}
    introduction = _introduction(of, of.links)
    return ResultView(
        title=of.links.title(of.title),
        label=label(f"{of.paper}.{of.slug}.section"),
        file=f"{of.paper}/{of.slug}.tex",
        headed=of.headed,
        introduction=introduction,
        summary=tuple(_beginning(introduction)),
        symbols=_symbols(of.claims, of.judged, told_apart),
        definitions=tuple(definition_display(item) for item in definitions_of(of.claims)),
        figures=tuple(
            FigureView(Tex(id), of.links.prose(caption), label(f"figure.{id}")) for id, caption in of.figures
        ),
        claims=tuple(
            claim_view(
                made,
                of.judged,
                of.links,
                of.quotes,
                letters[made.id],
                of.ties.get(made.id),
                of.whys.get(made.id),
                of.errors.get(made.id),
                of.lower.get(made.id, ()),
            )
            for made in of.claims
        ),
        keys=tuple(key_views(of.claims, of.judged, of.links)),
    )


def _caption(figure: Figure) -> str:
    """The caption; a number of the paper's own figure at its beginning is said to be the paper's."""
    return f"The paper's {figure.caption}" if _REDRAWN.match(figure.caption) else figure.caption


def _introduction(result: _Material, links: Links) -> tuple[Tex, ...]:
    """The module's docstring, without the title where its first line repeats it."""
    first, _, rest = result.introduction.partition("\n\n")
    start, title = first[: len(result.title)], result.title
    if start.lower() != title.lower():
        return links.paragraphs(result.introduction)
    more = first[len(title) :].strip()
    if more in ("", "."):
        return links.paragraphs(rest)
    if not more.startswith(": "):
        return links.paragraphs(result.introduction)
    return links.paragraphs(f"{more[2:3].upper()}{more[3:]}\n\n{rest}")


def _beginning(introduction: Sequence[Tex]) -> Iterator[Tex]:
    """The first paragraph of an introduction, and those after it as long as they are short together."""
    length = 0
    for number, paragraph in enumerate(introduction):
        length += len(paragraph)
        if number and length > _SHORT:
            return
        yield paragraph


def _statements(claims: Sequence[Claim]) -> Iterator[Statement]:
    for made in claims:
        for item in (made, *made.steps):
            yield from (*item.given, item.statement)


def definitions_of(claims: Sequence[Claim]) -> tuple[Definition, ...]:
    """The named functions that claims, derivations and errata use, each after those it uses itself."""
    found: dict[Definition, None] = {}
    quotes = [made.printed for made in claims if made.printed is not None and made.printed.expected_to_fail]
    readings = [statement for quote in quotes for statement in (quote.statement, *quote.given)]
    for statement in (*_statements(claims), *readings):
        for expression in expressions_of(statement):
            found.update(dict.fromkeys(definitions_in(expression)))
    return tuple(found)


def _symbols(
    claims: Sequence[Claim], judged: Mapping[str, Judged], told_apart: Container[Symbol]
) -> tuple[SymbolView, ...]:
    """The symbols that stand in the formulas of a result, without mere parameters; a name is listed once.

    Those of quotes that are ``told_apart`` are explained with the quotes.
    """
    statements, quoted = list(_statements(claims)), list[Statement]()
    for made in claims:
        printed = judged[made.id].printed
        if made.printed is not None and printed is not None and printed.verdict is Verdict.REFUTED:
            quoted += [*made.printed.given, made.printed.statement]
    found: dict[tuple[str, Interval], Symbol] = {}
    for symbol in _symbols_of(statements):
        found.setdefault((symbol.name, symbol.domain), symbol)
    for symbol in _symbols_of(quoted):
        if symbol not in told_apart:
            found.setdefault((symbol.name, symbol.domain), symbol)
    functions = dict.fromkeys(
        function for made in claims for function in unknown_functions(*made.given, made.statement)
    )
    told = (SymbolView(function_latex(one), escape(f"{one.kind}: {one.meaning}")) for one in functions)
    return (*_families(found.values()), *told)


def _symbols_of(statements: Iterable[Statement]) -> Iterator[Symbol]:
    for statement in statements:
        for expression in expressions_of(statement):
            yield from _shown(expression)


def _families(symbols: Iterable[Symbol]) -> Iterator[SymbolView]:
    """A line for each symbol, but one for all that differ in numbers only, if they are many."""
    families: dict[tuple[str, str, Interval], list[Symbol]] = {}
    for symbol in symbols:
        name, meaning = (_NUMBERS.sub("#", text) for text in (symbol_latex(symbol), symbol.meaning))
        families.setdefault((name, meaning, symbol.domain), []).append(symbol)
    for first, *others in families.values():
        if len(others) + 1 < _MANY:
            yield from (SymbolView(domain_latex(symbol), escape(symbol.meaning)) for symbol in (first, *others))
        else:
            shown = Tex(rf"{symbol_latex(first)}, \dots, {domain_latex(others[-1])}")
            yield SymbolView(shown, escape(f"{first.meaning}, and so on"))


def _shown(expression: Expression) -> Iterator[Symbol]:
    """The symbols in a formula as printed: also those by which it differentiates or that it replaces."""
    for node in every_node(expression):
        match node:
            case Symbol():
                yield node
            case Derivative(_, symbol) | Substitution(_, symbol, _):
                yield symbol
            case Call(definition, _):
                yield from (item for item in _shown(definition.body) if item not in definition.parameters)
