r"""Small references: no policy in $(0, 1)$ is stationary in the sense of Section 1.3.

The paper calls a policy stationary, in Section 1.3, if it maximises the objective whose old policy it is itself. Inside
$(0, 1)$ Equation (14) (`eq14`), or (15) for large groups (`eq15`), is the only candidate. Going from it to the
reference gains $\beta\,(\mathrm{KL}(x \| r) - \chi^2(r \| x))$ with $\chi^2(r \| x) = (x - r)^2/(x(1 - x))$
(`gain.reference`). As $r$ vanishes and $x$ stays away from 0 and 1, the divergence grows without bound, and the other
term does not. So in groups of two with $\beta < \gamma$ (`eq14.no-maximum`), and in large groups with any weight
(`eq15.no-maximum`), a small enough reference is better than the candidate.

That Equation (14) is close to 1 "no matter what" the reference is, for a small ratio of weight and margin, thus holds
of the formula and of the stationary point (`eq14.close-to-one`), but not of a maximum (`eq14.no-maximum`). The
thresholds are explicit and, for small weights, tiny: for groups of two with $\beta = 0.04$ and $\gamma = 1$ about $5
\cdot 10^{-12}$ (`eq14.no-maximum`). Long outputs may well have smaller probabilities than this. What is left are the
policies that always give the same answer, which may satisfy the first-order condition (`point-mass.stationary`). That
such a policy is the maximum is stated for references of at least $1/2$ alone (`point-mass.maximal`).
"""

