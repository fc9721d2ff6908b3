"""Differences too faint for the digits: huge terms that agree in fifty digits and are not equal.

Residuals are relative to the terms that cancel, so $e^{200} + 1$ and $e^{200}$ agree to 80 digits, and so do
$1 + e^{-200}$ and 1. Balls of growing precision tell such sides apart, or say that nobody can at a bearable cost.
"""

from __future__ import annotations

from collections.abc import Iterable

from flint import arb

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.statement import All, Relation, Statement
from grpo_symbolic.translate.balls import exact, precision
from grpo_symbolic.translate.program import Point, Value
from grpo_symbolic.translate.values import ValueFunction, is_determinate

#: Bits with which two sides are compared in turn; and an absolute error that is small enough, as a power of 2.
_BITS = (256, 1024, 4096, 16_384)
_CLOSE = -900
#: Points at which an equation with symbols is compared.
_POINTS = 3
_DIFFER = "the sides differ, by less than the digits of their terms show"
_LARGE = "the terms are too large for their difference to be told from 0"


def faint_difference(conclusion: Statement, symbols: tuple[Symbol, ...], points: Iterable[Point]) -> str | None:
    """Why agreement in many digits says too little here; None if it says enough.

    Only equations and weak inequalities are compared, at a few points with exact coordinates.
    """
    if isinstance(conclusion, All):
        known = list(points)
        return next(filter(None, (faint_difference(part, symbols, known) for part in conclusion.parts)), None)
    if not isinstance(conclusion, Relation) or conclusion.operator not in ("=", "<=", ">="):
        return None
    try:
        gap = ValueFunction(conclusion.left - conclusion.right, symbols)
    except UnsupportedError:
        return None
    notes: list[str | None] = []
    for point in points:
        values = [point.values.get(symbol.name) for symbol in symbols]
        if len(notes) == _POINTS or not all(map(_is_exact, values)):
            continue
        note = _at(gap, values, conclusion.operator)
        if note == _DIFFER:
            return note
        notes.append(note)
    # One point at which nothing is too large is enough.
    return _LARGE if notes and all(note == _LARGE for note in notes) else None


def _is_exact(value: Value | None) -> bool:
    return value is not None and hasattr(value, "numerator")


def _at(gap: ValueFunction, values: list[Value | None], operator: str) -> str | None:
    for bits in _BITS:
        with precision(bits):
            try:
                ball = gap([exact(value) for value in values])  # type: ignore[arg-type]
            except UndefinedError:
                return None
            if not is_determinate(ball):
                continue
            ball = arb(ball)
            if (ball > 0 and operator in ("=", "<=")) or (ball < 0 and operator in ("=", ">=")):
                return _DIFFER
            if ball.rad() < arb(2) ** _CLOSE:
                return None
    return _LARGE
