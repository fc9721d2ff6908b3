r"""Obligations about what is counted only on a support, reduced to obligations about what has its usual value.

Soundness. [on != 0] body is 0 where ``on`` is 0 and the body elsewhere, so an obligation holds if and only if it holds
in both cases. Where ``on`` is a product of what is positive and of symbols that are nowhere negative, it is 0 exactly
where one of these symbols is. A symbol is 0, or it lies in its domain without 0.

A symbol that is a coordinate of every element of a set, over which sums run, may be 0 at some elements and not at
others. Either it is 0 nowhere, or everywhere, or the set is the union of two sets that are not empty: the elements at
which it is not 0, and the others. A sum over the set is the sum of both, and the generic element is one of either. What
the others have are symbols of their own, which are independent of those on the support; what is given of every element
is given of both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import chain, permutations
from types import MappingProxyType

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.evidence import Place, coordinate
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import (
    Apply,
    Expression,
    Number,
    Symbol,
    Total,
    exchanged,
    free_indices,
    rebuild,
    walk,
)
from grpo_symbolic.language.folding import is_equation
from grpo_symbolic.language.index_set import ELEMENTS, IndexSet
from grpo_symbolic.language.indexed import index_sets
from grpo_symbolic.language.inside import holds, nodes_of
from grpo_symbolic.language.statement import (
    Relation,
    Statement,
    conjuncts,
    eq,
    expressions_of,
    map_expressions,
    ne,
)
from grpo_symbolic.language.support import Supported, is_finite, is_positive
from grpo_symbolic.obligations.obligation import Obligation, Plan

#: Stands in the name of a coordinate at the elements where a symbol is 0, between its own name and that of the symbol.
_WITHOUT = "__without__"
_NOTHING: Mapping[Expression, bool] = MappingProxyType({})


def by_support(obligation: Obligation) -> Plan:
    """The obligation in each of the cases; itself if everything in it has its usual value.

    Raises:
        UnsupportedError: where it is not plain when something vanishes, or a coordinate of two elements stands beside
            it, or something that binds a symbol.
    """
    node = _first_bracket(obligation.expressions, obligation.defined)
    if node is None:
        return (obligation,)
    found = _vanishing(node.on)
    nodes = (inner for item in (*obligation.expressions, *obligation.defined) for inner in walk(item))
    # What vanishes nowhere needs no cases.
    if found != () and any(map(_is_beyond, nodes)):
        raise UnsupportedError(
            f"{obligation.label}: {node} beside what is of two elements or of a further one, or binds a symbol"
        )
    cases = _by_value(obligation, node.on) if found is None else _by_symbols(obligation, found)
    return tuple(case for one in cases if not _is_excluded(one) for case in by_support(one))


def _is_beyond(node: Expression) -> bool:
    """Whether a node is of two elements or of a further one, or binds a symbol: cases are not told apart there."""
    indices = node.indices if isinstance(node, Symbol) else (node.over,) if isinstance(node, Total) else ()
    return node.bound is not None or len(indices) > 1 or any(one is not None and one.of is not None for one in indices)


def _is_excluded(obligation: Obligation) -> bool:
    """Whether what is given plainly never holds, such as that probabilities sum to 1 where all are 0."""
    equations = filter(is_equation, conjuncts(*obligation.hypotheses))
    sides = ((one, other) for item in equations for one, other in permutations((item.left, item.right)))
    return any(is_positive(one) and _is_zero(other) for one, other in sides)


def on_the_support(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Statements where nothing vanishes on whose support something counts; if these can hold, so can those."""
    while (node := _first_bracket([side for item in statements for side in expressions_of(item)])) is not None:
        given = () if is_positive(node.on) else (ne(node.on, ZERO),)
        there = partial(_settled, known={node.on: False})
        statements = (*given, *(map_expressions(item, there) for item in statements))
    return statements


def divided(at: Place, obligation: Obligation) -> Place:
    """A point in the words of a case in which a symbol is 0 at some elements and not at others.

    The coordinates at the former have names of their own there, and are numbered apart.
    """
    names = {symbol.name for symbol in obligation.symbols}
    vanishing = {name.partition(_WITHOUT)[2] for name in names if _WITHOUT in name}
    if len(vanishing) != 1:
        return at
    symbol, values = vanishing.pop(), dict(at)
    numbers = [number for name, number in map(coordinate, values) if name == symbol]
    zeros = {number for number in numbers if Fraction(values[f"{symbol}[{number}]"]) == 0}
    place = {
        number: str(1 + sum((one in zeros) == (number in zeros) for one in numbers[:position]))
        for position, number in enumerate(numbers)
    }
    found: list[tuple[str, str]] = []
    for name, value in at:
        base, number = coordinate(name)
        if number:
            base = f"{base}{_WITHOUT}{symbol}" if number in zeros else base
            name = f"{base}[{place.get(number, number)}]"
        if base in names:
            found.append((name, value))
    return tuple(found)