from collections.abc import Iterator
from fractions import Fraction

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, gamma, reference, slope, x
from derivations.vojnovic_yun_2025.binary_question import margin as any_margin
from derivations.vojnovic_yun_2025.root_groups_of_two import groups_of_two as of_two
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective
from derivations.vojnovic_yun_2025.root_large_groups import large_groups as of_large_groups
from derivations.vojnovic_yun_2025.root_large_groups import large_groups_objective, spread
from derivations.vojnovic_yun_2025.shorthands import objectives
from derivations.vojnovic_yun_2025.where_a_maximum import polynomial
from derivations.vojnovic_yun_2025.where_the_maximum import common_gain, gain, global_maximum, pull, y
from grpo_symbolic import (
    Claim,
    Expression,
    Figure,
    Region,
    Result,
    both,
    claim,
    derive,
    eq,
    exp,
    ge,
    gt,
    implies,
    le,
    log,
    lt,
    rational,
    real,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions

share = real("t", "(0, 1]", "a threshold as a part of the largest one")
divergence = x * log(x / reference) + (1 - x) * log((1 - x) / (1 - reference))
chi_square = (x - reference) ** 2 / (x * (1 - x))
low = real("w", "(0, 1)", "what a policy exceeds")
factor = real("e", "(0, 1)", "a small factor", latex=r"\epsilon")
far = le(reference, x * exp(-1 - pull))


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The gain of going to the reference, and when it is positive."""
    to_reference = claim(
        "vojnovic_yun_2025.gain.reference",
        "Going from a stationary policy to the reference gains $\\beta$ times a difference of two divergences",
        eq(common_gain(reference, given), beta * (divergence - chi_square)),
    )
    yield to_reference
    log_ratio = claim(
        "vojnovic_yun_2025.gain.small-reference.ratio",
        "The logarithm of the ratio to such a reference is large",
        derivation=derive(log(x / reference), "logarithm of the ratio", given=[far])
        .ge(log(exp(1 + pull)), "the ratio is large")
        .eq(1 + pull, "the logarithm undoes the exponential"),
    )
    beside = claim(
        "vojnovic_yun_2025.gain.small-reference.beside",
        "The other term of the divergence is not far below 0",
        ge((1 - x) * log((1 - x) / (1 - reference)), reference - x),
    )
    divided = claim(
        "vojnovic_yun_2025.gain.small-reference.quotient",
        "What is left exceeds the other divergence",
        gt(x * (1 + pull) + reference - x, chi_square),
        given=[lt(reference, x)],
    )
    yield from (log_ratio, beside, divided)
    rare = claim(
        "vojnovic_yun_2025.gain.small-reference",
        "The first divergence is larger for a reference that is small enough beside the policy",
        gt(divergence, chi_square),
        given=[lt(reference, x), far],
        using=[log_ratio, beside, divided],
    )
    yield rare
    yield from groups_of_two(pairs_objective(gamma, given), given, to_reference, rare)
    yield from large_groups(large_groups_objective(given), given, to_reference, rare)


def groups_of_two(pairs: Expression, given: Definitions, to_reference: Claim, rare: Claim) -> Iterator[Claim]:
    """For a weight below the margin the candidate stays away from 0."""
    small = eq(reference, share * (1 - beta / gamma) * exp(-1 - gamma / beta))
    inside = claim(
        "vojnovic_yun_2025.eq14.no-maximum.part",
        "A part of a multiple of what is smaller than a policy",
        derivation=derive(share * low * factor, "a part of a multiple", given=[lt(low, x)])
        .le(low * factor, r"$t \leq 1$")
        .le(x * factor, "what is smaller than the policy"),
    )
    scaled = claim(
        "vojnovic_yun_2025.eq14.no-maximum.scaled",
        "A part of a multiple of what is smaller than a policy is smaller than it, and than this multiple of it",
        both(lt(share * low * factor, x), le(share * low * factor, x * factor)),
        given=[lt(low, x)],
        using=[inside],
    )
    less_than_one = claim(
        "vojnovic_yun_2025.eq14.no-maximum.factor",
        "The exponential of a negative number is less than 1",
        lt(exp(-1 - gamma / beta), 1),
    )
    yield from (inside, scaled, less_than_one)
    located = claim(
        "vojnovic_yun_2025.eq14.no-maximum.threshold",
        "For $\\beta < \\gamma$ a reference that is small in terms of weight and margin is small beside a policy above "
        "$1 - \\beta/\\gamma$",
        both(lt(reference, x), le(reference, x * exp(-1 - gamma / beta))),
        given=[lt(beta, gamma), gt(x, 1 - beta / gamma), small],
        using=[less_than_one, scaled.at({low: 1 - beta / gamma, factor: exp(-1 - gamma / beta)})],
    )
    yield located
    stationary, pulled_by = eq(slope(pairs), 0), eq(pull, gamma / beta)
    pulled = claim(
        "vojnovic_yun_2025.eq14.no-maximum.pull",
        "In groups of two a stationary policy is pulled back with a strength that is the ratio of margin and weight",
        pulled_by,
        given=[stationary],
        using=[of_two.claim("eq17.slope").at({any_margin: gamma})],
    )
    away = claim(
        "vojnovic_yun_2025.eq14.no-maximum.policy",
        "In groups of two a stationary policy is above $1 - \\beta/\\gamma$",
        gt(x, 1 - beta / gamma),
        given=[stationary],
        using=[pulled],
    )
    put_in = claim(
        "vojnovic_yun_2025.eq14.no-maximum.far",
        "The bound of the reference, with the strength in the place of this ratio",
        far,
        given=[le(reference, x * exp(-1 - gamma / beta)), pulled_by],
    )
    yield from (pulled, away, put_in)
    beside = claim(
        "vojnovic_yun_2025.eq14.no-maximum.small",
        "So a reference that is small in terms of weight and margin is small beside a stationary policy",
        derivation=derive(stationary, "stationary at itself", given=[lt(beta, gamma), small])
        .implies(both(pulled_by, gt(x, 1 - beta / gamma)), "strength and policy", using=[pulled, away])
        .implies(
            both(pulled_by, lt(reference, x), le(reference, x * exp(-1 - gamma / beta))),
            "the policy is above this",
            using=[located],
        )
        .implies(both(lt(reference, x), far), "put in the strength", using=[put_in]),
    )
    yield beside
    in_pairs = global_maximum.claim("gain.groups-of-two").at({y: reference})
    better = claim(
        "vojnovic_yun_2025.eq14.no-maximum.gain",
        "Groups of two: a reference that is small beside a stationary policy is better",
        derivation=derive(gain(pairs, reference), "going to the reference", given=[stationary, lt(reference, x), far])
        .eq(common_gain(reference, given), "gain in terms of $x$ and $r$", using=[in_pairs])
        .eq(beta * (divergence - chi_square), "a difference of two divergences", using=[to_reference])
        .gt(0, "the first one is larger", using=[rare]),
    )
    yield better
    yield claim(
        "vojnovic_yun_2025.eq14.no-maximum",
        "Groups of two, $\\beta < \\gamma$: a reference that is small enough is better than the stationary point",
        implies(stationary, gt(gain(pairs, reference), 0)),
        given=[lt(beta, gamma), small],
        using=[beside, better],
        beyond="for $\\beta < \\gamma$ and a small enough reference no policy inside is stationary in the sense of "
        "Section 1.3",
    )


def large_groups(large: Expression, given: Definitions, to_reference: Claim, rare: Claim) -> Iterator[Claim]:
    """For large groups the candidate always stays away from 0."""
    small = eq(reference, share * exp(-3 - 2 / beta**2) / (1 + beta**2))
    stationary, weak = eq(slope(large), 0), le(pull, 2 + 2 / beta**2)
    beyond_limit = gt(x, 1 / (1 + beta**2))
    quarter = claim(
        "vojnovic_yun_2025.eq15.no-maximum.factor",
        "An exponential that is less than one quarter",
        derivation=derive(exp(-3 - 2 / beta**2), "the exponential")
        .lt(exp(rational(-3)), "it rises")
        .lt(rational(1, 4), "$4 < e^3$"),
    )
    yield quarter
    fourfold = claim(
        "vojnovic_yun_2025.eq15.no-maximum.fourfold",
        "Four times a reference that is small in terms of the weight is less than a policy above $1/(1 + \\beta^2)$",
        derivation=derive(4 * reference, "four times the reference", given=[beyond_limit, small])
        .eq(share * (4 * exp(-3 - 2 / beta**2)) / (1 + beta**2), "by hypothesis")
        .le(4 * exp(-3 - 2 / beta**2) / (1 + beta**2), r"$t \leq 1$")
        .lt(1 / (1 + beta**2), "the exponential is less than one quarter", using=[quarter])
        .lt(x, "by hypothesis"),
    )
    yield fourfold
    above = claim(
        "vojnovic_yun_2025.eq15.no-maximum.policy",
        "A policy above $1/(1 + \\beta^2)$ is far above a reference that is small in terms of the weight",
        lt(4 * reference, x),
        given=[beyond_limit, small],
        using=[fourfold],
    )
    yield above
    squared = eq(beta**2 * (x - reference) ** 2, x * (1 - x))
    squares = claim(
        "vojnovic_yun_2025.eq15.no-maximum.square",
        "For large groups a stationary policy exceeds the reference and solves a quadratic equation",
        derivation=derive(stationary, "stationary at itself")
        .iff(
            eq(beta * (x - reference), spread),
            "Equation (19)",
            using=[of_large_groups.claim("eq19")],
        )
        .implies(both(gt(x, reference), squared), "the root is positive; square both sides"),
    )
    higher = claim(
        "vojnovic_yun_2025.eq15.no-maximum.above-limit",
        "So it is above $1/(1 + \\beta^2)$",
        beyond_limit,
        given=[squared, gt(x, reference)],
    )
    weakly = claim(
        "vojnovic_yun_2025.eq15.no-maximum.strength",
        "A policy that solves this equation far above the reference is pulled back with bounded strength",
        derivation=derive(pull, "strength", given=[squared, beyond_limit, lt(4 * reference, x)])
        .eq(1 / (beta**2 * (x - reference)), "put in $x(1 - x)$")
        .lt(4 / (3 * beta**2 * x), "$4r < x$")
        .lt(4 * (1 + beta**2) / (3 * beta**2), "the policy is above this limit")
        .lt(2 + 2 / beta**2, r"$\frac43 < 2$"),
    )
    yield from (squares, higher, weakly)
    bounded = claim(
        "vojnovic_yun_2025.eq15.no-maximum.pull",
        "For large groups a stationary policy is above this and, if far above the reference, pulled back with bounded "
        "strength",
        both(gt(x, 1 / (1 + beta**2)), implies(lt(4 * reference, x), le(pull, 2 + 2 / beta**2))),
        given=[stationary],
        using=[squares, higher, weakly],
    )
    yield bounded
    smaller = claim(
        "vojnovic_yun_2025.eq15.no-maximum.far",
        "Such a reference is small beside a policy that is pulled back with bounded strength",
        derivation=derive(reference, "the reference", given=[small, beyond_limit, weak])
        .le(exp(-3 - 2 / beta**2) / (1 + beta**2), r"$t \leq 1$")
        .lt(x * exp(-3 - 2 / beta**2), "the policy is above this limit")
        .le(x * exp(-1 - pull), "the strength is bounded"),
    )
    yield smaller
    beside = claim(
        "vojnovic_yun_2025.eq15.no-maximum.small",
        "So a reference that is small in terms of the weight is small beside a stationary policy",
        derivation=derive(stationary, "stationary at itself", given=[small])
        .implies(both(beyond_limit, implies(lt(4 * reference, x), weak)), "policy and strength", using=[bounded])
        .implies(both(beyond_limit, lt(4 * reference, x), weak), "far above the reference", using=[above])
        .implies(both(lt(reference, x), far), "pulled back with bounded strength", using=[smaller]),
    )
    yield beside
    in_large_groups = global_maximum.claim("gain.large-groups").at({y: reference})
    better = claim(
        "vojnovic_yun_2025.eq15.no-maximum.gain",
        "Large groups: a reference that is small beside a stationary policy is better",
        derivation=derive(gain(large, reference), "going to the reference", given=[stationary, lt(reference, x), far])
        .eq(common_gain(reference, given), "gain in terms of $x$ and $r$", using=[in_large_groups])
        .eq(beta * (divergence - chi_square), "a difference of two divergences", using=[to_reference])
        .gt(0, "the first one is larger", using=[rare]),
    )
    yield better
    yield claim(
        "vojnovic_yun_2025.eq15.no-maximum",
        "Large groups: for every weight a reference that is small enough is better than the stationary point",
        implies(stationary, gt(gain(large, reference), 0)),
        given=[small],
        using=[beside, better],
        beyond="for a reference that is small enough for the weight no policy inside is stationary in the sense of "
        "Section 1.3",
    )


def figures() -> Iterator[Figure]:
    """Which stationary policies are no maxima, over reference and policy; the same map for both group sizes."""
    above = lt(reference, x)
    yield Figure(
        "vojnovic_yun_2025.figure-maxima",
        "Stationary policies $x$ that are no maximum of the objective whose old policy they are, against the reference "
        "$r$: strict local minima (`curvature`, `curvature.small-reference`), and policies that are worse than the "
        r"reference (`gain.reference`). For groups of two the weight is $\beta = \gamma x(1 - x)/(x - r)$, for large "
        r"groups $\beta = \sqrt{x(1 - x)}/(x - r)$.",
        reference,
        (Fraction(0), Fraction(1, 10)),
        "reference $r$",
        "stationary policy $x$",
        regions=(
            Region(both(above, lt(polynomial(), 0)), (), "local minimum"),
            Region(both(above, gt(divergence, chi_square)), (), "worse than the reference"),
        ),
        vertical=x,
        vertical_range=(Fraction(0), Fraction(1)),
    )


no_maximum = Result(
    "Small references leave no stationary policy inside", paper, derivation, figures, shorthands=objectives
)
