"""Statements: relations, their Boolean combinations, and a closed list of composite kinds.

A statement is universally quantified over the domains of its symbols. Elementary statements
(Relation, All, Any, Implies, Equivalent) mean what they say at each point. Composite statements
(Monotone, Limit, UniqueRoot, UniqueZero, Zeros, Extremum, Summed, TermOfTotal, Instance) mean something about a
whole interval or all outputs; ``expansion.py`` expands them into elementary obligations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import (
    Expression,
    Number,
    Scalar,
    Symbol,
    Total,
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


@dataclass(frozen=True)
class Monotone(Statement):
    """``expression`` is strictly increasing (or decreasing) in ``symbol``, all else held fixed."""

    expression: Expression
    symbol: Symbol
    increasing: bool

    def __str__(self) -> str:
        return f"{self.expression} is {'increasing' if self.increasing else 'decreasing'} in {self.symbol}"


@dataclass(frozen=True)
class Limit(Statement):
    """``expression`` tends to ``value`` as ``symbol`` approaches ``point``, at an explicit rate.

    ``side`` is ``"+"`` (from above), ``"-"`` (from below) or ``"oo"`` (``point`` is then ignored).
    With the distance d = symbol - point, point - symbol or 1/symbol the statement says, for d <= near:
    ``|expression - value| <= constant * d**exponent`` when ``value`` is an expression, and
    ``expression >= constant * d**(-exponent)`` when ``value`` is ``None`` (divergence to +infinity).
    ``near`` and ``constant`` are positive and free of the symbol; ``exponent`` is a positive half-integer.
    """

    expression: Expression
    symbol: Symbol
    point: Expression
    side: str
    value: Expression | None
    constant: Expression
    exponent: Fraction
    near: Expression | None = None

    def __post_init__(self) -> None:
        if self.side not in ("+", "-", "oo"):
            raise DeclarationError(f"limit side {self.side!r}; write '+', '-' or 'oo'")
        if self.exponent <= 0 or self.exponent.denominator not in (1, 2):
            raise DeclarationError(f"limit rate exponent {self.exponent} is not a positive half-integer")
        for part in (self.point, self.constant, self.value, self.near):
            if part is not None and self.symbol in free_symbols(part):
                raise DeclarationError(f"limit in {self.symbol}: {part} depends on {self.symbol}")

    @property
    def distance(self) -> Expression:
        """How far the symbol still is from its limit point; tends to 0."""
        if self.side == "oo":
            return 1 / self.symbol
        return self.symbol - self.point if self.side == "+" else self.point - self.symbol

    def __str__(self) -> str:
        where = "oo" if self.side == "oo" else f"{self.point}{self.side}"
        value = "oo" if self.value is None else str(self.value)
        rate = f"{self.constant} * distance**{self.exponent if self.value is not None else -self.exponent}"
        return f"{self.expression} -> {value} as {self.symbol} -> {where}, rate {rate}"


@dataclass(frozen=True)
class UniqueRoot(Statement):
    """Exactly one ``symbol`` in its domain satisfies ``condition``, namely ``root``."""

    symbol: Symbol
    condition: Statement
    root: Expression

    def __str__(self) -> str:
        return f"{self.root} is the only {self.symbol} in {self.symbol.domain} with {self.condition}"


@dataclass(frozen=True)
class UniqueZero(Statement):
    """``expression`` is strictly monotone in ``symbol`` between ``lower`` and ``upper`` and changes sign.

    ``below`` and ``above`` are points of the open interval at which the signs differ; by the
    intermediate value theorem there is exactly one zero, and it lies between them.
    ``lower`` or ``upper`` may be ``None`` for an end of the symbol's domain.
    """

    expression: Expression
    symbol: Symbol
    below: Expression
    above: Expression
    increasing: bool
    lower: Expression | None = None
    upper: Expression | None = None

    def __str__(self) -> str:
        return f"{self.expression} has exactly one zero in {self.symbol}, between {self.below} and {self.above}"


@dataclass(frozen=True)
class Zeros(Statement):
    """``expression`` vanishes in ``symbol``'s domain once between the two points of each bracket, and nowhere else.

    It changes its sign at every zero, at the first one upwards if ``rising``; so it has one sign before the first
    bracket, between two and after the last. The points are numbers, in increasing order.
    """

    expression: Expression
    symbol: Symbol
    brackets: tuple[tuple[Expression, Expression], ...]
    rising: bool

    def __post_init__(self) -> None:
        points = [point.value for bracket in self.brackets for point in bracket if isinstance(point, Number)]
        if not points or len(points) != 2 * len(self.brackets):
            raise DeclarationError("zeros need brackets, and the points of these must be numbers")
        if any(first >= second for first, second in pairwise(points)):
            raise DeclarationError(f"the points of brackets must increase: {', '.join(map(str, points))}")

    def __str__(self) -> str:
        where = ", ".join(f"({low}, {high})" for low, high in self.brackets)
        return f"{self.expression} vanishes in {self.symbol} once in each of {where} and nowhere else"


@dataclass(frozen=True)
class Extremum(Statement):
    """``expression`` is smallest (or largest) over ``symbol``'s domain exactly at ``at``.

    Strictly decreasing before and increasing after (the other way round for a maximum).
    """

    expression: Expression
    symbol: Symbol
    at: Expression
    minimum: bool = True

    def __str__(self) -> str:
        return f"{self.expression} has its {'minimum' if self.minimum else 'maximum'} at {self.symbol} = {self.at}"


@dataclass(frozen=True)
class Summed(Statement):
    """If ``premise`` holds for every output, then ``conclusion`` holds, by a weighted sum over the outputs.

    The relation ``premise`` is multiplied by ``weight`` and summed over all outputs; the result is
    ``scale`` times the relation ``conclusion``, which has the same sign. For an equation ``scale`` must not
    vanish; for an inequality it must be positive, and the weights must not be negative, for a strict one
    positive (there is at least one output).
    """

    premise: Relation
    weight: Expression
    conclusion: Relation
    scale: Expression

    def __str__(self) -> str:
        return f"[for every output: {self.premise}] => {self.conclusion}, summed with weight {self.weight}"


@dataclass(frozen=True)
class TermOfTotal(Statement):
    """``body`` is not negative at any output, so at no output it exceeds its sum over all outputs."""

    body: Expression

    def __str__(self) -> str:
        return f"0 <= {self.body} for every output, so {self.body} <= {Total(self.body)}"


@dataclass(frozen=True)
class Instance(Statement):
    """An existence statement with its witness: ``statement`` holds at the given values of its symbols."""

    statement: Statement
    at: tuple[tuple[Symbol, Expression], ...]

    def __str__(self) -> str:
        return f"{self.statement} at {', '.join(f'{symbol} = {value}' for symbol, value in self.at)}"


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


def both(*parts: Statement) -> All:
    """Every part holds."""
    return All(parts)


def either(*parts: Statement) -> Any:
    """At least one part holds."""
    return Any(parts)


def implies(premise: Statement, conclusion: Statement) -> Implies:
    """The conclusion holds wherever the premise does."""
    return Implies(premise, conclusion)


def iff(left: Statement, right: Statement) -> Equivalent:
    """Both statements hold at the same points."""
    return Equivalent(left, right)


def increasing(expression: Expression, symbol: Symbol) -> Monotone:
    """The expression is strictly increasing in the symbol."""
    return Monotone(expression, symbol, True)


def decreasing(expression: Expression, symbol: Symbol) -> Monotone:
    """The expression is strictly decreasing in the symbol."""
    return Monotone(expression, symbol, False)


def tends_to(
    expression: Expression,
    value: Scalar | None,
    symbol: Symbol,
    *,
    to: Scalar | None,
    side: str,
    constant: Scalar,
    exponent: int | Fraction = 1,
    near: Scalar | None = None,
) -> Limit:
    """A limit with an explicit rate; ``value=None`` means +infinity, ``to=None`` with side "oo" infinity."""
    point = as_expression(0 if to is None else to)
    target = None if value is None else as_expression(value)
    close = None if near is None else as_expression(near)
    return Limit(expression, symbol, point, side, target, as_expression(constant), Fraction(exponent), close)


def instance(statement: Statement, at: Mapping[Symbol, Scalar]) -> Instance:
    """The statement holds at these values: a claim of existence that shows its witness."""
    return Instance(statement, tuple((symbol, as_expression(value)) for symbol, value in at.items()))


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
