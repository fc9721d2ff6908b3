"""Noise in the rewards of large groups, and pools, compared with enumeration and with plain floating point."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest

Reward = dict[Fraction, Fraction]  # value -> probability

ALWAYS_ONE: Reward = {Fraction(1): Fraction(1)}
JACKPOT: Reward = {Fraction(0): Fraction(199, 200), Fraction(100): Fraction(1, 200)}


def mean_and_variance(policy: Fraction, of_a: Reward, of_b: Reward) -> tuple[Fraction, Fraction]:
    """By listing every reward that a policy over two answers can meet."""
    weights = [(value, policy * chance) for value, chance in of_a.items()]
    weights += [(value, (1 - policy) * chance) for value, chance in of_b.items()]
    mean = sum(value * weight for value, weight in weights)
    return mean, sum((value - mean) ** 2 * weight for value, weight in weights)


def margin_in_pairs(of_a: Reward, of_b: Reward) -> Fraction:
    return sum(
        (chance * other * ((value > against) - (value < against)))
        for (value, chance), (against, other) in product(of_a.items(), of_b.items())
    )


def test_a_pair_may_pull_more_than_a_large_group():
    """The example of the module: half a unit of expected reward against a deviation of 5."""
    _, variance = mean_and_variance(Fraction(1, 2), ALWAYS_ONE, JACKPOT)
    ahead = sum(v * w for v, w in ALWAYS_ONE.items()) - sum(v * w for v, w in JACKPOT.items())
    assert ahead == Fraction(1, 2)
    assert margin_in_pairs(ALWAYS_ONE, JACKPOT) == Fraction(99, 100)
    assert float(ahead) / math.sqrt(variance) < 0.11


@pytest.mark.parametrize("policy", [Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize("values", [(1, 0), (3, 5), (-2, Fraction(1, 3))])
def test_the_printed_variance_leaves_out_the_noise(policy, values):
    of_a, of_b = ({Fraction(value) + 1: Fraction(1, 2), Fraction(value) - 1: Fraction(1, 2)} for value in values)
    _, variance = mean_and_variance(policy, of_a, of_b)
    assert variance == (Fraction(values[0]) - values[1]) ** 2 * policy * (1 - policy) + 1


def stationary_policy(reference: float) -> float:
    """Bisect the slope for groups of two where weight and margin agree."""
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if (middle - reference) / (middle * (1 - middle)) < 1 else (low, middle)
    return low


def test_three_log_odds_do_not_lie_on_a_line():
    references = (1 / 4, 1 / 9, 1 / 16)
    policies = [stationary_policy(reference) for reference in references]
    assert policies == pytest.approx([1 / 2, 1 / 3, 1 / 4])
    x, y = ([math.log(value / (1 - value)) for value in values] for values in (references, policies))
    assert abs((y[1] - y[0]) / (x[1] - x[0]) - (y[2] - y[1]) / (x[2] - x[1])) > 0.03
