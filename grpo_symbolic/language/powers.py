"""Powers whose exponent is no number, and the exponentials that they mean."""

from __future__ import annotations

from grpo_symbolic.language.expression import Apply, Expression


def as_exponential(base: Expression, exponent: Expression) -> Expression:
    """What a power means whose exponent is no number."""
    return Apply("exp", (exponent * Apply("log", (base,)),))


def as_power(expression: Expression) -> tuple[Expression, Expression] | None:
    """Base and exponent of what ``as_exponential`` makes of a power; None for anything else."""
    match expression:
        case Apply("exp", (Apply("multiply", (exponent, Apply("log", (base,)))),)):
            return base, exponent
        case _:
            return None
