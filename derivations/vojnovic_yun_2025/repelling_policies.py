r"""Stationary policies that updates leave: for which references and weights, and two that alternate.

Whether updates from nearby lead back to the stationary policy depends on the reference and the weight. Both are
eliminated in turn. A reference above $(3-\sqrt5)/6$ (groups of two, `updates.large-reference.groups-of-two`) or
$(7-2\sqrt6)/14$ (large groups, `updates.large-reference.large-groups`) makes the stationary policy attract for every
weight. So does, for every reference, a weight outside $(\frac35\gamma, 3\gamma)$ (groups of two,
`updates.weights.groups-of-two`), or up to $\sqrt{7/5}$ (large groups, `updates.weights.large-groups`). The first three
bounds cannot be improved: each smaller reference (`updates.small-reference.groups-of-two`,
`updates.small-reference.large-groups`) and each ratio between $\frac35$ and 3 (`updates.weights.groups-of-two.sharp`)
allows a stationary policy that is a strict local maximum and repels. Beyond $\sqrt{7/5}$ such policies are described in
terms of a number $k$, and that there are such numbers and policies is not stated
(`updates.weights.large-groups.sharp`).

For $r = 1/10$ and $\beta/\gamma = 5/4$ the stationary policy $1/4$ is the maximum of the objective beside itself
(`updates.repelling-maximum`), so it is stationary in the full sense of Section 1.3, and to first order an update
doubles small deviations from it and turns their sign (`updates.repelling-maximum.slope`). For $r = 11/96$ and
$\beta/\gamma = 27/26$ the policies $1/4$ and $3/8$ are each the only maximum beside the other (`updates.cycle.up`,
`updates.cycle.down`).
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import (
    beside,
    beta,
    following,
    gamma,
    margin,
    reference,
    slope,
    updates_attract,
    x,
    x_old,
)
from derivations.vojnovic_yun_2025.iterated_updates import lean, update_slope, updates
from derivations.vojnovic_yun_2025.root_groups_of_two import groups_of_two as of_two
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective
from derivations.vojnovic_yun_2025.root_large_groups import large_groups_objective
from derivations.vojnovic_yun_2025.shorthands import objectives
from derivations.vojnovic_yun_2025.where_a_maximum import maxima, polynomial
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Extremum,
    Figure,
    Result,
    Statement,
    Trace,
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
    lt,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions
from grpo_symbolic.language.expression import substitute
from grpo_symbolic.language.statement import Relation

ratio = real("c", "(3/5, 3)", "ratio of weight and margin")
strength = real("k", "(0, oo)", "number that fixes a policy")
root_5, root_6 = sqrt(rational(5)), sqrt(rational(6))
root = sqrt(x * (1 - x))
of_pairs, of_large_groups = (3 - root_5) / 6, (7 - 2 * root_6) / 14


#: Policies that repel where they are stationary.
of_reference_in_pairs = define(
    "x_pairs", (reference,), (5 - root_5) / 10 + rational(73, 100) * (of_pairs - reference), latex="x_2"
)
of_reference_in_large_groups = define(
    "x_large", (reference,), (6 - root_6) / 12 + rational(63, 100) * (of_large_groups - reference), latex=r"x_{\infty}"
)
of_ratio = define("x_ratio", (ratio,), rational(1, 2) - ratio / 6 - (3 - ratio) * (5 * ratio - 3) / 80, latex="x_c")
prior_of_ratio = define(
    "r_ratio", (ratio,), of_ratio(ratio) - of_ratio(ratio) * (1 - of_ratio(ratio)) / ratio, latex="r_c"
)


def attracting(function: Expression) -> Statement:
    """The policy is a strict local maximum beside itself, and updates from nearby lead back to it."""
    return both(local_maximum(beside(function), {following: x}), updates_attract(function))


def repelling_there(function: Expression) -> Statement:
    """The policy is a strict local maximum beside itself, and updates from nearby lead away from it."""
    return both(local_maximum(beside(function), {following: x}), replace(updates_attract(function), attracting=False))


def decides(slug: str, at: Expression) -> Expression:
    """What decides whether updates attract to a stationary policy: positive where they do."""
    if slug == "groups-of-two":
        return 5 * at**2 - (2 + 6 * reference) * at + 3 * reference
    return 12 * at**2 - (5 + 14 * reference) * at + 7 * reference


def what_attracts(slug: str) -> list[Claim]:
    """What a stationary policy with a weight that is large enough has: curvature and slope of the update."""
    ratios = (updates.claim(f"updates.ratio.{slug}.{one}") for one in ("quotient", "below-one", "above-minus-one"))
    return [updates.claim(f"updates.curvature.{slug}.negative"), *ratios]


def what_repels(slug: str) -> list[Claim]:
    """What a stationary policy with a weight between both bounds has: curvature and slope of the update."""
    return [updates.claim(f"updates.curvature.{slug}.negative"), updates.claim(f"updates.ratio.{slug}.more")]


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Sharp bounds on references and weights, then two examples."""
    pairs, large = pairs_objective(gamma, given), large_groups_objective(given)
    yield from references(pairs, large)
    yield from weights(pairs, large)
    yield from examples(pairs)


