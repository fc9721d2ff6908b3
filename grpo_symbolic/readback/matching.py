"""Whether what a quote says is what was typed for it: the whole, a part of it, or the same under its hypotheses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.composites import Extremum, Limit, Monotone
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Expression,
    Substitution,
    Symbol,
    as_expression,
    free_symbols,
    walk,
)
from grpo_symbolic.language.statement import All, Implies, Relation, Statement, expressions_of
from grpo_symbolic.readback.closest import MORE, Cases, closest, compared_sides
from grpo_symbolic.readback.outputs import written_out
from grpo_symbolic.readback.printed import Outcome, in_readers_terms
from grpo_symbolic.readback.properties import UNNAMED
from grpo_symbolic.readback.ranges import is_domain
from grpo_symbolic.readback.statements import Fragment
from grpo_symbolic.readback.vocabulary import leaves_out

#: Reasons of agreements.
PART = "a part of what is printed was typed"
LARGER = "typed for a larger range than is printed"
PIECE = "a piece of a side was quoted"
DEFINITION = "it defines a function that the claim uses"
UNTOLD = "the quote does not say of which function"

_Found: TypeAlias = Statement | Expression | Fragment


@dataclass(frozen=True)
class Typed:
    """The statement typed for a quote, its hypotheses, the values that they leave, and the claim it belongs to.

    ``holds`` says whether the quote is expected to hold.
    """

    statement: Statement
    hypotheses: tuple[Statement, ...]
    cases: Cases
    claim: Statement
    holds: bool = True


def left_out(found: _Found) -> bool:
    """Whether something stands in what was read that the claim does not name."""
    return any(map(leaves_out, parts_of(found)))


def parts_of(found: _Found) -> Iterator[Expression]:
    """The expressions in what was read."""
    match found:
        case Fragment(formulas):
            yield from formulas
        case Expression():
            yield found
        case _:
            yield from expressions_of(found)


def match(found: _Found, typed: Typed) -> Outcome:
    """The outcome of comparing what was read with what was typed; of several ways to compare the best one."""
    if isinstance(found, Fragment):
        return _fragment(found, typed)
    outcome = closest(found, (typed.statement, *typed.hypotheses), typed.cases)
    if outcome.status == "agrees":
        return outcome
    if isinstance(found, All) and found.parts:
        return _conjunction(found, typed) or outcome
    for other in _otherwise_said(found, typed):
        if other.status == "agrees":
            return other
    return outcome


def _conjunction(found: All, typed: Typed) -> Outcome | None:
    """All parts agree, or one says all that was typed: of a chain often one relation is, and of a list one line."""
    outcomes = [match(part, typed) for part in found.parts]
    if all(outcome.status == "agrees" for outcome in outcomes):
        more = len(_conjuncts(typed.statement)) > len(found.parts)
        reasons = dict.fromkeys(outcome.reason for outcome in outcomes if outcome.reason and outcome.reason != MORE)
        return Outcome("agrees", "; ".join([*reasons, *([MORE] if more else [])]))
    others = [part for part, outcome in zip(found.parts, outcomes, strict=True) if outcome.status != "agrees"]
    if typed.holds and any(_fails(part, typed.cases) for part in others):
        return None
    whole = [one for one in outcomes if one.status == "agrees" and MORE not in one.reason and one.reason != DEFINITION]
    return Outcome("agrees", PART) if whole else None


def _fails(part: Statement, cases: Cases) -> bool:
    """Whether an equation between quantities of the claim is wrong; a name on one side may mean anything."""
    if not isinstance(part, Relation) or part.operator != "=" or left_out(part):
        return False
    return closest(part.left, (Relation(part.right, "=", part.right),), cases).status == "differs"


def _otherwise_said(found: Statement | Expression, typed: Typed) -> Iterator[Outcome]:
    """Further ways in which a formula and a statement can say the same."""
    match found:
        case Implies(premise, conclusion):
            # "B if A" may be typed as B under the hypothesis A, and "B for all x" as B over the domain of x.
            if all(_is_known(condition, typed) for condition in _conjuncts(premise)):
                yield match(conclusion, typed)
            elif typed.holds and isinstance(conclusion, Monotone) and match(conclusion, typed).status == "agrees":
                yield Outcome("agrees", LARGER)
            if isinstance(conclusion, Relation) and isinstance(premise, Relation) and premise.operator == "=":
                yield from _at_a_value(conclusion, premise, typed)
        case Extremum(expression, symbol, at, minimum) if expression == UNNAMED:
            for part in _extrema(typed.statement):
                same = Extremum(part.expression, symbol, at, minimum)
                if compared_sides(same, part).status == "agrees":
                    yield Outcome("agrees", UNTOLD)
        case Limit(expression, symbol, point, _, None):
            yield from _divergence(expression, symbol, point, typed)
        case Relation(left, "=", right):
            yield from _defined(left, right, typed)
        case Expression() if found.children:
            yield from _pieces(found, typed)


def _at_a_value(conclusion: Relation, place: Relation, typed: Typed) -> Iterator[Outcome]:
    """What holds where a symbol has a value may be typed with the value put in."""
    if isinstance(place.left, Symbol):
        sides = [Substitution(side, place.left, place.right) for side in (conclusion.left, conclusion.right)]
        yield match(Relation(sides[0], conclusion.operator, sides[1]), typed)


def _extrema(statement: Statement) -> Iterator[Extremum]:
    if isinstance(statement, Extremum):
        yield statement
    elif isinstance(statement, All):
        for part in statement.parts:
            yield from _extrema(part)


def _is_known(condition: Statement, typed: Typed) -> bool:
    if is_domain(condition):
        return True
    premises = [typed.statement.premise] if isinstance(typed.statement, Implies) else []
    return closest(condition, (*typed.hypotheses, *premises), ()).status == "agrees"


def _conjuncts(statement: Statement) -> tuple[Statement, ...]:
    return statement.parts if isinstance(statement, All) else (statement,)


def _divergence(expression: Expression, symbol: Symbol, point: Expression, typed: Typed) -> Iterator[Outcome]:
    """To infinity as y falls to 0: larger than any M as soon as y is below a bound that M determines."""
    statement = typed.statement
    if not isinstance(statement, Relation) or statement.operator != ">" or not isinstance(statement.right, Symbol):
        return
    level = statement.right
    unbounded = level.domain.upper is None and level not in free_symbols(statement.left)
    for hypothesis in typed.hypotheses:
        if (
            isinstance(hypothesis, Relation)
            and hypothesis.operator in ("<", "<=")
            and in_readers_terms(hypothesis.left) == symbol
            and symbol not in free_symbols(hypothesis.right)
            and point == as_expression(0)
            and unbounded
        ):
            yield compared_sides(expression, in_readers_terms(statement.left))


def _defined(left: Expression, right: Expression, typed: Typed) -> Iterator[Outcome]:
    """An equation that says what a function is which the claim uses."""
    used = {node.definition for item in expressions_of(typed.claim) for node in walk(item) if isinstance(node, Call)}
    known = isinstance(left, Call) and left.definition in used and left.definition not in _called(right)
    if known and compared_sides(right, in_readers_terms(unfold(left))).status == "agrees":
        yield Outcome("agrees", DEFINITION)


def _called(expression: Expression) -> set[object]:
    return {node.definition for node in walk(expression) if isinstance(node, Call)}


def _pieces(found: Expression, typed: Typed) -> Iterator[Outcome]:
    """A piece of what was typed, such as a denominator, or a term with its sign."""
    symbols = set(free_symbols(found))
    for statement in (typed.statement, *typed.hypotheses):
        for item in expressions_of(statement):
            for piece in _signed_pieces(item):
                if symbols <= set(free_symbols(written_out(piece))):
                    outcome = compared_sides(found, written_out(piece))
                    if outcome.status == "agrees":
                        yield Outcome("agrees", PIECE)
                        return


def _signed_pieces(expression: Expression) -> Iterator[Expression]:
    """The parts of an expression that have parts, terms with the sign before them."""
    if not expression.children:
        return
    yield expression
    match expression:
        case Apply("add", (left, right)):
            yield from _signed_pieces(left)
            yield from _signed_pieces(right)
        case Apply("subtract", (left, right)):
            yield from _signed_pieces(left)
            yield from _signed_pieces(-right)
        case Apply("negate", (inner,)):
            yield from (piece for child in inner.children for piece in _signed_pieces(child))
        case _:
            yield from (piece for child in expression.children for piece in _signed_pieces(child))


def _fragment(found: Fragment, typed: Typed) -> Outcome:
    """Several formulas are sides of the parts that were typed, in this order; a condition is a hypothesis."""
    parts = _conjuncts(typed.statement)
    known = found.condition is None or all(_is_known(one, typed) for one in _conjuncts(found.condition))
    if not known or (len(found.formulas) > 1 and len(found.formulas) != len(parts)):
        return Outcome("differs", "other formulas or conditions", ", ".join(map(str, found.formulas)))
    outcomes = [closest(formula, (part,), typed.cases) for formula, part in zip(found.formulas, parts, strict=False)]
    return min(outcomes, key=lambda outcome: ("differs", "not read", "agrees").index(outcome.status))
