"""Of which index set expressions and statements speak."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import (
    Call,
    Delta,
    Derivative,
    Expression,
    Substitution,
    Symbol,
    Total,
    free_indices,
)
from grpo_symbolic.language.further import further_elements
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.index_set import ELEMENTS, IndexSet
from grpo_symbolic.language.outputs import has_totals
from grpo_symbolic.language.statement import Statement, expressions_of, map_expressions


def index_sets(*expressions: Expression) -> tuple[IndexSet, ...]:
    """The sets of which coordinates stand in expressions, also in functions that they name, and over which they sum."""
    found: dict[IndexSet, None] = {}
    waiting = [*reversed(expressions)]
    while waiting:
        node = waiting.pop()
        match node:
            case Symbol() if node.indexed:
                found |= dict.fromkeys(one.whole for one in node.indices)
            case Derivative(_, symbol) | Substitution(_, symbol, _) if symbol.indexed:
                found |= dict.fromkeys(one.whole for one in symbol.indices)
            case Delta(other):
                found.setdefault(other.whole)
            case Total() if node.over:
                found.setdefault(node.over.whole)
            case Call(definition, _):
                found |= dict.fromkeys(index_sets(definition.body))
            case GroupExpectation(body, member):
                # Its members are no elements of which the statement speaks.
                found |= dict.fromkeys(item for item in index_sets(body) if item != member.indexed)
        waiting += reversed(node.children[1:] if isinstance(node, GroupExpectation) else node.children)
    return tuple(found)


def index_set_of(*statements: Statement) -> IndexSet:
    """The set of which statements speak, or the one of which nothing is said if they name none."""
    found = index_sets(*(expression for statement in statements for expression in expressions_of(statement)))
    return found[0] if found else ELEMENTS


def sets_summed(summands: Iterable[Expression], conclusion: Statement) -> tuple[IndexSet, ...]:
    """The sets over which what holds of every element is summed: if there are several, those left in no conclusion."""
    found = dict.fromkeys(one for side in summands for one in _spoken_of(side))
    if len(found) < 2:
        return tuple(found)
    left = {one for side in expressions_of(conclusion) for one in _spoken_of(side)}
    return tuple(one for one in found if one not in left)


def _spoken_of(expression: Expression) -> tuple[IndexSet, ...]:
    """The elements of which an expression speaks when it is carried out, or as it stands where it cannot be."""
    try:
        return tuple(free_indices(unfold(expression)))
    except UnsupportedError:
        return tuple(free_indices(expression))


def sets_of_hypotheses(hypotheses: Sequence[Statement], conclusion: Statement) -> tuple[IndexSet | None, ...]:
    """For each hypothesis of a claim the set at every element of which it is meant; None if it is meant at no set.

    It is about a generic element. Where nothing in the claim sums over the elements that is the element of the claim;
    where something does, or where the claim speaks of a further element, all of them matter.
    """
    if not further_elements(*expressions_of(conclusion)) and not _have_sums((*hypotheses, conclusion)):
        return (None,) * len(hypotheses)
    return tuple(map(_generic_set, hypotheses))


def _have_sums(statements: Sequence[Statement]) -> bool:
    """Whether a sum over elements stands in statements, or comes about in them."""
    try:
        return has_totals(map_expressions(item, unfold) for item in statements)
    except UnsupportedError:
        # What cannot be carried out is not expanded either.
        return False


def _generic_set(hypothesis: Statement) -> IndexSet | None:
    """The set of which a hypothesis has a generic element, or a name for the pairs of elements of which it speaks."""
    found = list(dict.fromkeys(one for side in expressions_of(hypothesis) for one in free_indices(side)))
    if not found:
        return None
    first, *others = found
    if not others:
        return first.whole
    same = all(one.whole == first.whole for one in others)
    return replace(
        first.whole,
        element=f"pair of {first.elements}" if same else " and ".join(one.element for one in found),
        letter=first.letter,
    )
