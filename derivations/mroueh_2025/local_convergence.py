r"""The first two derivatives of a step in log-odds.

Theorem 4 takes from continuity that $|h'|$ stays below 1 near a fixed point with $|h'(p^*)| < 1$. Written for the
log-odds $y = \log\frac{p}{1-p}$ this can be said with numbers. One step is $H(y)$; its slope at the log-odds $y^*$ of
a fixed point is $h'(p^*)$ as well, and its second derivative is explicit and does not depend on the reference. The next
section bounds it, and Theorem 4 follows with a radius and a factor.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.critical_weight import S
from derivations.mroueh_2025.fixed_point_stability import stability
from derivations.mroueh_2025.functions import beta, epsilon, h, p, sigma, sigmoid_product, slope_of_z
from derivations.mroueh_2025.log_odds_contraction import H, contraction, y
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    Substitution,
    claim,
    define,
    derive,
    eq,
    rational,
)

spread = p * (1 - p)
#: The second derivative of a step in log-odds, times beta.
bend = define(
    "bend",
    (p,),
    spread * ((1 + 12 * epsilon) * spread - 2 * epsilon) / (4 * (spread + epsilon) ** rational(5, 2)),
    latex="T",
)


def derivation() -> Iterator[Claim]:
    """The first two derivatives in log-odds."""
    yield claim(
        "mroueh_2025.log-odds.slope-at-fixed-point",
        "At a fixed point the slope of a step in log-odds is that of the map",
        derivation=derive(S(sigma(y)) / beta, "slope of a step in log-odds", given=[eq(h(sigma(y)), sigma(y))])
        .eq(sigma(y) * (1 - sigma(y)) * slope_of_z(sigma(y)), "definition of $S$")
        .eq(
            Substitution(Derivative(h(p), p), p, sigma(y)),
            "Lemma 1",
            using=[stability.claim("lemma-1").at({p: sigma(y)})],
        ),
        equation="Lemma 1",
    )
    smoothed = spread + epsilon
    of_bound = claim(
        "mroueh_2025.log-odds.second.bound",
        "The slope of $S$, times $p(1-p)$, is explicit",
        derivation=derive(
            spread * Derivative(S(p), p), "$S(p) = p(1-p)(2p-1)/\\big(2(p(1-p)+\\varepsilon)^{3/2}\\big)$"
        )
        .eq(
            spread
            * (
                (2 * spread - (2 * p - 1) ** 2) / (2 * smoothed ** rational(3, 2))
                + 3 * spread * (2 * p - 1) ** 2 / (4 * smoothed ** rational(5, 2))
            ),
            "product rule and chain rule",
        )
        .eq(
            spread
            * (2 * (6 * spread - 1) * smoothed + 3 * spread * (1 - 4 * spread))
            / (4 * smoothed ** rational(5, 2)),
            "$(2p-1)^2 = 1 - 4p(1-p)$; common denominator",
        )
        .eq(bend(p), "multiply out; the squares of $p(1-p)$ cancel"),
    )
    yield of_bound
    yield claim(
        "mroueh_2025.log-odds.second",
        "Its second derivative is explicit and free of the reference",
        derivation=derive(Derivative(Derivative(H(y), y), y), "a step in log-odds, differentiated twice")
        .eq(Derivative(S(sigma(y)), y) / beta, "slope of a step", using=[contraction.claim("log-odds.slope")])
        .eq(
            sigmoid_product(y) * Substitution(Derivative(S(p), p), p, sigma(y)) / beta,
            "chain rule, with $\\sigma' = \\sigma(1-\\sigma)$",
        )
        .eq(bend(sigma(y)) / beta, "the slope of $S$", using=[of_bound.at({p: sigma(y)})]),
    )


local = Result("The derivatives of a step in log-odds", paper, derivation)
