"""Two SMT solvers on obligations whose truth is known, the ranges behind them, and how they may fail."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from judging_here import asked
from property_tests import examples

from grpo_symbolic.checks import cvc5_process, refuting, smt
from grpo_symbolic.checks.proposals import installed, solving
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.proposer import Question
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import CheckError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.language.calculus import differentiate
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import (
    Apply,
    Expression,
    Number,
    Symbol,
    Total,
    substitute,
)
from grpo_symbolic.language.statement import Statement, eq, ge, gt, le, lt, ne
from grpo_symbolic.language.stating import both, either, implies
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
from grpo_symbolic.obligations.obligation import Obligation, well_defined
from grpo_symbolic.translate.algebra import Form
from grpo_symbolic.translate.kernels import FewKernels
from grpo_symbolic.translate.ranges import decide_by_range, range_on_domain, signs_of
from grpo_symbolic.translate.smtlib import scripts_for

pytest.importorskip("z3", reason="z3 is not installed: pip install '.[smt]'")
pytest.importorskip("cvc5", reason="cvc5 is not installed: pip install '.[smt]'")

SETTINGS = Settings()


def positive(name: str) -> Symbol:
    return real(name, "(0, oo)", "a positive number")


def fraction_symbol(name: str) -> Symbol:
    return real(name, "(0, 1)", "a probability")


def number(name: str) -> Symbol:
    return real(name, "(-oo, oo)", "a number")


b, c, e, z, w = map(positive, "bcezw")
p, r, x, y, r2 = map(fraction_symbol, ("p", "r", "x", "y", "r_2"))
c2 = positive("c_2")
s, t = map(number, "st")
u, v = (real(name, "(1, oo)", "exponential of a positive number") for name in "uv")

# The larger and the smaller root of Eq. (14) with c = beta/gamma, and those of Eq. (15).
ROOT = (1 - c + sqrt((1 - c) ** 2 + 4 * c * r)) / 2
MINUS = (1 - c - sqrt((1 - c) ** 2 + 4 * c * r)) / 2
ROOT15 = (2 * b**2 * r + 1 + sqrt(1 + 4 * b**2 * r * (1 - r))) / (2 * (1 + b**2))
MINUS15 = (2 * b**2 * r + 1 - sqrt(1 + 4 * b**2 * r * (1 - r))) / (2 * (1 + b**2))
TURN = (1 + b / sqrt(1 + b**2)) / 2
COSH_LEFT, COSH_RIGHT = 4 * (1 + u**2 * v**2) ** 2, (u**2 + 1) ** 2 * (v**2 + 1) ** 2


def amplified(probability: Expression) -> Expression:
    """The map h of the fixed point equation: a sigmoid with an exponential kernel."""
    return 1 / (1 + (1 - r) / r * exp(-1 / (b * sqrt(probability * (1 - probability) + e))))


def slope_at(point: Expression) -> Expression:
    return (2 * point - 1) - 2 * b * sqrt(point * (1 - point))


def solves14(point: Expression, weight: Expression, reference: Expression) -> Statement:
    return eq(point**2 - (1 - weight) * point - weight * reference, 0)


TRUE: dict[str, tuple[tuple[Statement, ...], Statement]] = {
    "eq14 root solves": ((), solves14(ROOT, c, r)),
    "eq14 root inside": ((), both(gt(ROOT, 0), lt(ROOT, 1))),
    "eq14 root unique": ((solves14(x, c, r),), eq(x, ROOT)),
    "eq14 root above": ((), ge(ROOT, maximum(1 - c, r))),
    "eq14 increases with r": ((solves14(x, c, r), solves14(y, c, r2), lt(r, r2)), lt(x, y)),
    "eq14 decreases with c": ((lt(c, c2),), gt(ROOT, substitute(ROOT, {c: c2}))),
    "eq14 rate without penalty": ((), le(1 - ROOT, c)),
    "eq14 rate of large penalty": ((), le(ROOT - r, 1 / (4 * c))),
    "eq15 root solves": ((), eq(b * (ROOT15 - r), sqrt(ROOT15 * (1 - ROOT15)))),
    "eq15 root inside": ((), both(gt(ROOT15, 0), lt(ROOT15, 1))),
    "eq15 root unique": ((eq(b * (x - r), sqrt(x * (1 - x))),), eq(x, ROOT15)),
    "eq15 bounds": ((), both(ge(ROOT15, 1 / (1 + b**2)), ge(ROOT15, r))),
    "eq15 slope": ((), gt(differentiate(ROOT15, r), 0)),
    "comparison of bounds": ((), gt(1 / (1 + b**2), 1 - b)),
    "cosh lemma in u, v": ((), ge(COSH_LEFT, COSH_RIGHT)),
    "cosh lemma": ((), ge(2 * cosh(z + w), 2 * cosh(z) * cosh(w))),
    "amplification": ((), gt(amplified(p), r)),
    "amplification below 1": ((), lt(amplified(p), 1)),
    "amplification monotone": ((gt(p, rational(1, 2)), gt(x, p)), gt(amplified(x), amplified(p))),
    "turning point, nested roots": ((), eq(slope_at(TURN), 0)),
    "before the turning point": ((le(x, TURN),), le(slope_at(x), 0)),
    "logarithm below tangent": ((), le(log(x), x - 1)),
    "divergence is not negative": ((), ge(x * log(x / r) + (1 - x) * log((1 - x) / (1 - r)), 0)),
    "exponential of a logarithm": ((), eq(r * exp(log(x / r)), x)),
    "exponential of half a logarithm": ((), eq(exp(log(z) / 2) ** 2, z)),
    "solved for the policy": ((eq(log(x / r) * b, s),), eq(x, r * exp(s / b))),
    "hyperbolic identity": ((), eq(cosh(s) ** 2 - sinh(s) ** 2, 1)),
    "tanh addition": ((), eq(tanh(2 * s) * (1 + tanh(s) ** 2), 2 * tanh(s))),
    "exponentials multiply": ((), eq(exp(s + t), exp(s) * exp(t))),
    "absolute value": ((), eq(absolute(s) ** 2, s**2)),
    "maximum and minimum": ((), eq(maximum(s, t) + minimum(s, t), s + t)),
    "disjunction": ((), either(gt(s, 0), le(s, 0))),
    "implication inside": ((implies(gt(s, 0), gt(t, 0)), gt(s, 1)), gt(t, 0)),
    "sqrt of a quotient": ((), eq(sqrt(z / w) * w, sqrt(z * w))),
}

FALSE: dict[str, tuple[tuple[Statement, ...], Statement]] = {
    "eq14 minus root positive": ((), gt(MINUS, 0)),
    "eq14 twice the reference": ((), ge(ROOT, 2 * r)),
    "eq15 minus root solves": ((), eq(b * (MINUS15 - r), sqrt(MINUS15 * (1 - MINUS15)))),
    "comparison with a quarter": ((), gt(1 / (1 + b**2), 1 - b / 4)),
    "cosh lemma reversed": ((), le(COSH_LEFT, COSH_RIGHT)),
    "turning point, other branch": ((le(2 * x, 1 - b / sqrt(1 + b**2)),), ge(slope_at(x), 0)),
    "amplification doubled": ((), gt(amplified(p), 2 * r)),
    "amplification decreasing": ((gt(p, rational(1, 2)), gt(x, p)), lt(amplified(x), amplified(p))),
    "logarithm above tangent": ((), ge(log(x), x - 1)),
    "one term of the divergence": ((), ge(x * log(x / r), 0)),
    "root of a square": ((), eq(sqrt(s**2), s)),
    "one part fails": ((), both(gt(z, 0), gt(z, 1))),
    "strict at the edge": ((ge(s, 0),), gt(s, 0)),
    "slope sign": ((), lt(differentiate(ROOT15, r), 0)),
}


def judged(hypotheses: tuple[Statement, ...], conclusion: Statement, settings: Settings = SETTINGS) -> Evidence:
    evidence = asked(smt, Obligation("claim", hypotheses, conclusion), settings)
    assert evidence is not None
    return evidence


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_decided(name: str) -> None:
    evidence = judged(*TRUE[name])
    assert evidence.verdict is Verdict.DECIDED, evidence.note


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_refuted_with_a_witness(name: str) -> None:
    evidence = judged(*FALSE[name])
    assert evidence.verdict is Verdict.REFUTED, evidence.note
    assert evidence.witness is not None


@pytest.mark.parametrize("name", FALSE)
def test_nothing_is_refuted_without_a_witness(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refuting, "counterexample", lambda *arguments, **options: None)
    assert judged(*FALSE[name]).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_defined_everywhere(name: str) -> None:
    condition = well_defined(Obligation("claim", *TRUE[name]))
    if condition is not None:
        evidence = smt.check(condition, Everything())
        assert evidence is not None
        assert evidence.verdict is Verdict.DECIDED, evidence.note


@pytest.mark.slow
def test_vacuous_hypotheses_are_no_proof() -> None:
    for hypothesis, conclusion in ((lt(b, 0), lt(b, 5)), (lt(exp(s), 0), lt(s, 5))):
        judgement = judge_statement(conclusion, (hypothesis,), SETTINGS, "vacuous")
        assert judgement.verdict is Verdict.UNDECIDED
        assert any(item.impossible for item in judgement.evidence)


def test_a_conclusion_without_any_value_is_not_decided() -> None:
    for conclusion in (eq(sqrt(-1 - b), 5), eq(1 / (b - b), 5), gt(log(-b), 0)):
        verdict = judge_statement(conclusion, (), SETTINGS, "without any value").verdict
        assert verdict in (Verdict.UNDECIDED, Verdict.REFUTED)


def test_side_conditions_are_not_proved_by_assuming_them() -> None:
    # Each condition may assume only what stands inside it: x = r breaks the first one.
    evidence = judged((), both(ne(x - r, 0), ne(1 + 1 / (x - r), 0)))
    assert evidence.verdict is Verdict.REFUTED
    for expression in (1 / s, sqrt(s), log(s), 1 / (1 + 1 / s), sqrt(1 - exp(s)), sqrt(s) ** 2):
        condition = well_defined(Obligation("claim", (), eq(expression, expression)))
        assert condition is not None
        evidence = judged(condition.hypotheses, condition.conclusion)
        assert evidence.verdict is Verdict.REFUTED, f"{expression}: {evidence.note}"


def test_undefined_parts_do_not_decide_the_others() -> None:
    # sqrt(s) has no value for negative s; that must not exclude negative s from the other part.
    assert judged((), either(ge(sqrt(s), 0), ge(s, 0))).verdict is not Verdict.REFUTED
    assert judged((implies(gt(t, 0), ge(sqrt(s), 0)),), ge(s, 0)).verdict is not Verdict.DECIDED
    assert judged((either(gt(log(s), 0), lt(t, 0)),), gt(s, 1)).verdict is not Verdict.DECIDED


def test_sums_over_outputs_are_not_for_this_method() -> None:
    coordinate = real("q", "(0, 1)", "probability of an output", indexed=True)
    assert smt.check(Obligation("claim", (), eq(Total(coordinate), 1)), Everything()) is None


def test_solvers_that_contradict_each_other_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cvc5_process, "ask", lambda script, effort, thorough: ("sat", {}))
    with pytest.raises(CheckError, match="z3 says unsat, cvc5 says sat"):
        judged((), solves14(ROOT, c, r))


@pytest.mark.parametrize("told", ["unsat", "unknown"])
def test_what_cvc5_says_in_a_process_of_its_own_is_not_believed(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked again by who decides, unless nothing came of it."""
    asked_here = []

    def ask(script: str, effort: int, thorough: bool) -> tuple[str, dict[str, str]]:
        asked_here.append(thorough)
        return "unknown", {}

    monkeypatch.setattr(installed, "is_installed", lambda solver: solver == "cvc5")
    monkeypatch.setattr(solving, "ask_apart", lambda *question: (told, {}))
    monkeypatch.setattr(cvc5_process, "ask", ask)
    evidence = judged((), solves14(ROOT, c, r))
    assert evidence.verdict is Verdict.UNDECIDED
    assert set(asked_here) == ({True} if told == "unsat" else set())