def references(pairs: Expression, large: Expression) -> Iterator[Claim]:
    """From which reference on every stationary policy attracts."""
    for slug, function, bound, there, force, local, attracted in (
        ("groups-of-two", pairs, of_pairs, of_reference_in_pairs(reference), beta, 2 * gamma, 3 * gamma),
        (
            "large-groups",
            large,
            of_large_groups,
            of_reference_in_large_groups(reference),
            beta * root,
            rational(2),
            rational(7, 2),
        ),
    ):
        words, stationary = slug.replace("-", " "), eq(slope(function), 0)
        pulled = updates.claim(f"updates.stationary.{slug}")
        strong, weak = gt(force, attracted * lean), lt(force, attracted * lean)
        decisive = decides(slug, x)
        written = claim(
            f"vojnovic_yun_2025.updates.reference.{slug}",
            f"What decides about the slope of an update for {words}, in terms of the weight",
            eq(beta * decisive, (x * (1 - x) if function is pairs else 2 * root) * (force - attracted * lean)),
            given=[pulled.statement],
        )
        yield written
        above = list(_large_references(slug, written, strong, bound, stationary))
        yield from above
        yield claim(
            f"vojnovic_yun_2025.updates.large-reference.{slug}",
            f"For {words} a reference above this bound makes every stationary policy attract",
            implies(stationary, attracting(function)),
            given=[gt(reference, bound)],
            using=[above[-1], *what_attracts(slug)],
        )
        curved = gt(force, local * lean)
        below = list(_small_references(slug, written, (curved, weak), bound, there, stationary))
        yield from below
        yield claim(
            f"vojnovic_yun_2025.updates.small-reference.{slug}",
            f"For {words} a smaller one makes some local maximum repel",
            both(
                lt(reference, there),
                lt(there, 1),
                implies(both(eq(x, there), stationary), repelling_there(function)),
            ),
            given=[lt(reference, bound)],
            using=[below[-1], *what_repels(slug)],
        )


