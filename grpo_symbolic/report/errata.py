"""Errata: what a paper prints that does not hold, and what holds instead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.naming import symbols_in
from grpo_symbolic.derivation.source import Paper, Quote
from grpo_symbolic.evidence import Verdict, Witness, coordinate
from grpo_symbolic.judging.counterexamples import Counterexample, counterexample_to_quote, refuting
from grpo_symbolic.judging.dependants import Dependant, Fate, blast_radius
from grpo_symbolic.judging.errata import is_ambiguous
from grpo_symbolic.judging.plain import plain_python
from grpo_symbolic.judging.quotes import standing_of
from grpo_symbolic.judging.severity import Assessed, Severity, severity_of
from grpo_symbolic.language.expression import Definition, Symbol
from grpo_symbolic.language.statement import expressions_of, symbols_of
from grpo_symbolic.language.vocabulary import definitions_in
from grpo_symbolic.obligations.obligation import WELL_DEFINED
from grpo_symbolic.obligations.support import united
from grpo_symbolic.readback.readings import QuoteRead
from grpo_symbolic.report.gaps import GapView
from grpo_symbolic.report.glance import GlanceView
from grpo_symbolic.report.lines import definition_display, prose
from grpo_symbolic.report.links import Links, label
from grpo_symbolic.report.numerals import numbers, rounded
from grpo_symbolic.report.quotes import quote_lead, quote_reading
from grpo_symbolic.report.tex import Tex, escape, source
from grpo_symbolic.translate.latex import RELATIONS, domain_latex, symbol_latex

if TYPE_CHECKING:
    from grpo_symbolic.judging.claims import Judged
    from grpo_symbolic.judging.verdicts import Judgement

_UNASSESSED = "not assessed yet"
_ON_ARXIV = re.compile(r"arXiv:([\w.-]+(?:/\d+)?)")

_RADIUS = {
    Fate.FALLS: "falls with it",
    Fate.RESTRICTED: "known only under the missing hypothesis",
    Fate.OPEN: "open",
    Fate.CORRECTED: "survives as corrected",
    Fate.SURVIVES: "survives",
}


@dataclass(frozen=True)
class ErratumView:
    """An error in a paper: what is printed where, why it fails, what holds instead; ``title`` is that of the claim.

    ``judged`` says how the ``reading`` was got from it, unless it was read as it is printed. ``names`` defines the
    functions in the ``reading``; ``radius`` says what becomes of the statements that rest on it. ``program`` are the
    lines of plain Python that check the counterexample again; ``place`` is ``where`` as text, and ``letters`` says, as
    text, what is meant by those of the counterexample.
    ``because`` says which rule gives the ``severity``. An ``ambiguous`` sentence is no error: ``reading`` fails, but
    ``instead`` is another reading, which holds.
    """

    where: Tex
    title: Tex
    lead: Tex
    printed: Tex
    judged: Tex | None
    reading: Tex
    here: Tex
    names: tuple[Tex, ...]
    counterexample: Tex | None
    program: tuple[str, ...]
    instead: Tex | None
    severity: Tex
    because: Tex | None
    radius: Tex
    compare_with_pdf: bool
    ambiguous: bool
    label: Tex
    place: str
    letters: tuple[str, ...]

    @property
    def python(self) -> tuple[Tex, ...]:
        """The lines of the program as they are printed."""
        return tuple(map(source, self.program))


@dataclass(frozen=True)
class ErrataGroup:
    """The errata of one severity."""

    severity: Tex
    errata: tuple[ErratumView, ...]


@dataclass(frozen=True)
class PaperView:
    """A paper that was checked, with the errata found in it and, apart from them, its ambiguous sentences.

    ``address`` is where it can be read, if its version says so.
    """

    authors: Tex
    title: Tex
    version: Tex
    address: Tex | None
    counts: Tex
    groups: tuple[ErrataGroup, ...]
    ambiguous: tuple[ErratumView, ...]
    glance: GlanceView | None
    gaps: tuple[GapView, ...] = ()


def paper_view(
    paper: Paper, found: Sequence[ErratumView], glance: GlanceView | None = None, gaps: Sequence[GapView] = ()
) -> PaperView:
    """Group the errata of a paper by severity, the gravest first; ambiguous sentences and gaps stand apart."""
    errata = [item for item in found if not item.ambiguous]
    order = [*(escape(item.value) for item in Severity), escape(_UNASSESSED)]
    groups = [
        ErrataGroup(Tex(name[:1].upper() + name[1:]), tuple(item for item in errata if item.severity == name))
        for name in order
    ]
    return PaperView(
        escape(paper.authors),
        escape(paper.title),
        escape(paper.edition),
        _address(paper),
        _counts(errata, order, len(gaps)),
        tuple(group for group in groups if group.errata),
        tuple(item for item in found if item.ambiguous),
        glance,
        tuple(gaps),
    )


def _address(paper: Paper) -> Tex | None:
    found = _ON_ARXIV.match(paper.version)
    return None if found is None else Tex(f"https://arxiv.org/abs/{found[1]}")


def _counts(errata: Sequence[ErratumView], order: Iterable[Tex], gaps: int) -> Tex:
    """How many errata there are of each severity, how many a misread glyph would explain, and how many gaps."""
    counted = Counter(item.severity for item in errata)
    kinds = "; ".join(f"{name}: {counted[name]}" for name in order if counted[name])
    missing = "" if not gaps else " 1 gap in a proof." if gaps == 1 else f" {gaps} gaps in proofs."
    if not errata:
        return escape(f"no errata.{missing}")
    total = "1 erratum" if len(errata) == 1 else f"{len(errata)} errata"
    grave = "" if counted[escape(Severity.CONCLUSION.value)] else f" None {Severity.CONCLUSION.value}."
    few = sum(item.compare_with_pdf for item in errata)
    doubt = f" In {few} of them the difference is a few glyphs: compare with the PDF, marked *." if few else ""
    return Tex(f"{total} ({kinds}).{grave}{doubt}{missing}")


@dataclass(frozen=True)
class Consequences:
    """What an error brings about among all that was judged: how much it matters, and what rests on it."""

    matters: Assessed | None
    radius: tuple[Dependant, ...]


def consequences(id: str, judged: Mapping[str, Judged]) -> Consequences:
    """What the error in a claim's quote brings about; ``judged`` is everything."""
    return Consequences(severity_of(id, judged), blast_radius(id, judged))


