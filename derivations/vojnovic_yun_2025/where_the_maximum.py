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
    le,
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


def cubic(r: Expression = reference) -> Expression:
    """What is left of the slope at y, at the reference r, when the stationary point is divided out."""
    constant, linear = r * x * (1 - x), (1 - x) * (r * (1 - 2 * x) - x)
    return (r - x) * y**3 + (r * x - 2 * r - 2 * x**2 + 3 * x) * y**2 + linear * y + constant


def where_the_cubic_is_positive() -> Iterator[Claim]:
    r"""It is linear in the reference, so that $2/25$ and $x$ suffice; at $2/25$ it is a quadratic polynomial in x.

    With $a = 2/25$ that is $(y - a) ((1 - 2 y) x^2 - (1 - 3 y + y^2) x) + a y (1 - y)^2$.
    """
    id, least = "vojnovic_yun_2025.gain.cubic", rational(2, 25)
    constant, middle = least * y * (1 - y) ** 2, 1 - 3 * y + y**2
    discriminant = 4 * least * y * (1 - 2 * y) * (1 - y) ** 2 - (y - least) * middle**2
    quadratic = (y - least) * ((1 - 2 * y) * x**2 - middle * x) + constant
    early, late = lt(least, y), le(y, rational(77, 200))
    at_the_point = claim(
        f"{id}.reference-at-the-point",
        "If the reference is the stationary point, the cubic polynomial is positive",
        derivation=derive(cubic(x), "cubic polynomial with $r = x$")
        .eq(x * (1 - x) * ((y - x) ** 2 + x * (1 - x)), "complete the square")
        .gt(0, "a square and positive numbers"),
    )
    yield at_the_point
    negative = claim(
        f"{id}.discriminant",
        "The discriminant of the cubic polynomial, as a quadratic one in $x$ at $r = 2/25$, is negative for small $y$",
        gt(discriminant, 0),
        given=[early, late],
    )
    yield negative
    few = claim(
        f"{id}.least.small",
        "The cubic polynomial is positive at $r = 2/25$ for small $y$",
        derivation=derive(quadratic, "cubic polynomial at $r = 2/25$", given=[early, late])
        .eq(
            ((2 * constant - (y - least) * middle * x) ** 2 + x**2 * (y - least) * discriminant) / (4 * constant),
            "complete the square",
        )
        .ge(x**2 * (y - least) * discriminant / (4 * constant), "leave out the square")
        .gt(0, "the discriminant is negative", using=[negative]),
    )
    yield few
    factor = claim(
        f"{id}.least.factor",
        "Between $77/200$ and $1/2$ the coefficient of $x$ in the cubic polynomial at $r = 2/25$ is not negative",
        le(middle, 0),
        given=[ge(y, rational(77, 200)), le(y, rational(1, 2))],
    )
    yield factor
    some = claim(
        f"{id}.least.middle",
        "The cubic polynomial is positive at $r = 2/25$ for $y$ between $77/200$ and $1/2$",
        derivation=derive(
            quadratic, "cubic polynomial at $r = 2/25$", given=[ge(y, rational(77, 200)), le(y, rational(1, 2))]
        )
        .ge(constant, "no coefficient is negative", using=[factor])
        .gt(0, "positive factors"),
    )
    yield some
    chord = (1 - x) * (least * ((y - least) ** 2 + least * (1 - least))) + (x - least) * (y**2 * (1 - y))
    outside = claim(
        f"{id}.least.outside",
        "The cubic polynomial at $r = 2/25$ is positive wherever it is concave in $x$, as it is at both ends",
        derivation=derive(
            quadratic,
            "cubic polynomial at $r = 2/25$",
            given=[lt(least, x), le((y - least) * (1 - 2 * y), 0)],
        )
        .eq(chord - (y - least) * (1 - 2 * y) * (x - least) * (1 - x), "chord from $x = 2/25$ to $x = 1$")
        .ge(chord, "it is concave")
        .gt(0, "positive at both ends"),
    )
    yield outside
    concave = claim(
        f"{id}.least.concave",
        "Up to $2/25$ the coefficient of $x^2$ in the cubic polynomial at $r = 2/25$ is not positive",
        le((y - least) * (1 - 2 * y), 0),
        given=[le(y, least)],
    )
    yield concave
    beyond = [
        claim(
            f"{id}.least.{slug}",
            f"The cubic polynomial is positive at $r = 2/25$ for $y$ {words}",
            gt(quadratic, 0),
            given=[lt(least, x), case],
            using=[*bounds, outside],
        )
        for slug, words, case, bounds in (
            ("below", "up to $2/25$", le(y, least), [concave]),
            ("above", "from $1/2$ on", ge(y, rational(1, 2)), []),
        )
    ]
    yield from beyond
    at_least = claim(
        f"{id}.least",
        "The cubic polynomial is positive at $r = 2/25$",
        derivation=derive(cubic(least), "cubic polynomial at $r = 2/25$", given=[lt(least, x)])
        .eq(quadratic, "in powers of $x$")
        .gt(0, "for small, middle and all other $y$", using=[few, some, *beyond]),
    )
    yield at_least
    yield claim(
        id,
        "A cubic polynomial in the other policy $y$ is positive for $2/25 \\leq r < x$",
        derivation=derive(cubic(), "cubic polynomial", given=[ge(reference, least), lt(reference, x)])
        .eq(
            ((x - reference) * cubic(least) + (reference - least) * cubic(x)) / (x - least),
            "it is linear in $r$",
        )
        .ge((x - reference) * cubic(least) / (x - least), "it is positive for $r = x$", using=[at_the_point])
        .gt(0, "it is positive for $r = 2/25$", using=[at_least]),
    )


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
    positive = None
    for positive in where_the_cubic_is_positive():
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
