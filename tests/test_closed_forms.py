"""Integrals, series, sums and limits by closed forms: what holds is decided, what fails or has no value is not."""

from __future__ import annotations

import pytest
from referee_here import QUICK, in_this_process

from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import as_expression
from grpo_symbolic.language.statement import eq
from grpo_symbolic.language.vocabulary import absolute, cos, exp, log, rational, real, sin, sqrt
from grpo_symbolic.referee import check
from grpo_symbolic.referee.closing.closing import closed
from grpo_symbolic.referee.closing.limits import limit_at, limit_at_infinity
from grpo_symbolic.referee.findings import Status

__all__ = ["in_this_process"]

MAP = r"""
%: [symbols]
%: x = "(-oo, oo)"
%: a = "(0, oo)"
%: b = "(0, oo)"
%: g = "(0, 1)"
%: k = "[0, oo)"
%: n = "[1, oo)"
%: m = "[1, oo)"
"""
HOLD = [
    r"\int_0^1 x^2 dx = \frac{1}{3}",
    r"\int_0^a x^2 dx = \frac{a^3}{3}",
    r"\int_a^b x dx = \frac{b^2 - a^2}{2}",
    r"\int_0^\infty x b \exp(-b x) dx = \frac{1}{b}",
    r"\int_{-\infty}^\infty \frac{1}{1 + x^2} dx = 4 \arctan(1)",
    r"\int_0^1 x^{-1/2} dx = 2",
    r"\int_0^1 \log x dx = -1",
    r"\int_0^1 x dx \le \frac{1}{2}",
    r"\lim_{x \to 0} \frac{\sin x}{x} = 1",
    r"\lim_{x \to 0} \frac{1 - \cos x}{x^2} = \frac{1}{2}",
    r"\lim_{x \to 0} \frac{\exp(a x) - 1}{x} = a",
    r"\lim_{x \downarrow 0} x \log x = 0",
    r"\lim_{x \to \infty} \frac{2 x^2 + 1}{x^2 - x} = 2",
    r"\lim_{x \to \infty} \frac{\log x}{x} = 0",
    r"\lim_{n \to \infty} \frac{1}{n^2} \sum_{k=1}^n k = \frac{1}{2}",
    r"\sum_{k=0}^\infty g^k = \frac{1}{1 - g}",
    r"\sum_{k=0}^\infty k g^k = \frac{g}{(1 - g)^2}",
    r"\sum_{k=1}^\infty \frac{1}{k (k + 1)} = 1",
    r"\sum_{k=1}^n k = \frac{n (n + 1)}{2}",
    r"\sum_{k=1}^n k^2 = \frac{n (n + 1) (2 n + 1)}{6}",
    r"\sum_{k=0}^{n-1} g^k = \frac{1 - g^n}{1 - g}",
    r"\sum_{k=1}^{2 n} k = n (2 n + 1)",
    r"\sum_{k=1}^n \frac{1}{k (k + 1)} < 1",
    r"(n + 1)! = (n + 1) n!",
    r"\binom{n + k + 1}{k + 1} = \binom{n + k}{k + 1} + \binom{n + k}{k}",
    r"\frac{(n + 1)!}{(n - 1)!} = n (n + 1)",
]
FAIL = [
    r"\int_0^1 x^2 dx = \frac{1}{2}",
    r"\int_0^a x^2 dx = \frac{a^2}{3}",
    r"\int_0^1 \log x dx = 1",
    r"\lim_{x \to 0} \frac{1 - \cos x}{x^2} = \frac{1}{3}",
    r"\lim_{x \to \infty} \exp(-x) = 1",
    r"\sum_{k=0}^\infty g^k = \frac{1}{1 + g}",
    r"\sum_{k=1}^n k = \frac{n (n - 1)}{2}",
    r"\sum_{k=0}^n g^k = \frac{1 - g^n}{1 - g}",
    r"\sum_{k=1}^n \frac{1}{k} \le \log n",
    r"\frac{(n + 1)!}{(n - 1)!} = n (n + 2)",
]
NO_VALUE = [
    r"\int_{-1}^1 \frac{1}{x^2} dx = -2",
    r"\int_{-1}^1 \frac{1}{x} dx = 0",
    r"\int_0^1 \frac{1}{x} dx = 7",
    r"\lim_{x \to 0} \frac{1}{x} = 1",
    r"\lim_{x \to 0} \frac{|x|}{x} = 1",
    r"\lim_{x \to \infty} \sin x = 0",
    r"\sum_{k=1}^\infty 1 = -\frac{1}{2}",
    r"\sum_{k=1}^\infty k = -\frac{1}{12}",
    r"\sum_{k=1}^\infty \frac{1}{k} = 7",
]


pytestmark = pytest.mark.usefixtures("in_this_process")


def checked(text, tmp_path):
    paper = tmp_path / "paper.tex"
    paper.write_text(text)
    return check.check_paper(paper, QUICK).findings


def status(formula, tmp_path):
    (found,) = checked(f"{MAP}$$ {formula} $$", tmp_path)
    return found


@pytest.mark.parametrize("formula", HOLD)
def test_what_holds_is_decided(formula, tmp_path):
    assert status(formula, tmp_path).status is Status.DECIDED


@pytest.mark.parametrize("formula", FAIL)
def test_what_fails_is_told(formula, tmp_path):
    # By the recursion of factorials alone the step with them is decided to hold at no number of the domain.
    nowhere = r"(n + 1)!" in formula
    assert status(formula, tmp_path).status is (Status.REFUTED if nowhere else Status.NOT_AN_IDENTITY)


@pytest.mark.parametrize("formula", NO_VALUE)
def test_what_has_no_value_stays_open(formula, tmp_path):
    assert status(formula, tmp_path).status is Status.UNDECIDED