def erratum_view(
    made: Claim,
    judged: Mapping[str, Judged],
    links: Links,
    read: QuoteRead | None,
    after: Consequences | None = None,
    here: Sequence[Symbol] = (),
) -> ErratumView | None:
    """The erratum, or the ambiguous sentence, of a claim whose quote is refuted.

    With ``after``, what it brings about, ``judged`` need hold no more than the claim itself. ``here`` are symbols of
    the quote alone whose letters stand for other things elsewhere in the section.
    """
    quote, judgement = made.printed, judged[made.id].printed
    if quote is None or judgement is None or judgement.verdict is not Verdict.REFUTED:
        return None
    after = consequences(made.id, judged) if after is None else after
    found, matters = counterexample_to_quote(judged[made.id]), after.matters
    symbols = (*symbols_of(*quote.given, quote.statement), *symbols_in(made))
    return ErratumView(
        where=escape(quote.where),
        title=links.prose(made.title),
        lead=quote_lead(read),
        printed=Tex(quote.latex),
        judged=quote_reading(read, links, standing_of(judged[made.id], read)),
        reading=_reading(quote),
        here=letters_told(here, links),
        names=tuple(map(definition_display, _names(quote))),
        counterexample=counterexample(judgement, symbols, found),
        program=() if found is None else plain_python(found),
        instead=None if quote.instead is None else links.prose(_ended(quote.instead)),
        severity=escape(_UNASSESSED if matters is None else matters.severity.value),
        because=None if matters is None else _because(matters, links),
        radius=_radius(made, after.radius, links),
        compare_with_pdf=quote.compare_with_pdf,
        ambiguous=is_ambiguous(judged[made.id]),
        label=label(made.id),
        place=quote.where,
        letters=() if found is None else _letters(found.witness, symbols),
    )


