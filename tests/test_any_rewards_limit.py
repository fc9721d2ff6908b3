"""What the rate at which expected advantages tend to their limits rests on, beside enumeration and false statements."""

from __future__ import annotations

from itertools import product
from math import prod

import mpmath
import pytest

from derivations.vojnovic_yun_2025.advantages_sum_to_zero import centre, deviation, reward, size
from derivations.vojnovic_yun_2025.any_rewards_limit import (
    GROUPS,
    advantage,
    chance,
    distance,
    expected,
    kurtosis,
    limit,
    middle,
    of_group,
    of_member,
    off,
    others_sum_to_one,
    spread,
    square,
    variance,
)
from derivations.vojnovic_yun_2025.groups import MEMBERS, group_of, old_sums_to_one
from derivations.vojnovic_yun_2025.outputs import OUTPUTS, average, beta, covered, old, policy, preference, reference
from grpo_symbolic import Summed, Total, absolute, eq, ge, judge, le, rational
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.grpo.enumeration import group_preference

SHARES, REWARDS = [[0.2, 0.3, 0.5], [0.05, 0.9, 0.05], [0.01, 0.01, 0.98]], [0.0, 1.0, 3.0]
MOMENTS = (
    old_sums_to_one,
    eq(centre, Total(old * reward)),
    eq(variance, Total(old * (reward - centre) ** 2)),
    eq(kurtosis * variance**2, Total(old * (reward - centre) ** 4)),
)
DEFINITION = eq(advantage * spread, reward - middle)
ONE = rational(1)


def moments_of(shares):
    mean = sum(share * value for share, value in zip(shares, REWARDS, strict=True))
    second, fourth = (
        sum(share * (value - mean) ** power for share, value in zip(shares, REWARDS, strict=True)) for power in (2, 4)
    )
    return mean, second, fourth / second**2


def groups(shares, members):
    for drawn in product(range(3), repeat=members):
        yield [REWARDS[output] for output in drawn], prod(shares[output] for output in drawn)


def variance_in(rewards):
    mean = sum(rewards) / len(rewards)
    return sum((value - mean) ** 2 for value in rewards) / len(rewards)


@pytest.mark.parametrize("shares", SHARES)
@pytest.mark.parametrize("members", [2, 3, 6])
def test_the_error_of_the_variance_is_that_of_all_groups(shares, members):
    _, second, peaked = moments_of(shares)
    enumerated = sum(weight * (variance_in(rewards) - second) ** 2 for rewards, weight in groups(shares, members))
    exact = ((members - 1) ** 2 * peaked - (members**2 - 5 * members + 3)) * second**2 / members**3
    assert enumerated == pytest.approx(exact, rel=1e-9)
    assert enumerated <= peaked * second**2 / members


@pytest.mark.parametrize("shares", SHARES)
@pytest.mark.parametrize("members", [2, 4, 8])
def test_expected_advantages_are_as_near_their_limits_as_is_claimed(shares, members):
    # By the enumeration of outcomes that Equation (6) is compared with, not by counts as the claim's own oracle.
    mean, second, peaked = moments_of(shares)
    small = [[(value, 1.0)] for value in REWARDS]
    found = group_preference(shares, small, members, mpmath.fp) if members < 8 else by_counts(shares, members)
    limits = [(value - mean) / second**0.5 for value in REWARDS]
    missed = sum(share * abs(one - two) for share, one, two in zip(shares, found, limits, strict=True))
    assert 0 < missed <= (peaked**0.5 + 1) / members**0.5


def by_counts(shares, members):
    found = []
    for output in range(3):
        total = 0.0
        for drawn, weight in groups(shares, members - 1):
            rewards = [REWARDS[output], *drawn]
            spread_here = variance_in(rewards) ** 0.5
            total += weight * (rewards[0] - sum(rewards) / members) / spread_here if spread_here > 1e-12 else 0.0
        found.append(total)
    return found


SQUARES = Total(of_group * Total(of_member**2, MEMBERS), GROUPS)
OF_MEMBERS = (eq(Total(of_group), 1), eq(size, Total(ONE, MEMBERS)), le(Total(of_member**2, MEMBERS), size))


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        pytest.param(
            eq(
                group_of(reward).expectation((group_of(reward).variance - variance) ** 2), kurtosis * variance**2 / size
            ),
            MOMENTS,
            id="the error of the variance is no more than bounded",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            le(absolute(advantage - (reward - middle) / deviation), absolute(advantage) * absolute(off) / 2),
            (DEFINITION,),
            id="half the constant in one group",
        ),
        pytest.param(
            le(absolute(advantage - (reward - middle) / deviation), absolute(advantage) * absolute(off)),
            (),
            id="the advantage is anything",
        ),
        pytest.param(ge(kurtosis, 2), MOMENTS, id="the kurtosis is at least 2"),
        pytest.param(
            eq(
                absolute((covered - limit / beta) * policy - reference),
                policy * absolute(preference - limit) / beta,
            ),
            (eq((covered - (preference - average) / beta) * policy, reference),),
            id="the mean advantage is anything",
        ),
    ],
)
def test_false_statements_are_refuted(statement, given):
    assert judge(statement, given=given).verdict is Verdict.REFUTED


WITHIN = le(distance, (advantage**2 + off**2) / 2)


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        pytest.param(le(square, 1), OF_MEMBERS, id="nothing is said of single members"),
        pytest.param(
            Summed(OF_MEMBERS[2], of_group, le(SQUARES, size), ONE), OF_MEMBERS[1:2], id="weights sum to anything"
        ),
        pytest.param(
            Summed(WITHIN, old * chance, le(expected(distance), expected(advantage**2) / 2), ONE),
            (old_sums_to_one, others_sum_to_one),
            id="the variance of a group is that of a reward",
        ),
        pytest.param(
            Summed(le(distance, 1), old * chance, le(expected(distance), 1), ONE),
            (old_sums_to_one,),
            id="chances of the others sum to anything",
        ),
        pytest.param(
            Summed(le(distance, 1), reward, le(Total(reward * distance, OUTPUTS), Total(reward)), ONE),
            (),
            id="weights have no sign",
        ),
    ],
)
def test_what_does_not_follow_is_not_decided(statement, given):
    assert judge(statement, given=given).verdict in (Verdict.REFUTED, Verdict.UNDECIDED)
