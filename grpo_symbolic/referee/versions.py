"""Two versions of a paper compared: what was mended, what broke, what is still wrong, what is new.

Rows are the same if they have the same label, or else if the same stands in them, they have the same number, or they
stand alone between two rows that are the same.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from grpo_symbolic.referee.baseline import Former, Row
from grpo_symbolic.referee.findings import HOLDS, MEANINGS, UNCHECKED, WRONG, Status

#: Version of the JSON.
SCHEMA = 1
_WRONG = {Status.REFUTED.value, Status.NOT_AN_IDENTITY.value, Status.BROKEN.value}


class Kind(Enum):
    """What became of a row, the worst first."""

    BROKE = "broke"
    NEW = "new"
    LOST = "no longer checked"
    UNCHECKED = "new, not checked"
    STILL = "still wrong"
    MENDED = "mended"
    GONE = "gone"
    SETTLED = "settled"


#: What makes an exit code: what is worse than before.
WORSE = (Kind.BROKE, Kind.NEW, Kind.LOST, Kind.UNCHECKED)


@dataclass(frozen=True)
class Change:
    """What became of one row; one that is gone has no ``new``, one that was added no ``old``."""

    kind: Kind
    old: Row | None
    new: Row | None

    def __str__(self) -> str:
        row = self.new or self.old
        where = f"{row.place}: " if row is not None and row.place else ""
        name = "" if row is None else row.name
        was = f", {_said(self.old)} before" if self.old is not None else ""
        now = f", {_said(self.new)} now" if self.new is not None else ""
        return f"{self.kind.value}: {where}{name}{was}{now}"


def _said(row: Row) -> str:
    return f"{row.verdict} [{row.code}]" if row.code else row.verdict


@dataclass(frozen=True)
class Comparison:
    """Two versions and what became of the rows, the worst first."""

    old: Former
    new: Former
    changes: tuple[Change, ...]

    def exit_code(self, *, allow_unchecked: bool = False) -> int:
        """That of the worst that is worse than before, after ``MEANINGS``; 0 if nothing is."""
        worse = [one.new for one in self.changes if one.kind in WORSE and one.new is not None]
        codes = {MEANINGS[Status(row.verdict)].code(self.new.proposed, allow_unchecked) for row in worse}
        guessed = self.new.proposed and not self.old.proposed
        if guessed or (not self.new.rows and not allow_unchecked):
            codes.add(UNCHECKED)
        return next((code for code in (WRONG, UNCHECKED) if code in codes), HOLDS)

    @property
    def counts(self) -> Counter[Kind]:
        """How many rows became what."""
        return Counter(one.kind for one in self.changes)

    def lines(self) -> Iterator[str]:
        """Everything in words, the worst first, and a summary."""
        yield from map(str, self.changes)
        shown = (Kind.BROKE, Kind.NEW, Kind.STILL, Kind.MENDED)
        parts = [f"{self.counts[kind]} {kind.value}" for kind in Kind if self.counts[kind] or kind in shown]
        yield f"{self.old.name} and {self.new.name}: {'; '.join(parts)}"
        if self.new.proposed:
            yield f"no notation was declared: what is said of {self.new.name} rests on guesses"

    def as_json(self, exit_code: int) -> str:
        """Everything as a JSON document, which ends in a line break."""
        data = {
            "schema": SCHEMA,
            "old": {"file": self.old.name, "proposed": self.old.proposed},
            "new": {"file": self.new.name, "proposed": self.new.proposed},
            "changes": [{"kind": one.kind.value, "old": _row(one.old), "new": _row(one.new)} for one in self.changes],
            "summary": {"counts": {kind.value: self.counts[kind] for kind in Kind}, "exit_code": exit_code},
        }
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _row(row: Row | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {"place": row.place or None, "name": row.name, "verdict": row.verdict, "code": row.code or None}


def compare(old: Former, new: Former) -> Comparison:
    """Say of every row in which of the versions it fails or is open."""
    pairs = _paired(old.rows, new.rows)
    found: list[Change] = []
    for first, second in pairs:
        kind = _became(first, second)
        if kind is not None:
            found.append(Change(kind, first, second))
    order = list(Kind)
    return Comparison(old, new, tuple(sorted(found, key=lambda one: order.index(one.kind))))


def _paired(old: Sequence[Row], new: Sequence[Row]) -> Iterator[tuple[Row | None, Row | None]]:
    """Each row of one version with that of the other which is the same; None where there is none."""
    partner: dict[int, int] = {}
    for same in (_typed_and_labelled, _labelled, _typed, _numbered):
        _match(partner, list(map(same, old)), list(map(same, new)))
    taken = set(partner.values())
    # What stands alone between neighbours that are paired is the same row, typed otherwise.
    for index in range(len(old)):
        before = partner.get(index - 1, -1) if index else -1
        after = partner.get(index + 1, len(new)) if index + 1 < len(old) else len(new)
        known = (not index or index - 1 in partner) and (index + 1 == len(old) or index + 1 in partner)
        if index not in partner and known and after - before == 2 and before + 1 not in taken:
            partner[index] = before + 1
            taken.add(before + 1)
    for index, row in enumerate(old):
        yield row, new[partner[index]] if index in partner else None
    yield from ((None, row) for index, row in enumerate(new) if index not in taken)


def _typed(row: Row) -> object:
    return row.text


def _numbered(row: Row) -> object:
    return row.number


def _labelled(row: Row) -> object:
    """The label of a row; a printed number, in brackets, is none, since it changes with what stands before."""
    return None if row.number is None or row.number[0].startswith("(") else row.number


def _typed_and_labelled(row: Row) -> object:
    return row.text, row.number


def _match(partner: dict[int, int], old: Sequence[object], new: Sequence[object]) -> None:
    """Pair what is equal and not None, in order, with what is not paired yet."""
    taken = set(partner.values())
    places: defaultdict[object, list[int]] = defaultdict(list)
    for index, key in reversed(list(enumerate(new))):
        if key is not None and index not in taken:
            places[key].append(index)
    for index, key in enumerate(old):
        if key is not None and index not in partner and places[key]:
            partner[index] = places[key].pop()


def _became(old: Row | None, new: Row | None) -> Kind | None:
    was, now = _state(old), _state(new)
    if now == "wrong":
        return {"wrong": Kind.STILL, "good": Kind.BROKE}.get(was, Kind.NEW)
    if now == "open":
        return {"absent": Kind.UNCHECKED, "open": None}.get(was, Kind.LOST)
    if now == "absent":
        return Kind.GONE if was == "wrong" else None
    return {"wrong": Kind.MENDED, "open": Kind.SETTLED}.get(was)


def _state(row: Row | None) -> str:
    if row is None:
        return "absent"
    if row.ignored or row.good:
        return "good"
    return "wrong" if row.verdict in _WRONG else "open"
