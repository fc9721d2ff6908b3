"""Estimated integrals, series and limits, against values known otherwise, and the verdicts that rest on them."""

from fractions import Fraction

import pytest
from flint import arb, fmpq
from mpmath import mp, mpf
from mpmath.ctx_mp import MPContext

from grpo_symbolic.checks.quadrature import enclose_integral
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import GrpoSymbolicError, UndefinedError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import as_expression
from grpo_symbolic.language.statement import eq, gt, le, lt, ne
from grpo_symbolic.language.vocabulary import (
    absolute,
    arctan,
    cos,
    exp,
    gamma,
    log,
    maximum,
    minimum,
    rational,
    real,
    sign,
    sin,
    sqrt,
    whole,
)
from grpo_symbolic.translate.estimates import Estimator
from grpo_symbolic.translate.pointwise import Functions
from grpo_symbolic.translate.rounded import OutOfReachError

x = real("x", "(-oo, oo)", "the variable that is bound")
k = real("k", "(-oo, oo)", "a whole number that is bound")
a = real("a", "(0, oo)", "a parameter")
PI = 4 * arctan(1)
QUICK = Settings(digits=30, points=20)
ALTERNATING = exp(k * log(as_expression(-1)))  # how (-1)^k is read


def integral(body, lower, upper):
    return Binder("integral", body, x, *(None if end is None else as_expression(end) for end in (lower, upper)))


def series(body, first):
    return Binder("series", body, k, as_expression(first), None)


def limit(body, point, kind="limit"):
    return Binder(kind, body, x, None, None if point is None else as_expression(point))


def estimate(binder, **values):
    return Estimator().estimate(binder, {name: mpf(value) for name, value in values.items()})


KNOWN = {
    "gauss": (integral(exp(-(x**2)), None, None), lambda: mp.sqrt(mp.pi)),
    "backwards": (integral(x**2, 1, 0), lambda: mpf(-1) / 3),
    "singular ends": (integral(1 / sqrt(1 - x**2), -1, 1), lambda: mp.pi),
    "logarithm": (integral(log(x) / (1 + x**2), 0, 1), lambda: -mp.catalan),
    "tail": (integral(1 / (1 + x**2), 0, None), lambda: mp.pi / 2),
    "double": (
        integral(Binder("integral", sin(x * k), k, as_expression(0), as_expression(1)), 0, 1),
        lambda: mp.euler - mp.ci(1),
    ),
    "exponential": (series(1 / gamma(k + 1), 0), lambda: mp.e),
    "slow": (series(1 / k**2, 1), lambda: mp.pi**2 / 6),
    "alternating": (series(ALTERNATING / (2 * k + 1), 0), lambda: mp.pi / 4),
    "removable": (limit(sin(x) / x, 0), lambda: mpf(1)),
    "at infinity": (limit(exp(x * log(1 + 1 / x)), None), lambda: mp.e),
    "one-sided": (limit(sign(x), 0, "limit-"), lambda: mpf(-1)),
    "nothing": (integral(x, 3, 3), lambda: mpf(0)),
}


@pytest.mark.parametrize("name", KNOWN)
def test_errors_are_not_underestimated(name):
    binder, known = KNOWN[name]
    found = estimate(binder)
    with mp.workdps(40):
        assert abs(mpf(found.value) - known()) <= found.error
        assert found.error <= mpf(10) ** -9 * found.scale


@pytest.mark.parametrize(
    "binder",
    [
        integral(1 / x, 0, 1),
        integral(1 / x, 1, None),
        integral(1 / x, -1, 1),
        integral(1 / (x * sqrt(x)), 0, 1),
        integral(exp(rational(4, 7) * log(x)) / (1 + x), 0, None),
        integral(1 / (x - rational(1, 3)) ** 2, 0, 1),
        integral(sin(x) / cos(x), 0, 3),
        integral(sin(x), 0, None),
        integral(exp(-(10**6) * (x - rational(1, 3)) ** 2), 0, 1),
        integral(sign(x - rational(1, 7)), 0, 1),
        series(1 / k, 1),
        series(ALTERNATING * (k + 1), 0),
        limit(sin(1 / x), 0),
        limit(sign(x), 0),
        limit(1 / log(x), None),
    ],
    ids=str,
)
def test_what_does_not_settle_has_no_value(binder):
    with pytest.raises(GrpoSymbolicError, match=r"settle|vanish|division by zero|no value|negative|not positive"):
        estimate(binder)


