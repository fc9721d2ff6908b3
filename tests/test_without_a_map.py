"""Papers without a map: what is reported as failing, what is said to define a letter, and what asserts nothing."""

from __future__ import annotations

import pytest
from referee_here import QUICK, findings, in_this_process

from grpo_symbolic.referee.check import check_paper
from grpo_symbolic.referee.contingent import BASE, CONTINGENT, ROUNDED
from grpo_symbolic.referee.findings import STANDING, Status

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

CONDITIONS = [
    r"x_1 + 2 x_2 \le 6",
    r"x_1^2 + x_2^2 = 4",
    r"\lambda_1 z_1 = \lambda_2 z_2 = 0",
    r"1 - \lambda - 2 \mu x = 3 - 2 \mu x",
    r"k^2 \gamma^2 \le k R^2",
    r"3 x \le 2",
    r"c - \lambda + \mu \ge x",
    r"x^2 + 1 \ge 3 x^2",
    r"\frac{pq}{(1-q)^2} = \frac{q}{p}",
]
ERRORS = [
    r"(a + b)^2 = a^2 + b^2",
    r"x^2 - y^2 = (x - y)(x - y)",
    r"(x + 1)^2 - x^2 = 2 x + 1 = 2 x",
    r"x y + x = x (y + 1) = x (y + 2)",
    r"(1 - p) x - 2 p x^2 = x - p x - p x^2",
    r"x^2 + 1 \le -1 - x^2",
    r"2 + 2 = 5",
    r"\frac{pq}{(1-q)^2} = \frac{q^2}{p}",
    r"1.5 + 2.2 = 9",
    r"\frac{1}{3} = 0.34",
    r"120 \cdot 2 = 260",
]
ROUNDINGS = [
    r"\frac{67968}{24 - 2} = 3089",
    r"3089 = 55.6^2",
    r"\frac{55.6}{28.0} = 1.99",
    r"\frac{1}{3} = 0.333",
    r"826.5 - 1.4 \cdot 12.9 = 808.5",
]


@pytest.mark.parametrize("latex", CONDITIONS)
def test_what_may_be_a_condition_is_not_reported_as_failing(latex, tmp_path):
    found = findings(tmp_path, latex)
    assert {(one.status, one.code) for one in found} == {(Status.UNDECIDED, CONTINGENT)}, found
    assert all(one.counterexample is not None for one in found)


@pytest.mark.parametrize(
    ("latex", "status"),
    [
        (r"x^2 = x^2 + 0 \le x^2 + \pi - 3", Status.UNDECIDED),
        (r"x^2 = x^2 + 0 \le x^2 + \pi - 4", Status.NOT_AN_IDENTITY),
    ],
)
def test_pi_may_be_half_a_turn(latex, status, tmp_path):
    assert findings(tmp_path, latex)[-1].status is status


@pytest.mark.parametrize("latex", ERRORS)
def test_what_can_only_be_meant_for_all_values_is(latex, tmp_path):
    last = findings(tmp_path, latex)[-1]
    assert last.status is Status.NOT_AN_IDENTITY, last
    assert last.counterexample is not None


@pytest.mark.parametrize("latex", ROUNDINGS)
def test_numbers_may_have_been_rounded_where_nothing_says_otherwise(latex, tmp_path):
    (found,) = findings(tmp_path, latex)
    assert (found.status, found.code) == (Status.UNDECIDED, ROUNDED), found


@pytest.mark.parametrize("latex", [*CONDITIONS[:2], *ROUNDINGS[:1]])
def test_with_a_map_what_fails_is_told_as_before(latex, tmp_path):
    names = "".join(f'{name} = "(-oo, oo)"\n' for name in ("x_1", "x_2"))
    (tmp_path / "p.notation.toml").write_text(f"[symbols]\n{names}")
    (found,) = findings(tmp_path, latex)
    assert found.status in (Status.NOT_AN_IDENTITY, Status.REFUTED), found


# Terms that are known by their print.

