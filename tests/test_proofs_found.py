"""Proofs that are found: families of obligations have them, their false neighbours never do."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic import absolute, both, either, eq, ge, gt, implies, le, lt, ne, real, sqrt
from grpo_symbolic.kernel import terms
from grpo_symbolic.language.expression import Apply, as_expression
from grpo_symbolic.language.statement import symbols_of
from grpo_symbolic.proofs.finding import Finder
from grpo_symbolic.proofs.tables import Table

x, y, z = (real(name, "(-oo, oo)", "a number") for name in "xyz")
a, b = (real(name, "(0, oo)", "a number") for name in "ab")
share = real("share", "(0, 1)", "a share")
NUMBERS = st.fractions(min_value=Fraction(1, 9), max_value=9, max_denominator=9)


def is_proved(hypotheses, conclusion) -> bool:
    """Whether the kernel accepted a proof; it is the finder that asks it."""
    terms.forget()
    found = Finder(Table(), symbols_of(*hypotheses, conclusion)).prove(hypotheses, conclusion)
    return not found.open


def larger(one, other):
    return Apply("maximum", (as_expression(one), as_expression(other)))


@settings(max_examples=10, deadline=None)
@given(c=NUMBERS, d=NUMBERS)
def test_sums_of_hypotheses_are_found_and_nothing_beyond(c, d):
    known = [ge(c * x + y, 1), ge(x - d * y, 0), le(x, 2)]
    # d times the first plus the second: (d c + 1) x >= d.
    least = d / (d * c + 1)
    assert is_proved(known, ge(x, least))
    assert not is_proved(known, gt(x, least))


@settings(max_examples=10, deadline=None)
@given(c=NUMBERS)
def test_roots_are_compared_by_their_squares(c):
    assert is_proved([lt(y, c * a), gt(y, 0)], lt(sqrt(y / a), sqrt(as_expression(c))))
    assert is_proved([ge(x, y), eq(c * (x - y) ** 2, share)], eq(sqrt(as_expression(c)) * (x - y), sqrt(share)))
    assert not is_proved([eq(c * (x - y) ** 2, share)], eq(sqrt(as_expression(c)) * (x - y), sqrt(share)))


@settings(max_examples=10, deadline=None)
@given(c=NUMBERS)
def test_absolute_values_are_told_apart(c):
    assert is_proved([le(c * absolute(x - y), 0)], eq(x, y))
    assert is_proved([], le(absolute(x + c * y), absolute(x) + c * absolute(y)))
    assert not is_proved([], lt(absolute(x + c * y), absolute(x) + c * absolute(y)))
    assert is_proved([], ge(larger(x, c * x + y) + larger(-x, -c * x - y), 0))


@pytest.mark.parametrize(
    ("hypotheses", "conclusion", "neighbour"),
    [
        ([eq(a * x, 0)], eq(x, 0), eq(x, y)),
        ([eq(x * y, 0), ne(x, 0)], eq(y, 0), eq(x, 0)),
        ([ne(x, 0), ge(x, 0)], gt(x, 0), gt(x, 1)),
        ([eq(x**2 + y**2, 0)], eq(x, 0), eq(z, 0)),
        ([either(both(gt(x, 0), le(y, z)), both(lt(x, 0), ge(y, z))), ne(x, 0)], le(x * y, x * z), lt(x * y, x * z)),
        (
            [implies(le(absolute(x), 1), le(y, a * absolute(x))), lt(absolute(x), share)],
            le(y, a * absolute(x)),
            le(y, 0),
        ),
        ([eq(x / (1 + a), y)], eq(x**2 * b / (1 + a), x * y * b), eq(x * b, y)),
        ([], eq(absolute(x * b) / (a * b), absolute(x / a)), eq(absolute(x) / a, x / a)),
        (
            [],
            le(share * (1 - share), as_expression(Fraction(1, 4))),
            lt(share * (1 - share), as_expression(Fraction(1, 4))),
        ),
        ([eq(share / (share * (1 - share) + a), y)], eq(share, y * (share - share**2 + a)), eq(share, y * a)),
        ([eq(x * share + y * (1 - share), z), gt(x, y)], gt(x, z), gt(z, x)),
        ([gt(1 - share - z, 0)], gt(b / (a * (1 - share - z)) + (x + y) ** 2, 0), gt(x + b / (1 - share - z), 0)),
    ],
)
def test_what_follows_is_proved_and_a_neighbour_is_not(hypotheses, conclusion, neighbour):
    assert is_proved(hypotheses, conclusion)
    assert not is_proved(hypotheses, neighbour)
