"""Proofs of the kernel's goals by contradiction: cases are told apart, then certificates are looked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.kernel.algebra import Law, Ring
from grpo_symbolic.kernel.ranges import fails
from grpo_symbolic.kernel.rules import Goal, check, conditions_of, with_value
from grpo_symbolic.kernel.terms import (
    MIRRORED,
    NEGATED,
    ONE,
    RELATIONS,
    ZERO,
    Json,
    RefusedError,
    Term,
    conjuncts,
    make,
    negation,
    number,
)
from grpo_symbolic.proofs.kernel_rings import choice, laws_in, subterms, summands
from grpo_symbolic.proofs.known import Knowledge, written_law
from grpo_symbolic.proofs.lettered import in_letters
from grpo_symbolic.proofs.positivstellensatz import Certificates, after, ordered
from grpo_symbolic.proofs.reason import SIGNS, sum_of_signs
from grpo_symbolic.proofs.tables import Table
from grpo_symbolic.proofs.trials import seem_possible
from grpo_symbolic.proofs.values import Value, values

#: How deep cases may be nested, how much may be tried, and how many terms count as one more trial.
_DEEPEST, MOST_TRIED, _TERMS_A_TRY = 5, 40, 50
#: A value is put in the place of a symbol at once if it is no longer.
_SHORT = 5


class Refuter:
    """Looks for proofs of goals; ``tried`` counts what was spent on them, of which there may be so much at ``most``."""

    def __init__(self, table: Table, most: int = MOST_TRIED) -> None:
        self._table, self._most, self.tried = table, most, 0

    def prove(self, goal: Goal, depth: int = 0) -> Json:
        """A proof of a goal, which the kernel may still refuse; None if none is found."""
        relation = goal.relation
        if goal.shown(relation):
            return self._evident(goal)
        if relation.op == "=":
            laws = laws_in(goal, subterms(relation))
            try:
                if Ring(goal.shown, laws).are_equal(*relation.args):
                    return ["same", self._laws(laws)]
            except RefusedError:
                pass
        then = self._refutation(_relevant(goal.but(make("<", ZERO, ZERO), negation(relation))), depth)
        return None if then is None else ["absurd", then]

    def _laws(self, laws: Sequence[Law]) -> Json:
        return [written_law(law, self._table) for law in laws]

    def _evident(self, goal: Goal) -> Json:
        relation = goal.relation
        if goal.inside.ranges.holds(relation):
            return ["range"]
        for fact in goal.relations:
            if fact.args == relation.args and SIGNS[fact.op] <= SIGNS[relation.op]:
                return ["fact", self._table.term(fact), None, [], None]
        gap = make("subtract", *relation.args) if relation.args[1] is not ZERO else relation.args[0]
        return ["sum", [["1", [[self._table.term(gap), relation.op, 1, None]]]], []]

    def _refutation(self, goal: Goal, depth: int) -> Json:
        """A proof that 0 < 0 under contradictory facts."""
        for fact in goal.relations:
            if fails(goal.inside.ranges, fact):
                return ["contrary", self._table.term(fact), ["range"]]
        if self.tried >= self._most:
            return None
        found = self._certificate(goal, depth)
        if found is not None:
            return found
        equal = next(self._pinched(goal), None)
        if equal is not None:
            then = self._where_equal(goal.but(goal.relation, equal), equal, depth)
            sides: list[Json] = [[op, self._evident(goal.but(make(op, *equal.args)))] for op in (">=", "<=")]
            return None if then is None else ["have", self._table.term(equal), ["both", *sides], then]
        if depth >= _DEEPEST:
            return None
        return next((proof for proof in self._splits(goal, depth) if proof is not None), None)

    def _certificate(self, goal: Goal, depth: int) -> Json:
        """A contradiction between relations, if need be with values for symbols."""
        if seem_possible(goal):
            return None
        self.tried += 1 + len(subterms(*goal.facts)) // _TERMS_A_TRY
        try:
            found = self._in_letters(goal)
            if found is not None:
                return found
            knowledge = Knowledge(goal, self._table)
            if knowledge.denied is not None:
                return ["contrary", self._table.term(knowledge.denied), ["same", knowledge.written_laws()]]
            certificates = Certificates(knowledge, self._table)
            found = certificates.denial() or self._by_terms(goal, knowledge) or certificates.refutation(1)
            outside, inside = ([one for one in values(knowledge) if one.inside is deep] for deep in (False, True))
            if found is None and outside:
                found = self._put(goal, outside[0], depth)
            if found is None and self.tried < self._most:
                self.tried += 2
                found = certificates.refutation(2) or certificates.refutation(3)
            return self._put(goal, inside[0], depth) if found is None and inside else found
        except (RefusedError, GrpoSymbolicError, ArithmeticError):
            return None

    def _in_letters(self, goal: Goal) -> Json:
        """A contradiction that is seen with letters for long terms, if the kernel sees it without them."""
        short = in_letters(goal, self._table)
        if short is None:
            return None
        there = Certificates(Knowledge(*short, letters=True), short[1])
        found = there.refutation(1) or there.refutation(2)
        return found if found is not None and objection(goal, found, self._table) is None else None

    def _by_terms(self, goal: Goal, knowledge: Knowledge) -> Json:
        """That a fact fails by the signs of the terms of its sides as they were typed."""
        for fact in goal.relations:
            denied = NEGATED[fact.op]
            terms = [*summands(fact.args[0], 1), *summands(fact.args[1], -1)]
            found = [knowledge.summand(*one) for one in terms] if denied in MIRRORED and len(terms) > 2 else []
            signs = [frozenset(one[0]) for one in found if one is not None]
            if signs and len(signs) == len(found) and sum_of_signs(signs) <= SIGNS[denied]:
                whole: Json = ["sum", [one[1] for one in found if one is not None], knowledge.written_laws()]
                used = [known for one in found if one is not None for known in one[2]]
                return after(["contrary", self._table.term(fact), whole], used, self._table)
        return None

    def _put(self, goal: Goal, value: Value, depth: int) -> Json:
        """A contradiction where a symbol has the value that an equation says."""
        table, known = self._table, value.equation
        equation, slope = make("=", known.term, ZERO), make("!=", value.slope, ZERO)
        steps: list[tuple[Term, Json]] = []
        for used in ordered([*value.uses, known]):
            if used.proof is not None and used.inline is None:
                steps.append((make(used.operator, used.term, ZERO), used.proof))
        if not goal.shown(slope):
            steps.append((slope, value.why))
        there = goal.but(goal.relation, *(one for one, _ in steps))
        then = self._refutation(with_value(there, value.name, value.value), depth)
        if then is None:
            return None
        ends = [table.term(value.value), table.term(equation), table.term(value.slope)]
        proof: Json = ["put", value.name, *ends, value.laws, None, then]
        for one, why in reversed(steps):
            proof = ["have", table.term(one), why, proof]
        return proof

    def _where_equal(self, goal: Goal, equal: Term, depth: int) -> Json:
        """A contradiction where an equation is a fact, which may say what a symbol is."""
        for side, value in (equal.args, equal.args[::-1]):
            if side.op == "sym" and value.size <= _SHORT and side.args[0] not in value.free:
                name, sign = side.args[0], ONE if side is equal.args[0] else number(-1)
                then = self._refutation(with_value(goal, name, value), depth)
                ends: list[Json] = [self._table.term(one) for one in (value, equal, sign)]
                return None if then is None else ["put", name, *ends, [], None, then]
        return self._refutation(goal, depth)

    def _pinched(self, goal: Goal) -> Iterator[Term]:
        """Equations of what is neither larger nor smaller."""
        for fact in goal.relations:
            equal = make("=", *fact.args)
            if fact.op in (">=", "<=") and goal.shown(make(MIRRORED[fact.op], *fact.args)) and not goal.shown(equal):
                yield equal

    # Cases.

    def _splits(self, goal: Goal, depth: int) -> Iterator[Json]:
        """Proofs by the first distinctions that can be made; the search ends with the first one."""
        for fact in goal.facts:
            if fact.op == "any" and fact.args:
                yield self._either(goal, fact, depth)
                return
        on = next(self._distinctions(goal), None)
        if on is not None:
            yield self._cases(goal, on, depth)

    def _distinctions(self, goal: Goal) -> Iterator[Term]:
        for fact in goal.relations:
            product = fact.args[0]
            if fact.op == "=" and fact.args[1] is ZERO and product.op == "multiply":
                yield from (on for on in (make("=", one, ZERO) for one in product.args) if not self._is_clear(goal, on))
        for fact in goal.facts:
            if fact.op == "implies":
                for part in conjuncts(fact.args[0]):
                    if part.op in RELATIONS and not self._is_clear(goal, part):
                        yield part
        # What was denied last matters most.
        for term in subterms(*reversed(goal.relations)):
            inner = choice(term)
            if inner is not None:
                on = make(">=", inner, ZERO)
                if not goal.shown(on) and not goal.shown(make("<=", inner, ZERO)):
                    yield on
        for fact in goal.relations:
            if fact.op == "!=":
                on, under = make(">", *fact.args), make("<", *fact.args)
                if not goal.shown(on) and not goal.shown(under) and not self._one_sided(goal, fact):
                    yield on

    def _is_clear(self, goal: Goal, relation: Term) -> bool:
        return goal.shown(relation) or goal.shown(negation(relation))

    def _one_sided(self, goal: Goal, fact: Term) -> bool:
        return any(goal.shown(make(op, *fact.args)) for op in (">=", "<="))

    def _either(self, goal: Goal, fact: Term, depth: int) -> Json:
        proofs: list[Json] = []
        for part in fact.args:
            proof = self._refutation(goal.but(goal.relation, part, without=fact), depth + 1)
            if proof is None:
                return None
            proofs.append(proof)
        return ["either", self._table.term(fact), proofs]

    def _cases(self, goal: Goal, on: Term, depth: int) -> Json:
        if any(not goal.shown(one) for one in conditions_of(on)):
            return None
        where = self._refutation(goal.but(goal.relation, on), depth + 1)
        if where is None:
            return None
        elsewhere = self._refutation(goal.but(goal.relation, negation(on)), depth + 1)
        return None if elsewhere is None else ["cases", self._table.term(on), where, elsewhere]


def objection(goal: Goal, proof: Json, table: Table) -> RefusedError | None:
    """What the kernel has against a proof of a goal with terms in a table; None if it accepts it."""
    table.terms  # noqa: B018 - what is new is read
    try:
        check(goal, proof)
    except RefusedError as error:
        return error
    return None


def _relevant(goal: Goal) -> Goal:
    """A goal without equations that only say what a symbol is that stands nowhere else."""
    used = Counter(name for one in (*goal.facts, goal.relation) for name in one.free)
    kept = [one for one in goal.facts if one.op != "=" or not any(used[side.args[0]] == 1 for side in _alone(one))]
    return goal if len(kept) == len(goal.facts) else _relevant(Goal(goal.inside, kept, goal.relation))


def _alone(equation: Term) -> Iterator[Term]:
    """The sides that are symbols of which the other one does not speak."""
    for side, other in (equation.args, equation.args[::-1]):
        if side.op == "sym" and side.args[0] not in other.free:
            yield side
