"""Errata: what a paper prints that does not hold, and what holds instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grpo_symbolic.chain import Claim
from grpo_symbolic.evidence import Verdict, Witness
from grpo_symbolic.expression import Symbol
from grpo_symbolic.report.lines import WIDE, glyphs, prose
from grpo_symbolic.report.links import Links, label
from grpo_symbolic.report.numerals import number
from grpo_symbolic.report.tex import Tex, escape
from grpo_symbolic.source import SEVERITIES, Paper, Quote
from grpo_symbolic.statement import symbols_of
from grpo_symbolic.translate.latex import symbol_latex

if TYPE_CHECKING:
    from grpo_symbolic.judge import Judged, Judgement

_UNASSESSED = "not assessed yet"
_SHORT = WIDE  # glyphs; the list of errata does not repeat longer formulas


@dataclass(frozen=True)
class ErratumView:
    """An error in a paper: what is printed where, why it fails, what holds instead.

    ``short`` is the printed formula, unless it is too long for a list.
    """

    where: Tex
    printed: Tex
    short: Tex | None
    reading: Tex
    counterexample: Tex | None
    instead: Tex | None
    severity: Tex
    dependants: Tex | None
    compare_with_pdf: bool
    label: Tex


@dataclass(frozen=True)
class ErrataGroup:
    """The errata of one severity."""

    severity: Tex
    errata: tuple[ErratumView, ...]


@dataclass(frozen=True)
class PaperView:
    """A paper that was checked, with the errata found in it."""

    authors: Tex
    title: Tex
    version: Tex
    counts: Tex
    groups: tuple[ErrataGroup, ...]


def paper_view(paper: Paper, errata: Sequence[ErratumView]) -> PaperView:
    """Group the errata of a paper by severity, the gravest first."""
    order = [*map(escape, SEVERITIES), escape(_UNASSESSED)]
    groups = [
        ErrataGroup(Tex(name[:1].upper() + name[1:]), tuple(item for item in errata if item.severity == name))
        for name in order
    ]
    return PaperView(
        escape(paper.authors),
        escape(paper.title),
        version(paper),
        _counts(errata, order),
        tuple(group for group in groups if group.errata),
    )


def _counts(errata: Sequence[ErratumView], order: Iterable[Tex]) -> Tex:
    """How many errata there are of each severity, and how many a misread glyph would explain."""
    counted = Counter(item.severity for item in errata)
    kinds = "; ".join(f"{name}: {counted[name]}" for name in order if counted[name])
    total = "1 erratum" if len(errata) == 1 else f"{len(errata)} errata"
    few = sum(item.compare_with_pdf for item in errata)
    doubt = f" In {few} of them the difference is a few glyphs: compare with the PDF, marked *." if few else ""
    return Tex(f"{total} ({kinds}).{doubt}")


def version(paper: Paper) -> Tex:
    """The version of a paper that was read, which says that it is a scan."""
    return escape(paper.version if "scan" in paper.version else f"{paper.version}, from a scanned copy")


def erratum_view(made: Claim, judged: Mapping[str, Judged], links: Links) -> ErratumView | None:
    """The erratum of a claim whose quote is refuted."""
    quote, judgement = made.printed, judged[made.id].printed
    if quote is None or judgement is None or judgement.verdict is not Verdict.REFUTED:
        return None
    dependants = [links.reference(id) for id, other in judged.items() if made.id in other.since]
    return ErratumView(
        where=escape(quote.where),
        printed=Tex(quote.latex),
        short=Tex(quote.latex) if glyphs(quote.latex) <= _SHORT else None,
        reading=_reading(quote),
        counterexample=counterexample(judgement, (*symbols_of(*quote.hypotheses, quote.statement), *made.symbols)),
        instead=None if quote.instead is None else links.prose(quote.instead),
        severity=escape(quote.severity or _UNASSESSED),
        dependants=Tex(", ".join(dependants) + ".") if dependants else None,
        compare_with_pdf=quote.compare_with_pdf,
        label=label(made.id),
    )


def _reading(quote: Quote) -> Tex:
    """How the printed formula was read, with the hypotheses that the paper states."""
    given = ", ".join(map(prose, quote.hypotheses))
    return Tex(f"{prose(quote.statement)}, given {given}" if given else prose(quote.statement))


def counterexample(judgement: Judgement | None, symbols: Sequence[Symbol]) -> Tex | None:
    """The first point at which a statement was seen to fail, with both sides there."""
    if judgement is None:
        return None
    for item in judgement.evidence:
        if item.verdict is Verdict.REFUTED and item.witness is not None:
            witness = item.witness
            left, right = number(witness.left), number(witness.right)
            return Tex(f"At {_point(witness, symbols)}: the left side is {left}, the right side is {right}.")
    return None


def _point(witness: Witness, symbols: Sequence[Symbol]) -> Tex:
    known = {symbol.name: symbol for symbol in symbols}
    values = []
    for name, value in witness.at:
        amount = number(value)
        equals = "" if amount.startswith(r"$\approx") else "$=$"
        values.append(f"{_coordinate(name, known)}{equals}{amount}")
    return Tex(", ".join(values))


def _coordinate(name: str, known: Mapping[str, Symbol]) -> str:
    """A symbol in a counterexample; ``x[2]`` is the value of an indexed symbol at the second output."""
    base, _, output = name.rstrip("]").partition("[")
    if base not in known:
        return escape(name)
    return f"${symbol_latex(known[base], f'o_{output}') if output else symbol_latex(known[base])}$"
