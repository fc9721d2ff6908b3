"""Critical weights and slopes of updates beside plain search in floating point."""

from __future__ import annotations

import mpmath
import pytest

from derivations.mroueh_2025.critical_weight import critical, critical_lead
from derivations.mroueh_2025.functions import epsilon
from derivations.vojnovic_yun_2025.binary_question import beta, reference, x
from derivations.vojnovic_yun_2025.iterated_updates import update_slope
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective
from derivations.vojnovic_yun_2025.root_large_groups import large_groups_objective
from grpo_symbolic import rational
from grpo_symbolic.grpo.definitions import GRPO
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.report.floats import value


@pytest.mark.parametrize("smoothing", [1e-5, 1e-3, 0.1, 1.0, 50.0])
def test_the_critical_weight_is_the_largest_bound_on_a_grid(smoothing: float) -> None:
    def bound(lead: float) -> float:
        return float(lead * (1 - lead**2) / (1 + 4 * smoothing - lead**2) ** 1.5)

    at = {epsilon: smoothing}
    largest = max(bound(1 - mpmath.exp(-number / 200)) for number in range(4000))
    assert largest == pytest.approx(value(unfold(critical), at), rel=1e-4)
    assert bound(value(unfold(critical_lead), at)) == pytest.approx(value(unfold(critical), at), rel=1e-9)


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
