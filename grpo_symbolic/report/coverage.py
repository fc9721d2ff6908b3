"""The lines of each paper on the page: how many are settled, which are not, and where each is dealt with."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from grpo_symbolic.coverage.rows import REASONS, UNCHECKED, Annotation
from grpo_symbolic.coverage.score import IN_PART, Covered, Tally
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.report.lemmas import joined
from grpo_symbolic.report.links import Links, label
from grpo_symbolic.report.rows import part_title
from grpo_symbolic.report.tex import Tex, code, escape
from grpo_symbolic.report.verification import badge

_COLUMNS = (Verdict.PROVED, Verdict.DECIDED, Verdict.SUPPORTED, Verdict.UNDECIDED)


@dataclass(frozen=True)
class CountView:
    """A kind of line, how many lines there are, how many with each verdict, and how many tied to no claim."""

    name: Tex
    cells: tuple[Tex, ...]


@dataclass(frozen=True)
class ReasonView:
    """A reason for having no claims, what it means, and for how many lines it is given."""

    name: Tex
    meaning: Tex
    count: Tex


@dataclass(frozen=True)
class LineView:
    """One line of a paper, or neighbours with the same claims: their number, what they say, where to find it."""

    label: Tex | None
    says: Tex
    found: tuple[Tex, ...]
    missing: Tex | None


@dataclass(frozen=True)
class PartView:
    """A section of a paper with its lines."""

    title: Tex
    lines: tuple[LineView, ...]


@dataclass(frozen=True)
class CoverageView:
    """Everything about the lines of one paper."""

    paper: Tex
    label: Tex
    summary: Tex
    columns: tuple[Tex, ...]
    counts: tuple[CountView, ...]
    reasons: tuple[ReasonView, ...]
    left: tuple[LineView, ...]
    numbers: tuple[LineView, ...]
    parts: tuple[PartView, ...]


class _Finder:
    """Where claims stand on the page."""

    def __init__(self, links: Links, errata: Collection[str]) -> None:
        self._links = links
        self._errata = errata

    def __call__(self, id: str) -> Tex:
        """A link to a claim, with its page where it is in the report."""
        target = self._links.target(id)
        if target is None:
            return code(id)
        mark = "*" if id in self._errata else ""
        return Tex(rf"\grpolocated{{{self._links.reference(id)}{mark}}}{{{target}}}")


def coverage_view(covered: Covered, links: Links, errata: Collection[str]) -> CoverageView:
    """Build the view of a paper's lines; references to claims with an erratum, whose ids are given, are marked."""
    paper, tally = covered.coverage.paper, covered.tally
    found = _Finder(links, errata)
    rows = list(zip(covered.coverage.entries, covered.outcomes, strict=True))
    share = f" ({100 * tally.settled / tally.rows:.1f} %)" if tally.rows else ""
    return CoverageView(
        paper=Tex(rf"{escape(paper.authors)}, \emph{{{escape(paper.title)}}}"),
        label=label(f"{paper.id}.lines"),
        summary=escape(
            f"{len(rows)} lines seen: sentences, captions, and every relation of a display. {tally.rows} of them are "
            f"mathematics, of which {tally.settled}{share} are decided or proved, each counted by the weakest of its "
            "claims and of what is printed in their place; a line that is known to be false is decided, and a "
            f"definition is counted by what is claimed with it.{_not_as_printed(covered)} Last compared with the text "
            f"of {paper.edition}, on {covered.coverage.compared}. "
            "Below, a claim with an erratum has an asterisk."
        ),
        columns=tuple(badge(verdict) for verdict in _COLUMNS),
        counts=tuple(_counts(covered)),
        reasons=tuple(
            ReasonView(escape(reason), escape(meaning), Tex(str(covered.reasons[reason])))
            for reason, meaning in REASONS.items()
            if reason in covered.reasons
        ),
        left=tuple(
            _left(entry, outcome, covered.missing.get(entry.place, ()))
            for entry, outcome in rows
            if _is_left(entry, outcome)
        ),
        numbers=tuple(_numbers(covered.coverage.entries, found)),
        parts=tuple(_parts(rows, found)),
    )


