"""How much of a paper is settled: each row of its coverage scored by the weakest claim that it is tied to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from grpo_symbolic.coverage.rows import FORMS, Annotation, Coverage
from grpo_symbolic.evidence import Verdict, weakest
from grpo_symbolic.readback.readings import Reading

#: The verdict on a claim and, if it has a quote, that on what is printed; by id.
Verdicts = Mapping[str, tuple[Verdict, Verdict | None]]

NOT_JUDGED = "not judged"
#: Its claims are settled, but some definition that it is about makes no difference to any of them.
IN_PART = "in part"
_SETTLED = (Verdict.PROVED.value, Verdict.DECIDED.value)


@dataclass(frozen=True)
class Tally:
    """How often each outcome occurred among some rows that are mathematics."""

    outcomes: Mapping[str, int]

    @property
    def rows(self) -> int:
        """All of them."""
        return sum(self.outcomes.values())

    @property
    def settled(self) -> int:
        """Those that are decided or proved."""
        return sum(self.outcomes.get(verdict, 0) for verdict in _SETTLED)


@dataclass(frozen=True)
class Covered:
    """A coverage with the outcome of each row, in the same order.

    ``readings`` say how what was judged was got from the quotes of the row's claims, the least faithful one; None if
    there is no quote. ``missing`` are, by the place of a row, the definitions that it is about and none of its claims
    depends on.
    """

    coverage: Coverage
    outcomes: tuple[str, ...]
    readings: tuple[Reading | None, ...]
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def tally(self) -> Tally:
        """The outcomes of all rows that are mathematics."""
        return Tally(Counter(found for entry, found in self._rows if entry.counts))

    @property
    def forms(self) -> dict[str, Tally]:
        """The same for identities, inequalities, limits, dynamics, definitions and the rest."""
        counted: dict[str, Counter[str]] = {form: Counter() for form in FORMS}
        for entry, found in self._rows:
            if entry.counts:
                counted[entry.form or FORMS[-1]][found] += 1
        return {form: Tally(outcomes) for form, outcomes in counted.items()}

    @property
    def read(self) -> dict[str, int]:
        """How many rows are decided or proved of a quote that was not read as it is printed, by how it was read."""
        settled = zip(self._rows, self.readings, strict=True)
        found = (way for (entry, what), way in settled if entry.counts and what in _SETTLED)
        counted = Counter(found)
        return {way.value: counted[way] for way in Reading if counted[way] and way is not Reading.PRINTED}

    @property
    def reasons(self) -> dict[str, int]:
        """How many rows are tied to no claim, by reason."""
        return dict(Counter(entry.reason for entry in self.coverage.entries if entry.reason is not None))

    @property
    def unsettled(self) -> tuple[tuple[Annotation, str], ...]:
        """The rows that are mathematics and neither decided nor proved, with what became of them."""
        return tuple((entry, found) for entry, found in self._rows if entry.counts and found not in _SETTLED)

    @property
    def _rows(self) -> Iterable[tuple[Annotation, str]]:
        return zip(self.coverage.entries, self.outcomes, strict=True)


def score(
    coverage: Coverage,
    verdicts: Verdicts,
    readings: Mapping[str, Reading],
    in_part: Mapping[str, Sequence[str]] | None = None,
) -> Covered:
    """Score every row of a coverage; ``readings`` are those of the claims that quote something, by id.

    ``in_part`` says which rows are settled in part at most, and what is missing there.
    """
    missing = {place: tuple(names) for place, names in (in_part or {}).items()}
    outcomes, ways = list[str](), list[Reading | None]()
    for entry in coverage.entries:
        found = outcome(entry, verdicts)
        outcomes.append(IN_PART if found in _SETTLED and entry.place in missing else found)
        ways.append(_reading([readings[id] for id in entry.claims if id in readings]))
    return Covered(coverage, tuple(outcomes), tuple(ways), missing)


def _reading(ways: Sequence[Reading]) -> Reading | None:
    """The least faithful of some ways to read a quote."""
    return max(ways, key=list(Reading).index, default=None)


def outcome(entry: Annotation, verdicts: Verdicts) -> str:
    """What became of a row: the weakest verdict of its claims and of what is printed in their place, or its reason.

    A refutation is a decision: what the paper prints there, or what a claim about it says, is known to be false.
    Refutations that nobody expected are findings of the ledger. A row is "not judged" if one of its claims was not.
    """
    if entry.reason is not None:
        return entry.reason
    if any(id not in verdicts for id in entry.claims):
        return NOT_JUDGED
    found = (verdict for id in entry.claims for verdict in verdicts[id] if verdict is not None)
    return weakest(Verdict.DECIDED if verdict is Verdict.REFUTED else verdict for verdict in found).value


def as_json(covered: Covered) -> dict[str, object]:
    """Counts and rows of a paper as they stand in ``results.json``."""
    tally = covered.tally
    return {
        "compared": covered.coverage.compared,
        "seen": len(covered.outcomes),
        "mathematics": tally.rows,
        "settled": tally.settled,
        "not_as_printed": covered.read,
        "forms": {
            form: {"rows": found.rows, "settled": found.settled, "outcomes": dict(found.outcomes)}
            for form, found in covered.forms.items()
        },
        "reasons": covered.reasons,
        "rows": [
            {
                "section": entry.section,
                "ordinal": entry.ordinal,
                "kind": entry.kind,
                "label": entry.label,
                "digest": entry.digest,
                "says": entry.says,
                "form": entry.form,
                "claims": list(entry.claims),
                "because": entry.because,
                "outcome": found,
                "missing": list(covered.missing.get(entry.place, ())),
                "reading": None if way is None else way.value,
            }
            for entry, found, way in zip(covered.coverage.entries, covered.outcomes, covered.readings, strict=True)
        ],
    }
