"""Compare a claim with an independent brute-force program. Awards SUPPORTED or REFUTED, never more."""

from __future__ import annotations

from fractions import Fraction

import mpmath

from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.naming import symbols_in
from grpo_symbolic.evidence import Evidence, Verdict, Witness
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.points.sampling import sample_points

METHOD = "oracle"
#: What its evidence is about: the claim compared with a program, whatever the claim expands to.
LABEL = "brute force"

_MARGIN = Fraction(1, 50)

_HOLDS = {
    "=": lambda gap, tolerance: abs(gap) <= tolerance,
    "<": lambda gap, tolerance: gap < 0,
    "<=": lambda gap, tolerance: gap <= tolerance,
    ">": lambda gap, tolerance: gap > 0,
    ">=": lambda gap, tolerance: gap >= -tolerance,
}


def check(claim: Claim, settings: Settings) -> Evidence | None:
    """Run the claim's oracle at seeded points of moderate size; None if it has no oracle.

    Points are those at which brute force is well conditioned: no coordinate is nearer than 1/50 to the
    edge of its domain or beyond 50, because the oracle differentiates numerically.
    """
    oracle = claim.oracle
    if oracle is None:
        return None
    context = mpmath.MPContext()
    context.dps = max(60, 4 * oracle.digits)
    tolerance = context.mpf(10) ** -oracle.digits
    used, worst = 0, context.zero
    worst_at: tuple[tuple[str, str], ...] = ()
    for point in sample_points(symbols_in(claim), 40 * oracle.points, settings.seed):
        if used == oracle.points:
            break
        if any(_extreme(symbol.domain, value) for symbol, value in point.items()):
            continue
        values = {symbol.name: context.mpf(value.numerator) / value.denominator for symbol, value in point.items()}
        left, right = oracle.compare(values, context)
        used += 1
        gap = (left - right) / max(abs(left), abs(right), context.one)
        at = tuple((symbol.name, str(value)) for symbol, value in point.items())
        if not _HOLDS[oracle.relation](gap, tolerance):
            witness = Witness(at, context.nstr(left, 20), context.nstr(right, 20))
            note = f"{oracle.description}: the two sides are not related by {oracle.relation}"
            return award(METHOD, Verdict.REFUTED, LABEL, claim, note, witness=witness, points=used)
        if abs(gap) >= worst:
            worst, worst_at = abs(gap), at
    verdict = Verdict.SUPPORTED if used else Verdict.UNDECIDED
    figure = context.nstr(worst, 2)
    return Evidence(
        METHOD,
        verdict,
        LABEL,
        oracle.description if used else "no moderate point found in the domain",
        digits=oracle.digits,
        points=used,
        worst_residual=figure if oracle.relation == "=" else None,
        worst_at=worst_at,
    )


def _extreme(domain: Interval, value: Fraction) -> bool:
    near_low = domain.lower is not None and value < domain.lower + _MARGIN
    near_high = domain.upper is not None and value > domain.upper - _MARGIN
    return near_low or near_high or abs(value) > 50
