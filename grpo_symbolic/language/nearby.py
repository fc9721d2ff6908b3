"""Composite statements about what happens near a point, and about a map that is applied again and again.

Each names what suffices for it, so it is more than its last words: a fixed point attracts *because* of the slope there.
What has to be shown is said in ``obligations.nearby`` and ``obligations.iterates``, and what follows from that in
``obligations.principles``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require, require_fields
from grpo_symbolic.language.composites import refuse_dependent, refuse_whole
from grpo_symbolic.language.definedness import differentiated
from grpo_symbolic.language.elements import outside_totals
from grpo_symbolic.language.expression import Expression, Number, Symbol, free_symbols
from grpo_symbolic.language.statement import Statement, expressions_of, is_elementary, symbols_of

#: Why a point attracts or repels, for steps and flows of one or two variables.
_REASONS: Mapping[tuple[bool, int, bool], str] = {
    (False, 1, True): "the slope there is less than 1 in absolute value",
    (False, 1, False): "the slope there is more than 1 in absolute value",
    (False, 2, True): "both eigenvalues there lie inside of the unit circle",
    (False, 2, False): "an eigenvalue there lies outside of the unit circle",
    (True, 1, True): "the rate falls there",
    (True, 1, False): "the rate rises there",
    (True, 2, True): "both eigenvalues there have negative real parts",
    (True, 2, False): "an eigenvalue there has a positive real part",
}


@dataclass(frozen=True, repr=False)
class FixedPoint(Statement):
    """An iteration keeps the point ``at``, which attracts what starts nearby (or repels, unless ``attracting``).

    Of two variables it repels almost all: at a saddle what starts on a curve through the point tends to it.

    One step takes ``variables``, one or two, to the values of ``steps``. With ``successors`` the steps are equations:
    the next values, under these names, are the solution near the point at which all ``steps`` vanish. Of a ``flow``
    the ``steps`` are the rates at which the variables change.

    All eigenvalues of the derivative lie inside of the unit circle, or one lies outside; of a flow all real parts are
    negative, or one is positive. Where neither is the case, neither is stated.
    """

    variables: tuple[Symbol, ...]
    steps: tuple[Expression, ...]
    at: tuple[Expression, ...]
    attracting: bool
    successors: tuple[Symbol, ...] = ()
    flow: bool = False

    def __post_init__(self) -> None:
        _check_lengths(self.variables, self.at, self.steps)
        if self.successors and (self.flow or len(self.successors) != len(self.variables)):
            raise DeclarationError("every variable of an iteration needs its successor; a flow has none")
        if set(self.successors) & set(self.variables):
            raise DeclarationError("the next values of an iteration need other names than the values before")

    @property
    def effect(self) -> str:
        """What the point does: along one of two directions, a point that repels may still attract."""
        if self.attracting:
            return "attracts what starts nearby"
        return "repels what starts nearby" if len(self.variables) == 1 else "repels almost all that starts nearby"

    @property
    def reason(self) -> str:
        """Why the point attracts or repels, which is part of what is stated."""
        return _REASONS[self.flow, len(self.variables), self.attracting]


@dataclass(frozen=True, repr=False)
class LocalExtremum(Statement):
    """``expression`` has a strict local maximum (or minimum) ``at`` a point, in one or two ``variables``.

    Its first derivatives vanish there, and its second derivative is negative (or positive) in all directions.
    """

    expression: Expression
    variables: tuple[Symbol, ...]
    at: tuple[Expression, ...]
    minimum: bool = False

    def __post_init__(self) -> None:
        _check_lengths(self.variables, self.at)


@dataclass(frozen=True, repr=False)
class Converges(Statement):
    """A step from ``symbol`` to ``step`` leads nearer to ``to``, so from every start the iterates converge to it.

    Starts are all values of the symbol's domain, or with ``within`` those that are less than this away from ``to``,
    which itself may be a missing end of the domain.
    """

    step: Expression
    symbol: Symbol
    to: Expression
    within: Expression | None = None

    def __post_init__(self) -> None:
        require_fields(self, step=Expression, symbol=Symbol, to=Expression)
        refuse_whole(self.symbol)
        refuse_dependent(self.symbol, self.to, self.within)


@dataclass(frozen=True, repr=False)
class SomeZero(Statement):
    """``expression`` has opposite signs at two values of ``symbol``, so it vanishes somewhere between them.

    It is negative at ``below`` and positive at ``above`` if ``rising``, and the other way round if not.
    """

    expression: Expression
    symbol: Symbol
    below: Expression
    above: Expression
    rising: bool

    def __post_init__(self) -> None:
        require_fields(self, expression=Expression, symbol=Symbol, rising=bool, below=Expression, above=Expression)
        refuse_whole(self.symbol)
        refuse_dependent(self.symbol, self.below, self.above)


@dataclass(frozen=True, repr=False)
class EveryCycle(Statement):
    """Between ``lower`` and ``upper`` the steps from ``symbol`` to ``step`` have a cycle of every length.

    For they take the values from ``lower`` to ``middle`` over all from ``lower`` to ``upper``, those from ``middle`` to
    ``upper`` over the first ones, and ``middle`` itself below ``lower``.
    """

    step: Expression
    symbol: Symbol
    lower: Expression
    middle: Expression
    upper: Expression

    def __post_init__(self) -> None:
        require_fields(self, step=Expression, symbol=Symbol, lower=Expression, middle=Expression, upper=Expression)
        refuse_whole(self.symbol)
        refuse_dependent(self.symbol, self.lower, self.middle, self.upper)


@dataclass(frozen=True, repr=False)
class EveryIterate(Statement):
    """``kept`` holds after any number of steps, for it holds at the ``start``, and a step keeps it.

    One step takes ``variables`` to the values of ``steps``, inside of their domains; between an iterate and the next
    there is what ``where`` says, if anything. Letters that only steps and ``where`` have may be others at each step;
    ``such_as`` has values of those in ``where`` with which a step can be taken from wherever the statement holds. A
    number that grows by one counts the steps; if it is all that moves, this is the induction of whole numbers. For sums
    in what is kept whose terms f(k) depend on this number, ``changes`` has a factor r and an expression g(k) each: at
    the next number the terms are r f(k) + g(k + 1) - g(k).

    Raises:
        DeclarationError: without a start or a step for each variable, if a start depends on a variable, if what is kept
            speaks of none of them, if anything speaks of the generic output or is differentiated, and if letters of
            ``where`` have no values in ``such_as``, or others have.
    """

    kept: Statement
    variables: tuple[Symbol, ...]
    steps: tuple[Expression, ...]
    start: tuple[Expression, ...]
    where: Statement | None = None
    changes: tuple[tuple[Expression, Expression], ...] = ()
    such_as: tuple[tuple[Symbol, Expression], ...] = ()

    def __post_init__(self) -> None:
        require_fields(self, kept=Statement, where=(Statement, type(None)))
        if self.changes and self.counted is None:
            raise DeclarationError("only where whole numbers are counted one by one do terms of sums change")
        if not self.variables or len({*map(len, (self.variables, self.steps, self.start))}) != 1:
            raise DeclarationError("an induction needs a start and a step for each of its variables")
        if len(set(self.variables)) != len(self.variables):
            raise DeclarationError("the variables of an induction differ")
        for symbol in self.variables:
            refuse_dependent(symbol, *self.start)
        for part in (*self.steps, *self.start):
            refuse_dependent(self.variables[0], None if isinstance(part, Expression) else part)
        if not all(is_elementary(part) for part in (self.kept, self.where) if part is not None):
            raise DeclarationError("an induction is about relations and their combinations only")
        if self.where is not None and not symbols_of(self.where):
            raise DeclarationError("what holds between an iterate and the next speaks of nothing; leave it out")
        if not set(self.variables) & set(symbols_of(self.kept)):
            raise DeclarationError(f"{self.kept} says nothing of the iterates")
        self._check_values()
        for expression in expressions_of(self):
            if outside_totals(expression):
                raise DeclarationError(f"{expression} is about the generic element; an induction is about numbers")
            if differentiated(expression):
                raise DeclarationError(f"{expression} has a derivative; an induction is about values only")

    def _check_values(self) -> None:
        """Refuse steps of which nothing says that they can be taken, and values of letters that are not chosen."""
        for symbol, _ in self.such_as:
            if symbol not in self.moving:
                raise DeclarationError(f"{symbol} is the same at every step or in none; such_as is of letters of where")
        free = [symbol for symbol in self.moving if self.where is not None and symbol in symbols_of(self.where)]
        if free and not self.such_as:
            raise DeclarationError(
                f"where speaks of {', '.join(map(str, free))}: say in such_as with which values a step can be taken "
                f"from wherever {self.kept}, or where may end the run"
            )

    @property
    def moving(self) -> tuple[Symbol, ...]:
        """The letters that may be others at each step."""
        fixed = {*self.variables, *symbols_of(self.kept), *(one for part in self.start for one in free_symbols(part))}
        between = () if self.where is None else symbols_of(self.where)
        said = (*(one for part in self.steps for one in free_symbols(part)), *between)
        return tuple(one for one in dict.fromkeys(said) if one not in fixed)

    @property
    def counted(self) -> Symbol | None:
        """The whole number that the steps count from the first one of its domain on, if that is all they do.

        What is kept holds for all values of it then, since every one of them is reached.
        """
        symbol, domain = self.variables[0], self.variables[0].domain
        if not domain.whole or domain.lower is None or domain.upper is not None or self.where is not None:
            return None
        counting = self.steps == (symbol + 1,) and self.start == (Number(domain.lower),)
        return symbol if counting and len(self.variables) == 1 else None


#: All of them.
Nearby: TypeAlias = FixedPoint | LocalExtremum | Converges | SomeZero | EveryCycle | EveryIterate


def _check_lengths(variables: tuple[Symbol, ...], *others: tuple[Expression, ...]) -> None:
    for variable in variables:
        require(variable, Symbol, "a variable of what happens nearby")
    refuse_whole(*variables)
    if len(variables) not in (1, 2) or len(set(variables)) != len(variables):
        raise DeclarationError("something nearby can be stated of one or two different variables")
    if any(len(other) != len(variables) for other in others):
        raise DeclarationError(f"{len(variables)} variables need as many steps, and a point with as many coordinates")
