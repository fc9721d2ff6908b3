"""What is done to every relation of an elementary statement, and what is computed from them."""

from __future__ import annotations

import operator
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.composites import UniqueZero
from grpo_symbolic.language.expression import (
    Number,
    Symbol,
    as_expression,
    substitute,
)
from grpo_symbolic.language.folding import fold, is_equation, mirrored, negated
from grpo_symbolic.language.statement import (
    NEGATIONS,
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    assignments,
    conjunction,
    conjuncts,
    eq,
    gt,
    is_elementary,
    le,
    lt,
    map_expressions,
    ne,
    relations_of,
    substitute_statement,
    truth,
)
from grpo_symbolic.language.stating import both, either, implies, increasing, instance
from grpo_symbolic.language.vocabulary import real
from grpo_symbolic.obligations.obligation import Obligation, assigned
from grpo_symbolic.translate.ranges import decide_by_range

x = real("x", "(-oo, oo)", "a number")
y = real("y", "(-oo, oo)", "another number")

COMPARISONS = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
RELATIONS = st.builds(
    Relation,
    st.sampled_from([x, y, as_expression(1)]),
    st.sampled_from(sorted(COMPARISONS)),
    st.integers(-2, 2).map(as_expression),
)
STATEMENTS = st.recursive(
    RELATIONS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: All(tuple(parts))),
        st.lists(inner, max_size=3).map(lambda parts: Any(tuple(parts))),
        st.builds(Implies, inner, inner),
        st.builds(Equivalent, inner, inner),
    ),
    max_leaves=6,
)
VALUES = st.integers(-2, 2)


def number(side: object, at: dict[Symbol, int]) -> int:
    return int(side.value) if isinstance(side, Number) else at[side]


def holds(statement: Statement, at: dict[Symbol, int]) -> bool:
    """The meaning of a statement, written out by hand."""
    if isinstance(statement, Relation):
        return COMPARISONS[statement.operator](number(statement.left, at), number(statement.right, at))
    if isinstance(statement, All):
        return all(holds(part, at) for part in statement.parts)
    if isinstance(statement, Any):
        return any(holds(part, at) for part in statement.parts)
    if isinstance(statement, Implies):
        return not holds(statement.premise, at) or holds(statement.conclusion, at)
    return holds(statement.left, at) == holds(statement.right, at)


@given(STATEMENTS, VALUES, VALUES)
def test_truth_is_what_a_statement_means(statement, first, second):
    at = {x: first, y: second}
    assert truth(statement, lambda relation: holds(relation, at)) is holds(statement, at)


@given(STATEMENTS, VALUES, VALUES, st.sets(st.integers(0, 5)))
def test_truth_is_open_only_where_an_unknown_relation_could_turn_it(statement, first, second, unknown):
    at = {x: first, y: second}
    hidden = {relation for place, relation in enumerate(relations_of(statement)) if place in unknown}
    known = truth(statement, lambda relation: None if relation in hidden else holds(relation, at))
    assert known in (None, holds(statement, at))


@given(STATEMENTS, VALUES)
def test_a_symbol_is_replaced_in_every_relation(statement, value):
    replaced = substitute_statement(statement, {x: as_expression(value)})
    sides = [
        (substitute(relation.left, {x: as_expression(value)}), relation.operator, relation.right)
        for relation in relations_of(statement)
    ]
    assert [(relation.left, relation.operator, relation.right) for relation in relations_of(replaced)] == sides
    assert map_expressions(statement, lambda side: side) == statement


@given(STATEMENTS, VALUES, VALUES)
def test_a_mirrored_relation_says_the_same_and_a_negated_one_the_contrary(statement, first, second):
    at = {x: first, y: second}
    for relation in relations_of(statement):
        turned, contrary = mirrored(relation), negated(relation)
        assert mirrored(turned) == relation
        assert COMPARISONS[turned.operator](number(turned.left, at), number(turned.right, at)) is holds(relation, at)
        assert holds(contrary, at) is not holds(relation, at)


