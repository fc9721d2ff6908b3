"""Amplification: a map with another sign does not amplify, and iterating the policy itself always does."""

import random
from itertools import pairwise

import pytest
from mpmath import cosh, exp, findroot, linspace, mp, mpf, sqrt

from derivations.mroueh_2025 import amplification, amplification_condition, excess, factor_bounds, sigmoid_lemmas
from derivations.mroueh_2025.brute_force import fixed_point_beside_reference
from derivations.mroueh_2025.functions import A, B, argument, p, p_ref, sigmoid_product
from derivations.mroueh_2025.sigmoid_lemmas import shift
from grpo_symbolic import cosh as hyperbolic
from grpo_symbolic import exp as exponential
from grpo_symbolic import ge, gt, lt
from grpo_symbolic.checks import oracle
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.judge import judge_statement

QUICK = Settings(points=40)


def test_penalising_success_does_not_amplify() -> None:
    reversed_map = 1 / (1 + A() * exponential(B(p)))
    assert judge_statement(gt(reversed_map, p_ref), (), QUICK, "reversed").verdict is Verdict.REFUTED


def test_bound_of_lemma_3_fails_for_opposing_signs() -> None:
    bound = 1 / (4 * hyperbolic(argument / 2) ** 2 * hyperbolic(shift / 2) ** 2)
    bounded = ge(bound, sigmoid_product(argument + shift))
    opposed = (lt(argument, 0), gt(shift, 0))
    assert judge_statement(bounded, opposed, QUICK, "opposed").verdict is Verdict.REFUTED


@pytest.mark.parametrize("module", [amplification, amplification_condition, excess, factor_bounds, sigmoid_lemmas])
def test_building_is_repeatable(module) -> None:
    assert list(module.derivation()) == list(module.derivation())


@pytest.mark.slow
def test_brute_force_finds_fixed_points_above_the_reference() -> None:
    found = oracle.check(amplification.theorem.claim("theorem-3"), QUICK)
    assert found is not None
    assert (found.verdict, found.points) == (Verdict.SUPPORTED, 12)


def test_brute_force_finds_a_fixed_point_of_the_plain_formula() -> None:
    values = {"p_ref": mpf(1) / 5, "beta": mpf(2), "epsilon": mpf(1) / 100}
    point, _ = fixed_point_beside_reference(values, mp)
    assert abs(step(point, *values.values()) - point) < mpf(10) ** -5


def step(old: mpf, reference: mpf, weight: mpf, smoothing: mpf) -> mpf:
    """One step of the policy over four outputs, tilted by its advantages; the first two succeed."""
    base = [reference / 3, 2 * reference / 3, (1 - reference) / 4, 3 * (1 - reference) / 4]
    spread_of_rewards = sqrt(old * (1 - old) + smoothing)
    tilted = [
        share * exp((reward - old) / spread_of_rewards / weight)
        for share, reward in zip(base, (1, 1, 0, 0), strict=True)
    ]
    return (tilted[0] + tilted[1]) / sum(tilted)


def parameters(seed: int) -> tuple[mpf, mpf, mpf]:
    draw = random.Random(seed)
    return mpf(draw.randint(1, 999)) / 1000, mpf(draw.randint(5, 100)) / 10, mpf(10) ** -draw.randint(1, 5)


@pytest.mark.parametrize("seed", range(8))
def test_every_iterate_lies_between_the_map_at_one_half_and_at_one(seed: int) -> None:
    reference, weight, smoothing = parameters(seed)
    least, most = (step(old, reference, weight, smoothing) for old in (mpf(1) / 2, mpf(1)))
    value = reference
    for _ in range(30):
        value = step(value, reference, weight, smoothing)
        assert reference < least <= value <= most <= 1


@pytest.mark.parametrize("seed", range(4))
def test_fixed_points_found_by_scanning_lie_above_the_reference(seed: int) -> None:
    reference, weight, smoothing = parameters(seed)

    def excess_at(old: mpf) -> mpf:
        return step(old, reference, weight, smoothing) - old

    grid = linspace(mpf(0), mpf(1), 201)
    values = [excess_at(old) for old in grid]
    changes = [index for index in range(200) if values[index] * values[index + 1] < 0]
    assert changes
    for index in changes:
        root = findroot(excess_at, (grid[index], grid[index + 1]), solver="anderson", tol=mpf(10) ** -20)
        assert root > reference


def test_condition_fails_where_the_excess_still_falls() -> None:
    reference, weight, smoothing = mpf(99) / 100, mpf(1), mpf(10) ** -5
    left = weight * cosh(1 / (2 * weight * sqrt(mpf(1) / 4 + smoothing))) ** 2
    right = reference * (1 - reference) * (2 * reference - 1) / (2 * (reference * (1 - reference) + smoothing) ** 1.5)
    assert left < right / 2
    values = [step(old, reference, weight, smoothing) - old for old in linspace(mpf(0), mpf(1), 401)]
    assert all(later < earlier for earlier, later in pairwise(values))
