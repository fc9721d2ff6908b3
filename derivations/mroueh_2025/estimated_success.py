r"""Algorithm 1 estimates the success probability from its group, which for $0 < p < 1$ makes the weights of successes
and of failures as a whole too small on average (`estimate.bias`, `estimate.weight`).

The analysis of the paper uses the weights of Eq. (4) at the success probability $p$ of the old policy. Algorithm 1
(line 8) puts in the share $\hat p$ of successes among $G$ samples, and the same samples stand in for the sums over
outputs. In what is maximised the successes as a whole have the weight $\hat p\,\omega^+(\hat p) = g(\hat p(1-\hat p))$
with $g(v) = v/\sqrt{v+\varepsilon}$, and the failures as well (`estimate.weight`). The function $g$ is concave
(`estimate.tangent`) and increasing (`estimate.increasing`) and $\mathbb{E}\,\hat p(1-\hat p) = (1 -
\frac{1}{G})\,p(1-p)$ (`estimate.variance`), so for $G \ge 2$ the mean weight is at most $g((1-\frac{1}{G})\,p(1-p))$
(`estimate.jensen`) and, for $0 < p < 1$, smaller than $g(p(1-p))$, the weight in Equation (6). For $G = 2$ the mean
weight is $\frac{p(1-p)}{\sqrt{1 + 4\varepsilon}}$ (`estimate.pairs`). So for $0 < p < 1$ Algorithm 1 weights the
successes as a whole on average less than Equation (6) does (`estimate.bias`). This is a bias and not just noise:
relative to success its penalty is stronger.
"""

