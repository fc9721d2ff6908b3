r"""The limit of large groups: mean, variance and the reward part (Section 2.1).

The sample mean is unbiased (`large-groups.mean`), and its mean squared error $V/G$, with the variance $V =
\sigma^2$ of a reward, tends to 0 (`large-groups.mean-limit`). The expected sample variance is $(1 - 1/G)V$ and tends to
$\sigma^2$ (`large-groups.variance-limit`). The rate is $1/G$ for both. Where rewards are random, $o$ is here an output
together with one of its rewards. With mean and deviation replaced by their limits, the
reward part is the printed $\mathcal{R}_\infty$. It needs $\sigma > 0$. Where $\sigma = 0$, all outputs of the old
policy have the same reward (`large-groups.bounded`); for each finite group the reward part is then 0, while the printed
formula divides by 0.

That the expectation of the quotient tends to the quotient of the limits is an exchange of limit and expectation, for
which the paper gives no reason. Advantages may be as large as $\sqrt{G-1}$, so they are not bounded, but
$\mathcal{P}_G(o)^2\,\pi_{\theta_{\mathrm{old}}}(o \mid q) \leq 1$ holds for all $G$ (`preference.bounded`), as it does
in the limit (`large-groups.bounded`). For any rewards the reward part tends to $\mathcal{R}_\infty$ at least at the
rate $1/\sqrt G$, if the policy is at most a multiple of the old one (`advantage-limit.reward-part.limit`), for two
rewards at the rate $1/G$ (`group-deviation.limit`).

Notation: the paper prints the second expectation in $\mathcal{R}_\infty$ over $o \sim \pi_{\theta_{\mathrm{old}}}(o
\mid q)$, where $\pi_{\theta_{\mathrm{old}}}(\cdot \mid q)$ is meant.
"""

