r"""Binary questions, limit of large groups: again a root of a quadratic (Equation 15).

As before $x$, $x_{\mathrm{old}}$ and $r$ are the probabilities of answer $a$ under the policy, the old policy and the
reference. The reward part of the last section, with $a$ as the more rewarding answer (`eq19.reward-part`), less $\beta$
times the penalty $D$, is the objective $J_\infty = (x - x_{\mathrm{old}})/\sqrt{x_{\mathrm{old}}(1 -
x_{\mathrm{old}})} - \beta D$ (`eq19.as-defined`). For references in $(0, 1)$ what Appendix B.1 prints from
it on is confirmed, except for one equivalence. The larger root of a quadratic is the stationary policy, because the
smaller one lies below the reference (`eq15.factors`, `eq15.solved`), for the objective before the reward part is
brought to lowest terms as well (`eq15.as-defined`).

From the advantages in a group to Equation (15) five results of other sections lead: the advantages of successes and
failures (`binary-rewards.advantages`); the expected advantage of an output, a multiple of the effective margin
$B_G(s)/(s(1-s))$ (`binary-rewards.preference`); the limit $1/\sigma$ of this margin (`group-deviation.limit`); the
equation $\beta(x - r) = B_G(x)$ of the stationary policy for any group size (`finite-groups.stationary`); and how far a
solution between $r$ and Equation (15) is from the latter at most (`finite-groups.distance`).

Equation (19) is called equivalent to the quadratic. It is, together with $x \geq r$, which the next sentence of the
paper uses: squaring gains the smaller root, which solves the equation with the opposite sign of the square root. As the
order of the rewards alone matters, the policy jumps from Equation (15) to the reference where they become equal,
however close to each other they were before.
"""

from collections.abc import Iterator, Sequence

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import (
    advantages_in_large_groups,
    beta,
    gap,
    low,
    objective,
    old_moments,
    reference,
    slope,
    x,
    x_old,
)
from derivations.vojnovic_yun_2025.equations_by_brute_force import equation_19_beside_slope
from derivations.vojnovic_yun_2025.reward_large_groups import r_a, r_b, rewards
from derivations.vojnovic_yun_2025.stationary_by_enumeration import root_beside_equation_15
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Gap,
    Oracle,
    Result,
    Substitution,
    UniqueRoot,
    both,
    claim,
    define,
    derive,
    eq,
    ge,
    gt,
    iff,
    log,
    lt,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.derivation.algebra import quadratic_roots, simplified
from grpo_symbolic.derivation.writing import Chain
from grpo_symbolic.grpo.definitions import GRPO, Definitions, binary_penalty
from grpo_symbolic.language.expression import Definition

y = real("y", "(-oo, oo)", "any number")
spread = sqrt(x * (1 - x))


def quadratic(at: Expression) -> Expression:
    """The quadratic that follows Equation (19)."""
    return (1 + beta**2) * at**2 - (2 * beta**2 * reference + 1) * at + beta**2 * reference**2


def large_root(weight: Expression = beta, prior: Expression = reference) -> Expression:
    """Equation (15), at which ``derivation`` arrives."""
    return (2 * weight**2 * prior + 1 + sqrt(1 + 4 * weight**2 * prior * (1 - prior))) / (2 * (1 + weight**2))


def large_groups_reward(given: Definitions) -> Expression:
    """The reward part for large groups if answer a has the higher reward."""
    of_a, of_b = advantages_in_large_groups(low + gap, low, given)
    return x * of_a + (1 - x) * of_b


def large_groups_objective(given: Definitions) -> Expression:
    """The objective for large groups, its reward part brought to lowest terms."""
    return objective(simplified(large_groups_reward(given)), given)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """From the objective to Equation (15)."""
    conditions = tuple(first_order(given))
    yield from conditions
    known = {made.id.partition(".")[2]: made for made in conditions}
    yield from selection(given, known["eq19.as-defined"], known["eq19"])


