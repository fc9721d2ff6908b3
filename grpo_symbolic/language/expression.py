"""Our own expression tree: what was typed is kept, because a CAS would cancel what must still be checked.

Nine kinds of node: Number, Symbol, Delta (1 where two elements are the same), Apply (an operator from a closed list),
Derivative, Substitution ("put old = new, after differentiating"), Total (a finite sum over all outputs of a context),
Call (a function that a paper or derivation has named, applied to arguments; printed by its name, checked by its body)
and, because the deciding methods have no word for them, in ``binder.py`` Binder (an integral, a series or a limit) and
in ``support.py`` Supported (what counts only where something does not vanish).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache
from operator import is_
from typing import TypeAlias, TypeVar, Union

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.arguments import require, require_fields, told
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.index_set import IndexSet

#: Every operator with its number of operands; gamma is for positive numbers only. Others are refused at construction.
OPERATORS: Mapping[str, int] = {
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "power", "maximum", "minimum"), 2),
    **dict.fromkeys(("negate", "sqrt", "exp", "log", "cosh", "sinh", "tanh", "sin", "cos", "arctan", "gamma"), 1),
    **dict.fromkeys(("sign", "absolute"), 1),
}

#: Those that are continuous wherever they have values.
CONTINUOUS = frozenset(
    (
        *("add", "subtract", "multiply", "divide", "power", "negate", "absolute", "maximum", "minimum"),
        *("sqrt", "exp", "log", "cosh", "sinh", "tanh", "sin", "cos", "arctan", "gamma"),
    )
)

Scalar: TypeAlias = Union["Expression", int, Fraction]
T = TypeVar("T")


def rule_for(operator: str, rules: Mapping[str, T], told: str) -> T:
    """What is known of an operator in a table of rules; what it lacks is refused and never guessed.

    Raises:
        UnsupportedError: if the table has no rule for it.
    """
    if operator not in rules:
        raise UnsupportedError(f"{told} have no rule for {operator}; add one, or state it without {operator}")
    return rules[operator]


def _cached_hash(self: Expression) -> int:
    """Hash a node once: trees are keys of many dictionaries, and hashing one walks all of it."""
    cached: int | None = self.__dict__.get("_hash")
    if cached is None:
        cached = hash((type(self), *(getattr(self, item.name) for item in fields(self) if item.compare)))
        object.__setattr__(self, "_hash", cached)
    return cached


def _infix(operator: str, *, swapped: bool = False) -> Callable[[Expression, Scalar], Apply]:
    """What Python calls for an operator between expressions or exact numbers; the first one is ours."""

    def build(self: Expression, other: Scalar) -> Apply:
        operands = self, as_expression(other)
        return Apply(operator, operands[::-1] if swapped else operands)

    return build


@dataclass(frozen=True, repr=False)
class Expression:
    """Base of all nodes; arithmetic operators build new nodes and never simplify."""

    #: How a node prints itself in messages.
    form = ""
    #: The fields that hold sub-expressions, if the node has a fixed number of them; one that is None is absent.
    parts = tuple[str, ...]()

    def __init_subclass__(cls) -> None:
        cls.__hash__ = _cached_hash  # type: ignore[method-assign, assignment]

    def __getstate__(self) -> dict[str, object]:
        # Another process hashes strings differently, and what else is kept at a node is quickly found again.
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    __add__, __radd__ = _infix("add"), _infix("add", swapped=True)
    __sub__, __rsub__ = _infix("subtract"), _infix("subtract", swapped=True)
    __mul__, __rmul__ = _infix("multiply"), _infix("multiply", swapped=True)
    __truediv__, __rtruediv__ = _infix("divide"), _infix("divide", swapped=True)
    __pow__, __rpow__ = _infix("power"), _infix("power", swapped=True)

    def __neg__(self) -> Apply:
        return Apply("negate", (self,))

    def __bool__(self) -> bool:
        raise DeclarationError(
            f"the truth of {self} was asked for; compare with eq, ne, lt, le, gt or ge from grpo_symbolic"
        )

    @property
    def bound(self) -> Symbol | None:
        """The variable that a node binds in the first of its children; None for most nodes."""
        return None

    @property
    def summed(self) -> tuple[Expression, ...]:
        """The parts that a node sums over all elements of an index set; none for most nodes."""
        return ()

    @property
    def children(self) -> tuple[Expression, ...]:
        """The direct sub-expressions."""
        return tuple(child for name in self.parts if (child := getattr(self, name)) is not None)

    def with_children(self, children: tuple[Expression, ...]) -> Expression:
        """The same node over other children."""
        present = (name for name in self.parts if getattr(self, name) is not None)
        return replace(self, **dict(zip(present, children, strict=True))) if children else self

    def __str__(self) -> str:
        return self.form.format(self)


@dataclass(frozen=True, repr=False)
class Number(Expression):
    """An exact rational constant."""

    form = "{0.value}"

    value: Fraction


@dataclass(frozen=True, repr=False)
class Symbol(Expression):
    """A real variable with its domain, its meaning in words and its LaTeX; it is whole where its domain is.

    An ``indexed`` symbol is the coordinate of one generic element of that set, such as its probability; a Total
    sums over it. Its LaTeX contains ``{index}`` where the element stands. One with two indices has a ``second`` set as
    well, or a further element of the same one, which stands at ``{second}``. A coordinate at other elements is ``of``
    the one that was declared.
    """

    form = "{0.name}"

    name: str
    domain: Interval
    meaning: str
    latex: str
    indexed: IndexSet | None = None
    second: IndexSet | None = None
    of: Symbol | None = None

    @property
    def indices(self) -> tuple[IndexSet, ...]:
        """The elements of which this is a coordinate."""
        return tuple(one for one in (self.indexed, self.second) if one is not None)

    @property
    def family(self) -> Symbol:
        """The coordinate that was declared, of one at other elements; any other symbol is itself."""
        return self if self.of is None else self.of

    def at(self, *elements: IndexSet) -> Symbol:
        """The coordinate at other elements, such as ``x.at(J)`` at a further one, or ``p.at(J, I)`` for two indices.

        Raises:
            DeclarationError: if they are no elements of the sets of which this is a coordinate.
        """
        family = self.family
        for one in elements:
            require(one, IndexSet, f"{self}.at")
        if [one.whole for one in elements] != [one.whole for one in family.indices] or not elements:
            letters = ", ".join(one.letter for one in elements)
            raise DeclarationError(f"{self} has no coordinate at {letters}: no element of its set")
        if elements == family.indices:
            return family
        name = "_".join([family.name, *(one.letter.lstrip("\\") for one in elements)])
        return replace(family, name=name, indexed=elements[0], second=(*elements, None)[1], of=family)


@dataclass(frozen=True, repr=False)
class Delta(Expression):
    """Kronecker's delta: 1 where the generic element, or the one over which a sum runs, is the ``other``, and else 0.

    Raises:
        DeclarationError: if the other one is no further element of a set.
    """

    form = "delta[{0.other.letter}]"

    other: IndexSet

    def __post_init__(self) -> None:
        require_fields(self, other=IndexSet)
        if self.other.of is None:
            raise DeclarationError(f"delta is about a further one of the {self.other.elements}; write another(...)")


@dataclass(frozen=True, repr=False)
class Apply(Expression):
    """An operator applied to operands, exactly as typed.

    A power has an integer or half of one as its exponent, or else an expression: then it means
    ``exp(exponent * log(base))``, and has a value where its base is positive.
    """

    operator: str
    operands: tuple[Expression, ...]

    def __post_init__(self) -> None:
        arity = OPERATORS.get(self.operator)
        if arity is None:
            raise DeclarationError(f"unknown operator {self.operator!r}; known: {', '.join(OPERATORS)}")
        if arity != len(self.operands):
            raise DeclarationError(f"{self.operator} takes {arity} operands, got {len(self.operands)}")
        exponent = self.operands[-1]
        if self.operator == "power" and isinstance(exponent, Number) and exponent.value.denominator not in (1, 2):
            raise DeclarationError(f"exponent {exponent} is not an integer or half of one; use exp and log")

    @property
    def children(self) -> tuple[Expression, ...]:
        """The operands."""
        return self.operands

    def with_children(self, children: tuple[Expression, ...]) -> Apply:
        """The operator applied to other operands."""
        return Apply(self.operator, children)

    def __str__(self) -> str:
        if self.operator in _INFIX:
            return f"({self.operands[0]} {_INFIX[self.operator]} {self.operands[1]})"
        if self.operator == "negate":
            return f"(-{self.operands[0]})"
        return f"{self.operator}({', '.join(map(str, self.operands))})"


_INFIX = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "power": "**"}


@dataclass(frozen=True, repr=False)
class Derivative(Expression):
    """The derivative of ``body`` by ``symbol``, not yet carried out."""

    form = "d/d{0.symbol} [{0.body}]"
    parts = ("body",)

    body: Expression
    symbol: Symbol

    def __post_init__(self) -> None:
        require_fields(self, body=Expression, symbol=Symbol)
        if self.symbol.domain.whole:
            raise DeclarationError(f"{self.symbol} is a whole number, by which nothing has a derivative")


@dataclass(frozen=True, repr=False)
class Substitution(Expression):
    """``body`` at ``symbol = replacement``, where derivatives in ``body`` are carried out first."""

    form = "[{0.body} at {0.symbol} = {0.replacement}]"
    parts = ("body", "replacement")

    body: Expression
    symbol: Symbol
    replacement: Expression

    def __post_init__(self) -> None:
        require_fields(self, body=Expression, symbol=Symbol, replacement=Expression)

    @property
    def bound(self) -> Symbol:
        """The symbol that is replaced."""
        return self.symbol


@dataclass(frozen=True, repr=False)
class Total(Expression):
    """The sum of ``body`` over all elements of an index set, over which the indexed symbols in it run.

    ``over`` is the set, or a further element that runs through it; it may be left out if the indexed symbols in the
    body are of one set. It says over what where no symbol in the body does, as in ``Total(rational(1), outputs)``.

    Raises:
        DeclarationError: if it is not clear over which of several sets the sum runs.
    """

    form = "total[{0.body}]"
    parts = ("body",)

    body: Expression
    over: IndexSet | None = None

    def __post_init__(self) -> None:
        require_fields(self, body=Expression, over=(IndexSet, type(None)))
        if self.over is None:
            among = [one for one in free_indices(self.body) if one.of is None]
            if len(among) > 1:
                sets = " or over ".join(one.elements for one in among)
                raise DeclarationError(f"a sum over {sets}: say over which, as in Total(..., over)")
            object.__setattr__(self, "over", next(iter(among), None))

    @property
    def summed(self) -> tuple[Expression, ...]:
        """The body."""
        return (self.body,)


@dataclass(frozen=True)
class Definition:
    """A named function: ``name(parameters) := body``. Calling it builds an expression.

    Other symbols in the body are those of its surroundings; without parameters it is an abbreviation.
    ``latex`` is the LaTeX of the name alone.
    """

    name: str
    parameters: tuple[Symbol, ...]
    body: Expression
    latex: str

    def __call__(self, *arguments: Scalar) -> Call:
        """The function at these arguments, unevaluated."""
        if len(arguments) != len(self.parameters):
            raise DeclarationError(f"{self.name} takes {len(self.parameters)} arguments, got {len(arguments)}")
        return Call(self, tuple(as_expression(argument) for argument in arguments))


@dataclass(frozen=True, repr=False)
class Call(Expression):
    """A named function applied to arguments; ``calculus.unfold`` replaces it by its body."""

    definition: Definition
    arguments: tuple[Expression, ...]

    @property
    def children(self) -> tuple[Expression, ...]:
        """The arguments."""
        return self.arguments

    def with_children(self, children: tuple[Expression, ...]) -> Call:
        """The function at other arguments."""
        return Call(self.definition, children)

    @property
    def value(self) -> Expression:
        """The body with the arguments in the place of the parameters, after what is differentiated in it.

        Raises:
            DeclarationError: if an argument that would be differentiated contains a parameter.
        """
        body, values = self.definition.body, dict(zip(self.definition.parameters, self.arguments, strict=True))
        try:
            return substitute(body, values)
        except DeclarationError:
            differentiated = any(isinstance(node, Derivative) for node in walk(body))
            if not differentiated or any(one in values for side in self.arguments for one in free_symbols(side)):
                raise
        for symbol, argument in values.items():
            body = Substitution(body, symbol, argument)
        return body

    def __str__(self) -> str:
        return (
            f"{self.definition.name}({', '.join(map(str, self.arguments))})" if self.arguments else self.definition.name
        )


def as_expression(value: Scalar) -> Expression:
    """Turn an int or Fraction into a Number and leave expressions alone.

    Raises:
        DeclarationError: for floats and everything else, because 0.1 is not one tenth.
    """
    if isinstance(value, Expression):
        return value
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise DeclarationError(f"{told(value)} is not exact; write an int, a Fraction or an expression")
    return Number(Fraction(value))


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield the expression and all its sub-expressions, parents first."""
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def rebuild(expression: Expression, children: tuple[Expression, ...]) -> Expression:
    """The same node over other children: itself, if they are the same."""
    if all(map(is_, children, expression.children)):
        return expression
    return expression.with_children(children)


