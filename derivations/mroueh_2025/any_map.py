r"""The map of Theorem 6: its slope at a fixed point, and what a bound of its slope around that point does.

A fixed point of any continuously differentiable $f$ with $|f'(x^*)| < 1$ attracts what starts nearby (`theorem-6`).
Where $|f'| \le k < 1$ on $I = [x^* - r, x^* + r]$, by the mean value theorem $f$ contracts on $I$ with this factor
(`theorem-6.contraction`), $x_{n+1} = f(x_n)$ converges to $x^*$ from any start less than $r$ away
(`theorem-6.converges`), and $x^*$ is the only fixed point in $I$ (`theorem-6.only`). That continuity of $f'$ gives such
$r$ and $k$ is said of the slope at a point nearby (`theorem-6.factor`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.contraction import centre, factor, radius
from grpo_symbolic import (
    Claim,
    Result,
    Statement,
    Symbol,
    absolute,
    attracts,
    claim,
    converges,
    derive,
    eq,
    for_every,
    implies,
    le,
    lt,
    ne,
    real,
    unknown_function,
)

x = real("x", "(-oo, oo)", "a point")
other = real("y", "(-oo, oo)", "another point")
f = unknown_function("f", x, "the map of Theorem 6", derivatives=1)

fixed = eq(f(centre), centre)


def within(point: Symbol) -> Statement:
    """That a point lies in the interval."""
    return le(absolute(point - centre), radius)


flat = for_every(
    x, implies(within(x), le(absolute(f.slope(x)), factor)), such_as={f: centre + factor / 2 * (x - centre)}
)


def derivation() -> Iterator[Claim]:
    """What attracts, what contracts, where iterates go, and how many fixed points there are."""
    yield claim(
        "mroueh_2025.theorem-6",
        "A fixed point of any continuously differentiable map whose slope there is below 1 in absolute value attracts "
        "what starts nearby",
        attracts({x: f(x)}, centre),
        given=[fixed, lt(absolute(f.slope(centre)), 1)],
        equation="Theorem 6",
    )
    contraction = claim(
        "mroueh_2025.theorem-6.contraction",
        "Where the slope of any map is at most $k$ in absolute value, it is a contraction with this factor",
        derivation=derive(
            absolute(f(x) - f(other)), "distance of two values", given=[flat, within(x), within(other)]
        ).le(
            factor * absolute(x - other),
            "mean value theorem: $f(x) - f(y) = f'(c)(x - y)$ with a $c$ between them, and $|f'(c)| \\le k$",
        ),
        equation="Theorem 6",
    )
    yield contraction
    given = [flat, fixed, within(x)]
    nearer = claim(
        "mroueh_2025.theorem-6.nearer",
        "So a step from the interval multiplies the distance from the fixed point by at most $k$",
        derivation=derive(absolute(f(x) - centre), "distance after a step", given=given)
        .eq(absolute(f(x) - f(centre)), "the goal is a fixed point")
        .le(factor * absolute(x - centre), "the map is a contraction", using=[contraction.at({other: centre})]),
        equation="Theorem 6",
    )
    yield nearer
    away = absolute(x - centre)
    strictly = claim(
        "mroueh_2025.theorem-6.nearer.strictly",
        "From elsewhere it leads nearer",
        derivation=derive(
            absolute(f(x) - centre), "distance after a step", given=[flat, fixed, ne(x, centre), lt(away, radius)]
        )
        .le(factor * away, "at most $k$ times the distance before", using=[nearer])
        .lt(away, "$k < 1$"),
    )
    yield strictly
    yield claim(
        "mroueh_2025.theorem-6.converges",
        "Then its iterates converge to the fixed point from every start less than $r$ away",
        converges(f(x), x, centre, within=radius),
        given=[flat, fixed],
        using=[strictly],
        equation="Theorem 6",
    )
    given = [*given, eq(f(x), x)]
    apart = claim(
        "mroueh_2025.theorem-6.only.distance",
        "The distance of two fixed points in the interval is at most $k$ times itself",
        derivation=derive(absolute(x - centre), "distance of two fixed points", given=given)
        .eq(absolute(f(x) - centre), "a step from the one leads to itself")
        .le(factor * absolute(x - centre), "it leads nearer to the other", using=[nearer]),
        equation="Theorem 6",
    )
    zero = claim(
        "mroueh_2025.theorem-6.only.zero",
        "That says that it is 0",
        derivation=derive(le(away, factor * away), "the distance is at most $k$ times itself")
        .iff(le((1 - factor) * away, 0), "bring to one side")
        .iff(eq(x, centre), "$1 - k$ is positive, and only 0 has no absolute value"),
    )
    yield from (apart, zero)
    yield claim(
        "mroueh_2025.theorem-6.only",
        "So there is no other fixed point in the interval",
        eq(x, centre),
        given=given,
        using=[apart, zero],
        equation="Theorem 6",
    )


any_map = Result("Any map with a slope below one", paper, derivation)
