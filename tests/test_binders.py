"""Integrals, series and limits as nodes of our tree, and the elementary functions that came with reading papers."""

import pytest

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import as_expression, free_symbols, rebuild, substitute
from grpo_symbolic.language.statement import eq, lt
from grpo_symbolic.language.vocabulary import (
    arctan,
    cos,
    gamma,
    log,
    real,
    sign,
    sin,
)
from grpo_symbolic.translate.latex import expression_latex
from grpo_symbolic.translate.program import Program

x = real("x", "(0, oo)", "a positive number")
y = real("y", "(0, 1)", "a number below 1")
z = real("z", "[-3, 3]", "a number of either sign")
INTEGRAL = Binder("integral", y / x, x, y, as_expression(2))
QUICK = Settings(digits=30, points=30)


def verdict(statement):
    return judge_statement(statement, (), QUICK, "test").verdict


def test_the_variable_of_a_binder_is_not_free():
    assert free_symbols(INTEGRAL) == (y,)
    assert substitute(INTEGRAL, {x: y}) == INTEGRAL
    assert substitute(INTEGRAL, {y: z}) == Binder("integral", z / x, x, z, as_expression(2))


def test_nothing_is_captured_by_a_binder():
    with pytest.raises(DeclarationError, match="which binds it"):
        substitute(INTEGRAL, {y: x + 1})


def test_rebuilding_keeps_infinite_ends():
    limit = Binder("limit", sin(x) / x, x, None, None)
    assert rebuild(limit, (cos(x),)) == Binder("limit", cos(x), x, None, None)


@pytest.mark.parametrize(
    ("binder", "latex"),
    [
        (INTEGRAL, r"\int_{y}^{2} \frac{y}{x} \, dx"),
        (Binder("integral", x, x, None, None), r"\int_{-\infty}^{\infty} x \, dx"),
        (Binder("series", x + y, x, as_expression(0), None), r"\sum_{x=0}^{\infty} (x + y)"),
        (Binder("limit+", log(x), x, None, as_expression(0)), r"\lim_{x \downarrow 0} \log x"),
    ],
)
def test_binders_are_typeset(binder, latex):
    assert str(expression_latex(binder)) == latex


@pytest.mark.slow
def test_an_integral_is_no_instruction_but_has_an_estimate():
    with pytest.raises(UnsupportedError, match="cannot evaluate"):
        Program((INTEGRAL,))
    assert verdict(eq(INTEGRAL, y * (log(2) - log(y)))) is Verdict.SUPPORTED
    assert verdict(lt(INTEGRAL, 0)) is Verdict.REFUTED


@pytest.mark.parametrize("kind", ["product", ""])
def test_unknown_binders_are_refused(kind):
    with pytest.raises(DeclarationError, match="unknown binder"):
        Binder(kind, x, x, None, None)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (eq(sin(z) ** 2 + cos(z) ** 2, 1), {Verdict.SUPPORTED, Verdict.DECIDED}),
        (eq(sin(2 * x), 2 * sin(x)), {Verdict.REFUTED}),
        (eq(arctan(x) + arctan(1 / x), 2 * arctan(1)), {Verdict.SUPPORTED, Verdict.DECIDED}),
        (eq(arctan(z) + arctan(1 / z), 2 * arctan(1)), {Verdict.REFUTED}),
        (eq(gamma(x + 1), x * gamma(x)), {Verdict.SUPPORTED, Verdict.DECIDED}),
        (eq(gamma(x + 1), (x + 1) * gamma(x)), {Verdict.REFUTED}),
        (eq(gamma(z + 1), z * gamma(z)), {Verdict.REFUTED}),  # the gamma function of -3/2 is not asked for
        (lt(sin(z), 2), {Verdict.SUPPORTED, Verdict.DECIDED}),
        (lt(cos(z), cos(0 * z)), {Verdict.REFUTED}),
        (eq(sign(x), 1), {Verdict.SUPPORTED, Verdict.DECIDED}),
        (eq(sign(z), 1), {Verdict.REFUTED}),
    ],
)
def test_elementary_functions_are_judged(statement, expected):
    assert verdict(statement) in expected
