"""What the rate at which expected advantages tend to their limits rests on, beside false statements."""

from __future__ import annotations

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

MOMENTS = (
    old_sums_to_one,
    eq(centre, Total(old * reward)),
    eq(variance, Total(old * (reward - centre) ** 2)),
    eq(kurtosis * variance**2, Total(old * (reward - centre) ** 4)),
)
DEFINITION = eq(advantage * spread, reward - middle)
ONE = rational(1)


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
