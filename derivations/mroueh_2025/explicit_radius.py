r"""Theorem 4 with an explicit radius.

The second derivative of a step in log-odds is $T(p)/\beta$ at $p = \sigma(y)$, and $|T|$ is at most
$\frac{1}{6\sqrt{3\varepsilon}}$: this is attained, at $p = \frac12$ for $\varepsilon = \frac18$. So
$c = \frac{1}{6\beta\sqrt{3\varepsilon}}$ bounds the second derivative everywhere and for every reference. By Taylor's
formula a step from log-odds at the distance $d$ from those of a fixed point with $|h'(p^*)| = m < 1$ ends within
$(m + \frac{cd}{2})\,d$. Up to the distance $6\beta\sqrt{3\varepsilon}\,(1-m)$ every step brings the log-odds nearer by
the factor $\frac{1+m}{2}$ at least, so that the iteration converges: nothing is assumed but $m < 1$.
"""

from collections.abc import Generator, Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import beta, epsilon, half, p, sigma
from derivations.mroueh_2025.local_convergence import after_step, before_step, bend, constant, local, slope, spread
from derivations.mroueh_2025.log_odds_contraction import H, y
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    absolute,
    both,
    claim,
    derive,
    eq,
    instance,
    le,
    lt,
    rational,
    real,
    sqrt,
)

variance = real("v", "[0, 1/4]", "variance of the reward", latex="v")

#: The largest value of the second derivative, times beta.
most_bend = 1 / (6 * sqrt(3 * epsilon))


def derivation() -> Iterator[Claim]:
    """The bound of the second derivative, then the radius."""
    bounded = yield from bound()
    yield claim(
        "mroueh_2025.log-odds.second-bound",
        "The second derivative of a step is at most $c$ in absolute value",
        le(absolute(Derivative(Derivative(H(y), y), y)), most_bend / beta),
        using=[local.claim("log-odds.second"), bounded.at({p: sigma(y)})],
    )
    yield explicit_radius()


def bound() -> Generator[Claim, None, Claim]:
    """The largest bend."""
    part = variance / (variance + epsilon) ** rational(3, 2)
    lemma = claim(
        "mroueh_2025.bend.part",
        "A bound that the variance $2\\varepsilon$ attains",
        le(part, 2 / (3 * sqrt(3 * epsilon))),
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
        .ge(-most_bend, "the variance $(5 - \\sqrt{21})\\varepsilon$ is the worst, with room"),
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
        "It is attained",
        instance(eq(bend(p), most_bend), {p: half, epsilon: rational(1, 8)}),
    )
    return bounded


def explicit_radius() -> Claim:
    """Theorem 4 with a radius and a factor that depend on the slope at the fixed point only."""
    reach = 6 * beta * sqrt(3 * epsilon) * (1 - slope)
    bounds = [
        le(after_step, (slope + most_bend / beta * before_step / 2) * before_step),
        lt(slope, 1),
        le(before_step, reach),
    ]
    return claim(
        "mroueh_2025.theorem-4.explicit",
        "Up to the distance $6\\beta\\sqrt{3\\varepsilon}\\,(1-m)$ a step contracts by $\\frac{1+m}{2}$",
        both(le(after_step, (1 + slope) / 2 * before_step), lt((1 + slope) / 2, 1)),
        given=bounds,
        using=[local.claim("theorem-4").at({constant: most_bend / beta})],
        equation="Theorem 4",
        beyond="gives Theorem 4 a radius and a rate that assume nothing but the slope at the fixed point",
        cites=["contraction"],
    )


radius = Result("Theorem 4 with an explicit radius", paper, derivation)
