"""Sums over all outputs of a context, written out for so many outputs with labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from operator import add

from grpo_symbolic.language.expression import (
    Delta,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    Total,
    rebuild,
)
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.inside import holds
from grpo_symbolic.language.statement import Statement, expressions_of


def has_totals(statements: Iterable[Statement]) -> bool:
    """Whether a sum over outputs occurs."""
    return any(holds(Total, expressions_of(statement)) for statement in statements)


def member(symbol: Symbol, *labels: str) -> Symbol:
    """The coordinate of an indexed symbol at one output, or two; any other symbol is itself."""
    if not symbol.indexed:
        return symbol
    family = symbol.family
    return replace(family, name=f"{family.name}[{','.join(labels)}]", indexed=None, second=None)


def second(labels: Sequence[str]) -> str:
    """The label of a further element: the second one if there are two."""
    return labels[min(1, len(labels) - 1)]


def written_out(expression: Expression, label: str, labels: Sequence[str]) -> Expression:
    """The expression at the output with this label, and every sum as one of terms for all labels.

    A further element is the one with the second label.
    """
    return Written({}, labels, label).out(expression)


@dataclass(frozen=True)
class Written:
    """How sums are written out: the ``labels`` of the elements of each set, and at which elements we ``are``.

    Sets that are not named have the labels ``otherwise``, and there we are ``here``; a further element is the second.
    """

    labels: Mapping[IndexSet, Sequence[str]]
    otherwise: Sequence[str]
    here: str
    are: Mapping[IndexSet, str] = field(default_factory=dict)

    def out(self, expression: Expression) -> Expression:
        """The expression with every sum written out."""
        match expression:
            case Symbol():
                return self._coordinate(expression)
            case Delta(other):
                return Number(Fraction(self._label(other.whole) == self._label(other)))
            case Derivative(body, symbol):
                return Derivative(self.out(body), self._coordinate(symbol))
            case Substitution(body, symbol, replacement):
                return Substitution(self.out(body), self._coordinate(symbol), self.out(replacement))
            case GroupExpectation(body):
                # What it sums over is the members of its own group.
                return expression.with_children((body, *map(self.out, expression.children[1:])))
            case Total(body, over):
                terms = (self._at(over, label).out(body) for label in self._labels(over))
                return reduce(add, terms)
            case _:
                return rebuild(expression, tuple(map(self.out, expression.children)))

    def _at(self, index: IndexSet | None, label: str) -> Written:
        return self if index is None else replace(self, are={**self.are, index: label})

    def _labels(self, over: IndexSet | None) -> Sequence[str]:
        return self.otherwise if over is None else self.labels.get(over.whole, self.otherwise)

    def _label(self, index: IndexSet) -> str:
        known = self._labels(index)
        return self.are.get(index) or (second(known) if index.of is not None else self.here)

    def _coordinate(self, symbol: Symbol) -> Symbol:
        return member(symbol, *map(self._label, symbol.indices))
