"""How the page says what a quote is: printed, abridged or in words, and how what was judged was got from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.quotes import Standing, counts_in_words, reading_of
from grpo_symbolic.readback.readings import QuoteRead, Reading
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.tex import Tex, escape
from grpo_symbolic.report.verification import badge

_BADGES = {
    "are supported": Verdict.SUPPORTED,
    "is supported": Verdict.SUPPORTED,
    "are undecided": Verdict.UNDECIDED,
    "is undecided": Verdict.UNDECIDED,
    "are refuted": Verdict.REFUTED,
    "is refuted": Verdict.REFUTED,
}


def quote_lead(read: QuoteRead | None) -> Tex:
    """The word before a quote: what is not as it is printed is not said to be printed."""
    if read is not None and read.in_words:
        return Tex(r"\grpolead{In words}")
    abridged = read is not None and read.reading is Reading.ABRIDGED
    return Tex(r"\grpolead{Printed, abridged here}" if abridged else r"\grpolead{Printed}")


def quote_reading(read: QuoteRead | None, links: Links, found: Standing | None) -> Tex | None:
    """What was judged in the place of a quote, in a sentence; None if it is just what was read."""
    reading = reading_of(read)
    why = "" if read is None else read.why
    if reading in (Reading.PRINTED, Reading.ABRIDGED) or not why:
        return None
    holds = found in (Standing.PART, Standing.INTERPRETED)
    said = f"It {found.value}" if holds and found is not None else f"Judged {reading.value}"
    return links.prose(f"{said}: {why}.")


def quote_counts(counted: Mapping[Standing, int], quotes: Mapping[str, QuoteRead]) -> Tex:
    """How much of what the papers print was judged, with what outcome, and how it was got from what is printed."""
    if not counted:
        return Tex(
            "Nothing that the papers print is quoted, so nothing of it was judged; "
            r"\texttt{claim(..., printed=paper.quote(...))} has it judged beside the claim."
        )
    parts = [_with_badge(part) for part in counts_in_words(counted)]
    ways = Counter(reading_of(read) for read in quotes.values())
    told = ", ".join(str(escape(f"{ways[way]} {way.value}")) for way in Reading)
    return Tex(
        f"Of {sum(counted.values())} formulas and statements that the papers print, {', '.join(parts)}. "
        f"What was judged was got from them by our own reader of LaTeX or, as interpreted, typed by hand: {told}."
    )


def _with_badge(part: str) -> str:
    count, words = part.split(" ", 1)
    if words not in _BADGES:
        return str(escape(part))
    return f"{count} {words.split()[0]} {badge(_BADGES[words])}"
