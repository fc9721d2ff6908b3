"""Statements: relations and their Boolean combinations, which mean what they say at each point.

A statement is universally quantified over the domains of its symbols. Relation, All, Any, Implies and Equivalent are
*elementary*; the composite kinds of ``composites.py`` are expanded into them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import (
    Expression,
    Scalar,
    Symbol,
    as_expression,
    free_symbols,
    substitute,
)

NEGATIONS: Mapping[str, str] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


@dataclass(frozen=True)
class Statement:
    """Base of all statements."""

    def __bool__(self) -> bool:
        raise DeclarationError(f"a statement has no truth value before it is checked: {self}")


@dataclass(frozen=True)
class Relation(Statement):
    """``left`` compared with ``right``; the operator is one of ``= != < <= > >=``."""

    left: Expression
    operator: str
    right: Expression

    def __post_init__(self) -> None:
        if self.operator not in NEGATIONS:
            raise DeclarationError(f"unknown relation {self.operator!r}; known: {', '.join(NEGATIONS)}")

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


@dataclass(frozen=True)
class All(Statement):
    """Every part holds."""

    parts: tuple[Statement, ...]

    def __str__(self) -> str:
        return " and ".join(f"({part})" for part in self.parts)


@dataclass(frozen=True)
class Any(Statement):
    """At least one part holds."""

    parts: tuple[Statement, ...]

    def __str__(self) -> str:
        return " or ".join(f"({part})" for part in self.parts)


@dataclass(frozen=True)
class Implies(Statement):
    """At each point where the premise holds the conclusion holds."""

    premise: Statement
    conclusion: Statement

    def __str__(self) -> str:
        return f"({self.premise}) => ({self.conclusion})"


@dataclass(frozen=True)
class Equivalent(Statement):
    """Both sides hold at the same points."""

    left: Statement
    right: Statement

    def __str__(self) -> str:
        return f"({self.left}) <=> ({self.right})"


def eq(left: Scalar, right: Scalar) -> Relation:
    """``left = right``."""
    return Relation(as_expression(left), "=", as_expression(right))


def ne(left: Scalar, right: Scalar) -> Relation:
    """``left != right``."""
    return Relation(as_expression(left), "!=", as_expression(right))


def lt(left: Scalar, right: Scalar) -> Relation:
    """``left < right``."""
    return Relation(as_expression(left), "<", as_expression(right))


def le(left: Scalar, right: Scalar) -> Relation:
    """``left <= right``."""
    return Relation(as_expression(left), "<=", as_expression(right))


def gt(left: Scalar, right: Scalar) -> Relation:
    """``left > right``."""
    return Relation(as_expression(left), ">", as_expression(right))


def ge(left: Scalar, right: Scalar) -> Relation:
    """``left >= right``."""
    return Relation(as_expression(left), ">=", as_expression(right))


def expressions_of(statement: Statement) -> Iterator[Expression]:
    """Every maximal expression in a statement, in reading order."""
    for value in vars(statement).values():
        yield from _expressions_in(value)


def _expressions_in(value: object) -> Iterator[Expression]:
    if isinstance(value, Expression):
        yield value
    elif isinstance(value, Statement):
        yield from expressions_of(value)
    elif isinstance(value, tuple):
        for item in value:
            yield from _expressions_in(item)


def symbols_of(*statements: Statement) -> tuple[Symbol, ...]:
    """The symbols of statements in order of first appearance.

    Raises:
        DeclarationError: if two different symbols share a name.
    """
    found: dict[str, Symbol] = {}
    for statement in statements:
        for expression in expressions_of(statement):
            for symbol in free_symbols(expression):
                other = found.setdefault(symbol.name, symbol)
                if other != symbol:
                    raise DeclarationError(
                        f"two symbols are called {symbol.name}: one on {other.domain} ({other.meaning}), "
                        f"one on {symbol.domain} ({symbol.meaning}); rename one"
                    )
    return tuple(found.values())


def substitute_statement(statement: Statement, replacements: Mapping[Symbol, Expression]) -> Statement:
    """Replace symbols in an elementary statement.

    Raises:
        DeclarationError: for composite statements, which bind their symbol.
    """
    match statement:
        case Relation(left, operator, right):
            return Relation(substitute(left, replacements), operator, substitute(right, replacements))
        case All(parts):
            return All(tuple(substitute_statement(part, replacements) for part in parts))
        case Any(parts):
            return Any(tuple(substitute_statement(part, replacements) for part in parts))
        case Implies(premise, conclusion):
            return Implies(substitute_statement(premise, replacements), substitute_statement(conclusion, replacements))
        case Equivalent(left, right):
            return Equivalent(substitute_statement(left, replacements), substitute_statement(right, replacements))
        case _:
            raise DeclarationError(f"cannot substitute into a composite statement: {statement}")


def is_elementary(statement: Statement) -> bool:
    """Whether the statement is a relation or a Boolean combination of relations."""
    match statement:
        case Relation():
            return True
        case All(parts) | Any(parts):
            return all(is_elementary(part) for part in parts)
        case Implies(left, right) | Equivalent(left, right):
            return is_elementary(left) and is_elementary(right)
        case _:
            return False
