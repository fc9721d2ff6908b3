"""The table of contents: every result with its size, its errata and whatever is not decided in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.errata import is_erratum
from grpo_symbolic.judging.methods import fewest_digits
from grpo_symbolic.report.numerals import number
from grpo_symbolic.report.sections import ChapterView, Part
from grpo_symbolic.report.tex import Tex
from grpo_symbolic.report.verification import badge

if TYPE_CHECKING:
    from grpo_symbolic.judging.claims import Judged

COLUMNS = (Verdict.PROVED, Verdict.DECIDED, Verdict.SUPPORTED, Verdict.UNDECIDED, Verdict.REFUTED)
_NONE = Tex(r"\grponone")


@dataclass(frozen=True)
class ContentsRow:
    """A line of the contents: a chapter, or a result ``inside`` one with its size and what is notable about it."""

    title: Tex
    label: Tex
    inside: bool
    size: Tex | None
    notes: tuple[Tex, ...]


def contents(
    chapters: Sequence[ChapterView], parts: Sequence[Sequence[Part]], judged: Mapping[str, Judged]
) -> Iterator[ContentsRow]:
    """One row for each chapter and for each result; a chapter that is one result has one row."""
    for view, inside in zip(chapters, parts, strict=True):
        headed = view.results[0].headed
        if headed:
            yield ContentsRow(view.title, view.label, False, None, ())
        for shown, (_, claims) in zip(view.results, inside, strict=True):
            yield ContentsRow(shown.title, shown.label, headed, _size(claims, judged), tuple(_notes(claims, judged)))


def _size(claims: Sequence[Claim], judged: Mapping[str, Judged]) -> Tex:
    steps = sum(id in judged for made in claims for id in made.step_ids)
    return Tex(f"{len(claims)}+{steps}" if steps else str(len(claims)))


def _notes(claims: Sequence[Claim], judged: Mapping[str, Judged]) -> Iterator[Tex]:
    """How many errata there are, and how many claims and steps with each verdict that settles nothing."""
    errata = sum(is_erratum(judged[made.id]) for made in claims)
    if errata:
        yield Tex("1 erratum" if errata == 1 else f"{errata} errata")
    counted = _verdicts(claims, judged)
    for verdict in COLUMNS[2:]:
        if counted[verdict]:
            yield Tex(f"{counted[verdict]} {badge(verdict)}")


def _verdicts(claims: Sequence[Claim], judged: Mapping[str, Judged]) -> Counter[Verdict]:
    steps = [step for made in claims for step in made.steps if step.id in judged]
    stated = [made for made in (*claims, *steps) if not made.assumed or judged[made.id].verdict is Verdict.REFUTED]
    return Counter(judged[made.id].verdict for made in stated)


def totals(claims: Sequence[Claim], judged: Mapping[str, Judged]) -> tuple[Tex, ...]:
    """Claims, steps, verdicts of both together, and the fewest digits of a numerical agreement."""
    steps = [step for made in claims for step in made.steps if step.id in judged]
    counted = _verdicts(claims, judged)
    digits = fewest_digits(judged[made.id] for made in (*claims, *steps))
    counts = [len(claims), len(steps), *(counted[verdict] for verdict in COLUMNS)]
    return (*(Tex(str(count)) if count else _NONE for count in counts), _NONE if digits is None else number(digits))
