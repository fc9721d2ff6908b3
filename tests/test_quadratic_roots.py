"""Binary questions: other definitions give other results, and brute force agrees with what was derived."""

from collections.abc import Callable, Sequence

import pytest
from judging_here import without_points
from mpmath import mp, mpf

from derivations.vojnovic_yun_2025 import reward_large_groups, root_groups_of_two, root_large_groups, where_a_maximum
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.grpo.definitions import Definitions, direct_kl, reverse_kl, shifted
from grpo_symbolic.grpo.enumeration import penalty_part
from grpo_symbolic.judging.judge import judge_claim

QUICK = Settings(digits=30, points=24)


def verdicts(claims: Sequence[Claim], slug: str) -> tuple[Verdict, Verdict | None]:
    """The verdicts on what was derived and on what is printed."""
    chosen = next(item for item in claims if item.id == f"vojnovic_yun_2025.{slug}")
    derived, printed = judge_claim(chosen, QUICK)
    return derived.verdict, printed and printed.verdict


def test_shift_only_rewards_change_equation_16() -> None:
    claims = list(root_groups_of_two.reward_part(Definitions(normalise=shifted)))
    chosen = next(item for item in claims if item.id.endswith(".eq16"))
    assert "gap" in str(chosen.statement.right)
    assert verdicts([chosen], "eq16")[1] is Verdict.REFUTED


def test_shift_only_rewards_change_equation_18() -> None:
    claims = list(reward_large_groups.derivation(Definitions(normalise=shifted)))
    assert verdicts(claims, "eq18")[0] is Verdict.REFUTED


@pytest.mark.parametrize("slug", ["eq17.derivative", "eq17.slope", "eq17"])
def test_direct_divergence_gives_another_first_order_condition(slug: str) -> None:
    claims = list(root_groups_of_two.first_order(Definitions(penalty=direct_kl)))
    assert verdicts(claims, slug)[0] is Verdict.REFUTED


def test_reverse_divergence_gives_the_same_root_and_no_local_minimum() -> None:
    """The paper's point, and its limit: first derivatives agree on-policy, second derivatives do not."""
    given = Definitions(penalty=reverse_kl)
    assert verdicts(list(root_groups_of_two.first_order(given)), "eq17") == (Verdict.DECIDED, Verdict.DECIDED)
    pairs = root_groups_of_two.pairs_objective(root_groups_of_two.gamma, given)
    large = root_large_groups.large_groups_objective(given)
    claims = [without_points(made) for made in where_a_maximum.local_minima(pairs, large)]
    assert verdicts(claims, "eq14.local-minimum") == (Verdict.REFUTED, Verdict.DECIDED)


def pairs_root(beta: mpf, gamma: mpf, reference: mpf) -> mpf:
    half = (1 - beta / gamma) / 2
    return half + mp.sqrt(half**2 + beta / gamma * reference)


def large_root(beta: mpf, reference: mpf) -> mpf:
    discriminant = 1 + 4 * beta**2 * reference * (1 - reference)
    return (2 * beta**2 * reference + 1 + mp.sqrt(discriminant)) / (2 * (1 + beta**2))


def frozen(strength: mpf, beta: mpf, at: mpf, reference: mpf) -> Callable[[mpf], mpf]:
    """The objective of a policy whose old policy is ``at``; ``strength`` is the slope of the reward part."""

    def objective(x: mpf) -> mpf:
        penalty = penalty_part([x, 1 - x], [at, 1 - at], [reference, 1 - reference], 1, mp)
        return strength * (x - at) - beta * penalty

    return objective


def preference_gap(share: mpf, size: int) -> mpf:
    """P_G(a) - P_G(b) for rewards 1 and 0, by the number of answers a among the others of the group."""
    gap = mpf(0)
    for others in range(size):
        chance = mp.binomial(size - 1, others) * share**others * (1 - share) ** (size - 1 - others)
        for sign, hits in ((1, others + 1), (-1, others)):
            rate = mpf(hits) / size
            if 0 < rate < 1:
                gap += sign * chance * ((sign > 0) - rate) / mp.sqrt(rate * (1 - rate))
    return gap


@pytest.mark.parametrize(("beta", "reference"), [("0.5", "0.2"), ("2", "0.3"), ("1", "0.6")])
def test_roots_of_finite_groups_tend_to_equation_15(beta: str, reference: str) -> None:
    weight, prior = mpf(beta), mpf(reference)

    def root(size: int) -> mpf:
        def own_slope(x: mpf) -> mpf:
            return preference_gap(x, size) - weight * (x - prior) / (x * (1 - x))

        return mp.findroot(own_slope, (prior / 2, mpf("0.995")), solver="illinois", tol=1e-12)

    assert abs(root(2) - pairs_root(weight, mpf(1), prior)) < mpf(10) ** -6
    gaps = [abs(root(size) - large_root(weight, prior)) for size in (8, 32, 128)]
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < mpf("0.01")


@pytest.mark.parametrize(("strength", "beta"), [(mpf(1), mpf(16) / 15), (mpf(5) / 2, mpf(8) / 3)])
def test_stationary_point_that_is_a_local_minimum(strength: mpf, beta: mpf) -> None:
    """x = 1/5 at the reference 1/20, for groups of two and for large groups."""
    at = mpf(1) / 5
    objective = frozen(strength, beta, at, mpf(1) / 20)
    assert abs(mp.diff(objective, at)) < mpf(10) ** -8
    assert all(objective(at + step) > objective(at) for step in (mpf(-1) / 500, mpf(1) / 500))


@pytest.mark.parametrize("reference", ["0.08", "0.2", "0.6"])
@pytest.mark.parametrize("ratio", ["0.1", "0.7", "1.2", "3"])
def test_large_references_make_the_root_the_maximum(reference: str, ratio: str) -> None:
    at = pairs_root(mpf(ratio), mpf(1), mpf(reference))
    objective = frozen(mpf(1), mpf(ratio), at, mpf(reference))
    others = [mpf(step) / 200 for step in range(1, 200)]
    assert all(objective(x) < objective(at) for x in others if abs(x - at) > mpf("0.001"))


@pytest.mark.parametrize(("ratio", "better"), [("0.04", None), ("0.5", None), ("1", "0.25"), ("4", "0.1")])
def test_small_references_leave_no_maximum(ratio: str, better: str | None) -> None:
    weight = mpf(ratio)
    threshold = (1 - weight) * mp.exp(-1 - 1 / weight) if better is None else weight**-7 / 10000
    at = pairs_root(weight, mpf(1), threshold)
    objective = frozen(mpf(1), weight, at, threshold)
    assert objective(threshold if better is None else mpf(better)) > objective(at)
