"""What checking a paper would notice, in words, as a table and as data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grpo_symbolic.referee.extents import cut
from grpo_symbolic.referee.planting import KINDS
from grpo_symbolic.referee.power import Fate, Planted, Power
from grpo_symbolic.referee.screen import printable

#: Version of the JSON.
SCHEMA = 1


@dataclass(frozen=True)
class Counts:
    """How many errors were planted and what became of them; ``false`` made a true step false, ``harmless`` did not."""

    planted: int
    caught: int
    refused: int
    open: int
    missed: int
    open_false: int
    missed_false: int
    harmless: int
    undefined: int
    unknown: int
    repaired: int
    restored: int

    @classmethod
    def of(cls, planted: Sequence[Planted]) -> Counts:
        """Count some planted errors."""

        def count(test: Callable[[Planted], bool]) -> int:
            return sum(map(test, planted))

        return cls(
            len(planted),
            count(lambda one: one.fate is Fate.CAUGHT),
            count(lambda one: one.fate is Fate.REFUSED),
            count(lambda one: one.fate is Fate.OPEN),
            count(lambda one: one.fate is Fate.MISSED),
            count(lambda one: one.fate is Fate.OPEN and one.error),
            count(lambda one: one.fate is Fate.MISSED and one.error),
            count(lambda one: one.fate is not Fate.REFUSED and one.false is False),
            count(lambda one: one.fate is Fate.OPEN and one.false is None and one.code == "domain"),
            count(lambda one: one.fate in (Fate.OPEN, Fate.MISSED) and one.false is None and one.code != "domain"),
            count(lambda one: one.repair is not None),
            count(lambda one: one.restored),
        )

    @property
    def false(self) -> int:
        """How many are known to have made a true step false, among what was understood."""
        return self.caught + self.open_false + self.missed_false


def summary(power: Power) -> str:
    """The one line that says what it means."""
    counts = Counts.of(power.planted)
    if not power.standing:
        return f"{power.file}: no step is asserted and holds, so there is nothing in which an error could be planted"
    if not counts.planted:
        return f"{power.file}: nothing in the steps that hold is typed so that an error could be planted in it"
    if not counts.false:
        return f"{power.file}: none of {counts.planted} planted changes is known to have made a true step false"
    return (
        f"{power.file}: of {counts.false} planted {'error' if counts.false == 1 else 'errors'} that made a true step "
        f"false, {counts.caught} would have been caught"
    )


def remarks(power: Power) -> Iterator[str]:
    """What else should be known of a run: what was not counted in the one line, and the repairs."""
    counts = Counts.of(power.planted)
    if counts.refused:
        yield f"{counts.refused} more would have been pointed at: the changed step is NOT UNDERSTOOD any more"
    if counts.harmless:
        yield f"{counts.harmless} {'is' if counts.harmless == 1 else 'are'} no error: what is true stays true"
    if counts.undefined:
        yield f"{counts.undefined} would have been left open for the reason that a side has no value"
    if counts.unknown:
        yield f"{counts.unknown} could not be evaluated, so that nobody knows whether they are errors"
    if counts.caught:
        yield (
            f"for {counts.repaired} of the {counts.caught} that would have been caught a repair is offered, and "
            f"{counts.restored} of these lead back to what stood there"
        )
    for one in power.planted:
        if one.error and one.fate in (Fate.OPEN, Fate.MISSED):
            told = f"{one.status.value}" + (f" [{one.code}]" if one.code else "")
            yield f"not caught: {one.place}: {_shown(one.old)} -> {_shown(one.new)} ({one.kind}): {told}"
    if power.limited is not None:
        yield f"reading this paper takes so long that no more than {power.limited} errors were planted"
    if power.proposed:
        yield "no notation was declared, so that domains are guesses; a map makes more of this certain"


def _shown(text: str) -> str:
    return cut(" ".join(text.split())) or "nothing"


def show(screen: Console, power: Power) -> None:
    """Print the table, the one line that says what it means, and what else should be known."""
    for warning in power.warnings:
        screen.print(printable(f"map: {warning}"), soft_wrap=True)
    for problem in power.problems:
        screen.print(printable(f"not followed: {problem}"), soft_wrap=True)
    if power.planted:
        screen.print(table(power))
    screen.print(Text(printable(summary(power)), style="bold"), soft_wrap=True)
    for said in remarks(power):
        screen.print(printable(said), soft_wrap=True)


def table(power: Power) -> Table:
    """A row for each kind of error that was planted, and one for all."""
    shown = Table(
        title=printable(f"Errors planted in {power.file}, one at a time (seed {power.seed})"), title_justify="left"
    )
    shown.add_column("kind")
    for name in ("planted", "caught", "refused", "open", "missed", "of which false", "no error", "repaired", "rightly"):
        shown.add_column(name, justify="right")
    kinds = [kind for kind in KINDS if any(one.kind == kind for one in power.planted)]
    for kind in kinds:
        shown.add_row(kind, *_cells(Counts.of([one for one in power.planted if one.kind == kind])))
    shown.add_section()
    shown.add_row("all", *_cells(Counts.of(power.planted)), style="bold")
    return shown


def _cells(counts: Counts) -> Iterator[str]:
    numbers = (counts.planted, counts.caught, counts.refused, counts.open, counts.missed)
    yield from map(str, numbers)
    yield str(counts.open_false + counts.missed_false)
    yield from map(str, (counts.harmless, counts.repaired, counts.restored))


def as_json(power: Power) -> str:
    """The result as a JSON document, which ends in a line break; ``power.schema.json`` says what each field means."""
    return json.dumps(_data(power), indent=2, ensure_ascii=False) + "\n"


def _data(power: Power) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "file": power.file,
        "seed": power.seed,
        "proposed": power.proposed,
        "standing": power.standing,
        "possible": power.candidates,
        "limited": power.limited,
        "planted": [_planted_data(one) for one in power.planted],
        "kinds": {
            kind: _counts_data([one for one in power.planted if one.kind == kind])
            for kind in KINDS
            if any(one.kind == kind for one in power.planted)
        },
        "summary": {**_counts_data(power.planted), "text": summary(power)},
        "warnings": list(power.warnings),
        "problems": list(power.problems),
    }


def _counts_data(planted: Sequence[Planted]) -> dict[str, int]:
    counts = Counts.of(planted)
    return {
        "planted": counts.planted,
        "false": counts.false,
        **{fate.value: getattr(counts, fate.value) for fate in Fate},
        "open_false": counts.open_false,
        "missed_false": counts.missed_false,
        "no_error": counts.harmless,
        "no_value": counts.undefined,
        "unknown": counts.unknown,
        "repaired": counts.repaired,
        "restored": counts.restored,
    }


def _planted_data(one: Planted) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "file": one.place.file,
        "line": one.place.line,
        "column": one.place.column,
        "end_line": one.place.end_line,
        "end_column": one.place.end_column,
        "label": one.label,
        "step": one.step,
        "left": one.left,
        "relation": one.relation,
        "right": one.right,
        "old": one.old,
        "new": one.new,
        "outcome": one.fate.value,
        "verdict": one.status.value,
        "code": one.code or None,
        "reason": one.reason or None,
        "false": one.false,
        "repair": one.repair,
        "restored": one.restored,
    }
