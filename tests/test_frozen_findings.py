"""No erratum and no ambiguous sentence is lost without a reason: those that were found stand in a table."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from grpo_symbolic.derivation.library import Library
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.ledger import entries

TABLE = Path(__file__).with_name("frozen_findings.toml")
KINDS = ("erratum", "ambiguous")
#: Words that a reason has at least: fewer say nothing that a reader could check.
REASON = 5

#: Paper, place, quote and kind.
Finding = tuple[str, str, str, str]
Table = Mapping[str, Sequence[Mapping[str, str]]]


def frozen(table: Table) -> Iterator[Finding]:
    for kind in KINDS:
        for row in table.get(kind, ()):
            yield row["paper"], row["place"], row["quote"], kind


def departed(table: Table) -> Iterator[Finding]:
    for row in table.get("departed", ()):
        if len(row["reason"].split()) < REASON:
            raise ValueError(f"{row['place']}: say why it is found no longer, not {row['reason']!r}")
        if row["kind"] not in KINDS:
            raise ValueError(f"{row['place']}: kind {row['kind']!r}; known: {', '.join(KINDS)}")
        yield row["paper"], row["place"], row["quote"], row["kind"]


def found(library: Library) -> Iterator[Finding]:
    """What the ledgers, which another test compares with the verdicts, say is refuted as printed."""
    recorded = entries(library)
    for result in library.results:
        for made in library.claims_of[result.module]:
            quote = made.printed
            if quote is not None and recorded[made.id].printed is Verdict.REFUTED:
                kind = "ambiguous" if quote.another_reading else "erratum"
                yield result.paper.id, quote.where, quote.latex, kind


def departures(table: Table, now: Sequence[Finding]) -> tuple[set[Finding], set[Finding], set[Finding]]:
    """What was lost without a reason, what is new and not yet frozen, and what departed but is still found."""
    kept, gone = set(frozen(table)), set(departed(table))
    return kept - set(now), set(now) - kept, gone & set(now)


@pytest.fixture(scope="module")
def table():
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def test_nothing_is_lost_without_a_reason(table, library):
    lost, new, still_there = departures(table, list(found(library)))
    assert not lost, "found no longer: move these rows to [[departed]] with a reason"
    assert not new, "found and not frozen: add these rows"
    assert not still_there, "departed, but still found: move these rows back"


def test_no_row_stands_twice(table):
    rows = [*frozen(table), *departed(table)]
    assert [row for row, count in Counter(rows).items() if count > 1] == []


@pytest.mark.parametrize("field", ["place", "quote"])
def test_what_is_reworded_or_moved_is_missed(table, library, field):
    first, *others = table["erratum"]
    changed = {**table, "erratum": [{**first, field: first[field] + " "}, *others]}
    lost, new, _ = departures(changed, list(found(library)))
    assert (len(lost), len(new)) == (1, 1)


def test_an_erratum_that_becomes_ambiguous_is_missed(table, library):
    first, *others = table["erratum"]
    changed = {**table, "erratum": others, "ambiguous": [*table["ambiguous"], first]}
    lost, new, _ = departures(changed, list(found(library)))
    assert (len(lost), len(new)) == (1, 1)


def test_a_departure_needs_a_reason():
    row = {"paper": "p", "place": "Eq. (1)", "quote": "x", "kind": "erratum", "reason": "mended"}
    with pytest.raises(ValueError, match="say why"):
        list(departed({"departed": [row]}))
    assert list(departed({"departed": [{**row, "reason": "the quote had been typed with a sign lost"}]}))
