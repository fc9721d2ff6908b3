"""Interval Newton: enclosures contain the zeros that mpmath finds, and what is not there is not certified."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging_here import found, judged_by
from mpmath import mp, mpf
from property_tests import examples

from grpo_symbolic.checks.enclosure import METHOD
from grpo_symbolic.checks.newton import enclose_zero
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.checks.unique_zero import LABEL, zeros
from grpo_symbolic.errors import CheckError, DeclarationError, UnsupportedError
from grpo_symbolic.evidence import STANDING, Evidence, Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.judging.searching import Searcher
from grpo_symbolic.language.composites import UniqueZero, Zeros
from grpo_symbolic.language.expression import as_expression
from grpo_symbolic.language.statement import gt
from grpo_symbolic.language.stating import both, instance
from grpo_symbolic.language.vocabulary import (
    absolute,
    cosh,
    exp,
    log,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.obligations.expansion import instantiated
from grpo_symbolic.translate.balls import exact, precision

x = real("x", "[0, 1]", "a probability")
y = real("y", "(-oo, oo)", "a number")
w = real("w", "(0, oo)", "a weight")

half, third = Fraction(1, 2), Fraction(1, 3)
QUICK = Settings(points=24)


def contains(zero, value) -> bool:
    """Whether an enclosure contains a number that mpmath knows to many more digits."""
    middle, radius = mpf(zero.enclosure.mid().str(80, radius=False)), mpf(zero.enclosure.rad().str(5, radius=False))
    return abs(middle - value) <= radius + mpf(10) ** -70


def holds(zero, value) -> bool:
    """Whether an enclosure contains a rational number; at a low precision a ball would stand for it."""
    with precision(300):
        return bool(zero.enclosure.contains(exact(value)))


def test_thresholds_are_enclosed_to_the_asked_digits():
    zero = enclose_zero(exp(y) - 2, y, Fraction(0), Fraction(1), 50)
    with mp.workdps(90):
        assert contains(zero, mp.log(2))
    assert zero.enclosure.rad() < exact(Fraction(1, 10**50))
    assert zero.increasing


def test_a_falling_function_and_a_rational_zero():
    falling = enclose_zero(cosh(y) - 2 * y**2, y, Fraction(3, 4), Fraction(3, 2), 20)
    with mp.workdps(90):
        assert contains(falling, mp.findroot(lambda value: mp.cosh(value) - 2 * value**2, 0.8))
    assert not falling.increasing
    assert holds(enclose_zero(3 * y - 1, y, Fraction(0), Fraction(1), 20), third)


def test_a_zero_that_is_extremely_close_to_an_end_is_resolved():
    zero = enclose_zero(1 - x - exp(as_expression(-300)), x, half, Fraction(1), 10)
    with precision(1000):
        distance = 1 - zero.enclosure
    assert distance > 0
    with mp.workdps(20):
        assert abs(mpf(distance.str(10, radius=False)) / mp.exp(-300) - 1) < mpf(10) ** -8


@pytest.mark.parametrize(
    ("expression", "low", "high", "message"),
    [
        ((y - third) ** 2, 0, 1, "derivative may vanish"),
        ((y - third) * (y - 2 * third), 0, 1, "derivative may vanish"),
        (y**2 - 2, 2, 3, "no zero between 2 and 3"),
        (exp(y), 0, 1, "no zero between"),
        (y - 1, 0, 1, "contains its Newton image"),
        (1 / y, -1, 1, "derivative may vanish or be undefined"),
        (log(y), -1, 2, "derivative may vanish or be undefined"),
        (y**3 - 2 * y, -2, 2, "derivative may vanish"),
    ],
    ids=["double", "two", "outside", "none", "at an end", "pole", "undefined", "three"],
)
def test_what_is_not_certified_is_refused(expression, low, high, message):
    with pytest.raises(CheckError, match=message):
        enclose_zero(expression, y, Fraction(low), Fraction(high), 20)


def test_kinks_and_other_symbols_are_not_its_business():
    with pytest.raises(UnsupportedError, match="absolute"):
        enclose_zero(absolute(y) - 1, y, Fraction(0), Fraction(2), 20)
    with pytest.raises(UnsupportedError, match="more than y"):
        enclose_zero(y - w, y, Fraction(0), Fraction(2), 20)


def zero_of(expression, *, below="0", above="1", up=True, symbol=x, lower=None, upper=None):
    low, high = (rational(*Fraction(end).as_integer_ratio()) for end in (below, above))
    return UniqueZero(expression, symbol, low, high, up, lower, upper)


def test_the_digits_of_a_unique_zero():
    (evidence,) = zeros(zero_of(x**2 - half + x, below="0.3", above="0.4"))
    assert (evidence.method, evidence.verdict, evidence.obligation) == (METHOD, Verdict.SUPPORTED, LABEL)
    assert "N(X) lies inside X" in evidence.note
    assert evidence.zero is not None
    assert evidence.zero.startswith("[0.3660254037844386467")


@pytest.mark.parametrize(
    "statement",
    [
        zero_of(x - third, up=False),
        zero_of(x**2 - x / 2 + Fraction(1, 100), below="1/4", above="1"),
        zero_of(x - third, below="1/2"),
        zero_of(x - third, lower=as_expression(0)),
        zero_of(x - third, below="1/4", above="1/5"),
        zero_of(x - third, below="-1"),
    ],
    ids=["direction", "not monotone throughout", "elsewhere", "bracket at a bound", "empty bracket", "out of domain"],
)
def test_false_unique_zeros_are_not_decided(statement):
    assert verdict_on(statement) not in STANDING


@pytest.mark.parametrize(
    "statement",
    [
        zero_of(x - third, up=False),
        zero_of(x - third, below="1/2"),
        zero_of(x - third, below="1/4", above="1/5"),
        zero_of(x - third, below="-1"),
    ],
    ids=["direction", "elsewhere", "empty bracket", "out of domain"],
)
def test_no_digits_of_what_is_not_there(statement):
    assert not list(zeros(statement))


def test_no_digits_where_numbers_are_not_given():
    assert not list(zeros(zero_of(x - w / (1 + w))))
    assert not list(zeros(UniqueZero(x - half, x, sqrt(rational(1, 8)), rational(1), True)))
    assert not list(zeros(UniqueZero(x - half, x, rational(1, 4), 1 / as_expression(0), True)))
    assert not list(zeros(gt(x, 0)))


def test_digits_where_the_interval_is_unbounded():
    for where in (y, w):
        (found,) = zeros(zero_of(exp(where) - 2, above="1", below="1/2", symbol=where))
        assert "0.6931471805599453094" in found.note
    judgement = judge_statement(zero_of(exp(w) - 2, below="1/2", symbol=w), (), Settings(points=24), "log 2")
    assert judgement.verdict is Verdict.DECIDED
    assert [item.zero for item in judgement.evidence if item.zero is not None]
    # It falls, then rises: one zero between the points, another one outside.
    waves = judge_statement(zero_of(w**2 - 3 * w + 1, below="2", above="3", symbol=w), (), Settings(points=24), "two")
    assert waves.verdict is not Verdict.DECIDED


def test_digits_decide_nothing():
    """Whatever is said of the zeros, the verdict is that of the obligations."""

    class Liar(Searcher):
        def zeros(self, statement):
            label = "strictly monotone"
            yield Evidence("enclosure", Verdict.SUPPORTED, label, "", zero="1")

    assert judged_by(Liar(QUICK), zero_of(x - third)).verdict is Verdict.DECIDED
    assert judged_by(Liar(QUICK), zero_of(x - third, up=False)).verdict not in STANDING

    class Usurper(Searcher):
        def zeros(self, statement):
            yield found("enclosure", Verdict.DECIDED, "strictly monotone")

    with pytest.raises(CheckError, match="enclosure on 'strictly monotone': DECIDED of something else"):
        judged_by(Usurper(QUICK), zero_of(x - third))


def test_a_judgement_rests_on_it_and_on_the_other_parts():
    first, second = zero_of(x - third), zero_of(x**3 + x - half, below="1/5")
    judgement = judge_statement(both(first, second, gt(x, -1)), (), Settings(points=24), "zeros")
    assert judgement.verdict is Verdict.DECIDED
    assert [item.obligation for item in judgement.evidence if item.obligation.endswith(LABEL)] == [
        f"part 1: {LABEL}",
        f"part 2: {LABEL}",
    ]
    wrong = judge_statement(both(first, second, gt(x, half)), (), Settings(points=24), "zeros")
    assert wrong.verdict is Verdict.REFUTED
    elsewhere = judge_statement(both(first, zero_of(x**3 + x - half, above="1/5")), (), Settings(points=24), "zeros")
    assert elsewhere.verdict is not Verdict.DECIDED


def test_zeros_at_particular_values_and_only_where_these_are_allowed():
    scaled = UniqueZero(w * x - third, x, rational(0), rational(1), True)
    inside = judge_statement(instance(both(scaled, gt(x, -w)), {w: 2}), (), Settings(points=24), "two")
    assert inside.verdict is Verdict.DECIDED
    assert "0.166666" in next(item.note for item in inside.evidence if LABEL in item.obligation)
    outside = judge_statement(instance(scaled, {w: -2}), (), Settings(points=24), "not a weight")
    assert outside.verdict is Verdict.REFUTED
    below = instance(UniqueZero(w * x + third, x, rational(0), rational(1), False), {w: -2})
    assert judge_statement(below, (), Settings(points=24), "a zero, but w is no weight").verdict is Verdict.REFUTED
    with pytest.raises(DeclarationError, match="x is bound by the statement"):
        instantiated(scaled, {x: as_expression(half)})
    with pytest.raises(DeclarationError, match="x is bound by the statement"):
        instantiated(scaled, {w: x + 1})  # (x + 1) x - 1/3 has another zero


def brackets(*ends: str):
    points = [rational(*Fraction(end).as_integer_ratio()) for end in ends]
    return tuple(zip(points[::2], points[1::2], strict=True))


def verdict_on(statement):
    return judge_statement(statement, (), Settings(points=24), "zeros").verdict


parabola = (x - Fraction(1, 5)) * (x - Fraction(7, 10))


def test_all_zeros_of_an_interval():
    statement = Zeros(parabola, x, brackets("1/10", "3/10", "3/5", "4/5"), rising=False)
    judgement = judge_statement(statement, (), Settings(points=24), "zeros")
    assert judgement.verdict is Verdict.DECIDED
    notes = [item.note for item in judgement.evidence if item.obligation.endswith(LABEL)]
    assert ["0.2000000000" in notes[0], "0.7000000000" in notes[1]] == [True, True]
    wide = Zeros(w * parabola, x, brackets("0", "3/10", "3/5", "1"), rising=False)
    assert verdict_on(instance(wide, {w: 3})) is Verdict.DECIDED
    assert verdict_on(wide) is Verdict.DECIDED
    assert verdict_on(instance(wide, {w: -3})) is Verdict.REFUTED


@pytest.mark.parametrize(
    ("expression", "ends", "rising"),
    [
        (parabola, ("1/10", "3/10"), False),
        (parabola, ("1/10", "3/10", "3/5", "4/5"), True),
        (parabola, ("1/10", "3/10", "2/5", "1/2"), False),
        (parabola * (x - half), ("1/10", "3/10", "3/5", "4/5"), True),
        ((x - third) ** 2, ("1/4", "1/2"), True),
        (x + 1, ("0", "1"), True),
    ],
    ids=["one too few", "the other way", "not there", "one more", "touching", "none"],
)
def test_wrong_lists_of_zeros_are_not_decided(expression, ends, rising):
    assert verdict_on(Zeros(expression, x, brackets(*ends), rising)) is not Verdict.DECIDED


def test_a_touching_zero_outside_of_the_brackets_is_refuted():
    curve = (x - Fraction(4, 5)) * (x - Fraction(2, 5)) ** 2
    assert verdict_on(Zeros(curve, x, brackets("7/10", "9/10"), True)) is Verdict.REFUTED


def test_brackets_are_numbers_in_increasing_order_in_the_domain():
    with pytest.raises(DeclarationError, match="must increase"):
        Zeros(parabola, x, brackets("1/2", "1/4"), True)
    with pytest.raises(DeclarationError, match="must be numbers"):
        Zeros(parabola, x, ((w, rational(1)),), True)
    with pytest.raises(DeclarationError, match="need brackets"):
        Zeros(parabola, x, (), True)
    with pytest.raises(CheckError, match="must lie in the domain of x"):
        verdict_on(Zeros(parabola, x, brackets("1/2", "2"), True))


roots = st.fractions(Fraction(-3), Fraction(3), max_denominator=30)
positive = st.fractions(Fraction(1, 20), Fraction(5), max_denominator=20)


@given(roots, positive, positive, st.booleans())
@settings(max_examples=examples(40))
def test_zeros_of_cubics_with_a_known_root(root, square, scale, falling):
    # (y - r)((y - r)**2 + a) rises everywhere and vanishes at r only.
    cubic = (y - root) * ((y - root) ** 2 + square) * (-scale if falling else scale)
    zero = enclose_zero(cubic, y, root - Fraction(17, 10), root + Fraction(23, 10), 20)
    assert holds(zero, root)
    assert zero.increasing is not falling


@given(st.lists(st.tuples(positive, positive), min_size=1, max_size=3), roots)
@settings(max_examples=examples(25))
def test_zeros_of_exponential_sums_agree_with_mpmath(terms, root):
    total = as_expression(0)
    with mp.workdps(90):
        height = sum(mpf(c.numerator) / c.denominator * mp.exp(mpf((k * root).numerator) / (k * root).denominator)
                     for c, k in terms)  # fmt: skip
        level = Fraction(int(mp.floor(height * 2**40)), 2**40)
        for c, k in terms:
            total = total + c * exp(k * y)
        zero = enclose_zero(total - level, y, root - 1, root + 1, 20)

        def residual(value):
            return sum(mpf(c.numerator) / c.denominator * mp.exp(mpf(k.numerator) / k.denominator * value)
                       for c, k in terms) - mpf(level.numerator) / level.denominator  # fmt: skip

        assert contains(zero, mp.findroot(residual, mpf(root.numerator) / root.denominator))


@given(roots, roots)
@settings(max_examples=examples(25))
def test_two_roots_or_a_double_one_between_the_points_are_never_certified(first, second):
    low, high = min(first, second) - 1, max(first, second) + 1
    with pytest.raises(CheckError, match="may vanish"):
        enclose_zero((y - first) * (y - second), y, low, high, 20)
