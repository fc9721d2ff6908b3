"""Proofs with exponentials and logarithms: what the kernel's rules refuse, and what is found by splitting goals."""

from __future__ import annotations

from math import inf

import pytest

from grpo_symbolic import absolute, cosh, eq, exp, ge, gt, implies, le, log, lt, ne, rational, real, sinh, sqrt
from grpo_symbolic.kernel import rules, terms
from grpo_symbolic.kernel.ranges import Interval
from grpo_symbolic.kernel.terms import RefusedError, make, number, sym
from grpo_symbolic.language.statement import Relation, symbols_of
from grpo_symbolic.proofs.abbreviations import abbreviated
from grpo_symbolic.proofs.bounds import bounded
from grpo_symbolic.proofs.finding import Finder
from grpo_symbolic.proofs.goal import Goal
from grpo_symbolic.proofs.samples import samples_of
from grpo_symbolic.proofs.tables import Table

p, q = real("p", "(0, 1)", "a number"), real("q", "(0, 1)", "a number")
x, y = real("x", "(0, oo)", "a number"), real("y", "(0, oo)", "a number")
z, w = real("z", "(-oo, oo)", "a number"), real("w", "(-oo, oo)", "a number")
m = real("m", "[1, oo)", "a number")
DIVERGENCE = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


def open_of(statement):
    terms.forget()
    return Finder(Table(), symbols_of(statement)).prove((), statement).open


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param(ge(sinh(x), x), id="from where a domain begins"),
        pytest.param(le(2 * log(m), m - 1 / m), id="from an end that belongs"),
        pytest.param(le(2 * m * log(m), m**2 - 1), id="where the slope vanishes as well"),
        pytest.param(ge(exp(x), 1 + x + x**2 / 2 + x**3 / 6), id="three slopes"),
        pytest.param(ge(DIVERGENCE, 2 * (p - q) ** 2), id="Pinsker"),
        pytest.param(implies(ne(z, 0), gt(cosh(w + z), cosh(w) + z * sinh(w))), id="strictly on both sides"),
        pytest.param(ge((x - y) * (log(x) - log(y)), 0), id="larger and smaller"),
        pytest.param(implies(ge(z * w, 0), ge(sinh(z / 2) * sinh(w / 2), 0)), id="signs of a product"),
        pytest.param(le(DIVERGENCE, (p - q) ** 2 / (q * (1 - q))), id="two tangents"),
        pytest.param(ge(x * log(x / y), x - y), id="one tangent"),
        pytest.param(implies(lt(x, y), lt(exp(-1 / sqrt(x)), exp(-1 / sqrt(y)))), id="inner ones first"),
        pytest.param(gt(log(1 + exp(z)), z), id="by the exponential of the other side"),
        pytest.param(lt(1 / (1 + exp(-(10**3) * m)), 1), id="more bits"),
        pytest.param(le(x ** rational(3, 2), (x + p * (1 - p)) ** rational(3, 2)), id="half powers"),
        pytest.param(gt(sqrt(z**2 + x), absolute(z)), id="an absolute value as a root"),
        pytest.param(implies(gt(log(x / y), log(y)), gt(x, y**2)), id="from functions to their arguments"),
        pytest.param(implies(ge(sinh(z) * sinh(w), 0), ge(z * w, 0)), id="from a product of functions"),
        pytest.param(implies(eq(1 / (1 + exp(x)), p), eq(log(1 / (1 + exp(x)) / y), log(p / y))), id="equal arguments"),
        pytest.param(implies(eq(x * exp(-z / y), p), eq(x, p * exp(z / y))), id="powers of exponentials"),
        pytest.param(lt(1 / (p + exp(z)) * (p - 1) - x / sqrt(p * (1 - p) + y), 0), id="term by term"),
    ],
)
def test_a_proof_is_found(statement):
    assert open_of(statement) == ()


@pytest.mark.parametrize(
    "statement",
    [
        ge(exp(z), 1 + z + z**2 / 2),
        ge(sinh(z), z),
        implies(gt(log(x / y), log(y)), gt(x, 2 * y**2)),
        ge(DIVERGENCE, 3 * (p - q) ** 2),
        le(log(m), (m - 1) / m),
    ],
)
def test_nothing_is_proved_of_what_is_false(statement):
    assert open_of(statement)


def test_the_same_proof_is_found_twice():
    found = []
    for _ in range(2):
        terms.forget()
        table = Table()
        statement = ge(DIVERGENCE, 2 * (p - q) ** 2)
        found.append(Finder(table, symbols_of(statement)).prove((), statement))
    assert found[0] == found[1]


# The kernel's rules.


class Desk:
    """Terms and goals of the kernel."""

    def __init__(self, **domains):
        self.terms = []
        self.inside = rules.Obligation(domains, self.terms)

    def at(self, term):
        self.terms.append(term)
        return len(self.terms) - 1

    def check(self, facts, relation, proof):
        rules.check(rules.Goal(self.inside, facts, relation), proof)


HALF_LINE = Interval(0, False, inf, False)
WHOLE = Interval(-inf, False, inf, False)


def mean(desk, f, a, b, then, *, name="t", like="x", whys=()):
    return ["mean", name, like, desk.at(f), desk.at(a), desk.at(b), list(whys), then]


