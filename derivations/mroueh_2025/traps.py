r"""Traps: intervals below one half that the iteration does not leave.

If $a \le h(\frac12)$ and $h(a) \le \frac12$, then $[a, \frac12]$ is a trap: $h$ maps it into itself (`trap`). And as
$h$ falls there, $h \circ h$ rises (`trap.order`), so every second iterate moves in one direction (`trap.up`,
`trap.down`) and has a limit (`trap.converges`, `trap.converges.down`), which is a fixed point or belongs to a cycle of
two (`trap.limit`). In log-odds the slope of the map is nowhere in the trap larger in size than at $a$, if $a$ is not so
close to 0 that its size still rises there (`trap.slope-rises`, `log-odds.slope`).

As the map falls up to one half, a fixed point there lies above every success probability that a step takes up, and
below every one that a step takes down (`trap.beyond`, `trap.short`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.critical_weight import bound_of_lead
from derivations.mroueh_2025.functions import epsilon, h, half
from derivations.mroueh_2025.slope_bounds import count
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    both,
    by_induction,
    claim,
    decreasing,
    derive,
    eq,
    every_iterate,
    falls_to_a_limit,
    for_every,
    ge,
    gt,
    has_limit,
    in_the_limit,
    increasing,
    le,
    lt,
    rational,
    real,
    rises_to_a_limit,
    unknown_function,
)

lower = real("lower", "[0, 1/2]", "success probability of at most one half", latex="p")
higher = real("higher", "[0, 1/2]", "another success probability of at most one half", latex="p'")
end = real("end", "[0, 1/2]", "lower end of an interval", latex="a")
width = real("w", "(0, 1]", "lead of the lower end of an interval up to one half")
limit = real("q_inf", "[0, 1/2]", "limit of every second iterate", latex=r"q_\infty")
every_second = unknown_function("q", count, "every second success probability in a trap", values="[0, 1/2]")
in_trap = (
    for_every(
        count,
        eq(every_second(count + 1), h(h(every_second(count)))),
        such_as={every_second: limit},
        where=eq(h(limit), limit),
    ),
    le(end, every_second(0)),
    le(end, h(half)),
    le(h(end), half),
)
share = real("share", "[0, 1]", "lead of a success probability as a part of it", latex="s")


def derivation() -> Iterator[Claim]:
    """An interval that the iteration does not leave, and how it moves there."""
    falls = claim("mroueh_2025.trap.falls", "Up to one half the map falls", decreasing(h(lower), lower))
    yield falls
    inside = [le(end, lower), le(end, h(half)), le(h(end), half)]
    sides = [
        claim(
            "mroueh_2025.trap.below",
            "A step from a trap does not leave it below",
            derivation=derive(h(lower), "a step", given=inside)
            .ge(h(half), "the map falls", using=[falls.between(lower, half)])
            .ge(end, "hypothesis"),
        ),
        claim(
            "mroueh_2025.trap.above",
            "Nor above",
            derivation=derive(h(lower), "a step", given=inside)
            .le(h(end), "the map falls", using=[falls.between(end, lower)])
            .le(half, "hypothesis"),
        ),
    ]
    yield from sides
    trap = claim(
        "mroueh_2025.trap",
        "If $a \\le h(\\frac12)$ and $h(a) \\le \\frac12$ the iteration does not leave $[a, \\frac12]$",
        both(ge(h(lower), end), le(h(lower), half)),
        given=inside,
        using=sides,
    )
    yield trap
    yield claim(
        "mroueh_2025.trap.iterates",
        "So it does not leave $[a, \\frac12]$ after any number of steps",
        every_iterate(both(ge(lower, end), le(lower, half)), {lower: h(lower)}, {lower: higher}),
        given=[le(end, higher), le(end, h(half)), le(h(end), half)],
        using=[trap],
    )
    yield claim(
        "mroueh_2025.trap.order",
        "Two steps keep the order of two success probabilities in a trap, so of an iterate and the next but one",
        derivation=derive(h(h(lower)), "two steps", given=[lt(lower, higher), le(h(lower), half)]).lt(
            h(h(higher)),
            "the map falls twice: $h(p) > h(p')$, and both are at most one half",
            using=[falls.between(lower, higher), falls.between(h(higher), h(lower))],
        ),
    )
    yield from every_second_iterate(falls, trap)
    yield from sides_of_fixed_points(falls)
    yield from contracting_traps()


def every_second_iterate(falls: Claim, trap: Claim) -> Iterator[Claim]:
    """Every second iterate in a trap: it moves in one direction, so it has a limit, which two steps keep."""
    not_rising = claim(
        "mroueh_2025.trap.not-rising",
        "Up to one half the map does not rise",
        ge(h(lower), h(higher)),
        given=[le(lower, higher)],
        using=[falls.between(lower, higher)],
    )
    yield not_rising
    keeps_order = claim(
        "mroueh_2025.trap.order-kept",
        "So two steps reverse no order, of equal ones either",
        le(h(h(lower)), h(h(higher))),
        given=[le(lower, higher), le(h(lower), half)],
        using=[not_rising, not_rising.at({lower: h(higher), higher: h(lower)})],
    )
    yield keeps_order
    twice = claim(
        "mroueh_2025.trap.twice",
        "Two steps do not leave the trap",
        both(ge(h(h(lower)), end), le(h(h(lower)), half)),
        given=[le(end, lower), *in_trap[2:]],
        using=[trap, trap.at({lower: h(lower)})],
    )
    yield twice
    now, after = every_second(count), every_second(count + 1)
    kept = [trap.at({lower: now}), twice.at({lower: now}), trap.at({lower: after})]
    ordered = {}
    for name, compare in (("up", le), ("down", ge)):
        order = {lower: now, higher: after} if name == "up" else {lower: after, higher: now}
        ordered[name] = claim(
            f"mroueh_2025.trap.{name}",
            f"If the first two steps lead {name}, by induction no later two steps lead the other way",
            by_induction(both(ge(now, end), compare(now, after)), count),
            given=[*in_trap, compare(every_second(0), every_second(1))],
            using=[*kept, keeps_order.at(order)],
        )
    yield from ordered.values()
    yield claim(
        "mroueh_2025.trap.converges",
        "So every second iterate in a trap has a limit, if the first two steps lead up",
        rises_to_a_limit(now, count, at_most=half),
        given=[*in_trap, le(every_second(0), every_second(1))],
        using=[ordered["up"]],
        beyond="gives convergence to a fixed point or a cycle of two in a trap, also for references below one half",
    )
    yield claim(
        "mroueh_2025.trap.converges.down",
        "And if they lead down",
        falls_to_a_limit(now, count, at_least=end),
        given=[*in_trap, ge(every_second(0), every_second(1))],
        using=[ordered["down"]],
    )
    yield claim(
        "mroueh_2025.trap.limit",
        "Two steps keep this limit: it is a fixed point, or belongs to a cycle of two",
        in_the_limit(eq(h(h(limit)), limit), count, because=eq(h(h(now)), after)),
        given=[in_trap[0], has_limit(now, count, limit)],
    )


def sides_of_fixed_points(falls: Claim) -> Iterator[Claim]:
    """On which side of a success probability up to one half a fixed point lies."""
    fixed = eq(h(lower), lower)
    yield claim(
        "mroueh_2025.trap.beyond",
        "A fixed point up to one half lies above what the map takes up",
        derivation=derive(lt(higher, h(higher)), "a step up", given=[fixed]).implies(
            lt(higher, lower),
            "else $p \\le p' < h(p') \\le h(p) = p$, as the map falls",
            using=[falls.between(lower, higher)],
        ),
    )
    yield claim(
        "mroueh_2025.trap.short",
        "And below what it takes down",
        derivation=derive(gt(higher, h(higher)), "a step down", given=[fixed]).implies(
            gt(higher, lower),
            "else $p \\ge p' > h(p') \\ge h(p) = p$, as the map falls",
            using=[falls.between(higher, lower)],
        ),
    )


def contracting_traps() -> Iterator[Claim]:
    """When there is no cycle in a trap: if the map contracts log-odds at its lower end, it does so all over it."""
    inside, here = lt((1 + 12 * epsilon) * width**2, 1 + 4 * epsilon), share * width
    left, excess = 1 + 4 * epsilon - here**2, 1 + 4 * epsilon - (1 + 12 * epsilon) * here**2
    below = claim(
        "mroueh_2025.trap.slope-rises.below",
        "A part of the critical lead is below it",
        derivation=derive(excess, "what the squared part leaves", given=[inside])
        .ge(1 + 4 * epsilon - (1 + 12 * epsilon) * width**2, "no part exceeds the whole")
        .gt(0, "the whole is below the critical lead"),
    )
    slope = claim(
        "mroueh_2025.trap.slope-rises.derivative",
        "Up to the critical lead the bound has a positive slope, by the quotient rule",
        derivation=derive(
            Derivative(bound_of_lead(here), share), "slope of the bound, by the part of the lead", given=[inside]
        )
        .eq(width * (excess / left ** rational(5, 2)), "quotient rule; collect the powers of the lead")
        .gt(0, "the part of the lead is below the critical one", using=[below]),
    )
    yield from (below, slope)
    yield claim(
        "mroueh_2025.trap.slope-rises",
        "Up to the critical lead the bound of Lemma 1 rises with the lead, so in a trap up to there it is largest at "
        "the lower end",
        increasing(bound_of_lead(here), share),
        given=[inside],
        using=[slope],
        beyond="says where in a trap up to the critical lead the bound of Lemma 1 is largest",
    )


trapped = Result("Traps below one half", paper, derivation)
