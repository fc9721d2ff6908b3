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
from derivations.vojnovic_yun_2025.root_large_groups import large_groups_objective
from derivations.vojnovic_yun_2025.shorthands import objectives
from derivations.vojnovic_yun_2025.where_a_maximum import polynomial
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
    eq,
    gt,
    iff,
    implies,
    local_maximum,
    local_minimum,
    lt,
    ne,
    rational,
    sqrt,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions

lean = 1 - 2 * x


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
        yield claim(
            f"vojnovic_yun_2025.flow.{slug}",
            f"For {words} the on-policy gradient falls where it vanishes",
            both(
                eq(Derivative(slope(function), x), -(beta * part / (x * (1 - x)) ** 2)),
                gt(part, 0),
                attracts_flow({x: slope(function)}, x),
            ),
            given=[stationary],
            beyond="says that the flow along the on-policy gradient attracts from nearby to Equation "
            f"({14 if function is pairs else 15}) for all parameters",
        )
        yield claim(
            f"vojnovic_yun_2025.updates.below-one.{slug}",
            f"For {words} the same number tells how far the slope of the update is from 1",
            eq(1 - update_slope(function), part / polynomial()),
            given=[stationary, ne(polynomial(), 0)],
        )


def conditions(pairs: Expression, large: Expression) -> Iterator[Claim]:
    """Local maximum and attraction in terms of the weight."""
    spread = beta * sqrt(x * (1 - x))
    for slug, function, strength, local, attracting in (
        ("groups-of-two", pairs, beta, 2 * gamma, 3 * gamma),
        ("large-groups", large, spread, rational(2), rational(7, 2)),
    ):
        words, stationary = slug.replace("-", " "), eq(slope(function), 0)
        yield claim(
            f"vojnovic_yun_2025.updates.curvature.{slug}",
            f"For {words} the curvature at the stationary point is negative exactly for these weights",
            iff(lt(curvature(function), 0), gt(strength, local * lean)),
            given=[stationary],
        )
        yield claim(
            f"vojnovic_yun_2025.updates.local-maximum.{slug}",
            f"So for {words} it is a strict local maximum for these weights, and a local minimum for smaller ones",
            both(
                implies(gt(strength, local * lean), local_maximum(beside(function), {following: x})),
                implies(lt(strength, local * lean), local_minimum(beside(function), {following: x})),
            ),
            given=[stationary],
        )
        yield claim(
            f"vojnovic_yun_2025.updates.slope-range.{slug}",
            f"For {words} the curvature is negative and the slope of the update below 1 in absolute value exactly for "
            "these weights",
            iff(
                both(lt(curvature(function), 0), lt(absolute(update_slope(function)), 1)),
                gt(strength, attracting * lean),
            ),
            given=[stationary],
        )
        yield claim(
            f"vojnovic_yun_2025.updates.attracts.{slug}",
            f"So for {words} updates attract for these weights and repel for smaller ones with negative curvature",
            both(
                implies(gt(strength, attracting * lean), updates_attract(function)),
                implies(
                    both(gt(strength, local * lean), lt(strength, attracting * lean)),
                    replace(updates_attract(function), attracting=False),
                ),
            ),
            given=[stationary],
            beyond="says for which parameters repeating the update leads back from nearby",
        )


updates = Result("Repeated updates near a stationary policy", paper, derivation, shorthands=objectives)
