"""Sums in an induction along whole numbers.

Soundness. A sum from a number up to n + c, where n is what the induction counts and c a whole number, is at the next n
what it was and one term more, if n does not occur in its terms and it has begun: so a step is shown for any number in
the place of the sum so far. At the first number, and at a few more that may refute, all terms are written out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import count
from operator import add

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_symbols, rebuild, substitute
from grpo_symbolic.language.nearby import EveryIterate
from grpo_symbolic.language.statement import Statement, map_expressions, substitute_statement, symbols_of

#: As many terms are written out at the start.
_MOST_TERMS = 40
#: Numbers after the first one at which what is kept may be refuted.
_MORE_NUMBERS = 8


@dataclass(frozen=True)
class SumSoFar:
    """A sum up to ``counted`` plus ``beyond``, and the number that stands for it in a step."""

    sum: Binder
    counted: Symbol
    first: int
    beyond: int
    name: Symbol

    @property
    def at_start(self) -> Expression:
        """The sum where the counted number is the first one."""
        return self.written_out(int(self.counted.domain.lower or 0))

    @property
    def after_step(self) -> Expression:
        """The sum once the next number is reached."""
        return self.name + substitute(self.sum.body, {self.sum.symbol: _plus(self.counted, self.beyond + 1)})

    def written_out(self, value: int) -> Expression:
        """All terms of the sum where the counted number has a value."""
        places = (Number(Fraction(place)) for place in range(self.first, value + self.beyond + 1))
        terms = [substitute(self.sum.body, {self.sum.symbol: place}) for place in places]
        return reduce(add, terms) if terms else Number(Fraction(0))


def sums_so_far(statement: EveryIterate) -> tuple[Statement, tuple[SumSoFar, ...]]:
    """What an induction keeps with a number in the place of each sum up to what it counts, and these sums.

    Raises:
        DeclarationError: where a sum does not end at the counted number plus a whole one, has not begun at the start or
            has many terms there, does not begin at a number, or has terms that depend on the counted number.
    """
    counted, found = statement.counted, dict[Binder, SumSoFar]()
    if counted is None:
        return statement.kept, ()
    taken = {symbol.name for symbol in symbols_of(statement)}
    names = (name for name in (f"sum_{number}" for number in count(1)) if name not in taken)

    def without(expression: Expression) -> Expression:
        # Below an integral, or a sum over elements, the sum may be another one for each of these.
        if isinstance(expression, Apply):
            return rebuild(expression, tuple(map(without, expression.children)))
        if not (isinstance(expression, Binder) and expression.kind == "sum" and counted in free_symbols(expression)):
            return expression
        if expression not in found:
            found[expression] = _so_far(expression, counted, Symbol(next(names), Interval(None, None), "a sum", "S"))
        return found[expression].name

    return map_expressions(statement.kept, without), tuple(found.values())


def at_next_numbers(kept: Statement, sums: tuple[SumSoFar, ...]) -> Iterator[tuple[int, Statement]]:
    """What is kept at a few numbers after the first one, with all sums written out."""
    counted = sums[0].counted
    first = int(counted.domain.lower or 0)
    for value in range(first + 1, first + 1 + _MORE_NUMBERS):
        values: dict[Symbol, Expression] = {item.name: item.written_out(value) for item in sums}
        yield value, substitute_statement(kept, {**values, counted: Number(Fraction(value))})


def _so_far(total: Binder, counted: Symbol, name: Symbol) -> SumSoFar:
    beyond, start, first = _offset(total.upper, counted), total.lower, counted.domain.lower
    if counted in free_symbols(total.body):
        raise DeclarationError(f"the terms of {total} depend on {counted}; an induction adds one term after the other")
    if beyond is None or not isinstance(start, Number) or start.value.denominator != 1 or first is None:
        raise DeclarationError(
            f"an induction along {counted} needs sums from a whole number to it, and {total} is none"
        )
    if not start.value - 1 <= first + beyond < start.value + _MOST_TERMS:
        raise DeclarationError(f"{total} has not begun where {counted} is {first}, or has too many terms there")
    return SumSoFar(total, counted, int(start.value), beyond, name)


def _offset(upper: Expression | None, counted: Symbol) -> int | None:
    """The whole number that an end is beyond the counted one."""
    match upper:
        case Symbol() if upper == counted:
            return 0
        case Apply("add" | "subtract" as operator, (Symbol() as symbol, Number(value))):
            found = value if operator == "add" else -value
            return int(found) if symbol == counted and found.denominator == 1 else None
        case _:
            return None


def _plus(symbol: Symbol, number: int) -> Expression:
    return symbol + Number(Fraction(number)) if number else symbol