@given(STATEMENTS, VALUES, VALUES)
def test_conjuncts_say_together_what_the_statement_says(statement, first, second):
    at = {x: first, y: second}
    parts = list(conjuncts(statement))
    assert not any(isinstance(part, All) for part in parts)
    assert holds(conjunction(parts), at) is holds(statement, at)


def test_conjuncts_are_taken_apart_to_any_depth_in_order():
    assert list(conjuncts(both(eq(x, 1), both(lt(x, y), gt(y, 2))), ne(x, 0))) == [
        eq(x, 1),
        lt(x, y),
        gt(y, 2),
        ne(x, 0),
    ]
    assert conjunction([eq(x, 1)]) == eq(x, 1)


def test_every_expression_of_a_composite_statement_is_changed():
    zero = UniqueZero(x - y, x, as_expression(0), y, True, upper=y)
    assert map_expressions(zero, lambda side: substitute(side, {y: as_expression(3)})) == UniqueZero(
        x - 3, x, as_expression(0), as_expression(3), True, upper=as_expression(3)
    )
    assert map_expressions(instance(eq(x, y), {x: y}), lambda side: side) == instance(eq(x, y), {x: y})


def test_a_fold_sees_every_connective_once():
    statement = implies(both(eq(x, 1), lt(x, y)), either(gt(y, 1), le(y, 0)))
    size = fold(
        statement,
        lambda relation: 1,
        every=lambda parts: 1 + sum(parts),
        some=lambda parts: 1 + sum(parts),
        implies=lambda premise, conclusion: 1 + premise + conclusion,
        equivalent=lambda left, right: 1 + left + right,
    )
    assert size == 7
    assert [relation.operator for relation in relations_of(statement)] == ["=", "<", ">", "<="]


def test_equations_are_relations_with_an_equals_sign():
    assert is_equation(eq(x, y))
    assert not any(map(is_equation, (lt(x, y), both(eq(x, y)), increasing(x, x))))


@pytest.mark.parametrize(
    "statement", [increasing(x, x), both(eq(x, 1), increasing(x, x)), implies(eq(x, 1), increasing(x, x))]
)
def test_composite_statements_have_to_be_expanded_first(statement):
    assert not is_elementary(statement)
    with pytest.raises(DeclarationError, match="expand composite statements before they become obligations"):
        Obligation("claim", (), statement)
    with pytest.raises(DeclarationError, match="expand composite statements before they become obligations"):
        Obligation("claim", (statement,), eq(x, 1))
    with pytest.raises(UnsupportedError, match="expand composite statements first"):
        relations_of(statement)
    with pytest.raises(DeclarationError, match="cannot substitute into a composite statement"):
        substitute_statement(statement, {y: as_expression(1)})


def test_every_relation_has_a_negation():
    assert set(NEGATIONS) == set(COMPARISONS)


def test_an_equation_assigns_a_symbol_that_its_other_side_is_free_of():
    assert list(assignments(eq(x, y + 1))) == [(x, y + 1)]
    assert list(assignments(eq(x, y))) == [(x, y), (y, x)]
    assert not list(assignments(eq(x, x + y)))
    assert not list(assignments(lt(x, y)))


def test_assigned_symbols_are_replaced_and_leave_their_domains():
    p = real("p", "(0, 1)", "a probability")
    rest, used = assigned([gt(p, y), eq(y, x), eq(x + 1, p)])
    assert rest == (gt(x + 1, x), both(gt(x + 1, 0), lt(x + 1, 1)))
    assert used == ((y, x), (p, x + 1))


@pytest.mark.parametrize("hypotheses", list(permutations([eq(x, 1), eq(y, x + 1), lt(x, y), eq(x + y, 3)])))
def test_what_is_left_after_replacements_says_the_same_in_any_order(hypotheses):
    rest, used = assigned(hypotheses)
    assert [symbol for symbol, _ in used] in ([x, y], [y, x])
    assert {decide_by_range(statement) for statement in rest} == {True}
    assert len(rest) == 2
