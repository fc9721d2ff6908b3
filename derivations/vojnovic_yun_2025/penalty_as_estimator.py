r"""The penalty as an estimator of the direct divergence.

The term $D_i$ of the objective is never negative (`penalty.nonnegative`). Its expectation over the old policy is the
divergence $\mathrm{KL}(\pi_\theta \Vert \pi_{\mathrm{ref}})$ plus two corrections: $R - 1$, where $R$ is the reference
probability of the outputs that the policy gives, and a sum that vanishes on-policy (`penalty.bias-off-policy`). So
on-policy the bias is $R - 1$ (`penalty.bias`), and the estimator is unbiased where $R = 1$ (`penalty.unbiased`): like
Equation (11), this needs a policy that gives every output that the reference policy gives. The importance weight of
Section 3 removes the second correction and not the first (`weighted-penalty`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.direct_and_reverse_kl import ratio
from derivations.vojnovic_yun_2025.outputs import (
    covered,
    old,
    policy,
    reference,
    reference_sums_to_covered,
    sums_to_one,
)
from grpo_symbolic import (
    Claim,
    Derivative,
    Extremum,
    Result,
    Total,
    claim,
    derive,
    eq,
    ge,
    instance,
    log,
    ne,
    rational,
    real,
)
from grpo_symbolic.derivation.algebra import simplified
from grpo_symbolic.grpo.definitions import GRPO, Definitions, binary_penalty, direct_kl

x = real("x", "(0, 1)", "probability of the first of two outputs under the policy")
x_old = real("x_old", "(0, 1)", "its probability under the old policy", latex=r"x_{\mathrm{old}}")
x_ref = real("x_ref", "(0, 1)", "its probability under the reference policy", latex=r"x_{\mathrm{ref}}")

#: Two equally likely outputs, which the reference policy gives two times out of three.
halves = [rational(1, 2), rational(1, 2)]
given_in_part = {policy: halves, reference: [rational(1, 3), rational(1, 3)], covered: rational(2, 3)}


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The bias on-policy, its sign, and the bias off-policy."""
    one = rational(1)
    term = simplified(given.penalty(one, one, ratio))
    steepness = claim(
        "vojnovic_yun_2025.penalty.slope",
        "The derivative of the penalty of an output by the ratio of the probabilities",
        derivation=derive(Derivative(term, ratio), "derivative by the ratio")
        .eq(1 - 1 / ratio, "differentiate")
        .eq((ratio - 1) / ratio, "common denominator: the sign of $\\rho - 1$"),
    )
    yield steepness
    smallest = claim(
        "vojnovic_yun_2025.penalty.smallest",
        "The penalty of an output is smallest exactly where policy and reference policy agree",
        Extremum(term, ratio, one),
        using=[steepness],
        equation="Eq. (1)",
    )
    yield smallest
    yield claim("vojnovic_yun_2025.penalty.nonnegative", "It is never negative", ge(term, 0), using=[smallest])
    sums = (sums_to_one, reference_sums_to_covered)
    expected, divergence = Total(given.penalty(policy, policy, reference)), Total(direct_kl(policy, old, reference))
    bias = derive(expected - divergence, "on-policy expectation minus divergence", given=sums)
    yield claim(
        "vojnovic_yun_2025.penalty.bias",
        "On-policy the expected penalty is the divergence minus the reference probability of outputs never given",
        derivation=bias.eq(
            Total(policy * (reference / policy) - policy), "the logarithms of a quotient and its inverse cancel"
        )
        .eq(Total(reference) - Total(policy), "split the sum")
        .eq(covered - 1, "the policy sums to 1, the reference to $R$"),
        equation="Section 2.2, after Eq. (7)",
        printed=paper.quote(
            "Section 2.2, after Eq. (7)",
            r"\mathrm{KL}_0(\pi_\theta \Vert \pi_{\mathrm{ref}}; \pi_\theta)"
            r" = \mathrm{KL}(\pi_\theta \Vert \pi_{\mathrm{ref}})",
            eq(expected, divergence),
            given=sums,
            missing=(eq(covered, 1),),
            fails_at=given_in_part,
            instead=r"the estimator has bias $R - 1$ on-policy, where $R \leq 1$ is the reference probability of the "
            "outputs that the policy gives; it is unbiased if the policy gives every output that the reference policy "
            "gives (`penalty.unbiased`), and too small otherwise",
        ),
    )
    yield claim(
        "vojnovic_yun_2025.penalty.unbiased",
        "So the penalty is unbiased on-policy if the policy gives every output of the reference policy",
        derivation=derive(
            expected, "on-policy expectation of the penalty", given=(sums_to_one, eq(Total(reference), 1))
        )
        .eq(divergence + Total(reference) - Total(policy), "split the sum; the logarithm of an inverse")
        .eq(divergence, "both sum to 1"),
        beyond="gives a condition under which the penalty is unbiased",
    )
    yield from _off_policy(given)