def _large_references(
    slug: str, written: Claim, strong: Relation, bound: Expression, stationary: Relation
) -> Iterator[Claim]:
    """Why a reference above the bound makes a weight large enough."""
    words, name = slug.replace("-", " "), f"vojnovic_yun_2025.updates.large-reference.{slug}"
    pulled, decisive = updates.claim(f"updates.stationary.{slug}"), decides(slug, x)
    first, linear, discriminant = {
        "groups-of-two": (5, 2 + 6 * reference, 36 * reference**2 - 36 * reference + 4),
        "large-groups": (12, 5 + 14 * reference, 196 * reference**2 - 196 * reference + 25),
    }[slug]
    negative = claim(
        f"{name}.discriminant",
        f"For references between the bound for {words} and one half a discriminant is negative",
        lt(discriminant, 0),
        given=[gt(reference, bound), lt(reference, rational(1, 2))],
    )
    square = claim(
        f"{name}.square",
        f"Where it is negative, what decides for {words} is positive",
        derivation=derive(4 * first * decisive, "a multiple of what decides", given=[lt(discriminant, 0)])
        .eq((2 * first * x - linear) ** 2 - discriminant, "complete the square")
        .ge(-discriminant, "leave out a square")
        .gt(0, "by hypothesis"),
    )
    positive = claim(
        f"{name}.sign",
        f"So what decides for {words} is positive between such a reference and one half",
        gt(decisive, 0),
        given=[gt(reference, bound), lt(reference, x), lt(x, rational(1, 2))],
        using=[negative, square],
    )
    exceeds = claim(
        f"{name}.above-reference",
        f"A stationary policy for {words} exceeds the reference, because it is pulled back",
        gt(x, reference),
        given=[pulled.statement],
    )
    enough = claim(
        f"{name}.enough",
        f"Where what decides for {words} is positive the weight is large enough",
        strong,
        given=[pulled.statement, gt(decisive, 0)],
        using=[written],
    )
    beyond = claim(
        f"{name}.beyond",
        f"From one half on every weight is large enough, for {words}",
        strong,
        given=[ge(x, rational(1, 2))],
    )
    short = claim(
        f"{name}.short",
        f"Below one half the weight is large enough for {words}",
        strong,
        given=[pulled.statement, gt(reference, bound), lt(x, rational(1, 2))],
        using=[exceeds, positive, enough],
    )
    yield from (negative, square, positive, exceeds, enough, beyond, short)
    everywhere = claim(
        f"{name}.everywhere",
        f"So it is large enough wherever the policy is pulled back like this, for {words}",
        strong,
        given=[pulled.statement, gt(reference, bound)],
        using=[short, beyond],
    )
    yield everywhere
    yield claim(
        f"{name}.weight",
        f"So above the bound the weight of a stationary policy for {words} is large enough",
        strong,
        given=[stationary, gt(reference, bound)],
        using=[pulled, everywhere],
    )


def _small_references(
    slug: str,
    written: Claim,
    between: tuple[Relation, Relation],
    bound: Expression,
    there: Expression,
    stationary: Relation,
) -> Iterator[Claim]:
    """Why a policy for a reference below the bound has a weight between the two that count."""
    words, name = slug.replace("-", " "), f"vojnovic_yun_2025.updates.small-reference.{slug}"
    pulled = updates.claim(f"updates.stationary.{slug}")
    first, slant, times = {
        "groups-of-two": (5, rational(73, 100), 3),
        "large-groups": (12, rational(63, 100), 7),
    }[slug]
    small, short = lt(reference, bound), bound - reference
    factor = first * slant**2 * short + times * (2 * there - 1)
    maximum = claim(
        f"{name}.maximum",
        f"At this policy for {words} what decides about the curvature is positive",
        gt(polynomial(there), 0),
        given=[small],
    )
    negative = claim(
        f"{name}.factor", f"A factor that is negative below the bound for {words}", lt(factor, 0), given=[small]
    )
    repels = claim(
        f"{name}.sign",
        f"At this policy for {words} what decides about the slope of an update is negative",
        derivation=derive(decides(slug, there), "what decides", given=[small])
        .eq(short * factor, "in factors")
        .lt(0, "one is positive, one negative", using=[negative]),
    )
    put_in = claim(
        f"{name}.signs",
        f"Both signs where the policy is this one, for {words}",
        both(gt(polynomial(), 0), lt(decides(slug, x), 0)),
        given=[small, eq(x, there)],
        using=[maximum, repels],
    )
    curved = claim(
        f"{name}.curved",
        f"Where the first one is positive the curvature for {words} is negative",
        between[0],
        given=[pulled.statement, gt(polynomial(), 0)],
        using=[updates.claim(f"updates.decides.{slug}")],
    )
    light = claim(
        f"{name}.light",
        f"Where the second one is negative the weight for {words} is too small",
        between[1],
        given=[pulled.statement, lt(decides(slug, x), 0)],
        using=[written],
    )
    yield from (maximum, negative, repels, put_in, curved, light)
    yield claim(
        f"{name}.weight",
        f"So if this policy is stationary for {words} its weight lies between the two that count",
        both(*between),
        given=[small, eq(x, there), stationary],
        using=[pulled, put_in, curved, light],
    )


