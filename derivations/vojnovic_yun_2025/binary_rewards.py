r"""Two rewards, groups of any size: the expected advantage in closed form (`binary-rewards.preference`).

Let rewards take one of two values, deterministic or random, and let $s$ be the probability of the higher one (a
success) under the old policy. In a group with $N$ successes, $0 < N < G$, the advantage of a success is
$\sqrt{(G-N)/N}$ and that of a failure is $-\sqrt{N/(G-N)}$: the two values themselves have dropped out, for every $G$
(`binary-rewards.advantages`). The probabilities of all numbers of successes sum to 1 (`binary-rewards.chances`), and
the mean number is $G s$ (`binary-rewards.mean-number`), both by the binomial
theorem (`binary-rewards.binomial-theorem`). Averaged over the number of successes among the others,
$$\mathcal{P}_G(o) = (p_o - s)\, \gamma_G(s),\qquad \gamma_G(s) = \frac{B_G(s)}{s(1-s)},\qquad B_G(s) = \sum_{n=0}^{G}
\binom{G}{n} s^n (1-s)^{G-n}\, \frac{\sqrt{n(G-n)}}{G},$$ where $p_o$ is the probability of a success with output $o$
(`binary-rewards.preference`). $B_G$ is the expected standard deviation of the rewards 0 and 1 in a group
(`binary-rewards.deviation`, `binary-rewards.success`). That a failure has the expected advantage $-B_G(s)/(1 - s)$
follows likewise (`binary-rewards.expected-failure`); both come from the group itself in the next section
(`any-size.success`, `any-size.failure`). For groups of two to six all of this is derived from the advantage in a group
whose members are drawn independently (`binary-rewards.margin.6`); restricted to *mixed* groups, in which not
all rewards are equal, since in the others the advantage is 0. A group is mixed with the probability $1 - s^G - (1-s)^G$
(`binary-rewards.mixed`), which increases with $G$ (`binary-rewards.mixed.increases`) and is less than 1
(`binary-rewards.mixed.bounds`). So $\gamma_G$ is an effective margin: 1 for groups of two (`binary-rewards.margin.2`),
and $1/\sigma$ in the limit (`group-deviation.limit`), where $B_G$ becomes the standard deviation $\sqrt{s(1-s)}$. For
two rewards this covers the group sizes between the two extremes of Section 2.1.

Written out, $\gamma_3 = \sqrt{2}$ does not depend on the policy (`binary-rewards.margin.3`), $\gamma_4 = \sqrt{3} -
(2\sqrt{3} - 3)\,s(1-s)$ (`binary-rewards.margin.4`), and $\gamma_5 = 2 - (6 - 2\sqrt{6})\,s(1-s)$
(`binary-rewards.margin.5`).
"""

