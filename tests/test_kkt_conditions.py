"""Stationary policies: other definitions give other results, and brute force agrees with what was derived."""

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from judging_here import without_points
from mpmath import mp, mpf

from derivations.vojnovic_yun_2025 import advantages_sum_to_zero, kkt_conditions, local_maxima, policies_with_zeros
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.grpo.definitions import Definitions, direct_kl, shifted
from grpo_symbolic.grpo.enumeration import group_preference, penalty_part, reward_part
from grpo_symbolic.judging.judge import judge_claim
from grpo_symbolic.language.expression import Apply, walk
from grpo_symbolic.language.statement import expressions_of

QUICK = Settings(points=40)


def named(claims: Sequence[Claim], slug: str) -> Claim:
    return next(item for item in claims if item.id == f"vojnovic_yun_2025.{slug}")


@pytest.fixture(scope="module")
def with_direct_kl() -> list[Claim]:
    return list(kkt_conditions.derivation(Definitions(penalty=direct_kl)))


def test_direct_divergence_gives_logarithmic_pooling(with_direct_kl: list[Claim]) -> None:
    stationarity = named(with_direct_kl, "kkt.stationarity")
    operators = {
        node.operator
        for expression in expressions_of(stationarity.statement)
        for node in walk(expression)
        if isinstance(node, Apply)
    }
    assert "exp" in operators
    derived, printed = judge_claim(stationarity, QUICK)
    assert derived.verdict is Verdict.DECIDED
    assert printed is not None
    assert printed.verdict is Verdict.REFUTED


@pytest.mark.slow
def test_direct_divergence_does_not_give_equation_11(with_direct_kl: list[Claim]) -> None:
    derived, _ = judge_claim(without_points(named(with_direct_kl, "eq11")), QUICK)
    assert derived.verdict is Verdict.REFUTED
    every_policy = list(policies_with_zeros.derivation(Definitions(penalty=direct_kl)))
    derived, _ = judge_claim(without_points(named(every_policy, "eq11.every-policy")), QUICK)
    assert derived.verdict is Verdict.REFUTED


def test_shift_only_advantages_are_no_signs() -> None:
    claims = list(advantages_sum_to_zero.derivation(Definitions(normalise=shifted)))
    derived, _ = judge_claim(named(claims, "pair-advantage"), QUICK)
    assert derived.verdict is Verdict.REFUTED


@pytest.mark.parametrize("size", [2, 3, 4])
def test_mean_advantage_is_zero(size: int) -> None:
    draw = random.Random(size)
    weights = [draw.randint(1, 9) for _ in range(3)]
    policy = [mpf(weight) / sum(weights) for weight in weights]
    rewards = [[(mpf(draw.randint(0, 5)), mpf(1) / 3), (mpf(draw.randint(0, 5)), mpf(2) / 3)] for _ in policy]
    preferences = group_preference(policy, rewards, size, mp)
    assert abs(mp.fdot(policy, preferences)) < mpf(10) ** -12


@pytest.mark.parametrize("seed", range(3))
def test_solutions_of_equation_11_are_stationary(seed: int) -> None:
    """The reference is chosen so that Equation (11) holds; then the true objective has slope 0 along the simplex."""
    draw = random.Random(seed)
    policy = [mpf(weight) / 12 for weight in (3, 4, 5)]
    rewards = [[(mpf(draw.randint(0, 9)), mpf(1) / 2), (mpf(draw.randint(0, 9)), mpf(1) / 2)] for _ in policy]
    beta = mpf(2)
    preferences = group_preference(policy, rewards, 2, mp)
    reference = [(1 - value / beta) * share for value, share in zip(preferences, policy, strict=True)]
    direction = [mpf(draw.randint(-9, 9)) for _ in range(2)]
    direction.append(-sum(direction))

    def objective(step: mpf) -> mpf:
        moved = [share + step * change for share, change in zip(policy, direction, strict=True)]
        reward = reward_part(moved, policy, rewards, 2, mp)
        return reward - beta * penalty_part(moved, policy, reference, 2, mp)

    step = mpf(10) ** -5
    assert abs(objective(step) - objective(-step)) / (2 * step) < mpf(10) ** -6


# Two outputs share the policy equally; the first beats the second with margin 1/3, both always beat the third,
# which the old policy never gives. This is the counterexample to Equation (11).
PREFERENCES = [mpf(1) / 6, -mpf(1) / 6, mpf(-1)]
REFERENCE = [mpf(1) / 3, mpf(1) / 2, mpf(1) / 6]
STATIONARY = [mpf(1) / 2, mpf(1) / 2, mpf(0)]