def weights(pairs: Expression, large: Expression) -> Iterator[Claim]:
    """Which weights make every stationary policy attract."""
    stationary, pulled = eq(slope(pairs), 0), updates.claim("updates.stationary.groups-of-two")
    enough, product = gt(beta, 3 * gamma * lean), ge((5 * beta - 3 * gamma) * (beta - 3 * gamma), 0)
    name = "vojnovic_yun_2025.updates.weights.groups-of-two"
    lower = gt(beta, gamma * (1 - x))
    policy_low = claim(
        f"{name}.policy", "A policy that is pulled back exceeds this bound", lower, given=[pulled.statement]
    )
    stationary_low = claim(
        f"{name}.stationary", "So does a stationary policy", lower, given=[stationary], using=[pulled, policy_low]
    )
    light = claim(
        f"{name}.light",
        "So weights up to three fifths of the margin are large enough",
        enough,
        given=[lower, le(5 * beta, 3 * gamma)],
    )
    heavy = claim(
        f"{name}.heavy", "Weights from three margins on are large enough", enough, given=[ge(beta, 3 * gamma)]
    )
    outside = claim(
        f"{name}.outside",
        "Where a product of two differences is not negative and one factor is negative, so is the other",
        le(5 * beta, 3 * gamma),
        given=[lt(beta, 3 * gamma), product],
    )
    large_enough = claim(
        f"{name}.enough",
        "So where this product is not negative the weight is large enough",
        enough,
        given=[lower, product],
        using=[outside, light, heavy],
    )
    yield from (policy_low, stationary_low, light, heavy, outside, large_enough)
    weight = either(le(5 * beta, 3 * gamma), ge(beta, 3 * gamma))
    yield claim(
        "vojnovic_yun_2025.updates.weights.groups-of-two",
        r"For groups of two $\beta \leq \frac35\gamma$ or $\beta \geq 3\gamma$ makes the stationary policy attract, "
        "whatever the reference",
        derivation=derive(weight, "a small weight or a large one", given=[stationary])
        .implies(product, "neither difference is negative, or none is positive")
        .implies(enough, "the weight is large enough", using=[stationary_low, large_enough])
        .implies(attracting(pairs), "curvature and slope of the update", using=what_attracts("groups-of-two")),
    )
    policy, prior = of_ratio(ratio), prior_of_ratio(ratio)
    bounds = claim(
        f"{name}.sharp.ratio",
        "The ratio lies between the two that count at this policy",
        both(gt(ratio, 2 * (1 - 2 * policy)), lt(ratio, 3 * (1 - 2 * policy))),
    )
    between = claim(
        f"{name}.sharp.weight",
        "So does the weight",
        both(gt(beta, 2 * gamma * lean), lt(beta, 3 * gamma * lean)),
        given=[eq(beta, ratio * gamma), eq(x, policy)],
        using=[bounds],
    )
    chosen = eq(reference, x - x * (1 - x) / ratio)
    put_in = claim(
        f"{name}.sharp.reference",
        "The reference for this policy and ratio",
        chosen,
        given=[eq(x, policy), eq(reference, prior)],
    )
    is_stationary = claim(
        f"{name}.sharp.stationary",
        "For this reference the policy is stationary",
        stationary,
        given=[eq(beta, ratio * gamma), chosen],
        using=[of_two.claim("eq17").at({margin: gamma})],
    )
    yield from (bounds, between, put_in, is_stationary)
    yield claim(
        "vojnovic_yun_2025.updates.weights.groups-of-two.sharp",
        "Each ratio between three fifths and 3 makes some local maximum repel",
        both(
            gt(prior, 0),
            lt(prior, policy),
            lt(policy, 1),
            implies(both(eq(beta, ratio * gamma), eq(x, policy), eq(reference, prior)), repelling_there(pairs)),
        ),
        using=[between, put_in, is_stationary, *what_repels("groups-of-two")],
    )
    yield from _weights_in_large_groups(large)


