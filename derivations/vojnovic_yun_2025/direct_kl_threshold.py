r"""Direct divergence, large groups: the threshold for the weight.

The paper finds no zero of $h$ if $\beta$ is small enough and two if it is sufficiently large. The threshold
follows from one equation. Let $y$ be half the log-odds that the policy gains over the reference policy, and
$\ell = \frac12 \log\frac{1-r}{r}$ half the log-odds against the better answer under the reference policy. A policy
with $y \leq 0$ is not stationary (`direct-kl.threshold.above-reference`), and one with $y > 0$ is stationary at the
weight $w(y, \ell) = \cosh(y - \ell)/y$ and at no other (`direct-kl.threshold.weight`). This weight is smallest at
$y = \coth\tau$ (`direct-kl.threshold.smallest-weight`), where $\tau > 0$ is the only solution of
$\coth\tau - \tau = \ell$ (`direct-kl.threshold`); its minimum, the threshold, is $\sinh\tau$
(`direct-kl.threshold.value`).

The threshold grows with the reference probability (`direct-kl.threshold.monotone`). At $r = \frac12$ the equation reads
$\coth\tau = \tau$, and the threshold $1.50887\ldots$ is one over Laplace's limit constant
(`direct-kl.threshold.half`). With the default $\beta = 0.04$ that the paper mentions no policy is stationary unless
$r < e^{-49}$ (`direct-kl.threshold.default`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, reference, x
from derivations.vojnovic_yun_2025.direct_kl_end_points import ends, positive
from derivations.vojnovic_yun_2025.direct_kl_large_groups import (
    against,
    coth,
    h,
    half_odds_against,
    half_odds_of_x,
    large_groups,
)
from grpo_symbolic import (
    Claim,
    Derivative,
    Extremum,
    Result,
    Substitution,
    UniqueZero,
    absolute,
    claim,
    cosh,
    decreasing,
    define,
    derive,
    eq,
    exp,
    ge,
    gt,
    le,
    log,
    rational,
    real,
    sinh,
    sqrt,
)

gain = real("y", "(0, oo)", "half the log-odds that the policy gains over the reference policy")
critical = real("tau", "(0, oo)", "half the log-odds at which two stationary policies merge", latex=r"\tau")

weight = define("w", (gain, against), cosh(gain - against) / gain)
half_odds_gain = half_odds_of_x + half_odds_against


#: The reference policy that belongs to a threshold.
threshold_against = coth(critical) - critical
merging = eq(against, threshold_against)


def derivation() -> Iterator[Claim]:
    """The weight of every stationary policy, its minimum, and what follows about the number of zeros."""
    size = 2 + absolute(against)
    steep = claim(
        "vojnovic_yun_2025.direct-kl.threshold.tanh",
        r"The hyperbolic tangent is below its tangent at 0",
        gt(critical * cosh(critical), sinh(critical)),
    )
    above_inverse = claim(
        "vojnovic_yun_2025.direct-kl.threshold.above-inverse",
        r"$\coth\tau$ exceeds $1/\tau$",
        gt(coth(critical), 1 / critical),
        using=[steep],
    )
    product = claim(
        "vojnovic_yun_2025.direct-kl.threshold.product",
        r"The hyperbolic cosine is not far above the hyperbolic sine",
        le(critical * cosh(critical), (1 + critical) * sinh(critical)),
    )
    below_inverse = claim(
        "vojnovic_yun_2025.direct-kl.threshold.below-inverse",
        r"$\coth\tau$ exceeds 1 by at most $1/\tau$",
        le(coth(critical), 1 + 1 / critical),
        using=[product],
    )
    yield from (steep, above_inverse, product, below_inverse)
    yield claim(
        "vojnovic_yun_2025.direct-kl.threshold",
        r"To every reference policy belongs exactly one $\tau$",
        UniqueZero(threshold_against - against, critical, 1 / size, size, increasing=False),
        using=[above_inverse.at({critical: 1 / size}), below_inverse.at({critical: size})],
    )
    falls = claim(
        "vojnovic_yun_2025.direct-kl.threshold.slope",
        r"The derivative of $\coth\tau - \tau$ is negative",
        derivation=derive(Derivative(threshold_against, critical), "derivative by the half log-odds")
        .eq(-(1 / sinh(critical) ** 2) - 1, r"$\sinh^2\tau - \cosh^2\tau = -1$")
        .lt(0, "both terms are"),
    )
    yield falls
    yield claim(
        "vojnovic_yun_2025.direct-kl.threshold.monotone",
        r"The larger the reference probability, the larger $\tau$, since $\ell$ decreases in $\tau$",
        decreasing(threshold_against, critical),
        using=[falls],
    )
    below = claim(
        "vojnovic_yun_2025.direct-kl.threshold.above-reference",
        "A policy that gains nothing over the reference policy is not stationary",
        derivation=derive(h(x), "definition of $h$", given=[le(x, reference)])
        .ge(1 / (beta * sqrt(x * (1 - x))), "the log-odds of $x$ are at most those of $r$")
        .gt(0, "a positive fraction"),
    )
    yield below
    yield claim(
        "vojnovic_yun_2025.direct-kl.threshold.weight",
        "For every other policy $h$ is a multiple of $w/\\beta - 1$",
        derivation=derive(h(x), "definition of $h$", given=[gt(x, reference)])
        .eq(
            2 * (cosh(half_odds_of_x) / beta - half_odds_of_x - half_odds_against),
            "in half log-odds",
            using=[large_groups.claim("direct-kl.catenary")],
        )
        .eq(
            2 * (cosh(half_odds_gain - half_odds_against) / beta - half_odds_gain),
            "in the gain over the reference",
        )
        .eq(
            2 * half_odds_gain * (weight(half_odds_gain, half_odds_against) / beta - 1),
            "take out the gain, which is positive",
        ),
    )
    slope = claim(
        "vojnovic_yun_2025.direct-kl.threshold.smallest-weight.slope",
        "The derivative of this weight by the gain",
        derivation=derive(Derivative(weight(gain, against), gain), "definition of the weight")
        .eq(sinh(gain - against) / gain - cosh(gain - against) / gain**2, "product rule")
        .eq((gain * sinh(gain - against) - cosh(gain - against)) / gain**2, "common denominator"),
    )
    yield slope
    smallest = claim(
        "vojnovic_yun_2025.direct-kl.threshold.smallest-weight",
        r"This weight is smallest at the gain $\coth\tau$",
        Extremum(weight(gain, against), gain, coth(critical)),
        given=[merging],
        using=[slope],
    )
    yield smallest
    value = claim(
        "vojnovic_yun_2025.direct-kl.threshold.value",
        "The weight at this gain",
        derivation=derive(weight(coth(critical), against), "the weight at this gain", given=[merging])
        .eq(cosh(critical) / coth(critical), r"$\coth\tau - \ell = \tau$")
        .eq(sinh(critical), "definition of the hyperbolic cotangent"),
        beyond=r"gives the weight below which no policy is stationary (`direct-kl.zeros.none`), in terms of $\tau$",
    )
    yield value
    yield from _numbers()


def _numbers() -> Iterator[Claim]:
    """The threshold for an undecided reference policy, and what a common weight means."""
    cosine = sqrt(1 + beta**2)
    yield claim(
        "vojnovic_yun_2025.direct-kl.threshold.half",
        r"At $r = \frac12$ $h(x^*)$ vanishes for $\beta = 1.50887\ldots$, one over Laplace's limit constant",
        UniqueZero(
            cosine / beta - log(beta + cosine),
            beta,
            below=rational(15088795, 10**7),
            above=rational(15088796, 10**7),
            increasing=False,
        ),
    )
    logarithm = ends.claim("direct-kl.logarithm")
    not_small, odds_root = ge(reference, exp(rational(-49))), sqrt((1 - x) / x)
    least = claim(
        "vojnovic_yun_2025.direct-kl.threshold.default.least",
        "A quadratic polynomial without zeros, divided by a positive number",
        gt(25 * (positive + 1 / positive) + 2 * (1 - 1 / positive) - 49, 0),
    )
    odds = claim(
        "vojnovic_yun_2025.direct-kl.threshold.default.odds",
        "The log-odds of such a reference probability are at least its logarithm",
        ge(log(reference / (1 - reference)), -49),
        given=[not_small],
    )
    yield from (least, odds)
    yield claim(
        "vojnovic_yun_2025.direct-kl.threshold.default",
        r"With $\beta = 0.04$, $h$ is positive unless the reference probability is astronomically small",
        derivation=derive(Substitution(h(x), beta, rational(1, 25)), "definition of $h$", given=[not_small])
        .eq(
            25 * (odds_root + 1 / odds_root) + 2 * log(odds_root) + log(reference / (1 - reference)),
            "in the root of the odds against the better answer",
        )
        .ge(
            25 * (odds_root + 1 / odds_root) + 2 * (1 - 1 / odds_root) - 49,
            "both logarithms are bounded",
            using=[logarithm.at({positive: odds_root}), odds],
        )
        .gt(0, "whatever the root is", using=[least.at({positive: odds_root})]),
        beyond="names a weight in use for which no policy is stationary unless $r < e^{-49}$",
    )


threshold = Result("Direct divergence, large groups: the threshold", paper, derivation)
