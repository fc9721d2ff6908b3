"""Functions of which nothing is known but where they are defined, where their values lie and how smooth they are.

What is stated of one holds of every function like this. The deciding methods have no word for it:
``obligations.unknown`` puts a letter for each of its values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require_fields
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Expression,
    Number,
    Scalar,
    Symbol,
    as_expression,
    free_indices,
    is_whole,
    walk,
)
from grpo_symbolic.language.inside import kinds_in
from grpo_symbolic.language.statement import Relation, Statement, eq, expressions_of, ge, gt, is_elementary, symbols_of


@dataclass(frozen=True)
class UnknownFunction:
    """Any function from the interval ``on`` to ``values`` that has as many continuous ``derivatives``.

    With 0 it is continuous; without a number it may jump. On whole numbers it is a sequence, of which nothing is
    continuous. At an end of its interval a derivative is one from inside.

    Raises:
        DeclarationError: if a sequence or what has values in a part of the line only is to have derivatives.
    """

    name: str
    on: Interval
    meaning: str
    latex: str
    values: Interval
    derivatives: int | None = None

    def __post_init__(self) -> None:
        if self.derivatives is not None and self.on.whole:
            raise DeclarationError(f"{self.name} is a sequence, of which nothing is continuous: leave out derivatives")
        if self.derivatives and not self.values.is_whole_line:
            # At the ends of the values a slope would have to be 0.
            raise DeclarationError(
                f"{self.name} has derivatives and its values lie in {self.values}: let them be any numbers, and say in "
                "hypotheses where those lie of which something is stated"
            )

    def __call__(self, argument: Scalar) -> Applied:
        """Its value at an argument."""
        return Applied(self, as_expression(argument))

    @property
    def kind(self) -> str:
        """What is known of it besides where it is defined."""
        if self.on.whole:
            return "any sequence"
        if not self.derivatives:
            return "any function" if self.derivatives is None else "any continuous function"
        times = "" if self.derivatives == 1 else f" {self.derivatives} times"
        return f"any function that is{times} continuously differentiable"

    @property
    def description(self) -> str:
        """The function with its sets, what is known of it, and what it means."""
        return f"{self.name} from {self.on} to {self.values}, {self.kind}: {self.meaning}"

    def lies_plainly(self, argument: Expression) -> bool:
        """Whether an argument is plainly one of the function, wherever symbols are in their domains."""
        match argument:
            case _ if self.on.hull.is_whole_line:
                return True
            case Number(value):
                return value in self.on
            case Symbol(domain=domain):
                return self.on.includes(domain)
            case Applied(function, _, 0):
                return self.on.includes(function.values)
            case Apply("add", (first, Number(value))):
                return self.on.upper is None and value >= 0 and self.lies_plainly(first)
            case _:
                return False

    def inside(self, argument: Expression) -> tuple[Relation, ...]:
        """That an argument is one of the function."""
        lower, upper = self.on.lower, self.on.upper
        above = () if lower is None else ((ge if self.on.lower_closed else gt)(argument - lower, 0),)
        return (*above, *(() if upper is None else ((ge if self.on.upper_closed else gt)(upper - argument, 0),)))

    def slope(self, argument: Scalar) -> Applied:
        """The value of its derivative at an argument."""
        return Applied(self, as_expression(argument), 1)


@dataclass(frozen=True, repr=False)
class Applied(Expression):
    """The value at ``argument`` of an unknown function, or of its derivative of an ``order``.

    Raises:
        DeclarationError: if the function is not said to have this derivative, or is none of whole numbers and the
            argument need not be one, or if a number is no argument of it.
    """

    form = "{0.sign}({0.argument})"
    parts = ("argument",)

    function: UnknownFunction
    argument: Expression
    order: int = 0

    def __post_init__(self) -> None:
        require_fields(self, function=UnknownFunction, argument=Expression)
        function = self.function
        if self.order > (function.derivatives or 0):
            raise DeclarationError(f"{function.name} is not said to have a derivative of order {self.order}: {_ADVICE}")
        if function.on.whole and not is_whole(self.argument):
            raise DeclarationError(f"{function.name} is a sequence, and {self.argument} need not be a whole number")
        if isinstance(self.argument, Number) and self.argument.value not in function.on:
            raise DeclarationError(f"{function.name} has no value at {self.argument}: it is defined on {function.on}")

    @property
    def sign(self) -> str:
        """The name of the function, with a prime for each derivative."""
        return self.function.name + "'" * self.order

    @property
    def latex(self) -> str:
        """The same in LaTeX."""
        return self.function.latex + "'" * self.order

    @property
    def derivative(self) -> Applied | None:
        """What differentiation gives at the argument; None if the function is not said to have this derivative."""
        if self.order >= (self.function.derivatives or 0):
            return None
        return Applied(self.function, self.argument, self.order + 1)


@dataclass(frozen=True, repr=False)
class ForEvery(Statement):
    """A hypothesis on unknown functions: ``body`` holds for every value of ``symbol`` in its domain.

    ``such_as`` has a function that is like this for each unknown one, as its value at the symbol: so there are some.
    That it is like this belongs to what is stated, and so does what is concluded of it. With ``where`` the examples are
    like this only where that holds, and so it has to be able to hold.

    Raises:
        DeclarationError: if the body is no relation or combination of relations, speaks of no unknown function or of
            the element of a set, if one of its functions has no example, and if ``where`` is of another kind, or speaks
            of the functions or of the symbol.
    """

    form = "for every {0.symbol}: {0.body}"

    symbol: Symbol
    body: Statement
    such_as: tuple[tuple[UnknownFunction, Expression], ...]
    where: Statement | None = None

    def __post_init__(self) -> None:
        require_fields(self, symbol=Symbol, body=Statement, where=(Statement, type(None)))
        if not is_elementary(self.body):
            raise DeclarationError(f"what holds for every {self.symbol} is a relation or combines some: {self.body}")
        expressions = tuple(expressions_of(self.body))
        functions = {node.function for node in applications(*expressions)}
        if not functions:
            raise DeclarationError(f"{self.body} speaks of no unknown function; give it as a hypothesis as it is")
        if any(map(free_indices, expressions)):
            raise DeclarationError(f"{self.body} is about an element of a set; say it of numbers")
        examples = dict(self.such_as)
        for function in functions - examples.keys():
            raise DeclarationError(f"for every {self.symbol}: give an example of {function.name} in such_as")
        for function, example in self.such_as:
            if function.on != self.symbol.domain:
                raise DeclarationError(
                    f"{function.name} is defined on {function.on}, and {self.symbol} has other values: "
                    f"{self.symbol.domain}"
                )
            if has_unknown(example):
                raise DeclarationError(f"an example of {function.name} is a known function, and {example} is none")
        if self.where is not None:
            said = tuple(expressions_of(self.where))
            if not is_elementary(self.where) or has_unknown(*said) or self.symbol in symbols_of(self.where):
                raise DeclarationError(f"where examples are like this is said of what they are made of: {self.where}")

    @property
    def shown_examples(self) -> tuple[Relation, ...]:
        """The examples as equations."""
        return tuple(eq(Applied(function, self.symbol), example) for function, example in self.such_as)

    @property
    def examples(self) -> Mapping[UnknownFunction, tuple[Symbol, Expression]]:
        """The examples with the symbol at which they are written down."""
        return {function: (self.symbol, example) for function, example in self.such_as}


_ADVICE = "declare it with derivatives=..., or state nothing that differentiates it"


def applications(*expressions: Expression) -> Iterator[Applied]:
    """The values of unknown functions in expressions and in the functions that they name, outer ones first."""
    for item in expressions:
        if kinds_in(item).isdisjoint((Applied, Call)):
            continue
        for node in walk(item):
            if isinstance(node, Applied):
                yield node
            elif isinstance(node, Call):
                yield from applications(node.definition.body)


def has_unknown(*expressions: Expression) -> bool:
    """Whether a value of an unknown function stands in expressions, or in functions that they name."""
    return next(applications(*expressions), None) is not None


def unknown_functions(*statements: Statement) -> tuple[UnknownFunction, ...]:
    """The unknown functions of which statements speak, in the order in which they are met.

    Raises:
        DeclarationError: if two of them have one name, or one has that of a symbol.
    """
    found: dict[str, UnknownFunction] = {}
    for node in applications(*(side for item in statements for side in expressions_of(item))):
        other = found.setdefault(node.function.name, node.function)
        if other != node.function:
            raise DeclarationError(f"two unknown functions are called {other.name}; rename one")
    for symbol in symbols_of(*statements) if found else ():
        if symbol.name in found:
            raise DeclarationError(f"a symbol and an unknown function are called {symbol.name}; rename one")
    return tuple(found.values())
