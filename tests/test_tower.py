"""Normal forms against mpmath at random points, and identities that must or must not reduce to 0."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from operator import add

import mpmath
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from property_tests import examples

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.expression import (
    Apply,
    Expression,
    Number,
    Symbol,
    Total,
    free_symbols,
)
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.language.vocabulary import (
    absolute,
    cosh,
    exp,
    log,
    maximum,
    rational,
    real,
    sinh,
    sqrt,
    tanh,
)
from grpo_symbolic.translate.algebra import Form, Proposals, Quotient
from grpo_symbolic.translate.kernels import FewKernels
from grpo_symbolic.translate.tower import FinenessError, Tower, TowerProposals, normal_forms
from grpo_symbolic.translate.tower_field import RadicalField, split_square

X = real("x", "(0, 1)", "a probability")
B = real("b", "(0, oo)", "a weight")
Z = real("z", "(-oo, oo)", "a real number")
CLOSED = real("g", "[0, 1]", "a margin")
SAMPLE = {X: Fraction(2, 7), B: Fraction(5, 3), Z: Fraction(-4, 11), CLOSED: Fraction(3, 8)}
SEARCH = settings(max_examples=examples(120), suppress_health_check=[HealthCheck.filter_too_much])


def value(expression: Expression, at: dict[Symbol, Fraction]) -> mpmath.mpf:
    """An evaluator that shares nothing with the package; raises ValueError where there is no real value."""
    match expression:
        case Number(number):
            return mpmath.mpf(number.numerator) / number.denominator
        case Symbol():
            return mpmath.mpf(at[expression].numerator) / at[expression].denominator
        case Apply("power", (base, Number(exponent))):
            inner = value(base, at)
            if (inner == 0 and exponent <= 0) or (inner < 0 and exponent.denominator == 2):
                raise ValueError("power")
            return inner ** (mpmath.mpf(exponent.numerator) / exponent.denominator)
        case Apply(operator, operands):
            return FUNCTIONS[operator](*(value(operand, at) for operand in operands))
    raise TypeError(expression)


def real_sqrt(argument: mpmath.mpf) -> mpmath.mpf:
    if argument < 0:
        raise ValueError("sqrt")
    return mpmath.sqrt(argument)


def real_log(argument: mpmath.mpf) -> mpmath.mpf:
    if argument <= 0:
        raise ValueError("log")
    return mpmath.log(argument)


def moderate(function: Callable[[mpmath.mpf], mpmath.mpf]) -> Callable[[mpmath.mpf], mpmath.mpf]:
    def bounded(argument: mpmath.mpf) -> mpmath.mpf:
        if abs(argument) > 2000:
            raise ValueError("too large for this test")
        return function(argument)

    return bounded


def quotient(left: mpmath.mpf, right: mpmath.mpf) -> mpmath.mpf:
    if right == 0:
        raise ValueError("division")
    return left / right


FUNCTIONS = {
    "add": lambda left, right: left + right,
    "subtract": lambda left, right: left - right,
    "multiply": lambda left, right: left * right,
    "divide": quotient,
    "negate": lambda argument: -argument,
    "sqrt": real_sqrt,
    "exp": moderate(mpmath.exp),
    "log": real_log,
    "cosh": moderate(mpmath.cosh),
    "sinh": moderate(mpmath.sinh),
    "tanh": moderate(mpmath.tanh),
}
COMPARE = {">": lambda gap: gap > 0, ">=": lambda gap: gap >= 0, "!=": lambda gap: gap != 0}


def holds(condition: Relation, at: dict[Symbol, Fraction]) -> bool:
    try:
        return bool(COMPARE[condition.operator](value(condition.left, at) - value(condition.right, at)))
    except ValueError:
        return False


def compound(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    unary = st.sampled_from(["negate", "sqrt", "exp", "log", "cosh", "sinh", "tanh", "sqrt"])
    binary = st.sampled_from(["add", "subtract", "multiply", "divide"])
    exponent = st.sampled_from([Number(Fraction(n, d)) for n, d in ((2, 1), (-1, 1), (3, 2), (-1, 2))])
    return st.one_of(
        st.builds(lambda name, a: Apply(name, (a,)), unary, inner),
        st.builds(lambda name, a, b: Apply(name, (a, b)), binary, inner, inner),
        st.builds(lambda a, n: Apply("power", (a, n)), inner, exponent),
    )


LEAVES = st.one_of(st.sampled_from([X, B, Z]), st.sampled_from([rational(n, d) for n, d in ((1, 1), (2, 1), (-1, 3))]))
EXPRESSIONS = st.recursive(LEAVES, compound, max_leaves=5)
POINTS = st.fixed_dictionaries(
    {
        X: st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50),
        B: st.fractions(Fraction(1, 20), 3, max_denominator=20),
        Z: st.fractions(-2, 2, max_denominator=20),
    }
)


def zero(expression: Expression) -> bool:
    tower, (element,) = normal_forms([expression], SAMPLE)
    return tower.is_zero(element)


def conditions(expression: Expression) -> set[str]:
    return {str(condition) for condition in normal_forms([expression], SAMPLE)[0].side_conditions}


@SEARCH
@given(expression=EXPRESSIONS, point=POINTS)
def test_normal_form_has_the_value_of_the_expression(expression: Expression, point: dict[Symbol, Fraction]) -> None:
    try:
        tower, (element,) = normal_forms([expression], SAMPLE, [X, B, Z])
    except (UndefinedError, UnsupportedError):
        assume(False)
    with mpmath.workdps(60):
        assume(all(holds(condition, point) for condition in tower.side_conditions))
        try:
            expected, found = value(expression, point), value(tower.to_expression(element), point)
        except (ValueError, OverflowError):
            assume(False)
        assume(abs(expected) < mpmath.mpf(10) ** 12)
        assert abs(expected - found) <= mpmath.mpf(10) ** -20 * (1 + abs(expected))


@SEARCH
@given(expression=EXPRESSIONS)
def test_polynomial_arithmetic_confirms_normal_forms(expression: Expression) -> None:
    try:
        tower, (element,) = normal_forms([expression], SAMPLE)
    except (UndefinedError, UnsupportedError):
        assume(False)
    written = tower.to_expression(element)
    assert is_seen_to_vanish(expression - written, tower)
    assert not is_seen_to_vanish(expression - written - 1, tower)


def is_seen_to_vanish(expression: Expression, tower: Tower) -> bool:
    form = Form(free_symbols(expression), TowerProposals(tower))
    value = form.quotient(expression)
    return bool(form.cleared(value).is_zero())


def value_in_form(form: Form, found: Quotient, at: dict[Symbol, Fraction]) -> mpmath.mpf:
    """The value of a quotient, each kernel having the value of its function."""
    known = {form.names[symbol.name]: value(symbol, at) for symbol in form.symbols}
    for kernel in form.kernels:
        known[kernel.name] = FUNCTIONS[kernel.kind](evaluated(form, kernel.arguments[0], known))
    return evaluated(form, found, known)


def evaluated(form: Form, found: Quotient, known: dict[str, mpmath.mpf]) -> mpmath.mpf:
    above, below = (
        mpmath.fsum(
            mpmath.mpf(int(coefficient.p))
            / int(coefficient.q)
            * mpmath.fprod(
                known[name] ** int(power) for name, power in zip(form.generator_names, powers, strict=False) if power
            )
            for powers, coefficient in polynomial.terms()
        )
        for polynomial in (found.numerator, found.denominator)
    )
    return quotient(above, below)


@pytest.mark.slow
@pytest.mark.parametrize("by_tower", [True, False])
@SEARCH
@given(expression=EXPRESSIONS, point=POINTS)
def test_quotients_have_the_value_of_the_expression(
    by_tower: bool, expression: Expression, point: dict[Symbol, Fraction]
) -> None:
    try:
        if by_tower:
            proposals: Proposals = TowerProposals(normal_forms([expression], SAMPLE)[0])
        else:
            proposals = FewKernels([expression])
        form = Form((X, B, Z), proposals)
        found = form.quotient(expression)
    except (UndefinedError, UnsupportedError):
        assume(False)
    with mpmath.workdps(60):
        assume(all(holds(condition, point) for condition in form.conditions))
        try:
            expected, seen = value(expression, point), value_in_form(form, found, point)
        except (ValueError, OverflowError):
            assume(False)
        assume(abs(expected) < mpmath.mpf(10) ** 12)
        assert abs(expected - seen) <= mpmath.mpf(10) ** -20 * (1 + abs(expected))


@SEARCH
@given(left=EXPRESSIONS, right=EXPRESSIONS, other=EXPRESSIONS)
def test_ring_laws_reduce_to_zero(left: Expression, right: Expression, other: Expression) -> None:
    try:
        assert zero((left + right) * other - other * right - left * other)
    except (UndefinedError, UnsupportedError):
        assume(False)


ROOT = sqrt(4 * B**2 + 1)
HALF = rational(1, 2)
IDENTITIES = {
    "conjugate": 1 / (1 + sqrt(X)) - (1 - sqrt(X)) / (1 - X),
    "product of roots": sqrt(X * (1 - X)) - sqrt(X) * sqrt(1 - X),
    "quotient of roots": sqrt(X / (1 - X)) - sqrt(X) / sqrt(1 - X),
    "nested roots that depend": sqrt((1 + 1 / ROOT) / 2) * sqrt((1 - 1 / ROOT) / 2) - B / ROOT,
    "denesting": sqrt(3 + 2 * sqrt(rational(2))) - 1 - sqrt(rational(2)),
    "extracted square": sqrt(X**2 - 2 * X + 1) - (1 - X),
    "half powers": X ** Fraction(3, 2) - X * sqrt(X),
    "half argument": exp(Z / 2) ** 2 - exp(Z),
    "fine and coarse arguments": exp(Z / 12) ** 12 * exp(B) - exp(Z + B),
    "third argument": exp(Z / 3) ** 6 - exp(Z) ** 2,
    "root of an exponential": sqrt(exp(Z)) - exp(Z / 2),
    "argument with a root": exp(1 / (B * ROOT)) - exp(1 / (2 * B * ROOT)) ** 2,
    "argument with a common denominator": exp(X / (X + 1)) * exp(1 / (X + 1)) - exp(rational(1)),
    "exponential of a sum": exp(Z + B - 1) - exp(Z) * exp(B) / exp(rational(1)),
    "exponential of a logarithm": exp(log(X) / 2 - 2 * log(B)) - sqrt(X) / B**2,
    "logarithm of an exponential": log(X * exp(Z)) - Z - log(X),
    "logarithm split": log(X * B**2 / sqrt(1 - X)) - log(X) - 2 * log(B) + HALF * log(1 - X),
    "logarithm of numbers": log(rational(12, 5)) - 2 * log(rational(2)) - log(rational(3)) + log(rational(5)),
    "logarithm of a sum of roots": log(2 + 2 * sqrt(X)) - log(1 + sqrt(X)) - log(rational(2)),
    "hyperbolic square": cosh(Z) ** 2 - sinh(Z) ** 2 - 1,
    "hyperbolic quotient": tanh(Z) - sinh(Z) / cosh(Z),
    "double argument": cosh(2 * Z) - 2 * cosh(Z) ** 2 + 1,
    "root of zero": sqrt((X + B) ** 2 - X**2 - 2 * X * B - B**2),
    "cosh of a logarithm": cosh(log((1 + X) / (1 - X)) / 2) - 1 / sqrt(1 - X**2),
}


@pytest.mark.parametrize("name", IDENTITIES)
def test_identity_reduces_to_zero(name: str) -> None:
    assert zero(IDENTITIES[name])


@pytest.mark.parametrize("name", IDENTITIES)
def test_identity_is_confirmed_and_no_disturbed_one(name: str) -> None:
    for number in (0, rational(1, 1000)):
        expression = IDENTITIES[name] + number
        tower, _ = normal_forms([expression], SAMPLE)
        assert is_seen_to_vanish(expression, tower) is (number == 0)


@pytest.mark.parametrize("name", IDENTITIES)
def test_disturbed_identity_does_not(name: str) -> None:
    assert not zero(IDENTITIES[name] + rational(1, 1000))
    assert not zero(IDENTITIES[name] + X - X**2)


def test_extracted_root_records_the_sign_it_assumed() -> None:
    assert conditions(sqrt((Z - 1) ** 2)) == {"(1 - z) >= 0"}
    assert conditions(sqrt(Z**4)) == set()
    assert conditions(sqrt((1 - sqrt(X)) ** 2)) == {"(1 - sqrt(x)) >= 0"}


def test_split_logarithm_records_positive_factors() -> None:
    assert conditions(log(Z * (Z - 1))) == {"(-z) > 0", "(1 - z) > 0"}


def test_roots_of_factors_on_closed_domains_need_no_condition() -> None:
    assert conditions(sqrt(CLOSED * (1 - CLOSED)) - sqrt(CLOSED) * sqrt(1 - CLOSED)) == set()


def test_constants_leave_no_side_conditions() -> None:
    assert conditions(sqrt(3 + 2 * sqrt(rational(2)))) == set()


def test_denominators_of_several_terms_are_not_rationalised() -> None:
    tower, (element,) = normal_forms([1 / (1 - sqrt(X))], SAMPLE)
    assert tower.side_conditions == []
    assert str(tower.to_expression(element)) == "(1 / (1 - sqrt(x)))"


def test_constant_value() -> None:
    tower, elements = normal_forms([(X + 1) / (2 * X + 2), (1 + sqrt(X)) / (3 + 3 * sqrt(X)), X, X - X], SAMPLE)
    values = [tower.constant_value(element) for element in elements]
    assert values == [Fraction(1, 2), Fraction(1, 3), None, Fraction(0)]


def test_linear_parts() -> None:
    tower, (linear, square, hidden) = normal_forms([B * (X - 3) + X * sqrt(Z**2 + 1), X**2, exp(X) * B], SAMPLE)
    parts = tower.linear_parts(linear, X)
    assert parts is not None
    with mpmath.workdps(30):
        slope, rest = (value(part, SAMPLE) for part in parts)
        assert mpmath.almosteq(slope * value(X, SAMPLE) + rest, value(B * (X - 3) + X * sqrt(Z**2 + 1), SAMPLE))
    assert tower.linear_parts(square, X) is None
    assert tower.linear_parts(hidden, X) is None
    assert tower.linear_parts(hidden, B) is not None


#: Their roots do not depend on each other.
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


@pytest.mark.parametrize(
    ("expression", "error", "message"),
    [
        (absolute(Z), UnsupportedError, "absolute has no normal form"),
        (maximum(Z, X), UnsupportedError, "maximum has no normal form"),
        (Total(X), UnsupportedError, "no normal form for Total"),
        (1 / (X - X), UndefinedError, "denominator is identically zero"),
        ((X - X) ** 0, UndefinedError, "0 to the power 0"),
        (log(X - X), UndefinedError, "logarithm of 0"),
        (sqrt(rational(-2)), UndefinedError, "square root of a negative number"),
        (log(rational(-2)), UnsupportedError, "negative argument at the sample point"),
        ((X + B) ** 5000, UnsupportedError, "too large to expand"),
        (sqrt((Z + Fraction(4, 11)) ** 2), UnsupportedError, "sign is not visible"),
        (reduce(add, map(sqrt, map(rational, PRIMES))), UnsupportedError, "more than 10 roots that do not depend"),
    ],
)
def test_refusals(expression: Expression, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        normal_forms([expression], SAMPLE)


def test_unknown_symbols_and_coarse_exponentials_are_refused() -> None:
    tower = Tower([X], SAMPLE)
    with pytest.raises(UnsupportedError, match="no symbol z"):
        tower.convert(Z)
    with pytest.raises(FinenessError, match="finer by 6") as refusal:
        tower.convert(exp(X / 6))
    assert refusal.value.factor == 6


@given(st.integers(-10_000, 10_000), st.integers(1, 10_000))
@settings(max_examples=examples(60))
def test_split_square(numerator: int, denominator: int) -> None:
    number = Fraction(numerator, denominator)
    assume(number != 0)
    outer, inner = split_square(number)
    assert outer > 0
    assert outer**2 * inner == number
    assert all(inner % prime**2 for prime in range(2, 101))


@given(st.lists(st.integers(-4, 4), min_size=4, max_size=4))
@settings(max_examples=examples(60))
def test_inverse_and_square_root_in_a_field_of_two_radicals(numbers: list[int]) -> None:
    field = RadicalField(1)
    generator = field.of_polynomial(field.generators[0])
    field.adjoin(generator)
    field.adjoin(field.add(field.radical(0), field.constant(Fraction(3))))
    parts = [field.radical(0), field.radical(1), field.multiply(field.radical(0), field.radical(1)), generator]
    element = field.constant(Fraction(0))
    for number, part in zip(numbers, parts, strict=True):
        element = field.add(element, field.scale(part, Fraction(number)))
    assume(element)
    assert field.multiply(element, field.inverse(element)) == field.constant(Fraction(1))
    square = field.multiply(element, element)
    assert field.square_root(square) in (element, field.negate(element))
    assert field.square_root(field.add(square, field.multiply(square, generator))) is None
