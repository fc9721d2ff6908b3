r"""Groups of two, several outputs: a condition under which updates from nearby lead to the stationary policy.

What the margins contribute to an eigenvalue is bounded twice by the inequality of Cauchy and Schwarz, with the identity
of Lagrange in between: $s^2 \leq F D E$, where the sum $F$ runs over the pairs of outputs. So updates from nearby lead
to the stationary policy (`updates.any.sufficient`) if $3\mathcal{P}_2 < \beta$ at every output and
$$F = \sum_{\{o, o'\}} \frac{M(o, o')^2\,\pi(o)\,\pi(o')}{w(o)\,w(o')} < 1,\qquad
w = \sqrt{(\beta - \mathcal{P}_2)(\beta - 3\mathcal{P}_2)}.$$
For three outputs that beat each other in a circle, at the uniform policy, $F = \gamma^2/(3\beta^2)$
(`updates.any.sufficient.circle`), and there it is also necessary for the eigenvalues to lie in the unit disc
(`updates.circle.attracts`). Here $p_1$ and $q_1$ belong to the first and $p_2$ and $q_2$ to the second output of a
pair, and $A = p_1 q_2 - p_2 q_1$.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, gamma
from derivations.vojnovic_yun_2025.outputs import OUTPUTS
from derivations.vojnovic_yun_2025.updates_any_outputs import D, E, a, b, d, disc, parts, s
from grpo_symbolic import Claim, Result, Summed, Total, claim, eq, gt, le, lt, rational, real, sqrt

e = real("e", "(0, oo)", "k + m at an output", latex="e({index})", indexed=OUTPUTS)
positive_sum = real("E", "(0, oo)", "sum of $(k + m)|v|^2$")
modulus = real(
    "V", "(0, oo)", "squared modulus of an eigenvector at an output", latex="|v({index})|^2", indexed=OUTPUTS
)
F = real("F", "(0, oo)", "sum of the squared margins over the weights")
W = real("W", "(0, oo)", "sum of the weighted squared moduli")
S = real("S", "(0, oo)", "sum of the weighted squared areas")
w_1, w_2 = (real(f"w_{n}", "(0, oo)", "weight", latex=f"w_{n}({{index}})", indexed=OUTPUTS) for n in (1, 2))
p_1, p_2 = (real(f"p_{n}", "(-oo, oo)", "real part", latex=f"p_{n}({{index}})", indexed=OUTPUTS) for n in (1, 2))
q_1, q_2 = (real(f"q_{n}", "(-oo, oo)", "imaginary part", latex=f"q_{n}({{index}})", indexed=OUTPUTS) for n in (1, 2))
area = real("A", "(-oo, oo)", "area that an eigenvector spans at a pair", latex="A({index})", indexed=OUTPUTS)
margin = real("gamma_pair", "[-1, 1]", "margin of a pair", latex=r"\gamma({index})", indexed=OUTPUTS)
P, Q, X = (real(name, "(-oo, oo)", "a sum over all outputs") for name in ("P", "Q", "X"))
ONE = rational(1)


def derivation() -> Iterator[Claim]:
    """The weights, the pairs, and the condition."""
    yield from _weights()
    yield from _pairs()
    yield from _condition()


def _weights() -> Iterator[Claim]:
    """The geometric mean of k - m and k + m."""
    weight = sqrt(d * e)
    yield claim(
        "vojnovic_yun_2025.updates.any.weights",
        "Cauchy and Schwarz: with the geometric mean of $k - m$ and $k + m$ as weights, $W^2 \\leq DE$",
        Summed(
            le(weight, (sqrt(positive_sum / D) * d + sqrt(D / positive_sum) * e) / 2),
            modulus,
            le(Total(weight * modulus), sqrt(D * positive_sum)),
            ONE,
        ),
        given=[eq(D, Total(d * modulus)), eq(positive_sum, Total(e * modulus))],
    )


def _pairs() -> Iterator[Claim]:
    """What the margins contribute, pair by pair."""
    yield claim(
        "vojnovic_yun_2025.updates.any.pair",
        "What a pair of outputs contributes to $s$, whose two margins are opposite; the sum runs over the pairs",
        Summed(eq(area, p_1 * q_2 - p_2 * q_1), margin, eq(2 * Total(margin * area), s), rational(1, 2)),
        given=[eq(s, 2 * (Total(margin * p_1 * q_2) + Total(-margin * p_2 * q_1)))],
    )
    yield claim(
        "vojnovic_yun_2025.updates.any.pairs",
        "Cauchy and Schwarz again: what the margins contribute; the sum runs over the pairs of outputs",
        Summed(
            le(margin * area, (sqrt(S / F) * (margin**2 / (w_1 * w_2)) + sqrt(F / S) * (w_1 * w_2 * area**2)) / 2),
            ONE,
            le(Total(margin * area), sqrt(F * S)),
            ONE,
        ),
        given=[eq(F, Total(margin**2 / (w_1 * w_2))), eq(S, Total(w_1 * w_2 * area**2))],
    )
    products = ((p_1**2, q_2**2, P * Q), (q_1**2, p_2**2, Q * P), (p_1 * q_1, p_2 * q_2, X**2))
    yield claim(
        "vojnovic_yun_2025.updates.any.lagrange",
        "The identity of Lagrange; the sum runs over the ordered pairs, so a sum of products is a product of sums",
        Summed(
            eq(area, p_1 * q_2 - p_2 * q_1),
            w_1 * w_2 * (area + p_1 * q_2 - p_2 * q_1),
            eq(Total(w_1 * w_2 * area**2), 2 * (P * Q - X**2)),
            ONE,
        ),
        given=[eq(Total(w_1 * first * (w_2 * second)), value) for first, second, value in products],
    )
    yield claim(
        "vojnovic_yun_2025.updates.any.areas",
        "At most half the squared sum of the weighted squared moduli",
        le(2 * (P * Q - X**2), (P + Q) ** 2 / 2),
    )


def _condition() -> Iterator[Claim]:
    """The bounds put together, and the circle of three."""
    yield claim(
        "vojnovic_yun_2025.updates.any.sufficient",
        "So for $E > 0$ an eigenvalue lies in the unit disc if the squared margins over the weights sum to less than 1",
        lt(a**2 + b**2, 1),
        given=[*parts, gt(E, 0), le(s**2, 4 * F * S), le(4 * S, W**2), le(W**2, D * E), lt(F, 1)],
        using=[disc()],
        beyond="for any number of outputs, a sufficient condition for updates from nearby to lead to the stationary "
        "policy",
        cites=["linear stability"],
    )
    share, advantage = rational(1, 3), rational(0)
    weight = sqrt((beta - advantage) * (beta - 3 * advantage))
    yield claim(
        "vojnovic_yun_2025.updates.any.sufficient.circle",
        "The sum for the three pairs of a circle at the uniform policy, where all advantages are 0",
        eq(3 * (gamma**2 * share * share / (weight * weight)), gamma**2 / (3 * beta**2)),
    )


contraction = Result("A condition for updates to lead to the stationary policy", paper, derivation)
