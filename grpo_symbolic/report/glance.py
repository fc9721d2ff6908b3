"""Which of a paper's numbered statements stand as printed, for a reader who looks for one of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grpo_symbolic.coverage.score import Covered
from grpo_symbolic.derivation.about import numbers_named
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.dependants import Fate, blast_radius
from grpo_symbolic.judging.errata import is_erratum
from grpo_symbolic.report.coverage import in_order
from grpo_symbolic.report.tex import Tex, escape

if TYPE_CHECKING:
    from grpo_symbolic.judging.claims import Judged

_SETTLED = (Verdict.PROVED.value, Verdict.DECIDED.value)
_SHAKEN = (Fate.FALLS, Fate.RESTRICTED)
_NUMBERED = re.compile(r"\((\d+)\)|(.+) (\d+)")


@dataclass(frozen=True)
class GlanceView:
    """Numbers of statements that stand, with an erratum, with another one's, and not settled; None if none.

    ``assuming`` are those that stand for which a claim rests on an assumption.
    """

    fine: Tex | None
    assuming: Tex | None
    wrong: Tex | None
    falling: Tex | None
    open: Tex | None


def glance(covered: Covered, judged: Mapping[str, Judged]) -> GlanceView:
    """Sort the numbers of a paper by what became of all lines that have them.

    A number has an erratum if one of the paper's errata is at a place that names the number: this may be its proof or
    caption, whatever line that is tied to. It falls with an erratum if what the paper concludes from the wrong formula
    is at such a place, and does not survive or does so only under the hypothesis that is missing.
    """
    outcomes: dict[str, list[str]] = {}
    assuming: set[str] = set()
    errata = [id for id, item in judged.items() if item.claim.id.startswith(f"{covered.coverage.paper.id}.")]
    errata = [id for id in errata if is_erratum(judged[id])]
    places = [printed.where for id in errata if (printed := judged[id].claim.printed) is not None]
    shaken = [found.place for id in errata for found in blast_radius(id, judged) if found.outcome in _SHAKEN]
    for entry, outcome in zip(covered.coverage.entries, covered.outcomes, strict=True):
        if entry.label is None or not entry.counts:
            continue
        outcomes.setdefault(entry.label, []).append(outcome)
        if any(id in judged and (judged[id].claim.assumes or judged[id].claim.assumed) for id in entry.claims):
            assuming.add(entry.label)
    wrong = outcomes.keys() & {name for place in places for name in numbers_named(place)}
    falling = (outcomes.keys() & {name for place in shaken for name in numbers_named(place)}) - wrong
    open_ = {name for name, found in outcomes.items() if not set(found) <= set(_SETTLED)} - wrong - falling
    names = sorted(outcomes, key=in_order)
    return GlanceView(
        _listed([name for name in names if name not in wrong | falling | open_]),
        _listed([name for name in names if name in assuming - wrong - falling - open_]),
        _listed([name for name in names if name in wrong]),
        _listed([name for name in names if name in falling]),
        _listed([name for name in names if name in open_]),
    )


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
