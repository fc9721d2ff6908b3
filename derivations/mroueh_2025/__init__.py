"""Y. Mroueh, Reinforcement Learning with Verifiable Rewards: GRPO's Effective Loss, Dynamics, ..."""

from derivations.mroueh_2025.outputs import setting
from grpo_symbolic import Paper

paper = Paper(
    id="mroueh_2025",
    authors="Y. Mroueh",
    title="Reinforcement Learning with Verifiable Rewards: GRPO's Effective Loss, Dynamics, and Success Amplification",
    version="arXiv:2503.06639",
    copy="a scanned copy",
    setting=setting,
    terms=("advantage", "amplif", "clip", "contrastive", "importance", "preference", "rewards", "whiten"),
)

#: The chapters of the report, each with its modules in reading order.
contents = {
    "The contrastive loss and its weights: Section 2": (
        "binary_advantage",
        "weights",
        "clipping",
        "clipped_range",
        "contrastive_loss",
        "no_clipping",
        "estimated_success",
    ),
    "One step of the iteration for any number of outputs: Theorems 1 and 2": (
        "optimal_policy",
        "best_value",
        "normaliser",
        "success_recursion",
        "every_prompt",
        "recursion_of_iterates",
    ),
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
        "bounds_with_cosh",
        "amplification_condition",
        "condition_in_words",
    ),
    "The iteration: fixed points, convergence and cycles: Sections 3 and 4, Figures 2 to 5": (
        "critical_weight",
        "log_odds_contraction",
        "folds_and_flips",
        "fixed_points_at_figures",
        "monotone_convergence",
        "traps",
        "two_cycles",
        "beside_the_diagonal",
        "fixed_points_enclosed",
        "thresholds_enclosed",
    ),
    "Convergence, and approximate policies: Theorems 4 to 6": (
        "slope_bounds",
        "local_convergence",
        "explicit_radius",
        "near_in_probability",
        "contraction",
        "slope_below_one",
        "any_map",
        "total_variation",
        "approximate_iterations",
        "sums_of_errors",
    ),
}
