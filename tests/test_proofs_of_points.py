"""Points at which premises hold: values that equations give to symbols, where a search found rounded ones."""

from __future__ import annotations

import pytest

from grpo_symbolic import both, either, eq, exp, ge, gt, log, lt, rational, real, sqrt
from grpo_symbolic.kernel import terms
from grpo_symbolic.kernel.points import read_point
from grpo_symbolic.kernel.statements import Record, Symbol
from grpo_symbolic.kernel.terms import RefusedError
from grpo_symbolic.language.expression import Total
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import symbols_of
from grpo_symbolic.proofs.finding import domains_of
from grpo_symbolic.proofs.points import points_of
from grpo_symbolic.proofs.tables import Table

OUTPUTS = IndexSet("output", "outputs", "o")
a, b, x = (real(name, "(0, oo)", "a number") for name in "abx")
r, s = real("r", "(0, 1)", "a share"), real("s", "(0, 1)", "a share")
z = real("z", "(-oo, oo)", "a number")
p, q = (real(name, "(0, 1]", "a probability", indexed=OUTPUTS) for name in "pq")


def has_point(statement, *place):
    """Whether a point near a place is one to the kernel."""
    terms.forget()
    table, symbols = Table(), symbols_of(statement)
    wanted = table.statement(statement)
    domains = domains_of(symbols)
    known = {one.name: Symbol(domains[one.name], False, ("o",) if one.indices else (), None) for one in symbols}
    sets = [OUTPUTS] if any(one.indices for one in symbols) else []
    for made in points_of(place, symbols, sets, [statement], table):
        try:
            record = Record("t.statement", known, {}, table.terms, table.terms[wanted], (), False, (), None, {})
            read_point(made, table.terms, record).require(record.statement, made["laws"])
            return True
        except RefusedError:
            continue
    return False


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        pytest.param(
            eq(sqrt(s * (1 - s)) * 2 - log(s / (1 - s)) + log(r / (1 - r)), 0),
            (("s", "0.7912345678"), ("r", "1/2")),
            id="beside logarithms",
        ),
        pytest.param(
            both(eq(x**2 - 3 * x + 1, a - 1), lt(x, 1)), (("x", "0.381966011250105"), ("a", "1")), id="a root"
        ),
        pytest.param(
            eq(a**2 * (s - r) ** 2, s * (1 - s)), (("a", "1.41421356"), ("s", "0.7"), ("r", "1/3")), id="even"
        ),
        pytest.param(
            both(gt(z, 1), either(eq(exp(z) * z, a), eq(z, b + sqrt(a)))),
            (("z", "2.41421356237"), ("a", "2"), ("b", "1")),
            id="one of two equations",
        ),
        pytest.param(
            both(eq(Total(p, OUTPUTS), 1), eq(x, Total(p * exp(q / a), OUTPUTS))),
            (("p[1]", "0.3333333"), ("p[2]", "0.6666667"), ("q[1]", "1/2"), ("q[2]", "1"), ("a", "1"), ("x", "2.361")),
            id="at every element",
        ),
        pytest.param(
            both(eq(10**9 * sqrt(x) * exp(-x), a + b), ge(a, 1)),
            (("a", "1"), ("x", "4.0000001e-18"), ("b", "1")),
            id="small",
        ),
        pytest.param(both(eq(x, exp(-x)), gt(x, rational(1, 2))), (("x", "0.567143290409784"),), id="a root between"),
    ],
)
def test_equations_give_values_that_were_rounded(statement, place):
    assert has_point(statement, *place)


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        pytest.param(both(eq(x, exp(-x)), lt(x, rational(1, 2))), (("x", "0.567143290409784"),), id="no root there"),
        pytest.param(both(eq(x, a + 1), lt(x, a)), (("x", "2"), ("a", "1")), id="impossible"),
        pytest.param(both(eq(Total(p, OUTPUTS), 1), gt(2 * p, 1)), (("p[1]", "0.6"), ("p[2]", "0.4")), id="one"),
    ],
)
def test_no_other_point_is_taken(statement, place):
    assert not has_point(statement, *place)


def test_a_symbol_needs_no_number_where_an_equation_gives_it():
    assert has_point(eq(z * a, 1), ("a", "2"))
    assert not has_point(eq(z * a, b), ("a", "2"))
