r"""Theorem 4 in probabilities: the success probabilities of the iterates, and what near means for the first one.

The sections before take log-odds $y = \log\frac{p}{1-p}$, so $p = \sigma(y)$. From a start between
$\sigma(y^* - \rho)$ and $\sigma(y^* + \rho)$, with $\rho$ below the radius of log-odds, every success probability $p_n$
is within $k^n\rho$ of $p^* = \sigma(y^*)$, where $k = \frac{1+|h'(p^*)|}{2} < 1$ (`theorem-4`); powers of $k$ tend to 0
(`theorem-6.power`, `theorem-6.rate`). A start within $\delta$ of $p^*$ lies there (`theorem-4.start`), where $\delta$,
the smaller one of the distances from $p^*$ to both ends, is positive (`theorem-4.delta`). Success probabilities are no
further apart than their log-odds (`theorem-4.success`).
"""

from collections.abc import Generator, Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.explicit_radius import radius, y_star
from derivations.mroueh_2025.functions import beta, epsilon, h, p, sigma, sigmoid_product
from derivations.mroueh_2025.log_odds_contraction import y
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Result,
    Substitution,
    absolute,
    both,
    claim,
    derive,
    eq,
    every_iterate,
    gt,
    increasing,
    le,
    log,
    lt,
    minimum,
    real,
    sqrt,
    whole,
)

rho = real("rho", "(0, oo)", "a distance of log-odds", latex=r"\rho")
above, below = sigma(y_star + rho), sigma(y_star - rho)
#: How near a start has to be.
delta = minimum(above - sigma(y_star), sigma(y_star) - below)
iterate = real("p_n", "(0, 1)", "success probability after some steps", latex="p_n")
first = real("p_0", "(0, 1)", "success probability at the start", latex="p_0")
count = whole("n", "[0, oo)", "number of steps", latex="n")
slope_there = real("m", "[0, 1)", "absolute value of the slope of the map at a fixed point", latex="m")

fixed = eq(h(sigma(y_star)), sigma(y_star))
is_slope = eq(slope_there, absolute(Substitution(Derivative(h(p), p), p, sigma(y_star))))
factor = (1 + slope_there) / 2
reach = 6 * beta * sqrt(3 * epsilon) * (1 - slope_there)


def log_odds(at: Expression) -> Expression:
    """The logarithm of the odds of a success probability."""
    return log(at / (1 - at))


#: How far log-odds are from those of the fixed point, before a step and after it.
distance, after = absolute(log_odds(iterate) - y_star), absolute(log_odds(h(iterate)) - y_star)
bound = factor**count * rho


def derivation() -> Iterator[Claim]:
    """The start, then the distance in success probabilities, then all steps."""
    slope = claim(
        "mroueh_2025.theorem-4.sigma.slope",
        "The logistic function has a positive slope",
        derivation=derive(Derivative(sigma(y), y), "slope of the logistic function")
        .eq(sigmoid_product(y), "$\\sigma' = \\sigma(1-\\sigma)$")
        .gt(0, "$0 < \\sigma < 1$"),
    )
    rises = claim("mroueh_2025.theorem-4.sigma", "So it rises", increasing(sigma(y), y), using=[slope])
    yield from (slope, rises)
    yield claim(
        "mroueh_2025.theorem-4.delta",
        "Around each success probability there is room for a start",
        derivation=derive(delta, "the smaller one of two distances").gt(
            0, "$\\sigma$ rises", using=[rises.between(y_star, y_star + rho), rises.between(y_star - rho, y_star)]
        ),
        equation="Theorem 4",
    )
    inside = both(lt(y, y_star + rho), gt(y, y_star - rho))
    between = claim(
        "mroueh_2025.theorem-4.start.between",
        "What has a success probability between both ends has log-odds within $\\rho$",
        inside,
        given=[lt(sigma(y), above), gt(sigma(y), below)],
        using=[rises.between(y_star + rho, y), rises.between(y, y_star - rho)],
    )
    yield between
    yield claim(
        "mroueh_2025.theorem-4.start",
        "A start within this distance of a success probability has log-odds within $\\rho$ of its log-odds",
        derivation=derive(lt(absolute(sigma(y) - sigma(y_star)), delta), "the start is near")
        .implies(both(lt(sigma(y), above), gt(sigma(y), below)), "it is nearer than both distances")
        .implies(inside, "$\\sigma$ rises", using=[between])
        .implies(lt(absolute(y - y_star), rho), "both bounds together"),
        equation="Theorem 4",
    )
    near = yield from iterates(rises)
    yield from all_steps(between, near)


