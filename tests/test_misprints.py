"""Single misprinted tokens in the LaTeX of true steps of both papers: refused or refuted, and none called right.

The texts of the papers are not part of the project; where they are absent the tests on them are skipped.
"""

import pytest
from material import needed_text
from misprints_measure import NO_VALUE, PAPERS, changes, fails, kinds, misprints, repairs

from grpo_symbolic.language.statement import Implies, eq, gt, le, lt
from grpo_symbolic.language.vocabulary import (
    exp,
    rational,
    real,
    sqrt,
)

x = real("x", "(0, 1)", "a probability")
y = real("y", "(0, 1)", "another one")


def paper(folder):
    needed_text(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("folder", PAPERS)
def test_some_misprints_of_a_paper(folder):
    found = list(misprints(paper(folder), 12, 3, every=32))
    counts = kinds(found)
    assert len(found) >= 3
    assert counts["called right"] == 0
    assert all(one.found != "SUPPORTED" or not one.false or not one.equation for one in found)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_hundreds_of_misprints():
    found = [one for folder in PAPERS for one in misprints(paper(folder), 160, 5)]
    assert len(found) >= 300
    equations, others = (kinds([one for one in found if one.equation is wanted]) for wanted in (True, False))
    assert equations["called right"] == others["called right"] == 0
    assert equations["caught"] >= 0.99 * (equations["caught"] + equations["missed"])
    assert others["caught"] >= 0.9 * (others["caught"] + others["missed"])


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_repairs_lead_back_to_what_was_printed():
    found = [one for folder in PAPERS for one in repairs(paper(folder), 24, 5)]
    equations = [one for one in found if one.equation]
    offered = [one for one in equations if one.text]
    assert len(equations) >= 12
    assert len(offered) >= 0.5 * len(equations)
    assert sum(one.original for one in offered) >= 0.9 * len(offered)


def test_changes_of_one_token():
    found = set(changes(r"\frac{a}{2} - \beta x^2 + p_{\text{old}} p"))
    assert ("swap", r"\frac{2}{a} - \beta x^2 + p_{\text{old}} p") in found
    assert ("sign", r"\frac{a}{2} + \beta x^2 + p_{\text{old}} p") in found
    assert ("factor", r"\frac{a}{3} - \beta x^2 + p_{\text{old}} p") in found
    assert ("exponent", r"\frac{a}{2} - \beta x^3 + p_{\text{old}} p") in found
    assert ("exponent", r"\frac{a}{2} - \beta^2  x^2 + p_{\text{old}} p") in found
    assert ("index", r"\frac{a}{2} - \beta x^2 + p p") in {(kind, text.replace("p  p", "p p")) for kind, text in found}
    assert not any("ol^2" in text or "2 old" in text for _, text in found)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (eq(x * (1 - x), x - x**2), False),
        (eq(x * (1 + x), x - x**2), True),
        (le(x * (1 - x), rational(1, 4)), False),
        (lt(x * (1 - x), rational(1, 5)), True),
        (Implies(gt(x, rational(1, 2)), gt(exp(x), rational(8, 5))), False),
        (Implies(eq(y, x**2), eq(sqrt(y), x)), False),
        (Implies(eq(y, x**2), eq(sqrt(y), 1 - x)), True),
        (eq(sqrt(-1 - x), 0), None),
    ],
    ids=str,
)
def test_the_other_evaluator(statement, expected):
    assert fails((statement,)) is expected


def test_what_has_no_value_is_counted_apart():
    assert NO_VALUE not in ("REFUTED", "UNDECIDED")
