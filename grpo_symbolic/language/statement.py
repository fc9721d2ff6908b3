"""Statements: relations and their Boolean combinations, which mean what they say at each point.

A statement is universally quantified over the domains of its symbols. Relation, All, Any, Implies and Equivalent are
*elementary*; the composite kinds of ``composites.py`` are expanded into them. What is done to every relation or
expression of an elementary statement goes through ``map_relations``, what is computed from it through ``fold``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard, TypeVar

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.expression import (
    Expression,
    Scalar,
    Symbol,
    as_expression,
    free_symbols,
    substitute,
)

NEGATIONS: Mapping[str, str] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
#: The sign of an inequality read from right to left.
MIRRORED: Mapping[str, str] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}

T = TypeVar("T")


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


def map_expressions(statement: Statement, change: Callable[[Expression], Expression]) -> Statement:
    """The statement, of whatever kind, with each of its maximal expressions changed.

    Raises:
        DeclarationError: if a changed composite statement cannot mean anything.
    """
    return replace(statement, **{name: _changed(value, change) for name, value in vars(statement).items()})


def _changed(value: object, change: Callable[[Expression], Expression]) -> object:
    match value:
        case Expression():
            return change(value)
        case Statement():
            return map_expressions(value, change)
        case tuple():
            return tuple(_changed(item, change) for item in value)
        case _:
            return value


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
    if not is_elementary(statement):
        raise DeclarationError(f"cannot substitute into a composite statement: {statement}")
    return map_expressions(statement, lambda side: substitute(side, replacements))


def is_elementary(statement: Statement) -> bool:
    """Whether the statement is a relation or a Boolean combination of relations."""
    match statement:
        case Relation():
            return True
        case All(parts) | Any(parts):
            return all(map(is_elementary, parts))
        case Implies(left, right) | Equivalent(left, right):
            return is_elementary(left) and is_elementary(right)
        case _:
            return False


def is_equation(statement: Statement) -> TypeGuard[Relation]:
    """Whether the statement is ``left = right``."""
    return isinstance(statement, Relation) and statement.operator == "="


def assignments(statement: Statement) -> Iterator[tuple[Symbol, Expression]]:
    """The ways to read an equation as ``symbol = expression`` with an expression that is free of the symbol."""
    if is_equation(statement):
        for symbol, value in ((statement.left, statement.right), (statement.right, statement.left)):
            if isinstance(symbol, Symbol) and symbol not in free_symbols(value):
                yield symbol, value


def mirrored(relation: Relation) -> Relation:
    """The same relation read from right to left: ``b > a`` for ``a < b``."""
    return Relation(relation.right, MIRRORED.get(relation.operator, relation.operator), relation.left)


def negated(relation: Relation) -> Relation:
    """The relation that holds where this one, both of its sides having values, does not."""
    return Relation(relation.left, NEGATIONS[relation.operator], relation.right)


def conjuncts(*statements: Statement) -> Iterator[Statement]:
    """The statements with conjunctions taken apart, however deep."""
    for statement in statements:
        if isinstance(statement, All):
            yield from conjuncts(*statement.parts)
        else:
            yield statement


def conjunction(parts: Sequence[Statement]) -> Statement:
    """Every part holds; a single part is itself."""
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def map_relations(statement: Statement, change: Callable[[Relation], Statement]) -> Statement:
    """The elementary statement with something else in the place of each of its relations.

    Raises:
        UnsupportedError: for composite statements.
    """
    match statement:
        case Relation():
            return change(statement)
        case All(parts) | Any(parts):
            return type(statement)(tuple(map_relations(part, change) for part in parts))
        case Implies(left, right) | Equivalent(left, right):
            return type(statement)(map_relations(left, change), map_relations(right, change))
    raise UnsupportedError(f"expand composite statements first: {statement}")


def fold(
    statement: Statement,
    relation: Callable[[Relation], T],
    *,
    every: Callable[[Sequence[T]], T],
    some: Callable[[Sequence[T]], T],
    implies: Callable[[T, T], T],
    equivalent: Callable[[T, T], T],
) -> T:
    """What an elementary statement comes to, computed from its relations upwards.

    Raises:
        UnsupportedError: for composite statements.
    """

    def folded(part: Statement) -> T:
        return fold(part, relation, every=every, some=some, implies=implies, equivalent=equivalent)

    match statement:
        case Relation():
            return relation(statement)
        case All(parts):
            return every([folded(part) for part in parts])
        case Any(parts):
            return some([folded(part) for part in parts])
        case Implies(premise, conclusion):
            return implies(folded(premise), folded(conclusion))
        case Equivalent(left, right):
            return equivalent(folded(left), folded(right))
    raise UnsupportedError(f"expand composite statements first: {statement}")


def relations_of(statement: Statement) -> tuple[Relation, ...]:
    """The relations of an elementary statement, in reading order.

    Raises:
        UnsupportedError: for composite statements.
    """
    return fold(
        statement,
        lambda relation: (relation,),
        every=_joined,
        some=_joined,
        implies=lambda premise, conclusion: premise + conclusion,
        equivalent=lambda left, right: left + right,
    )


def _joined(parts: Sequence[tuple[Relation, ...]]) -> tuple[Relation, ...]:
    return tuple(relation for part in parts for relation in part)


def truth(statement: Statement, decide: Callable[[Relation], bool | None]) -> bool | None:
    """Whether an elementary statement holds, given this of its relations; None where they leave it open.

    Raises:
        UnsupportedError: for composite statements.
    """
    return fold(
        statement,
        decide,
        every=_all_hold,
        some=_one_holds,
        implies=lambda premise, conclusion: _one_holds((_opposite(premise), conclusion)),
        equivalent=lambda left, right: None if left is None or right is None else left is right,
    )


def _all_hold(truths: Sequence[bool | None]) -> bool | None:
    return False if False in truths else None if None in truths else True


def _one_holds(truths: Sequence[bool | None]) -> bool | None:
    return True if True in truths else None if None in truths else False


def _opposite(known: bool | None) -> bool | None:
    return None if known is None else not known