def united(at: Place) -> Place:
    """The point again as it is without the case, with the elements at which the symbol is 0 after the others."""
    symbols = {coordinate(name)[0].partition(_WITHOUT)[2] for name, _ in at if _WITHOUT in name}
    if len(symbols) != 1:
        return at
    symbol = symbols.pop()
    inside = sum(coordinate(name)[0] == symbol for name, _ in at)
    found, zeros = list[tuple[str, int, str]](), dict[tuple[str, int, str], None]()
    for name, value in at:
        base, number = coordinate(name)
        own, is_apart, _ = base.partition(_WITHOUT)
        place = int(number or 0) + (inside if is_apart else 0)
        found.append((own, place, value))
        if is_apart:
            zeros[symbol, place, "0"] = None
    found += zeros
    order = list(dict.fromkeys(base for base, _, _ in found))
    found.sort(key=lambda item: (order.index(item[0]), item[1]))
    return tuple((f"{base}[{number}]" if number else base, value) for base, number, value in found)


def _first_bracket(*expressions: Iterable[Expression]) -> Supported | None:
    """One that has no other one in it."""
    nodes = [*nodes_of(Supported, *chain(*expressions))]
    return nodes[-1] if nodes else None


def _vanishing(on: Expression) -> tuple[Symbol, ...] | None:
    """The symbols of which one is 0 exactly where an expression is; None where that is not plain."""
    match on:
        case Symbol(domain=domain) if domain.lower == 0 and domain.lower_closed:
            return None if domain.whole or domain.upper == 0 else (on,)
        case Apply("multiply", (left, right)):
            first, second = _vanishing(left), _vanishing(right)
            return None if first is None or second is None else (*first, *second)
        case Apply("divide", (above, below)) if is_positive(below):
            return _vanishing(above)
    return () if is_positive(on) else None


def _by_symbols(obligation: Obligation, vanishing: Sequence[Symbol]) -> Plan:
    """The cases of the first of symbols that may be 0; if there is none, what counts there is taken as it is."""
    if not vanishing:
        return (_mapped(obligation, "", _settled),)
    symbol, expressions = vanishing[0], (*obligation.expressions, *obligation.defined)
    positive, zero = _At(symbol, zero=False), _At(symbol, zero=True)
    over = symbol.indexed
    if over is None or not holds(Total, expressions):
        return (_mapped(obligation, f"{symbol} > 0", positive), _mapped(obligation, f"{symbol} = 0", zero))
    only = index_sets(*expressions) == (over,)
    cases = [
        _mapped(obligation, f"{symbol} > 0 at every {over.element}", positive),
        _mapped(obligation, f"{symbol} = 0 at every {over.element}", zero),
    ]
    generic = any(over in free_indices(item) for item in (*expressions_of(obligation.conclusion), *obligation.defined))
    for here in (False, True) if generic else (False,):
        name = f"{symbol} = 0 at some {over.elements} and not at others"
        place = f", {'also' if here else 'not'} at this one" if generic else ""
        parts = [_At(symbol, zero, over, only) for zero in (here, not here)]
        cases.append(_put_in(_mapped(obligation, f"{name}{place}", *parts)))
    return tuple(cases)


def _by_value(obligation: Obligation, on: Expression) -> Plan:
    """The two cases of an expression that has a value everywhere, and the same one for all elements of sums.

    Raises:
        UnsupportedError: where it may have no value, or sums may run over its elements.
    """
    sums = holds(Total, (*obligation.expressions, *obligation.defined))
    if not is_finite(on) or (sums and free_indices(on)):
        raise UnsupportedError(f"{obligation.label}: it is not plain where {on} is 0")
    if isinstance(on, Number):
        return (_mapped(obligation, "", lambda side: _settled(side, {on: not on.value})),)
    return tuple(
        replace(case, hypotheses=(Relation(on, sign, ZERO), *case.hypotheses))
        for sign, zero in (("=", True), ("!=", False))
        for case in (_mapped(obligation, f"{on} {sign} 0", partial(_settled, known={on: zero})),)
    )


