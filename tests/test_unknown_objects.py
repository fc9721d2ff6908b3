"""Papers without a map: what nobody declared is an atom, and only laws that hold of all such objects are used."""

from __future__ import annotations

import pytest
from referee_here import QUICK, findings, in_this_process

from grpo_symbolic.referee.check import check_paper
from grpo_symbolic.referee.findings import STANDING, Status

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

HOLDS = [
    r"\mathbb{E}_{y \sim \pi}[2 r(y) + s(y)] = 2 \mathbb{E}_{y \sim \pi}[r(y)] + \mathbb{E}_{y \sim \pi}[s(y)]",
    r"\mathbb{E}_{y \sim \pi}[r(y) - 1] = \mathbb{E}_{y \sim \pi}[r(y)] - 1",
    r"E_{x \sim p}[f(x) g(x) + h(x)] = E_{x \sim p}[f(x) g(x)] + E_{x \sim p}[h(x)]",
    r"\nabla_\theta J(\theta) - \nabla_\theta L(\theta) = \nabla_\theta (J(\theta) - L(\theta))",
    r"\sum_{t=0}^T (a_t + b_t) = \sum_{t=0}^T a_t + \sum_{t=0}^T b_t",
    r"\mathcal{L}(\theta) - \beta \mathrm{KL}(\pi_\theta \| \pi_{\text{ref}}) = "
    r"-(\beta \mathrm{KL}(\pi_\theta \| \pi_{\text{ref}}) - \mathcal{L}(\theta))",
    r"(\|x - y\|^2 - 1) = (\|x - y\| - 1)(\|x - y\| + 1)",
    r"\mathbb{E}[r(y)]^2 - 1 = (\mathbb{E}[r(y)] - 1)(\mathbb{E}[r(y)] + 1)",
    r"E_t[x] + E_t[x] = 2 E_t[x]",
    r"E_t[2 x - y] = 2 E_t[x] - E_t[y]",
    r"\mathbb{E}[2 X - 1 \mid Y = y] = 2 \mathbb{E}[X \mid Y = y] - 1",
    r"\int_S (2 f(x) - g(x)) dx = 2 \int_S f(x) dx - \int_S g(x) dx",
    r"\langle x, y \rangle^2 - 1 = (\langle x, y \rangle - 1)(\langle x, y \rangle + 1)",
    r"\mathbb{P}(A) - \mathbb{P}(A) \mathbb{P}(B) = \mathbb{P}(A)(1 - \mathbb{P}(B))",
    r"V^\pi(s) - 2 V^\pi(t) + V^\pi(s) = 2 (V^\pi(s) - V^\pi(t))",
]
OPEN = [
    r"\nabla_\theta \log \pi_\theta(a \mid s) \cdot A_t = A_t \nabla_\theta \log \pi_\theta(a \mid s)",
    r"\nabla_\theta J(\theta) R = R \nabla_\theta J(\theta)",
    r"\mathbb{E}_{y \sim \pi}[r(y) s(y)] = \mathbb{E}_{y \sim \pi}[r(y)] \mathbb{E}_{y \sim \pi}[s(y)]",
    r"\mathbb{E}_{y \sim \pi}[X r(y)] = X \mathbb{E}_{y \sim \pi}[r(y)]",
    r"\mathbb{E}_{y \sim \pi}[r(y)] = \mathbb{E}_{y \sim \mu}[r(y)]",
    r"\mathbb{E}[r(y)^2] = \mathbb{E}[r(y)]^2",
    r"\mathbb{E}[r(y) + 1] = \mathbb{E}[r(y)] + 2",
    r"\sum_{t=0}^T (a_t + 1) = \sum_{t=0}^T a_t + 1",
    r"\sum_{t=0}^T a_t b_t = \sum_{t=0}^T a_t \sum_{s=0}^T b_s",
    r"\nabla_\theta (J(\theta) L(\theta)) = 2 \nabla_\theta J(\theta)",
    r"\mathrm{KL}(p \| q) + 0 = \mathrm{KL}(q \| p)",
    r"\prod_{t=1}^T (2 c_t) = 2 \prod_{t=1}^T c_t",
    r"E_{x \sim p}[f(x) g(x)] = E_{x \sim p}[g(x) f(x)]",
    r"\sum_{i=1}^2 f(i) = 2 f(i)",
    r"\sum_{i=1}^2 \sum_{j=1}^n a_{ij} = 2 \sum_{j=1}^n a_{ij}",
    r"\sum_{i=1}^3 f_i \|x\| = 3 f_i \|x\|",
    r"\sum_{i=1}^3 b_i = 3 b_i",
    r"\mathrm{Var}(2 X) + 0 = 2 \mathrm{Var}(X)",
    r"\mathrm{Var}(2 X) = 2 \mathrm{Var}(X)",
    r"D_{KL}(p \| q) = D_{KL}(q \| p)",
    r"\|x\|_2 = \|x\|_1",
    r"f(x + y, 1) = f(x, 1) + f(y, 1)",
    r"\sum_{i=1}^2 \sum_{j=1}^n a_{i,j} = 2 \sum_{j=1}^n a_{i,j}",
    r"|T|^2 = T^2",
    r"|xy| = |x| |y|",
    r"f(x) + f(y) = f(x + y)",
    r"f(f(x)) = f(x)^2",
    r"E_t[x + 1] = E_t[x] + 1",
    r"\mathbb{E}[X \mid Y = y] + 0 = \mathbb{E}[X \mid Y = z]",
    r"\mathbb{E}[X Y \mid Y] = Y \mathbb{E}[X \mid Y]",
    r"\int_S f(x) dx + 0 = \int_T f(x) dx",
    r"\int_S f(x) g(x) dx = \int_S f(x) dx \int_S g(x) dx",
    r"\int_S 2 dx = 2",
    r"\langle x, y \rangle = \langle y, x \rangle + 0",
    r"\mathbb{P}(A)(1 - \mathbb{P}(B)) = \mathbb{P}(A) \mathbb{P}(C)",
    r"V^\pi(s) + 0 = V^\mu(s)",
    r"V^\pi(s) + 0 = V^\pi(t)",
]
REFUSED = [
    r"\mathbf{A}\mathbf{B} = \mathbf{B}\mathbf{A}",
    r"\vec a \cdot \vec b = \vec b \cdot \vec a",
    r"\exp(\mathbf{A} + \mathbf{B}) = \exp(\mathbf{A}) \exp(\mathbf{B})",
    r"\nabla_\theta J(\theta) + 1 = \nabla_\theta J(\theta) + 2 - 1",
    r"\nabla_\theta J(\theta) > 0",
    r"\arg\min_\theta L(\theta) = \arg\max_\theta J(\theta)",
    r"A(t) B(t) - B(t) A(t) = 0",
    r"R(\alpha) R(\beta) = R(\beta) R(\alpha)",
    r"\operatorname{div} f g = f \operatorname{div} g",
    r"\mathsf{A} \mathsf{B} = \mathsf{B} \mathsf{A}",
    r"\frac{\mathrm{d} f}{\mathrm{d} x} = \frac{f}{x}",
    r"f(x)(y) = f(x) y",
]
DEFINED = [
    (r"f(x) = \sigma(x, 1) + 1", r"f(2) = f(3)"),
    (r"f(x) = \sigma(x, 1) + 1", r"f(x) + f(y) = 2 f(x)"),
    (r"L(\theta) = \mathbb{E}_{x \sim \pi_\theta}[r(x)]", r"L(\theta_1) - L(\theta_0) = 0"),
    (r"\rho(y) = \prod_{t=1}^T \pi(y_t)", r"\rho(z) + 1 = \rho(y) + 1"),
    (r"h(x) = \|x\|", r"h(2) - h(1) = 0"),
    (r"g(n) = \sum_{i=1}^n a_i", r"g(n + 1) - g(n) = 0"),
]


