"""The closed list of composite statements: each means something about a whole interval, a limit or all outputs.

What has to be shown for one of them, as elementary obligations, is said in ``obligations.composites``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require, require_all, require_fields
from grpo_symbolic.language.expression import Expression, Number, Symbol, free_symbols
from grpo_symbolic.language.statement import Relation, Statement, is_elementary


def refuse_dependent(symbol: Symbol, *parts: Expression | None) -> None:
    """Refuse points and ends that depend on the symbol which runs through a domain: they would run along.

    Raises:
        DeclarationError: where there are such, and for plain numbers.
    """
    for part in parts:
        if part is None:
            continue
        if symbol in free_symbols(require(part, Expression, f"a value of {symbol}")):
            raise DeclarationError(f"{part} depends on {symbol}, of which it should be a value")


def refuse_whole(*symbols: Symbol) -> None:
    """Refuse whole numbers where what is stated rests on all real numbers between two points.

    Raises:
        DeclarationError: where there are such.
    """
    for symbol in symbols:
        if symbol.domain.whole:
            raise DeclarationError(f"{symbol} is whole, and this speaks of all real numbers between two")


@dataclass(frozen=True, repr=False)
class Monotone(Statement):
    """``expression`` is strictly increasing (or decreasing) in ``symbol``, all else held fixed."""

    expression: Expression
    symbol: Symbol
    increasing: bool

    def __post_init__(self) -> None:
        require_fields(self, expression=Expression, symbol=Symbol, increasing=bool)


@dataclass(frozen=True, repr=False)
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
        require_fields(self, expression=Expression, symbol=Symbol, point=Expression, constant=Expression)
        require_fields(self, exponent=Fraction, value=(Expression, type(None)), near=(Expression, type(None)))
        if self.side not in ("+", "-", "oo"):
            raise DeclarationError(f"limit side {self.side!r}; write '+', '-' or 'oo'")
        if self.side != "oo":
            refuse_whole(self.symbol)
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


@dataclass(frozen=True, repr=False)
class UniqueRoot(Statement):
    """Exactly one ``symbol`` in its domain satisfies ``condition``, namely ``root``."""

    symbol: Symbol
    condition: Statement
    root: Expression

    def __post_init__(self) -> None:
        require_fields(self, symbol=Symbol, condition=Statement, root=Expression)
        refuse_dependent(self.symbol, self.root)


@dataclass(frozen=True, repr=False)
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

    def __post_init__(self) -> None:
        require_fields(self, expression=Expression, symbol=Symbol, increasing=bool, below=Expression, above=Expression)
        refuse_whole(self.symbol)
        refuse_dependent(self.symbol, self.below, self.above, self.lower, self.upper)


@dataclass(frozen=True, repr=False)
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
        require_fields(self, expression=Expression, symbol=Symbol, brackets=tuple, rising=bool)
        refuse_whole(self.symbol)
        for bracket in self.brackets:
            require_all(bracket, Expression, "Zeros, a bracket")
        points = [point.value for bracket in self.brackets for point in bracket if isinstance(point, Number)]
        if not points or len(points) != 2 * len(self.brackets):
            raise DeclarationError("zeros need brackets, and the points of these must be numbers")
        if any(first >= second for first, second in pairwise(points)):
            raise DeclarationError(f"the points of brackets must increase: {', '.join(map(str, points))}")


@dataclass(frozen=True, repr=False)
class Extremum(Statement):
    """``expression`` is smallest (or largest) over ``symbol``'s domain exactly at ``at``.

    With ``sloped`` it also falls strictly up to this point and rises strictly from there (the other way round for a
    maximum), which a function need not do that is smallest there.
    """

    expression: Expression
    symbol: Symbol
    at: Expression
    minimum: bool = True
    sloped: bool = False

    def __post_init__(self) -> None:
        require_fields(self, expression=Expression, symbol=Symbol, at=Expression, minimum=bool, sloped=bool)
        refuse_dependent(self.symbol, self.at)


@dataclass(frozen=True, repr=False)
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

    def __post_init__(self) -> None:
        require_fields(self, premise=Relation, weight=Expression, conclusion=Relation, scale=Expression)


@dataclass(frozen=True, repr=False)
class TermOfTotal(Statement):
    """``body`` is not negative at any output, so at no output it exceeds its sum over all outputs."""

    body: Expression

    def __post_init__(self) -> None:
        require_fields(self, body=Expression)


@dataclass(frozen=True, repr=False)
class Impossible(Statement):
    """``condition`` holds at no values of its symbols; where it has no value, it does not hold."""

    condition: Statement

    def __post_init__(self) -> None:
        require_fields(self, condition=Statement)
        if not is_elementary(self.condition):
            raise DeclarationError(f"only relations and their combinations can be said never to hold: {self.condition}")


@dataclass(frozen=True, repr=False)
class Existence(Statement):
    """An existence statement with its witness: ``statement`` holds at the given values of its symbols."""

    statement: Statement
    at: tuple[tuple[Symbol, Expression], ...]
