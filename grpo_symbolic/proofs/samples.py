"""Points at which hypotheses hold, so that nothing is searched for that is not there. Nothing of it is believed."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from flint import arb

from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_symbols
from grpo_symbolic.language.statement import Relation, Statement, assignments, symbols_of, truth
from grpo_symbolic.points.sampling import draw_points
from grpo_symbolic.proofs.reason import SIGNS
from grpo_symbolic.translate.balls import exact, precision

#: So many points are drawn, and so many of those at which the hypotheses hold are kept; and bits of the values there.
_DRAWN, _KEPT, _BITS = 160, 24, 192
_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "negate": operator.neg,
    "absolute": abs,
    "maximum": lambda one, other: one.max(other),
    "minimum": lambda one, other: one.min(other),
    **{name: operator.methodcaller(name) for name in ("sqrt", "exp", "log", "cosh", "sinh", "tanh")},
}


def samples_of(hypotheses: Sequence[Statement], *more: Expression) -> Samples:
    """Samples for the symbols of hypotheses, and of what is asked about."""
    symbols = dict.fromkeys((*symbols_of(*hypotheses), *(one for item in more for one in free_symbols(item))))
    return _samples(tuple(hypotheses), tuple(symbols))


class Samples:
    """The values of expressions at a few points at which hypotheses hold."""

    def __init__(self, hypotheses: Sequence[Statement], symbols: Sequence[Symbol]) -> None:
        given = [found for one in hypotheses if isinstance(one, Relation) for found in assignments(one)]
        self._points: list[dict[Expression, arb]] = []
        with precision(_BITS):
            for drawn in _drawn(tuple(symbols)):
                values: dict[Expression, arb] = {symbol: arb(exact(value)) for symbol, value in drawn.items()}
                for symbol, expression in given:
                    values[symbol] = _value(expression, dict(values))
                holds = partial(_holds, values=values)
                if all(truth(one, holds) for one in hypotheses):
                    self._points.append(values)
                if len(self._points) == _KEPT:
                    break

    def __bool__(self) -> bool:
        return bool(self._points)

    def signs(self, expression: Expression) -> frozenset[int]:
        """The signs that are seen of an expression, where it has a value."""
        with precision(_BITS):
            values = (_value(expression, point) for point in self._points)
            return frozenset(_sign_of(value) for value in values if value.is_finite())


def _holds(relation: Relation, values: dict[Expression, arb]) -> bool:
    value = _value(relation.left, values) - _value(relation.right, values)
    return bool(value.is_finite()) and _sign_of(value) in SIGNS[relation.operator]


def _sign_of(value: arb) -> int:
    """What is not told from 0 in so many bits is 0."""
    return 1 if value > 0 else -1 if value < 0 else 0


@lru_cache(maxsize=2**8)
def _samples(hypotheses: tuple[Statement, ...], symbols: tuple[Symbol, ...]) -> Samples:
    return Samples(hypotheses, symbols)


@lru_cache(maxsize=2**6)
def _drawn(symbols: tuple[Symbol, ...]) -> tuple[dict[Symbol, Fraction], ...]:
    return tuple(draw_points(symbols, _DRAWN, seed=0))


def _value(expression: Expression, values: dict[Expression, arb]) -> arb:
    """A ball with the value of an expression, that is not finite where there is none."""
    found = values.get(expression)
    if found is None:
        found = values[expression] = _new_value(expression, values)
    return found


def _new_value(expression: Expression, values: dict[Expression, arb]) -> arb:
    match expression:
        case Number(value):
            return arb(exact(value))
        case Apply("power", (base, Number(exponent))):
            return _value(base, values) ** arb(exact(exponent))
        case Apply("power", (base, exponent)):
            return (_value(exponent, values) * _value(base, values).log()).exp()
        case Apply(name, operands) if name in _OPERATIONS:
            found: arb = _OPERATIONS[name](*(_value(one, values) for one in operands))
            return found
    return arb("nan")
