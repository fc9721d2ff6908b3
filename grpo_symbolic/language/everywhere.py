r"""Premises about the generic element of an index set, and where it is not clear at which elements they are meant.

What is given holds at every element, and so does the premise of an implication: if $x_i = 0$ for every $i$, then
$\sum_i x_i = 0$. At one element alone $x_i = 0$ says nothing of the others. Beside a sum the two differ, so that what
could be read as either is refused: an equivalence, an impossibility, an implication inside of another statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.composites import Existence, Impossible
from grpo_symbolic.language.elements import outside_totals
from grpo_symbolic.language.further import further_elements
from grpo_symbolic.language.outputs import has_totals
from grpo_symbolic.language.statement import (
    All,
    Equivalent,
    Implies,
    Statement,
    expressions_of,
    map_expressions,
    parts_of,
)

_AT_ALL = "for what holds at every element write both(implies(a, b), implies(b, a))"
_AT_ONE = "at one element either(both(a, b), both(opposite of a, opposite of b))"


def is_generic(statement: Statement) -> bool:
    """Whether the statement is about the generic element."""
    return any(outside_totals(expression) for expression in expressions_of(statement))


def couples_elements(statement: Statement, premises: Iterable[Statement]) -> bool:
    """Whether a sum or a further element occurs, and a premise about the generic one: then other elements matter."""
    supposed = tuple(premises)
    return any(map(is_generic, supposed)) and _speaks_of_others((statement, *supposed))


def refuse_unclear_elements(statement: Statement, given: Sequence[Statement], lemmas: Sequence[Statement] = ()) -> None:
    """Refuse premises about the generic element that beside a sum could be meant at one element or at every one.

    Raises:
        DeclarationError: if an equivalence or an impossibility is about the generic element, or an implication inside
            of another statement or a hypothesis supposes something of it, and a sum over the elements or a further
            element stands in the statement, in what is given or in a lemma.
    """
    suspects = [*_outermost(statement), *(found for item in given for found in _inside(item))]
    try:
        # To carry out derivatives takes time, and hardly any statement has to be looked at.
        unclear = [(part, advice) for part, advice in suspects if is_generic(map_expressions(part, unfold))]
        stated = [map_expressions(item, unfold) for item in (statement, *given, *lemmas) if unclear]
    except UnsupportedError:
        # It is not expanded either.
        return
    if unclear and _speaks_of_others(stated):
        part, advice = unclear[0]
        raise DeclarationError(f"beside a sum, {part} could be meant at one element or at every one: {advice}")


def _outermost(statement: Statement) -> Iterator[tuple[Statement, str]]:
    """What may be unclear, and what to write instead, in a statement that is claimed."""
    match statement:
        case All(parts):
            for part in parts:
                yield from _outermost(part)
        case Implies(premise, conclusion):
            yield from _inside(premise)
            yield from _outermost(conclusion)
        case Existence(inner):
            yield from _outermost(inner)
        case Equivalent():
            yield statement, f"{_AT_ALL}, and {_AT_ONE}"
        case Impossible(condition):
            yield condition, "say of it what holds instead, such as le(x, a) in the place of never(gt(x, a))"
        case _:
            yield from _inside(statement)


def _inside(statement: Statement) -> Iterator[tuple[Statement, str]]:
    """The same in a statement that stands in another one, or is given."""
    match statement:
        case Implies(premise):
            yield premise, "write either(opposite of a, b) in the place of implies(a, b) for what holds at each element"
        case Equivalent():
            yield statement, f"write {_AT_ONE}"
        case _:
            for part in parts_of(statement):
                yield from _inside(part)


def _speaks_of_others(statements: Sequence[Statement]) -> bool:
    """Whether unfolded statements sum over elements or speak of a further one."""
    return has_totals(statements) or bool(further_elements(*expressions_of(tuple(statements))))
