"""Papers without a map: what a step rests on tacitly, definitions, laws and that everything has a value, is named."""

from __future__ import annotations

import pytest
from referee_here import findings, in_this_process

from grpo_symbolic.referee.findings import STANDING, Status
from grpo_symbolic.referee.laws import AVERAGES, CANCELLED, FREE, GRADIENTS, LOGARITHMS, OUTSIDE

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

E = r"\mathbb{E}_{x \sim p}"
HOLDS = [
    (r"\sum_{i=1}^n 2 c a_i = 2 c \sum_{i=1}^n a_i", OUTSIDE),
    (r"\sum_x p(x) f(x) = \sum_x q(x) \frac{p(x)}{q(x)} f(x)", CANCELLED),
    (r"\sum_i y_i \log \frac{e^{o_i}}{Z} = \sum_i y_i o_i - (\log Z) \sum_i y_i", LOGARITHMS),
    (rf"{E}[2 f(x)] = 2 \sum_x p(x) f(x)", AVERAGES),
    (rf"{E}[f(x)] = \int_x f(x) p(x) dx", AVERAGES),
    (r"\mathbb{E}_{x \sim p(\cdot \mid s)}[f(x)] = \sum_x p(x \mid s) f(x)", AVERAGES),
    (r"\nabla_\theta \log p_\theta(x) = \frac{\nabla_\theta p_\theta(x)}{p_\theta(x)}", GRADIENTS),
    (r"\nabla_\theta \sum_x p_\theta(x) R(x) = \sum_x R(x) p_\theta(x) \nabla_\theta \log p_\theta(x)", FREE),
    (r"\frac{n}{n - 1} (a - \frac{1}{n} \sum_j b_j) = \frac{n}{n - 1} a - \frac{1}{n - 1} \sum_j b_j", "where n"),
    (r"\mathbb{E}_{x \sim p}[f(x)] = \sum_{x \in \mathcal{X}} p(x) f(x)", AVERAGES),
    (r"\nabla_\theta \sum_{t=0}^T R(t) p_\theta(t) = \sum_{t=0}^T R(t) \nabla_\theta p_\theta(t)", FREE),
]
#: Twins of these that need not hold.
OPEN = [
    r"\sum_{i=1}^n 2 c_i a_i = 2 c_i \sum_{i=1}^n a_i",
    r"\sum_{i<j} c_j a_i = c_j \sum_{i<j} a_i",
    r"\sum_{1}^n c a = c a \sum_{1}^n 1",
    r"\sum_{ij} a_{ij} b_j = b_j \sum_{ij} a_{ij}",
    r"\sum_i a_i \sum_i b_i = \sum_i a_i b_i",
    r"\prod_{i=1}^n c a_i = c \prod_{i=1}^n a_i",
    r"\mathbb{E}[c X] = c \mathbb{E}[X]",
    r"\sum_{t=0}^\infty 2^{-t} p(a_t \mid s_t) = 2 p(a_t \mid s_t)",
    r"\sum_{t=0}^\infty p(a_t \mid s_t) - \sum_{t=1}^\infty p(a_t \mid s_t) = p(a_t \mid s_t)",
    r"\sum_x p(x) f(x) = \sum_x q(x) \frac{p(x)}{q(y)} f(x)",
    r"\sum_i y_i \log \frac{e^{o_i}}{Z} = \sum_i y_i o_i + (\log Z) \sum_i y_i",
    r"\sum_i \log (a_i + b_i) = \sum_i \log a_i + \sum_i \log b_i",
    rf"{E}[2 f(x)] = 2 \sum_x q(x) f(x)",
    rf"{E}[2 f(x)] = \sum_x p(x) f(x)",
    rf"{E}[f(x)] = \sum_y p(y) f(y) + 1",
    r"\mathbb{E}_{x, y \sim p}[f(x)] = \sum_x p(x) f(x)",
    r"\nabla_\theta \log p_\theta(x) = p_\theta(x) \nabla_\theta p_\theta(x)",
    r"\nabla_\theta \sum_x p_\theta(x) R_\theta(x) = \sum_x R_\theta(x) \nabla_\theta p_\theta(x)",
    rf"{E}[f(x)] = \sum_{{x \in A}} p(x) f(x)",
    rf"{E}[f(x)] = \sum_{{x \ne 0}} p(x) f(x)",
    r"\nabla_\theta \sum_{t=0}^{T_\theta} R(t) p_\theta(t) = \sum_{t=0}^{T_\theta} R(t) \nabla_\theta p_\theta(t)",
    r"\nabla_\theta \log p(x) = 0",
    r"\nabla_\theta (Q^\pi(s, a) \pi_\theta(a | s)) = Q^\pi(s, a) \nabla_\theta \pi_\theta(a | s)",
    r"\nabla_\theta (f(\theta) g(\theta)) = f(\theta) \nabla_\theta g(\theta)",
    r"\nabla_\theta \mathbb{E}_{x \sim p_\theta}[R(x)] = \mathbb{E}_{x \sim p_\theta}[\nabla_\theta R(x)]",
    r"\frac{n}{n - 1} (a - \frac{1}{n} \sum_j b_j) = \frac{n}{n - 1} a - \frac{1}{n} \sum_j b_j",
]
DEFINITIONS = [
    ((r"N = \sum_i a_i", r"\mathbb{E}[2 N] = 2 \mathbb{E}[\sum_i a_i]"), True),
    ((r"N = \sum_i a_i", r"\mathbb{E}[2 N] = \mathbb{E}[\sum_i a_i]"), False),
    ((r"N = b + c", r"\sum_i 2 N b_i + N = 2 N \sum_i b_i + b + c"), True),
    ((r"N = a_i", r"\sum_i N b_i = N \sum_i b_i"), False),
    ((r"N = \sum_j a_{ij}", r"\sum_i N b_i = N \sum_i b_i"), False),
    ((r"\phi = \theta^2", r"\nabla_\theta (f(\phi) p_\theta(x)) = f(\phi) \nabla_\theta p_\theta(x)"), False),
    ((r"q = 1 - \|x\|", r"\|x\|^2 + q \|x\| = \|x\|"), True),
    ((r"q = 1 - \|x\|", r"\|x\|^2 + q \|x\| = q"), False),
    ((r"q = 1 - \|x\|", r"q = 1 + \|x\|", r"\|x\|^2 + q \|x\| = \|x\|"), False),
]


@pytest.mark.parametrize(("latex", "law"), HOLDS)
def test_what_holds_by_a_law_stands_and_names_it(latex, law, tmp_path):
    (found,) = findings(tmp_path, latex)
    assert found.status in STANDING, found
    assert any(law in note for note in found.notes), found.notes


@pytest.mark.parametrize("latex", OPEN)
def test_what_no_law_says_stays_open(latex, tmp_path):
    (found,) = findings(tmp_path, latex)
    assert found.status in (Status.UNDECIDED, Status.NOT_UNDERSTOOD), found


@pytest.mark.parametrize(("displays", "holds"), DEFINITIONS)
def test_what_holds_by_a_definition_stands_and_names_the_line(displays, holds, tmp_path):
    first, *_, found = findings(tmp_path, *displays)
    assert first.status is Status.BY_DEFINITION
    assert (found.status in STANDING) is holds, found
    assert any("p.md:1:3 says" in note for note in found.notes) is holds
