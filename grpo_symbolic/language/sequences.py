"""Limits of sequences of which nothing is known but what is supposed: as hypotheses, and as what is concluded.

Like the statements of ``nearby`` these name what suffices for them: a limit superior is what it is *because* of a bound
for every number. ``obligations.sequences`` says what has to be shown, ``obligations.principles`` why that is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require_fields
from grpo_symbolic.language.composites import refuse_dependent
from grpo_symbolic.language.definedness import differentiated
from grpo_symbolic.language.expression import Expression, Symbol, free_indices, free_symbols
from grpo_symbolic.language.statement import (
    Implies,
    Relation,
    Statement,
    conjuncts,
    eq,
    expressions_of,
    ge,
    is_elementary,
    symbols_of,
)
from grpo_symbolic.language.unknown import Applied, ForEvery, UnknownFunction, has_unknown

#: An example of a sequence has reached its limit so many numbers after the first one.
_SETTLED_AFTER = 2


@dataclass(frozen=True, repr=False)
class SequenceLimit(Statement):
    """``term`` tends to ``to`` as the whole number ``symbol`` grows.

    As a hypothesis it is about the value of a sequence at this number, with an example in ``such_as`` unless another
    hypothesis has one: it has the value ``to`` from the third number on. As what is stated it says that the distance is
    at most ``by`` for every number, which tends to 0; without ``by``, that the term itself is made of what tends.
    """

    term: Expression
    symbol: Symbol
    to: Expression
    by: Expression | None = None
    such_as: tuple[tuple[UnknownFunction, Expression], ...] = ()

    def __post_init__(self) -> None:
        require_fields(self, term=Expression, to=Expression)
        _check(self, (self.term, *(() if self.by is None else (self.by,))), self.to)

    @property
    def sequence(self) -> UnknownFunction:
        """The sequence of which this is supposed.

        Raises:
            DeclarationError: if it is of something else that this is said, or if a reason is given for it.
        """
        match self.term:
            case Applied(function, argument, 0) if argument == self.symbol and function.on == self.symbol.domain:
                if self.by is not None:
                    raise DeclarationError(f"that {self.term} tends to {self.to} is supposed; leave out by")
                return function
        raise DeclarationError(
            f"the limit of a sequence at {self.symbol} can be supposed, and {self.term} is something else: give it a "
            "name, and say with for_every what it is"
        )

    def settled(self, example: Expression) -> ForEvery:
        """What an example is like, an expression in the symbol: after a few numbers it has the value of the limit."""
        first = self.symbol.domain.lower or Fraction(0)
        late = ge(self.symbol, first + _SETTLED_AFTER)
        return ForEvery(self.symbol, Implies(late, eq(self.term, self.to)), ((self.sequence, example),))

    @property
    def shown_examples(self) -> tuple[Relation, ...]:
        """The examples as equations."""
        return tuple(eq(Applied(function, self.symbol), example) for function, example in self.such_as)

    @property
    def examples(self) -> Mapping[UnknownFunction, tuple[Symbol, Expression]]:
        """The examples with the symbol at which they are written down."""
        return {function: (self.symbol, example) for function, example in self.such_as}


@dataclass(frozen=True, repr=False)
class LimitSuperior(Statement):
    """The limit superior of ``term``, as the whole number ``symbol`` grows, is at most ``most``.

    For every number ``term`` is at most ``by``, which tends to at most ``most``. There ``where`` holds,
    if it is given, with letters that may be others at each number unless the rest speaks of them as well. What it
    compares must not be the number itself: it is shown of constant sequences that it can hold, and so for every number.

    Raises:
        DeclarationError: if ``where`` is composite, and as for all of these.
    """

    term: Expression
    symbol: Symbol
    most: Expression
    by: Expression
    where: Statement | None = None

    def __post_init__(self) -> None:
        require_fields(self, term=Expression, most=Expression, by=Expression, where=(Statement, type(None)))
        _check(self, (self.term, self.by), self.most)
        if self.where is not None and not (is_elementary(self.where) and self.symbol in symbols_of(self.where)):
            raise DeclarationError(f"what is known of every {self.symbol} are relations that speak of it: {self.where}")

    @property
    def moving(self) -> tuple[Symbol, ...]:
        """The letters that may be others at each number."""
        fixed = {self.symbol, *(one for part in (self.term, self.by, self.most) for one in free_symbols(part))}
        return tuple(one for one in symbols_of(self.where) if one not in fixed) if self.where is not None else ()


@dataclass(frozen=True, repr=False)
class InTheLimit(Statement):
    """``conclusion`` follows from what ``because`` becomes in the limit, as the whole number ``symbol`` grows.

    ``because``, one or several comparisons, holds for every number; strict ones may become equations in the limit.
    """

    conclusion: Statement
    symbol: Symbol
    because: Statement

    def __post_init__(self) -> None:
        require_fields(self, conclusion=Statement, because=Statement)
        if not is_elementary(self.conclusion):
            raise DeclarationError(f"a relation or a combination of some holds in the limit: {self.conclusion}")
        _check(self, tuple(expressions_of(self.because)), *expressions_of(self.conclusion))
        for part in conjuncts(self.because):
            if not isinstance(part, Relation) or part.operator == "!=":
                raise DeclarationError(f"only equations and inequalities that hold for all numbers pass on: {part}")


@dataclass(frozen=True, repr=False)
class MonotoneLimit(Statement):
    """``term`` has a limit as the whole number ``symbol`` grows: it never falls, and ``bound`` bounds it from above.

    Unless it is ``rising``, it never rises, and is bounded from below.
    """

    term: Expression
    symbol: Symbol
    bound: Expression
    rising: bool

    def __post_init__(self) -> None:
        require_fields(self, term=Expression, bound=Expression, rising=bool)
        _check(self, (self.term,), self.bound)


#: All of them.
OfSequences: TypeAlias = SequenceLimit | LimitSuperior | InTheLimit | MonotoneLimit
#: What is supposed of functions and not of their values at single arguments.
Supposed: TypeAlias = ForEvery | SequenceLimit


def without_examples(supposed: Supposed) -> tuple[object, ...]:
    """What is supposed, whatever it is like: the same under other examples."""
    if isinstance(supposed, ForEvery):
        return ForEvery, supposed.symbol, supposed.body
    return SequenceLimit, supposed.term, supposed.symbol, supposed.to


def supposed_of_functions(statements: Iterable[Statement]) -> tuple[Supposed, ...]:
    """What some statements suppose of functions, and not of their values at single arguments."""
    return tuple(item for item in statements if isinstance(item, Supposed))


def _check(statement: OfSequences, terms: Sequence[Expression], *constants: Expression) -> None:
    """Refuse what cannot be said of a sequence.

    Raises:
        DeclarationError: if its symbol is not one of all whole numbers from a first one on, if something else than the
            terms depends on it, and where anything is about one element of a set or differentiated.
    """
    symbol = statement.symbol
    require_fields(statement, symbol=Symbol)
    if not symbol.domain.whole or symbol.domain.lower is None or symbol.domain.upper is not None:
        raise DeclarationError(f"a sequence runs along all whole numbers from a first one on; {symbol} is another one")
    refuse_dependent(symbol, *constants)
    for expression in (*terms, *constants):
        if free_indices(expression):
            raise DeclarationError(f"{expression} is about an element of a set; a limit is one of numbers")
        if differentiated(expression):
            raise DeclarationError(f"{expression} has a derivative; a limit is one of values only")
    if isinstance(statement, SequenceLimit):
        for function, example in statement.such_as:
            if has_unknown(example):
                raise DeclarationError(f"an example of {function.name} is a known function, and {example} is none")
