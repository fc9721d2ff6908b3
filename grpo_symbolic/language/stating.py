"""How an author states things: short constructors for statements that are not relations."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from grpo_symbolic.language.composites import Existence, Impossible, Limit, Monotone
from grpo_symbolic.language.expression import Expression, Scalar, Symbol, as_expression
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Statement


def both(*parts: Statement) -> All:
    """Every part holds."""
    return All(parts)


def either(*parts: Statement) -> Any:
    """At least one part holds."""
    return Any(parts)


def implies(premise: Statement, conclusion: Statement) -> Implies:
    """The conclusion holds wherever the premise does."""
    return Implies(premise, conclusion)


def iff(left: Statement, right: Statement) -> Equivalent:
    """Both statements hold at the same points."""
    return Equivalent(left, right)


def increasing(expression: Expression, symbol: Symbol) -> Monotone:
    """The expression is strictly increasing in the symbol."""
    return Monotone(expression, symbol, True)


def decreasing(expression: Expression, symbol: Symbol) -> Monotone:
    """The expression is strictly decreasing in the symbol."""
    return Monotone(expression, symbol, False)


def tends_to(
    expression: Expression,
    value: Scalar | None,
    symbol: Symbol,
    *,
    to: Scalar | None,
    side: str,
    constant: Scalar,
    exponent: int | Fraction = 1,
    near: Scalar | None = None,
) -> Limit:
    """A limit with an explicit rate; ``value=None`` means +infinity, ``to=None`` with side "oo" infinity."""
    point = as_expression(0 if to is None else to)
    target = None if value is None else as_expression(value)
    close = None if near is None else as_expression(near)
    return Limit(expression, symbol, point, side, target, as_expression(constant), Fraction(exponent), close)


def never(condition: Statement) -> Impossible:
    """The condition holds nowhere: the other half of a proof by contradiction, or that there is no such point."""
    return Impossible(condition)


def instance(statement: Statement, at: Mapping[Symbol, Scalar]) -> Existence:
    """The statement holds at these values: a claim of existence that shows its witness."""
    return Existence(statement, tuple((symbol, as_expression(value)) for symbol, value in at.items()))
