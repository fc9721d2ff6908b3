"""Whether an expression is 0 by polynomial arithmetic alone, and under which conditions. See ``algebra``."""

from __future__ import annotations

from grpo_symbolic.language.expression import Expression, free_symbols
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.translate.algebra import Form, Proposals


def vanishing(
    expression: Expression, proposals: Proposals, *, where: Expression | None = None
) -> tuple[Relation, ...] | None:
    """Conditions under which the expression is 0 at all points at which it has a value; None if this is not seen.

    With ``where``, it is 0 at those points at which ``where`` is 0 as well: a product of all factors of the one divides
    the other.

    Raises:
        UndefinedError, UnsupportedError: if an expression has no form, or a proposal does not fit.
    """
    symbols = dict.fromkeys((*free_symbols(expression), *(() if where is None else free_symbols(where))))
    form = Form(symbols, proposals)
    numerator = form.cleared(form.quotient(expression))
    if numerator == 0:
        return tuple(form.conditions)
    if where is None:
        return None
    divisor = form.context.constant(1)
    for factor, _ in form.factors(form.cleared(form.quotient(where)))[1]:
        divisor *= factor
    return tuple(form.conditions) if divmod(numerator, divisor)[1] == 0 else None
