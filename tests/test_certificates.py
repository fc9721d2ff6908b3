"""Certificates for inequalities: sums of squares are found, what is negative somewhere is never decided."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grpo_symbolic import eq, exp, ge, gt, le, log, lt, real, sqrt
from grpo_symbolic.checks import exact
from grpo_symbolic.checks.proposals.certificates import proposed_certificates
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.proposals.semidefinite import Budget, Coefficient, Equations, NoSolutionError, deepest
from grpo_symbolic.checks.proposals.squares import sum_of_squares
from grpo_symbolic.checks.proposer import NormalForm
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.language.statement import Relation, Statement
from grpo_symbolic.language.vocabulary import rational
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.kernels import FewKernels
from grpo_symbolic.translate.ranges import NONNEGATIVE, POSITIVE

a, b, c = (real(name, "(0, oo)", "a positive number") for name in "abc")
p, q, r = (real(name, "[0, oo)", "a number that is not negative") for name in "pqr")
x, y, z = (real(name, "(-oo, oo)", "a number") for name in "xyz")
t = real("t", "[0, 1]", "a share")

#: True, and where they come from; most are equations somewhere, so that no box around that point is ever finished.
TRUE: dict[str, tuple[Relation, ...]] = {
    "squares": (ge(x**2 + y**2 + z**2, x * y + y * z + z * x),),
    "Vasile Cirtoaje 1992": (ge((x**2 + y**2 + z**2) ** 2, 3 * (x**3 * y + y**3 * z + z**3 * x)),),
    "Schur": (ge(p**3 + q**3 + r**3 + 3 * p * q * r, p * q * (p + q) + q * r * (q + r) + r * p * (r + p)),),
    "arithmetic and geometric mean": (ge(a**3 + b**3 + c**3, 3 * a * b * c),),
    "Nesbitt": (ge(a / (b + c) + b / (c + a) + c / (a + b), rational(3) / 2),),
    "Asia Pacific 2004": (ge((a**2 + 2) * (b**2 + 2) * (c**2 + 2), 9 * (a * b + b * c + c * a)),),
    "Cauchy and Schwarz": (ge((a**2 + b**2) * (x**2 + y**2), (a * x + b * y) ** 2),),
    "made homogeneous": (ge(a * b * c + 1 / a + 1 / b + 1 / c, rational(244) / 27), eq(a + b + c, 1)),
    "where an equation holds": (ge(x**2 + y**2 + z**2, 1), eq(x**3 + y**3 + z**3 - 3 * x * y * z, 1)),
    "from an inequality": (ge(a + b + c, 3 / (a + b + c) + 2 / (a * b * c)), ge(a + b + c, 1 / a + 1 / b + 1 / c)),
    "from one that is turned round": (ge(x**2, 4), le(rational(2), x)),
    "with a root": (
        ge(
            a * b * ((a + c) / (b + c)) + b * c * ((b + a) / (c + a)) + c * a * ((c + b) / (a + b)),
            sqrt(3 * a * b * c * (a + b + c)),
        ),
    ),
    "in roots": (ge(a + b, 2 * sqrt(a) * sqrt(b)),),
    "on an interval": (le(t * (1 - t), rational(1) / 4),),
    "less": (le(4 * a * b, (a + b) ** 2),),
    "strict": (gt(a**2 + b**2 + a * b, a * b),),
}


@dataclass(frozen=True)
class Only(Everything):
    """Proposes certificates, or what it was told to."""

    forms: tuple[NormalForm, ...] | None = None

    def normal_forms(self, relation, hypotheses):
        return proposed_certificates(relation, hypotheses) if self.forms is None else self.forms


def decides(conclusion: Relation, *hypotheses: Statement, forms: tuple[NormalForm, ...] | None = None) -> bool:
    found = exact.check(Obligation("claim", hypotheses, conclusion), Only(forms=forms))
    return found is not None and found.verdict is Verdict.DECIDED


@pytest.mark.parametrize("statements", TRUE.values(), ids=TRUE.keys())
def test_an_inequality_is_decided(statements: tuple[Relation, ...]) -> None:
    assert decides(*statements)


@pytest.mark.parametrize("statements", TRUE.values(), ids=TRUE.keys())
def test_its_reverse_is_not(statements: tuple[Relation, ...]) -> None:
    conclusion, *hypotheses = statements
    reverse = {">=": lt, ">": le, "<=": gt, "<": ge}[conclusion.operator](conclusion.left, conclusion.right)
    assert not decides(reverse, *hypotheses)


def test_the_certificate_is_told() -> None:
    found = exact.check(Obligation("claim", (), ge(x**2 + y**2, 2 * x * y)), Only())
    assert found is not None
    assert found.note.startswith("left side - right side = ")
    assert "²" in found.note


@pytest.mark.parametrize(
    "statements",
    [
        (ge(x**2, x),),
        (ge(a**2 + b**2, 3 * a * b),),
        (gt(x**2 + y**2, 2 * x * y),),
        (ge(x * y, 0), ge(x, 0)),
        (ge(a + b, 3), eq(a * b, 2)),
        (ge(a, b), ge(b, c), ge(c, a)),
        (ge(x**4 * y**2 + x**2 * y**4 + 1, 4 * x**2 * y**2),),
    ],
    ids=["0 < x < 1", "a = b", "equal", "other sign", "on a curve", "not so by order", "more than Motzkin"],
)
def test_what_does_not_follow_is_not_decided(statements: tuple[Relation, ...]) -> None:
    assert not decides(*statements)


coefficients = st.integers(-4, 4)


@st.composite
def polynomials(draw: st.DrawFn, symbols: tuple[Symbol, ...] = (x, y)) -> Expression:
    """Polynomials of degree at most two, with small coefficients."""
    first, second = symbols
    monomials = (rational(1), first, second, first * second, first**2, second**2)
    result: Expression = rational(0)
    for monomial in monomials:
        result = result + rational(draw(coefficients)) * monomial
    return result


def value(expression: Expression, at: dict[Symbol, Fraction]) -> Fraction:
    """What sums and products come to, worked out here."""
    match expression:
        case Number(number):
            return number
        case Symbol():
            return at[expression]
        case Apply("add", (left, right)):
            return value(left, at) + value(right, at)
        case Apply("subtract", (left, right)):
            return value(left, at) - value(right, at)
        case Apply("multiply", (left, right)):
            return value(left, at) * value(right, at)
        case Apply("power", (base, Number(exponent))):
            return value(base, at) ** exponent.numerator
    raise AssertionError(str(expression))


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(polynomials(), polynomials())
def test_random_sums_of_squares_are_decided(one: Expression, other: Expression) -> None:
    assert decides(ge(one**2 + other**2 + x**4 + y**4 + 1, 0))


def coordinates(lowest: int) -> st.SearchStrategy[tuple[Fraction, Fraction]]:
    one = st.fractions(lowest, 3, max_denominator=4)
    return st.tuples(one, one)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(polynomials(), coordinates(-3), st.integers(1, 40))
def test_what_is_negative_somewhere_is_never_decided(
    one: Expression, point: tuple[Fraction, Fraction], less: int
) -> None:
    function = one**2 + x**2 * y**2
    there = value(function, dict(zip((x, y), point, strict=True)))
    assert not decides(ge(function, Number(there + Fraction(less, 1000))))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(polynomials((p, q)), coordinates(0), st.integers(1, 40))
def test_nor_on_a_quadrant(one: Expression, point: tuple[Fraction, Fraction], less: int) -> None:
    there = value(one, dict(zip((p, q), point, strict=True)))
    assert not decides(ge(one, Number(there + Fraction(less, 1000))))


# Proposals that lie.


def proposed(relation: Relation, difference: Expression, where: Relation | None = None, **more: object) -> NormalForm:
    laws = FewKernels((relation.left, relation.right, difference))
    return NormalForm(laws, difference, where, "believe me", **more)  # type: ignore[arg-type]


gap = Symbol("gap", NONNEGATIVE, "a difference", "gap")
strict = Symbol("gap", POSITIVE, "a difference", "gap")
narrow = Symbol("gap", Interval(Fraction(1), None, lower_closed=True), "too large a difference", "gap")


@pytest.mark.parametrize(
    ("conclusion", "hypotheses", "difference", "gaps"),
    [
        (ge(x, y), (), (x - y) ** 2, ()),
        (ge(x, y), (), x - y, ()),
        (ge(x * x, x), (), x * x - x, ()),
        (gt(x**2, 0), (), x**2, ()),
        (ge(x, y), (), gap, ((gap, ge(x, y)),)),
        (gt(x, y), (ge(x, y),), strict, ((strict, ge(x, y)),)),
        (ge(x, y + 1), (ge(x, y),), narrow - 1, ((narrow, ge(x, y)),)),
        (ge(x, y), (le(x, y),), gap, ((gap, le(x, y)),)),
        (ge(x, 1), (ge(x, y),), gap, ((gap, ge(x, y)),)),
        (ge(x, y), (ge(y, x),), gap, ((gap, ge(y, x)),)),
    ],
    ids=[
        "other square", "no sign", "no square", "may be 0", "no hypothesis", "not strict", "too large", "other sign",
        "other hypothesis", "other way round",
    ],
)  # fmt: skip
def test_a_wrong_certificate_is_rejected(
    conclusion: Relation,
    hypotheses: tuple[Relation, ...],
    difference: Expression,
    gaps: tuple[tuple[Symbol, Relation], ...],
) -> None:
    assert not decides(conclusion, *hypotheses, forms=(proposed(conclusion, difference, gaps=gaps),))


def test_a_right_one_is_confirmed() -> None:
    conclusion, hypothesis = ge(x**2, x * y), ge(x * x - x * y, -((x - y) ** 2))
    difference = gap - (x - y) ** 2
    assert not decides(conclusion, hypothesis, forms=(proposed(conclusion, difference, gaps=((gap, hypothesis),)),))
    twice = ge(2 * x**2, 2 * x * y)
    assert decides(twice, ge(x**2, x * y), forms=(proposed(twice, 2 * gap, gaps=((gap, ge(x**2, x * y)),)),))


def test_every_case_has_to_be_shown() -> None:
    """Of (x - y)^4 >= 0 both cases hold; of x >= y only one, whichever is told first."""
    below, above = Symbol("low", Interval(None, Fraction(0), upper_closed=True), "", "low"), gap
    right = proposed(ge(x, y), above, gaps=((above, ge(x, y)),))
    wrong = proposed(ge(x, y), -below, gaps=((below, le(x, y)),))
    for pair in ((wrong, right), (right, right), (wrong, wrong)):
        cases = replace(right, cases=(x, y, *pair))
        assert not decides(ge(x, y), forms=(cases,))
    square = ge((x - y) ** 3 * (x - y), 0)
    forms = (
        proposed(square, (-below) ** 3 * -below, gaps=((below, le(x, y)),)),
        proposed(square, above**3 * above, gaps=((above, ge(x, y)),)),
    )
    assert decides(square, forms=(replace(right, cases=(x, y, *forms)),))


def test_cases_are_told_apart_by_what_has_a_value() -> None:
    """Neither log(x) <= 0 nor log(x) >= 0 holds for x < 0."""
    form = proposed(ge(x, x), rational(0))
    assert decides(ge(x, x), forms=(replace(form, cases=(x, y, form, form)),))
    assert not decides(ge(x, x), forms=(replace(form, cases=(log(x), rational(0), form, form)),))


def test_a_case_that_is_missing_is_no_proof() -> None:
    form = proposed(ge(x, x), rational(0))
    with pytest.raises(ValueError, match="zip"):
        decides(ge(x, x), forms=(replace(form, cases=(x, y, form)),))


def _trace(value: int) -> Equations:
    """That a matrix with two rows has this trace."""
    diagonal = (Coefficient(0, place, place, {0: fmpq(1)}) for place in range(2))
    return Equations((*diagonal, Coefficient(0, 0, 1, {})), (fmpq(value),), (2,))


def test_equations_without_solution_are_told_from_those_with_one_on_the_boundary() -> None:
    with pytest.raises(NoSolutionError):
        deepest(_trace(-1), Budget(10**6))
    assert deepest(_trace(0), Budget(10**6)) is None
    assert deepest(_trace(2), Budget(10**6)) == [[[pytest.approx(1.0), 0.0], [0.0, pytest.approx(1.0)]]]


def test_a_budget_that_is_spent_finds_nothing() -> None:
    from flint import fmpq_mpoly_ctx

    context = fmpq_mpoly_ctx.get(("u", "v"), "lex")
    u, v = context.gens()
    one = context.constant(1)
    target, basis = u**2 + v**2 - u * v, [u, v]
    assert sum_of_squares(target, [one], [basis], lambda polynomial: polynomial, Budget(10_000)) is not None
    assert sum_of_squares(target, [one], [basis], lambda polynomial: polynomial, Budget(0)) is None


@pytest.mark.parametrize(
    "relation", [lt(rational(0) ** 2, 0), ge(sqrt(rational(2)), 2), ge(exp(x / (y - y)), 0), ge(sqrt(x) / (y - y), x)]
)
def test_nothing_is_searched_for_between_numbers_or_without_a_value(relation: Relation) -> None:
    assert list(proposed_certificates(relation, ())) == []
