"""For which whole numbers a statement is tried that nobody decides for all: enough for polynomials in it to show.

A polynomial of degree d that is not 0 vanishes at d numbers at most, so that one more tells it from 0. What grows
slowly shows late, which a few larger numbers are for.
"""

from __future__ import annotations

from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.language.statement import Relation, Statement, relations_of, symbols_of
from grpo_symbolic.referee.closing.closing import first_numbers

#: As many numbers are tried at least, and the most that are; what would need more is not tried at all.
_LEAST, _MOST = 8, 40
#: How far from the first number the larger ones are, where nothing but numbers is left to be compared.
_FAR = (15, 31)


def numbers_to_try(statement: Statement, symbol: Symbol) -> tuple[int, ...]:
    """The whole numbers for a symbol that tell whether a statement holds; none if these were too many."""
    needed = max(_LEAST, 1 + max((_zeros(one, symbol) for one in relations_of(statement)), default=0))
    if needed > _MOST:
        return ()
    first = first_numbers(symbol, needed)
    alone = set(symbols_of(statement)) <= {symbol}
    far = [first[0] + step for step in _FAR if step >= needed] if alone and first else []
    return tuple(int(number) for number in (*first, *(number for number in far if number in symbol.domain)))


def _zeros(relation: Relation, symbol: Symbol) -> int:
    """How many zeros the difference of two sides may have, as far as it is a quotient of polynomials in a symbol."""
    return _degrees(Apply("subtract", (relation.left, relation.right)), symbol)[0]


def _degrees(expression: Expression, symbol: Symbol) -> tuple[int, int]:
    """Bounds of the degrees of numerator and denominator; of what is no quotient of polynomials those of its parts."""
    if expression == symbol:
        return 1, 0
    parts = [_degrees(child, symbol) for child in expression.children]
    match expression:
        case Apply("add" | "subtract"):
            (above, below), (other_above, other_below) = parts
            return max(above + other_below, other_above + below), below + other_below
        case Apply("multiply"):
            return parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]
        case Apply("divide"):
            return parts[0][0] + parts[1][1], parts[0][1] + parts[1][0]
        case Apply("power", (_, Number(value))) if value.denominator == 1:
            above, below = parts[0] if value >= 0 else reversed(parts[0])
            return above * abs(int(value)), below * abs(int(value))
        case Binder(kind="sum", body=body, symbol=index):
            # The sum of a polynomial in its index is one of the next degree.
            return sum(map(sum, parts)) + sum(_degrees(body, index)) + 1, 0
    return max((sum(part) for part in parts), default=0), 0
