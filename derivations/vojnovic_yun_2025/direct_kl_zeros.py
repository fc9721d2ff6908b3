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
        gt(cosh(gain - against) / beta - gain, 0),
        given=[merging, too_small],
        using=[smallest, value],
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
    yield claim(
        "vojnovic_yun_2025.direct-kl.zeros.one",
        r"At the threshold there is exactly one zero, at half log-odds $\coth\tau - \ell = \tau$",
        UniqueRoot(gain, eq(weight(gain, against), sinh(critical)), coth(critical)),
        given=[merging],
        using=[tangent.at({offset: gain - coth(critical)})],
        beyond="settles the borderline case",
    )


def _two() -> Iterator[Claim]:
    """Above the threshold, one zero on each side of the minimum of h."""
    above = gt(weight_angle, critical)
    minimum = weight_angle + threshold_against
    yield claim(
        "vojnovic_yun_2025.direct-kl.zeros.first",
        r"Above the threshold, where $\beta = \sinh t$ with $t > \tau$, one zero lies below $x^*$",
        UniqueZero(
            cosh(gain - threshold_against) / sinh(weight_angle) - gain,
            gain,
            below=1 / (1 + sinh(weight_angle)),
            above=coth(critical),
            increasing=False,
            upper=minimum,
        ),
        given=[above],
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
        using=[far.at({lead: minimum})],
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
