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
    eq,
    for_every,
    implies,
    le,
    lt,
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


flat = for_every(x, implies(within(x), le(absolute(f.slope(x)), factor)), such_as={f: centre + factor * (x - centre)})


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
    yield claim(
        "mroueh_2025.theorem-6.contraction",
        "Where the slope of any map is at most $k$ in absolute value, it is a contraction with this factor",
        le(absolute(f(x) - f(other)), factor * absolute(x - other)),
        given=[flat, within(x), within(other)],
        equation="Theorem 6",
    )
    yield claim(
        "mroueh_2025.theorem-6.converges",
        "Then its iterates converge to the fixed point from every start less than $r$ away",
        converges(f(x), x, centre, within=radius),
        given=[flat, fixed],
        equation="Theorem 6",
    )
    yield claim(
        "mroueh_2025.theorem-6.only",
        "There is no other fixed point in the interval",
        eq(x, centre),
        given=[flat, fixed, within(x), eq(f(x), x)],
        equation="Theorem 6",
    )


any_map = Result("Any map with a slope below one", paper, derivation)
