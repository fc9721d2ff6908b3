"""Integrals, series, sums and limits replaced by closed forms, so that what is said of them can be decided.

Whatever is proposed for a closed form is justified by statements that the engine decides: the derivative of the
antiderivative is the integrand, T(k + 1) - T(k) is the term of the sum; ends at infinity are limits by rule. Then
the closed form is equal to what it replaces, and a statement with it holds or fails as the printed one does.

The deciding methods have no word for integrals, and do not rest on this: it is part of what reads a paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.calculus import ZERO, unfold
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import (
    CONTINUOUS,
    Apply,
    Derivative,
    Expression,
    Number,
    Symbol,
    free_symbols,
    rebuild,
    substitute,
    walk,
)
from grpo_symbolic.language.statement import Statement, eq, expressions_of, ge, map_expressions, substitute_statement
from grpo_symbolic.referee.closing.factorials import counted, has_factorials, shifted
from grpo_symbolic.referee.closing.limits import Decides, limit_at, limit_at_infinity
from grpo_symbolic.translate.text import expression_text

#: Most terms that are written out of a sum between two numbers.
_MOST_TERMS = 60
#: No rule here speaks of gamma.
_CONTINUOUS = CONTINUOUS - {"gamma"}


def whole_symbols(statement: Statement) -> tuple[Symbol, ...]:
    """The symbols at which sums begin or end, which stand for whole numbers."""
    free = {symbol for side in expressions_of(statement) for symbol in free_symbols(side)}
    return tuple(symbol for symbol in _whole_in(expressions_of(statement)) if symbol in free)


def _whole_in(sides: Iterable[Expression]) -> tuple[Symbol, ...]:
    """The symbols at which sums and series in some expressions begin or end."""
    nodes = (node for side in sides for node in walk(side))
    sums = [node for node in nodes if isinstance(node, Binder) and node.kind in ("sum", "series")]
    ends = (end for node in sums for end in (node.lower, node.upper) if end is not None)
    return tuple(dict.fromkeys(symbol for end in ends for symbol in free_symbols(end)))


def for_numbers(statement: Statement, symbol: Symbol, count: int) -> list[tuple[int, Statement]]:
    """The statement for the first whole numbers in the domain of a symbol."""
    numbers = first_numbers(symbol, count)
    return [(int(number), substitute_statement(statement, {symbol: Number(number)})) for number in numbers]


def first_numbers(symbol: Symbol, count: int) -> list[Fraction]:
    """The first whole numbers in the domain of a symbol."""
    domain = symbol.domain
    start = math.ceil(domain.lower) if domain.lower is not None else 0
    return [number for number in map(Fraction, range(start, start + count + 1)) if number in domain][:count]


class NoClosedFormError(Exception):
    """Something has no closed form here that could be justified; the message says what."""


@dataclass(frozen=True)
class Closed:
    """A statement without integrals, series, sums and limits, and in words why it says the same."""

    statement: Statement
    reasons: tuple[str, ...]


def is_open(statement: Statement) -> bool:
    """Whether an integral, a series, a sum, a limit or a factorial stands in a statement."""
    bound = any(isinstance(node, Binder) for side in expressions_of(statement) for node in walk(side))
    return bound or has_factorials(statement)


def closed(statement: Statement, decides: Decides) -> Closed | None:
    """The statement with closed forms in the place of everything that is bound; None if one was not found.

    ``decides`` says whether the engine decides a statement.
    """
    closing = _Closing(decides)
    try:
        result = map_expressions(statement, lambda side: counted(closing.of(unfold(side))))
        result, reasons = shifted(result, decides)
    except (NoClosedFormError, UnsupportedError, DeclarationError):
        return None
    return Closed(result, tuple(dict.fromkeys((*closing.reasons, *reasons))))


class _Closing:
    def __init__(self, decides: Decides) -> None:
        self._decides = decides
        self._known: dict[Binder, Expression] = {}
        self.reasons: list[str] = []

    def of(self, expression: Expression) -> Expression:
        """The expression with closed forms, inner ones first.

        Raises:
            NoClosedFormError: if something has none.
        """
        if not isinstance(expression, Binder):
            return rebuild(expression, tuple(self.of(child) for child in expression.children))
        lower, upper = (None if end is None else self.of(end) for end in (expression.lower, expression.upper))
        binder = Binder(expression.kind, expression.body, expression.symbol, lower, upper)
        # What stands inside is closed for the values that the variable takes, not for those that it was declared for.
        symbol = _in(binder.symbol, _values(binder))
        if symbol.domain != binder.symbol.domain:
            binder = Binder(binder.kind, substitute(binder.body, {binder.symbol: symbol}), symbol, lower, upper)
        if _counts(binder):
            raise NoClosedFormError(f"{binder} takes an end of a sum for more than a whole number")
        inner = Binder(binder.kind, self.of(binder.body), symbol, lower, upper)
        if inner not in self._known:
            self._known[inner] = self._closed(inner)
        return self._known[inner]

    def _closed(self, binder: Binder) -> Expression:
        if binder.kind in ("series", "sum"):
            return self._sum(binder)
        if any(isinstance(node, Apply) and node.operator not in _CONTINUOUS for node in walk(binder.body)):
            raise NoClosedFormError(f"{binder} has a function that need not be continuous")
        return self._integral(binder) if binder.kind == "integral" else self._limit(binder, binder.kind)

    # Integrals.

    def _integral(self, binder: Binder) -> Expression:
        hull, variable, body = _hull(binder), binder.symbol, binder.body
        # Here, because SymPy takes half a second to import and most papers do without.
        from grpo_symbolic.referee.closing.proposing import antiderivative

        found = antiderivative(body, variable)
        if found is None:
            raise NoClosedFormError(f"no antiderivative of {body} was found")
        if not self._decides(eq(Derivative(found, variable), body)):
            raise NoClosedFormError(f"that {found} is an antiderivative of {body} was not decided")
        everywhere = substitute(found, {variable: _in(binder.symbol, hull)})
        if self._decides(eq(everywhere, everywhere)):
            # Continuous up to the ends, with the integrand as its derivative between them.
            upper = self._at_end(found, variable, binder.upper, 1)
            lower = self._at_end(found, variable, binder.lower, -1)
        else:
            upper = self._towards_end(found, variable, binder.upper, hull.upper, 1)
            lower = self._towards_end(found, variable, binder.lower, hull.lower, -1)
        name, by = expression_text(found), binder.symbol.name
        self.reasons.append(f"the derivative of {name} by {by} is {expression_text(body)}")
        return upper - lower

    def _at_end(self, function: Expression, variable: Symbol, end: Expression | None, sign: int) -> Expression:
        if end is not None:
            return substitute(function, {variable: end})
        if sign < 0:
            upper = variable.domain.upper
            far = _in(variable, Interval(max(Fraction(0), -upper) if upper is not None else Fraction(0), None))
            function, variable = substitute(function, {variable: -far}), far
        found = limit_at_infinity(function, variable, self._decides)
        if found is None:
            raise NoClosedFormError(f"{function} has no limit at infinity by rule")
        return found

    def _towards_end(
        self, function: Expression, variable: Symbol, end: Expression | None, outermost: Fraction | None, sign: int
    ) -> Expression:
        """The limit from inside at an end that is a number, where the function need not have a value."""
        if end is None:
            return self._at_end(function, variable, end, sign)
        if end != Number(outermost if outermost is not None else Fraction(0)):
            raise NoClosedFormError(f"{function} need not have a value at {end}")
        found = limit_at(function, variable, end, -sign, self._decides)
        if found is None:
            raise NoClosedFormError(f"{function} has no limit at {end} by rule")
        return found

    # Sums and series.

    def _sum(self, binder: Binder) -> Expression:
        lower, upper, index = binder.lower, binder.upper, binder.symbol
        if lower is None:
            raise NoClosedFormError(f"{binder} has no first term")
        if isinstance(lower, Number) and isinstance(upper, Number):
            return _written_out(binder, lower.value, upper.value)
        body = binder.body
        from grpo_symbolic.referee.closing.proposing import telescoping

        found = telescoping(body, index)
        if found is None:
            raise NoClosedFormError(f"no telescoping terms for {body} were found")
        following = substitute(found, {index: index + 1})
        if not self._decides(eq(following - found, body)):
            raise NoClosedFormError(f"that {body} telescopes was not decided")
        first = substitute(found, {index: lower})
        name, shown = index.name, expression_text(body)
        if upper is not None:
            # A sum that ends before it begins is 0 only if it ends right before.
            if not self._decides(ge(upper, lower - 1)):
                raise NoClosedFormError(f"whether {binder} has terms was not decided")
            last = substitute(found, {index: upper + 1})
        else:
            last = self._at_end(found, index, None, 1)
        self.reasons.append(f"{shown} is T({name} + 1) - T({name}) for T({name}) = {expression_text(found)}")
        return last - first

    # Limits.

    def _limit(self, binder: Binder, kind: str) -> Expression:
        variable, body = binder.symbol, binder.body
        if binder.upper is None:
            return self._at_end(body, variable, None, 1)
        sides = {"limit+": (1,), "limit-": (-1,)}.get(kind, (1, -1))
        limits = [limit_at(body, variable, binder.upper, side, self._decides) for side in sides]
        values = [found for found in limits if found is not None]
        if len(values) < len(limits):
            raise NoClosedFormError(f"{binder} has no finite value by rule")
        if len(values) == 2 and values[0] != values[1] and not self._decides(eq(*values)):
            raise NoClosedFormError(f"{binder} was not decided to be the same from both sides")
        self.reasons.append(f"{expression_text(binder)} is {expression_text(values[0])}, by the rules for limits")
        return values[0]


def _in(symbol: Symbol, domain: Interval) -> Symbol:
    """The same letter with another domain."""
    return Symbol(symbol.name, domain, symbol.meaning, symbol.latex)


def _values(binder: Binder) -> Interval:
    """The values that the variable takes, for all values of the symbols at the ends; near a point, on both sides."""
    if binder.kind in ("series", "sum"):
        return _hull(Binder("series", binder.body, binder.symbol, binder.lower, None))
    if binder.kind == "integral":
        hull = _hull(binder)
        return Interval(hull.lower, hull.upper)
    return Interval(Fraction(0), None) if binder.upper is None else Interval(None, None)


def _counts(binder: Binder) -> bool:
    """Whether a sum inside ends at the variable, which takes more than whole numbers."""
    if binder.kind in ("series", "sum") or (binder.kind == "limit" and binder.upper is None):
        return False
    return binder.symbol in _whole_in((binder.body,))


def _hull(binder: Binder) -> Interval:
    """The smallest interval that holds the variable, for all values of the symbols at its ends."""
    ends = [_range(end) for end in (binder.lower, binder.upper) if end is not None]
    lowers = [end.lower for end in ends if end.lower is not None]
    uppers = [end.upper for end in ends if end.upper is not None]
    lower = min(lowers) if len(lowers) == len(ends) and binder.lower is not None else None
    upper = max(uppers) if len(uppers) == len(ends) and binder.upper is not None else None
    return Interval(
        lower,
        upper,
        lower is not None and any(end.lower_closed for end in ends if end.lower == lower),
        upper is not None and any(end.upper_closed for end in ends if end.upper == upper),
    )


def _range(end: Expression) -> Interval:
    match end:
        case Number(value):
            return Interval(value, value, lower_closed=True, upper_closed=True)
        case Symbol(domain=domain):
            return domain
    return Interval(None, None)


def _written_out(binder: Binder, first: Fraction, last: Fraction) -> Expression:
    count = last - first + 1
    if count.denominator != 1 or not 0 <= count <= _MOST_TERMS:
        raise NoClosedFormError(f"{binder} has no whole number of terms, or too many")
    terms = (substitute(binder.body, {binder.symbol: Number(first + number)}) for number in range(int(count)))
    return reduce(add, map(counted, terms)) if count else ZERO
