"""Factorials and in how many ways some of several members can be chosen."""

from __future__ import annotations

from grpo_symbolic.language.expression import Apply, Expression, Scalar, as_expression


def factorial(number: Scalar) -> Apply:
    """The product of the whole numbers from 1 to a number, by the gamma function: it has a value from 0 on."""
    return Apply("gamma", (as_expression(number) + 1,))


def binomial(members: Scalar, chosen: Scalar) -> Expression:
    """In how many ways some members can be chosen; it has a value where these are no more than there are."""
    top, bottom = as_expression(members), as_expression(chosen)
    return factorial(top) / (factorial(bottom) * factorial(top - bottom))


def as_binomial(expression: Expression) -> tuple[Expression, Expression] | None:
    """What ``binomial`` was made of; None for anything else."""
    match expression:
        case Apply("divide", (above, Apply("multiply", (below, _)))):
            top, bottom = _factorial_of(above), _factorial_of(below)
            if top is not None and bottom is not None and expression == binomial(top, bottom):
                return top, bottom
    return None


def _factorial_of(expression: Expression) -> Expression | None:
    match expression:
        case Apply("gamma", (Apply("add", (number, _)),)):
            return number
        case _:
            return None
