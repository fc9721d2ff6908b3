r"""Large groups, several outputs: when repeated updates lead back to the stationary policy.

With the standardised rewards $\zeta$ of the section before, a change $v = p + iq$ of the policy is an eigenvector of
the update for the eigenvalue $\mu = a + ib$ if at every output
$$-\frac{\zeta v}{\pi} - \frac12\zeta s = \mu\,\frac{(\beta - 2\zeta)v}{\pi} + \mathrm{const},\qquad
s = \sum_o \zeta^2 v.$$
Let $e = \sum_o \zeta v$, $V = \sum_o |v|^2/\pi$, $Z = \sum_o \zeta|v|^2/\pi$ and $K = \beta V - 2Z$, which is taken
to be positive for all changes: the second variation of the objective is then negative (`objective-curvature`). Two sums
over the outputs eliminate $s$, and every eigenvalue is a root of a quadratic with real coefficients
(`updates.large.quadratic`),
$$4K\mu^2 - L\mu - 3Z = 0,\qquad L = 3K - 4Z - \beta|e|^2.$$
Since $|e|^2 \leq V$ (`updates.large.bessel`), its discriminant is not negative and all eigenvalues are real
(`updates.large.discriminant`, `updates.large.imaginary`): unlike in groups of two, to first order updates never turn
around the policy. They are less than 1 (`updates.large.below-one`), and more than $-1$ if
$7(\beta V - 3Z) > \beta |e|^2$ (`updates.large.contracts`, `updates.large.values`). So updates from nearby lead to the
stationary policy if this holds for all changes (`updates.large.contracts`). For changes with $p \neq 0$ at every output
it does if all standardised rewards satisfy $7\zeta < 2\beta$ (`updates.large.rewards-below`). For two
outputs it is the condition $\beta\sqrt{x(1-x)} > \frac72(1-2x)$ of binary questions (`updates.large.two-outputs`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import x
from derivations.vojnovic_yun_2025.large_groups_any_outputs import moments, zeta
from derivations.vojnovic_yun_2025.outputs import OUTPUTS, beta, policy
from derivations.vojnovic_yun_2025.updates_any_outputs import a, b, c_p, c_q, p, q
from grpo_symbolic import (
    Claim,
    Result,
    Summed,
    Total,
    both,
    claim,
    derive,
    eq,
    ge,
    gt,
    le,
    lt,
    ne,
    rational,
    real,
    sqrt,
)

s_p, s_q, e_p, e_q = (
    real(f"{name}_{part}", "(-oo, oo)", f"sum of {weight} {part}", latex=f"{name}_{part}")
    for name, weight in (("s", "zeta^2"), ("e", "zeta"))
    for part in ("p", "q")
)
V = real("V", "(0, oo)", r"sum of $|v|^2$ over the probability")
Z = real("Z", "(-oo, oo)", "the same sum, weighted with the standardised rewards")
K = real("K", "(0, oo)", "minus the second variation of the objective")
L = real("L", "(-oo, oo)", "minus the middle coefficient of the quadratic")
N = real("N", "[0, oo)", "squared modulus of e", latex="|e|^2")
shift_p, shift_q = (
    real(f"h_{part}", "(-oo, oo)", f"part {part} of (2 mu - 3/2) s", latex=f"h_{part}") for part in ("p", "q")
)
ONE, HALF = rational(1), rational(1, 2)
square = p**2 + q**2
tangent = (eq(Total(p), 0), eq(Total(q), 0))
standardised = real("zeta", "(-oo, oo)", "standardised reward of an output", latex=r"\zeta({index})", indexed=OUTPUTS)
curved = beta - 2 * standardised
sums = (
    eq(s_p, Total(standardised**2 * p)),
    eq(s_q, Total(standardised**2 * q)),
    eq(e_p, Total(standardised * p)),
    eq(e_q, Total(standardised * q)),
)
forms = (eq(Z, Total(standardised * square / policy)), eq(K, Total(curved * square / policy)))
left_p, left_q = (-standardised * part / policy - standardised * s / 2 for part, s in ((p, s_p), (q, s_q)))
right_p, right_q = curved * (a * p - b * q) / policy + c_p, curved * (a * q + b * p) / policy + c_q
quadratic = (
    eq(4 * K * (a**2 - b**2) - L * a - 3 * Z, 0),
    eq(b * (8 * K * a - L), 0),
)


def derivation() -> Iterator[Claim]:
    """Two sums over the outputs, the quadratic, and where its roots lie."""
    yield from _sums()
    yield from _quadratic()
    yield from _roots()


def _sums() -> Iterator[Claim]:
    """The equation of an eigenvector, weighted with the rewards, and with its own conjugate."""
    left, right = -zeta * p / policy - zeta * s_p / 2, (beta - 2 * zeta) * (a * p - b * q) / policy + c_p
    yield claim(
        "vojnovic_yun_2025.updates.large.rewards",
        "The real part of an eigenvector's equation, weighted with the rewards; the imaginary part says the same of "
        "$q$ and $-p$ in the places of $p$ and $q$",
        Summed(
            eq(left, right),
            policy * zeta,
            eq(-(rational(3, 2) * s_p), a * (beta * e_p - 2 * s_p) - b * (beta * e_q - 2 * s_q)),
            ONE,
        ),
        given=[
            *moments,
            *tangent,
            eq(s_p, Total(zeta**2 * p)),
            eq(s_q, Total(zeta**2 * q)),
            eq(e_p, Total(zeta * p)),
            eq(e_q, Total(zeta * q)),
        ],
    )
    along = eq(p * (left_p - c_p) + q * (left_q - c_q), a * curved * square / policy)
    across = eq(p * (left_q - c_q) - q * (left_p - c_p), b * curved * square / policy)
    off_p, off_q = left_p - right_p, left_q - right_q
    yield claim(
        "vojnovic_yun_2025.updates.large.conjugate",
        "At one output the residuals of both parts, combined with the conjugate, are those of two other equations",
        both(
            eq(p * off_p + q * off_q, along.left - along.right),
            eq(p * off_q - q * off_p, across.left - across.right),
        ),
    )
    for slug, premise, conclusion in (
        ("along", along, eq(-Z - (s_p * e_p + s_q * e_q) / 2, a * K)),
        ("across", across, eq(-((s_q * e_p - s_p * e_q) / 2), b * K)),
    ):
        yield claim(
            f"vojnovic_yun_2025.updates.large.conjugate.{slug}",
            f"And summed: the {'real' if slug == 'along' else 'imaginary'} part of the eigenvalue",
            Summed(premise, ONE, conclusion, ONE),
            given=[*tangent, *sums, *forms],
        )


def _quadratic() -> Iterator[Claim]:
    """Both parts of the quadratic, without the unknown change of the variance."""
    by_p, by_q = s_p * e_p + s_q * e_q, s_q * e_p - s_p * e_q
    moved = (eq(shift_p, (2 * a - HALF * 3) * s_p - 2 * b * s_q), eq(shift_q, (2 * a - HALF * 3) * s_q + 2 * b * s_p))
    yield claim(
        "vojnovic_yun_2025.updates.large.eliminated",
        r"What eliminates $s$: the left sides of both sums, times $3 - 4\mu$, and the moments of the rewards",
        both(
            eq((3 - 4 * a) * (-HALF * by_p) + 4 * b * (-HALF * by_q), shift_p * e_p + shift_q * e_q),
            eq((3 - 4 * a) * (-HALF * by_q) - 4 * b * (-HALF * by_p), shift_q * e_p - shift_p * e_q),
        ),
        given=moved,
    )
    turned_p, turned_q = beta * (a * e_p - b * e_q), beta * (a * e_q + b * e_p)
    along = (3 - 4 * a) * (a * K + Z) + 4 * b * (b * K) - (turned_p * e_p + turned_q * e_q)
    across = (3 - 4 * a) * (b * K) - 4 * b * (a * K + Z) - (turned_q * e_p - turned_p * e_q)
    yield claim(
        "vojnovic_yun_2025.updates.large.quadratic",
        "With these sums put in, both parts of a quadratic with real coefficients, of which the eigenvalue is a root",
        both(*(eq(side, -relation.left) for side, relation in zip((along, across), quadratic, strict=True))),
        given=[eq(L, 3 * K - 4 * Z - beta * (e_p**2 + e_q**2))],
    )
    yield claim(
        "vojnovic_yun_2025.updates.large.bessel",
        "$|e|^2 \\leq V$: for the real part, and likewise for the imaginary part",
        Summed(
            ge(p**2 / policy, 2 * e_p * zeta * p - e_p**2 * policy * zeta**2),
            ONE,
            ge(Total(p**2 / policy), e_p**2),
            ONE,
        ),
        given=[*moments, eq(e_p, Total(zeta * p))],
    )


def _roots() -> Iterator[Claim]:
    """Where the roots lie, and a condition on the rewards alone."""
    bound = claim(
        "vojnovic_yun_2025.updates.large.middle",
        r"By this bound $L \geq 2K - 6Z$",
        ge(L, 2 * K - 6 * Z),
        given=[eq(L, 3 * K - 4 * Z - beta * N), eq(K, beta * V - 2 * Z), le(N, V)],
    )
    yield bound
    discriminant = L**2 + 48 * K * Z
    above = claim(
        "vojnovic_yun_2025.updates.large.discriminant.above",
        "Where the weighted sum is not negative, neither is the discriminant",
        ge(discriminant, 0),
        given=[ge(Z, 0)],
    )
    squares = claim(
        "vojnovic_yun_2025.updates.large.discriminant.square",
        "Where it is negative the bound is positive, and bounds the square",
        ge(L**2, (2 * K - 6 * Z) ** 2),
        given=[bound.statement, lt(Z, 0)],
    )
    below = claim(
        "vojnovic_yun_2025.updates.large.discriminant.below",
        "Then the discriminant is not negative either",
        derivation=derive(discriminant, "discriminant", given=[bound.statement, lt(Z, 0)])
        .ge((2 * K - 6 * Z) ** 2 + 48 * K * Z, "the bound of the square", using=[squares])
        .eq((2 * K + 6 * Z) ** 2, "another square")
        .ge(0, "a square"),
    )
    yield from (above, squares, below)
    yield claim(
        "vojnovic_yun_2025.updates.large.discriminant",
        "So the discriminant is not negative: every eigenvalue is real",
        ge(discriminant, 0),
        given=[bound.statement],
        using=[above, below],
        beyond="in the limit of large groups, for any number of outputs, updates never turn around a "
        "stationary policy with a negative second variation, to first order",
    )
    yield claim(
        "vojnovic_yun_2025.updates.large.imaginary",
        "For one that is not real it would be negative",
        eq(discriminant, -64 * K**2 * b**2),
        given=[quadratic[0], eq(8 * K * a - L, 0)],
    )
    real_root = (eq(4 * K * a**2 - L * a - 3 * Z, 0), bound.statement)
    yield claim(
        "vojnovic_yun_2025.updates.large.below-one",
        "It is less than 1, because no standardised reward reaches the weight",
        lt(a, 1),
        given=[*real_root, gt(4 * K - L - 3 * Z, 0)],
    )
    yield claim(
        "vojnovic_yun_2025.updates.large.contracts",
        "And it is more than $-1$ under this condition",
        gt(a, -1),
        given=[*real_root, gt(4 * K + L - 3 * Z, 0)],
        beyond="in the limit of large groups, for any number of outputs, a condition for updates from nearby to "
        "lead to the stationary policy",
        cites=["linear stability"],
    )
    values = (eq(L, 3 * K - 4 * Z - beta * N), eq(K, beta * V - 2 * Z))
    yield claim(
        "vojnovic_yun_2025.updates.large.values",
        "The values at 1 and at $-1$ in terms of the sums",
        both(
            eq(4 * K - L - 3 * Z, beta * V - Z + beta * N),
            eq(4 * K + L - 3 * Z, 7 * (beta * V - 3 * Z) - beta * N),
        ),
        given=values,
    )
    yield claim(
        "vojnovic_yun_2025.updates.large.rewards-below",
        r"It holds for changes with $p \neq 0$ at every output if all standardised rewards satisfy $7\zeta < 2\beta$",
        Summed(
            lt(7 * standardised, 2 * beta),
            square / policy,
            lt(Total(square / policy) * beta, 7 * (beta * Total(square / policy) - 3 * Z)),
            rational(1, 3),
        ),
        given=[forms[0], ne(p, 0)],
    )
    of_a, of_b = sqrt((1 - x) / x), -sqrt(x / (1 - x))
    both_outputs = 7 * (beta * (1 / x + 1 / (1 - x)) - 3 * (of_a / x + of_b / (1 - x))) - beta * (of_a - of_b) ** 2
    yield claim(
        "vojnovic_yun_2025.updates.large.two-outputs",
        "For two outputs, which change by opposite amounts, it is the exact condition of binary questions",
        eq(both_outputs, 6 * (beta * sqrt(x * (1 - x)) - rational(7, 2) * (1 - 2 * x)) / sqrt(x * (1 - x)) ** 3),
    )


updates = Result("Large groups: repeated updates for any number of outputs", paper, derivation)
