r"""What Equation (15) says: limits, monotonicity, bounds, and the comparison with groups of two.

For deterministic rewards, the properties that Section 2.3.1 states are confirmed for the formula at references in
$(0, 1)$; at a reference of 0 the lower bound fails (`eq15.lower-bound.at-zero`). Inside $(0, 1)$ it is strict and can
be raised to $(1 + \beta^2 r)/(1 + \beta^2)$, which exceeds both printed bounds. As the weight vanishes, the policy
tends to 1 at least at the rate $\beta^2$ (`eq15.no-penalty`), where groups of two have the bound $(1-r)\beta/\gamma$
(`eq14.no-penalty`). The stronger bias towards the reward has a simple reason: Equation (19) is Equation (17) with the
margin $1/\sqrt{x(1-x)}$, which is never below 2 (`eq15.as-pairs`), while the margin of a pair never exceeds 1. So the
policy for large groups is at least as biased as Equation (14) would be with a margin of 2.
"""

from collections.abc import Iterator
from fractions import Fraction

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, gamma, reference, x
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_root, quadratic, y
from derivations.vojnovic_yun_2025.root_groups_of_two_bounds import bounds as between
from derivations.vojnovic_yun_2025.root_groups_of_two_properties import never_given, policy_of_a, prior_of_a
from derivations.vojnovic_yun_2025.root_groups_of_two_properties import properties as of_two
from derivations.vojnovic_yun_2025.root_large_groups import large_groups, large_root, spread
from derivations.vojnovic_yun_2025.shorthands import solutions
from grpo_symbolic import (
    Claim,
    Curve,
    Figure,
    Gap,
    Result,
    both,
    claim,
    decreasing,
    derive,
    eq,
    ge,
    gt,
    iff,
    increasing,
    le,
    maximum,
    rational,
    real,
    sqrt,
    tends_to,
)

root = large_root()
bound = 1 / (1 + beta**2)
sharper = (1 + beta**2 * reference) / (1 + beta**2)
spread_there = sqrt(root * (1 - root))
probability = real("p", "(0, 1)", "a probability")
question = real(
    "pi_question", "[0, 1]", "probability of the question as an answer to itself", latex=r"\pi_\theta(q \mid q)"
)


def derivation() -> Iterator[Claim]:
    """In the order of Section 2.3.1."""
    yield claim("vojnovic_yun_2025.eq15.beta", "The policy falls with the weight", decreasing(root, beta))
    yield claim("vojnovic_yun_2025.eq15.reference", "It rises with the reference", increasing(root, reference))
    near_one = claim(
        "vojnovic_yun_2025.eq15.no-penalty.distance",
        "A bound on the probability of the other answer for large groups",
        derivation=derive(1 - root, "1 minus Equation (15)")
        .lt(1 - sharper, "what stands under the root exceeds 1")
        .eq(beta**2 * (1 - reference) / (1 + beta**2), "collect")
        .le((1 - reference) * beta**2, "leave out a denominator above 1"),
    )
    yield near_one
    yield claim(
        "vojnovic_yun_2025.eq15.no-penalty",
        "As the weight vanishes, all probability goes to the more rewarding answer, at least at a quadratic rate",
        tends_to(root, 1, beta, to=0, side="+", constant=1 - reference, exponent=2),
        using=[large_groups.claim("eq15.below-one"), near_one],
        beyond="adds a bound of second order on the distance from the limit",
    )
    half = claim(
        "vojnovic_yun_2025.eq15.deviation.half",
        "The standard deviation of an answer is at most one half",
        both(gt(spread, 0), le(spread, rational(1, 2))),
    )
    positive = claim(
        "vojnovic_yun_2025.eq15.positive",
        "Equation (15) is positive",
        derivation=derive(root, "Equation (15)")
        .gt(reference, "it exceeds the reference", using=[large_groups.claim("eq15.above-reference")])
        .gt(0, "$r > 0$"),
    )
    deviation = claim(
        "vojnovic_yun_2025.eq15.deviation",
        "At Equation (15) it is positive and at most one half",
        both(gt(spread_there, 0), le(spread_there, rational(1, 2))),
        using=[positive, large_groups.claim("eq15.below-one"), half.at({x: root})],
    )
    distance = claim(
        "vojnovic_yun_2025.eq15.distance",
        "The distance of Equation (15) from the reference",
        derivation=derive(root - reference, "by how much the policy exceeds the reference")
        .eq(spread_there / beta, "Equation (19)", using=[large_groups.claim("eq15.solves-19")])
        .le(1 / (2 * beta), "the standard deviation is at most one half", using=[deviation]),
    )
    yield from (half, positive, deviation, distance)
    yield claim(
        "vojnovic_yun_2025.eq15.strong-penalty",
        "A dominating penalty leaves the reference",
        tends_to(root, reference, beta, to=None, side="oo", constant=rational(1, 2)),
        using=[large_groups.claim("eq15.above-reference"), distance],
    )
    yield from bounds()
    yield from compared_with_pairs(deviation)


