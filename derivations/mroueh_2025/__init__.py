"""Y. Mroueh, Reinforcement Learning with Verifiable Rewards: GRPO's Effective Loss, Dynamics, ..."""

from grpo_symbolic import Paper

paper = Paper(
    id="mroueh_2025",
    authors="Y. Mroueh",
    title="Reinforcement Learning with Verifiable Rewards: GRPO's Effective Loss, Dynamics, and Success Amplification",
    version="arXiv:2503.06639, from a scanned copy",
)

#: The chapters of the report, each with its modules in reading order.
contents = {
    "The success map h and its derivative: Theorem 2, Proposition 1 and Lemma 1": (
        "success_map",
        "success_map_shape",
        "fixed_point_stability",
        "success_map_edges",
    ),
    "The cosh amplification bound: Theorem 3 and its lemmas": (
        "amplification",
        "sigmoid_lemmas",
        "excess",
        "factor_bounds",
        "amplification_condition",
    ),
}
