"""M. Vojnovic and S.-Y. Yun, What is the Alignment Objective of GRPO?"""

from derivations.vojnovic_yun_2025.outputs import setting
from grpo_symbolic import Paper

paper = Paper(
    id="vojnovic_yun_2025",
    authors="M. Vojnovic and S.-Y. Yun",
    title="What is the Alignment Objective of GRPO?",
    version="arXiv:2502.18548",
    copy="a scanned copy",
    setting=setting,
    terms=("advantage", "aggregat", "clip", "importance", "pooling", "preference", "rewards"),
)

#: The chapters of the report, each with its modules in reading order.
contents = {
    "The advantage and the reward preference model: Equations (1), (2) and (6)": (
        "advantage",
        "reward_preference",
        "pairs_as_preferences",
        "deterministic_comparisons",
        "large_groups_limit",
        "deviation_limit",
        "any_rewards_limit",
        "clipping",
    ),
    "RLHF and NLHF: Equations (3), (4) and (5)": (
        "gibbs_inequality",
        "rlhf_optimum",
        "nlhf_equilibrium",
        "nlhf_uniqueness",
    ),
    "Reverse-KL gradient equivalence: Equations (8), (9) and (10)": (
        "reverse_kl",
        "direct_and_reverse_kl",
        "penalty_as_estimator",
    ),
    "KKT conditions: Equations (11), (12) and (13)": (
        "contexts",
        "kkt_conditions",
        "policies_with_zeros",
        "preference_pooling",
        "no_logarithmic_pool",
        "missing_outputs",
        "advantages_sum_to_zero",
        "exchanged_limit",
        "local_maxima",
        "invariance",
    ),
    "Quadratic roots: Equations (14) and (15)": (
        "root_groups_of_two",
        "other_margins",
        "root_groups_of_two_bounds",
        "root_groups_of_two_properties",
        "reward_large_groups",
        "root_large_groups",
        "root_large_groups_properties",
        "bounds_compared",
        "random_rewards",
        "where_a_maximum",
        "where_the_maximum",
        "no_maximum_at_small_references",
        "no_maximum_with_large_weights",
        "iterated_updates",
        "repelling_policies",
    ),
    "Groups of any size, between the two extremes": (
        "binary_rewards",
        "any_group_size",
        "between_the_extremes",
        "finite_group_policies",
        "groups_up_to_1000",
    ),
    "Any number of outputs: uniqueness and stability": (
        "one_stationary_policy",
        "updates_any_outputs",
        "updates_that_contract",
        "updates_three_outputs",
        "circles_and_orders",
        "large_groups_any_outputs",
        "large_groups_updates",
    ),
    "The function h of Appendix B.2: direct KL penalty": (
        "direct_kl_groups_of_two",
        "direct_kl_large_groups",
        "either_order",
        "direct_kl_end_points",
        "direct_kl_threshold",
        "direct_kl_zeros",
        "direct_kl_fixed_points",
        "direct_kl_stability",
    ),
    "Extensions: Section 3": (
        "direct_kl_pooling",
        "direct_kl_updates",
        "shift_only",
    ),
}
