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
from derivations.vojnovic_yun_2025.no_maximum_at_small_references import no_maximum, share
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective
from derivations.vojnovic_yun_2025.shorthands import objectives
from derivations.vojnovic_yun_2025.where_the_maximum import common_gain, gain, pull, y
from grpo_symbolic import Claim, Result, both, claim, derive, eq, ge, gt, le, log, lt, rational, real, sqrt
from grpo_symbolic.grpo.definitions import GRPO, Definitions

bound = real("delta", "(0, 1)", "a bound of the policy", latex=r"\delta")
k = real("k", "(0, 1]", "ratio of margin and weight")
u = real("u", "(0, oo)", "any positive number")


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Replace the logarithms by bounds, and then the policy by a bound in terms of the reference."""
    pairs = pairs_objective(gamma, given)
    bounds = list(logarithms())
    yield from bounds
    fractions = x * reference / y + (1 - x) * (1 - reference) / (1 - y)
    without = beta * (pull * (y - x) + 1 - sqrt(x * y) + y - x - fractions)
    stationary = eq(slope(pairs), 0)
    ratios = x * log(x / y) + (1 - x) * log((1 - x) / (1 - y))
    written = claim(
        "vojnovic_yun_2025.gain.written",
        "The gain over a stationary policy by the divergence from the other one",
        eq(common_gain(y, given), beta * (pull * (y - x) + 1 + ratios - fractions)),
    )
    yield written
    line = derive(gain(pairs, y), "going from a stationary policy to another", given=[stationary])
    line = line.eq(common_gain(y, given), "gain in terms of $x$ and $r$")
    without_logarithms = claim(
        "vojnovic_yun_2025.gain.without-logarithms",
        "A lower bound of the gain over a stationary policy",
        derivation=line.gt(without, "bounds for both logarithms", using=[written, *bounds[1:]]),
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
    pulled = no_maximum.claim("eq14.no-maximum.pull")
    estimates = list(bound_without_logarithms())
    yield from estimates
    located = claim(
        "vojnovic_yun_2025.eq14.no-maximum.large-weight.place",
        "For this $y$ a policy that is small enough is small beside it",
        both(eq(y, k / (2 * (1 + k))), le(25 * x, k**2 * y)),
        given=[eq(k, gamma / beta), heavy, there, eq(x, share * (gamma / beta) ** 3 / 100)],
        using=estimates[:2],
    )
    yield located
    positive = claim(
        "vojnovic_yun_2025.eq14.no-maximum.large-weight.bound",
        "For this $y$ and a stationary policy that is small enough this lower bound is positive",
        gt(without, 0),
        given=[heavy, there, eq(x, share * (gamma / beta) ** 3 / 100), stationary],
        using=[pulled, located.at({k: gamma / beta}), estimates[-1].at({k: gamma / beta})],
    )
    yield positive
    small = eq(reference, gamma / beta * bound**2)
    below = claim(
        "vojnovic_yun_2025.eq14.no-maximum.large-weight.quadratic",
        "The quadratic equation bounds the square of a stationary policy",
        le(gamma * x**2, beta * reference),
        given=[stationary, heavy],
        using=[pulled],
    )
    square = claim(
        "vojnovic_yun_2025.eq14.no-maximum.large-weight.square",
        r"So the square of a stationary policy is at most that of $\delta$",
        derivation=derive(x**2, "square of the policy", given=[heavy, small, stationary])
        .le(beta / gamma * reference, "the quadratic equation", using=[below])
        .eq(bound**2, "by hypothesis"),
    )
    cubed = claim(
        "vojnovic_yun_2025.eq14.no-maximum.large-weight.cube",
        r"A policy of at most $\delta$ is small in terms of weight and margin",
        derivation=derive(100 * beta**3 * x, "a multiple of the policy", given=[le(x, bound), tight])
        .le(100 * beta**3 * bound, "the policy is at most this")
        .eq(share * gamma**3, "by hypothesis")
        .le(gamma**3, r"$t \leq 1$"),
    )
    root = claim(
        "vojnovic_yun_2025.eq14.no-maximum.large-weight.root",
        "Of two positive numbers the one with the smaller square is not the larger one",
        le(x, bound),
        given=[le(x**2, bound**2)],
    )
    yield from (below, square, cubed, root)
    vanishing = claim(
        "vojnovic_yun_2025.eq14.no-maximum.large-weight.policy",
        "For $\\beta \\geq \\gamma$ the policy is small for a small reference",
        le(100 * beta**3 * x, gamma**3),
        given=[heavy, tight, small, stationary],
        using=[square, root, cubed],
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


def bound_without_logarithms() -> Iterator[Claim]:
    """What is positive where a policy is small beside another one, in terms of the ratio of margin and weight."""
    there, near, strength = eq(y, k / (2 * (1 + k))), le(25 * x, k**2 * y), eq(pull, k)
    yield claim(
        "vojnovic_yun_2025.gain.without-logarithms.other",
        "The other policy is at least a quarter of the ratio",
        ge(4 * y, k),
        given=[there],
    )
    yield claim(
        "vojnovic_yun_2025.gain.without-logarithms.near",
        "A policy that is small in terms of the ratio is small beside the other one",
        derivation=derive(25 * x, "a multiple of the policy", given=[eq(x, share * k**3 / 100), ge(4 * y, k)])
        .eq(share * k**3 / 4, "by hypothesis")
        .le(k**3 / 4, r"$t \leq 1$")
        .le(k**2 * y, "the other policy is at least a quarter of the ratio"),
    )
    pieces = 1 + y - x - (1 - x) * (1 - reference) / (1 - y)
    less = claim(
        "vojnovic_yun_2025.gain.without-logarithms.fraction",
        "The second fraction of the lower bound takes little away",
        derivation=derive(pieces, "what stands beside the second fraction")
        .ge(1 + y - x - (1 - x) / (1 - y), "$r > 0$")
        .eq(y * (x - y) / (1 - y), "common denominator")
        .ge(-(y**2) / (1 - y), "$x > 0$"),
    )
    half = claim(
        "vojnovic_yun_2025.gain.without-logarithms.half",
        "A fraction of the other policy that is at most half of this product",
        le(y**2 / (1 - y), k * y / 2),
        given=[there],
    )
    positive = claim(
        "vojnovic_yun_2025.gain.without-logarithms.pulled",
        "A policy that is pulled back exceeds the reference",
        lt(reference, x),
        given=[strength],
    )
    product = claim(
        "vojnovic_yun_2025.gain.without-logarithms.product",
        "The product of both policies is small beside a square",
        le(x * y, (k * y / 5) ** 2),
        given=[near],
    )
    root = claim(
        "vojnovic_yun_2025.gain.without-logarithms.root",
        "So the root of the product is small",
        derivation=derive(sqrt(x * y), "root of the product", given=[near])
        .le(sqrt((k * y / 5) ** 2), "the root rises", using=[product])
        .eq(k * y / 5, "it is positive"),
    )
    small = claim(
        "vojnovic_yun_2025.gain.without-logarithms.small",
        "The policy is small beside the other one",
        derivation=derive(x, "the policy", given=[near])
        .le(k**2 * y / 25, "by hypothesis")
        .le(k * y / 25, r"$k \leq 1$"),
    )
    first = claim(
        "vojnovic_yun_2025.gain.without-logarithms.first-fraction",
        "The first fraction of the lower bound is at most the policy",
        derivation=derive(x * reference / y, "first fraction", given=[lt(reference, x), near])
        .le(x * x / y, "$r < x$")
        .le(x, "$x < y$", using=[small]),
    )
    yield from (less, half, positive, product, root, small, first)
    line = derive(
        pull * (y - x) + 1 - sqrt(x * y) + y - x - (x * reference / y + (1 - x) * (1 - reference) / (1 - y)),
        "the lower bound, without the weight",
        given=[strength, there, near],
    )
    yield claim(
        "vojnovic_yun_2025.gain.without-logarithms.estimate",
        "The lower bound is positive where the policy is small beside the other one",
        derivation=line.eq(k * (y - x) - sqrt(x * y) - x * reference / y + pieces, "put in the strength")
        .ge(k * (y - x) - sqrt(x * y) - x * reference / y - y**2 / (1 - y), "the second fraction", using=[less])
        .ge(k * (y - x) - sqrt(x * y) - x * reference / y - k * y / 2, "at most half of a product", using=[half])
        .ge(k * (y - x) - k * y / 5 - x - k * y / 2, "root and first fraction", using=[positive, root, first])
        .ge(k * (y - k * y / 25) - k * y / 5 - k * y / 25 - k * y / 2, "the policy is small", using=[small])
        .gt(0, r"$1 - \frac1{25} - \frac15 - \frac1{25} - \frac12 > 0$, and $k \leq 1$"),
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