def frozen_objective(policy: Sequence[mpf], *, sampled_only: bool) -> mpf:
    """The objective for beta = 1 with the old policy fixed; Section 2.3 rewards outputs that are never sampled."""
    outputs = range(2) if sampled_only else range(3)
    ratios = [REFERENCE[output] / policy[output] for output in range(2)]
    penalty = sum(STATIONARY[output] * (ratio - mp.log(ratio) - 1) for output, ratio in enumerate(ratios))
    return sum(policy[output] * PREFERENCES[output] for output in outputs) - penalty


def test_counterexample_to_equation_11_is_a_maximum_of_section_2_3() -> None:
    draw, best = random.Random(11), frozen_objective(STATIONARY, sampled_only=False)
    for _ in range(2000):
        cuts = sorted(draw.uniform(0.001, 0.999) for _ in range(2))
        policy = [mpf(cuts[0]), mpf(cuts[1] - cuts[0]), mpf(1 - cuts[1])]
        if policy[1] > 0:
            assert frozen_objective(policy, sampled_only=False) < best
    assert (1 - PREFERENCES[0]) * STATIONARY[0] != REFERENCE[0]


def test_counterexample_is_no_maximum_of_equation_1() -> None:
    step = mpf(1) / 100
    moved = [STATIONARY[0] - step / 2, STATIONARY[1] - step / 2, step]
    assert frozen_objective(moved, sampled_only=True) > frozen_objective(STATIONARY, sampled_only=True)


def test_a_solution_of_equation_11_may_be_a_local_minimum() -> None:
    """Two answers, groups of two: x = 1/5 at reference 1/20 and beta = 16/15, with the old policy held fixed."""
    at, reference, beta = mpf(1) / 5, mpf(1) / 20, mpf(16) / 15

    def frozen(x: mpf) -> mpf:
        return (x - at) - beta * penalty_part([x, 1 - x], [at, 1 - at], [reference, 1 - reference], 1, mp)

    assert all(frozen(at + step) > frozen(at) for step in (mpf(-1) / 500, mpf(1) / 500))


@pytest.mark.parametrize("seed", range(5))
def test_second_variation_is_the_completed_square(seed: int) -> None:
    """With one positive curvature c, the form is negative definite exactly for c h < 1 (eigenvalues as the judge)."""
    draw = random.Random(seed)
    others = [mpf(draw.randint(1, 9)) for _ in range(3)]
    spread = sum(1 / item for item in others)
    for factor, definite in ((mpf("0.9"), True), (mpf("1.1"), False)):
        curvature = factor / spread
        form = mp.matrix(3)
        for row in range(3):
            for column in range(3):
                form[row, column] = curvature - (others[row] if row == column else 0)
        assert (max(mp.eigsy(form, eigvals_only=True)) < 0) is definite


def test_every_claim_of_second_order_is_about_the_frozen_objective() -> None:
    claims = list(local_maxima.derivation(Definitions(penalty=direct_kl)))
    derived, _ = judge_claim(named(claims, "objective-curvature.sign"), QUICK)
    assert derived.verdict is Verdict.REFUTED


@pytest.mark.parametrize("outputs", range(2, 7))
def test_the_elimination_of_the_multiplier_in_explicit_coordinates(outputs):
    """Exact fractions for 2 to 6 outputs: what the rules for sums say about any number of them."""
    numbers = random.Random(outputs)
    for _ in range(20):
        shares = [numbers.randint(1, 9) for _ in range(outputs)]
        pi = [Fraction(share, sum(shares)) for share in shares]
        preferences = [Fraction(numbers.randint(-9, 9), numbers.randint(1, 9)) for _ in range(outputs)]
        weight, constant = Fraction(numbers.randint(1, 9), 3), Fraction(numbers.randint(-9, 9), 4)
        ref = [(1 - (gain - constant) / weight) * share for gain, share in zip(preferences, pi, strict=True)]
        covered_mass, mean = sum(ref), sum(p * gain for p, gain in zip(pi, preferences, strict=True))
        assert constant == mean - weight * (1 - covered_mass)
        for share, gain, reference_share in zip(pi, preferences, ref, strict=True):
            assert (covered_mass - (gain - mean) / weight) * share == reference_share