def test_the_budget_ends_a_computation():
    with pytest.raises(OutOfReachError, match="budget"):
        Estimator(100).estimate(integral(sin(x), 0, 1), {})


def test_a_power_of_a_negative_number_needs_a_whole_exponent():
    estimator = Estimator()
    assert estimator.value(ALTERNATING, {"k": mpf(3)}) == -1
    with pytest.raises(UndefinedError, match="not positive"):
        estimator.value(ALTERNATING, {"k": mpf("0.5")})


def verdict(statement):
    return judge_statement(statement, (), QUICK, "test").verdict


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (eq(integral(1 / (1 + a * x) ** 2, 0, 1), 1 / (1 + a)), "SUPPORTED"),
        (eq(integral(exp(-a * x**2), None, None), sqrt(PI / a) + rational(1, 10**6)), "REFUTED"),
        (eq(integral(x**3, -1, 1), 0), "SUPPORTED"),
        (eq(integral(x**3, -1, 1), rational(1, 10**9)), "REFUTED"),
        (gt(integral(x**2, 0, 1), 0), "SUPPORTED"),
        (lt(integral(x**2, 0, 1), 0), "REFUTED"),
        (ne(integral(x**2, 0, 1), 0), "SUPPORTED"),
        # An inequality that is attained cannot be told from one that fails.
        (le(integral(x**2, 0, 1), rational(1, 3)), "UNDECIDED"),
        # A difference below what the estimate can show.
        (eq(integral(1 / sqrt(1 - x**2), -1, 1), PI + rational(1, 10**11)), "UNDECIDED"),
        # It diverges, whatever a formula says.
        (eq(integral(1 / x**2, -1, 1), -2), "UNDECIDED"),
        # Both sides are the same multiple of something that converges too slowly.
        (eq(2 * integral(sin(x) / x, 0, None), integral(sin(x) / x, 0, None) * 3 - integral(sin(x) / x, 0, None)),
         "SUPPORTED"),
        # Extrapolated sums and limits refute nothing.
        (eq(series(1 / k**2, 1), 2), "UNDECIDED"),
        (eq(limit(sin(a * x) / x, 0), a), "SUPPORTED"),
        (eq(limit(sin(a * x) / x, 0), 2 * a), "UNDECIDED"),
        # A kink is no singularity, but the two computations of its integral differ.
        (eq(integral(absolute(x - rational(1, 3)), -1, 1), 5), "UNDECIDED"),
    ],
    ids=str,
)  # fmt: skip
def test_verdicts(statement, expected):
    assert verdict(statement) is Verdict[expected]


@pytest.mark.slow
def test_support_never_claims_more_digits_than_the_estimates():
    (found, *_) = judge_statement(eq(integral(1 / sqrt(1 - x**2), -1, 1), PI), (), QUICK, "test").evidence
    assert found.verdict is Verdict.SUPPORTED
    assert 8 <= found.digits <= 13 < QUICK.digits


def test_a_finite_sum_is_as_exact_as_is_asked_for():
    """Nothing is estimated in it; what an integral beside it needed first is no limit to its digits."""
    count = whole("n", "[1, oo)", "a number of terms")
    total = Binder("sum", k / 3, k, as_expression(1), count)
    (found, *_) = judge_statement(eq(total, count * (count + 1) / 6), (), Settings(), "test").evidence
    assert found.verdict is Verdict.SUPPORTED
    assert found.digits == Settings().digits
    beside = integral(x / 3, 0, 1) + Binder("sum", k / 3, k, as_expression(1), as_expression(4))
    (found, *_) = judge_statement(eq(beside, rational(7, 2)), (), Settings(), "test").evidence
    assert found.verdict is Verdict.SUPPORTED
    assert 20 <= found.digits < Settings().digits