def is_whole(expression: Expression) -> bool:
    """Whether an expression is plainly a whole number wherever its symbols are in their domains."""
    match expression:
        case Number(value):
            return value.denominator == 1
        case Symbol(domain=domain):
            return domain.whole
        case Apply("add" | "subtract" | "multiply" | "negate" | "maximum" | "minimum" | "absolute", operands):
            return all(map(is_whole, operands))
        case Apply("power", (base, Number(exponent))):
            return is_whole(base) and exponent.denominator == 1 and exponent > 0
        case Call():
            return is_whole(expression.value)
        case _:
            return False


def free_symbols(expression: Expression) -> tuple[Symbol, ...]:
    """The symbols whose values the expression depends on, in order of first appearance."""
    # Kept at the node, as its hash is: substitution asks it of every node that it meets.
    cached: tuple[Symbol, ...] | None = expression.__dict__.get("_free")
    if cached is None:
        cached = tuple(_free_symbols(expression))
        object.__setattr__(expression, "_free", cached)
    return cached


def _free_symbols(expression: Expression) -> Iterable[Symbol]:
    if isinstance(expression, Symbol):
        return (expression,)
    found: dict[Symbol, None] = {}
    if isinstance(expression, Call):
        definition = expression.definition
        found = dict.fromkeys(one for one in free_symbols(definition.body) if one not in definition.parameters)
    children, variable = expression.children, expression.bound
    if variable is not None:
        found |= dict.fromkeys(one for one in free_symbols(children[0]) if one != variable)
        children = children[1:]
    for child in children:
        found |= dict.fromkeys(free_symbols(child))
    return found


