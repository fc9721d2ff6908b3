"""Obligations, into which statements are expanded, what must hold for them to be defined, and how hypotheses are used.

An Obligation says: for all values of the symbols in their domains, if the hypotheses hold then the
conclusion holds, all of them Boolean combinations of relations without Derivative or Substitution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Expression, Number, Symbol, is_whole
from grpo_symbolic.language.statement import (
    All,
    Relation,
    Statement,
    assignments,
    conjunction,
    expressions_of,
    ge,
    gt,
    is_elementary,
    le,
    lt,
    map_expressions,
    substitute_statement,
    symbols_of,
)

#: Ends the label of the obligation that what another one compares has a value.
WELL_DEFINED = ": well defined"


@dataclass(frozen=True)
class Obligation:
    """One elementary thing to check: ``hypotheses`` imply ``conclusion`` on the symbols' domains.

    ``defined`` holds functions that were differentiated on the way: they must have values as well, which
    their derivatives do not show (the derivative of log(u) is defined for negative u). A ``side_condition``
    belongs to another obligation, which has the same hypotheses and is checked as well. What is ``possible`` shows that
    something can hold without which the statement would say nothing.
    """

    label: str
    hypotheses: tuple[Statement, ...]
    conclusion: Statement
    necessary: bool = True
    defined: tuple[Expression, ...] = ()
    side_condition: bool = False
    possible: bool = False

    def __post_init__(self) -> None:
        for statement in (*self.hypotheses, self.conclusion):
            if not is_elementary(statement):
                raise DeclarationError(f"expand composite statements before they become obligations: {statement}")

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """All symbols, hypotheses first."""
        return symbols_of(*self.hypotheses, self.conclusion)

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Every maximal expression, hypotheses first."""
        return tuple(expressions_of((*self.hypotheses, self.conclusion)))


Plan = tuple[Obligation, ...]


def unfold_statement(statement: Statement) -> Statement:
    """Carry out the derivatives and substitutions in an elementary statement.

    Raises:
        DeclarationError: for composite statements.
    """
    if not is_elementary(statement):
        raise DeclarationError(f"a composite statement cannot stand inside another: {statement}")
    return map_expressions(statement, unfold)


def domain_statement(symbol: Symbol, value: Expression) -> Statement:
    """``value`` lies in the domain of ``symbol``.

    Raises:
        DeclarationError: if the symbol is whole and the value is not plainly so.
    """
    if symbol.domain.whole and not is_whole(value):
        raise DeclarationError(f"{symbol} is whole, and {value} need not be")
    return within(symbol.domain, value)


def within(domain: Interval, value: Expression) -> Statement:
    """A value lies between the ends of an interval."""
    ends = ((domain.lower, ge if domain.lower_closed else gt), (domain.upper, le if domain.upper_closed else lt))
    return conjunction([compare(value, Number(end)) for end, compare in ends if end is not None])


def domain_statements(values: Mapping[Symbol, Expression]) -> tuple[Statement, ...]:
    """Values lie in the domains of their symbols, as far as these do not hold every number."""
    return tuple(domain_statement(symbol, value) for symbol, value in values.items() if not symbol.domain.is_whole_line)


def parted(
    symbols: Iterable[Symbol], statements: Iterable[Statement]
) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """Statements that speak of one of some symbols, and the others."""
    spoken_of, listed = frozenset(symbols), tuple(statements)
    about = tuple(item for item in listed if not spoken_of.isdisjoint(symbols_of(item)))
    return about, tuple(item for item in listed if item not in about)


def holding_at(
    about: tuple[Statement, ...], values: Mapping[Symbol, Expression], given: tuple[Statement, ...], label: str
) -> Plan:
    """That hypotheses hold at values of the symbols that they restrict."""
    there = tuple(substitute_statement(item, values) for item in about)
    return (Obligation(label, given, All(there)),) if there else ()


def values_needed(expressions: Iterable[Expression]) -> tuple[Relation, ...]:
    """What must hold for expressions to have values, each condition once."""
    return tuple(dict.fromkeys(condition for item in expressions for condition in side_conditions(item)))


def well_defined(obligation: Obligation) -> Obligation | None:
    """The side conditions of an obligation's conclusion, or None if it is defined everywhere.

    Denominators must not vanish, radicands must not be negative and logarithms need positive arguments,
    wherever the hypotheses hold. Conditions stand inner first, so each is defined given those before it.
    """
    conditions = values_needed((*obligation.defined, *expressions_of(obligation.conclusion)))
    if not conditions:
        return None
    conclusion = conjunction(conditions)
    # Undefined somewhere on the domain means that the statement itself fails to say something there.
    return Obligation(f"{obligation.label}{WELL_DEFINED}", obligation.hypotheses, conclusion, side_condition=True)


def impossibility(label: str, statements: tuple[Statement, ...]) -> Obligation:
    """That statements never hold together: from them follows that 1 < 0."""
    return Obligation(label, statements, lt(Number(Fraction(1)), Number(Fraction(0))))


def without(symbol: Symbol, value: Expression, hypotheses: Iterable[Statement]) -> tuple[Statement, ...]:
    """Hypotheses with a symbol replaced; its domain stays, as a hypothesis about what replaces it.

    That this is whole is forgotten, so that what is left says more.
    """
    replaced = tuple(substitute_statement(hypothesis, {symbol: value}) for hypothesis in hypotheses)
    return replaced if symbol.domain.is_whole_line else (*replaced, within(symbol.domain, value))


def assigned(hypotheses: Sequence[Statement]) -> tuple[tuple[Statement, ...], tuple[tuple[Symbol, Expression], ...]]:
    """What is left of hypotheses when no ``symbol = expression`` is among them, and what was put for which symbol.

    The replacements are in the order in which they were made, which is that in which they apply to a conclusion.
    """
    rest, used = tuple(hypotheses), list[tuple[Symbol, Expression]]()
    while True:
        for number, hypothesis in enumerate(rest):
            found = next(assignments(hypothesis), None)
            if found is not None:
                rest = without(*found, (*rest[:number], *rest[number + 1 :]))
                used.append(found)
                break
        else:
            return rest, tuple(used)
