"""What became of the formulas and sentences that papers print: the verdict on each, and what it is a verdict on.

That a quote *holds as printed* is said only where its LaTeX was read and found to say what was judged. Of a quote that
was interpreted the verdict is one on what somebody typed for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from functools import partial
from typing import Any, cast

from grpo_symbolic.cache.store import Json
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.readback.printed import Outcome
from grpo_symbolic.readback.readings import QuoteRead, Reading, check_quotes, read_quotes


class Standing(Enum):
    """What became of what a paper prints."""

    PRINTED = "holds as printed"
    ABRIDGED = "holds as abridged"
    PART = "holds as far as it was read"
    INTERPRETED = "holds as interpreted"
    SUPPORTED = "is supported"
    UNDECIDED = "is undecided"
    AMBIGUOUS = "is ambiguous"
    ERRATUM = "is refuted"


_HOLDS = {
    Reading.PRINTED: Standing.PRINTED,
    Reading.ABRIDGED: Standing.ABRIDGED,
    Reading.PART: Standing.PART,
    Reading.INTERPRETED: Standing.INTERPRETED,
}
_OPEN = {Verdict.SUPPORTED: Standing.SUPPORTED, Verdict.UNDECIDED: Standing.UNDECIDED}
_MANY = {
    Standing.PRINTED: "hold as printed",
    Standing.ABRIDGED: "hold as abridged",
    Standing.PART: "hold as far as they were read",
    Standing.INTERPRETED: "hold as interpreted",
    Standing.SUPPORTED: "are supported",
    Standing.UNDECIDED: "are undecided",
    Standing.AMBIGUOUS: "are ambiguous",
    Standing.ERRATUM: "are refuted",
}


def quotes_of(library: Library, selected: Collection[str], fragments: Fragments | None = None) -> dict[str, QuoteRead]:
    """What became of the quotes of the selected claims, read from their LaTeX or kept from an earlier run.

    Raises:
        LibraryError: if one of them says something else than the statement typed beside it, or was not read and is not
            listed with what it is taken to mean.
    """
    fragments = Fragments(None) if fragments is None else fragments
    read: dict[str, QuoteRead] = {}
    for result in library.results:
        claims = library.claims_of[result.module]
        wanted = tuple(made.id for made in claims if made.printed is not None and made.id in selected)
        if wanted:
            content = (result.paper.id, claims, wanted)
            make = partial(read_quotes, [(result, claims)], wanted)
            notation = () if result.folder is None else result.folder.glob("*.toml")
            found: dict[str, QuoteRead] = fragments.kept("quotes", content, make, _written, _restored, notation)
            read |= found
    check_quotes(library.claims, read)
    return read


def _written(read: dict[str, QuoteRead]) -> Json:
    found: dict[str, Json] = {}
    for id, item in read.items():
        outcome, reading = item.outcome, None if item.reading is None else item.reading.value
        found[id] = [outcome.status, outcome.reason, outcome.read, reading, item.in_words]
    return found


def _restored(value: Json) -> dict[str, QuoteRead]:
    read: dict[str, QuoteRead] = {}
    for id, (status, reason, found, reading, in_words) in cast("dict[str, list[Any]]", value).items():
        how = None if reading is None else Reading(reading)
        read[id] = QuoteRead(Outcome(status, reason, found), how, in_words)
    return read


def standing(claim: Claim, verdict: Verdict, printed: Verdict, reading: Reading) -> Standing:
    """What became of the quote of a claim, by the verdicts on the claim and on what is printed in its place."""
    if printed in STANDING:
        return _HOLDS[reading]
    if printed is not Verdict.REFUTED:
        return _OPEN[printed]
    ambiguous = claim.printed is not None and claim.printed.another_reading and verdict in STANDING
    return Standing.AMBIGUOUS if ambiguous else Standing.ERRATUM


def reading_of(read: QuoteRead | None) -> Reading:
    """How what was judged was got from a quote; what nobody has read is an interpretation."""
    return Reading.INTERPRETED if read is None or read.reading is None else read.reading


def readings_of(judged: Iterable[Judged], read: Mapping[str, QuoteRead]) -> dict[str, Reading]:
    """How what was judged was got from the quotes of some claims, by id."""
    return {item.claim.id: reading_of(read.get(item.claim.id)) for item in judged if item.printed is not None}


def standing_of(judged: Judged, read: QuoteRead | None) -> Standing | None:
    """The same of a judged claim; None if it quotes nothing."""
    if judged.printed is None:
        return None
    return standing(judged.claim, judged.verdict, judged.printed.verdict, reading_of(read))


def standings(judged: Iterable[Judged], read: Mapping[str, QuoteRead]) -> Counter[Standing]:
    """How often each of them occurs among some claims."""
    found = (standing_of(item, read.get(item.claim.id)) for item in judged)
    return Counter(item for item in found if item is not None)


def counts_in_words(counted: Mapping[Standing, int]) -> list[str]:
    """Counts such as ``3 hold as printed``, without those that are 0 except the first."""
    shown = [(item, counted.get(item, 0)) for item in Standing]
    return [f"{count} {_said(item, count)}" for item, count in shown if count or item is Standing.PRINTED]


def _said(item: Standing, count: int) -> str:
    return item.value if count == 1 else _MANY[item]