@lru_cache(maxsize=2**14)
def free_indices(expression: Expression) -> tuple[IndexSet, ...]:
    """The elements of index sets on which an expression depends and over which no sum in it runs."""
    found: dict[IndexSet, None] = {}
    match expression:
        case Symbol():
            return expression.indices
        case Delta(other):
            return (other.whole, other)
        case Total(body, over):
            return tuple(one for one in free_indices(body) if one != over)
        case Call():
            return free_indices(expression.value)
        case Derivative(_, symbol):
            found |= dict.fromkeys(symbol.indices)
    children, bound = expression.children, () if expression.bound is None else expression.bound.indices
    for number, child in enumerate(children):
        inside = free_indices(child)
        if number == 0 and not isinstance(expression, Substitution):
            inside = tuple(one for one in inside if one not in bound)
        found |= dict.fromkeys(inside)
    return tuple(found)


def exchanged(expression: Expression, symbols: Mapping[Symbol, Expression]) -> Expression:
    """An expression with symbols exchanged, each just where it stands: not for coordinates at other elements."""
    if isinstance(expression, Symbol):
        return symbols.get(expression, expression)
    return rebuild(expression, tuple(exchanged(child, symbols) for child in expression.children))


def substitute(expression: Expression, replacements: Mapping[Symbol, Expression]) -> Expression:
    """Replace symbols simultaneously, and coordinates at every element of which an expression speaks.

    Raises:
        DeclarationError: if a symbol by which the expression is still to be differentiated would be
            replaced; carry the derivative out first (see ``calculus.unfold``). Or if a replacement contains
            the variable of a substitution, integral, series or limit around it, or the coordinate of one output
            inside of a Total, which would bind it.
    """
    return _substituted(expression, replacements, {})