def first_order(given: Definitions) -> Iterator[Claim]:
    """The derivative on-policy and where it vanishes, for a higher reward of answer a and for equal rewards."""
    full = large_groups_objective(given)
    scale = 1 / sqrt(x_old * (1 - x_old))
    reward = claim(
        "vojnovic_yun_2025.eq19.reward-part",
        "The reward part for large groups if answer a has the higher reward",
        derivation=derive(large_groups_reward(given), "the advantages of both answers, weighted with the policy")
        .eq(
            (x - x_old) * scale,
            "Equation (18) as corrected, where $r_a - r_b = d > 0$, so that the sign is 1",
            using=[rewards.claim("eq18").at({r_a: low + gap, r_b: low})],
        )
        .eq(simplified(large_groups_reward(given)), "the root of a product"),
    )
    yield reward
    as_defined = claim(
        "vojnovic_yun_2025.eq19.as-defined",
        "The objective for large groups",
        derivation=derive(
            objective(large_groups_reward(given), given),
            r"the reward part as defined, minus $\beta$ times the expected penalty",
        ).eq(full, "the reward part for large groups", using=[reward]),
    )
    yield as_defined
    kept = x_old * reference / x + (1 - x_old) * (1 - reference) / (1 - x)
    logarithms = x_old * log(x) + (1 - x_old) * log(1 - x)
    fixed = x_old * log(reference) + (1 - x_old) * log(1 - reference) + 1
    without_constant = claim(
        "vojnovic_yun_2025.eq19.objective",
        "Terms without $x$ drop out of the derivative of the objective",
        derivation=derive(Derivative(full, x), r"derivative of $J_\infty$, with the old policy held fixed")
        .eq(
            Derivative(scale * x - scale * x_old - beta * (kept + logarithms - fixed), x),
            "multiply out, and split the logarithms of quotients",
        )
        .eq(Derivative(scale * x - beta * (kept + logarithms), x), "what does not contain $x$ drops out"),
        equation="Appendix B.1, objective for large groups",
        paper_uses=["eq18"],
    )
    yield without_constant
    at_policy = claim(
        "vojnovic_yun_2025.eq19.slope",
        "The derivative where both policies agree",
        derivation=derive(slope(full), "differentiate, then put the old policy equal to the policy")
        .eq(
            Substitution(scale - beta * Derivative(kept, x) - beta * Derivative(logarithms, x), x_old, x),
            "without the constant, term by term",
            using=[without_constant.at({x_old: x})],
        )
        .eq(
            1 / spread - beta * (-(reference / x) + (1 - reference) / (1 - x) + 1 - 1),
            "differentiate, then put $x$ for the old policy",
        )
        .eq(1 / spread - beta * ((x - reference) / (x * (1 - x))), "common denominator"),
        equation="Appendix B.1, derivative for large groups",
    )
    yield at_policy
    difference = beta * ((x - reference) / (x * (1 - x)))
    condition = claim(
        "vojnovic_yun_2025.eq19",
        "Stationarity",
        derivation=derive(eq(slope(full), 0), "stationary at itself")
        .iff(eq(1 / spread - difference, 0), "the derivative where both policies agree", using=[at_policy])
        .iff(eq(difference, 1 / spread), "move the difference")
        .iff(eq(beta * (x - reference), spread), "multiply by $x(1-x)$, the square of the root"),
        equation="Eq. (19)",
        printed=paper.quote(
            "Appendix B.1, Eq. (19)",
            r"\beta(\pi_{\theta}(a \mid q) - \pi_{\mathrm{ref}}(a \mid q)) = "
            r"\sqrt{\pi_{\theta}(a \mid q)(1 - \pi_{\theta}(a \mid q))}",
            iff(eq(slope(full), 0), eq(beta * (x - reference), spread)),
        ),
        oracle=Oracle(
            "the slope of the true objective, extrapolated from groups of 24, 48 and 96, beside Equation (19)",
            equation_19_beside_slope,
            digits=4,
        ),
        paper_uses=["eq18"],
    )
    yield condition
    no_reward = eq(slope(objective(rational(0), given)), 0)
    without_reward = claim(
        "vojnovic_yun_2025.eq15.equal-rewards.solved",
        "Stationarity without a reward part, solved for the policy",
        derivation=derive(no_reward, "stationary at itself, all advantages being 0")
        .iff(eq(-difference, 0), "the derivative of the penalty alone")
        .iff(eq(x - reference, 0), r"multiply by $-x(1-x)/\beta$, which is not 0")
        .iff(eq(x, reference), "add the reference"),
    )
    yield without_reward
    yield claim(
        "vojnovic_yun_2025.eq15.equal-rewards",
        "If all advantages are 0, as with equal rewards, the stationary policy is the reference",
        UniqueRoot(x, no_reward, reference),
        using=[without_reward],
        equation="Section 2.3.1, after Eq. (15)",
    )