def _off_policy(given: Definitions) -> Iterator[Claim]:
    """The bias where the old policy is another one, and what the importance weight of Section 3 does about it."""
    sums = (sums_to_one, reference_sums_to_covered)
    ratio_here = reference / policy
    single = ratio_here - log(ratio_here) - 1
    divergence = Total(direct_kl(policy, old, reference))
    yield claim(
        "vojnovic_yun_2025.penalty.bias-off-policy",
        "Off-policy the bias has a second part, a sum over the change of the policy",
        derivation=derive(
            Total(given.penalty(policy, old, reference)) - divergence,
            "expected penalty minus divergence",
            given=sums,
        )
        .eq(
            Total(policy * single) - divergence + Total((old - policy) * single),
            "add and subtract the expectation on-policy",
        )
        .eq(Total(reference) - Total(policy) + Total((old - policy) * single), "the logarithms on-policy cancel")
        .eq(covered - 1 + Total((old - policy) * single), "the policy sums to 1, the reference to $R$"),
        beyond="gives the bias off-policy in closed form",
    )
    yield claim(
        "vojnovic_yun_2025.penalty.biased-off-policy",
        "So it is biased in general, even with two outputs that both policies give",
        instance(
            ne(binary_penalty(x, x_old, x_ref, given), direct_kl(x, x, x_ref) + direct_kl(1 - x, 1 - x, 1 - x_ref)),
            {x: rational(1, 2), x_old: rational(1, 4), x_ref: rational(1, 4)},
        ),
        equation="Section 2.2, after Eq. (7)",
    )
    weighted = Total(policy / old * given.penalty(policy, old, reference))
    yield claim(
        "vojnovic_yun_2025.weighted-penalty",
        "The importance weight of Section 3 removes the second part of the bias",
        derivation=derive(weighted, "the weighted penalty, expected over the old policy", given=sums)
        .eq(Total(given.penalty(policy, policy, reference)), "cancel the old policy")
        .eq(divergence + Total(reference) - Total(policy), "split the sum; the logarithm of an inverse")
        .eq(divergence + covered - 1, "the policy sums to 1, the reference to $R$"),
        equation="Section 3",
        printed=paper.quote(
            "Section 3, direct divergence, after the new penalty",
            r"\mathcal{D}(\theta \mid q) = \mathrm{KL}(\pi_\theta(\cdot \mid q) \Vert"
            r" \pi_{\mathrm{ref}}(\cdot \mid q))",
            eq(weighted, divergence),
            given=sums,
            missing=(eq(covered, 1),),
            fails_at={**given_in_part, old: halves},
            instead=r"$\mathcal{D}(\theta \mid q) = \mathrm{KL}(\pi_\theta \Vert \pi_{\mathrm{ref}}) + R - 1$, where "
            "$R$ is the reference probability of the outputs that the policies give; the printed form needs $R = 1$. "
            "The difference is a constant, which the gradient along the simplex does not see",
        ),
        paper_uses=["penalty.bias"],
    )
    slope = Derivative(weighted, policy)
    yield claim(
        "vojnovic_yun_2025.weighted-penalty.gradient",
        "Its gradient is that of the direct divergence in Equation (9), minus 1",
        derivation=derive(slope, "only one summand depends on the coordinate")
        .eq(simplified(slope), "differentiate; the old policy cancels")
        .eq(Derivative(divergence, policy) - 1, "compare with Equation (9)"),
        equation="Section 3",
    )


estimator = Result("The penalty as an estimator", paper, derivation)
