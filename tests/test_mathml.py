"""MathML made of our LaTeX: what it looks like, that it shows what is printed, and that a slip would be noticed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from latex2mathml.symbols_parser import convert_symbol

from grpo_symbolic.errors import ReportError, UnsupportedError
from grpo_symbolic.language.expression import Total
from grpo_symbolic.language.statement import eq, le
from grpo_symbolic.language.vocabulary import absolute, define, exp, log, real, sqrt
from grpo_symbolic.readback.mathml import check_mathml, signs_of_latex, signs_of_mathml
from grpo_symbolic.translate import mathml_signs as signs
from grpo_symbolic.translate.latex import statement_latex
from grpo_symbolic.translate.mathml import mathml, nodes_of
from grpo_symbolic.translate.mathml_nodes import wide

x = real("x", "(0, 1)", "a probability")
beta = real("beta", "(0, oo)", "a weight")
p = real("p", "(0, 1)", "probabilities", indexed=True)
share = define("share", (x,), x / (1 - x))

STATEMENTS = [
    eq(x * (1 - x) / sqrt(2 * x), exp(-(x**2) / (1 - x))),
    le(-(log(x) ** 2) - beta * absolute(x - 1), (x - 1) ** 2 / (beta + 1)),
    eq(Total(p * log(p / x)), share(x) - 3),
    le(sqrt(x / (1 - sqrt(x))), (1 + beta) * (1 - (x - beta))),
]
#: Pieces of LaTeX that papers print, put together at random.
PIECES = st.sampled_from(
    (
        *(r"\pi_\theta", "x^2", r"\frac{a}{b+c}", r"\sqrt{1-p}", "f'(x)", r"\left(\frac12\right)^n", r"-\epsilon"),
        *(r"\mathbb{E}_{o \sim \pi}", r"\log \frac{p}{q}", r"\sum_{i=1}^G r_i", r"\text{ if $x > 0$ and }"),
        *(r"\le 0.25", r"\bar{x}_k^{j}", r"\underbrace{a+b}_{\text{two}}", r"\lvert y \rvert"),
        r"\begin{cases} 1 & x > 0 \\ 0 & y\end{cases}",
    )
)


def inside(shown: str) -> str:
    return re.sub(r"^<math[^>]*>|</math>$", "", shown)


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        ("x_{12}", "<msub><mi>x</mi><mn>12</mn></msub>"),
        ("-1", '<mo form="prefix">−</mo><mn>1</mn>'),
        ("a - 0.5", "<mi>a</mi><mo>−</mo><mn>0.5</mn>"),
        (r"\frac12", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"\sqrt{xy}", '<msqrt class="low"><mi>x</mi><mi>y</mi></msqrt>'),
        (r"\log(x)", '<mi>log</mi><mo>\u2061</mo><mo stretchy="false">(</mo><mi>x</mi><mo stretchy="false">)</mo>'),
        (r"\mathrm{ref}", "<mi>ref</mi>"),
        (r"\mathrm{d}", '<mi mathvariant="normal">d</mi>'),
        (r"\mathcal{P}", "<mi>𝒫</mi>"),
        (
            r"\left.y\right|_{0}",
            '<msub><mrow><mi>y</mi><mo form="postfix" stretchy="true">|</mo></mrow><mn>0</mn></msub>',
        ),
    ],
)
def test_what_it_looks_like(latex, expected):
    assert inside(mathml(latex)) == expected


@pytest.mark.parametrize("latex", [r"\unknown{x}", "{x", r"\left(x", "x}", r"\frac{a}", r"\text{\huge x}"])
def test_what_is_not_of_the_dialect_is_refused(latex):
    with pytest.raises(UnsupportedError, match=r"no MathML|not closed|no beginning|too early"):
        mathml(latex)


@pytest.mark.parametrize("statement", STATEMENTS, ids=str)
def test_our_formulas_are_shown_as_they_are_printed(statement):
    latex = statement_latex(statement)
    check_mathml(latex, mathml(latex))


@given(st.lists(PIECES, min_size=1, max_size=6))
def test_what_papers_print_is_shown_as_it_is_printed(pieces):
    latex = " ".join(pieces)
    check_mathml(latex, mathml(latex))
    assert wide(nodes_of(latex)) > 0


@pytest.mark.parametrize("statement", STATEMENTS, ids=str)
def test_a_sign_that_is_lost_or_exchanged_is_noticed(statement):
    latex = str(statement_latex(statement))
    shown = mathml(latex)
    leaves = [match for match in re.finditer(r"<(mi|mn|mo)\b[^>]*>([^<]+)</\1>", shown) if match[2] != "\u2061"]
    assert len(leaves) > 10
    for leaf in leaves:
        for other in ("", f"<{leaf[1]}>?</{leaf[1]}>"):
            with pytest.raises(ReportError, match="not shown as it is printed"):
                check_mathml(latex, shown[: leaf.start()] + other + shown[leaf.end() :])


def test_a_part_that_moved_out_of_a_fraction_is_noticed():
    latex = r"\frac{a + b}{c}"
    assert signs_of_mathml(mathml(latex)) == signs_of_latex(latex) == "÷{a+b}{c}"
    with pytest.raises(ReportError, match="not shown"):
        check_mathml(latex, "<math><mi>a</mi><mo>+</mo><mfrac><mi>b</mi><mi>c</mi></mfrac></math>")


#: Where we show another sign than the tables of latex2mathml on purpose.
OTHERWISE = {r"\sim", r"\cdot", r"\setminus", r"\ast", "*"}


@pytest.mark.parametrize("table", ["LETTERS", "RELATIONS", "OPERATIONS", "LARGE"])
def test_signs_are_those_of_others(table):
    """The table is shared by what makes MathML and what compares it, so that somebody else has to confirm it."""
    compared = 0
    for command, shown in getattr(signs, table).items():
        code = convert_symbol(command)
        if code is not None and command not in OTHERWISE:
            compared += 1
            assert chr(int(code, 16)) == shown, command
    assert compared >= 2
