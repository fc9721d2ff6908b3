"""Sums in an induction along whole numbers.

Soundness. A sum of f(k) from a to n + c, where n is what the induction counts, is at the next n what it was and one
term more, if n does not occur in its terms and it has begun. Else let F(k) be the terms at the next n, with
F(k) = r f(k) + g(k + 1) - g(k) for a < k <= n + c. Then the sum of F(k) from a to n + c + 1 is r times the sum so far,
and more by F(a) - r f(a) + g(n + c + 1) - g(a + 1) + F(n + c + 1), if there was at least one term. So a step is shown
for any number in the place of the sum so far. At the first number, and at a few more that may refute, all terms are
written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import count
from operator import add

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.binder import MOST_TERMS, Binder
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_symbols, rebuild, substitute
from grpo_symbolic.language.inside import holds, nodes_of
from grpo_symbolic.language.nearby import EveryIterate
from grpo_symbolic.language.statement import (
    Statement,
    eq,
    expressions_of,
    gt,
    le,
    map_expressions,
    substitute_statement,
    symbols_of,
)

#: Numbers after the first one at which what is kept may be refuted.
_MORE_NUMBERS = 8
#: At so many first numbers sums that end at a symbol are written out where no induction speaks of them.
_FIRST_NUMBERS = 2


@dataclass(frozen=True)
class SumSoFar:
    """A sum up to ``counted`` plus ``beyond``, and the number that stands for it in a step."""

    sum: Binder
    counted: Symbol
    first: int
    beyond: int
    name: Symbol
    change: tuple[Expression, Expression] | None = None

    @property
    def at_start(self) -> Expression:
        """The sum where the counted number is the first one."""
        return self.written_out(int(self.counted.domain.lower or 0))

    @property
    def after_step(self) -> Expression:
        """The sum once the next number is reached."""
        first, last = Number(Fraction(self.first)), _plus(self.counted, self.beyond + 1)
        if self.change is None:
            return self.name + _at(self.sum.body, self.sum.symbol, last)
        factor, shift = self.change
        start = _at(self._next_terms, self.sum.symbol, first) - factor * _at(self.sum.body, self.sum.symbol, first)
        ends = _at(shift, self.sum.symbol, last) - _at(shift, self.sum.symbol, Number(Fraction(self.first + 1)))
        return factor * self.name + start + ends + _at(self._next_terms, self.sum.symbol, last)

    @property
    def _next_terms(self) -> Expression:
        return _at(self.sum.body, self.counted, self.counted + 1)

    @property
    def change_of_terms(self) -> tuple[tuple[Statement, ...], Statement] | None:
        """Where and how the terms change from one number to the next, unless the number does not occur in them."""
        if self.change is None:
            return None
        (factor, shift), index = self.change, self.sum.symbol
        inside = (gt(index, self.first), le(index, _plus(self.counted, self.beyond)))
        grown = _at(shift, index, index + 1) - shift
        return inside, eq(self._next_terms - factor * self.sum.body, grown)

    def written_out(self, value: int) -> Expression:
        """All terms of the sum where the counted number has a value."""
        places = (Number(Fraction(place)) for place in range(self.first, value + self.beyond + 1))
        body = _at(self.sum.body, self.counted, Number(Fraction(value)))
        terms = [_at(body, self.sum.symbol, place) for place in places]
        return reduce(add, terms) if terms else Number(Fraction(0))


def sums_so_far(statement: EveryIterate, given: Iterable[Statement]) -> tuple[Statement, tuple[SumSoFar, ...]]:
    """What an induction keeps with a number in the place of each sum up to what it counts, and these sums.

    Raises:
        DeclarationError: where a sum does not end at the counted number plus a whole one, has not begun at the start or
            has many terms there, does not begin at a number or runs through the counted one, has terms that depend on
            the counted number and no change of them is given, or one with a factor that differs from term to term.
    """
    counted, found = statement.counted, dict[Binder, SumSoFar]()
    changes = iter(statement.changes)
    if counted is None:
        return statement.kept, ()
    taken = {symbol.name for symbol in symbols_of(statement, *given)}
    names = (name for name in (f"sum_{number}" for number in count(1)) if name not in taken)

    def without(expression: Expression) -> Expression:
        # Below an integral, or a sum over elements, the sum may be another one for each of these.
        if isinstance(expression, Apply):
            return rebuild(expression, tuple(map(without, expression.children)))
        if not (isinstance(expression, Binder) and expression.kind == "sum" and counted in free_symbols(expression)):
            return expression
        if expression not in found:
            name = Symbol(next(names), Interval(None, None), "a sum", "S")
            change = next(changes, None) if counted in free_symbols(expression.body) else None
            found[expression] = _so_far(expression, counted, name, change)
        return found[expression].name

    kept = map_expressions(statement.kept, without)
    if next(changes, None) is not None:
        raise DeclarationError(f"there are more changes of terms than sums whose terms depend on {counted}")
    return kept, tuple(found.values())


def at_next_numbers(kept: Statement, sums: tuple[SumSoFar, ...]) -> Iterator[tuple[int, Statement]]:
    """What is kept at a few numbers after the first one, with all sums written out."""
    counted = sums[0].counted
    first = int(counted.domain.lower or 0)
    for value in range(first + 1, first + 1 + _MORE_NUMBERS):
        values: dict[Symbol, Expression] = {item.name: item.written_out(value) for item in sums}
        yield value, substitute_statement(kept, {**values, counted: Number(Fraction(value))})


def at_first_numbers(statements: Sequence[Statement]) -> Iterator[tuple[str, tuple[Statement, ...]]]:
    """What statements say at the first values of the whole numbers up to which sums in them run, with all terms.

    They follow from the statements. Nothing for sums that do not end at such a number plus another one, or are long.
    """
    nodes = nodes_of(Binder, *expressions_of(tuple(statements)))
    ends = (node.upper for node in nodes if node.kind == "sum" and node.upper is not None)
    counted = sorted({symbol for end in ends for symbol in free_symbols(end)}, key=lambda symbol: symbol.name)
    firsts = [symbol.domain.lower for symbol in counted if symbol.domain.whole]
    for more in range(_FIRST_NUMBERS) if counted and len(firsts) == len(counted) else ():
        values = {
            symbol: Number(first + more)
            for symbol, first in zip(counted, firsts, strict=True)
            if first is not None and first + more in symbol.domain
        }
        if len(values) < len(counted):
            return
        there = [map_expressions(substitute_statement(one, values), _written_out) for one in statements]
        if holds(Binder, expressions_of(tuple(there))):
            return
        yield ", ".join(f"{symbol} = {value}" for symbol, value in values.items()), tuple(there)


def _written_out(expression: Expression) -> Expression:
    """An expression with all terms of its sums between numbers."""
    node = rebuild(expression, tuple(map(_written_out, expression.children)))
    if not isinstance(node, Binder):
        return node
    terms = replace(node, lower=_computed(node.lower), upper=_computed(node.upper)).terms
    return node if terms is None else reduce(add, terms or (ZERO,))


def _computed(end: Expression | None) -> Expression | None:
    """An end of a sum; a sum or a difference of numbers is the number that it comes to."""
    match end:
        case Apply("add" | "subtract" as operator, (left, right)):
            match _computed(left), _computed(right):
                case Number(first), Number(second):
                    return Number(first + second if operator == "add" else first - second)
    return end


def _so_far(total: Binder, counted: Symbol, name: Symbol, change: tuple[Expression, Expression] | None) -> SumSoFar:
    beyond, start, first = _offset(total.upper, counted), total.lower, counted.domain.lower
    if change is None and counted in free_symbols(total.body):
        raise DeclarationError(f"the terms of {total} depend on {counted}: say how they change from one to the next")
    if total.symbol == counted:
        raise DeclarationError(f"{total} runs through {counted}, which an induction counts; use another letter")
    if change is not None and total.symbol in free_symbols(change[0]):
        raise DeclarationError(f"terms of {total} change by a factor {change[0]} that differs from term to term")
    if change is not None and not _runs_on(total):
        raise DeclarationError(f"{total.symbol} in {total.symbol.domain} does not run through all terms of {total}")
    if beyond is None or not isinstance(start, Number) or start.value.denominator != 1 or first is None:
        raise DeclarationError(
            f"an induction along {counted} needs sums from a whole number to it, and {total} is none"
        )
    if not start.value - (change is None) <= first + beyond < start.value + MOST_TERMS:
        raise DeclarationError(f"{total} has not begun where {counted} is {first}, or has too many terms there")
    return SumSoFar(total, counted, int(start.value), beyond, name, change)


def _runs_on(total: Binder) -> bool:
    """Whether all whole numbers from the first term on lie in the domain of the index."""
    domain = total.symbol.domain
    from_start = isinstance(total.lower, Number) and total.lower.value in domain
    return domain.upper is None and from_start


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


def _at(expression: Expression, symbol: Symbol, value: Expression) -> Expression:
    return substitute(expression, {symbol: value})


def _plus(symbol: Symbol, number: int) -> Expression:
    return symbol + Number(Fraction(number)) if number else symbol
