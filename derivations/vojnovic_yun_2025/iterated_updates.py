r"""What repeated updates do near a stationary policy (Equations 14 and 15).

The paper calls a policy stationary, in Section 1.3, if it maximises the objective whose old policy it is. For binary
questions this asks three things of one point, and iterating asks a fourth; none of them implies the next
(`eq14.local-minimum`, `eq14.not-the-maximum`, `updates.repelling-maximum`, `updates.repelling-maximum.slope`):

1. The gradient vanishes on-policy. This is so at exactly one point in $(0, 1)$, Equation (14) (`eq14`) or (15)
   (`eq15`), for all parameters. The flow along the on-policy gradient goes there from nearby, because this gradient
   falls with $x$ there (`flow.groups-of-two`, `flow.large-groups`), and from everywhere in $(0, 1)$, because it
   vanishes nowhere else (`eq14`, `eq15`).
2. With the old policy held fixed the objective has a strict local maximum there: for groups of two if
   $\beta > 2\gamma(1 - 2x)$ (`updates.local-maximum.groups-of-two`), for large groups if $\beta\sqrt{x(1-x)} >
   2(1-2x)$ (`updates.local-maximum.large-groups`), and a strict local minimum if less. Exactly for these weights the
   curvature is negative (`updates.curvature.groups-of-two`, `updates.curvature.large-groups`).
3. It is the maximum: see the sections on maxima; a reference of at least $2/25$ suffices (`eq14.maximum`,
   `eq15.maximum`).
4. Updates from nearby lead back to it. An update goes from an old policy to the stationary point beside it, and where
   the curvature is negative the implicit function theorem gives its slope (`updates.slope`). There it is less than 1
   (`updates.below-one.groups-of-two`, `updates.below-one.large-groups`), and more than $-1$ exactly for
   $\beta > 3\gamma(1 - 2x)$ (`updates.slope-range.groups-of-two`) and $\beta\sqrt{x(1-x)} > \frac72(1-2x)$
   (`updates.slope-range.large-groups`) respectively. So they attract for these weights, and repel for
   smaller ones where the curvature is negative (`updates.attracts.groups-of-two`, `updates.attracts.large-groups`).

So the fourth condition is stronger than the second by a factor of $3/2$ and $7/4$. It holds for every weight if $r >
(3-\sqrt5)/6 \approx 0.127$ (`updates.large-reference.groups-of-two`) and $r > (7-2\sqrt6)/14 \approx 0.150$
(`updates.large-reference.large-groups`) respectively, and neither bound can be lowered
(`updates.small-reference.groups-of-two`, `updates.small-reference.large-groups`). There are stationary policies in the
full sense of Section 1.3 that updates from nearby overshoot by more than they missed them before
(`updates.repelling-maximum`, `updates.repelling-maximum.slope`). At $r = 11/96$ and $\beta/\gamma = 27/26$ updates can
alternate between $1/4$ and $3/8$ for ever, each the only maximum beside the other (`updates.cycle.up`,
`updates.cycle.down`).
"""

from collections.abc import Iterator
from dataclasses import replace

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import (
    beside,
    beta,
    curvature,
    following,
    gamma,
    reference,
    slope,
    updates_attract,
    x,
    x_old,
)
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective
from derivations.vojnovic_yun_2025.root_large_groups import large_groups, large_groups_objective
from derivations.vojnovic_yun_2025.shorthands import objectives
from derivations.vojnovic_yun_2025.where_a_maximum import maxima, polynomial
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Result,
    Substitution,
    absolute,
    attracts_flow,
    both,
    claim,
    derive,
    eq,
    ge,
    gt,
    implies,
    local_maximum,
    local_minimum,
    lt,
    ne,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions

lean = 1 - 2 * x
leaning = real("u", "(-1, 1)", "a number above -1", latex="u")
force, lesser, fraction = (real(name, "(0, oo)", "a positive number") for name in ("w", "k", "n"))


def mixed(function: Expression) -> Expression:
    """How the slope changes with the old policy, where both policies agree."""
    return Substitution(Derivative(Derivative(function, x), x_old), x_old, x)


