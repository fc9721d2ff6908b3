"""The view of one claim: statement, derivation, what the paper prints, and what is not fine about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from grpo_symbolic.coverage.aboutness import Tie
from grpo_symbolic.derivation.chain import Claim, Derivation
from grpo_symbolic.derivation.naming import symbols_in
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.counterexamples import counterexample_to_claim
from grpo_symbolic.judging.quotes import standing_of
from grpo_symbolic.language.composites import Summed
from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.indexed import sets_of_hypotheses
from grpo_symbolic.language.statement import Statement, is_elementary, symbols_of
from grpo_symbolic.readback.readings import QuoteRead
from grpo_symbolic.report.errata import Consequences, ErratumView, counterexample, erratum_view, letters_told
from grpo_symbolic.report.lemmas import lemma_note
from grpo_symbolic.report.letters import of_quote_alone
from grpo_symbolic.report.lines import NARROW, display, glyphs, prose
from grpo_symbolic.report.links import Links, label
from grpo_symbolic.report.quotes import quote_lead, quote_reading
from grpo_symbolic.report.reasons import why_lines
from grpo_symbolic.report.sources import SourceView
from grpo_symbolic.report.tex import Tex, code, escape
from grpo_symbolic.report.verification import CheckRow, badge, check_rows, checked, standing
from grpo_symbolic.translate.latex import RELATIONS, statement_latex

if TYPE_CHECKING:
    from grpo_symbolic.judging.claims import Judged
    from grpo_symbolic.judging.verdicts import Judgement
    from grpo_symbolic.judging.why import Why

#: The id of what pulls a claim down, and how it stands.
Lower: TypeAlias = tuple[str, Verdict]

_CONNECTIVES = {**RELATIONS, "iff": r"\Longleftrightarrow", "implies": r"\Longrightarrow"}


@dataclass(frozen=True)
class StepView:
    """A line of a derivation: number, connective, formula, reason."""

    number: Tex
    relation: Tex
    formula: Tex
    reason: Tex


@dataclass(frozen=True)
class QuoteView:
    """What the paper prints; the verdict on it is named where it differs from the claim's.

    ``reading`` says how what was judged was got from it, unless it was read as it is printed.
    """

    lead: Tex
    printed: Tex
    reading: Tex | None
    note: Tex | None


@dataclass(frozen=True)
class StatementView:
    """What a claim says: one formula (``formula``), or a sentence."""

    formula: Tex | None
    sentence: Tex | None


@dataclass(frozen=True)
class ClaimView:
    """A claim with everything that the report says about it.

    ``here`` says what letters stand for in it that stand for something else elsewhere in its section; ``source`` is
    the line of its derivation.
    """

    title: Tex
    id: Tex
    label: Tex
    equation: Tex
    source: SourceView | None
    badge: Tex
    checked: Tex
    assumed: bool
    assumes: Tex
    cites: Tex
    beyond: Tex | None
    lemma: Tex | None
    refuted: bool
    falsehood: Tex | None
    here: Tex
    given: Tex
    statement: StatementView | None
    start: Tex | None
    because: Tex | None
    steps: tuple[StepView, ...]
    why: tuple[Tex, ...]
    rests_on: Tex
    counterexample: Tex | None
    remarks: tuple[Tex, ...]
    quote: QuoteView | None
    erratum: ErratumView | None
    rows: tuple[CheckRow, ...]


def claim_view(
    made: Claim,
    judged: Mapping[str, Judged],
    links: Links,
    quotes: Mapping[str, QuoteRead],
    here: Sequence[Symbol] = (),
    tie: Tie | None = None,
    why: Why | None = None,
    after: Consequences | None = None,
    lower: Iterable[Lower] = (),
) -> ClaimView:
    """Build the view of a claim, which may be tied to a place; ``judged`` holds it and the steps of its derivation.

    ``here`` are symbols in it whose letters stand for other things elsewhere in its section, ``after`` is what an error
    in its quote brings about, if that is known, and ``lower`` what pulls it down.
    """
    own = judged[made.id]
    note = lemma_note(tie)
    quoted = of_quote_alone(made, here)
    chain = made.derivation
    refuted = own.verdict is Verdict.REFUTED
    return ClaimView(
        title=links.prose(made.title),
        id=code(made.id.partition(".")[2]),
        label=label(made.id),
        equation=escape(made.equation or ""),
        source=links.source(made.id),
        badge=standing(own),
        checked=checked(made, judged) or Tex(""),
        assumed=made.assumed,
        assumes=Tex(", ".join(map(links.reference, own.claim.assumes))),
        cites=escape(", ".join(made.cites)),
        beyond=None if made.beyond is None else links.prose(f"{made.beyond}."),
        lemma=None if note is None else escape(note),
        refuted=refuted,
        falsehood=None if made.refuted is None else links.prose(f"{made.refuted}."),
        here=letters_told([symbol for symbol in here if symbol not in quoted], links),
        given=given_words(made),
        statement=None if _says_what_it_derives(made) else statement_view(made.statement),
        start=None if chain is None else _line(chain.start),
        because=None if chain is None else links.prose(chain.because),
        steps=() if chain is None else _steps(chain, links),
        why=why_lines(why, links),
        rests_on=Tex(", ".join(dict.fromkeys(map(links.reference, _lemmas_and_shown(made, own))))),
        counterexample=counterexample(own.alone, symbols_in(made), counterexample_to_claim(own)) if refuted else None,
        remarks=tuple(_remarks(made, judged, links, lower)),
        quote=_quote_view(made, own, quotes.get(made.id), links),
        erratum=erratum_view(made, judged, links, quotes.get(made.id), after, quoted),
        rows=check_rows(made, judged, links),
    )


def lower_than(made: Claim, judged: Mapping[str, Judged]) -> tuple[Lower, ...]:
    """What pulls a claim down: all that it rests on and that does not carry what was found of it alone."""
    own = judged[made.id]
    if own.verdict is own.alone.verdict:
        return ()
    below = ((id, judged[id]) for id in own.since if id in judged)
    return tuple((id, one.verdict) for id, one in below if one.carries.rank < own.alone.verdict.rank)


def _lemmas_and_shown(made: Claim, own: Judged) -> Iterator[str]:
    """The claims that a claim uses, and those that show what it supposes; the steps have lemmas of their own."""
    yield from (lemma.claim.id for lemma in made.using)
    yield from (id for id in own.since if id not in made.supports)


def _says_what_it_derives(made: Claim) -> bool:
    """Whether the derivation shows the claim as it stands, so that its formulas need not be printed twice."""
    chain = made.derivation
    return chain is not None and bool(chain.steps) and made.given == chain.given and made.statement == chain.statement


def statement_view(statement: Statement) -> StatementView:
    """What a claim says, as one formula or as a sentence."""
    if is_elementary(statement):
        return StatementView(display(statement), None)
    return StatementView(None, prose(statement))


def given_words(made: Claim) -> Tex:
    """The hypotheses as a sentence, to stand before the claim; nothing if there are none."""
    shown = ", ".join(map(_hypothesis, made.given, sets_of_hypotheses(made.given, made.statement)))
    return Tex(rf"\grpolead{{Given}}{shown}.\hskip1em\relax " if shown else "")


def _hypothesis(statement: Statement, everywhere: IndexSet | None) -> Tex:
    inline = statement_latex(statement)
    short = is_elementary(statement) and glyphs(inline) <= NARROW
    shown = f"${inline}$" if short else prose(statement)
    return Tex(shown if everywhere is None else f"{shown} for every {escape(everywhere.element)}")


def _line(subject: Expression | Statement) -> Tex:
    if isinstance(subject, Statement) and not is_elementary(subject):
        return Tex(rf"\grposentence{{{prose(subject)}}}")
    return display(subject)


def _steps(chain: Derivation, links: Links) -> tuple[StepView, ...]:
    views = []
    for position, step in enumerate(chain.steps, start=1):
        cited = dict.fromkeys(links.reference(lemma.claim.id) for lemma in step.using)
        reason = links.prose(step.reason)
        if cited:
            reason = Tex(f"{reason} (by {', '.join(cited)})")
        to = step.to.conclusion if isinstance(step.to, Summed) else step.to
        relation = Tex(_CONNECTIVES[step.relation])
        views.append(StepView(Tex(str(position)), relation, _line(to), reason))
    return tuple(views)


def _remarks(made: Claim, judged: Mapping[str, Judged], links: Links, lower: Iterable[Lower]) -> list[Tex]:
    """Why a claim is not decided, or stands lower than it would alone."""
    own = judged[made.id]
    if made.assumed:
        return []
    remarks = []
    if own.verdict is not own.alone.verdict:
        names = ", ".join(f"{links.reference(id)} ({badge(verdict)})" for id, verdict in lower)
        remarks.append(Tex(f"Taken alone this is {badge(own.alone.verdict)}, but it rests on {names}."))
    if own.alone.verdict in (Verdict.UNDECIDED, Verdict.SUPPORTED):
        remarks += _resisted("", own.alone)
    for position, step in enumerate(made.steps, start=1):
        if step.id in judged and judged[step.id].alone.verdict in (Verdict.UNDECIDED, Verdict.SUPPORTED):
            remarks += _resisted(f"Step {position}, ", judged[step.id].alone)
        if step.id in judged and judged[step.id].alone.verdict is Verdict.REFUTED:
            symbols = symbols_of(*step.given, step.statement)
            found = counterexample(judged[step.id].alone, symbols, counterexample_to_claim(judged[step.id]))
            remarks.append(Tex(f"Step {position} is {badge(Verdict.REFUTED)}. {found or ''}"))
    return remarks


def _resisted(prefix: str, judgement: Judgement) -> list[Tex]:
    notes = dict.fromkeys(
        (item.obligation, item.method, item.note)
        for item in judgement.evidence
        if item.verdict is Verdict.UNDECIDED and item.note
    )
    start = f"{prefix}not decided" if prefix else "Not decided"
    return [
        Tex(f"{start} ({escape(method)}, {escape(obligation)}): {escape(note)}.") for obligation, method, note in notes
    ] or [Tex(f"{start}: no method had anything to say about it.")]


def _quote_view(made: Claim, own: Judged, read: QuoteRead | None, links: Links) -> QuoteView | None:
    quote, judgement = made.printed, own.printed
    if quote is None or judgement is None or judgement.verdict is Verdict.REFUTED:
        return None  # a refuted quote is shown as an erratum
    note = None
    if judgement.verdict in (Verdict.UNDECIDED, Verdict.SUPPORTED):
        note = Tex(" ".join(_resisted("", judgement)))
    elif quote.expected_to_fail:
        note = escape("An error was expected here, but the checks find none.")
    lead = _quote_lead(made, quote, judgement, own, read)
    return QuoteView(lead, Tex(quote.latex), quote_reading(read, links, standing_of(own, read)), note)


def _quote_lead(made: Claim, quote: Quote, judgement: Judgement, own: Judged, read: QuoteRead | None) -> Tex:
    # The place stands in the heading of the claim as well.
    where = "" if quote.where == made.equation else f" in {escape(quote.where)}"
    verdict = "" if judgement.verdict is own.verdict else f" ({badge(judgement.verdict)})"
    return Tex(rf"{quote_lead(read)}{where}{verdict}")
