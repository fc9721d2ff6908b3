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
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective
from derivations.vojnovic_yun_2025.root_large_groups import large_groups_objective
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
    eq,
    exp,
    gt,
    implies,
    le,
    log,
    lt,
    real,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions

share = real("t", "(0, 1]", "a threshold as a part of the largest one")
divergence = x * log(x / reference) + (1 - x) * log((1 - x) / (1 - reference))
chi_square = (x - reference) ** 2 / (x * (1 - x))


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The gain of going to the reference, and when it is positive."""
    to_reference = claim(
        "vojnovic_yun_2025.gain.reference",
        "Going from a stationary policy to the reference gains $\\beta$ times a difference of two divergences",
        eq(common_gain(reference, given), beta * (divergence - chi_square)),
    )
    yield to_reference
    rare = claim(
        "vojnovic_yun_2025.gain.small-reference",
        "The first divergence is larger for a reference that is small enough beside the policy",
        gt(divergence, chi_square),
        given=[lt(reference, x), le(reference, x * exp(-1 - pull))],
    )
    yield rare
    yield from groups_of_two(pairs_objective(gamma, given), to_reference, rare)
    yield from large_groups(large_groups_objective(given), to_reference, rare)


def groups_of_two(pairs: Expression, to_reference: Claim, rare: Claim) -> Iterator[Claim]:
    """For a weight below the margin the candidate stays away from 0."""
    small = eq(reference, share * (1 - beta / gamma) * exp(-1 - gamma / beta))
    located = claim(
        "vojnovic_yun_2025.eq14.no-maximum.threshold",
        "For $\\beta < \\gamma$ a reference that is small in terms of weight and margin is small beside a policy above "
        "$1 - \\beta/\\gamma$",
        both(lt(reference, x), le(reference, x * exp(-1 - gamma / beta))),
        given=[lt(beta, gamma), gt(x, 1 - beta / gamma), small],
    )
    yield located
    in_pairs = global_maximum.claim("gain.groups-of-two").at({y: reference})
    yield claim(
        "vojnovic_yun_2025.eq14.no-maximum",
        "Groups of two, $\\beta < \\gamma$: a reference that is small enough is better than the stationary point",
        implies(eq(slope(pairs), 0), gt(gain(pairs, reference), 0)),
        given=[lt(beta, gamma), small],
        using=[located, in_pairs, to_reference, rare],
        beyond="for $\\beta < \\gamma$ and a small enough reference no policy inside is stationary in the sense of "
        "Section 1.3",
    )


def large_groups(large: Expression, to_reference: Claim, rare: Claim) -> Iterator[Claim]:
    """For large groups the candidate always stays away from 0."""
    small = eq(reference, share * exp(-3 - 2 / beta**2) / (1 + beta**2))
    stationary = eq(slope(large), 0)
    above = claim(
        "vojnovic_yun_2025.eq15.no-maximum.policy",
        "A policy above $1/(1 + \\beta^2)$ is far above a reference that is small in terms of the weight",
        lt(4 * reference, x),
        given=[gt(x, 1 / (1 + beta**2)), small],
    )
    yield above
    bounded = claim(
        "vojnovic_yun_2025.eq15.no-maximum.pull",
        "For large groups a stationary policy is above this and, if far above the reference, pulled back with bounded "
        "strength",
        both(gt(x, 1 / (1 + beta**2)), implies(lt(4 * reference, x), le(pull, 2 + 2 / beta**2))),
        given=[stationary],
    )
    yield bounded
    in_large_groups = global_maximum.claim("gain.large-groups").at({y: reference})
    yield claim(
        "vojnovic_yun_2025.eq15.no-maximum",
        "Large groups: for every weight a reference that is small enough is better than the stationary point",
        implies(stationary, gt(gain(large, reference), 0)),
        given=[small],
        using=[above, bounded, in_large_groups, to_reference, rare],
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
