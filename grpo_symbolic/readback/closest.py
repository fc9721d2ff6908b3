"""Which part of what was typed a formula prints, and whether it says the same, perhaps only under the hypotheses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.composites import Extremum, Summed, UniqueRoot
from grpo_symbolic.language.expression import (
    Apply,
    Derivative,
    Expression,
    Number,
    Symbol,
    free_symbols,
    substitute,
    walk,
)
from grpo_symbolic.language.folding import mirrored
from grpo_symbolic.language.statement import All, Equivalent, Implies, Relation, Statement, expressions_of
from grpo_symbolic.readback.given import put
from grpo_symbolic.readback.printed import AGREES, Outcome, compared, in_readers_terms
from grpo_symbolic.readback.properties import CONSTANT
from grpo_symbolic.readback.vocabulary import leaves_out

#: The reason of an agreement of which only one side could be compared.
ONE_SIDE = "one side was compared; the other one names what the claim writes out"
#: Further reasons of agreements.
UNDER = "where the hypotheses hold"
MORE = "more was typed than is printed"

#: For each case that hypotheses leave, the values of symbols in it.
Cases: TypeAlias = Sequence[Mapping[Symbol, Expression]]


def closest(found: Statement | Expression, typed: Sequence[Statement], cases: Cases) -> Outcome:
    """The best outcome over the parts of what was typed that a formula can print.

    Where the formulas are not the same everywhere, they are compared where the hypotheses hold, in all ``cases``.
    """
    outcomes: list[Outcome] = []
    for other, whole in _choices(typed):
        outcome = _compared_somewhere(found, in_readers_terms(other), cases)
        if outcome.status == "agrees":
            return outcome if whole else Outcome("agrees", MORE)
        outcomes.append(outcome)
    return min(outcomes, key=lambda outcome: outcome.status != "differs", default=Outcome("not read", "words"))


def _compared_somewhere(found: Statement | Expression, typed: Statement | Expression, cases: Cases) -> Outcome:
    if any(cases) and _indicates(found):
        # An indicator of a value vanishes at nearly all points, where everything it multiplies looks the same.
        return _compared_under(found, typed, cases) or Outcome("differs", "where the hypotheses hold", str(found))
    outcome = compared_sides(found, typed)
    if outcome.status == "differs" and any(cases):
        return _compared_under(found, typed, cases) or outcome
    return outcome


def _indicates(found: Statement | Expression) -> bool:
    parts = [found] if isinstance(found, Expression) else expressions_of(found)
    return any(isinstance(node, Apply) and node.operator == "sign" for part in parts for node in walk(part))


def _choices(typed: Sequence[Statement]) -> Iterator[tuple[Statement | Expression, bool]]:
    """What was typed and its parts that a paper may print by one formula, and whether that is all of it."""
    for statement in typed:
        for other in _candidates(statement):
            yield other, True
            if isinstance(other, All):
                yield from ((inner, False) for part in other.parts for inner in _candidates(part))


def _candidates(typed: Statement | Expression) -> Iterator[Statement | Expression]:
    yield typed
    match typed:
        case Implies(premise, conclusion) | Summed(premise, _, conclusion, _) | Equivalent(premise, conclusion):
            yield from _candidates(conclusion)
            yield from _candidates(premise)
        case UniqueRoot(symbol, condition, root):
            yield Relation(symbol, "=", root)
            yield from _candidates(condition)
        case Extremum(expression, symbol, at, minimum):
            # f(x) <= f(c) for every x.
            yield Relation(expression, ">=" if minimum else "<=", substitute(expression, {symbol: at}))
        case Relation(Derivative(difference, _), "=", Number(value)) if value == 0 and len(difference.children) == 2:
            # Equal up to a constant.
            yield Relation(difference.children[0], "=", difference.children[1] + CONSTANT)
        case Relation(left, operator, right):
            yield right
            yield left
            if operator == "=":
                yield Relation(right, operator, left)


def _compared_under(found: Statement | Expression, typed: Statement | Expression, cases: Cases) -> Outcome | None:
    """The agreement of two formulas in all cases that the hypotheses leave; ``None`` if there is none."""
    try:
        outcomes = [compared_sides(put(found, case), put(_carried_out(typed), case)) for case in cases]
    except GrpoSymbolicError:
        return None
    return Outcome("agrees", UNDER) if all(outcome.status == "agrees" for outcome in outcomes) else None


def _carried_out(typed: Statement | Expression) -> Statement | Expression:
    """With derivatives carried out, below which nothing can be replaced."""
    match typed:
        case Expression():
            return unfold(typed)
        case Relation(left, operator, right):
            return Relation(unfold(left), operator, unfold(right))
        case _:
            return typed


def compared_sides(found: Statement | Expression, typed: Statement | Expression) -> Outcome:
    """Compare a formula with a typed one; one side of an equation may be a name for what was typed there."""
    outcome = compared(found, typed, strict=False)
    if outcome.status == "agrees" or not (isinstance(found, Relation) and isinstance(typed, Relation)):
        return outcome
    named = _named_side(found, typed)
    return outcome if named is None else named


def _named_side(found: Relation, typed: Relation) -> Outcome | None:
    """The comparison of the other sides, where one side printed is a name for what was typed there."""
    if found.operator != typed.operator:
        typed = mirrored(typed)
    if found.operator != typed.operator:
        return None
    known = {*free_symbols(typed.left), *free_symbols(typed.right)}
    for name, other, wanted in ((found.left, found.right, typed.right), (found.right, found.left, typed.left)):
        # A mere number or symbol on the other side would agree with too much.
        named = (isinstance(name, Symbol) and name not in known) or leaves_out(name)
        if named and other.children and wanted.children and compared(other, wanted, strict=False) == AGREES:
            return Outcome("agrees", ONE_SIDE)
    return None
