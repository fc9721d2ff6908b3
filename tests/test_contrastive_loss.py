"""Section 2: the contrastive loss against explicit sums, and what clipping and estimated statistics really do."""

import random
from collections.abc import Sequence
from fractions import Fraction
from math import comb

import pytest
from mpmath import fsum, log, mpf, sqrt

from derivations.mroueh_2025 import (
    binary_advantage,
    clipped_range,
    clipping,
    contrastive_loss,
    estimated_success,
    no_clipping,
    weights,
)
from grpo_symbolic.checks import oracle
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.grpo.definitions import Definitions, shifted
from grpo_symbolic.judging.judge import judge_claim

QUICK = Settings(digits=30, points=24)
MODULES = (
    binary_advantage,
    weights,
    clipping,
    clipped_range,
    contrastive_loss,
    no_clipping,
    estimated_success,
)


def named(claims: Sequence[Claim], slug: str) -> Claim:
    return next(item for item in claims if item.id == f"mroueh_2025.{slug}")


@pytest.mark.parametrize("module", MODULES)
def test_building_is_repeatable(module) -> None:
    assert list(module.derivation()) == list(module.derivation())


@pytest.mark.parametrize("slug", ["eq1.success", "eq1.failure"])
def test_shift_only_advantages_are_not_those_printed(slug: str) -> None:
    made = named(list(binary_advantage.derivation(Definitions(normalise=shifted))), slug)
    _, printed = judge_claim(made, QUICK)
    assert printed is not None
    assert printed.verdict is Verdict.REFUTED


def probabilities(draw: random.Random, outputs: int) -> list[Fraction]:
    counts = [draw.randint(1, 9) for _ in range(outputs)]
    return [Fraction(count, sum(counts)) for count in counts]


def clipped(ratio: Fraction, advantage: Fraction, width: Fraction) -> Fraction:
    return min(ratio * advantage, min(max(ratio, 1 - width), 1 + width) * advantage)


@pytest.mark.parametrize("seed", range(20))
def test_the_contrast_is_the_expected_clipped_product(seed: int) -> None:
    draw = random.Random(seed)
    outputs = 2 + seed % 5
    policy, old = probabilities(draw, outputs), probabilities(draw, outputs)
    rewards = [draw.randint(0, 1) for _ in range(outputs)]
    gain, loss, width = (Fraction(draw.randint(0, 30), 10) for _ in range(3))
    expected = sum(
        q * clipped(new / q, gain if reward else -loss, width)
        for new, q, reward in zip(policy, old, rewards, strict=True)
    )
    triples = list(zip(policy, old, rewards, strict=True))
    successes = sum(q * min(new / q, 1 + width) for new, q, reward in triples if reward)
    failures = sum(q * max(new / q, 1 - width) for new, q, reward in triples if not reward)
    assert expected == gain * successes - loss * failures


@pytest.mark.parametrize("seed", range(6))
def test_the_maximum_leaves_the_range_of_the_ratio(seed: int) -> None:
    """Two outputs, old policy one half: a search over the clipped objective ends at the reference."""
    draw = random.Random(seed)
    width, beta = mpf(draw.randint(5, 40)) / 100, mpf(draw.randint(1, 30)) / 10
    reference = (1 + width) / 2 + mpf(draw.randint(1, 20)) / 100

    def objective(x: mpf) -> mpf:
        reward = min(2 * x, 1 + width) / 2 - max(2 * (1 - x), 1 - width) / 2
        return reward - beta * (x * log(x / reference) + (1 - x) * log((1 - x) / (1 - reference)))

    best = max((mpf(number) / 1000 for number in range(1, 1000)), key=objective)
    assert abs(best - reference) < mpf(2) / 1000
    assert 2 * best > 1 + width


def test_brute_force_agrees_with_the_mean_weight_of_pairs() -> None:
    found = oracle.check(estimated_success.estimate.claim("estimate.pairs"), QUICK)
    assert found is not None
    assert (found.verdict, found.points) == (Verdict.SUPPORTED, 12)


@pytest.mark.parametrize("size", range(2, 9))
def test_the_moments_of_a_group_and_the_bias(size: int) -> None:
    success, epsilon = Fraction(3, 7), mpf(1) / 100
    chances = [comb(size, k) * success**k * (1 - success) ** (size - k) for k in range(size + 1)]
    shares = [Fraction(k, size) for k in range(size + 1)]
    estimated = sum(chance * share * (1 - share) for chance, share in zip(chances, shares, strict=True))
    assert estimated == (1 - Fraction(1, size)) * success * (1 - success)

    def weight(variance: Fraction) -> mpf:
        value = mpf(variance.numerator) / variance.denominator
        return value / sqrt(value + epsilon)

    mean = fsum(
        mpf(chance.numerator) / chance.denominator * weight(share * (1 - share))
        for chance, share in zip(chances, shares, strict=True)
    )
    assert mean <= weight(estimated) < weight(success * (1 - success))
