r"""Large groups with the rewards in either order: Appendix B as printed, with the sign of $r_a - r_b$.

Appendix B prints objective, derivative and stationarity for large groups with the factor
$\mathrm{sign}(r(a \mid q) - r(b \mid q))$, in Appendix B.2 called $\tilde\gamma_{a,b}$. The sections on large groups
mostly take answer a as the more rewarding one. Here both orders are derived at once from the definition of the
advantage. If answer a has the lower reward, Equation (15) gives the probability of answer b, from its own reference.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import (
    advantages_in_large_groups,
    beta,
    objective,
    old_moments,
    reference,
    slope,
    x,
    x_old,
)
from derivations.vojnovic_yun_2025.direct_kl_groups_of_two import DIRECT, log_odds
from derivations.vojnovic_yun_2025.reward_large_groups import r_a, r_b, rewards, sign
from derivations.vojnovic_yun_2025.root_large_groups import large_groups, large_root, spread
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Gap,
    Result,
    Substitution,
    UniqueRoot,
    claim,
    define,
    derive,
    eq,
    gt,
    log,
    lt,
    ne,
    sqrt,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions, binary_penalty
from grpo_symbolic.language.expression import Definition

unequal = ne(r_a, r_b)
advantages = rewards.claim("eq18.advantages")
scale = 1 / sqrt(x_old * (1 - x_old))


def full_objective(given: Definitions) -> Expression:
    """The objective for large groups, from the definition of the advantage."""
    of_a, of_b = advantages_in_large_groups(r_a, r_b, given)
    return objective(x * of_a + (1 - x) * of_b, given)


def derivation(given: Definitions = GRPO, direct: Definitions = DIRECT) -> Iterator[Claim]:
    """Appendix B.1, then B.2."""
    yield from grpo_penalty(given)
    yield from direct_penalty(direct)


def grpo_penalty(given: Definitions) -> Iterator[Claim]:
    """GRPO's own penalty: objective, derivative, stationarity, and the policy if answer a has the lower reward."""
    full = full_objective(given)
    kept = x_old * reference / x + (1 - x_old) * (1 - reference) / (1 - x)
    logarithms = x_old * log(x) + (1 - x_old) * log(1 - x)
    shown = scale * sign * x - beta * (kept + logarithms)
    of_a, of_b = advantages_in_large_groups(r_a, r_b, given)
    yield claim(
        "vojnovic_yun_2025.eq19.objective.either-order",
        "The objective up to a constant",
        derivation=derive(Derivative(full, x), "derivative of the objective", given=[unequal])
        .eq(of_a - of_b - beta * Derivative(kept + logarithms, x), "the reward part is linear in $x$")
        .eq(Derivative(shown, x), "put in both advantages", using=[advantages]),
        equation="Appendix B.1, objective for large groups",
        paper_uses=["eq18"],
    )
    steep = sign / spread - beta * ((x - reference) / (x * (1 - x)))
    at_old = claim(
        "vojnovic_yun_2025.eq19.slope.either-order",
        "The derivative where both policies agree",
        derivation=derive(slope(full), "derivative of the objective, old policy equal to the policy", given=[unequal])
        .eq(
            Substitution(of_a - of_b, x_old, x) - beta * ((x - reference) / (x * (1 - x))),
            "differentiate, then put old = new",
        )
        .eq(steep, "put in both advantages", using=[advantages.at({x_old: x})]),
        equation="Appendix B.1, derivative for large groups",
        printed=paper.quote(
            "Appendix B.1, derivative for large groups",
            r"\frac{d\mathcal{J}}{d\pi_\theta(a \mid q)} = \frac{1}{\sqrt{\pi_{\theta_{\mathrm{old}}}(a \mid q)"
            r"(1 - \pi_{\theta_{\mathrm{old}}}(a \mid q))}} \mathrm{sign}(r(a \mid q) - r(b \mid q))"
            r" - \beta \frac{\pi_\theta(a \mid q) - \pi_{\mathrm{ref}}(a \mid q)}"
            r"{\pi_\theta(a \mid q)(1 - \pi_\theta(a \mid q))}",
            eq(slope(full), scale * sign - beta * ((x - reference) / (x * (1 - x)))),
            given=(unequal, eq(x_old, x)),
        ),
    )
    yield at_old
    stationary = derive(eq(slope(full), 0), "the derivative vanishes", given=[unequal]).iff(
        eq(beta * (x - reference), spread * sign), "multiply by $x(1-x)$", using=[at_old]
    )
    yield claim(
        "vojnovic_yun_2025.eq19.either-order",
        "Stationarity",
        derivation=stationary,
        equation="Appendix B.1, stationarity for large groups",
        printed=paper.quote(
            "Appendix B.1, stationarity for large groups",
            r"\beta(\pi_\theta(a \mid q) - \pi_{\mathrm{ref}}(a \mid q)) = "
            r"\sqrt{\pi_\theta(a \mid q)(1 - \pi_\theta(a \mid q))}\mathrm{sign}(r(a \mid q) - r(b \mid q))",
            stationary.statement,
            given=(unequal,),
        ),
    )
    of_b, worse = large_root(prior=1 - reference), lt(r_a, r_b)
    variance = Substitution(old_moments(r_a, r_b)[1], x_old, x)
    spreads = claim(
        "vojnovic_yun_2025.eq15.lower-reward.variance",
        "Rewards that differ have a positive variance",
        derivation=derive(variance, "variance of the reward", given=[worse])
        .eq(x * (1 - x) * (r_a - r_b) ** 2, "collect")
        .gt(0, "the rewards differ"),
    )
    deviates = claim(
        "vojnovic_yun_2025.eq15.lower-reward.deviation",
        "So their standard deviation is positive",
        gt(sqrt(variance), 0),
        given=[worse],
        using=[spreads],
    )
    solved = claim(
        "vojnovic_yun_2025.eq15.lower-reward.solved",
        "Stationarity where answer a has the lower reward, solved for the policy",
        derivation=derive(eq(slope(full), 0), "the derivative vanishes", given=[worse])
        .iff(eq(beta * (x - reference), -spread), "multiply by $x(1-x)$", using=[at_old])
        .iff(
            eq(beta * ((1 - x) - (1 - reference)), sqrt((1 - x) * (1 - (1 - x)))),
            "Equation (19) for the other answer",
        )
        .iff(
            eq(1 - x, of_b),
            "solved for its probability",
            using=[large_groups.claim("eq15.root-of-19").at({x: 1 - x, reference: 1 - reference})],
        )
        .iff(eq(x, 1 - of_b), "the probabilities sum to 1"),
    )
    positive = claim(
        "vojnovic_yun_2025.eq15.lower-reward.positive",
        "This leaves something for answer a",
        gt(1 - of_b, 0),
        using=[large_groups.claim("eq15.below-one").at({reference: 1 - reference})],
    )
    below_one = claim(
        "vojnovic_yun_2025.eq15.lower-reward.below-one",
        "And not everything",
        derivation=derive(1 - of_b, "probability of answer a")
        .lt(
            1 - (1 - reference),
            "answer b exceeds its reference",
            using=[large_groups.claim("eq15.above-reference").at({reference: 1 - reference})],
        )
        .lt(1, "$r < 1$"),
    )
    yield from (spreads, deviates, solved, positive, below_one)
    yield claim(
        "vojnovic_yun_2025.eq15.lower-reward",
        "If answer a has the lower reward, Equation (15) gives the probability of answer b",
        UniqueRoot(x, eq(slope(full), 0), 1 - of_b),
        given=[worse],
        using=[solved, solved.at({x: 1 - of_b}), positive, below_one, spreads, deviates],
        beyond="the stationary policy for the other order of the rewards",
        fills=[
            Gap(
                "Appendix B.1, large groups",
                "the case in which the first reward is the lower one is not finished",
            ),
        ],
    )


