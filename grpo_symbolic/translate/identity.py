"""Whether an expression is 0 by polynomial arithmetic alone, and under which conditions. See ``algebra``."""

from __future__ import annotations

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.expression import Expression, free_symbols
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.translate.algebra import Form, Polynomial, Proposals


def vanishing(
    expression: Expression, proposals: Proposals, *, where: Expression | None = None
) -> tuple[Relation, ...] | str:
    """The conditions under which an expression is 0 wherever it has a value, or why arithmetic does not see it.

    With ``where``, it is 0 at those points at which ``where`` is 0 as well: a product of all factors of the one divides
    the other.
    """
    symbols = dict.fromkeys((*free_symbols(expression), *(() if where is None else free_symbols(where))))
    try:
        form = Form(symbols, proposals)
        value = form.quotient(expression)
        zero = None if where is None else form.quotient(where)
        # Cleared when all kernels are known.
        left = form.cleared(value)
        if left == 0 or (zero is not None and _divides(form, form.cleared(zero), left)):
            return tuple(form.conditions)
    except (UndefinedError, UnsupportedError) as error:
        return str(error)
    return "polynomial arithmetic does not confirm the normal form"


def _divides(form: Form, zero: Polynomial, polynomial: Polynomial) -> bool:
    """Whether each irreducible factor of a polynomial divides another one; of one without factors, nothing follows."""
    divisor = form.context.constant(1)
    for factor, _ in form.factors(zero)[1]:
        divisor *= factor
    return not divisor.is_constant() and bool(divmod(polynomial, divisor)[1] == 0)
