"""Whether two expressions say the same: by form, else by their values; never by a CAS."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from grpo_symbolic.errors import GrpoSymbolicError, UndefinedError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    Total,
    free_symbols,
    walk,
)
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.language.vocabulary import node_kind
from grpo_symbolic.points.sampling import draw_points
from grpo_symbolic.points.truth import Truth
from grpo_symbolic.readback.outputs import written_out
from grpo_symbolic.translate.program import Point
from grpo_symbolic.translate.rounded import OutOfReachError

#: Digits to which values are compared, points that must have a value, and points tried to find them.
_DIGITS, _ENOUGH, _TRIED, _SEED = 25, 20, 200, 4

_Form: TypeAlias = Hashable


@dataclass(frozen=True)
class Comparison:
    """Whether two expressions agree (None where that was not settled), and how that was seen."""

    agree: bool | None
    how: str


def compare(left: Expression, right: Expression, *, strict: bool = True) -> Comparison:
    """Compare two expressions over the domains of their symbols.

    The same form up to the way in which signs and brackets of sums and products are kept is enough. Otherwise
    the values decide, at seeded points where both have one: one certain difference refutes. If ``strict``, and
    both have the same kind, the parts below derivatives, substitutions, integrals and limits are compared, since
    those forget what they are applied to; otherwise they are carried out.
    """
    if left == right or _form(left) == _form(right):
        return Comparison(True, "form")
    alike = node_kind(left) == node_kind(right) and len(left.children) == len(right.children)
    if not strict or not alike or not (_forgets(left) or _forgets(right)):
        return _by_values(left, right)
    pairs = zip(left.children, right.children, strict=True)
    found = [compare(one, other) for one, other in pairs]
    unlike = [comparison for comparison in found if not comparison.agree]
    return min(unlike, key=lambda comparison: comparison.agree is None, default=found[0])


def _forgets(expression: Expression) -> bool:
    return any(isinstance(node, Derivative | Substitution | Binder) for node in walk(expression))


def _by_values(left: Expression, right: Expression) -> Comparison:
    try:
        # Named functions may hold sums over outputs, which only show after they are unfolded.
        relation = Relation(written_out(unfold(left)), "=", written_out(unfold(right)))
    except GrpoSymbolicError as error:
        return Comparison(None, f"no values to compare: {error}")
    symbols = tuple(dict.fromkeys((*free_symbols(relation.left), *free_symbols(relation.right))))
    truth, agreed = Truth(_DIGITS), 0
    for values in draw_points(symbols, _TRIED if symbols else 1, _SEED):
        point = Point({symbol.name: value for symbol, value in values.items()})
        try:
            holds, _ = truth.compare(relation, point)
        except (UndefinedError, OutOfReachError):
            continue
        except GrpoSymbolicError as error:
            return Comparison(None, f"no values to compare: {error}")
        if not holds:
            return Comparison(False, ", ".join(f"{symbol} = {value}" for symbol, value in values.items()))
        agreed += 1
        if agreed == _ENOUGH or not symbols:
            return Comparison(True, "values")
    return Comparison(None, f"both sides have a value at only {agreed} of {_TRIED} points")


def _form(expression: Expression) -> _Form:
    sign, core = _signed(expression)
    return core if sign > 0 else ("sum", ((-1, core),))


def _signed(expression: Expression) -> tuple[int, _Form]:
    """The sign that stands before an expression, and the form of the rest."""
    match expression:
        case Number(value):
            return (-1 if value < 0 else 1), abs(value)
        case Symbol():
            return 1, expression
        case Apply("negate", (inner,)):
            sign, core = _signed(inner)
            return -sign, core
        case Apply("add" | "subtract", _):
            return 1, ("sum", tuple(_terms(expression, 1)))
        case Apply("multiply", _):
            return _product(expression)
        case Apply("divide", (top, bottom)):
            return _quotient(top, bottom)
        case Apply(operator, operands):
            return 1, (operator, *map(_form, operands))
        case Call(definition, arguments):
            return 1, ("call", definition, *map(_form, arguments))
        case Derivative(body, symbol):
            return 1, ("derivative", _form(body), symbol)
        case Substitution(body, symbol, replacement):
            return 1, ("at", _form(body), symbol, _form(replacement))
        case Total(body):
            return 1, ("total", _form(body))
        case Binder(kind, body, symbol, lower, upper):
            ends = [None if end is None else _form(end) for end in (lower, upper)]
            return 1, (kind, _form(body), symbol, *ends)
    return 1, expression


def _terms(expression: Expression, sign: int) -> list[tuple[int, _Form]]:
    match expression:
        case Apply("add", (left, right)):
            return [*_terms(left, sign), *_terms(right, sign)]
        case Apply("subtract", (left, right)):
            return [*_terms(left, sign), *_terms(right, -sign)]
        case _:
            own, core = _signed(expression)
            return [(sign * own, core)]


def _product(expression: Expression) -> tuple[int, _Form]:
    sign, cores = 1, []
    for factor in _factors(expression):
        own, core = _signed(factor)
        sign *= own
        cores.append(core)
    return sign, ("product", *cores)


def _factors(expression: Expression) -> list[Expression]:
    match expression:
        case Apply("multiply", (left, right)):
            return [*_factors(left), *_factors(right)]
        case _:
            return [expression]


def _quotient(top: Expression, bottom: Expression) -> tuple[int, _Form]:
    above, below = _signed(top), _signed(bottom)
    sign = above[0] * below[0]
    if isinstance(above[1], Fraction) and isinstance(below[1], Fraction) and below[1]:
        return sign, above[1] / below[1]
    return sign, ("quotient", above[1], below[1])
