"""The penalty and the divergences: other definitions fail, and finite differences agree with the gradients."""

import random
from collections.abc import Callable, Sequence

import pytest
from judging_here import without_points
from mpmath import mp, mpf

from derivations.vojnovic_yun_2025 import penalty_as_estimator, reverse_kl
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.grpo.definitions import Definitions, direct_kl
from grpo_symbolic.grpo.enumeration import divergence, penalty_part
from grpo_symbolic.judging.judge import judge_claim

QUICK = Settings(points=40)
Policy = Sequence[mpf]


def named(claims: Sequence[Claim], slug: str) -> Claim:
    return next(item for item in claims if item.id == f"vojnovic_yun_2025.{slug}")


@pytest.fixture(scope="module")
def with_direct_kl() -> list[Claim]:
    return list(reverse_kl.derivation(Definitions(penalty=direct_kl)))


@pytest.mark.parametrize("slug", ["eq8", "eq10", "reverse-kl"])
def test_printed_gradients_fail_for_the_direct_divergence(with_direct_kl: list[Claim], slug: str) -> None:
    _, printed = judge_claim(named(with_direct_kl, slug), QUICK)
    assert printed is not None
    assert printed.verdict is Verdict.REFUTED


def test_direct_divergence_is_not_the_reverse_one_along_the_simplex(with_direct_kl: list[Claim]) -> None:
    derived, _ = judge_claim(named(with_direct_kl, "reverse-kl.tangent"), QUICK)
    assert derived.verdict is Verdict.REFUTED


def test_direct_divergence_is_not_biased() -> None:
    claims = list(penalty_as_estimator.derivation(Definitions(penalty=direct_kl)))
    derived, printed = judge_claim(without_points(named(claims, "penalty.bias")), QUICK)
    assert derived.verdict is Verdict.REFUTED
    assert printed is not None
    assert printed.verdict is Verdict.DECIDED


def policies(seed: int, outputs: int = 4) -> tuple[list[mpf], list[mpf], list[mpf]]:
    """A policy, a reference and a direction whose entries sum to 0."""
    draw = random.Random(seed)
    weights = [[mpf(draw.randint(1, 9)) for _ in range(outputs)] for _ in range(2)]
    policy, reference = ([weight / sum(row) for weight in row] for row in weights)
    direction = [mpf(draw.randint(-9, 9)) for _ in range(outputs - 1)]
    return policy, reference, [*direction, -sum(direction)]


def slope(function: Callable[[Policy], mpf], policy: Policy, direction: Policy) -> mpf:
    """A central difference; its error, of the order of the squared step, is far below the tests' tolerance."""
    with mp.workdps(40):
        step = mpf(10) ** -10
        forward, backward = (
            function([share + sign * step * change for share, change in zip(policy, direction, strict=True)])
            for sign in (1, -1)
        )
        return (forward - backward) / (2 * step)


@pytest.mark.parametrize("seed", range(4))
def test_slopes_along_the_simplex_are_equal(seed: int) -> None:
    policy, reference, direction = policies(seed)
    penalty = slope(lambda moved: penalty_part(moved, policy, reference, 1, mp), policy, direction)
    reverse = slope(lambda moved: divergence(reference, moved, mp), policy, direction)
    assert abs(penalty - reverse) < mpf(10) ** -8


@pytest.mark.parametrize("seed", range(4))
def test_slopes_by_a_softmax_parameter_are_equal(seed: int) -> None:
    policy, reference, _ = policies(seed)
    logits = [mp.log(share) for share in policy]

    def softmax(parameters: Policy) -> list[mpf]:
        weights = [mp.exp(item) for item in parameters]
        return [weight / sum(weights) for weight in weights]

    first = [mpf(1), mpf(0), mpf(0), mpf(0)]
    penalty = slope(lambda moved: penalty_part(softmax(moved), policy, reference, 1, mp), logits, first)
    reverse = slope(lambda moved: divergence(reference, softmax(moved), mp), logits, first)
    assert abs(penalty - reverse) < mpf(10) ** -8


@pytest.mark.parametrize("seed", range(4))
def test_bias_is_the_reference_probability_of_outputs_never_given(seed: int) -> None:
    policy, reference, _ = policies(seed)
    missing = mpf(1) / 5
    partial = [(1 - missing) * share for share in reference]
    bias = penalty_part(policy, policy, partial, 1, mp) - divergence(policy, partial, mp)
    assert abs(bias + missing) < mpf(10) ** -12


def test_penalty_and_direct_divergence_agree_again() -> None:
    """For the reference 1/4 the two slopes agree at one more policy, between 1/2 and 3/4."""
    reference = [mpf(1) / 4, mpf(3) / 4]

    def gap(x: mpf) -> mpf:
        policy, direction = [x, 1 - x], [mpf(1), mpf(-1)]
        penalty = slope(lambda moved: penalty_part(moved, policy, reference, 1, mp), policy, direction)
        return penalty - slope(lambda moved: divergence(moved, reference, mp), policy, direction)

    assert gap(mpf(1) / 2) < 0 < gap(mpf(3) / 4)
    assert gap(mpf(3) / 10) < 0
    assert abs(gap(mpf(1) / 4)) < mpf(10) ** -8
