"""Expressions compiled into instructions that any arithmetic can run at a point.

A tree is compiled once into a list of steps in which equal sub-trees share one step; an *arithmetic*
(machine numbers, exact rationals, balls, multiprecision numbers with their noise) says what the steps mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, Total, rule_for

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
    def bits(self) -> int:
        """To how many bits numbers are loaded now; constants are loaded once for each."""

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


class _Action(NamedTuple):
    """A function, of two slots, of one or (-1: none) of the point, and the slot of its value."""

    place: int
    function: Callable[..., Any]
    first: int
    second: int


class _Tape(NamedTuple):
    """Instructions as functions of an arithmetic; the constants are in their slots already, powers beyond them."""

    slots: list[Any]
    inputs: list[tuple[int, str]]
    steps: list[_Action]


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
        self._tapes: dict[tuple[Arithmetic[Any], int], _Tape] = {}
        self._partial: dict[tuple[str, bool], tuple[list[_Instruction], list[_Instruction]]] = {}
        self._partial_tapes: dict[tuple[Arithmetic[Any], int, str, bool], tuple[_Tape, _Tape]] = {}

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
        tape = self._tapes.get((arithmetic, arithmetic.bits))
        if tape is None:
            tape = self._tapes[arithmetic, arithmetic.bits] = self._tape(self._steps, arithmetic)
        found = _played(tape, arithmetic, point)
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
        fixed, varying = self._partial_tape(arithmetic, name, varies_here)
        found, results = _played(fixed, arithmetic, point), self._results
        inputs, steps = [place for place, _ in varying.inputs], varying.steps
        sums = [
            (place, [body.along(arithmetic, point.at_output(index), name, output) for index in _outputs(point)])
            for place, *_, body in self._split(name, varies_here)[1]
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
            for place, function, first, second in steps:
                found[place] = function(found[first], found[second]) if second >= 0 else function(found[first])
            return [found[place] for place in results]

        return values

    def _partial_tape(self, arithmetic: Arithmetic[N], name: str, varies_here: bool) -> tuple[_Tape, _Tape]:
        """What does not depend on a symbol, and what does without sums, which are not of one point then."""
        key = arithmetic, arithmetic.bits, name, varies_here
        known = self._partial_tapes.get(key)
        if known is None:
            fixed, varying = self._split(name, varies_here)
            moving = self._tape([step for step in varying if step.body is None], arithmetic)
            known = self._partial_tapes[key] = self._tape(fixed, arithmetic, varying), moving
        return known

    def _tape(
        self, steps: Iterable[_Instruction], arithmetic: Arithmetic[N], later: Iterable[_Instruction] = ()
    ) -> _Tape:
        """Some instructions as functions of an arithmetic, with room for the exponents of ``later`` ones as well."""
        tape = _Tape([None] * (2 * len(self._steps)), [], [])
        operations, load = arithmetic.operations, arithmetic.load
        for place, operator, first, second, constant, name, body in steps:
            if operator == "power":
                tape.slots[len(self._steps) + place] = constant
                tape.steps.append(_Action(place, arithmetic.power, first, len(self._steps) + place))
            elif operator:
                tape.steps.append(_Action(place, rule_for(operator, operations, "numbers"), first, second))
            elif name is not None:
                tape.inputs.append((place, name))
            elif body is not None:
                tape.steps.append(_Action(place, body.sum_over_outputs(arithmetic), -1, -1))
            else:
                tape.slots[place] = load(constant)
        for step in later:
            tape.slots[len(self._steps) + step.place] = step.constant
        return tape

    def sum_over_outputs(self, arithmetic: Arithmetic[N]) -> Callable[[Point], N]:
        """The sum of the first expression over the outputs of a point."""
        add, zero = arithmetic.operations["add"], arithmetic.load(Fraction(0))

        def total(point: Point) -> N:
            found = zero
            for index in _outputs(point):
                found = add(found, self.run(arithmetic, point.at_output(index))[0])
            return found

        return total

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


def _played(tape: _Tape, arithmetic: Arithmetic[N], point: Point) -> list[N]:
    """The slots after all steps of a tape were run in their order."""
    found, load = tape.slots.copy(), arithmetic.load
    for place, name in tape.inputs:
        found[place] = load(point.value(name))
    for place, function, first, second in tape.steps:
        if second >= 0:
            found[place] = function(found[first], found[second])
        else:
            found[place] = function(found[first]) if first >= 0 else function(point)
    return found


def _outputs(point: Point) -> range:
    if point.outputs == 0:
        raise UnsupportedError("a sum needs a point with explicit values for each of its terms")
    return range(point.outputs)
