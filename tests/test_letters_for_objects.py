"""Without a map, letters for vectors, matrices, operators and sets are never numbers; letters for numbers stay so."""

import pytest
from referee_here import in_this_process

from grpo_symbolic.language.expression import free_symbols
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.findings import Status
from grpo_symbolic.referee.papers import open_paper

__all__ = ["in_this_process"]


def refusals(tmp_path, text):
    """Why the steps of a paper without a map were not read; empty for those that were."""
    path = tmp_path / "paper.tex"
    path.write_text(text)
    outcomes = open_paper(path).interpretation.outcomes
    return ["" if one.refusal is None else one.refusal.reason for one in outcomes]


@pytest.mark.parametrize(
    "text",
    [
        r"Let A and B be invertible square matrices. $$ e^{A} e^{B} = e^{A+B} $$",
        r"For operators $A$, $B$ $$ 2AB = B 2 A $$",
        r"where \(X\) is a random vector $$ 2 X X = 2 X^2 $$",
        r"The matrix $M$ is given. $$ M^2 N = M N M $$",
        r"for quaternions $p$ and $q$ $$ (p q)^2 = p^2 q^2 $$",
        r"Here $S$ denotes a set. $$ S + S = 2 S $$",
        r"$$ A \in \mathbb{R}^{n \times n} $$ $$ A c A = A^2 c $$",
        r"$$ AB = BA $$",
        r"$$ \mathbf{A}\mathbf{B} = \mathbf{B} \mathbf{A} $$",
        r"$$ \vec{a}\times\vec{b} = \vec{b}\times\vec{a} $$",
        r"$$ a + e = 1 $$ $$ e^{x} e^{y} = e^{x+y} $$",
        r"Let H be the Hessian, and a, b vectors. $$ H a b = a H b $$",
        r"Let $H = \nabla^2 f$ be the Hessian of $f$. $$ H a b = a H b $$",
        r"where $D$ is the derivative with respect to $x$ $$ D f g = f D g $$",
        r"The Laplacian $\Delta$ is linear. $$ \Delta f g = f \Delta g $$",
        r"where $\mathcal{L}$ denotes the generator of the process $$ \mathcal{L} f g = f \mathcal{L} g $$",
        r"Let $\Pi$ be the projection onto the simplex. $$ \Pi x y = x \Pi y $$",
        r"Let $\Sigma$ be the covariance matrix of the data. $$ \Sigma f g = f \Sigma g $$",
        r"with $J$ the Jacobian of the network $$ J f g = f J g $$",
        r"a map $T \colon V \to V$ $$ T f g = f T g $$",
        r"$U$ and $W$ are unitary $$ U f W = f W U $$",
    ],
)
def test_what_is_no_number_is_not_read_as_one(tmp_path, text):
    assert refusals(tmp_path, text)[-1]


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("text", "status", "code"),
    [
        *(
            (text, Status.UNDECIDED, "objects")
            for text in (
                r"Let $A$ and $B$ be square matrices. $$ (A+B)^2 = A^2 + 2AB + B^2 $$",
                r"For matrices~$A, B$, $$ (A-B)(A+B) = A^2 - B^2 $$",
                r"$$ 2AB - 2BA = 0 $$",
                r"$$ \hat{x}\hat{p} - \hat{p}\hat{x} = c $$",
                r"$$ A B A^{-1} = B $$",
                r"$$ A^\top A = c $$ $$ (A + c)^2 = A^2 + 2 A c + c^2 $$",
            )
        ),
        (r"$$ \boldsymbol{x}^2 - \boldsymbol{x}^2 = 0 $$", Status.DECIDED, ""),
        (r"$$ \vec a \cdot \vec b - \vec a \cdot \vec b = 0 $$", Status.DECIDED, ""),
    ],
)
def test_a_product_that_is_no_number_is_one_object_and_follows_no_law_of_products(tmp_path, text, status, code):
    assert refusals(tmp_path, text)[-1] == ""
    last = check_paper(tmp_path / "paper.tex", Options()).findings[-1]
    assert (last.status, last.code) == (status, code)


