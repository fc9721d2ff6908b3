"""Differentiation and substitution carried out on our own tree, with no simplification and no CAS."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from operator import add

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.binder import Binder
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
    substitute,
)
from grpo_symbolic.language.groups import GroupExpectation, expanded
from grpo_symbolic.language.inside import GENERAL_POWER, kinds_in, nodes_of
from grpo_symbolic.language.powers import as_exponential
from grpo_symbolic.language.support import Supported
from grpo_symbolic.language.unknown import Applied

ZERO, ONE, TWO = Number(Fraction(0)), Number(Fraction(1)), Number(Fraction(2))

#: Outer derivative f'(u) of every differentiable one-place function.
_OUTER: dict[str, Callable[[Expression], Expression]] = {
    "sqrt": lambda u: ONE / (TWO * Apply("sqrt", (u,))),
    "exp": lambda u: Apply("exp", (u,)),
    "log": lambda u: ONE / u,
    "cosh": lambda u: Apply("sinh", (u,)),
    "sinh": lambda u: Apply("cosh", (u,)),
    "tanh": lambda u: ONE - Apply("tanh", (u,)) ** 2,
    "sin": lambda u: Apply("cos", (u,)),
    "cos": lambda u: -Apply("sin", (u,)),
    "arctan": lambda u: ONE / (ONE + u**2),
}
#: What is carried out or written out.
_FOLDED: frozenset[object] = frozenset((Derivative, Substitution, Call, GENERAL_POWER, GroupExpectation, Binder))


def unfold(expression: Expression) -> Expression:
    """Carry out every Derivative and Substitution, write out every Call and GroupExpectation, innermost first.

    Sums between two numbers are written out as well, as long as they have few terms. A power whose exponent is no
    number becomes an exponential.

    Raises:
        UnsupportedError: where a derivative does not exist everywhere (absolute, maximum, minimum, sign) or has
            no operator of its own (gamma).
    """
    if kinds_in(expression).isdisjoint(_FOLDED):
        return expression
    match expression:
        case Derivative(body, symbol):
            return differentiate(unfold(body), symbol)
        case Substitution(body, symbol, replacement):
            return substitute(unfold(body), {symbol: unfold(replacement)})
        case Call(definition, arguments):
            # Derivatives in the body are carried out before anything is put in that they would differentiate.
            values = zip(definition.parameters, map(unfold, arguments), strict=True)
            return substitute(unfold(definition.body), dict(values))
        case Apply("power", (base, exponent)) if not isinstance(exponent, Number):
            return as_exponential(unfold(base), unfold(exponent))
        case GroupExpectation():
            children = tuple(map(unfold, expression.children))
            try:
                return expanded(expression.with_children(children))
            except DeclarationError as error:
                # What is carried out may be refused where what was written is not.
                raise UnsupportedError(f"inside of an expectation: {error}") from error
        case Total(body, over):
            return Total(unfold(body), over)
        case Binder() if (terms := expression.terms) is not None:
            return reduce(add, map(unfold, terms)) if terms else ZERO
        case _:
            return rebuild(expression, tuple(unfold(child) for child in expression.children))


def differentiate(expression: Expression, symbol: Symbol) -> Expression:
    """The derivative of an expression without Derivative nodes.

    For an indexed symbol the derivative of a Total is the partial derivative by the coordinate of one
    output: in a separable sum only the summand of that output depends on it. By the coordinate of a further element
    that of the generic one has the derivative 1 where the two are the same, and else 0.

    Raises:
        UnsupportedError: for absolute, maximum, minimum, sign and gamma of something that depends on the symbol, for
            what counts only on the support of something that does, for unknown functions that are not said to be
            differentiable, and by a coordinate for sums of sums of it, which are not separable, and for what depends
            on the same coordinate of a further element.
    """
    depends_on = free_symbols(expression)
    if symbol.family not in depends_on and symbol not in depends_on:
        if any(other.family == symbol.family for other in depends_on):
            raise UnsupportedError(f"{expression} depends on {symbol.family} at another element; differentiate by that")
        return ZERO
    match expression:
        case Symbol():
            return ONE if expression == symbol else _kronecker(symbol)
        case Total():
            return _differentiate_sum(expression, symbol)
        case Apply(operator, operands):
            return _differentiate_apply(operator, operands, symbol)
        case Applied(_, inner):
            slope = expression.derivative
            if slope is None:
                raise UnsupportedError(f"{expression.sign} is not said to have a derivative; declare more of them")
            return times(slope, differentiate(inner, symbol))
        case Supported(body, on):
            if all(other.family != symbol.family for other in free_symbols(on)):
                return Supported(differentiate(body, symbol), on)
            raise UnsupportedError(f"{expression} may jump where {on} is 0; differentiate where that is excluded")
        case _:
            raise UnsupportedError(f"cannot differentiate {expression}; unfold it first")


def _kronecker(symbol: Symbol) -> Expression:
    """The derivative by the coordinate of a further element of that of the generic one."""
    if symbol.indexed is None or symbol.second is not None:
        raise UnsupportedError(f"no derivative by {symbol}, which is of two elements")
    return Delta(symbol.indexed)


def _differentiate_sum(total: Total, symbol: Symbol) -> Expression:
    """The derivative of a sum: term by term, and by a coordinate over which it runs that of the one term with it."""
    body, over = total.body, total.over
    if over in symbol.family.indices:
        if symbol.of is not None:
            if over in symbol.indices:
                raise UnsupportedError(f"no derivative by {symbol} of {total}, which runs through one of its elements")
            return Total(differentiate(body, symbol), over)
        inner = (node for node in nodes_of(Total, body) if node.over == over)
        if any(symbol in free_symbols(node) for node in inner):
            raise UnsupportedError(f"every summand of {total} depends on the coordinate of each element")
        return differentiate(body, symbol)
    others = (other for other in free_symbols(body) if other.family == symbol.family and other != symbol)
    if over in symbol.indices or any(over in other.indices for other in others):
        raise UnsupportedError(f"no derivative by {symbol} of {total}, which runs through a further element")
    return Total(differentiate(body, symbol), over)


def _differentiate_apply(operator: str, operands: tuple[Expression, ...], symbol: Symbol) -> Expression:
    slopes = tuple(differentiate(operand, symbol) for operand in operands)
    match operator, operands, slopes:
        case "negate", _, (slope,):
            return -slope
        case "add", _, (d_left, d_right):
            return _sum(d_left, d_right)
        case "subtract", _, (d_left, d_right):
            return d_left if d_right == ZERO else (-d_right if d_left == ZERO else d_left - d_right)
        case "multiply", (left, right), (d_left, d_right):
            return _sum(times(d_left, right), times(left, d_right))
        case "divide", (_, right), (d_left, d_right) if d_right == ZERO:
            return d_left / right
        case "divide", (left, right), (d_left, d_right):
            return (times(d_left, right) - times(left, d_right)) / right**2
        case "power", (base, Number(value) as exponent), (slope, _):
            reduced = base if value == 2 else base ** (value - 1)
            return times(times(exponent, reduced), slope)
        case _, (inner,), (slope,) if operator in _OUTER:
            return times(_OUTER[operator](inner), slope)
    raise UnsupportedError(f"{operator} has no derivative that our operators can write everywhere")


def _sum(left: Expression, right: Expression) -> Expression:
    if left == ZERO:
        return right
    return left if right == ZERO else left + right


def times(left: Expression, right: Expression) -> Expression:
    """A product, without factors 1, and 0 if one of them is 0."""
    if ZERO in (left, right):
        return ZERO
    if left == ONE:
        return right
    return left if right == ONE else left * right
