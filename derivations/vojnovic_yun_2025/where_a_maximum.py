r"""Where the stationary point is a local maximum: second derivatives (`curvature.large-reference`).

In Section 1.3 the paper defines a stationary policy as a *maximiser* of the objective whose old policy it is itself,
but Equations (14) and (15) come from the first derivative alone. The objective need not be concave. Its second
derivative at an unchanged old policy has, where both policies agree, the sign of $-(3x^2 - (1 + 4r)x + 2r)$, for groups
of two (`curvature`) and for large groups (`curvature.large-groups`) alike. So the stationary point can be a local
*minimum*: for groups of two at $r = 1/20$, $\beta/\gamma = 16/15$, $x = 1/5$ (`eq14.local-minimum`).

The thresholds are exact. For $r > (2 - \sqrt{3})/4 \approx 0.067$ the stationary point is always a strict local
maximum (`curvature.large-reference`), and no smaller bound on $r$ suffices (`curvature.small-reference`). For groups of
two it always is one if $\beta \leq \frac23 \gamma$ or $\beta \geq 2\gamma$ (`curvature.weights`), and for every ratio
in between some reference makes it a local minimum (`curvature.weights.sharp`). For large groups $\beta \leq \sqrt{2}$
suffices (`curvature.large-groups.weights`), and for every larger weight some reference makes it a local minimum
(`curvature.large-groups.weights.sharp`).
"""

