"""Advantages, pairs and binary rewards: other definitions show, and exact enumeration agrees."""

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from mpmath import mp, mpf

from derivations.vojnovic_yun_2025 import (
    advantage,
    any_group_size,
    between_the_extremes,
    binary_rewards,
    finite_group_policies,
    invariance,
    large_groups_limit,
    pairs_as_preferences,
    reward_preference,
    shift_only,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.grpo.definitions import Definitions, shifted, standardised
from grpo_symbolic.grpo.enumeration import advantages, group_preference, reward_part, shifted_advantages
from grpo_symbolic.judging.judge import judge_claim
from grpo_symbolic.language.expression import Expression

QUICK = Settings(digits=30, points=24)
SHIFTED = Definitions(normalise=shifted)


def rescaled(deviation: Expression, variance: Expression) -> Expression:
    """Standardised advantages, twice as large as they should be."""
    return 2 * standardised(deviation, variance)


def doubled(deviation: Expression, variance: Expression) -> Expression:
    """Shifted advantages, twice as large as they should be."""
    return 2 * shifted(deviation, variance)


def named(claims: Sequence[Claim], slug: str) -> Claim:
    return next(item for item in claims if item.id == f"vojnovic_yun_2025.{slug}")


@pytest.mark.parametrize(
    ("module", "slug", "other"),
    [
        (advantage, "eq2.pairwise", SHIFTED),
        (advantage, "eq2.invariant", SHIFTED),
        (advantage, "eq2.sum-of-squares", SHIFTED),
        (advantage, "eq2.bound.attained", Definitions(normalise=rescaled)),
        (pairs_as_preferences, "pairs.preference", SHIFTED),
        (reward_preference, "eq6.deterministic", SHIFTED),
        (binary_rewards, "binary-rewards.advantages", SHIFTED),
        (binary_rewards, "binary-rewards.margin.3", Definitions(normalise=rescaled)),
        (any_group_size, "any-size.success.terms", Definitions(normalise=rescaled)),
        (any_group_size, "any-size.failure", SHIFTED),
        (finite_group_policies, "finite-groups.3", Definitions(normalise=rescaled)),
        (large_groups_limit, "large-groups.reward-part", SHIFTED),
        (invariance, "invariance.pairs", SHIFTED),
        (shift_only, "shift-only", Definitions(normalise=doubled)),
        (shift_only, "shift-only.member", Definitions(normalise=doubled)),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_another_normalisation_shows(module, slug, other):
    made = named(list(module.derivation(other)), slug)
    derived, printed = judge_claim(made, QUICK)
    if printed is not None:
        assert printed.verdict is Verdict.REFUTED
        return
    alone = [derived, *(judge_claim(step, QUICK)[0] for step in made.steps)]
    assert any(item.verdict not in (Verdict.DECIDED, Verdict.PROVED) for item in alone)


@pytest.mark.parametrize("size", range(2, 7))
def test_identities_of_the_advantage_in_exact_fractions(size):
    numbers = random.Random(size)
    for _ in range(20):
        rewards = [Fraction(numbers.randint(-9, 9), numbers.randint(1, 5)) for _ in range(size)]
        centre = sum(rewards) / size
        variance = sum((reward - centre) ** 2 for reward in rewards) / size
        double = sum((first - second) ** 2 for first in rewards for second in rewards)
        assert variance == double / (2 * size**2)
        assert all((reward - centre) ** 2 <= (size - 1) * variance for reward in rewards)
        assert rewards[0] - centre == sum(rewards[0] - other for other in rewards) / size


def test_the_largest_advantage_is_attained():
    assert advantages([mpf(1)] + [mpf(0)] * 9, mp)[0] == mp.sqrt(9)


def expected_deviation(size: int, success: mpf) -> mpf:
    """B_G by its sum over the number of successes."""
    return mp.fsum(
        comb(size, n) * success**n * (1 - success) ** (size - n) * mp.sqrt(n * (size - n)) / size
        for n in range(size + 1)
    )


@pytest.mark.parametrize("size", range(2, 7))
def test_the_binomial_sum_is_the_full_enumeration(size):
    """Deterministic and random binary rewards, every group and every outcome."""
    old = [mpf(2) / 10, mpf(3) / 10, mpf(5) / 10]
    chances = [mpf(1), mpf(0), mpf(1) / 3]
    rewards = [[(mpf(7), p), (mpf(-2), 1 - p)] if 0 < p < 1 else [(mpf(7) if p else mpf(-2), mpf(1))] for p in chances]
    success = mp.fdot(old, chances)
    margin = expected_deviation(size, success) / (success * (1 - success))
    found = group_preference(old, rewards, size, mp)
    for value, chance in zip(found, chances, strict=True):
        assert abs(value - (chance - success) * margin) < mpf(10) ** -12


@pytest.mark.parametrize("size", [2, 3, 10, 100, 1000])
@pytest.mark.parametrize("success", ["1/2", "1/5", "1/100"])
def test_bounds_and_rate_for_every_size(size, success):
    at = mpf(Fraction(success).numerator) / Fraction(success).denominator
    variance = at * (1 - at)
    deviation = expected_deviation(size, at)
    upper = mp.sqrt(variance * (1 - mpf(1) / size))
    assert mp.sqrt(variance) * (1 - 1 / (2 * size * variance)) <= deviation <= upper * (1 + mpf(10) ** -13)
    assert deviation < expected_deviation(size + 1, at)


@pytest.mark.parametrize("size", [2, 3, 4, 7, 40, 200])
def test_moments_of_the_group_deviation_in_exact_fractions(size):
    """The fourth moment that the lower bound rests on, against the binomial distribution."""
    success = Fraction(2, 7)
    spread = success * (1 - success)
    weights = [comb(size, n) * success**n * (1 - success) ** (size - n) for n in range(size + 1)]
    second = sum(w * Fraction(n * (size - n), size**2) for n, w in enumerate(weights))
    fourth = sum(w * Fraction(n * (size - n), size**2) ** 2 for n, w in enumerate(weights))
    assert second == spread * (1 - Fraction(1, size))
    falling = Fraction((size - 1) * (size - 2) * (size - 3), size**3)
    assert fourth == falling * spread**2 + Fraction((size - 1) ** 2, size**3) * spread


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_a_group_without_a_random_member_is_a_smaller_group(size):
    """Degree elevation in exact fractions: what one-leaves and increases together rest on."""
    success, values = Fraction(3, 8), [Fraction(n * (size - n), 5) for n in range(size + 1)]
    smaller = sum(comb(size, n) * success**n * (1 - success) ** (size - n) * values[n] for n in range(size + 1))
    larger = Fraction(0)
    for n in range(size + 2):
        lowered = Fraction(n, size + 1) * values[n - 1] if n else Fraction(0)
        kept = Fraction(size + 1 - n, size + 1) * values[n] if n <= size else Fraction(0)
        larger += comb(size + 1, n) * success**n * (1 - success) ** (size + 1 - n) * (lowered + kept)
    assert smaller == larger


def test_pairs_with_themselves_change_the_reward_part():
    """Deterministic rewards: the formula with strict preferences misses the pairs of equal outputs."""
    old, new = [mpf(1) / 4, mpf(3) / 4], [mpf(1) / 3, mpf(2) / 3]
    rewards = [[(mpf(1), mpf(1))], [(mpf(0), mpf(1))]]
    true = reward_part(new, old, rewards, 2, mp)
    strict = 2 * new[0] * old[1] - 1
    assert abs(true - (new[0] - old[0])) < mpf(10) ** -12
    assert abs(true - (strict + mp.fdot(new, old))) < mpf(10) ** -12
    assert strict < true


@pytest.mark.parametrize("size", [2, 3, 4])
def test_shifted_rewards_by_enumeration(size):
    old, new = [mpf(1) / 4, mpf(3) / 4], [mpf(1) / 3, mpf(2) / 3]
    rewards = [[(mpf(5), mpf(1) / 2), (mpf(-1), mpf(1) / 2)], [(mpf(0), mpf(1))]]
    means = [mpf(2), mpf(0)]
    gain = mp.fdot(new, means) - mp.fdot(old, means)
    found = reward_part(new, old, rewards, size, mp, shifted_advantages)
    assert abs(found - (1 - mpf(1) / size) * gain) < mpf(10) ** -12


def test_order_alone_decides_for_pairs_and_not_for_triples():
    old = [mpf(1) / 3] * 3
    ladders = [[[(mpf(value), mpf(1))] for value in values] for values in ((0, 1, 2), (0, 1, 5))]
    pairs = [group_preference(old, rewards, 2, mp) for rewards in ladders]
    triples = [group_preference(old, rewards, 3, mp) for rewards in ladders]
    assert all(abs(a - b) < mpf(10) ** -12 for a, b in zip(*pairs, strict=True))
    assert abs(triples[0][1] - triples[1][1]) > mpf(1) / 100


def test_expected_advantages_stay_bounded():
    """P_G(o)^2 old(o) <= 1 for a rare best output, where single advantages are as large as the bound allows."""
    for size in (2, 4, 6):
        old = [mpf(1) / 50, mpf(49) / 50]
        found = group_preference(old, [[(mpf(1), mpf(1))], [(mpf(0), mpf(1))]], size, mp)
        assert all(value**2 * share <= 1 for value, share in zip(found, old, strict=True))


def test_the_bounds_rest_on_the_moments():
    """The mean standard deviation after one member has left, over all groups of five, is that of groups of four."""
    total = Fraction(0)
    success = Fraction(1, 3)
    for outcome in product((0, 1), repeat=5):
        weight = Fraction(1)
        for value in outcome:
            weight *= success if value else 1 - success
        for left in range(5):
            others = outcome[:left] + outcome[left + 1 :]
            total += weight * Fraction(sum(others) * (4 - sum(others)), 16) / 5
    spread = success * (1 - success)
    assert total == spread * (1 - Fraction(1, 4))
    assert named(list(between_the_extremes.derivation()), "group-deviation.moments").statement is not None
