r"""Large groups with random rewards: the noise weakens the preference.

In Section 2.1 the paper says that rewards may be random, with the expectation $r(o \mid q)$ for an output. Then the
variance of the reward has a second part, the mean variance of the reward given the output, which Appendix B.1 leaves
out. With it (`random-rewards.variance`) the advantages no longer depend on the order of the expected rewards alone, and
noise in both rewards makes the pull towards the better answer weaker (`random-rewards.weaker`). It may even be weaker
than in groups of two, where the order of the realised rewards counts: if one answer has the reward 1, and the other one
100 with probability $1/200$ and otherwise 0, then pairs see a margin of 0.99, and at the policy $\frac12$ large groups
see mean rewards that differ by one half, against a standard deviation of about 5 (`random-rewards.less-biased`). So
Equations (18), (19) and (15), and what Section 2.3.1 concludes from them, are about deterministic rewards.

In Appendix B.2 the factor $\tilde\gamma_{a,b}$ is printed as the sign of a comparison. It is the sign of the difference
of the rewards, which is $-1$ for the answer with the lower one.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, gap, low, objective, reference, slope, x, x_old
from derivations.vojnovic_yun_2025.groups import member_reward
from derivations.vojnovic_yun_2025.reward_large_groups import r_a, r_b, sign
from derivations.vojnovic_yun_2025.root_large_groups import large_groups_objective
from derivations.vojnovic_yun_2025.shorthands import objectives
from grpo_symbolic import (
    Claim,
    Expression,
    Group,
    Result,
    Substitution,
    binary,
    both,
    claim,
    define,
    derive,
    eq,
    gt,
    instance,
    lt,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions
from grpo_symbolic.language.expression import Definition

noise_a, noise_b = (
    real(f"v_{answer}", "[0, oo)", f"variance of the reward of answer {answer}", latex=rf"v_{answer}")
    for answer in "ab"
)
rare = real("e", "(0, 1/2)", "probability that answer b has its high reward")
jackpot = real("M", "(1, oo)", "the high reward of answer b, which has reward 0 otherwise; answer a always has 1")


def moments(of_a: Expression, of_b: Expression) -> tuple[Expression, Expression]:
    """Mean and variance of the reward under the old policy, from the second moments of both answers."""
    centre = x_old * of_a + (1 - x_old) * of_b
    second = x_old * (noise_a + of_a**2) + (1 - x_old) * (noise_b + of_b**2)
    return centre, second - centre**2


def noisy_objective(given: Definitions) -> Expression:
    """The objective for large groups, answer a having the higher expected reward."""
    centre, variance = moments(low + gap, low)
    of_a, of_b = (given.normalise(reward - centre, variance) for reward in (low + gap, low))
    return objective(x * of_a + (1 - x) * of_b, given)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The variance, the pull, the comparison with groups of two, and the sign."""
    yield from _noise(given)
    yield from _against_pairs()
    yield from _sign()


