"""Check a counterexample again from its printed numbers, with nothing of the search that found it.

Why what is confirmed here is true:

* Rational coordinates are taken exactly as printed, and expressions of them stay rational as long as all operations
  do; beyond that every number lies in an interval (``intervals.py``). A statement counts as true, or as false, only if
  all numbers in the intervals agree about it, and what may be undefined decides nothing.
* Decimals name a box, one unit of the last digit to either side. In it lies a solution of some of the relations as
  equations (``krawczyk.py``), and this solution is the point that is judged. It is known to lie in a much smaller box,
  and there the sides of these relations, and of no others, are known to be equal.
* Where several indices are spoken of, all is written out for the elements whose coordinates are printed.
* Hypotheses must hold at every output, the conclusion must fail at the output in question, and every coordinate must
  lie in the domain of its symbol. Sums run over the outputs whose coordinates are printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from mpmath import libmp

from grpo_symbolic.checks.intervals import Evaluation, Real, UnknownError, signs
from grpo_symbolic.checks.krawczyk import Box, Literal, difference
from grpo_symbolic.evidence import Witness
from grpo_symbolic.language.elements import outside_totals
from grpo_symbolic.language.expression import Expression, Number, Symbol, free_symbols
from grpo_symbolic.language.finite import SIZES, finite, has_several_indices
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Relation, Statement, lt, symbols_of

#: Bits with which a point is judged; more only if the fewest leave it open.
_PRECISIONS = (192, 768)
#: Digits that are printed of a number that is not rational.
_DIGITS = 15
_RATIONAL = re.compile(r"-?\d+(/0*[1-9]\d*)?")
_DECIMAL = re.compile(r"-?\d+\.\d+([Ee][+-]?\d+)?")
_COORDINATE = re.compile(r".*\[(\d+)\]")
_SIGNS = {"=": {0}, "!=": {-1, 1}, "<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}}


def holds(statements: Iterable[Statement], at: Iterable[tuple[str, str]]) -> bool:
    """Whether elementary statements certainly hold at a printed point, at every output, and it lies in the domains."""
    return _answered(_Question(tuple(statements), None, (), ()), dict(at))


def refutes(
    hypotheses: Iterable[Statement], conclusion: Statement, witness: Witness, defined: Iterable[Expression] = ()
) -> bool:
    """Whether at the witness all hypotheses certainly hold, ``defined`` have values, and the conclusion fails.

    Both sides of some relation in the conclusion must have the values that the witness prints.
    """
    question = _Question(tuple(hypotheses), conclusion, tuple(defined), (witness.left, witness.right))
    return _answered(question, dict(witness.at))


def refutation(
    hypotheses: Iterable[Statement],
    conclusion: Statement,
    at: Iterable[tuple[str, str]],
    defined: Iterable[Expression] = (),
) -> Witness | None:
    """The witness that these printed coordinates are, with both sides of a relation that fails, or None."""
    printed = tuple(at)
    question = _Question(tuple(hypotheses), conclusion, tuple(defined), ())
    place = _confirmed(question, dict(printed))
    sides = None if place is None else place.sides()
    return None if sides is None else Witness(printed, *sides)


class _Question(NamedTuple):
    """Whether hypotheses hold and a conclusion, if there is one, fails."""

    hypotheses: tuple[Statement, ...]
    conclusion: Statement | None
    defined: tuple[Expression, ...]
    sides: tuple[str, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        return self.hypotheses if self.conclusion is None else (*self.hypotheses, self.conclusion)


def _answered(question: _Question, printed: Mapping[str, str]) -> bool:
    return _confirmed(question, printed) is not None


def _confirmed(question: _Question, printed: Mapping[str, str]) -> _Place | None:
    texts = (*printed.values(), *question.sides)
    if not all(_RATIONAL.fullmatch(text) or _DECIMAL.fullmatch(text) for text in texts):
        return None
    for written in _finite(question, printed):
        for bits in _PRECISIONS:
            try:
                place = _Place.printed(written, printed, bits)
                if place.certain():
                    return place
            except UnknownError:
                continue
    return None


def _finite(question: _Question, printed: Mapping[str, str]) -> Iterator[_Question]:
    """The question itself; if it is about several indices, written out for as many elements as the point has."""
    if not has_several_indices(*question.statements):
        yield question
        # What was differentiated may speak of more than is left of it.
        if not has_several_indices(*question.defined):
            return
    never = lt(Number(Fraction(1)), Number(Fraction(0)))
    for elements in SIZES:
        conclusion = never if question.conclusion is None else question.conclusion
        hypotheses, failing, defined = finite(question.hypotheses, conclusion, question.defined, elements)
        stated = {symbol.name for symbol in symbols_of(*hypotheses, failing)}
        spoken_of = stated.union(symbol.name for item in defined for symbol in free_symbols(item))
        if stated <= printed.keys() <= spoken_of:
            yield _Question(hypotheses, None if question.conclusion is None else failing, defined, question.sides)


@dataclass(frozen=True)
class _Place:
    """A question about a point: its coordinates, and the relations whose sides are known to be equal there."""

    question: _Question
    at: Evaluation
    output: int
    equal: frozenset[Literal]

    @classmethod
    def printed(cls, question: _Question, printed: Mapping[str, str], bits: int) -> _Place:
        """The point that the printed numbers name."""
        values = {name: Fraction(text) for name, text in printed.items()}
        units = {name: _unit(text) for name, text in printed.items() if "." in text}
        output = int(values.pop("output", Fraction(1)))
        outputs = max((int(match[1]) for name in values if (match := _COORDINATE.fullmatch(name))), default=1)
        literals = dict.fromkeys(_literals(question, output, outputs))
        solved, equal = Box(values, units, outputs, bits).solved(list(literals))
        return cls(question, solved, output, equal)

    def certain(self) -> bool:
        """Whether the point lies in the domains, the hypotheses hold and the conclusion fails, all of it certainly."""
        question = self.question
        if not all(self._inside(symbol) for symbol in symbols_of(*question.statements)):
            return False
        for expression in question.defined:
            self.at.value(expression, self.output)
        if question.conclusion is not None:
            shown = (self._shown(relation) for relation in _relations(question.conclusion))
            if (question.sides and not any(shown)) or self._truth(question.conclusion, self.output) is not False:
                return False
        everywhere = range(1, self.at.outputs + 1)
        return all(self._truth(item, output) for item in question.hypotheses for output in everywhere)

    def sides(self) -> tuple[str, str] | None:
        """Both sides of a relation of the conclusion that does not hold, as they are printed."""
        conclusion = self.question.conclusion
        for relation in () if conclusion is None else _relations(conclusion):
            if self._truth(relation, self.output) is False:
                left, right = (
                    _text(self.at.value(side, self.output).number) for side in (relation.left, relation.right)
                )
                return left, right
        return None

    def _inside(self, symbol: Symbol) -> bool:
        """Whether the coordinates of a symbol that are given certainly lie in its domain."""
        for output in range(1, self.at.outputs + 1):
            try:
                value = self.at.value(symbol, output).number
            except UnknownError:  # any number of the domain will do, because nothing depends on it
                continue
            if isinstance(value, Fraction):
                if value not in symbol.domain:
                    return False
                continue
            if symbol.domain.whole:
                return False
            ends = ((symbol.domain.lower, {1}), (symbol.domain.upper, {-1}))
            minus = self.at.arithmetic.minus
            if not all(end is None or signs(minus(value, end)) == side for end, side in ends):
                return False
        return True

    def _shown(self, relation: Relation) -> bool:
        """Whether the sides of a relation have the values that are printed."""
        try:
            values = [self.at.value(side, self.output).number for side in (relation.left, relation.right)]
        except UnknownError:
            return False
        return all(self._near(value, text) for value, text in zip(values, self.question.sides, strict=True))

    def _near(self, value: Real, text: str) -> bool:
        """Whether a number is what is printed, up to one unit of the last digit and what enclosing it costs."""
        printed, minus = Fraction(text), self.at.arithmetic.minus
        error = _unit(text) + (1 + abs(printed)) / 2 ** (self.at.arithmetic.bits // 2)
        return signs(minus(value, printed - error)) == {1} and signs(minus(value, printed + error)) == {-1}

    def _truth(self, statement: Statement, output: int) -> bool | None:
        """Whether a statement certainly holds or certainly fails; None if neither is certain."""
        match statement:
            case Relation(_, operator, _):
                found, wanted = self._signs(_literal(statement, output)), _SIGNS[operator]
                return True if found <= wanted else None if found & wanted else False
            case All(parts):
                truths = {self._truth(part, output) for part in parts}
                return False if False in truths else None if None in truths else True
            case Any(parts):
                truths = {self._truth(part, output) for part in parts}
                return True if True in truths else None if None in truths else False
            case Implies(premise, conclusion):
                first, second = self._truth(premise, output), self._truth(conclusion, output)
                return True if first is False or second is True else None if None in (first, second) else False
            case Equivalent(left, right):
                first, second = self._truth(left, output), self._truth(right, output)
                return None if None in (first, second) else first is second
            case _:
                return None

    def _signs(self, literal: Literal) -> set[int]:
        """The signs that the left side minus the right side may have."""
        try:
            gap = difference(self.at, literal).number
        except UnknownError:
            return {-1, 0, 1}
        return {0} if literal in self.equal or literal.relation.left == literal.relation.right else signs(gap)


def _text(value: Real) -> str:
    """A rational as it is, or the first digits of another number."""
    if isinstance(value, Fraction):
        return str(value)
    text: str = libmp.to_str(value[0], _DIGITS, strip_zeros=False, min_fixed=-6, max_fixed=_DIGITS)
    return text


def _unit(text: str) -> Fraction:
    """One unit of the last digit of a decimal, and 0 for a rational."""
    return Fraction(10) ** int(Decimal(text).as_tuple().exponent) if "." in text else Fraction(0)


def _literals(question: _Question, output: int, outputs: int) -> Iterator[Literal]:
    """Relations whose sides may be equal: equations, those of hypotheses first, then what may be just attained."""
    given = [_literal(relation, o) for relation in _relations(All(question.hypotheses)) for o in range(1, outputs + 1)]
    if question.conclusion is not None:
        given += [_literal(relation, output) for relation in _relations(question.conclusion)]
    yield from (literal for literal in given if literal.relation.operator == "=")
    yield from reversed([literal for literal in given if literal.relation.operator != "="])


def _relations(statement: Statement) -> Iterator[Relation]:
    match statement:
        case Relation():
            yield statement
        case All(parts) | Any(parts):
            for part in parts:
                yield from _relations(part)
        case Implies(left, right) | Equivalent(left, right):
            yield from _relations(left)
            yield from _relations(right)
        case _:
            raise UnknownError(f"{type(statement).__name__} is not elementary")


def _literal(relation: Relation, output: int) -> Literal:
    generic = outside_totals(relation.left) or outside_totals(relation.right)
    return Literal(relation, output if generic else 0)
