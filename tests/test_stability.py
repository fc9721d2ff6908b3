"""Uniqueness and stability for any number of outputs, against plain simulation of flows and updates."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from mpmath import fp

from derivations.vojnovic_yun_2025 import (
    large_groups_any_outputs,
    one_stationary_policy,
    updates_any_outputs,
    updates_three_outputs,
)
from derivations.vojnovic_yun_2025.groups_up_to_1000 import BOUNDED, SUMMED
from derivations.vojnovic_yun_2025.updates_by_iteration import pair_rewards, update
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.grpo.definitions import Definitions, direct_kl, shifted
from grpo_symbolic.grpo.enumeration import penalty_part
from grpo_symbolic.judging.judge import judge_claim

QUICK = Settings(digits=30, points=24)
Policy = list[float]


def drawn(draw: random.Random, outputs: int) -> Policy:
    weights = [draw.uniform(0.2, 1) for _ in range(outputs)]
    return [weight / sum(weights) for weight in weights]


def margins_of(draw: random.Random, outputs: int) -> list[list[float]]:
    table = [[0.0] * outputs for _ in range(outputs)]
    for i, j in combinations(range(outputs), 2):
        table[i][j] = draw.uniform(-1, 1)
        table[j][i] = -table[i][j]
    return table


def pair_advantages(margins: Sequence[Sequence[float]]) -> Callable[[Policy], Policy]:
    return lambda policy: [math.fsum(m * share for m, share in zip(row, policy, strict=True)) for row in margins]


def large_group_advantages(rewards: Sequence[float]) -> Callable[[Policy], Policy]:
    def advantages(policy: Policy) -> Policy:
        mean = math.fsum(map(math.prod, zip(policy, rewards, strict=True)))
        variance = math.fsum(share * (reward - mean) ** 2 for share, reward in zip(policy, rewards, strict=True))
        return [(reward - mean) / variance**0.5 for reward in rewards]

    return advantages


def flow_end(advantages: Callable[[Policy], Policy], reference: Policy, weight: float, start: Policy) -> Policy:
    """Where the natural gradient of the on-policy objective leads, by small steps."""
    policy = list(start)
    for _ in range(2500):
        gains = advantages(policy)
        slopes = [gain + weight * (r / p - 1) for gain, r, p in zip(gains, reference, policy, strict=True)]
        mean = math.fsum(map(math.prod, zip(policy, slopes, strict=True)))
        policy = [p * (1 + 0.01 * (slope - mean)) for p, slope in zip(policy, slopes, strict=True)]
    return policy


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["pairs", "large groups"])
def test_the_flow_leads_to_one_policy_from_everywhere(seed: int, kind: str) -> None:
    draw = random.Random(seed)
    outputs = 3 + seed
    advantages = (
        pair_advantages(margins_of(draw, outputs))
        if kind == "pairs"
        else large_group_advantages([draw.uniform(-1, 1) for _ in range(outputs)])
    )
    reference, weight = drawn(draw, outputs), draw.uniform(0.3, 1.5)
    ends = [flow_end(advantages, reference, weight, drawn(draw, outputs)) for _ in range(2)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-4)
    for gain, share, prior in zip(advantages(ends[0]), ends[0], reference, strict=True):
        assert (1 - gain / weight) * share == pytest.approx(prior, abs=1e-3)  # Equations (12) and (13)


@pytest.mark.parametrize(("weight", "returns"), [(0.62, True), (0.54, False)])
def test_updates_of_a_circle_return_exactly_above_the_bound(weight: float, returns: bool) -> None:
    margins = {(0, 1): 1.0, (1, 2): 1.0, (0, 2): -1.0}
    reference = [1 / 3] * 3

    def objective(new: Sequence[float], old: Sequence[float]) -> float:
        return pair_rewards(new, old, margins, fp) - weight * penalty_part(new, old, reference, 1, fp)

    policy = [1 / 3 + 1e-3, 1 / 3 - 2e-3, 1 / 3 + 1e-3]
    distances = []
    for _ in range(8):
        distances.append(math.dist(policy, reference))
        first, second = update(policy, objective, policy, fp)
        policy = [first, second, 1 - first - second]
    assert (math.dist(policy, reference) < distances[0] / 1.5) is returns
    assert all((later < before) is returns for before, later in pairwise(distances))


def best_response(advantages: Policy, reference: Policy, weight: float) -> Policy:
    shares = [r * math.exp(gain / weight) for gain, r in zip(advantages, reference, strict=True)]
    return [share / math.fsum(shares) for share in shares]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_direct_updates_in_large_groups_return_exactly_for_small_skewness(seed: int, factor: float) -> None:
    draw = random.Random(seed)
    policy, rewards = drawn(draw, 4), [draw.uniform(-1, 1) for _ in range(3)] + [draw.uniform(2, 3)]
    advantages = large_group_advantages(rewards)
    standardised = advantages(policy)
    skewness = math.fsum(share * item**3 for share, item in zip(policy, standardised, strict=True))
    weight = factor * abs(skewness) / 2
    reference = best_response([-gain for gain in standardised], policy, weight)
    near = [share * (1 + 1e-4 * item) for share, item in zip(policy, standardised, strict=True)]
    for _ in range(20):
        near = best_response(advantages(near), reference, weight)
    assert (math.dist(near, policy) < 1e-4 / 3) is (factor > 1)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_direct_updates_in_pairs_return_exactly_for_a_small_circulation(seed: int, factor: float) -> None:
    draw = random.Random(seed)
    policy, margins = drawn(draw, 3), margins_of(draw, 3)
    circulation = margins[0][1] + margins[1][2] + margins[2][0]
    weight = factor * abs(circulation) * math.prod(policy) ** 0.5
    advantages = pair_advantages(margins)
    reference = best_response([-gain for gain in advantages(policy)], policy, weight)
    change = 1e-5 * min(policy)
    near = [policy[0] + change, policy[1] - change, policy[2]]
    sizes = []
    for _ in range(30):
        sizes.append(math.dist(near, policy))
        near = best_response(advantages(near), reference, weight)
    assert (sizes[28] < sizes[0] / 3) is (factor > 1)


def bounds_of_deviation(members: int, at: Fraction, digits: int = 30) -> tuple[Fraction, Fraction]:
    """The expected standard deviation in a group between two fractions, with integer square roots."""
    scale = 10**digits
    low = high = Fraction(0)
    good, bad, below = at.numerator, at.denominator - at.numerator, at.denominator**members
    for n in range(1, members):
        weight = math.comb(members, n) * good**n * bad ** (members - n)
        root = math.isqrt(n * (members - n) * scale**2)
        low += weight * root
        high += weight * (root + 1)
    return low / (below * members * scale), high / (below * members * scale)


@pytest.mark.parametrize("members", [*SUMMED, *BOUNDED])
def test_enclosures_and_bounds_in_exact_fractions(members: int) -> None:
    """The sum crosses the line within each enclosure, and lies within the sandwich, at both ends."""
    below, above = (Fraction(end, 10_000) for end in {**SUMMED, **BOUNDED}[members])
    assert below - Fraction(1, 4) < bounds_of_deviation(members, below)[0]
    assert above - Fraction(1, 4) > bounds_of_deviation(members, above)[1]
    for at in (below, above):
        low, high = bounds_of_deviation(members, at)
        variance = at * (1 - at)
        assert high**2 < variance * (1 - Fraction(1, members))
        assert low**2 > variance * (1 - 1 / (2 * members * variance)) ** 2


@pytest.mark.parametrize(
    ("module", "slug", "other"),
    [
        (one_stationary_policy, "pairs.gradient", Definitions(penalty=direct_kl)),
        (updates_any_outputs, "updates.any.mixed", Definitions(penalty=direct_kl)),
        (updates_three_outputs, "updates.three.determinant", Definitions(penalty=direct_kl)),
        (large_groups_any_outputs, "large-groups.gradient-changes", Definitions(normalise=shifted)),
    ],
)
def test_other_definitions_show(module, slug: str, other: Definitions) -> None:
    (made,) = [item for item in module.derivation(other) if item.id == f"vojnovic_yun_2025.{slug}"]
    judged, _ = judge_claim(replace(made, derivation=None), QUICK)
    assert judged.verdict is Verdict.REFUTED
