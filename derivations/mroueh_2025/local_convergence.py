r"""Local convergence with an explicit radius (Theorem 4).

Theorem 4 takes from continuity that $|h'|$ stays below 1 near a fixed point with $m = |h'(p^*)| < 1$. Written for
the log-odds $y = \log\frac{p}{1-p}$ this can be said with numbers. One step is $H(y)$; its slope at the log-odds
$y^*$ of a fixed point is $h'(p^*)$ as well, and its second derivative is explicit and does not depend on the
reference. If $c$ bounds it between $y$ and $y^*$, a step from the distance $d$ ends within $(m + \frac{c d}{2})\,d$
of $y^*$, by Taylor's formula. Up to the distance $\frac{1-m}{c}$ this is nearer by the factor $\frac{1+m}{2}$ at
least. That steps of this kind lead to the fixed point is Theorem 6. The next section gives such a $c$ in
terms of the weight and the smoothing.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.critical_weight import S
from derivations.mroueh_2025.functions import beta, epsilon, h, p, sigma
from derivations.mroueh_2025.log_odds_contraction import H, y
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    Substitution,
    both,
    claim,
    define,
    eq,
    gt,
    le,
    lt,
    rational,
    real,
)

constant = real("c", "(0, oo)", "bound of the second derivative", latex="c")
slope = real("m", "[0, oo)", "size of the slope at the fixed point", latex="m")
before_step = real("d", "[0, oo)", "distance from the fixed point before a step", latex="d")
after_step = real("d_after", "[0, oo)", "distance from the fixed point after a step", latex="d'")

spread = p * (1 - p)
#: The second derivative of a step in log-odds, times beta.
bend = define(
    "bend",
    (p,),
    spread * ((1 + 12 * epsilon) * spread - 2 * epsilon) / (4 * (spread + epsilon) ** rational(5, 2)),
    latex="T",
)


def derivation() -> Iterator[Claim]:
    """The first two derivatives in log-odds, then the radius."""
    yield claim(
        "mroueh_2025.log-odds.slope-at-fixed-point",
        "At a fixed point the slope of a step in log-odds is that of the map",
        eq(S(sigma(y)) / beta, Substitution(Derivative(h(p), p), p, sigma(y))),
        given=[eq(h(sigma(y)), sigma(y))],
        equation="Lemma 1",
    )
    yield claim(
        "mroueh_2025.log-odds.second",
        "Its second derivative is explicit and free of the reference",
        eq(Derivative(Derivative(H(y), y), y), bend(sigma(y)) / beta),
    )
    yield radius()


def radius() -> Claim:
    """Where a bound of the second derivative makes a step a contraction."""
    nearer = both(le(after_step, (1 + slope) / 2 * before_step), lt((1 + slope) / 2, 1))
    given = (
        le(after_step, (slope + constant * before_step / 2) * before_step),
        lt(slope, 1),
        le(constant * before_step, 1 - slope),
    )
    return claim(
        "mroueh_2025.theorem-4",
        "Within the distance $(1-m)/c$ of a fixed point with $|h'(p^*)| = m < 1$ a step contracts by $\\frac{1+m}{2}$",
        nearer,
        given=given,
        equation="Theorem 4",
        printed=paper.quote(
            "Theorem 4",
            r"\lim_{n \to \infty} p_n = p^* \text{ if } p_0 = p_{\mathrm{ref}} \in [p^* - \delta, p^* + "
            r"\delta]",
            lt(after_step, before_step),
            given=(*given, gt(before_step, 0)),
        ),
        cites=["contraction"],
    )


local = Result("Local convergence", paper, derivation)
