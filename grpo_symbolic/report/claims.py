"""The view of one claim: statement, derivation, what the paper prints, and what the checks found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from grpo_symbolic.chain import Chain, Claim, Lemma, steps_of
from grpo_symbolic.evidence import Evidence, Verdict, Witness
from grpo_symbolic.expression import Expression, Symbol
from grpo_symbolic.report.lines import NARROW, display, glyphs, prose
from grpo_symbolic.report.tex import Tex, code, escape
from grpo_symbolic.source import Paper, Quote
from grpo_symbolic.statement import All, Implies, Statement, Summed, is_elementary, symbols_of
from grpo_symbolic.translate.latex import RELATIONS, statement_latex, symbol_latex

if TYPE_CHECKING:
    from grpo_symbolic.judge import Judged, Judgement

_CONNECTIVES = {**RELATIONS, "iff": r"\Longleftrightarrow", "implies": r"\Longrightarrow"}
_LONG_NUMBER = 22  # characters; longer exact values are shown as decimals
_MANTISSA = re.compile(r"(-?\d)(?:\.(\d*))?e([+-]?\d+)")


@dataclass(frozen=True)
class StepView:
    """A line of a derivation: number, connective, formula, reason."""

    number: Tex
    relation: Tex
    formula: Tex
    reason: Tex


@dataclass(frozen=True)
class QuoteView:
    """What the paper prints, and what the checks say about it."""

    where: Tex
    printed: Tex
    badge: Tex
    note: Tex | None


@dataclass(frozen=True)
class ErratumView:
    """An error in a paper: what is printed where, why it fails, what holds instead."""

    where: Tex
    version: Tex
    printed: Tex
    reading: Tex
    counterexample: Tex | None
    instead: Tex | None
    severity: Tex
    dependants: Tex | None
    compare_with_pdf: bool
    label: Tex


@dataclass(frozen=True)
class CheckRow:
    """What one method found about one obligation."""

    obligation: Tex
    method: Tex
    badge: Tex
    found: Tex
    seconds: Tex


@dataclass(frozen=True)
class ClaimView:
    """A claim with everything that the report says about it."""

    title: Tex
    id: Tex
    label: Tex
    equation: Tex
    badge: Tex
    assumed: bool
    refuted: bool
    hypotheses: Tex | None
    statement: Tex
    start: Tex | None
    because: Tex | None
    steps: tuple[StepView, ...]
    rests_on: Tex | None
    counterexample: Tex | None
    remarks: tuple[Tex, ...]
    quote: QuoteView | None
    erratum: ErratumView | None
    checks: tuple[CheckRow, ...]


def claim_view(made: Claim, judged: Mapping[str, Judged], paper: Paper) -> ClaimView:
    """Build the view of a claim; ``judged`` also holds the steps of its derivation."""
    own = judged[made.id]
    chain = made.derivation
    refuted = own.verdict is Verdict.REFUTED and not made.assumed
    return ClaimView(
        title=escape(made.title),
        id=code(made.id),
        label=label(made.id),
        equation=escape(made.equation or ""),
        badge=Tex(r"\grpobadge{assumed}") if made.assumed else badge(own.verdict),
        assumed=made.assumed,
        refuted=refuted,
        hypotheses=_sentence([_hypothesis(item) for item in made.given]),
        statement=prose(made.statement),
        start=None if chain is None else _line(chain.start),
        because=None if chain is None else escape(chain.because),
        steps=() if chain is None else _steps(chain, judged),
        rests_on=_sentence(list(dict.fromkeys(_cited(lemma, judged) for lemma in made.using))),
        counterexample=_counterexample(own.alone, made.symbols) if refuted else None,
        remarks=tuple(_remarks(made, judged)),
        quote=_quote_view(made.printed, own.printed),
        erratum=_erratum_view(made, judged, paper),
        checks=(*_step_rows(made, judged), *(_row(item) for item in own.alone.evidence)),
    )


def label(id: str) -> Tex:
    """The LaTeX label of an id; all labels of the report begin with ``grpo:``."""
    return Tex("grpo:" + re.sub(r"[^A-Za-z0-9.:-]", "-", id))


def version(paper: Paper) -> Tex:
    """The version of a paper that was read, which says that it is a scan."""
    return escape(paper.version if "scan" in paper.version else f"{paper.version}, from a scanned copy")


def badge(verdict: Verdict) -> Tex:
    """The mark of a verdict in the report."""
    return Tex(rf"\grpobadge{{{verdict.value.lower()}}}")


def reference(id: str, judged: Mapping[str, object]) -> Tex:
    """A link to a claim, or its id alone where it is not in the report."""
    step = re.fullmatch(r"(.+)\.step-(\d+)", id)
    if step and step[1] in judged:
        return Tex(rf"\grporef{{{label(step[1])}}}, step {step[2]}")
    return Tex(rf"\grporef{{{label(id)}}}") if id in judged else code(id)


def number(value: int | str | Fraction) -> Tex:
    """Typeset an exact or decimal number; long exact values are rounded and marked so."""
    text = str(value)
    match = _MANTISSA.fullmatch(text)
    if match:
        digits = match[1] + ("." + match[2][:3] if match[2] else "")
        return Tex(rf"${digits} \cdot 10^{{{int(match[3])}}}$")
    if len(text) <= _LONG_NUMBER and re.fullmatch(r"-?\d+(/\d+|\.\d+)?", text):
        return Tex(f"${text}$")
    try:
        exact = Fraction(text)
    except ValueError:
        return escape(text)
    if 0 < abs(exact) < Fraction(1, 10**6) or abs(exact) >= 10**12:
        mantissa, exponent = _scientific(exact)
        return Tex(rf"$\approx {mantissa} \cdot 10^{{{exponent}}}$")
    return Tex(rf"$\approx {_decimal(exact, 12)}$")


def _scientific(value: Fraction) -> tuple[str, int]:
    exponent = len(str(abs(value.numerator))) - len(str(value.denominator)) - 1
    while round(abs(value) / Fraction(10) ** exponent, 6) >= 10:
        exponent += 1
    return _decimal(value / Fraction(10) ** exponent, 6), exponent


def _decimal(value: Fraction, places: int) -> str:
    scaled = round(abs(value) * 10**places)
    whole, part = divmod(scaled, 10**places)
    return f"{'-' if value < 0 else ''}{whole}.{part:0{places}d}"


def _sentence(parts: Sequence[Tex]) -> Tex | None:
    return Tex(", ".join(parts) + ".") if parts else None


def _hypothesis(statement: Statement) -> Tex:
    inline = statement_latex(statement)
    short = is_elementary(statement) and glyphs(inline) <= NARROW
    return Tex(f"${inline}$") if short else prose(statement)


def _line(subject: Expression | Statement) -> Tex:
    if isinstance(subject, Statement) and not is_elementary(subject):
        return Tex(rf"\grposentence{{{prose(subject)}}}")
    return display(subject)


def _steps(chain: Chain, judged: Mapping[str, Judged]) -> tuple[StepView, ...]:
    views = []
    for position, step in enumerate(chain.steps, start=1):
        cited = [_cited(lemma, judged) for lemma in step.using]
        reason = escape(step.reason)
        if cited:
            reason = Tex(f"{reason} (by {', '.join(cited)})")
        to = step.to.conclusion if isinstance(step.to, Summed) else step.to
        relation = Tex(_CONNECTIVES[step.relation])
        views.append(StepView(Tex(str(position)), relation, _line(to), reason))
    return tuple(views)


def _cited(lemma: Lemma, judged: Mapping[str, Judged]) -> Tex:
    return reference(lemma.claim.id, judged)


def _remarks(made: Claim, judged: Mapping[str, Judged]) -> list[Tex]:
    """Why a claim is not decided, or stands lower than it would alone."""
    own = judged[made.id]
    if made.assumed:
        return []
    remarks = []
    if own.verdict is not own.alone.verdict:
        weak = [id for id in own.since if id in judged and judged[id].verdict.rank < own.alone.verdict.rank]
        names = ", ".join(f"{reference(id, judged)} ({badge(judged[id].verdict)})" for id in weak)
        remarks.append(Tex(f"Taken alone this is {badge(own.alone.verdict)}, but it rests on {names}."))
    if own.alone.verdict in (Verdict.UNDECIDED, Verdict.SUPPORTED):
        remarks += _resisted("", own.alone)
    for position, step in enumerate(steps_of(made), start=1):
        if step.id in judged and judged[step.id].alone.verdict in (Verdict.UNDECIDED, Verdict.SUPPORTED):
            remarks += _resisted(f"Step {position}, ", judged[step.id].alone)
        if step.id in judged and judged[step.id].alone.verdict is Verdict.REFUTED:
            found = _counterexample(judged[step.id].alone, symbols_of(*step.given, step.statement))
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


def _counterexample(judgement: Judgement | None, symbols: Sequence[Symbol]) -> Tex | None:
    if judgement is None:
        return None
    for item in judgement.evidence:
        if item.verdict is Verdict.REFUTED and item.witness is not None:
            witness = item.witness
            left, right = number(witness.left), number(witness.right)
            return Tex(f"At {_point(witness, symbols)}: the left side is {left}, the right side is {right}.")
    return None


def _point(witness: Witness, symbols: Sequence[Symbol]) -> Tex:
    shown = {symbol.name: f"${symbol_latex(symbol)}$" for symbol in symbols}
    values = []
    for name, value in witness.at:
        amount = number(value)
        equals = "" if amount.startswith(r"$\approx") else "$=$"
        values.append(f"{shown.get(name, escape(name))}{equals}{amount}")
    return Tex(", ".join(values))


def _quote_view(quote: Quote | None, judgement: Judgement | None) -> QuoteView | None:
    if quote is None or judgement is None or judgement.verdict is Verdict.REFUTED:
        return None  # a refuted quote is shown as an erratum
    note = None
    if judgement.verdict in (Verdict.UNDECIDED, Verdict.SUPPORTED):
        note = Tex(" ".join(_resisted("", judgement)))
    elif quote.severity is not None:
        note = escape("An error was expected here, but the checks find none.")
    return QuoteView(escape(quote.where), Tex(quote.latex), badge(judgement.verdict), note)


def _reading(quote: Quote) -> Tex:
    """How the printed formula was read, with the hypotheses that the paper states."""
    premise = quote.hypotheses
    if premise and is_elementary(quote.statement) and all(is_elementary(item) for item in premise):
        joined = premise[0] if len(premise) == 1 else All(premise)
        return prose(Implies(joined, quote.statement))
    return prose(quote.statement)


def _erratum_view(made: Claim, everything: Mapping[str, Judged], paper: Paper) -> ErratumView | None:
    quote, judgement = made.printed, everything[made.id].printed
    if quote is None or judgement is None or judgement.verdict is not Verdict.REFUTED:
        return None
    return ErratumView(
        where=escape(quote.where),
        version=version(paper),
        printed=Tex(quote.latex),
        reading=_reading(quote),
        counterexample=_counterexample(judgement, (*symbols_of(*quote.hypotheses, quote.statement), *made.symbols)),
        instead=None if quote.instead is None else escape(quote.instead),
        severity=escape(quote.severity or "not assessed yet"),
        dependants=_sentence([reference(id, everything) for id, other in everything.items() if made.id in other.since]),
        compare_with_pdf=quote.compare_with_pdf,
        label=label(made.id),
    )


def _step_rows(made: Claim, judged: Mapping[str, Judged]) -> list[CheckRow]:
    """One row for each step of the derivation."""
    rows = []
    for position, step in enumerate(steps_of(made), start=1):
        if step.id not in judged:
            continue
        own = judged[step.id]
        methods = ", ".join(dict.fromkeys(item.method for item in own.alone.evidence)) or "none"
        numeric = next((item for item in own.alone.evidence if item.points is not None), None)
        found = _figures(numeric) if numeric is not None else Tex("")
        verdict = badge(own.verdict)
        rows.append(CheckRow(Tex(f"step {position}"), escape(methods), verdict, found, _seconds(own.alone.seconds)))
    return rows


def _row(item: Evidence) -> CheckRow:
    figures = _figures(item)
    # What resisted stands in the remarks; a refutation and a certificate say more than figures.
    note = escape(item.note) if item.note and not figures and item.verdict is not Verdict.UNDECIDED else figures
    return CheckRow(escape(item.obligation), escape(item.method), badge(item.verdict), note, _seconds(item.seconds))


def _figures(item: Evidence) -> Tex:
    parts = []
    if item.points is not None:
        parts.append(f"{item.points}~points")
    if item.digits is not None:
        parts.append(f"{item.digits}~digits")
    if item.worst_residual is not None:
        parts.append(f"residual {number(item.worst_residual)}")
    if item.smallest_gap is not None:
        parts.append(f"gap {number(item.smallest_gap)}")
    return Tex(", ".join(parts))


def _seconds(seconds: float) -> Tex:
    return Tex(f"{seconds:.2f}" if seconds < 10 else f"{seconds:.0f}")
