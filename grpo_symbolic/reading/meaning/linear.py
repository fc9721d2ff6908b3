"""Sums of products, multiplied out: what an operator that is linear in what it covers takes apart."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from grpo_symbolic.language.expression import Apply, Expression, Number

#: Most terms into which a product of sums is multiplied out.
MAX_PARTS = 60

Term = tuple[Fraction, tuple[Expression, ...]]


class TooManyTerms(Exception):  # noqa: N818 - told to the caller, who refuses the formula
    """A product of sums has more than ``MAX_PARTS`` terms."""


def terms(expression: Expression) -> dict[tuple[Expression, ...], Fraction]:
    """A sum of products of things that are no sums, each in the order in which it is printed, with its number.

    Raises:
        TooManyTerms: as its name says.
    """
    found: dict[tuple[Expression, ...], Fraction] = {}
    for factor, product in every_term(expression):
        found[product] = found.get(product, Fraction(0)) + factor
    return {product: factor for product, factor in found.items() if factor}


def every_term(expression: Expression) -> list[Term]:
    """The products of which an expression is the sum, equal ones apart; the error is that of ``terms``."""
    match expression:
        case Number(value):
            return [(value, ())]
        case Apply("add", (left, right)):
            return [*every_term(left), *every_term(right)]
        case Apply("subtract", (left, right)):
            return [*every_term(left), *((-factor, product) for factor, product in every_term(right))]
        case Apply("negate", (inner,)):
            return [(-factor, product) for factor, product in every_term(inner)]
        case Apply("multiply", (left, right)):
            return list(_products(every_term(left), every_term(right)))
        case Apply("divide", (above, Number(value))) if value:
            return [(factor / value, product) for factor, product in every_term(above)]
        case Apply("divide", (above, below)) if above != Number(Fraction(1)):
            inverse: list[Term] = [(Fraction(1), (Number(Fraction(1)) / below,))]
            return list(_products(every_term(above), inverse))
        case Apply("power", (base, Number(value))) if value.denominator == 1 and 2 <= value <= 4:
            result = every_term(base)
            for _ in range(int(value) - 1):
                result = list(_products(result, every_term(base)))
            return result
    return [(Fraction(1), (expression,))]


def _products(left: list[Term], right: list[Term]) -> Iterator[Term]:
    if len(left) * len(right) > MAX_PARTS:
        raise TooManyTerms
    for first, one in left:
        for second, other in right:
            yield first * second, one + other
