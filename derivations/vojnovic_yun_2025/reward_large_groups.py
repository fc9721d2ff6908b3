r"""Binary questions, limit of large groups: the reward part (Equation 18).

As the groups grow, mean and standard deviation of their rewards tend to those of the old policy
(`large-groups.mean-limit`, `large-groups.deviation-limit`), so that with deterministic rewards the advantage of an
answer is its reward, standardised under the old policy. Size and distance of the two rewards cancel, and their order is
left (`eq18.advantages`). What Appendix B.1 prints on this is confirmed except for Equation (18) (`eq18`), which has the
square root of $\pi_{\theta_{\mathrm{old}}}(a)$ where that of
$\pi_{\theta_{\mathrm{old}}}(a)\,\pi_{\theta_{\mathrm{old}}}(b)$ belongs; the objective after it is right again.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import advantages_in_large_groups, old_moments, x, x_old
from derivations.vojnovic_yun_2025.stationary_by_enumeration import reward_beside_equation_18
from grpo_symbolic import Claim, Oracle, Result, absolute, both, claim, define, derive, eq, ne, real, sqrt
from grpo_symbolic.grpo.definitions import GRPO, Definitions
from grpo_symbolic.language.expression import Definition

r_a = real("r_a", "(-oo, oo)", "reward of answer a", latex=r"r_a")
r_b = real("r_b", "(-oo, oo)", "reward of answer b", latex=r"r_b")
sign = (r_a - r_b) / absolute(r_a - r_b)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """From the definition of the advantage to Equation (18)."""
    rewards = tuple(standardised_rewards(given))
    yield from rewards
    yield reward_part(given, rewards[-1])


def standardised_rewards(given: Definitions) -> Iterator[Claim]:
    """Deviations, variance and advantages, for rewards in either order."""
    centre, variance = old_moments(r_a, r_b)
    deviations = [
        claim(
            f"vojnovic_yun_2025.eq18.deviation.{name}",
            f"The deviation of answer {name} from the mean",
            derivation=derive(reward - centre, "reward minus mean")
            .eq(other * reward - other * lower, "collect the rewards")
            .eq(other * (reward - lower), "take out the factor"),
        )
        for name, reward, lower, other in (("a", r_a, r_b, 1 - x_old), ("b", r_b, r_a, x_old))
    ]
    yield from deviations
    spread = claim(
        "vojnovic_yun_2025.eq18.variance",
        "The variance of the reward under the old policy",
        derivation=derive(variance, "definition")
        .eq(
            x_old * ((1 - x_old) * (r_a - r_b)) ** 2 + (1 - x_old) * (x_old * (r_b - r_a)) ** 2,
            "put in both deviations",
            using=deviations,
        )
        .eq((r_a - r_b) ** 2 * x_old * (1 - x_old) * (1 - x_old + x_old), "take out the common factors")
        .eq((r_a - r_b) ** 2 * x_old * (1 - x_old), "the probabilities sum to 1"),
    )
    yield spread
    yield claim(
        "vojnovic_yun_2025.eq18.moments",
        "Deviations from the mean, and the variance",
        both(
            eq(r_a - centre, (1 - x_old) * (r_a - r_b)),
            eq(r_b - centre, x_old * (r_b - r_a)),
            eq(variance, (r_a - r_b) ** 2 * x_old * (1 - x_old)),
        ),
        using=[*deviations, spread],
        equation="Appendix B.1, large groups, first three displays",
    )
    of_a, of_b = advantages_in_large_groups(r_a, r_b, given)
    deviation = absolute(r_a - r_b) * sqrt(x_old * (1 - x_old))
    standardised = [
        claim(
            f"vojnovic_yun_2025.eq18.advantage.{name}",
            f"The advantage of answer {name}",
            derivation=derive(advantage, "reward minus mean, over the deviation", given=[ne(r_a, r_b)])
            .eq(part * (r_a - r_b) / deviation, "put in mean and variance")
            .eq(value * sign, r"divide by $\sqrt{x_{\mathrm{old}}(1-x_{\mathrm{old}})}$"),
        )
        for name, advantage, part, value in (
            ("a", of_a, 1 - x_old, sqrt((1 - x_old) / x_old)),
            ("b", of_b, -x_old, -sqrt(x_old / (1 - x_old))),
        )
    ]
    yield from standardised
    yield claim(
        "vojnovic_yun_2025.eq18.advantages",
        "The advantages of both answers",
        both(eq(of_a, sqrt((1 - x_old) / x_old) * sign), eq(of_b, -sqrt(x_old / (1 - x_old)) * sign)),
        given=[ne(r_a, r_b)],
        using=standardised,
        equation="Appendix B.1, large groups, fourth and fifth display",
        paper_uses=["random-rewards.variance"],
    )


def reward_part(given: Definitions, advantages: Claim) -> Claim:
    """The reward part, for rewards in either order."""
    of_a, of_b = advantages_in_large_groups(r_a, r_b, given)
    defined = x * of_a + (1 - x) * of_b
    return claim(
        "vojnovic_yun_2025.eq18",
        "The reward part for large groups",
        derivation=derive(defined, "the advantages, weighted with the policy", given=[ne(r_a, r_b)])
        .eq(
            (x * sqrt((1 - x_old) / x_old) - (1 - x) * sqrt(x_old / (1 - x_old))) * sign,
            "put in both advantages",
            using=[advantages],
        )
        .eq((x - x_old) / sqrt(x_old * (1 - x_old)) * sign, "common denominator"),
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


def names() -> Iterator[Definition]:
    """Mean and variance of the reward under the old policy."""
    mean, variance = old_moments(r_a, r_b)
    yield define("mean", (), mean, latex=r"\bar r")
    yield define("V", (), variance)


rewards = Result("Binary questions, large groups: the reward part", paper, derivation, shorthands=names)
