"""A counterexample as a few lines of plain Python, which anybody can run without this package.

They print both sides of the relation that fails, and end with an error if it held, or if a hypothesis did not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.judging.counterexamples import Counterexample
from grpo_symbolic.language.elements import outside_totals
from grpo_symbolic.language.expression import Number, Symbol
from grpo_symbolic.language.statement import (
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    conjuncts,
    expressions_of,
)
from grpo_symbolic.translate.python import Python, called, identifier, is_rational, number

#: Differences below this are rounding: that of thirty digits, or of coordinates that are printed with fifteen.
_FINE, _COARSE = "1e-20", "1e-10"
_DIGITS = 30
#: What a reader reads before running it.
_MOST_LINES = 15
_COORDINATE = re.compile(r"(.+)\[(\d+)\]")
_OPERATORS = {"=": "=="}


def plain_python(found: Counterexample) -> tuple[str, ...]:
    """The lines of a program that checks a counterexample again; none for what Python cannot calculate at a point.

    That is an integral, a series or a limit, and what is of two elements.
    """
    if any("," in name for name, _ in found.witness.at):
        return ()
    try:
        program = _Program(found)
        # One line for each hypothesis says most; where there are many, some share a line.
        together = 1
        while len(lines := tuple(program.lines(together))) > _MOST_LINES and together < len(lines):
            together += 1
    except UnsupportedError:
        return ()
    return lines


class _Program:
    """The parts of a program, in the arithmetic that its numbers need."""

    def __init__(self, found: Counterexample) -> None:
        self._found = found
        self._at = dict(found.witness.at)
        element = int(self._at.pop("output", "1"))
        self._expressions = (*found.expressions, *(side for item in found.hypotheses for side in expressions_of(item)))
        decimals = any("." in value for value in self._at.values())
        self._tolerance = _COARSE if decimals else _FINE
        self._exact = not decimals and is_rational(self._expressions)
        elements = max((int(match[2]) for name in self._at if (match := _COORDINATE.fullmatch(name))), default=1)
        self._python = Python(self._exact, str(element - 1), str(elements))

    def lines(self, together: int = 1) -> Iterator[str]:
        """The program, from its imports to what it prints, with so many hypotheses on a line."""
        if self._exact:
            yield "from fractions import Fraction as F"
        else:
            names = sorted({"chop", "mp", "mpf", *self._python.functions(self._expressions)})
            yield f"from mpmath import {', '.join(names)}"
            yield f"mp.dps = {_DIGITS}"
        yield from self._point()
        for made in called(self._expressions):
            yield self._python.definition(made)
        yield from self._given(together)
        yield from self._sides()

    def _point(self) -> Iterator[str]:
        """The coordinates, those of elements as lists."""
        plain, vectors = dict[str, str](), dict[str, list[str]]()
        for name, value in self._at.items():
            match = _COORDINATE.fullmatch(name)
            if match is None:
                plain[identifier(name)] = self._number(value)
            else:
                vectors.setdefault(identifier(match[1]), []).append(self._number(value))
        if plain:
            yield f"{', '.join(plain)} = {', '.join(plain.values())}"
        for name, values in vectors.items():
            yield f"{name} = [{', '.join(values)}]"

    def _number(self, text: str) -> str:
        return f'mpf("{text}")' if "." in text else number(Fraction(text), exact=self._exact)

    def _given(self, together: int) -> Iterator[str]:
        """That hypotheses hold, at every element, and what else of the conclusion does."""
        stated = [item for item in conjuncts(*self._found.hypotheses) if not self._is_coordinate(item)]
        given = [self._everywhere(item) for item in stated]
        given += [self._relation(relation, self._python) for relation, holds in self._found.relations if holds]
        given = list(dict.fromkeys(given))
        for start in range(0, len(given), together):
            some = given[start : start + together]
            numbers = " or ".join(str(start + number) for number in range(1, len(some) + 1))
            condition = some[0] if len(some) == 1 else " and ".join(f"({item})" for item in some)
            yield f'if not ({condition}): raise SystemExit("hypothesis {numbers} fails")'

    def _is_coordinate(self, statement: Statement) -> bool:
        """Whether a hypothesis only says which number the point has for a symbol."""
        match statement:
            case Relation(Symbol(name), "=", Number(value)):
                return self._at.get(name) == str(value)
        return False

    def _everywhere(self, statement: Statement) -> str:
        spoken_of = [symbol for side in expressions_of(statement) for symbol in outside_totals(side)]
        vectors = [identifier(symbol.name) for symbol in spoken_of if f"{symbol.name}[1]" in self._at]
        if not vectors:
            return self._statement(statement, self._python)
        inside = self._statement(statement, replace(self._python, element="k"))
        return f"all({inside} for k in range(len({vectors[0]})))"

    def _sides(self) -> Iterator[str]:
        for relation, holds in self._found.relations:
            if not holds:
                yield f"left = {self._python.text(relation.left)}"
                yield f"right = {self._python.text(relation.right)}"
                said = '"no value:", ' if self._found.undefined else ""
                yield f'print({said}left, "{relation.operator}", right, "fails")'
                yield f'if {self._compared("left", relation.operator, "right")}: raise SystemExit("it holds")'

    def _statement(self, statement: Statement, python: Python) -> str:
        """A condition; conditions inside it stand in parentheses."""
        match statement:
            case Relation():
                return self._relation(statement, python)
            case All(parts):
                return " and ".join(f"({self._statement(part, python)})" for part in parts)
            case Any(parts):
                return " or ".join(f"({self._statement(part, python)})" for part in parts)
            case Implies(premise, conclusion):
                return f"not ({self._statement(premise, python)}) or ({self._statement(conclusion, python)})"
            case Equivalent(left, right):
                return f"({self._statement(left, python)}) == ({self._statement(right, python)})"
        raise UnsupportedError(f"{type(statement).__name__} is no condition that Python could check at a point")

    def _relation(self, relation: Relation, python: Python) -> str:
        left, right = python.text(relation.left), python.text(relation.right)
        return self._compared(left, relation.operator, right)

    def _compared(self, left: str, operator: str, right: str) -> str:
        sign = _OPERATORS.get(operator, operator)
        if self._exact:
            return f"{left} {sign} {right}"
        subtracted = right if re.fullmatch(r"[\w.]+|\w+\([^()]*\)", right) else f"({right})"
        difference = left if right == "0" else f"{left} - {subtracted}"
        return f"chop({difference}, {self._tolerance}) {sign} 0"
