r"""The mean advantage is 0, and Equations (12) and (13).

Advantages in a group sum to 0 whatever the rewards are, if not all are equal (`advantages-sum-to-zero`). On-policy the
members of a group are drawn from the same policy, so each has the same expected advantage, and $G$ times it is 0
(`exchangeability`). This is assumed here, and compared with an enumeration of groups of up to 4. Hence the expectation
that Equation (11) subtracts, $S = \mathbb{E}_{o' \sim \pi_\theta}[\mathcal{P}_G(o')]$, vanishes for every group size
(`mean-advantage`): a simplification that the paper does not note. With $R$ in the place of their leading 1, Equations
(12) and (13) say that the policy is stationary on the outputs that it gives (`eq12`, `eq13`): put in the advantage for
groups of two and for the limit of large groups, and $S = 0$. Equation (13) divides by the standard deviation $\sigma$
of the reward and needs $\sigma > 0$.
"""

from collections.abc import Iterator, Mapping

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.equations_by_brute_force import equation_12_beside_slope, equation_13_beside_slope
from derivations.vojnovic_yun_2025.kkt_conditions import (
    equation_11,
    kkt,
    multiplier,
    multiplier_value,
    on_policy_gradient,
)
from derivations.vojnovic_yun_2025.outputs import (
    OUTPUTS,
    average,
    beta,
    covered,
    policy,
    preference,
    reference,
    sums_to_one,
)
from grpo_symbolic import (
    Claim,
    Expression,
    Gap,
    Oracle,
    Result,
    Summed,
    Total,
    absolute,
    both,
    claim,
    define,
    derive,
    eq,
    gt,
    implies,
    lt,
    ne,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions, group_advantage
from grpo_symbolic.grpo.enumeration import Context, Number, group_preference
from grpo_symbolic.language.expression import Definition

first = real("r_1", "(-oo, oo)", "reward of the first member of a pair")
second = real("r_2", "(-oo, oo)", "reward of the second member of a pair")
reward = real(
    "r", "(-oo, oo)", "reward of a member, or expected reward of an output", latex="r({index})", indexed=OUTPUTS
)
centre = real("m", "(-oo, oo)", "mean reward")
deviation = real("sigma", "(0, oo)", "standard deviation of the reward", latex=r"\sigma")
size = real("G", "[2, oo)", "number of members of a group")
win = real(
    "win",
    "[0, 1]",
    "probability that the output's reward r exceeds the reward r' of the other",
    latex=r"\mathbb{P}[r > r']",
)
lose = real(
    "lose",
    "[0, 1]",
    "probability that the output's reward r is below the reward r' of the other",
    latex=r"\mathbb{P}[r < r']",
)
this = real("pi_1", "(0, 1]", "probability of an output", latex=r"\pi_\theta(o \mid q)")
won, lost = (
    real(name, "[0, 1]", meaning, latex=latex, indexed=OUTPUTS)
    for name, meaning, latex in (
        ("won", "probability that a reward of an output is larger than one of the policy", r"w({index})"),
        ("lost", "probability that a reward of an output is smaller than one of the policy", r"l({index})"),
    )
)
other = real("pi_2", "(0, 1]", "probability of another output", latex=r"\pi_\theta(o' \mid q)")


def mean_by_enumeration(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The mean advantage of a policy over three outputs, one of them with a random reward, beside 0."""
    members = 2 + int(values["G"]) % 3
    shift = values["S"] / 7
    policy = [context.mpf(share) / 10 for share in (2, 3, 5)]
    half = context.mpf(1) / 2
    rewards = [[(shift, context.one)], [(1 + shift, context.one)], [(shift, half), (shift**2 - 1, half)]]
    preferences = group_preference(policy, rewards, members, context)
    return context.fsum(p * value for p, value in zip(policy, preferences, strict=True)), context.zero


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The sign rule for pairs, the three sums that vanish, and Equation (11) with them."""
    ours, theirs = (group_advantage([first, second], member, given) for member in (0, 1))
    signs = both(
        implies(gt(first, second), both(eq(ours, 1), eq(theirs, -1))),
        implies(lt(first, second), both(eq(ours, -1), eq(theirs, 1))),
    )
    quotients = [
        claim(
            f"vojnovic_yun_2025.pair-advantage.{name}",
            f"The advantage of the {name} member of a pair is a difference over its absolute value",
            derivation=derive(advantage, "reward minus mean, over the deviation", given=[ne(first, second)])
            .eq((own - its) / 2 / sqrt((first - second) ** 2 / 4), "each deviates by half the difference")
            .eq((own - its) / absolute(first - second), "the root of a square"),
        )
        for name, advantage, own, its in (("first", ours, first, second), ("second", theirs, second, first))
    ]
    yield from quotients
    pair_advantage = claim(
        "vojnovic_yun_2025.pair-advantage",
        "In a pair with different rewards the advantage is the sign of their difference",
        signs,
        using=quotients,
        equation="Section 2.1, groups of size two",
        printed=paper.quote(
            "Section 2.1, groups of size two",
            r"A_i = \operatorname{sign}(r_i - r_j) \text{ and } A_j = -A_i",
            signs,
        ),
    )
    yield pair_advantage

    group = (eq(size, Total(rational(1), OUTPUTS)), eq(centre, Total(reward) / size))
    yield claim(
        "vojnovic_yun_2025.advantages-sum-to-zero",
        "The advantages in a group sum to 0",
        derivation=derive(Total(given.normalise(reward - centre, deviation**2)), "Equation (2)", given=group)
        .eq(Total(reward - centre) / deviation, "all are divided by the same deviation")
        .eq((Total(reward) - size * centre) / deviation, "sum term by term")
        .eq(0, r"$G$ times the mean is the sum"),
        equation="Eq. (2)",
    )
    same_expectation = claim(
        "vojnovic_yun_2025.exchangeability",
        "All members of a group have the same expected advantage, so $G$ times it is the expectation of their sum",
        eq(size * average, 0),
        assumed=True,
        oracle=Oracle("enumerates all groups of up to 4 over 3 outputs with random rewards", mean_by_enumeration),
    )
    yield same_expectation
    yield claim(
        "vojnovic_yun_2025.mean-advantage",
        "So the mean advantage is 0 on-policy, for every group size",
        eq(average, 0),
        using=[same_expectation],
        beyond="the expectation that Equation (11) subtracts vanishes for every group size",
    )
    yield claim(
        "vojnovic_yun_2025.mean-advantage.pairs",
        "For groups of two the terms of each pair of outputs cancel",
        derivation=derive(
            this * other * (win - lose) + other * this * (lose - win), "the two terms of $S$ with $o$ and $o'$"
        )
        .eq(this * other * (win - lose + (lose - win)), "take out both probabilities")
        .eq(rational(0), "the one wins where the other loses"),
        fills=[
            Gap(
                "Section 2.3, from Eq. (11) to Eq. (12)",
                "that the mean advantage is 0 on-policy is used and not said",
            ),
        ],
    )
    large = given.normalise(reward - centre, deviation**2)
    yield claim(
        "vojnovic_yun_2025.mean-advantage.large-groups",
        "In the limit of large groups the mean advantage is 0 by the definition of the mean reward",
        derivation=derive(
            Total(policy * large), "mean advantage", given=(sums_to_one, eq(centre, Total(policy * reward)))
        )
        .eq((Total(policy * reward) - centre * Total(policy)) / deviation, "split the sum")
        .eq(0, "the policy sums to 1 and has the mean reward $m$"),
        fills=[
            Gap(
                "Section 2.3, from Eq. (11) to Eq. (13)",
                "that the mean advantage is 0 on-policy is used and not said",
            ),
        ],
    )
    yield from _vanishing_means(large)
    yield from _equations_12_and_13(win * ours + lose * theirs, large, pair_advantage, on_policy_gradient(given))


def _vanishing_means(large: Expression) -> Iterator[Claim]:
    """What Equations (12) and (13) take from these sums: the number that Equation (11) subtracts is 0."""
    mean = eq(average, Total(policy * preference))
    yield claim(
        "vojnovic_yun_2025.mean-advantage.pairs.vanishes",
        "So for groups of two the mean advantage is 0, since wins and losses are equally likely",
        Summed(eq(preference, won - lost), policy, eq(average, 0), rational(1)),
        given=(mean, eq(Total(policy * won), Total(policy * lost))),
    )
    yield claim(
        "vojnovic_yun_2025.mean-advantage.large-groups.vanishes",
        "And so it is in the limit of large groups",
        Summed(eq(preference, large), policy, eq(average, 0), rational(1)),
        given=(mean, sums_to_one, eq(centre, Total(policy * reward))),
    )


def _equations_12_and_13(
    paired: Expression, large: Expression, pair_advantage: Claim, gradient: Expression
) -> Iterator[Claim]:
    """Stationarity for groups of two and for large groups; each printed form is judged given the printed (11)."""
    stationary = eq(gradient, multiplier)
    balanced, converse = eq(multiplier, multiplier_value()), kkt.claim("eq11.converse")
    general = equation_11(preference - average, covered)
    printed = equation_11(preference - average)
    pairs = (eq(preference, win * 1 + lose * -1), eq(average, 0))
    drawn = (gt(first, second), eq(preference, paired), eq(average, 0))
    yield claim(
        "vojnovic_yun_2025.eq12",
        "Groups of two: Equation (12), with $R$ in the place of its leading 1",
        derivation=derive(stationary, "stationarity, with its multiplier", given=(balanced, *drawn))
        .iff(general, "Equation (11), and its converse", using=[converse])
        .iff(
            equation_11(win - lose, covered),
            "the advantage is 1 for a win and $-1$ for a loss; the mean is 0",
            using=[pair_advantage],
        ),
        equation="Eq. (12)",
        printed=paper.quote(
            "Eq. (12)",
            r"\left(1 - \frac{\mathbb{P}[r > r' \mid o] - \mathbb{P}[r < r' \mid o]}{\beta}\right)"
            r" \pi_\theta(o \mid q) = \pi_{\mathrm{ref}}(o \mid q)",
            equation_11(win - lose),
            given=(*pairs, printed),
        ),
        oracle=Oracle(
            "the slope of the true objective for pairs of 3 outputs with random rewards, at a policy that satisfies "
            "Equation (12) with wins counted one by one",
            equation_12_beside_slope,
        ),
        paper_uses=["eq11"],
    )
    limit = (eq(preference, large), eq(average, 0))
    yield claim(
        "vojnovic_yun_2025.eq13",
        "Large groups: Equation (13), with $R$ in the place of its leading 1",
        derivation=derive(stationary, "stationarity, with its multiplier", given=(balanced, *limit))
        .iff(general, "Equation (11), and its converse", using=[converse])
        .iff(
            eq((covered - (reward - centre) / (beta * deviation)) * policy, reference),
            r"the advantage is $(r - m)/\sigma$; the mean is 0",
        ),
        equation="Eq. (13)",
        printed=paper.quote(
            "Eq. (13)",
            r"\left(1 - \frac{r(o \mid q) - \mathbb{E}_{o' \sim \pi_\theta}[r(o' \mid q)]}{\beta \sigma}\right)"
            r" \pi_\theta(o \mid q) = \pi_{\mathrm{ref}}(o \mid q)",
            eq((1 - (reward - centre) / (beta * deviation)) * policy, reference),
            given=(*limit, printed),
        ),
        oracle=Oracle(
            "the slope of the true objective, extrapolated from groups of 24, 48 and 96 over 3 outputs, at a policy "
            "that satisfies Equation (13)",
            equation_13_beside_slope,
            digits=2,
            points=4,
        ),
        paper_uses=["eq11"],
    )


def names() -> Iterator[Definition]:
    """The advantages of both members of a pair."""
    for member in (0, 1):
        advantage = group_advantage([first, second], member)
        yield define(f"A_{member + 1}", (), advantage, latex=f"A_{member + 1}")


zero_mean = Result("The mean advantage is zero", paper, derivation, shorthands=names)
