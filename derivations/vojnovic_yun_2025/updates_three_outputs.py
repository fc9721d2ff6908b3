r"""Three outputs, groups of two: when repeated updates lead back to the stationary policy.

With the advantages $\mathcal{P}_i$ at the policy, $\Pi = \mathcal{P}_1 + \mathcal{P}_2 + \mathcal{P}_3$, $Q =
\pi_1\mathcal{P}_2\mathcal{P}_3 + \pi_2\mathcal{P}_1\mathcal{P}_3 + \pi_3\mathcal{P}_1\mathcal{P}_2$ and the circulation
$c = \gamma_{12} + \gamma_{23} + \gamma_{31}$ of the margins, the eigenvalues $\mu$ of an update
(`updates.three.determinant`, `updates.three.polynomial`) are the roots of
$$(\beta^2 - 2\beta\Pi + 4Q)\,\mu^2 + (\beta\Pi - 4Q)\,\mu + Q + c^2\pi_1\pi_2\pi_3.$$
The second variation is negative definite exactly if the leading coefficient is positive and $\beta > \Pi$
(`updates.three.definite`, `updates.three.trace`). The value at 1 is positive (`updates.three.at-one`). So where the
second variation is negative definite both eigenvalues lie in the unit disc (`updates.three.real-roots`,
`updates.three.conjugate-roots`) exactly if
$$\beta^2 - 3\beta\Pi + 9Q + c^2\pi_1\pi_2\pi_3 > 0 \quad\text{and}\quad
\beta^2 - 2\beta\Pi + 3Q > c^2\pi_1\pi_2\pi_3.$$
Then updates from nearby lead back to the policy. Where the first condition is reversed, an eigenvalue lies below $-1$,
and along its eigenvector updates jump over the policy and away from it, as with two answers. If the eigenvalues are
conjugate, which takes a circulation other than 0 (`updates.three.discriminant`), only the second one can fail
(`updates.three.conjugate-roots`). Where it is reversed for such eigenvalues, updates from nearby turn around the policy
and away from it, which two answers cannot show. For deterministic rewards, no two of them equal, $c^2 = 1$, and
for preferences in a circle $c^2$ is up to 9.
"""

from collections.abc import Iterator
from functools import reduce
from operator import add

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta
from derivations.vojnovic_yun_2025.three_outputs import (
    advantages,
    characteristic_coefficients,
    circulation,
    names,
    objective,
    old_1,
    old_2,
    pi_1,
    pi_2,
    policy,
    reference,
)
from derivations.vojnovic_yun_2025.updates_by_iteration import characteristic_by_iteration
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Oracle,
    Result,
    Substitution,
    absolute,
    both,
    claim,
    derive,
    eq,
    ge,
    gt,
    iff,
    lt,
    ne,
    real,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions

mu = real("mu", "(-oo, oo)", "any number", latex=r"\mu")
first, second = (real(name, "(-oo, oo)", "an eigenvalue, or its real or imaginary part") for name in ("u", "v"))
a_0, a_1, a_2 = (real(f"a_{n}", "(-oo, oo)", "coefficient of the characteristic polynomial") for n in range(3))
k_1, k_2, k_3 = (real(f"k_{n}", "(-oo, oo)", f"minus the curvature at output {n}") for n in (1, 2, 3))
d_1, d_2, d_3 = (
    real(f"d_{n}", "(0, oo)", f"by how much the advantage of output {n} is below the weight") for n in (1, 2, 3)
)
A_1, A_2, A_3 = (real(f"A_{n}", "(-oo, oo)", f"expected advantage of output {n}") for n in (1, 2, 3))
c = real("c", "(-oo, oo)", "circulation of the margins")
pi_3 = policy[2]
gains = advantages(policy)
product = pi_1 * pi_2 * pi_3
inside = (gt(pi_3, 0), gt(reference[2], 0))
#: Equation (11); the third equation follows from these two.
stationary = tuple(
    eq(prior, (1 - gain / beta) * share)
    for prior, gain, share in zip(reference[:2], gains[:2], policy[:2], strict=True)
)
hollows = [(beta - 2 * gain) / share for gain, share in zip(gains, policy, strict=True)]


def on_policy(function: Expression) -> Expression:
    """Put the old policy equal to the policy."""
    return Substitution(Substitution(function, old_1, pi_1), old_2, pi_2)


