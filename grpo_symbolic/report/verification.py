"""What the checks found: one line below each claim, one row of the table at the end of each result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from grpo_symbolic.chain import Claim, steps_of
from grpo_symbolic.checks import composition, oracle
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.numerals import magnitude, seconds
from grpo_symbolic.report.tex import Tex, code, escape

if TYPE_CHECKING:
    from grpo_symbolic.judge import Judged, Judgement

_FINE = (Verdict.PROVED, Verdict.DECIDED)
_NONE = Tex(r"\grponone")


@dataclass(frozen=True)
class CheckRow:
    """A claim, a step that stands apart, or what is printed: which methods found what about it."""

    name: Tex
    id: Tex
    methods: Tex
    badge: Tex
    digits: Tex
    points: Tex
    agreement: Tex
    seconds: Tex


@dataclass(frozen=True)
class _Figures:
    """How well both sides were seen to agree, or to differ, at the worst of all points."""

    digits: int | None
    points: int | None
    residual: Decimal | None
    gap: Decimal | None

    def agreement(self, residual: str) -> str:
        """Residual, called so, or gap; a residual says more where there are both."""
        if self.residual is not None:
            return residual + magnitude(self.residual)
        return "" if self.gap is None else f"gap {magnitude(self.gap)}"


def badge(verdict: Verdict) -> Tex:
    """The mark of a verdict in the report."""
    return Tex(rf"\grpobadge{{{verdict.value.lower()}}}")


def checked(made: Claim, judged: Mapping[str, Judged]) -> Tex | None:
    """One line on the methods that spoke about a claim and about its steps; None if there were none."""
    own = judged[made.id].alone
    steps = sum(step.id in judged for step in steps_of(made))
    parts = _with_figures(own.evidence, steps)
    if steps and composition.METHOD not in _methods(own.evidence):
        parts.append(_count(steps, "step"))
    # The front page lists what was not available; here it matters only where something is still open.
    if judged[made.id].verdict not in _FINE and own.skipped:
        parts.append("skipped: " + ", ".join(skipped.method for skipped in own.skipped))
    return Tex("; ".join(parts)) if parts else None


def _with_figures(evidence: Sequence[Evidence], steps: int) -> list[str]:
    """The methods that found something, with figures for those that computed; nothing if there are none."""
    shown = []
    for method in _methods(evidence):
        mine = [item for item in evidence if item.method == method]
        found = _figures(mine)
        details: list[str] = [escape(mine[0].note)] if method == oracle.METHOD and mine[0].note else []
        details += [] if found.points is None else [_count(found.points, "point")]
        details += [] if found.digits is None else [_count(found.digits, "digit")]
        agreement = found.agreement("residual ")
        details += [agreement] if agreement else []
        name = {
            oracle.METHOD: "brute force",
            composition.METHOD: f"{composition.METHOD} of {_count(steps, 'step')}",
        }.get(method, escape(method))
        shown.append(f"{name} ({', '.join(details)})" if details else name)
    return [", ".join(shown)] if shown else []


def _methods(evidence: Iterable[Evidence]) -> list[str]:
    """The methods that found something, in the order in which they were asked."""
    return list(dict.fromkeys(item.method for item in evidence if item.verdict is not Verdict.UNDECIDED))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _figures(evidence: Sequence[Evidence]) -> _Figures:
    residuals = [Decimal(item.worst_residual) for item in evidence if item.worst_residual is not None]
    gaps = [Decimal(item.smallest_gap) for item in evidence if item.smallest_gap is not None]
    return _Figures(
        min((item.digits for item in evidence if item.digits is not None), default=None),
        min((item.points for item in evidence if item.points is not None), default=None),
        max(residuals, default=None),
        min(gaps, default=None),
    )


def check_rows(made: Claim, judged: Mapping[str, Judged], links: Links) -> tuple[CheckRow, ...]:
    """The row of a claim, then rows for what stands apart: steps that are not decided, and a refuted quote.

    The figures of a claim's row are the worst over the claim and those of its steps that have no row.
    """
    own = judged[made.id]
    steps = [(f"step {number}", judged[step.id]) for number, step in _numbered(made) if step.id in judged]
    apart = [(name, step) for name, step in steps if step.verdict not in _FINE]
    covered = [step.alone for _, step in steps if step.verdict in _FINE]
    verdict = Tex(r"\grpobadge{assumed}") if made.assumed else badge(own.verdict)
    slug = code(made.id.partition(".")[2])
    if covered:
        slug = Tex(f"{slug}, {_count(len(covered), 'step')}")
    rows = [_row(links.reference(made.id), slug, verdict, [own.alone, *covered])]
    rows += [_row(Tex(name), Tex(""), badge(step.verdict), [step.alone]) for name, step in apart]
    if made.printed is not None and own.printed is not None and own.printed.verdict is not own.verdict:
        rows.append(_row(Tex("printed"), escape(made.printed.where), badge(own.printed.verdict), [own.printed]))
    return tuple(rows)


def _numbered(made: Claim) -> Iterable[tuple[int, Claim]]:
    return enumerate(steps_of(made), start=1)


def _row(name: Tex, id: Tex, verdict: Tex, judgements: Sequence[Judgement]) -> CheckRow:
    evidence = [item for judgement in judgements for item in judgement.evidence]
    found = _figures([item for item in evidence if item.method == "numeric"] or evidence)
    return CheckRow(
        name,
        id,
        escape(", ".join(_methods(evidence)) or "none"),
        verdict,
        _NONE if found.digits is None else Tex(str(found.digits)),
        _NONE if found.points is None else Tex(str(found.points)),
        Tex(found.agreement("")) or _NONE,
        seconds(sum(judgement.seconds for judgement in judgements)),
    )
