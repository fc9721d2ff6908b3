r"""Theorem 4 with an explicit radius.

The second derivative of a step in log-odds is $T(p)/\beta$ at $p = \sigma(y)$, and $|T|$ is at most
$\frac{1}{6\sqrt{3\varepsilon}}$: this is attained, at $p = \frac12$ for $\varepsilon = \frac18$. So the slope of a step
changes less than a line of slope $c > \frac{1}{6\beta\sqrt{3\varepsilon}}$ does, and a step $H$ stays between two
parabolas that touch it at the log-odds $y^*$ of a fixed point $p^*$: from the distance $d$ it ends within
$(|h'(p^*)| + \frac{cd}{2})\,d$. With $c = (1 - |h'(p^*)|)/d$, which is large enough for
$d < 6\beta\sqrt{3\varepsilon}\,(1-|h'(p^*)|)$, a step brings the log-odds nearer by the factor
$\frac{1+|h'(p^*)|}{2}$ at least. That steps of this kind lead to the fixed point is Theorem 6.
"""

from collections.abc import Generator, Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.critical_weight import S
from derivations.mroueh_2025.functions import beta, epsilon, h, half, p, sigma
from derivations.mroueh_2025.local_convergence import bend, local, spread
from derivations.mroueh_2025.log_odds_contraction import H, contraction, y
from grpo_symbolic import (
    Claim,
    Derivative,
    Extremum,
    Result,
    Substitution,
    absolute,
    both,
    claim,
    converges,
    decreasing,
    derive,
    eq,
    gt,
    increasing,
    instance,
    le,
    log,
    lt,
    ne,
    rational,
    real,
    sqrt,
)

y_star = real("y_star", "(-oo, oo)", "log-odds of a fixed point", latex="y^*")
constant = real("c", "(0, oo)", "a number above the bound of the second derivative", latex="c")
variance = real("v", "[0, 1/4]", "variance of the reward", latex="v")

#: The largest value of the second derivative, times beta.
most_bend = 1 / (6 * sqrt(3 * epsilon))


def derivation() -> Iterator[Claim]:
    """The bound of the second derivative, what it says of two steps, then the radius."""
    bounded = yield from bound()
    falls, rises = yield from curvature(bounded)
    yield claim(
        "mroueh_2025.log-odds.second-bound",
        "The second derivative of a step is at most $\\frac{1}{6\\beta\\sqrt{3\\varepsilon}}$ in absolute value",
        derivation=derive(absolute(Derivative(Derivative(H(y), y), y)), "second derivative of a step")
        .eq(absolute(bend(sigma(y))) / beta, "it is explicit", using=[local.claim("log-odds.second")])
        .le(most_bend / beta, "the largest bend", using=[bounded.at({p: sigma(y)})]),
        using=[local.claim("log-odds.second"), bounded.at({p: sigma(y)})],
    )
    near = yield from tangents(falls, rises)
    yield from theorem_4(near)


def bound() -> Generator[Claim, None, Claim]:
    """The largest bend."""
    part = variance / (variance + epsilon) ** rational(3, 2)
    square = claim(
        "mroueh_2025.bend.part.square",
        "A cubic that is nowhere negative",
        derivation=derive(4 * (variance + epsilon) ** 3 - 27 * epsilon * variance**2, "difference of two products")
        .eq((variance - 2 * epsilon) ** 2 * (4 * variance + epsilon), "it vanishes twice at $v = 2\\varepsilon$")
        .ge(0, "no factor is negative"),
    )
    yield square
    lemma = claim(
        "mroueh_2025.bend.part",
        "A bound in terms of the smoothing alone",
        le(part, 2 / (3 * sqrt(3 * epsilon))),
        using=[square],
    )
    yield lemma
    power = 4 * (spread + epsilon) ** rational(5, 2)
    above = claim(
        "mroueh_2025.bend.above",
        "From above",
        derivation=derive(bend(p), "second derivative")
        .le(spread / (4 * (spread + epsilon) ** rational(3, 2)), "as $p(1-p)$ is at most $\\frac14$")
        .le(most_bend, "bound above", using=[lemma.at({variance: spread})]),
    )
    yield above
    below = claim(
        "mroueh_2025.bend.below",
        "From below",
        derivation=derive(bend(p), "second derivative")
        .ge(-(spread * (2 * epsilon - spread)) / power, "leave out a term that is not negative")
        .ge(-most_bend, "no variance is worse than $(5 - \\sqrt{21})\\varepsilon$, which leaves room"),
    )
    yield below
    bounded = claim(
        "mroueh_2025.bend.bound",
        "The second derivative has a bound that is free of the success probability and of the reference",
        le(absolute(bend(p)), most_bend),
        using=[above, below],
    )
    yield bounded
    yield claim(
        "mroueh_2025.bend.attained",
        "It is attained for $\\varepsilon = \\frac18$, at one half",
        instance(eq(bend(p), most_bend), {p: half, epsilon: rational(1, 8)}),
    )
    return bounded


def curvature(bounded: Claim) -> Generator[Claim, None, tuple[Claim, Claim]]:
    """The slope of a step less a steep enough line falls, and plus it rises."""
    slope = S(sigma(y)) / beta
    second = claim(
        "mroueh_2025.log-odds.slope.derivative",
        "The derivative of the slope is explicit",
        eq(Derivative(slope, y), bend(sigma(y)) / beta),
    )
    steeper, using = gt(constant, most_bend / beta), [second, bounded.at({p: sigma(y)})]
    falls = claim(
        "mroueh_2025.log-odds.slope.less-line",
        "The slope rises less than a line of any larger slope than the bound",
        decreasing(slope - constant * y, y),
        given=[steeper],
        using=using,
    )
    rises = claim(
        "mroueh_2025.log-odds.slope.more-line",
        "And it falls less than this line rises",
        increasing(slope + constant * y, y),
        given=[steeper],
        using=using,
    )
    yield from (second, falls, rises)
    return falls, rises