def _substituted(
    expression: Expression, replacements: Mapping[Symbol, Expression], known: dict[Expression, Expression]
) -> Expression:
    """What ``substitute`` returns; ``known`` holds what became of sub-expressions, which often stand there twice."""
    free = free_symbols(expression)
    # What stays as it is stays the same node, which is quickly found to be equal to itself.
    if not any(one in replacements or one.of in replacements for one in free):
        return expression
    found = known.get(expression)
    if found is None:
        others = [one for one in free if one.of in replacements and one not in replacements]
        if others:
            replacements = {**replacements, **{one: _elsewhere(replacements[one.family], one) for one in others}}
        found = known[expression] = _replaced(expression, replacements, known)
    return found


def _replaced(
    expression: Expression, replacements: Mapping[Symbol, Expression], known: dict[Expression, Expression]
) -> Expression:
    def put(inner: Expression) -> Expression:
        return _substituted(inner, replacements, known)

    match expression:
        case Symbol():
            return replacements.get(expression, expression)
        case Derivative(body, symbol):
            if symbol in replacements or symbol.family in replacements:
                raise DeclarationError(f"cannot replace {symbol} inside {expression}; differentiate first")
            put_in = (value for key, value in replacements.items() if key in free_symbols(body))
            if any(symbol in free_symbols(value) for value in put_in):
                raise DeclarationError(f"what is put into {expression} would be differentiated; differentiate first")
            return Derivative(put(body), symbol)
        case Call(definition, arguments):
            outer = {key: value for key, value in replacements.items() if key not in definition.parameters}
            if any(symbol in outer for symbol in free_symbols(definition.body)):
                # The name stands for the function of its surroundings; elsewhere only its value remains.
                return put(expression.value)
            return Call(definition, tuple(map(put, arguments)))
        case Expression(bound=Symbol() as symbol, children=(body, *outside)):
            _refuse_elements(expression, replacements)
            inner = {key: value for key, value in replacements.items() if key != symbol}
            used = [value for key, value in inner.items() if key in free_symbols(body)]
            if any(symbol in free_symbols(value) for value in used):
                raise DeclarationError(f"cannot put {symbol} into {expression}, which binds it")
            return rebuild(expression, (substitute(body, inner), *map(put, outside)))
        case Total(body):
            _refuse_elements(expression, replacements)
            return Total(put(body), expression.over)
        case _:
            return rebuild(expression, tuple(map(put, expression.children)))


