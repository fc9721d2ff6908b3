"""What the numbered places of the paper are about, read off what it prints there.

A definition stands here in each form in which claims are written: the advantage of Equation (2) for pairs, for groups
of any size and in the limit of large groups. Equation (6) holds for the preference that any advantages give: it is
about the importance weight.
"""

from derivations.vojnovic_yun_2025 import advantage, kkt_conditions
from derivations.vojnovic_yun_2025 import advantages_sum_to_zero as large
from derivations.vojnovic_yun_2025.binary_question import advantages_in_large_groups
from derivations.vojnovic_yun_2025.clipping import nearest
from derivations.vojnovic_yun_2025.outputs import any_old, any_policy, old, policy, reference
from derivations.vojnovic_yun_2025.policies_with_zeros import objective_of_any
from derivations.vojnovic_yun_2025.reward_large_groups import names as names_for_advantages
from derivations.vojnovic_yun_2025.reward_large_groups import r_a, r_b
from derivations.vojnovic_yun_2025.reward_preference import share
from derivations.vojnovic_yun_2025.root_groups_of_two import names as names_for_pairs
from derivations.vojnovic_yun_2025.root_large_groups import names as names_for_large_groups
from grpo_symbolic import Total, define, log, real
from grpo_symbolic.derivation.about import About
from grpo_symbolic.grpo.definitions import GRPO, direct_kl, group_advantage, sampled_penalty
from grpo_symbolic.language.instances import with_open_symbols

one = real("u", "(-oo, oo)", "reward of one member of a pair")
other = real("v", "(-oo, oo)", "reward of the other")
ratio = real("rho", "(0, oo)", "ratio of probabilities")
pair_mean = (one + other) / 2
pair_variance = ((one - pair_mean) ** 2 + (other - pair_mean) ** 2) / 2
of_pairs = {name.name: with_open_symbols(name) for name in names_for_pairs()}
of_large_groups = {name.name: with_open_symbols(name) for name in (*names_for_advantages(), *names_for_large_groups())}

about = About(
    definitions={
        "the advantage": (
            define("first_of_a_pair", (one, other), group_advantage((one, other), 0)),
            define("second_of_a_pair", (one, other), group_advantage((one, other), 1)),
            define("of_member", (), GRPO.normalise(advantage.own - advantage.centre, advantage.variance)),
            define("of_output", (), GRPO.normalise(large.reward - large.centre, large.deviation**2)),
            *(
                with_open_symbols(define(name, (), body))
                for name, body in zip(("of_a", "of_b"), advantages_in_large_groups(r_a, r_b), strict=True)
            ),
        ),
        "the group's mean and variance": (
            define("mean_of_members", (), advantage.centre),
            define("variance_of_members", (), advantage.variance),
            define("mean_of_outputs", (), Total(large.reward) / large.size),
            define("variance_of_a_pair", (one, other), pair_variance),
        ),
        "the importance weight": (
            define("importance", (), policy / old),
            define("importance_of_any", (), any_policy / any_old),
            *(define(f"importance_{number}", (), share(number, "pi") / share(number, "old")) for number in (1, 2, 3)),
        ),
        "the clipping function": (with_open_symbols(define("clip", (ratio,), nearest(ratio))),),
        "the penalty": (
            define("penalty", (policy, old, reference), sampled_penalty(policy, old, reference)),
            define("penalty_of_any", (policy, any_old, reference), sampled_penalty(policy, any_old, reference)),
            define("of_ratio", (ratio,), ratio - log(ratio) - 1),
        ),
        "the divergence": (define("divergence", (policy, reference), direct_kl(policy, policy, reference)),),
        "the moments of the reward": (of_large_groups["mean"], of_large_groups["V"]),
        "the objective": (
            define("J", (), kkt_conditions.objective()),
            define("J_of_any", (), objective_of_any()),
        ),
        "the objective for pairs": (of_pairs["J_2"],),
        "the objective for large groups": (of_large_groups["J_infinity"],),
    },
    places={
        "Eq. (1)": ("the advantage", "the importance weight", "the clipping function", "the penalty"),
        "Eq. (2)": ("the advantage", "the group's mean and variance"),
        "Eq. (3)": ("the divergence",),
        "Eq. (4)": ("the divergence",),
        "Eq. (5)": ("the divergence",),
        "Eq. (6)": ("the importance weight",),
        "Eq. (7)": ("the penalty",),
        "Eq. (8)": ("the penalty",),
        "Eq. (9)": ("the divergence",),
        "Eq. (10)": ("the penalty",),
        "Eq. (11)": ("the objective", "the penalty"),
        "Eq. (12)": ("the advantage", "the objective", "the penalty"),
        "Eq. (13)": ("the advantage", "the objective", "the penalty"),
        "Eq. (14)": ("the objective for pairs", "the penalty"),
        "Eq. (15)": ("the objective for large groups", "the penalty"),
        "Eq. (16)": ("the advantage",),
        "Eq. (17)": ("the objective for pairs", "the penalty"),
        "Eq. (18)": ("the advantage", "the moments of the reward"),
        "Eq. (19)": ("the objective for large groups", "the penalty"),
    },
    parts={
        "clip": ("the clipping function",),
        "clip.nearest": ("the clipping function",),
        "clip.positive-advantage": ("the clipping function",),
        "clip.negative-advantage": ("the clipping function",),
        "eq6.importance": ("the importance weight",),
        "eq7": ("the penalty",),
        "penalty.smallest": ("the penalty",),
    },
)
