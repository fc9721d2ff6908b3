"""Whether an expression is 0 by polynomial arithmetic alone, and under which conditions. See ``algebra``."""

from __future__ import annotations

from dataclasses import dataclass

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.expression import Expression, free_symbols
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.translate.algebra import Form, Polynomial, Proposals


@dataclass(frozen=True)
class Identity:
    """An expression is 0 wherever it has a value, factors have these ``signs``, and their parts have ``values``."""

    signs: tuple[Relation, ...]
    values: tuple[Relation, ...]


def vanishing(expression: Expression, proposals: Proposals, *, where: Expression | None = None) -> Identity | None:
    """That an expression is 0, as far as polynomial arithmetic sees it; None if it does not.

    With ``where``, it is 0 at those points at which ``where`` is 0 as well: a product of all factors of the one divides
    the other.

    Raises:
        UndefinedError, UnsupportedError: if an expression has no form, or a proposal does not fit.
    """
    symbols = dict.fromkeys((*free_symbols(expression), *(() if where is None else free_symbols(where))))
    form = Form(symbols, proposals)
    value = form.quotient(expression)
    zero = None if where is None else form.quotient(where)
    if form.cleared(value) != 0 and not (zero is not None and _divides(form, form.cleared(zero), form.cleared(value))):
        return None
    return Identity(tuple(form.conditions), tuple(form.values))


def shown_under(
    expression: Expression, proposals: Proposals, *, where: Expression | None = None
) -> tuple[Relation, ...] | str:
    """All conditions under which an expression is 0, or why ``vanishing`` does not show it."""
    try:
        identity = vanishing(expression, proposals, where=where)
    except (UndefinedError, UnsupportedError) as error:
        return str(error)
    if identity is None:
        return "polynomial arithmetic does not confirm the normal form"
    return (*identity.signs, *identity.values)


def _divides(form: Form, zero: Polynomial, polynomial: Polynomial) -> bool:
    """Whether each irreducible factor of a polynomial divides another one; of one without factors, nothing follows."""
    divisor = form.context.constant(1)
    for factor, _ in form.factors(zero)[1]:
        divisor *= factor
    return not divisor.is_constant() and bool(divmod(polynomial, divisor)[1] == 0)
