"""What stands below a sum or product: every index, set, end and condition plays its part, or the sum is refused."""

import pytest
from mpmath import mpf
from reading_oracle import same

from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.reading.meaning.interpret import interpret
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.notation.formulas import read_formula
from grpo_symbolic.reading.places import Source

MAP = r"""
[symbols]
p = "(0, 1)"
x = "(0, oo)"
[sets]
Y = ["a", "b"]
I = "1..3"
K = "1..2"
[indices]
"y, y'" = "Y"
"i, j" = "I"
[sizes]
n = [2, 3]
[[notation]]
tex = 'u(#y)'
by = { a = "p", b = "1 - p" }
[[notation]]
tex = 'r(#y)'
by = { a = 1, b = 0 }
[[notation]]
tex = 'w_{#i}'
each = "(0, oo)"
over = "I"
[[notation]]
tex = 'b_{#i}'
each = "(0, oo)"
over = "I"
[[notation]]
tex = 'm_{#i}'
by = { 1 = 1, 2 = "p", 3 = 1 }
"""


def outcomes(formula):
    notation = read_map([Document(Source("paper.notation.toml", MAP))])
    return interpret(read_text(rf"\begin{{equation}} {formula} = x \end{{equation}}").displays(), notation), notation


def agrees(expression, meaning, notation):
    """Whether what was read has the values of a formula of the map, at a generic point."""
    point = {name: mpf(5 + 3 * number) / 41 for number, name in enumerate(notation.symbols)}
    return same(unfold(expression), unfold(read_formula(meaning, notation.symbols)), [point])


def instances(formula):
    interpretation, notation = outcomes(formula)
    (outcome,) = interpretation.outcomes
    assert outcome.refusal is None, outcome.refusal
    return outcome.read.instances, notation


READ = [
    (r"\sum_{y\in\{a\}} u(y)", "p"),
    (r"\sum_{y\in\{a,b\}} u(y)", "p + 1 - p"),
    (r"\sum_{y\in\mathcal{Y}} u(y)", "p + 1 - p"),
    (r"\sum_{y\in Y\setminus\{a\}} u(y)", "1 - p"),
    (r"\sum_{y\ne a} u(y)", "1 - p"),
    (r"\sum_{y: r(y)=1} u(y)", "p"),
    (r"\sum_{y\in Y,\, r(y)\ne 1} u(y)", "1 - p"),
    (r"\sum_{y} \sum_{y'\ne y} u(y)u(y')", "2*p*(1 - p)"),
    (r"\sum_{i,j=1}^{3} w_i w_j", "(w_1 + w_2 + w_3)**2"),
    (r"\sum_{i=1,\,j=1}^{2} w_i w_j", "(w_1 + w_2)**2"),
    (r"\sum_{i,j} w_i b_j", "(w_1 + w_2 + w_3)*(b_1 + b_2 + b_3)"),
    (r"\sum_{i,j\in K} w_i b_j", "(w_1 + w_2)*(b_1 + b_2)"),
    (r"\sum_{i\in I, j\in K} w_i b_j", "(w_1 + w_2 + w_3)*(b_1 + b_2)"),
    (r"\sum_{i<j} w_i w_j", "w_1*w_2 + w_1*w_3 + w_2*w_3"),
    (r"\sum_{1\le i<j\le 3} w_i w_j", "w_1*w_2 + w_1*w_3 + w_2*w_3"),
    (r"\sum_{3\ge i>1} w_i", "w_2 + w_3"),
    (r"\sum_{i\le 2} w_i", "w_1 + w_2"),
    (r"\sum_{(i,j):\, i+j=4} w_i b_j", "w_1*b_3 + w_2*b_2 + w_3*b_1"),
    (r"\sum_{\substack{i=1\\ i\ne 2}}^{3} w_i", "w_1 + w_3"),
    (r"\sum_{i=1}^{3}\sum_{j=i}^{3} w_j", "w_1 + 2*w_2 + 3*w_3"),
    (r"\sum_{i=1}^{3}\sum_{j<i} w_j", "2*w_1 + w_2"),
    (r"\sum_{i=1}^{2}\sum_{j\in\{1,2\}\setminus\{i\}} w_i b_j", "w_1*b_2 + w_2*b_1"),
    (r"\sum_{i\in[2]} w_i", "w_1 + w_2"),
    (r"\sum_{i\in\{1,\dots,3\}} w_i", "w_1 + w_2 + w_3"),
    (r"\prod_{j\in\{2,3\}} w_j", "w_2*w_3"),
    (r"\prod_{i\in I,\, i\ne 1} w_i", "w_2*w_3"),
    (r"\prod_{i<1} w_i", "1 + 0*p"),
]


@pytest.mark.parametrize(("formula", "meaning"), READ, ids=str)
def test_a_range_is_what_it_says(formula, meaning):
    (instance,), notation = instances(formula)
    assert agrees(instance.left, meaning, notation)


@pytest.mark.parametrize(
    ("formula", "meanings"),
    [
        (r"b_i - \frac12 \sum_{j\ne i} w_j", ["b_1 - (w_2 + w_3)/2", "b_2 - (w_1 + w_3)/2", "b_3 - (w_1 + w_2)/2"]),
        (r"\sum_{j<i} w_j + b_i", ["b_1", "w_1 + b_2", "w_1 + w_2 + b_3"]),
    ],
)
def test_an_index_that_stands_elsewhere_is_not_summed_over(formula, meanings):
    found, notation = instances(formula)
    for instance, meaning in zip(found, meanings, strict=True):
        assert agrees(instance.left, meaning, notation)


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        (r"\sum_{y\in\mathcal{S}} u(y)", "no declared set"),
        (r"\sum_{y\in Y_1} u(y)", "no declared set"),
        (r"\sum_{y\in Y\cup\{a\}} u(y)", "no declared set"),
        (r"\sum_{y\notin\{a\}} u(y)", "not declared"),
        (r"\sum_{i\in\mathbb{N}} w_i", "no declared set"),
        (r"\sum_{y\in\{y' : r(y')=1\}} u(y)", "no declared set"),
        (r"\sum_{i\in I}^{3} w_i", "not declared"),
        (r"\sum_{i=1} w_i", "two whole numbers"),
        (r"\sum_{i=3}^{1} w_i", "0 terms"),
        (r"\sum_{2i=1}^{3} w_1", "no symbol"),
        (r"\sum_{1=1}^{3} w_1", "no symbol"),
        (r"\sum_{i\mid j} w_i", "without a relation"),
        (r"\sum_{1\le i, j\le 3} w_i w_j", "between two ends"),
        (r"\sum_{j\ne i} w_i b_j", "compared"),
        (r"\sum_{i: w_i > 1} w_i", "depends on more"),
        (r"\sum_{i:\, m_i = 1} w_i", "depends on more"),
        (r"\sum_{y < a} u(y)", "compares a label"),
        (r"\sum_{i,} w_i", "gap"),
        (r"\sum_{i\in} w_i", "no declared set"),
        (r"\sum_{i=1, j=i}^{3} w_i w_j", "depends on another"),
        (r"\sum_{\substack{i=1\\ k\ne 2}}^{3} w_i", "k is not declared"),
        (r"\sum_{i\ne} w_i", "missing"),
    ],
)
def test_a_range_that_is_not_certain_is_refused(formula, reason):
    (outcome,) = outcomes(formula)[0].outcomes
    assert outcome.read is None
    assert reason in outcome.refusal.reason
