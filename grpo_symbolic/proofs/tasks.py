"""Goals as the kernel and as the search have them, and what whoever splits them works with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.kernel import rules
from grpo_symbolic.kernel.terms import Json, Term
from grpo_symbolic.language.calculus import ONE
from grpo_symbolic.language.expression import Expression, Symbol, free_symbols, substitute, walk
from grpo_symbolic.language.statement import Relation, substitute_statement
from grpo_symbolic.obligations.obligation import domain_statements
from grpo_symbolic.proofs import goal as goals
from grpo_symbolic.proofs.tables import Table
from grpo_symbolic.proofs.writing import Writer


@dataclass(frozen=True)
class Task:
    """A goal as the kernel has it, as the search has it, and how deep it is nested."""

    kernel: rules.Goal
    ours: goals.Goal
    depth: int = 0

    @property
    def relation(self) -> Relation:
        """What is to be shown."""
        return self.ours.relation


class Quickly(Protocol):
    """Finds a proof of a task without splitting it further, with letters for parts of it if they are asked for."""

    def __call__(self, task: Task, *, letters: bool = False) -> Json | None:
        """The proof, if one is found."""
        ...


class Desk:
    """Makes tasks of others: those are proved ``quickly``, by contradiction, or by further tactics."""

    def __init__(self, table: Table, writer: Writer, symbols: dict[str, Symbol]) -> None:
        self._table, self._writer, self._symbols = table, writer, symbols
        self.quickly: Quickly
        self.prove: Callable[[Task], Json | None]
        self.refute: Callable[[rules.Goal], Json | None]

    def _term(self, place: int) -> Term:
        return self._table.terms[place]

    def _symbol(self, name: str) -> Symbol:
        if name not in self._symbols:
            raise UnsupportedError(f"{name} is no symbol here")
        return self._symbols[name]

    def but(
        self, task: Task, relation: Relation, *more: Relation, deeper: int = 0, without: Relation | None = None
    ) -> Task:
        """Another task under the same facts and more, or all but one."""
        wanted, *facts = (self._term(self._table.statement(one)) for one in (relation, *more))
        fact = None if without is None else self._term(self._table.statement(without))
        kept = (one for one in task.ours.hypotheses if one != without)
        kernel = task.kernel.but(wanted, *facts, without=fact)
        return Task(kernel, goals.Goal((*kept, *more), relation), task.depth + deeper)

    def _shown(self, task: Task, relation: Relation) -> bool:
        return task.kernel.shown(self._term(self._table.statement(relation)))

    def _have(self, shown: Sequence[tuple[Relation, Json]], proof: Json) -> Json:
        for relation, why in reversed(shown):
            proof = ["have", self._table.statement(relation), why, proof]
        return proof

    def _larger_or_smaller(
        self, task: Task, one: Expression, other: Expression, prove: Callable[[Task, int], Json | None]
    ) -> Json | None:
        """Where one value is larger than another one, where it is smaller, and where they are equal."""
        larger, smaller, equal = (Relation(one, operator, other) for operator in (">", "<", "="))
        first = prove(self.but(task, task.relation, larger), 1)
        second = None if first is None else prove(self.but(task, task.relation, smaller), -1)
        third = None if second is None else self._where_equal(self.but(task, task.relation, equal), one, other)
        if third is None:
            return None
        place = self._table.statement
        gap = self._table.expression(one - other)
        sides: list[Json] = [[op, ["sum", [["1", [[gap, op, 1, None]]]], []]] for op in ("<=", ">=")]
        rest: Json = ["have", place(equal), ["both", *sides], third]
        return ["cases", place(larger), first, ["cases", place(smaller), second, rest]]

    def _where_equal(self, task: Task, one: Expression, other: Expression) -> Json | None:
        """Where two values are equal, the one stands for the other."""
        if not isinstance(one, Symbol) or one in free_symbols(other):
            return self.quickly(task)
        return self._putting(task, {one: other}, self.quickly)

    def _putting(
        self, task: Task, values: Mapping[Symbol, Expression], prove: Callable[[Task], Json | None]
    ) -> Json | None:
        """With the values that equations among the facts say symbols have."""
        if not values:
            return prove(task)
        (one, other), *further = values.items()
        place = self._table.expression
        there = rules.with_value(task.kernel, one.name, self._term(place(other)))
        facts = (substitute_statement(item, {one: other}) for item in task.ours.hypotheses)
        ours = goals.Goal((*facts, *domain_statements({one: other})), _at(task.relation, one, other))
        rest = {symbol: substitute(value, {one: other}) for symbol, value in further}
        proof = self._putting(Task(there, ours, task.depth), rest, prove)
        equation = self._table.statement(Relation(one, "=", other))
        return None if proof is None else ["put", one.name, place(other), equation, place(ONE), [], None, proof]


def _at(relation: Relation, symbol: Symbol, value: Expression) -> Relation:
    left, right = (substitute(side, {symbol: value}) for side in (relation.left, relation.right))
    return Relation(left, relation.operator, right)


def size(expression: Expression) -> int:
    """How many nodes an expression has."""
    return sum(1 for _ in walk(expression))