def _weights_in_large_groups(large: Expression) -> Iterator[Claim]:
    """The same for large groups."""
    stationary, pulled = eq(slope(large), 0), updates.claim("updates.stationary.large-groups")
    light, name = le(5 * beta**2, 7), "vojnovic_yun_2025.updates.weights.large-groups"
    exceeds = claim(
        f"{name}.policy",
        "For such weights a stationary policy exceeds this number",
        gt(x, rational(5, 12)),
        given=[stationary, light],
        using=[maxima.claim(f"curvature.large-groups.weights.{one}") for one in ("square", "policy")],
    )
    deviation = claim(
        f"{name}.deviation",
        "At a stationary policy the standard deviation is less than the policy, times the weight",
        gt(beta * x, root),
        given=[pulled.statement],
    )
    times = claim(
        f"{name}.times",
        "So weight and standard deviation are not small",
        derivation=derive(beta * root, "the standard deviation, times the weight", given=[pulled.statement])
        .eq(beta * x * root / x, "times 1")
        .gt(root * root / x, "it is less than the policy, times the weight", using=[deviation])
        .eq(1 - x, "the square of a root"),
    )
    enough = claim(
        f"{name}.enough",
        "So such weights are large enough",
        gt(beta * root, rational(7, 2) * lean),
        given=[stationary, light],
        using=[exceeds, times, pulled],
    )
    yield from (exceeds, deviation, times, enough)
    yield claim(
        "vojnovic_yun_2025.updates.weights.large-groups",
        "For large groups weights up to $\\sqrt{7/5}$ make it attract",
        implies(light, attracting(large)),
        given=[stationary],
        using=[enough, *what_attracts("large-groups")],
    )
    possible = both(gt(strength, 2), lt(strength, rational(7, 2)), gt(strength * (beta**2 - 1), beta**2))
    prior = x - root / beta
    related = eq(beta * root, strength * lean)
    known = [possible, related, gt(beta, 1)]
    little, square = le(beta**2 * x, 1 - x), eq(beta**2 * x * (1 - x), strength**2 * lean**2)
    half = claim(f"{name}.sharp.half", "Such a policy is below one half", lt(x, rational(1, 2)), given=[related])
    squares = claim(f"{name}.sharp.square", "The squares of both sides", square, given=[related])
    bounded = claim(
        f"{name}.sharp.bounded",
        "If the policy were not above the bound, this square would be small",
        derivation=derive((strength * lean) ** 2, "the square", given=[little, square])
        .eq(beta**2 * x * (1 - x), "by hypothesis")
        .le((1 - x) ** 2, "the policy is not above the bound"),
    )
    roots = claim(
        f"{name}.sharp.roots",
        "What has a square of at most that of a positive number is at most this number",
        le(strength * lean, 1 - x),
        given=[le((strength * lean) ** 2, (1 - x) ** 2)],
    )
    excess = claim(
        f"{name}.sharp.excess",
        "And such a number $k$ would be limited",
        lt(strength * x, (strength - 1) * (1 - x)),
        given=[little, gt(strength, 2), gt(strength * (beta**2 - 1), beta**2)],
    )
    opposite = claim(
        f"{name}.sharp.opposite",
        "From which the opposite follows",
        gt(strength * lean, 1 - x),
        given=[lt(strength * x, (strength - 1) * (1 - x))],
    )
    above = claim(
        f"{name}.sharp.above",
        "So the policy is above the bound",
        gt(beta**2 * x, 1 - x),
        given=known,
        using=[half, squares, bounded, roots, excess, opposite],
    )
    less = claim(
        f"{name}.sharp.deviation",
        "Above the bound the standard deviation is less than the policy, times the weight",
        derivation=derive(root, "standard deviation", given=[gt(beta**2 * x, 1 - x)])
        .lt(sqrt((beta * x) ** 2), "the root rises")
        .eq(beta * x, "both are positive"),
    )
    positive = claim(
        f"{name}.sharp.positive", "So the reference is positive", gt(prior, 0), given=known, using=[above, less]
    )
    between = claim(
        f"{name}.sharp.weight",
        "The weight lies between the two that count",
        both(gt(beta * root, 2 * lean), lt(beta * root, rational(7, 2) * lean)),
        given=known,
        using=[half],
    )
    yield from (half, squares, bounded, roots, excess, opposite, above, less, positive, between)
    at_prior = maxima.claim("curvature.large-groups.weights.sharp.stationary")
    yield claim(
        "vojnovic_yun_2025.updates.weights.large-groups.sharp",
        "For a larger weight a local maximum repels if its policy belongs to such a number $k$ (that there are such "
        "is not stated)",
        both(gt(prior, 0), lt(prior, x), implies(eq(reference, prior), repelling_there(large))),
        given=known,
        using=[positive, between, at_prior, *what_repels("large-groups")],
    )


