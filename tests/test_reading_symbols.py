"""Signs with more than one meaning: read where the paper leaves one, refused with the reason where it leaves more."""

import pytest

from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.reading.meaning.interpret import interpret
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.places import Source
from grpo_symbolic.translate.text import expression_text

MAP = r"""
[symbols]
x = "(-oo, oo)"
y = "(-oo, oo)"
t = "(-oo, oo)"
a = "(0, oo)"
b = "(0, oo)"
k = "(0, oo)"
p = "(0, 1)"
[[notation]]
tex = 'f(#z)'
is = "z**3"
name = "f"
[[notation]]
tex = 'w^{(1)}'
is = "a"
"""


def readings(paper, notation=MAP):
    """What every step of a paper was read as, or the reason why it was not."""
    known = read_map([Document(Source("paper.notation.toml", notation))])
    outcomes = interpret(read_text(paper).displays(), known).outcomes
    return [one.refusal.reason if one.read is None else expression_text(one.read.instances[0].left) for one in outcomes]


def reading(formula, notation=MAP, text=""):
    """What the left side of one equation was read as, or why not; ``text`` stands before it."""
    (found,) = readings(rf"{text} \begin{{equation}} {formula} = 0 \end{{equation}}", notation)
    return found


@pytest.mark.parametrize(
    "formula",
    [
        r"x^{(2)}",
        r"x^{(k)}",
        r"x^{(t+1)} - x^{(t)}",
        r"a^{[2]}",
        r"a^{\{2\}}",
        r"a^{\langle 2\rangle}",
        r"\left(x\right)^{(2)}",
        r"(x+1)^{(2)}",
        r"f(x)^{(2)}",
        r"\sqrt{a}^{(2)}",
        r"\log^{(2)} a",
        r"e^{(2)}",
        r"e^{(t)}",
        r"e^{(t+1)}",
    ],
)
def test_a_superscript_in_brackets_is_no_power(formula):
    assert "superscript in brackets" in reading(formula)


@pytest.mark.parametrize(
    ("formula", "meaning"),
    [
        ("x^2", "x²"),
        ("2^{(k)}", "exp(k·log(2))"),
        ("e^{(x+y)}", "exp(x + y)"),
        ("a^{-(x+y)}", "exp((-(x + y))·log(a))"),
        ("w^{(1)}", "a"),
        ("f^{(1)}(x)", "∂/∂x [f(x)]"),
        ("f^{(2)}(x)", "[∂/∂z [∂/∂z [f(z)]]] at z = x"),
    ],
)
def test_what_is_a_power_or_is_declared_is_read(formula, meaning):
    assert reading(formula) == meaning


@pytest.mark.parametrize("formula", ["f^{(k)}(x)", "f^{(0)}(x)", "f^{(9)}(x)", "f'^{(2)}(x)", "f^{[2]}(x)"])
def test_a_derivative_of_another_order_is_refused(formula):
    assert "not declared" in reading(formula)