from collections.abc import Iterator, Mapping

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantage import size
from derivations.vojnovic_yun_2025.advantages_sum_to_zero import deviation, reward
from derivations.vojnovic_yun_2025.groups import group_of, member_reward, old_sums_to_one
from derivations.vojnovic_yun_2025.outputs import old, policy, sums_to_one
from derivations.vojnovic_yun_2025.stationary_by_enumeration import large_groups_beside_limit
from grpo_symbolic import (
    Claim,
    Oracle,
    Result,
    TermOfTotal,
    Total,
    claim,
    derive,
    eq,
    rational,
    real,
    tends_to,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions
from grpo_symbolic.grpo.enumeration import Context, Number

ONE = rational(1)
centre = real("m", "(-oo, oo)", "expected reward under the old policy")
variance = real("V", "[0, oo)", "variance of the reward under the old policy")


def sample_moments(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """Sample variance, expected by enumeration over groups of rewards 0, 1 and 3, beside the formula."""
    size_here = 2 + int(values["G"]) % 4
    first = values["V"] / (1 + values["V"]) / 2
    outcomes = [(context.zero, first), (context.one, context.one / 2 - first), (3 * context.one, context.one / 2)]
    centre_here = context.fsum(reward * chance for reward, chance in outcomes)
    true_variance = context.fsum(chance * (reward - centre_here) ** 2 for reward, chance in outcomes)
    expected = context.zero
    groups = [([], context.one)]
    for _ in range(size_here):
        groups = [([*drawn, reward], weight * chance) for drawn, weight in groups for reward, chance in outcomes]
    for drawn, weight in groups:
        middle = context.fsum(drawn) / size_here
        expected += weight * context.fsum((reward - middle) ** 2 for reward in drawn) / size_here
    return expected, (1 - context.one / size_here) * true_variance


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Sample moments, their limits, and the reward part."""
    yield from _moments()
    yield from _reward_part(given)


def _moments() -> Iterator[Claim]:
    """Sample mean and sample variance of independent rewards."""
    group = group_of(reward)
    mean = (old_sums_to_one, eq(centre, Total(old * reward)))
    given = (*mean, eq(variance, Total(old * (reward - centre) ** 2)))
    error = group.expectation((group.mean - centre) ** 2)
    yield claim(
        "vojnovic_yun_2025.large-groups.mean",
        "The sample mean is unbiased",
        derivation=derive(group.expectation(group.mean), "definition of the sample mean", given=mean)
        .eq(size * Total(old * reward) / size, "linearity: every member draws its reward from the old policy")
        .eq(centre, "the expected reward of an output is $m$"),
        equation="Section 2.1, limit of large group size",
    )
    squared = claim(
        "vojnovic_yun_2025.large-groups.mean-error",
        r"Its mean squared error is $V/G$: variances of independent rewards add",
        derivation=derive(error, "definition", given=given)
        .eq(group.expectation(Total(member_reward - centre) ** 2) / size**2, "a mean of deviations")
        .eq(size * variance / size**2, "members are independent: mixed products vanish, squares stay")
        .eq(variance / size, "cancel"),
        equation="Section 2.1, limit of large group size",
    )
    yield squared
    nonnegative = claim(
        "vojnovic_yun_2025.large-groups.mean-error.nonnegative",
        "It is not negative",
        derivation=derive(error, "mean squared error", given=given)
        .eq(variance / size, r"it is $V/G$", using=[squared])
        .ge(0, "a variance is not negative"),
    )
    yield nonnegative
    biased = claim(
        "vojnovic_yun_2025.large-groups.variance",
        r"The expected sample variance is $(1 - 1/G)\,V$",
        derivation=derive(group.expectation(group.variance), "definition of the sample variance", given=given)
        .eq(
            group.expectation(Total((member_reward - centre) ** 2) / size - (group.mean - centre) ** 2),
            "deviations from $m$ instead of the sample mean (`large-groups.sample-variance`)",
        )
        .eq(variance - error, "linearity of the expectation")
        .eq((1 - 1 / size) * variance, "put in the mean squared error", using=[squared]),
        equation="Section 2.1, limit of large group size",
        oracle=Oracle("enumerates groups of up to 5 rewards", sample_moments),
    )
    yield biased
    given = (*mean, eq(deviation**2, Total(old * (reward - centre) ** 2)))
    yield claim(
        "vojnovic_yun_2025.large-groups.mean-limit",
        "The mean squared error of the sample mean tends to 0",
        tends_to(error, 0, size, to=None, side="oo", constant=deviation**2),
        given=given,
        using=[made.at({variance: deviation**2}) for made in (squared, nonnegative)],
        equation="Section 2.1, limit of large group size",
    )
    yield claim(
        "vojnovic_yun_2025.large-groups.variance-limit",
        r"The expected sample variance tends to $\sigma^2$",
        tends_to(group.expectation(group.variance), deviation**2, size, to=None, side="oo", constant=deviation**2),
        given=given,
        using=[biased.at({variance: deviation**2})],
        equation="Section 2.1, limit of large group size",
    )


def _reward_part(given: Definitions) -> Iterator[Claim]:
    """The reward part at the limits of mean and standard deviation."""
    means = (sums_to_one, eq(centre, Total(old * reward)))
    limit = Total(policy * given.normalise(reward - centre, deviation**2))
    gain = (Total(policy * reward) - Total(old * reward)) / deviation
    yield claim(
        "vojnovic_yun_2025.large-groups.reward-part",
        "The reward part with mean and deviation at their limits",
        derivation=derive(limit, "Equation (6), the advantage at the limits of mean and deviation", given=means)
        .eq((Total(policy * reward) - centre * Total(policy)) / deviation, "split the sum")
        .eq((Total(policy * reward) - centre) / deviation, "the policy sums to 1")
        .eq(gain, "$m$ is the expected reward under the old policy"),
        equation="Section 2.1, limit of large group size",
        printed=paper.quote(
            "Section 2.1, limit of large group size",
            r"\mathcal{R}_\infty(\theta \mid q) = \frac{\mathbb{E}_{o \sim \pi_\theta}[r(o \mid q)]"
            r" - \mathbb{E}_{o \sim \pi_{\theta_{\mathrm{old}}}}[r(o \mid q)]}{\sigma(\pi_{\theta_{\mathrm{old}}})}",
            eq(limit, gain),
            given=means,
        ),
        oracle=Oracle(
            "extrapolates from groups of 20 and 40 over 3 outputs", large_groups_beside_limit, digits=2, points=4
        ),
    )
    no_more = claim(
        "vojnovic_yun_2025.large-groups.one-output",
        "One output contributes no more to the variance than all do",
        TermOfTotal(old * (reward - centre) ** 2),
    )
    yield no_more
    yield claim(
        "vojnovic_yun_2025.large-groups.bounded",
        r"So $(r(o) - m)^2\,\pi_{\theta_{\mathrm{old}}}(o) \leq V$",
        derivation=derive(
            old * (reward - centre) ** 2,
            "what one output contributes to the variance",
            given=[eq(Total(old * (reward - centre) ** 2), variance)],
        )
        .le(Total(old * (reward - centre) ** 2), "no more than all do", using=[no_more])
        .eq(variance, "definition of the variance"),
    )


limits = Result("The limit of large groups", paper, derivation)
