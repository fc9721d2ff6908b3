"""What is counted only where something does not vanish: sums over a support, and 0 log 0 = 0.

The deciding methods have no word for it: ``obligations.support`` tells the cases apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.composites import Existence, Impossible, Summed, TermOfTotal
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Expression,
    Number,
    Scalar,
    Symbol,
    Total,
    as_expression,
)
from grpo_symbolic.language.inside import holds, nodes_of
from grpo_symbolic.language.statement import Relation, Statement, combined, expressions_of, gt, ne


@dataclass(frozen=True, repr=False)
class Supported(Expression):
    """``body`` where ``on`` is not 0, and 0 where it is, whether or not the body has a value there.

    This is Iverson's bracket, [on != 0] body, in which a bracket that is 0 is 0 times anything (D. E. Knuth, Two notes
    on notation, 1992). So [p != 0] p log p is the entropy of an output, also of one that is never given.
    """

    form = "[{0.on} != 0] {0.body}"
    parts = ("body", "on")

    body: Expression
    on: Expression

    @property
    def bracket(self) -> Relation:
        """Where the body counts: where ``on`` is positive if it plainly is nowhere negative."""
        return gt(self.on, 0) if _is_nonnegative(self.on) else ne(self.on, 0)


def on_support(of: Scalar, body: Scalar) -> Supported:
    """``body`` where ``of`` is not 0, and else 0, such as ``on_support(p, p * log(p / q))`` or a sum over a support."""
    return Supported(as_expression(body), as_expression(of))


def has_brackets(*expressions: Expression) -> bool:
    """Whether something in expressions, or in functions that they name, counts only where something does not vanish."""
    return holds(Supported, expressions) or any(
        has_brackets(node.definition.body) for node in nodes_of(Call, *expressions)
    )


def is_positive(expression: Expression) -> bool:
    """Whether an expression plainly has a value, and a positive one, wherever its symbols are in their domains."""
    match expression:
        case Number(value):
            return value > 0
        case Symbol(domain=domain):
            return domain.lower is not None and (domain.lower > 0 or (domain.lower == 0 and not domain.lower_closed))
        case Apply("exp" | "cosh", (inner,)):
            return is_finite(inner)
        case Apply("add" | "multiply" | "divide", operands):
            return all(map(is_positive, operands))
        case Apply("sqrt", (inner,)) | Apply("power", (inner, Number())):
            return is_positive(inner)
        case Total(body):
            return is_positive(body)
        case Call():
            return is_positive(expression.value)
        case _:
            return False


def is_finite(expression: Expression) -> bool:
    """Whether an expression plainly has a value wherever its symbols are in their domains."""
    match expression:
        case Number() | Symbol():
            return True
        case Apply("add" | "subtract" | "multiply" | "negate" | "absolute" | "exp" | "cosh", operands):
            return all(map(is_finite, operands))
        case Apply("power", (base, Number(exponent))) if exponent.denominator == 1 and exponent > 0:
            return is_finite(base)
        case Apply("divide", (above, below)):
            return is_finite(above) and is_positive(below)
        case Apply("log", (inner,)):
            return is_positive(inner)
        case Total(body):
            return is_finite(body)
        case Call():
            return is_finite(expression.value)
        case _:
            return is_positive(expression)


def _is_nonnegative(expression: Expression) -> bool:
    match expression:
        case Symbol(domain=domain):
            return domain.lower is not None and domain.lower >= 0
        case Apply("add" | "multiply", operands):
            return all(map(_is_nonnegative, operands))
        case Apply("divide", (above, below)):
            return _is_nonnegative(above) and is_positive(below)
        case _:
            return is_positive(expression)


def refuse_brackets(statement: Statement) -> None:
    """Refuse what may jump where something vanishes in statements that rest on slopes or on continuity.

    Raises:
        DeclarationError: if such a statement counts something only on a support.
    """
    match statement:
        case Existence(inner, _) | Impossible(inner):
            refuse_brackets(inner)
            return
        case Relation() | Summed() | TermOfTotal():
            return
    parts = combined(statement)
    if parts is not None:
        for part in parts:
            refuse_brackets(part)
    elif has_brackets(*expressions_of(statement)):
        said = ", ".join(map(str, filter(has_brackets, expressions_of(statement))))
        raise DeclarationError(f"{said} may jump where what it counts on vanishes: only relations can be stated of it")
