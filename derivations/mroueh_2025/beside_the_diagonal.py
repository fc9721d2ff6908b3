r"""What a few values of the success map say about where it crosses the diagonal.

From one half on the map rises (`monotone.rises`). So if it takes one success probability above another one, it leads up
from everywhere between the two (`stairs.up`), and down if it takes the higher one below the lower one (`stairs.down`).
A few such stairs lead past a whole interval.

The values at the ends of an interval bound the slope in between, where the map is at least one half (`ends.at-most`,
`ends.at-least`). Next to certain success the slope is small, because $u^3 e^{-u/\beta}$ falls for $u \ge 3\beta$
(`cubes.falls`): its value at one success probability bounds the slope from there on (`cubes.slope`, `cubes.less`), and
its value at another one bounds the slope up to there from below (`cubes.more`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import A, b, beta, h, half, slope_of_z
from derivations.mroueh_2025.monotone_convergence import monotone
from grpo_symbolic import Claim, Derivative, Expression, Result, claim, derive, exp, ge, gt, le, lt, real

left = real("left", "[1/2, 1]", "lower end of an interval from one half on", latex="p_{-}")
right = real("right", "[1/2, 1]", "its upper end", latex="p_{+}")
place = real("place", "[1/2, 1]", "success probability of at least one half", latex="p")
smaller = real("smaller", "[1/2, 1]", "a probability of at least one half", latex="s")
greater = real("greater", "[1/2, 1]", "a larger one", latex="t")
u = real("u", "(0, oo)", "a positive number")
v = real("v", "(0, oo)", "a larger one")
whole = real("whole", "[0, oo)", "what is not negative", latex="w")


def product(at: Expression) -> Expression:
    """A cube times a decaying exponential, in front of the slope of the map."""
    return A() * (b(at) ** 3 * exp(-(b(at) / beta))) / (2 * beta)


def damped(at: Expression) -> Expression:
    """The reciprocal of the map."""
    return 1 + A() * exp(-(b(at) / beta))


#: What bounds the slope of the excess between two ends, by the claims that say so.
BOUNDS = {
    "ends.at-most": h(left) * (1 - h(left)) * slope_of_z(right) - 1,
    "ends.at-least": h(right) * (1 - h(right)) * slope_of_z(left) - 1,
    "cubes.more": product(right) * (2 * left - 1) / damped(left) ** 2 - 1,
}


def derivation() -> Iterator[Claim]:
    """Stairs, then bounds of the slope."""
    yield from stairs()
    yield from ends()
    yield from cubes()


def stairs() -> Iterator[Claim]:
    """Where a rising map stays on one side of the diagonal."""
    rises = monotone.claim("monotone.rises")
    inside = [le(left, place), le(place, right)]
    yield claim(
        "mroueh_2025.stairs.up",
        "If the map takes the lower end above the upper one, it leads up from everywhere between them",
        derivation=derive(h(place), "a step", given=[*inside, gt(h(left), right)])
        .ge(h(left), "the map rises", using=[rises.between(left, place)])
        .gt(right, "hypothesis")
        .ge(place, "hypothesis"),
    )
    yield claim(
        "mroueh_2025.stairs.down",
        "If it takes the upper end below the lower one, it leads down",
        derivation=derive(h(place), "a step", given=[*inside, lt(h(right), left)])
        .le(h(right), "the map rises", using=[rises.between(place, right)])
        .lt(left, "hypothesis")
        .le(place, "hypothesis"),
    )


def ends() -> Iterator[Claim]:
    """Bounds of the slope from the values of both factors at the ends of an interval."""
    rises = monotone.claim("monotone.rises")
    above = [le(left, place), le(place, right), ge(h(left), half)]
    steeper = claim(
        "mroueh_2025.ends.slope-of-z",
        "From one half on the slope of $z$ rises",
        derivation=derive(slope_of_z(left), "slope of $z$", given=[le(left, place)]).le(
            slope_of_z(place), "the numerator is not negative and rises, the denominator falls"
        ),
    )
    yield steeper
    product = claim(
        "mroueh_2025.ends.product",
        "From one half on a probability times its complement falls",
        derivation=derive(greater * (1 - greater), "the product", given=[le(smaller, greater)])
        .eq(smaller * (1 - smaller) - (greater - smaller) * (greater + smaller - 1), "difference of the two, factored")
        .le(smaller * (1 - smaller), "both factors are not negative"),
    )
    yield product
    at_most = claim(
        "mroueh_2025.ends.at-most.factor",
        "The factor $h(1-h)$ of the slope is at most what it is at the lower end",
        derivation=derive(h(place) * (1 - h(place)), "first factor of the slope", given=above).le(
            h(left) * (1 - h(left)),
            "the map rises",
            using=[rises.between(left, place), product.at({smaller: h(left), greater: h(place)})],
        ),
    )
    at_least = claim(
        "mroueh_2025.ends.at-least.factor",
        "And at least what it is at the upper end",
        derivation=derive(h(place) * (1 - h(place)), "first factor of the slope", given=above).ge(
            h(right) * (1 - h(right)),
            "the map rises",
            using=[
                *(rises.between(*pair) for pair in ((left, place), (place, right))),
                product.at({smaller: h(place), greater: h(right)}),
            ],
        ),
    )
    yield from (at_most, at_least)
    excess = derive(Derivative(h(place) - place, place), "slope of the excess", given=above).eq(
        h(place) * (1 - h(place)) * slope_of_z(place) - 1, "Proposition 1"
    )
    yield claim(
        "mroueh_2025.ends.at-most",
        "The slope of the excess is at most what the one factor is at the lower and the other at the upper end, less 1",
        derivation=excess.le(
            h(left) * (1 - h(left)) * slope_of_z(place) - 1, "bound of the first factor", using=[at_most]
        ).le(
            BOUNDS["ends.at-most"],
            "the slope of $z$ rises",
            using=[steeper.at({left: place, place: right})],
        ),
    )
    yield claim(
        "mroueh_2025.ends.at-least",
        "And at least what they are the other way round",
        derivation=excess.ge(
            h(right) * (1 - h(right)) * slope_of_z(place) - 1, "bound of the first factor", using=[at_least]
        ).ge(BOUNDS["ends.at-least"], "the slope of $z$ rises", using=[steeper]),
    )


def cubes() -> Iterator[Claim]:
    """The slope of the map through a cube times an exponential."""
    ordered = [le(u, v), ge(u, 3 * beta)]
    third = exp((v - u) / (3 * beta))
    part = claim(
        "mroueh_2025.cubes.third",
        "An exponential that outgrows a line",
        derivation=derive(third, "growth of the exponential, a third of the exponent", given=ordered)
        .ge(1 + (v - u) / (3 * beta), "$e^x \\ge 1 + x$")
        .ge(v / u, "$3\\beta \\le u$"),
    )
    growth = claim(
        "mroueh_2025.cubes.growth",
        "So the exponential outgrows a cube",
        derivation=derive(exp((v - u) / beta), "growth of the exponential", given=ordered)
        .eq(third**3, "a third of the exponent")
        .ge((v / u) ** 3, "the line before, cubed", using=[part]),
    )
    yield part
    yield growth
    falling = claim(
        "mroueh_2025.cubes.falls",
        "So a cube times a decaying exponential falls from $3\\beta$ on",
        derivation=derive(v**3 * exp(-(v / beta)), "value at the larger number", given=ordered)
        .eq(u**3 * exp(-(u / beta)) * ((v / u) ** 3 / exp((v - u) / beta)), "split off the value at the smaller one")
        .le(u**3 * exp(-(u / beta)), "the quotient is at most 1", using=[growth]),
    )
    yield falling
    yield from of_the_map(falling)


def of_the_map(falling: Claim) -> Iterator[Claim]:
    """Bounds of the slope from values at the ends."""
    explicit = claim(
        "mroueh_2025.cubes.slope",
        "The slope of the map by this product",
        derivation=derive(Derivative(h(place), place), "slope of the map")
        .eq(h(place) * (1 - h(place)) * slope_of_z(place), "Proposition 1")
        .eq((damped(place) - 1) / damped(place) ** 2 * slope_of_z(place), "$h = 1/(1 + Ae^{-B})$")
        .eq(product(place) * (2 * place - 1) / damped(place) ** 2, "slope of $z$"),
    )
    yield explicit
    rises = claim(
        "mroueh_2025.cubes.argument",
        "From one half on $b$ rises",
        derivation=derive(b(left), "value at the lower end", given=[le(left, place)]).le(
            b(place), "$p(1-p)$ falls from one half on"
        ),
    )
    yield rises

    falls = claim(
        "mroueh_2025.cubes.product",
        "So the product falls from where $b = 3\\beta$",
        derivation=derive(product(place), "its value", given=[le(left, place), ge(b(left), 3 * beta)]).le(
            product(left), "$b$ rises", using=[rises, falling.at({u: b(left), v: b(place)})]
        ),
    )
    yield falls
    excess, there = Derivative(h(place) - place, place), ge(b(left), 3 * beta)
    smaller_part = claim(
        "mroueh_2025.cubes.part",
        "A part of what is not negative is at most that",
        le(whole * (2 * place - 1) / damped(place) ** 2, whole),
    )
    yield smaller_part
    yield claim(
        "mroueh_2025.cubes.less",
        "If the product is small at one success probability, the map crosses the diagonal downwards from there on",
        derivation=derive(excess, "slope of the excess", given=[le(left, place), there, lt(product(left), 1)])
        .eq(product(place) * (2 * place - 1) / damped(place) ** 2 - 1, "slope of the map", using=[explicit])
        .le(
            product(place) - 1,
            "$2p - 1 \\le 1$, and the denominator exceeds 1",
            using=[smaller_part.at({whole: product(place)})],
        )
        .le(product(left) - 1, "the product falls", using=[falls])
        .lt(0, "hypothesis"),
    )
    yield claim(
        "mroueh_2025.cubes.more",
        "Up to another success probability the product there bounds the slope of the excess from below",
        derivation=derive(excess, "slope of the excess", given=[le(left, place), le(place, right), there])
        .eq(product(place) * (2 * place - 1) / damped(place) ** 2 - 1, "slope of the map", using=[explicit])
        .ge(
            product(right) * (2 * place - 1) / damped(place) ** 2 - 1,
            "the product falls",
            using=[rises, falls.at({left: place, place: right})],
        )
        .ge(BOUNDS["cubes.more"], "$2p - 1$ and $b$ rise", using=[rises]),
    )


beside = Result("Where the success map crosses the diagonal", paper, derivation)
