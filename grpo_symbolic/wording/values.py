"""Which numbers some statements contain, and between which numbers they say that something lies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, is_dataclass
from fractions import Fraction

from grpo_symbolic.derivation.figure import Figure
from grpo_symbolic.errors import DeclarationError, UndefinedError, UnsupportedError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.composites import Existence, UniqueZero, Zeros
from grpo_symbolic.language.expression import Expression, Number, Symbol, free_symbols, walk
from grpo_symbolic.language.folding import mirrored
from grpo_symbolic.language.statement import MIRRORED, Relation, Statement, expressions_of
from grpo_symbolic.language.vocabulary import definitions_in
from grpo_symbolic.obligations.expansion import instantiated
from grpo_symbolic.translate.balls import as_fraction, precision
from grpo_symbolic.translate.values import ValueFunction, is_determinate, is_exact

#: Enough for every decimal that a person reads.
_BITS = 192

#: Two numbers, in order; equal ones enclose themselves.
Bounds = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Values:
    """What statements say of numbers: those that stand in them, and bounds of what they enclose."""

    bounds: frozenset[Bounds]

    def __or__(self, other: Values) -> Values:
        return Values(self.bounds | other.bounds)

    def has(self, printed: Fraction, places: int, *, cut: bool = False) -> bool:
        """Whether something lies between two numbers which both round, or are cut off, to the printed one.

        The sign does not count: prose says "its slope is -1" and "a slope of 1 downwards".
        """
        return any(_reads(low, high, abs(printed), places, cut=cut) for low, high in self.bounds)


def _reads(low: Fraction, high: Fraction, printed: Fraction, places: int, *, cut: bool) -> bool:
    if low < 0 < high:
        return False
    scale = 10**places
    first, second = (int(abs(end) * scale) if cut else round(abs(end) * scale) for end in (low, high))
    return first == second and Fraction(first) == printed * scale


def values_in(statements: Iterable[Statement]) -> Values:
    """The numbers of some statements: constants, ends of domains, and what lies between two numbers."""
    found: set[Bounds] = set()
    for statement in statements:
        for part in _parts(statement):
            found.update(_constants(part))
        found.update(_enclosed(statement))
    return Values(frozenset(found))


def _parts(statement: Statement) -> Iterator[Statement]:
    """A statement, and what a witness makes of it: there more expressions are numbers."""
    yield statement
    if isinstance(statement, Existence):
        try:
            yield instantiated(statement.statement, {symbol: unfold(value) for symbol, value in statement.at})
        except (DeclarationError, UnsupportedError):
            return


def _constants(statement: Statement) -> Iterator[Bounds]:
    symbols = (part for part in everything(statement) if isinstance(part, Symbol))
    yield from (
        (end, end) for symbol in symbols for end in (symbol.domain.lower, symbol.domain.upper) if end is not None
    )
    for expression in expressions_of(statement):
        bodies = (made.body for made in definitions_in(expression))
        found = (bounds_of(node) for body in (expression, *bodies) for node in walk(body))
        yield from (bounds for bounds in found if bounds is not None)


def everything(part: object) -> Iterator[object]:
    """A statement, an expression, a figure or a tuple, and all that stands in it; of a symbol, nothing more."""
    yield part
    match part:
        case tuple():
            inside: Iterable[object] = part
        case Expression():
            inside = part.children
        case _:
            inside = vars(part).values() if is_dataclass(part) else ()
    for inner in inside:
        yield from everything(inner)


def bounds_of(expression: Expression) -> Bounds | None:
    """A closed interval with the value of an expression without symbols; None if it has any, or no value."""
    if free_symbols(expression):
        return None
    try:
        with precision(_BITS):
            value = ValueFunction(unfold(expression), ())(())
    except (UnsupportedError, UndefinedError, DeclarationError, KeyError):
        return None
    if is_exact(value):
        return as_fraction(value), as_fraction(value)
    if not is_determinate(value):
        return None
    lower, upper = (as_fraction(end.fmpq()) for end in (value.lower(), value.upper()))
    return lower, upper


def _enclosed(statement: Statement) -> Iterator[Bounds]:
    """What lies between two numbers, by brackets of zeros and by two inequalities about the same expression."""
    below: dict[Expression, list[Fraction]] = {}
    above: dict[Expression, list[Fraction]] = {}
    for part in everything(statement):
        match part:
            case Zeros(brackets=brackets):
                yield from filter(None, (_between(*bracket) for bracket in brackets))
            case UniqueZero(below=first, above=second):
                yield from filter(None, (_between(first, second),))
            case Relation(operator=operator) if operator in MIRRORED:
                for one in (part, mirrored(part)):
                    end = bounds_of(one.right)
                    if end is not None and free_symbols(one.left):
                        side = below if one.operator in (">", ">=") else above
                        side.setdefault(one.left, []).append(end[0] if side is below else end[1])
    for expression, lows in below.items():
        yield from ((low, high) for low in lows for high in above.get(expression, ()) if low < high)


def _between(first: Expression, second: Expression) -> Bounds | None:
    ends = [bounds_of(first), bounds_of(second)]
    known = [end for item in ends if item is not None for end in item]
    return (min(known), max(known)) if len(known) == 4 else None


def values_drawn(figure: Figure) -> Values:
    """The numbers of a figure: fixed values, starts, ranges, and those in what is drawn."""
    parts = (part.value if isinstance(part, Number) else part for part in everything(figure))
    return Values(frozenset((part, part) for part in parts if isinstance(part, Fraction)))
