r"""Outputs that the policy never gives: how Equation (11) fails (`point-mass.stationary`, `point-mass.not-eq11`).

The objective of Section 2.3 uses Equation (6), in which a mean over groups of the old policy became a sum over outputs.
The two differ by what the policy gains from outputs that the old policy never gives (`eq6`). On-policy this is 0, but
its derivative need not be, so the two objectives may have different stationary policies.

With the objective of Section 2.3, take two answers $a$ and $b$, groups of two, margin $\gamma$, and let old and new
policy give $a$ the probability 1. This satisfies the conditions of Karush, Kuhn and Tucker if and only if $\gamma \geq
\beta(1 - \pi_{\mathrm{ref}}(a))$ (`point-mass.stationary`), and it is the global maximum for $\gamma > \beta(1 -
\pi_{\mathrm{ref}}(a))$ and $\pi_{\mathrm{ref}}(a) \geq 1/2$ (`point-mass.maximal`); yet Equation (11) as printed reads
$1 = \pi_{\mathrm{ref}}(a)$ there (`point-mass.not-eq11`). With the objective of Equation (1) itself it is right
(`eq11.from-eq1`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.outputs import (
    any_old,
    any_policy,
    any_sums_to_one,
    average,
    beta,
    policy,
    preference,
    reference,
    sampled_reward,
)
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    Substitution,
    Total,
    absolute,
    claim,
    derive,
    eq,
    ge,
    gt,
    increasing,
    instance,
    le,
    ne,
    on_support,
    rational,
    real,
)
from grpo_symbolic.derivation.algebra import simplified
from grpo_symbolic.grpo.definitions import GRPO, Definitions

margin = real("gamma", "(0, 1]", "margin by which answer a is preferred", latex=r"\gamma")
better = real("x", "(0, 1]", "probability of the better answer under the policy")
better_old = real("x_old", "(0, 1]", "probability of the better answer under the old policy", latex=r"x_{\mathrm{old}}")
better_reference = real("r", "(0, 1)", "probability of the better answer under the reference policy")


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Compare the two objectives, then study the policy that always gives the better answer."""
    sampled = sampled_reward(any_policy)
    rewritten = Total(any_policy * preference)
    escaped = rewritten - Total(on_support(any_old, any_policy * preference))
    yield claim(
        "vojnovic_yun_2025.eq6",
        "Equation (6) counts what the policy gains where the old policy gives nothing: it holds exactly if this is 0",
        derivation=derive(eq(sampled, rewritten), "both sides of Equation (6), for any two policies")
        .iff(
            eq(Total(on_support(any_old, any_policy * preference)), rewritten),
            "cancel the old policy where it is positive",
        )
        .iff(eq(escaped, 0), "subtract the sum over what the old policy gives"),
        equation="Eq. (6)",
        printed=paper.quote(
            "Eq. (6)",
            r"\mathcal{R}_G(\theta \mid q) = \mathbb{E}_{o \sim \pi_\theta(\cdot \mid q)}"
            r"[\mathcal{P}_G(o \mid \pi_{\theta_{\mathrm{old}}}(\cdot \mid q), q)]",
            eq(sampled, rewritten),
            given=(eq(Total(any_old), 1), any_sums_to_one, le(absolute(preference), 1 - any_old)),
            missing=(eq(any_policy, on_support(any_old, any_policy)),),
            fails_at={
                any_old: [1, 0],
                any_policy: [0, 1],
                preference: [0, 1],
            },
            instead=r"Equation (6) holds if the policy gives only outputs that the old policy gives, as it does if "
            r"$\pi_\theta = \pi_{\theta_{\mathrm{old}}}$ or if the old policy gives every output, "
            "as a language model does",
        ),
    )

    reward = better * (1 - better_old) * margin - (1 - better) * better_old * margin
    # An answer that the old policy never gives is never penalised: the penalty has no second summand.
    objective = Substitution(
        reward - beta * given.penalty(better, better_old, better_reference), better_old, rational(1)
    )
    slope = derive(Derivative(objective, better), "the objective of Section 2.3, if the old policy always answers $a$")
    slope = slope.eq(simplified(Derivative(objective, better)), "differentiate")
    yield claim("vojnovic_yun_2025.point-mass.slope", "The slope towards the better answer", derivation=slope)
    yield claim(
        "vojnovic_yun_2025.point-mass.stationary",
        "Always giving the better answer satisfies the first-order condition at the end point exactly if the margin is "
        "large enough",
        derivation=derive(
            ge(Substitution(Derivative(objective, better), better, rational(1)), 0),
            "the conditions at the end point 1: the slope is not negative",
        ).iff(ge(margin, beta * (1 - better_reference)), "put in 1 for the policy"),
        beyond="finds policies that satisfy the conditions of Karush, Kuhn and Tucker and Equation (11) leaves out",
    )
    likely, preferred = ge(better_reference, rational(1, 2)), gt(margin, beta * (1 - better_reference))
    product = claim(
        "vojnovic_yun_2025.point-mass.maximal.product",
        "Two factors, neither of which is negative if the reference probability is at least one half",
        ge((1 - better) * (better_reference - (1 - better_reference) * better), 0),
        given=[likely],
    )
    bounded = claim(
        "vojnovic_yun_2025.point-mass.maximal.penalty",
        "So the slope of the penalty is at most what it is at the end point 1",
        le((better - better_reference) / better**2, 1 - better_reference),
        given=[likely],
        using=[product],
    )
    steep = claim(
        "vojnovic_yun_2025.point-mass.maximal.slope",
        "So the slope of the objective is positive if it is at the end point",
        derivation=derive(Derivative(objective, better), "slope of the objective", given=[likely, preferred])
        .eq(margin - beta * ((better - better_reference) / better**2), "differentiate")
        .ge(margin - beta * (1 - better_reference), "the slope of the penalty is bounded", using=[bounded])
        .gt(0, "by hypothesis"),
    )
    yield from (product, bounded, steep)
    yield claim(
        "vojnovic_yun_2025.point-mass.maximal",
        "It may even be the only maximum: the objective increases up to the end point 1",
        increasing(objective, better),
        given=[likely, preferred],
        using=[steep],
        beyond="such a policy may even be the global maximum",
    )
    yield claim(
        "vojnovic_yun_2025.point-mass.not-eq11",
        "At the reference $1/2$ Equation (11) as printed reads $1 = 1/2$ there",
        instance(
            ne((1 - (preference - average) / beta) * policy, reference),
            {preference: rational(0), average: rational(0), beta: rational(1)}
            | {policy: rational(1), reference: rational(1, 2)},
        ),
    )


outside = Result("Outputs that the policy never gives", paper, derivation)
