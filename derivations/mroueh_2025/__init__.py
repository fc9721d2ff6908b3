"""Y. Mroueh, Reinforcement Learning with Verifiable Rewards: GRPO's Effective Loss, Dynamics, ..."""

from grpo_symbolic import Paper

paper = Paper(
    id="mroueh_2025",
    authors="Y. Mroueh",
    title="Reinforcement Learning with Verifiable Rewards: GRPO's Effective Loss, Dynamics, and Success Amplification",
    version="arXiv:2503.06639, from a scanned copy",
)

#: The modules in the order of the report.
contents = (
    "success_map",
    "success_map_shape",
    "success_map_edges",
    "amplification",
    "sigmoid_lemmas",
    "excess",
    "amplification_condition",
)