def characteristic(given: Definitions = GRPO) -> Expression:
    """The determinant of the derivatives of the slopes by the old policy, plus mu times those by the policy."""
    slopes = [Derivative(objective(given), symbol) for symbol in (pi_1, pi_2)]
    rows = [
        [
            on_policy(Derivative(slope, by_old)) + mu * on_policy(Derivative(slope, by_policy))
            for by_old, by_policy in by
        ]
        for slope in slopes
        for by in [((old_1, pi_1), (old_2, pi_2))]
    ]
    return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The characteristic polynomial, the strict local maximum, and the roots in the unit disc."""
    yield from _polynomial(given)
    yield from _maximum()
    yield from _roots()


def _polynomial(given: Definitions) -> Iterator[Claim]:
    """From the definition of the objective."""
    terms = [-(gain / share) - mu * hollow for gain, share, hollow in zip(gains, policy, hollows, strict=True)]
    minors = terms[0] * terms[1] + terms[0] * terms[2] + terms[1] * terms[2]
    at_0, at_1, at_2 = characteristic_coefficients(gains, circulation)
    yield claim(
        "vojnovic_yun_2025.updates.three.determinant",
        "The characteristic polynomial of an update, up to a factor, from the second derivatives of the objective",
        eq(characteristic(given), minors + circulation**2),
        given=[*inside, *stationary],
    )
    yield claim(
        "vojnovic_yun_2025.updates.three.polynomial",
        "Its coefficients, from the advantages and the circulation of the margins",
        eq(product * (minors + circulation**2), at_2 * mu**2 + at_1 * mu + at_0),
        given=inside[:1],
        oracle=Oracle(
            "differentiates an update of three outputs, found by Newton's method, numerically",
            characteristic_by_iteration,
            digits=6,
            points=4,
        ),
    )
    below = (d_1, d_2, d_3)
    at_one = reduce(add, characteristic_coefficients([beta - item for item in below], c))
    yield claim(
        "vojnovic_yun_2025.updates.three.at-one",
        "Its value at 1 is positive, because no advantage reaches the weight",
        derivation=derive(
            at_one,
            "the three coefficients; the advantages have mean 0",
            given=[inside[0], eq(beta, pi_1 * d_1 + pi_2 * d_2 + pi_3 * d_3)],
        )
        .eq(pi_1 * d_2 * d_3 + pi_2 * d_1 * d_3 + pi_3 * d_1 * d_2 + c**2 * product, "collect")
        .gt(0, "all terms are positive, or not negative"),
    )


def _maximum() -> Iterator[Claim]:
    """When the stationary policy is a strict local maximum; the Hessian on the simplex has two rows."""
    trace = pi_1 * (1 - pi_1) * (k_1 + k_3) - 2 * pi_1 * pi_2 * k_3 + pi_2 * (1 - pi_2) * (k_2 + k_3)
    yield claim(
        "vojnovic_yun_2025.updates.three.definite",
        "A symmetric matrix of two rows with positive determinant is definite; its sign is that of a trace",
        iff(gt(k_1 + k_3, 0), gt(trace, 0)),
        given=[inside[0], gt(k_1 * k_2 + k_1 * k_3 + k_2 * k_3, 0)],
    )
    k = dict(zip((k_1, k_2, k_3), hollows, strict=True))
    there = reduce(add, gains)
    yield claim(
        "vojnovic_yun_2025.updates.three.trace",
        r"This trace is $2(\beta - \Pi)$",
        eq(trace, 2 * (beta - there)),
        given=[inside[0], *(eq(symbol, value) for symbol, value in k.items())],
    )


def _roots() -> Iterator[Claim]:
    """When both roots of a quadratic lie in the unit disc (Jury); they are real, or conjugate."""
    known = (gt(a_2, 0), gt(a_2 + a_1 + a_0, 0))
    jury = both(gt(a_2 - a_1 + a_0, 0), gt(a_2, a_0))
    yield claim(
        "vojnovic_yun_2025.updates.three.real-roots",
        "Two real zeros of such a polynomial lie in the unit disc exactly under both conditions",
        iff(both(lt(absolute(first), 1), lt(absolute(second), 1)), jury),
        given=[eq(a_2 * (first + second), -a_1), eq(a_2 * (first * second), a_0), *known],
        beyond="with `updates.three.conjugate-roots` decides for three outputs in groups of two when the eigenvalues "
        "of an update lie in the unit disc if the second variation is negative definite",
    )
    yield claim(
        "vojnovic_yun_2025.updates.three.conjugate-roots",
        "Two conjugate ones do exactly under the second one, and the first one always holds",
        both(gt(a_2 - a_1 + a_0, 0), iff(lt(first**2 + second**2, 1), gt(a_2, a_0))),
        given=[eq(2 * a_2 * first, -a_1), eq(a_2 * (first**2 + second**2), a_0), gt(a_2, 0), ne(second, 0)],
    )
    at_0, at_1, at_2 = characteristic_coefficients((A_1, A_2, A_3), c)
    total, pairs = A_1 + A_2 + A_3, pi_1 * A_2 * A_3 + pi_2 * A_1 * A_3 + pi_3 * A_1 * A_2
    yield claim(
        "vojnovic_yun_2025.updates.three.discriminant",
        "Without circulation the eigenvalues are real, because $\\Pi^2 \\geq 4Q$",
        both(
            eq(at_1**2 - 4 * at_2 * at_0, beta**2 * (total**2 - 4 * pairs) - 4 * at_2 * c**2 * product),
            ge(total**2, 4 * pairs),
        ),
        given=[inside[0], eq(pi_1 * A_1 + pi_2 * A_2 + pi_3 * A_3, 0)],
    )


updates = Result("Repeated updates with three outputs", paper, derivation, shorthands=names)
