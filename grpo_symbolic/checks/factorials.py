"""Gamma functions whose arguments differ by whole numbers, written with one of them, which is any positive number.

Soundness. For x > 0 it is gamma(x + 1) = x gamma(x), and gamma(x) is positive; gamma(1) = 1. The smallest of some
arguments is positive where its gamma function has a value. That it has one is a side condition of a conclusion in which
it stands, and is shown as well; a relation that is known does not hold where it has none. What else speaks of it is not
changed. For the side condition itself that would be a circle: there what is known has values by known relations alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from math import factorial
from operator import mul
from typing import TypeAlias

from grpo_symbolic.checks.common_terms import Variables, known_relations
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_indices, rebuild
from grpo_symbolic.language.inside import applied
from grpo_symbolic.language.statement import Statement, expressions_of, map_expressions, symbols_of
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.ranges import POSITIVE

#: Beyond so many steps from one argument to another, their gamma functions stay apart.
_FARTHEST = 12
#: The gamma function is written as a number up to here.
_LARGEST = 30
#: How often each symbol counts in an argument, and the number beside.
_Linear: TypeAlias = tuple[frozenset[tuple[Symbol, Fraction]], Fraction]


def by_recursion(obligation: Obligation) -> Obligation:
    """The obligation with positive numbers for gamma functions, as few as the recursion allows.

    If the result holds, so does the obligation; if it fails, nothing is known.
    """
    statements = (*obligation.hypotheses, obligation.conclusion)
    arguments = _arguments(statements)
    relations = tuple(known_relations(obligation.hypotheses))
    valued = _arguments((*relations, obligation.conclusion))
    if not arguments or set(arguments) != set(valued) or any(map(free_indices, arguments)):
        return obligation
    if obligation.side_condition and not set(_arguments(obligation.hypotheses)) <= set(_arguments(relations)):
        return obligation
    variables = Variables("factorial", frozenset(symbol.name for symbol in symbols_of(*statements)))
    believed = _arguments(obligation.hypotheses) if obligation.side_condition else arguments
    known, shown = (_Written(_smallest(found), variables) for found in (believed, arguments))
    return replace(
        obligation,
        hypotheses=tuple(map_expressions(hypothesis, known.out) for hypothesis in obligation.hypotheses),
        conclusion=map_expressions(obligation.conclusion, shown.out),
    )


@dataclass(frozen=True)
class _Written:
    """How gamma functions are written: from which argument each is reached, and the numbers for these."""

    starts: Mapping[Expression, tuple[Expression, int]]
    variables: Variables

    def out(self, expression: Expression) -> Expression:
        """An expression without gamma functions."""
        match expression:
            case Apply("gamma", (argument,)):
                value = _value(argument)
                if value is not None:
                    return value
                start, steps = self.starts[argument]
                places = (start + Number(Fraction(place)) if place else start for place in range(steps))
                single = self.variables.symbol(Apply("gamma", (start,)), POSITIVE, f"the value of gamma at {start}")
                return reduce(mul, places, single)
        return rebuild(expression, tuple(map(self.out, expression.children)))


def _arguments(statements: Iterable[Statement]) -> tuple[Expression, ...]:
    sides = (side for statement in statements for side in expressions_of(statement))
    return tuple(dict.fromkeys(node.operands[0] for node in applied("gamma", *sides)))


def _smallest(arguments: Iterable[Expression]) -> dict[Expression, tuple[Expression, int]]:
    """For each argument the smallest one from which it is a whole number of steps away, and how many."""
    linear = {argument: _linear(argument) for argument in arguments}
    found = dict[Expression, tuple[Expression, int]]()
    for argument, form in linear.items():
        steps = {
            other: form[1] - start[1]
            for other, start in linear.items()
            if form is not None and start is not None and form[0] == start[0]
        }
        reached = {other: int(far) for other, far in steps.items() if far.denominator == 1 and 0 <= far <= _FARTHEST}
        # Of equal arguments that are written in different ways, all find the same one.
        found[argument] = max(reached.items(), key=lambda pair: pair[1]) if reached else (argument, 0)
    return found


def _value(argument: Expression) -> Number | None:
    """The value of the gamma function at a whole number from 1 on."""
    linear = _linear(argument)
    if linear is None or linear[0] or linear[1].denominator != 1 or not 1 <= linear[1] <= _LARGEST:
        return None
    return Number(Fraction(factorial(int(linear[1]) - 1)))


def _linear(expression: Expression) -> _Linear | None:
    """A sum of multiples of symbols and of a number; None for anything else."""
    counts: dict[Symbol | None, Fraction] = {}
    waiting = [(expression, Fraction(1))]
    while waiting:
        match waiting.pop():
            case Number(value), times:
                counts[None] = counts.get(None, Fraction(0)) + value * times
            case Symbol() as symbol, times:
                counts[symbol] = counts.get(symbol, Fraction(0)) + times
            case Apply("add" | "subtract" as operator, (left, right)), times:
                waiting += [(left, times), (right, times if operator == "add" else -times)]
            case Apply("negate", (inner,)), times:
                waiting.append((inner, -times))
            case Apply("multiply", (Number(value), inner) | (inner, Number(value))), times:
                waiting.append((inner, value * times))
            case _:
                return None
    number = counts.pop(None, Fraction(0))
    return frozenset((symbol, times) for symbol, times in counts.items() if symbol is not None and times), number
