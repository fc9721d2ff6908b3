"""What the numbered places of the paper are about, read off what it prints there.

Functions stand with all their symbols open, so that they are found at the numbers of a figure as well. The limit $p^*$
of Theorem 5 enters as a number only, and its bound is one of total variations; Theorem 6 is about any function. That
the errors of Assumption 1 have a finite sum is about numbers. What near means in Theorem 4 depends on log-odds alone.
"""

from derivations.mroueh_2025 import normaliser, optimal_policy, prompts
from derivations.mroueh_2025.binary_advantage import inner
from derivations.mroueh_2025.functions import a, epsilon, h, omega_minus, omega_plus, p, sigma, stability_bound, xi, z
from derivations.mroueh_2025.outputs import old, policy, reference, success
from derivations.mroueh_2025.total_variation import variation
from grpo_symbolic import Total, define, real, sqrt
from grpo_symbolic.derivation.about import About
from grpo_symbolic.grpo.definitions import direct_kl
from grpo_symbolic.language.instances import with_open_symbols

reward = real("reward", "(-oo, oo)", "a reward")
of_policy = Total(old * (success - inner) ** 2)
smoothed = p * (1 - p) ** 2 + (1 - p) * (0 - p) ** 2 + epsilon

about = About(
    definitions={
        "the advantage": (
            define("advantage", (reward,), (reward - inner) / sqrt(of_policy)),
            define("smoothed_advantage", (reward,), (reward - p) / sqrt(smoothed)),
        ),
        "the success probability": (
            define("success_probability", (policy,), Total(policy * success)),
            define(
                "success_probability_at",
                (prompts.next_policy,),
                prompts.of_outputs(prompts.next_policy * prompts.reward),
            ),
        ),
        "the weights": tuple(map(with_open_symbols, (omega_plus, omega_minus))),
        "the importance weight": (define("importance", (), policy / old),),
        "the divergence": (
            define("divergence", (policy, reference), direct_kl(policy, policy, reference)),
            define(
                "divergence_at",
                (prompts.next_policy, prompts.base),
                direct_kl(prompts.next_policy, prompts.next_policy, prompts.base),
            ),
        ),
        "the objective": (
            define("J", (), optimal_policy.objective()),
            define("J_n", (), prompts.objective(prompts.next_policy, optimal_policy.KL_REGULARISED)),
        ),
        "the normaliser": (optimal_policy.Z, normaliser.Z, prompts.Z, prompts.Z_of_any),
        "h": (with_open_symbols(h), with_open_symbols(prompts.h_of_prompt)),
        "the logistic function": (sigma,),
        "the log-odds of the reference": (with_open_symbols(a),),
        "the bound of Lemma 1": (with_open_symbols(stability_bound),),
        "z": (with_open_symbols(z),),
        "xi": (with_open_symbols(xi),),
        "the total variation": (define("variation", (), variation),),
    },
    places={
        "Eq. (1)": ("the advantage",),
        "Eq. (2)": ("the success probability",),
        "Eq. (3)": ("the advantage", "the weights"),
        "Eq. (4)": ("the weights",),
        "Eq. (5)": ("the importance weight",),
        "Eq. (6)": ("the weights", "the divergence"),
        "Eq. (7)": ("the success probability",),
        "Eq. (8)": ("h",),
        "Eq. (9)": ("h",),
        "Theorem 1": ("the objective", "the divergence", "the normaliser"),
        "Theorem 2": ("h",),
        "Theorem 3": ("h",),
        "Theorem 3 (1)": ("h",),
        "Theorem 3 (2)": ("h",),
        "Theorem 4": ("h",),
        "Theorem 5": ("the total variation",),
        "Theorem 6": (),
        "Proposition 1": ("h",),
        "Remark 1": ("h",),
        "Remark 2": ("the bound of Lemma 1",),
        "Lemma 1": ("h",),
        "Lemma 2": ("h",),
        "Lemma 3": ("the logistic function",),
        "Lemma 3 (1)": ("the logistic function",),
        "Lemma 3 (2)": ("the logistic function",),
        "Lemma 4": ("the log-odds of the reference",),
        "Assumption 1": ("the total variation",),
        "Algorithm 1": ("the weights",),
    },
    parts={
        "h-sigmoid": ("h", "z"),
        "h-prime.sigmoid": ("h", "z"),
        "z-prime": ("z",),
        "xi-prime": ("xi",),
        "xi-prime.sign": ("xi",),
        "xi-bounds": ("xi",),
        "product-bound.xi": ("h", "xi"),
        "product-bound": ("h", "xi"),
        "f-prime.bound": ("h", "xi"),
        "assumption-1.converges": (),
        "assumption-1.example": (),
        "assumption-1.example-limit": (),
        "assumption-1.partial-sums": (),
        "eq5.affine": ("the weights",),
        "normaliser": ("the normaliser",),
        "reward.variance": ("the success probability",),
        "theorem-1.every-prompt.normaliser": ("the normaliser",),
        "theorem-1.every-prompt.printed": ("the normaliser",),
        "theorem-1.collected": ("the objective", "the divergence"),
        "theorem-1.only-maximum": ("the objective", "the divergence"),
        "theorem-2.start": ("the success probability",),
        "theorem-4.delta": ("the logistic function",),
        "theorem-4.start": ("the logistic function",),
        "theorem-4.success": ("the logistic function",),
    },
    rows={
        "2.4, row 15 Algorithm 1": ("the success probability",),
        "2.4, row 16 Algorithm 1": ("the success probability",),
        "2.4, row 17 Algorithm 1": ("the success probability",),
        "3, row 7 Theorem 1": ("the normaliser",),
        "3, row 8 Theorem 1": ("the success probability",),
        "5, row 10 Assumption 1": (),
    },
)
