r"""Binary questions, limit of large groups: again a root of a quadratic (Equation 15).

As the groups grow, mean and standard deviation of their rewards tend to those of the old policy
(`large-groups.mean-limit`, `large-groups.deviation-limit`), so that with deterministic rewards the advantage of an
answer is its reward, standardised under the old policy. Size and distance of the two rewards cancel, and their order is
left (`eq18.advantages`). For deterministic rewards, $a$ having the higher one, and references in $(0, 1)$, what
Appendix B.1 prints on large groups is confirmed except for one equivalence (see below) and for Equation (18) (`eq18`),
which has the square root of $\pi_{\theta_{\mathrm{old}}}(a)$ where that of
$\pi_{\theta_{\mathrm{old}}}(a)\,\pi_{\theta_{\mathrm{old}}}(b)$ belongs; the objective after it is right again.

Equation (19) is called equivalent to the quadratic. It is, together with $x \geq r$, which the next sentence of the
paper uses: squaring gains the smaller root, which solves the equation with the opposite sign of the square root. As the
order of the rewards alone matters, the policy jumps from Equation (15) to the reference where they become equal,
however close to each other they were before.
"""

from collections.abc import Iterator

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
from derivations.vojnovic_yun_2025.stationary_by_enumeration import reward_beside_equation_18, root_beside_equation_15
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Gap,
    Oracle,
    Result,
    UniqueRoot,
    absolute,
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
    ne,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.derivation.algebra import quadratic_roots, simplified
from grpo_symbolic.grpo.definitions import GRPO, Definitions, binary_penalty
from grpo_symbolic.language.expression import Definition

r_a = real("r_a", "(-oo, oo)", "reward of answer a", latex=r"r_a")
r_b = real("r_b", "(-oo, oo)", "reward of answer b", latex=r"r_b")
y = real("y", "(-oo, oo)", "any number")
sign = (r_a - r_b) / absolute(r_a - r_b)
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
    """From the definition of the advantage to Equation (15)."""
    yield from standardised_rewards(given)
    yield from reward_part(given)
    yield from first_order(given)
    yield from selection(given)


def standardised_rewards(given: Definitions) -> Iterator[Claim]:
    """Deviations, variance and advantages, for rewards in either order."""
    centre, variance = old_moments(r_a, r_b)
    yield claim(
        "vojnovic_yun_2025.eq18.moments",
        "Deviations from the mean, and the variance",
        both(
            eq(r_a - centre, (1 - x_old) * (r_a - r_b)),
            eq(r_b - centre, x_old * (r_b - r_a)),
            eq(variance, (r_a - r_b) ** 2 * x_old * (1 - x_old)),
        ),
        equation="Appendix B.1, large groups, first three displays",
    )
    of_a, of_b = advantages_in_large_groups(r_a, r_b, given)
    yield claim(
        "vojnovic_yun_2025.eq18.advantages",
        "The advantages of both answers",
        both(eq(of_a, sqrt((1 - x_old) / x_old) * sign), eq(of_b, -sqrt(x_old / (1 - x_old)) * sign)),
        given=[ne(r_a, r_b)],
        equation="Appendix B.1, large groups, fourth and fifth display",
        paper_uses=["random-rewards.variance"],
    )


def reward_part(given: Definitions) -> Iterator[Claim]:
    """The reward part, for rewards in either order."""
    of_a, of_b = advantages_in_large_groups(r_a, r_b, given)
    defined = x * of_a + (1 - x) * of_b
    yield claim(
        "vojnovic_yun_2025.eq18",
        "The reward part for large groups",
        eq(defined, (x - x_old) / sqrt(x_old * (1 - x_old)) * sign),
        given=[ne(r_a, r_b)],
        equation="Eq. (18)",
        printed=paper.quote(
            "Appendix B.1, Eq. (18)",
            r"\left(\frac{1}{\sqrt{\pi_{\theta_{\mathrm{old}}}(a \mid q)}}\pi_{\theta}(a \mid q) - "
            r"\sqrt{\frac{\pi_{\theta_{\mathrm{old}}}(a \mid q)}{1 - \pi_{\theta_{\mathrm{old}}}(a \mid q)}}\right)"
            r"\mathrm{sign}(r(a \mid q) - r(b \mid q))",
            eq(defined, (1 / sqrt(x_old) * x - sqrt(x_old / (1 - x_old))) * sign),
            given=(ne(r_a, r_b),),
            instead=r"The first factor is $1/\sqrt{\pi_{\theta_{\mathrm{old}}}(a \mid q)"
            r"(1 - \pi_{\theta_{\mathrm{old}}}(a \mid q))}$, as in the objective that follows.",
            compare_with_pdf=True,
        ),
        oracle=Oracle("sums over groups of 1600, to two digits", reward_beside_equation_18, digits=2, points=6),
        paper_uses=["random-rewards.variance"],
    )