@pytest.mark.parametrize(("absent", "present"), [("z3", "cvc5"), ("cvc5", "z3")])
def test_one_solver_alone_may_decide(absent: str, present: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "is_installed", lambda solver: solver == present)
    assert installed.skipped() == ()
    evidence = judged((), solves14(ROOT, c, r))
    assert evidence.verdict is Verdict.DECIDED
    assert f"{absent} is not installed" in evidence.note
    assert judged(*FALSE["comparison with a quarter"]).verdict is Verdict.REFUTED


def test_without_a_solver_its_method_is_skipped_and_how_to_get_one_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "is_installed", lambda solver: False)
    judgement = judge_statement(gt(b**2 + c**2, b * c), (), SETTINGS, "without solvers")
    (skipped,) = judgement.skipped
    assert skipped.method == "smt"
    assert skipped.reason == "neither z3 nor cvc5 is installed: pip install 'grpo-symbolic[smt]'"
    assert "smt" not in {item.method for item in judgement.evidence}


def test_a_tiny_budget_decides_nothing_hard() -> None:
    evidence = judged((), ge(s**4 * t**2 + s**2 * t**4 + b**6, 3 * s**2 * t**2 * b**2), replace(SETTINGS, effort=1))
    assert evidence.verdict is Verdict.UNDECIDED
    assert "out of budget" in evidence.note


