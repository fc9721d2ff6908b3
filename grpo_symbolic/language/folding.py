"""What is computed from an elementary statement upwards, and relations read the other way round or denied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeGuard, TypeVar

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.statement import (
    MIRRORED,
    NEGATIONS,
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
)

T = TypeVar("T")


def is_equation(statement: Statement) -> TypeGuard[Relation]:
    """Whether the statement is ``left = right``."""
    return isinstance(statement, Relation) and statement.operator == "="


def mirrored(relation: Relation) -> Relation:
    """The same relation read from right to left: ``b > a`` for ``a < b``."""
    return Relation(relation.right, MIRRORED.get(relation.operator, relation.operator), relation.left)


def negated(relation: Relation) -> Relation:
    """The relation that holds where this one, both of its sides having values, does not."""
    return Relation(relation.left, NEGATIONS[relation.operator], relation.right)


def fold(
    statement: Statement,
    relation: Callable[[Relation], T],
    *,
    every: Callable[[Sequence[T]], T],
    some: Callable[[Sequence[T]], T],
    implies: Callable[[T, T], T],
    equivalent: Callable[[T, T], T],
) -> T:
    """What an elementary statement comes to, computed from its relations upwards.

    Raises:
        UnsupportedError: for composite statements.
    """

    def folded(part: Statement) -> T:
        return fold(part, relation, every=every, some=some, implies=implies, equivalent=equivalent)

    match statement:
        case Relation():
            return relation(statement)
        case All(parts):
            return every([folded(part) for part in parts])
        case Any(parts):
            return some([folded(part) for part in parts])
        case Implies(premise, conclusion):
            return implies(folded(premise), folded(conclusion))
        case Equivalent(left, right):
            return equivalent(folded(left), folded(right))
    raise UnsupportedError(f"expand composite statements first: {statement}")
