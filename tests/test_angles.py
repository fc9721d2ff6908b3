"""Sines, cosines and inverse tangents in the exact method: identities are decided, and nothing that is false."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from operator import add

import mpmath
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from judging_here import asked
from property_tests import examples

from grpo_symbolic.checks import exact, smt
from grpo_symbolic.checks.deciding import DECIDERS
from grpo_symbolic.checks.exact import objection_to_zero
from grpo_symbolic.checks.proposals.angles import CircularKernels, equal_angles
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.proposer import Angles, NormalForm
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.verdicts import Inquiry
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.language.statement import Statement, eq, ge, gt, le, lt, ne
from grpo_symbolic.language.vocabulary import absolute, arctan, cos, exp, rational, real, sin, sqrt
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.reading.notation.elementary import FUNCTIONS
from grpo_symbolic.translate.algebra import Factor, Form, Quotient
from grpo_symbolic.translate.kernels import FewKernels

X, Y, Z = (real(name, "(-oo, oo)", "an angle") for name in "xyz")
POSITIVE = real("b", "(0, oo)", "a positive number")
ANGLE = real("c", "[-1, 1]", "a sine or cosine")
INSIDE = real("w", "(-1, 1)", "a sine")
PI = 4 * arctan(rational(1))
SETTINGS = Settings()


def tan(angle: Expression) -> Expression:
    return sin(angle) / cos(angle)


def inverse(number: int) -> Expression:
    return arctan(rational(1, number))


def verdict(conclusion: Statement, *hypotheses: Statement) -> Verdict:
    evidence = asked(exact, Obligation("claim", hypotheses, conclusion), SETTINGS, hunt=True)
    assert evidence is not None
    return evidence.verdict


TRUE: dict[str, Statement] = {
    "Pythagoras": eq(sin(X) ** 2 + cos(X) ** 2, 1),
    "Pythagoras, not strictly": le(sin(X) ** 2 + cos(X) ** 2, 1),
    "constant difference": gt(3 - sin(X) ** 2, cos(X) ** 2 + rational(3, 2)),
    "difference of angles": eq(sin(X - Y), sin(X) * cos(Y) - cos(X) * sin(Y)),
    "product to sum": eq(sin(X) * cos(Y), (sin(X + Y) + sin(X - Y)) / 2),
    "triple angle": eq(sin(X) ** 3, (3 * sin(X) - sin(3 * X)) / 4),
    "half angle": eq(tan(X / 2), sin(X) / (1 + cos(X))),
    "tangent of a sum": eq(tan(X + Y), (tan(X) + tan(Y)) / (1 - tan(X) * tan(Y))),
    "secant": eq((1 / cos(X)) ** 2, 1 + tan(X) ** 2),
    "cotangent": eq(cos(X) / sin(X), sin(2 * X) / (1 - cos(2 * X))),
    "half a turn": eq(sin(PI + Z), -sin(Z)),
    "quarter turn": eq(sin(PI / 2 - Z), cos(Z)),
    "eighth of a turn": eq(sin(Z) - cos(Z), sqrt(2) * sin(Z - PI / 4)),
    "sixth of a turn": eq(sin(Z + PI / 3), sin(Z) / 2 + sqrt(3) / 2 * cos(Z)),
    "thirds of a turn": eq(cos(Z) + cos(Z + 2 * PI / 3) + cos(Z - 2 * PI / 3), 0),
    "exact value": eq(cos(PI / 12), (sqrt(6) + sqrt(2)) / 4),
    "a sixteenth of a turn": eq(2 * sin(PI / 8) ** 2, 1 - sqrt(2) / 2),
    "nonlinear angles": eq(sin(X * Y + Z), sin(X * Y) * cos(Z) + cos(Y * X) * sin(Z)),
    "tangent of its inverse": eq(tan(arctan(Z)), Z),
    "sine of the inverse sine": eq(sin(arctan(INSIDE / sqrt(1 - INSIDE**2))), INSIDE),
    "damped oscillation": eq(exp(-X) * sin(X) * 2 * exp(X) * cos(X), sin(2 * X)),
    "Machin": eq(PI, 16 * inverse(5) - 4 * inverse(239)),
    "Euler": eq(PI, 4 * inverse(2) + 4 * inverse(3)),
    "inverse tangent with roots": eq(arctan(2 + sqrt(3)), 5 * PI / 12),
    "complementary angles": eq(arctan(POSITIVE) + arctan(1 / POSITIVE), PI / 2),
}

#: Each differs from a true one in a sign, a factor, a function, or by a multiple of half a turn.
FALSE: dict[str, Statement] = {
    "Pythagoras with a minus": eq(sin(X) ** 2 - cos(X) ** 2, 1),
    "strict": lt(sin(X) ** 2 + cos(X) ** 2, 1),
    "wrong constant": ge(2 - sin(X) ** 2, cos(X) ** 2 + rational(3, 2)),
    "sign": eq(sin(X - Y), sin(X) * cos(Y) + cos(X) * sin(Y)),
    "factor": eq(sin(2 * X), sin(X) * cos(X)),
    "no absolute value": eq(absolute(cos(X)), cos(X)),
    "root of a square": eq(sqrt(1 - sin(X) ** 2), cos(X)),
    "half angle with a root": eq(sin(X / 2), sqrt((1 - cos(X)) / 2)),
    "exact value": eq(sin(PI / 3), rational(1, 2)),
    "half a turn": eq(sin(PI + Z), sin(Z)),
    "a turn too much": eq(4 * inverse(2) + 4 * inverse(3), 3 * PI),
    "also for negative numbers": eq(arctan(X) + arctan(1 / X), PI / 2),
    "addition across the branch": eq(arctan(X) + arctan(Y), arctan((X + Y) / (1 - X * Y))),
    "inverse of the tangent": eq(arctan(tan(X)), X),
}


@pytest.mark.parametrize("name", TRUE)
def test_identity_is_decided(name: str) -> None:
    assert verdict(TRUE[name]) is Verdict.DECIDED


@pytest.mark.parametrize("name", FALSE)
def test_false_one_is_refuted(name: str) -> None:
    assert verdict(FALSE[name]) is Verdict.REFUTED


def test_modulo_a_hypothesis() -> None:
    assert verdict(eq(cos(2 * X), rational(-7, 25)), eq(cos(X), rational(3, 5))) is Verdict.DECIDED
    assert verdict(eq(sin(2 * X), rational(24, 25)), eq(cos(X), rational(3, 5))) is not Verdict.DECIDED


@pytest.mark.parametrize(
    ("conclusion", "hypothesis", "expected"),
    [
        (ne(cos(X), 0), ne(cos(X), 0), True),
        (gt(2 + sin(X) * cos(Y), 0), gt(X, 0), True),
        (gt(1 / (3 + 2 * sin(X)), 0), gt(X, 0), True),
        (ne(cos(X), 0), ne(cos(Y), 0), False),
        (gt(1 + sin(X) * cos(Y), 0), gt(X, 0), False),
    ],
    ids=str,
)
def test_solvers_take_sines_for_variables(conclusion: Statement, hypothesis: Statement, expected: bool) -> None:
    found = asked(smt, Obligation("claim", (hypothesis,), conclusion), SETTINGS)
    assert (found is not None and found.verdict is Verdict.DECIDED) is expected


def test_tangents_are_defined_where_cosines_do_not_vanish() -> None:
    statement = eq(1 + tan(X) ** 2, (1 / cos(X)) ** 2)
    for item in Inquiry(statement, (ne(cos(X), 0),)).plans[0]:
        said = [asked(method, item, SETTINGS) for method in DECIDERS.values()]
        assert any(one is not None and one.verdict is Verdict.DECIDED for one in said), item


def test_angles_of_a_triangle() -> None:
    sides = (tan(X) + tan(Y) + tan(Z), tan(X) * tan(Y) * tan(Z))
    assert verdict(eq(*sides), eq(X + Y + Z, PI)) is Verdict.DECIDED
    assert verdict(eq(*sides), eq(X + Y + Z, PI / 2)) is not Verdict.DECIDED
    assert verdict(eq(sin(2 * X) + sin(2 * Y), 2 * sin(Z)), eq(X + Y + Z, PI)) is not Verdict.DECIDED


@pytest.mark.parametrize("times", [1, 0, 24])
def test_equal_sines_are_not_equal_angles(times: int) -> None:
    """Angles a turn apart, or any angles at all if their difference is multiplied by 0."""
    relation = eq(4 * inverse(2) + 4 * inverse(3), 3 * PI)

    class Claiming(Everything):
        def normal_forms(self, *_: object) -> list[NormalForm | str]:  # type: ignore[override]
            sides = equal_angles(relation.left, relation.right, times)
            return [NormalForm(CircularKernels((relation.right,)), ZERO, None, "", (sides,))]

    found = exact.check(Obligation("claim", (), relation), Claiming())
    assert found is not None
    assert found.verdict is Verdict.UNDECIDED


class _Parts(FewKernels):
    """Says of one angle that it is the sum of others."""

    def __init__(self, expression: Expression, node: Expression, make: Callable[[Form], list[Factor]]) -> None:
        super().__init__((expression,))
        self._node, self._make = node, make

    def factors(self, form: Form, kind: str, argument: Quotient, typed: Apply | None) -> Sequence[Factor] | None:
        if kind == "cos":
            return self._make(form) if typed == self._node else None
        return super().factors(form, kind, argument, typed)


def angle(form: Form, *parts: tuple[Expression, Fraction | int]) -> list[Factor]:
    return [Factor(form.quotient(part), Fraction(sign)) for part, sign in parts]


@pytest.mark.parametrize(
    "parts",
    [
        [(X, 1)],
        [(X, 1), (Y, -1)],
        [(X, 1), (Y, 1), (X * Y, 1)],
        [(2 * X + 2 * Y, Fraction(1, 2))],
    ],
    ids=str,
)
def test_parts_of_an_angle_have_to_sum_to_it(parts: list[tuple[Expression, Fraction | int]]) -> None:
    expression = cos(X + Y) - cos(X) * cos(Y) + sin(X) * sin(Y)
    proposed = _Parts(expression, cos(X + Y), lambda form: angle(form, *parts))
    objection = objection_to_zero(expression, proposed, (), (), Everything())
    assert objection is not None
    assert "sum to something else" in objection


def test_parts_of_an_angle_need_no_value() -> None:
    """1 = cos(1/x - 1/x) also where x = 0: any number may stand for 1/x. Nothing follows for cos(1/x) itself."""
    expression = cos(X - X) - 1
    hidden = _Parts(expression, cos(X - X), lambda form: angle(form, (1 / X, 1), (1 / X, -1)))
    assert objection_to_zero(expression, hidden, (), (), Everything()) is None


def test_an_inverse_tangent_without_a_value_has_no_tangent() -> None:
    """With a for arctan(k), k = sqrt(-1 - x^2): its cosine is a kernel, not 1/sqrt(1 + k^2) = 1/sqrt(-x^2)."""
    made: list[Form] = []

    def parts(form: Form) -> list[Factor]:
        made.append(form)
        strange = form.kernel("arctan", form.kernel("sqrt", -form.quotient(1 + X**2)))
        return [Factor(strange, Fraction(sign)) for sign in (1, -1)]

    expression = cos(X - X) - 1
    roomy = _Parts(cos(X - X) + sqrt(X) + sqrt(Y) + arctan(X), cos(X - X), parts)
    assert objection_to_zero(expression, roomy, (), (), Everything()) is None
    assert [kernel.kind for kernel in made[0].kernels] == ["sqrt", "arctan", "cos", "sin"]


def test_a_factor_by_which_angles_are_multiplied_needs_a_value() -> None:
    """(sqrt(-1))^2 looks like -1 to arithmetic, and makes everything between -3 and 3 that is compared with it."""
    relation = eq(4 * inverse(2) + 4 * inverse(3), 3 * PI)
    times = sqrt(rational(-1)) ** 2

    class Claiming(Everything):
        def normal_forms(self, *_: object) -> list[NormalForm | str]:  # type: ignore[override]
            gap = times * (relation.left - relation.right)
            sides = Angles(relation.left, relation.right, times, CircularKernels((sin(gap),)))
            return [NormalForm(CircularKernels((relation.right,)), ZERO, None, "", (sides,))]

    found = exact.check(Obligation("claim", (), relation), Claiming())
    assert found is not None
    assert found.verdict is Verdict.UNDECIDED
    assert "sqrt(-1" in found.note or "-1 >= 0" in found.note


def test_ranges_of_sines_and_inverse_tangents() -> None:
    form = Form((X, POSITIVE), FewKernels((cos(X), sin(X), arctan(POSITIVE))))
    cosine, tangent = form.quotient(cos(X)).numerator, form.quotient(arctan(POSITIVE)).numerator
    assert form.signs(cosine) == {-1, 0, 1}
    assert form.signs(cosine + 1) == {0, 1}
    assert form.signs(2 - cosine**2) == {1}
    assert form.signs(tangent) == {1}
    assert form.signs(tangent - 2) == {-1}
    assert form.signs(tangent - 1) == {-1, 0, 1}


# Random identities, with false twins: products of sines and cosines as sums, by an oracle that is not ours.

NAMES = {X: sympy.Symbol("x", real=True), Y: sympy.Symbol("y", real=True)}
ANGLES = st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 7))
TERMS = st.lists(
    st.tuples(st.integers(-4, 4).filter(bool), st.lists(st.tuples(st.booleans(), ANGLES), min_size=1, max_size=3)),
    min_size=1,
    max_size=3,
)
type_of_terms = list[tuple[int, list[tuple[bool, tuple[int, int, int]]]]]


def ours(terms: type_of_terms) -> Expression:
    total: Expression = Number(Fraction(0))
    for coefficient, factors in terms:
        product: Expression = Number(Fraction(coefficient))
        for is_sine, (a, b, quarters) in factors:
            angle = a * X + b * Y + quarters * (PI / 4)
            product = product * (sin(angle) if is_sine else cos(angle))
        total = total + product
    return total


def as_a_sum(terms: type_of_terms) -> Expression:
    """The same as a sum of single cosines, by cos u cos v = (cos(u + v) + cos(u - v))/2, with sin u = cos(u - pi/2)."""
    found: list[Expression] = []
    for coefficient, factors in terms:
        waves = [(Fraction(coefficient), (0, 0, 0))]
        for is_sine, (a, b, quarters) in factors:
            shifted = (a, b, quarters - 2 * is_sine)
            waves = [
                (size / 2, tuple(one + sign * other for one, other in zip(wave, shifted, strict=True)))  # type: ignore[misc]
                for size, wave in waves
                for sign in (1, -1)
            ]
        found += [Number(size) * cos(a * X + b * Y + q * PI / 4) for size, (a, b, q) in waves]
    return reduce(add, found)


def numerically(expression: Expression, at: dict[Symbol, Fraction]) -> mpmath.mpf:
    match expression:
        case Number(value):
            return mpmath.mpf(value.numerator) / value.denominator
        case Symbol():
            return mpmath.mpf(at[expression].numerator) / at[expression].denominator
        case Apply(name, operands):
            values = [numerically(operand, at) for operand in operands]
            functions = {
                "add": mpmath.fadd,
                "subtract": mpmath.fsub,
                "multiply": mpmath.fmul,
                "divide": mpmath.fdiv,
                "negate": mpmath.fneg,
                "sin": mpmath.sin,
                "cos": mpmath.cos,
                "arctan": mpmath.atan,
            }
            return functions[name](*values)
    raise TypeError(expression)


def as_sympy(terms: type_of_terms) -> sympy.Expr:
    x, y = NAMES[X], NAMES[Y]
    return sum(
        coefficient
        * sympy.prod(
            (sympy.sin if is_sine else sympy.cos)(a * x + b * y + q * sympy.pi / 4) for is_sine, (a, b, q) in factors
        )
        for coefficient, factors in terms
    )


@pytest.mark.slow
@settings(max_examples=examples(25), deadline=None)
@given(terms=TERMS)
def test_products_are_sums(terms: type_of_terms) -> None:
    assert verdict(eq(ours(terms), as_a_sum(terms))) is Verdict.DECIDED


@pytest.mark.slow
@settings(max_examples=examples(40), deadline=None)
@given(terms=TERMS, seed=st.integers(0, 10**6), other=TERMS)
def test_nothing_false_is_decided(terms: type_of_terms, seed: int, other: type_of_terms) -> None:
    """A twin with one thing changed is decided only if both oracles find that it is the same function."""
    source = random.Random(seed)
    twin = [(coefficient, list(factors)) for coefficient, factors in terms]
    number = source.randrange(len(twin))
    coefficient, factors = twin[number]
    place = source.randrange(len(factors))
    is_sine, (a, b, quarters) = factors[place]
    match source.randrange(5):
        case 0:
            twin[number] = (-coefficient, factors)
        case 1:
            factors[place] = (not is_sine, (a, b, quarters))
        case 2:
            factors[place] = (is_sine, (a, -b, quarters))
        case 3:
            factors[place] = (is_sine, (a, b, quarters + source.choice((1, 2, 4, 8))))
        case _:
            twin = other
    with mpmath.workdps(40):
        points = [{X: Fraction(source.randrange(1, 999), 97), Y: Fraction(source.randrange(1, 999), 89)} for _ in "123"]
        gaps = [numerically(ours(terms) - ours(twin), at) for at in points]
        same = all(abs(gap) < mpmath.mpf(10) ** -30 for gap in gaps)
    found = verdict(eq(ours(terms), ours(twin)))
    assert found is (Verdict.DECIDED if same else Verdict.REFUTED)
    if same:
        assert sympy.expand(sympy.expand_trig(as_sympy(terms) - as_sympy(twin)).rewrite(sympy.exp)).simplify() == 0


@settings(max_examples=examples(25), deadline=None)
@given(parts=st.lists(st.tuples(st.integers(-4, 4).filter(bool), st.integers(1, 9)), min_size=1, max_size=3))
def test_sums_of_inverse_tangents(parts: list[tuple[int, int]]) -> None:
    """The nearest eighth of a turn is what they sum to exactly if the oracle says so, and no other is."""
    angle = reduce(add, (count * inverse(number) for count, number in parts))
    with mpmath.workdps(40):
        eighths = numerically(angle, {}) / (mpmath.pi / 4)
        nearest = int(mpmath.nint(eighths))
        is_exact = abs(eighths - nearest) < mpmath.mpf(10) ** -30
    assert (verdict(eq(angle, nearest * PI / 4)) is Verdict.DECIDED) is is_exact
    assert verdict(eq(angle, (nearest + 8) * PI / 4)) is Verdict.REFUTED


@pytest.mark.parametrize(
    "statement",
    [
        eq(PI, 2 * FUNCTIONS["arcsin"](rational(1))),
        eq(sin(FUNCTIONS["arcsin"](ANGLE)), ANGLE),
        eq(cos(FUNCTIONS["arccos"](ANGLE)), ANGLE),
        eq(FUNCTIONS["arcsin"](ANGLE) + FUNCTIONS["arccos"](ANGLE), PI / 2),
        eq(FUNCTIONS["arccos"](rational(1, 2)), PI / 3),
    ],
    ids=str,
)
def test_inverse_sine_and_cosine_reach_the_ends(statement: Statement) -> None:
    """Also where everything has a value: at -1 and 1 the tangent of the whole angle has none."""
    (obligation, *sides) = Inquiry(statement).plans[0]
    assert verdict(obligation.conclusion) is Verdict.DECIDED
    for side in sides:
        said = [asked(method, side, SETTINGS) for method in DECIDERS.values()]
        assert any(item is not None and item.verdict is Verdict.DECIDED for item in said), side


def test_angles_without_a_value_propose_nothing() -> None:
    """A proposer that fails would cost the whole claim its judgement."""
    nowhere = X / (Y - Y)
    found = Everything().normal_forms(eq(sin(nowhere), 0), (eq(cos(nowhere), 1),))
    assert all(isinstance(one, str | NormalForm) for one in found)
