"""What the checks found: one line below each claim, one row of the table at the end of each result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from grpo_symbolic.checks import oracle
from grpo_symbolic.checks.deciding import COMPOSITION
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import STANDING, Evidence, Verdict
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.numerals import magnitude, seconds
from grpo_symbolic.report.tex import Tex, escape

if TYPE_CHECKING:
    from grpo_symbolic.judging.claims import Judged
    from grpo_symbolic.judging.verdicts import Judgement

_NONE = Tex(r"\grponone")
_SAMPLING = "numeric"


@dataclass(frozen=True)
class CheckRow:
    """A claim, a step that stands apart, or what is printed: which methods found what about it.

    The ``badge`` is empty if the verdict is DECIDED, as nearly everywhere.
    """

    name: Tex
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
        if self.gap is None:
            return ""
        # Where both sides are equal, rounding in the guard digits may leave less than nothing.
        rounding = self.digits is not None and -(Decimal(10) ** -self.digits) < self.gap < 0
        return f"gap {magnitude(Decimal(0) if rounding else self.gap)}"


def badge(verdict: Verdict) -> Tex:
    """The mark of a verdict in the report."""
    return Tex(rf"\grpobadge{{{verdict.value.lower()}}}")


def standing(item: Judged) -> Tex:
    """The mark of a claim: its verdict, and whether it is assumed or holds under assumptions only."""
    refuted = item.verdict is Verdict.REFUTED
    if item.claim.assumed:
        return Tex(r"\grpobadge{assumed}" + (f", {badge(item.verdict)}" if refuted else ""))
    if refuted or not item.claim.assumes:
        return badge(item.verdict)
    words = "an assumption" if len(item.claim.assumes) == 1 else f"{len(item.claim.assumes)} assumptions"
    return Tex(f"{badge(item.verdict)} under {words}")


def is_open(item: Judged) -> bool:
    """Whether a claim is not settled; an assumption counts only if it is refuted, a stated falsehood unless it is."""
    if item.claim.assumed or item.claim.refuted is not None:
        return (item.verdict is Verdict.REFUTED) == item.claim.assumed
    return item.verdict not in STANDING


def is_settled(item: Judged) -> bool:
    """Whether a claim is decided or proved without assumptions, so that its verdict need not be named."""
    return item.verdict in STANDING and not item.claim.assumes and not item.claim.assumed


def checked(made: Claim, judged: Mapping[str, Judged]) -> Tex | None:
    """One line on the methods that spoke about a claim and about its steps; None if there were none.

    Of a claim that is decided, the table at the end of its result says how well it was sampled.
    """
    own = judged[made.id].alone
    steps = sum(id in judged for id in made.step_ids)
    parts = _with_figures(own.evidence, steps, sampled=judged[made.id].verdict not in STANDING)
    if steps and COMPOSITION not in _methods(own.evidence):
        parts.append(_count(steps, "step"))
    # The front page lists what was not available; here it matters only where something is still open.
    if judged[made.id].verdict not in STANDING and own.skipped:
        parts.append("skipped: " + ", ".join(skipped.method for skipped in own.skipped))
    return Tex("; ".join(parts)) if parts else None


def _with_figures(evidence: Sequence[Evidence], steps: int, *, sampled: bool) -> list[str]:
    """The methods that found something, with figures for those that computed; nothing if there are none.

    The figures of sampling are left out unless ``sampled``.
    """
    shown = []
    for method in _methods(evidence):
        mine = [item for item in evidence if item.method == method]
        found = _figures(mine)
        details: list[str] = [escape(mine[0].note)] if method == oracle.METHOD and mine[0].note else []
        zeros = [item.zero for item in mine if item.zero is not None]
        details += [escape(f"interval Newton: {', '.join(zeros)}")] if zeros else []
        details += [] if found.points is None else [_count(found.points, "point")]
        details += [] if found.digits is None else [_count(found.digits, "digit")]
        agreement = found.agreement("residual ")
        details += [agreement] if agreement else []
        details = details if sampled or method != _SAMPLING else []
        name = {
            oracle.METHOD: "brute force",
            COMPOSITION: f"{COMPOSITION} of {_count(steps, 'step')}",
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
    apart = [(name, step) for name, step in steps if step.verdict not in STANDING]
    covered = [step.alone for _, step in steps if step.verdict in STANDING]
    verdict = standing(own) if made.assumed else badge(own.verdict)
    rows = [_row(links.reference(made.id), verdict, [own.alone, *covered], len(covered))]
    rows += [_row(Tex(name), badge(step.verdict), [step.alone]) for name, step in apart]
    if made.printed is not None and own.printed is not None and own.printed.verdict is not own.verdict:
        rows.append(_row(Tex("printed"), badge(own.printed.verdict), [own.printed]))
    return tuple(rows)


def _numbered(made: Claim) -> Iterable[tuple[int, Claim]]:
    return enumerate(made.steps, start=1)


def _row(name: Tex, verdict: Tex, judgements: Sequence[Judgement], steps: int = 0) -> CheckRow:
    evidence = [item for judgement in judgements for item in judgement.evidence]
    found = _figures([item for item in evidence if item.method == _SAMPLING] or evidence)
    # That steps compose to the claim is said by their number.
    methods = ", ".join(name for name in _methods(evidence) if not steps or name != COMPOSITION) or "none"
    return CheckRow(
        name,
        Tex(f"{escape(methods)}; {_count(steps, 'step').replace(' ', '~')}") if steps else escape(methods),
        Tex("") if verdict == badge(Verdict.DECIDED) else verdict,
        _NONE if found.digits is None else Tex(str(found.digits)),
        _NONE if found.points is None else Tex(str(found.points)),
        Tex(found.agreement("")) or _NONE,
        seconds(sum(judgement.seconds for judgement in judgements)),
    )
