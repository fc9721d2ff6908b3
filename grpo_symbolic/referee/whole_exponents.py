"""Powers with symbols in their exponents, which are read for positive bases, where the exponents are whole numbers.

An identity holds where both sides have a value, and is told so. What says where something holds is another matter: that
``x = y^n`` is so if and only if ``x^{1/n} = y`` is true of all positive bases, and false for ``n = 2`` and a negative
one. Therefore no such statement is decided by what it says of positive bases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice, product

from grpo_symbolic.language.expression import Expression, Number, Symbol, free_symbols, rebuild, substitute, walk
from grpo_symbolic.language.statement import (
    Implies,
    Relation,
    Statement,
    conjunction,
    conjuncts,
    expressions_of,
    gt,
    is_elementary,
    map_expressions,
)
from grpo_symbolic.reading.notation.elementary import constant_value, power
from grpo_symbolic.referee.closing.closing import first_numbers
from grpo_symbolic.referee.closing.limits import Decides

#: Most whole numbers for each symbol, and most points of several of them together.
_NUMBERS, _POINTS = 3, 9


def restricted(statement: Statement, powers: Sequence[Expression], decides: Decides) -> tuple[Expression, ...]:
    """Those of some powers by whose reading points are left out of which a statement speaks.

    None of a single relation, nor where a premise says that the bases are positive, in which none of them stands.
    """
    if isinstance(statement, Relation):
        return ()
    there = {node for side in expressions_of(statement) for node in walk(side)}
    found = tuple(one for one in powers if one in there and _may_be_whole(one))
    before: tuple[Expression, ...] = ()
    while isinstance(statement, Implies) and found != before:
        before = found
        given = [one for one in conjuncts(statement.premise) if not _holds_any(one, found)]
        found = tuple(one for one in found if not given or not decides(Implies(conjunction(given), gt(_base(one), 0))))
    return found


def _holds_any(statement: Statement, powers: Sequence[Expression]) -> bool:
    return any(node in powers for side in expressions_of(statement) for node in walk(side))


def _may_be_whole(one: Expression) -> bool:
    """Whether the exponent of a power is no symbol, or one whose domain has whole numbers."""
    exponent = _exponent(one)
    return not isinstance(exponent, Symbol) or bool(first_numbers(exponent, 1))


def at_whole_numbers(
    statement: Statement, powers: Sequence[Expression]
) -> Iterator[tuple[dict[Symbol, Fraction], Statement]]:
    """The statement for the first whole numbers in the place of the symbols of exponents, with true powers of them."""
    if not is_elementary(statement):
        return
    symbols = tuple(dict.fromkeys(symbol for one in powers for symbol in free_symbols(_exponent(one))))
    ranges = [first_numbers(symbol, _NUMBERS) for symbol in symbols]
    for numbers in islice(product(*ranges), _POINTS):
        point = dict(zip(symbols, numbers, strict=True))
        values = {symbol: Number(value) for symbol, value in point.items()}
        exponents = [constant_value(substitute(_exponent(one), values)) for one in powers]
        if None not in exponents:  # 1/n has no value for n = 0
            yield point, map_expressions(statement, partial(_at, powers=powers, values=values))


def _at(expression: Expression, powers: Sequence[Expression], values: Mapping[Symbol, Expression]) -> Expression:
    if expression in powers:
        return power(_at(_base(expression), powers, values), substitute(_exponent(expression), values))
    if isinstance(expression, Symbol):
        return values.get(expression, expression)
    return rebuild(expression, tuple(_at(child, powers, values) for child in expression.children))


def _base(one: Expression) -> Expression:
    """The base of a power, which is read as the exponential of the exponent times its logarithm."""
    return one.children[0].children[1].children[0]


def _exponent(one: Expression) -> Expression:
    return one.children[0].children[0]
