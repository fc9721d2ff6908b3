"""Expectations over a group of independent members, each of which has a value by a finite law.

A symbol indexed by the set of members is what a member has, such as its reward. In an expectation it stands for that of
one member, and a Total sums over all members of the group. That one member has its value by its own law, every other
one by the law of the group, independently of each other: given the output of one member, its own law is that of the
output, and the law of the group stays.

Soundness. What is inside depends on the group through the value of the one member and sums over all members. If the
values are listed, it depends on how many of the others have each of them, and of n members that are drawn independently
numbers k_1, ..., k_m have the values with the multinomial probability; of two values, where n is a whole number that is
a symbol, this is a sum over k with the binomial probability. Else it has to be a polynomial in sums over members. A
product of sums is multiplied out; its terms are told apart by which members coincide; different members are
independent, and n - 1 others can be chosen in order in (n - 1)(n - 2)... ways. If only mixed groups count, what groups
contribute is taken away in which all members have one and the same value, where a sum over members is n times a term.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import chain, count, product
from math import factorial, prod
from operator import add, mul, sub, truediv
from typing import TypeAlias

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.arguments import require_fields
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.counting import binomial
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.elements import outside_totals
from grpo_symbolic.language.expression import (
    Apply,
    Delta,
    Expression,
    Number,
    Symbol,
    Total,
    free_symbols,
    rebuild,
    walk,
)
from grpo_symbolic.language.powers import as_exponential

_ZERO, _ONE = Number(Fraction(0)), Number(Fraction(1))
_ARITHMETIC: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "add": add,
    "subtract": sub,
    "multiply": mul,
    "divide": truediv,
    "maximum": max,
    "minimum": min,
}
#: Products of so many sums at most, and so many of them, are multiplied out: members of six can coincide in 877 ways.
_MOST_SUMS, _MOST_PRODUCTS = 5, 150
_Function: TypeAlias = Callable[[Expression], Expression]
#: A coefficient, a function of the one member, and functions that are summed over all members: their product.
_Term: TypeAlias = tuple[Expression, Expression, tuple[Expression, ...]]


@dataclass(frozen=True)
class Law:
    """How a member has its value: the ``values`` with the ``chances``, the last one with what is left to 1.

    A value that is a coordinate is drawn: ``values`` is this one, and ``chances`` the probability of its element.

    Raises:
        DeclarationError: if there are not as many chances as this takes.
    """

    values: tuple[Expression, ...]
    chances: tuple[Expression, ...]

    def __post_init__(self) -> None:
        if len(self.chances) != len(self.values) - 1 + self.is_drawn:
            raise DeclarationError("a law has a chance for each value but the last, and for one that is drawn")

    @property
    def is_drawn(self) -> bool:
        """Whether the value is that of an element of an index set, which is drawn."""
        return len(self.values) == len(self.chances) == 1

    @property
    def probabilities(self) -> tuple[Expression, ...]:
        """The chances of all values, or that of an element."""
        if self.is_drawn:
            return self.chances
        known = sum((item.value for item in self.chances if isinstance(item, Number)), Fraction(0))
        unknown = [item for item in self.chances if not isinstance(item, Number)]
        return (*self.chances, reduce(sub, unknown, Number(1 - known)))

    def mean(self, function: _Function) -> Expression:
        """The expectation of a function of the value."""
        if self.is_drawn:
            return Total(_times(self.chances[0], function(self.values[0])))
        pairs = zip(self.probabilities, self.values, strict=True)
        return reduce(add, (_times(chance, function(value)) for chance, value in pairs if chance != _ZERO))

    def conditions(self) -> Iterator[Expression]:
        """What has a value exactly where no probability is negative, and those of the elements sum to 1."""
        yield from (Apply("sqrt", (chance,)) for chance in self.probabilities)
        if self.is_drawn:
            yield Apply("sqrt", (-((Total(self.chances[0]) - 1) ** _number(2)),))


@dataclass(frozen=True, repr=False)
class GroupExpectation(Expression):
    """The expectation of ``body``, in which ``member`` is what one of ``size`` members has.

    The others have it by ``law``, the one member by its ``own``. Groups in which all members have the same value count
    0 if only ``mixed`` ones count.

    Raises:
        DeclarationError: if there are fewer than two members, several symbols of a member, a sum over members of what
            does not depend on them or on other elements as well, a bound variable in the body, a coordinate of one
            element where elements of its set are drawn, or if only mixed groups count and the values are not different
            numbers.
    """

    form = "expectation[{0.body} for {0.member} of {0.size} members]"

    body: Expression
    member: Symbol
    size: Expression
    law: Law
    own: Law
    mixed: bool = False

    def __post_init__(self) -> None:
        require_fields(self, mixed=bool)
        members, size, values = self.member.indexed, self.size, self.law.values
        if members is None:
            raise DeclarationError(f"{self.member} is not indexed by the members of a group")
        if isinstance(size, Number) and (size.value < 2 or size.value.denominator != 1):
            raise DeclarationError(f"a group of {size} members: it takes a whole number of at least two")
        listed = {value.value for value in values if isinstance(value, Number)}
        if self.mixed and (self.own.values != values or len(listed) < max(2, len(values))):
            raise DeclarationError("whether a group is mixed is known only if its values are different numbers")
        for node in walk(self):
            if isinstance(node, Delta) or (isinstance(node, Symbol) and node.family != node):
                raise DeclarationError(f"{node} is of a further element of a set inside of an expectation")
        for node in walk(self.body):
            if isinstance(node, Symbol) and node.indexed == members and node != self.member:
                raise DeclarationError(f"{node} is another symbol of the members; their joint law is not known")
            if isinstance(node, Total) and node.over == members and self.member not in free_symbols(node):
                raise DeclarationError(f"{node} sums what does not depend on the member; multiply by the size")
            if isinstance(node, Total) and self.member in free_symbols(node):
                if node.over in (None, members) and {self.member}.issuperset(outside_totals(node.body)):
                    continue
                raise DeclarationError(f"{node} sums over members and over other elements at once")
            if node.bound is not None and not isinstance(node, GroupExpectation):
                raise DeclarationError(f"{node} binds {node.bound} inside of an expectation; carry it out first")
        for symbol in outside_totals(self.body) if self.own.is_drawn else ():
            if symbol != self.member:
                raise DeclarationError(f"{symbol} is of one element, and another one is drawn in {self}")

    def conditions(self) -> Iterator[Expression]:
        """What has a value exactly where there is such a group and its laws are laws."""
        if not isinstance(self.size, Number):
            yield Apply("sqrt", (self.size - 2,))
        for law in (self.law, self.own):
            yield from (*law.values, *law.conditions())

    @property
    def bound(self) -> Symbol:
        """What a member has."""
        return self.member

    @property
    def summed(self) -> tuple[Expression, ...]:
        """The laws by which elements are drawn."""
        return tuple(part for law in (self.law, self.own) if law.is_drawn for part in (*law.values, *law.chances))

    @property
    def children(self) -> tuple[Expression, ...]:
        """The body, which the symbol is bound in, and what is outside of it."""
        laws = (self.law.values, self.law.chances, self.own.values, self.own.chances)
        return (self.body, self.size, *(part for parts in laws for part in parts))

    def with_children(self, children: tuple[Expression, ...]) -> GroupExpectation:
        """The same expectation over other children."""
        rest = iter(children[2:])
        law, own = (
            Law(tuple(next(rest) for _ in one.values), tuple(next(rest) for _ in one.chances))
            for one in (self.law, self.own)
        )
        return GroupExpectation(children[0], self.member, children[1], law, own, self.mixed)


def expanded(node: GroupExpectation) -> Expression:
    """What an expectation of unfolded parts is: a sum over counts, or by moments.

    Raises:
        UnsupportedError: if the size is a symbol, or values are drawn, and the body is no polynomial in sums over
            members, unless there are two values and the size is whole.
    """
    if isinstance(node.size, Number) and node.own.values == node.law.values and not node.law.is_drawn:
        return _by_counts(node, node.size.value.numerator - 1)
    try:
        return _by_moments(node)
    except UnsupportedError:
        if node.own.values != node.law.values or len(node.law.values) != 2 or not _is_whole(node.size):
            raise
        return _by_number(node)


def _is_whole(size: Expression) -> bool:
    return isinstance(size, Symbol) and size.domain.whole


def _by_number(node: GroupExpectation) -> Expression:
    """A sum over how many of the others have the first of two values, for each value of the one member."""
    others = node.size - _ONE
    index = _index(node)
    first, second = node.law.probabilities
    chance = binomial(others, index) * as_exponential(first, index) * as_exponential(second, others - index)
    terms = []
    for place, own in enumerate(node.own.probabilities):
        if own == _ZERO:
            continue
        group = (index + _ONE, others - index) if place == 0 else (index, others - index + _ONE)
        # A mixed group has another member with the other value.
        least, most = (_ZERO, others - _ONE) if place == 0 else (_ONE, others)
        ends = (least, most) if node.mixed else (_ZERO, others)
        body = chance * _in_group(node.body, node, group, node.law.values[place])
        terms.append(_times(own, Binder("sum", body, index, *ends)))
    return reduce(add, terms)


def _index(node: GroupExpectation) -> Symbol:
    """A letter for the number of others, which does not occur in an expectation."""
    taken = {symbol.name for symbol in free_symbols(node)}
    name = next(name for name in chain(("k",), (f"k_{number}" for number in count(1))) if name not in taken)
    numbers = Interval(Fraction(0), None, True, False, whole=True)
    return Symbol(name, numbers, "how many of the others have the first value", name)


def _by_moments(node: GroupExpectation) -> Expression:
    products_of_sums = _terms(node.body, node)
    # A sum is as deep as it is long, and what walks through an expression takes some frames for each level.
    if len(products_of_sums) > _MOST_PRODUCTS or max(len(sums) for *_, sums in products_of_sums) > _MOST_SUMS:
        raise UnsupportedError(f"the moments of a group in {node} have too many terms")
    everything = reduce(add, (_times(term[0], _moment(node, *term[1:])) for term in products_of_sums))
    return reduce(sub, _of_alike_members(node), everything) if node.mixed else everything


def _of_alike_members(node: GroupExpectation) -> Iterator[Expression]:
    """What groups contribute in which all members have the same value, for each of the values."""
    chances = zip(node.law.probabilities, node.own.probabilities, node.law.values, strict=True)
    for chance, own, value in chances:
        if _ZERO not in (chance, own):
            others = as_exponential(chance, node.size - _ONE)
            yield _times(own, others, _where_alike(node.body, node, value))


def _where_alike(expression: Expression, node: GroupExpectation, value: Expression) -> Expression:
    """An expression where all members have the same value."""
    if expression == node.member:
        return value
    if isinstance(expression, Total) and node.member in free_symbols(expression):
        return node.size * _where_alike(expression.body, node, value)
    return rebuild(expression, tuple(_where_alike(child, node, value) for child in expression.children))


def _by_counts(node: GroupExpectation, others: int) -> Expression:
    chances, terms = node.law.probabilities, list[Expression]()
    for own, chance in enumerate(node.own.probabilities):
        for counts in _counts(others, len(chances)):
            group = tuple(count + (kind == own) for kind, count in enumerate(counts))
            if chance == _ZERO or (node.mixed and max(group) == others + 1):
                continue
            ways = _number(factorial(others) // prod(map(factorial, counts)))
            powers = (one if n == 1 else one ** _number(n) for one, n in zip(chances, counts, strict=True) if n)
            terms.append(_times(ways, chance, *powers, _in_group(node.body, node, group, node.law.values[own])))
    return reduce(add, terms) if terms else _ZERO


def _counts(members: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """How many of so many members may be of each kind."""
    if kinds == 1:
        yield (members,)
        return
    for first in range(members + 1):
        yield from ((first, *rest) for rest in _counts(members - first, kinds - 1))


def _in_group(
    expression: Expression, node: GroupExpectation, group: Sequence[int | Expression], own: Expression
) -> Expression:
    """An expression where so many members have each value, and the one member has its own."""
    if expression == node.member:
        return own
    if isinstance(expression, Total) and node.member in free_symbols(expression):
        each = zip(group, node.law.values, strict=True)
        terms = [_several(n, _in_group(expression.body, node, group, value)) for n, value in each if n != 0]
        terms = [term for term in terms if term != _ZERO] or [_ZERO]
        return reduce(lambda left, right: _folded(left + right), terms)
    return _folded(rebuild(expression, tuple(_in_group(child, node, group, own) for child in expression.children)))


def _several(number: int | Expression, value: Expression) -> Expression:
    """So many times a value."""
    if not isinstance(number, Expression):
        return _folded(_number(number) * value)
    return _ZERO if value == _ZERO else _times(number, value)


def _folded(expression: Expression) -> Expression:
    """The number that an operator on numbers gives, if it is rational; any other expression is itself."""
    match expression:
        case Apply("negate", (Number(value),)):
            return Number(-value)
        case Apply("power", (Number(base), Number(exponent))) if exponent.denominator == 1 and (base or exponent > 0):
            return Number(base**exponent.numerator)
        case Apply(operator, (Number(left), Number(right))) if operator in _ARITHMETIC:
            return expression if operator == "divide" and not right else Number(_ARITHMETIC[operator](left, right))
    return expression


def _terms(expression: Expression, node: GroupExpectation) -> list[_Term]:
    """An expression as a sum of products."""
    if node.member not in free_symbols(expression):
        return [(expression, _ONE, ())]
    if not any(isinstance(inner, Total) and node.member in free_symbols(inner) for inner in walk(expression)):
        return [(_ONE, expression, ())]
    match expression:
        case Total(body):
            return [
                (_times(scale, node.size), _ONE, sums) if own == _ONE else (scale, _ONE, (own, *sums))
                for scale, own, sums in _terms(body, node)
            ]
        case Apply("negate", (inner,)):
            return _products([(Number(Fraction(-1)), _ONE, ())], _terms(inner, node))
        case Apply("add", (left, right)):
            return [*_terms(left, node), *_terms(right, node)]
        case Apply("subtract", (left, right)):
            return [*_terms(left, node), *_terms(-right, node)]
        case Apply("multiply", (left, right)):
            return _products(_terms(left, node), _terms(right, node))
        case Apply("divide", (left, right)) if node.member not in free_symbols(right):
            return [(scale / right, own, sums) for scale, own, sums in _terms(left, node)]
        case Apply("power", (base, Number(exponent))) if exponent.denominator == 1 and exponent > 0:
            return reduce(_products, [_terms(base, node)] * exponent.numerator)
    raise UnsupportedError(f"{expression} is no polynomial in sums over the {node.size} members of a group")


def _products(left: list[_Term], right: list[_Term]) -> list[_Term]:
    pairs = product(left, right)
    return [(_times(one[0], two[0]), _times(one[1], two[1]), (*one[2], *two[2])) for one, two in pairs]


def _moment(node: GroupExpectation, own: Expression, sums: tuple[Expression, ...]) -> Expression:
    """The expectation of a function of the one member times sums over all members of functions of them."""
    terms = []
    for first, *others in _coinciding((own,), sums):
        ways = [node.size - _number(chosen) for chosen in range(1, len(others) + 1)]
        means = [_mean(node, node.law, functions) for functions in others]
        terms.append(_times(*ways, _mean(node, node.own, first), *means))
    return reduce(add, terms)


def _coinciding(own: tuple[Expression, ...], sums: Sequence[Expression]) -> Iterator[list[tuple[Expression, ...]]]:
    """All ways in which the members of some sums can coincide, with the one member, which is first, or each other."""
    if not sums:
        yield [own]
        return
    for known in _coinciding(own, sums[1:]):
        yield from ([*known[:n], (*known[n], sums[0]), *known[n + 1 :]] for n in range(len(known)))
        yield [*known, (sums[0],)]


def _mean(node: GroupExpectation, law: Law, functions: Sequence[Expression]) -> Expression:
    if all(one == _ONE for one in functions):
        return _ONE
    return law.mean(lambda value: _times(*(_in_group(one, node, (), value) for one in functions)))


def _times(*factors: Expression) -> Expression:
    """A product without factors 1."""
    return reduce(mul, [factor for factor in factors if factor != _ONE] or [_ONE])


def _number(value: int) -> Number:
    return Number(Fraction(value))