def letters_told(symbols: Sequence[Symbol], links: Links) -> Tex:
    """What letters stand for, as a list."""
    return Tex(", ".join(f"${domain_latex(symbol)}$ ({links.prose(symbol.meaning)})" for symbol in symbols))


def _because(matters: Assessed, links: Links) -> Tex:
    conditions = ", ".join(map(prose, matters.conditions))
    return Tex(f"{links.prose(matters.because)} {conditions}".rstrip() + ".")


def _letters(witness: Witness, symbols: Iterable[Symbol]) -> tuple[str, ...]:
    named = {coordinate(name)[0] for name, _ in united(witness.at)}
    meant = {symbol.name: f"{symbol.name}: {symbol.meaning}" for symbol in symbols if symbol.name in named}
    return tuple(meant.values())


def _ended(text: str) -> str:
    """The text with a full stop, because more follows."""
    return text if text.rstrip().endswith((".", "!", "?")) else f"{text.rstrip()}."


def _radius(made: Claim, found: Sequence[Dependant], links: Links) -> Tex:
    """What rests on the printed statement, by what becomes of it, the worst first."""
    if not found:
        isolated = made.printed is not None and made.printed.isolated
        return escape("nothing: the paper does not use it again." if isolated else "nothing else that was checked.")
    groups = []
    for outcome, words in _RADIUS.items():
        shown = [f"{escape(item.place)} ({links.reference(item.id)})" for item in found if item.outcome is outcome]
        if shown:
            groups.append(f"{words}: {', '.join(shown)}")
    return Tex("; ".join(groups) + ".")


def _names(quote: Quote) -> dict[Definition, None]:
    """The named functions in the reading of a quote."""
    read = [item for statement in (quote.statement, *quote.given) for item in expressions_of(statement)]
    return dict.fromkeys(found for item in read for found in definitions_in(item))


def _reading(quote: Quote) -> Tex:
    """How the printed formula was read, with the hypotheses that the paper states."""
    given = ", ".join(map(prose, quote.given))
    return Tex(f"{prose(quote.statement)}, given {given}" if given else prose(quote.statement))


def counterexample(
    judgement: Judgement | None, symbols: Sequence[Symbol], found: Counterexample | None = None
) -> Tex | None:
    """The first point at which a statement was seen to fail, with both sides there and the relation that fails."""
    item = None if judgement is None else refuting(judgement)
    if item is None or item.witness is None:
        return None
    point = _point(item.witness, symbols)
    if item.obligation.endswith(WELL_DEFINED):
        # The two sides are those of the condition that fails, such as that a denominator is not 0.
        return Tex(f"At {point}: what is printed has no value.")
    left, right = numbers(item.witness.left, item.witness.right)
    return Tex(f"At {point}: the left side is {left}, the right side is {right}{_claimed(found)}.")


def _claimed(found: Counterexample | None) -> str:
    """The relation that fails, by its sign, and if it is one of several, by its formula."""
    if found is None:
        return ""
    sign = RELATIONS[found.failing.operator]
    return f", where ${sign}$ is claimed" if found.alone else f", where {prose(found.failing)} is claimed"


def _point(witness: Witness, symbols: Sequence[Symbol]) -> Tex:
    known = {symbol.name: symbol for symbol in symbols}
    values = []
    for name, value in united(witness.at):
        amount = rounded(value)
        equals = "" if amount.startswith(r"$\approx") else "$=$"
        values.append(f"{_coordinate(name, known)}{equals}{amount}")
    return Tex(", ".join(values))


def _coordinate(name: str, known: Mapping[str, Symbol]) -> str:
    """A symbol in a counterexample; ``x[2]`` is the value of an indexed symbol at the second element."""
    base, number = coordinate(name)
    if base not in known:
        return escape(name)
    indices = zip(known[base].indices, number.split(","), strict=False)
    return f"${symbol_latex(known[base], *(f'{over.letter}_{place}' if place else None for over, place in indices))}$"