from collections.abc import Iterator, Sequence

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beside, beta, curvature, following, gamma, reference, slope, x
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective
from derivations.vojnovic_yun_2025.root_large_groups import large_groups, large_groups_objective, spread
from derivations.vojnovic_yun_2025.shorthands import objectives
from grpo_symbolic import (
    Claim,
    Expression,
    Extremum,
    Result,
    both,
    claim,
    define,
    derive,
    either,
    eq,
    ge,
    gt,
    implies,
    instance,
    le,
    local_maximum,
    local_minimum,
    lt,
    maximum,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.derivation.algebra import linear_root, simplified
from grpo_symbolic.grpo.definitions import GRPO, Definitions, reverse_kl
from grpo_symbolic.language.expression import Definition

ratio = real("c", "(2/3, 2)", "ratio of weight and margin")
low = real("b", "(0, 1/3)", "a number below one third")
heavy = gt(beta, sqrt(rational(2)))
threshold = (2 - sqrt(rational(3))) / 4


def polynomial(at: Expression = x, prior: Expression = reference) -> Expression:
    """What decides between maximum and minimum: positive at a strict local maximum."""
    return 3 * at**2 - (1 + 4 * prior) * at + 2 * prior


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The second derivative, its sign, and which parameters allow which sign."""
    pairs, large = pairs_objective(gamma, given), large_groups_objective(given)
    second = -(beta * polynomial() / (x * (1 - x)) ** 2)
    line = derive(curvature(pairs), "differentiate twice, then put the old policy equal to the policy")
    bending = claim(
        "vojnovic_yun_2025.curvature",
        "The second derivative where both policies agree",
        derivation=line.eq(simplified(curvature(pairs)), "common denominator").eq(second, "collect powers of $x$"),
    )
    yield bending
    bent = claim(
        "vojnovic_yun_2025.curvature.large-groups",
        "It is the same for large groups, because the reward part is linear",
        eq(curvature(large), second),
    )
    yield bent
    yield from with_reverse_divergence(pairs)
    yield from local_minima(pairs, large)
    small = claim(
        "vojnovic_yun_2025.curvature.small-policy",
        "Local minima above the reference need a policy below one third",
        implies(le(polynomial(), 0), lt(x, rational(1, 3))),
        given=[lt(reference, x)],
    )
    above = claim(
        "vojnovic_yun_2025.curvature.above-reference",
        "A stationary policy exceeds the reference, for groups of two",
        gt(x, reference),
        given=[eq(slope(pairs), 0)],
    )
    exceeds = claim(
        "vojnovic_yun_2025.curvature.large-groups.above-reference",
        "A stationary policy exceeds the reference, for large groups",
        gt(x, reference),
        given=[eq(slope(large), 0)],
        using=[large_groups.claim("eq19")],
    )
    yield from (small, above, exceeds)
    yield from references(pairs, large, (bending, bent), (above, exceeds), small)
    yield from weights(pairs, large, bent, exceeds, small)


def with_reverse_divergence(pairs: Expression) -> Iterator[Claim]:
    """What the equivalence of both penalties is worth: it holds of stationary points and not of maxima."""
    reverse = pairs_objective(gamma, Definitions(penalty=reverse_kl))
    yield claim(
        "vojnovic_yun_2025.reverse-kl.stationary",
        "For groups of two the reverse divergence as the penalty has the same stationary point, which is then always "
        "the maximum",
        both(
            eq(slope(pairs), slope(reverse)),
            implies(eq(slope(reverse), 0), Extremum(beside(reverse), following, x, minimum=False)),
        ),
        equation="Section 3, direct divergence",
        printed=paper.quote(
            "Section 3, direct divergence",
            r"\text{as far as the stationary policies are concerned, } \ldots"
            r" \text{ essentially the reverse KL divergence}",
            le(curvature(pairs), 0),
            given=(eq(slope(pairs), 0), eq(x, rational(1, 5)), eq(reference, rational(1, 20)), eq(gamma, 1)),
            another_reading=True,
            instead="Read of policies at which the on-policy gradient vanishes the sentence holds. Read of the "
            "maximisers that Section 1.3 calls stationary it fails: for groups of two a policy at which this gradient "
            "vanishes is the only maximum with the reverse divergence, and may be a local minimum with the penalty of "
            "GRPO (`eq14.local-minimum`).",
        ),
        beyond="says that for groups of two the reverse divergence itself would make the stationary point the maximum",
    )


def local_minima(pairs: Expression, large: Expression) -> Iterator[Claim]:
    """Stationary policies that are local minima, with the definition of a stationary policy beside them."""
    definition = r"\pi_{\theta^*} \in \arg\max_{\pi_\theta} \mathcal{J}_{GRPO}, \quad \pi_{\theta_{\mathrm{old}}} "
    definition += r"\equiv \pi_{\theta^*}"
    for slug, equation, function, stationary, weight, small in (
        (
            "eq14",
            "Eq. (14)",
            pairs,
            eq(beta, linear_root(eq(slope(pairs), 0), beta)),
            rational(16, 15),
            "For a reference that is small enough, how small depends on $\\beta/\\gamma$ (eq14.no-maximum, "
            "eq14.no-maximum.large-weight)",
        ),
        (
            "eq15",
            "Eq. (15)",
            large,
            eq(beta * (x - reference), sqrt(x * (1 - x))),
            rational(8, 3),
            r"For a reference that is small enough, how small depends on $\beta$ (eq15.no-maximum)",
        ),
    ):
        values = {x: rational(1, 5), reference: rational(1, 20), beta: weight, gamma: rational(1)}
        if function is large:
            del values[gamma]
        yield claim(
            f"vojnovic_yun_2025.{slug}.local-minimum",
            f"{equation} can be a strict local minimum",
            instance(local_minimum(beside(function), {following: x}), values),
            printed=paper.quote(
                f"Section 1.3 (definition of a stationary policy) with {equation}",
                definition,
                le(curvature(function), 0),
                given=(stationary,),
                fails_at=values,
                instead=f"{equation} gives the stationary point. It is a strict local maximum where "
                "$3x^2 - (1 + 4r)x + 2r > 0$, as for every $r > (2 - \\sqrt{3})/4$ (`curvature.large-reference`), and "
                r"a strict local minimum where this is negative. It is the maximum for $r \geq 2/25$ "
                f"({slug}.maximum). {small}, no policy in $(0, 1)$ is the maximum beside itself.",
            ),
        )


def references(
    pairs: Expression, large: Expression, bent: Sequence[Claim], above: Sequence[Claim], small: Claim
) -> Iterator[Claim]:
    """From which reference on every stationary point is a local maximum."""
    discriminant = 16 * reference**2 - 16 * reference + 1
    square = claim(
        "vojnovic_yun_2025.curvature.large-reference.square",
        "What decides is positive everywhere if a discriminant is negative",
        derivation=derive(12 * polynomial(), "a multiple of what decides", given=[lt(discriminant, 0)])
        .eq((6 * x - (1 + 4 * reference)) ** 2 - discriminant, "complete the square")
        .ge(-discriminant, "leave out a square")
        .gt(0, "by hypothesis"),
    )
    negative = claim(
        "vojnovic_yun_2025.curvature.large-reference.discriminant",
        "For references between the threshold and one third this discriminant is negative",
        lt(discriminant, 0),
        given=[gt(reference, threshold), lt(reference, rational(1, 3))],
    )
    decided = claim(
        "vojnovic_yun_2025.curvature.large-reference.sign",
        "So above the threshold what decides is positive at every policy above the reference",
        gt(polynomial(), 0),
        given=[gt(reference, threshold), lt(reference, x)],
        using=[small, negative, square],
    )
    yield from (square, negative, decided)
    second, curves = -(beta * polynomial() / (x * (1 - x)) ** 2), list[Claim]()
    for slug, function, known, beyond in zip(
        ("groups-of-two", "large-groups"), (pairs, large), bent, above, strict=True
    ):
        words = slug.replace("-", " ")
        given = [eq(slope(function), 0), gt(reference, threshold)]
        curves.append(
            claim(
                f"vojnovic_yun_2025.curvature.large-reference.{slug}",
                f"Above the threshold the second derivative at a stationary policy is negative, for {words}",
                derivation=derive(curvature(function), "second derivative", given=given)
                .eq(second, "what decides", using=[known])
                .lt(0, "it is positive above the reference", using=[beyond, decided]),
            )
        )
    yield from curves
    yield claim(
        "vojnovic_yun_2025.curvature.large-reference",
        "A reference $r > (2 - \\sqrt{3})/4$ makes every stationary point a strict local maximum, for groups of two "
        "and for large groups",
        both(*(implies(eq(slope(one), 0), local_maximum(beside(one), {following: x})) for one in (pairs, large))),
        given=[gt(reference, threshold)],
        using=curves,
        beyond="gives a threshold above which Equations (14) and (15) are local maxima",
    )
    middle = (1 + 4 * reference) / 6
    minima = (
        implies(both(eq(x, middle), eq(slope(one), 0)), local_minimum(beside(one), {following: x}))
        for one in (pairs, large)
    )
    yield claim(
        "vojnovic_yun_2025.curvature.small-reference",
        "Below this reference some policy above the reference is a local minimum where it is stationary",
        both(gt(middle, reference), lt(middle, 1), *minima),
        given=[lt(reference, threshold)],
        beyond="shows that this threshold is sharp",
    )


def weights(pairs: Expression, large: Expression, bent: Claim, exceeds: Claim, small: Claim) -> Iterator[Claim]:
    """Which weights make every stationary point a local maximum, and that no others do."""
    yield claim(
        "vojnovic_yun_2025.curvature.weights",
        "Ratios of weight and margin that always give a strict local maximum",
        implies(either(le(3 * beta, 2 * gamma), ge(beta, 2 * gamma)), local_maximum(beside(pairs), {following: x})),
        given=[eq(slope(pairs), 0)],
        beyond="gives ratios of weight and margin that make Equation (14) a local maximum for every reference",
    )
    policy, prior = minimum_in_pairs()
    yield claim(
        "vojnovic_yun_2025.curvature.weights.sharp",
        "Each ratio between two thirds and 2 gives a local minimum for some reference",
        both(
            gt(prior, 0),
            lt(prior, policy),
            lt(policy, 1),
            implies(
                both(eq(beta, ratio * gamma), eq(x, policy), eq(reference, prior)),
                local_minimum(beside(pairs), {following: x}),
            ),
        ),
        beyond="shows that there are no other such ratios",
    )
    stationary, light = eq(slope(large), 0), le(beta, sqrt(rational(2)))
    squared = eq(beta**2 * (x - reference) ** 2, x * (1 - x))
    squares = claim(
        "vojnovic_yun_2025.curvature.large-groups.weights.square",
        "A stationary policy for large groups exceeds the reference, and solves this equation",
        derivation=derive(stationary, "stationary at itself")
        .iff(eq(beta * (x - reference), spread), "Equation (19)", using=[large_groups.claim("eq19")])
        .implies(both(gt(x, reference), squared), "the root is positive; square both sides"),
    )
    higher = claim(
        "vojnovic_yun_2025.curvature.large-groups.weights.policy",
        "A policy that solves it above the reference exceeds this bound",
        gt(x, 1 / (1 + beta**2)),
        given=[gt(x, reference), squared],
    )
    square_of_weight = claim(
        "vojnovic_yun_2025.curvature.large-groups.weights.two",
        "The square of a weight up to the root of 2 is at most 2",
        le(beta**2, 2),
        given=[light],
    )
    third = claim(
        "vojnovic_yun_2025.curvature.large-groups.weights.third",
        "So for such weights a stationary policy exceeds one third",
        gt(x, rational(1, 3)),
        given=[stationary, light],
        using=[squares, higher, square_of_weight],
    )
    curves = claim(
        "vojnovic_yun_2025.curvature.large-groups.weights.curvature",
        "So for such weights the second derivative at a stationary policy is negative",
        derivation=derive(curvature(large), "second derivative", given=[stationary, light])
        .eq(-(beta * polynomial() / (x * (1 - x)) ** 2), "what decides", using=[bent])
        .lt(0, "it is positive for a policy above one third", using=[exceeds, third, small]),
    )
    yield from (squares, higher, square_of_weight, third, curves)
    yield claim(
        "vojnovic_yun_2025.curvature.large-groups.weights",
        "Weights that always give a strict local maximum for large groups",
        implies(light, local_maximum(beside(large), {following: x})),
        given=[stationary],
        using=[curves],
        beyond="gives the weights that make Equation (15) a local maximum for every reference",
    )
    policy, prior = minimum_in_large_groups()
    sharp = list(lighter_policies(large, bent))
    yield from sharp
    yield claim(
        "vojnovic_yun_2025.curvature.large-groups.weights.sharp",
        "Each larger weight gives a local minimum for some reference",
        both(
            gt(prior, 0),
            lt(policy, 1),
            implies(both(eq(x, policy), eq(reference, prior)), local_minimum(beside(large), {following: x})),
        ),
        given=[heavy],
        using=sharp[-4:],
        beyond="shows that there are no other such weights",
    )


def lighter_policies(large: Expression, bent: Claim) -> Iterator[Claim]:
    """What the local minimum for a weight above the root of 2 rests on; the last four say what it needs."""
    policy, prior = minimum_in_large_groups()
    here, limit = low + low * (1 - 3 * low) / 6, 1 / (1 + beta**2)
    slug = "vojnovic_yun_2025.curvature.large-groups.weights.sharp"
    factors = claim(
        f"{slug}.polynomial",
        "An inequality between two polynomials in a number below one third",
        lt((1 - low) * (7 - 3 * low) / 6 * (1 - here), 4 * (1 - 2 * here) ** 2),
    )
    between = claim(
        f"{slug}.between",
        "A number a little above one that is below one third",
        both(gt(here, low), lt(here, rational(1, 2))),
    )
    third = claim(
        f"{slug}.third",
        "For weights above the root of 2 this bound is below one third",
        lt(limit, rational(1, 3)),
        given=[heavy],
    )
    written = claim(
        f"{slug}.written",
        "The square of the weight, times policy and rest, in terms of the bound",
        eq(beta**2 * policy * (1 - policy), (1 - limit) * (7 - 3 * limit) / 6 * (1 - policy)),
    )
    located = claim(
        f"{slug}.policy",
        "The policy lies between the bound and one half",
        both(gt(policy, limit), lt(policy, rational(1, 2))),
        given=[heavy],
        using=[third, between.at({low: limit})],
    )
    square = claim(
        f"{slug}.square",
        "So this product is less than a square at this policy",
        lt(beta**2 * policy * (1 - policy), 4 * (1 - 2 * policy) ** 2),
        given=[heavy],
        using=[third, written, factors.at({low: limit})],
    )
    at_policy = claim(
        f"{slug}.put-in",
        "And where the policy is this one",
        both(lt(x, rational(1, 2)), lt(beta**2 * x * (1 - x), 4 * (1 - 2 * x) ** 2)),
        given=[heavy, eq(x, policy)],
        using=[located, square],
    )
    root = claim(
        f"{slug}.root",
        "The root of a product that is less than a square",
        derivation=derive(
            beta * spread,
            "the standard deviation, times the weight",
            given=[lt(beta**2 * x * (1 - x), 4 * (1 - 2 * x) ** 2), lt(x, rational(1, 2))],
        )
        .eq(sqrt(beta**2 * x * (1 - x)), "the weight is positive")
        .lt(2 * (1 - 2 * x), "its square is less than that of something positive"),
    )
    near = claim(
        f"{slug}.prior",
        "Above the bound the standard deviation is less than the policy, times the weight",
        derivation=derive(spread / beta, "standard deviation over weight", given=[gt(x, limit)])
        .eq(sqrt(x * (1 - x) / beta**2), "the weight is positive")
        .lt(sqrt(x**2), "the root rises")
        .eq(x, "the policy is positive"),
    )
    strength = lt(beta * spread, 2 * (1 - 2 * x))
    solved = eq(reference, x - spread / beta)
    stationary = claim(
        f"{slug}.stationary",
        "The reference for which a policy is stationary",
        eq(slope(large), 0),
        given=[solved],
        using=[large_groups.claim("eq19")],
    )
    decides = claim(
        f"{slug}.decides",
        "What decides about the curvature, for this reference",
        eq(beta**2 * polynomial(), beta * spread * (beta * spread - 2 * (1 - 2 * x))),
        given=[solved],
    )
    curves = claim(
        f"{slug}.curvature",
        "For this reference the second derivative is positive if weight and standard deviation are small",
        gt(curvature(large), 0),
        given=[solved, strength],
        using=[bent, decides],
    )
    put_in = claim(
        f"{slug}.reference",
        "The reference given is the one for which the policy is stationary",
        solved,
        given=[eq(x, policy), eq(reference, prior)],
    )
    product = claim(
        f"{slug}.product",
        "This policy and its rest are positive",
        gt(policy * (1 - policy), 0),
        given=[heavy],
        using=[located],
    )
    positive = claim(
        f"{slug}.positive",
        "The reference for this policy is positive",
        gt(prior, 0),
        given=[heavy],
        using=[located, near.at({x: policy})],
    )
    minimum = claim(
        f"{slug}.minimum",
        "For this reference the policy is stationary, with a positive second derivative",
        derivation=derive(both(eq(x, policy), eq(reference, prior)), "policy and reference", given=[heavy])
        .implies(both(solved, strength), "put them in", using=[product, put_in, at_policy, root])
        .implies(
            both(eq(slope(large), 0), gt(curvature(large), 0)),
            "stationary, and what decides is negative",
            using=[stationary, curves],
        ),
    )
    yield from (factors, between, third, written, square, at_policy, root, near, stationary, decides, curves, put_in)
    yield from (located, product, positive, minimum)


def minimum_in_pairs() -> tuple[Expression, Expression]:
    """For each ratio a stationary policy that is a local minimum, and its reference, in groups of two."""
    policy = maximum(1 - ratio, 0) + (3 * ratio - 2) * (2 - ratio) / 18
    return policy, policy - policy * (1 - policy) / ratio


def minimum_in_large_groups() -> tuple[Expression, Expression]:
    """For each weight a stationary policy that is a local minimum, and its reference, in large groups."""
    bound = 1 / (1 + beta**2)
    policy = bound + bound * (1 - 3 * bound) / 6
    return policy, policy - sqrt(policy * (1 - policy)) / beta


def names() -> Iterator[Definition]:
    """The objectives, and the local minima that show the bounds of the weights to be sharp."""
    yield from objectives()
    for name, (policy, prior) in (("c", minimum_in_pairs()), ("beta", minimum_in_large_groups())):
        index = name if len(name) == 1 else rf"\{name}"
        yield define(f"x_{name}", (), policy, latex=f"x_{{{index}}}")
        yield define(f"r_{name}", (), prior, latex=f"r_{{{index}}}")


maxima = Result("Where the stationary point is a local maximum", paper, derivation, shorthands=names)
