"""LaTeX of expressions and statements: how they are typeset, broken and kept as trees; others read it back."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from property_tests import examples

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.composites import Extremum, Summed, TermOfTotal, UniqueRoot, UniqueZero, Zeros
from grpo_symbolic.language.expression import (
    Apply,
    Derivative,
    Expression,
    Number,
    Substitution,
    Total,
)
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import Statement, eq, ge, gt, le, lt, ne
from grpo_symbolic.language.stating import both, decreasing, either, iff, implies, instance, never, tends_to
from grpo_symbolic.language.vocabulary import (
    absolute,
    cosh,
    exp,
    log,
    maximum,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.report.lines import NARROW, WIDE, broken, display, glyphs, prose
from grpo_symbolic.translate.latex import expression_latex, statement_latex
from grpo_symbolic.translate.tree import expression_tree, statement_tree

x, y, z = (real(name, "(0, oo)", "a number") for name in "xyz")
beta = real("beta", "(0, oo)", "a weight")
OUTPUTS = IndexSet("output", "outputs", "o")
policy = real("p", "(0, 1)", "probability of an output", latex=r"\pi_\theta({index} \mid q)", indexed=OUTPUTS)
POINT = {"x": 0.37, "y": 1.9, "z": 0.83}


def expressions() -> st.SearchStrategy[Expression]:
    numbers = st.builds(Number, st.fractions(min_value=-3, max_value=3, max_denominator=4))
    leaves = st.one_of(st.sampled_from([x, y, z]), numbers)
    binary = st.sampled_from(["add", "subtract", "multiply", "divide", "maximum", "minimum"])
    unary = st.sampled_from(["negate", "sqrt", "exp", "log", "cosh", "sinh", "tanh", "absolute"])
    exponents = st.sampled_from([Number(Fraction(n, d)) for n, d in ((2, 1), (3, 1), (-1, 1), (1, 2), (-3, 2))])

    def extend(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        return st.one_of(
            st.builds(lambda operator, a, b: Apply(operator, (a, b)), binary, inner, inner),
            st.builds(lambda operator, a: Apply(operator, (a,)), unary, inner),
            st.builds(lambda base, exponent: Apply("power", (base, exponent)), inner, exponents),
        )

    return st.recursive(leaves, extend, max_leaves=8)


@pytest.mark.parametrize(
    ("expression", "latex"),
    [
        (x * (1 - x) / x, r"\frac{x(1 - x)}{x}"),
        (2 * x * beta, r"2x \beta"),
        (2 * rational(1, 2), r"2 \cdot \frac{1}{2}"),
        (x - (y - z), "x - (y - z)"),
        (x + (y + z), "x + y + z"),
        (x + (-2) * y, "x - 2y"),
        ((x / y) ** 2, r"\left(\frac{x}{y}\right)^{2}"),
        (beta * log(x), r"\beta \log x"),
        (log(x) * beta, r"\log(x) \beta"),
        (log(x / y), r"\log \frac{x}{y}"),
        (exp(-x / beta), r"e^{-x/\beta}"),
        (cosh(x) ** 2, r"\cosh^{2}(x)"),
        (maximum(x, 1), r"\max\{x, 1\}"),
        (absolute(x), r"\lvert x\rvert "),
        (sqrt(x), r"\sqrt{x}"),
        (Derivative(x / y, x), r"\frac{\partial}{\partial x}\left[\frac{x}{y}\right]"),
        (Substitution(Derivative(x * y, x), y, x), r"\left.\frac{\partial}{\partial x}[x y]\right|_{y = x}"),
        (Substitution(x * y, y, x), r"\left[x y\right]_{y = x}"),
        (policy, r"\pi_\theta(o \mid q)"),
        (Total(policy), r"\sum_{o'} \pi_\theta(o' \mid q)"),
        (Total(policy * Total(policy)), r"\sum_{o'} \pi_\theta(o' \mid q) \sum_{o''} \pi_\theta(o'' \mid q)"),
        (Total(policy) * x, r"\left(\sum_{o'} \pi_\theta(o' \mid q)\right)x"),
    ],
    ids=str,
)
def test_typography(expression: Expression, latex: str) -> None:
    assert expression_latex(expression).replace(" ", "") == latex.replace(" ", "")


@pytest.mark.parametrize(
    ("name", "latex"),
    [("beta", r"\beta"), ("x_old", r"x_{\mathrm{old}}"), ("p2", "p_2"), ("ratio", r"\mathrm{ratio}"), ("x", "x")],
)
def test_symbols_without_latex_are_typeset_by_name(name: str, latex: str) -> None:
    assert expression_latex(real(name, "(0, 1)", "a number")) == latex


SENTENCES: list[tuple[Statement, str]] = [
    (both(gt(x, 0), lt(x, 1), ne(y, 0)), r"0 < x < 1 \text{ and } y \neq 0"),
    (either(eq(x, 0), both(le(x, 1), ge(y, 2))), r"x = 0 \text{ or } \left[x \leq 1 \text{ and } y \geq 2\right]"),
    (implies(eq(x, 1), iff(eq(y, 1), eq(z, 1))), r"x = 1 \implies \left[y = 1 \iff z = 1\right]"),
    (decreasing(x / y, x), r"$\frac{x}{y}$ is strictly decreasing in $x \in (0, \infty)$"),
    (
        tends_to(x / y, None, y, to=0, side="+", constant=x, exponent=Fraction(1, 2)),
        r"$\frac{x}{y}$ tends to $\infty$ as $y \downarrow 0$, at the rate $\frac{x}{y} \geq \frac{x}{\sqrt{y}}$",
    ),
    (
        tends_to(x, y, x, to=y, side="-", constant=2, near=1),
        r"$x$ tends to $y$ as $x \uparrow y$, at the rate $\lvert x - y\rvert  \leq 2(y - x)$ for $0 < y - x \leq 1$",
    ),
    (UniqueRoot(x, eq(x**2, y), sqrt(y)), r"$\sqrt{y}$ is the only $x \in (0, \infty)$ with $x^{2} = y$"),
    (
        UniqueZero(x - y, x, y / 2, 2 * y, True, upper=rational(9)),
        r"$x - y$ vanishes at exactly one $x \in (0, \infty)$ with $x < 9$, between $\frac{y}{2}$ and $2y$: "
        "it is strictly increasing there and changes its sign",
    ),
    (
        Zeros(x**2 - 4 * x + 3, x, ((rational(1, 2), rational(2)), (rational(5, 2), rational(4))), False),
        r"$x^{2} - 4x + 3$ vanishes at exactly two $x \in (0, \infty)$, one between $\frac{1}{2}$ and $2$ and "
        r"between $\frac{5}{2}$ and $4$; it is positive before the first and changes its sign at each",
    ),
    (
        Zeros(x - 2, x, ((rational(1), rational(3)),), True),
        r"$x - 2$ vanishes at exactly one $x \in (0, \infty)$, between $1$ and $3$; "
        "it is negative before it and changes its sign there",
    ),
    (
        Extremum(x**2, x, y, minimum=False),
        r"$x^{2}$ has its maximum over $x \in (0, \infty)$ exactly at $x = y$",
    ),
    (
        Extremum(x**2, x, y, minimum=False, sloped=True),
        r"$x^{2}$ has its maximum over $x \in (0, \infty)$ exactly at $x = y$: "
        "it is strictly increasing before that point and strictly decreasing after it",
    ),
    (
        Summed(eq(policy, y), rational(1), eq(y, 1), rational(1)),
        r"if $\pi_\theta(o \mid q) = y$ for every output $o$, then $y = 1$ (sum over all outputs)",
    ),
    (
        TermOfTotal(policy),
        r"$\pi_\theta(o \mid q) \geq 0$ for every output $o$, so "
        r"$\pi_\theta(o \mid q) \leq \sum_{o'} \pi_\theta(o' \mid q)$",
    ),
    (instance(eq(x, y), {x: 1, y: rational(1, 2)}), r"$x = y$ at $x = 1$ and $y = \frac{1}{2}$"),
    (never(both(gt(x, y), gt(y, x))), r"it is impossible that $x > y \text{ and } y > x$"),
    (implies(gt(y, 1), decreasing(x, x)), r"if $y > 1$, then $x$ is strictly decreasing in $x \in (0, \infty)$"),
    (
        both(decreasing(x, x), decreasing(y, y)),
        r"$x$ is strictly decreasing in $x \in (0, \infty)$; $y$ is strictly decreasing in $y \in (0, \infty)$",
    ),
]


@pytest.mark.parametrize(("statement", "latex"), SENTENCES, ids=lambda item: type(item).__name__)
def test_statements(statement: Statement, latex: str) -> None:
    assert statement_latex(statement) == latex


@pytest.mark.parametrize("statement", [statement for statement, _ in SENTENCES], ids=lambda item: type(item).__name__)
def test_trees_survive_json(statement: Statement) -> None:
    tree = statement_tree(statement)
    assert json.loads(json.dumps(tree)) == tree


def test_trees() -> None:
    assert statement_tree(eq(1 / x, 0)) == ["=", ["divide", 1, "x"], 0]
    assert expression_tree(rational(-1, 2) * Total(policy)) == ["multiply", "-1/2", ["total", "p"]]
    assert expression_tree(Substitution(Derivative(x, x), x, y)) == ["substitution", ["derivative", "x", "x"], "x", "y"]
    assert statement_tree(decreasing(x, y)) == ["monotone", "x", "y", False]
    assert statement_tree(tends_to(x, None, y, to=0, side="+", constant=1, exponent=Fraction(1, 2))) == [
        "limit", "x", "y", 0, "+", None, 1, "1/2", None,
    ]  # fmt: skip
    assert statement_tree(instance(eq(x, y), {x: 1})) == ["instance", ["=", "x", "y"], [["x", 1]]]


def test_unknown_nodes_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="no LaTeX for Expression"):
        expression_latex(Expression())
    with pytest.raises(UnsupportedError, match="no words for Statement"):
        statement_latex(Statement())
    with pytest.raises(UnsupportedError, match="no tree for Statement"):
        statement_tree(Statement())


@pytest.mark.parametrize(
    ("latex", "width"),
    [("x", 1), (r"\beta", 1), (r"\frac{abc}{de}", 3), ("x^{2}", 1.7), (r"\sqrt{ab}", 3), ("a+b", 4), (r"\frac12", 1)],
)
def test_width_is_counted_in_glyphs(latex: str, width: float) -> None:
    assert glyphs(latex) == pytest.approx(width)


def test_long_sums_are_broken_at_their_terms() -> None:
    total = x
    for number in range(2, 40):
        total = total + number * y if number % 3 else total - number * z
    lines = broken(eq(beta, total), WIDE)
    assert len(lines) > 2
    assert all(glyphs(line) <= WIDE + 4 for line in lines)
    joined = re.sub(r"\\quad|\{\}", "", "".join(lines))
    assert joined.replace(" ", "") == statement_latex(eq(beta, total)).replace(" ", "")


@settings(max_examples=examples(100))
@given(st.lists(expressions(), min_size=2, max_size=8))
def test_broken_lines_keep_every_symbol_and_number(terms: list[Expression]) -> None:
    total = terms[0]
    for term in terms[1:]:
        total = total * (1 - term)
    whole = expression_latex(total)
    lines = "".join(broken(total, NARROW))
    assert re.findall(r"[xyz]|\d+", lines) == re.findall(r"[xyz]|\d+", whole)
    assert lines.count("{") == lines.count("}")


def test_a_short_formula_has_one_form_and_a_long_one_several() -> None:
    assert display(x + y) == r"\grpofit{x + y}"
    long = eq(x, sum((y**n / (1 + z) ** n for n in range(2, 20)), start=y * z))
    assert display(long).count(r"\grpopick") == 2
    assert prose(decreasing(x, x)) == statement_latex(decreasing(x, x))