KNOWN_BY_PRINT = [
    r"1 + \log p(x) q(x) = \log p(x) q(x) + 1",
    r"L = \mathbb{E}_{y \sim \pi}[1 + \nabla_\theta \log \pi(y \mid x) \cdot A_t]",
    r"y = \arg\max_c [f(c) + g(c)]",
    r"\mathbf{a}^T \mathbf{b} + \mathbf{c}^T \mathbf{d} = \mathbf{c}^T \mathbf{d} + \mathbf{a}^T \mathbf{b}",
    r"1 + \int p(x) f(x) dx = \int p(x) f(x) dx + 1",
    r"\hat A^{(i,j)} - 1 = -1 + \hat A^{(i,j)}",
    r"Q^\pi(s, a) + 1 = 1 + Q^\pi(s, a)",
    r"L = -\log \sigma(r(x, y) - r(x, z))",
    r"D = \begin{bmatrix} a & \\ & b \end{bmatrix}",
    r"U = 1 + \gamma \underset{a}{\text{ max }} \sum_{s'}^{} T(s, a)",
]
#: Twins of these that are false, ambiguous or say nothing: none may stand.
TWINS = [
    r"1 + \log p(x) q(x) = q(x) \log p(x) + 1",
    r"1 + \log p(x) q(x) = \log q(x) p(x) + 1",
    r"1 + \mathbf{a}^T \mathbf{b} = 1 + \mathbf{b}^T \mathbf{a}",
    r"1 + \mathbf{A} \mathbf{B} = 1 + \mathbf{B} \mathbf{A}",
    r"\exp(\mathbf{A} \mathbf{B} + \mathbf{C}) + 0 = \exp(\mathbf{A} \mathbf{B}) \exp(\mathbf{C}) + 0",
    r"(\mathbf{a} \cdot \mathbf{b}) \mathbf{c} + \mathbf{d} = \mathbf{a} (\mathbf{b} \cdot \mathbf{c}) + \mathbf{d}",
    r"\vec a \times \vec b + \vec c = \vec a \cdot \vec b + \vec c",
    r"1 + \max_x f(x) - 1 = \max_y f(y) + 0",
    r"1 + \max_x f(x) + g = \max_x f(x) + 1 + h",
    r"\min_x f(x) + 1 = 1 + \max_x f(x)",
    r"1 + \int p(x) dx + \int q(x) dx = 1 + \int p(x) q(x) dx",
    r"1 + \int p(x) dx + a = 1 + \int (p(x) + a) dx",
    r"1 + \int p(x) + a = 1 + a + \int p(x)",
    r"n^2 + O(n) + O(n) = n^2 + O(n) + O(n)^2",
    r"n^2 + O(n) - O(n) = n^2",
    r"n^2 + \mathcal{O}(n, m) - \mathcal{O}(n, m) = n^2",
    r"1 + \mathbf{a}^T (b + O(n)) - \mathbf{a}^T (b + O(n)) = 1",
    r"\log p(x) q(x) + \text{const} - \text{const} = \log p(x) q(x)",
    r"1 + \log p(x \pm 1) q(x) = \log p(x \pm 1) q(x) + 1 \mp 1",
    r"a_1 + \mathbf{a}^T \mathbf{b} + \dots + a_n = a_1 + \mathbf{a}^T \mathbf{b} + \dots + a_m",
    r"\sigma(x + y) + 1 = \sigma(x) + \sigma(y) + 1",
    r"\sigma(2 (x + y)) = 2 \sigma(x + y)",
    r"x^{(2)} + 1 = x^2 + 1",
    r"\hat A^{(i)} + 1 = \hat A^{(j)} + 1",
    r"Q^\pi(s, a) + 1 = Q^\mu(s, a) + 1",
    r"f^{-1}(x + y) + 1 = \frac{1}{f(x + y)} + 1",
    r"\sum_{i=1}^2 (1 + \log f(i) g(i)) = 2 + 2 \log f(i) g(i)",
    r"\log p(x) q(x) \text{ if } x + 1 = 2",
    r"1 + [f(x)]_a + [f(x)]_b = 1 + 2 [f(x)]_a",
    r"\max_\pi J(\pi) = 1 + \mathbb{E}_{y \sim \pi}[r(y)]",
    r"\arg\min_x f(x) = \arg\max_x g(x)",
]


@pytest.mark.parametrize("latex", KNOWN_BY_PRINT)
def test_a_term_of_two_readings_is_the_same_wherever_it_prints_alike(latex, tmp_path):
    (found,) = findings(tmp_path, latex)
    assert found.status in (*STANDING, Status.BY_DEFINITION), found
    assert any("stands for" in note for note in found.notes)


@pytest.mark.parametrize("latex", TWINS)
def test_what_prints_otherwise_is_never_taken_for_the_same(latex, tmp_path):
    assert all(
        one.status not in (*STANDING, Status.BY_DEFINITION, Status.NOT_AN_IDENTITY) for one in findings(tmp_path, latex)
    )


# What a hostile reader prints.

