"""Claims are about the objectives that the papers have: with another definition what they say is refuted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from judging_here import without_points

from derivations.mroueh_2025 import best_value, binary_advantage, every_prompt, optimal_policy, success_map
from derivations.mroueh_2025.functions import A, B, argument, p, p_ref, sigmoid_product
from derivations.mroueh_2025.sigmoid_lemmas import shift
from derivations.vojnovic_yun_2025 import (
    advantage,
    advantages_sum_to_zero,
    any_group_size,
    binary_rewards,
    clipping,
    direct_kl_fixed_points,
    direct_kl_groups_of_two,
    direct_kl_large_groups,
    direct_kl_pooling,
    finite_group_policies,
    invariance,
    iterated_updates,
    kkt_conditions,
    large_groups_any_outputs,
    large_groups_limit,
    local_maxima,
    nlhf_uniqueness,
    one_stationary_policy,
    pairs_as_preferences,
    penalty_as_estimator,
    policies_with_zeros,
    reverse_kl,
    reward_large_groups,
    reward_preference,
    rlhf_optimum,
    root_groups_of_two,
    root_large_groups,
    shift_only,
    updates_any_outputs,
    updates_three_outputs,
    where_a_maximum,
)
from grpo_symbolic import cosh, exp, ge, gt, lt
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.grpo import definitions
from grpo_symbolic.grpo.definitions import GRPO, Definitions, direct_kl, sampled_penalty, shifted, standardised
from grpo_symbolic.judging.judge import judge_claim, judge_statement

QUICK = Settings(digits=30, points=40)
DECIDED, REFUTED = Verdict.DECIDED, Verdict.REFUTED
DIRECT, REVERSE = Definitions(penalty=direct_kl), Definitions(penalty=definitions.reverse_kl)
SAMPLED, SHIFTED = Definitions(penalty=sampled_penalty), Definitions(normalise=shifted)
BOTH = Definitions(penalty=direct_kl, normalise=shifted)
RESCALED = Definitions(normalise=lambda deviation, variance: 2 * standardised(deviation, variance))
DOUBLED = Definitions(normalise=lambda deviation, variance: 2 * shifted(deviation, variance))


def local_minima(given):
    pairs = root_groups_of_two.pairs_objective(root_groups_of_two.gamma, given)
    return where_a_maximum.local_minima(pairs, root_large_groups.large_groups_objective(given))


def first(build, slug, given) -> Claim:
    """The claim of a name, without points that are said to refute what is printed: others may do."""
    return without_points(next(made for made in build(given) if made.id.partition(".")[2] == slug))


#: Who builds claims from definitions, the claim, the definitions, and what is said of the claim and of its quote.
JUDGED = [
    *(
        (module.derivation, f"theorem-1.{slug}", given, REFUTED, None)
        for module, slug in ((optimal_policy, "converse"), (best_value, "value"), (best_value, "gap"))
        for given in (REVERSE, SAMPLED)
    ),
    # Not so the sampled penalty: summed over the outputs of a reference that sums to 1 it is the divergence.
    (every_prompt.derivation, "theorem-1.first-order", REVERSE, REFUTED, None),
    (every_prompt.derivation, "theorem-1.only-maximum", REVERSE, REFUTED, None),
    (success_map.derivation, "theorem-2", BOTH, REFUTED, REFUTED),
    (success_map.derivation, "theorem-2", REVERSE, REFUTED, REFUTED),
    (success_map.derivation, "eq3", BOTH, REFUTED, None),
    (binary_advantage.derivation, "eq1.success", SHIFTED, None, REFUTED),
    (binary_advantage.derivation, "eq1.failure", SHIFTED, None, REFUTED),
    *(
        (direct_kl_large_groups.derivation, f"direct-kl.{slug}", given, REFUTED, REFUTED)
        for slug in ("gradient", "h")
        for given in (GRPO, REVERSE, BOTH)
    ),
    (direct_kl_groups_of_two.derivation, "direct-kl-pairs.gradient", GRPO, REFUTED, REFUTED),
    (direct_kl_fixed_points.derivation, "direct-kl.concave", GRPO, REFUTED, None),
    (direct_kl_fixed_points.derivation, "direct-kl.next", GRPO, REFUTED, None),
    # With the direct divergence policies are stationary by logarithmic pooling.
    (kkt_conditions.derivation, "kkt.stationarity", DIRECT, DECIDED, REFUTED),
    (kkt_conditions.derivation, "eq11", DIRECT, REFUTED, None),
    (policies_with_zeros.derivation, "eq11.every-policy", DIRECT, REFUTED, None),
    (local_maxima.derivation, "objective-curvature.sign", DIRECT, REFUTED, None),
    (advantages_sum_to_zero.derivation, "pair-advantage", SHIFTED, REFUTED, None),
    (reverse_kl.derivation, "eq8", DIRECT, None, REFUTED),
    (reverse_kl.derivation, "eq10", DIRECT, None, REFUTED),
    (reverse_kl.derivation, "reverse-kl", DIRECT, None, REFUTED),
    (reverse_kl.derivation, "reverse-kl.tangent", DIRECT, REFUTED, None),
    (penalty_as_estimator.derivation, "penalty.bias", DIRECT, REFUTED, DECIDED),
    (root_groups_of_two.reward_part, "eq16", SHIFTED, None, REFUTED),
    (reward_large_groups.derivation, "eq18", SHIFTED, REFUTED, None),
    *(
        (root_groups_of_two.first_order, slug, DIRECT, REFUTED, None)
        for slug in ("eq17.derivative", "eq17.slope", "eq17")
    ),
    # The paper's point, and its limit: first derivatives agree on-policy, second derivatives do not.
    (root_groups_of_two.first_order, "eq17", REVERSE, DECIDED, DECIDED),
    (local_minima, "eq14.local-minimum", REVERSE, REFUTED, DECIDED),
    (one_stationary_policy.derivation, "pairs.gradient", DIRECT, REFUTED, None),
    (updates_any_outputs.derivation, "updates.any.mixed", DIRECT, REFUTED, None),
    (updates_three_outputs.derivation, "updates.three.determinant", DIRECT, REFUTED, None),
    (large_groups_any_outputs.derivation, "large-groups.gradient-changes", SHIFTED, REFUTED, None),
    (iterated_updates.derivation, "updates.slope", DIRECT, REFUTED, None),
    (advantage.derivation, "eq2.pairwise", SHIFTED, None, REFUTED),
    (pairs_as_preferences.derivation, "pairs.preference", SHIFTED, None, REFUTED),
    (reward_preference.derivation, "eq6.deterministic", SHIFTED, None, REFUTED),
    (large_groups_limit.derivation, "large-groups.reward-part", SHIFTED, None, REFUTED),
    (invariance.derivation, "invariance.pairs", SHIFTED, None, REFUTED),
    (shift_only.derivation, "shift-only", DOUBLED, None, REFUTED),
]


@pytest.mark.parametrize(("build", "slug", "given", "derived", "printed"), JUDGED)
def test_another_definition_gives_another_result(build, slug, given, derived, printed):
    # The brute force is about the paper's own definitions.
    made = replace(first(build, slug, given), oracle=None)
    if derived is REFUTED:
        made = replace(made, derivation=None)
    alone, quoted = judge_claim(made, QUICK)
    assert derived in (None, alone.verdict)
    assert printed is None or quoted.verdict is printed


@pytest.mark.parametrize(
    ("build", "slug", "given"),
    [
        (rlhf_optimum.derivation, "eq4.stationary", REVERSE),
        (rlhf_optimum.derivation, "eq4.shortfall", REVERSE),
        (rlhf_optimum.derivation, "eq4.value", GRPO),
        (nlhf_uniqueness.derivation, "eq5.binary.gradient", REVERSE),
        (direct_kl_pooling.derivation, "direct-kl.pooling", GRPO),
        (shift_only.derivation, "shift-only.rlhf", SHIFTED),
        (clipping.derivation, "penalty.infinite", DIRECT),
        (advantage.derivation, "eq2.invariant", SHIFTED),
        (advantage.derivation, "eq2.sum-of-squares", SHIFTED),
        (advantage.derivation, "eq2.bound.attained", RESCALED),
        (binary_rewards.derivation, "binary-rewards.advantages", SHIFTED),
        (binary_rewards.derivation, "binary-rewards.margin.3", RESCALED),
        (any_group_size.derivation, "any-size.success.terms", RESCALED),
        (any_group_size.derivation, "any-size.failure", SHIFTED),
        (finite_group_policies.derivation, "finite-groups.3", RESCALED),
        (shift_only.derivation, "shift-only.member", DOUBLED),
    ],
)
def test_another_definition_shows_in_a_claim_or_a_step(build, slug, given):
    made = first(build, slug, given)
    assert any(judge_claim(one, QUICK)[0].verdict not in STANDING for one in (made, *made.steps))


def test_what_theorem_1_prints_is_not_stationary_for_another_penalty():
    made = first(every_prompt.derivation, "theorem-1", REVERSE)
    _, printed = judge_claim(replace(made, using=()), Settings(digits=30, points=24))
    # The points at which it fails have coordinates that no rational is, and are not certified.
    assert printed.verdict is Verdict.UNDECIDED
    assert any(item.note.startswith("fails at 24 of 24 points") for item in printed.evidence if item.note)


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        pytest.param(gt(1 / (1 + A() * exp(B(p))), p_ref), (), id="penalising success does not amplify"),
        pytest.param(
            ge(1 / (4 * cosh(argument / 2) ** 2 * cosh(shift / 2) ** 2), sigmoid_product(argument + shift)),
            (lt(argument, 0), gt(shift, 0)),
            id="the bound of Lemma 3 for opposing signs",
        ),
    ],
)
def test_false_neighbours_of_amplification_are_refuted(statement, given):
    assert judge_statement(statement, given, QUICK, "neighbour").verdict is REFUTED
