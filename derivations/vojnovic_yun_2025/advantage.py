r"""The advantage in a group: Equation (2) and its identities.

The pairwise form printed after Equation (2) is equivalent to it, as the paper says, for every group size $G$
(`eq2.pairwise`): the numerators agree, and half the mean squared difference of two rewards is their variance. The
advantages sum to 0 and, unless all rewards are equal, their squares to $G$ (`eq2.sum-of-squares`). So no advantage
exceeds $\sqrt{G-1}$ in absolute value (`eq2.bound`). A member that is better than $G-1$ equal ones attains this,
whatever the difference (`eq2.bound.attained`): the bound grows with the group, which matters for the limit of large
groups.

Shifting all rewards changes nothing, nor does scaling them by a positive factor (`eq2.invariant`). A negative factor
turns the sign (`eq2.negative-scale`), and 0 makes the rewards equal: then Equation (2) reads $0/0$, which the paper
defines to be 0.

A sum runs here over the members of a group, or over the other members where this is said.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.outputs import OUTPUTS
from grpo_symbolic import (
    Claim,
    Expression,
    Result,
    Summed,
    Total,
    both,
    claim,
    define,
    derive,
    eq,
    gt,
    lt,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions, group_advantage, mean
from grpo_symbolic.language.expression import Definition, Symbol

own = real("r_i", "(-oo, oo)", "reward of one member of a group", latex="r_i")
reward = real("r", "(-oo, oo)", "reward of a member of the group", latex="r_{index}", indexed=OUTPUTS)
size = real("G", "[2, oo)", "number of members of a group")
shift = real("c", "(-oo, oo)", "number added to all rewards")
scale = real("k", "(0, oo)", "factor by which all rewards are multiplied")
common = real("v", "(-oo, oo)", "reward of all other members")
squares = real(
    "q",
    "(-oo, oo)",
    "sum of the squared differences between a member's reward and all rewards",
    latex=r"q_{index}",
    indexed=OUTPUTS,
)
deviation = real("d", "(-oo, oo)", "deviation of one member's reward from the mean reward", latex="d_i")
share = real("a", "(-oo, oo)", "what each other member contributes to balancing the first one")
rest = real(
    "z",
    "(-oo, oo)",
    "deviation of another member, beyond its share of what balances the first one",
    latex=r"z_{index}",
    indexed=OUTPUTS,
)

ONE = rational(1)
members = eq(size, Total(ONE, OUTPUTS))
centre = Total(reward) / size
variance = Total((reward - centre) ** 2) / size
unequal = gt(Total((reward - centre) ** 2), 0)
#: The squared differences to all rewards, multiplied out.
expanded_squares = size * reward**2 - 2 * reward * Total(reward) + Total(reward**2)


def pairwise(rewards: tuple[Expression, ...], member: int) -> Expression:
    """The form that the paper prints after Equation (2), for an explicit group."""
    count = len(rewards)
    numerator = mean([rewards[member] - other for other in rewards])
    total = mean([mean([(first - second) ** 2 for second in rewards]) for first in rewards])
    return numerator / sqrt(total * count**2 / (2 * count**2))


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The pairwise form, invariance, and how large an advantage can be."""
    yield from _pairwise_form(given)
    yield from _invariance(given)
    yield from _size(given)


