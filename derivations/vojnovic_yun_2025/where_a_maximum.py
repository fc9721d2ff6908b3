r"""Where the stationary point is a local maximum: second derivatives (`curvature.large-reference`).

In Section 1.3 the paper defines a stationary policy as a *maximiser* of the objective whose old policy it is itself,
but Equations (14) and (15) come from the first derivative alone. The objective need not be concave. Its second
derivative at an unchanged old policy has, where both policies agree, the sign of $-(3x^2 - (1 + 4r)x + 2r)$, for groups
of two (`curvature`) and for large groups (`curvature.large-groups`) alike. So the stationary point can be a local
*minimum*: for groups of two at $r = 1/20$, $\beta/\gamma = 16/15$, $x = 1/5$ (`eq14.local-minimum`).

The thresholds are exact. For $r > (2 - \sqrt{3})/4 \approx 0.067$ the stationary point is always a strict local
maximum (`curvature.large-reference`), and no smaller bound on $r$ suffices (`curvature.small-reference`). For groups of
two it always is one if $\beta \leq \frac23 \gamma$ or $\beta \geq 2\gamma$ (`curvature.weights`), and for every ratio
in between some reference makes it a local minimum (`curvature.weights.sharp`). For large groups $\beta \leq \sqrt{2}$
suffices (`curvature.large-groups.weights`), and for every larger weight some reference makes it a local minimum
(`curvature.large-groups.weights.sharp`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beside, beta, curvature, following, gamma, reference, slope, x
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective
from derivations.vojnovic_yun_2025.root_large_groups import large_groups_objective
from derivations.vojnovic_yun_2025.shorthands import objectives
from grpo_symbolic import (
    Claim,
    Expression,
    Extremum,
    Result,
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
    local_maximum,
    local_minimum,
    lt,
    maximum,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.derivation.algebra import linear_root, simplified
from grpo_symbolic.grpo.definitions import GRPO, Definitions, reverse_kl
from grpo_symbolic.language.expression import Definition

ratio = real("c", "(2/3, 2)", "ratio of weight and margin")
threshold = (2 - sqrt(rational(3))) / 4


def polynomial(at: Expression = x, prior: Expression = reference) -> Expression:
    """What decides between maximum and minimum: positive at a strict local maximum."""
    return 3 * at**2 - (1 + 4 * prior) * at + 2 * prior


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The second derivative, its sign, and which parameters allow which sign."""
    pairs, large = pairs_objective(gamma, given), large_groups_objective(given)
    second = -(beta * polynomial() / (x * (1 - x)) ** 2)
    line = derive(curvature(pairs), "differentiate twice, then put the old policy equal to the policy")
    yield claim(
        "vojnovic_yun_2025.curvature",
        "The second derivative where both policies agree",
        derivation=line.eq(simplified(curvature(pairs)), "common denominator").eq(second, "collect powers of $x$"),
    )
    yield claim(
        "vojnovic_yun_2025.curvature.large-groups",
        "It is the same for large groups, because the reward part is linear",
        eq(curvature(large), second),
    )
    yield from with_reverse_divergence(pairs)
    yield from local_minima(pairs, large)
    yield from references(pairs, large)
    yield from weights(pairs, large)


def with_reverse_divergence(pairs: Expression) -> Iterator[Claim]:
    """What the equivalence of both penalties is worth: it holds of stationary points and not of maxima."""
    reverse = pairs_objective(gamma, Definitions(penalty=reverse_kl))
    yield claim(
        "vojnovic_yun_2025.reverse-kl.stationary",
        "For groups of two the reverse divergence as the penalty has the same stationary point, which is then always "
        "the maximum",
        both(
            eq(slope(pairs), slope(reverse)),
            implies(eq(slope(reverse), 0), Extremum(beside(reverse), following, x, minimum=False)),
        ),
        equation="Section 3, direct divergence",
        printed=paper.quote(
            "Section 3, direct divergence",
            r"\text{as far as the stationary policies are concerned, } \ldots"
            r" \text{ essentially the reverse KL divergence}",
            le(curvature(pairs), 0),
            given=(eq(slope(pairs), 0), eq(x, rational(1, 5)), eq(reference, rational(1, 20)), eq(gamma, 1)),
            another_reading=True,
            instead="Read of policies at which the on-policy gradient vanishes the sentence holds. Read of the "
            "maximisers that Section 1.3 calls stationary it fails: for groups of two a policy at which this gradient "
            "vanishes is the only maximum with the reverse divergence, and may be a local minimum with the penalty of "
            "GRPO (`eq14.local-minimum`).",
        ),
        beyond="says that for groups of two the reverse divergence itself would make the stationary point the maximum",
    )


