"""Papers without a map: what holds by the laws of probabilities, averages and variances, and near misses of these."""

from __future__ import annotations

import pytest
from referee_here import findings, in_this_process

from grpo_symbolic.referee.chances import CONSTANT, GIVEN, MARGINAL, MEAN, SPREAD, TOTAL, TOWER
from grpo_symbolic.referee.findings import RECORDED, STANDING, Status
from grpo_symbolic.referee.laws import AVERAGES, COUNTED, LOGARITHMS

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

E, P = r"\mathbb{E}", r"\mathbb{P}"
HOLDS = [
    (r"P(B = b \mid A = a) = P(A = a, B = b) / P(A = a)", GIVEN),
    (r"P(A \mid B) = \frac{P(B \mid A) P(A)}{P(B)}", GIVEN),
    (rf"{P}_\theta(X = x, T = t) = {P}_\theta(X = x \mid T = t) {P}_\theta(T = t)", GIVEN),
    (rf"{P}(U = i, V = j \mid W = k) = {P}(U = i \mid W = k) {P}(V = j \mid U = i, W = k)", GIVEN),
    (r"p(x \mid y) = p(y \mid x) p(x) / p(y)", GIVEN),
    (rf"{P}[A] = {P}[A \cap A]", GIVEN),
    (rf"{P}(X = x) = \sum_{{y \in \Omega_y}} {P}(X = x, Y = y)", MARGINAL),
    (r"\sum_a P(B \mid A = a) P(A = a) = P(B)", MARGINAL),
    (r"P(A \mid B) = \frac{P(B \mid A) P(A)}{\sum_a P(B \mid A = a) P(A = a)}", MARGINAL),
    (rf"{E}[X \mid Y = y] = \sum_x x {P}(X = x \mid Y = y)", MEAN),
    (rf"\sum_y {P}(Y = y) {E}[X \mid Y = y] = {E}[X]", MARGINAL),
    (rf"{E}[{E}[X \mid Y]] = {E}[X]", TOWER),
    (rf"{E}_Y[{E}_X[X \mid Y]] = {E}_X[X]", TOWER),
    (rf"\mathrm{{Var}}(X) = {E}[(X - {E}[X])^2]", SPREAD),
    (rf"{E}[(X - {E}[X])^2] = {E}[X^2] - {E}[X]^2", CONSTANT),
    (rf"\mathrm{{Cov}}(X, Y) = {E}[X Y] - {E}[X] {E}[Y]", SPREAD),
    (r"\mathrm{Var}(X + Y) = \mathrm{Var}(X) + \mathrm{Var}(Y) + 2 \mathrm{Cov}(X, Y)", SPREAD),
    (r"\mathrm{Var}(3 X + 2) = 9 \mathrm{Var}(X)", SPREAD),
    (rf"\mathrm{{var}}(Z) = {E}[\mathrm{{var}}(Z \mid T)] + \mathrm{{var}}[{E}[Z \mid T]]", TOWER),
    (r"E_{x \sim p}[f(x) - 1] = \sum_x p(x) (f(x) - 1)", TOTAL),
    (rf"{E}_Y[{E}_X[X \mid Y]] = \sum_y {P}(Y = y) {E}[X \mid Y = y]", TOWER),
    (rf"\sum_y {P}(Y = y) \sum_x x {P}(X = x \mid Y = y) = \sum_x \sum_y x {P}(X = x, Y = y)", MEAN),
    (rf"{E}[X - Y \frac{{{E}[X Y]}}{{{E}[Y^2]}}] = {E}[X] - {E}[Y] \frac{{{E}[X Y]}}{{{E}[Y^2]}}", CONSTANT),
    (r"E_{x \sim q} \frac{p(x)}{q(x)} f(x) = \sum_x q(x) \frac{p(x)}{q(x)} f(x)", AVERAGES),
    (r"e^{-\frac{1}{m} \sum_{t \in T} \log \rho_t} = (\prod_{t \in T} \rho_t)^{-1/m}", LOGARITHMS),
    (r"\log \prod_{i=1}^n \prod_{j=1}^k p_j^{y_{ij}} = \sum_{i=1}^n \sum_{j=1}^k y_{ij} \log p_j", LOGARITHMS),
    (r"\prod_{i=1}^n (c x_i) = c^n \prod_{i=1}^n x_i", COUNTED),
    (r"\sum_{i=1}^n (x_i - c) = \sum_{i=1}^n x_i - n c", COUNTED),
]
#: Twins of these that need not hold, or of which nobody knows that these are probabilities.
OPEN = [
    r"P(B = b \mid A = a) = P(A = a, B = b) / P(B = b)",
    r"P(A \mid B) = P(A)",
    r"P(A \mid B) = P(B \mid A)",
    r"P(A, B) = P(A) P(B)",
    r"P(A, B) = P(B, A)",
    r"P(A \mid B) P(B \mid C) = P(A \mid C)",
    r"f(x, y) = f(y, x)",
    r"p(x' \mid x) p(x) = p(x \mid x') p(x')",
    r"p(x_1 \mid x_2) p(x_2) = p(x_2 \mid x_1) p(x_1)",
    r"P(1 \mid 0) P(0) = P(0 \mid 1) P(1)",
    rf"{E}_Y[{E}_Z[f(Y, Z) \mid Y]] = {E}_Z[f(Y, Z)]",
    rf"{E}[{E}_Q[X \mid Y]] = {E}_Q[X]",
    rf"\sum_y {P}(Y = y) {E}_Q[X \mid Y = y] = {E}_Q[X]",
    r"P(A \cup B \cap C) = P(C, A \cup B) + 0 P(A \mid B)",
    r"P(X = x \mid X_1, \dots, X_n) P(X_1, \dots, X_n) = P(X = x, X_1, \dots, X_n)",
    rf"{P}(X = x) = \sum_{{y \in A}} {P}(X = x, Y = y)",
    rf"{P}(X = x) = \sum_{{y = 1}}^n {P}(X = x, Y = y)",
    rf"{P}(X = x) = \sum_y {P}(X = x, Y = g(y))",
    rf"{P}(X = x) = \sum_y {P}(X = x \mid Y = y)",
    rf"{P}(X = x) = \sum_y {P}(X = x, Y_y = y)",
    rf"{P}(X = y) = \sum_y {P}(X = y, Y = y)",
    rf"{E}[X \mid Y = y] = \sum_x x {P}(X = x, Y = y)",
    rf"{E}[X \mid Y = y] = \sum_x x {P}(Y = y \mid X = x)",
    rf"\sum_y {E}[X \mid Y = y] = {E}[X]",
    rf"\sum_y {P}(Y = y) {E}[y X \mid Y = y] = {E}[y X]",
    rf"{E}_\pi[X \mid Y = y] = \sum_x x P(X = x \mid Y = y)",
    rf"{E}[{E}[X \mid Y = y]] = {E}[X \mid Y]",
    rf"{E}[{E}[X \mid Y] Y] = {E}[X] {E}[Y]",
    rf"{E}[{E}[X \mid y]] = {E}[X]",
    rf"{E}_Z[{E}_X[X \mid Y]] = {E}_X[X]",
    rf"{E}_t[{E}[A_t]] = {E}[A_t]",
    rf"{E}[{E}_t[A_t] B] = {E}_t[A_t] {E}[B]",
    rf"{E}[X Y] = {E}[X] {E}[Y]",
    rf"\mathrm{{Var}}(X) = {E}[X^2] + {E}[X]^2",
    rf"\mathrm{{Var}}(X) = {E}[X^2] - {E}[X]",
    r"\mathrm{Var}(X + Y) = \mathrm{Var}(X) + \mathrm{Var}(Y)",
    r"\mathrm{Var}(3 X + 2) = 3 \mathrm{Var}(X) + 2",
    r"\mathrm{Var}(c X) = c^2 \mathrm{Var}(X)",
    rf"\mathrm{{var}}(Z) = {E}[\mathrm{{var}}(Z \mid T)]",
    r"E_{x \sim p}[f(x) - 1] = \sum_x q(x) (f(x) - 1)",
    rf"{E}_Y[{E}_X[X Z \mid Y]] = {E}[X Z]",
    rf"{E}[X - Y {E}[X \mid Y]] = {E}[X] - {E}[Y] {E}[X \mid Y]",
    r"E_{x \sim q} f(x) g = g \sum_x f(x)",
    r"E_{x \sim q} g f(y) = \sum_x q(x) g f(y)",
    r"\prod_{i=1}^n (c_i x_i) = c_i^n \prod_{i=1}^n x_i",
    r"\prod_{i=0}^n (c x_i) = c^n \prod_{i=0}^n x_i",
    r"\sum_{i=0}^n (x_i - c) = \sum_{i=0}^n x_i - n c",
    r"\sum_{i=1}^n (x_i - n) = \sum_{i=1}^n x_i - n",
    r"\log \prod_{i=1}^n p_i = \prod_{i=1}^n \log p_i",
    r"\prod_{i=1}^n (\mathbf{A}_i \mathbf{B}_i) = \prod_{i=1}^n (\mathbf{A}_i) \prod_{i=1}^n (\mathbf{B}_i)",
    rf"{P}(X = x) = \sum_{{y \in A_y}} {P}(X = x, Y = y)",
    r"\prod_{i=1}^n (a_i + b_i) = \prod_{i=1}^n a_i + \prod_{i=1}^n b_i",
    r"E_{x \sim p(\cdot \mid s)}[f(x)] = \sum_x p(x \mid s) f(x) + \sum_s p(x \mid s) - 1",
]


