"""Proposes stretches of an interval, as long as rounded arithmetic lets them be. Nothing of it is believed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.calculus import differentiate
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Number, Symbol, free_symbols, substitute
from grpo_symbolic.language.relations import difference
from grpo_symbolic.language.statement import MIRRORED, Relation, Statement
from grpo_symbolic.proofs.reason import Along, Stretch
from grpo_symbolic.translate.balls import BallFunction

#: More stretches are no few lines.
_MOST = 10
#: How often the longest stretch is halved in, and what part of it may be lost for fewer digits.
_HALVINGS, _LOSS = 20, 8
#: What rounded arithmetic says is not believed where it is as faint as this.
_FAINT = 1e-13
#: How far inside of its domain a symbol is looked at where an end does not belong to this.
_BESIDE, _LEAST = 1e-15, 1e-100

_Ends: TypeAlias = tuple[float, float]


def narrowed(relation: Relation, hypotheses: Iterable[Statement]) -> Relation:
    """A relation of one symbol with the domain of that cut to where hypotheses that compare it with numbers hold."""
    symbols = set(free_symbols(relation.left) + free_symbols(relation.right))
    if len(symbols) != 1:
        return relation
    symbol = symbols.pop()
    low, high, low_in, high_in, whole = vars(symbol.domain).values()
    for one in hypotheses:
        match one:
            case Relation(left, ">" | ">=" as operator, Number(end)) if left == symbol and (low is None or end > low):
                low, low_in = end, operator == ">="
            case Relation(left, "<" | "<=" as operator, Number(end)) if left == symbol and (high is None or end < high):
                high, high_in = end, operator == "<="
    cut = replace(symbol, domain=Interval(low, high, low_in, high_in, whole))
    left, right = (substitute(side, {symbol: cut}) for side in (relation.left, relation.right))
    return Relation(left, relation.operator, right)


def along(relation: Relation, most: int = _MOST) -> Along | None:
    """Few stretches of the one symbol of a relation on each of which it seems to be shown; None if none are found."""
    symbols = set(free_symbols(relation.left) + free_symbols(relation.right))
    if len(symbols) != 1 or relation.operator not in MIRRORED:
        return None
    symbol = symbols.pop()
    low, high = symbol.domain.lower, symbol.domain.upper
    if not _runs_through_interval(symbol) or low is None or high is None:
        return None
    try:
        walk = _Walk(relation, symbol)
        found: list[Stretch] = []
        while low < high:
            stretch = walk.longest(low, high) if len(found) < most else None
            if stretch is None:
                return None
            found.append(stretch)
            low = stretch.upper
    except (UnsupportedError, ValueError, ZeroDivisionError, OverflowError):
        return None
    return Along(relation, symbol, tuple(found))


def _runs_through_interval(symbol: Symbol) -> bool:
    """Whether a symbol is a number between two others, and no coordinate, which stands for that of each element."""
    bounded = symbol.domain.lower is not None and symbol.domain.upper is not None
    return bounded and not symbol.domain.whole and symbol.indexed is None and symbol.second is None


class _Walk:
    """A relation, turned so that its difference should be positive, and the slope of this."""

    def __init__(self, relation: Relation, symbol: Symbol) -> None:
        self._domain, gap = symbol.domain, difference(relation)
        gap = gap if relation.operator in (">", ">=") else -gap
        self._value = _RoundedRange(gap, (symbol,))
        self._slope = _RoundedRange(differentiate(gap, symbol), (symbol,))

    def longest(self, low: Fraction, high: Fraction) -> Stretch | None:
        """The longest stretch from a point on, with an end of few digits."""
        if (end := self._shown(low, high)) is not None:
            return Stretch(high, *end)
        near, far = low, high
        for _ in range(_HALVINGS):
            middle = (near + far) / 2
            near, far = (middle, far) if self._shown(low, middle) is not None else (near, middle)
            if near > low and (far - near) * _LOSS < min(near - low, high - near):
                break
        if near == low:
            return None
        upper = _short(near, min(near - low, high - near) / _LOSS)
        end = self._shown(low, upper) if upper > low else None
        return None if end is None else Stretch(upper, *end)

    def _shown(self, low: Fraction, high: Fraction) -> tuple[str | None] | None:
        """How the difference is seen to be positive: by its range, or from one end; None if it is not."""
        ends = self._rounded(low, 1), self._rounded(high, -1)
        try:
            if self._value.between(ends)[0] > _FAINT:
                return (None,)
            least, most = self._slope.between(ends)
            length = ends[1] - ends[0]
            if self._value.between((ends[0], ends[0]))[0] + min(0.0, least * length) > _FAINT:
                return ("lower",)
            if self._value.between((ends[1], ends[1]))[0] - max(0.0, most * length) > _FAINT:
                return ("upper",)
        except (ValueError, ZeroDivisionError, OverflowError):
            pass
        return None

    def _rounded(self, end: Fraction, inwards: int) -> float:
        """A number, or one beside it if it does not belong to the domain."""
        value = float(end)
        return value if end in self._domain else value + inwards * max(abs(value) * _BESIDE, _LEAST)


def _short(value: Fraction, loss: Fraction) -> Fraction:
    """A decimal of few digits that is smaller by so much at most."""
    scale = Fraction(10) ** math.ceil(-math.log10(loss))
    return math.floor(value * scale) / scale


class _RoundedRange(BallFunction):
    """An expression on intervals with rounded ends."""

    def operation(self, name: str) -> Callable[..., _Ends]:
        """What an operator does with intervals.

        Raises:
            UnsupportedError: for one that is not known here.
        """
        if name not in _OPERATIONS:
            raise UnsupportedError(f"no rounded ranges of {name}")
        return _OPERATIONS[name]

    def power(self, exponent: Fraction) -> Callable[[Any], Any]:
        """The function base -> base**exponent."""
        return lambda base: _power(base, exponent)

    def between(self, ends: _Ends) -> _Ends:
        """The range between two numbers."""
        slots: Sequence[_Ends] = [ends, *((float(int(one.p) / int(one.q)),) * 2 for one in self._constants)]
        found: _Ends = self.evaluated(list(slots))
        return found


def _product(left: _Ends, right: _Ends) -> _Ends:
    ends = [one * other for one in left for other in right]
    return min(ends), max(ends)


def _quotient(left: _Ends, right: _Ends) -> _Ends:
    if right[0] <= 0 <= right[1]:
        raise ZeroDivisionError
    return _product(left, (1 / right[1], 1 / right[0]))


def _power(base: _Ends, exponent: Fraction) -> _Ends:
    if exponent < 0:
        return _quotient((1.0, 1.0), _power(base, -exponent))
    ends = [math.sqrt(end) for end in base] if exponent.denominator == 2 else base
    whole = exponent.numerator
    values = sorted(end**whole for end in ends)
    if whole % 2 == 0 and base[0] < 0 < base[1]:
        values[0] = 0.0
    return values[0], values[1]


def _rising(function: Callable[[float], float]) -> Callable[[_Ends], _Ends]:
    return lambda ends: (function(ends[0]), function(ends[1]))


_OPERATIONS: Mapping[str, Callable[..., _Ends]] = {
    "add": lambda left, right: (left[0] + right[0], left[1] + right[1]),
    "subtract": lambda left, right: (left[0] - right[1], left[1] - right[0]),
    "negate": lambda ends: (-ends[1], -ends[0]),
    "multiply": _product,
    "divide": _quotient,
    "sqrt": _rising(math.sqrt),
    "exp": _rising(math.exp),
    "log": _rising(math.log),
    "tanh": _rising(math.tanh),
    "sinh": _rising(math.sinh),
}
