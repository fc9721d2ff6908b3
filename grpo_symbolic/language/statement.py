"""Statements: relations and their Boolean combinations, which mean what they say at each point.

A statement is universally quantified over the domains of its symbols. Relation, All, Any, Implies and Equivalent are
*elementary*; the composite kinds of ``composites.py`` are expanded into them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import is_

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.arguments import require_fields
from grpo_symbolic.language.expression import Expression, Scalar, Symbol, as_expression, free_symbols, substitute

NEGATIONS: Mapping[str, str] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
#: The sign of an inequality read from right to left.
MIRRORED: Mapping[str, str] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(frozen=True, repr=False)
class Statement:
    """Base of all statements."""

    #: How the statement prints itself in messages; without one, as its kind and what it is made of.
    form = ""

    def __str__(self) -> str:
        parts = (f"{name}={_said(value)}" for name, value in vars(self).items())
        return self.form.format(self) or f"{type(self).__name__}({', '.join(parts)})"

    def __bool__(self) -> bool:
        raise DeclarationError(f"a statement has no truth value before it is checked: {self}")


def _said(value: object) -> str:
    return f"({', '.join(map(_said, value))})" if isinstance(value, tuple) else str(value)


@dataclass(frozen=True, repr=False)
class Relation(Statement):
    """``left`` compared with ``right``; the operator is one of ``= != < <= > >=``."""

    form = "{0.left} {0.operator} {0.right}"

    left: Expression
    operator: str
    right: Expression

    def __post_init__(self) -> None:
        require_fields(self, left=Expression, operator=str, right=Expression)
        if self.operator not in NEGATIONS:
            raise DeclarationError(f"unknown relation {self.operator!r}; known: {', '.join(NEGATIONS)}")


@dataclass(frozen=True, repr=False)
class All(Statement):
    """Every part holds."""

    parts: tuple[Statement, ...]

    def __str__(self) -> str:
        return " and ".join(f"({part})" for part in self.parts)


@dataclass(frozen=True, repr=False)
class Any(Statement):
    """At least one part holds."""

    parts: tuple[Statement, ...]

    def __str__(self) -> str:
        return " or ".join(f"({part})" for part in self.parts)


@dataclass(frozen=True, repr=False)
class Implies(Statement):
    """At each point where the premise holds the conclusion holds."""

    form = "({0.premise}) => ({0.conclusion})"

    premise: Statement
    conclusion: Statement


@dataclass(frozen=True, repr=False)
class Equivalent(Statement):
    """Both sides hold at the same points."""

    form = "({0.left}) <=> ({0.right})"

    left: Statement
    right: Statement


def _comparing(name: str, operator: str) -> Callable[[Scalar, Scalar], Relation]:
    """What states that two expressions or exact numbers compare like this."""

    def compare(left: Scalar, right: Scalar) -> Relation:
        return Relation(as_expression(left), operator, as_expression(right))

    compare.__name__, compare.__doc__ = name, f"``left {operator} right``."
    return compare


eq, ne = _comparing("eq", "="), _comparing("ne", "!=")
lt, le, gt, ge = _comparing("lt", "<"), _comparing("le", "<="), _comparing("gt", ">"), _comparing("ge", ">=")


def expressions_of(part: object) -> Iterator[Expression]:
    """Every maximal expression in a statement, or in what stands in one, in reading order."""
    if isinstance(part, Expression):
        yield part
    elif isinstance(part, Statement | tuple):
        for inner in part if isinstance(part, tuple) else vars(part).values():
            yield from expressions_of(inner)


def map_expressions(statement: Statement, change: Callable[[Expression], Expression]) -> Statement:
    """The statement, of whatever kind, with each of its maximal expressions changed.

    Raises:
        DeclarationError: if a changed composite statement cannot mean anything.
    """
    changed = {name: _changed(value, change) for name, value in vars(statement).items()}
    # What stays as it is stays the same object, which is quickly found to be equal to itself.
    if all(value is changed[name] for name, value in vars(statement).items()):
        return statement
    return replace(statement, **changed)


def _changed(value: object, change: Callable[[Expression], Expression]) -> object:
    match value:
        case Expression():
            return change(value)
        case Statement():
            return map_expressions(value, change)
        case tuple():
            items = tuple(_changed(item, change) for item in value)
            return value if all(map(is_, items, value)) else items
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


def combined(statement: Statement) -> tuple[Statement, ...] | None:
    """The parts of a Boolean combination, in reading order; None of any other statement."""
    match statement:
        case All(parts) | Any(parts):
            return parts
        case Implies(premise, conclusion):
            return premise, conclusion
        case Equivalent(left, right):
            return left, right
        case _:
            return None


def parts_of(statement: Statement) -> tuple[Statement, ...]:
    """The statements that stand in a statement of any kind, not those inside of them, in reading order."""
    values = (value if isinstance(value, tuple) else (value,) for value in vars(statement).values())
    return tuple(part for value in values for part in value if isinstance(part, Statement))


def is_elementary(statement: Statement) -> bool:
    """Whether the statement is a relation or a Boolean combination of relations."""
    parts = combined(statement)
    return isinstance(statement, Relation) if parts is None else all(map(is_elementary, parts))


def relations_of(statement: Statement) -> tuple[Relation, ...]:
    """The relations of an elementary statement, in reading order.

    Raises:
        UnsupportedError: for composite statements.
    """
    if isinstance(statement, Relation):
        return (statement,)
    parts = combined(statement)
    if parts is None:
        raise UnsupportedError(f"expand composite statements first: {statement}")
    return tuple(relation for part in parts for relation in relations_of(part))


def truth(statement: Statement, decide: Callable[[Relation], bool | None]) -> bool | None:
    """Whether an elementary statement holds, given this of its relations; None where they leave it open.

    Raises:
        UnsupportedError: for composite statements.
    """
    if isinstance(statement, Relation):
        return decide(statement)
    known = [truth(part, decide) for part in combined(statement) or ()]
    if isinstance(statement, Implies):
        # Either the premise fails or the conclusion holds.
        known[0] = None if known[0] is None else not known[0]
    match statement:
        case All():
            return False if False in known else None if None in known else True
        case Any() | Implies():
            return True if True in known else None if None in known else False
        case Equivalent():
            return None if None in known else known[0] is known[1]
    raise UnsupportedError(f"expand composite statements first: {statement}")


def assignments(statement: Statement) -> Iterator[tuple[Symbol, Expression]]:
    """The ways to read an equation as ``symbol = expression`` with an expression that is free of the symbol."""
    if isinstance(statement, Relation) and statement.operator == "=":
        for symbol, value in ((statement.left, statement.right), (statement.right, statement.left)):
            if isinstance(symbol, Symbol) and symbol not in free_symbols(value):
                yield symbol, value


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
