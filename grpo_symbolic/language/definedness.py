"""Where an expression has a value: conditions on its parts, and on what was differentiated on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.calculus import TWO, ZERO, differentiate, unfold
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Delta,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    Total,
    free_symbols,
    rebuild,
    rule_for,
    substitute,
)
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.statement import Relation, expressions_of, ge, gt, ne
from grpo_symbolic.language.support import Supported
from grpo_symbolic.language.unknown import Applied


def differentiated(part: object) -> tuple[Expression, ...]:
    """The functions under a Derivative in a statement or expressions, at the point where the derivative is taken.

    They must have values as well, which their derivatives do not show: that of log(u) is defined for negative u.
    """
    return tuple(hidden for expression in expressions_of(part) for hidden in _functions_under_derivative(expression))


def _functions_under_derivative(expression: Expression) -> Iterator[Expression]:
    match expression:
        case Derivative(body, symbol):
            yield unfold(body)
            for hidden in _functions_under_derivative(body):
                yield from (hidden, *_next_to(hidden, symbol))
        case Substitution(body, symbol, replacement):
            for hidden in _functions_under_derivative(body):
                yield substitute(hidden, {symbol: unfold(replacement)})
            yield from _functions_under_derivative(replacement)
        case Call(definition, arguments):
            values = dict(zip(definition.parameters, map(unfold, arguments), strict=True))
            for hidden in _functions_under_derivative(definition.body):
                yield substitute(hidden, values)
            for argument in arguments:
                yield from _functions_under_derivative(argument)
        case Supported(body, on):
            yield from (Supported(hidden, unfold(on)) for hidden in _functions_under_derivative(body))
            yield from _functions_under_derivative(on)
        case GroupExpectation(body):
            yield from map(unfold, expression.conditions())
            for child in expression.children[1:]:
                yield from _functions_under_derivative(child)
            for hidden in _functions_under_derivative(body):
                yield _for_members(hidden, expression)
        case _:
            for child in expression.children:
                yield from _functions_under_derivative(child)


def _next_to(hidden: Expression, symbol: Symbol) -> Iterator[Expression]:
    """What has a value if a law sums to 1 also next to the point where it is differentiated, and not only there."""
    match hidden:
        case Apply("sqrt", (Apply("negate", (Apply("power", (gap, _)),)),)) if symbol in free_symbols(gap):
            yield Apply("sqrt", (-(differentiate(gap, symbol) ** TWO),))
        case Supported(inner, on):
            yield from (Supported(item, on) for item in _next_to(inner, symbol))


def _for_members(hidden: Expression, node: GroupExpectation) -> Expression:
    """What has a value if a function has one for each member: its expectation."""
    if node.member not in free_symbols(hidden):
        return hidden
    if node.own != node.law:
        raise UnsupportedError(f"{hidden} has to have a value for every member of {node}")
    return unfold(rebuild(node, (hidden, *node.children[1:])))


@lru_cache(maxsize=2**12)
def side_conditions(expression: Expression) -> tuple[Relation, ...]:
    """What must hold for an unfolded expression to have a value, inner expressions first.

    Raises:
        UnsupportedError: for what counts only on a support, until the cases are told apart, and for what is not
            unfolded or of which nothing is said.
    """
    return tuple(_side_conditions(expression))


def _side_conditions(expression: Expression) -> Iterator[Relation]:
    if isinstance(expression, Supported):
        raise UnsupportedError(f"whether {expression} has a value depends on the case")
    # What a bound variable must satisfy is the business of whoever can evaluate an integral, series or limit.
    for child in expression.children if expression.bound is None else expression.children[1:]:
        yield from _side_conditions(child)
    match expression:
        case Number() | Symbol() | Delta() | Total() | Binder():
            return
        case Applied(function, argument):
            if not function.lies_plainly(argument):
                yield from function.inside(argument)
        case Apply(operator, operands):
            condition = rule_for(operator, _CONDITIONS, "conditions for a value")(*operands)
            if condition is not None:
                yield condition
        case _:
            raise UnsupportedError(f"where {expression} has a value is not known; unfold it first")


def _of_quotient(_: Expression, denominator: Expression) -> Relation | None:
    return None if isinstance(denominator, Number) and denominator != ZERO else ne(denominator, ZERO)


def _of_power(base: Expression, exponent: Expression) -> Relation | None:
    if not isinstance(exponent, Number):
        raise UnsupportedError(f"where {base} to the power {exponent} has a value is not known; unfold it first")
    if exponent.value.denominator == 2:
        return ge(base, ZERO) if exponent.value > 0 else gt(base, ZERO)
    return ne(base, ZERO) if exponent.value <= 0 else None


def _of_root(radicand: Expression) -> Relation | None:
    return None if isinstance(radicand, Number) and radicand.value >= 0 else ge(radicand, ZERO)


def _of_positive(argument: Expression) -> Relation | None:
    return None if isinstance(argument, Number) and argument.value > 0 else gt(argument, ZERO)


def _of_anything(*_: Expression) -> None:
    """It has a value at all numbers."""


#: What must hold of the operands of each operator for it to have a value.
_CONDITIONS: Mapping[str, Callable[..., Relation | None]] = {
    **dict.fromkeys(("add", "subtract", "multiply", "negate", "absolute", "sign"), _of_anything),
    **dict.fromkeys(("maximum", "minimum", "exp", "cosh", "sinh", "tanh", "sin", "cos", "arctan"), _of_anything),
    "divide": _of_quotient,
    "power": _of_power,
    "sqrt": _of_root,
    "log": _of_positive,
    "gamma": _of_positive,
}
