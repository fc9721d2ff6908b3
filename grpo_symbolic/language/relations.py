"""Relations and their combinations the other way round: as a difference of sides, and as what holds where they fail."""

from __future__ import annotations

from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.folding import negated
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Relation, Statement


def difference(relation: Relation) -> Expression:
    """Left side minus right side."""
    return relation.left if relation.right == ZERO else relation.left - relation.right


def negation(statement: Statement) -> Statement:
    """What holds exactly where an elementary statement, whose expressions have values, does not."""
    match statement:
        case Relation():
            return negated(statement)
        case All(parts):
            return Any(tuple(map(negation, parts)))
        case Any(parts):
            return All(tuple(map(negation, parts)))
        case Implies(premise, conclusion):
            return All((premise, negation(conclusion)))
        case Equivalent(left, right):
            return Any((All((left, negation(right))), All((negation(left), right))))
        case _:
            return statement
