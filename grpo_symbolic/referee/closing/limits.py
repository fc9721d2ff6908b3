"""Limits at infinity and at points by rules: of sums, products and functions from their parts, and by derivatives.

What a rule needs to know of other symbols, such as the sign of a factor, is decided by the engine for the whole of
their domains. What no rule covers has no limit here; nothing is estimated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import TypeAlias

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.calculus import ONE, TWO, ZERO, differentiate, times
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_symbols, rebuild, substitute
from grpo_symbolic.language.statement import Statement, eq, gt, lt, ne
from grpo_symbolic.language.vocabulary import arctan, exp, log, sqrt

#: Whether the engine decides that a statement holds.
Decides: TypeAlias = Callable[[Statement], bool]

#: Most times that numerator and denominator are differentiated.
_DEEPEST = 4
_BUDGET = 400
#: Distances from a point that a limit is about; any that hold all small ones would do.
_NEAR = Interval(Fraction(0), Fraction(1, 8))
_CONTINUOUS = frozenset(("sin", "cos", "arctan", "exp", "cosh", "sinh", "tanh"))


@dataclass(frozen=True)
class Finite:
    """A limit; ``side`` is 1 or -1 if it is approached from above or from below, and 0 if that is not known.

    What is ``constant`` is approached from no side.
    """

    value: Expression
    side: int = 0
    constant: bool = False


@dataclass(frozen=True)
class Infinite:
    """Growth beyond all bounds, with this sign."""

    sign: int


_Limit: TypeAlias = Finite | Infinite | None


def limit_at_infinity(expression: Expression, symbol: Symbol, decides: Decides) -> Expression | None:
    """The limit of an expression without derivatives as a symbol grows beyond all bounds; None if no rule tells it."""
    if symbol.domain.lower is None or symbol.domain.upper is not None:
        far = Symbol(symbol.name, Interval(Fraction(0), None), symbol.meaning, symbol.latex)
        expression, symbol = substitute(expression, {symbol: far}), far
    found = _Limits(symbol, Infinite(1), decides).of(expression)
    return found.value if isinstance(found, Finite) else None


def limit_at(
    expression: Expression, symbol: Symbol, point: Expression, side: int, decides: Decides
) -> Expression | None:
    """The limit at a point from above, side 1, or from below, side -1; None if it is infinite or no rule tells it."""
    # In the distance from the point, of which the engine knows that it is positive and small.
    taken = {one.name for one in (*free_symbols(expression), *free_symbols(point))}
    name = next(f"{symbol.name}{'_' * number}" for number in count(1) if f"{symbol.name}{'_' * number}" not in taken)
    near, far = (Symbol(name, domain, "a distance", name) for domain in (_NEAR, Interval(Fraction(0), None)))
    found = _Limits(near, Finite(ZERO, 1), decides).of(_beside(expression, symbol, point, near, side))
    if found is None:
        # Logarithms become polynomials in t where the distance of the point is exp(-t).
        beside = _beside(expression, symbol, point, exp(-far), side)
        found = _Limits(far, Infinite(1), decides).of(_unlogged(beside))
    return found.value if isinstance(found, Finite) else None


def _beside(expression: Expression, symbol: Symbol, point: Expression, distance: Expression, side: int) -> Expression:
    """The expression at a distance from a point."""
    if point == ZERO:
        return substitute(expression, {symbol: distance if side > 0 else -distance})
    return substitute(expression, {symbol: point + distance if side > 0 else point - distance})


def _unlogged(expression: Expression) -> Expression:
    """The expression with u in the place of log(exp(u))."""
    inner = rebuild(expression, tuple(_unlogged(child) for child in expression.children))
    match inner:
        case Apply("log", (Apply("exp", (exponent,)),)):
            return exponent
    return inner


def _plus(first: Expression, second: Expression) -> Expression:
    match first, second:
        case Number(one), Number(other):
            return Number(one + other)
        case _ if first == ZERO:
            return second
    return first if second == ZERO else first + second


class _Limits:
    """Limits as a symbol tends to something; ``budget`` bounds how many parts are looked at."""

    def __init__(self, symbol: Symbol, approach: Finite | Infinite, decides: Decides, budget: int = _BUDGET) -> None:
        self._symbol = symbol
        self._approach = approach
        self._decides = decides
        self._budget = budget

    def of(self, expression: Expression) -> _Limit:
        """The limit of an expression."""
        self._budget -= 1
        if self._budget < 0:
            return None
        if self._symbol not in free_symbols(expression):
            return Finite(expression, constant=True) if self._has_value(expression) else None
        match expression:
            case Symbol():
                return self._approach
            case Apply("negate", (inner,)):
                return self._opposite(self.of(inner))
            case Apply("add", (left, right)):
                return self._sum(left, right)
            case Apply("subtract", (left, right)):
                return self._sum(left, -right)
            case Apply("multiply", (left, right)):
                return self._multiplied(self.of(left), self.of(right)) or self._vanishing(left, right)
            case Apply("divide", (left, right)):
                return self._divided(left, right)
            case Apply("power", (base, Number(exponent))):
                return self._power(base, exponent)
            case Apply(operator, (inner,)):
                return self._function(operator, self.of(inner))
        return None

    def _has_value(self, constant: Expression) -> bool:
        """Whether what does not depend on the symbol has a value for all values of what it depends on."""
        return isinstance(constant, Number | Symbol) or self._decides(eq(constant, constant))

    def _sum(self, left: Expression, right: Expression) -> _Limit:
        first, second = self.of(left), self.of(right)
        if isinstance(first, Infinite) and isinstance(second, Infinite) and first != second:
            # The quotient says which of them grows faster.
            share = self._by_derivatives(right, left, _DEEPEST)
            if isinstance(share, Infinite):
                return second
            weight = 0 if share is None else self._sign(ONE + share.value)
            return Infinite(first.sign * weight) if weight else None
        return self._added(first, second)

    def _sign(self, value: Expression) -> int:
        """The sign of a value on the whole of the domains of its symbols; 0 if it is not decided or changes."""
        if isinstance(value, Number):
            return (value.value > 0) - (value.value < 0)
        return 1 if self._decides(gt(value, 0)) else -1 if self._decides(lt(value, 0)) else 0

    @staticmethod
    def _opposite(limit: _Limit) -> _Limit:
        match limit:
            case Finite(value, side):
                return Finite(Number(-value.value) if isinstance(value, Number) else -value, -side)
            case Infinite(sign):
                return Infinite(-sign)
        return None

    @staticmethod
    def _added(left: _Limit, right: _Limit) -> _Limit:
        match left, right:
            case Finite(first, one), Finite(second, other):
                value = _plus(first, second)
                if left.constant or right.constant:
                    return Finite(value, other if left.constant else one)
                return Finite(value, one if one == other else 0)
            case (Infinite(sign), Finite()) | (Finite(), Infinite(sign)):
                return Infinite(sign)
            case Infinite(one), Infinite(other) if one == other:
                return Infinite(one)
        return None

    def _multiplied(self, left: _Limit, right: _Limit) -> _Limit:
        match left, right:
            case Finite(first, one), Finite(second, other):
                value = times(first, second)
                side = 0
                if value == ZERO and one and second != ZERO:
                    side = one * self._sign(second)
                elif value == ZERO and other and first != ZERO:
                    side = other * self._sign(first)
                return Finite(value, side)
            case (Infinite(sign), Finite(value)) | (Finite(value), Infinite(sign)):
                factor = self._sign(value)
                return Infinite(sign * factor) if factor else None
            case Infinite(one), Infinite(other):
                return Infinite(one * other)
        return None

    def _reciprocal(self, limit: _Limit) -> _Limit:
        match limit:
            case Infinite(sign):
                return Finite(ZERO, sign)
            case Finite(value, side) if value == ZERO:
                return Infinite(side) if side else None
            case Finite(value) if self._decides(ne(value, 0)):
                return Finite(ONE / value)
        return None

    def _divided(self, left: Expression, right: Expression) -> _Limit:
        direct = self._multiplied(self.of(left), self._reciprocal(self.of(right)))
        return direct or self._by_derivatives(left, right, _DEEPEST)

    def _vanishing(self, left: Expression, right: Expression) -> _Limit:
        """A product as a quotient: of a quotient and something, or with exp(-u) below where u falls without end."""
        for one, other in ((left, right), (right, left)):
            match one:
                case Apply("divide", (above, below)):
                    return self._by_derivatives(times(above, other), below, _DEEPEST)
                case Apply("exp", (exponent,)) if self.of(exponent) == Infinite(-1):
                    return self._by_derivatives(other, exp(-exponent), _DEEPEST)
        return None

    def _by_derivatives(self, left: Expression, right: Expression, depth: int) -> _Limit:
        """The limit of a quotient of two functions that both vanish or both grow, by that of their derivatives.

        It is taken only where the last denominator has a limit other than 0, so that none before it vanishes.
        """
        above, below = self.of(left), self.of(right)
        if isinstance(below, Infinite) or (isinstance(below, Finite) and self._decides(ne(below.value, 0))):
            direct = self._multiplied(above, self._reciprocal(below))
            if direct is not None:
                return direct
        vanish = self._vanishes(above) and self._vanishes(below)
        grow = isinstance(below, Infinite) and isinstance(above, Infinite)
        if not depth or not (vanish or grow):
            return None
        try:
            slopes = differentiate(left, self._symbol), differentiate(right, self._symbol)
        except UnsupportedError:
            return None
        # Here, because SymPy takes half a second to import and most papers do without.
        from grpo_symbolic.referee.closing.proposing import shorter

        short = shorter(slopes[0] / slopes[1], self._symbol)
        # That the quotient of the derivatives has this value includes that the denominator does not vanish.
        if short is not None and self._decides(eq(slopes[0] / slopes[1], short)):
            found = self.of(short)
            if found is not None:
                return found
        return self._by_derivatives(*slopes, depth - 1)

    def _vanishes(self, limit: _Limit) -> bool:
        return isinstance(limit, Finite) and (limit.value == ZERO or self._decides(eq(limit.value, 0)))

    def _power(self, base: Expression, exponent: Fraction) -> _Limit:
        if exponent < 0:
            return self._reciprocal(self._power(base, -exponent))
        if exponent.denominator == 2:
            return self._power(sqrt(base), exponent * 2)
        found = self.of(base)
        match found:
            case Finite(value, side) if not exponent:
                # Where the base is not 0; at 0 the power has no value that all agree on.
                return Finite(ONE) if side or self._decides(ne(value, 0)) else None
            case Infinite() if not exponent:
                return Finite(ONE)
            case Finite(value, side):
                if value == ZERO:
                    return Finite(ZERO, side if exponent % 2 else abs(side))
                return Finite(value ** int(exponent))
            case Infinite(sign):
                return Infinite(sign if exponent % 2 else 1)
        return None

    def _function(self, operator: str, inner: _Limit) -> _Limit:
        match operator, inner:
            case ("log", Infinite(1)) | ("sqrt", Infinite(1)) | ("exp", Infinite(1)) | ("cosh", Infinite()):
                return Infinite(1)
            case "sinh", Infinite(sign):
                return Infinite(sign)
            case "exp", Infinite(-1):
                return Finite(ZERO, 1)
            case "tanh", Infinite(sign):
                return Finite(Number(Fraction(sign)), -sign)
            case "arctan", Infinite(sign):
                # Half of pi, of which the language has no sign of its own.
                return Finite(times(Number(Fraction(sign)), TWO * arctan(ONE)), -sign)
            case (("sin" | "arctan" | "sinh" | "tanh"), Finite(value, side)) if value == ZERO:
                return Finite(ZERO, side)
            case (("cos" | "exp" | "cosh"), Finite(value)) if value == ZERO:
                return Finite(ONE)
            case "log", Finite(value) if value == ONE:
                return Finite(ZERO)
            case "log", Finite(value, 1) if value == ZERO:
                return Infinite(-1)
            case "sqrt", Finite(value, 1) if value == ZERO:
                return Finite(ZERO, 1)
            case (("log" | "sqrt"), Finite(value)) if self._sign(value) > 0:
                return Finite(log(value) if operator == "log" else sqrt(value))
            case _, Finite(value) if operator in _CONTINUOUS:
                return Finite(Apply(operator, (value,)))
        return None
