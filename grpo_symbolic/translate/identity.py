"""Whether an expression is 0 by polynomial arithmetic alone, and under which conditions. See ``algebra``."""

from __future__ import annotations

from dataclasses import dataclass

from grpo_symbolic.language.expression import Expression, free_symbols
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.translate.algebra import Form, Proposals


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
    value, divisor = form.quotient(expression), form.context.constant(1)
    zero = None if where is None else form.quotient(where)
    if form.cleared(value) != 0:
        if zero is None:
            return None
        for factor, _ in form.factors(form.cleared(zero))[1]:
            divisor *= factor
        if divmod(form.cleared(value), divisor)[1] != 0:
            return None
    return Identity(tuple(form.conditions), tuple(form.values))