def bounds() -> Iterator[Claim]:
    """The printed lower bound, a sharper one, and the limits at both ends of the reference."""
    first = claim(
        "vojnovic_yun_2025.eq15.above-limit",
        "It exceeds its limit at a vanishing reference",
        derivation=derive(root, "Equation (15)")
        .gt(sharper, "what stands under the root exceeds 1")
        .gt(bound, "$r > 0$"),
    )
    yield first
    yield claim(
        "vojnovic_yun_2025.eq15.lower-bound",
        "The printed lower bound is strict for references in $(0, 1)$",
        derivation=derive(root, "Equation (15)")
        .gt(sharper, "what stands under the root exceeds 1")
        .gt(maximum(bound, reference), r"it is $b + (1 - b)\,r = r + (1 - r)\,b$ with $b = 1/(1 + \beta^2)$"),
        equation="Section 2.3.1, large groups",
        paper_uses=["eq15"],
        printed=paper.quote(
            "Section 2.3.1, large groups",
            r"\pi_{\theta}(a \mid q) \geq \max\left\{\frac{1}{1+\beta^2}, \pi_{\mathrm{ref}}(a \mid q)\right\}",
            ge(root, maximum(bound, reference)),
        ),
    )
    yield claim(
        "vojnovic_yun_2025.eq15.lower-bound.at-zero",
        "At a reference of 0, where the policy is 0, it is below this bound for every weight",
        derivation=derive(policy_of_a, "the policy at a reference of 0", given=never_given)
        .eq(0, "it is 0")
        .lt(bound, "a positive number")
        .le(maximum(bound, prior_of_a), "the larger of two"),
        equation="Section 2.3.1, large groups",
        printed=paper.quote(
            "Section 2.3.1, large groups, at a reference of 0",
            r"\pi_{\theta}(a \mid q) \geq \max\left\{\frac{1}{1+\beta^2}, \pi_{\mathrm{ref}}(a \mid q)\right\}",
            ge(policy_of_a, maximum(bound, prior_of_a)),
            given=never_given,
            missing=(gt(prior_of_a, 0),),
            instead=r"The bound holds for $0 < \pi_{\mathrm{ref}}(a \mid q) < 1$ (`eq15.lower-bound`). At 0, where the "
            "sentence before places the discontinuity, the policy is 0",
            isolated=True,
            fails_at={policy_of_a: 0, prior_of_a: 0, beta: 1},
        ),
    )
    of_pairs = claim(
        "vojnovic_yun_2025.eq14.lower-bound.deterministic",
        "For deterministic rewards groups of two exceed $1 - \\beta$",
        derivation=derive(pairs_root(rational(1)), "Equation (14) with $\\gamma_{a,b} = 1$")
        .gt(
            maximum(1 - beta / rational(1), reference),
            "the printed lower bound",
            using=[of_two.claim("eq14.lower-bound").at({gamma: 1})],
        )
        .ge(1 - beta, "the larger of two, and $\\beta/1 = \\beta$"),
    )
    yield of_pairs
    yield claim(
        "vojnovic_yun_2025.eq15.lower-bound.compared",
        "For deterministic rewards large groups exceed the one bound, groups of two the other",
        both(gt(root, bound), gt(pairs_root(rational(1)), 1 - beta)),
        using=[first, of_pairs],
        equation="Section 2.3.1, last paragraph",
        printed=paper.quote(
            "Section 2.3.1, last paragraph",
            r"\pi_\theta(q \mid q) \text{ is now lower bounded by } 1/(1 + \beta^2)",
            ge(question, bound),
            fails_at={question: 0, beta: 1},
            notation="the question $q$ stands in the place of an output",
            instead=r"$\pi_\theta(a \mid q)$, as in the bound before; the question $q$ is no output",
            compare_with_pdf=True,
            isolated=True,
        ),
    )
    yield claim(
        "vojnovic_yun_2025.eq15.sharper-bound",
        "A sharper lower bound, larger than both others for references in $(0, 1)$",
        both(gt(root, sharper), gt(sharper, maximum(bound, reference))),
        beyond="improves the printed bound for every weight and every reference in $(0, 1)$",
    )
    yield claim(
        "vojnovic_yun_2025.eq15.default-weight",
        "With TRL's default weight 0.04 Equation (15) exceeds 0.998",
        derivation=derive(large_root(rational(1, 25)), "Equation (15)")
        .gt(1 / (1 + rational(1, 25) ** 2), "its lower bound", using=[first.at({beta: rational(1, 25)})])
        .gt(rational(499, 500), r"$\frac{625}{626} = 1 - \frac{1}{626}$"),
        equation="Section 1.2",
    )
    rate, radical = 2 * beta**2 / (1 + beta**2), sqrt(1 + 4 * beta**2 * reference * (1 - reference))
    near = claim(
        "vojnovic_yun_2025.eq15.near-limit",
        "Its distance from its limit at a vanishing reference",
        derivation=derive(root - bound, "distance from the limit")
        .eq((2 * beta**2 * reference + radical - 1) / (2 * (1 + beta**2)), "common denominator")
        .le(rate * reference, r"$\sqrt{1 + 2s} \leq 1 + s$ and $s = 2\beta^2r(1-r) \leq 2\beta^2r$"),
    )
    yield near
    yield claim(
        "vojnovic_yun_2025.eq15.small-reference",
        "Limit as the reference vanishes: for every weight it differs from 0, the policy there",
        tends_to(root, bound, reference, to=0, side="+", constant=rate),
        using=[first, near],
        equation="Section 2.3.1, discontinuity for large groups",
    )
    yield claim(
        "vojnovic_yun_2025.eq15.large-reference",
        "Limit as the reference tends to 1",
        tends_to(root, 1, reference, to=1, side="-", constant=beta**2 / (1 + beta**2)),
    )


