"""The exact method on true and false equations, with and without hypotheses."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging_here import asked
from property_tests import examples

from grpo_symbolic.checks import exact
from grpo_symbolic.checks.proposals import installed
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.language.expression import (
    Expression,
    Symbol,
    Total,
    substitute,
)
from grpo_symbolic.language.statement import Statement, eq, ge, gt, le, lt, ne
from grpo_symbolic.language.stating import both, either
from grpo_symbolic.language.vocabulary import (
    absolute,
    cosh,
    exp,
    log,
    rational,
    real,
    sinh,
    sqrt,
    tanh,
)
from grpo_symbolic.obligations.obligation import Obligation

X = real("x", "(0, 1)", "a probability")
Y = real("y", "(-oo, oo)", "a real number")
Z = real("z", "(-oo, oo)", "a real number")
B = real("b", "(0, oo)", "a weight")
R = real("r", "(0, 1)", "a reference probability")
MARGIN = real("g", "[0, 1]", "a margin")
PI = real("pi", "(0, 1)", "probability under the policy", indexed=True)
ADV = real("adv", "(-oo, oo)", "advantage", indexed=True)
SETTINGS = Settings()
ROOT = sqrt(4 * B**2 + 1)
LARGER_ROOT = (R * B - rational(1, 2) + sqrt((R * B - rational(1, 2)) ** 2 + 2 * B * R)) / B


def check(conclusion: Statement, *hypotheses: Statement) -> Evidence | None:
    return asked(exact, Obligation("claim", hypotheses, conclusion), SETTINGS, hunt=True)


def verdict(conclusion: Statement, *hypotheses: Statement) -> Verdict:
    evidence = check(conclusion, *hypotheses)
    assert evidence is not None
    return evidence.verdict


TRUE: dict[str, tuple[Statement, ...]] = {
    "nested roots": (eq(sqrt((1 + 1 / ROOT) / 2) * sqrt((1 - 1 / ROOT) / 2), B / ROOT),),
    "root solves its quadratic": (eq(B * LARGER_ROOT**2 - (2 * R * B - 1) * LARGER_ROOT, 2 * R),),
    "hyperbolic": (eq(tanh(Z), (exp(2 * Z) - 1) / (exp(2 * Z) + 1)),),
    "closed domain": (eq(sqrt(MARGIN * (1 - MARGIN)), sqrt(MARGIN) * sqrt(1 - MARGIN)),),
    "sign by hypothesis": (eq(sqrt((X - R) ** 2), X - R), gt(X, R)),
    "logarithm by hypothesis": (eq(log(X * (Y - Z)), log(X) + log(Y - Z)), gt(Y, Z)),
    "substitution": (eq(cosh(Y) ** 2, 1 + sinh(Z + 1) ** 2), eq(Y, Z + 1)),
    "two substitutions": (eq(Y**2, 1 + 4 * B**2), eq(Y, ROOT), eq(Z, B)),
    "substitution from the right": (eq(Y, 2), both(eq(X + 1, Z), eq(Y * (X + 1), 2 * Z))),
    "elimination": (eq(Y, (3 - Z) / 2), eq(2 * Y + Z, 3)),
    "elimination with a coefficient": (eq(Y, Z / X), eq(X * Y, Z)),
    "elimination of two": (eq(Y, 2), eq(Y + Z, 5), eq(Y - Z, -1)),
    "modulo a hypothesis": (eq(Y**5, Y * Z**2), eq(Y**4, Z**2)),
    "modulo the root of a hypothesis": (eq(Y * X, Z * X), eq((Y - Z) ** 2, 0)),
    "conjunction": (both(eq(X + X, 2 * X), eq(exp(Z) * exp(-Z), 1)),),
    "constant difference": (both(gt(X + 1, X), ne(sqrt(B + 1) - 1, sqrt(B + 1)), le(Z, Z), lt(X, 2 + X)),),
    "sum of the policy": (eq(Total(PI * (ADV - Total(PI * ADV))), 0), eq(Total(PI), 1)),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statement_is_decided(name: str) -> None:
    if "hypothesis" in name and installed.skipped():
        pytest.skip("side conditions under hypotheses need a solver: pip install '.[smt]'")
    conclusion, *hypotheses = TRUE[name]
    assert verdict(conclusion, *hypotheses) is Verdict.DECIDED


FALSE: dict[str, tuple[Statement, ...]] = {
    "wrong sign of a root": (eq(sqrt((X - R) ** 2), X - R),),
    "wrong constant": (eq(cosh(Z) ** 2, sinh(Z) ** 2 + 2),),
    "smaller root": (eq(sqrt(Y**2), Y),),
    "missing hypothesis": (eq(Y, 2), eq(Y + Z, 5)),
    "wrong constant difference": (gt(X, X + 1),),
    "one false part": (both(eq(X, X), eq(X, 2 * X)),),
    "policy not normalised": (eq(Total(PI * (ADV - Total(PI * ADV))), 0),),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_statement_is_refuted_with_a_witness(name: str) -> None:
    conclusion, *hypotheses = FALSE[name]
    evidence = check(conclusion, *hypotheses)
    assert evidence is not None
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.witness is not None


UNDECIDED: dict[str, tuple[str, tuple[Statement, ...]]] = {
    "coefficient that may vanish": ("normal form is not 0", (eq(Y, 1), eq(Y * Z, Z))),
    "no normal form": ("absolute has no normal form", (eq(absolute(Y) + 1, 1 + absolute(Y + 1)),)),
    "undefined": ("identically zero", (eq(1 / (X - X), 1 / (X - X)),)),
}


@pytest.mark.parametrize(
    ("never", "hypotheses"),
    [("1 < 1 never holds", (eq(X, 1),)), ("1 = 2 never holds", (eq(Z, 1), eq(Z, 2)))],
)
def test_what_never_holds_implies_everything(never: str, hypotheses: tuple[Statement, ...]) -> None:
    """Whether hypotheses can hold at all is asked by whoever judges a statement."""
    evidence = check(eq(Y, 2), *hypotheses)
    assert (evidence.verdict, evidence.note) == (Verdict.DECIDED, never)


def test_a_part_of_another_kind_is_left_to_other_methods() -> None:
    assert asked(exact, Obligation("claim", (), both(eq(X, X), gt(X, R))), SETTINGS) is None


@pytest.mark.parametrize("name", UNDECIDED)
def test_what_resists_is_undecided_with_a_reason(name: str) -> None:
    reason, (conclusion, *hypotheses) = UNDECIDED[name]
    evidence = asked(exact, Obligation("claim", tuple(hypotheses), conclusion), SETTINGS)
    assert evidence is not None
    assert evidence.verdict is Verdict.UNDECIDED
    assert reason in evidence.note


@pytest.mark.parametrize("conclusion", [gt(X, R), ge(Z, B), either(eq(X, R), eq(Y, Z)), ne(X, R)])
def test_nothing_to_say(conclusion: Statement) -> None:
    assert check(conclusion) is None


def test_side_condition_that_needs_a_solver_is_named_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "is_installed", lambda solver: False)
    evidence = check(eq(sqrt((X**2 + X * R - 2 * R**2) ** 2), (X - R) * (X + 2 * R)), gt(X + R, 2 * R))
    assert evidence is not None
    assert evidence.verdict is Verdict.UNDECIDED
    assert "not shown: (x - r) >= 0" in evidence.note or "not shown: (x + (-r)) >= 0" in evidence.note


def test_note_and_determinism() -> None:
    obligation = Obligation("claim", (gt(X, R),), eq(sqrt((X - R) ** 2) * exp(Z), (X - R) * exp(Z)))
    first, second = (exact.check(obligation, Everything()) for _ in range(2))
    assert first is not None
    assert second is not None
    assert first == second
    assert first.note.startswith("normal form 0 over 3 symbols, 1 exponential")
    assert (first.method, first.obligation) == ("exact", "claim")


PARTS = st.sampled_from([X, sqrt(X), 1 - X, exp(Z), sqrt(1 + B**2), log(B), rational(2, 3), cosh(Z)])
SUMS = st.lists(st.tuples(PARTS, PARTS, st.integers(-3, 3)), min_size=1, max_size=3)


def combined(parts: list[tuple[Expression, Expression, int]]) -> Expression:
    result: Expression = rational(0)
    for left, right, factor in parts:
        result = result + factor * left * right
    return result


@settings(max_examples=examples(40))
@given(SUMS, SUMS)
def test_multiplying_out_is_decided_and_a_slip_is_not(
    left: list[tuple[Expression, Expression, int]], right: list[tuple[Expression, Expression, int]]
) -> None:
    a, b = combined(left), combined(right)
    assert verdict(eq((a + b) * (a - b), a**2 - b**2)) is Verdict.DECIDED
    assert verdict(eq((a + b) ** 2, a**2 + b**2 + 2 * a * b + rational(1, 100))) is Verdict.REFUTED


@settings(max_examples=examples(40))
@given(SUMS, st.sampled_from([X, B, Z]), st.fractions(Fraction(1, 9), Fraction(8, 9), max_denominator=9))
def test_substituting_by_hypothesis_is_substituting(
    parts: list[tuple[Expression, Expression, int]], symbol: Symbol, number: Fraction
) -> None:
    body = combined(parts)
    replaced = substitute(body, {symbol: rational(number.numerator, number.denominator)})
    assert verdict(eq(body, replaced), eq(symbol, number)) is Verdict.DECIDED