from collections.abc import Iterator, Mapping
from itertools import product

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.brute_force import standardised
from derivations.mroueh_2025.functions import epsilon, omega_minus, omega_plus, p
from derivations.mroueh_2025.outputs import OUTPUTS
from derivations.mroueh_2025.success_map_edges import inner
from grpo_symbolic import (
    Claim,
    Expression,
    Oracle,
    Result,
    Summed,
    Total,
    both,
    claim,
    derive,
    eq,
    gt,
    increasing,
    le,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.enumeration import Context, Number

ONE = rational(1)
spread = real("v", "[0, 1/4]", "variance of the reward", latex="v")
centre = real("c", "[0, 1/4]", "another variance", latex="c")
size = real("G", "[2, oo)", "number of samples in a group")
chance = real("w", "[0, 1]", "probability of an outcome of the group", latex="w({index})", indexed=OUTPUTS)
share = real("k", "[0, 1]", "share of successes in the group, of an outcome", latex=r"\hat p({index})", indexed=OUTPUTS)


def g(variance: Expression) -> Expression:
    """The weight of all successes together as a function of the variance of the reward."""
    return variance / sqrt(variance + epsilon)


def slope(variance: Expression) -> Expression:
    """The derivative of g."""
    return (variance / 2 + epsilon) / (variance + epsilon) ** rational(3, 2)


def pair_beside_formula(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The mean weight of the successes over all pairs of outputs, and its closed form."""
    success, epsilon_here = values["p"], values["epsilon"]
    policy = [success / 3, success * 2 / 3, (1 - success) / 4, (1 - success) * 3 / 4]
    rewards = (1, 1, 0, 0)
    total = context.zero
    for pair in product(range(4), repeat=2):
        drawn = [rewards[output] for output in pair]
        half = context.one / 2
        advantages = standardised([half, half], drawn, epsilon_here, context)
        pull = sum(value for value, reward in zip(advantages, drawn, strict=True) if reward)
        total += policy[pair[0]] * policy[pair[1]] * pull / 2
    return total, success * (1 - success) / context.sqrt(1 + 4 * epsilon_here)


def derivation() -> Iterator[Claim]:
    """Pairs exactly, then a bound for groups of any size."""
    yield claim(
        "mroueh_2025.estimate.weight",
        "Successes and failures as a whole have the weight $g$ of the variance",
        both(eq(p * omega_plus(p), g(p * (1 - p))), eq((1 - p) * omega_minus(p), g(p * (1 - p)))),
    )
    shares = (rational(0), rational(1, 2), ONE)
    chances = ((1 - p) ** 2, 2 * p * (1 - p), p**2)
    weights = [at * omega_plus(at) for at in shares]
    mean = chances[0] * weights[0] + chances[1] * weights[1] + chances[2] * weights[2]
    yield claim(
        "mroueh_2025.estimate.pairs",
        "The mean weight of the successes as a whole, for two independent samples",
        derivation=derive(mean, "no, one or two successes among two samples")
        .eq(chances[1] * weights[1], "without a success nothing is weighted, and $\\omega_{\\varepsilon}^{+}(1) = 0$")
        .eq(2 * p * (1 - p) * (rational(1, 4) / sqrt(rational(1, 4) + epsilon)), "put in $\\hat p = \\frac12$")
        .eq(p * (1 - p) / sqrt(1 + 4 * epsilon), "multiply numerator and denominator by 2"),
        equation="Algorithm 1, line 8",
        paper_uses=["eq3"],
        oracle=Oracle("enumerates all pairs over four outputs", pair_beside_formula),
        beyond="gives the mean weight of the successes as a whole for pairs",
    )
    yield from any_size()


def any_size() -> Iterator[Claim]:
    """Concavity and the mean of the estimated variance."""
    yield claim(
        "mroueh_2025.estimate.increasing", "The weight increases with the variance", increasing(g(spread), spread)
    )
    tangent = g(centre) + slope(centre) * (spread - centre)
    at_spread, at_centre = sqrt(spread + epsilon), sqrt(centre + epsilon)
    above = claim(
        "mroueh_2025.estimate.tangent.gap",
        "A tangent less the weight is not negative",
        derivation=derive(tangent - g(spread), "tangent less the weight")
        .eq(
            at_centre
            - epsilon / at_centre
            + (at_centre**2 + epsilon) * (at_spread**2 - at_centre**2) / (2 * at_centre**3)
            - (at_spread - epsilon / at_spread),
            "in terms of the roots",
        )
        .eq(
            (at_spread - at_centre) ** 2
            * (at_centre**2 * at_spread + epsilon * (at_spread + 2 * at_centre))
            / (2 * at_centre**3 * at_spread),
            "common denominator; the square factors out of the numerator",
        )
        .ge(0, "no factor is negative"),
    )
    yield above
    below = claim(
        "mroueh_2025.estimate.tangent",
        "It lies nowhere above its tangents",
        le(g(spread), tangent),
        using=[above],
    )
    yield below
    estimated = share * (1 - share)
    shrunk = (1 - 1 / size) * (inner * (1 - inner))
    moments = (
        eq(Total(chance), 1),
        eq(Total(chance * share), inner),
        eq(Total(chance * share**2), inner**2 + inner * (1 - inner) / size),
    )
    variance = claim(
        "mroueh_2025.estimate.variance",
        "The mean of the estimated variance is too small by the factor $1 - 1/G$",
        derivation=derive(Total(chance * estimated), "mean of the estimated variance", given=moments)
        .eq(Total(chance * share) - Total(chance * share**2), "multiply out and split the sum")
        .eq(inner - (inner**2 + inner * (1 - inner) / size), "both moments of a share of successes")
        .eq(shrunk, "$p - p^2 = p(1-p)$; take it out"),
        equation="Algorithm 1, line 8",
        paper_uses=["eq3"],
    )
    yield variance
    line = le(g(estimated), g(shrunk) + slope(shrunk) * (estimated - shrunk))
    summed = claim(
        "mroueh_2025.estimate.jensen",
        "Averaged over the outcomes of a group",
        Summed(line, chance, le(Total(chance * g(estimated)), g(shrunk)), ONE),
        given=moments,
    )
    yield summed
    at_outcome = below.at({spread: estimated, centre: shrunk})
    small = claim(
        "mroueh_2025.estimate.bias.variance",
        "The shrunk variance is positive and at most a quarter",
        both(gt(shrunk, 0), le(shrunk, rational(1, 4))),
    )
    yield small
    mean_weight = Total(chance * g(estimated))
    yield claim(
        "mroueh_2025.estimate.bias",
        "For $0 < p < 1$ and every $G \\ge 2$ the mean weight of the successes as a whole is smaller than in Eq. (6)",
        derivation=derive(
            Total(chance * (share * omega_plus(share))), "mean weight of the successes in Algorithm 1", given=moments
        )
        .eq(mean_weight, "it depends on the estimated variance")
        .le(g(shrunk), "concavity", using=[small, at_outcome, summed])
        .lt(g(inner * (1 - inner)), "the weight increases with the variance")
        .eq(inner * omega_plus(inner), "the weight of the successes in Eq. (6)"),
        using=[at_outcome, summed],
        equation="Algorithm 1, line 8",
        paper_uses=["eq3"],
        beyond="shows that for $0 < p < 1$ successes as a whole weigh less on average in Algorithm 1 than in Eq. (6)",
    )


estimate = Result("The success probability estimated from a group", paper, derivation)
