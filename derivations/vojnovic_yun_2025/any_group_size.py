r"""Binary rewards, groups of any size: from the advantage in a group to Equation (11) (`any-size.eq11`).

Here the group size $G$ is a letter, and the expected advantage of an output is what Section 2.1 defines: an expectation
over the other members, each of which has the reward 1 with the probability $s$ and else 0. The group counts through the
number of its successes, so the expectation is a sum over this number with binomial probabilities, of which the terms
are rearranged one by one (`any-size.success.terms`, `any-size.failure.terms`), so that
$$s\, A^+ = B_G(s), \qquad (1 - s)\, A^- = -B_G(s), \qquad
\mathcal{P}_G(o) = (p(o) - s)\, \frac{B_G(s)}{s(1-s)}$$
(`any-size.success`, `any-size.failure`, `any-size.preference`), with $p(o)$ the probability of a success with the
output, $s = \sum_o \pi_{\theta_{\mathrm{old}}}(o)\, p(o)$, and $B_G(s)$ the sum over the numbers of successes of their
probabilities times the deviations (`binary-rewards.deviation`). With this the right side of Equation (6) is in closed
form (`any-size.reward`). The mean advantage is 0 on-policy, without an assumption (`any-size.mean`). A stationary
policy satisfies Equation (11) with the advantages in a group, and with $R$ in the place of its leading 1
(`any-size.stationary`), which is the same as $(R - (p(o) - s)\, B_G(s) / (\beta s(1-s)))\, \pi_\theta(o) =
\pi_{\mathrm{ref}}(o)$ (`any-size.eq11`).

What this does not reach are rewards with more than two values, as the deviation in a group of $G$ then depends on more
than one number. There $\mathcal{P}_G$ is a letter for whatever advantage an output has (`eq11`). That the reward part,
which is a sum over members, is the right side of Equation (6) is not derived from the group here (see `eq6.members`),
nor is the limit of large groups of these sums (see `group-deviation.limit`).
"""

from collections.abc import Iterator
from dataclasses import replace

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_rewards import deviation_of, members, of_so_many, s
from derivations.vojnovic_yun_2025.groups import member_reward
from derivations.vojnovic_yun_2025.kkt_conditions import equation_11, kkt, multiplier, objective
from derivations.vojnovic_yun_2025.outputs import (
    OUTPUTS,
    average,
    covered,
    old,
    policy,
    preference,
    reference_sums_to_covered,
    sums_to_one,
)
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Group,
    Result,
    Substitution,
    Total,
    binary,
    by_induction,
    claim,
    define,
    derive,
    eq,
    implies,
    le,
    real,
    sum_of,
    whole,
)
from grpo_symbolic.derivation.chain import Lemma
from grpo_symbolic.grpo.definitions import GRPO, Definitions
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import Definition, Scalar, rebuild, substitute
from grpo_symbolic.language.groups import Law
from grpo_symbolic.language.powers import as_power

number = whole("N", "[1, oo)", "number up to which a sum over successes has come")
successes = whole("n", "[0, oo)", "number of successes in a group, over which a sum runs")
success_with = real("p_out", "[0, 1]", "probability of a success with an output", latex="p({index})", indexed=OUTPUTS)


def expected_advantage(own: Scalar | Law, given: Definitions) -> Expression:
    """The expected advantage of a member that has a reward, or has it by a law; it is 0 where all rewards are equal."""
    group = Group(member_reward, members, binary(s))
    return group.expectation(given.normalise(member_reward - group.mean, group.variance), given=own, mixed=True)


def in_powers(expression: Expression) -> Expression:
    """The same with powers where exponentials of logarithms stand for them."""
    parts = tuple(map(in_powers, expression.children))
    node = rebuild(expression, parts) if parts else expression
    power = as_power(node)
    return node if power is None else power[0] ** power[1]


def up_to(last: Expression, expected: Expression) -> Expression:
    """The sum that an expectation is, up to another number; what is in closed form has no terms to leave out."""
    carried_out = unfold(expected)
    return in_powers(replace(carried_out, upper=last) if isinstance(carried_out, Binder) else carried_out)


