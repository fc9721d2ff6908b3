"""Operations that compute the next line of a derivation. A CAS proposes it; the checks decide it.

Each takes and returns our own expressions. Nothing here awards a verdict: a line that comes from here
is a step like any other, with every denominator, radicand and logarithm it may have cancelled checked.

The CAS takes as long to import as many lines take to propose, so it is imported when it is asked, and what it proposed
may be kept (``keeping``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from grpo_symbolic.cache.store import Json
from grpo_symbolic.derivation.keeping import kept
from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.calculus import ZERO, unfold
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_symbols
from grpo_symbolic.language.relations import difference
from grpo_symbolic.language.statement import Relation, eq
from grpo_symbolic.language.vocabulary import sqrt
from grpo_symbolic.translate.tree import Tree, expression_tree

if TYPE_CHECKING:
    import sympy


def simplified(expression: Expression) -> Expression:
    """One fraction in lowest terms, factored; derivatives carried out."""
    return _proposed("simplified", expression, lambda cas, term, _: cas.factor(cas.cancel(cas.together(term))))


def expanded(expression: Expression, symbol: Symbol) -> Expression:
    """Multiplied out and collected by powers of ``symbol``."""
    return _proposed("expanded", expression, lambda cas, term, by: cas.collect(cas.expand(term), by), symbol)


def numerator(expression: Expression) -> Expression:
    """The numerator of the expression as one fraction in lowest terms."""
    return _proposed("numerator", expression, lambda cas, term, _: cas.fraction(cas.cancel(cas.together(term)))[0])


def cleared(relation: Relation, symbol: Symbol) -> Relation:
    """The equation multiplied by its denominators: a polynomial in ``symbol``, collected, equal to 0."""
    return eq(expanded(numerator(difference(relation)), symbol), ZERO)


def coefficients(expression: Expression, symbol: Symbol) -> tuple[Expression, ...]:
    """The coefficients of a polynomial in ``symbol``, constant term first.

    Raises:
        UnsupportedError: if the expression is not a polynomial in the symbol.
    """

    def ask() -> list[Expression]:
        import sympy

        from grpo_symbolic.translate.cas import Bridge

        bridge = Bridge()
        term = sympy.expand(bridge.to_sympy(expression))
        try:
            polynomial = sympy.Poly(term, bridge.to_sympy(symbol))
        except sympy.PolynomialError as error:
            raise UnsupportedError(f"{expression} is not a polynomial in {symbol}") from error
        return [bridge.from_sympy(sympy.factor(item)) for item in reversed(polynomial.all_coeffs())]

    return tuple(_kept("coefficients", expression, symbol, ask))


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


def _proposed(
    name: str,
    expression: Expression,
    operation: Callable[[Any, sympy.Expr, sympy.Expr | None], sympy.Expr],
    symbol: Symbol | None = None,
) -> Expression:
    def ask() -> list[Expression]:
        import sympy

        from grpo_symbolic.translate.cas import Bridge

        bridge = Bridge()
        term = bridge.to_sympy(unfold(expression))
        return [bridge.from_sympy(operation(sympy, term, None if symbol is None else bridge.to_sympy(symbol)))]

    (found,) = _kept(name, expression, symbol, ask)
    return found


def _kept(
    name: str, expression: Expression, symbol: Symbol | None, ask: Callable[[], list[Expression]]
) -> Sequence[Expression]:
    """What was proposed when the same was asked before, or what is proposed now."""
    known = (*free_symbols(expression), *(() if symbol is None else (symbol,)))
    named = {one.name: one for one in known}
    if len(named) != len(dict.fromkeys(known)):
        return ask()
    made: list[Expression] = []

    def trees() -> Json:
        made.extend(ask())
        found = list(map(expression_tree, made))
        try:
            same = [_expression(tree, named) for tree in found] == made
        except (DeclarationError, ValueError):  # it has something else than numbers, symbols and operators
            return None
        return cast("Json", found) if same else None

    found = kept("proposal", (name, expression, symbol), trees)
    return made or [_expression(tree, named) for tree in cast("list[Tree]", found)]


def _expression(tree: Tree, named: Mapping[str, Symbol]) -> Expression:
    """The expression of a tree of numbers, symbols and operators.

    Raises:
        DeclarationError: for an operator that there is not.
        ValueError: for a text that is neither a symbol nor a number.
    """
    match tree:
        case str() if tree in named:
            return named[tree]
        case int() | str():
            return Number(Fraction(tree))
        case [str() as operator, *operands]:
            return Apply(operator, tuple(_expression(operand, named) for operand in operands))
    raise ValueError(f"{tree} is no expression")
