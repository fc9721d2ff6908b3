r"""Where the stationary point is the maximum: comparison with all other policies (`gain.largest`).

A local maximum need not be the maximum that Section 1.3 asks for (`eq14.not-the-maximum`). At a stationary point the
reward gained by going to $y$ is $\beta (y - x)(x - r)/(x(1 - x))$, for groups of two and for large groups
(`gain.groups-of-two`, `gain.large-groups`). So the comparison with another policy is the same for both and, up to the
factor $\beta$, involves $x$ and $r$ alone.

If the reference gives the better answer at least the probability $2/25$, then the stationary point is the only maximum,
for every margin and weight (`gain.largest`). At $7/100$ this is no longer so (`eq14.maximum.sharp`). For example $x =
1/2$ is a strict local maximum at the reference $1/50$, but the reference itself is better (`eq14.not-the-maximum`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import (
    beside,
    beta,
    following,
    frozen,
    gamma,
    objective,
    reference,
    slope,
    x,
)
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective
from derivations.vojnovic_yun_2025.root_large_groups import large_groups_objective
from derivations.vojnovic_yun_2025.shorthands import objectives
from derivations.vojnovic_yun_2025.stationary_by_enumeration import maximum_beside_grid
from grpo_symbolic import (
    Claim,
    Expression,
    Extremum,
    Oracle,
    Result,
    both,
    claim,
    derive,
    eq,
    ge,
    gt,
    instance,
    local_maximum,
    lt,
    rational,
    real,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions

y = real("y", "(0, 1)", "probability of answer a under another policy")
pull = (x - reference) / (x * (1 - x))


def gain(function: Expression, to: Expression) -> Expression:
    """What is gained by going from x to another policy while the old policy stays x."""
    return frozen(function, to) - frozen(function, x)


def common_gain(to: Expression, given: Definitions) -> Expression:
    """The gain over a stationary policy, for both group sizes."""
    return beta * pull * (to - x) + gain(objective(rational(0), given), to)


def cubic() -> Expression:
    """What is left of the slope at y when the stationary point is divided out."""
    constant, linear = reference * x * (1 - x), (1 - x) * (reference * (1 - 2 * x) - x)
    return (reference - x) * y**3 + (reference * x - 2 * reference - 2 * x**2 + 3 * x) * y**2 + linear * y + constant


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Both group sizes in one formula, then references for which the stationary point is the maximum or not."""
    pairs, large = pairs_objective(gamma, given), large_groups_objective(given)
    in_pairs = claim(
        "vojnovic_yun_2025.gain.groups-of-two",
        "What another policy gains over a stationary one, for groups of two",
        eq(gain(pairs, y), common_gain(y, given)),
        given=[eq(slope(pairs), 0)],
    )
    in_large_groups = claim(
        "vojnovic_yun_2025.gain.large-groups",
        "What another policy gains over a stationary one, for large groups",
        eq(gain(large, y), common_gain(y, given)),
        given=[eq(slope(large), 0)],
    )
    yield in_pairs
    yield in_large_groups
    positive = claim(
        "vojnovic_yun_2025.gain.cubic",
        "A cubic polynomial in the other policy $y$ is positive for $2/25 \\leq r < x$",
        gt(cubic(), 0),
        given=[ge(reference, rational(2, 25)), lt(reference, x)],
    )
    yield positive
    largest = claim(
        "vojnovic_yun_2025.gain.largest",
        "With a reference of at least 2/25, below the stationary point, every other policy loses",
        Extremum(common_gain(y, given), y, x, minimum=False),
        given=[ge(reference, rational(2, 25)), lt(reference, x)],
        using=[positive],
    )
    yield largest
    on_a_grid = Oracle(
        "the true objective in groups of two at 63 other policies", maximum_beside_grid, relation=">=", points=4
    )
    for slug, size, function, lemma in (
        ("eq14", "groups of two", pairs, in_pairs),
        ("eq15", "large groups", large, in_large_groups),
    ):
        yield claim(
            f"vojnovic_yun_2025.{slug}.maximum",
            f"With a reference of at least 2/25 the stationary point for {size} is the maximum",
            derivation=derive(
                frozen(function, y),
                "another policy beside the stationary one",
                given=[eq(slope(function), 0), ge(reference, rational(2, 25))],
            )
            .eq(frozen(function, x) + common_gain(y, given), "add what it gains", using=[lemma])
            .le(frozen(function, x), "every other policy loses", using=[largest]),
            equation=f"Eq. ({slug[2:]})",
            oracle=on_a_grid if slug == "eq14" else None,
            beyond="gives references for which the stationary point is the global maximum that Section 1.3 asks for",
        )
    yield claim(
        "vojnovic_yun_2025.eq14.maximum.sharp",
        "With a reference of 7/100 it need not be",
        instance(
            both(eq(slope(pairs), 0), gt(gain(pairs, rational(3, 25)), 0)),
            {x: rational(17, 50), reference: rational(7, 100), gamma: rational(1), beta: rational(187, 225)},
        ),
    )
    yield claim(
        "vojnovic_yun_2025.eq14.not-the-maximum",
        "A strict local maximum that is worse than the reference, for groups of two",
        instance(
            both(local_maximum(beside(pairs), {following: x}), gt(gain(pairs, reference), 0)),
            {x: rational(1, 2), reference: rational(1, 50), gamma: rational(1), beta: rational(25, 48)},
        ),
        beyond="a local maximum need not be the maximum that Section 1.3 asks for",
    )
    yield claim(
        "vojnovic_yun_2025.eq15.not-the-maximum",
        "A stationary point for large groups that is a local maximum and not the maximum",
        instance(
            both(local_maximum(beside(large), {following: x}), gt(gain(large, reference), 0)),
            {x: rational(1, 2), reference: rational(1, 50), beta: rational(25, 24)},
        ),
        beyond="a local maximum need not be the maximum that Section 1.3 asks for",
    )


global_maximum = Result("Where the stationary point is the maximum", paper, derivation, shorthands=objectives)
