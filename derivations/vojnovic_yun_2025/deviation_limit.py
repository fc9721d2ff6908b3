r"""The standard deviation of a large group, and a rate at which it tends to $\sigma$ (`large-groups.deviation-limit`).

Section 2.1 takes the limit $\operatorname{std}(r_1, \dots, r_G) \to \sigma$ from the law of large numbers. Here is what
it rests on, with a rate. Let $m$ and $\sigma^2 > 0$ be mean and variance of a reward, and $\tau > 0$ the variance of
$(r - m)^2$. The sample variance misses $\frac1G \sum_i (r_i - m)^2$ by the squared error of the sample mean. This mean
has the expectation $\sigma^2$ and the variance $\tau/G$ (`large-groups.squares.mean`,
`large-groups.squares.variance`), and the squared error the expectation $\sigma^2/G$ (`large-groups.mean-error`). A
deviation misses $\sigma$ by no more than its square misses $\sigma^2$, divided by $\sigma$. Together
(`large-groups.deviation.expected`)
$$\mathbb{E}\,|\operatorname{std}(r_1, \dots, r_G) - \sigma| \leq
\frac{1}{\sigma}\left(\sqrt{\frac{\tau}{G}} + \frac{\sigma^2}{G}\right).$$
The limit holds in expectation
(`large-groups.deviation.expected`, `large-groups.deviation-limit`), hence in probability; that it holds almost surely
as well is not shown.

A sum with the weights $w$ runs over groups, a sum without them over the members of one.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantages_sum_to_zero import centre, deviation, reward, size
from derivations.vojnovic_yun_2025.groups import group_of, member_reward, old_sums_to_one
from derivations.vojnovic_yun_2025.outputs import OUTPUTS, old
from grpo_symbolic import (
    Claim,
    Gap,
    IndexSet,
    Oracle,
    Result,
    Summed,
    Total,
    absolute,
    claim,
    derive,
    either,
    eq,
    le,
    rational,
    real,
    sqrt,
    tends_to,
)
from grpo_symbolic.grpo.enumeration import Context, Number
from grpo_symbolic.language.statement import Statement

ONE, HALF = rational(1), Fraction(1, 2)
sample = real("s", "[0, oo)", "standard deviation of the rewards of a group", latex="s")
middle = real("c", "(-oo, oo)", "sample mean of a group", latex=r"\bar r")
#: What means over groups run over.
GROUPS = IndexSet("group", "groups", "g")
weight = real("w", "(0, 1]", "probability of a group", latex="w_{index}", indexed=GROUPS)
distance = real(
    "d", "[0, oo)", "distance of its standard deviation from that of a reward", latex="d_{index}", indexed=GROUPS
)
surplus = real(
    "u", "[0, oo)", "distance of the mean of $(r_i - m)^2$ from its expectation", latex="u_{index}", indexed=GROUPS
)
error = real("e", "[0, oo)", "squared error of its sample mean", latex="e_{index}", indexed=GROUPS)
root = real("R", "(0, oo)", "root of the mean square of $u$")
fourth = real("tau", "(0, oo)", "variance of the squared deviation of a reward", latex=r"\tau")
bound = (sqrt(fourth / size) + deviation**2 / size) / deviation


def distance_by_enumeration(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The expected distance, over all groups of up to 6 rewards 0, 1 and 3, beside the bound."""
    members = 2 + int(values["G"]) % 5
    first = values["sigma"] / (1 + values["sigma"]) / 2
    outcomes = [(context.zero, first), (context.one, context.one / 2 - first), (3 * context.one, context.one / 2)]
    middle_here = context.fsum(value * chance for value, chance in outcomes)
    squares = [((value - middle_here) ** 2, chance) for value, chance in outcomes]
    variance = context.fsum(square * chance for square, chance in squares)
    spread = context.fsum((square - variance) ** 2 * chance for square, chance in squares)
    expected = context.zero
    for group in product(outcomes, repeat=members):
        mean = context.fsum(value for value, _ in group) / members
        found = context.sqrt(context.fsum((value - mean) ** 2 for value, _ in group) / members)
        expected += prod(chance for _, chance in group) * abs(found - context.sqrt(variance))
    return expected, (context.sqrt(spread / members) + variance / members) / context.sqrt(variance)


