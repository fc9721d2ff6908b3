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
    reference,
    slope,
    updates_attract,
    x,
    x_old,
)
from derivations.vojnovic_yun_2025.iterated_updates import update_slope
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective
from derivations.vojnovic_yun_2025.root_large_groups import large_groups_objective
from derivations.vojnovic_yun_2025.shorthands import objectives
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

ratio = real("c", "(3/5, 3)", "ratio of weight and margin")
strength = real("k", "(0, oo)", "number that fixes a policy")
root_5, root_6 = sqrt(rational(5)), sqrt(rational(6))
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


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Sharp bounds on references and weights, then two examples."""
    pairs, large = pairs_objective(gamma, given), large_groups_objective(given)
    yield from references(pairs, large)
    yield from weights(pairs, large)
    yield from examples(pairs)


def references(pairs: Expression, large: Expression) -> Iterator[Claim]:
    """From which reference on every stationary policy attracts."""
    for slug, function, bound, there in (
        ("groups-of-two", pairs, of_pairs, of_reference_in_pairs(reference)),
        ("large-groups", large, of_large_groups, of_reference_in_large_groups(reference)),
    ):
        words, stationary = slug.replace("-", " "), eq(slope(function), 0)
        yield claim(
            f"vojnovic_yun_2025.updates.large-reference.{slug}",
            f"For {words} a reference above this bound makes every stationary policy attract",
            implies(stationary, attracting(function)),
            given=[gt(reference, bound)],
        )
        yield claim(
            f"vojnovic_yun_2025.updates.small-reference.{slug}",
            f"For {words} a smaller one makes some local maximum repel",
            both(
                lt(reference, there),
                lt(there, 1),
                implies(both(eq(x, there), stationary), repelling_there(function)),
            ),
            given=[lt(reference, bound)],
        )


def weights(pairs: Expression, large: Expression) -> Iterator[Claim]:
    """Which weights make every stationary policy attract."""
    yield claim(
        "vojnovic_yun_2025.updates.weights.groups-of-two",
        r"For groups of two $\beta \leq \frac35\gamma$ or $\beta \geq 3\gamma$ makes the stationary policy attract, "
        "whatever the reference",
        implies(either(le(5 * beta, 3 * gamma), ge(beta, 3 * gamma)), attracting(pairs)),
        given=[eq(slope(pairs), 0)],
    )
    policy, prior = of_ratio(ratio), prior_of_ratio(ratio)
    yield claim(
        "vojnovic_yun_2025.updates.weights.groups-of-two.sharp",
        "Each ratio between three fifths and 3 makes some local maximum repel",
        both(
            gt(prior, 0),
            lt(prior, policy),
            lt(policy, 1),
            implies(both(eq(beta, ratio * gamma), eq(x, policy), eq(reference, prior)), repelling_there(pairs)),
        ),
    )
    yield claim(
        "vojnovic_yun_2025.updates.weights.large-groups",
        "For large groups weights up to $\\sqrt{7/5}$ make it attract",
        implies(le(5 * beta**2, 7), attracting(large)),
        given=[eq(slope(large), 0)],
    )
    root = sqrt(x * (1 - x))
    possible = both(gt(strength, 2), lt(strength, rational(7, 2)), gt(strength * (beta**2 - 1), beta**2))
    prior = x - root / beta
    yield claim(
        "vojnovic_yun_2025.updates.weights.large-groups.sharp",
        "For a larger weight a local maximum repels if its policy belongs to such a number $k$ (that there are such "
        "is not stated)",
        both(gt(prior, 0), lt(prior, x), implies(eq(reference, prior), repelling_there(large))),
        given=[possible, eq(beta * root, strength * (1 - 2 * x)), gt(beta, 1)],
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
    lean = 1 - 2 * x
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
