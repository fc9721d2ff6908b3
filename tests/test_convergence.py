"""Theorems 4 to 6: iterates within the stated radius, and approximate policies over a few outputs."""

import random
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from mpmath import diff, exp, findroot, log, mp, mpf, sqrt

from derivations.mroueh_2025 import (
    approximate_iterations,
    contraction,
    local_convergence,
    slope_bounds,
    total_variation,
)

MODULES = (slope_bounds, local_convergence, contraction, total_variation, approximate_iterations)


@pytest.mark.parametrize("module", MODULES)
def test_building_is_repeatable(module) -> None:
    assert list(module.derivation()) == list(module.derivation())


class Map:
    """The map h, and one step in log-odds with its second derivative, from the formulas of the report."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        self.reference = mpf(draw.randint(5, 95)) / 100
        self.beta, self.epsilon = mpf(draw.randint(5, 40)) / 10, mpf(draw.randint(1, 100)) / 100
        self.bound = 1 / (8 * self.beta * self.epsilon ** mpf("1.5"))

    def __call__(self, p: mpf) -> mpf:
        damping = exp(-1 / (self.beta * sqrt(p * (1 - p) + self.epsilon)))
        return 1 / (1 + (1 - self.reference) / self.reference * damping)

    def step(self, y: mpf) -> mpf:
        after = self(1 / (1 + exp(-y)))
        return log(after / (1 - after))

    def bend(self, y: mpf) -> mpf:
        p = 1 / (1 + exp(-y))
        spread = p * (1 - p)
        above = spread * ((1 + 12 * self.epsilon) * spread - 2 * self.epsilon)
        return above / (4 * self.beta * (spread + self.epsilon) ** mpf("2.5"))


@pytest.mark.parametrize("seed", range(8))
def test_derivatives_are_as_stated(seed: int) -> None:
    h = Map(seed)
    with mp.workdps(30):
        for number in range(1, 20):
            p = mpf(number) / 20
            assert abs(diff(h, p)) <= h.bound
            y = log(p / (1 - p))
            assert abs(diff(h.step, y, 2) - h.bend(y)) < mpf(10) ** -8


@pytest.mark.parametrize("seed", range(8))
def test_iterates_from_within_the_radius_contract(seed: int) -> None:
    h = Map(seed)
    with mp.workdps(30):
        p = findroot(lambda p: h(p) - p, (mpf(0), mpf(1)), solver="illinois", tol=mpf(10) ** -25)
        fixed, slope = log(p / (1 - p)), abs(diff(h, p))
        assert slope < 1
        curvature = max(abs(h.bend(mpf(number) / 50)) for number in range(-400, 401)) * mpf("1.01")
        radius, factor = (1 - slope) / curvature, (1 + slope) / 2
        for sign in (1, -1):
            path = [fixed + sign * radius]
            for _ in range(12):
                path.append(h.step(path[-1]))
            distances = [abs(item - fixed) for item in path]
            assert all(later <= factor * earlier + mpf(10) ** -20 for earlier, later in pairwise(distances))


def probabilities(draw: random.Random, outputs: int) -> list[Fraction]:
    counts = [draw.randint(0, 9) for _ in range(outputs - 1)] + [1]
    return [Fraction(count, sum(counts)) for count in counts]


@pytest.mark.parametrize("seed", range(20))
def test_total_variation_is_the_largest_difference_of_an_event(seed: int) -> None:
    draw = random.Random(seed)
    outputs = 2 + seed % 5
    first, second = probabilities(draw, outputs), probabilities(draw, outputs)
    variation = sum(abs(a - b) for a, b in zip(first, second, strict=True)) / 2
    events = [set(event) for size in range(outputs + 1) for event in combinations(range(outputs), size)]
    gaps = [abs(sum(first[o] for o in event) - sum(second[o] for o in event)) for event in events]
    assert max(gaps) == variation


def test_an_allowed_sequence_of_approximations_without_a_limit() -> None:
    third, moved = Fraction(1, 3), Fraction(1, 5)
    exact = [third, third, third]
    from_failure, from_success = [third + moved, third, third - moved], [third + moved, third - moved, third]
    policies = [exact, *(from_failure if number % 2 else from_success for number in range(1, 9))]
    variations = [sum(abs(a - b) for a, b in zip(policy, exact, strict=True)) / 2 for policy in policies]
    errors = [moved, *(Fraction(0) for _ in range(7))]
    assert all(now <= before + error for (before, now), error in zip(pairwise(variations), errors, strict=True))
    gaps = [abs(policy[0] + policy[1] - 2 * third) for policy in policies[1:]]
    assert gaps == [moved, 0] * 4