def iterates(rises: Claim) -> Generator[Claim, None, Claim]:
    """Success probabilities are no further apart than their log-odds."""
    slope = claim(
        "mroueh_2025.theorem-4.log-odds.slope",
        "Log-odds less the success probability have a positive slope",
        derivation=derive(Derivative(y - sigma(y), y), "log-odds less the success probability")
        .eq(1 - sigmoid_product(y), "$\\sigma' = \\sigma(1-\\sigma)$")
        .gt(0, "a product of two numbers below 1"),
    )
    gains = claim("mroueh_2025.theorem-4.log-odds", "So they rise", increasing(y - sigma(y), y), using=[slope])
    yield from (slope, gains)
    both_ways = [made.between(*ends) for made in (rises, gains) for ends in ((y, y_star), (y_star, y))]
    near = claim(
        "mroueh_2025.theorem-4.success",
        "Two success probabilities are no further apart than their log-odds",
        derivation=derive(absolute(sigma(y) - sigma(y_star)), "distance of success probabilities").le(
            absolute(y - y_star), "$\\sigma$ and $y - \\sigma$ both rise", using=both_ways
        ),
        equation="Theorem 4",
    )
    yield near
    return near


def one_step(own: Claim) -> Generator[Claim, None, Claim]:
    """What a step does to the log-odds of a success probability, also at the fixed point itself."""
    closer = [fixed, is_slope, lt(distance, reach)]
    by_log_odds = claim(
        "mroueh_2025.theorem-4.step.own",
        "A step of the map from a success probability is one from the logistic function of its log-odds",
        eq(log_odds(h(sigma(log_odds(iterate)))), log_odds(h(iterate))),
    )
    stays = claim(
        "mroueh_2025.theorem-4.step.stays",
        "At a fixed point a step keeps the log-odds",
        eq(log_odds(h(sigma(y_star))), log_odds(sigma(y_star))),
        given=[fixed],
    )
    apart = claim(
        "mroueh_2025.theorem-4.step.apart",
        "A step of the map from elsewhere",
        le(after, factor * distance),
        given=[*closer, gt(distance, 0)],
        using=[radius.claim("theorem-4.explicit").at({y: log_odds(iterate)}), by_log_odds],
    )
    there = claim(
        "mroueh_2025.theorem-4.step.point",
        "The success probability with the log-odds of the fixed point",
        derivation=derive(iterate, "success probability", given=[eq(log_odds(iterate), y_star)])
        .eq(sigma(log_odds(iterate)), "the logistic function of its log-odds", using=[own])
        .eq(sigma(y_star), "hypothesis"),
    )
    kept = claim(
        "mroueh_2025.theorem-4.step.kept",
        "From the fixed point a step does not lead away",
        derivation=derive(after, "distance after a step", given=[fixed, eq(log_odds(iterate), y_star)])
        .eq(absolute(log_odds(h(sigma(y_star))) - y_star), "the success probability is known", using=[there])
        .eq(absolute(log_odds(sigma(y_star)) - y_star), "a fixed point", using=[stays])
        .eq(0, "log-odds of the logistic function"),
    )
    whole_step = claim(
        "mroueh_2025.theorem-4.step",
        "A step multiplies the distance in log-odds by at most the factor",
        le(after, factor * distance),
        given=closer,
        using=[apart, kept],
    )
    yield from (by_log_odds, stays, apart, there, kept, whole_step)
    return whole_step


