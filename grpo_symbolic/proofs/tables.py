"""Expressions and elementary statements as tables of nodes, for the kernel; equal ones have one node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.kernel.terms import COMBINATIONS, Json, Term, read_terms
from grpo_symbolic.language.expression import Apply, Delta, Expression, Number, Symbol, Total
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Relation, Statement
from grpo_symbolic.language.support import Supported

_COMBINED = {All: "all", Any: "any", Implies: "implies", Equivalent: "iff"}


class Table:
    """Nodes in the order in which they were first needed, after terms that are there already."""

    def __init__(self, terms: Sequence[Term] = ()) -> None:
        self._before, self._terms = len(terms), [*terms]
        self.added: list[Json] = []
        self._places: dict[object, int] = {}

    @property
    def terms(self) -> Sequence[Term]:
        """All terms, those that were added as the kernel reads them."""
        self._terms[:] = read_terms(self.added[len(self._terms) - self._before :], self._terms)
        return self._terms

    def expression(self, expression: Expression) -> int:
        """The place of an unfolded expression.

        Raises:
            UnsupportedError: for what the kernel has no word for.
        """
        if expression not in self._places:
            match expression:
                case Number(value):
                    node: Json = str(value)
                case Symbol(name):
                    node = ["sym", name]
                case Apply(operator, operands):
                    node = [operator, *map(self.expression, operands)]
                case Total(body, over):
                    node = ["total", self.expression(body), "" if over is None else over.letter]
                case Supported(body, on):
                    node = ["supported", self.expression(body), self.expression(on)]
                case Delta(other):
                    node = ["delta", other.letter, other.whole.letter]
                case _:
                    raise UnsupportedError(f"the kernel has no word for {type(expression).__name__}")
            self._add(expression, node)
        return self._places[expression]

    def statement(self, statement: Statement) -> int:
        """The place of an elementary statement.

        Raises:
            UnsupportedError: for what the kernel has no word for.
        """
        if statement not in self._places:
            match statement:
                case Relation(left, operator, right):
                    node: Json = [operator, self.expression(left), self.expression(right)]
                case All(parts) | Any(parts):
                    node = [_COMBINED[type(statement)], *map(self.statement, parts)]
                case Implies(first, second) | Equivalent(first, second):
                    node = [_COMBINED[type(statement)], self.statement(first), self.statement(second)]
                case _:
                    raise UnsupportedError(f"the kernel has no word for {type(statement).__name__}")
            self._add(statement, node)
        return self._places[statement]

    def term(self, term: Term) -> int:
        """The place of what the kernel has as a term."""
        if term not in self._places:
            if term.op == "num":
                node: Json = str(term.args[0])
            else:
                node = [term.op, *(self.term(one) if isinstance(one, Term) else one for one in term.args)]
            self._add(term, node)
        return self._places[term]

    def _add(self, key: object, node: Json) -> None:
        self._places[key] = self._before + len(self.added)
        self.added.append(node)


def rational(value: Fraction | int) -> str:
    """A number as text."""
    return str(Fraction(value))


#: What is called by the name of a symbol, and the sets with elements of a letter.
Symbols: TypeAlias = Callable[[str], Expression]
Sets: TypeAlias = Mapping[str, IndexSet]


def expression_of(term: Term, symbol: Symbols, sets: Sets = MappingProxyType({})) -> Expression:
    """What the kernel has as a term."""
    if term.op == "num":
        return Number(term.args[0])
    if term.op == "sym":
        return symbol(term.args[0])
    if term.op == "delta" and term.args[0] in sets:
        return Delta(sets[term.args[0]])
    if term.op == "total":
        return Total(expression_of(term.args[0], symbol, sets), sets.get(term.args[1]))
    operands = tuple(expression_of(one, symbol, sets) for one in term.args)
    return Supported(*operands) if term.op == "supported" else Apply(term.op, operands)


def statement_of(term: Term, symbol: Symbols, sets: Sets = MappingProxyType({})) -> Statement:
    """The elementary statement that the kernel has as a term."""
    parts = tuple(statement_of(one, symbol, sets) for one in term.args) if term.op in COMBINATIONS else ()
    match term.op:
        case "all":
            return All(parts)
        case "any":
            return Any(parts)
        case "implies":
            return Implies(*parts)
        case "iff":
            return Equivalent(*parts)
    return relation_of(term, symbol, sets)


def relation_of(term: Term, symbol: Symbols, sets: Sets = MappingProxyType({})) -> Relation:
    """The relation that the kernel has as a term."""
    left, right = (expression_of(one, symbol, sets) for one in term.args)
    return Relation(left, term.op, right)
