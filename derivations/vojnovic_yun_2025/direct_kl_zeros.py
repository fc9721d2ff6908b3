r"""Direct divergence, large groups: none, one or two stationary policies.

Below the threshold $\sinh\tau$ of the last section $h$ is positive (`direct-kl.zeros.none`), at the threshold it has
exactly one zero (`direct-kl.zeros.one`), and above it exactly two (`direct-kl.zeros.first`, `direct-kl.zeros.second`),
one on each side of its minimum (`direct-kl.h-minimum`). On small $\beta$ the paper speaks, in Appendix B.2, of every
$x \in [0, 1]$; at $0$ and $1$ the function $h$ has no value.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, reference, x
from derivations.vojnovic_yun_2025.direct_kl_large_groups import (
    against,
    coth,
    h,
    half_odds_against,
    half_odds_of_x,
    large_groups,
    weight_angle,
)
from derivations.vojnovic_yun_2025.direct_kl_threshold import (
    critical,
    gain,
    half_odds_gain,
    merging,
    threshold,
    threshold_against,
    weight,
)
from grpo_symbolic import (
    Claim,
    Derivative,
    Gap,
    Result,
    UniqueRoot,
    UniqueZero,
    claim,
    cosh,
    derive,
    eq,
    exp,
    ge,
    gt,
    lt,
    ne,
    rational,
    real,
    sinh,
)
from grpo_symbolic.language.expression import substitute

offset = real("v", "(-oo, oo)", "distance from the point of contact of a tangent")
lead = real("k", "(0, oo)", "a positive number")
closed = real("x_closed", "[0, 1]", "probability of answer a, 0 and 1 included", latex=r"\bar x")


def derivation() -> Iterator[Claim]:
    """The three cases."""
    yield from _none()
    yield from _one()
    yield from _two()


def _none() -> Iterator[Claim]:
    """Below the threshold h is positive."""
    smallest, value = (
        threshold.claim("direct-kl.threshold.smallest-weight"),
        threshold.claim("direct-kl.threshold.value"),
    )
    below = threshold.claim("direct-kl.threshold.above-reference")
    too_small = lt(beta, sinh(critical))
    no_gain = claim(
        "vojnovic_yun_2025.direct-kl.zeros.none.gain",
        "Below the threshold no gain is stationary",
        derivation=derive(cosh(gain - against) / beta - gain, "half of $h$ for a gain", given=[merging, too_small])
        .gt(cosh(gain - against) / sinh(critical) - gain, "the weight is below the threshold")
        .eq(gain / sinh(critical) * (weight(gain, against) - sinh(critical)), "definition of the weight of a gain")
        .ge(0, "the threshold is the smallest weight", using=[smallest, value]),
    )
    yield no_gain
    yield claim(
        "vojnovic_yun_2025.direct-kl.zeros.none",
        r"Below the threshold $h$ is positive on $(0, 1)$",
        derivation=derive(h(x), "definition of $h$", given=[eq(threshold_against, half_odds_against), too_small])
        .eq(
            2 * (cosh(half_odds_of_x) / beta - half_odds_of_x - half_odds_against),
            "in half log-odds",
            using=[large_groups.claim("direct-kl.catenary")],
        )
        .gt(
            0,
            "below the threshold no gain is stationary",
            using=[below, no_gain.at({gain: half_odds_gain, against: half_odds_against})],
        ),
        equation="Appendix B.2, last paragraph",
        printed=paper.quote(
            "Appendix B.2, last paragraph",
            r"h(x) > 0 \text{ for every } x \in [0, 1]",
            gt(h(closed), 0),
            given=(eq(reference, rational(1, 2)), eq(beta, 1)),
            notation="the closed interval contains 0 and 1, where $h$ has no value",
            instead=r"$h(x) > 0$ for every $x \in (0, 1)$, if and only if $\beta < \sinh\tau$ (`direct-kl.zeros.one`, "
            r"`direct-kl.zeros.first`); at $0$ and $1$ the function $h$ has no value",
            compare_with_pdf=True,
        ),
        beyond="replaces small enough by the exact condition (`direct-kl.zeros.one`, `direct-kl.zeros.first`)",
    )


def _one() -> Iterator[Claim]:
    """At the threshold the catenary touches its tangent."""
    tangent = claim(
        "vojnovic_yun_2025.direct-kl.zeros.tangent",
        "A catenary lies above a rising tangent, except where they touch",
        gt(cosh(critical + offset), cosh(critical) + offset * sinh(critical)),
        given=[ne(offset, 0)],
    )
    yield tangent
    beside = gain - coth(critical)
    nothing_else = claim(
        "vojnovic_yun_2025.direct-kl.zeros.one.else",
        "Beside it the weight is larger than the threshold",
        derivation=derive(weight(gain, against), "weight of a gain", given=[merging, ne(gain, coth(critical))])
        .eq(cosh(critical + beside) / gain, r"$y - \ell = \tau + (y - \coth\tau)$")
        .gt(
            (cosh(critical) + beside * sinh(critical)) / gain,
            "the tangent",
            using=[tangent.at({offset: beside})],
        )
        .eq(sinh(critical), r"$\coth\tau\sinh\tau = \cosh\tau$"),
    )
    yield nothing_else
    yield claim(
        "vojnovic_yun_2025.direct-kl.zeros.one",
        r"At the threshold there is exactly one zero, at half log-odds $\coth\tau - \ell = \tau$",
        UniqueRoot(gain, eq(weight(gain, against), sinh(critical)), coth(critical)),
        given=[merging],
        using=[nothing_else],
        beyond="settles the borderline case",
    )


def _two() -> Iterator[Claim]:
    """Above the threshold, one zero on each side of the minimum of h."""
    above = gt(weight_angle, critical)
    minimum = weight_angle + threshold_against
    difference = cosh(gain - threshold_against) / sinh(weight_angle) - gain
    small, touching = 1 / (1 + sinh(weight_angle)), coth(critical)
    falls = claim(
        "vojnovic_yun_2025.direct-kl.zeros.first.slope",
        r"Up to the gain of $x^*$ half of $h$ falls",
        derivation=derive(Derivative(difference, gain), "derivative by the gain", given=[above, lt(gain, minimum)])
        .eq(sinh(gain - threshold_against) / sinh(weight_angle) - 1, "differentiate")
        .lt(0, r"the hyperbolic sine rises, and $y - \ell < t$"),
    )
    yield falls
    positive = claim(
        "vojnovic_yun_2025.direct-kl.zeros.first.before",
        r"At the gain $1/(1 + \sinh t)$ it is positive",
        derivation=derive(substitute(difference, {gain: small}), "half of $h$ at this gain", given=[above])
        .ge(1 / sinh(weight_angle) - small, "a hyperbolic cosine is at least 1")
        .gt(0, "compare the denominators"),
    )
    yield positive
    negative = claim(
        "vojnovic_yun_2025.direct-kl.zeros.first.after",
        r"At the gain $\coth\tau$ it is negative",
        derivation=derive(substitute(difference, {gain: touching}), "half of $h$ at this gain", given=[above])
        .eq(cosh(critical) / sinh(weight_angle) - touching, r"$\coth\tau - \ell = \tau$")
        .lt(cosh(critical) / sinh(critical) - touching, r"$\sinh\tau < \sinh t$")
        .eq(0, "definition of the hyperbolic cotangent"),
    )
    yield negative
    yield claim(
        "vojnovic_yun_2025.direct-kl.zeros.first",
        r"Above the threshold, where $\beta = \sinh t$ with $t > \tau$, one zero lies below $x^*$",
        UniqueZero(
            difference,
            gain,
            below=small,
            above=touching,
            increasing=False,
            upper=minimum,
        ),
        given=[above],
        using=[falls, positive, negative],
        beyond="brackets the first of exactly two stationary policies",
    )
    growth = claim("vojnovic_yun_2025.direct-kl.zeros.growth", "A bound on the exponential", ge(exp(lead), 1 + lead))
    yield growth
    far = claim(
        "vojnovic_yun_2025.direct-kl.zeros.far",
        "A catenary that lies above a straight line",
        derivation=derive(cosh(weight_angle + 2 * lead), "the catenary")
        .gt(exp(weight_angle) * exp(lead) ** 2 / 2, "leave the second exponential out")
        .gt(sinh(weight_angle) * exp(lead) ** 2, r"$e^t/2 > \sinh t$")
        .ge(sinh(weight_angle) * (1 + lead) ** 2, "a bound on the exponential, squared", using=[growth])
        .gt(sinh(weight_angle) * (3 * lead), "$1 - k + k^2 > 0$"),
    )
    yield far
    at = weight(gain, threshold_against)
    rises = claim(
        "vojnovic_yun_2025.direct-kl.zeros.second.slope",
        r"Beyond $\coth\tau$ the weight rises with the gain",
        derivation=derive(Derivative(at, gain), "derivative of the weight", given=[gt(gain, coth(critical))])
        .eq((gain * sinh(gain - threshold_against) - cosh(gain - threshold_against)) / gain**2, "quotient rule")
        .gt(0, r"$y > \coth\tau$, and $\tanh(y - \ell) > \tanh\tau$ as $y - \ell > \tau$"),
    )
    yield rises
    before = claim(
        "vojnovic_yun_2025.direct-kl.zeros.second.before",
        r"At the gain of $x^*$ the weight is less than $\sinh t$",
        derivation=derive(weight(minimum, threshold_against), "the weight at this gain", given=[above])
        .eq(cosh(weight_angle) / minimum, r"$x^*$ has half log-odds $t$")
        .lt(
            cosh(weight_angle) / coth(weight_angle),
            r"$\coth t - t < \coth\tau - \tau$",
            using=[threshold.claim("direct-kl.threshold.monotone").between(critical, weight_angle)],
        )
        .eq(sinh(weight_angle), "definition of the hyperbolic cotangent"),
    )
    yield before
    after = claim(
        "vojnovic_yun_2025.direct-kl.zeros.second.after",
        r"At three times this gain it is more",
        derivation=derive(weight(3 * minimum, threshold_against), "the weight at this gain", given=[above])
        .eq(cosh(weight_angle + 2 * minimum) / (3 * minimum), r"the half log-odds are $t$ and twice the gain")
        .gt(sinh(weight_angle), "the catenary lies above the straight line", using=[far.at({lead: minimum})]),
    )
    yield after
    beyond = claim(
        "vojnovic_yun_2025.direct-kl.zeros.second.inside",
        r"The gain of $x^*$ lies beyond $\coth\tau$",
        derivation=derive(minimum, r"it is $t + \coth\tau - \tau$", given=[above]).gt(touching, r"$t > \tau$"),
    )
    positive = claim(
        "vojnovic_yun_2025.direct-kl.zeros.second.positive",
        "And is positive",
        derivation=derive(minimum, "the gain of $x^*$", given=[above])
        .gt(touching, "the last line", using=[beyond])
        .gt(0, r"the hyperbolic cotangent is positive"),
    )
    yield from (beyond, positive)
    yield claim(
        "vojnovic_yun_2025.direct-kl.zeros.second",
        "The other zero lies above $x^*$",
        UniqueZero(
            weight(gain, threshold_against) - sinh(weight_angle),
            gain,
            below=minimum,
            above=3 * minimum,
            increasing=True,
            lower=coth(critical),
        ),
        given=[above],
        using=[rises, before, after, beyond, positive],
        equation="Appendix B.2, last paragraph",
        beyond="brackets the second of exactly two stationary policies",
        paper_uses=["direct-kl.h-at-0", "direct-kl.h-at-1"],
        fills=[
            Gap(
                "Appendix B.2, last paragraph",
                "that the function changes its sign on each side of its minimum is not shown, and the case of one "
                "zero is left out",
            ),
        ],
    )


zeros = Result("Direct divergence, large groups: none, one or two stationary policies", paper, derivation)