def update_slope(function: Expression) -> Expression:
    """The slope of the update by the implicit function theorem."""
    return -mixed(function) / curvature(function)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The slope of the update, the gradient flow, and exact conditions for both group sizes."""
    pairs, large = pairs_objective(gamma, given), large_groups_objective(given)
    yield from slopes(pairs, large)
    yield from flow(pairs, large)
    yield from conditions(pairs, large)


def slopes(pairs: Expression, large: Expression) -> Iterator[Claim]:
    """The slope of the update where both policies agree."""
    at_extremum = ne(polynomial(), 0)
    yield claim(
        "vojnovic_yun_2025.updates.slope",
        "The slope of the update, for groups of two",
        eq(update_slope(pairs), (2 * x - 1) * (x - reference) / polynomial()),
        given=[at_extremum],
    )
    yield claim(
        "vojnovic_yun_2025.updates.slope.large-groups",
        "At a stationary point for large groups it is half as large again",
        eq(update_slope(large), rational(3, 2) * (2 * x - 1) * (x - reference) / polynomial()),
        given=[eq(slope(large), 0), at_extremum],
    )


def flow(pairs: Expression, large: Expression) -> Iterator[Claim]:
    """The flow along the on-policy gradient, and why the slope of the update stays below 1."""
    of_pairs = (x - reference) ** 2 + reference * (1 - reference)
    of_large_groups = (reference + (1 - 2 * reference) * x) / 2
    for slug, function, part in (("groups-of-two", pairs, of_pairs), ("large-groups", large, of_large_groups)):
        words = slug.replace("-", " ")
        stationary = eq(slope(function), 0)
        value = -(beta * part / (x * (1 - x)) ** 2)
        falls = claim(
            f"vojnovic_yun_2025.flow.{slug}.slope",
            f"The derivative of the on-policy gradient for {words} is negative at a stationary policy",
            derivation=derive(Derivative(slope(function), x), "derivative of the gradient", given=[stationary])
            .eq(value, "differentiate, and put in the weight")
            .lt(0, "its sign"),
        )
        yield falls
        yield claim(
            f"vojnovic_yun_2025.flow.{slug}",
            f"For {words} the on-policy gradient falls where it vanishes",
            both(
                eq(Derivative(slope(function), x), value),
                gt(part, 0),
                attracts_flow({x: slope(function)}, x),
            ),
            given=[stationary],
            using=[falls],
            beyond="says that the flow along the on-policy gradient attracts from nearby to Equation "
            f"({14 if function is pairs else 15}) for all parameters",
        )
        yield claim(
            f"vojnovic_yun_2025.updates.below-one.{slug}",
            f"For {words} the same number tells how far the slope of the update is from 1",
            eq(1 - update_slope(function), part / polynomial()),
            given=[stationary, ne(polynomial(), 0)],
        )


def quotients() -> Iterator[Claim]:
    """When a quotient, as which the slope of an update can be written, lies between -1 and 1."""
    quotient = fraction * leaning / (force - lesser * leaning)
    beyond, within = gt(force, lesser * leaning), gt(force, (lesser + fraction) * leaning)
    beyond_both = claim(
        "vojnovic_yun_2025.updates.quotient.denominator",
        "What exceeds a larger multiple of a number above $-1$, and is positive, exceeds a smaller one",
        beyond,
        given=[within],
    )
    yield beyond_both
    yield claim(
        "vojnovic_yun_2025.updates.quotient.below-one",
        "Then a quotient is less than 1",
        both(beyond, lt(quotient, 1)),
        given=[within],
        using=[beyond_both],
    )
    yield claim(
        "vojnovic_yun_2025.updates.quotient.above-minus-one",
        "And it is more than $-1$",
        gt(quotient, -1),
        given=[within, ge(lesser, fraction)],
        using=[beyond_both],
    )
    yield claim(
        "vojnovic_yun_2025.updates.quotient.only-if",
        "If it is less than 1, the larger multiple is exceeded",
        within,
        given=[beyond, lt(quotient, 1)],
    )
    yield claim(
        "vojnovic_yun_2025.updates.quotient.more",
        "It is more than 1 between both multiples",
        gt(quotient, 1),
        given=[beyond, lt(force, (lesser + fraction) * leaning)],
    )


def derivatives(pairs: Expression, large: Expression) -> Iterator[Claim]:
    """The second derivatives at a stationary point, in terms of the weight."""
    spread = sqrt(x * (1 - x))
    for slug, function, strength, local, cube, stationarity in (
        ("groups-of-two", pairs, beta, 2 * gamma, x * (1 - x), gamma * x * (1 - x)),
        ("large-groups", large, beta * spread, rational(2), x * (1 - x) * spread, spread),
    ):
        words, stationary = slug.replace("-", " "), eq(slope(function), 0)
        condition = claim(
            f"vojnovic_yun_2025.updates.stationary.{slug}",
            f"A stationary policy for {words} is pulled back like this",
            eq(beta * (x - reference), stationarity),
            given=[stationary],
            using=[large_groups.claim("eq19")] if function is large else [],
        )
        yield condition
        rest = x * (1 - x) if function is pairs else spread
        decides = claim(
            f"vojnovic_yun_2025.updates.decides.{slug}",
            f"What decides about the curvature, at a stationary policy for {words}",
            eq(beta * polynomial(), rest * (strength - local * lean)),
            given=[condition.statement],
        )
        yield decides
        of_any = maxima.claim("curvature" if function is pairs else "curvature.large-groups")
        yield claim(
            f"vojnovic_yun_2025.updates.bent.{slug}",
            f"The curvature at the stationary point for {words}",
            derivation=derive(curvature(function), "second derivative by the policy", given=[stationary])
            .eq(-(beta * polynomial() / (x * (1 - x)) ** 2), "what decides", using=[of_any])
            .eq(-(strength - local * lean) / cube, "at a stationary policy", using=[condition, decides]),
        )
        line = derive(mixed(function), "derivative by the old policy of that by the policy", given=[stationary])
        penalty = beta * (x - reference) * lean / (x * (1 - x)) ** 2
        if function is pairs:
            line = line.eq(-penalty, "differentiate").eq(-gamma * lean / cube, "pulled back", using=[condition])
        else:
            line = line.eq(-lean / (2 * cube) - penalty, "differentiate")
            line = line.eq(-lean / (2 * cube) - spread * lean / (x * (1 - x)) ** 2, "pulled back", using=[condition])
            line = line.eq(-(rational(3, 2) * lean / cube), "collect")
        yield claim(
            f"vojnovic_yun_2025.updates.mixed.{slug}",
            f"How the slope changes with the old policy at a stationary point for {words}",
            derivation=line,
        )


def conditions(pairs: Expression, large: Expression) -> Iterator[Claim]:
    """Local maximum and attraction in terms of the weight."""
    made = list(quotients())
    yield from made
    _, upper, lower, only, more = made
    second = list(derivatives(pairs, large))
    yield from second
    spread = beta * sqrt(x * (1 - x))
    for slug, function, strength, local, attracting, part, cube, (bent, across) in (
        ("groups-of-two", pairs, beta, 2 * gamma, 3 * gamma, gamma, x * (1 - x), second[2:4]),
        (
            "large-groups",
            large,
            spread,
            rational(2),
            rational(7, 2),
            rational(3, 2),
            x * (1 - x) * sqrt(x * (1 - x)),
            second[6:8],
        ),
    ):
        words, stationary = slug.replace("-", " "), eq(slope(function), 0)
        above, below = gt(strength, local * lean), lt(strength, local * lean)
        value, in_terms = -(strength - local * lean) / cube, "in terms of the weight"
        curved = claim(
            f"vojnovic_yun_2025.updates.curvature.{slug}",
            f"For {words} the curvature at the stationary point is negative exactly for these weights",
            derivation=derive(lt(curvature(function), 0), "the curvature is negative", given=[stationary])
            .iff(lt(value, 0), in_terms, using=[bent])
            .iff(above, "multiply by what is positive"),
        )
        yield curved
        line = derive(curvature(function), "curvature at a stationary point", given=[stationary, above])
        negative = claim(
            f"vojnovic_yun_2025.updates.curvature.{slug}.negative",
            f"The curvature for {words} is negative for large weights",
            derivation=line.eq(value, in_terms, using=[bent]).lt(0, "its sign"),
        )
        line = derive(curvature(function), "curvature at a stationary point", given=[stationary, below])
        positive = claim(
            f"vojnovic_yun_2025.updates.curvature.{slug}.positive",
            f"The curvature for {words} is positive for small weights",
            derivation=line.eq(value, in_terms, using=[bent]).gt(0, "its sign"),
        )
        yield from (negative, positive)
        yield claim(
            f"vojnovic_yun_2025.updates.local-maximum.{slug}",
            f"So for {words} it is a strict local maximum for these weights, and a local minimum for smaller ones",
            both(
                implies(above, local_maximum(beside(function), {following: x})),
                implies(below, local_minimum(beside(function), {following: x})),
            ),
            given=[stationary],
            using=[negative, positive],
        )
        quotient = part * lean / (strength - local * lean)
        ratio = mixed(function) / curvature(function)
        at = {force: strength, leaning: lean, lesser: local, fraction: part}
        attracted, repelled = gt(strength, attracting * lean), lt(strength, attracting * lean)
        written = claim(
            f"vojnovic_yun_2025.updates.ratio.{slug}",
            f"The slope of the update for {words}, up to the sign, in terms of the weight",
            derivation=derive(ratio, "quotient of both second derivatives", given=[stationary, above])
            .eq((-(part * lean) / cube) / value, "put them in", using=[bent, across])
            .eq(quotient, "cancel"),
        )
        signed = claim(
            f"vojnovic_yun_2025.updates.ratio.{slug}.signed",
            f"The slope of the update for {words} in terms of the weight",
            eq(update_slope(function), -quotient),
            given=[stationary, above],
            using=[written],
        )
        bounded = claim(
            f"vojnovic_yun_2025.updates.ratio.{slug}.quotient",
            f"For {words} this quotient is less than 1 in absolute value for large weights",
            both(above, lt(quotient, 1), gt(quotient, -1)),
            given=[attracted],
            using=[upper.at(at), lower.at(at)],
        )
        small = claim(
            f"vojnovic_yun_2025.updates.ratio.{slug}.below-one",
            f"So the slope of the update for {words} is more than $-1$",
            derivation=derive(ratio, "the slope, with the other sign", given=[stationary, attracted])
            .eq(quotient, in_terms, using=[bounded, written])
            .lt(1, "for large weights", using=[bounded]),
        )
        not_small = claim(
            f"vojnovic_yun_2025.updates.ratio.{slug}.above-minus-one",
            f"And the slope of the update for {words} is less than 1",
            derivation=derive(ratio, "the slope, with the other sign", given=[stationary, attracted])
            .eq(quotient, in_terms, using=[bounded, written])
            .gt(-1, "for large weights", using=[bounded]),
        )
        large_slope = claim(
            f"vojnovic_yun_2025.updates.ratio.{slug}.more",
            f"For smaller weights with negative curvature the slope of the update for {words} is less than $-1$",
            gt(ratio, 1),
            given=[stationary, above, repelled],
            using=[written, more.at(at)],
        )
        yield from (written, signed, bounded, small, not_small, large_slope)
        yield claim(
            f"vojnovic_yun_2025.updates.slope-range.{slug}",
            f"For {words} the curvature is negative and the slope of the update below 1 in absolute value exactly for "
            "these weights",
            derivation=derive(
                both(lt(curvature(function), 0), lt(absolute(update_slope(function)), 1)),
                "negative curvature and a small slope",
                given=[stationary],
            )
            .iff(
                both(lt(curvature(function), 0), lt(update_slope(function), 1), gt(update_slope(function), -1)),
                "both bounds of an absolute value",
            )
            .iff(
                both(above, lt(update_slope(function), 1), gt(update_slope(function), -1)),
                "the curvature in terms of the weight",
                using=[curved],
            )
            .iff(both(above, lt(quotient, 1), gt(quotient, -1)), "the slope in terms of the weight", using=[signed])
            .iff(attracted, "bounds of a quotient", using=[bounded, only.at(at)]),
        )
        yield claim(
            f"vojnovic_yun_2025.updates.attracts.{slug}",
            f"So for {words} updates attract for these weights and repel for smaller ones with negative curvature",
            both(
                implies(attracted, updates_attract(function)),
                implies(both(above, repelled), replace(updates_attract(function), attracting=False)),
            ),
            given=[stationary],
            using=[negative, small, not_small, large_slope, bounded],
            beyond="says for which parameters repeating the update leads back from nearby",
        )


updates = Result("Repeated updates near a stationary policy", paper, derivation, shorthands=objectives)
