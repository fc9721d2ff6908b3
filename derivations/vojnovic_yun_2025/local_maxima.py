r"""Which stationary policies are local maxima is not settled at first order (`eq11.not-sufficient`).

The paper calls a policy stationary (Section 1.3) that maximises the objective with itself as the old policy. At a fixed
old policy this objective need not be concave. On-policy its curvature by the probability of one output is
$-\beta(2\pi_{\mathrm{ref}} - \pi_\theta)/\pi_\theta^2$, which is negative exactly for $\pi_\theta <
2\pi_{\mathrm{ref}}$ (`objective-curvature.sign`). The reverse divergence has the curvature
$\pi_{\mathrm{ref}}/\pi_\theta^2$, always positive (`objective-curvature.reverse-kl`). So the equivalence of the two
penalties is one of first order: on-policy their curvatures by one probability agree only where it is the reference's
(`objective-curvature.reverse-kl.equal`).

A policy that satisfies Equation (11) with $R = 1$ is a strict local maximum if every output has $\pi_\theta <
2\pi_{\mathrm{ref}}$ (`maximum.sufficient`). At a local maximum at most one output has $\pi_\theta >
2\pi_{\mathrm{ref}}$ (`maximum.necessary`); if one has and all others have less, completing a square shows when the
second variation is negative (`maximum.exact`). Equation (11) alone is not sufficient: an example with two outputs is a
local minimum (`eq11.not-sufficient`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import following
from derivations.vojnovic_yun_2025.direct_and_reverse_kl import ratio, x, x_old
from derivations.vojnovic_yun_2025.kkt_conditions import objective
from derivations.vojnovic_yun_2025.outputs import OUTPUTS, beta, direction, old, policy, reference
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Extremum,
    Result,
    Substitution,
    Symbol,
    Total,
    both,
    claim,
    define,
    derive,
    either,
    eq,
    ge,
    gt,
    implies,
    instance,
    le,
    local_minimum,
    log,
    lt,
    ne,
    rational,
    real,
    tends_to,
)
from grpo_symbolic.derivation.algebra import simplified
from grpo_symbolic.grpo.definitions import GRPO, Definitions, binary_penalty, reverse_kl
from grpo_symbolic.language.expression import Definition, substitute

first, second = (
    real(f"pi_{number}", "(0, 1]", f"probability of output {number} under the policy", latex=rf"\pi_{number}")
    for number in (1, 2)
)
first_reference, second_reference = (
    real(
        f"ref_{number}",
        "(0, 1]",
        f"reference probability of output {number}",
        latex=rf"\pi_{{\mathrm{{ref}},{number}}}",
    )
    for number in (1, 2)
)
bent = real("c", "(0, oo)", "curvature of the objective at the one output where it is positive")
hollow = real("k", "(0, oo)", "minus the curvature at another output", latex="k({index})", indexed=OUTPUTS)
change = real("w", "(-oo, oo)", "total change of the other outputs' probabilities")
spread = real("h", "(0, oo)", "sum of the inverse curvatures of the other outputs")
x_ref = real("r", "(0, 1)", "reference probability of the first of two outputs")
margin = real("gamma", "(0, 1]", "margin by which the first of two outputs is preferred", latex=r"\gamma")


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Curvature by one coordinate, then along the simplex."""
    frozen = Derivative(Derivative(objective(given), policy), policy)
    curvature = Substitution(frozen, old, policy)
    yield claim(
        "vojnovic_yun_2025.objective-curvature.frozen",
        "The curvature of the objective with the old policy held fixed",
        derivation=derive(frozen, "only one summand depends on the coordinate").eq(simplified(frozen), "differentiate"),
    )
    yield claim(
        "vojnovic_yun_2025.objective-curvature",
        "The curvature on-policy",
        derivation=derive(curvature, "differentiate twice, then put old = new").eq(simplified(curvature), "simplify"),
    )
    yield claim(
        "vojnovic_yun_2025.objective-curvature.sign",
        "It is negative exactly where the policy is less than twice the reference",
        derivation=derive(lt(simplified(curvature), 0), "concave in this coordinate").iff(
            lt(policy, 2 * reference), r"multiply by $\pi_\theta^2/\beta$"
        ),
        beyond="adds the second order, at which the paper does not look",
    )
    expected = Substitution(
        Derivative(Derivative(Total(given.penalty(policy, old, reference)), policy), policy), old, policy
    )
    reverse = Derivative(Derivative(Total(reverse_kl(policy, old, reference)), policy), policy)
    yield claim(
        "vojnovic_yun_2025.objective-curvature.reverse-kl",
        "The reverse divergence is convex, and on-policy its curvature differs from that of the penalty by this",
        both(gt(reverse, 0), eq(expected - reverse, simplified(expected - reverse))),
    )
    yield claim(
        "vojnovic_yun_2025.objective-curvature.reverse-kl.equal",
        "On-policy, penalty and reverse divergence have the same curvature by one probability only where it is the "
        "reference's",
        derivation=derive(eq(expected, reverse), "equal curvatures").iff(
            eq(policy, reference), r"their difference is $(\pi_{\mathrm{ref}} - \pi_\theta)/\pi_\theta^2$"
        ),
        beyond="shows that the equivalence of Section 2.2 is one of gradients only",
    )
    yield from _along_the_simplex(simplified(curvature))
    yield from _two_outputs(given)
    yield from _small_probabilities(given)


