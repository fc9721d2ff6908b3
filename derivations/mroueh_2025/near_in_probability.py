r"""Theorem 4 in probabilities: what near means for $p_0$, and how near $p_n$ is to $p^*$.

The section before takes log-odds $y = \log\frac{p}{1-p}$, so $p = \sigma(y)$. A start within $\delta$ of $p^*$, where
$\delta$ is the smaller one of the distances from $p^* = \sigma(y^*)$ to $\sigma(y^* + \rho)$ and $\sigma(y^* - \rho)$,
has log-odds within $\rho$ of those of $p^*$ (`theorem-4.start`), and $\delta$ is positive (`theorem-4.delta`). With
the radius of Theorem 4 as $\rho$ the log-odds of the iterates converge from there to $y^*$ (`theorem-4`), and success
probabilities are no further apart than their log-odds (`theorem-4.success`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.explicit_radius import y_star
from derivations.mroueh_2025.functions import sigma, sigmoid_product
from derivations.mroueh_2025.log_odds_contraction import y
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    absolute,
    both,
    claim,
    derive,
    gt,
    increasing,
    lt,
    minimum,
    real,
)

rho = real("rho", "(0, oo)", "a distance of log-odds", latex=r"\rho")
above, below = sigma(y_star + rho), sigma(y_star - rho)
#: How near a start has to be.
delta = minimum(above - sigma(y_star), sigma(y_star) - below)


def derivation() -> Iterator[Claim]:
    """The start, then the iterates."""
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
    yield claim(
        "mroueh_2025.theorem-4.start",
        "A start within this distance of a success probability has log-odds within $\\rho$ of its log-odds",
        derivation=derive(lt(absolute(sigma(y) - sigma(y_star)), delta), "the start is near")
        .implies(both(lt(sigma(y), above), gt(sigma(y), below)), "it is nearer than both distances")
        .implies(
            both(lt(y, y_star + rho), gt(y, y_star - rho)),
            "$\\sigma$ rises",
            using=[rises.between(y_star + rho, y), rises.between(y, y_star - rho)],
        )
        .implies(lt(absolute(y - y_star), rho), "both bounds together"),
        equation="Theorem 4",
    )
    yield from iterates(rises)


def iterates(rises: Claim) -> Iterator[Claim]:
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
    yield claim(
        "mroueh_2025.theorem-4.success",
        "Two success probabilities are no further apart than their log-odds",
        derivation=derive(absolute(sigma(y) - sigma(y_star)), "distance of success probabilities").le(
            absolute(y - y_star), "$\\sigma$ and $y - \\sigma$ both rise", using=both_ways
        ),
        equation="Theorem 4",
    )


probabilities = Result("Theorem 4 in probabilities", paper, derivation)