def local_minima(pairs: Expression, large: Expression) -> Iterator[Claim]:
    """Stationary policies that are local minima, with the definition of a stationary policy beside them."""
    definition = r"\pi_{\theta^*} \in \arg\max_{\pi_\theta} \mathcal{J}_{GRPO}, \quad \pi_{\theta_{\mathrm{old}}} "
    definition += r"\equiv \pi_{\theta^*}"
    for slug, equation, function, stationary, weight, small in (
        (
            "eq14",
            "Eq. (14)",
            pairs,
            eq(beta, linear_root(eq(slope(pairs), 0), beta)),
            rational(16, 15),
            "For a reference that is small enough, how small depends on $\\beta/\\gamma$ (eq14.no-maximum, "
            "eq14.no-maximum.large-weight)",
        ),
        (
            "eq15",
            "Eq. (15)",
            large,
            eq(beta * (x - reference), sqrt(x * (1 - x))),
            rational(8, 3),
            r"For a reference that is small enough, how small depends on $\beta$ (eq15.no-maximum)",
        ),
    ):
        values = {x: rational(1, 5), reference: rational(1, 20), beta: weight, gamma: rational(1)}
        if function is large:
            del values[gamma]
        yield claim(
            f"vojnovic_yun_2025.{slug}.local-minimum",
            f"{equation} can be a strict local minimum",
            instance(local_minimum(beside(function), {following: x}), values),
            printed=paper.quote(
                f"Section 1.3 (definition of a stationary policy) with {equation}",
                definition,
                le(curvature(function), 0),
                given=(stationary,),
                fails_at=values,
                instead=f"{equation} gives the stationary point. It is a strict local maximum where "
                "$3x^2 - (1 + 4r)x + 2r > 0$, as for every $r > (2 - \\sqrt{3})/4$ (`curvature.large-reference`), and "
                r"a strict local minimum where this is negative. It is the maximum for $r \geq 2/25$ "
                f"({slug}.maximum). {small}, no policy in $(0, 1)$ is the maximum beside itself.",
            ),
        )


def references(pairs: Expression, large: Expression) -> Iterator[Claim]:
    """From which reference on every stationary point is a local maximum."""
    yield claim(
        "vojnovic_yun_2025.curvature.large-reference",
        "A reference $r > (2 - \\sqrt{3})/4$ makes every stationary point a strict local maximum, for groups of two "
        "and for large groups",
        both(*(implies(eq(slope(one), 0), local_maximum(beside(one), {following: x})) for one in (pairs, large))),
        given=[gt(reference, threshold)],
        beyond="gives a threshold above which Equations (14) and (15) are local maxima",
    )
    middle = (1 + 4 * reference) / 6
    minima = (
        implies(both(eq(x, middle), eq(slope(one), 0)), local_minimum(beside(one), {following: x}))
        for one in (pairs, large)
    )
    yield claim(
        "vojnovic_yun_2025.curvature.small-reference",
        "Below this reference some policy above the reference is a local minimum where it is stationary",
        both(gt(middle, reference), lt(middle, 1), *minima),
        given=[lt(reference, threshold)],
        beyond="shows that this threshold is sharp",
    )
    yield claim(
        "vojnovic_yun_2025.curvature.small-policy",
        "Local minima above the reference need a policy below one third",
        implies(le(polynomial(), 0), lt(x, rational(1, 3))),
        given=[lt(reference, x)],
    )


def weights(pairs: Expression, large: Expression) -> Iterator[Claim]:
    """Which weights make every stationary point a local maximum, and that no others do."""
    yield claim(
        "vojnovic_yun_2025.curvature.weights",
        "Ratios of weight and margin that always give a strict local maximum",
        implies(either(le(3 * beta, 2 * gamma), ge(beta, 2 * gamma)), local_maximum(beside(pairs), {following: x})),
        given=[eq(slope(pairs), 0)],
        beyond="gives ratios of weight and margin that make Equation (14) a local maximum for every reference",
    )
    policy, prior = minimum_in_pairs()
    yield claim(
        "vojnovic_yun_2025.curvature.weights.sharp",
        "Each ratio between two thirds and 2 gives a local minimum for some reference",
        both(
            gt(prior, 0),
            lt(prior, policy),
            lt(policy, 1),
            implies(
                both(eq(beta, ratio * gamma), eq(x, policy), eq(reference, prior)),
                local_minimum(beside(pairs), {following: x}),
            ),
        ),
        beyond="shows that there are no other such ratios",
    )
    yield claim(
        "vojnovic_yun_2025.curvature.large-groups.weights",
        "Weights that always give a strict local maximum for large groups",
        implies(le(beta, sqrt(rational(2))), local_maximum(beside(large), {following: x})),
        given=[eq(slope(large), 0)],
        beyond="gives the weights that make Equation (15) a local maximum for every reference",
    )
    policy, prior = minimum_in_large_groups()
    yield claim(
        "vojnovic_yun_2025.curvature.large-groups.weights.sharp",
        "Each larger weight gives a local minimum for some reference",
        both(
            gt(prior, 0),
            lt(policy, 1),
            implies(both(eq(x, policy), eq(reference, prior)), local_minimum(beside(large), {following: x})),
        ),
        given=[gt(beta, sqrt(rational(2)))],
        beyond="shows that there are no other such weights",
    )


def minimum_in_pairs() -> tuple[Expression, Expression]:
    """For each ratio a stationary policy that is a local minimum, and its reference, in groups of two."""
    policy = maximum(1 - ratio, 0) + (3 * ratio - 2) * (2 - ratio) / 18
    return policy, policy - policy * (1 - policy) / ratio


def minimum_in_large_groups() -> tuple[Expression, Expression]:
    """For each weight a stationary policy that is a local minimum, and its reference, in large groups."""
    bound = 1 / (1 + beta**2)
    policy = bound + bound * (1 - 3 * bound) / 6
    return policy, policy - sqrt(policy * (1 - policy)) / beta


def names() -> Iterator[Definition]:
    """The objectives, and the local minima that show the bounds of the weights to be sharp."""
    yield from objectives()
    for name, (policy, prior) in (("c", minimum_in_pairs()), ("beta", minimum_in_large_groups())):
        index = name if len(name) == 1 else rf"\{name}"
        yield define(f"x_{name}", (), policy, latex=f"x_{{{index}}}")
        yield define(f"r_{name}", (), prior, latex=f"r_{{{index}}}")


maxima = Result("Where the stationary point is a local maximum", paper, derivation, shorthands=names)
