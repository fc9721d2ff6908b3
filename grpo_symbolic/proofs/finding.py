"""Finds proofs of elementary obligations: what a search found is written down and tried on the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from grpo_symbolic.checks.proposals.semidefinite import Budget
from grpo_symbolic.errors import GrpoSymbolicError, UnsupportedError
from grpo_symbolic.kernel import rules
from grpo_symbolic.kernel.ranges import Interval
from grpo_symbolic.kernel.terms import Json, RefusedError, Term, negation
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.folding import negated
from grpo_symbolic.language.relations import difference
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.proofs import goal as goals
from grpo_symbolic.proofs.abbreviations import abbreviated, with_values
from grpo_symbolic.proofs.reason import SIGNS, Put, Same, rests_on_ranges
from grpo_symbolic.proofs.refuting import MOST_TRIED, Refuter, objection
from grpo_symbolic.proofs.samples import samples_of
from grpo_symbolic.proofs.search import reason_for, without_long
from grpo_symbolic.proofs.tables import Table, relation_of, statement_of
from grpo_symbolic.proofs.tactics import Tactics, brackets_in
from grpo_symbolic.proofs.tasks import Task
from grpo_symbolic.proofs.walks import along, narrowed
from grpo_symbolic.proofs.writing import Writer

#: What may be spent on one goal, and how many further relations a proof may need.
_FIRST_EFFORT, _EFFORT, _MOST_NEEDED, _DEEPEST = 28, 60, 6, 2
#: So many goals may come of splitting one, and so finely ends of ranges are rounded where fewer bits do not do.
_MOST_TASKS, _MORE_BITS = 24, (600, 4_000)
#: Into so many stretches an interval may be cut, and into so many for one of several goals.
_MOST_STRETCHES, _FEW_STRETCHES = 300, 60
#: What refuting may cost for one goal with all that it is split into.
_MOST_TRIES = 120


@dataclass(frozen=True)
class Found:
    """A proof of each goal of an obligation, None where none is needed or found; and what resisted."""

    proofs: tuple[Json, ...]
    open: tuple[str, ...]


def domains_of(symbols: Iterable[Symbol]) -> dict[str, Interval]:
    """The domains of symbols as the kernel has them."""
    found = {}
    for symbol in symbols:
        domain = symbol.domain
        low, high = (-inf if domain.lower is None else domain.lower), (inf if domain.upper is None else domain.upper)
        found[symbol.name] = Interval(low, domain.lower_closed, high, domain.upper_closed)
    return found


class Finder:
    """Finds proofs of what follows from hypotheses on the domains of symbols, in one table of terms."""

    def __init__(self, table: Table, symbols: Iterable[Symbol]) -> None:
        self._table, self._writer = table, Writer(table)
        self._symbols = {symbol.name: symbol for symbol in symbols}
        self._inside = rules.Obligation(domains_of(self._symbols.values()), table.terms)
        self._tactics = Tactics(table, self._writer, self._symbols)
        self._tactics.quickly, self._tactics.prove = self._quickly, self._prove
        self._tactics.refute = self._refuted
        self._tasks, self._tries, self._with_letters = 0, _MOST_TRIES, True

    def prove(self, hypotheses: Sequence[Statement], conclusion: Statement) -> Found:
        """Proofs of all goals of an obligation."""
        places = [self._table.statement(one) for one in (*hypotheses, conclusion)]
        terms = self._table.terms
        *facts, said = (terms[place] for place in places)
        return self._proved(facts, said, hypotheses, conclusion)

    def prove_terms(self, facts: Sequence[Term], conclusion: Term) -> Found:
        """Proofs of all goals of what the kernel asks."""
        *hypotheses, said = (statement_of(one, self._symbol) for one in (*facts, conclusion))
        return self._proved(facts, conclusion, hypotheses, said)

    def _symbol(self, name: str) -> Symbol:
        if name not in self._symbols:
            raise UnsupportedError(f"{name} is no symbol here")
        return self._symbols[name]

    def _proved(
        self, facts: Sequence[Term], said: Term, hypotheses: Sequence[Statement], conclusion: Statement
    ) -> Found:
        asked = rules.goals_of(self._inside, facts, said)
        proofs, left = list[Json](), list[str]()
        for goal, ours in zip(asked, goals.goals_of(hypotheses, conclusion), strict=True):
            if rules.is_evident(goal):
                proofs.append(None)
                continue
            self._tasks, self._tries = 0, _MOST_TRIES
            proof = self._found(goal, ours)
            if isinstance(proof, str):
                whole = (
                    self._by_alternative(goal, ours, hypotheses) or self._refuted(goal) or self._split(Task(goal, ours))
                )
                left += [proof] if whole is None else []
                proof = whole
            proofs.append(proof)
        return Found(tuple(proofs), tuple(left))

    def _found(self, goal: rules.Goal, ours: goals.Goal, depth: int = 0) -> Json:
        """A proof that the kernel accepts, or in words why there is none."""
        said: list[str] = []
        for proof in self._proposed(ours, said):
            objection = self._objection(goal, proof)
            found = proof if objection is None else self._completed(goal, ours, proof, objection, depth)
            if not isinstance(found, str):
                return found
            said.append(found)
        return said[0] if said else "no reason was found"

    def _by_alternative(self, goal: rules.Goal, ours: goals.Goal, given: Sequence[Statement]) -> Json | None:
        """A proof that another one of alternatives holds: that this fails is a fact beside what is given."""
        for fact in (one for one in ours.relations if one not in given and one.operator != "="):
            place, others = self._table.statement(fact), (one for one in ours.hypotheses if one != fact)
            term = self._table.terms[place]
            there = goal.but(negation(term), negation(goal.relation), without=term)
            why = self._found(there, goals.Goal((*others, negated(ours.relation)), negated(fact)))
            if not isinstance(why, str):
                return ["contrary", place, why]
        return None

    def _proposed(self, ours: goals.Goal, said: list[str]) -> Iterator[Json]:
        """Proofs of reasons for a goal, and for the goal with letters for parts of it."""
        simple, most = goals.simplified(ours), _EFFORT if self._tasks else _FIRST_EFFORT
        for one, values in ((simple, {}), *(abbreviated(simple) if self._with_letters else ())):
            reason = reason_for(one, Budget(_EFFORT), most)
            if reason is None and one.relation.operator == "=" and not values:
                # What laws need may still have to be shown.
                reason = Same(one.relation)
            if reason is None:
                continue
            try:
                whole = with_values(reason, values) if values else reason
                if isinstance(whole, Put):
                    # What is long plays no part in it, and to put values in there takes long.
                    simple = without_long(simple)
                yield self._writer.prove(ours.relation, ours.hypotheses, whole, simple)
                if rests_on_ranges(whole):
                    for bits in _MORE_BITS:
                        self._writer.bits = bits
                        yield self._writer.prove(ours.relation, ours.hypotheses, whole, simple)
            except GrpoSymbolicError as error:
                said.append(f"not written: {type(reason).__name__}: {error}")
            finally:
                self._writer.bits = None
        cut = narrowed(simple.relation, simple.relations)
        stretches = along(cut, _FEW_STRETCHES if self._tasks else _MOST_STRETCHES)
        if stretches is not None:
            yield self._writer.proof(stretches, simple)

    def _quickly(self, task: Task, *, letters: bool = False) -> Json | None:
        """A proof of a task for which nothing further is split."""
        self._tasks += 1
        if self._tasks > _MOST_TASKS or not self._is_plausible(task):
            return None
        gap = self._table.expression(difference(task.relation))
        sign: Json = ["sum", [["1", [[gap, task.relation.operator, 1, None]]]], []]
        simple: tuple[Json, ...] = (["range"], sign)
        for proof in simple:
            if self._objection(task.kernel, proof) is None:
                return proof
        before, self._with_letters = self._with_letters, letters
        try:
            found = self._found(task.kernel, task.ours, _DEEPEST)
        finally:
            self._with_letters = before
        return self._refuted(task.kernel) if isinstance(found, str) else found

    def _prove(self, task: Task) -> Json | None:
        """A proof of a task, split if need be."""
        found = self._quickly(task)
        return found if found is not None or self._tasks > _MOST_TASKS else self._split(task)

    def _is_plausible(self, task: Task) -> bool:
        relation, allowed = task.relation, SIGNS[task.relation.operator]
        samples = samples_of(task.ours.hypotheses, difference(relation))
        # What a bracket is comes to light in cases.
        return (
            not samples
            or bool(brackets_in(task.ours.hypotheses))
            or samples.signs(difference(relation)) <= allowed | {0}
        )

    def _split(self, task: Task) -> Json | None:
        """A proof by tactics, from proofs of other tasks."""
        for proof in self._tactics.attempts(task) if self._is_plausible(task) else ():
            objection = self._objection(task.kernel, proof)
            if objection is None:
                return proof
        return None

    def _refuted(self, goal: rules.Goal) -> Json:
        """A proof by contradiction that the kernel accepts, or None."""
        refuter = Refuter(self._table, min(MOST_TRIED, self._tries))
        proof = refuter.prove(goal)
        self._tries -= refuter.tried
        return proof if proof is not None and self._objection(goal, proof) is None else None

    def _completed(self, goal: rules.Goal, ours: goals.Goal, proof: Json, said: RefusedError, depth: int) -> Json:
        """The proof after what it needs besides: that something has a value, or a sign that a law supposes."""
        shown: list[tuple[int, Json]] = []
        for _ in range(_MOST_NEEDED):
            needed = said.needed
            if needed is None or depth > _DEEPEST or any(self._table.terms[place] is needed for place, _ in shown):
                break
            try:
                wanted = relation_of(needed, self._symbol)
            except UnsupportedError:
                break
            why = self._found(goal.but(needed), goals.Goal(ours.hypotheses, wanted), depth + 1)
            if isinstance(why, str):
                break
            shown.append((self._table.statement(wanted), why))
            whole = proof
            for place, one in reversed(shown):
                whole = ["have", place, one, whole]
            further = self._objection(goal, whole)
            if further is None:
                return whole
            said = further
        return f"refused: {str(proof)[:12]}: {said}"

    def _objection(self, goal: rules.Goal, proof: Json) -> RefusedError | None:
        return objection(goal, proof, self._table)