@pytest.mark.parametrize("latex", HOLDS)
def test_what_holds_for_all_objects_is_decided_and_says_so(latex, tmp_path):
    (finding,) = findings(tmp_path, latex)
    assert finding.status is Status.DECIDED, finding
    assert "for all objects that are printed so" in finding.notes
    assert any("stands for" in note for note in finding.notes)


@pytest.mark.parametrize("latex", OPEN)
def test_what_fails_for_some_objects_is_neither_right_nor_wrong(latex, tmp_path):
    (finding,) = findings(tmp_path, latex)
    assert (finding.status, finding.code) == (Status.UNDECIDED, "objects"), finding


@pytest.mark.parametrize("latex", REFUSED)
def test_what_need_not_be_a_number_is_not_calculated_with(latex, tmp_path):
    (finding,) = findings(tmp_path, latex)
    assert finding.status is Status.NOT_UNDERSTOOD, finding


@pytest.mark.parametrize(("definition", "latex"), DEFINED)
def test_what_a_function_of_objects_is_elsewhere_nobody_knows(definition, latex, tmp_path):
    first, finding = findings(tmp_path, definition, latex)
    assert first.status is Status.BY_DEFINITION, first
    assert finding.status not in (*STANDING, Status.BY_DEFINITION), finding


def test_words_about_a_function_are_words_about_its_values(tmp_path):
    paper = tmp_path / "p.md"
    paper.write_text("Let $R(t)$ be a rotation matrix.\n\n$$R(t) c = c R(t)$$\n")
    (finding,) = check_paper(paper, QUICK).findings
    assert finding.status in (Status.UNDECIDED, Status.NOT_UNDERSTOOD)