def all_steps(between: Claim, near: Claim) -> Iterator[Claim]:
    """Theorem 4 about the success probabilities of all iterates."""
    own = claim(
        "mroueh_2025.theorem-4.own",
        "A success probability is the logistic function of its log-odds",
        eq(sigma(log_odds(iterate)), iterate),
    )
    yield own
    step = yield from one_step(own)
    inside = claim(
        "mroueh_2025.theorem-4.near",
        "A success probability is no further from the fixed point than in log-odds",
        le(absolute(iterate - sigma(y_star)), distance),
        using=[near.at({y: log_odds(iterate)}), own],
    )
    begin = claim(
        "mroueh_2025.theorem-4.begin",
        "A start between both ends has log-odds within $\\rho$ of those of the fixed point",
        lt(absolute(log_odds(first) - y_star), rho),
        given=[lt(first, above), gt(first, below)],
        using=[between.at({y: log_odds(first)}), own.at({iterate: first})],
    )
    attracting = [fixed, is_slope, lt(rho, reach)]
    within = claim(
        "mroueh_2025.theorem-4.next.reach",
        "Powers of the factor are at most 1, so that all log-odds are within the radius",
        derivation=derive(distance, "distance in log-odds", given=[lt(rho, reach), le(distance, bound)])
        .le(bound, "hypothesis")
        .le(rho, "powers of the factor are at most 1")
        .lt(reach, "hypothesis"),
    )
    following = claim(
        "mroueh_2025.theorem-4.next",
        "So a step multiplies the bound by the factor",
        derivation=derive(after, "distance after a step", given=[*attracting, le(distance, bound)])
        .le(factor * distance, "a step from nearby", using=[step, within])
        .le(factor * bound, "hypothesis")
        .eq(factor ** (count + 1) * rho, "one factor more"),
    )
    stays = claim("mroueh_2025.theorem-4.stays", "A step stays inside", both(gt(h(iterate), 0), lt(h(iterate), 1)))
    success = claim(
        "mroueh_2025.theorem-4.begin.success",
        "It is no further from the fixed point either",
        derivation=derive(
            absolute(first - sigma(y_star)), "distance at the start", given=[lt(first, above), gt(first, below)]
        )
        .le(absolute(log_odds(first) - y_star), "no further than in log-odds", using=[inside.at({iterate: first})])
        .le(rho, "log-odds at the start", using=[begin]),
    )
    success_kept = claim(
        "mroueh_2025.theorem-4.next.success",
        "Nor does the success probability after a step miss the fixed point by more",
        derivation=derive(
            absolute(h(iterate) - sigma(y_star)), "distance after a step", given=[*attracting, le(distance, bound)]
        )
        .le(after, "no further than in log-odds", using=[stays, inside.at({iterate: h(iterate)})])
        .le(factor ** (count + 1) * rho, "log-odds after a step", using=[following]),
    )
    yield from (inside, begin, within, following, stays, success, success_kept)
    everything = every_iterate(
        both(le(distance, bound), le(absolute(iterate - sigma(y_star)), bound)),
        {iterate: h(iterate), count: count + 1},
        {iterate: first, count: 0},
    )
    given = (*attracting, lt(first, above), gt(first, below))
    yield claim(
        "mroueh_2025.theorem-4",
        "From every start between both ends the success probability after $n$ steps is within $k^n \\rho$ of the fixed "
        "point",
        everything,
        given=given,
        using=[begin, success, following, stays, success_kept],
        equation="Theorem 4",
        printed=paper.quote(
            "Theorem 4",
            r"\lim_{n \to \infty} p_n = p^* \text{ if } p_0 = p_{\mathrm{ref}} \in [p^* - \delta, p^* + "
            r"\delta]",
            everything,
            given=given,
        ),
    )


probabilities = Result("Theorem 4 in probabilities", paper, derivation)
