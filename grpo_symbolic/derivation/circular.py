"""Whether a statement is among its own hypotheses, in which case it shows nothing.

What is compared are single statements: conjunctions are taken apart, definitions unfolded, derivatives carried
out, and ``a > b`` is ``b < a``. A hypothesis that merely implies the statement is not found here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Relation, Statement, is_elementary
from grpo_symbolic.obligations.obligation import unfold_statement

_MIRRORED = {">": "<", ">=": "<="}


@lru_cache(maxsize=2**13)  # of the same claim it is asked when it is made, and when it is put into a library
def assumed_part(statement: Statement, hypotheses: tuple[Statement, ...]) -> Statement | None:
    """The first part of the statement that is a hypothesis as well, or a premise of its own; None if there is none."""
    known = {_normal(part) for hypothesis in hypotheses for part in _conjuncts(hypothesis)}
    return _known_part(statement, known)


def _known_part(statement: Statement, known: set[Hashable]) -> Statement | None:
    if isinstance(statement, Implies):
        premises = {_normal(part) for part in _conjuncts(statement.premise)}
        return _known_part(statement.conclusion, known | premises)
    if isinstance(statement, Equivalent) and _normal(statement.left) == _normal(statement.right):
        return statement
    if not known:
        return None
    return next((part for part in _conjuncts(statement) if _normal(part) in known), None)


def _conjuncts(statement: Statement) -> Iterator[Statement]:
    if isinstance(statement, All):
        for part in statement.parts:
            yield from _conjuncts(part)
    else:
        yield statement


def _normal(statement: Statement) -> Hashable:
    """A value that is the same for statements which differ only by definitions and the order of sides or parts."""
    try:
        return _ordered(unfold_statement(statement) if is_elementary(statement) else statement)
    except UnsupportedError:  # whoever judges it tells what has no closed form
        return _ordered(statement)


def _ordered(statement: Statement) -> Hashable:
    match statement:
        case Relation(left, operator, right) if operator in _MIRRORED:
            return _MIRRORED[operator], right, left
        case Relation(left, "=" | "!=" as operator, right):
            return operator, frozenset((left, right))
        case Relation(left, operator, right):
            return operator, left, right
        case All(parts) | Any(parts):
            return type(statement), frozenset(map(_ordered, parts))
        case Implies(premise, conclusion):
            return Implies, _ordered(premise), _ordered(conclusion)
        case Equivalent(left, right):
            return Equivalent, frozenset((_ordered(left), _ordered(right)))
        case _:
            return statement