def _pairwise_form(given: Definitions) -> Iterator[Claim]:
    """Numerator and denominator of the form after Equation (2), for any group and for explicit ones."""
    numerator = claim(
        "vojnovic_yun_2025.eq2.numerator",
        "The deviation from the mean is the mean difference to all members",
        derivation=derive(Total(own - reward) / size, "mean difference to all members", given=[members])
        .eq((size * own - Total(reward)) / size, "sum term by term: the member's own reward stands there $G$ times")
        .eq(own - centre, "divide by $G$"),
        equation="Section 1, after Eq. (2)",
    )
    yield numerator
    inner = claim(
        "vojnovic_yun_2025.eq2.squares",
        "The squared differences to one number, multiplied out",
        derivation=derive(Total((own - reward) ** 2), "squared differences to one number", given=[members])
        .eq(Total(own**2 - 2 * own * reward + reward**2), "square each difference")
        .eq(size * own**2 - 2 * own * Total(reward) + Total(reward**2), "sum term by term"),
    )
    yield inner
    for_each = eq(squares, expanded_squares)
    summed = claim(
        "vojnovic_yun_2025.eq2.variance.sum",
        "The sum over all pairs, multiplied out",
        Summed(for_each, ONE, eq(Total(squares), 2 * size * Total(reward**2) - 2 * Total(reward) ** 2), ONE),
        given=[members],
    )
    yield summed
    double = claim(
        "vojnovic_yun_2025.eq2.variance",
        "Half the mean squared difference of two rewards is their variance",
        derivation=derive(
            Total(squares) / (2 * size**2), "half the mean squared difference of two rewards", given=[members, for_each]
        )
        .eq((2 * size * Total(reward**2) - 2 * Total(reward) ** 2) / (2 * size**2), "the double sum", using=[summed])
        .eq(Total(reward**2) / size - centre**2, "divide: a mean square less the square of the mean")
        .eq(variance, "which is the mean squared deviation"),
        equation="Section 1, after Eq. (2)",
    )
    yield double
    spread_of_pairs = Total(squares) / (2 * size**2)
    advantage = given.normalise(own - centre, variance)
    yield claim(
        "vojnovic_yun_2025.eq2.pairwise",
        "So the pairwise form is Equation (2), for every group size",
        derivation=derive(advantage, "Equation (2)", given=[members, unequal, eq(spread_of_pairs, variance)])
        .eq(Total(own - reward) / size / sqrt(variance), "the deviation as a mean difference", using=[numerator])
        .eq(Total(own - reward) / size / sqrt(spread_of_pairs), "the variance as half the mean squared difference"),
        equation="Section 1, after Eq. (2)",
        printed=paper.quote(
            "Section 1, after Eq. (2)",
            r"A_i = \frac{\frac{1}{G}\sum_{j=1}^G (r_i - r_j)}"
            r"{\sqrt{\frac{1}{2G^2} \sum_{j=1}^G \sum_{k=1}^G (r_j - r_k)^2}}",
            eq(advantage, Total(own - reward) / size / sqrt(spread_of_pairs)),
            given=(members, unequal, eq(spread_of_pairs, variance)),
        ),
    )
    for count in (2, 3, 4):
        rewards = tuple(
            real(f"r_{number}", "(-oo, oo)", f"reward of member {number}", latex=f"r_{number}")
            for number in range(1, count + 1)
        )
        yield claim(
            f"vojnovic_yun_2025.eq2.pairwise.{count}",
            f"The same for a group of {count}, with every term written out, if the last reward exceeds the first",
            derivation=derive(group_advantage(rewards, 0, given), "Equation (2)", given=[lt(rewards[0], rewards[-1])])
            .eq(
                mean([rewards[0] - other for other in rewards])
                / sqrt(mean([(reward_of - mean(rewards)) ** 2 for reward_of in rewards])),
                "the deviation as a mean difference",
            )
            .eq(pairwise(rewards, 0), "the variance as half the mean squared difference"),
        )


def _invariance(given: Definitions) -> Iterator[Claim]:
    """What a shift and a factor do to all rewards."""
    for sign, name, words in ((1, "invariant", "does not change"), (-1, "negative-scale", "changes the sign of")):
        factor = sign * scale if sign < 0 else scale
        moved = factor * reward + shift
        new_centre = Total(moved) / size
        new_variance = Total((moved - new_centre) ** 2) / size
        before = given.normalise(own - centre, variance)
        shifted = given.normalise(factor * (own - centre), Total((factor * (reward - centre)) ** 2) / size)
        kind = "positive" if sign > 0 else "negative"
        turned = Total((factor * (reward - centre)) ** 2) / size
        moves = claim(
            f"vojnovic_yun_2025.eq2.{name}.mean",
            f"A shift with a {kind} factor moves the mean in the same way",
            eq(new_centre, factor * centre + shift),
            given=[members],
        )
        varies = claim(
            f"vojnovic_yun_2025.eq2.{name}.variance",
            f"So the shift drops out of the variance of rewards with a {kind} factor",
            eq(new_variance, turned),
            given=[members],
            using=[moves],
        )
        scaled = claim(
            f"vojnovic_yun_2025.eq2.{name}.scaled",
            f"The variance is multiplied by the square of the {kind} factor",
            eq(turned, scale**2 * variance),
        )
        spread = claim(
            f"vojnovic_yun_2025.eq2.{name}.unequal",
            f"Rewards that are not all equal have a positive variance before a {kind} factor",
            gt(variance, 0),
            given=[unequal],
        )
        positive = claim(
            f"vojnovic_yun_2025.eq2.{name}.positive",
            f"So with a {kind} factor the variance remains positive",
            both(gt(turned, 0), gt(new_variance, 0)),
            given=[members, unequal],
            using=[scaled, spread, varies],
        )
        deviation_positive = claim(
            f"vojnovic_yun_2025.eq2.{name}.deviation",
            f"So with a {kind} factor does the standard deviation",
            both(gt(sqrt(turned), 0), gt(sqrt(new_variance), 0)),
            given=[members, unequal],
            using=[positive],
        )
        yield from (moves, varies, scaled, spread, positive, deviation_positive)
        yield claim(
            f"vojnovic_yun_2025.eq2.{name}",
            f"A shift with a {kind} factor {words} the advantages",
            derivation=derive(
                given.normalise(factor * own + shift - new_centre, new_variance),
                "Equation (2), for the new rewards",
                given=[members, unequal],
            )
            .eq(
                shifted,
                "the mean is moved in the same way, so the shift drops out of every deviation",
                using=[varies, positive, deviation_positive],
            )
            .eq(factor * (own - centre) / (scale * sqrt(variance)), "the root of a square is the factor's size")
            .eq(sign * before, "cancel it"),
            equation="Section 1, after Eq. (2)" if sign > 0 else None,
        )