def _elsewhere(value: Expression, symbol: Symbol) -> Expression:
    """What is put for a coordinate, at the elements at which the coordinate is."""
    moved = dict(zip(symbol.family.indices, symbol.indices, strict=True))

    def at(expression: Expression, bound: frozenset[IndexSet]) -> Expression:
        free = [one for one in free_indices(expression) if moved.get(one, one) != one and one not in bound]
        if not free:
            return expression
        match expression:
            case Symbol():
                return expression.at(*(one if one in bound else moved.get(one, one) for one in expression.indices))
            case Call():
                return at(expression.value, bound)
            case Total(body, over) if over is not None and over not in map(moved.get, free):
                return Total(at(body, bound | {over}), over)
            case Apply(operator, operands):
                return Apply(operator, tuple(at(operand, bound) for operand in operands))
        raise DeclarationError(f"cannot put {value} for {symbol}: carry out first what binds something in it")

    return at(value, frozenset())


def _refuse_elements(expression: Expression, replacements: Mapping[Symbol, Expression]) -> None:
    """Refuse to put what is of one element where a sum runs over the elements, which would bind it."""
    summed = expression.summed
    runs = (
        {expression.over} if isinstance(expression, Total) else {one for part in summed for one in free_indices(part)}
    )
    for symbol in (symbol for part in summed for symbol in free_symbols(part) if symbol in replacements):
        bound = [one for one in free_indices(replacements[symbol]) if one not in symbol.indices]
        if any(one in runs or (None in runs and one.of is None) for one in bound):
            raise DeclarationError(f"cannot put {replacements[symbol]}, of one element, into {expression}")
