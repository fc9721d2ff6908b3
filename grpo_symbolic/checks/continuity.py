"""Whether the integrand of a definite integral is certainly continuous inside its interval, shown with balls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.expression import Apply, Binder, Expression, Symbol, free_symbols, walk
from grpo_symbolic.translate.balls import (
    BallFunction,
    Value,
    as_fraction,
    evaluate,
    exact,
    interval_ball,
    is_determinate,
    is_exact,
    midpoint,
    precision,
)

_BITS = 80
#: Balls that one integrand is worth, and how close to an end of its interval it may be singular.
_BALLS = 2_000
_NARROW = 40
_JUMPING = ("sign",)


def is_continuous(binder: Binder, point: Mapping[Symbol, Fraction]) -> bool:
    """Whether this is an integral whose integrand has no singularity or jump except at the ends of its interval.

    Of an unbounded interval, the part up to 2**40 is looked at.
    """
    nodes = list(walk(binder.body))
    if binder.kind != "integral" or any(isinstance(node, Binder) for node in nodes):
        return False
    if any(isinstance(node, Apply) and node.operator in _JUMPING for node in nodes):
        return False
    with precision(_BITS):
        try:
            return _has_values(binder, point)
        except (GrpoSymbolicError, ArithmeticError, ValueError):
            return False


def _has_values(binder: Binder, point: Mapping[Symbol, Fraction]) -> bool:
    symbols = (binder.symbol, *(symbol for symbol in free_symbols(binder.body) if symbol != binder.symbol))
    body = BallFunction(binder.body, symbols)
    others = [exact(point[symbol]) for symbol in symbols[1:]]
    waiting = list(_cells(binder, point))
    for _ in range(_BALLS):
        if not waiting:
            return True
        low, high = waiting.pop()
        if is_determinate(body.enclose([interval_ball(low, high), *others])):
            continue
        middle = (low + high) / 2
        waiting += [(low, middle), (middle, high)]
    return False


def _cells(binder: Binder, point: Mapping[Symbol, Fraction]) -> Iterator[tuple[Value, Value]]:
    """Intervals that cover all but the neighbourhoods of the ends, narrower towards them."""
    low, high = (_end(end, point) for end in (binder.lower, binder.upper))
    edges: list[Fraction]
    shares = [Fraction(1, 2**step) for step in range(1, _NARROW + 1)]
    if low is not None and high is not None:
        low, high = min(low, high), max(low, high)
        edges = [low + (high - low) * share for share in shares] + [high - (high - low) * share for share in shares]
    else:
        start = low if low is not None else high if high is not None else Fraction(0)
        steps = [*shares, *(1 / share for share in shares)]
        signs = [1] if low is not None else [-1] if high is not None else [1, -1]
        edges = [start + sign * step for step in steps for sign in signs]
    ordered = sorted(set(edges))
    for left, right in pairwise(ordered):
        yield exact(left), exact(right)


def _end(end: Expression | None, point: Mapping[Symbol, Fraction]) -> Fraction | None:
    """An end of the interval, to within rounding."""
    if end is None:
        return None
    value = evaluate(end, {symbol: exact(number) for symbol, number in point.items()})
    return as_fraction(value) if is_exact(value) else midpoint(value)