def _size(given: Definitions) -> Iterator[Claim]:
    """The squares of the advantages, and the largest advantage."""
    standardised = given.normalise(reward - centre, variance)
    yield claim(
        "vojnovic_yun_2025.eq2.sum-of-squares",
        "Unless all rewards are equal, the squares of the advantages in a group sum to its size",
        derivation=derive(Total(standardised**2), "squares of the advantages", given=[members, unequal])
        .eq(Total((reward - centre) ** 2) / variance, "all are divided by the variance")
        .eq(size, "which is the mean of these squares"),
        beyond="gives the sum of all squared advantages",
    )
    yield claim(
        "vojnovic_yun_2025.eq2.covariance",
        "Rewards, weighted by the advantages, have the standard deviation as their mean",
        derivation=derive(Total(standardised * reward) / size, "rewards, weighted", given=[members, unequal])
        .eq(Total((reward - centre) * reward) / size / sqrt(variance), "all are divided by the deviation")
        .eq(variance / sqrt(variance), "deviations sum to 0, so the mean may be subtracted from the reward")
        .eq(sqrt(variance), "cancel"),
        beyond="the mean reward, weighted by the advantages, is the standard deviation",
    )
    # The other deviations sum to minus the first one; each is its share of this and a rest, and the rests sum to 0.
    others = size - 1
    total = (deviation**2 + Total((rest - share) ** 2)) / size
    balanced = (eq(others, Total(ONE, OUTPUTS)), eq(Total(rest), 0), eq(deviation, others * share))
    bound = derive(others * total - deviation**2, "the variance; the sum is over the other members", given=balanced).eq(
        others / size * Total(rest**2), "multiply out; the rests sum to 0"
    )
    largest = claim(
        "vojnovic_yun_2025.eq2.largest-deviation",
        r"A squared deviation is at most $G-1$ times the variance",
        derivation=bound.ge(0, "a sum of squares"),
        equation="Eq. (2)",
    )
    yield largest
    yield claim(
        "vojnovic_yun_2025.eq2.bound",
        r"No advantage exceeds $\sqrt{G-1}$ in absolute value",
        derivation=derive(
            given.normalise(deviation, total) ** 2, "square of an advantage", given=[*balanced, gt(total, 0)]
        )
        .eq(deviation**2 / total, "the root of the variance, squared")
        .le(others * total / total, "a squared deviation is at most $G-1$ times the variance", using=[largest])
        .eq(others, "cancel"),
        beyond="bounds every advantage; eq2.bound.attained shows that the bound is sharp",
    )
    alone = (own + others * common) / size
    its_variance = ((own - alone) ** 2 + others * (common - alone) ** 2) / size
    yield claim(
        "vojnovic_yun_2025.eq2.bound.attained",
        r"A member that is better than $G-1$ equal ones has the advantage $\sqrt{G-1}$",
        derivation=derive(given.normalise(own - alone, its_variance), "Equation (2)", given=[gt(own, common)])
        .eq(
            others * (own - common) / size / sqrt(others * ((own - common) / size) ** 2),
            "put in mean and variance",
        )
        .eq(others / sqrt(others), "cancel the difference of the rewards")
        .eq(sqrt(others), "divide"),
    )


def advantage_of_first(members: int) -> Definition:
    """A name for the advantage of the first member of a group."""
    rewards = _rewards(members)
    return define(f"A_{members}", rewards, group_advantage(rewards, 0))


def _rewards(members: int) -> tuple[Symbol, ...]:
    return tuple(real(letter, "(-oo, oo)", "reward of a member") for letter in "abcd"[:members])


def names() -> Iterator[Definition]:
    """Mean and variance of the rewards of a group, and both forms of the advantage in small groups."""
    yield define("mean", (), centre, latex=r"\bar r")
    yield define("V", (), variance)
    for members in (2, 3, 4):
        yield advantage_of_first(members)
        yield define(f"B_{members}", _rewards(members), pairwise(_rewards(members), 0))


identities = Result("The advantage and its identities", paper, derivation, shorthands=names)
