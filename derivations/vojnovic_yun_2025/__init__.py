"""M. Vojnovic and S.-Y. Yun, What is the Alignment Objective of GRPO?"""

from grpo_symbolic import Paper

paper = Paper(
    id="vojnovic_yun_2025",
    authors="M. Vojnovic and S.-Y. Yun",
    title="What is the Alignment Objective of GRPO?",
    version="arXiv:2502.18548, from a scanned copy",
)

#: The modules in the order of the report.
contents = (
    "kkt_conditions",
    "reverse_kl",
    "root_groups_of_two",
    "root_groups_of_two_properties",
    "root_large_groups",
    "root_large_groups_properties",
    "bounds_compared",
    "where_a_maximum",
    "where_the_maximum",
    "no_maximum_at_small_references",
    "no_maximum_with_large_weights",
    "direct_kl_large_groups",
)
