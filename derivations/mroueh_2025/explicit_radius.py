r"""Theorem 4 with an explicit radius.

The second derivative of a step in log-odds is $T(p)/\beta$ at $p = \sigma(y)$, and $|T|$ is at most
$\frac{1}{6\sqrt{3\varepsilon}}$: this is attained, at $p = \frac12$ for $\varepsilon = \frac18$. So the slope of a step
changes less than a line of slope $c > \frac{1}{6\beta\sqrt{3\varepsilon}}$ does, and a step $H$ stays between two
parabolas that touch it at the log-odds $y^*$ of a fixed point $p^*$: from the distance $d$ it ends within
$(|h'(p^*)| + \frac{cd}{2})\,d$ (`log-odds.taylor`). With $c = (1 - |h'(p^*)|)/d$, which is large enough for
$d < 6\beta\sqrt{3\varepsilon}\,(1-|h'(p^*)|)$, a step multiplies the distance in log-odds by at most
$k = \frac{1+|h'(p^*)|}{2}$ (`theorem-4.explicit`). As $k < 1$, the distance after $n$ such steps is at most
$k^n$ times that at the start, by the induction of Theorem 6 (`theorem-6.iterates`); these powers are at most
$\frac{1}{1+n(1-k)}$ (`theorem-6.power`), which tends to 0 (`theorem-6.rate`).
"""

from collections.abc import Generator, Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.critical_weight import S
from derivations.mroueh_2025.functions import beta, epsilon, h, half, p, sigma, sigmoid_product
from derivations.mroueh_2025.local_convergence import bend, local, spread
from derivations.mroueh_2025.log_odds_contraction import H, contraction, y
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Extremum,
    Result,
    Statement,
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
from grpo_symbolic.derivation.writing import Chain

y_star = real("y_star", "(-oo, oo)", "log-odds of a fixed point", latex="y^*")
constant = real("c", "(0, oo)", "a number above the bound of the second derivative", latex="c")
variance = real("v", "[0, 1/4]", "variance $p(1-p)$ of the reward", latex="v")

#: The largest value of the second derivative, times beta.
most_bend = 1 / (6 * sqrt(3 * epsilon))


def derivation() -> Iterator[Claim]:
    """The bound of the second derivative, what it says of two steps, then the radius."""
    above, below = yield from bound()
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
    falls, rises = yield from curvature(above, below)
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


def bound() -> Generator[Claim, None, tuple[Claim, Claim]]:
    """The largest bend, and the most negative one."""
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
        derivation=derive(part, "with $v = p(1-p)$")
        .eq(sqrt(variance**2 / (variance + epsilon) ** 3), "numerator and denominator are not negative")
        .le(
            sqrt(4 / (27 * epsilon)),
            "$27\\varepsilon v^2 \\le 4(v+\\varepsilon)^3$, divided by $27\\varepsilon(v+\\varepsilon)^3 > 0$; "
            "the root is increasing",
            using=[square],
        )
        .eq(2 / (3 * sqrt(3 * epsilon)), "$27\\varepsilon = 9 \\cdot 3\\varepsilon$"),
    )
    yield lemma
    above = claim(
        "mroueh_2025.bend.above",
        "From above",
        derivation=derive(bend(p), "second derivative")
        .le(
            spread / (4 * (spread + epsilon) ** rational(3, 2)),
            "with $v = p(1-p)$: $(1+12\\varepsilon)v - 2\\varepsilon \\le v + \\varepsilon$, as $v \\le \\frac14$",
        )
        .le(most_bend, "a quarter of the bound above", using=[lemma.at({variance: spread})]),
    )
    yield above
    below = yield from bound_below()
    return above, below