def test_constants_are_rounded_to_the_precision_in_force():
    """What a rough computation needed first must not be as rough in a finer one."""
    context = MPContext()
    third = Functions(context, lambda binder, values: context.zero).of
    with context.workdps(10):
        rough = third(rational(1, 3))({})
    with context.workdps(60):
        fine = third(rational(1, 3))({})
        assert abs(fine * 3 - 1) < context.mpf(10) ** -58 < abs(rough * 3 - 1)


def test_a_refutation_shows_both_sides():
    (found, *_) = judge_statement(eq(integral(cos(a * x), 0, 1), sin(a)), (), QUICK, "test").evidence
    ((name, at),) = found.witness.at
    with mp.workdps(30):
        value = mpf(Fraction(at).numerator) / Fraction(at).denominator
        assert abs(mpf(found.witness.left) - mp.sin(value) / value) < mpf(10) ** -12
        assert abs(mpf(found.witness.right) - mp.sin(value)) < mpf(10) ** -12
    assert name == "a"
    assert "rigorous quadrature" in found.note


@pytest.mark.parametrize("name", ["gauss", "backwards", "singular ends", "logarithm", "tail", "nothing"])
def test_enclosures_contain_known_values(name):
    binder, known = KNOWN[name]
    with mp.workdps(40):
        value = known()
        ball = enclose_integral(binder, {})
        centre, radius = (mpf(part.str(50, radius=False)) for part in (ball.mid(), ball.rad()))
        assert abs(centre - value) <= radius + mpf(10) ** -35
        assert radius < mpf(10) ** -8


@pytest.mark.parametrize(
    "binder",
    [
        integral(1 / x, -1, 1),
        integral(1 / (a - x), 0, 1),
        integral(log(x - a), 0, 1),
        integral(sqrt(x - a), 0, 1),
        integral(1 / x, 1, None),
        integral(sin(x) / x, 0, None),
        series(1 / k**2, 1),
        limit(x, 0),
        integral(integral(x, 0, 1), 0, 1),
    ],
    ids=str,
)
def test_what_has_no_certain_value_is_not_enclosed(binder):
    ball = enclose_integral(binder, {a: Fraction(1, 2)})
    assert ball is None or ball.rad() > 1


@pytest.mark.parametrize(
    ("body", "known"),
    [
        (absolute(x - rational(1, 3)), Fraction(5, 9) / 2),
        (sign(x - rational(1, 3)), Fraction(1, 3)),
        (maximum(x, 1 - x), Fraction(3, 4)),
        (minimum(x, 1 - x), Fraction(1, 4)),
    ],
    ids=str,
)
def test_kinks_and_jumps_are_enclosed(body, known):
    ball = enclose_integral(integral(body, 0, 1), {})
    assert ball.overlaps(arb(fmpq(known.numerator, known.denominator)))
    assert ball.rad() < arb(10) ** -8


def test_ends_that_are_not_rational_are_enclosed():
    ball = enclose_integral(integral(sin(x), sqrt(a), PI), {a: Fraction(2)})
    with mp.workdps(40):
        assert abs(mpf(ball.mid().str(50, radius=False)) - 1 - mp.cos(mp.sqrt(2))) < mpf(10) ** -30
    assert verdict(eq(integral(sin(x), 0, PI), rational(2001, 1000))) is Verdict.REFUTED


PEAK = exp(-((x - rational(3, 10)) ** 2) * 10**12)


@pytest.mark.parametrize(
    "statement",
    [
        gt(integral(1 + PEAK, 0, 1), 1 + rational(17724, 10**10)),
        gt(integral(a + PEAK, 0, 1), a + rational(17724, 10**10)),
        gt(integral(exp(1 - x) + exp(-((x - 10**7) ** 2)), 1, None), 2),
    ],
    ids=str,
)
def test_a_peak_that_all_nodes_miss_refutes_nothing_true(statement):
    assert verdict(statement) is Verdict.UNDECIDED


def test_a_peak_that_all_nodes_miss_supports_nothing_false():
    assert verdict(eq(integral(1 + PEAK, 0, 1), 1)) is Verdict.UNDECIDED
