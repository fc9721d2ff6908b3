"""The success map: other definitions fail, and maximising the objective itself gives the same map."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from mpmath import exp, log, mp, mpf, sqrt

from derivations.mroueh_2025 import (
    brute_force,
    fixed_point_stability,
    success_map,
    success_map_edges,
    success_map_shape,
)
from grpo_symbolic.checks import oracle
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.grpo.definitions import Definitions, direct_kl, reverse_kl, shifted
from grpo_symbolic.judging.judge import judge_claim

QUICK = Settings(points=40)
GOLDEN = (sqrt(mpf(5)) - 1) / 2


def named(claims: Sequence[Claim], slug: str) -> Claim:
    return next(item for item in claims if item.id == f"mroueh_2025.{slug}")


@pytest.mark.slow
@pytest.mark.parametrize(
    "given",
    [Definitions(penalty=direct_kl, normalise=shifted), Definitions(penalty=reverse_kl)],
    ids=["shift-only advantage", "reverse divergence"],
)
def test_other_definitions_give_another_map(given: Definitions) -> None:
    # The brute force is about the paper's own definitions.
    made = replace(named(list(success_map.derivation(given)), "theorem-2"), oracle=None)
    derived, printed = judge_claim(made, QUICK)
    assert derived.verdict is Verdict.REFUTED
    assert printed is not None
    assert printed.verdict is Verdict.REFUTED


def test_shift_only_advantages_are_not_those_printed() -> None:
    given = Definitions(penalty=direct_kl, normalise=shifted)
    derived, _ = judge_claim(named(list(success_map.derivation(given)), "eq3"), QUICK)
    assert derived.verdict is Verdict.REFUTED


@pytest.mark.parametrize("module", [success_map, success_map_shape, fixed_point_stability, success_map_edges])
def test_importing_computes_nothing_and_building_is_repeatable(module) -> None:
    assert list(module.derivation()) == list(module.derivation())


def test_brute_force_finds_the_map() -> None:
    found = oracle.check(success_map.one_step.claim("theorem-2"), QUICK)
    assert found is not None
    assert (found.verdict, found.points) == (Verdict.SUPPORTED, 12)


def test_brute_force_refutes_smoothing_outside_the_root() -> None:
    """Eq. (3) as printed leads to another map; the real maximum tells them apart."""
    old, reference, weight, smoothing = mpf(1) / 10, mpf(1) / 2, mpf(2), mpf(1) / 10
    values = {"p": old, "p_ref": reference, "beta": weight, "epsilon": smoothing}
    found, right = brute_force.step_beside_map(values, mp)
    wrong = 1 / (1 + (1 - reference) / reference * exp(-1 / (weight * (sqrt(old * (1 - old)) + smoothing))))
    assert abs(found - right) < mpf(10) ** -12
    assert abs(found - wrong) > mpf(10) ** -2


def parameters(seed: int) -> tuple[mpf, mpf, mpf, mpf]:
    """Old success probability, reference, weight of the penalty and smoothing."""
    draw = random.Random(seed)
    old, reference = (mpf(draw.randint(1, 99)) / 100 for _ in range(2))
    return old, reference, mpf(draw.randint(5, 40)) / 10, mpf(draw.randint(1, 100)) / 1000


def printed_map(old: mpf, reference: mpf, weight: mpf, smoothing: mpf) -> mpf:
    return 1 / (1 + (1 - reference) / reference * exp(-1 / (weight * sqrt(old * (1 - old) + smoothing))))


def objective(policy: Sequence[mpf], reference: Sequence[mpf], old: mpf, weight: mpf, smoothing: mpf) -> mpf:
    """Expected advantage minus weighted divergence; outputs at even positions succeed."""
    total = mpf(0)
    for position, (share, base) in enumerate(zip(policy, reference, strict=True)):
        reward = 1 - position % 2
        total += share * (reward - old) / sqrt(old * (1 - old) + smoothing)
        total -= weight * share * log(share / base)
    return total


@pytest.mark.parametrize("seed", range(6))
def test_golden_section_search_finds_the_map(seed: int) -> None:
    old, reference, weight, smoothing = parameters(seed)
    coin = [reference, 1 - reference]
    with mp.workdps(40):
        low, high = mpf(10) ** -12, 1 - mpf(10) ** -12
        while high - low > mpf(10) ** -12:
            left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
            rising = objective([left, 1 - left], coin, old, weight, smoothing) < objective(
                [right, 1 - right], coin, old, weight, smoothing
            )
            low, high = (left, high) if rising else (low, right)
    assert abs((low + high) / 2 - printed_map(old, reference, weight, smoothing)) < mpf(10) ** -9


@pytest.mark.parametrize("seed", range(4))
def test_no_policy_over_four_outputs_does_better(seed: int) -> None:
    """The reduction to coins: scaling the reference among successes and among failures is optimal."""
    old, _, weight, smoothing = parameters(seed)
    draw = random.Random(seed)
    weights = [mpf(draw.randint(1, 9)) for _ in range(4)]
    reference = [item / sum(weights) for item in weights]
    succeeds = reference[0] + reference[2]
    x = printed_map(old, succeeds, weight, smoothing)
    best = [
        share * (x / succeeds if position % 2 == 0 else (1 - x) / (1 - succeeds))
        for position, share in enumerate(reference)
    ]
    reached = objective(best, reference, old, weight, smoothing)
    for _ in range(200):
        trial = [share * exp(mpf(draw.uniform(-0.5, 0.5))) for share in best]
        policy = [share / sum(trial) for share in trial]
        assert objective(policy, reference, old, weight, smoothing) <= reached


@pytest.mark.parametrize("seed", range(4))
def test_slope_is_the_limit_of_differences(seed: int) -> None:
    old, reference, weight, smoothing = parameters(seed)
    with mp.workdps(40):
        step = mpf(10) ** -12
        ahead, behind = (printed_map(old + sign * step, reference, weight, smoothing) for sign in (1, -1))
        value = printed_map(old, reference, weight, smoothing)
        formula = -value * (1 - value) * (1 - 2 * old) / (2 * weight * (old * (1 - old) + smoothing) ** mpf("1.5"))
        assert abs((ahead - behind) / (2 * step) - formula) < mpf(10) ** -15