def _along_the_simplex(curvature: Expression) -> Iterator[Claim]:
    """Sufficient, necessary and exact conditions of second order; the Hessian is diagonal."""
    yield claim(
        "vojnovic_yun_2025.maximum.sufficient",
        "If the policy is everywhere less than twice the reference, each term of the second variation is negative "
        "where $v \\neq 0$",
        lt(curvature * direction**2, 0),
        given=[lt(policy, 2 * reference), ne(direction, 0)],
        beyond="adds the second variation, at which the paper does not look",
    )

    def at(probability: Symbol, target: Symbol) -> Expression:
        return Substitution(Substitution(curvature, policy, probability), reference, target)

    shifted = at(first, first_reference) + at(second, second_reference)
    yield claim(
        "vojnovic_yun_2025.maximum.necessary",
        "Where the second variation is nowhere positive at most one output has more than twice its reference "
        "probability",
        implies(le(shifted, 0), either(le(first, 2 * first_reference), le(second, 2 * second_reference))),
        beyond="says where the second variation can have one sign",
    )
    variation = bent * change**2 - Total(hollow * direction**2)
    square = Total(hollow * (direction - change / (hollow * spread)) ** 2)
    yield claim(
        "vojnovic_yun_2025.maximum.exact",
        "If one output has curvature $c > 0$ and all others have negative ones, the second variation is this multiple "
        "of $w^2$ less a sum of squares",
        derivation=derive(
            variation,
            "second variation; the one output changes by $-w$",
            given=[eq(change, Total(direction)), eq(spread, Total(1 / hollow))],
        ).eq((bent - 1 / spread) * change**2 - square, "complete the square; it vanishes for $v = w/(kh)$"),
        beyond="completes the square, so that the second order can be read off for any number of outputs",
    )


def binary_objective(given: Definitions) -> Expression:
    """The objective for two outputs in groups of two."""
    return margin * (x * (1 - x_old) - (1 - x) * x_old) - beta * binary_penalty(x, x_old, x_ref, given)


def _two_outputs(given: Definitions) -> Iterator[Claim]:
    """The first-order condition does not suffice."""
    yield claim(
        "vojnovic_yun_2025.eq11.not-sufficient",
        "A policy for two answers, in groups of two, that satisfies Equation (11) and is a local minimum",
        instance(
            local_minimum(substitute(binary_objective(given), {x: following, x_old: x}), {following: x}),
            {x: rational(1, 5), x_ref: rational(1, 20), beta: rational(16, 15), margin: rational(1)},
        ),
        beyond="shows that Equation (11) does not suffice for a maximum",
    )


def _small_probabilities(given: Definitions) -> Iterator[Claim]:
    """Where the old policy gives an output, so does every maximiser, if the reference policy gives it."""
    slower = claim(
        "vojnovic_yun_2025.log-below-half",
        r"A lower bound for half a number less its logarithm: $\rho/2 - \log \rho$ is smallest at 2",
        Extremum(ratio / 2 - log(ratio), ratio, rational(2)),
    )
    yield slower
    yield claim(
        "vojnovic_yun_2025.penalty.diverges",
        "The penalty tends to infinity as the probability of an output of the old policy and the reference tends to 0",
        tends_to(
            given.penalty(policy, old, reference),
            None,
            policy,
            to=0,
            side="+",
            constant=old * reference / 4,
            near=reference / 4,
        ),
        using=[slower.at({ratio: reference / policy})],
    )
    bound = real("M", "(0, oo)", "a bound of the penalty of an output")
    tangent = claim(
        "vojnovic_yun_2025.penalty.bounded.tangent",
        r"At every number $\rho/2 - \log \rho$ is at least what it is at 2",
        ge(ratio / 2 - log(ratio), 1 - log(rational(2))),
        using=[slower],
    )
    logarithm = claim("vojnovic_yun_2025.penalty.bounded.logarithm", "$2 < e$", lt(log(rational(2)), 1))
    quarter = claim(
        "vojnovic_yun_2025.penalty.bounded.quarter",
        r"For $\rho > 4$ the penalty $\rho - \log \rho - 1$ exceeds a quarter of $\rho$",
        derivation=derive(ratio - log(ratio) - 1, "the penalty", given=[gt(ratio, 4)])
        .ge(ratio / 2 - log(rational(2)), "a lower bound for half a number less its logarithm", using=[tangent])
        .gt(ratio / 2 - 1, "$2 < e$", using=[logarithm])
        .gt(ratio / 4, r"$\rho > 4$"),
    )
    rare = claim(
        "vojnovic_yun_2025.penalty.bounded.rare",
        "So the penalty of an output with less than a quarter of its reference probability is at least this",
        ge(given.penalty(policy, old, reference), old * reference / (4 * policy)),
        given=[lt(policy, reference / 4)],
        using=[quarter.at({ratio: reference / policy})],
    )
    solved = claim(
        "vojnovic_yun_2025.penalty.bounded.solved",
        "A bound of this, solved for the probability",
        ge(policy, old * reference / (4 * bound)),
        given=[le(old * reference / (4 * policy), bound)],
    )
    yield from (tangent, logarithm, quarter, rare, solved)
    yield claim(
        "vojnovic_yun_2025.penalty.bounded",
        "So where the penalty of such an output is bounded, its probability is at least that of the reference over 4, "
        "or this",
        either(ge(policy, reference / 4), ge(policy, old * reference / (4 * bound))),
        given=[le(given.penalty(policy, old, reference), bound)],
        using=[rare, solved],
        beyond="shows outputs that no policy may leave out which is as good as the reference",
    )


def names() -> Iterator[Definition]:
    """The objective for two outputs."""
    yield define("J_2", (x, x_old), binary_objective(GRPO))


maxima = Result("Stationary policies and maxima", paper, derivation, shorthands=names)