def _not_as_printed(covered: Covered) -> str:
    """How many of the settled lines are so of something else than a quote that was read as it is printed."""
    found = [f"{count} {way}" for way, count in covered.read.items()]
    return f" Of a quote with it this is so {', '.join(found)}, and else as printed." if found else ""


def _counts(covered: Covered) -> Iterator[CountView]:
    for form, found in covered.forms.items():
        if found.rows:
            yield CountView(escape(_PLURALS[form]), _cells(found))
    yield CountView(escape("all"), _cells(covered.tally))


_PLURALS = {
    "identity": "identities",
    "inequality": "inequalities",
    "limit": "limits",
    "dynamics": "dynamics",
    "definition": "definitions",
    "other": "other statements",
}


def _cells(found: Tally) -> tuple[Tex, ...]:
    shown = [found.outcomes.get(verdict.value, 0) for verdict in _COLUMNS]
    counts = [found.rows, *shown, found.rows - sum(shown)]
    return tuple(Tex(str(count)) if count else Tex(r"\grponone") for count in counts)


def _is_left(entry: Annotation, found: str) -> bool:
    """Whether a reader should be told what became of this line: it is not settled, or stands on others' word."""
    settled = (Verdict.PROVED.value, Verdict.DECIDED.value)
    return found not in settled and (entry.counts or entry.reason in ("empirical", "cited"))


def _left(entry: Annotation, found: str, missing: Sequence[str]) -> LineView:
    if found == IN_PART:
        reason = f"{found}: no claim depends on {joined(missing, 'or')}"
        return LineView(escape(entry.place), escape(entry.says), (), escape(reason))
    if not entry.says:
        return LineView(escape(entry.place), escape(entry.because), (), escape(found))
    because = f": {entry.because}" if entry.because else ""
    return LineView(escape(entry.place), escape(entry.says), (), escape(f"{found}{because}"))


def _numbers(entries: Sequence[Annotation], find: _Finder) -> Iterator[LineView]:
    """The paper's own numbers, equations first, each with the claims about any of its lines."""
    claims: dict[str, dict[str, None]] = {}
    for entry in entries:
        if entry.label is not None and entry.counts:
            claims.setdefault(entry.label, {}).update(dict.fromkeys(entry.claims))
    for name in sorted(claims, key=in_order):
        found = tuple(find(id) for id in claims[name])
        yield LineView(None, escape(name), found, None if found else escape("no claim"))


def in_order(name: str) -> tuple[bool, str, int]:
    """A sort key for the paper's own numbers: equations first, then by kind and number."""
    words = name.strip("()").split()
    number = int(words[-1]) if words[-1].isdecimal() else 0
    return not name.startswith("("), " ".join(words[:-1] if number else words), number


def _parts(rows: Sequence[tuple[Annotation, str]], find: _Finder) -> Iterator[PartView]:
    sections = dict.fromkeys(entry.section for entry, _ in rows)
    for section in sections:
        inside = [(entry, found) for entry, found in rows if entry.section == section and entry.counts]
        if inside:
            yield PartView(escape(part_title(section)), tuple(_lines(inside, find)))


def _lines(rows: Sequence[tuple[Annotation, str]], find: _Finder) -> Iterator[LineView]:
    """Neighbours with the same claims and number are one line."""
    groups: list[list[Annotation]] = []
    for entry, _ in rows:
        last = groups[-1][-1] if groups else None
        if last is not None and entry.claims and (entry.claims, entry.label) == (last.claims, last.label):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    for group in groups:
        first = group[0]
        yield LineView(
            None if first.label is None else escape(first.label),
            escape("; ".join(dict.fromkeys(entry.says for entry in group))),
            tuple(find(id) for id in first.claims),
            escape(first.reason) if first.reason in UNCHECKED and first.reason is not None else None,
        )
