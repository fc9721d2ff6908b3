"""The iteration against plain simulation: fixed points, cycles and convergence, and repeated updates."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import mpmath
import pytest

from derivations.mroueh_2025.critical_weight import critical, critical_lead
from derivations.mroueh_2025.functions import epsilon
from derivations.vojnovic_yun_2025.binary_question import beta, reference, x
from derivations.vojnovic_yun_2025.direct_kl_groups_of_two import DIRECT
from derivations.vojnovic_yun_2025.iterated_updates import derivation, update_slope
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective
from derivations.vojnovic_yun_2025.root_large_groups import large_groups_objective
from grpo_symbolic import rational
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.grpo.definitions import GRPO
from grpo_symbolic.judging.judge import judge_claim
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.report.floats import value

SMOOTHING = 1e-5
QUICK = Settings(digits=30, points=24)


def step(p: float, weight: float, reference: float, smoothing: float = SMOOTHING) -> float:
    """One step of the recursion, written down again."""
    odds = reference / (1 - reference) * mpmath.exp(1 / (weight * mpmath.sqrt(p * (1 - p) + smoothing)))
    return odds / (1 + odds)


def log_odds(p: float) -> float:
    return mpmath.log(p) - mpmath.log(1 - p)


def crossings(weight: float, reference: float) -> int:
    """How often the map crosses the diagonal, on a grid of log-odds that reaches beyond all fixed points."""
    signs = []
    for number in range(-300, 1600 + int(3200 / weight)):
        odds = number / 10
        product = math.exp(-abs(odds)) / (1 + math.exp(-abs(odds))) ** 2
        signs.append(log_odds(reference) + 1 / (weight * math.sqrt(product + SMOOTHING)) > odds)
    return sum(before != after for before, after in pairwise(signs))


@pytest.mark.parametrize("smoothing", [1e-5, 1e-3, 0.1, 1.0, 50.0])
def test_the_critical_weight_is_the_largest_bound_on_a_grid(smoothing: float) -> None:
    def bound(lead: float) -> float:
        return float(lead * (1 - lead**2) / (1 + 4 * smoothing - lead**2) ** 1.5)

    at = {epsilon: smoothing}
    largest = max(bound(1 - mpmath.exp(-number / 200)) for number in range(4000))
    assert largest == pytest.approx(value(unfold(critical), at), rel=1e-4)
    assert bound(value(unfold(critical_lead), at)) == pytest.approx(value(unfold(critical), at), rel=1e-9)


def test_above_the_critical_weight_log_odds_come_closer_by_the_factor() -> None:
    draw = random.Random(3)
    with mpmath.workdps(40):
        for _ in range(200):
            smoothing, reference = 10 ** draw.uniform(-5, 0), draw.uniform(0.001, 0.999)
            least = 1 / (3 * (3 * smoothing) ** 0.5 * (1 + 4 * smoothing))
            weight = least * draw.uniform(0.2, 3)
            first, second = (1 / (1 + mpmath.exp(-draw.uniform(-14, 14))) for _ in range(2))
            before = abs(log_odds(first) - log_odds(second))
            first, second = (step(p, weight, reference, smoothing) for p in (first, second))
            after = abs(log_odds(first) - log_odds(second))
            assert after <= least / weight * before * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize(
    ("weight", "reference", "count"),
    [(1, 0.2, 3), (1, 0.3, 1), (5, 0.001, 3), (5, 0.9, 3), (5, 0.95, 1), (100, 0.5, 1), (61, 0.999, 1)],
)
def test_the_number_of_fixed_points_is_what_the_folds_say(weight: float, reference: float, count: int) -> None:
    assert crossings(weight, reference) == count


def test_the_divergent_example_settles_in_a_cycle_whose_mirror_images_share_a_reference() -> None:
    p = mpmath.mpf("0.001")
    for _ in range(400):
        p = step(p, 5, p_ref := mpmath.mpf("0.001"))
    low, high = sorted((p, step(p, 5, p_ref)))
    assert 0.00233 < low < 0.00234
    assert 0.0587 < high < 0.0588
    references = [log_odds(1 - q) - 1 / (5 * mpmath.sqrt(q * (1 - q) + SMOOTHING)) for q in (low, high)]
    assert references[0] == pytest.approx(references[1], rel=1e-8)


@pytest.mark.parametrize("reference", [0.5, 0.7, 0.9, 0.99])
@pytest.mark.parametrize("weight", [0.3, 1, 5, 20])
def test_high_references_are_never_left_downwards(reference: float, weight: float) -> None:
    iterates = [mpmath.mpf(reference)]
    for _ in range(60):
        iterates.append(step(iterates[-1], weight, reference))
    assert all(before <= after + 1e-14 for before, after in pairwise(iterates))


def best_answer(old: float, reference: float, weight: float, gain: float) -> float:
    """The policy that maximises reward less weighted penalty beside an old policy, by bisection of golden sections."""

    def objective(x: float) -> float:
        penalty = old * (reference / x + mpmath.log(x))
        penalty += (1 - old) * ((1 - reference) / (1 - x) + mpmath.log(1 - x))
        return gain * x - weight * penalty

    grid = [number / 400 for number in range(1, 400)]
    centre = max(grid, key=objective)
    low, high = mpmath.mpf(centre) - 1 / 400, mpmath.mpf(centre) + 1 / 400
    for _ in range(120):
        first, second = low + (high - low) * 0.382, low + (high - low) * 0.618
        low, high = (first, high) if objective(first) < objective(second) else (low, second)
    return (low + high) / 2


def test_two_updates_lead_back_and_forth() -> None:
    with mpmath.workdps(40):
        reference, weight = mpmath.mpf(11) / 96, mpmath.mpf(27) / 26
        assert best_answer(mpmath.mpf(1) / 4, reference, weight, 1) == pytest.approx(3 / 8, abs=1e-6)
        assert best_answer(mpmath.mpf(3) / 8, reference, weight, 1) == pytest.approx(1 / 4, abs=1e-6)


@pytest.mark.parametrize("large", [False, True])
def test_the_slope_of_the_update_is_that_of_real_maximisation(large: bool) -> None:
    at, prior = 0.45, 0.2
    strength = at * (1 - at) if not large else (at * (1 - at)) ** 0.5
    weight = strength / (at - prior)
    objective = large_groups_objective(GRPO) if large else pairs_objective(rational(1), GRPO)
    predicted = value(unfold(update_slope(objective)), {x: at, reference: prior, beta: weight})
    with mpmath.workdps(40):
        moved = []
        for old in (at - 1e-3, at + 1e-3):
            gain = 1 / mpmath.sqrt(old * (1 - old)) if large else 1
            moved.append(best_answer(mpmath.mpf(old), prior, weight, gain))
    assert float(moved[1] - moved[0]) / 2e-3 == pytest.approx(predicted, rel=1e-3)


def test_another_penalty_changes_the_slope_of_the_update() -> None:
    claim = next(iter(derivation(DIRECT)))
    assert claim.id.endswith("updates.slope")
    assert judge_claim(claim, QUICK)[0].verdict is Verdict.REFUTED
