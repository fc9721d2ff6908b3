"""Expressions compiled into instructions that any arithmetic can run at a point.

A tree is compiled once into a list of steps in which equal sub-trees share one step; an *arithmetic*
(machine numbers, exact rationals, balls, multiprecision numbers with their noise) says what the steps mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, Total

#: A raw mpmath number: sign, mantissa, exponent, bit count.
Raw: TypeAlias = Any

#: The numbers of an arithmetic.
N = TypeVar("N")


@dataclass(frozen=True)
class Inexact:
    """A number known up to an absolute error, such as an enclosed root."""

    value: Raw
    error: Raw


Value: TypeAlias = Fraction | Inexact


@dataclass(frozen=True)
class Point:
    """Values by symbol name; with Totals, one value per output for indexed symbols, and the generic output.

    Names are unique within an obligation, and looking them up is far cheaper than looking up symbols.
    """

    values: Mapping[str, Value]
    vectors: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    outputs: int = 0
    index: int = 0

    def value(self, name: str) -> Value:
        """The value of a symbol, for an indexed one at the generic output."""
        vector = self.vectors.get(name)
        return self.values[name] if vector is None else vector[self.index]

    def all_values(self, name: str) -> tuple[Value, ...]:
        """The values of a symbol at all outputs, or the one value of a plain symbol."""
        return self.vectors.get(name) or (self.values[name],)

    def at_output(self, index: int) -> Point:
        """The same point with another generic output."""
        return self if index == self.index else Point(self.values, self.vectors, self.outputs, index)

    def put(self, name: str, value: Value) -> Point:
        """The same point with another value of a symbol, for an indexed one at the generic output only."""
        if name not in self.vectors:
            return Point({**self.values, name: value}, self.vectors, self.outputs, self.index)
        vector = list(self.vectors[name])
        vector[self.index] = value
        return self.put_vector(name, tuple(vector))

    def put_vector(self, name: str, vector: tuple[Value, ...]) -> Point:
        """The same point with other values of an indexed symbol."""
        return Point(self.values, {**self.vectors, name: vector}, self.outputs, self.index)


class Arithmetic(Protocol[N]):
    """What a program needs to know about a kind of numbers."""

    @property
    def operations(self) -> Mapping[str, Callable[..., N]]:
        """The functions of the operators, except ``power``."""

    def load(self, value: Value) -> N:
        """Turn an input or a constant into a number of this kind."""

    def power(self, base: N, exponent: Fraction) -> N:
        """``base`` to an integer or half-integer exponent."""


class _Instruction(NamedTuple):
    """One instruction: a constant, a symbol, an operator on earlier slots (-1: none), or a sum over the outputs."""

    place: int
    operator: str = ""
    first: int = -1
    second: int = -1
    constant: Fraction = Fraction(0)
    name: str | None = None
    body: Program | None = None


class Program:
    """Some expressions compiled into one list of instructions, equal sub-trees once."""

    def __init__(self, expressions: Sequence[Expression]) -> None:
        """Compile the expressions.

        Raises:
            UnsupportedError: for nodes without a value at a point (Derivative, Substitution).
        """
        self._steps: list[_Instruction] = []
        self._places: dict[Expression, int] = {}
        self._results = [self._place(expression) for expression in expressions]
        self._partial: dict[tuple[str, bool], tuple[list[_Instruction], list[_Instruction]]] = {}

    def _place(self, expression: Expression) -> int:
        known = self._places.get(expression)
        if known is not None:
            return known
        match expression:
            case Number(value):
                step = _Instruction(self._free, constant=value)
            case Symbol(name):
                step = _Instruction(self._free, name=name)
            case Apply("power", (base, Number(exponent))):
                first = self._place(base)
                step = _Instruction(self._free, "power", first, constant=exponent)
            case Apply(operator, (operand,)):
                first = self._place(operand)
                step = _Instruction(self._free, operator, first)
            case Apply(operator, (left, right)):
                first, second = self._place(left), self._place(right)
                step = _Instruction(self._free, operator, first, second)
            case Total(body):
                step = _Instruction(self._free, body=Program((body,)))
            case _:
                raise UnsupportedError(f"cannot evaluate {expression}; unfold it first")
        self._steps.append(step)
        self._places[expression] = step.place
        return step.place

    @property
    def _free(self) -> int:
        return len(self._steps)

    def run(self, arithmetic: Arithmetic[N], point: Point) -> list[N]:
        """The values of the expressions at a point.

        Raises:
            UndefinedError: where an expression has no value.
            OutOfReachError: where a value is too large to be computed.
        """
        found = cast("list[N]", [None] * len(self._steps))
        _fill(found, self._steps, arithmetic, point)
        return [found[place] for place in self._results]

    def along(
        self, arithmetic: Arithmetic[N], point: Point, name: str, output: int | None = None
    ) -> Callable[[N], list[N]]:
        """The values of the expressions as a function of one symbol, whose argument is a number of the arithmetic.

        Steps that do not depend on the symbol are run here, once. An indexed symbol varies at one output
        only, by default at the generic one.

        Raises:
            UndefinedError, OutOfReachError: as ``run``, from the steps that do not depend on the symbol.
        """
        output = point.index if output is None else output
        varies_here = name not in point.vectors or point.index == output
        fixed, varying = self._split(name, varies_here)
        found = cast("list[N]", [None] * len(self._steps))
        _fill(found, fixed, arithmetic, point)
        inputs = [step.place for step in varying if step.name is not None]
        operators = [step for step in varying if step.operator]
        sums = [
            (place, [body.along(arithmetic, point.at_output(index), name, output) for index in _outputs(point)])
            for place, *_, body in varying
            if body is not None
        ]
        add, zero = arithmetic.operations["add"], arithmetic.load(Fraction(0))

        def values(argument: N) -> list[N]:
            for place in inputs:
                found[place] = argument
            for place, terms in sums:
                found[place] = zero
                for term in terms:
                    found[place] = add(found[place], term(argument)[0])
            _fill(found, operators, arithmetic, point)
            return [found[place] for place in self._results]

        return values

    def _split(self, name: str, varies_here: bool) -> tuple[list[_Instruction], list[_Instruction]]:
        """The steps that do not depend on a symbol, and those that do."""
        known = self._partial.get((name, varies_here))
        if known is None:
            fixed, varying, places = list[_Instruction](), list[_Instruction](), set[int]()
            for step in self._steps:
                inside = step.body is not None and step.body.mentions(name)
                if inside or (step.name == name and varies_here) or not places.isdisjoint((step.first, step.second)):
                    places.add(step.place)
                    varying.append(step)
                else:
                    fixed.append(step)
            known = self._partial[name, varies_here] = fixed, varying
        return known

    def mentions(self, name: str) -> bool:
        """Whether a symbol occurs, in a sum over the outputs or outside of them."""
        return any(step.name == name or (step.body is not None and step.body.mentions(name)) for step in self._steps)


def _fill(found: list[N], steps: Iterable[_Instruction], arithmetic: Arithmetic[N], point: Point) -> None:
    """Run steps in their order, from and into the slots of ``found``."""
    operations, load = arithmetic.operations, arithmetic.load
    for place, operator, first, second, constant, name, body in steps:
        if second >= 0:
            found[place] = operations[operator](found[first], found[second])
        elif operator == "power":
            found[place] = arithmetic.power(found[first], constant)
        elif operator:
            found[place] = operations[operator](found[first])
        elif name is not None:
            found[place] = load(point.value(name))
        elif body is not None:
            add, total = operations["add"], load(constant)
            for index in _outputs(point):
                total = add(total, body.run(arithmetic, point.at_output(index))[0])
            found[place] = total
        else:
            found[place] = load(constant)


def _outputs(point: Point) -> range:
    if point.outputs == 0:
        raise UnsupportedError("a sum needs a point with explicit values for each of its terms")
    return range(point.outputs)
