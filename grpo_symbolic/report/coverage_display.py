"""What the terminal shows of a coverage: how much of each paper is settled, and which of its lines are not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table

from grpo_symbolic.coverage.rows import REASONS
from grpo_symbolic.coverage.score import IN_PART, Covered, Tally
from grpo_symbolic.report.lemmas import joined


def coverage_table(papers: Sequence[Covered]) -> Table:
    """One row for each kind of line: how many there are and how many are decided or proved."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("lines")
    for name in ("seen", "mathematics", "decided or proved", "share"):
        table.add_column(name, justify="right")
    for item in papers:
        table.add_section()
        seen = str(len(item.outcomes))
        table.add_row(item.coverage.paper.id, seen, *_counts(item.tally), style="bold")
        for form, found in item.forms.items():
            table.add_row(f"  {form}", "", *_counts(found))
        for way, count in item.read.items():
            table.add_row(f"  decided or proved {way}", "", "", str(count), "")
        for reason in REASONS:
            if item.reasons.get(reason):
                table.add_row(f"  tied to no claim: {reason}", str(item.reasons[reason]), "", "", "")
    return table


def _counts(found: Tally) -> tuple[str, str, str]:
    share = f"{100 * found.settled / found.rows:.1f} %" if found.rows else "·"
    return str(found.rows), str(found.settled), share


def unsettled_lines(papers: Sequence[Covered]) -> Iterator[str]:
    """One line for each row that is mathematics and neither decided nor proved."""
    for item in papers:
        for entry, found in item.unsettled:
            missing = item.missing.get(entry.place, ())
            because = f" ({entry.because})" if entry.because else ""
            if found == IN_PART:
                because = f" (no claim depends on {joined(missing, 'or')})"
            yield f"{item.coverage.paper.id}, {entry.place}: {found}{because}: {entry.says}"
