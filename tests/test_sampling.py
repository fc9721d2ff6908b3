"""Seeded points stay in their domains, reach the edges, and satisfy the hypotheses they were drawn for."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from property_tests import examples

from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Symbol, Total
from grpo_symbolic.language.outputs import has_totals
from grpo_symbolic.language.statement import Statement, eq, gt, le, lt, symbols_of
from grpo_symbolic.language.stating import both, either, implies
from grpo_symbolic.language.vocabulary import (
    exp,
    log,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.points.roots import in_domain
from grpo_symbolic.points.sampling import sample_points
from grpo_symbolic.points.solutions import Sample, Sampler, satisfying
from grpo_symbolic.points.truth import Truth
from grpo_symbolic.translate.arithmetics import FLOATS
from grpo_symbolic.translate.program import Inexact, Point, Program

x = real("x", "(0, 1)", "a probability")
r = real("r", "(0, 1)", "a reference probability")
c = real("c", "(0, oo)", "a weight")
y = real("y", "(-oo, oo)", "a number")
p = real("p", "(0, 1]", "probability of an output", indexed=True)
q = real("q", "(0, 1]", "reference probability of an output", indexed=True)
score = real("score", "(-oo, oo)", "score of an output", indexed=True)


def drawn(*hypotheses: Statement, count: int = 40, seed: int = 1) -> Sample:
    totals = has_totals(hypotheses)
    return satisfying(hypotheses, symbols_of(*hypotheses), totals, Truth(30), count, seed)


def interval(low: Fraction | None, high: Fraction | None, low_closed: bool, high_closed: bool) -> Interval:
    return Interval(low, high, low_closed and low is not None, high_closed and high is not None)


ends = st.none() | st.fractions(-5, 5, max_denominator=9)


@given(ends, ends, st.booleans(), st.booleans(), st.integers(0, 10**6))
@settings(max_examples=examples(60))
def test_every_point_lies_in_its_domain(
    one: Fraction | None, other: Fraction | None, low_closed: bool, high_closed: bool, seed: int
) -> None:
    low, high = (min(one, other), max(one, other)) if one is not None and other is not None else (one, other)
    if low is not None and low == high:
        low_closed = high_closed = True
    symbol = Symbol("s", interval(low, high, low_closed, high_closed), "any", "s")
    for point in sample_points((symbol,), 40, seed):
        assert point[symbol] in symbol.domain


def test_points_are_deterministic_and_depend_on_the_seed() -> None:
    assert sample_points((x, c), 50, 3) == sample_points((x, c), 50, 3)
    assert sample_points((x, c), 50, 3) != sample_points((x, c), 50, 4)


def test_closed_ends_are_hit_and_open_ones_approached() -> None:
    half_open = real("h", "(0, 1]", "half open")
    values = [point[half_open] for point in sample_points((half_open,), 200, 0)]
    assert Fraction(1) in values
    assert min(values) <= Fraction(1, 10**6)


def test_unbounded_directions_cover_orders_of_magnitude() -> None:
    values = [point[c] for point in sample_points((c,), 200, 0)]
    assert min(values) < Fraction(1, 10**5)
    assert max(values) > 10**5
    assert {-1, 0, 1} == {(value > 0) - (value < 0) for value in (point[y] for point in sample_points((y,), 50, 0))}


@pytest.mark.parametrize("seed", range(5))
def test_plain_numbers_are_points_of_unbounded_domains(seed: int) -> None:
    points = sample_points((y, c), 12, seed)
    assert points[0][y] == 0
    assert {Fraction(1), Fraction(2), Fraction(3)} <= {point[c] for point in points}
    assert {Fraction(-1), Fraction(1)} & {point[y] for point in points}


def test_a_corner_is_reached() -> None:
    points = sample_points((x, r), 200, 0)
    assert any(point[x] < Fraction(1, 50) and point[r] > Fraction(49, 50) for point in points)


def as_rational(value: Inexact) -> Fraction:
    sign, mantissa, exponent, _ = value.value
    return (-1) ** sign * int(mantissa) * Fraction(2) ** exponent


def exact(value: Fraction | Inexact) -> Fraction:
    return value if isinstance(value, Fraction) else as_rational(value)


def test_a_quadratic_is_solved_to_far_more_digits_than_checked() -> None:
    sample = drawn(eq(x**2 - (1 - c) * x - c * r, 0))
    assert len(sample.points) == 40
    assert sample.equations
    irrational = 0
    for point in sample.points:
        a, b, d = (exact(point.value(name)) for name in ("x", "c", "r"))
        assert abs(a**2 - (1 - b) * a - b * d) <= Fraction(1, 10**60) * (1 + b)
        irrational += isinstance(point.value("x"), Inexact)
    assert irrational >= 5


def test_a_transcendental_equation_is_solved() -> None:
    sample = drawn(eq(exp(x) * x, r))
    assert len(sample.points) == 40
    truth = Truth(60)
    assert all(truth.holds(eq(log(x) + x, log(r)), point) for point in sample.points)


def test_a_pole_is_not_a_root() -> None:
    assert drawn(eq(1 / (x - r), 0)).points == ()


def test_an_assignment_is_followed_through_other_equations() -> None:
    z = real("z", "(0, oo)", "a normaliser")
    sample = drawn(eq(Total(q), 1), eq(p, q * exp(score) / z), eq(Total(p), 1), count=10)
    assert len(sample.points) == 10
    truth = Truth(30)
    assert all(truth.holds(eq(z, Total(q * exp(score))), point) for point in sample.points)


def test_sums_over_outputs_are_prescribed_exactly() -> None:
    for point in drawn(eq(Total(p), 1), eq(Total(p * score), 0)).points:
        weights, scores = ([exact(value) for value in point.vectors[name]] for name in ("p", "score"))
        assert 1 <= len(weights) <= 6
        assert sum(weights) == 1
        assert sum(w * s for w, s in zip(weights, scores, strict=True)) == 0


def test_bounded_sums_and_hypotheses_for_every_output() -> None:
    sample = drawn(le(Total(p), 1), lt(p, 2 * q))
    assert len(sample.points) == 40
    assert max(point.outputs for point in sample.points) == 6
    for point in sample.points:
        assert sum(exact(value) for value in point.vectors["p"]) <= 1
        pairs = zip(point.vectors["p"], point.vectors["q"], strict=True)
        assert all(exact(one) < 2 * exact(other) for one, other in pairs)


def test_disjunctions_and_implications() -> None:
    sample = drawn(either(eq(x, r), both(lt(x, r), gt(c, 2))), implies(gt(c, 1), gt(r, x / 2)))
    kinds = {exact(point.value("x")) == exact(point.value("r")) for point in sample.points}
    assert kinds == {True, False}


@pytest.mark.parametrize("hypothesis", [lt(x, 0), eq(x, 2 + r), eq(sqrt(x), -1)])
def test_nothing_is_found_where_there_is_nothing(hypothesis: Statement) -> None:
    assert drawn(hypothesis).points == ()


def test_solved_values_lie_in_their_domains() -> None:
    for point in drawn(eq(c, (x - r) / x)).points:
        assert in_domain(point.value("c"), c.domain)
        assert exact(point.value("c")) > 0


weight, score_sum = real("weight", "(0, oo)", "penalty"), real("score_sum", "(-oo, oo)", "mean score")
multiplier, mass = real("multiplier", "(-oo, oo)", "a multiplier"), real("mass", "(0, 1]", "mass of the reference")
TILTED = (
    eq(Total(p), 1),
    eq(score_sum, Total(p * score)),
    eq(multiplier, score_sum - weight * (1 - mass)),
    eq(q, (1 - (score - multiplier) / weight) * p),
    eq(mass, Total(q)),
)


@given(st.permutations([*TILTED, eq(score_sum, 0)]), st.booleans())
@settings(max_examples=examples(12))
def test_assignments_are_found_in_any_order(hypotheses: list[Statement], centred: bool) -> None:
    stated = [one for one in hypotheses if centred or one in TILTED]
    sample = drawn(*stated, count=30)
    assert len(sample.points) >= 20
    truth = Truth(30)
    for point in sample.points[:5]:
        everywhere = [point.at_output(index) for index in range(point.outputs)]
        assert all(truth.holds(hypothesis, place) for hypothesis in stated for place in everywhere)


def test_a_second_assignment_is_an_equation_for_another_symbol() -> None:
    sample = drawn(eq(c, x / r), eq(c, 2), eq(y, c + x))
    assert len(sample.points) == 40
    for point in sample.points:
        assert abs(exact(point.value("x")) - 2 * exact(point.value("r"))) < Fraction(1, 10**60)
        assert abs(exact(point.value("y")) - 2 - exact(point.value("x"))) < Fraction(1, 10**60)


def test_the_equations_of_all_outputs_hold_together() -> None:
    # Each score is coupled to all others through their mean.
    sample = drawn(eq(Total(p), 1), eq(score - Total(p * score), q), count=10)
    truth = Truth(30)
    for point in sample.points:
        for index in range(point.outputs):
            assert truth.holds(eq(score - Total(p * score), q), point.at_output(index))


@pytest.mark.parametrize("hypothesis", [gt(x, c), eq(x**2 + y**2, 1), either(lt(x, c), eq(y, 2 * x))])
@pytest.mark.parametrize("counts", [(10, 40), (40, 10, 60)])
def test_who_asks_for_more_points_gets_those_of_one_question(hypothesis: Statement, counts: tuple[int, ...]) -> None:
    asked = [satisfying((hypothesis,), (x, y, c), False, Truth(30), count, seed=5) for count in counts]
    for count, sample in zip(counts, asked, strict=True):
        at_once = Sampler((hypothesis,), (x, y, c), False, Truth(30), random.Random(5), (1, 1)).sample(count)
        assert sample == at_once


def test_points_are_different() -> None:
    points = drawn(eq(2 * x, r), gt(x, rational(1, 3))).points
    assert len({(point.value("x"), point.value("r")) for point in points}) == len(points) == 40


@pytest.mark.slow
@given(st.fractions(-3, 3, max_denominator=5), st.fractions(-3, 3, max_denominator=5).filter(bool))
@settings(max_examples=examples(40))
def test_a_program_along_a_symbol_agrees_with_the_program(at: Fraction, other: Fraction) -> None:
    program = Program((exp(y) * c + (c - y) ** 2, Total(p * y + score) / c, Total(Total(score) * p)))
    point = Point({"y": at, "c": other}, {"p": (at, other), "score": (other, at)}, 2, 1)
    for name in ("y", "c", "p", "score"):
        new = Fraction(7, 3)
        along = program.along(FLOATS, point, name)(float(new))
        assert along == pytest.approx(program.run(FLOATS, point.put(name, new)), rel=1e-12)
