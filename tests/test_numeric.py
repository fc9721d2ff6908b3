"""The numeric method supports what is true, refutes what is false, and is not fooled by cancellation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

import flint
import mpmath
import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st
from mpmath import libmp
from property_tests import examples

from grpo_symbolic.checks import numeric
from grpo_symbolic.checks.counterexamples.search import recheck
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.language.composites import Monotone
from grpo_symbolic.language.expression import (
    Apply,
    Derivative,
    Expression,
    Number,
    Symbol,
    Total,
    as_expression,
)
from grpo_symbolic.language.statement import Any, Statement, eq, ge, gt, le, lt, ne
from grpo_symbolic.language.stating import both, either, iff, implies
from grpo_symbolic.language.vocabulary import (
    absolute,
    cosh,
    exp,
    log,
    maximum,
    minimum,
    rational,
    real,
    sinh,
    sqrt,
    tanh,
)
from grpo_symbolic.obligations.expansion import expand
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.multiprecision import difference, evaluate, precisions
from grpo_symbolic.translate.noise import quick, scaled_values
from grpo_symbolic.translate.program import Point, Program
from grpo_symbolic.translate.rounded import OutOfReachError, Rounded, Scaled

x = real("x", "(0, 1)", "probability under the policy")
r = real("r", "(0, 1)", "probability under the reference")
c = real("c", "(0, oo)", "weight")
z = real("z", "(-oo, oo)", "a real number")
p = real("p", "(0, 1]", "probability of an output", indexed=True)
q = real("q", "(0, 1]", "reference probability of an output", indexed=True)
score = real("score", "(-oo, oo)", "score of an output", indexed=True)

ROOT = ((1 - c) + sqrt((1 - c) ** 2 + 4 * c * r)) / 2
QUADRATIC = eq(x**2 - (1 - c) * x - c * r, 0)
HUGE = 10**60


def sigmoid(argument: Expression) -> Expression:
    return 1 / (1 + exp(-argument))


def check(conclusion: Statement, *hypotheses: Statement, points: int = 60, digits: int = 50) -> Evidence:
    found = numeric.check(Obligation("claim", hypotheses, conclusion), Settings(points=points, digits=digits))
    assert found is not None
    assert (found.method, found.obligation, found.digits) == ("numeric", "claim", digits)
    return found


# A true statement, and a false sibling that differs in one place.
PAIRS = {
    "root of a quadratic": (eq(c * (ROOT - r), ROOT * (1 - ROOT)), eq(c * (ROOT - r), ROOT * (1 + ROOT))),
    "sigmoid": (
        eq(sigmoid(z) * (1 - sigmoid(z)), exp(-z) / (1 + exp(-z)) ** 2),
        eq(sigmoid(z) * (1 - sigmoid(z)), exp(-z) / (1 + exp(-z)) ** 3),
    ),
    "hyperbolic": (eq(cosh(z) ** 2 - sinh(z) ** 2, 1), eq(cosh(z) ** 2 - sinh(z) ** 2, 2)),
    "vanishing side": (eq((x + r) ** 2 - x**2 - 2 * x * r - r**2, 0), eq((x + r) ** 2 - x**2 - x * r - r**2, 0)),
    "strict": (lt(ROOT, 1), gt(ROOT, 2 * r)),
    "touching": (ge(x**2 + r**2, 2 * x * r), ge(x**2 + r**2, 2 * x * r + rational(1, 10**4))),
    "different": (ne(exp(c), 1), ne(c**2 - c, 0)),
    "alternative": (either(le(x, r), gt(x, r)), either(lt(x, r), gt(x, r + rational(1, 3)))),
    "conjunction": (both(gt(ROOT, 0), lt(ROOT, 1)), both(gt(ROOT, 0), lt(ROOT, rational(1, 2)))),
    "implication": (implies(lt(x, r), lt(x**2, r**2)), implies(lt(x, r), lt(x, r**2))),
    "equivalence": (iff(lt(x, r), lt(log(x), log(r))), iff(lt(x, r), lt(1 / x, 1 / r))),
    "constants": (eq(sqrt(2) * sqrt(3), sqrt(6)), eq(sqrt(2) * sqrt(3), sqrt(5))),
    "tiny error": (eq(tanh(c), sinh(c) / cosh(c)), eq(tanh(c), sinh(c) / cosh(c) + rational(1, 10**20))),
}


@pytest.mark.parametrize("name", PAIRS)
def test_truth_is_supported_and_its_sibling_refuted(name: str) -> None:
    truth, lie = PAIRS[name]
    supported = check(truth)
    assert supported.verdict is Verdict.SUPPORTED, supported.note
    refuted = check(lie)
    assert refuted.verdict is Verdict.REFUTED, refuted.note
    assert refuted.witness is not None
    assert refuted.note.startswith("fails at ")
    assert recheck(Obligation("claim", (), lie), refuted.witness)


def test_figures_are_reported_in_the_right_units() -> None:
    equation = check(PAIRS["root of a quadratic"][0])
    assert equation.worst_residual is not None
    assert 0 <= float(equation.worst_residual) < 1e-50
    assert {name for name, _ in equation.worst_at} == {"c", "r"}
    inequality = check(lt(x, 1 + x))
    assert inequality.worst_residual is None
    assert inequality.smallest_gap is not None
    # (1 + x) - x over (1 + x) + x is smallest, 1/3, as x approaches 1.
    assert float(inequality.smallest_gap) == pytest.approx(1 / 3, abs=1e-3)
    assert Fraction(999, 1000) < Fraction(dict(inequality.worst_at)["x"]) < 1


@pytest.mark.parametrize(
    ("conclusion", "hypotheses"),
    [
        (eq(c * (x - r), x * (1 - x)), (QUADRATIC,)),
        (eq(x, ROOT), (QUADRATIC,)),
        (QUADRATIC, (eq(x, ROOT),)),
        (eq(log(x) + x, log(r)), (eq(exp(x) * x, r),)),
        (gt(x, r), (QUADRATIC,)),
        (Any((eq(x, r), eq(x, 1 - r))), (eq((x - r) * (x - 1 + r), 0),)),
    ],
)
def test_implications_are_tested_on_the_solution_set(conclusion: Statement, hypotheses: tuple[Statement, ...]) -> None:
    found = check(conclusion, *hypotheses)
    assert found.verdict is Verdict.SUPPORTED, found.note
    assert "solution set" in found.note


@pytest.mark.parametrize(
    ("conclusion", "hypotheses"),
    [
        (eq(c * (x - r), x * (1 + x)), (QUADRATIC,)),
        (eq(x, ROOT + r / 10**6), (QUADRATIC,)),
        (eq(x, r), (eq((x - r) * (x - 1 + r), 0),)),
        (lt(x, rational(1, 2)), (QUADRATIC,)),
    ],
)
def test_false_implications_fail_on_the_solution_set(conclusion: Statement, hypotheses: tuple[Statement, ...]) -> None:
    found = check(conclusion, *hypotheses)
    assert found.verdict is Verdict.REFUTED, found.note
    assert found.witness is not None
    assert recheck(Obligation("claim", hypotheses, conclusion), found.witness)


def test_both_directions_of_an_equivalence_from_expand() -> None:
    for obligation in expand(iff(QUADRATIC, eq(x, ROOT)))[0]:
        found = numeric.check(obligation, Settings(points=60))
        assert found is not None
        assert found.verdict is Verdict.SUPPORTED
    squared = expand(iff(eq(z**2, c), eq(z, sqrt(c))))[0]
    verdicts = [found.verdict for one in squared if (found := numeric.check(one, Settings(points=60))) is not None]
    assert verdicts == [Verdict.REFUTED, Verdict.SUPPORTED]


def test_monotone_in_two_copies() -> None:
    for increasing, expected in ((True, Verdict.SUPPORTED), (False, Verdict.REFUTED)):
        obligation = expand(Monotone(ROOT, r, increasing))[1][0]
        found = numeric.check(obligation, Settings(points=60))
        assert found is not None
        assert found.verdict is expected


def test_sums_over_outputs() -> None:
    normalised, reference = eq(Total(p), 1), eq(Total(q), 1)
    centred = eq(Total(p * (score - Total(p * score))), 0)
    assert check(centred, normalised).verdict is Verdict.SUPPORTED
    assert check(centred).verdict is Verdict.REFUTED
    beta, norm = real("beta", "(0, oo)", "penalty"), real("norm", "(0, oo)", "normaliser")
    tilted = eq(p, q * exp(score / beta) / norm)
    divergence = Total(p * log(p / q))
    value = eq(Total(p * score) - beta * divergence, beta * log(norm))
    assert check(value, normalised, reference, tilted, points=25).verdict is Verdict.SUPPORTED
    assert check(gt(divergence, 0), normalised, reference, ne(Total((p - q) ** 2), 0)).verdict is Verdict.SUPPORTED
    assert check(le(score**2, Total(score**2))).verdict is Verdict.SUPPORTED
    assert check(le(p, rational(1, 2)), normalised).verdict is Verdict.REFUTED


@pytest.mark.parametrize("lie", [eq((HUGE + c) - HUGE, 2 * c), eq(c * (HUGE**2 + 1) - c * HUGE**2, c + c**2)])
def test_cancellation_cannot_fake_agreement(lie: Statement) -> None:
    assert check(lie).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "truth",
    [
        eq((HUGE + c) - HUGE, c),
        eq(sqrt((c - x) ** 2 - c**2 + 2 * c * x - x**2), 0),
        gt((HUGE + c) - HUGE, 0),
        eq(exp(c) * exp(-c), 1),
        eq(log(1 + c / HUGE) + log(1 - c / HUGE), log(1 - (c / HUGE) ** 2)),
    ],
)
def test_cancellation_cannot_fake_disagreement(truth: Statement) -> None:
    assert check(truth).verdict is Verdict.SUPPORTED


def test_a_difference_below_the_digits_of_a_sum_is_seen() -> None:
    lie = eq(x + Fraction(1, 10**40), x)
    assert check(lie, digits=20).verdict is Verdict.UNDECIDED
    assert check(lie, digits=50).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("huge", "seen"),
    [(exp(rational(200)), Verdict.REFUTED), (exp(rational(9) ** 9), Verdict.UNDECIDED)],
    ids=["large", "too-large"],
)
@pytest.mark.parametrize("extra", [rational(0), x], ids=["constants", "symbol"])
def test_huge_terms_do_not_hide_a_difference(huge, seen, extra) -> None:
    assert check(eq(extra + huge, extra + huge + 1)).verdict is Verdict.UNDECIDED
    assert check(ge(extra + huge, extra + huge + 1)).verdict is seen


def test_touching_is_not_strict() -> None:
    found = check(gt(x**2 + r**2, 2 * x * r), eq(x, r))
    assert found.verdict is Verdict.REFUTED


def test_undefined_is_not_agreement() -> None:
    found = check(eq((z - 1) / (z - 1), 1), points=200)
    assert found.verdict is Verdict.UNDECIDED
    assert "undefined at" in found.note
    assert check(eq(log(x - x), 1)).verdict is Verdict.UNDECIDED
    assert check(either(eq(1 / (z - z), 1), gt(exp(z), 0))).verdict is Verdict.SUPPORTED


def test_unsatisfiable_hypotheses_support_nothing() -> None:
    assert check(lt(x, r), lt(x, 0)).note.startswith("only 0 different points that satisfy the hypotheses")
    found = check(lt(x, r), eq(sqrt(x), r - 2))
    assert (found.verdict, found.points) == (Verdict.UNDECIDED, 0)
    assert found.note.startswith("only 0 different solutions found")


def test_without_a_certified_witness_failure_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[object] = []

    def none_found(obligation: object, settings: object, candidates: list[object]) -> None:
        offered.extend(candidates)

    monkeypatch.setattr(numeric, "counterexample", none_found)
    monkeypatch.setattr(numeric, "refutation", lambda *arguments: None)
    found = check(lt(x, rational(1, 2)))
    assert found.verdict is Verdict.UNDECIDED
    assert "not certified" in found.note
    assert offered
    assert all(isinstance(point, dict) and point[x] >= Fraction(1, 2) for point in offered)


def test_candidates_with_outputs_put_the_generic_output_first(monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[dict[Symbol, Fraction]] = []
    monkeypatch.setattr(numeric, "counterexample", lambda _o, _s, candidates: offered.extend(candidates))
    check(le(2 * p, Total(p)))
    first = replace(p, name="p[1]", indexed=None)
    assert offered
    for point in offered:
        assert all(symbol.name.startswith("p[") for symbol in point)
        assert 2 * point[first] > sum(point.values())


def test_the_same_seed_gives_the_same_evidence() -> None:
    one, other = (check(lt(ROOT, 1), QUADRATIC) for _ in range(2))
    assert one == other


def test_constants_are_evaluated_once() -> None:
    found = check(lt(exp(1), 3))
    assert (found.points, found.verdict) == (1, Verdict.SUPPORTED)
    assert "constants" in found.note


def test_five_hundred_digits() -> None:
    found = check(PAIRS["root of a quadratic"][0], digits=500, points=20)
    assert found.verdict is Verdict.SUPPORTED
    assert found.worst_residual is not None
    assert mpmath.mpf(found.worst_residual) < mpmath.mpf(10) ** -500
    assert check(eq(x + Fraction(1, 10**400), x), digits=500, points=20).verdict is Verdict.REFUTED


def test_unfinished_derivatives_are_left_to_expand() -> None:
    assert numeric.check(Obligation("claim", (), eq(Derivative(x, x), 1)), Settings()) is None


# ---------------------------------------------------------------- evaluation against an independent one


@contextmanager
def precise(bits: int) -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def ball(expression: Expression, at: Fraction) -> flint.arb:
    match expression:
        case Number(value):
            return flint.arb(flint.fmpq(value.numerator, value.denominator))
        case Symbol():
            return flint.arb(flint.fmpq(at.numerator, at.denominator))
        case Apply("power", (base, Number(exponent))):
            base_ball = ball(base, at)
            return (base_ball.sqrt() if exponent.denominator == 2 else base_ball) ** exponent.numerator
        case Apply(operator, operands):
            values = [ball(operand, at) for operand in operands]
            return BALLS[operator](*values)
    raise AssertionError(expression)


BALLS = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "negate": lambda a: -a,
    "sqrt": lambda a: a.sqrt(),
    "exp": lambda a: a.exp(),
    "log": lambda a: a.log(),
    "cosh": lambda a: a.cosh(),
    "sinh": lambda a: a.sinh(),
    "tanh": lambda a: a.tanh(),
    "absolute": abs,
    "maximum": lambda a, b: a.max(b),
    "minimum": lambda a, b: a.min(b),
}

leaves = st.just(z) | st.fractions(-4, 4, max_denominator=6).map(as_expression)


def grow(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    unary = st.sampled_from((sqrt, exp, log, cosh, sinh, tanh, absolute, lambda a: -a, lambda a: a**3, lambda a: a**-2))
    halves = inner.map(lambda a: a ** Fraction(3, 2))
    binary = st.sampled_from(
        (maximum, minimum, lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b)
    )
    one = st.builds(lambda build, a: build(a), unary, inner)
    two = st.builds(lambda build, a, b: build(a, b), binary, inner, inner)
    return one | two | halves


@given(st.recursive(leaves, grow, max_leaves=8), st.fractions(-3, 3, max_denominator=8))
@settings(max_examples=examples(150))
def test_evaluation_agrees_with_ball_arithmetic(expression: Expression, at: Fraction) -> None:
    with precise(2000):
        enclosure = ball(expression, at)
    assume(enclosure.is_finite() and abs(enclosure).log().is_finite() and abs(enclosure) < 10**30)
    value, _ = evaluate(expression, Point({"z": at}), 40)
    with precise(2000):
        ours = flint.arb(flint.fmpq(*map(int, libmp.to_rational(value))))
        assert abs(ours - enclosure) <= abs(enclosure) * flint.arb(10) ** -39


Evaluated: TypeAlias = Callable[[Program, Point, int], list[Scaled]]


def by_rounding(program: Program, point: Point, bits: int) -> list[Scaled]:
    return program.run(Rounded(bits), point)


def by_machine_noise(program: Program, point: Point, bits: int) -> list[Scaled]:
    return scaled_values(program, point, quick(bits))


@pytest.mark.slow
@pytest.mark.parametrize("evaluated", [by_rounding, by_machine_noise])
@given(expression=st.recursive(leaves, grow, max_leaves=8), at=st.fractions(-3, 3, max_denominator=8))
@settings(max_examples=examples(150))
def test_noise_is_within_the_scale(evaluated: Evaluated, expression: Expression, at: Fraction) -> None:
    bits = 120
    with precise(3000):
        enclosure = ball(expression, at)
    assume(enclosure.is_finite())
    try:
        value, scale = evaluated(Program((expression,)), Point({"z": at}), bits)[0]
    except (UndefinedError, OutOfReachError):
        reject()
    # A value that is 0 in truth, under a square root, leaves a ball of positive width.
    with precise(3000):
        ours, unit = (flint.arb(flint.fmpq(*map(int, libmp.to_rational(part)))) for part in (value, scale))
        assert not abs(ours - enclosure) > unit * flint.arb(2) ** (10 - bits)


@pytest.mark.slow
@given(
    st.recursive(leaves, grow, max_leaves=8),
    st.fractions(-3, 3, max_denominator=8).flatmap(
        lambda at: st.sampled_from((at, at * 10**60, at / 10**60, at * 10**300, at / 10**300))
    ),
    st.sampled_from((60, 216, 864)),
)
@settings(max_examples=examples(200))
def test_machine_noise_leaves_values_and_losses_as_they_are(expression: Expression, at: Fraction, bits: int) -> None:
    """Of numbers of every size; the scales differ by no more than their rounding."""
    program, point = Program((expression,)), Point({"z": at})
    plain, found = Rounded(bits), quick(bits)
    try:
        (value, scale), expected = program.run(plain, point)[0], None
    except (UndefinedError, OutOfReachError) as error:
        (value, scale), expected = (libmp.fzero, libmp.fzero), str(error)
    if expected is not None:
        with pytest.raises((UndefinedError, OutOfReachError), match=re.escape(expected)):
            scaled_values(program, point, found)
        return
    ((same, estimate),) = scaled_values(program, point, found)
    assert (same, found.rounded.lost) == (value, plain.lost)
    ratio = libmp.to_float(libmp.mpf_div(estimate, scale, 53)) if scale != libmp.fzero else 1.0
    assert ratio == pytest.approx(1, rel=1e-6)


def test_equal_subtrees_are_evaluated_once() -> None:
    deep: Expression = z
    for _ in range(12):
        deep = deep + deep
    assert evaluate(deep, Point({"z": Fraction(1, 3)}), 30)[0] == libmp.from_rational(4096, 3, precisions(30)[0], "n")


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (1 / (z - z), "division by zero"),
        (log(z - z), "logarithm of 0"),
        (log(z - 2), "logarithm of a negative number"),
        (sqrt(z - 2), "square root of a negative number"),
        ((z - z) ** 0, "exponent of 0 or less"),
        ((z - 2) ** Fraction(1, 2), "square root of a negative number"),
    ],
)
def test_undefined_values_are_reported(expression: Expression, message: str) -> None:
    with pytest.raises(UndefinedError, match=message):
        evaluate(expression, Point({"z": Fraction(1)}), 50)


def test_what_cannot_be_evaluated_is_said() -> None:
    with pytest.raises(OutOfReachError, match="out of reach"):
        evaluate(exp(exp(z)), Point({"z": Fraction(100)}), 50)
    with pytest.raises(UnsupportedError, match="unfold it first"):
        Program((Derivative(z, z),))
    with pytest.raises(UnsupportedError, match="explicit values for each of its terms"):
        evaluate(Total(z), Point({"z": Fraction(1)}), 50)
    sides = Program((cosh(z) ** 2 - sinh(z) ** 2, as_expression(2)))
    with pytest.raises(OutOfReachError, match="too much cancels"):
        difference(sides, Point({"z": Fraction(10**6)}), 50, thorough=False)


def test_the_global_precision_is_left_alone() -> None:
    before = (mpmath.mp.prec, flint.ctx.prec)
    check(lt(ROOT, 1), QUADRATIC, digits=80)
    assert (mpmath.mp.prec, flint.ctx.prec) == before


def test_a_vector_is_summed_over_its_outputs() -> None:
    point = Point({}, {"p": (Fraction(1, 2), Fraction(1, 3)), "q": (Fraction(1), Fraction(2))}, 2, 1)
    value, _ = evaluate(Total(p * q) + p, point, 30)
    # 1/2 + 2/3 over the outputs, and 1/3 at the generic one
    assert libmp.to_str(value, 20) == "1.5"


# ---------------------------------------------------------------- out of reach, and hypotheses that are hard to meet


def test_what_rounds_to_the_other_side_is_out_of_reach_and_no_failure() -> None:
    # 1 - exp(-1/c) is less than 1 by far less than any number of digits shows.
    found = check(lt(1 - exp(-1 / c), 1), points=200)
    assert found.verdict is Verdict.SUPPORTED, found.note
    assert "out of reach" in found.note
    assert check(gt(1 - exp(-1 / c), 1), points=200).verdict is Verdict.REFUTED


def test_lost_terms_support_no_weak_inequality_either() -> None:
    lie = ge(1 - exp(-1 / c), 1)
    small = lt(c, rational(1, 10**5))
    found = check(lie, small)
    assert found.verdict is Verdict.UNDECIDED, found.note
    assert "out of reach" in found.note


def test_a_lost_term_within_reach_is_recovered() -> None:
    # exp(-2000) needs about 2900 bits next to 1.
    sides = Program((1 - exp(-z), as_expression(1)))
    point = Point({"z": Fraction(2000)})
    assert difference(sides, point, 50, thorough=True).sign == -1
    with pytest.raises(OutOfReachError, match="too much cancels"):
        difference(sides, Point({"z": Fraction(10**6)}), 50, thorough=True)


def test_touching_without_lost_terms_is_a_failure() -> None:
    assert difference(Program((sqrt(2) * sqrt(3), sqrt(6))), Point({}), 50, thorough=True).sign == 0
    found = check(lt(sqrt(2) * sqrt(3), sqrt(6)))
    assert found.verdict in (Verdict.REFUTED, Verdict.UNDECIDED)
    assert found.note.startswith("fails at 1 of 1 points")


def test_a_divisor_that_rounds_to_zero_is_out_of_reach_and_not_undefined() -> None:
    found = check(eq(1 / (4 * sigmoid(z) * (1 - sigmoid(z))), cosh(z / 2) ** 2), points=200)
    assert found.verdict is Verdict.SUPPORTED, found.note
    assert "out of reach" in found.note


def test_a_zero_on_the_grid_is_found() -> None:
    share = real("share", "[0, 1]", "a share, ends included")
    slope = (1 - 2 * share) * exp(-1 / (c * sqrt(share * (1 - share) + r)))
    found = check(eq(share, rational(1, 2)), eq(slope, 0))
    assert found.verdict is Verdict.SUPPORTED, found.note
    assert found.points == 60
    at_an_end = check(eq(share, 0), eq(exp(share), 1))
    assert at_an_end.note.startswith("only 1 different solutions found")


def test_points_are_counted_once() -> None:
    found = check(eq(x * 2, 1), eq(x, rational(1, 2)))
    assert found.points == 1
    assert found.verdict is Verdict.UNDECIDED
