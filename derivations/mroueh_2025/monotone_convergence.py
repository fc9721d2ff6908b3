r"""For a reference of one half or more the iteration converges, and never falls (`monotone.converges`).

Theorem 4 assumes an attracting fixed point and a start near it. For $p_{\mathrm{ref}} \ge \frac12$ neither is needed.
One step leads above the reference (`monotone.start`), the map rises from one half on, so every further step goes up as
well (`monotone.repeats`); and no iterate passes a fixed point above the start (`monotone.iterates`). So from such a
reference the success probability rises at every step, for every $\beta$ and $\varepsilon$ (`monotone.iterates`). As
sequences, iterates from any start of one half or more whose first step does not go down never fall (`monotone.ordered`)
and have a limit (`monotone.converges`). It is a fixed point (`limit-is-fixed`), and no larger than any other one above
the start (`monotone.least`). A fixed point may even have the slope 1 there (`monotone.slope-one`), at a fold, and then
Theorem 4 says nothing.

For smaller references some of this is left as long as the least value of the map, $h(\frac12)$ (`trap.falls`,
`monotone.rises`), is at least one half, that is for $p_{\mathrm{ref}} \ge 1/(1 + e^{B(1/2)})$ (`monotone.reach`): from
the first step on no iterate is below one half, and if the second step goes up, so do all further ones
(`monotone.ordered`). Below that value the sequence need not be monotone: there are cycles of two
(`figure-5.cycle`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.amplification import theorem
from derivations.mroueh_2025.critical_weight import S
from derivations.mroueh_2025.fixed_point_stability import reference_of, stability
from derivations.mroueh_2025.functions import B, beta, epsilon, h, half, p, p_ref, slope_of_z
from derivations.mroueh_2025.slope_bounds import count, iterated, iterates, limit
from derivations.mroueh_2025.success_map_shape import shape
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    Substitution,
    both,
    by_induction,
    claim,
    derive,
    eq,
    every_iterate,
    exp,
    ge,
    gt,
    has_limit,
    in_the_limit,
    increasing,
    instance,
    le,
    lt,
    rational,
    real,
    rises_to_a_limit,
)

upper = real("upper", "[1/2, 1]", "success probability of at least one half", latex="p")
later = real("later", "[1/2, 1]", "another one", latex="p'")
#: Any start of at least one half from which the first step does not go down.
start_up = (ge(iterates(0), half), le(iterates(0), iterates(1)))


def derivation() -> Iterator[Claim]:
    """The step up, its repetition, its bound, and how far below one half this reaches."""
    rises = claim("mroueh_2025.monotone.rises", "From one half on the map rises", increasing(h(upper), upper))
    yield rises
    start = claim(
        "mroueh_2025.monotone.start",
        "The first step goes up",
        gt(h(p_ref), p_ref),
        using=[theorem.claim("amplification.everywhere").at({p: p_ref})],
    )
    yield start
    repeats = claim(
        "mroueh_2025.monotone.repeats",
        "A step up from one half or more is followed by another",
        derivation=derive(h(later), "the next step", given=[eq(later, h(upper)), gt(later, upper)])
        .gt(h(upper), "the map rises", using=[rises.between(upper, later)])
        .eq(later, "hypothesis"),
        using=[rises.between(upper, later)],
        equation="Section 4, Theorem 4",
    )
    bounded = claim(
        "mroueh_2025.monotone.bounded",
        "No step from one half or more passes a fixed point above it",
        derivation=derive(h(upper), "a step", given=[eq(h(later), later), lt(upper, later)])
        .lt(h(later), "the map rises", using=[rises.between(upper, later)])
        .eq(later, "a fixed point"),
        using=[rises.between(upper, later)],
        equation="Section 4, Theorem 4",
    )
    yield from (repeats, bounded)
    inside = shape.claim("h-range").at({p: upper})
    stays = claim(
        "mroueh_2025.monotone.stays",
        "A step up from one half or more stays there",
        derivation=derive(h(upper), "a step", given=[lt(upper, h(upper))])
        .gt(upper, "it leads up")
        .ge(half, "the start is one half or more"),
    )
    yield stays
    again = claim(
        "mroueh_2025.monotone.again",
        "And leads to another step up",
        derivation=derive(h(h(upper)), "the next step", given=[lt(upper, h(upper))]).gt(
            h(upper), "a step up is followed by another", using=[stays, inside, repeats.at({later: h(upper)})]
        ),
    )
    yield again
    known = [ge(p_ref, half), eq(h(later), later), gt(later, p_ref)]
    yield claim(
        "mroueh_2025.monotone.iterates",
        "So from a reference of one half or more every step goes up, and none passes a fixed point above the reference",
        every_iterate(both(lt(upper, later), lt(upper, h(upper))), {upper: h(upper)}, {upper: p_ref}),
        given=known,
        using=[start, bounded, again, inside, stays],
        equation="Section 4, Theorem 4",
    )
    yield from sequences(rises, bounded)
    least = 1 / (1 + exp(B(half)))
    yield claim(
        "mroueh_2025.monotone.reach",
        "$h(\\frac12) \\ge \\frac12$ exactly for references of at least $1/(1+e^{B(1/2)})$",
        derivation=derive(ge(h(half), half), "the least value of the map")
        .iff(le((1 - p_ref) / p_ref * exp(-B(half)), 1), "multiply by the denominator, which is positive")
        .iff(le(1 - p_ref, p_ref * exp(B(half))), "multiply by $p_{\\mathrm{ref}}e^{B}$")
        .iff(ge(p_ref, least), "collect $p_{\\mathrm{ref}}$ and divide by $1 + e^{B}$"),
    )
    at_fold = claim(
        "mroueh_2025.monotone.slope-one.weight",
        "At a fixed point the slope is 1 if the weight is $S(p)$",
        derivation=derive(Derivative(h(p), p), "slope of the map", given=[eq(h(p), p), eq(beta, S(p))])
        .eq(p * (1 - p) * slope_of_z(), "Lemma 1", using=[stability.claim("lemma-1")])
        .eq(S(p) / beta, "definition of $S$")
        .eq(1, "hypothesis"),
    )
    yield at_fold
    at_a_fold = both(eq(h(p), p), eq(Derivative(h(p), p), 1), gt(p_ref, half))
    success, smoothing = rational(99, 100), rational(1, 100_000)
    weight = Substitution(S(success), epsilon, smoothing)
    prior = Substitution(Substitution(reference_of(success), beta, S(success)), epsilon, smoothing)
    yield claim(
        "mroueh_2025.monotone.slope-one",
        "A fixed point with slope 1 for a reference above one half, where Theorem 4 does not apply",
        instance(at_a_fold, {p: success, epsilon: smoothing, beta: weight, p_ref: prior}),
        using=[at_fold],
        equation="Section 4, Theorem 4",
    )


def sequences(rises: Claim, bounded: Claim) -> Iterator[Claim]:
    """Iterates from one half or more that begin with a step up: that they have a limit, and which one."""
    not_falling = claim(
        "mroueh_2025.monotone.not-falling",
        "From one half on the map does not fall",
        le(h(upper), h(later)),
        given=[le(upper, later)],
        using=[rises.between(upper, later)],
    )
    yield not_falling
    ordered = claim(
        "mroueh_2025.monotone.ordered",
        "By induction no further step goes down, nor below one half",
        by_induction(both(ge(iterates(count), half), le(iterates(count), iterates(count + 1))), count),
        given=[iterated, *start_up],
        using=[not_falling.at({upper: iterates(count), later: iterates(count + 1)})],
    )
    yield ordered
    yield claim(
        "mroueh_2025.monotone.converges",
        "So the iterates have a limit",
        rises_to_a_limit(iterates(count), count, at_most=1),
        given=[iterated, *start_up],
        using=[ordered],
        equation="Section 4, Theorem 4",
        beyond="gives convergence without Theorem 4's condition, for every reference from one half on",
    )
    above = (le(iterates(0), later), le(h(later), later))
    below = claim(
        "mroueh_2025.monotone.below",
        "By induction no iterate passes a success probability above the start that the map does not take up",
        by_induction(le(iterates(count), later), count),
        given=[iterated, *start_up, *above],
        using=[ordered, not_falling.at({upper: iterates(count)})],
    )
    yield below
    yield claim(
        "mroueh_2025.monotone.least",
        "Nor does the limit, so it is no larger than any fixed point above the start",
        in_the_limit(le(limit, later), count, because=le(iterates(count), later)),
        given=[iterated, *start_up, *above, has_limit(iterates(count), count, limit)],
        using=[below],
    )


monotone = Result("High references: the iteration never falls", paper, derivation)
