"""Beside a sum a premise about the generic element holds at every element, or it is refused as unclear.

The oracle evaluates statements with fractions, for families of one to three elements, and shares no code with the
engine: what is given and the premise of an implication it reads at every element, everything else at one.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import product

import pytest
from dual_numbers import COMPARED
from hypothesis import given, settings
from hypothesis import strategies as st
from property_tests import examples

from grpo_symbolic import (
    Derivative,
    IndexSet,
    Total,
    both,
    claim,
    define,
    derive,
    either,
    eq,
    ge,
    gt,
    iff,
    implies,
    increasing,
    instance,
    judge,
    le,
    lt,
    ne,
    never,
    real,
)
from grpo_symbolic.errors import CheckError, DeclarationError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.language.composites import Impossible
from grpo_symbolic.language.expression import Apply, Number, Symbol
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Relation
from grpo_symbolic.translate.text import statement_text

ARMS = IndexSet("arm", "arms", "i")
OTHERS = IndexSet("prompt", "prompts", "q")
x = real("x", "(-oo, oo)", "a number", latex="x_{index}", indexed=ARMS)
y = real("y", "(-oo, oo)", "another number", latex="y_{index}", indexed=ARMS)
w = real("w", "(-oo, oo)", "a number of a prompt", latex="w_{index}", indexed=OTHERS)
a = real("a", "(-oo, oo)", "a parameter")
mass = define("mass", (), Total(x), latex="m")

choice = real("c", "(0, oo)", "share of an arm", latex=r"c({index}|{second})", indexed=(ARMS, OTHERS))
weight = real("rho", "(0, oo)", "weight of a prompt", latex=r"\rho({index})", indexed=OTHERS)
ALIKE = eq(Total(choice, ARMS), 1)
WEIGHED = eq(Total(weight * Total(choice, ARMS), OTHERS), Total(weight, OTHERS))
SAME, SUMS = eq(x, y), eq(Total(x), Total(y))

UNCLEAR = {
    "equivalence": (iff(SAME, both(SAME, SUMS)), ()),
    "equivalence of a line and a sum": (iff(eq(x, 0), eq(Total(x), 0)), ()),
    "equivalence, the other way round": (iff(SUMS, SAME), ()),
    "sum in a definition": (iff(eq(x, 0), eq(mass(), 0)), ()),
    "sum that is given": (iff(gt(x, 0), gt(2 * x, 0)), (eq(Total(y), 1),)),
    "sum over another set": (iff(gt(x, 0), gt(x * Total(w**2 + 1), 0)), ()),
    "impossibility": (never(both(SAME, ne(Total(x), Total(y)))), ()),
    "impossibility of a mean": (never(both(ALIKE, ne(WEIGHED.left, WEIGHED.right))), ()),
    "equivalence with a mean": (iff(ALIKE, both(ALIKE, WEIGHED)), ()),
    "impossibility under a sum that is given": (never(gt(x, 1)), (eq(Total(x**2), 1),)),
    "implication inside": (either(implies(SAME, SUMS), lt(a, 0)), ()),
    "implication in a premise": (implies(implies(SAME, SUMS), gt(Total(x**2 + 1), 0)), ()),
    "implication that is given": (eq(Total(x), 0), (implies(eq(x, 0), eq(Total(x), 0)), eq(x, 0))),
    "equivalence that is given": (SUMS, (iff(SAME, SUMS), SAME)),
    "one part": (both(gt(Total(x**2 + 1), 0), iff(SAME, SUMS)), ()),
    "after an implication": (implies(gt(a, 0), iff(SAME, SUMS)), ()),
    "with a witness": (instance(iff(SAME, both(SAME, SUMS)), {a: 1}), ()),
}


@pytest.mark.parametrize("name", UNCLEAR)
def test_what_could_be_meant_at_one_element_or_at_every_one_is_refused(name):
    statement, given_ = UNCLEAR[name]
    with pytest.raises(DeclarationError, match="could be meant at one element or at every one"):
        judge(statement, given=given_)
    with pytest.raises(DeclarationError, match=r"claim p\.unclear: beside a sum, "):
        claim("p.unclear", "unclear", statement, given=given_)


def test_a_step_and_a_lemma_with_a_sum_are_looked_at_as_well():
    line = derive(SAME, "a line")
    with pytest.raises(DeclarationError, match="could be meant at one element"):
        claim("p.step", "a step", derivation=line.iff(both(SAME, SUMS), "sum up"))
    summed = claim("p.sum", "a sum", ge(Total(x**2), 0))
    with pytest.raises(DeclarationError, match="could be meant at one element"):
        claim("p.uses", "an equivalence", iff(SAME, eq(2 * x, 2 * y)), using=[summed])


CLEAR = {
    "one element": iff(SAME, eq(2 * x, 2 * y)),
    "only sums": iff(SUMS, eq(2 * Total(x), 2 * Total(y))),
    "no such element": never(both(gt(x, y), gt(y, x))),
    "no such sum": never(lt(Total(x**2), 0)),
    "at every element": both(implies(ALIKE, WEIGHED), implies(both(ALIKE, WEIGHED), ALIKE)),
    "at one element": either(both(SAME, eq(2 * x, 2 * y), ge(Total(x**2), 0)), ne(x, y)),
}


@pytest.mark.parametrize("name", CLEAR)
def test_what_is_clear_is_decided(name):
    assert judge(CLEAR[name]).verdict is Verdict.DECIDED


def test_at_one_element_it_is_another_statement():
    """If the sum is 1 at every prompt, its mean is; at one prompt that says nothing of the others."""
    assert judge(implies(ALIKE, WEIGHED)).verdict is Verdict.DECIDED
    assert judge(either(ne(Total(choice, ARMS), 1), WEIGHED)).verdict is Verdict.REFUTED


def test_a_premise_at_every_element_is_told_as_such():
    assert statement_text(implies(SAME, SUMS)) == "x = y for every arm ⇒ Σ(x) = Σ(y)"
    assert statement_text(implies(ALIKE, WEIGHED)).startswith("Σ[i](c) = 1 for every prompt ⇒ ")
    assert statement_text(implies(both(SAME, gt(a, 0)), SUMS)) == "x = y and a > 0 for every arm ⇒ Σ(x) = Σ(y)"
    # Of one element, and of sums alone, there is nothing to add.
    assert statement_text(implies(SAME, eq(2 * x, 2 * y))) == "x = y ⇒ 2·x = 2·y"
    assert statement_text(implies(SUMS, SUMS)) == "Σ(x) = Σ(y) ⇒ Σ(x) = Σ(y)"
    # The derivative of a sum by one coordinate is of that element alone.
    assert statement_text(implies(eq(Derivative(Total(x**2), x), 2), eq(x, 1))) == "∂/∂x [Σ(x²)] = 2 ⇒ x = 1"


def test_what_is_given_of_all_elements_does_not_restrict_one():
    with pytest.raises(CheckError, match="a sum that is given depends on x, of which something is said at one element"):
        judge(increasing(x, x), given=[eq(Total(x), 1)])
    assert judge(increasing(x, x), given=[eq(Total(y), 1)]).verdict is Verdict.DECIDED


ARITHMETIC = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul}


def number(expression, family, place):
    match expression:
        case Number(value):
            return value
        case Symbol(name=name):
            return family[name][place]
        case Total(body):
            return sum(number(body, family, other) for other in range(len(family["x"])))
        case Apply(operator=name, operands=(left, right)):
            return ARITHMETIC[name](number(left, family, place), number(right, family, place))
    raise TypeError(expression)


def at_one(statement, family, place):
    match statement:
        case Relation(left, sign, right):
            return COMPARED[sign](number(left, family, place), number(right, family, place))
        case All(parts):
            return all(at_one(part, family, place) for part in parts)
        case Any(parts):
            return any(at_one(part, family, place) for part in parts)
        case Equivalent(left, right):
            return at_one(left, family, place) == at_one(right, family, place)
        case Impossible(condition):
            return not at_one(condition, family, place)
    raise TypeError(statement)


def holds(statement, family):
    places = range(len(family["x"]))
    match statement:
        case Implies(premise, conclusion):
            return not all(at_one(premise, family, place) for place in places) or holds(conclusion, family)
        case All(parts):
            return all(holds(part, family) for part in parts)
        case _:
            return all(at_one(statement, family, place) for place in places)


SIDES = st.sampled_from(
    [x, y, x + y, x - y, x + 0, 2 * x, Total(x), Total(y), Total(x - y), x * Total(y), Total(x * y)]
)
RELATIONS = st.builds(
    lambda compare, left, right: compare(left, right), st.sampled_from([eq, eq, eq, ne, le, lt]), SIDES, SIDES
)
COMBINED = st.one_of(
    RELATIONS,
    st.builds(both, RELATIONS, RELATIONS),
    st.builds(either, RELATIONS, RELATIONS),
)
STATED = st.one_of(
    COMBINED,
    st.builds(implies, COMBINED, COMBINED),
    st.builds(iff, COMBINED, COMBINED),
    st.builds(never, COMBINED),
    st.builds(lambda first, second: both(implies(first, second), implies(second, first)), COMBINED, COMBINED),
)
FAMILIES = [
    {"x": xs, "y": ys}
    for size, values in ((1, (-1, 0, Fraction(1, 2), 1, 2)), (2, (-1, 0, 1, 2)), (3, (-1, 0, 1)))
    for xs, ys in product(product(values, repeat=size), repeat=2)
]


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(STATED)
def test_what_is_decided_holds_in_all_small_families(statement):
    try:
        verdict = judge(statement).verdict
    except DeclarationError:
        return
    if verdict is Verdict.DECIDED:
        assert all(holds(statement, family) for family in FAMILIES)
