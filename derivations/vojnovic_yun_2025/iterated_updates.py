r"""What repeated updates do near a stationary policy (Equations 14 and 15).

The paper calls a policy stationary, in Section 1.3, if it maximises the objective whose old policy it is. For binary
questions this asks three things of one point, and iterating asks a fourth; none of them implies the next
(`eq14.local-minimum`, `eq14.not-the-maximum`, `updates.repelling-maximum`, `updates.repelling-maximum.slope`):

1. The gradient vanishes on-policy. This is so at exactly one point in $(0, 1)$, Equation (14) (`eq14`) or (15)
   (`eq15`), for all parameters. The flow along the on-policy gradient goes there from nearby, because this gradient
   falls with $x$ there (`flow.groups-of-two`, `flow.large-groups`), and from everywhere in $(0, 1)$, because it
   vanishes nowhere else (`eq14`, `eq15`).
2. With the old policy held fixed the objective has negative curvature there: for groups of two exactly if
   $\beta > 2\gamma(1 - 2x)$ (`updates.local-maximum.groups-of-two`), for large groups exactly if
   $\beta\sqrt{x(1-x)} > 2(1-2x)$ (`updates.local-maximum.large-groups`). Negative curvature makes the point a strict
   local maximum (`updates.local-maximum.groups-of-two`).
3. It is the maximum: see the sections on maxima; a reference of at least $2/25$ suffices (`eq14.maximum`,
   `eq15.maximum`).
4. Updates from nearby lead back to it. An update goes from an old policy to the stationary point beside it, and where
   the curvature is negative the implicit function theorem gives its slope (`updates.slope`). There it is less than 1
   (`updates.below-one.groups-of-two`, `updates.below-one.large-groups`), and more than $-1$ exactly for
   $\beta > 3\gamma(1 - 2x)$ (`updates.attracts.groups-of-two`) and $\beta\sqrt{x(1-x)} > \frac72(1-2x)$
   (`updates.attracts.large-groups`) respectively.

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

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import (
    beta,
    curvature,
    gamma,
    reference,
    slope,
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
    both,
    claim,
    eq,
    gt,
    iff,
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
            both(eq(Derivative(slope(function), x), -(beta * part / (x * (1 - x)) ** 2)), gt(part, 0)),
            given=[stationary],
            beyond="says that the flow along the on-policy gradient attracts from nearby to Equation "
            f"({14 if function is pairs else 15}) for all parameters",
            cites=["linear stability of a flow"],
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
        words = slug.replace("-", " ")
        yield claim(
            f"vojnovic_yun_2025.updates.local-maximum.{slug}",
            f"For {words} the curvature at the stationary point is negative exactly for these weights",
            iff(lt(curvature(function), 0), gt(strength, local * lean)),
            given=[eq(slope(function), 0)],
            cites=["second-order condition", "implicit function"],
        )
        yield claim(
            f"vojnovic_yun_2025.updates.attracts.{slug}",
            f"For {words} it is negative and the slope of the update below 1 in absolute value exactly for these",
            iff(
                both(lt(curvature(function), 0), lt(absolute(update_slope(function)), 1)),
                gt(strength, attracting * lean),
            ),
            given=[eq(slope(function), 0)],
            beyond="says for which parameters the slope makes repeating the update lead back from nearby",
            cites=["linear stability"],
        )


updates = Result("Repeated updates near a stationary policy", paper, derivation, shorthands=objectives)