from collections.abc import Iterator, Mapping
from functools import reduce
from math import comb
from operator import add

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantage import size
from derivations.vojnovic_yun_2025.binary_question import gap, low
from derivations.vojnovic_yun_2025.groups import member_reward
from grpo_symbolic import (
    Claim,
    Expression,
    Group,
    IndexSet,
    Oracle,
    Result,
    Summed,
    Total,
    binary,
    binomial,
    both,
    by_induction,
    claim,
    define,
    derive,
    eq,
    ge,
    gt,
    implies,
    increasing,
    le,
    lt,
    rational,
    real,
    sqrt,
    sum_of,
    whole,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions
from grpo_symbolic.grpo.enumeration import Context, Number, group_preference
from grpo_symbolic.language.expression import Definition, Scalar
from grpo_symbolic.language.groups import Law

ONE = rational(1)
s = real("s", "(0, 1)", "probability of a success under the old policy")
success = real("p_o", "[0, 1]", "probability of a success with an output", latex="p_o")
members = whole("G", "[2, oo)", "number of members of a group")
index = whole("k", "[0, oo)", "number of successes in a group, over which a sum runs")
draws = whole("m", "[1, oo)", "number of members that are drawn")
up_to = whole("K", "[1, oo)", "number up to which a sum over successes has come")
one = real("u", "(0, oo)", "a positive number")
other = real("v", "(0, oo)", "another positive number")
count = real("N", "(0, oo)", "number of successes in the group")
#: How many members of a group have a success.
NUMBERS = IndexSet("number of successes", "numbers of successes", "j")
positive = whole("n", "[1, oo)", "number of successes in a group that contains one")
successes = real("n", "(0, oo)", "number of successes in a group with both rewards", latex="n_{index}", indexed=NUMBERS)
chance = real("b", "(0, 1]", "probability of so many successes in a group", latex=r"b(n_{index})", indexed=NUMBERS)
beside_success = real(
    "b_others",
    "(0, 1]",
    "probability of one success less among the other members",
    latex=r"b_{G-1}(n_{index} - 1)",
    indexed=NUMBERS,
)
#: How many members of a group have no success.
FAILURES = IndexSet("number of failures", "numbers of failures", "j")
failures = real("k", "(0, oo)", "number of failures in a group with both rewards", latex="k_{index}", indexed=FAILURES)
failure_chance = real(
    "c", "(0, 1]", "probability of so many failures in a group", latex=r"c(k_{index})", indexed=FAILURES
)
beside_failure = real(
    "c_others",
    "(0, 1]",
    "probability of one failure less among the other members",
    latex=r"c_{G-1}(k_{index} - 1)",
    indexed=FAILURES,
)
expected_deviation = real(
    "B", "(0, 1/2]", "expected standard deviation of the rewards 0 and 1 in a group", latex="B_G(s)"
)
of_success = real("A_plus", "(-oo, oo)", "expected advantage of a success", latex="A^+")
of_failure = real("A_minus", "(-oo, oo)", "expected advantage of a failure", latex="A^-")


def deviation_of(number: Expression, members: Expression) -> Expression:
    """The standard deviation of so many ones in a group of zeros and ones."""
    return sqrt(number * (members - number)) / members


def expected_standard_deviation(members: int, at: Expression = s) -> Expression:
    """B_G as a sum over the number of successes, for a group of explicit size."""
    terms = [
        comb(members, number)
        * at**number
        * (1 - at) ** (members - number)
        * deviation_of(rational(number), rational(members))
        for number in range(1, members)
    ]
    return reduce(add, terms)


def effective_margin(members: int, at: Expression = s) -> Expression:
    """The closed form of gamma_G for groups of 2 to 6, with the powers of s(1-s) collected."""
    spread = at * (1 - at)
    forms: dict[int, Expression] = {
        2: ONE,
        3: sqrt(rational(2)),
        4: sqrt(rational(3)) - (2 * sqrt(rational(3)) - 3) * spread,
        5: 2 - (6 - 2 * sqrt(rational(6))) * spread,
        6: sqrt(rational(5))
        - (4 * sqrt(rational(5)) - 5 * sqrt(rational(2))) * spread
        + (2 * sqrt(rational(5)) - 10 * sqrt(rational(2)) + 10) * spread**2,
    }
    return forms[members]


def binary_group(members: int) -> Group:
    """A group whose members have the reward 1 with the probability of a success under the old policy, and else 0."""
    return Group(member_reward, members, binary(s))


def expected_advantage(members: int, own: Scalar | Law, given: Definitions) -> Expression:
    """The expected advantage of a member that has a reward, or has it by a law; it is 0 where all rewards are equal."""
    group = binary_group(members)
    advantage = given.normalise(member_reward - group.mean, group.variance)
    return group.expectation(advantage, given=own, mixed=True)


def preference_by_enumeration(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The expected advantage of one of two outputs with random binary rewards, beside the closed form."""
    old, first, second = values["s"], values["p_o"], context.one / 3
    members = 2 + int(100 * old) % 5
    low_value, high_value = -context.one, 1 + first
    rewards = [[(high_value, p), (low_value, 1 - p)] for p in (first, second)]
    found = group_preference([old, 1 - old], rewards, members, context)[0]
    total = old * first + (1 - old) * second
    deviation = context.fsum(
        comb(members, n) * total**n * (1 - total) ** (members - n) * context.sqrt(n * (members - n)) / members
        for n in range(members + 1)
    )
    return found, (first - total) * deviation / (total * (1 - total))


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """One group, the sum over the number of successes, and small groups written out."""
    yield from _one_group(given)
    yield from _mixed_groups()
    yield from _number_of_successes()
    yield from _of_a_success()
    yield from _of_a_failure()
    yield _preference()
    yield from _small_groups(given)


def _one_group(given: Definitions) -> Iterator[Claim]:
    """The advantages in a group with a given number of successes."""
    centre = low + gap * (count / size)
    variance = (count * (low + gap - centre) ** 2 + (size - count) * (low - centre) ** 2) / size
    failure = claim(
        "vojnovic_yun_2025.binary-rewards.failure",
        "The advantage of a failure",
        derivation=derive(given.normalise(low - centre, variance), "reward minus mean", given=[lt(count, size)])
        .eq(-(gap * count / size) / (gap * sqrt(count * (size - count)) / size), "put in mean and variance")
        .eq(-sqrt(count / (size - count)), "cancel"),
    )
    yield failure
    success_here = claim(
        "vojnovic_yun_2025.binary-rewards.success-advantage",
        "The advantage of a success",
        derivation=derive(given.normalise(low + gap - centre, variance), "reward minus mean", given=[lt(count, size)])
        .eq(gap * (size - count) / size / (gap * sqrt(count * (size - count)) / size), "put in mean and variance")
        .eq(sqrt((size - count) / count), "cancel"),
    )
    yield success_here
    yield claim(
        "vojnovic_yun_2025.binary-rewards.advantages",
        "The advantages of successes and failures in terms of the number of successes",
        both(
            eq(given.normalise(low + gap - centre, variance), sqrt((size - count) / count)),
            eq(given.normalise(low - centre, variance), -sqrt(count / (size - count))),
        ),
        given=[lt(count, size)],
        using=[success_here, failure],
        equation="Section 2.3.1, deterministic rewards",
    )
    yield claim(
        "vojnovic_yun_2025.binary-rewards.deviation",
        "Rewards 0 and 1 have this standard deviation",
        derivation=derive(
            sqrt((count * (1 - count / size) ** 2 + (size - count) * (count / size) ** 2) / size),
            "root of the mean squared deviation",
            given=[lt(count, size)],
        )
        .eq(sqrt(count * (size - count) / size**2), "collect under the root")
        .eq(deviation_of(count, size), "root of a quotient"),
    )


def _mixed_groups() -> Iterator[Claim]:
    """With what probability there is an advantage at all."""
    group, complement = Group(member_reward, members, binary(s)), s**members + (1 - s) ** members
    closed = 1 - s**members - (1 - s) ** members
    chance_of_mixed = claim(
        "vojnovic_yun_2025.binary-rewards.mixed",
        "The probability that a group has both rewards",
        derivation=derive(group.is_mixed, "definition").eq(
            closed, "neither are all members successes, nor are all of them failures"
        ),
        beyond="says how often a group of any size has no advantages at all",
    )
    yield chance_of_mixed
    next_complement = s ** (members + 1) + (1 - s) ** (members + 1)
    less = claim(
        "vojnovic_yun_2025.binary-rewards.mixed.next",
        "One member more makes equal rewards less likely",
        derivation=derive(next_complement, "all members are successes, or all are failures")
        .eq(s * s**members + (1 - s) * (1 - s) ** members, "one factor more")
        .lt(complement, "both factors are less than 1"),
    )
    yield less
    yield claim(
        "vojnovic_yun_2025.binary-rewards.mixed.increases",
        "It increases with the group size",
        increasing(group.is_mixed, members),
        using=[less],
        beyond="says how often a group of any size has no advantages at all",
    )
    yield claim(
        "vojnovic_yun_2025.binary-rewards.mixed.bounds",
        r"It lies between $2s(1-s)$, for groups of two, and 1",
        by_induction(both(ge(closed, 2 * s * (1 - s)), lt(closed, 1)), members),
        using=[less],
    )


def of_so_many(number: Expression, group_size: Expression) -> Expression:
    """The probability of so many successes in a group."""
    return binomial(group_size, number) * s**number * (1 - s) ** (group_size - number)


def _number_of_successes() -> Iterator[Claim]:
    """The binomial probabilities of the numbers of successes."""

    def term(number: Expression) -> Expression:
        return binomial(draws, number) * one**number * other ** (draws - number)

    theorem = claim(
        "vojnovic_yun_2025.binary-rewards.binomial-theorem",
        "The binomial theorem for positive numbers",
        by_induction(
            eq(sum_of(term(index), index, 0, draws), (one + other) ** draws),
            draws,
            changes=[(one + other, -one * term(index - 1))],
        ),
    )
    yield theorem
    yield claim(
        "vojnovic_yun_2025.binary-rewards.chances",
        "The probabilities of all numbers of successes in a group sum to 1",
        derivation=derive(sum_of(of_so_many(index, members), index, 0, members), "binomial probabilities")
        .eq(
            (s + (1 - s)) ** members,
            "the binomial theorem",
            using=[theorem.at({draws: members, one: s, other: 1 - s})],
        )
        .eq(1, "a success or a failure"),
    )
    weighted = sum_of(index * of_so_many(index, members), index, 0, up_to)
    one_less = sum_of(of_so_many(index, members - 1), index, 0, up_to - 1)
    terms = claim(
        "vojnovic_yun_2025.binary-rewards.mean-number.terms",
        r"Term by term, since $k\binom{G}{k} = G\binom{G-1}{k-1}$: one success less among the other members",
        by_induction(implies(le(up_to, members), eq(weighted, members * s * one_less)), up_to),
    )
    yield terms
    yield claim(
        "vojnovic_yun_2025.binary-rewards.mean-number",
        "The mean number of successes in a group is $G s$",
        derivation=derive(
            sum_of(index * of_so_many(index, members), index, 0, members), "numbers, weighted with their probabilities"
        )
        .eq(
            members * s * sum_of(of_so_many(index, members - 1), index, 0, members - 1),
            "one success less among the other members",
            using=[terms.at({up_to: members})],
        )
        .eq(
            members * s * (s + (1 - s)) ** (members - 1),
            "the binomial theorem",
            using=[theorem.at({draws: members - 1, one: s, other: 1 - s})],
        )
        .eq(members * s, "a success or a failure"),
    )


def _of_a_success() -> Iterator[Claim]:
    """The expected advantage of a success; sums run over the numbers of successes, 0 and all left out."""
    yield claim(
        "vojnovic_yun_2025.binary-rewards.success.chance",
        "That $n - 1$ of the others are successes is $n/(Gs)$ times as likely as $n$ in the group",
        derivation=derive(
            of_so_many(positive - 1, members - 1),
            "binomial probability of $n - 1$ successes among $G - 1$ members",
            given=[le(positive, members)],
        ).eq(
            positive / (members * s) * of_so_many(positive, members),
            r"$n\binom{G}{n} = G\binom{G-1}{n-1}$, and one factor $s$ less",
        ),
    )
    advantage = sqrt((size - successes) / successes)
    likely = eq(beside_success, chance * successes / (size * s))
    summed = claim(
        "vojnovic_yun_2025.binary-rewards.success.summed",
        "So the expected advantage of a success is a sum with the probabilities in its group",
        Summed(
            likely,
            s * advantage,
            eq(s * Total(beside_success * advantage), Total(chance * deviation_of(successes, size))),
            ONE,
        ),
        given=[lt(successes, size)],
    )
    yield summed
    yield claim(
        "vojnovic_yun_2025.binary-rewards.success",
        r"$s A^+ = B_G(s)$: the expected advantage of a success; sums run over numbers of successes",
        derivation=derive(
            s * of_success,
            "$s$ times the expected advantage of a success",
            given=[
                lt(successes, size),
                eq(of_success, Total(beside_success * advantage)),
                likely,
                eq(expected_deviation, Total(chance * deviation_of(successes, size))),
            ],
        )
        .eq(
            s * Total(beside_success * advantage),
            "by the number of successes (`binary-rewards.advantages`); where all are successes, it is 0",
        )
        .eq(
            Total(chance * deviation_of(successes, size)),
            r"put in the probabilities (`binary-rewards.success.chance`); $n\sqrt{(G-n)/n} = \sqrt{n(G-n)}$",
            using=[summed],
        )
        .eq(expected_deviation, "definition of $B_G$"),
    )


def _of_a_failure() -> Iterator[Claim]:
    """The same for a failure, with the rewards exchanged; sums run over the numbers of failures, 0 and all left out."""
    advantage = -sqrt((size - failures) / failures)
    likely = eq(beside_failure, failure_chance * failures / (size * (1 - s)))
    deviations = Total(failure_chance * deviation_of(failures, size))
    summed = claim(
        "vojnovic_yun_2025.binary-rewards.expected-failure.summed",
        "So the expected advantage of a failure is a sum with the probabilities in its group",
        Summed(
            likely,
            (1 - s) * advantage,
            eq((1 - s) * Total(beside_failure * advantage), -deviations),
            ONE,
        ),
        given=[lt(failures, size)],
    )
    yield summed
    yield claim(
        "vojnovic_yun_2025.binary-rewards.expected-failure",
        r"$(1 - s) A^- = -B_G(s)$: the expected advantage of a failure; sums run over numbers of failures",
        derivation=derive(
            (1 - s) * of_failure,
            "$1 - s$ times the expected advantage of a failure",
            given=[
                lt(failures, size),
                eq(of_failure, Total(beside_failure * advantage)),
                likely,
                eq(expected_deviation, deviations),
            ],
        )
        .eq(
            (1 - s) * Total(beside_failure * advantage),
            "by the number of failures (`binary-rewards.advantages`); where all are failures, it is 0",
        )
        .eq(
            -deviations,
            "put in the probabilities (`binary-rewards.success.chance`, with $1 - s$ for $s$); "
            r"$k\sqrt{(G-k)/k} = \sqrt{k(G-k)}$",
            using=[summed],
        )
        .eq(-expected_deviation, "definition of $B_G$, over the number of failures"),
    )


def _preference() -> Claim:
    """The expected advantage of an output, which has a success with a probability of its own."""
    means = (eq(s * of_success, expected_deviation), eq((1 - s) * of_failure, -expected_deviation))
    margin = expected_deviation / (s * (1 - s))
    expected = derive(
        success * of_success + (1 - success) * of_failure, "a success with this output, or a failure", given=means
    )
    return claim(
        "vojnovic_yun_2025.binary-rewards.preference",
        "The expected advantage of an output, for binary rewards and groups of any size",
        derivation=expected.eq(
            success * expected_deviation / s - (1 - success) * expected_deviation / (1 - s),
            "put in both expected advantages (`binary-rewards.success`, `binary-rewards.expected-failure`)",
        ).eq((success - s) * margin, "common denominator: $s(1-s)$"),
        equation="Section 2.1, after Eq. (6)",
        oracle=Oracle("enumerates groups of 2 to 6 with random binary rewards", preference_by_enumeration),
        beyond="for binary rewards, random or not, a formula for every group size between the two extremes",
    )


def _small_groups(given: Definitions) -> Iterator[Claim]:
    """The effective margin from the definition of the advantage in a group."""
    for members in (2, 3, 4, 5, 6):
        best, worst = (expected_advantage(members, own, given) for own in (1, 0))
        group = binary_group(members)
        spread = claim(
            f"vojnovic_yun_2025.binary-rewards.deviation.{members}",
            f"Groups of {members}: the expected standard deviation, by the number of successes",
            eq(group.expectation(sqrt(group.variance)), expected_standard_deviation(members)),
        )
        yield spread
        yield claim(
            f"vojnovic_yun_2025.binary-rewards.margin.{members}",
            f"Groups of {members}: the expected advantages of a success, of a failure and of an output",
            both(
                eq(best - worst, effective_margin(members)),
                eq(s * best, expected_standard_deviation(members)),
                eq((1 - s) * worst, -expected_standard_deviation(members)),
                eq(expected_advantage(members, binary(success), given), (success - s) * effective_margin(members)),
            ),
        )
    for smaller in (2, 3):
        yield claim(
            f"vojnovic_yun_2025.binary-rewards.margin.{smaller}.below",
            f"The effective margin is larger for groups of {smaller + 1} than for groups of {smaller}",
            gt(effective_margin(smaller + 1), effective_margin(smaller)),
        )


def names() -> Iterator[Definition]:
    """The advantage of a member in groups of two to six."""
    for members in (2, 3, 4, 5, 6):
        group = binary_group(members)
        advantage = GRPO.normalise(member_reward - group.mean, group.variance)
        yield define(f"A_{members}", (), advantage, latex=rf"A^{{({members})}}_i")


closed_form = Result("Binary rewards, groups of any size", paper, derivation, shorthands=names)