@pytest.mark.parametrize("name", ["eq15 root unique", "amplification", "divergence is not negative"])
def test_the_same_evidence_twice(name: str) -> None:
    first, second = (judged(*TRUE[name]) for _ in range(2))
    assert first == second
    obligation = Obligation("claim", *TRUE[name])
    assert scripts_for(obligation, FewKernels).refutation == scripts_for.__wrapped__(obligation, FewKernels).refutation


# Properties on random expressions, with floating point numbers as an independent judge.

_SYMBOLS = (b, c, p, r, s)
_leaves = st.sampled_from(_SYMBOLS) | st.integers(-3, 3).map(lambda value: Number(Fraction(value)))


def _grow(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    binary = st.sampled_from(["add", "subtract", "multiply", "divide", "maximum", "minimum"])
    unary = st.sampled_from(["negate", "sqrt", "exp", "log", "cosh", "sinh", "tanh", "absolute"])
    exponents = st.sampled_from([-2, -1, 2, 3]).map(lambda value: Number(Fraction(value, 1)))
    return st.one_of(
        st.builds(lambda name, left, right: Apply(name, (left, right)), binary, inner, inner),
        st.builds(lambda name, argument: Apply(name, (argument,)), unary, inner),
        st.builds(lambda base, exponent: Apply("power", (base, exponent)), inner, exponents),
    )


expressions = st.recursive(_leaves, _grow, max_leaves=6)
_unit = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)
_half_line = st.fractions(Fraction(1, 20), Fraction(8), max_denominator=20)
points = st.fixed_dictionaries(
    {"b": _half_line, "c": _half_line, "p": _unit, "r": _unit, "s": st.fractions(-4, 4, max_denominator=20)}
)

