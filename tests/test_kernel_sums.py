"""Sums over elements as the kernel removes them: what a certificate may say of them, and what it may not."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest

from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.totals import reduce_totals
from grpo_symbolic.kernel.ranges import LINE, Interval
from grpo_symbolic.kernel.rules import Obligation as Inside
from grpo_symbolic.kernel.rules import goals_of, is_evident
from grpo_symbolic.kernel.sums import Elements, Sequent, without_totals
from grpo_symbolic.kernel.terms import ONE, ZERO, RefusedError, make, read_terms, sym
from grpo_symbolic.language import domain
from grpo_symbolic.language.expression import Apply, Delta, Symbol, Total, walk
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import eq, ge, gt
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.proofs.finding import domains_of
from grpo_symbolic.proofs.sums import certificate
from grpo_symbolic.proofs.tables import Table

POSITIVE, UNSIGNED = Interval(Fraction(0), False, inf, False), Interval(Fraction(0), True, inf, False)
x, y, c = sym("x"), sym("y"), sym("c")
#: Of an element i are x, y and p, of a pair w; j is a further element of its set, k one of another set.
LETTERS = {
    **dict.fromkeys(("x", "y", "p"), ("i",)),
    **dict.fromkeys(("x_j", "y_j", "p_j"), ("j",)),
    **{"w": ("i", "j"), "w_ji": ("j", "i"), "z": ("k",)},
}
FAMILIES = {"x_j": "x", "y_j": "y", "p_j": "p", "w_ji": "w"}
SETS = {"i": "i", "j": "i"}
DOMAINS = {**dict.fromkeys((*LETTERS, "c", "s"), LINE), "p": POSITIVE, "p_j": POSITIVE, "y": UNSIGNED}


def times(*factors):
    whole, *rest = factors
    for one in rest:
        whole = make("multiply", whole, one)
    return whole


def plus(one, other):
    return make("add", one, other)


def total(body, letter="i"):
    return make("total", body, letter)


class Certificate:
    """Entries about totals, whose terms are put into a table."""

    def __init__(self):
        self.terms, self.entries = [], []

    def at(self, term):
        self.terms.append(term)
        return len(self.terms) - 1

    def add(self, sum_, *pairs, laws=None, proofs=None):
        shown = [None] if laws is None else [["same", laws]]
        places = [[self.at(coefficient), self.at(summand), name] for coefficient, summand, name in pairs]
        self.entries.append([self.at(sum_), places, shown if proofs is None else proofs])
        return self

    def reduced(self, conclusion, *facts):
        part = Sequent(DOMAINS, Elements(LETTERS, FAMILIES, SETS), facts, conclusion)
        return without_totals(part, self.terms, self.entries)

    def refuses(self, conclusion, *facts, match):
        with pytest.raises(RefusedError, match=match):
            self.reduced(conclusion, *facts)


def says(term):
    return make("=", term, ZERO)


def test_a_total_becomes_a_combination_of_sums_with_names():
    body = times(c, plus(x, ONE))
    found = Certificate().add(total(body), (c, x, "X"), (c, ONE, "n"), laws=[]).reduced(says(total(body)))
    assert found.conclusion is says(plus(times(c, sym("X")), times(c, sym("n"))))
    assert (found.domains["X"], found.domains["n"]) == (LINE, POSITIVE)


def test_coefficients_are_the_same_for_every_element():
    body = times(c, x)
    Certificate().add(total(body), (x, c, "C"), laws=[]).refuses(says(total(body)), match="not the same for every i")
    # What another sum of this element comes to is no coefficient either.
    inner = total(sym("w"), "j")
    made = Certificate().add(inner, (ONE, sym("w"), "W"))
    made.add(total(times(inner, x)), (sym("W"), x, "X"), laws=[])
    made.refuses(says(total(times(inner, x))), match="not the same for every i")


def test_what_is_of_another_element_may_be_a_coefficient():
    body = times(sym("x_j"), x)
    found = Certificate().add(total(body), (sym("x_j"), x, "X"), laws=[]).reduced(says(total(body)))
    assert found.conclusion is says(times(sym("x_j"), sym("X")))


def test_the_terms_sum_to_the_body():
    body = plus(x, y)
    Certificate().add(total(body), (ONE, x, "X"), laws=[]).refuses(says(total(body)), match="not the same")


def test_laws_split_a_body():
    body, p, s = times(x, make("log", times(sym("p"), make("exp", c)))), sym("p"), make("log", sym("p"))
    made = Certificate()
    factors = [[made.at(p), "1"], [made.at(make("exp", c)), "1"]]
    law = ["log", made.at(times(p, make("exp", c))), factors]
    made.add(total(body), (ONE, times(x, s), "S"), (c, x, "X"), proofs=[None, ["same", [law]]])
    assert made.reduced(says(total(body))).conclusion is says(plus(sym("S"), times(c, sym("X"))))


@pytest.mark.parametrize(("summand", "where"), [(x, LINE), (sym("p"), POSITIVE), (y, UNSIGNED), (ZERO, UNSIGNED)])
def test_a_sum_has_no_other_sign_than_is_seen_of_its_summand(summand, where):
    found = Certificate().add(total(summand), (ONE, summand, "S")).reduced(make(">", total(summand), ZERO))
    assert found.domains["S"] == where
    (goal,) = goals_of(Inside(found.domains, []), found.facts, found.conclusion)
    assert is_evident(goal) is (where == POSITIVE)


def test_parts_have_values_where_the_body_has():
    whole = times(times(x, c), make("divide", ONE, c))
    made = Certificate().add(total(x), (make("divide", ONE, c), times(x, c), "X"), proofs=[None, ["same", []]])
    made.refuses(says(total(x)), match="no proof of !=")
    # A body that needs it as well says so.
    divided = make("divide", x, c)
    made = Certificate().add(total(divided), (make("divide", ONE, c), x, "X"), proofs=[None, ["same", []]])
    assert made.reduced(says(total(divided))).domains["X"] == LINE
    made = Certificate().add(total(x), (ONE, whole, "X"), proofs=[None, ["same", []]])
    made.refuses(says(total(x)), match="no proof of !=")


def test_parts_may_have_values_where_facts_say_so():
    positive, divided = make("!=", c, ZERO), make("divide", ONE, c)
    made = Certificate().add(total(x), (divided, times(x, c), "X"), proofs=[None, ["same", []]])
    assert made.reduced(says(total(x)), positive).facts == (positive,)


def test_what_is_given_of_an_element_holds_at_every_one_but_not_what_is_given_of_a_further_one():
    def made(fact, summand, letter):
        one = Certificate()
        proof = ["fact", one.at(fact), None, [], None]
        return one.add(total(summand, letter), (c, ONE, "n"), proofs=[proof])

    here, there = make("=", x, c), make("=", sym("x_j"), c)
    assert made(here, x, "i").reduced(says(total(x)), here).conclusion is says(times(c, sym("n")))
    made(there, sym("x_j"), "j").refuses(says(total(sym("x_j"), "j")), there, match="is no fact")
    # Nor what is given of both, or under a name.
    both = make("=", sym("x_j"), times(x, c))
    made(both, sym("x_j"), "j").refuses(says(total(sym("x_j"), "j")), both, match="is no fact")


def test_no_premise_inside_of_what_is_claimed_is_used():
    here = make("=", x, c)
    made = Certificate()
    made.add(total(x), (c, ONE, "n"), proofs=[["fact", made.at(here), None, [], None]])
    made.refuses(make("implies", here, says(total(x))), match="is no fact")


def test_what_is_given_of_a_further_element_is_not_used_under_the_name_of_a_sum():
    given = make("=", total(sym("w_ji")), c)
    outer = total(total(sym("w_ji")), "j")
    made = Certificate().add(total(sym("w_ji")), (ONE, sym("w_ji"), "W"))
    fact = make("=", sym("W"), c)
    made.add(outer, (c, ONE, "n"), proofs=[["fact", made.at(fact), None, [], None]])
    made.refuses(says(outer), given, match="is no fact")


def test_sums_of_one_name_are_the_same():
    one, other = total(times(x, y)), total(times(y, x))
    both = Certificate().add(one, (ONE, times(x, y), "S")).add(other, (ONE, times(y, x), "S"))
    assert both.reduced(make("=", one, other)).conclusion is make("=", sym("S"), sym("S"))
    apart = Certificate().add(one, (ONE, times(x, y), "S")).add(total(x), (ONE, x, "S"))
    apart.refuses(make("=", one, total(x)), match="another sum")


def test_sums_of_one_name_have_values_together():
    whole = make("divide", times(x, c), c)
    made = Certificate().add(total(x), (ONE, x, "S")).add(total(whole), (ONE, whole, "S"))
    made.refuses(make("=", total(x), total(whole)), match="another sum")


@pytest.mark.parametrize("name", ["x", "c", "", None, 3])
def test_names_of_sums_are_new(name):
    with pytest.raises(RefusedError):
        Certificate().add(total(x), (ONE, x, name)).reduced(says(total(x)))


def test_no_sum_is_called_as_a_coordinate_at_another_element():
    # What x is at i is said nowhere, so that a sum of this name would be taken for it.
    letters, domains = {"x_j": ("j",), "w": ("i", "j")}, {"x_j": LINE, "w": LINE}
    further, inner = total(sym("x_j"), "j"), total(sym("w"), "j")
    made = Certificate().add(inner, (ONE, sym("w"), "x")).add(total(inner), (ONE, x, "S"))
    made.add(further, (ONE, sym("x_j"), "S"))
    part = Sequent(domains, Elements(letters, {"x_j": "x"}, SETS), (), make("=", total(inner), further))
    with pytest.raises(RefusedError, match="cannot be called"):
        without_totals(part, made.terms, made.entries)


def test_letters_and_order_of_sums_do_not_matter():
    one = total(total(times(sym("w"), sym("x_j")), "j"))
    other = total(total(times(sym("x"), sym("w_ji")), "i"), "j")
    made = Certificate().add(total(times(sym("w"), sym("x_j")), "j"), (ONE, times(sym("w"), sym("x_j")), "A"))
    made.add(one, (ONE, sym("A"), "S"))
    made.add(total(times(sym("x"), sym("w_ji"))), (ONE, times(sym("x"), sym("w_ji")), "B"))
    made.add(other, (ONE, sym("B"), "S"))
    assert made.reduced(make("=", one, other)).conclusion is make("=", sym("S"), sym("S"))


def test_multiples_of_an_inner_sum_are_summed_over_both():
    inner, moved = total(times(sym("w"), sym("y_j")), "j"), total(times(sym("w"), x))
    made = Certificate().add(inner, (ONE, times(sym("w"), sym("y_j")), "A"))
    made.add(total(times(x, inner)), (ONE, times(x, sym("A")), "S"))
    made.add(moved, (ONE, times(sym("w"), x), "B"))
    outer = total(times(sym("y_j"), moved), "j")
    made.add(outer, (ONE, times(sym("y_j"), sym("B")), "S"))
    assert made.reduced(make("=", total(times(x, inner)), outer)).conclusion is make("=", sym("S"), sym("S"))


def test_other_letters_capture_nothing():
    # With another letter what the one sums would be what the other does.
    one, other = times(sym("x_j"), y), times(x, y)
    for first, second in (((one, "j"), (other, "i")), ((other, "i"), (one, "j"))):
        made = Certificate().add(total(*first), (ONE, first[0], "S")).add(total(*second), (ONE, second[0], "S"))
        made.refuses(make("=", total(*first), total(*second)), match="another sum")
    # The sum over i of w at i and j is another one than that over j.
    rows, columns = total(sym("w"), "j"), total(sym("w"))
    made = Certificate().add(rows, (ONE, sym("w"), "S")).add(columns, (ONE, sym("w"), "S"))
    made.refuses(make("=", rows, columns), match="another sum")


def test_a_factor_of_another_element_is_not_put_into_an_inner_sum_that_would_bind_it():
    inner, bound = total(sym("w"), "j"), total(times(sym("x_j"), sym("w")), "j")
    made = Certificate().add(inner, (ONE, sym("w"), "A")).add(bound, (ONE, times(sym("x_j"), sym("w")), "B"))
    made.add(total(bound), (ONE, sym("B"), "S"))
    apart = total(times(sym("x_j"), inner))
    made.add(apart, (ONE, times(sym("x_j"), sym("A")), "S"))
    made.refuses(make("=", total(bound), apart), match="another sum")


def test_sets_are_told_apart():
    here, further, elsewhere = total(ONE), total(ONE, "j"), total(ONE, "k")
    made = Certificate().add(here, (ONE, ONE, "n")).add(further, (ONE, ONE, "n"))
    assert made.reduced(make("=", here, further)).conclusion is make("=", sym("n"), sym("n"))
    made = Certificate().add(here, (ONE, ONE, "n")).add(elsewhere, (ONE, ONE, "n"))
    made.refuses(make("=", here, elsewhere), match="another sum")


def test_inner_totals_come_first_and_none_is_left():
    inner = total(sym("w"), "j")
    made = Certificate().add(total(inner), (ONE, sym("A"), "S")).add(inner, (ONE, sym("w"), "A"))
    made.refuses(says(total(inner)), match="nothing is said of")
    Certificate().refuses(says(total(x)), match="nothing is said of")
    Certificate().add(x, (ONE, x, "X")).refuses(says(total(x)), match="is no total")
    Certificate().add(total(x), (ONE, sym("unknown"), "X")).refuses(says(total(x)), match="no expression")
    Certificate().add(total(x), (ONE, x, "X"), proofs=[]).refuses(says(total(x)), match="no list")


# What counts on a support.

ON_Y = make("supported", make("divide", x, y), y)


def named(name="[1]", proofs=(["fact", 0, None, [], None],), bracket=ON_Y):
    made = Certificate()
    fact = made.at(make("!=", y, ZERO))
    made.entries.append([made.at(bracket), name, [["fact", fact, *one[2:]] for one in proofs]])
    return made


def test_a_bracket_is_nothing_or_its_body_at_every_element():
    found = named().add(total(ON_Y), (ONE, sym("[1]"), "S")).reduced(says(total(ON_Y)))
    assert found.conclusion is says(sym("S"))
    zero, counts = (make(op, y, ZERO) for op in ("=", "!="))
    value = make("=", sym("[1]"), make("divide", x, y))
    assert found.facts == (make("implies", zero, says(sym("[1]"))), make("implies", counts, value))


def test_a_bracket_needs_a_name_and_a_body_with_a_value():
    Certificate().refuses(says(ON_Y), match="nothing is said")
    named(bracket=make("supported", make("divide", x, y), x)).refuses(says(ON_Y), match="is no fact")
    named(proofs=()).refuses(says(ON_Y), match="is no list, or none of 1")
    for name in ("x", "", None, 7):
        named(name).refuses(says(ON_Y), match="cannot be called")
    # Of another bracket it says nothing.
    named().refuses(says(make("supported", make("divide", x, y), x)), match="nothing is said")


def test_what_holds_of_one_element_gives_no_bracket_a_value():
    other, made = make("supported", make("divide", ONE, sym("y_j")), ONE), Certificate()
    fact = made.at(make("!=", sym("y_j"), ZERO))
    made.entries.append([made.at(other), "[1]", [["fact", fact, None, [], None]]])
    made.refuses(says(other), make("!=", sym("y_j"), ZERO), match="is no fact")


def test_a_sum_on_a_support_is_no_sum_over_all():
    body = make("supported", x, y)
    made = named(bracket=body, proofs=()).add(total(body), (ONE, x, "X"), laws=[])
    made.refuses(says(total(body)), match="not the same")


DELTA = make("delta", "j", "i")


def test_a_sum_of_multiples_of_a_delta_is_the_multiple_at_the_further_element():
    body, delta = times(DELTA, plus(x, DELTA)), sym("delta j")
    made = Certificate().add(total(body), (ONE, times(delta, plus(x, delta)), None))
    assert made.reduced(says(total(body))).conclusion is says(times(ONE, plus(sym("x_j"), ONE)))


@pytest.mark.parametrize(
    ("body", "summand", "letter"),
    [
        (plus(DELTA, x), plus(sym("delta j"), x), "i"),
        (times(DELTA, sym("z")), times(sym("delta j"), sym("z")), "k"),
        (DELTA, sym("delta j"), "k"),
        (make("delta", "k", "i"), sym("delta k"), "i"),
        (times(DELTA, sym("w_ji")), times(sym("delta j"), sym("w_ji")), "i"),
    ],
)
def test_nothing_else_is_a_sum_of_multiples_of_a_delta(body, summand, letter):
    made = Certificate().add(total(body, letter), (ONE, summand, None))
    made.refuses(says(total(body, letter)), match="multiple of a delta|nothing is called|of two sets")


@pytest.mark.parametrize("letter", ["i", "j"])
def test_a_delta_is_of_both_elements(letter):
    made = Certificate().add(total(DELTA, letter), (sym("delta j"), ONE, "n"))
    made.refuses(says(total(DELTA, letter)), match="not the same for every")


def test_what_is_given_with_a_delta_is_not_used_at_every_element():
    delta, first = sym("delta j"), total(times(DELTA, y))
    made = Certificate().add(first, (ONE, times(delta, y), None))
    fact = made.at(make("=", x, times(c, delta)))
    made.add(total(x), (c, delta, "D"), proofs=[["fact", fact, None, [], None]])
    made.refuses(says(plus(first, total(x))), make("=", x, times(c, DELTA)), match="is no fact")


# What the engine finds.

ROW = IndexSet("row", "rows", "i")
OTHER, COLUMN = ROW.another("j"), IndexSet("column", "columns", "k")


def symbol(name, *indices, low=None, closed=False):
    first, second = (*indices, None, None)[:2]
    lower = None if low is None else Fraction(low)
    return Symbol(name, domain.Interval(lower, None, closed), "", name, first, second)


U, P, V, W = symbol("u", ROW), symbol("p", ROW, low=0), symbol("v", COLUMN), symbol("w", ROW, OTHER)
A, N = symbol("a", low=0), symbol("n", low=1, closed=True)
M = symbol("m", ROW, COLUMN)


def log(inner):
    return Apply("log", (inner,))


def sqrt(inner):
    return Apply("sqrt", (inner,))


OBLIGATIONS = [
    Obligation("linear", (eq(N, Total(1 * U)),), eq(Total(A * (U - 2)), A * Total(U) - 2 * A * Total(U**0, ROW))),
    Obligation("logarithms", (), eq(Total(P * log(P / A)), Total(P * log(P)) - log(A) * Total(P))),
    Obligation("variance", (), ge(Total((U - Total(U) / N) ** 2) / N, 0)),
    Obligation("roots", (), gt(Total(P / sqrt(A * P)), 0)),
    Obligation("scaled", (gt(Total(U**2), 0),), eq(Total(U / sqrt(Total(U**2) / N)), Total(U))),
    Obligation("root", (), eq(Total(U / sqrt(Total(U) / N)), Total(U) / sqrt(Total(U) / N))),
    Obligation("order", (), eq(Total(Total(M * V, COLUMN) * U, ROW), Total(V * Total(M * U, ROW), COLUMN))),
    Obligation(
        "letters", (), eq(Total(Total(W * U.at(OTHER), OTHER) * U, ROW), Total(Total(W * U, ROW) * U.at(OTHER), OTHER))
    ),
    Obligation("given", (eq(Total(M, COLUMN), N),), eq(Total(U * Total(M, COLUMN), ROW), N * Total(U, ROW))),
    Obligation("signs", (), eq(Total(Apply("absolute", (P,))), Total(Apply("maximum", (P, -P))))),
]


def kernel_reduced(obligation):
    table = Table()
    sides = (*obligation.hypotheses, obligation.conclusion)
    places = [table.statement(one) for one in sides]
    made = certificate(obligation, Everything(), table)
    symbols = {
        one
        for side in obligation.expressions
        for node in walk(side)
        if isinstance(node, Symbol)
        for one in (node, node.family)
    }
    letters = {one.name: tuple(index.letter for index in one.indices) for one in symbols}
    families = {one.name: one.family.name for one in symbols if one.of is not None}
    sets = {index.letter: index.whole.letter for one in symbols for index in one.indices}
    terms = read_terms(table.added)
    *facts, conclusion = (terms[place] for place in places)
    return without_totals(
        Sequent(domains_of(symbols), Elements(letters, families, sets), tuple(facts), conclusion), terms, made
    )


@pytest.mark.parametrize("obligation", OBLIGATIONS, ids=lambda one: one.label)
def test_the_kernel_comes_to_what_the_engine_comes_to(obligation):
    found = kernel_reduced(obligation)
    reduced, table = reduce_totals(obligation, Everything()), Table()
    places = [table.statement(one) for one in (*reduced.hypotheses, reduced.conclusion)]
    terms = read_terms(table.added)
    assert [*found.facts, found.conclusion] == [terms[place] for place in places]
    assert {name: found.domains[name] for name in domains_of(reduced.symbols)} == domains_of(reduced.symbols)


def test_sums_with_a_delta_need_no_cases():
    one, other = U, U.at(OTHER)
    total_of_products = P.at(OTHER) * other - other * Total(P * U)
    found = kernel_reduced(Obligation("", (), eq(Total(P * (Delta(OTHER) - other) * one), total_of_products)))
    assert "delta j" not in found.conclusion.free
