"""M. Vojnovic and S.-Y. Yun, What is the Alignment Objective of GRPO?"""

from grpo_symbolic import Paper

paper = Paper(
    id="vojnovic_yun_2025",
    authors="M. Vojnovic and S.-Y. Yun",
    title="What is the Alignment Objective of GRPO?",
    version="arXiv:2502.18548, from a scanned copy",
)

#: The chapters of the report, each with its modules in reading order.
contents = {
    "KKT conditions: Equations (11), (12) and (13)": (
        "kkt_conditions",
        "preference_pooling",
        "missing_outputs",
        "advantages_sum_to_zero",
        "local_maxima",
    ),
    "Quadratic roots: Equations (14) and (15)": (
        "root_groups_of_two",
        "root_groups_of_two_properties",
        "root_large_groups",
        "root_large_groups_properties",
        "bounds_compared",
        "where_a_maximum",
        "where_the_maximum",
        "no_maximum_at_small_references",
        "no_maximum_with_large_weights",
    ),
    "Reverse-KL gradient equivalence: Equations (8), (9) and (10)": (
        "reverse_kl",
        "direct_and_reverse_kl",
        "penalty_as_estimator",
    ),
    "The function h of Appendix B.2: direct KL penalty": (
        "direct_kl_groups_of_two",
        "direct_kl_large_groups",
        "direct_kl_end_points",
        "direct_kl_threshold",
        "direct_kl_zeros",
        "direct_kl_fixed_points",
        "direct_kl_stability",
    ),
}