def first_order(given: Definitions) -> Iterator[Claim]:
    """The derivative on-policy and where it vanishes, for a higher reward of answer a and for equal rewards."""
    full = large_groups_objective(given)
    kept = x_old * reference / x + (1 - x_old) * (1 - reference) / (1 - x)
    logarithms = x_old * log(x) + (1 - x_old) * log(1 - x)
    yield claim(
        "vojnovic_yun_2025.eq19.objective",
        "The objective up to a constant",
        eq(Derivative(full, x), Derivative(1 / sqrt(x_old * (1 - x_old)) * x - beta * (kept + logarithms), x)),
        equation="Appendix B.1, objective for large groups",
        paper_uses=["eq18"],
    )
    yield claim(
        "vojnovic_yun_2025.eq19.slope",
        "The derivative where both policies agree",
        eq(slope(full), 1 / spread - beta * ((x - reference) / (x * (1 - x)))),
        equation="Appendix B.1, derivative for large groups",
    )
    yield claim(
        "vojnovic_yun_2025.eq19",
        "Stationarity",
        iff(eq(slope(full), 0), eq(beta * (x - reference), spread)),
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
    yield claim(
        "vojnovic_yun_2025.eq15.equal-rewards",
        "If all advantages are 0, as with equal rewards, the stationary policy is the reference",
        UniqueRoot(x, eq(slope(objective(rational(0), given)), 0), reference),
        equation="Section 2.3.1, after Eq. (15)",
    )


def selection(given: Definitions) -> Iterator[Claim]:
    """The quadratic, what squaring gains, and the root that is stationary."""
    squared = eq(beta**2 * (x - reference) ** 2, x * (1 - x))
    line = derive(eq(beta * (x - reference), spread), "Equation (19)")
    line = line.implies(squared, "square both sides").iff(eq(quadratic(x), 0), "collect the powers of $x$")
    yield claim("vojnovic_yun_2025.eq19.quadratic", "The quadratic equation", derivation=line)
    yield claim(
        "vojnovic_yun_2025.eq19.equivalent",
        "For $x \\geq r$ the quadratic equation is equivalent to Equation (19)",
        iff(line.start, eq(quadratic(x), 0)),
        given=[ge(x, reference)],
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
    smaller, larger = quadratic_roots(eq(quadratic(x), 0), x)
    yield claim(
        "vojnovic_yun_2025.eq19.gained-root",
        "The smaller root lies below the reference and solves Equation (19) with the opposite sign",
        both(
            lt(smaller, reference),
            eq(beta * (smaller - reference), -sqrt(smaller * (1 - smaller))),
        ),
    )
    yield claim(
        "vojnovic_yun_2025.eq15.selection",
        "Exactly one solution of the quadratic equation is at least the reference",
        both(gt(larger, reference), iff(eq(quadratic(y), 0), eq(y, larger))),
        given=[ge(y, reference)],
        equation="Appendix B.1, selection of the root",
        fills=[
            Gap(
                "Appendix B.1, large groups",
                "that exactly one solution of the quadratic equation satisfies the condition is asserted",
            ),
        ],
    )
    stationary = eq(slope(large_groups_objective(given)), 0)
    yield claim(
        "vojnovic_yun_2025.eq15",
        "The stationary policy",
        UniqueRoot(x, stationary, large_root()),
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
    mean, variance = old_moments(r_a, r_b)
    yield define("mean", (), mean, latex=r"\bar r")
    yield define("V", (), variance)
    yield define("D", (), binary_penalty(x, x_old, reference))
    yield define("J_infinity", (), large_groups_objective(GRPO), latex=r"J_\infty")


large_groups = Result("Binary questions, large groups: the stationary policy", paper, derivation, shorthands=names)