@pytest.mark.parametrize(("latex", "law"), HOLDS)
def test_what_holds_by_a_law_of_probability_stands_and_names_it(latex, law, tmp_path):
    (found,) = findings(tmp_path, latex)
    assert found.status in STANDING, found
    assert any(law in note for note in found.notes), found.notes


@pytest.mark.parametrize("latex", OPEN)
def test_what_no_law_of_probability_says_stays_open(latex, tmp_path):
    (found,) = findings(tmp_path, latex)
    assert found.status not in (*STANDING, *RECORDED), found


GOLDEN = (r"\alpha_1 = \frac{1}{2} (1 + \sqrt{5})", r"\alpha_2 = \frac{1}{2} (1 - \sqrt{5})")
#: Failures with what the paper says of its letters, or what these often mean, in mind.
IN_DOUBT = [
    (r"p_i h - k + q_i m = p_i h - (p_i + q_i) k + q_i m", Status.UNDECIDED),
    (r"p_i h - k + q_j m = p_i h - (p_i + q_j) k + q_j m", Status.NOT_AN_IDENTITY),
    (r"p_i h + k + q_i m = p_i h - (p_i + q_i) k + q_i m", Status.NOT_AN_IDENTITY),
    (r"F = (1 - z - z^2)^{-1} = \frac{1}{(1 - \alpha_1 z)(1 - \alpha_2 z)}", Status.UNDECIDED),
    (r"F = (1 + z - z^2)^{-1} = \frac{1}{(1 - \alpha_1 z)(1 - \alpha_2 z)}", Status.NOT_AN_IDENTITY),
    (r"(U^0 + V^0)^{00} = U^0 + V^0", Status.UNDECIDED),
]


@pytest.mark.parametrize(("latex", "status"), IN_DOUBT)
def test_a_failure_is_told_unless_the_paper_or_habit_says_what_its_letters_are(latex, status, tmp_path):
    assert findings(tmp_path, *GOLDEN, latex)[-1].status is status