def direct_penalty(given: Definitions) -> Iterator[Claim]:
    """The direct divergence: objective and derivative."""
    full = full_objective(given)
    shown = sign * scale * x - beta * binary_penalty(x, x_old, reference, DIRECT)
    of_a, of_b = advantages_in_large_groups(r_a, r_b, given)
    gradient = eq(Derivative(full, x), sign * scale - beta * (log_odds(x) - log_odds(reference)))
    yield claim(
        "vojnovic_yun_2025.direct-kl.objective.either-order",
        "With the direct divergence: the objective, with the constant that the paper does not write out",
        derivation=derive(full, "reward part minus weighted penalty", given=[unequal])
        .eq(
            sign * scale * (x - x_old) - beta * binary_penalty(x, x_old, reference, DIRECT),
            "Equation (18)",
            using=[rewards.claim("eq18")],
        )
        .eq(shown - sign * sqrt(x_old / (1 - x_old)), "split the fraction"),
        equation="Appendix B.2",
        paper_uses=["eq18", "direct-kl.sign"],
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.gradient.either-order",
        "Its derivative, with the old policy held fixed",
        derivation=derive(Derivative(full, x), "derivative of the objective", given=[unequal])
        .eq(of_a - of_b - beta * (log_odds(x) - log_odds(reference)), "the reward part is linear in $x$")
        .eq(gradient.right, "put in both advantages", using=[advantages]),
        equation="Appendix B.2",
        printed=paper.quote(
            "Appendix B.2, limit of large groups",
            r"\frac{d\mathcal{J}}{d\pi_\theta(a \mid q)} = \frac{\tilde\gamma_{a,b}}{\sqrt{"
            r"\pi_{\theta_{\mathrm{old}}}(a \mid q)(1 - \pi_{\theta_{\mathrm{old}}}(a \mid q))}} - \beta\left("
            r"\log\frac{\pi_\theta(a \mid q)}{1 - \pi_\theta(a \mid q)}"
            r" - \log\frac{\pi_{\mathrm{ref}}(a \mid q)}{1 - \pi_{\mathrm{ref}}(a \mid q)}\right)",
            gradient,
            given=(unequal,),
        ),
        paper_uses=["direct-kl.sign"],
    )


def names() -> Iterator[Definition]:
    """Mean and variance of the reward under the old policy, the expected penalties, and both objectives."""
    mean, variance = old_moments(r_a, r_b)
    yield define("mean", (), mean, latex=r"\bar r")
    yield define("V", (), variance)
    yield define("D", (), binary_penalty(x, x_old, reference))
    yield define("KL", (), binary_penalty(x, x_old, reference, DIRECT), latex=r"\mathrm{KL}")
    yield define("J_infinity", (), full_objective(GRPO), latex=r"J_\infty")
    yield define("J_direct", (), full_objective(DIRECT), latex=r"J_{\mathrm{KL}}")


either_order = Result("Large groups: rewards in either order", paper, derivation, shorthands=names)