AMBIGUOUS = [
    r"x + \text{noise} - \text{noise} = x",
    r"x + \text{h.o.t.} + \text{h.o.t.} = x + 2 \text{h.o.t.}",
    r"x + \text{remainder} = x + 2 \text{remainder} - \text{remainder}",
    r"2e-3 + 3 = 2e",
    r"1e-5 + 1 = e - 4",
    r"1 + \sum_i \sum_i a_i = 1 + \sum_i \sum_i a_i + 0",
    r"\sum_{i=1}^n \sum_{i=1}^m x_i + y = y + \sum_{i=1}^n \sum_{i=1}^m x_i",
    r"1 + \prod_{i=1}^n \prod_{i=1}^m x_i = \prod_{i=1}^n \prod_{i=1}^m x_i + 1",
    r"1 + \int f(x) dx - \int f(x) dx = 1",
    r"y = \sum_{i=1}^{i} x_i",
    r"x + \text{stuff} - \text{stuff} = x",
    r"x + \mathrm{cst} - \mathrm{cst} = x",
    r"n + \Theta(n) - \Theta(n) = n",
    r"n + \tilde{O}(n) - \tilde{O}(n) = n",
    r"n + \text{poly}(n) + \text{poly}(n) = n + 2 \text{poly}(n)",
    r"x + \mathcal{N}(0, 1) - \mathcal{N}(0, 1) = x",
    r"U(0, 1) + U(0, 1) = 2 U(0, 1)",
]
BRACKETS = [r"[x] + [y] = [x + y]", r"[x] + 1 = x + 1", r"\{x\} + 1 = x + 1", r"[2.5] = 2", r"\{2.5\} = 0.5"]
NOWHERE = [
    r"y = \frac{a}{0}",
    r"y = \frac{a}{b - b}",
    r"y = \log(-a^2 - 1)",
    r"y = \sqrt{-1} a",
    r"y = \frac{\|x\|}{0}",
]
#: What was said for one name is no definition of another one that says otherwise, or that the first rests on.
AGAIN = [
    (r"a = b + 1", r"b = a + 1"),
    (r"a = b + 1", r"b = c + 1", r"c = a + 1"),
    (r"f(x) = g(x) + 1", r"g(x) = f(x) + 1"),
    (r"x_{t+1} = x_t + 1", r"x_t = x_{t+1} + 1"),
    (r"a_i = b_i + 1", r"a_j = b_j + 2"),
    (r"f(x) = h(x, 1)", r"f(y) = h(y, 2)"),
]
NO_NUMBERS = [
    "Let $R$ be a noncommutative ring, and $x, y \\in R$.",
    "Take any group $G$. For $x \\in G$ and $y \\in G$:",
    "Let $x$ and $y$ be differential forms.",
    "For orthogonal $x, y$:",
]


@pytest.mark.parametrize("latex", AMBIGUOUS)
def test_what_may_mean_two_things_in_one_side_is_refused(latex, tmp_path):
    assert {(one.status, one.code) for one in findings(tmp_path, latex)} == {(Status.NOT_UNDERSTOOD, "ambiguous")}


@pytest.mark.parametrize("latex", [r"1 + \log p(x) q(x) / 0 = \log p(x) q(x) / 0 + 1", r"1 + \int \frac{1}{0} dx = a"])
def test_a_term_over_a_printed_0_is_no_value(latex, tmp_path):
    assert {one.status for one in findings(tmp_path, latex)} == {Status.NOT_UNDERSTOOD}


@pytest.mark.parametrize(
    "latex",
    [
        r"2 e - 3 + 3 = 2 e",
        r"\mathcal{N}(0, 1) + x = x + \mathcal{N}(0, 1)",
        r"1 + \sum_i \sum_j a_{ij} = \sum_i \sum_j a_{ij} + 1",
    ],
)
def test_what_only_looks_alike_is_not(latex, tmp_path):
    (found,) = findings(tmp_path, latex)
    assert found.status in STANDING, found


@pytest.mark.parametrize("latex", BRACKETS)
def test_brackets_round_one_thing_may_round_it(latex, tmp_path):
    (found,) = findings(tmp_path, latex)
    assert (found.status, found.code) == (Status.UNDECIDED, "objects"), found


@pytest.mark.parametrize("latex", [r"\log 100 = 2", r"\log 8 = 3", r"-\log \frac{1}{4} = 2"])
def test_a_logarithm_without_a_base_may_have_another_one(latex, tmp_path):
    (found,) = findings(tmp_path, latex)
    assert (found.status, found.code) == (Status.UNDECIDED, BASE), found


@pytest.mark.parametrize("latex", [r"\log 100 = 3", r"\ln 100 = 2", r"\log 1 = 1"])
def test_but_not_one_that_no_base_makes_right(latex, tmp_path):
    (found,) = findings(tmp_path, latex)
    assert found.status is Status.NOT_AN_IDENTITY, found


@pytest.mark.parametrize("latex", NOWHERE)
def test_what_has_no_value_defines_nothing(latex, tmp_path):
    (found,) = findings(tmp_path, latex)
    assert found.status not in (*STANDING, Status.BY_DEFINITION), found


@pytest.mark.parametrize("displays", AGAIN, ids=" ; ".join)
def test_a_circle_and_a_second_general_rule_are_no_definitions(displays, tmp_path):
    *before, last = findings(tmp_path, *displays)
    assert {one.status for one in before} == {Status.BY_DEFINITION}
    assert last.status is Status.UNDECIDED, last


@pytest.mark.parametrize("words", NO_NUMBERS)
@pytest.mark.parametrize("latex", ["(x + y)^2 = x^2 + 2 x y + y^2", "(x + y)^2 = x^2 + y^2"])
def test_elements_of_what_the_words_say_are_not_calculated_with(words, latex, tmp_path):
    (tmp_path / "p.md").write_text(f"{words}\n\n$${latex}$$\n")
    found = check_paper(tmp_path / "p.md", QUICK).findings[-1]
    assert found.status not in (*STANDING, Status.BY_DEFINITION, Status.NOT_AN_IDENTITY), found
