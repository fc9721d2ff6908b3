r"""Direct divergence, several outputs: repeated updates near a stationary policy.

With the direct divergence an update multiplies the reference by the exponential of the expected advantages over the
weight, up to a factor (`direct-kl.pooling`). To first order a change $v$ of the old policy therefore leads to a change
$v'$ of the next one for which $\beta\,v'/\pi$ is the change of the advantages, up to a constant.

For groups of two the advantages change by $Mv$ with the antisymmetric matrix $M$ of the margins, so all eigenvalues
are imaginary (`direct-kl.updates.pairs.imaginary`): to first order no single update turns a change into its negative
multiple, but updates may turn around the policy. For three outputs with the circulation
$c = \gamma_{12} + \gamma_{23} + \gamma_{31}$ they are $0$ if $c = 0$, and in general
$\mu^2 = -c^2\pi_1\pi_2\pi_3/\beta^2$ (`direct-kl.updates.three`). So they lie in the unit disc if
$\beta^2 > c^2\pi_1\pi_2\pi_3$, and not otherwise. Three probabilities have at most the product $1/27$
(`direct-kl.updates.three.product`), so $\beta > 1/\sqrt{3}$ suffices, and for deterministic rewards
$\beta > 1/\sqrt{27}$. By the relation to NLHF (`direct-kl.pairs.nlhf`) this says of its equilibrium for
three outputs, with the weight $\beta/2$, that it attracts plain best responses from nearby if the first inequality
holds, and repels them if the opposite one does (`direct-kl.updates.three.attracts`).

For large groups and deterministic rewards the advantages change by $-\frac12\zeta s$ with $s = \sum_o \zeta^2 v$, to
first order and up to a constant: a matrix of rank one. An eigenvalue other than 0 is $-\kappa/(2\beta)$, where
$\kappa = \sum_o \pi\zeta^3$ is the skewness of the reward, and $\pi\zeta$ is an eigenvector with it
(`direct-kl.updates.large.eigenvector`). So for any number of outputs a stationary policy attracts updates from nearby
if $|\kappa| < 2\beta$ and is unstable if $|\kappa| > 2\beta$ (`direct-kl.updates.large`,
`direct-kl.updates.large.attracts`).
"""

