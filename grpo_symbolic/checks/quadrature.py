"""Rigorous enclosures of definite integrals, by Gauss-Legendre quadrature with complex balls.

Balls that cover the whole interval see what estimates of an integral miss, such as a narrow peak between all nodes:
between two points Arb bounds the error of quadrature by the values of the integrand on ellipses in the complex plane
around the nodes, on which it must be analytic, and halves the interval where it is not. The last piece next to an end
at which the integrand is singular, and all of it beyond a large number, are bounded by a majorant (``tails.py``); where
no majorant is found, there is no ball.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

from flint import acb, arb

from grpo_symbolic.checks.tails import Tail
from grpo_symbolic.errors import GrpoSymbolicError, UnsupportedError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import (
    Apply,
    Expression,
    Number,
    Symbol,
    free_symbols,
    rule_for,
    substitute,
    walk,
)
from grpo_symbolic.translate.balls import as_fraction, exact, midpoint, precision
from grpo_symbolic.translate.values import Value, ValueFunction, is_determinate, is_exact

#: A function of a complex ball; the flag asks for a value only where it is certainly analytic.
_Complex: TypeAlias = Callable[[acb, bool], acb]

_BITS = 256
#: Evaluations that one integral is worth.
_EVALUATIONS = 20_000
#: Binary exponent of the distance at which quadrature stops, or of one over it, and bounds of the tail begin.
_NEAR = 100
_NOTHING = acb(arb.nan(), arb.nan())


def enclose_integral(binder: Binder, point: Mapping[Symbol, Fraction]) -> Value | None:
    """A ball that contains the integral at a point, or None if there is none or it would be of no use.

    None for series and limits, for integrals of integrals, and where the integrand may have no value inside.
    """
    if binder.kind != "integral" or any(isinstance(node, Binder) for node in walk(binder.body)):
        return None
    try:
        with precision(_BITS):
            integral = _Integral(binder, point)
            (low, before), (high, beyond) = (_end(end, point) for end in (binder.lower, binder.upper))
            backwards = low is not None and high is not None and low > high
            found = -integral.between(high, low) if backwards else integral.between(low, high)
            # Ends that are not rational were rounded.
            found += integral.piece(high, beyond) - integral.piece(low, before)
            return found if is_determinate(found) else None
    except (GrpoSymbolicError, ArithmeticError, ValueError):
        return None


def _end(end: Expression | None, point: Mapping[Symbol, Fraction]) -> tuple[Fraction | None, Value | None]:
    """An end of the interval, None at infinity; rounded if it is not rational, and then with a ball around it."""
    if end is None:
        return None, None
    value = ValueFunction(end, tuple(point))([exact(number) for number in point.values()])
    return (as_fraction(value), None) if is_exact(value) else (midpoint(value), value)


class _Integral:
    """The integrand with all other symbols fixed."""

    def __init__(self, binder: Binder, point: Mapping[Symbol, Fraction]) -> None:
        others = tuple(symbol for symbol in free_symbols(binder.body) if symbol != binder.symbol)
        values = {symbol: acb(arb(exact(point[symbol]))) for symbol in others}
        numbers = {symbol: Number(point[symbol]) for symbol in others}
        self._symbol, self._body = binder.symbol, substitute(binder.body, numbers)
        self._complex = _compiled(binder.body, binder.symbol, values)
        self._real = ValueFunction(binder.body, (binder.symbol, *others))
        self._others = [exact(point[symbol]) for symbol in others]

    def piece(self, rounded: Fraction | None, ball: Value | None) -> Value:
        """The integral from where an end was rounded to, to the end itself."""
        if rounded is None or ball is None:
            return arb(0)
        return self._real.enclose([ball, *self._others]) * (ball - exact(rounded))

    def between(self, low: Fraction | None, high: Fraction | None) -> Value:
        """The integral between two ends, None for infinity."""
        if low is not None and high is not None:
            if low == high:
                return arb(0)
            whole = self._quadrature(low, high)
            if is_determinate(whole):
                return whole
        middle = _middle(low, high)
        parts = (self._towards(middle, low, -1), self._towards(middle, high, 1))
        return parts[0] + parts[1]

    def _towards(self, middle: Fraction, end: Fraction | None, direction: int) -> Value:
        """The part of the integral between the middle and one end, of which the last piece is bounded as a tail."""
        reach = abs(middle) if end is None else 1 / abs(middle - end)
        start = (1 << _NEAR) * Fraction(1 << max(0, math.ceil(reach).bit_length()))
        cut = direction * start if end is None else end - direction / start
        tail = Tail(self._symbol, end, direction if end is None else -direction, start)
        return self._quadrature(*sorted((middle, cut))) + tail.integral(self._body)

    def _quadrature(self, low: Fraction, high: Fraction) -> Value:
        ends = acb(arb(exact(low))), acb(arb(exact(high)))
        return acb.integral(self._complex, *ends, eval_limit=_EVALUATIONS).real


def _middle(low: Fraction | None, high: Fraction | None) -> Fraction:
    """A point at which the interval is cut in two."""
    if low is not None and high is not None:
        return (low + high) / 2
    if low is not None:
        return low + 1
    return Fraction(0) if high is None else high - 1


def _compiled(expression: Expression, symbol: Symbol, values: Mapping[Symbol, acb]) -> _Complex:
    """An expression as a function of the symbol.

    Raises:
        UnsupportedError: for Totals, unfinished derivatives and symbols without a value.
    """
    match expression:
        case Number(value):
            constant = acb(arb(exact(value)))
            return lambda z, analytic: constant
        case Symbol() if expression == symbol:
            return lambda z, analytic: z
        case Symbol() if expression in values:
            known = values[expression]
            return lambda z, analytic: known
        case Apply("power", (base, Number(exponent))):
            return _power(_compiled(base, symbol, values), exponent)
        case Apply(operator, operands):
            operation = rule_for(operator, _OPERATIONS, "complex balls")
            inner = [_compiled(operand, symbol, values) for operand in operands]
            return lambda z, analytic: operation(*(part(z, analytic) for part in inner), analytic)
        case _:
            raise UnsupportedError(f"complex balls cannot evaluate {expression}")


def _power(base: _Complex, exponent: Fraction) -> _Complex:
    steps = exponent.numerator

    def power(z: acb, analytic: bool) -> acb:
        value = base(z, analytic)
        if exponent.denominator == 2:
            value = _sqrt(value, analytic)
        if steps <= 0 and value.contains(0):
            return _NOTHING
        raised = value ** abs(steps)
        return 1 / raised if steps < 0 else raised

    return power


def _on_the_line(value: acb) -> arb | None:
    """The real part of a value that is real."""
    return value.real if value.imag == 0 else None


def _sqrt(value: acb, analytic: bool) -> acb:
    # Away from its branch cut the root of a function that is real on the line has a radicand that is positive there.
    if analytic:
        return value.sqrt(analytic=True)
    real = _on_the_line(value)
    return acb(real.sqrt()) if real is not None and real >= 0 else _NOTHING


def _log(value: acb, analytic: bool) -> acb:
    if analytic:
        return value.log(analytic=True)
    real = _on_the_line(value)
    return acb(real.log()) if real is not None and real > 0 else _NOTHING


def _arctan(value: acb, analytic: bool) -> acb:
    # Its branch cuts lie on the imaginary axis, from i upwards and from -i downwards.
    cut = value.real.contains(0) and not abs(value.imag) < 1
    return _NOTHING if cut else value.atan()


def _gamma(value: acb, analytic: bool) -> acb:
    return value.gamma() if value.real > 0 else _NOTHING


def _plain(name: str) -> Callable[[acb, bool], acb]:
    """A function without branch cuts; at poles its balls are not finite."""
    method: Callable[[acb], acb] = getattr(acb, name)
    return lambda value, analytic: method(value)


_OPERATIONS: Mapping[str, Callable[..., acb]] = {
    "add": lambda left, right, analytic: left + right,
    "subtract": lambda left, right, analytic: left - right,
    "multiply": lambda left, right, analytic: left * right,
    "divide": lambda left, right, analytic: _NOTHING if right.contains(0) else left / right,
    "negate": lambda value, analytic: -value,
    "sqrt": _sqrt,
    "log": _log,
    "arctan": _arctan,
    "gamma": _gamma,
    "sign": lambda value, analytic: value.real_sgn(analytic=analytic),
    "absolute": lambda value, analytic: value.real_abs(analytic=analytic),
    "maximum": lambda left, right, analytic: left.real_max(right, analytic=analytic),
    "minimum": lambda left, right, analytic: left.real_min(right, analytic=analytic),
    **{name: _plain(name) for name in ("exp", "cosh", "sinh", "tanh", "sin", "cos")},
}