def _noise(given: Definitions) -> Iterator[Claim]:
    """What random rewards change in Appendix B.1."""
    mean, variance = moments(r_a, r_b)
    between = (r_a - r_b) ** 2 * x_old * (1 - x_old)
    answers = Group(member_reward, 2, binary(x_old))
    expected = answers.expectation(member_reward * r_a + (1 - member_reward) * r_b)
    squared = answers.expectation(member_reward * (noise_a + r_a**2) + (1 - member_reward) * (noise_b + r_b**2))
    yield claim(
        "vojnovic_yun_2025.random-rewards.variance",
        "The variance of the reward is that of its expectation plus the mean variance given the answer",
        derivation=derive(
            squared - expected**2,
            "mean square less squared mean; the expectations are over the answer, which is answer a with the "
            "probability $x_{\\mathrm{old}}$, and given it the square of a reward is expected to be $v + r^2$",
        )
        .eq(variance, "both answers, each with its probability")
        .eq(
            x_old * r_a**2 + (1 - x_old) * r_b**2 - mean**2 + (x_old * noise_a + (1 - x_old) * noise_b),
            "collect the variances given the answer",
        )
        .eq(between + x_old * noise_a + (1 - x_old) * noise_b, "multiply out: the squared difference of the rewards"),
        equation="Appendix B.1, large groups, third display",
        printed=paper.quote(
            "Appendix B.1, large groups, third display",
            r"\sigma(\pi_{\theta_{\mathrm{old}}}(\cdot \mid q))^2 = (r(a \mid q) - r(b \mid q))^2 "
            r"\pi_{\theta_{\mathrm{old}}}(a \mid q)(1 - \pi_{\theta_{\mathrm{old}}}(a \mid q))",
            eq(variance, between),
            missing=(eq(noise_a, 0), eq(noise_b, 0)),
            fails_at={x_old: rational(1, 2), r_a: 1, r_b: 0, noise_a: 1, noise_b: 1},
            instead="It holds for deterministic rewards; otherwise the mean variance of the reward given the answer "
            "is added. Equations (18), (19) and (15), which rest on it, are for deterministic rewards as well.",
        ),
    )
    noisy = slope(noisy_objective(given))
    without = slope(large_groups_objective(given))
    _, old_variance = moments(low + gap, low)
    difference = beta * ((x - reference) / (x * (1 - x)))
    pull = gap / sqrt(gap**2 * x * (1 - x) + x * noise_a + (1 - x) * noise_b)
    noise = x_old * noise_a + (1 - x_old) * noise_b
    parts = claim(
        "vojnovic_yun_2025.random-rewards.slope.variance",
        "The variance with a difference of the rewards, and its two parts",
        eq(old_variance, gap**2 * x_old * (1 - x_old) + noise),
    )
    positive = claim(
        "vojnovic_yun_2025.random-rewards.slope.positive",
        "It is positive, because the means of the rewards differ",
        derivation=derive(old_variance, "the variance")
        .eq(gap**2 * x_old * (1 - x_old) + noise, "its two parts", using=[parts])
        .gt(0, "the first one is positive"),
    )
    deviation = claim(
        "vojnovic_yun_2025.random-rewards.slope.deviation",
        "So is the standard deviation",
        gt(sqrt(old_variance), 0),
        using=[positive],
    )
    root = claim(
        "vojnovic_yun_2025.random-rewards.slope.root",
        "The standard deviation under the policy, from both parts of the variance",
        eq(
            sqrt(Substitution(old_variance, x_old, x)),
            sqrt(gap**2 * x * (1 - x) + x * noise_a + (1 - x) * noise_b),
        ),
        using=[parts.at({x_old: x})],
    )
    yield from (parts, positive, deviation, root)
    yield claim(
        "vojnovic_yun_2025.random-rewards.slope",
        "The derivative where both policies agree depends on the noise",
        derivation=derive(noisy, "derivative of the objective, old policy equal to the policy")
        .eq(
            Substitution(gap / sqrt(old_variance), x_old, x) - difference,
            "the reward part is linear in $x$; the penalty as in Equation (17)",
            using=[positive.at({x_old: x}), deviation.at({x_old: x})],
        )
        .eq(pull - difference, "the variance, with its two parts", using=[root]),
        equation="Section 2.3.1, after Eq. (15)",
        printed=paper.quote(
            "Section 2.3.1, after Eq. (15)",
            r"\text{depends solely on } \pi_{\mathrm{ref}},\ \beta \text{ and the comparison of the expected rewards}",
            eq(noisy, without),
            missing=(eq(noise_a, 0), eq(noise_b, 0)),
            instead="It does for deterministic rewards. Noise in both rewards makes the pull towards the better answer "
            "weaker (`random-rewards.weaker`), and how much weaker depends on the variances.",
            isolated=True,
        ),
    )
    yield claim(
        "vojnovic_yun_2025.random-rewards.weaker",
        "Noise in both rewards makes the pull towards the better answer weaker",
        derivation=derive(pull, "the pull", given=[gt(noise_a, 0), gt(noise_b, 0)])
        .lt(gap / sqrt(gap**2 * x * (1 - x)), "leave the noise in the denominator out")
        .eq(1 / sqrt(x * (1 - x)), "cancel the difference of the rewards"),
    )


def _against_pairs() -> Iterator[Claim]:
    """Rewards with which large groups pull less than groups of two."""
    ahead = 1 - rare * jackpot
    deviation = sqrt(x * (1 - x) * ahead**2 + (1 - x) * rare * (1 - rare) * jackpot**2)
    pairs = 1 - 2 * rare
    at = {x: rational(1, 2), rare: rational(1, 200), jackpot: rational(100)}
    yield claim(
        "vojnovic_yun_2025.random-rewards.less-biased",
        "Rewards for which, at the policy $1/2$, groups of two pull more towards the better answer than large groups "
        "do",
        instance(both(gt(ahead, 0), lt(ahead / deviation, pairs)), at),
        equation="Section 2.3.1, large groups compared with groups of two",
        printed=paper.quote(
            "Section 2.3.1, large groups compared with groups of two, with the random rewards of Section 2.1",
            r"\text{more biased towards the reward preference than for the case of groups of size two}",
            gt(ahead / deviation, pairs),
            given=(gt(ahead, 0),),
            missing=(eq(rare, 0),),
            instead="It holds for deterministic rewards (`eq15.more-biased`).",
            isolated=True,
        ),
    )


def _sign() -> Iterator[Claim]:
    """The factor of Appendix B.2."""
    worse = lt(r_a, r_b)
    yield claim(
        "vojnovic_yun_2025.direct-kl.sign",
        r"The factor $\tilde\gamma_{a,b}$ is $-1$ if answer a has the lower reward",
        derivation=derive(sign, "a number over its absolute value", given=[worse])
        .eq((r_a - r_b) / -(r_a - r_b), "the difference of the rewards is negative")
        .eq(-1, "cancel"),
        equation="Appendix B.2",
        printed=paper.quote(
            "Appendix B.2, limit of large groups",
            r"\tilde\gamma_{a,b} = \operatorname{sign}(r(a \mid b) > r(b \mid q))",
            eq(sign, 0),
            given=(worse,),
            notation="a comparison is no number and has no sign",
            instead=r"$\tilde\gamma_{a,b} = \operatorname{sign}(r(a \mid q) - r(b \mid q))$; a comparison that is "
            "false counts as 0.",
            compare_with_pdf=True,
        ),
    )


def names() -> Iterator[Definition]:
    """The objectives with deterministic and with random rewards."""
    yield from objectives()
    yield define("J_noisy", (), noisy_objective(GRPO), latex=r"J_\sigma")


random_rewards = Result("Large groups with random rewards", paper, derivation, shorthands=names)
