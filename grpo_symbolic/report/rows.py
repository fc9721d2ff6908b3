"""The state of each paper: every row of its coverage with what settles it, and how many rows there are of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grpo_symbolic.coverage.rows import Annotation
from grpo_symbolic.coverage.score import IN_PART, Covered
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.errata import is_ambiguous, is_erratum
from grpo_symbolic.report.lemmas import joined
from grpo_symbolic.report.links import Links, label
from grpo_symbolic.report.tex import Tex, code, escape

if TYPE_CHECKING:
    from grpo_symbolic.judging.claims import Judged

_SETTLED = (Verdict.PROVED.value, Verdict.DECIDED.value)
#: What became of a row that is mathematics, or stands on others' word, from the best to the rest.
STATES: Mapping[str, str] = {
    "decided": "decided or proved",
    "refuted": "tied to a claim with an erratum, which has an asterisk",
    "ambiguous": "tied to an ambiguous sentence: one reasonable reading fails, another holds",
    "gap": "not settled, or settled in part",
    "cited": "quoted from elsewhere, or observed",
}
_REMARK = "none"


@dataclass(frozen=True)
class RowView:
    """A row of a paper: its place, what it says, what became of it, and the claims that settle it.

    ``digest`` tells by which text it was written; ``state`` is one of ``STATES``, or ``none`` for a row that states
    nothing.
    """

    place: Tex
    kind: Tex
    says: Tex
    state: str
    because: Tex
    found: tuple[Tex, ...]
    anchor: str
    digest: str


@dataclass(frozen=True)
class RowsView:
    """A section of a paper with all its rows."""

    title: Tex
    rows: tuple[RowView, ...]


@dataclass(frozen=True)
class SegmentView:
    """A part of the bar of a paper: a state, what it means, how many rows have it, and their share in per cent."""

    state: str
    meaning: Tex
    count: int
    share: float


@dataclass(frozen=True)
class StateView:
    """The state of a paper; ``id`` is its own."""

    id: str
    authors: Tex
    title: Tex
    segments: tuple[SegmentView, ...]
    total: int
    seen: int
    sections: tuple[RowsView, ...]


def state_view(covered: Covered, links: Links, judged: Mapping[str, Judged]) -> StateView:
    """Build the state of a paper from its coverage and the judgements."""
    paper, entries = covered.coverage.paper, covered.coverage.entries
    wrong = {id for id, item in judged.items() if is_erratum(item)}
    unclear = {id for id, item in judged.items() if is_ambiguous(item)}
    states = [_state(*row, wrong, unclear) for row in zip(entries, covered.outcomes, strict=True)]
    counted = Counter(state for state in states if state in STATES)
    total = sum(counted.values())
    sections = dict.fromkeys(entry.section for entry in entries)
    rows = [
        (entry, _row(entry, state, found, covered.missing.get(entry.place, ()), links, wrong))
        for entry, state, found in zip(entries, states, covered.outcomes, strict=True)
    ]
    return StateView(
        paper.id,
        escape(paper.authors),
        escape(paper.title),
        tuple(
            SegmentView(state, escape(meaning), counted[state], 100 * counted[state] / total)
            for state, meaning in STATES.items()
            if counted[state]
        ),
        total,
        len(entries),
        tuple(
            RowsView(escape(part_title(section)), tuple(row for entry, row in rows if entry.section == section))
            for section in sections
        ),
    )


def _state(entry: Annotation, found: str, wrong: Collection[str], unclear: Collection[str]) -> str:
    if entry.reason in ("cited", "empirical"):
        return "cited"
    if not entry.counts:
        return _REMARK
    if found not in _SETTLED:
        return "gap"
    if any(id in wrong for id in entry.claims):
        return "refuted"
    return "ambiguous" if any(id in unclear for id in entry.claims) else "decided"


def _row(
    entry: Annotation, state: str, found: str, missing: Sequence[str], links: Links, wrong: Collection[str]
) -> RowView:
    if found == IN_PART:
        because = f"in part: no claim depends on {joined(missing, 'or')}"
    elif state == "gap" or entry.reason is not None:
        because = f"{found}: {entry.because}" if entry.because else found
    else:
        because = ""
    return RowView(
        escape(f"row {entry.ordinal}" + ("" if entry.label is None else f" {entry.label}")),
        escape(entry.kind),
        escape(entry.says),
        state,
        escape(because),
        tuple(Tex(f"{_reference(id, links)}{'*' if id in wrong else ''}") for id in entry.claims),
        label(f"{entry.section}.{entry.ordinal}").removeprefix("grpo:"),
        entry.digest,
    )


def _reference(id: str, links: Links) -> Tex:
    return links.reference(id) if links.target(id) is not None else code(id)


def part_title(section: str) -> str:
    """What a part of a paper is called."""
    if section[0].isdecimal():
        return f"Section {section}"
    return f"Appendix {section}" if len(section.split(".")[0]) == 1 else section
