"""Where a statement changes its formula: the zeros inside of signs and absolute values, and the edges of conditions.

Random points miss what fails only where two cases meet, so points there and next to there belong to every sample.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Apply, Expression, Number, Total, free_symbols, rebuild, walk
from grpo_symbolic.language.inside import holds, kinds_in
from grpo_symbolic.language.statement import (
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    eq,
    expressions_of,
)
from grpo_symbolic.translate.arithmetics import certain_sign, exact_values
from grpo_symbolic.translate.program import Point, Program

#: How far from a break its two sides are looked at.
_ASIDE = Fraction(1, 10**6)
#: The operators that change their formulas.
_BREAKING = frozenset(("sign", "absolute", "maximum", "minimum"))
#: Bits of the balls that tell a sign.
_BITS = 64
#: Breaks that are looked at one by one, and that are looked at all at once.
_MOST, _FEW = 8, 3


def break_equations(hypotheses: Iterable[Statement], conclusion: Statement) -> tuple[tuple[Relation, ...], ...]:
    """For each break the equation of its points, of points on one side of it and of points on the other.

    Each item holds what has to hold together; where there are a few breaks, the last one is all of them at once.
    """
    statements = (*hypotheses, conclusion)
    inner = [zero for statement in statements for side in expressions_of(statement) for zero in _kinks(side)]
    inner += [relation.left - relation.right for relation in _conditions(conclusion)]
    moving = dict.fromkeys(factor for zero in inner for factor in _factors(zero) if free_symbols(factor))
    single = [(eq(zero, Number(aside)),) for zero in moving for aside in (Fraction(0), _ASIDE, -_ASIDE)]
    together = [tuple(eq(zero, Number(Fraction(0))) for zero in moving)] if 1 < len(moving) <= _FEW else []
    return (*single[: 3 * _MOST], *together)


def _factors(expression: Expression) -> Iterator[Expression]:
    """What has to vanish for an expression to vanish: each factor of a product that can."""
    match expression:
        case Apply("multiply", (left, right)):
            yield from _factors(left)
            yield from _factors(right)
        case Apply("subtract", (other, Number(value)) | (Number(value), other)) if value == 0:
            yield from _factors(other)
        case Apply("divide" | "negate" | "power" | "absolute" | "sign" | "sqrt", (first, *_)):
            yield from _factors(first)
        case Apply("exp" | "cosh" | "gamma", _):
            return
        case _:
            yield expression


def with_exact_signs(expression: Expression, point: Point) -> Expression:
    """The expression with numbers in the place of those signs that exact arithmetic tells at a point."""
    # Most expressions have none, and building one anew costs more than looking at it.
    if not holds("sign", (expression,)):
        return expression
    match expression:
        case Apply("sign", (inner,)):
            known = _sign(inner, point)
            return expression if known is None else Number(Fraction(known))
        case Total() | Binder():
            return expression  # a sign differs from output to output
        case _:
            return rebuild(expression, tuple(with_exact_signs(child, point) for child in expression.children))


def _sign(expression: Expression, point: Point) -> int | None:
    """The sign of an expression at a point, None if it is not certain."""
    exact = exact_values(Program((expression,)), point)
    if exact is not None:
        return (exact[0] > 0) - (exact[0] < 0)
    match expression:
        case Apply("multiply", (left, right)):
            first, second = _sign(left, point), _sign(right, point)
            return None if first is None or second is None else first * second
        case _:
            return certain_sign(Program((expression, Number(Fraction(0)))), point, _BITS)


def _kinks(expression: Expression) -> Iterator[Expression]:
    """What vanishes where a sign, an absolute value, a maximum or a minimum changes its formula."""
    if kinds_in(expression).isdisjoint(_BREAKING):
        return
    for node in walk(expression):
        match node:
            case Binder():
                return  # its variable is bound
            case Apply("sign" | "absolute", (inner,)):
                yield inner
            case Apply("maximum" | "minimum", (left, right)):
                yield left - right


def _conditions(statement: Statement) -> Iterator[Relation]:
    """The relations on which it depends what a statement says."""
    match statement:
        case All(parts):
            for part in parts:
                yield from _conditions(part)
        case Any(parts):
            for part in parts:
                yield from _relations(part)
        case Implies(premise, conclusion):
            yield from _relations(premise)
            yield from _conditions(conclusion)
        case Equivalent():
            yield from _relations(statement)


def _relations(statement: Statement) -> Iterator[Relation]:
    match statement:
        case Relation():
            yield statement
        case All(parts) | Any(parts):
            for part in parts:
                yield from _relations(part)
        case Implies(left, right) | Equivalent(left, right):
            yield from _relations(left)
            yield from _relations(right)
