r"""How far expected advantages in large groups are from their limits, for any rewards (`advantage-limit.preference`).

Section 2.1 puts the limits of mean and deviation into the advantage. Let $m$, $\sigma > 0$ and $\kappa$ be mean,
standard deviation and kurtosis of a reward, and $\bar r$ and $s$ mean and standard deviation in a group. An advantage
with $A s = r - \bar r$, which leaves open what $A$ is where $s = 0$, misses $(r - \bar r)/\sigma$ by
$|A|\,|\sigma - s|/\sigma$, so by no more than $|A|\,|s^2 - \sigma^2|/\sigma^2$ (`advantage-limit.one-group`). The
squares of the advantages in a group sum to $G$ where $s > 0$ (`eq2.sum-of-squares`); where $s = 0$ they must not sum to
more, as they do not if they are 0. If every member's has the same expectation, this is at most 1
(`advantage-limit.squares`). The group gives
$\mathbb{E}(s^2 - \sigma^2)^2 \leq \kappa\sigma^4/G$ (`advantage-limit.variance-error`) and
$\mathbb{E}(\bar r - m)^2 = \sigma^2/G$ (`large-groups.mean-error`). Together (`advantage-limit.preference`)
$$\sum_o \pi_{\theta_{\mathrm{old}}}(o)\left|\mathcal{P}_G(o) - \frac{r(o) - m}{\sigma}\right|
\leq \frac{\sqrt\kappa + 1}{\sqrt G}.$$

Notation: a group is here a member's output $o$ beside a choice $h$ of the others, which has the probability $w(h)$. A
mean over groups is a sum over both (`advantage-limit.mean`); what the group gives of the mean squares is given here
under these letters (`advantage-limit.expected`). Where rewards are random, $o$ is an output together with one of its
rewards.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantages_sum_to_zero import centre, deviation, reward, size
from derivations.vojnovic_yun_2025.groups import MEMBERS, group_of, member_reward, old_sums_to_one
from derivations.vojnovic_yun_2025.outputs import (
    OUTPUTS,
    old,
    preference,
)
from derivations.vojnovic_yun_2025.reward_by_enumeration import policies
from derivations.vojnovic_yun_2025.stationary_by_enumeration import preference_by_counts
from grpo_symbolic import (
    Claim,
    Expression,
    IndexSet,
    Oracle,
    Result,
    Summed,
    Symbol,
    Total,
    absolute,
    claim,
    derive,
    eq,
    ge,
    le,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.enumeration import Context, Number
from grpo_symbolic.language.expression import substitute
from grpo_symbolic.language.statement import Statement

PLACE = "Section 2.1, limit of large group size"
ONE, HALF = rational(1), Fraction(1, 2)
#: All that the other members of a group may have drawn.
OTHERS = IndexSet("choice of the others", "choices of the others", "h")
GROUPS = IndexSet("group", "groups", "g")


def _beside(name: str, domain: str, meaning: str, latex: str) -> Symbol:
    """What depends on an output and on what the other members of its group have drawn."""
    return real(name, domain, meaning, latex=latex + r"({index}, {second})", indexed=(OUTPUTS, OTHERS))


chance = real("w", "(0, 1]", "probability of a choice of the others", latex="w({index})", indexed=OTHERS)
advantage = _beside("A", "(-oo, oo)", "advantage of an output beside a choice of the others", "A")
middle = _beside("c", "(-oo, oo)", "mean reward of an output and a choice of the others", r"\bar r")
spread = _beside("s", "[0, oo)", "standard deviation of these rewards", "s")
distance = _beside("d", "[0, oo)", "distance of the advantage from its limit", "d")
missed = real("D", "[0, oo)", "distance of the expected advantage from its limit", latex="D({index})", indexed=OUTPUTS)
kurtosis = real("kappa", "(0, oo)", "kurtosis of the reward", latex=r"\kappa")
a = real("a", "(0, oo)", "any positive number")
b = real("b", "(0, oo)", "any other positive number")
first, second, third = (real(f"m_{number}", "(-oo, oo)", "a mean square", latex=f"m_{number}") for number in (1, 2, 3))
most, exact = (real(name, "(0, oo)", f"{words} of a mean square") for name, words in (("k", "bound"), ("n", "value")))
x, y = (real(name, "[0, oo)", "any number that is not negative") for name in "xy")
of_group = real("u", "(0, 1]", "probability of a group", latex="u({index})", indexed=GROUPS)
of_member = real(
    "A_member", "(-oo, oo)", "advantage of a member of a group", latex="A({index}, {second})", indexed=(GROUPS, MEMBERS)
)
square = real(
    "A_squared", "[0, oo)", "expected squared advantage of a member, the same for all", latex=r"\overline{A^2}"
)

variance = deviation**2
limit = (reward - centre) / deviation
off, error = (spread**2 - variance) / variance, (middle - centre) / deviation
bound = (sqrt(kurtosis) + 1) / sqrt(size)
others_sum_to_one = eq(Total(chance), 1)


def given_output(body: Expression) -> Expression:
    """The expectation over the other members, given the output of one."""
    return Total(chance * body, OTHERS)


def expected(body: Expression) -> Expression:
    """The expectation over groups."""
    return Total(old * given_output(body), OUTPUTS)


def distance_by_enumeration(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """How far the expected advantages of three outputs are from their limits in groups of up to 8, and the bound."""
    _, shares = policies(values, context)
    rewards, members = [context.zero, context.one, 3 * context.one], 2 + int(values["G"]) % 7
    mean = context.fdot(shares, rewards)
    second, fourth = (context.fdot(shares, [(value - mean) ** power for value in rewards]) for power in (2, 4))
    distances = [
        abs(preference_by_counts(shares, rewards, members, context, output) - (value - mean) / context.sqrt(second))
        for output, value in enumerate(rewards)
    ]
    return context.fdot(shares, distances), (context.sqrt(fourth) / second + 1) / context.sqrt(members)


def derivation() -> Iterator[Claim]:
    """The moments of a group, one group, all groups, and the expected advantage."""
    yield from _moments()
    pointwise = tuple(_one_group())
    yield from pointwise
    yield from _squares()
    yield from _all_groups(pointwise[-1])


def _moments() -> Iterator[Claim]:
    """The mean squared error of the variance in a group, computed from the group."""
    group, fourth = group_of(reward), (reward - centre) ** 4
    moments = (
        old_sums_to_one,
        eq(centre, Total(old * reward)),
        eq(variance, Total(old * (reward - centre) ** 2)),
        eq(kurtosis * variance**2, Total(old * fourth)),
    )
    tangent = ge(fourth, 2 * variance * (reward - centre) ** 2 - variance**2)
    above = claim(
        "vojnovic_yun_2025.advantage-limit.kurtosis.summand",
        "A square is not below its tangent",
        derivation=derive(
            fourth - (2 * variance * (reward - centre) ** 2 - variance**2), "a fourth power less its tangent"
        )
        .eq(((reward - centre) ** 2 - variance) ** 2, "collect a square")
        .ge(0, "a square"),
    )
    yield above
    least = claim(
        "vojnovic_yun_2025.advantage-limit.kurtosis",
        "So the kurtosis is at least 1",
        Summed(tangent, old, ge(kurtosis, 1), variance**2),
        given=moments,
        using=[above],
    )
    yield least
    around = Total((member_reward - centre) ** 2) / size - (group.mean - centre) ** 2
    exact = ((size - 1) ** 2 * kurtosis - (size**2 - 5 * size + 3)) * variance**2 / size**3
    yield claim(
        "vojnovic_yun_2025.advantage-limit.variance-error",
        r"The mean squared error of the variance in a group is at most $\kappa\sigma^4/G$",
        derivation=derive(group.expectation((group.variance - variance) ** 2), "definition", given=(*moments, tangent))
        .eq(
            group.expectation((around - variance) ** 2),
            "deviations from $m$ instead of the sample mean (`large-groups.sample-variance`)",
        )
        .eq(
            group.expectation(around**2) - 2 * variance * group.expectation(around) + variance**2,
            "multiply out; the expectation is linear",
        )
        .eq(
            group.expectation(around**2) - 2 * variance * (1 - 1 / size) * variance + variance**2,
            "the expected variance of a group (`large-groups.variance`)",
        )
        .eq(exact, "members are independent: a product with the first power of a deviation vanishes; collect")
        .le(
            kurtosis * variance**2 / size,
            r"as $\kappa \geq 1$, $(2G - 1)\kappa + G^2 - 5G + 3 \geq (G - 1)(G - 2) \geq 0$",
            using=[least],
        ),
        equation=PLACE,
        beyond="how far the variance of a group is from that of a reward, in mean square",
    )


def _one_group() -> Iterator[Claim]:
    """The advantage in one group, and what averages can be taken of."""
    definition = eq(advantage * spread, reward - middle)
    nearer = claim(
        "vojnovic_yun_2025.advantage-limit.one-group",
        r"Where $A s = r - \bar r$, the advantage misses $(r - \bar r)/\sigma$ by at most "
        r"$|A|\,|s^2 - \sigma^2|/\sigma^2$",
        derivation=derive(
            absolute(advantage - (reward - middle) / deviation), "distance in one group", given=[definition]
        )
        .eq(absolute(advantage) * absolute(spread - deviation) / deviation, r"$r - \bar r$ is $A s$")
        .le(absolute(advantage) * absolute(off), r"$\sigma(\sigma + s) \geq \sigma^2$"),
        equation=PLACE,
    )
    yield nearer
    product = claim(
        "vojnovic_yun_2025.advantage-limit.product",
        "Twice a product is at most a sum of weighted squares",
        derivation=derive((a * x**2 + y**2 / a) / 2 - x * y, "half the squares less the product")
        .eq((a * x - y) ** 2 / (2 * a), "collect a square")
        .ge(0, "a square"),
    )
    yield product
    yield claim(
        "vojnovic_yun_2025.advantage-limit.one-group.squares",
        "In terms of squares, for any positive $a$ and $b$",
        derivation=derive(
            distance, "distance from the limit", given=[definition, eq(distance, absolute(advantage - limit))]
        )
        .eq(absolute(advantage - limit), "definition")
        .le(absolute(advantage - (reward - middle) / deviation) + absolute(error), "triangle inequality")
        .le(absolute(advantage) * absolute(off) + absolute(error), "in one group", using=[nearer])
        .le(
            (a * absolute(advantage) ** 2 + absolute(off) ** 2 / a) / 2 + (b + absolute(error) ** 2 / b) / 2,
            "both products",
            using=[
                product.at({x: absolute(advantage), y: absolute(off)}),
                product.at({x: ONE, y: absolute(error), a: b}),
            ],
        )
        .eq(in_squares(advantage**2, off**2, error**2), "collect"),
    )


def in_squares(of_advantage: Expression, of_variance: Expression, of_mean: Expression) -> Expression:
    """What the squared advantage and the squared relative errors of variance and mean bound."""
    return (a * of_advantage + of_variance / a + of_mean / b + b) / 2


def _squares() -> Iterator[Claim]:
    """The expected squared advantage of a member."""
    known = (
        eq(Total(of_group), 1),
        eq(Total(of_group * of_member**2, GROUPS), square),
        eq(size, Total(ONE, MEMBERS)),
    )
    within = le(Total(of_member**2, MEMBERS), size)
    total = Total(of_group * Total(of_member**2, MEMBERS), GROUPS)
    averaged = claim(
        "vojnovic_yun_2025.advantage-limit.squares.mean",
        "If the squares sum to at most $G$ in every group, they do so on average",
        Summed(within, of_group, le(total, size), ONE),
        given=known[:1],
    )
    yield averaged
    by_members = Total(Total(of_group * of_member**2, GROUPS), MEMBERS)
    either_order = claim(
        "vojnovic_yun_2025.advantage-limit.squares.order",
        "The order of the sums over members and groups does not matter",
        eq(by_members, total),
    )
    yield either_order
    yield claim(
        "vojnovic_yun_2025.advantage-limit.squares",
        "If it is the same for all members, the expected squared advantage is at most 1",
        derivation=derive(square, "that of one member", given=(*known, within))
        .eq(by_members / size, "the mean of all $G$ members'")
        .eq(total / size, "sum in the other order", using=[either_order])
        .le(size / size, "in every group they sum to at most $G$", using=[averaged])
        .eq(1, "cancel"),
        equation=PLACE,
    )


def _all_groups(one_group: Claim) -> Iterator[Claim]:
    """The expected distance, over all groups and given an output."""
    within = le(distance, in_squares(advantage**2, off**2, error**2))
    by_squares = in_squares(expected(advantage**2), expected(off**2), expected(error**2))
    averaged = claim(
        "vojnovic_yun_2025.advantage-limit.mean",
        "On average over all groups",
        Summed(within, old * chance, le(expected(distance), by_squares), ONE),
        given=[old_sums_to_one, others_sum_to_one],
    )
    yield averaged
    roots = {a: sqrt(kurtosis / size), b: sqrt(1 / size)}
    known = _of_groups()
    of_variance = claim(
        "vojnovic_yun_2025.advantage-limit.expected.variance",
        "The mean square of the relative error of the variance",
        derivation=derive(expected(off**2), "mean square of the relative error", given=[known[5]])
        .eq(expected((spread**2 - variance) ** 2) / variance**2, "a constant is taken out of both sums")
        .le(kurtosis / size, "by hypothesis"),
    )
    of_mean = claim(
        "vojnovic_yun_2025.advantage-limit.expected.mean",
        "The mean square of the relative error of the mean",
        derivation=derive(expected(error**2), "mean square of the relative error", given=[known[6]])
        .eq(expected((middle - centre) ** 2) / variance, "a constant is taken out of both sums")
        .eq(1 / size, "by hypothesis"),
    )
    put_in = claim(
        "vojnovic_yun_2025.advantage-limit.expected.squares",
        "What bounds of the three mean squares make of the bound",
        le(in_squares(first, second, third), (a + most / a + exact / b + b) / 2),
        given=[le(first, 1), le(second, most), eq(third, exact)],
    )
    yield from (of_variance, of_mean, put_in)
    mean_squares = {first: expected(advantage**2), second: expected(off**2), third: expected(error**2)}
    made = put_in.at({**roots, **mean_squares, most: kurtosis / size, exact: 1 / size})
    mean = claim(
        "vojnovic_yun_2025.advantage-limit.expected",
        r"The expected distance of the advantage from $(r - m)/\sigma$",
        derivation=derive(expected(distance), "expected over groups", given=known)
        .le(
            substitute(by_squares, roots),
            r"on average, with $a = \sqrt{\kappa/G}$ and $b = 1/\sqrt G$",
            using=[one.at(roots) for one in (one_group, averaged)],
        )
        .le(
            (roots[a] + kurtosis / size / roots[a] + 1 / size / roots[b] + roots[b]) / 2,
            "the mean squares of the advantage, of the error of the variance and of that of the mean",
            using=[of_variance, of_mean, made],
        )
        .eq(bound, "collect"),
        equation=PLACE,
    )
    yield mean
    signed = [
        claim(
            f"vojnovic_yun_2025.advantage-limit.given-output.{name}",
            f"Given the output, the expected advantage is no further {name} its limit",
            Summed(premise, chance, conclusion, ONE),
            given=[others_sum_to_one, eq(preference, given_output(advantage))],
        )
        for name, premise, conclusion in (
            ("above", le(advantage - limit, distance), le(preference - limit, given_output(distance))),
            ("below", ge(advantage - limit, -distance), ge(preference - limit, -given_output(distance))),
        )
    ]
    yield from signed
    yield from _preference(signed, mean)


def _preference(signed: list[Claim], mean: Claim) -> Iterator[Claim]:
    """From the advantages to the expected advantage of an output, and on average over the outputs."""
    named, inside = eq(missed, absolute(preference - limit)), given_output(distance)
    within = (le(advantage - limit, distance), ge(advantage - limit, -distance))
    here = claim(
        "vojnovic_yun_2025.advantage-limit.given-output",
        "The expected advantage is not further from its limit than the advantage is expected to be",
        derivation=derive(
            missed,
            "distance of the expected advantage",
            given=(*within, named, others_sum_to_one, eq(preference, given_output(advantage))),
        )
        .eq(absolute(preference - limit), "definition")
        .le(inside, "on both sides", using=signed),
        equation=PLACE,
    )
    yield here
    averaged = claim(
        "vojnovic_yun_2025.advantage-limit.outputs",
        "And on average over the outputs of the old policy",
        Summed(le(missed, inside), old, le(Total(old * missed), expected(distance)), ONE),
    )
    yield averaged
    yield claim(
        "vojnovic_yun_2025.advantage-limit.preference",
        r"On average over the outputs, expected advantages in groups of $G$ miss $(r - m)/\sigma$ by at most this",
        derivation=derive(
            Total(old * missed),
            "mean distance of the expected advantages",
            given=(*_of_groups(), named, eq(preference, given_output(advantage))),
        )
        .le(expected(distance), "no further than the advantages are expected to be", using=[here, averaged])
        .le(bound, "which is bounded", using=[mean]),
        equation=PLACE,
        beyond="bounds the distance of expected advantages from their limits in groups of any size, for any rewards",
        oracle=Oracle("enumerates groups of up to 8 over 3 outputs", distance_by_enumeration, relation="<="),
    )


def _of_groups() -> tuple[Statement, ...]:
    """What is known of every group and of the means over all of them."""
    return (
        eq(advantage * spread, reward - middle),
        eq(distance, absolute(advantage - limit)),
        old_sums_to_one,
        others_sum_to_one,
        le(expected(advantage**2), 1),
        le(expected((spread**2 - variance) ** 2), kurtosis * variance**2 / size),
        eq(expected((middle - centre) ** 2), variance / size),
    )


any_rewards = Result("The limit of large groups for any rewards", paper, derivation)
