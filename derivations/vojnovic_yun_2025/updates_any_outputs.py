r"""Groups of two, several outputs: when repeated updates lead back to the stationary policy.

An update goes from an old policy to a stationary point of the objective beside it. Where the second variation is not
degenerate the implicit function theorem gives its derivative: an eigenvalue $\mu = a + ib$ with eigenvector $v = p +
iq$, both tangent to the simplex, satisfies at every output
$$(Mv)(o) + m(o)\,v(o) = \mu\,k(o)\,v(o) + \mathrm{const},\qquad m = \frac{-\mathcal{P}_2}{\pi},\quad
k = \frac{\beta - 2\mathcal{P}_2}{\pi}.$$
Here $-k$ is the curvature of the objective (`updates.any.curvature`), $m$ is how the penalty's part of the objective's
slope changes with the old policy (`updates.any.mixed`), and $M$, the matrix of the margins, is antisymmetric. With $D =
\sum_o (k-m)|v|^2 = \sum_o (\beta - \mathcal{P}_2)|v|^2/\pi$ and $E = \sum_o (k+m)|v|^2 = \sum_o (\beta -
3\mathcal{P}_2)|v|^2/\pi$ it follows that $a = (E - D)/(E + D)$ (`updates.any.real`), and $b = 2s/(E+D)$ for
$s = 2\sum_o p\,Mq$ (`updates.any.imaginary`), unless $E + D = 0$. Where $E + D > 0$, as it is if the second variation
is negative, $a < 1$, and an eigenvalue lies in the unit disc exactly if $s^2 < DE$ (`updates.any.disc`). For two
outputs $s = 0$, and $E > 0$ is the condition $\beta > 3\gamma(1-2x)$ of binary questions (not stated below). With more
outputs there is a second way to leave the stationary policy: updates that turn around it (`updates.circle.attracts`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.kkt_conditions import equation_11, objective
from derivations.vojnovic_yun_2025.outputs import OUTPUTS, beta, old, policy, preference
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    Substitution,
    Summed,
    Total,
    both,
    claim,
    derive,
    eq,
    gt,
    iff,
    lt,
    rational,
    real,
)
from grpo_symbolic.derivation.algebra import simplified
from grpo_symbolic.grpo.definitions import GRPO, Definitions

p, q = (
    real(name, "(-oo, oo)", f"{part} part of an eigenvector", latex=f"{name}({{index}})", indexed=OUTPUTS)
    for name, part in (("p", "real"), ("q", "imaginary"))
)
M_p, M_q = (
    real(f"M_{part}", "(-oo, oo)", f"margins times {part}", latex=f"(M{part})({{index}})", indexed=OUTPUTS)
    for part in ("p", "q")
)
a, b = (real(name, "(-oo, oo)", f"{part} part of an eigenvalue") for name, part in (("a", "real"), ("b", "imaginary")))
c_p, c_q = (real(f"c_{part}", "(-oo, oo)", "the same number for every output") for part in ("p", "q"))
d = real("d", "(0, oo)", "$k - m$ at an output", latex="d({index})", indexed=OUTPUTS)
e = real("e", "(-oo, oo)", "k + m at an output", latex="e({index})", indexed=OUTPUTS)
D = real("D", "(0, oo)", "sum of $(k - m)|v|^2$")
E = real("E", "(-oo, oo)", "sum of $(k + m)|v|^2$")
s = real("s", "(-oo, oo)", "how far an eigenvector turns")
ONE = rational(1)
k, m = (e + d) / 2, (e - d) / 2
square = p**2 + q**2
#: The second variation of the objective is negative.
maximum = gt(E + D, 0)
parts = (eq(a, (E - D) / (E + D)), eq(b, 2 * s / (E + D)))


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Second derivatives, the real and imaginary part of an eigenvalue, and when it lies in the unit disc."""
    yield from _second_derivatives(given)
    yield from _eigenvalues()


def _second_derivatives(given: Definitions) -> Iterator[Claim]:
    """The two derivatives of the slope, at a stationary policy that gives what the reference gives."""
    slope = Derivative(objective(given), policy)
    by_policy, by_old = (Substitution(Derivative(slope, symbol), old, policy) for symbol in (policy, old))
    stationary = equation_11(preference)
    for slug, title, second, value in (
        ("curvature", "The curvature at a stationary policy", by_policy, -((beta - 2 * preference) / policy)),
        (
            "mixed",
            "How the penalty's part of the objective's slope changes with the old policy",
            by_old,
            -(preference / policy),
        ),
    ):
        yield claim(
            f"vojnovic_yun_2025.updates.any.{slug}",
            title,
            derivation=derive(second, "differentiate twice, then put old = new", given=[stationary])
            .eq(simplified(second), "differentiate")
            .eq(value, "Equation (11)"),
        )


def _eigenvalues() -> Iterator[Claim]:
    """Multiply by the eigenvector's conjugate and sum; the margins contribute to the imaginary part only."""
    real_line = eq(M_p + m * p, k * (a * p - b * q) + c_p)
    imaginary_line = eq(M_q + m * q, k * (a * q + b * p) + c_q)
    tangent = (eq(Total(p), 0), eq(Total(q), 0))
    sums = (eq(D, Total(d * square)), eq(E, Total(e * square)))
    along = eq(p * (M_p + m * p - c_p) + q * (M_q + m * q - c_q), a * k * square)
    across = eq(p * (M_q + m * q - c_q) - q * (M_p + m * p - c_p), b * k * square)
    yield claim(
        "vojnovic_yun_2025.updates.any.conjugate",
        "Both parts of an eigenvector's equation, combined at one output",
        both(along, across),
        given=[real_line, imaginary_line],
    )
    yield claim(
        "vojnovic_yun_2025.updates.any.real",
        "The margins are antisymmetric, so the real part of the eigenvalue does not depend on them directly",
        Summed(along, ONE, eq(E - D, a * (E + D)), rational(1, 2)),
        given=[*tangent, *sums, eq(Total(p * M_p), 0), eq(Total(q * M_q), 0)],
    )
    yield claim(
        "vojnovic_yun_2025.updates.any.imaginary",
        "Its imaginary part comes from the margins",
        Summed(across, ONE, eq(2 * s, b * (E + D)), rational(1, 2)),
        given=[*tangent, *sums, eq(s, 2 * Total(p * M_q)), eq(Total(q * M_p), -Total(p * M_q))],
    )
    yield disc()


def disc() -> Claim:
    """Which eigenvalues lie in the unit disc."""
    return claim(
        "vojnovic_yun_2025.updates.any.disc",
        "Where $E + D > 0$ it lies in the unit disc exactly for $s^2 < DE$",
        iff(lt(a**2 + b**2, 1), lt(s**2, D * E)),
        given=[*parts, maximum],
        beyond="decides in groups of two for any number of outputs which eigenvalues of an update lie in the unit disc "
        "if the second variation is negative",
        cites=["linear stability"],
    )


updates = Result("Repeated updates for any number of outputs", paper, derivation)