_FUNCTIONS = {
    "add": lambda left, right: left + right,
    "subtract": lambda left, right: left - right,
    "multiply": lambda left, right: left * right,
    "divide": lambda left, right: left / right,
    "power": lambda base, exponent: base**exponent,
    "maximum": max,
    "minimum": min,
    "negate": lambda value: -value,
    "absolute": abs,
    **{name: getattr(math, name) for name in ("sqrt", "exp", "log", "cosh", "sinh", "tanh")},
}


def value_at(expression: Expression, point: dict[str, Fraction]) -> float | None:
    """The value in floating point, or None where there is none (or it is too large)."""
    match expression:
        case Number(value):
            return float(value)
        case Symbol(name):
            return float(point[name])
        case Apply(operator, operands):
            values = [value_at(operand, point) for operand in operands]
            try:
                return None if None in values else float(_FUNCTIONS[operator](*values))
            except (ValueError, ZeroDivisionError, OverflowError):
                return None
    raise AssertionError(expression)


def _inside(values: Interval, value: float) -> bool:
    slack = 1e-9 * (1 + abs(value))
    return (values.lower is None or value >= values.lower - slack) and (
        values.upper is None or value <= values.upper + slack
    )


@pytest.mark.slow
@settings(max_examples=examples(250))
@given(expressions, points)
def test_ranges_contain_the_values(expression: Expression, point: dict[str, Fraction]) -> None:
    values, value = range_on_domain(expression), value_at(expression, point)
    if values is not None and value is not None:
        assert _inside(values, value)