def _mapped(obligation: Obligation, name: str, *change: Callable[[Expression], Expression]) -> Obligation:
    """The obligation with its expressions changed in the first way, and what is given in each."""
    here = change[0]
    given = [map_expressions(item, one) for item in obligation.hypotheses for one in change]
    # That it is 0 everywhere is said for whoever looks at a counterexample.
    given += [eq(one.symbol, ZERO) for one in change if isinstance(one, _At) and one.zero and one.split is None]
    return replace(
        obligation,
        label=f"{obligation.label}: {name}" if name else obligation.label,
        hypotheses=tuple(dict.fromkeys(given)),
        conclusion=map_expressions(obligation.conclusion, here),
        defined=tuple(map(here, obligation.defined)),
    )


def _put_in(case: Obligation) -> Obligation:
    """The case with 0 for coordinates that are given to be 0 at every element: so no sum of them is left."""
    given = tuple(conjuncts(*case.hypotheses))
    sides = [(item, *side) for item in filter(is_equation, given) for side in permutations((item.left, item.right))]
    zeros = {item: one for item, one, other in sides if isinstance(one, Symbol) and one.indices and other == ZERO}
    put = partial(exchanged, symbols=dict.fromkeys(zeros.values(), ZERO))
    return replace(
        case,
        hypotheses=tuple(item if item in zeros else map_expressions(item, put) for item in given),
        conclusion=map_expressions(case.conclusion, put),
        defined=tuple(map(put, case.defined)),
    )


def _settled(expression: Expression, known: Mapping[Expression, bool] = _NOTHING) -> Expression:
    """An expression without the brackets of which is plain, or ``known``, whether they are 0 (true) or not."""
    children = tuple(_settled(child, known) for child in expression.children)
    if not isinstance(expression, Supported):
        return rebuild(expression, children)
    if _is_zero(expression.on) or known.get(expression.on):
        return ZERO
    return children[0] if is_positive(expression.on) or expression.on in known else rebuild(expression, children)


def _is_zero(on: Expression) -> bool:
    match on:
        case Number(value):
            return value == 0
        case Apply("multiply", factors):
            return any(map(_is_zero, factors)) and all(map(is_finite, factors))
        case Apply("divide", (above, below)):
            return _is_zero(above) and is_positive(below)
        case _:
            return False


@dataclass(frozen=True)
class _At:
    """What is said of the generic element where a symbol is ``zero`` or not.

    If it is 0 at some elements of a set and not at others, sums over the set are ``split``; it is the ``only`` set.
    """

    symbol: Symbol
    zero: bool
    split: IndexSet | None = None
    only: bool = True

    def __call__(self, expression: Expression) -> Expression:
        """An unfolded expression in this case."""
        return _settled(self._moved(expression))

    def _moved(self, expression: Expression) -> Expression:
        match expression:
            case Symbol() if expression == self.symbol:
                there = expression if self.split is None else replace(expression, indexed=self._part)
                return ZERO if self.zero else _positive(there)
            case Symbol() if self.split is not None and self.split in expression.indices:
                name = f"{expression.name}{_WITHOUT}{self.symbol.name}" if self.zero else expression.name
                return replace(expression, name=name, indexed=self._part)
            case Supported(_, on) if _is_zero(self._moved(on)):
                return ZERO
            case Total(body) if self.split is None and self._moved(body) == ZERO:
                return ZERO
            case Total(body, over) if self.split is not None and (over == self.split or (over is None and self.only)):
                support, rest = (replace(self, zero=zero) for zero in (False, True))
                inside, outside = (_settled(part._moved(body)) for part in (support, rest))
                total = Total(inside, support._part)
                return total if outside == ZERO else total + Total(outside, rest._part)
            case Total(_, None) if self.split is not None:
                raise UnsupportedError(f"{expression}: say over which set")
        return rebuild(expression, tuple(map(self._moved, expression.children)))

    @property
    def _part(self) -> IndexSet:
        """The elements at which the symbol is 0, or those at which it is not."""
        over = self.split or ELEMENTS
        sign = "=" if self.zero else ">"
        words = f"where {self.symbol} {sign} 0"
        also = f"{over.where}, " if over.where else ""
        return replace(
            over,
            element=f"{over.element} {words}",
            elements=f"{over.elements} {words}",
            where=f"{also}{self.symbol.latex} {sign} 0",
        )


def _positive(symbol: Symbol) -> Symbol:
    return replace(symbol, domain=replace(symbol.domain, lower_closed=False))
