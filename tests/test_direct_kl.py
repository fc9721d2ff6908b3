"""The direct divergence: definitions that are exchanged, and brute force with plain floats and fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product

import mpmath
import pytest

from derivations.vojnovic_yun_2025 import direct_kl_fixed_points, direct_kl_groups_of_two, direct_kl_large_groups
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.grpo.definitions import GRPO, Definitions, direct_kl, reverse_kl, shifted
from grpo_symbolic.judging.judge import judge_claim

QUICK = Settings(digits=30, points=24)
POINTS = [(0.2, 0.3, 0.7), (0.9, 0.05, 2.5), (0.55, 0.6, 0.1)]


def chosen(module, given, *slugs):
    wanted = {f"vojnovic_yun_2025.{slug}" for slug in slugs}
    claims = [claim for claim in module.derivation(given) if claim.id in wanted]
    assert len(claims) == len(wanted)
    return claims


@pytest.mark.parametrize(
    "given",
    [GRPO, Definitions(penalty=reverse_kl), Definitions(penalty=direct_kl, normalise=shifted)],
    ids=["sampled penalty", "reverse divergence", "shift only"],
)
def test_other_definitions_do_not_give_h(given):
    for claim in chosen(direct_kl_large_groups, given, "direct-kl.gradient", "direct-kl.h"):
        alone, printed = judge_claim(claim, QUICK)
        assert alone.verdict is Verdict.REFUTED
        assert printed.verdict is Verdict.REFUTED


def test_with_the_sampled_penalty_pairs_are_not_pooled():
    (gradient,) = chosen(direct_kl_groups_of_two, GRPO, "direct-kl-pairs.gradient")
    alone, printed = judge_claim(gradient, QUICK)
    assert (alone.verdict, printed.verdict) == (Verdict.REFUTED, Verdict.REFUTED)


def test_with_the_sampled_penalty_the_next_policy_is_another():
    for claim in chosen(direct_kl_fixed_points, GRPO, "direct-kl.concave", "direct-kl.next"):
        assert judge_claim(claim, QUICK)[0].verdict is Verdict.REFUTED


# Brute force: nothing below uses the package.


def divergence(x, r):
    return x * mpmath.log(x / r) + (1 - x) * mpmath.log((1 - x) / (1 - r))


def objective(x, old, r, beta):
    """Large groups with rewards 5 and 2."""
    mean = old * 5 + (1 - old) * 2
    deviation = mpmath.sqrt(old * (5 - mean) ** 2 + (1 - old) * (2 - mean) ** 2)
    return x * (5 - mean) / deviation + (1 - x) * (2 - mean) / deviation - beta * divergence(x, r)


def h(x, r, beta):
    return 1 / (beta * mpmath.sqrt(x * (1 - x))) - mpmath.log(x / (1 - x)) + mpmath.log(r / (1 - r))


def best(function):
    """The maximum of a concave function by ternary search."""
    low, high = mpmath.mpf("1e-12"), 1 - mpmath.mpf("1e-12")
    for _ in range(120):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (left, high) if function(left) < function(right) else (low, right)
    return (low + high) / 2


def sign_changes(r, beta):
    grid = [1 / (1 + mpmath.exp(mpmath.mpf(-step) / 40)) for step in range(-800, 801)]
    signs = [h(x, r, beta) > 0 for x in grid]
    return sum(before != after for before, after in pairwise(signs))


def threshold(r):
    """sinh(tau) with coth(tau) - tau equal to half the log-odds against the answer, by bisection."""
    against = mpmath.log((1 - r) / r) / 2
    low, high = mpmath.mpf("1e-6"), mpmath.mpf(50)
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if mpmath.coth(middle) - middle > against else (low, middle)
    return mpmath.sinh(low)


@pytest.mark.parametrize(("x", "r", "beta"), POINTS)
def test_h_is_the_difference_quotient_of_the_objective(x, r, beta):
    with mpmath.workdps(40):
        x, r, beta, step = *map(mpmath.mpf, (x, r, beta)), mpmath.mpf("1e-12")
        quotient = (objective(x + step, x, r, beta) - objective(x - step, x, r, beta)) / (2 * step)
        assert mpmath.almosteq(quotient, beta * h(x, r, beta), rel_eps=mpmath.mpf("1e-18"))


@pytest.mark.parametrize(("old", "r", "beta"), POINTS)
def test_the_next_policy_maximises_the_objective(old, r, beta):
    old, r, beta = map(mpmath.mpf, (old, r, beta))
    log_odds = mpmath.log(r / (1 - r)) + 1 / (beta * mpmath.sqrt(old * (1 - old)))
    found = best(lambda x: objective(x, old, r, beta))
    assert abs(found - 1 / (1 + mpmath.exp(-log_odds))) < 1e-6


@pytest.mark.parametrize("r", [0.01, 0.3, 0.5, 0.8])
def test_no_zero_below_the_threshold_and_two_above(r):
    beta = threshold(mpmath.mpf(r))
    assert sign_changes(r, beta * mpmath.mpf("0.99")) == 0
    assert sign_changes(r, beta * mpmath.mpf("1.01")) == 2


def test_threshold_at_one_half_is_one_over_the_laplace_limit():
    laplace = mpmath.findroot(lambda e: e * mpmath.exp(mpmath.sqrt(1 + e**2)) / (1 + mpmath.sqrt(1 + e**2)) - 1, 0.66)
    assert abs(threshold(mpmath.mpf(1) / 2) - 1 / laplace) < 1e-12


def updates(x, r, beta, times):
    for _ in range(times):
        x = 1 / (1 + (1 - r) / r * mpmath.exp(-1 / (beta * mpmath.sqrt(x * (1 - x)))))
    return x


def test_updates_find_the_smaller_zero_or_overshoot_it_or_run_to_one():
    near = updates(mpmath.mpf("0.6"), mpmath.mpf("0.5"), mpmath.mpf(4), 200)
    assert abs(h(near, mpmath.mpf("0.5"), 4)) < 1e-12
    r = 1 / (1 + 9 * mpmath.exp(mpmath.mpf(10) / 3))
    assert abs(h(mpmath.mpf("0.1"), r, 1)) < 1e-12
    assert abs(updates(mpmath.mpf("0.1001"), r, 1, 200) - mpmath.mpf("0.1")) > 1e-2
    course = [updates(mpmath.mpf("0.5"), mpmath.mpf("0.5"), 1, times) for times in range(5)]
    assert course == sorted(course)
    assert 0.99 < course[-1] < 1


def test_pooled_policy_maximises_the_objective_for_pairs_of_random_rewards():
    """Rewards are fair coins with a bonus; the expected advantage is enumerated in exact arithmetic."""
    rewards = {"a": [Fraction(1), Fraction(3)], "b": [Fraction(0), Fraction(2)]}

    def advantage(first, second):
        cases = [(one > two) - (one < two) for one, two in product(rewards[first], rewards[second])]
        return Fraction(sum(cases), len(cases))

    margin = advantage("a", "b")
    assert margin == Fraction(1, 2)
    generator = random.Random(3)
    for _ in range(3):
        r, old = (mpmath.mpf(generator.uniform(0.05, 0.95)) for _ in range(2))
        beta = mpmath.mpf(generator.uniform(0.2, 3))

        def value(x, r=r, old=old, beta=beta):
            policy, before = {"a": x, "b": 1 - x}, {"a": old, "b": 1 - old}
            pairs = product(policy, before)
            reward = sum(policy[o] * before[p] * float(advantage(o, p)) for o, p in pairs)
            return reward - beta * divergence(x, r)

        boost = mpmath.exp(float(margin) / (2 * beta))
        assert abs(best(value) - boost * r / (boost * r + (1 - r) / boost)) < 1e-6
