"""Which of a paper's numbered statements stand as printed, for a reader who looks for one of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grpo_symbolic.coverage.score import Covered
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.errata import is_erratum
from grpo_symbolic.report.coverage import in_order
from grpo_symbolic.report.tex import Tex, escape

if TYPE_CHECKING:
    from grpo_symbolic.judging.claims import Judged

_SETTLED = (Verdict.PROVED.value, Verdict.DECIDED.value)
_NUMBERED = re.compile(r"\((\d+)\)|(.+) (\d+)")


@dataclass(frozen=True)
class GlanceView:
    """Numbers of statements without an erratum, with one, and not settled; None where there are none.

    ``assuming`` are those without an erratum for which a claim rests on an assumption.
    """

    fine: Tex | None
    assuming: Tex | None
    wrong: Tex | None
    open: Tex | None


def glance(covered: Covered, judged: Mapping[str, Judged]) -> GlanceView:
    """Sort the numbers of a paper by what became of all lines that have them.

    A number has an erratum if a claim tied to one of its lines has one whose place names the number: this may be
    its proof or caption.
    """
    outcomes: dict[str, list[str]] = {}
    wrong: set[str] = set()
    assuming: set[str] = set()
    for entry, outcome in zip(covered.coverage.entries, covered.outcomes, strict=True):
        if entry.label is None or not entry.counts:
            continue
        outcomes.setdefault(entry.label, []).append(outcome)
        if any(_names(place, entry.label) for place in _places(entry.claims, judged)):
            wrong.add(entry.label)
        if any(id in judged and (judged[id].claim.assumes or judged[id].claim.assumed) for id in entry.claims):
            assuming.add(entry.label)
    open_ = {name for name, found in outcomes.items() if not set(found) <= set(_SETTLED)} - wrong
    names = sorted(outcomes, key=in_order)
    return GlanceView(
        _listed([name for name in names if name not in wrong | open_]),
        _listed([name for name in names if name in assuming - wrong - open_]),
        _listed([name for name in names if name in wrong]),
        _listed([name for name in names if name in open_]),
    )


def _places(ids: Iterable[str], judged: Mapping[str, Judged]) -> Iterator[str]:
    for id in ids:
        item = judged.get(id)
        if item is not None and is_erratum(item) and item.claim.printed is not None:
            yield item.claim.printed.where


def _names(place: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", place) is not None


def _listed(names: Collection[str]) -> Tex | None:
    """The numbers by kind, those that follow each other as a range."""
    kinds: dict[str, list[int]] = {}
    others = []
    for name in names:
        found = _NUMBERED.fullmatch(name)
        if found is None:
            others.append(name)
        else:
            kinds.setdefault(found[2] or "Equation", []).append(int(found[1] or found[3]))
    shown = [
        f"{kind}{'s' if len(numbers) > 1 else ''} {', '.join(_ranges(numbers))}" for kind, numbers in kinds.items()
    ]
    shown[1:1] = [", ".join(others)] if others else []
    return escape("; ".join(shown)) if shown else None


def _ranges(numbers: Sequence[int]) -> Iterator[str]:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    for run in runs:
        yield str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" if len(run) > 2 else f"{run[0]}, {run[1]}"
