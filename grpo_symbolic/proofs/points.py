"""Points at which premises hold, for the kernel: rational where that will do, else by what equations say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import chain, islice, product
from math import inf
from operator import add, mul, sub, truediv
from typing import Any, TypeAlias

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.evidence import Place
from grpo_symbolic.kernel.terms import Json
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_symbols, substitute
from grpo_symbolic.language.finite import everywhere
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.outputs import Written
from grpo_symbolic.language.relations import difference
from grpo_symbolic.language.statement import Any as Either
from grpo_symbolic.language.statement import (
    Relation,
    Statement,
    assignments,
    conjuncts,
    relations_of,
    substitute_statement,
    symbols_of,
)
from grpo_symbolic.proofs.laws import Law, laws_between
from grpo_symbolic.proofs.ring import Ring
from grpo_symbolic.proofs.tables import Table
from grpo_symbolic.proofs.writing import Writer
from grpo_symbolic.translate.algebra import Polynomial
from grpo_symbolic.translate.ranges import range_on_domain

_Operation: TypeAlias = Callable[[Expression, Expression], Expression]

#: Elements of a set of which a point does not say how many there are.
_ELEMENTS = 2
#: The largest denominator of numbers that stand for others with many digits, if these are not small.
_FEW = 10**6
#: How far from a root the order of both sides is looked at, if the domain reaches so far.
_APART = Fraction(1, 10**10)
#: How far from the ends of its domain that is looked at where a root is not known.
_BESIDE = Fraction(1, 10**400)
#: So many ways to choose alternatives are tried, and so many symbols of which the number is not kept.
_MOST_CHOICES, _MOST_MOVED = 4, 6
#: What undoes a function.
_INVERSE = {"exp": "log", "log": "exp"}
#: What undoes an operation, by its second and by its first operand.
_UNDONE: Mapping[str, tuple[_Operation, _Operation]] = {
    "add": (sub, sub),
    "subtract": (add, lambda value, one: one - value),
    "multiply": (truediv, truediv),
    "divide": (mul, lambda value, one: one / value),
}


def points_of(
    place: Place, symbols: Sequence[Symbol], sets: Iterable[IndexSet], given: Sequence[Statement], table: Table
) -> Iterator[dict[str, Json]]:
    """Points as the kernel reads them, made from one that a search found, if values are known of all symbols."""
    found, sizes, sets = dict(place), dict[IndexSet, int](), tuple(sets)
    for one in sets:
        seen = [int(label) for name in found for label in _labels(name, symbols, one)]
        sizes[one.whole] = max([int(found.get(one.whole.elements, 0)), *seen], default=0) or _ELEMENTS
    labels = {one: [str(number) for number in range(1, size + 1)] for one, size in sizes.items()}
    here = Written(labels, [str(number + 1) for number in range(max(sizes.values(), default=1))], "1")
    written = tuple(dict.fromkeys(chain.from_iterable(everywhere(one, here) for one in given)))
    alone = [symbol for symbol in symbols if not symbol.indices]
    about = tuple(dict.fromkeys((*symbols_of(*written), *alone)))
    numbers = {one: Fraction(found[one.name]) for one in about if one.name in found}
    exact = {one for one in numbers if not {".", "e", "E"} & {*found[one.name]}}
    for equations in islice(_equations(written), _MOST_CHOICES):
        for moved in (None, *_movable(equations, exact)):
            known = _Values(equations, numbers, exact - {moved})
            values = known.all(about)
            if values is not None:
                pairs: list[Json] = [[one.name, known.written(one, table)] for one in values]
                letters: dict[str, Json] = {one.letter: sizes[one.whole] for one in (*sizes, *sets)}
                yield {"sizes": letters, "values": pairs, "laws": [*_laws(values, written, table)]}


def _equations(written: Sequence[Statement]) -> Iterator[tuple[Relation, ...]]:
    """The equations that hold where one of each list of alternatives does."""
    ways = [one.parts if isinstance(one, Either) else (one,) for one in conjuncts(*written)]
    for chosen in product(*ways):
        yield tuple(one for one in conjuncts(*chosen) if isinstance(one, Relation) and one.operator == "=")


def _movable(equations: Sequence[Relation], exact: set[Symbol]) -> Iterator[Symbol]:
    """Symbols that may get another value, as equations are no more certain than the symbols beside them."""
    beside = [symbols_of(one) for one in equations]
    moved = (one for symbols in beside if not exact.issuperset(symbols) for one in symbols if one in exact)
    return islice(dict.fromkeys(moved), _MOST_MOVED)


class _Values:
    """Values of symbols: numbers where they are ``exact``, else what equations say, else numbers nearby."""

    def __init__(self, equations: Sequence[Relation], numbers: Mapping[Symbol, Fraction], exact: set[Symbol]) -> None:
        self._equations, self._numbers = equations, numbers
        self._values: dict[Symbol, Expression] = {one: Number(numbers[one]) for one in numbers if one in exact}
        self._roots: dict[Symbol, tuple[Number, Number, Relation]] = {}

    def all(self, symbols: Sequence[Symbol]) -> dict[Symbol, Expression] | None:
        """The values of symbols, each without others; None if one is not known."""
        waiting = [one for one in symbols if one not in self._values]
        while waiting:
            solved = next(self._solved(waiting), None)
            if solved is None:
                symbol = next((one for one in waiting if not self._is_defined(one)), waiting[0])
                root = self._as_root(symbol)
                if root is None and symbol not in self._numbers:
                    return None
                solved = symbol, Number(_near(self._numbers[symbol])) if root is None else root
            self._values[solved[0]] = solved[1]
            waiting.remove(solved[0])
        return self._values

    def written(self, symbol: Symbol, table: Table) -> Json:
        """The value of a symbol as the kernel reads it."""
        if symbol not in self._roots:
            return table.expression(self._values[symbol])
        low, high, equation = self._roots[symbol]
        return [table.expression(low), table.expression(high), table.statement(equation)]

    def _around(self, symbol: Symbol) -> tuple[Number, Number] | None:
        """Numbers around a root: near where it is known to be, else beside the ends of its domain, if it has two."""
        low, high = symbol.domain.lower, symbol.domain.upper
        value = self._numbers.get(symbol)
        if value is not None and value not in (low, high):
            apart = min([_APART, *(abs(value - end) / 2 for end in (low, high) if end is not None)])
            return Number(value - apart), Number(value + apart)
        return None if low is None or high is None else (Number(low + _BESIDE), Number(high - _BESIDE))

    def _as_root(self, symbol: Symbol) -> Symbol | None:
        """The symbol itself, if it is known as a root of an equation."""
        around = self._around(symbol)
        for one in self._equations if around is not None else ():
            here = substitute_statement(one, self._values)
            if {*symbols_of(here)} == {symbol} and isinstance(here, Relation) and around is not None:
                self._roots[symbol] = *around, here
                return symbol
        return None

    def _is_defined(self, symbol: Symbol) -> bool:
        return any(name == symbol for one in self._equations for name, _ in assignments(one))

    def _solved(self, waiting: Sequence[Symbol]) -> Iterator[tuple[Symbol, Expression]]:
        """Symbols that are alone in an equation where the others have values."""
        for one in self._equations:
            unknown = [symbol for symbol in symbols_of(one) if symbol in waiting]
            if len(unknown) == 1:
                there = Relation(substitute(one.left, self._values), "=", substitute(one.right, self._values))
                near = float(self._numbers.get(unknown[0], 0))
                with suppress(GrpoSymbolicError, ArithmeticError):
                    for value in sorted(_sides(there, unknown[0]), key=lambda value: _apart(value, near)):
                        yield unknown[0], value


def _apart(value: Expression, near: float) -> float:
    """How far a number is from another one."""
    there = range_on_domain(value)
    return inf if there is None or there.lower is None else abs(float(there.lower) - near)


def _sides(equation: Relation, symbol: Symbol) -> Iterator[Expression]:
    """What the only symbol in an equation is."""
    for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if symbol not in free_symbols(other):
            yield from _solutions(side, other, symbol)
            return
    yield from _of_polynomial(difference(equation), symbol)


def _solutions(expression: Expression, value: Expression, symbol: Symbol) -> Iterator[Expression]:
    """What the only symbol in an expression is where that has a value."""
    match expression:
        case Symbol():
            yield value
        case Apply("negate", (inner,)):
            yield from _solutions(inner, -value, symbol)
        case Apply(name, (inner,)) if name in _INVERSE:
            yield from _solutions(inner, Apply(_INVERSE[name], (value,)), symbol)
        case Apply("sqrt", (inner,)):
            yield from _solutions(inner, value**2, symbol)
        case Apply(name, (one, other)) if name in _UNDONE and symbol not in free_symbols(other):
            yield from _solutions(one, _UNDONE[name][0](value, other), symbol)
        case Apply(name, (one, other)) if name in _UNDONE and symbol not in free_symbols(one):
            yield from _solutions(other, _UNDONE[name][1](value, one), symbol)
        case _:
            yield from _of_polynomial(expression - value, symbol)


def _of_polynomial(zero: Expression, symbol: Symbol) -> Iterator[Expression]:
    """What a symbol is where an expression is 0 that is linear, or a square, in a function of it."""
    ring = Ring([zero])
    inside = [place for place, one in enumerate(ring.generators) if symbol in free_symbols(one)]
    polynomial = ring.values[0].numerator
    if len(inside) != 1 or not 0 < polynomial.degrees()[inside[0]] <= 2:
        return
    constant, slope, square = (ring.write(one) for one in _coefficients(polynomial, inside[0]))
    if square == ZERO:
        values = [-constant / slope]
    else:
        root = Apply("sqrt", (slope**2 - 4 * square * constant,)) if slope != ZERO else None
        half = Apply("sqrt", (-constant / square,))
        values = [half, -half] if root is None else [(-slope + root) / (2 * square), (-slope - root) / (2 * square)]
    for value in values:
        yield from _solutions(ring.generators[inside[0]], value, symbol)


def _coefficients(polynomial: Polynomial, place: int) -> tuple[Polynomial, ...]:
    """What the powers 0, 1 and 2 of a generator are multiplied with."""
    parts: tuple[dict[tuple[int, ...], Any], ...] = ({}, {}, {})
    for powers, coefficient in polynomial.to_dict().items():
        parts[powers[place]][(*powers[:place], 0, *powers[place + 1 :])] = coefficient
    return tuple(polynomial.context().from_dict(one) for one in parts)


def _near(value: Fraction) -> Fraction:
    """A number near another one, with few digits."""
    size = max(1, value.denominator // max(1, abs(value.numerator)))
    return value.limit_denominator(_FEW * size)


def _laws(values: Mapping[Symbol, Expression], written: Sequence[Statement], table: Table) -> Iterator[Json]:
    """The laws by which equations hold between the numbers that they compare."""
    writer, found = Writer(table), dict[Law, None]()
    for one in dict.fromkeys(chain.from_iterable(map(relations_of, written))):
        if one.operator == "=":
            with suppress(GrpoSymbolicError):
                left, right = (substitute(side, values) for side in (one.left, one.right))
                found |= dict.fromkeys(laws_between(left, right) or ())
    return map(writer.law, found)


def _labels(name: str, symbols: Sequence[Symbol], over: IndexSet) -> Iterator[str]:
    """The numbers of elements of a set in the name of a coordinate."""
    family, bracket, rest = name.partition("[")
    for symbol in symbols if bracket else ():
        if symbol.name == family:
            labels = rest.removesuffix("]").split(",")
            yield from (label for label, one in zip(labels, symbol.indices, strict=False) if one.whole == over.whole)
