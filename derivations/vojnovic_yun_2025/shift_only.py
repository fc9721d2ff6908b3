r"""Shift-only normalisation (Section 3): the reward part of RLHF, scaled by $1 - 1/G$, up to a constant.

Without the division by the standard deviation an advantage is linear in the rewards. The mean of the group contains
the output's own reward with weight $1/G$, and this is where the printed factor $1 - 1/G$ comes from
(`shift-only.member`). It holds for every group size, for any number of outputs and for random rewards (`shift-only`).
The mean of the other members as the baseline would remove it (`shift-only.leave-one-out`).

Combined with the direct divergence this is more than similar to RLHF: the objective is that of RLHF with the weight
$\beta G/(G-1)$ in the place of $\beta$, up to a factor and a constant, whatever the old policy (`shift-only.rlhf`). So
among all policies, with zeros or without, the stationary one (`shift-only.optimum`) is the only maximum, and one update
reaches it (`shift-only.unique`). The effective weight falls from $2\beta$ for groups of two (`shift-only.weight`)
towards $\beta$ (`shift-only.weight.limit`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantage import own, size
from derivations.vojnovic_yun_2025.gibbs_inequality import target
from derivations.vojnovic_yun_2025.groups import group_of, member_reward, old_sums_to_one
from derivations.vojnovic_yun_2025.outputs import (
    OUTPUTS,
    any_policy,
    any_sums_to_one,
    beta,
    old,
    policy,
    reference,
    sums_to_one,
)
from derivations.vojnovic_yun_2025.reward_by_enumeration import shifted_beside_means
from derivations.vojnovic_yun_2025.rlhf_optimum import multiplier, normaliser, reward, rlhf
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Gap,
    Oracle,
    Result,
    Total,
    claim,
    decreasing,
    derive,
    eq,
    exp,
    ge,
    log,
    on_support,
    rational,
    real,
    tends_to,
)
from grpo_symbolic.grpo.definitions import Definitions, direct_kl, shifted

#: GRPO without scale normalisation, and with the direct divergence as its penalty.
SHIFT_ONLY = Definitions(penalty=direct_kl, normalise=shifted)

ONE = rational(1)
others = size - 1
centre = real("m", "(-oo, oo)", "expected reward under the old policy")
mean = (old_sums_to_one, eq(centre, Total(old * reward)))
member = real("s", "(-oo, oo)", "reward of another member of the group", latex=r"r_{index}", indexed=OUTPUTS)


def preference(given: Definitions = SHIFT_ONLY) -> Expression:
    """The expected advantage of an output in a group of which the other members are drawn from the old policy."""
    group = group_of(reward)
    return group.expectation(given.normalise(member_reward - group.mean, group.variance), given=reward)


def objective(given: Definitions = SHIFT_ONLY) -> Expression:
    """The reward part minus the weighted penalty."""
    return Total(policy * preference(given)) - beta * Total(given.penalty(policy, old, reference))


def objective_of_any(given: Definitions = SHIFT_ONLY) -> Expression:
    """The same for a policy that may never give some outputs of the reference."""
    penalty = on_support(any_policy, given.penalty(any_policy, old, reference))
    return Total(any_policy * preference(given)) - beta * Total(penalty)


def derivation(given: Definitions = SHIFT_ONLY) -> Iterator[Claim]:
    """The factor, the reward part, and the combination with the direct divergence."""
    factor = 1 - 1 / size
    group = group_of(reward)
    advantage = given.normalise(member_reward - group.mean, group.variance)
    yield claim(
        "vojnovic_yun_2025.shift-only.member",
        r"The expected advantage of an output has the factor $1 - 1/G$: the output is part of the mean",
        derivation=derive(group.expectation(advantage, given=reward), "Equation (2), shifted only", given=mean)
        .eq(reward - (reward + (size - 1) * centre) / size, "the others have the expected reward $m$")
        .eq(factor * (reward - centre), "collect"),
        equation="Section 3, shift-only normalisation",
    )
    yield claim(
        "vojnovic_yun_2025.shift-only.leave-one-out",
        r"With the mean of the others as the baseline an advantage is $G/(G-1)$ times as large: no factor is left",
        derivation=derive(own - Total(member) / others, "reward minus the mean of the others")
        .eq((size * own - own - Total(member)) / others, "common denominator")
        .eq(size / others * (own - (own + Total(member)) / size), "take out $G$"),
    )
    means = (sums_to_one, *mean)
    gain = Total(policy * reward) - Total(old * reward)
    scaled = claim(
        "vojnovic_yun_2025.shift-only",
        "The reward part is the scaled difference of the expected rewards",
        derivation=derive(Total(policy * preference(given)), "Equation (6) for shifted rewards", given=means)
        .eq(factor * (Total(policy * reward) - centre * Total(policy)), "put in the expected advantage of an output")
        .eq(factor * gain, "the policy sums to 1, and $m$ is the expected reward under the old policy"),
        equation="Section 3, shift-only normalisation",
        printed=paper.quote(
            "Section 3, shift-only normalisation",
            r"\left(1 - \frac{1}{G}\right) \left(\mathbb{E}_{o \sim \pi_\theta(\cdot|q)}[r(o \mid q)] - "
            r"\mathbb{E}_{o \sim \pi_{\theta_{\mathrm{old}}}(\cdot|q)}[r(o \mid q)]\right)",
            eq(Total(policy * preference(given)), factor * gain),
            given=means,
        ),
        oracle=Oracle("enumerates all groups of 2 to 4 over 3 outputs with random rewards", shifted_beside_means),
    )
    yield scaled
    yield from _with_direct_divergence(given)


def _with_direct_divergence(given: Definitions) -> Iterator[Claim]:
    """The objective of RLHF with another weight."""
    factor = 1 - 1 / size
    effective = beta * size / (size - 1)
    divergence = Total(on_support(any_policy, direct_kl(any_policy, old, reference)))
    rlhf_objective = Total(any_policy * reward) - effective * divergence
    same = claim(
        "vojnovic_yun_2025.shift-only.rlhf",
        r"Both modifications together: the objective of RLHF with the weight $\beta G/(G-1)$, scaled, up to a constant",
        derivation=derive(
            objective_of_any(given), "reward part minus weighted divergence", given=[any_sums_to_one, *mean]
        )
        .eq(
            factor * (Total(any_policy * reward) - centre) - beta * divergence,
            "the reward part is the scaled difference of expected rewards, of which $m$ is one",
        )
        .eq(factor * (rlhf_objective - centre), r"take out the factor: $\beta = (1 - 1/G)\,\beta G/(G-1)$"),
        equation="Section 3, last sentence",
        beyond="says how the combination is similar to RLHF, with the weight",
        fills=[
            Gap(
                "Section 3, last sentence",
                "the conclusion is not drawn: no objective, policy or weight is given",
            ),
        ],
    )
    yield same
    weight = reference * exp(reward / effective)
    sums = (sums_to_one, *mean, eq(Total(weight), normaliser))
    of_any, reached = (any_sums_to_one, *sums[1:]), factor * (effective * log(normaliser) - centre)
    first_order = eq(Derivative(objective(given), policy), multiplier)
    tilt = exp(-((multiplier + factor * centre) / beta) - 1)
    yield claim(
        "vojnovic_yun_2025.shift-only.optimum",
        "So a stationary policy is Equation (4) with this weight, whatever the old policy",
        derivation=derive(first_order, "the derivative of the objective is the multiplier", given=sums)
        .implies(
            eq(factor * (reward - centre) - beta * (log(policy / reference) + 1), multiplier),
            "the reward part is linear; differentiate the divergence",
        )
        .implies(eq(policy, weight * tilt), "solve for the policy")
        .implies(
            eq(policy, weight / normaliser),
            "the sum over the outputs determines the factor",
            using=[
                rlhf.claim("eq4.normalisation").at({reward: factor * reward, multiplier: multiplier + factor * centre})
            ],
        ),
        equation="Section 3, last sentence",
    )
    yield claim(
        "vojnovic_yun_2025.shift-only.maximum",
        "No policy, with zeros or without, is better",
        derivation=derive(objective_of_any(given), "the objective", given=of_any)
        .eq(factor * (rlhf_objective - centre), "that of RLHF with another weight", using=[same])
        .le(
            reached,
            "which has its maximum at Equation (4)",
            using=[rlhf.claim(f"eq4.{name}").at({beta: effective}) for name in ("maximum", "value")],
        ),
    )
    yield claim(
        "vojnovic_yun_2025.shift-only.unique",
        "It is the only maximum among all policies: what reaches its value is the same",
        eq(any_policy, target),
        given=[*of_any, eq(target, weight / normaliser), ge(objective_of_any(given), reached)],
        using=[same, rlhf.claim("eq4.unique").at({beta: effective})],
        beyond="the stationary policy is the only maximum among all policies, whatever the old policy",
    )
    yield claim(
        "vojnovic_yun_2025.shift-only.weight",
        "The effective weight falls as the groups grow",
        decreasing(effective, size),
    )
    yield claim(
        "vojnovic_yun_2025.shift-only.weight.limit",
        r"It tends to $\beta$",
        tends_to(effective, beta, size, to=None, side="oo", constant=2 * beta),
    )


shift = Result("Shift-only normalisation", paper, derivation)
