"""A further element of an index set: Kronecker's delta, derivatives by its coordinates, and what is refused.

The oracle calculates with fractions and dual numbers, for every pair of elements of sets of one to five elements, and
shares no code with the reduction to cases.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from dual_numbers import ARITHMETIC, COMPARED, Dual

from grpo_symbolic import (
    Delta,
    Derivative,
    Expression,
    Extremum,
    Group,
    IndexSet,
    Substitution,
    Summed,
    Symbol,
    Total,
    UniqueRoot,
    both,
    claim,
    define,
    either,
    eq,
    exp,
    ge,
    gt,
    iff,
    implies,
    increasing,
    instance,
    judge,
    le,
    log,
    lt,
    ne,
    rational,
    real,
)
from grpo_symbolic.errors import CheckError, DeclarationError, UnsupportedError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.mutants import mutants
from grpo_symbolic.judging.trust import _kinds
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.drawing import drawn
from grpo_symbolic.language.expression import Apply, Call, Number, substitute
from grpo_symbolic.language.indexed import index_sets, sets_of_hypotheses
from grpo_symbolic.language.outputs import written_out
from grpo_symbolic.language.statement import Relation, Statement
from grpo_symbolic.obligations.expansion import expand
from grpo_symbolic.obligations.principles import principles_for
from grpo_symbolic.readback.printed import read_back
from grpo_symbolic.translate.latex import expression_latex
from grpo_symbolic.translate.python import Python
from grpo_symbolic.translate.text import expression_text, statement_text
from grpo_symbolic.translate.tree import expression_tree

ARMS = IndexSet("arm", "arms", "i")
J = ARMS.another("j")
DELTA = Delta(J)
w = real("w", "(0, oo)", "a weight", latex="w_{index}", indexed=ARMS)
x = real("x", "(-oo, oo)", "a coordinate", latex="x_{index}", indexed=ARMS)
theta = real("theta", "(-oo, oo)", "a logit", latex=r"\theta_{index}", indexed=ARMS)
a = real("a", "(-oo, oo)", "a number")
wj, xj, thetaj = w.at(J), x.at(J), theta.at(J)
share, sharej = w / Total(w), wj / Total(w)
mean = Total(w * x) / Total(w)
soft, softj = exp(theta) / Total(exp(theta)), exp(thetaj) / Total(exp(theta))


def by_w(expression: Expression) -> Expression:
    return Derivative(expression, wj)


TRUE: Sequence[Statement] = [
    eq(Derivative(x, xj), DELTA),
    eq(Total(DELTA), 1),
    eq(Total(DELTA * x), xj),
    eq(Total(x * DELTA * DELTA), xj),
    eq(DELTA * x, DELTA * xj),
    eq(DELTA * (x - xj) ** 2, 0),
    eq(DELTA**2, DELTA),
    eq(DELTA * (1 - DELTA), 0),
    eq(Total(x * (1 - DELTA)), Total(x) - xj),
    eq(Derivative(Total(x), xj), 1),
    eq(Derivative(Total(x**2), xj), 2 * xj),
    eq(Derivative(Total(x) ** 2, xj), 2 * Total(x)),
    eq(Derivative(x**3, xj), 3 * x**2 * DELTA),
    eq(Derivative(x * Total(x), xj), DELTA * Total(x) + x),
    eq(by_w(share), (DELTA - share) / Total(w)),
    eq(by_w(share) * wj, share * (DELTA - sharej)),
    eq(Total(by_w(share)), 0),
    eq(Total(x * by_w(share)), (xj - mean) / Total(w)),
    eq(by_w(mean), (xj - mean) / Total(w)),
    eq(by_w(Total(share**2)), 2 * (sharej - Total(share**2)) / Total(w)),
    eq(Derivative(mean, xj), sharej),
    eq(Derivative(Total((x - a) ** 2), xj), 2 * (xj - a)),
    eq(Derivative(Total(x * (x - xj)), xj), 2 * xj - Total(x) - xj),
    eq(Derivative(Total(Total(x * w) * x), xj), wj * Total(x) + Total(x * w)),
    le(wj, Total(w)),
    lt(wj, w + Total(w)),
    le(DELTA, 1),
    ge(DELTA * w, 0),
    ge((x - xj) ** 2, 0),
    gt(share + sharej, 0),
    le(x * xj, (x**2 + xj**2) / 2),
    le(DELTA * x * xj, DELTA * x**2),
    both(ge(DELTA, 0), eq(DELTA * (xj - x), 0)),
    eq(Substitution(Derivative(Total(x * w), xj), x, w), wj),
]
FALSE: Sequence[Statement] = [
    eq(Derivative(x, xj), 1),
    eq(Derivative(x, xj), 0),
    eq(Total(DELTA), 0),
    eq(Total(DELTA), Total(rational(1))),
    eq(Total(DELTA * x), x),
    eq(Total(DELTA * x), Total(x) * DELTA),
    eq(DELTA * x, xj),
    eq(x, xj),
    ne(x, xj),
    eq(DELTA, 1 - DELTA),
    eq(Total(x * (1 - DELTA)), Total(x) - x),
    eq(Derivative(Total(x), xj), Total(rational(1))),
    eq(Derivative(Total(x**2), xj), 2 * x),
    eq(Derivative(Total(x) ** 2, xj), 2 * xj),
    eq(Derivative(x**3, xj), 3 * x**2),
    eq(Derivative(x * Total(x), xj), Total(x) + x),
    eq(Derivative(x * Total(x), xj), DELTA * Total(x)),
    eq(by_w(share), (1 - share) / Total(w)),
    eq(by_w(share), (DELTA - sharej) / Total(w)),
    eq(by_w(share), share * (DELTA - sharej)),
    eq(by_w(share), -share / Total(w)),
    eq(Total(by_w(share)), 1),
    eq(Total(x * by_w(share)), (x - mean) / Total(w)),
    eq(by_w(mean), (xj - mean) * sharej),
    eq(by_w(Total(share**2)), 2 * (share - Total(share**2)) / Total(w)),
    eq(Derivative(mean, xj), share),
    eq(Derivative(Total(x * (x - xj)), xj), 2 * xj - Total(x)),
    eq(Derivative(Total(Total(x * w) * x), xj), wj * Total(x)),
    lt(wj, Total(w)),
    le(w + wj, Total(w)),
    lt(DELTA, 1),
    gt(DELTA, 0),
    gt((x - xj) ** 2, 0),
    le(share + sharej, 1),
    lt(x * xj, (x**2 + xj**2) / 2),
    le(x * xj, DELTA * x**2),
    both(ge(DELTA, 0), eq(xj - x, 0)),
    eq(Substitution(Derivative(Total(x * w), xj), x, w), wj + xj),
    eq(Total(rational(1)) * DELTA, DELTA),
    ge(Total(w), 2 * w * (1 - DELTA)),
]


@dataclass(frozen=True)
class Oracle:
    """Expressions at the element ``i`` beside the element ``j``; ``by`` names the family that varies at ``j``."""

    families: Mapping[str, Sequence[Fraction]]
    numbers: Mapping[str, Fraction]
    count: int
    j: int

    def dual(self, expression: Expression, i: int, by: str | None) -> Dual:
        match expression:
            case Number(value):
                return Dual(value)
            case Delta():
                return Dual(Fraction(i == self.j))
            case Symbol(name):
                if not expression.indexed:
                    return Dual(self.numbers[name])
                family, place = (name[:-2], self.j) if expression.indexed == J else (name, i)
                return Dual(self.families[family][place], Fraction(family == by and place == self.j))
            case Total(body):
                terms = [self.dual(body, one, by) for one in range(self.count)]
                return Dual(sum(one.value for one in terms), sum(one.slope for one in terms))
            case Derivative(body, symbol):
                assert by is None
                return Dual(self.dual(body, i, symbol.name[:-2]).slope)
            case Substitution(body, symbol, Symbol(name)):
                assert symbol.indexed == ARMS
                return Oracle(
                    {**self.families, symbol.name: self.families[name]}, self.numbers, self.count, self.j
                ).dual(body, i, by)
            case Apply("power", (base, Number(exponent))):
                return self.dual(base, i, by).raised(int(exponent))
            case Apply(name, operands):
                return ARITHMETIC[name](*(self.dual(one, i, by) for one in operands))
        raise TypeError(expression)

    def holds(self, statement: Statement, i: int) -> bool:
        if not isinstance(statement, Relation):
            return all(self.holds(part, i) for part in statement.parts)
        left, right = (self.dual(side, i, None).value for side in (statement.left, statement.right))
        return COMPARED[statement.operator](left, right)


def places() -> Iterator[tuple[Oracle, int]]:
    """Every pair of elements of sets of one to five, at small fractions of which some are equal."""
    draw = random.Random(7)
    for count in range(1, 6):
        for _ in range(3):
            weights = [Fraction(draw.randint(1, 4), draw.randint(1, 3)) for _ in range(count)]
            coordinates = [Fraction(draw.randint(-3, 3), draw.randint(1, 2)) for _ in range(count)]
            number = {"a": Fraction(draw.randint(-3, 3), 2)}
            for i in range(count):
                for j in range(count):
                    yield Oracle({"w": weights, "x": coordinates}, number, count, j), i


PLACES = tuple(places())


@pytest.mark.parametrize("statement", TRUE, ids=statement_text)
def test_what_holds_of_all_pairs_is_decided(statement):
    assert all(oracle.holds(statement, i) for oracle, i in PLACES)
    assert judge(statement).verdict is Verdict.DECIDED


@pytest.mark.parametrize("statement", FALSE, ids=statement_text)
def test_what_fails_for_some_pair_is_refuted(statement):
    assert not all(oracle.holds(statement, i) for oracle, i in PLACES)
    assert judge(statement).verdict is Verdict.REFUTED


@pytest.mark.parametrize("statement", [TRUE[14], TRUE[17], TRUE[23], FALSE[18], FALSE[27], FALSE[33]])
def test_the_cases_say_what_the_statement_says(statement):
    """Written out for one to three others, the cases hold exactly where the statement does at such pairs."""
    (plan,) = expand(statement)
    assert [one.label.partition(": ")[2] for one in plan] == [
        "j is the only arm",
        "j = i, one of several",
        "j is not i",
    ]
    for oracle, i in PLACES:
        others = [one for one in range(oracle.count) if one != oracle.j]
        case = plan[0] if not others else plan[1] if i == oracle.j else plan[2]
        labels = [str(one) for one in others] or ["none"]
        label = str(i) if i != oracle.j else labels[0]
        numbers = {**oracle.numbers, **{f"{name}_j": values[oracle.j] for name, values in oracle.families.items()}}
        numbers |= {f"{name}[{one}]": values[one] for name, values in oracle.families.items() for one in others}
        relation = case.conclusion
        sides = [written_out(side, label, labels) for side in (relation.left, relation.right)]
        finite = Oracle({}, numbers, 0, 0)
        left, right = (finite.dual(side, 0, None).value for side in sides)
        assert COMPARED[relation.operator](left, right) is oracle.holds(statement, i)


@pytest.mark.slow
def test_the_jacobian_of_a_softmax():
    assert judge(eq(Derivative(soft, thetaj), soft * (DELTA - softj))).verdict is Verdict.DECIDED
    for wrong in (soft * (DELTA - soft), soft * (1 - softj), -soft * softj, DELTA * soft * (1 - soft), softj * DELTA):
        assert judge(eq(Derivative(soft, thetaj), wrong)).verdict is Verdict.REFUTED


@pytest.mark.slow
def test_the_chain_rule_through_a_softmax():
    chained = Total(x * Derivative(soft, thetaj))
    assert judge(eq(chained, softj * (xj - Total(soft * x)))).verdict is Verdict.DECIDED
    assert judge(eq(Derivative(Total(soft * x), thetaj), chained)).verdict is Verdict.DECIDED
    assert judge(eq(chained, soft * (x - Total(soft * x)))).verdict is Verdict.REFUTED
    entropy = -Total(soft * log(soft))
    assert judge(eq(Derivative(entropy, thetaj), -softj * (log(softj) + entropy))).verdict is Verdict.DECIDED
    assert judge(eq(Derivative(entropy, thetaj), -softj * (log(softj) - entropy))).verdict is Verdict.REFUTED


def test_what_is_given_holds_at_both_elements():
    given = [lt(x, a)]
    assert judge(lt(x + xj, 2 * a), given=given).verdict is Verdict.DECIDED
    assert judge(lt(Total(x * DELTA), a), given=given).verdict is Verdict.DECIDED
    assert judge(lt(x + xj, 2 * a)).verdict is Verdict.REFUTED
    assert judge(lt(x + 2 * xj, 2 * a), given=given).verdict is Verdict.REFUTED
    assert sets_of_hypotheses(given, lt(x + xj, 2 * a)) == (ARMS,)
    assert sets_of_hypotheses(given, lt(x, 2 * a)) == (None,)


def test_premises_may_speak_of_every_element():
    assert judge(implies(eq(Total(x), 0), eq(Total(x * (1 - DELTA)), -xj))).verdict is Verdict.DECIDED
    assert judge(implies(eq(Total(x), 0), eq(Total(x * (1 - DELTA)), -x))).verdict is Verdict.REFUTED


def test_a_lemma_about_pairs_is_used():
    jacobian = claim("p.jacobian", "Jacobian", eq(Derivative(soft, thetaj), soft * (DELTA - softj)))
    user = claim("p.user", "Used", eq(Derivative(soft, thetaj) + softj * soft, soft * DELTA), using=[jacobian])
    assert judge(user).verdict is Verdict.DECIDED
    wrong = claim("p.wrong", "Not so", eq(Derivative(soft, thetaj), soft * softj), using=[jacobian])
    assert judge(wrong).verdict is Verdict.REFUTED


def test_a_lemma_about_pairs_is_used_only_where_its_premise_holds_at_both_elements():
    bounded = claim("p.bounded", "Bounded", lt(xj - exp(rational(200)), 0), given=[lt(x - exp(rational(200)), 0)])
    assert judge(bounded).verdict is Verdict.DECIDED
    # No sample is so large that it would refute this.
    false = either(ge(x - exp(rational(200)), 0), lt(xj - exp(rational(200)), 0))
    assert judge(claim("p.false", "Not so", false, using=[bounded])).verdict is not Verdict.DECIDED
    given = [lt(x - exp(rational(200)), 0)]
    both_ = claim("p.both", "Of both", lt(xj + x - 2 * exp(rational(200)), 0), given=given, using=[bounded])
    assert judge(both_).verdict is Verdict.DECIDED


def test_what_is_supposed_of_every_element_is_not_said_of_what_one_has():
    below = claim("p.below", "Below", lt(xj, a), given=[lt(x, a)])
    total = claim("p.total", "Total", lt(Total(x), a * Total(rational(1), ARMS)), given=[lt(x, a)])
    rises = claim("p.rises", "Rises", increasing(a * (Total(rational(1), ARMS) * a - Total(x)), a), given=[lt(x, a)])
    for made in (lambda: below.at({a: x + 1}), lambda: total.at({a: x + 1}), lambda: rises.between(x + 1, x + 2)):
        with pytest.raises(DeclarationError, match=r"supposes something of a at every element, and .* is of one"):
            made()
    assert below.at({a: 3 * Total(x)}).claim is below
    free = claim("p.free", "Of any number", eq(Total(x) * a + xj, xj + a * Total(x)))
    assert free.at({a: x}).claim is free


@pytest.mark.parametrize(
    "statement",
    [
        UniqueRoot(a, eq(a * Total(w), x * Total(w)), x),
        instance(eq(a * Total(w), x * Total(w)), {a: x}),
        Extremum((a - x) ** 2 * Total(w), a, x, minimum=True),
    ],
)
def test_what_one_element_has_is_no_value_of_what_bounds_all(statement):
    with pytest.raises(CheckError, match="something is supposed of a at every element, and x is of one"):
        judge(statement, given=[ge(a, x)])
    assert judge(statement, given=[ge(Total(w), 1)]).verdict is Verdict.DECIDED


@pytest.mark.parametrize(
    ("statement", "given", "said"),
    [
        (eq(x, xj), [eq(xj, 1)], "a hypothesis about arm j: what is given holds at every arm"),
        (eq(x, 1), [eq(DELTA, 1)], "a hypothesis about arm j"),
        (implies(eq(x, xj), eq(x**2, xj**2)), [], "a hypothesis about arm j"),
        (iff(eq(x, xj), eq(x**2, xj**2)), [], "a further element j stands in a statement that is no relation"),
        (increasing(x * a + xj, a), [], "a further element j stands in a statement that is no relation"),
        (Summed(eq(xj, x), rational(1), eq(x, xj), rational(1)), [], "stands in a statement that is no relation"),
        (eq(xj, x.at(ARMS.another("k"))), [], "it speaks of further elements j and k; use one"),
        (eq(Total(xj, J), xj), [], "a sum runs through j, of which it speaks outside as well"),
    ],
)
def test_where_it_is_not_clear_which_element_is_meant(statement, given, said):
    with pytest.raises(DeclarationError, match=said):
        judge(statement, given=given)
    with pytest.raises(DeclarationError, match=said):
        claim("p.bad", "Bad", statement, given=given)


def test_a_number_that_is_called_as_what_a_further_element_has_is_another_one():
    named = real("x_j", "(-oo, oo)", "a number")
    number = real("x", "(-oo, oo)", "a number", indexed=ARMS)
    for given in ([gt(named, 0)], []):
        with pytest.raises(CheckError, match="x_j is called as x at another element; rename it"):
            judge(eq(Delta(J) * number, Delta(J) * named), given=given)


def test_an_index_outside_of_its_set_is_refused():
    other = IndexSet("prompt", "prompts", "q")
    assert x.at(ARMS) == xj.at(ARMS) == x
    for bad in (lambda: x.at(other.another("k")), lambda: x.at(), lambda: a.at(J), lambda: x.at(J, J)):
        with pytest.raises(DeclarationError, match="has no coordinate at"):
            bad()
    with pytest.raises(DeclarationError, match=r"delta is about a further one of the arms; write another\(...\)"):
        Delta(ARMS)
    for letter in ("i", "k'"):
        with pytest.raises(DeclarationError, match="letter"):
            ARMS.another(letter)
    with pytest.raises(DeclarationError, match="no letter for a second one"):
        J.another("k")
    y = real("y", "(0, 1)", "another coordinate", indexed=other)
    with pytest.raises(DeclarationError, match="a sum over arms or over prompts: say over which"):
        claim("p.two", "Two sets", lt(x, Total(y) + Total(rational(1))))


def test_what_a_sum_or_an_expectation_would_bind_is_refused():
    shifted = define("shifted", (a,), Total(x + a))
    for inside in (DELTA, x):
        with pytest.raises(DeclarationError, match="of one element, into"):
            unfold(shifted(inside))
    assert judge(eq(shifted(xj), Total(x) + xj * Total(rational(1)))).verdict is Verdict.DECIDED
    r = real("r", "[0, 1]", "reward", indexed=IndexSet("member", "members", "m"))
    group = Group(r, 2, drawn(x, share))
    for inside in (DELTA, xj):
        with pytest.raises(DeclarationError, match="is of a further element of a set inside of an expectation"):
            group.expectation(r * inside)


def test_what_is_replaced_is_replaced_at_every_element():
    assert substitute(x + xj, {x: a}) == a + a
    assert unfold(Substitution(x * xj, x, w * a)) == (w * a) * (wj * a)
    assert substitute(x * xj, {x: w / Total(w)}) == (w / Total(w)) * (wj / Total(w))
    assert substitute(Total(x * xj), {x: w}) == Total(w * wj)
    with pytest.raises(DeclarationError, match="carry out first what binds something in it"):
        substitute(x * xj, {x: Total(w * wj, J) * w + Total(w.at(ARMS) * wj, J)})
    with pytest.raises(DeclarationError, match="carry out first what binds something in it"):
        substitute(x * xj, {x: DELTA})
    with pytest.raises(UnsupportedError, match="depends on x at another element; differentiate by that"):
        unfold(Derivative(x * xj, x))


def test_it_is_printed_and_read_back():
    expression = Derivative(soft, thetaj) - soft * (DELTA - softj) + Total(x * DELTA) * xj
    shown = str(expression_latex(expression))
    assert r"\frac{\partial}{\partial \theta_{j}}" in shown or r"\frac{\partial}{\partial \theta_j}" in shown
    assert r"\delta_{i, j}" in shown
    assert r"\delta_{i', j}" in shown
    assert read_back(shown, expression).status == "agrees"
    for one, other in ((r"\delta_{i, j}", r"\delta_{i', j}"), (r"\delta_{i, j}", r"\delta_{j, j}"), ("x_j", "x_i")):
        assert one in shown
        assert read_back(shown.replace(one, other), expression).status != "agrees"


def test_as_text_tree_and_python():
    assert expression_text(DELTA * xj) == "δ(i, j)·x_j"
    assert expression_tree(DELTA * xj) == ["multiply", ["delta", "j"], "x_j"]
    written = Python(exact=True, element="e").text(Total(DELTA * x) + DELTA * xj)
    assert written == "sum(int(i == j)*x[i] for i in range(len(x))) + int(e == j)*x[j]"


def test_it_is_of_its_set():
    assert index_sets(DELTA, xj, Derivative(soft, thetaj)) == (ARMS,)
    rules = {rule.name for rule in principles_for(_kinds(lt(xj, 2 * x)), ())}
    assert {"a further element", "derivatives by coordinates"} <= rules
    assert "a further element" not in {rule.name for rule in principles_for(_kinds(lt(x, 2)), ())}


@pytest.mark.slow
def test_every_mutant_of_a_jacobian_is_caught():
    stated = eq(Derivative(share, wj), share * (DELTA - sharej) / wj)
    tried = [one for one in mutants(stated) if one.statement is not None]
    assert {"delta[j] becomes 1", "delta[j] becomes 0", "w_j becomes w"} <= {one.change for one in tried}
    survived = [one.change for one in tried if judge(one.statement).verdict is Verdict.DECIDED]
    assert survived == []


def test_calls_of_it_are_written_out():
    policy = define("policy", (), soft)
    assert isinstance(policy(), Call)
    assert judge(eq(Derivative(policy(), thetaj), policy() * (DELTA - softj))).verdict is Verdict.DECIDED
