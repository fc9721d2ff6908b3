"""Relations without the logarithms, roots and powers that stand round both sides, which say the same.

``log a <= c log b`` is ``a <= b**c``, and ``a**(1/3) <= b`` is ``a <= b**3`` where b is not negative: a strictly
increasing function of both sides changes no relation. A letter x of positive numbers under roots is t**q, with which
every positive number can be written.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from grpo_symbolic.language.calculus import ONE, times
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import (
    Apply,
    Expression,
    Number,
    Symbol,
    free_symbols,
    rebuild,
    substitute,
    walk,
)
from grpo_symbolic.language.statement import Implies, Relation, Statement, eq, expressions_of, ge, gt
from grpo_symbolic.reading.meaning.linear import TooManyTerms, terms
from grpo_symbolic.referee.closing.limits import Decides

#: Highest power to which sides are raised, and most layers that are peeled off.
_HIGHEST, _LAYERS = 12, 2


def has_layers(statement: Statement) -> bool:
    """Whether a logarithm, a root or a power that is no whole number stands in a statement."""
    nodes = (node for side in expressions_of(statement) for node in walk(side))
    return any(_power(node) or (isinstance(node, Apply) and node.operator == "log") for node in nodes)


def peeled(statement: Statement, decides: Decides) -> Iterator[tuple[Statement, str]]:
    """Statements that say the same as one about logarithms, roots or powers, each with the reason in words.

    ``decides`` says whether the engine decides a statement: that what a root is taken of is not negative.
    """
    match statement:
        case Implies(premise, Relation() as relation) if _has_values(relation, decides):
            yield from ((Implies(premise, one), reason) for one, reason in _peeled(relation, decides))
        case Relation() if _has_values(statement, decides):
            yield from _peeled(statement, decides)


def _has_values(relation: Relation, decides: Decides) -> bool:
    """Whether both sides have a value everywhere, of which what is left of them may not tell: log(x) - log(x)."""
    return all(decides(eq(side, side)) for side in (relation.left, relation.right))


def _peeled(relation: Relation, decides: Decides, layers: int = _LAYERS) -> Iterator[tuple[Relation, str]]:
    for rule in (_without_logarithms, _without_powers, _with_roots_as_letters):
        found = rule(relation, decides)
        if found is None:
            continue
        yield found
        if layers > 1:
            yield from ((inner, f"{found[1]}; {reason}") for inner, reason in _peeled(found[0], decides, layers - 1))


def _without_logarithms(relation: Relation, decides: Decides) -> tuple[Relation, str] | None:
    """The relation between products of powers, if the sides are sums of multiples of logarithms."""
    try:
        found = terms(relation.left - relation.right)
    except TooManyTerms:
        return None
    weights: dict[Expression, Fraction] = {}
    for product, factor in found.items():
        match product:
            case (Apply("log", (inner,)),):
                weights[inner] = factor
            case _:
                return None
    scaled = _whole(weights.values())
    if not weights or scaled is None or not all(decides(gt(inner, 0)) for inner in weights):
        return None
    left = _product((inner, int(weight * scaled)) for inner, weight in weights.items() if weight > 0)
    right = _product((inner, int(-weight * scaled)) for inner, weight in weights.items() if weight < 0)
    return Relation(left, relation.operator, right), "the exponential function of both sides, which increases"


def _without_powers(relation: Relation, decides: Decides) -> tuple[Relation, str] | None:
    """The relation between powers of both sides, if these are products with roots in them and not negative."""
    sides = [_factors(side) for side in (relation.left, relation.right)]
    order = _whole(exponent for side in sides for _, exponent in side)
    if order is None or order == 1:
        return None
    if not all(decides(ge(base, 0)) for side in sides for base, _ in side):
        return None
    left, right = (_quotient([(base, exponent * order) for base, exponent in side]) for side in sides)
    return Relation(left, relation.operator, right), f"both sides, which are not negative, to the power {order}"


def _with_roots_as_letters(relation: Relation, _: Decides) -> tuple[Relation, str] | None:
    """The relation with x = t**q for letters x that stand under roots, if they are positive and nothing more."""
    orders: dict[Symbol, int] = {}
    for node in (*walk(relation.left), *walk(relation.right)):
        for base, exponent in _power(node):
            if isinstance(base, Symbol):
                orders[base] = math.lcm(orders.get(base, 1), exponent.denominator)
    positive = Interval(Fraction(0), None)
    chosen = {one: order for one, order in orders.items() if 1 < order <= _HIGHEST and one.domain == positive}
    if not chosen:
        return None
    taken = {symbol.name for side in (relation.left, relation.right) for symbol in free_symbols(side)}
    letters: dict[Symbol, Symbol] = {}
    for symbol in chosen:
        name = next(name for name in (f"{symbol.name}_root{'_' * number}" for number in range(9)) if name not in taken)
        letters[symbol] = Symbol(name, positive, symbol.meaning, name)

    def changed(side: Expression) -> Expression:
        return substitute(_rooted(side, chosen, letters), {one: letters[one] ** order for one, order in chosen.items()})

    shown = ", ".join(f"{one.name} = {letters[one].name}^{order}" for one, order in chosen.items())
    return Relation(changed(relation.left), relation.operator, changed(relation.right)), f"with {shown}"


def _rooted(expression: Expression, chosen: dict[Symbol, int], letters: dict[Symbol, Symbol]) -> Expression:
    """The expression with powers of the new letters in the place of powers of the old ones."""
    powers = _power(expression)
    if powers and all(isinstance(base, Symbol) and base in chosen for base, _ in powers):
        found = [(letters[base], exponent * chosen[base]) for base, exponent in powers if isinstance(base, Symbol)]
        if all(exponent.denominator == 1 for _, exponent in found):
            return _quotient(found)
    return rebuild(expression, tuple(_rooted(child, chosen, letters) for child in expression.children))


def _power(node: Expression) -> list[tuple[Expression, Fraction]]:
    """The bases and exponents of a node that is a root or a real power, ``exp(c log(u))``; empty if it is none."""
    match node:
        case Apply("sqrt", (base,)):
            return [(base, Fraction(1, 2))]
        case Apply("power", (base, Number(exponent))) if exponent.denominator == 2:
            return [(base, exponent)]
        case Apply("exp", (inner,)):
            try:
                found = terms(inner)
            except TooManyTerms:
                return []
            powers: list[tuple[Expression, Fraction]] = []
            for product, factor in found.items():
                match product:
                    case (Apply("log", (base,)),):
                        powers.append((base, factor))
                    case _:
                        return []
            return powers
    return []


def _factors(side: Expression) -> list[tuple[Expression, Fraction]]:
    """The bases of a product with their exponents."""
    powers = _power(side)
    if powers:
        return powers
    match side:
        case Apply("multiply", (left, right)):
            return [*_factors(left), *_factors(right)]
        case Apply("divide", (above, below)):
            return [*_factors(above), *((base, -exponent) for base, exponent in _factors(below))]
    return [(side, Fraction(1))]


def _whole(exponents: Iterable[Fraction]) -> int | None:
    """The smallest number with which all exponents become whole; None if it, or one of them, is too large."""
    listed = list(exponents)
    found = math.lcm(*(exponent.denominator for exponent in listed))
    return found if found <= _HIGHEST and all(abs(exponent * found) <= _HIGHEST for exponent in listed) else None


def _product(powers: Iterable[tuple[Expression, int]]) -> Expression:
    result: Expression = ONE
    for base, exponent in powers:
        result = times(result, base if exponent == 1 else base**exponent)
    return result


def _quotient(powers: Sequence[tuple[Expression, Fraction]]) -> Expression:
    above = _product((base, int(exponent)) for base, exponent in powers if exponent > 0)
    below = _product((base, int(-exponent)) for base, exponent in powers if exponent < 0)
    return above if below == ONE else above / below