def bound_below() -> Generator[Claim, None, Claim]:
    """The bound from below, which is not attained."""
    power, bernoulli = (variance + epsilon) ** rational(5, 2), epsilon + 5 * variance / 2
    room = claim(
        "mroueh_2025.bend.below.part",
        "Where the second derivative is negative there is room up to the bound",
        derivation=derive(4 * power * most_bend, "the bound, times a denominator")
        .ge(
            4 * epsilon ** rational(3, 2) * bernoulli * most_bend,
            "Bernoulli's inequality $(1+t)^{5/2} \\ge 1 + \\frac52 t$ at $t = v/\\varepsilon$",
        )
        .eq(2 * epsilon / (3 * sqrt(rational(3))) * bernoulli, "cancel $\\sqrt\\varepsilon$")
        .ge(3 * epsilon / 8 * bernoulli, "$\\frac{2}{3\\sqrt3} > \\frac38$, as $16^2 > 3 \\cdot 9^2$")
        .ge(
            variance * (2 * epsilon - variance),
            "the difference is $v^2 - \\frac{17}{16}\\varepsilon v + \\frac38\\varepsilon^2$, and "
            "$\\frac{17^2}{16^2} < 4 \\cdot \\frac38$",
        ),
    )
    yield room
    below = claim(
        "mroueh_2025.bend.below",
        "From below",
        derivation=derive(bend(p), "second derivative")
        .ge(
            -(spread * (2 * epsilon - spread)) / (4 * (spread + epsilon) ** rational(5, 2)),
            "leave out $12\\varepsilon p^2(1-p)^2 \\ge 0$",
        )
        .ge(-most_bend, "divide by the positive denominator", using=[room.at({variance: spread})]),
    )
    yield below
    return below


def curvature(above: Claim, below: Claim) -> Generator[Claim, None, tuple[Claim, Claim]]:
    """The slope of a step less a steep enough line falls, and plus it rises."""
    slope = S(sigma(y)) / beta
    second = claim(
        "mroueh_2025.log-odds.slope.derivative",
        "The derivative of the slope is explicit",
        derivation=derive(Derivative(slope, y), "slope of a step, by $y$")
        .eq(
            sigmoid_product(y) * Substitution(Derivative(S(p), p), p, sigma(y)) / beta,
            "chain rule, with $\\sigma' = \\sigma(1-\\sigma)$",
        )
        .eq(
            bend(sigma(y)) / beta,
            "the slope of $S$, times $p(1-p)$",
            using=[local.claim("log-odds.second.bound").at({p: sigma(y)})],
        ),
    )
    yield second
    steeper = gt(constant, most_bend / beta)
    falling = claim(
        "mroueh_2025.log-odds.slope.less-line.slope",
        "The derivative of the slope less a line of any larger slope than the bound is negative",
        derivation=derive(Derivative(slope - constant * y, y), "slope of a step less a line", given=[steeper])
        .eq(bend(sigma(y)) / beta - constant, "the derivative of the slope is explicit", using=[second])
        .le(most_bend / beta - constant, "the largest bend", using=[above.at({p: sigma(y)})])
        .lt(0, "hypothesis"),
    )
    rising = claim(
        "mroueh_2025.log-odds.slope.more-line.slope",
        "And that of the slope plus this line is positive",
        derivation=derive(Derivative(slope + constant * y, y), "slope of a step plus a line", given=[steeper])
        .eq(bend(sigma(y)) / beta + constant, "the derivative of the slope is explicit", using=[second])
        .ge(constant - most_bend / beta, "the most negative bend", using=[below.at({p: sigma(y)})])
        .gt(0, "hypothesis"),
    )
    yield from (falling, rising)
    falls = claim(
        "mroueh_2025.log-odds.slope.less-line",
        "So the slope less the line falls",
        decreasing(slope - constant * y, y),
        given=[steeper],
        using=[falling],
    )
    rises = claim(
        "mroueh_2025.log-odds.slope.more-line",
        "And the slope plus the line rises",
        increasing(slope + constant * y, y),
        given=[steeper],
        using=[rising],
    )
    yield from (falls, rises)
    return falls, rises