@pytest.mark.parametrize(
    "text",
    [
        r"With $A, B \in \mathbb{R}^{n\times n}$ matrices, $B$ is a diagonal matrix. $$ 3 B + B = 4 B $$",
        r"$$ \det(A) = 1 $$ $$ A + A = 2 A $$",
        r"$$ \operatorname{tr} A = 1 $$ $$ A + A = 2 A $$",
        r"Let $A$ and $B$ be matrices. $$ 2 (A + B) - A = A + 2 B $$",
        r"$$ \vec a + \vec b = \vec b + \vec a $$",
        r"$$ 3 \mathbf{x} - \mathbf{x} = 2 \mathbf{x} $$",
    ],
)
def test_what_is_no_number_is_added_and_multiplied_by_numbers_only(tmp_path, text):
    assert refusals(tmp_path, text)[-1] == ""
    interpretation = open_paper(tmp_path / "paper.tex").interpretation
    last = interpretation.outcomes[-1].read.instances[0]
    assert {*free_symbols(last.left), *free_symbols(last.right)} <= interpretation.objects.vectors


@pytest.mark.parametrize(
    "text",
    [
        r"$$ (a+b)^2 = a^2 + 2ab + b^2 $$",
        r"$$ 2ab = ab + ab $$",
        r"$$ a b c = c a b $$",
        r"Let $a$ and $b$ be real numbers, and $A$ a matrix. $$ (a+b)^2 = a^2 + 2ab + b^2 $$",
        r"a vector of length $n$ $$ (n+1)^2 = n^2 + 2n + 1 $$",
        r"the matrix size $n$ $$ (n+1)^2 = n^2 + 2n + 1 $$",
        r"Matrices are not used. $$ (A+B)^2 = A^2 + 2AB + B^2 $$",
        r"$$ A_{ij} + A_{ij} = 2 A_{ij} $$",
        r"The matrix $A$ has entries. $$ A_{12} A_{21} = 1 \cdot A_{12} \cdot A_{21} $$",
        r"$$ \hat{p} (1 - \hat{p}) = \hat{p} - \hat{p}^2 $$",
        r"$$ e^{x} e^{y} = e^{x+y} $$",
        r"$$ (a + e)^2 = a^2 + 2ae + e^2 $$",
        r"$$ x \cdot x \cdot x = x^3 $$",
        r"Here $J$ is the Jacobian determinant. $$ J f g = f J g $$",
        r"where $L$ is the constant of the map, $\lambda$ the gap of it $$ L \lambda g = \lambda L g $$",
        r"where $g$ is the derivative of $f$, and $n$ the vector size $$ g n x = n x g $$",
        r"$f$ maps $X$ into $Y$ $$ 2 f X = f X + f X $$",
    ],
)
def test_numbers_stay_numbers(tmp_path, text):
    assert refusals(tmp_path, text) == [""]


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    "before", [r"f = p \log p", r"g = p \sin p", r"\int_0^1 p \, dp = \frac12", r"h = p \exp p + p \max p"]
)
def test_what_stands_behind_a_function_or_an_integral_is_no_factor(tmp_path, before):
    assert refusals(tmp_path, f"$$ {before} $$ $$ p (1 - p) = p - p^2 $$ $$ \\frac{{d}}{{dp}} p^2 = 2 p $$")[1:] == [
        "",
        "",
    ]
    findings = check_paper(tmp_path / "paper.tex", Options()).findings
    assert [one.status for one in findings[-2:]] == [Status.DECIDED, Status.DECIDED]


AVERAGE = r" $$ \mathbb{E}_{x \sim p}[f(x)] = \sum_{x \in X} p(x) f(x) $$"


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("Let $X$ be a finite sample from $p$.", Status.UNDECIDED),
        ("A batch $X$ is drawn.", Status.UNDECIDED),
        ("where $X$ is a set of observations", Status.UNDECIDED),
        (r"For a subset $X \subset \Omega$ we have", Status.UNDECIDED),
        ("where $X$ is the set of all outcomes", Status.DECIDED),
        ("Let $X$ be the sample space.", Status.DECIDED),
        ("", Status.DECIDED),
    ],
)
def test_a_sum_over_a_sample_is_no_expectation(tmp_path, words, status):
    (tmp_path / "paper.tex").write_text(words + AVERAGE)
    (found,) = check_paper(tmp_path / "paper.tex", Options(jobs=1)).findings
    assert found.status is status, found