@pytest.mark.slow
@settings(max_examples=examples(100))
@given(expressions, expressions, points, st.sampled_from([lt, le, gt, ge, eq, ne]))
def test_what_holds_by_range_holds_at_points(
    left: Expression, right: Expression, point: dict[str, Fraction], compare: type
) -> None:
    relation = compare(left, right)
    decided, one, other = decide_by_range(relation), value_at(left, point), value_at(right, point)
    assume(decided is not None and one is not None and other is not None)
    assume(abs(one - other) > 1e-9 * (1 + abs(one)))
    holds = {"<": one < other, "<=": one < other, ">": one > other, ">=": one > other, "=": False, "!=": True}
    assert decided is holds[relation.operator]


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(expressions, expressions, points)
def test_a_claim_that_fails_at_a_point_is_never_decided(
    left: Expression, right: Expression, point: dict[str, Fraction]
) -> None:
    one, other = value_at(left, point), value_at(right, point)
    assume(one is not None and other is not None)
    assume(max(abs(one), abs(other)) <= 1e6 and abs(one - other) >= 1e-6)
    false = lt(left, right) if one > other else gt(left, right)
    scripts = scripts_for(Obligation("claim", (), false), FewKernels, strong=True)
    # Only the solver's part, cheaply: a script with a counterexample must not be unsatisfiable.
    for thorough in (False, True):
        assert smt._ask_z3(scripts.refutation, Question("z3", 1000, 5000, thorough=thorough))[0] != "unsat"
    assert decide_by_range(false) is not True


def sign_on_domain(expression: Expression) -> frozenset[int]:
    values = range_on_domain(expression)
    return frozenset((-1, 0, 1)) if values is None else signs_of(values)


def test_signs_and_closed_ends() -> None:
    closed = real("q", "[0, 1]", "a probability")
    assert sign_on_domain(1 + b**2) == {1}
    assert sign_on_domain(p * (1 - p)) == {1}
    assert sign_on_domain(closed * (1 - closed)) == {0, 1}
    assert sign_on_domain(s**2) == {0, 1}
    assert sign_on_domain(1 / s) == {-1, 0, 1}
    assert sign_on_domain(cosh(s) - rational(1, 2)) == {1}
    assert decide_by_range(gt(exp(-b), 0)) is True
    assert decide_by_range(lt(exp(-b), 1)) is True
    assert decide_by_range(lt(1 + b, 1)) is False
    assert decide_by_range(le(closed, 1)) is True
    assert decide_by_range(lt(closed, 1)) is None
    assert decide_by_range(ge(sqrt(s), 0)) is None


def test_related_exponentials_share_a_generator() -> None:
    family = [exp(s), exp(-s), exp(3 * s / 2), cosh(2 * s), exp(s + t), exp(t)]
    form = Form((s, t), FewKernels(family))
    assert [kernel.kind for kernel in form.kernels] == ["exp", "exp"]
    assert form.quotient(family[1]) == form.quotient(family[0]) ** -1
    assert form.quotient(family[4]) == form.quotient(family[0]) * form.quotient(family[5])


def test_a_condition_is_shown_from_what_is_near_and_from_what_is_far_and_not_without_it() -> None:
    x, y, z = (real(name, "(-oo, oo)", "a number") for name in ("x", "y", "z"))
    far = (gt(x, y), gt(y, z), gt(z, 0))
    assert smt.is_shown(gt(x**3, 0), (*far, gt(x, 1)), Everything())
    assert smt.is_shown(gt(x**3, 0), far, Everything())
    assert not smt.is_shown(gt(x**3, 0), far[:2], Everything())
    assert not smt.is_shown(gt(x**3, 0), (gt(x, -1), gt(y, 1)), Everything())