def derivation() -> Iterator[Claim]:
    """What is drawn in a group, the distance in one, in all, and the limit."""
    yield from mean_of_squares()
    yield from one_group()
    *before, expected = all_groups()
    yield from before
    yield expected
    constant = (sqrt(fourth) + deviation**2) / deviation
    rate = claim(
        "vojnovic_yun_2025.large-groups.deviation-rate",
        "The bound falls at least like the inverse root of the group size",
        derivation=derive(bound, "the bound")
        .eq((sqrt(fourth) / sqrt(size) + deviation**2 / size) / deviation, "the root of a quotient")
        .le(constant * sqrt(1 / size), r"$1/G \leq 1/\sqrt{G}$"),
    )
    yield rate
    yield claim(
        "vojnovic_yun_2025.large-groups.deviation.expected-rate",
        r"So the expected distance of the standard deviation from $\sigma$ falls at least like that",
        derivation=derive(Total(weight * distance), "the mean distance", given=of_groups())
        .le(bound, "the bound", using=[expected])
        .le(constant * sqrt(1 / size), "which falls at least like the inverse root of the group size", using=[rate]),
    )
    yield claim(
        "vojnovic_yun_2025.large-groups.deviation-limit",
        "So this bound on the distance tends to 0",
        tends_to(bound, 0, size, to=None, side="oo", constant=constant, exponent=HALF),
        using=[rate],
        equation="Section 2.1, limit of large group size",
        beyond="gives the limit of the standard deviation a rate",
        fills=[
            Gap(
                "Section 2.1, limit of large groups",
                "the law of large numbers is about means, and is used of a standard deviation",
            ),
        ],
    )


def mean_of_squares() -> Iterator[Claim]:
    """What is drawn in a group: the mean of the squared deviations from the expected reward."""
    group = group_of(reward)
    squares, known = (member_reward - centre) ** 2, (old_sums_to_one, eq(centre, Total(old * reward)))
    moments = (*known, eq(deviation**2, Total(old * (reward - centre) ** 2)))
    yield claim(
        "vojnovic_yun_2025.large-groups.squares.mean",
        r"The mean of $(r_i - m)^2$ over a group has the expectation $\sigma^2$",
        derivation=derive(group.expectation(Total(squares) / size), "definition", given=moments)
        .eq(size * Total(old * (reward - centre) ** 2) / size, "linearity: every member draws from the old policy")
        .eq(deviation**2, "definition of the variance"),
        equation="Section 2.1, limit of large group size",
    )
    around = squares - deviation**2
    yield claim(
        "vojnovic_yun_2025.large-groups.squares.variance",
        r"Its variance is $\tau/G$: variances of independent numbers add",
        derivation=derive(
            group.expectation((Total(squares) / size - deviation**2) ** 2),
            "definition",
            given=(*moments, eq(fourth, Total(old * ((reward - centre) ** 2 - deviation**2) ** 2))),
        )
        .eq(group.expectation(Total(around) ** 2) / size**2, "a mean of differences")
        .eq(size * fourth / size**2, "members are independent: mixed products vanish, squares stay")
        .eq(fourth / size, "cancel"),
        equation="Section 2.1, limit of large group size",
    )


