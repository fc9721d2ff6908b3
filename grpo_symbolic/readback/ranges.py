"""Conditions that say no more than the domain of a symbol does."""

from __future__ import annotations

from fractions import Fraction

from grpo_symbolic.language.expression import Number, Symbol
from grpo_symbolic.language.statement import Relation, Statement


def is_domain(condition: Statement) -> bool:
    """Whether a condition is one end of the domain of a variable: exactly that, neither more nor less."""
    match condition:
        case Relation(Number(low), "<" | "<=" as operator, Symbol() as symbol) if not symbol.indexed:
            return _ends_at(low, operator, symbol.domain.lower, symbol.domain.lower_closed)
        case Relation(Symbol() as symbol, ">" | ">=" as operator, Number(low)):
            return _ends_at(low, operator.replace(">", "<"), symbol.domain.lower, symbol.domain.lower_closed)
        case Relation(Symbol() as symbol, "<" | "<=" as operator, Number(high)):
            return _ends_at(high, operator, symbol.domain.upper, symbol.domain.upper_closed)
        case Relation(Number(high), ">" | ">=" as operator, Symbol() as symbol):
            return _ends_at(high, operator.replace(">", "<"), symbol.domain.upper, symbol.domain.upper_closed)
    return False


def _ends_at(value: Fraction, operator: str, end: Fraction | None, closed: bool) -> bool:
    return value == end and closed == (operator == "<=")