def selection(given: Definitions, named: Claim, condition: Claim) -> Iterator[Claim]:
    """The quadratic, what squaring gains, and the root that is stationary."""
    squared = eq(beta**2 * (x - reference) ** 2, x * (1 - x))
    line = derive(eq(beta * (x - reference), spread), "Equation (19)")
    line = line.implies(squared, "square both sides").iff(eq(quadratic(x), 0), "collect the powers of $x$")
    yield claim("vojnovic_yun_2025.eq19.quadratic", "The quadratic equation", derivation=line)
    equivalent = claim(
        "vojnovic_yun_2025.eq19.equivalent",
        "For $x \\geq r$ the quadratic equation is equivalent to Equation (19)",
        derivation=derive(eq(beta * (x - reference), spread), "Equation (19)", given=[ge(x, reference)])
        .iff(squared, "neither side is negative, so squaring gains nothing")
        .iff(eq(quadratic(x), 0), "collect the powers of $x$"),
        equation="Appendix B.1, quadratic equation for large groups",
        printed=paper.quote(
            "Appendix B.1, quadratic equation for large groups",
            r"\text{(19) is equivalent to } (1+\beta^2)\pi_{\theta}(a \mid q)^2 - (2\beta^2\pi_{\rm ref}(a \mid q) + 1)"
            r"\pi_{\theta}(a \mid q) + \beta^2\pi_{\rm ref}(a \mid q)^2 = 0",
            iff(line.start, eq(quadratic(x), 0)),
            given=(eq(x, rational(1, 5)), eq(reference, rational(3, 5))),
            another_reading=True,
            instead=r"Together with $\pi_\theta \geq \pi_{\mathrm{ref}}$, which the next sentence adds, the "
            "equivalence holds. Alone the quadratic equation has a second solution below the reference, which squaring "
            "gained (`eq19.gained-root`).",
        ),
    )
    yield equivalent
    smaller, larger = quadratic_roots(eq(quadratic(x), 0), x)
    below = claim(
        "vojnovic_yun_2025.eq19.gained-root.below",
        "The smaller root lies below the reference",
        derivation=derive(smaller, "the root with the minus sign")
        .lt((2 * beta**2 * reference + 1 - 1) / (2 * (1 + beta**2)), "what stands under the root exceeds 1")
        .eq(reference * (beta**2 / (1 + beta**2)), "cancel")
        .lt(reference, "the factor is less than 1"),
    )
    yield below
    solves = claim(
        "vojnovic_yun_2025.eq19.gained-root.square",
        "The smaller root solves the quadratic equation",
        eq(beta**2 * (smaller - reference) ** 2, smaller * (1 - smaller)),
    )
    yield solves
    opposite = claim(
        "vojnovic_yun_2025.eq19.gained-root.sign",
        "The smaller root solves Equation (19) with the opposite sign",
        derivation=derive(beta * (smaller - reference), "the left side of Equation (19) at the smaller root")
        .eq(-sqrt(beta**2 * (smaller - reference) ** 2), "it is negative", using=[below])
        .eq(
            -sqrt(smaller * (1 - smaller)),
            r"the quadratic equation is $\beta^2(x - r)^2 = x(1 - x)$, and the smaller root solves it",
            using=[solves],
        ),
    )
    yield opposite
    yield claim(
        "vojnovic_yun_2025.eq19.gained-root",
        "The smaller root lies below the reference and solves Equation (19) with the opposite sign",
        both(
            lt(smaller, reference),
            eq(beta * (smaller - reference), -sqrt(smaller * (1 - smaller))),
        ),
        using=[below, opposite],
    )
    above = claim(
        "vojnovic_yun_2025.eq15.above-reference",
        "The larger root exceeds the reference",
        derivation=derive(larger, "the root with the plus sign")
        .gt((2 * beta**2 * reference + 1 + 1) / (2 * (1 + beta**2)), "what stands under the root exceeds 1")
        .eq(reference + (1 - reference) / (1 + beta**2), "divide")
        .gt(reference, "$r < 1$"),
    )
    yield above
    wide = sqrt(1 + 4 * beta**2 * reference * (1 - reference))
    selected = claim(
        "vojnovic_yun_2025.eq15.factors",
        "The quadratic equation at the reference or above it",
        derivation=derive(eq(quadratic(y), 0), "the quadratic equation", given=[ge(y, reference)])
        .iff(
            eq(
                (2 * (1 + beta**2) * y - (2 * beta**2 * reference + 1)) ** 2,
                1 + 4 * beta**2 * reference * (1 - reference),
            ),
            r"multiply by $4(1 + \beta^2)$ and complete the square",
        )
        .iff(
            eq(
                (2 * (1 + beta**2) * y - (2 * beta**2 * reference + 1) - wide)
                * (2 * (1 + beta**2) * y - (2 * beta**2 * reference + 1) + wide),
                0,
            ),
            "a difference of squares",
        )
        .iff(
            eq(2 * (1 + beta**2) * y - (2 * beta**2 * reference + 1), wide),
            "the positive root: with the other sign $y$ is the smaller root, which lies below the reference",
            using=[below],
        )
        .iff(eq(y, larger), "solve for $y$"),
    )
    yield selected
    yield claim(
        "vojnovic_yun_2025.eq15.selection",
        "Exactly one solution of the quadratic equation is at least the reference",
        both(gt(larger, reference), iff(eq(quadratic(y), 0), eq(y, larger))),
        given=[ge(y, reference)],
        using=[selected, above],
        equation="Appendix B.1, selection of the root",
        fills=[
            Gap(
                "Appendix B.1, large groups",
                "that exactly one solution of the quadratic equation satisfies the condition is asserted",
            ),
        ],
    )
    joined = claim(
        "vojnovic_yun_2025.eq15.form",
        "The quadratic formula gives Equation (15)",
        derivation=derive(larger, "the quadratic formula").eq(large_root(), r"take out $4\beta^2 r$ under the root"),
    )
    yield joined
    yield from solution(given, [joined, selected, above, equivalent], named, condition)


