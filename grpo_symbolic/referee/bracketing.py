"""Brackets where they may have been lost, or closed too early or too late: the same signs in another order."""

from __future__ import annotations

from collections.abc import Iterator

from grpo_symbolic.language.expression import Apply, Expression

_FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tanh", "sinh", "cosh", "arctan", "gamma")


def bracketed_otherwise(expression: Expression) -> Iterator[Expression]:
    """What prints like the expression, but for one pair of brackets that is put, taken away or closed elsewhere."""
    match expression:
        case Apply("add" | "subtract" as operator, (left, right)):
            yield from _around(operator, left, right)
        case Apply("multiply" | "divide" as operator, (Apply("add" | "subtract" as inner, (left, right)), factor)):
            yield Apply(inner, (left, Apply(operator, (right, factor))))
            yield from _in_product(operator, expression)
        case Apply("multiply" | "divide" as operator, (factor, Apply("add" | "subtract" as inner, (left, right)))):
            yield Apply(inner, (Apply(operator, (factor, left)), right))
        case Apply("multiply" | "divide" as operator, _):
            yield from _in_product(operator, expression)
        case Apply("power", (Apply("add" | "subtract" as inner, (left, right)), exponent)):
            yield Apply(inner, (left, Apply("power", (right, exponent))))
        case Apply("power", (Apply("multiply" | "divide" as inner, (left, right)), exponent)):
            yield Apply(inner, (left, Apply("power", (right, exponent))))
        case Apply(function, (Apply("add" | "subtract" | "multiply" | "divide" as inner, (left, right)),)) if (
            function in _FUNCTIONS
        ):
            yield Apply(inner, (Apply(function, (left,)), right))


def _around(operator: str, left: Expression, right: Expression) -> Iterator[Expression]:
    """Brackets around a sum, which end at a factor, a power or a function beside it."""
    match right:
        case Apply("multiply" | "divide" as outer, (first, second)):
            yield Apply(outer, (Apply(operator, (left, first)), second))
        case Apply("power", (base, exponent)):
            yield Apply("power", (Apply(operator, (left, base)), exponent))
        case Apply("add" | "subtract" as inner, (first, second)):
            yield Apply(inner, (Apply(operator, (left, first)), second))
    match left:
        case Apply("multiply" | "divide" as outer, (first, second)):
            yield Apply(outer, (first, Apply(operator, (second, right))))
        case Apply("add" | "subtract" as inner, (first, second)):
            yield Apply(inner, (first, Apply(operator, (second, right))))
            if isinstance(right, Apply) and right.operator in ("multiply", "divide"):
                factor, rest = right.children
                yield Apply(inner, (first, Apply(right.operator, (Apply(operator, (second, factor)), rest))))
        case Apply(function, (inside,)) if function in _FUNCTIONS:
            yield Apply(function, (Apply(operator, (inside, right)),))


def _in_product(operator: str, expression: Expression) -> Iterator[Expression]:
    """A function that takes in the factor behind it, and a power that takes in the factor before it."""
    left, right = expression.children
    if isinstance(left, Apply) and left.operator in _FUNCTIONS:
        yield Apply(left.operator, (Apply(operator, (left.operands[0], right)),))
    if isinstance(right, Apply) and right.operator == "power":
        base, exponent = right.operands
        yield Apply("power", (Apply(operator, (left, base)), exponent))