def tangents(falls: Claim, rises: Claim) -> Generator[Claim, None, Claim]:
    """A step lies between two parabolas that touch it at one point."""
    slope, gap = S(sigma(y_star)) / beta, y - y_star
    steeper, derivative = gt(constant, most_bend / beta), contraction.claim("log-odds.slope")
    above = claim(
        "mroueh_2025.log-odds.parabola-above",
        "A step less its tangent and the parabola has its maximum where the tangent touches",
        Extremum(H(y) - slope * gap - constant * gap**2 / 2, y, y_star, minimum=False),
        given=[steeper],
        using=[derivative, falls.between(y, y_star), falls.between(y_star, y)],
    )
    below = claim(
        "mroueh_2025.log-odds.parabola-below",
        "Plus the parabola it has its minimum there",
        Extremum(H(y) - slope * gap + constant * gap**2 / 2, y, y_star, minimum=True),
        given=[steeper],
        using=[derivative, rises.between(y, y_star), rises.between(y_star, y)],
    )
    near = claim(
        "mroueh_2025.log-odds.taylor",
        "So two steps differ by at most what the tangent and the parabola say together",
        derivation=derive(absolute(H(y) - H(y_star)), "distance after a step", given=[steeper])
        .le(absolute(slope * gap) + constant * gap**2 / 2, "between the parabolas", using=[above, below])
        .eq((absolute(slope) + constant * absolute(gap) / 2) * absolute(gap), "take $|y - y^*|$ out"),
    )
    yield from (above, below, near)
    return near


def theorem_4(near: Claim) -> Iterator[Claim]:
    """Theorem 4 with a radius and a factor that depend on the slope at the fixed point only."""
    distance, size = absolute(y - y_star), absolute(S(sigma(y_star)) / beta)
    reach = 6 * beta * sqrt(3 * epsilon)
    close = claim(
        "mroueh_2025.log-odds.closer",
        "Where the tangent falls or rises less than the diagonal, two steps from nearby are closer than their starts",
        derivation=derive(
            absolute(H(y) - H(y_star)),
            "distance after a step",
            given=[gt(distance, 0), lt(size, 1), lt(distance, reach * (1 - size))],
        )
        .le(
            (size + (1 - size) / distance * distance / 2) * distance,
            "tangent and parabola, with $c = (1 - m)/|y - y^*|$",
            using=[near.at({constant: (1 - size) / distance})],
        )
        .eq((1 + size) / 2 * distance, "cancel and collect"),
    )
    yield close
    step, slope = contraction.claim("log-odds.step"), absolute(Substitution(Derivative(h(p), p), p, sigma(y_star)))
    after = absolute(log(h(sigma(y)) / (1 - h(sigma(y)))) - y_star)
    fixed = eq(h(sigma(y_star)), sigma(y_star))
    at_fixed_point = [
        made.at({y: y_star})
        for made in (contraction.claim("log-odds.fixed-point"), local.claim("log-odds.slope-at-fixed-point"))
    ]
    given = [fixed, lt(slope, 1), gt(distance, 0), lt(distance, reach * (1 - slope))]
    nearer = claim(
        "mroueh_2025.theorem-4.nearer",
        "There a step of the map brings log-odds nearer by this factor",
        derivation=derive(after, "log-odds after a step of $h$", given=given)
        .eq(absolute(H(y) - H(y_star)), "a step in log-odds keeps $y^*$", using=[step, at_fixed_point[0]])
        .le((1 + size) / 2 * distance, "two steps from nearby", using=[close, at_fixed_point[1]])
        .eq((1 + slope) / 2 * distance, "both slopes agree at a fixed point", using=[at_fixed_point[1]]),
    )
    yield nearer
    explicit = claim(
        "mroueh_2025.theorem-4.explicit",
        "From log-odds within $6\\beta\\sqrt{3\\varepsilon}\\,(1-|h'(p^*)|)$ of those of a fixed point $p^*$ a step of "
        "$h$ brings them nearer by the factor $\\frac{1+|h'(p^*)|}{2}$ at least",
        both(le(after, (1 + slope) / 2 * distance), lt((1 + slope) / 2, 1)),
        given=given,
        using=[nearer],
        equation="Theorem 4",
        beyond="gives Theorem 4 a radius and a rate that assume nothing but the slope at the fixed point",
    )
    yield explicit
    elsewhere = [fixed, lt(slope, 1), ne(y, y_star)]
    strictly = claim(
        "mroueh_2025.theorem-4.strictly-nearer",
        "There is a radius around a fixed point with $|h'(p^*)| < 1$ within which a step from elsewhere leads nearer "
        "to it in log-odds",
        derivation=derive(after, "log-odds after a step of $h$", given=[*elsewhere, lt(distance, reach * (1 - slope))])
        .le((1 + slope) / 2 * distance, "the bound above", using=[explicit])
        .lt(distance, "the factor is below 1, the distance positive", using=[explicit]),
        using=[explicit],
        equation="Theorem 4",
    )
    yield strictly
    whole = converges(log(h(sigma(y)) / (1 - h(sigma(y)))), y, y_star, within=reach * (1 - slope))
    yield claim(
        "mroueh_2025.theorem-4.converges",
        "From there the log-odds of the iterates converge to those of the fixed point",
        whole,
        given=(fixed, lt(slope, 1)),
        using=[strictly, *at_fixed_point, step.at({y: y_star})],
        equation="Theorem 4",
    )


radius = Result("Theorem 4 with an explicit radius", paper, derivation)
