"""What the numbered places of the paper are about, read off what it prints there."""

from derivations.vojnovic_yun_2025.outputs import old, policy, reference
from derivations.vojnovic_yun_2025.root_groups_of_two import names as names_for_pairs
from derivations.vojnovic_yun_2025.root_large_groups import names as names_for_large_groups
from grpo_symbolic import define, real, sqrt
from grpo_symbolic.derivation.about import About
from grpo_symbolic.grpo.definitions import direct_kl, sampled_penalty
from grpo_symbolic.language.instances import with_open_symbols

reward = real("reward", "(-oo, oo)", "a reward")
mean = real("mean", "(-oo, oo)", "mean of the rewards")
variance = real("variance", "(0, oo)", "variance of the rewards")
of_pairs = {name.name: with_open_symbols(name) for name in names_for_pairs()}
of_large_groups = {name.name: with_open_symbols(name) for name in names_for_large_groups()}

about = About(
    definitions={
        "the advantage": (define("advantage", (reward, mean, variance), (reward - mean) / sqrt(variance)),),
        "the importance weight": (define("importance", (policy, old), policy / old),),
        "the penalty": (define("penalty", (policy, old, reference), sampled_penalty(policy, old, reference)),),
        "the divergence": (define("divergence", (policy, reference), direct_kl(policy, policy, reference)),),
        "the moments of the reward": (of_large_groups["mean"], of_large_groups["V"]),
        "the objective for pairs": (of_pairs["J_2"],),
        "the objective for large groups": (of_large_groups["J_infinity"],),
    },
    places={
        "Eq. (1)": ("the advantage", "the importance weight", "the penalty"),
        "Eq. (2)": ("the advantage",),
        "Eq. (3)": ("the divergence",),
        "Eq. (4)": ("the divergence",),
        "Eq. (5)": ("the divergence",),
        "Eq. (6)": ("the importance weight",),
        "Eq. (7)": ("the penalty",),
        "Eq. (8)": ("the penalty",),
        "Eq. (9)": ("the divergence",),
        "Eq. (10)": ("the penalty",),
        "Eq. (11)": ("the penalty",),
        "Eq. (12)": ("the advantage", "the penalty"),
        "Eq. (13)": ("the advantage", "the penalty"),
        "Eq. (14)": ("the objective for pairs", "the penalty"),
        "Eq. (15)": ("the objective for large groups", "the penalty"),
        "Eq. (16)": ("the advantage",),
        "Eq. (17)": ("the objective for pairs", "the penalty"),
        "Eq. (18)": ("the advantage", "the moments of the reward"),
        "Eq. (19)": ("the objective for large groups", "the penalty"),
    },
)