def deviations(last: Expression) -> Expression:
    """The expected standard deviation, summed over the numbers of successes up to the last one."""
    return sum_of(of_so_many(successes, members) * deviation_of(successes, members), successes, 1, last)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The two expected advantages, that of an output, the reward part, the mean advantage and Equation (11)."""
    ends = tuple(_by_own_reward(given))
    yield from ends
    lemmas = [end for end in ends if end.derivation is not None]
    margin = deviations(members - 1) / (s * (1 - s))
    of_output = expected_advantage(binary(success_with), given)
    best, worst = (expected_advantage(own, given) for own in (1, 0))
    preferred = claim(
        "vojnovic_yun_2025.any-size.preference",
        "Binary rewards: the expected advantage of an output beside a group of any size",
        derivation=derive(of_output, "expected over the rewards of the output and of the other members")
        .eq(success_with * best + (1 - success_with) * worst, "a success with this output, or a failure", using=lemmas)
        .eq(
            success_with * deviations(members - 1) / s - (1 - success_with) * deviations(members - 1) / (1 - s),
            "put in both expected advantages",
            using=lemmas,
        )
        .eq((success_with - s) * margin, "common denominator: $s(1-s)$", using=lemmas),
        equation="Section 2.1, after Eq. (6)",
        beyond="for binary rewards, random or not, the group preference at every group size from its definition",
    )
    yield preferred
    yield claim(
        "vojnovic_yun_2025.any-size.reward",
        "Binary rewards: the right side of Equation (6) for groups of any size",
        derivation=derive(
            Total(policy * of_output),
            "Equation (6)",
            given=[sums_to_one, eq(s, Total(old * success_with))],
        )
        .eq(
            Total(policy * success_with) * best + (1 - Total(policy * success_with)) * worst,
            "a success with the output, or a failure; the policy sums to 1",
            using=lemmas,
        )
        .eq(
            (Total(policy * success_with) - Total(old * success_with)) * margin,
            "put in both expected advantages",
            using=lemmas,
        ),
        equation="Section 2.1, after Eq. (6)",
        beyond="the reward part for binary rewards at every group size",
    )
    yield from _stationary(preferred, of_output, margin, lemmas, given)


def _by_own_reward(given: Definitions) -> Iterator[Claim]:
    """The expected advantages of a success and of a failure, term by term in the number of successes."""
    for name, own, chance, in_deviations, last, why in (
        ("success", 1, s, deviations, number - 1, "one success more than among the others"),
        ("failure", 0, 1 - s, lambda last: -deviations(last), number, "as many successes as among the others"),
    ):
        advantage = expected_advantage(own, given)
        so_far = chance * up_to(last, advantage)
        terms = claim(
            f"vojnovic_yun_2025.any-size.{name}.terms",
            f"Term by term, for a {name}: {why}",
            by_induction(implies(le(number, members - 1), eq(so_far, in_deviations(number))), number),
        )
        yield terms
        yield claim(
            f"vojnovic_yun_2025.any-size.{name}",
            f"The expected advantage of a {name}, times its chance",
            derivation=derive(chance * advantage, "definition, for groups that are not all alike").eq(
                in_deviations(members - 1), f"term by term: {why}", using=[terms.at({number: members - 1})]
            ),
        )


def _stationary(
    preferred: Claim, of_output: Expression, margin: Expression, lemmas: list[Claim], given: Definitions
) -> Iterator[Claim]:
    """The mean advantage, and Equation (11)."""
    best, worst = (expected_advantage(own, given) for own in (1, 0))
    on_policy = (sums_to_one, eq(s, Total(policy * success_with)))
    mean = claim(
        "vojnovic_yun_2025.any-size.mean",
        "Binary rewards: on-policy the mean advantage is 0, for groups of any size",
        derivation=derive(Total(policy * of_output), "mean of the expected advantages", given=on_policy)
        .eq(s * best + (1 - s) * worst, "a success with the output, or a failure; the policy sums to 1", using=lemmas)
        .eq(0, "these are $B_G(s)$ and $-B_G(s)$", using=lemmas),
        equation="Section 2.3, from Eq. (11) to Eq. (12)",
        beyond="shows for binary rewards and every group size what `exchangeability` assumes",
    )
    yield mean
    gradient = Substitution(Derivative(substitute(objective(given), {preference: of_output}), policy), old, policy)
    at_group: Lemma = kkt.claim("eq11").at({preference: of_output, average: Total(policy * of_output)})
    general = equation_11(of_output - Total(policy * of_output), covered)
    yield claim(
        "vojnovic_yun_2025.any-size.stationary",
        "Binary rewards: a stationary policy satisfies Equation (11) with the advantages in a group, and with $R$ in "
        "the place of its leading 1",
        derivation=derive(
            eq(gradient, multiplier), "stationarity", given=(*on_policy, reference_sums_to_covered)
        ).implies(general, "Equation (11), with the advantages in a group", using=[at_group]),
        equation="Eq. (11)",
        paper_uses=["eq6"],
    )
    yield claim(
        "vojnovic_yun_2025.any-size.eq11",
        "Binary rewards: Equation (11) for groups of any size",
        derivation=derive(general, "Equation (11) with the advantages in a group", given=on_policy)
        .implies(equation_11(of_output, covered), "the mean advantage is 0", using=[mean])
        .implies(equation_11((success_with - s) * margin, covered), "put in the advantage", using=[preferred]),
        equation="Section 2.3, after Eq. (11)",
        beyond="Equation (11) in closed form for binary rewards at every group size",
    )


def names() -> Iterator[Definition]:
    """The expected standard deviation, and the advantage of a member."""
    group = Group(member_reward, members, binary(s))
    yield define("B_G", (), deviations(members - 1), latex="B_G(s)")
    yield define("A_i", (), GRPO.normalise(member_reward - group.mean, group.variance), latex="A_i")


any_size = Result("Binary rewards, groups of any size: Equation (11)", paper, derivation, shorthands=names)
