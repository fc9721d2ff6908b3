r"""An explicit bound of the slope of the success map, and the passage to the limit (Section 3).

On $[0, 1]$ the slope of the map is at most $K = \frac{1}{8\beta\varepsilon^{3/2}}$ in absolute value (`h-prime.bound`),
which is attained at $p = 1$ for the reference with $h(1) = \frac12$ (`h-prime.bound-attained`). So for any $c > K$ the
map does not move two probabilities apart by the factor $c$, for any reference (`map.difference`).

If the iterates $p(n + 1) = h(p(n))$ tend to $p_\infty$, this is a fixed point, as $h$ is continuous
(`limit-is-fixed`). How far it could be from one shows in two iterates: $|h(p_\infty) - p_\infty| \le
c\,|p_\infty - p_{n-1}| + |p_n - p_\infty|$ (`limit-is-fixed.gap`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import B, beta, epsilon, h, one, p, p_ref, slope_of_z
from derivations.mroueh_2025.success_map_shape import shape
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    Substitution,
    absolute,
    claim,
    decreasing,
    define,
    derive,
    eq,
    exp,
    for_every,
    gt,
    has_limit,
    iff,
    in_the_limit,
    increasing,
    le,
    lt,
    ne,
    rational,
    real,
    unknown_function,
    whole,
)

other = real("p_star", "[0, 1]", "a success probability", latex="p'")
start = real("q", "[0, 1]", "another success probability", latex="q")
constant = real("c", "(0, oo)", "a bound of a derivative", latex="c")
value = real("u", "(0, 1)", "a value of the map")
limit = real("p_inf", "[0, 1]", "limit of the iteration", latex=r"p_\infty")
mapped = real("h_inf", "[0, 1]", "value of the map at the limit", latex=r"h(p_\infty)")
after = real("p_after", "[0, 1]", "success probability after the step", latex="p_n")
before = real("p_before", "[0, 1]", "success probability before a step", latex="p_{n-1}")
count = whole("n", "[0, oo)", "number of a step")
iterates = unknown_function("p", count, "success probability after a step", values="[0, 1]")
#: Every step is one of the map; iterates that begin at a fixed point stay there.
iterated = for_every(
    count, eq(iterates(count + 1), h(iterates(count))), such_as={iterates: limit}, where=eq(h(limit), limit)
)
rise, most_rise = real("r", "(-oo, oo)", "a slope"), real("R", "(0, oo)", "bound of the slope")

#: Bounds of the slope of z, and of the map.
Z_1 = define("Z_1", (), 1 / (2 * beta * epsilon ** rational(3, 2)))
K = define("K", (), Z_1() / 4)


def derivation() -> Iterator[Claim]:
    """Bounds of the slope, then of differences."""
    of_z = claim(
        "mroueh_2025.z-prime.bound",
        "A bound of the slope of $z$",
        derivation=derive(absolute(slope_of_z()), "slope of $z$")
        .eq(absolute(2 * p - 1) / (2 * beta * (p * (1 - p) + epsilon) ** rational(3, 2)), "a positive denominator")
        .le(1 / (2 * beta * (p * (1 - p) + epsilon) ** rational(3, 2)), "$|2p - 1| \\le 1$")
        .le(Z_1(), "$p(1-p) \\ge 0$"),
    )
    one_factor = claim(
        "mroueh_2025.slope.factor",
        "A slope times the product of a probability and its complement",
        derivation=derive(absolute(value * (1 - value) * rise), "the product", given=[le(absolute(rise), most_rise)])
        .eq(value * (1 - value) * absolute(rise), "$u(1-u)$ is positive")
        .le(absolute(rise) / 4, "$u(1-u) \\le \\frac14$")
        .le(most_rise / 4, "hypothesis"),
    )
    yield from (of_z, one_factor)
    in_map = one_factor.at({value: h(p), rise: slope_of_z(), most_rise: Z_1()})
    bounded = claim(
        "mroueh_2025.h-prime.bound",
        "The slope of the map is at most $K$ in absolute value",
        derivation=derive(absolute(Derivative(h(p), p)), "slope of the map")
        .eq(absolute(h(p) * (1 - h(p)) * slope_of_z()), "Proposition 1", using=[shape.claim("h-prime")])
        .le(K(), "bound both factors", using=[of_z, in_map, shape.claim("h-range")]),
        beyond="bounds the slope of the map for all references",
    )
    yield bounded
    yield claim(
        "mroueh_2025.h-prime.bound-attained",
        "The bound of the slope is attained with certain success exactly for one reference",
        iff(eq(Substitution(Derivative(h(p), p), p, one), K()), eq(p_ref, 1 / (1 + exp(B(one))))),
        beyond="shows that this bound is sharp",
    )
    yield from differences(bounded)


def differences(bounded: Claim) -> Iterator[Claim]:
    """From the bound of the slope to a bound of differences."""
    larger = gt(constant, K())
    slopes = [
        claim(
            "mroueh_2025.map.falling.slope",
            "The slope less a larger number than the bound is negative",
            derivation=derive(Derivative(h(p) - constant * p, p), "map less a line", given=[larger])
            .eq(Derivative(h(p), p) - constant, "differentiate")
            .le(K() - constant, "bound of the slope", using=[bounded])
            .lt(0, "hypothesis"),
        ),
        claim(
            "mroueh_2025.map.rising.slope",
            "The slope plus this number is positive",
            derivation=derive(Derivative(h(p) + constant * p, p), "map plus a line", given=[larger])
            .eq(Derivative(h(p), p) + constant, "differentiate")
            .ge(constant - K(), "bound of the slope", using=[bounded])
            .gt(0, "hypothesis"),
        ),
    ]
    yield from slopes
    falling = claim(
        "mroueh_2025.map.falling",
        "Less a larger multiple of the argument the map falls",
        decreasing(h(p) - constant * p, p),
        given=[larger],
        using=[slopes[0]],
    )
    rising = claim(
        "mroueh_2025.map.rising",
        "Plus this multiple it rises",
        increasing(h(p) + constant * p, p),
        given=[larger],
        using=[slopes[1]],
    )
    yield from (falling, rising)
    difference = claim(
        "mroueh_2025.map.difference",
        "So two values of the map differ by less than any larger multiple of the distance",
        lt(absolute(h(start) - h(other)), constant * absolute(start - other)),
        given=[larger, ne(start, other)],
        using=[made.between(*ends) for made in (falling, rising) for ends in ((other, start), (start, other))],
    )
    yield difference
    same = claim(
        "mroueh_2025.map.no-difference",
        "Two equal arguments have equal values",
        le(absolute(h(start) - h(other)), constant * absolute(start - other)),
        given=[eq(start, other)],
    )
    lipschitz = claim(
        "mroueh_2025.map.lipschitz",
        "In any case two values differ by at most this multiple of the distance",
        le(absolute(h(start) - h(other)), constant * absolute(start - other)),
        given=[larger],
        using=[difference, same],
    )
    yield from (same, lipschitz)
    yield from passage_to_the_limit(lipschitz)


def passage_to_the_limit(lipschitz: Claim) -> Iterator[Claim]:
    """A limit of the iteration is a fixed point."""
    there = lipschitz.at({start: limit, other: before})
    given = (gt(constant, K()), eq(after, h(before)), eq(mapped, h(limit)))
    near = claim(
        "mroueh_2025.limit-is-fixed.gap",
        "A step moves no number further than two successive iterates are away from it, the first one weighted",
        derivation=derive(
            absolute(mapped - limit),
            "how far the limit is from being a fixed point",
            given=given,
        )
        .le(absolute(mapped - after) + absolute(after - limit), "triangle inequality")
        .le(constant * absolute(limit - before) + absolute(after - limit), "bound of differences", using=[there]),
        using=[there],
    )
    yield near
    yield claim(
        "mroueh_2025.limit-is-fixed",
        "If the iterates converge, their limit is a fixed point",
        in_the_limit(eq(h(limit), limit), count, because=eq(h(iterates(count)), iterates(count + 1))),
        given=[iterated, has_limit(iterates(count), count, limit)],
        equation="Section 3, after Proposition 1",
        printed=paper.quote(
            "Section 3, after Proposition 1",
            r"p_\infty = \lim_{n\to\infty} p_n = \lim_{n\to\infty} h_{\varepsilon,p_{\mathrm{ref}}}(p_{n-1})"
            r" = h_{\varepsilon,p_{\mathrm{ref}}}(\lim_{n\to\infty} p_{n-1})"
            r" = h_{\varepsilon,p_{\mathrm{ref}}}(p_\infty)",
            in_the_limit(eq(limit, h(limit)), count, because=eq(iterates(count + 1), h(iterates(count)))),
            given=(iterated, has_limit(iterates(count), count, limit)),
        ),
    )


slopes = Result("A bound of the slope of the success map", paper, derivation)
