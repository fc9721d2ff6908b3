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
    "root_large_groups",
    "bounds_compared",
    "direct_kl_large_groups",
)
