"""Closed forms of what has no value, or another one than the rules would give it if they were taken too far."""

from __future__ import annotations

import pytest
from referee_here import QUICK, in_this_process

from grpo_symbolic.referee import check
from grpo_symbolic.referee.findings import Status

__all__ = ["in_this_process"]

pytestmark = pytest.mark.usefixtures("in_this_process")

MAP = r"""
%: [symbols]
%: x = "(-oo, oo)"
%: t = "(-oo, oo)"
%: z = "(0, oo)"
%: c = "(-oo, oo)"
%: a = "(0, oo)"
%: g = "(0, 1)"
%: k = "[0, oo)"
%: p = "[0, oo)"
%: n = "[1, oo)"
"""
CERTAIN = {Status.DECIDED, Status.SUPPORTED}


def statuses(text, tmp_path):
    paper = tmp_path / "paper.tex"
    paper.write_text(text)
    return {one.status for one in check.check_paper(paper, QUICK).findings}


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        # From below a root of a square is the negative number.
        (r"\lim_{x \to 0} \frac{\sqrt{x^2}}{x} = 1", r"\lim_{x \to 0} \frac{x^2}{x} = 0"),
        (r"\lim_{x \to -3} \frac{\sqrt{(x+3)^2}}{x+3} = 1", r"\lim_{x \to -3} \frac{(x+3)^2}{x+3} = 0"),
        # The derivatives have a limit, the function has no values.
        (r"\lim_{x \to \infty} \frac{\log(-x)}{x} = 0", r"\lim_{x \to \infty} \frac{\log(x)}{x} = 0"),
        (r"\lim_{x \to \infty} \frac{x + \log c}{x} = 1", r"\lim_{x \to \infty} \frac{x + \log a}{x} = 1"),
        (r"\lim_{x \to 0} x \log c = 0", r"\lim_{x \to 0} x \log a = 0"),
        (
            r"\lim_{n \to 1/2} \sum_{k=1}^n k = \frac{3}{8}",
            r"\lim_{n \to \infty} \frac{1}{n^2} \sum_{k=1}^n k = \frac12",
        ),
        (r"\int_0^1 \sum_{k=1}^n k dn = \frac{5}{12}", r"\int_0^1 \sum_{k=1}^n k t dt = \frac{n (n+1)}{4}"),
        # Declared to be positive, the variable of the outer integral is not.
        pytest.param(
            r"\int_{-1}^0 \int_0^z \sqrt{t^2} dt dz = \frac{1}{6}",
            r"\int_0^1 \int_0^z \sqrt{t^2} dt dz = \frac{1}{6}",
            marks=pytest.mark.slow,
        ),
        # A power with exponent 0 is 1.
        (r"\lim_{x \downarrow 0} x^0 = 0", r"\lim_{x \downarrow 0} x^0 = 1"),
        # No whole number is less than 1 and positive.
        (r"\sum_{k=1}^g k = \frac{g (g + 1)}{2}", r"\sum_{k=1}^n k = \frac{n (n + 1)}{2}"),
        # Gamma functions of negative numbers.
        (r"c! > 0", r"n! > 0"),
        (r"(p-2)! > 0", r"(p+2)! > 0"),
        pytest.param(r"\binom{p}{k} > 0", r"\binom{p+k}{k} > 0", marks=pytest.mark.slow),
        (r"\log(x^2+1) + \log x - \log x \le \log(x^2+2)", r"\log(x^2+1) \le \log(x^2+2)"),
        # Sums of values that cancel.
        (r"\int_{-1}^1 \frac{1}{x^3} dx = 0", r"\int_{-1}^1 x^3 dx = 0"),
        (r"\int_{-\infty}^\infty x dx = 0", r"\int_{-\infty}^\infty x \exp(-x^2) dx = 0"),
        # A value at some points says nothing where there is none.
        (r"\int_0^\infty \exp(-c x) dx \ge 0", r"\int_0^\infty \exp(-a x) dx \ge 0"),
        (r"\log \int_0^c x^2 dx \le c", r"\log \int_0^a x^2 dx = 3 \log a - \log 3"),
    ],
)
def test_what_has_no_value_is_open_beside_what_holds(wrong, right, tmp_path):
    assert statuses(f"{MAP}$$ {wrong} $$", tmp_path).isdisjoint(CERTAIN)
    assert statuses(f"{MAP}$$ {right} $$", tmp_path) <= CERTAIN


def test_factorials_fail_at_whole_numbers_only(tmp_path):
    assert statuses(rf"{MAP}$$ n! \ge 2^{{n-1}} $$", tmp_path) == {Status.UNDECIDED}
    assert statuses(rf"{MAP}$$ n! \ge 2^n $$", tmp_path) == {Status.NOT_AN_IDENTITY}


@pytest.mark.slow
def test_a_bound_letter_stands_for_no_first_numbers(tmp_path):
    paper = tmp_path / "paper.tex"
    paper.write_text(MAP + r"$$ \lim_{n \to \infty} \frac{1}{n^3} \sum_{k=1}^n k^2 = \frac14 $$")
    (found,) = check.check_paper(paper, QUICK).findings
    assert found.status is Status.NOT_AN_IDENTITY
    assert found.counterexample.at == ()


@pytest.mark.parametrize(
    "term", [r"\overline{x_k}", r"\hat{x_k}", r"\bar{\bar{x}_k}", r"\overline{A_{ik}}", r"\text{x_k}", "x_{abk}"]
)
def test_an_index_is_seen_under_accents_and_in_names(term, tmp_path):
    assert statuses(rf"$$ \sum_{{k=1}}^n {term} = n {term} $$", tmp_path).isdisjoint(CERTAIN)
    plain = term.replace("k", "j")
    assert statuses(rf"$$ \sum_{{k=1}}^n {plain} = n {plain} $$", tmp_path) <= CERTAIN