def one_group() -> Iterator[Claim]:
    """The distance of the standard deviation in terms of the square's."""
    off = middle - centre
    around = Total((reward - centre) ** 2) / size
    yield claim(
        "vojnovic_yun_2025.large-groups.sample-variance",
        "The sample variance is the mean of $(r_i - m)^2$ less the squared error of the sample mean",
        derivation=derive(
            Total((reward - middle) ** 2) / size,
            "definition of the sample variance",
            given=[eq(size, Total(ONE, OUTPUTS)), eq(middle, Total(reward) / size)],
        )
        .eq(Total((reward - centre - off) ** 2) / size, "measure every deviation from $m$")
        .eq(around - 2 * off * (Total(reward - centre) / size) + off**2, "multiply out and sum")
        .eq(around - 2 * off * off + off**2, r"the mean deviation from $m$ is $\bar r - m$")
        .eq(around - off**2, "collect"),
        equation="Section 2.1, limit of large group size",
    )
    nearer = claim(
        "vojnovic_yun_2025.large-groups.deviation",
        r"A deviation misses $\sigma$ by no more than its square misses $\sigma^2$, divided by $\sigma$",
        derivation=derive(absolute(sample - deviation), "distance of the deviations")
        .eq(absolute(sample**2 - deviation**2) / (sample + deviation), "the squares differ by sum times difference")
        .le(absolute(sample**2 - deviation**2) / deviation, "a deviation is not negative"),
        equation="Section 2.1, limit of large group size",
    )
    yield nearer
    difference = sample**2 - deviation**2
    yield claim(
        "vojnovic_yun_2025.large-groups.deviation.one-group",
        "So in one group",
        derivation=derive(
            distance,
            r"distance of the deviations; $s^2 - \sigma^2$ is $u - e$ or $-u - e$ (`large-groups.sample-variance`)",
            given=[
                eq(distance, absolute(sample - deviation)),
                either(eq(difference, surplus - error), eq(difference, -surplus - error)),
            ],
        )
        .le(absolute(difference) / deviation, "in terms of the squares", using=[nearer])
        .le((surplus + error) / deviation, "the absolute value of a difference of two numbers that are not negative"),
    )


def of_groups() -> tuple[Statement, ...]:
    """What is known of every group and of the means over all of them."""
    return (
        le(distance, (surplus + error) / deviation),
        eq(Total(weight), 1),
        eq(Total(weight * surplus**2), fourth / size),
        eq(Total(weight * error), deviation**2 / size),
    )


def all_groups() -> Iterator[Claim]:
    """The expected distance."""
    within, *_ = of_groups()
    off, spread, missed = Total(weight * distance), Total(weight * surplus), Total(weight * error)
    averaged = claim(
        "vojnovic_yun_2025.large-groups.deviation.mean",
        "And on average over all groups",
        Summed(within, weight, le(off, (spread + missed) / deviation), ONE),
    )
    yield averaged
    square = le(surplus, (surplus**2 / root + root) / 2)
    pointwise = claim(
        "vojnovic_yun_2025.large-groups.mean-distance.summand",
        "The geometric mean is at most the arithmetic one",
        square,
    )
    yield pointwise
    moments = (eq(Total(weight), 1), eq(Total(weight * surplus**2), root**2))
    cauchy = claim(
        "vojnovic_yun_2025.large-groups.mean-distance",
        "So a mean is at most the root of the mean square",
        Summed(square, weight, le(spread, root), ONE),
        given=moments,
        using=[pointwise],
    )
    yield cauchy
    at_root = {root: sqrt(fourth / size)}
    yield claim(
        "vojnovic_yun_2025.large-groups.deviation.expected",
        r"The expected distance of the standard deviation from $\sigma$",
        derivation=derive(
            off,
            "the mean distance",
            given=of_groups(),
        )
        .le((spread + missed) / deviation, "on average over all groups", using=[averaged])
        .le(
            bound, "the mean is at most the root of the mean square", using=[pointwise.at(at_root), cauchy.at(at_root)]
        ),
        equation="Section 2.1, limit of large group size",
        oracle=Oracle("enumerates groups of up to 6 rewards", distance_by_enumeration, relation="<="),
    )


limit = Result("The standard deviation of a large group", paper, derivation)