def examples(pairs: Expression) -> Iterator[Claim]:
    """A maximum that repels, and a cycle of two updates."""
    stationary = rational(1, 4)
    values = {reference: rational(1, 10), beta: rational(5, 4), gamma: rational(1)}
    beside_itself = substitute(pairs, {**values, x_old: stationary})
    sign = claim(
        "vojnovic_yun_2025.updates.repelling-maximum.sign",
        "The derivative of this objective, in factors",
        derivation=derive(Derivative(beside_itself, x), "derivative of the objective, the old policy being 1/4")
        .eq(
            1 - rational(5, 4) * (-1 / (40 * x**2) + 1 / (4 * x) + 27 / (40 * (1 - x) ** 2) - 3 / (4 * (1 - x))),
            "differentiate",
        )
        .eq(
            (1 - 4 * x) * ((1 - 4 * x) ** 2 + 8 * x**2 * (1 - x)) / (32 * x**2 * (1 - x) ** 2),
            "common denominator; the second bracket is positive",
        ),
    )
    yield sign
    yield claim(
        "vojnovic_yun_2025.updates.repelling-maximum",
        "At $r = 1/10$, $\\beta/\\gamma = 5/4$ the policy 1/4 is the only maximum beside itself",
        Extremum(beside_itself, x, stationary, minimum=False),
        using=[sign],
        equation="Section 1.3",
    )
    yield claim(
        "vojnovic_yun_2025.updates.repelling-maximum.slope",
        "It repels: the slope of the update there is $-2$, so to first order it doubles a deviation and turns its sign",
        instance(
            both(eq(update_slope(pairs), -2), replace(updates_attract(pairs), attracting=False)),
            {**values, x: stationary},
        ),
        equation="Section 1.3",
        beyond="shows a stationary policy in the sense of Section 1.3 that repels repeated updates",
    )
    low, high = rational(1, 4), rational(3, 8)
    at = {reference: rational(11, 96), gamma: rational(1), beta: rational(27, 26)}
    for slug, old, new in (("up", low, high), ("down", high, low)):
        yield claim(
            f"vojnovic_yun_2025.updates.cycle.{slug}",
            f"At $r = 11/96$, $\\beta/\\gamma = 27/26$ the update of {old} is {new}",
            Extremum(substitute(pairs, {**at, x_old: old}), x, new, minimum=False),
            beyond="shows that updates may alternate between two policies" if slug == "down" else None,
        )


def figures() -> Iterator[Figure]:
    """What kind of point Equations (14) and (15) give, over reference and weight."""
    inside = (Fraction(1, 1000), Fraction(499, 1000))
    for slug, groups, words, reward, local, attracting, top, label in (
        ("pairs", "groups-of-two", "Equation (14), groups of two", x * (1 - x), 2, rational(3), 3, r"$\beta/\gamma$"),
        ("large", "large-groups", "Equation (15), large groups", sqrt(x * (1 - x)), 2, rational(7, 2), 6, r"$\beta$"),
    ):
        scale = x * (1 - x) / reward
        curves = [
            Trace(x - reward / (bound * lean / scale), bound * lean / scale, x, inside, (), name)
            for bound, name in ((local, "local maximum"), (attracting, "attracts updates"))
        ]
        yield Figure(
            id=f"vojnovic_yun_2025.kinds-of-points-{slug}",
            caption=f"What kind of point {words}, gives with the old policy held fixed: to the left of the solid curve "
            f"a local minimum, to the right a local maximum (`updates.local-maximum.{groups}`). Repeated updates "
            f"from nearby, each to the stationary point next to it, leave it to the left of the dashed curve and "
            f"return to it to the right (`updates.attracts.{groups}`, `updates.below-one.{groups}`). The flow "
            f"along the on-policy gradient goes to it from nearby in the whole figure (`flow.{groups}`).",
            horizontal=reference,
            horizontal_range=(Fraction(0), Fraction(4, 25)),
            horizontal_label="reference $r$",
            vertical_label=label,
            traces=tuple(curves),
            vertical_range=(Fraction(0), Fraction(top)),
        )


repelling = Result("Stationary policies that updates leave", paper, derivation, figures, shorthands=objectives)
