"""RLHF, NLHF, logarithmic pooling and clipping: other penalties show, and numerical optima agree."""

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from judging_here import without_points
from mpmath import mp, mpf

from derivations.vojnovic_yun_2025 import (
    clipping,
    direct_kl_pooling,
    nlhf_equilibrium,
    nlhf_uniqueness,
    rlhf_optimum,
    shift_only,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.grpo.definitions import GRPO, Definitions, direct_kl, reverse_kl, shifted
from grpo_symbolic.grpo.enumeration import best_policy, divergence, group_preference
from grpo_symbolic.judging.judge import judge_claim

QUICK = Settings(digits=30, points=24)
REVERSE = Definitions(penalty=reverse_kl)


def named(claims: Sequence[Claim], slug: str) -> Claim:
    return next(item for item in claims if item.id == f"vojnovic_yun_2025.{slug}")


@pytest.mark.parametrize(
    ("module", "slug", "other"),
    [
        (rlhf_optimum, "eq4.stationary", REVERSE),
        (rlhf_optimum, "eq4.shortfall", REVERSE),
        (rlhf_optimum, "eq4.value", GRPO),
        (nlhf_uniqueness, "eq5.binary.gradient", REVERSE),
        (direct_kl_pooling, "direct-kl.pooling", GRPO),
        (shift_only, "shift-only.rlhf", Definitions(normalise=shifted)),
        (clipping, "penalty.infinite", Definitions(penalty=direct_kl)),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_another_penalty_shows(module, slug, other):
    made = without_points(named(list(module.derivation(other)), slug))
    alone = [judge_claim(item, QUICK)[0] for item in (made, *made.steps)]
    assert any(item.verdict not in (Verdict.DECIDED, Verdict.PROVED) for item in alone)


def policies(seed: int, outputs: int, count: int) -> list[list[mpf]]:
    draw = random.Random(seed)
    rows = [[mpf(draw.randint(1, 9)) for _ in range(outputs)] for _ in range(count)]
    return [[item / sum(row) for item in row] for row in rows]


@pytest.mark.parametrize("outputs", range(2, 6))
def test_every_policy_falls_short_by_the_divergence(outputs):
    reference, other = policies(outputs, outputs, 2)
    rewards = [mpf(item) / 3 for item in random.Random(outputs).sample(range(-9, 10), outputs)]
    beta = mpf(2)
    best = best_policy(rewards, reference, beta, mp)
    weights = [share * mp.exp(reward / beta) for share, reward in zip(reference, rewards, strict=True)]
    assert max(abs(a - b / sum(weights)) for a, b in zip(best, weights, strict=True)) < mpf(10) ** -12

    def value(policy: Sequence[mpf]) -> mpf:
        return mp.fdot(policy, rewards) - beta * divergence(policy, reference, mp)

    assert abs(value(best) - value(other) - beta * divergence(other, best, mp)) < mpf(10) ** -12
    assert abs(value(best) - beta * mp.log(sum(weights))) < mpf(10) ** -12


@pytest.mark.parametrize("outputs", range(2, 7))
def test_the_antisymmetric_form_vanishes_in_exact_fractions(outputs):
    """What the uniqueness of the equilibrium rests on, with the order of the two sums exchanged explicitly."""
    draw = random.Random(outputs)
    table = [[Fraction(1, 2)] * outputs for _ in range(outputs)]
    for row in range(outputs):
        for column in range(row):
            table[row][column] = Fraction(draw.randint(0, 9), 9)
            table[column][row] = 1 - table[row][column]
    change = [Fraction(draw.randint(-9, 9)) for _ in range(outputs - 1)]
    change.append(-sum(change))
    gains = [sum(d * p for d, p in zip(change, row, strict=True)) for row in table]
    back = [sum(d * row[column] for d, row in zip(change, table, strict=True)) for column in range(outputs)]
    assert sum(d * m for d, m in zip(change, back, strict=True)) == sum(
        d * m for d, m in zip(change, gains, strict=True)
    )
    assert all(m + n == 0 for m, n in zip(gains, back, strict=True))
    assert sum(d * m for d, m in zip(change, gains, strict=True)) == 0


def damped(preference, reference: Sequence[mpf], beta: mpf, start: Sequence[mpf]) -> list[mpf]:
    """A fixed point of best responses, by geometric averaging, which converges where the responses cycle."""
    policy = list(start)
    for _ in range(300):
        answer = best_policy(preference(policy), reference, beta, mp)
        if max(abs(a - b) for a, b in zip(policy, answer, strict=True)) < mpf(10) ** -12:
            break
        weights = [mp.sqrt(a * b) for a, b in zip(policy, answer, strict=True)]
        policy = [item / sum(weights) for item in weights]
    return policy


def test_groups_of_two_with_direct_divergence_are_nlhf_at_half_the_weight():
    """Random rewards with ties; from different starts there is one policy, and it is the equilibrium."""
    rewards = [[(mpf(1), mpf(1) / 2), (mpf(0), mpf(1) / 2)], [(mpf(1), mpf(1) / 3), (mpf(-1), mpf(2) / 3)]]
    reference, first, second = policies(3, 2, 3)
    beta = mpf(1)

    def halved(policy: Sequence[mpf]) -> list[mpf]:
        # The first output wins against -1, and ties if both rewards are 1.
        half, ahead = mpf(1) / 2, mpf(2) / 3 + mpf(1) / 6 / 2
        return [mp.fdot(row, policy) for row in ([half, ahead], [1 - ahead, half])]

    ours = [damped(lambda p: group_preference(p, rewards, 2, mp), reference, beta, start) for start in (first, second)]
    theirs = damped(halved, reference, beta / 2, first)
    for found in ours:
        assert max(abs(a - b) for a, b in zip(found, theirs, strict=True)) < mpf(10) ** -10


def test_the_equilibrium_of_a_cycle_of_preferences_is_found_from_everywhere():
    table = [[mpf(1) / 2, mpf(1), mpf(0)], [mpf(0), mpf(1) / 2, mpf(1)], [mpf(1), mpf(0), mpf(1) / 2]]
    reference, *starts = policies(7, 3, 4)
    found = [damped(lambda p: [mp.fdot(row, p) for row in table], reference, mpf(1), start) for start in starts]
    assert all(max(abs(a - b) for a, b in zip(found[0], item, strict=True)) < mpf(10) ** -10 for item in found[1:])
    value = mp.fdot(found[0], [mp.fdot(row, found[0]) for row in table])
    assert abs(value - mpf(1) / 2) < mpf(10) ** -12


def test_preferences_against_itself_sum_to_one_in_the_game():
    made = named(list(nlhf_equilibrium.derivation()), "eq5.constant-sum.3")
    derived, _ = judge_claim(made, QUICK)
    assert derived.verdict is Verdict.DECIDED


@pytest.mark.parametrize("advantage", [Fraction(2), Fraction(-3)])
def test_the_printed_clipping_jumps_and_that_of_ppo_does_not(advantage):
    epsilon, tiny = Fraction(1, 5), Fraction(1, 10**9)

    def printed(ratio: Fraction) -> Fraction:
        return Fraction(1) if abs(ratio - 1) > epsilon else ratio

    def nearest(ratio: Fraction) -> Fraction:
        return max(1 - epsilon, min(1 + epsilon, ratio))

    def term(clip, ratio: Fraction) -> Fraction:
        return min(ratio * advantage, clip(ratio) * advantage)

    end = 1 + epsilon if advantage > 0 else 1 - epsilon
    beyond = end + tiny if advantage > 0 else end - tiny
    assert abs(term(printed, end) - term(printed, beyond)) == epsilon * abs(advantage)
    assert term(nearest, end) == term(nearest, beyond)
    for step in range(1, 40):
        ratio = Fraction(step, 10)
        assert term(printed, ratio) <= ratio * advantage
        assert term(nearest, ratio) <= ratio * advantage


@pytest.mark.slow
def test_the_clipping_function_as_printed_is_refuted():
    _, printed = judge_claim(named(list(clipping.derivation()), "clip"), QUICK)
    assert printed is not None
    assert printed.verdict is Verdict.REFUTED