def tangents(falls: Claim, rises: Claim) -> Generator[Claim, None, Claim]:
    """A step lies between two parabolas that touch it at one point."""
    slope, gap, steeper = S(sigma(y_star)) / beta, y - y_star, gt(constant, most_bend / beta)
    less, plus = H(y) - slope * gap - constant * gap**2 / 2, H(y) - slope * gap + constant * gap**2 / 2
    before, after, falling, rising = lt(y, y_star), gt(y, y_star), "the bracket falls", "the bracket rises"
    slopes = [
        claim(f"mroueh_2025.log-odds.parabola-{name}", title, derivation=derivation)
        for name, title, derivation in (
            (
                "above.before",
                "Before the tangent touches, a step less the tangent and less the parabola rises",
                slope_beside(less, -constant, before).gt(0, falling, using=[falls.between(y, y_star)]),
            ),
            (
                "above.after",
                "After that it falls",
                slope_beside(less, -constant, after).lt(0, falling, using=[falls.between(y_star, y)]),
            ),
            (
                "below.before",
                "Before the tangent touches, a step less the tangent, plus the parabola, falls",
                slope_beside(plus, constant, before).lt(0, rising, using=[rises.between(y, y_star)]),
            ),
            (
                "below.after",
                "After that it rises",
                slope_beside(plus, constant, after).gt(0, rising, using=[rises.between(y_star, y)]),
            ),
        )
    ]
    above = claim(
        "mroueh_2025.log-odds.parabola-above",
        "A step less its tangent and the parabola has its maximum where the tangent touches",
        Extremum(less, y, y_star, minimum=False),
        given=[steeper],
        using=slopes[:2],
    )
    below = claim(
        "mroueh_2025.log-odds.parabola-below",
        "Plus the parabola it has its minimum there",
        Extremum(plus, y, y_star, minimum=True),
        given=[steeper],
        using=slopes[2:],
    )
    yield from (*slopes[:2], above, *slopes[2:], below)
    near = claim(
        "mroueh_2025.log-odds.taylor",
        "So two steps differ by at most what the tangent and the parabola say together",
        derivation=derive(absolute(H(y) - H(y_star)), "distance after a step", given=[steeper])
        .le(absolute(slope * gap) + constant * gap**2 / 2, "between the parabolas", using=[above, below])
        .eq((absolute(slope) + constant * absolute(gap) / 2) * absolute(gap), "take $|y - y^*|$ out"),
    )
    yield near
    return near


def slope_beside(curve: Expression, line: Expression, side: Statement) -> Chain:
    """The slope of a step less its tangent, with a parabola of the slope ``line`` times the gap, on one side."""
    return derive(Derivative(curve, y), "slope of it", given=[gt(constant, most_bend / beta), side]).eq(
        (S(sigma(y)) / beta + line * y) - (S(sigma(y_star)) / beta + line * y_star),
        "slope of a step, of its tangent and of the parabola",
        using=[contraction.claim("log-odds.slope")],
    )


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
            "tangent and parabola, with $c = (1 - |S(\\sigma(y^*))|/\\beta)/|y - y^*|$, which exceeds "
            "$\\frac{1}{6\\beta\\sqrt{3\\varepsilon}}$ by the last hypothesis",
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
    agree = claim(
        "mroueh_2025.theorem-4.slopes",
        "At a fixed point a step in log-odds has the slope of the map",
        eq(size, slope),
        given=[fixed],
        using=[at_fixed_point[1]],
    )
    yield agree
    nearer = claim(
        "mroueh_2025.theorem-4.nearer",
        "There a step of the map multiplies the distance in log-odds by at most this factor",
        derivation=derive(after, "log-odds after a step of $h$", given=given)
        .eq(absolute(H(y) - H(y_star)), "a step in log-odds keeps $y^*$", using=[step, at_fixed_point[0]])
        .le((1 + size) / 2 * distance, "two steps from nearby", using=[close, agree])
        .eq((1 + slope) / 2 * distance, "both slopes agree at a fixed point", using=[agree]),
    )
    yield nearer
    explicit = claim(
        "mroueh_2025.theorem-4.explicit",
        "If $|h'(p^*)| < 1$ at a fixed point $p^*$, a step of $h$ from log-odds within "
        "$6\\beta\\sqrt{3\\varepsilon}\\,(1-|h'(p^*)|)$ of those of $p^*$ multiplies this distance by at most "
        "$\\frac{1+|h'(p^*)|}{2} < 1$",
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
