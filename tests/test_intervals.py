"""The chart of an interval, and sums over outputs written out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Total
from grpo_symbolic.language.outputs import has_totals, member, written_out
from grpo_symbolic.language.statement import eq, gt
from grpo_symbolic.language.vocabulary import interval, log, real
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.obligations.outputs import with_outputs
from grpo_symbolic.points.intervals import closed_ends, point_at

INTERVALS = ["(0, 1)", "[-2, 3]", "(0, oo)", "[1/2, oo)", "(-oo, 0)", "(-oo, 7]", "(-oo, oo)", "[5, 5]"]
POSITIONS = st.integers(1, 199).map(lambda part: Fraction(part, 200))


@pytest.mark.parametrize("text", INTERVALS)
@given(first=POSITIONS, second=POSITIONS)
def test_a_chart_covers_its_interval_increasingly(text, first, second):
    domain = interval(text)
    low, high = point_at(domain, min(first, second)), point_at(domain, max(first, second))
    assert low in domain
    assert high in domain
    assert (low < high) is (first != second and text != "[5, 5]")


@pytest.mark.parametrize("text", INTERVALS)
def test_a_chart_ends_where_its_interval_ends(text):
    domain = interval(text)
    assert domain.chart(Fraction(0)) == domain.lower
    assert domain.chart(Fraction(1)) == domain.upper


def test_no_point_lies_at_infinity():
    with pytest.raises(DeclarationError, match=r"position 1 of \(0, oo\) is at infinity"):
        point_at(interval("(0, oo)"), Fraction(1))


@pytest.mark.parametrize(
    ("text", "ends"), [("[0, 1)", [0]), ("(0, 1]", [1]), ("[0, 1]", [0, 1]), ("(0, 1)", []), ("[2, oo)", [2])]
)
def test_closed_ends_belong_to_an_interval(text, ends):
    assert list(closed_ends(interval(text))) == ends


PI = real("pi", "(0, 1)", "a probability", latex=r"\pi_{index}", indexed=True)
X = real("x", "(0, 1)", "a number")


def test_sums_are_written_out_for_every_label():
    first, second, third = (member(PI, label) for label in ("1", "2", "3"))
    assert str(first) == "pi[1]"
    assert member(X, "1") == X
    assert written_out(X * PI + Total(PI * log(PI)), "2", ["1", "2", "3"]) == X * second + (
        first * log(first) + second * log(second) + third * log(third)
    )
    assert has_totals([gt(X, 0), eq(Total(PI), 1)])
    assert not has_totals([eq(PI, X)])


def test_hypotheses_hold_for_every_output_and_the_conclusion_is_about_the_first():
    written = with_outputs(Obligation("claim", (gt(PI, X), eq(Total(PI), 1)), gt(PI, 0)), 2)
    first, second = member(PI, "1"), member(PI, "2")
    assert written.hypotheses == (gt(first, X), gt(second, X), eq(first + second, 1))
    assert written.conclusion == gt(first, 0)


def test_an_obligation_without_outputs_stays_as_it_is():
    plain = Obligation("claim", (), gt(X, 0))
    assert with_outputs(plain, 3) is plain
