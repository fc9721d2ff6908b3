r"""Small references and large weights: the candidate of groups of two vanishes, and going away from it pays.

For $\beta \geq \gamma$ Equation (14) tends to 0 with the reference (`eq14.small-reference`), and the reference itself
need not be better (it is worse for $\beta = 2\gamma$ and $r = 1/100$, which is not stated below). But $y =
\gamma/(2(\gamma + \beta))$ is, for every reference up to $10^{-4} (\gamma/\beta)^7$, here written as $\delta^2
\gamma/\beta$ (`eq14.no-maximum.large-weight`): where the old policy hardly ever gives an answer, the penalty for giving
it more often is of second order, and the reward is of first order. With the section before (`eq14.no-maximum`), at no
ratio of weight and margin is Equation (14) the best policy for all references (`eq14.no-maximum.large-weight`). The
proof bounds the logarithms in the gain by algebraic functions.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, gamma, reference, slope, x
from derivations.vojnovic_yun_2025.no_maximum_at_small_references import share
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective
from derivations.vojnovic_yun_2025.shorthands import objectives
from derivations.vojnovic_yun_2025.where_the_maximum import common_gain, gain, pull, y
from grpo_symbolic import Claim, Result, claim, derive, eq, ge, gt, le, log, rational, real, sqrt
from grpo_symbolic.grpo.definitions import GRPO, Definitions

bound = real("delta", "(0, 1)", "a bound of the policy", latex=r"\delta")
u = real("u", "(0, oo)", "any positive number")


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Replace the logarithms by bounds, and then the policy by a bound in terms of the reference."""
    pairs = pairs_objective(gamma, given)
    bounds = list(logarithms())
    yield from bounds
    fractions = x * reference / y + (1 - x) * (1 - reference) / (1 - y)
    without = beta * (pull * (y - x) + 1 - sqrt(x * y) + y - x - fractions)
    stationary = eq(slope(pairs), 0)
    line = derive(gain(pairs, y), "going from a stationary policy to another", given=[stationary])
    line = line.eq(common_gain(y, given), "gain in terms of $x$ and $r$")
    without_logarithms = claim(
        "vojnovic_yun_2025.gain.without-logarithms",
        "A lower bound of the gain over a stationary policy",
        derivation=line.gt(without, "bounds for both logarithms", using=bounds[1:]),
    )
    yield without_logarithms
    no_gain = derive(without, "the lower bound", given=[stationary, le(gain(pairs, y), 0)])
    enough = claim(
        "vojnovic_yun_2025.gain.without-logarithms.positive",
        "Where nothing is gained this bound is negative",
        derivation=no_gain.lt(gain(pairs, y), "a lower bound", using=[without_logarithms]).le(0, "nothing is gained"),
    )
    yield enough
    heavy, there = le(gamma, beta), eq(y, gamma / (2 * (gamma + beta)))
    tight = eq(bound, share * (gamma / beta) ** 3 / 100)
    positive = claim(
        "vojnovic_yun_2025.eq14.no-maximum.large-weight.bound",
        "For this $y$ and a stationary policy that is small enough this lower bound is positive",
        gt(without, 0),
        given=[heavy, there, eq(x, share * (gamma / beta) ** 3 / 100), stationary],
    )
    yield positive
    small = eq(reference, gamma / beta * bound**2)
    vanishing = claim(
        "vojnovic_yun_2025.eq14.no-maximum.large-weight.policy",
        "For $\\beta \\geq \\gamma$ the policy is small for a small reference",
        le(100 * beta**3 * x, gamma**3),
        given=[heavy, tight, small, stationary],
    )
    yield vanishing
    at_small_reference = claim(
        "vojnovic_yun_2025.eq14.no-maximum.large-weight.reference",
        "So the lower bound is positive for a small reference",
        positive.statement,
        given=[heavy, there, tight, small, stationary],
        using=[vanishing, positive.at({share: 100 * x * (beta / gamma) ** 3})],
    )
    yield at_small_reference
    yield claim(
        "vojnovic_yun_2025.eq14.no-maximum.large-weight",
        "Groups of two, $\\beta \\geq \\gamma$: for a small enough reference $y = \\gamma/(2(\\gamma + \\beta))$ is "
        "better than the stationary point",
        gt(gain(pairs, y), 0),
        given=[heavy, there, tight, small, stationary],
        using=[at_small_reference, enough],
        beyond="for $\\beta \\geq \\gamma$ and a small enough reference no policy inside is stationary in the sense of "
        "Section 1.3",
    )


def logarithms() -> Iterator[Claim]:
    """What bounds the logarithms in the gain."""
    halved = derive(log(u), "the logarithm").eq(log(u / 2) + log(rational(2)), "product rule")
    halved = halved.le(u / 2 - 1 + log(rational(2)), "$\\log v \\leq v - 1$").lt(u / 2, "$2 < e$")
    logarithm = claim("vojnovic_yun_2025.gain.logarithm", "A bound for the logarithm", derivation=halved)
    yield logarithm
    root = sqrt(y / x)
    line = derive(x * log(x / y), "first term of the divergence of $x$ from $y$")
    line = line.eq(-2 * x * log(root), "a square and an inverse").gt(
        -x * root, "bound for the logarithm", using=[logarithm.at({u: root})]
    )
    yield claim(
        "vojnovic_yun_2025.gain.first-term",
        "The first term of a divergence is not far below 0",
        derivation=line.eq(-sqrt(x * y), "$x\\sqrt{y/x} = \\sqrt{xy}$"),
    )
    yield claim(
        "vojnovic_yun_2025.gain.second-term",
        "The second term of a divergence",
        ge((1 - x) * log((1 - x) / (1 - y)), y - x),
    )


large_weights = Result("Small references and large weights", paper, derivation, shorthands=objectives)
