"""Operations that compute the next line of a derivation. A CAS proposes it; the checks decide it.

Each takes and returns our own expressions. Nothing here awards a verdict: a line that comes from here
is a step like any other, with every denominator, radicand and logarithm it may have cancelled checked.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.calculus import ZERO, unfold
from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.language.relations import difference
from grpo_symbolic.language.statement import Relation, eq
from grpo_symbolic.language.vocabulary import sqrt
from grpo_symbolic.translate.cas import Bridge


def simplified(expression: Expression) -> Expression:
    """One fraction in lowest terms, factored; derivatives carried out."""
    return _propose(expression, lambda term, _: sympy.factor(sympy.cancel(sympy.together(term))))


def expanded(expression: Expression, symbol: Symbol) -> Expression:
    """Multiplied out and collected by powers of ``symbol``."""
    return _propose(expression, lambda term, bridge: sympy.collect(sympy.expand(term), bridge.to_sympy(symbol)))


def numerator(expression: Expression) -> Expression:
    """The numerator of the expression as one fraction in lowest terms."""
    return _propose(expression, lambda term, _: sympy.fraction(sympy.cancel(sympy.together(term)))[0])


def denominator(expression: Expression) -> Expression:
    """The denominator of the expression as one fraction in lowest terms."""
    return _propose(expression, lambda term, _: sympy.factor(sympy.fraction(sympy.cancel(sympy.together(term)))[1]))


def cleared(relation: Relation, symbol: Symbol) -> Relation:
    """The equation multiplied by its denominators: a polynomial in ``symbol``, collected, equal to 0."""
    return eq(expanded(numerator(difference(relation)), symbol), ZERO)


def coefficients(expression: Expression, symbol: Symbol) -> tuple[Expression, ...]:
    """The coefficients of a polynomial in ``symbol``, constant term first.

    Raises:
        UnsupportedError: if the expression is not a polynomial in the symbol.
    """
    bridge = Bridge()
    term = sympy.expand(bridge.to_sympy(expression))
    try:
        polynomial = sympy.Poly(term, bridge.to_sympy(symbol))
    except sympy.PolynomialError as error:
        raise UnsupportedError(f"{expression} is not a polynomial in {symbol}") from error
    return tuple(bridge.from_sympy(sympy.factor(item)) for item in reversed(polynomial.all_coeffs()))


def monic(relation: Relation, symbol: Symbol) -> Relation:
    """A polynomial equation divided by its leading coefficient."""
    leading = coefficients(difference(relation), symbol)[-1]
    return eq(expanded(difference(relation) / leading, symbol), ZERO)


def quadratic_roots(relation: Relation, symbol: Symbol) -> tuple[Expression, Expression]:
    """Both roots of a quadratic equation in ``symbol``, the one with the minus sign first.

    Raises:
        DeclarationError: if the equation is not quadratic in the symbol.
    """
    parts = coefficients(difference(relation), symbol)
    if len(parts) != 3:
        raise DeclarationError(f"{relation} is not quadratic in {symbol}")
    constant, linear, leading = parts
    radical = sqrt(simplified(linear**2 - 4 * leading * constant))
    middle, twice = simplified(-linear), simplified(2 * leading)
    return (middle - radical) / twice, (middle + radical) / twice


def linear_root(relation: Relation, symbol: Symbol) -> Expression:
    """The root of an equation that is linear in ``symbol`` once its denominators are cleared.

    Raises:
        DeclarationError: if it is not linear in the symbol.
    """
    parts = coefficients(numerator(difference(relation)), symbol)
    if len(parts) != 2:
        raise DeclarationError(f"{relation} is not linear in {symbol}")
    return simplified(-parts[0] / parts[1])


def _propose(expression: Expression, operation: Callable[[sympy.Expr, Bridge], sympy.Expr]) -> Expression:
    bridge = Bridge()
    return bridge.from_sympy(operation(bridge.to_sympy(unfold(expression)), bridge))