def test_one_atom_is_the_same_wherever_it_prints_alike_and_only_there(tmp_path):
    same, other = findings(
        tmp_path, r"\mathcal{L}(\theta) - \mathcal{L}( \theta ) = 0", r"\mathcal{L}(\theta) - \mathcal{L}(\phi) = 0"
    )
    assert same.status is Status.DECIDED
    assert other.status is Status.UNDECIDED
    assert other.read is not None
    assert len(set(other.read.left.split(" - "))) == 2


def test_the_first_equation_about_something_new_says_what_it_is(tmp_path):
    first, again, other = findings(
        tmp_path,
        r"\hat A = \mathbb{E}_{y \sim \pi_\theta}[r(y)]",
        r"\hat A = 2 \mathbb{E}_{y \sim \pi_\theta}[r(y)]",
        r"x = x + 1",
    )
    assert (first.status, first.code) == (Status.BY_DEFINITION, "introduced")
    assert again.status is Status.UNDECIDED
    assert other.status not in (*STANDING, Status.BY_DEFINITION)


def test_with_a_map_an_atom_is_told_as_a_guess(tmp_path):
    (tmp_path / "p.notation.toml").write_text('[symbols]\nx = "(0, 1)"\n')
    (finding,) = findings(tmp_path, r"\mathcal{L}(\theta) - \mathcal{L}(\theta) = x - x")
    assert finding.status is Status.DECIDED
    assert any("L" in guess.name for guess in finding.guesses)


@pytest.mark.parametrize(
    "latex",
    [
        r"\sum_{i=1}^{2} f(x, i) = 2 f(x, 1)",
        r"\sum_{k=1}^{2} y_{ijmk} = 2 y_{ijmk}",
        r"\sum_{k=1}^{2} \|y_{ijmk}\| = 2 \|y_{ijmk}\|",
        r"\sum_{k=1}^{2} x_{\text{loss_k}} = 2 x_{\text{loss_k}}",
    ],
)
def test_a_bound_index_tells_atoms_apart(latex, tmp_path):
    (finding,) = findings(tmp_path, latex)
    assert finding.status is Status.UNDECIDED


def test_a_letter_of_a_word_is_no_index(tmp_path):
    (finding,) = findings(tmp_path, r"\sum_{k=1}^{2} x_{\text{task}} = 2 x_{\text{task}}")
    assert finding.status is Status.DECIDED


@pytest.mark.parametrize("symbols", ["", '[symbols]\nx = "(0, 1)"\n'], ids=["without a map", "with a map"])
def test_an_index_in_a_power_is_none_in_a_name(symbols, tmp_path):
    if symbols:
        (tmp_path / "p.notation.toml").write_text(symbols)
    (finding,) = findings(tmp_path, r"\sum_{k=1}^{3} x^{k} = x + x^2 + x^3")
    assert finding.status is Status.DECIDED, finding


def test_a_variable_in_an_index_is_no_other_symbol_but_one_in_a_base_is(tmp_path):
    (tmp_path / "p.notation.toml").write_text(
        '[symbols]\nx = "(0, 1)"\nk = "(0, oo)"\nr_k = "(0, 1)"\nx_0 = "(0, 1)"\n'
    )
    held, named = findings(
        tmp_path, r"\frac{d}{dx} (x x_0) = x_0", r"\sum_{k=0}^{\infty} r_k x^{2} = \sum_{k=0}^{\infty} x^2 r_k"
    )
    assert held.status is Status.DECIDED
    assert named.status is Status.NOT_UNDERSTOOD
    assert "stands in the name of r_{k}" in named.reason


@pytest.mark.parametrize(("end", "told"), [(r"\infty", True), ("n", False)])
def test_that_series_converge_is_told(tmp_path, end, told):
    (found,) = findings(
        tmp_path, rf"\sum_{{k=1}}^{{{end}}} (a_k + b_k) = \sum_{{k=1}}^{{{end}}} a_k + \sum_{{k=1}}^{{{end}}} b_k"
    )
    assert found.status is Status.DECIDED
    assert any("taken to converge" in note for note in found.notes) is told
