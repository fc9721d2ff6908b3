"""Updates in groups against plain simulation, and enclosures against exact fractions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from mpmath import fp

from derivations.vojnovic_yun_2025.groups_up_to_1000 import BOUNDED, SUMMED
from derivations.vojnovic_yun_2025.updates_by_iteration import pair_rewards, update
from grpo_symbolic.grpo.enumeration import penalty_part


@pytest.mark.parametrize(("weight", "returns"), [(0.62, True), (0.54, False)])
def test_updates_of_a_circle_return_exactly_above_the_bound(weight: float, returns: bool) -> None:
    margins = {(0, 1): 1.0, (1, 2): 1.0, (0, 2): -1.0}
    reference = [1 / 3] * 3

    def objective(new: Sequence[float], old: Sequence[float]) -> float:
        return pair_rewards(new, old, margins, fp) - weight * penalty_part(new, old, reference, 1, fp)

    policy = [1 / 3 + 1e-3, 1 / 3 - 2e-3, 1 / 3 + 1e-3]
    distances = []
    for _ in range(8):
        distances.append(math.dist(policy, reference))
        first, second = update(policy, objective, policy, fp)
        policy = [first, second, 1 - first - second]
    assert (math.dist(policy, reference) < distances[0] / 1.5) is returns
    assert all((later < before) is returns for before, later in pairwise(distances))


def bounds_of_deviation(members: int, at: Fraction, digits: int = 30) -> tuple[Fraction, Fraction]:
    """The expected standard deviation in a group between two fractions, with integer square roots."""
    scale = 10**digits
    low = high = Fraction(0)
    good, bad, below = at.numerator, at.denominator - at.numerator, at.denominator**members
    for n in range(1, members):
        weight = math.comb(members, n) * good**n * bad ** (members - n)
        root = math.isqrt(n * (members - n) * scale**2)
        low += weight * root
        high += weight * (root + 1)
    return low / (below * members * scale), high / (below * members * scale)


@pytest.mark.parametrize("members", [*SUMMED, *BOUNDED])
def test_enclosures_and_bounds_in_exact_fractions(members: int) -> None:
    """The sum crosses the line within each enclosure, and lies within the sandwich, at both ends."""
    below, above = (Fraction(end, 10_000) for end in {**SUMMED, **BOUNDED}[members])
    assert below - Fraction(1, 4) < bounds_of_deviation(members, below)[0]
    assert above - Fraction(1, 4) > bounds_of_deviation(members, above)[1]
    for at in (below, above):
        low, high = bounds_of_deviation(members, at)
        variance = at * (1 - at)
        assert high**2 < variance * (1 - Fraction(1, members))
        assert low**2 > variance * (1 - 1 / (2 * members * variance)) ** 2