from collections.abc import Iterator
from dataclasses import replace

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import x
from derivations.vojnovic_yun_2025.direct_kl_groups_of_two import DIRECT
from derivations.vojnovic_yun_2025.large_groups_any_outputs import moments, zeta
from derivations.vojnovic_yun_2025.large_groups_updates import s_p, s_q
from derivations.vojnovic_yun_2025.outputs import beta, policy
from derivations.vojnovic_yun_2025.three_outputs import (
    advantages,
    circulation,
    jury,
    names,
    ref_1,
    ref_2,
    reference,
    updates_attract,
)
from derivations.vojnovic_yun_2025.three_outputs import policy as of_three
from derivations.vojnovic_yun_2025.updates_any_outputs import M_p, M_q, a, b, c_p, c_q, p, q
from derivations.vojnovic_yun_2025.updates_three_outputs import characteristic, mu
from grpo_symbolic import (
    Claim,
    Result,
    Summed,
    Total,
    absolute,
    both,
    claim,
    derive,
    eq,
    exp,
    gt,
    iff,
    implies,
    log,
    lt,
    ne,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.definitions import Definitions
from grpo_symbolic.language.expression import Definition

kappa = real("kappa", "(-oo, oo)", "skewness of the reward", latex=r"\kappa")
factor = real("f", "(0, oo)", "a positive number")
exponent = real("t", "(-oo, oo)", "a number")
square = p**2 + q**2
tangent = (eq(Total(p), 0), eq(Total(q), 0))
right_p, right_q = beta * (a * p - b * q) / policy + c_p, beta * (a * q + b * p) / policy + c_q
ONE = rational(1)


def derivation(given: Definitions = DIRECT) -> Iterator[Claim]:
    """Groups of two, with three outputs as an example, then large groups."""
    yield from _pairs()
    yield from _three_outputs(given)
    yield from _large_groups()


def _pairs() -> Iterator[Claim]:
    """The real part of an eigenvalue vanishes."""
    along = eq(p * (M_p - c_p) + q * (M_q - c_q), a * (beta * square / policy))
    yield claim(
        "vojnovic_yun_2025.direct-kl.updates.pairs.conjugate",
        "The parts of an eigenvector's equation, combined with its conjugate, at one output",
        along,
        given=[eq(M_p, right_p), eq(M_q, right_q)],
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.updates.pairs.imaginary",
        "In groups of two every eigenvalue is imaginary, because the margins are antisymmetric",
        Summed(along, ONE, eq(a * Total(square / policy), 0), -beta),
        given=[*tangent, eq(Total(p * M_p), 0), eq(Total(q * M_q), 0)],
        beyond="direct divergence, groups of two, any number of outputs: to first order no single update jumps over a "
        "stationary policy",
    )


def _three_outputs(given: Definitions) -> Iterator[Claim]:
    """The exact condition for three outputs."""
    product = of_three[0] * of_three[1] * of_three[2]
    inside = gt(of_three[2], 0)
    yield claim(
        "vojnovic_yun_2025.direct-kl.updates.three",
        "Three outputs in groups of two: the characteristic polynomial, up to a factor, from the second derivatives of "
        "the objective",
        eq(product * characteristic(given), beta**2 * mu**2 + circulation**2 * product),
        given=[inside, gt(reference[2], 0)],
        beyond="direct divergence, groups of two, three outputs: the exact condition for the eigenvalues of an update "
        "to lie in the unit disc",
    )
    weights = [share * exp(-(gain / beta)) for share, gain in zip(of_three, advantages(of_three), strict=True)]
    total = weights[0] + weights[1] + weights[2]
    tilted = [inside, eq(ref_1, weights[0] / total), eq(ref_2, weights[1] / total)]
    normaliser = claim(
        "vojnovic_yun_2025.direct-kl.updates.three.normaliser",
        "The normaliser of the reference with which a policy is stationary is positive",
        gt(total, 0),
        given=[inside],
    )
    third = claim(
        "vojnovic_yun_2025.direct-kl.updates.three.third",
        "This reference gives the third output as well",
        derivation=derive(reference[2], "probability of the third output", given=tilted)
        .eq(weights[2] / total, "what is left of 1", using=[normaliser])
        .gt(0, "a positive fraction", using=[normaliser]),
    )
    logarithm = claim(
        "vojnovic_yun_2025.direct-kl.updates.three.logarithm",
        "The logarithm of a product with an exponential",
        eq(log(factor * exp(exponent)), exponent + log(factor)),
    )
    yield from (normaliser, third, logarithm)
    ratios = []
    for name, share, prior, weight, gain in zip(
        ("first", "second", "third"), of_three, reference, weights, advantages(of_three), strict=True
    ):
        ratio = claim(
            f"vojnovic_yun_2025.direct-kl.updates.three.ratio.{name}",
            f"The {name} probability over that of the reference",
            derivation=derive(share / prior, "ratio of two probabilities", given=tilted)
            .eq(share / (weight / total), "put in the reference", using=[normaliser])
            .eq(total * exp(gain / beta), "cancel", using=[normaliser]),
        )
        logarithmic = claim(
            f"vojnovic_yun_2025.direct-kl.updates.three.log-ratio.{name}",
            "Its logarithm is the advantage over the weight, up to a constant",
            derivation=derive(log(share / prior), "logarithm of the ratio", given=tilted)
            .eq(log(total * exp(gain / beta)), "put in the ratio", using=[normaliser, third, ratio])
            .eq(
                gain / beta + log(total),
                "logarithm of a product",
                using=[normaliser, logarithm.at({factor: total, exponent: gain / beta})],
            ),
        )
        ratios.append(logarithmic)
        yield from (ratio, logarithmic)
    leading = beta**2 / product
    signs = [
        claim(
            f"vojnovic_yun_2025.direct-kl.updates.three.{name}",
            f"The characteristic polynomial at {at}, times its leading coefficient, is positive",
            derivation=derive(value, "from the second derivatives of the objective", given=[inside, third.statement])
            .eq(leading**2 + leading * circulation**2, "the coefficient in the middle is 0")
            .gt(0, "no term is negative, and the first one is positive"),
        )
        for name, at, value in zip(("at-one", "at-minus-one"), ("1", "$-1$"), jury(given)[1:3], strict=True)
    ]
    yield from signs
    yield claim(
        "vojnovic_yun_2025.direct-kl.updates.three.attracts",
        "So where this product times the squared circulation is less than the squared weight, a policy attracts "
        "updates from nearby for the reference with which it is stationary, and where it is more it repels them",
        both(
            implies(lt(circulation**2 * product, beta**2), updates_attract(given)),
            implies(gt(circulation**2 * product, beta**2), replace(updates_attract(given), attracting=False)),
        ),
        given=tilted,
        using=[normaliser, third, *ratios, *signs],
        beyond="direct divergence, groups of two, three outputs: which stationary policies attract",
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.updates.three.product",
        "Three probabilities have at most the product 1/27",
        derivation=derive(product, "product of three probabilities", given=[inside])
        .le(
            ((of_three[0] + of_three[1]) / 2) ** 2 * of_three[2],
            "two probabilities have at most the product that they have where they are equal",
        )
        .le(rational(1, 27), r"$s^2(1 - s)/4$ is largest at $s = 2/3$"),
    )


def _large_groups() -> Iterator[Claim]:
    """One eigenvalue that is not 0."""
    left = -zeta * s_p / 2
    yield claim(
        "vojnovic_yun_2025.direct-kl.updates.large.constant",
        "Large groups: the constant in the real part of an eigenvector's equation is 0; the imaginary part says the "
        "same of $q$ and $-p$ in the places of $p$ and $q$",
        Summed(eq(left, right_p), policy, eq(c_p, 0), -ONE),
        given=[*moments, *tangent],
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.updates.large.skewness",
        "Weighted with the squared standardised rewards, the skewness appears",
        Summed(eq(left, right_p), policy * zeta**2, eq(-(kappa * s_p / 2), beta * (a * s_p - b * s_q)), ONE),
        given=[
            *moments,
            *tangent,
            eq(s_p, Total(zeta**2 * p)),
            eq(s_q, Total(zeta**2 * q)),
            eq(kappa, Total(policy * zeta**3)),
            eq(c_p, 0),
        ],
    )
    excess, turning = 2 * beta * a + kappa, 2 * beta * b
    yield claim(
        "vojnovic_yun_2025.direct-kl.updates.large.product",
        r"$|2\beta\mu + \kappa|^2 |s|^2$ is a sum of two squares, which vanish by this equation and its imaginary part",
        eq(
            (excess**2 + turning**2) * (s_p**2 + s_q**2),
            (excess * s_p - turning * s_q) ** 2 + (excess * s_q + turning * s_p) ** 2,
        ),
    )
    squares = claim(
        "vojnovic_yun_2025.direct-kl.updates.large.squares",
        "Two squares with the sum 0 are 0",
        both(eq(a, 0), eq(b, 0)),
        given=[eq(a**2 + b**2, 0)],
    )
    yield squares
    yield claim(
        "vojnovic_yun_2025.direct-kl.updates.large",
        r"So an eigenvalue other than 0 is $-\kappa/(2\beta)$",
        both(eq(a, -kappa / (2 * beta)), eq(b, 0)),
        given=[eq((excess**2 + turning**2) * (s_p**2 + s_q**2), 0), ne(s_p**2 + s_q**2, 0)],
        using=[squares.at({a: excess, b: turning})],
        beyond="direct divergence, large groups, any number of outputs, deterministic rewards: a stationary policy "
        "attracts updates from nearby if the absolute value of the reward's skewness is less than twice the weight, "
        "and is unstable if it is more",
        cites=["linear stability"],
    )
    standardised = policy * zeta
    yield claim(
        "vojnovic_yun_2025.direct-kl.updates.large.eigenvector",
        "And this is an eigenvalue: the policy times the standardised rewards satisfies the equation of an eigenvector",
        eq(-zeta * Total(zeta**2 * standardised) / 2, beta * (-kappa / (2 * beta)) * standardised / policy),
        given=[eq(kappa, Total(policy * zeta**3))],
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.updates.large.attracts",
        r"It lies in the unit disc exactly if $|\kappa| < 2\beta$",
        iff(lt(a**2 + b**2, 1), lt(absolute(kappa), 2 * beta)),
        given=[eq(a, -kappa / (2 * beta)), eq(b, 0)],
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.updates.large.else",
        r"If $\sum_o \zeta^2 v = 0$ these squares vanish: the eigenvalue is 0",
        eq((a**2 + b**2) * square, (a * p - b * q) ** 2 + (a * q + b * p) ** 2),
    )
    of_a, of_b = sqrt((1 - x) / x), -sqrt(x / (1 - x))
    skewness = x * of_a**3 + (1 - x) * of_b**3
    yield claim(
        "vojnovic_yun_2025.direct-kl.updates.large.two-outputs",
        "For two outputs this is the slope found before",
        eq(-skewness / (2 * beta), (2 * x - 1) / (2 * beta * sqrt(x * (1 - x)))),
    )


def shorthands() -> Iterator[Definition]:
    """The objective for three outputs, for the page."""
    return names(DIRECT)


updates = Result(
    "Direct divergence: repeated updates for any number of outputs", paper, derivation, shorthands=shorthands
)