def solution(given: Definitions, found: Sequence[Claim], named: Claim, condition: Claim) -> Iterator[Claim]:
    """Stationarity, solved for the policy, and that what is found is a probability."""
    joined, selected, above, equivalent = found
    root, square = large_root(), beta**2
    below = claim(
        "vojnovic_yun_2025.eq15.below-one",
        "The larger root is less than 1",
        derivation=derive(root, "Equation (15)")
        .lt(
            (2 * square * reference + 1 + (1 + 2 * square * (1 - reference))) / (2 * (1 + square)),
            r"$\sqrt{1 + 2s} \leq 1 + s$ and $r < 1$",
        )
        .eq(1, "collect"),
    )
    yield below

    def for_policy(line: Chain) -> Chain:
        """Equation (19), solved for the policy."""
        return line.iff(
            both(ge(x, reference), eq(quadratic(x), 0)),
            "square both sides; the right one is positive, and so the policy exceeds the reference",
            using=[equivalent],
        ).iff(
            eq(x, root),
            "of the two roots the larger one exceeds the reference, and the smaller one lies below it",
            using=[selected.at({y: x}), joined, above],
        )

    stationary = eq(slope(large_groups_objective(given)), 0)
    solved = claim(
        "vojnovic_yun_2025.eq15.solved",
        "Stationarity, solved for the policy",
        derivation=for_policy(
            derive(stationary, "stationary at itself").iff(
                eq(beta * (x - reference), spread), "Equation (19)", using=[condition]
            )
        ),
    )
    yield solved
    yield claim(
        "vojnovic_yun_2025.eq15.root-of-19",
        "Equation (19), solved for the policy",
        derivation=for_policy(derive(eq(beta * (x - reference), spread), "Equation (19)")),
    )
    solves = claim(
        "vojnovic_yun_2025.eq15.solves-19.square",
        "Equation (15) solves the square of Equation (19)",
        eq(square * (root - reference) ** 2, root * (1 - root)),
    )
    yield solves
    yield claim(
        "vojnovic_yun_2025.eq15.solves-19",
        "Equation (15) solves Equation (19)",
        derivation=derive(beta * (root - reference), "the left side of Equation (19) at Equation (15)")
        .eq(sqrt(square * (root - reference) ** 2), "it exceeds the reference", using=[above])
        .eq(sqrt(root * (1 - root)), "it solves the square of the equation", using=[solves]),
    )
    yield claim(
        "vojnovic_yun_2025.eq15.as-defined",
        "Stationarity of the objective as defined, solved for the policy",
        derivation=derive(
            eq(slope(objective(large_groups_reward(given), given)), 0),
            "stationary at itself: the objective with the advantages as defined",
        )
        .iff(stationary, "the objective for large groups", using=[named])
        .iff(eq(x, root), "solved for the policy", using=[solved]),
    )
    yield claim(
        "vojnovic_yun_2025.eq15",
        "The stationary policy",
        UniqueRoot(x, stationary, large_root()),
        using=[solved, solved.at({x: root}), below],
        equation="Eq. (15)",
        printed=paper.quote(
            "Section 2.3.1, Eq. (15)",
            r"\pi_{\theta}(a \mid q) = \frac{2\beta^2 \pi_{\mathrm{ref}}(a \mid q) + 1 + \sqrt{1 + 4\beta^2 "
            r"\pi_{\mathrm{ref}}(a \mid q)(1 - \pi_{\mathrm{ref}}(a \mid q))}}{2(1 + \beta^2)}",
            UniqueRoot(x, stationary, large_root()),
        ),
        oracle=Oracle(
            "bisects the slope for groups of 400, to two digits", root_beside_equation_15, digits=2, points=6
        ),
        paper_uses=["eq15.local-minimum", "eq19"],
    )


def names() -> Iterator[Definition]:
    """Mean and variance of the reward under the old policy, the expected penalty, and the objective."""
    mean, variance = old_moments(low + gap, low)
    yield define("mean_here", (), mean, latex=r"\bar v")
    yield define("V_here", (), variance, latex="V")
    yield define("D", (), binary_penalty(x, x_old, reference))
    yield define("J_infinity", (), large_groups_objective(GRPO), latex=r"J_\infty")


large_groups = Result("Binary questions, large groups: the stationary policy", paper, derivation, shorthands=names)