def test_a_mean_value_lies_strictly_between_only_what_is_apart():
    desk, zero, x_ = Desk(x=HALF_LINE), number(0), sym("x")
    inside = make("<", sym("t"), x_)
    fact = ["fact", desk.at(inside), None, [], None]
    t_below_x = ["have", desk.at(inside), fact, ["range"]]
    desk.check([], make(">", x_, zero), mean(desk, sym("t"), zero, x_, t_below_x))
    closed = Desk(x=Interval(0, True, inf, False))
    fact = ["fact", closed.at(inside), None, [], None]
    proof = ["have", closed.at(inside), fact, ["range"]]
    with pytest.raises(RefusedError, match="no fact"):
        # x may be 0, and then there is nothing between.
        closed.check([], make(">=", x_, zero), mean(closed, sym("t"), zero, x_, proof))


@pytest.mark.parametrize(
    ("name", "f", "a", "said"),
    [
        pytest.param("x", sym("x"), number(0), "no new symbol", id="a symbol that has a domain"),
        pytest.param("s", sym("s"), number(0), "no new symbol", id="a symbol of which a fact speaks"),
        pytest.param("t", make("log", sym("t")), number(0), "not shown that", id="no value at an end"),
        pytest.param("t", make("absolute", sym("t")), number(0), "no derivative", id="no slope"),
        pytest.param("t", sym("t"), number(-1), "not shown that", id="an end beside the domain"),
        pytest.param("t", sym("t"), number(2), "not shown that", id="ends that may be the other way round"),
    ],
)
def test_a_mean_value_is_refused(name, f, a, said):
    desk = Desk(x=HALF_LINE)
    facts = [make(">", sym("s"), number(0))]
    with pytest.raises(RefusedError, match=said):
        desk.check(facts, make(">", sym("x"), number(0)), mean(desk, f, a, sym("x"), ["range"], name=name))


def test_values_are_needed_between_as_well():
    desk = Desk(x=HALF_LINE)
    pole = make("divide", number(1), make("subtract", sym("t"), number(1)))
    goal = make(">", sym("x"), number(0))
    apart = make("subtract", sym("t"), number(1))
    above = ["sum", [["1", [[desk.at(make("subtract", sym("t"), number(2))), ">", 1, None]]], ["1", []]], []]
    why = ["sum", [["1", [[desk.at(apart), ">", 1, above]]]], []]
    again = ["sum", [["1", [[desk.at(apart), ">", 2, above]]]], []]
    desk.check([], goal, mean(desk, pole, number(2), number(3), ["range"], whys=[why, again]))
    with pytest.raises(RefusedError):
        desk.check([], goal, mean(desk, pole, number(0), number(2), ["range"], whys=[why, again]))


def test_a_slope_at_a_closed_end_needs_a_value():
    desk = Desk(x=Interval(0, True, inf, False))
    with pytest.raises(RefusedError):
        # The root has no slope at 0, and x may be 0.
        desk.check(
            [], make(">=", sym("x"), number(0)), mean(desk, make("sqrt", sym("t")), number(0), sym("x"), ["range"])
        )


def test_two_relations_leave_only_what_both_allow():
    desk = Desk(x=WHOLE)
    x_, zero = sym("x"), number(0)
    facts = [make(">=", x_, zero), make("<=", x_, zero)]
    cite = [["fact", desk.at(one), None, [], None] for one in facts]
    desk.check(facts, make("=", x_, zero), ["both", [">=", cite[0]], ["<=", cite[1]]])
    with pytest.raises(RefusedError, match="do not show"):
        desk.check(facts, make("=", x_, zero), ["both", [">=", cite[0]], [">=", cite[0]]])


def test_rising_functions_are_strictly_larger_only_at_larger_arguments():
    desk = Desk(x=WHOLE, y=WHOLE)
    x_, y_ = sym("x"), sym("y")
    fact = make(">=", make("subtract", x_, y_), number(0))
    gap = make("subtract", make("exp", x_), make("exp", y_))
    for operator, stands in ((">=", True), (">", False), ("!=", False)):
        why = ["rising", "exp", desk.at(x_), desk.at(y_), [], ["fact", desk.at(fact), None, [], None]]
        proof = ["sum", [["1", [[desk.at(gap), operator, 1, why]]]], []]
        relation = make(operator, gap, number(0))
        if stands:
            desk.check([fact], relation, proof)
        else:
            with pytest.raises(RefusedError):
                desk.check([fact], relation, proof)


# What proposes.


def test_letters_have_the_ranges_of_what_they_stand_for():
    value = 1 / (1 + exp(-1 / sqrt(x)))
    goal = Goal((Relation(value, ">", p),), gt(value, p / 2))
    (repeated, letters), *_ = abbreviated(goal)
    assert value in letters.values()
    (letter,) = letters
    assert repeated.relation == gt(letter, p / 2)
    assert (letter.domain.lower, letter.domain.upper) == (0, 1) or letter.domain.lower is not None


def test_bounds_leave_what_is_not_negative():
    gap = (p - q) ** 2 / (q * (1 - q)) - DIVERGENCE
    left, used = next(bounded(gap, samples_of((), gap)))
    assert len(used) == 2
    assert samples_of((), left).signs(left) <= {0, 1}


def test_samples_keep_to_hypotheses():
    samples = samples_of((lt(x, y), gt(x, 1)), x)
    assert samples
    assert samples.signs(y - x) == {1}
    assert samples.signs(log(x)) == {1}
    assert samples.signs(log(-x)) == frozenset()