def compared_with_pairs(deviation: Claim) -> Iterator[Claim]:
    """Equation (15) as Equation (14) with a larger margin."""
    yield claim(
        "vojnovic_yun_2025.eq15.as-pairs",
        "Equation (19) is Equation (17) with the margin $1/\\sqrt{x(1-x)}$, which is at least 2",
        both(
            iff(eq(beta * (x - reference), spread), eq(quadratic(x, 1 / spread), 0)),
            ge(1 / spread, 2),
        ),
        beyond="explains why large groups are more biased",
    )
    side = between.claim("eq14.side").at({y: root})
    positive = claim(
        "vojnovic_yun_2025.eq15.in-pairs",
        "At Equation (15) the quadratic for groups of two is positive",
        derivation=derive(quadratic(root), "the quadratic for groups of two")
        .eq(spread_there * (1 / gamma - spread_there), r"Equation (19): $\beta(x_\infty - r)$ is this root")
        .gt(0, r"it is at most $1/2$, and $1/\gamma \geq 1$", using=[deviation]),
    )
    yield positive
    yield claim(
        "vojnovic_yun_2025.eq15.more-biased",
        "Equation (15) is larger than Equation (14), for every margin up to 1",
        derivation=derive(root, "Equation (15)").gt(
            pairs_root(), "where the quadratic for groups of two is positive", using=[positive, side]
        ),
        equation="Section 2.3.1, large groups compared with groups of two",
        fills=[
            Gap(
                "Section 2.3.1, large groups",
                "that large groups are more biased is asserted; the two lower bounds do not order the policies",
            ),
        ],
    )
    two, half = rational(2), 1 - beta / 2
    at_two = claim(
        "vojnovic_yun_2025.eq15.margin-of-two.quadratic",
        "With a margin of 2 the quadratic for groups of two is not negative at Equation (15)",
        derivation=derive(quadratic(root, two), "the quadratic for groups of two")
        .eq(spread_there * (rational(1, 2) - spread_there), r"Equation (19): $\beta(x_\infty - r)$ is this root")
        .ge(0, "it is at most one half", using=[deviation]),
    )
    yield at_two
    not_negative = ge(quadratic(probability, two), 0)
    product = claim(
        "vojnovic_yun_2025.eq15.margin-of-two.product",
        "Where this quadratic is not negative, a product is positive",
        derivation=derive(probability * (probability - half), "a product", given=[not_negative])
        .ge(beta / 2 * reference, "by hypothesis")
        .gt(0, "all factors are positive"),
    )
    beyond_vertex = claim(
        "vojnovic_yun_2025.eq15.margin-of-two.vertex",
        "So what is squared there is positive",
        gt(2 * probability - half, 0),
        given=[not_negative],
        using=[product],
    )
    larger = claim(
        "vojnovic_yun_2025.eq15.margin-of-two.side",
        "A probability at which this quadratic is not negative is at least Equation (14) with a margin of 2",
        derivation=derive(pairs_root(two), "Equation (14), with a margin of 2", given=[not_negative])
        .le((half + sqrt((2 * probability - half) ** 2)) / 2, "complete the square under the root")
        .eq(probability, "what is squared is positive", using=[beyond_vertex]),
    )
    yield from (product, beyond_vertex, larger)
    yield claim(
        "vojnovic_yun_2025.eq15.margin-of-two",
        "It is at least as large as Equation (14) with a margin of 2",
        ge(root, pairs_root(rational(2))),
        using=[
            large_groups.claim("eq15.below-one"),
            large_groups.claim("eq15.above-reference"),
            at_two,
            larger.at({probability: root}),
        ],
        beyond="sharpens the comparison: the margin that would match is at least 2",
    )


def figures() -> Iterator[Figure]:
    """Figure 2 of the paper, from the formula that was derived."""
    weights = [Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(10)]
    yield Figure(
        "vojnovic_yun_2025.figure-2",
        "Equation (15), the stationary policy for large groups, against the reference, for several weights $\\beta$. "
        "No curve starts at 0.",
        reference,
        (Fraction(0), Fraction(1)),
        "reference $r$",
        "stationary policy $x$",
        curves=tuple(Curve(root, ((beta, value),), rf"$\beta = {value}$") for value in weights),
        vertical_range=(Fraction(0), Fraction(1)),
    )


properties = Result("What Equation (15) says", paper, derivation, figures, shorthands=solutions)
