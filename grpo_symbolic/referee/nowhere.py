"""What is asked about a step that may be a condition and failed wherever it was tried: whether it holds nowhere."""

from __future__ import annotations

from dataclasses import replace

from grpo_symbolic.language.expression import Symbol, free_symbols
from grpo_symbolic.language.statement import NEGATIONS, Implies, Relation, Statement
from grpo_symbolic.referee.findings import Status
from grpo_symbolic.referee.questions import Question
from grpo_symbolic.referee.weighing import Answer


def opposite_of(question: Question, found: Answer) -> Question | None:
    """Whether the opposite holds everywhere, if it may; not of the value of a letter, which may be an end."""
    if found.status is not Status.NOT_AN_IDENTITY or len(question.statements) != 1:
        return None
    opposite = _opposite(question.statements[0])
    if opposite is None or found.failing is None or found.failing[0] != found.failing[1]:
        return None
    return replace(question, statements=(opposite,), relations=(), others=())


def _opposite(statement: Statement) -> Statement | None:
    match statement:
        case Relation(left, operator, right) if not _is_value(statement):
            return Relation(left, NEGATIONS[operator], right)
        case Implies(premise, Relation(left, operator, right) as held) if not _is_value(held):
            return Implies(premise, Relation(left, NEGATIONS[operator], right))
    return None


def _is_value(relation: Relation) -> bool:
    sides = (relation.left, relation.right)
    return any(isinstance(side, Symbol) for side in sides) and any(not free_symbols(side) for side in sides)