def test_what_has_no_closed_form_is_checked_for_the_first_whole_numbers(tmp_path):
    found = status(r"\sum_{k=1}^n \frac{1}{k} \le 1 + \log n", tmp_path)
    assert found.status is Status.SUPPORTED
    assert found.reason == "checked for n = 1, 2, 3, 4, 5, 6, 7, 8, 16, 32 only"


#: What vanishes at the first eight whole numbers, and nowhere else.
VANISHING = "".join(f"(n - {number})" for number in range(1, 9))


@pytest.mark.parametrize(
    "formula",
    [
        rf"\sum_{{k=1}}^n k^2 = \frac{{n(n + 1)(2n + 1)}}{{6}} + {VANISHING}",
        rf"\sum_{{k=1}}^n \frac{{1}}{{k(k + 1)}} = \frac{{n}}{{n + 1}} - \frac{{{VANISHING}}}{{n + 1}}",
        rf"\sum_{{k=1}}^n \frac{{1}}{{k}} = \sum_{{k=1}}^n \frac{{1}}{{k}} + {VANISHING}",
        rf"\sum_{{k=1}}^n g^k = \frac{{g - g^{{n + 1}}}}{{1 - g}} + {VANISHING}",
        rf"\sum_{{k=1}}^n k^2 = \frac{{n(n + 1)(2n + 1)}}{{6}} + {VANISHING}(n - 9)(n - 10)",
        r"\sum_{k=1}^n k^2 \le 196 + n",
        r"\sum_{k=1}^n \frac{1}{k} \le 3",
    ],
)
def test_what_vanishes_at_the_first_whole_numbers_is_tried_at_others(formula, tmp_path):
    found = status(formula, tmp_path)
    assert found.status is Status.NOT_AN_IDENTITY, found
    assert int(dict(found.counterexample.at)["n"]) > 8


def test_what_would_have_to_be_tried_at_too_many_numbers_is_not_supported(tmp_path):
    powers = r"\left(" + VANISHING + r"\right)^{9}"
    found = status(rf"\sum_{{k=1}}^n \frac{{1}}{{k}} \ge 1 - ({powers})^2", tmp_path)
    assert found.status is not Status.SUPPORTED, found


def test_a_sum_fails_at_a_whole_number(tmp_path):
    found = status(r"\sum_{k=1}^n k = n^2", tmp_path)
    assert found.counterexample.at[0] == ("n", "2")
    # Between whole numbers both sides may differ: that is no counterexample.
    assert status(r"\sum_{k=1}^n k = \frac{n (n + 1)}{2} + \sin(\pi n)", tmp_path).status is not Status.NOT_AN_IDENTITY


def test_the_closed_form_is_told(tmp_path):
    notes = status(r"\int_0^1 x^2 dx = \frac{1}{3}", tmp_path).notes
    assert "the derivative of x³/3 by x is x²" in notes


@pytest.mark.parametrize(
    "formula",
    [
        r"\sum_{k=1}^n a_k = n a_k",
        r"\sum_{k=1}^n f(k) = n f(k)",
        r"\sum_{k=1}^n \|x - k\| = n \|x - k\|",
        r"\sum_{i=1}^n \sum_{k=1}^n a_{ik} = n \sum_{k=1}^n a_{ik}",
    ],
)
def test_what_prints_the_index_depends_on_it(formula, tmp_path):
    assert {one.status for one in checked(f"$$ {formula} $$", tmp_path)}.isdisjoint({Status.DECIDED, Status.SUPPORTED})


x = real("x", "(-oo, oo)", "a number")
y = real("y", "(0, oo)", "a positive number")


def decides(statement):
    return judge_statement(statement, (), QUICK.settings, "test").verdict in (Verdict.DECIDED, Verdict.PROVED)


@pytest.mark.parametrize(
    ("expression", "limit"),
    [
        (exp(-y) * y**3, 0),
        (log(y) / sqrt(y), 0),
        ((y**2 - y) / (3 * y**2 + 1), rational(1, 3)),
        (sqrt((y + 1) / y), 1),
        ((exp(y) + 1) / (exp(y) - y), 1),
        (y * log(1 + 2 / y), None),
        (exp(y) - exp(2 * y) + exp(2 * y), None),
        (sin(y) / y, None),
    ],
)
def test_limits_at_infinity(expression, limit):
    found = limit_at_infinity(expression, y, decides)
    assert (found is None) == (limit is None)
    assert limit is None or decides(eq(found, limit))


@pytest.mark.parametrize(
    ("expression", "side"), [(absolute(x) / x, 1), (1 / x, 1), (sin(1 / x), 1), (sqrt(x), -1), (log(x), 1)]
)
def test_what_no_rule_covers_has_no_limit(expression, side):
    assert limit_at(expression, x, as_expression(0), side, decides) is None


@pytest.mark.parametrize(
    "binder",
    [
        Binder("integral", absolute(x), x, as_expression(-1), as_expression(1)),
        Binder("integral", cos(x**2), x, as_expression(0), as_expression(1)),
        Binder("sum", x, x, as_expression(1), x + 1),
        Binder("limit", cos(x), x, None, None),
    ],
)
def test_what_has_no_closed_form_is_left(binder):
    assert closed(eq(binder, 0), decides) is None


def test_a_sum_may_be_empty_but_not_shorter():
    size = real("size", "[0, oo)", "a number of terms")
    term = real("k", "(-oo, oo)", "an index")
    assert closed(eq(Binder("sum", term, term, as_expression(1), size), 0), decides) is not None
    assert closed(eq(Binder("sum", term, term, as_expression(2), size), 0), decides) is None
