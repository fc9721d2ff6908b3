"""Reasons as proofs: what a search found, in the kernel's language. Nothing of it is believed; the kernel checks it."""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.kernel.ranges import BITS
from grpo_symbolic.kernel.terms import Json
from grpo_symbolic.language.calculus import ONE, ZERO
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.expression import Apply, Expression, Symbol, free_symbols, substitute
from grpo_symbolic.language.folding import negated
from grpo_symbolic.language.relations import difference
from grpo_symbolic.language.statement import Relation, Statement, conjuncts, substitute_statement
from grpo_symbolic.obligations.obligation import domain_statements
from grpo_symbolic.proofs import reason as reasons
from grpo_symbolic.proofs.goal import Goal
from grpo_symbolic.proofs.laws import Law, generators_of, in_factors, laws_between
from grpo_symbolic.proofs.reason import Along, Reason, Rising, Root, Sign, Tangent, contrary, follows, put
from grpo_symbolic.proofs.ring import decide_by_range, sign_between
from grpo_symbolic.proofs.tables import Table, rational
from grpo_symbolic.translate.algebra import Form
from grpo_symbolic.translate.kernels import FewKernels


class Writer:
    """Writes proofs into a table of terms.

    The kernel knows hypotheses as they are ``given``; a goal has them, and its relation, simplified.

    Raises:
        UnsupportedError: from its methods, for what is not written.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        #: How finely ends of ranges are rounded, if not as always.
        self.bits: int | None = None
        self._given: tuple[Statement, ...] = ()
        self._rewritten: dict[Relation, Relation] = {}

    def prove(self, relation: Relation, given: Sequence[Statement], reason: Reason, goal: Goal) -> Json:
        """A proof of a relation as the kernel has it, from a reason for the goal that it becomes."""
        before = self._given, self._rewritten
        self._given, self._rewritten = tuple(conjuncts(*given)), {}
        try:
            proof = self.instead(relation, reason.relation, goal, self.proof(reason, goal))
            for fact, origin in self._rewritten.items():
                proof = self._have(fact, origin, goal, proof)
            return proof
        finally:
            self._given, self._rewritten = before

    def proof(self, reason: Reason, goal: Goal) -> Json:
        """A proof of a goal from a reason for it."""
        relation, given = reason.relation, self._given
        match reason:
            case reasons.Same():
                return ["same", self._laws(relation.left, relation.right, goal)]
            case reasons.Ranges():
                return self._by_range(relation, goal)
            case reasons.Given(_, hypothesis):
                return ["fact", *self._following(hypothesis, difference(relation), goal)]
            case Along():
                stretches: list[Json] = [[rational(one.upper), one.end, self.bits or BITS] for one in reason.stretches]
                return ["along", reason.symbol.name, stretches]
            case reasons.Difference():
                return self._sum(reason, goal)
            case reasons.Put(_, values, then):
                return self._put(relation, given, values, then, goal)
            case reasons.Instead(_, equation, then):
                return self._instead(relation, equation, then, goal)
            case reasons.Cases(_, on, where, elsewhere):
                other = negated(on)
                first = self.prove(relation, (*given, on), where, goal.assuming(on))
                second = self.prove(relation, (*given, other), elsewhere, goal.assuming(other))
                return ["cases", self.table.statement(on), first, second]
            case reasons.Contrary(_, hypothesis, why):
                cited = self._cited(hypothesis, goal)
                given = (*(one for one in given if one != hypothesis), negated(relation))
                return ["contrary", cited, self.prove(negated(hypothesis), given, why, contrary(goal, hypothesis))]

    def _cited(self, hypothesis: Relation, goal: Goal) -> Json:
        """The place of a hypothesis, which the kernel may have in another way to write it."""
        if hypothesis not in self._given and hypothesis not in self._rewritten:
            for origin in self._given:
                if isinstance(origin, Relation) and origin.operator == hypothesis.operator:
                    known = (*goal.hypotheses, *side_conditions(origin.left), *side_conditions(origin.right))
                    if laws_between(difference(hypothesis), difference(origin), known) is not None:
                        self._rewritten[hypothesis] = origin
                        break
        return self.table.statement(hypothesis)

    def instead(self, before: Relation, after: Relation, goal: Goal, proof: Json) -> Json:
        """A proof of a relation that is another way to write one that is proved."""
        if before == after:
            return proof
        laws = self._laws(difference(before), difference(after), goal)
        return ["instead", self.table.statement(after), None, None, laws, proof]

    def _have(self, fact: Relation, origin: Relation, goal: Goal, proof: Json) -> Json:
        """A proof that uses a fact in another way to write it."""
        laws = self._laws(difference(fact), difference(origin), goal)
        why: Json = ["fact", self.table.statement(origin), None, laws, None]
        return ["have", self.table.statement(fact), why, proof]

    def _by_range(self, relation: Relation, goal: Goal) -> Json:
        if relation.operator == "=" and relation.left != relation.right:
            return ["same", self._laws(relation.left, relation.right, goal)]
        return ["range"] if self.bits is None else ["range", self.bits]

    def _laws(self, left: Expression, right: Expression, goal: Goal) -> Json:
        known = (*goal.hypotheses, *side_conditions(left), *side_conditions(right))
        found = laws_between(left, right, known)
        if found is None:
            raise UnsupportedError("no laws by which these are equal")
        return [self.law(one) for one in found]

    def law(self, law: Law) -> Json:
        """A law as the kernel reads it."""
        factors: list[Json] = [[self.table.expression(one), rational(power)] for one, power in law.factors]
        return [law.kind, self.table.expression(law.argument), factors]

    def _following(self, hypothesis: Relation, value: Expression, goal: Goal) -> list[Json]:
        """How a value is a multiple of what a hypothesis compares."""
        gap = difference(hypothesis)
        factor = ONE if value == gap else _quotient_of(value, gap)
        laws = self._laws(value, gap if factor == ONE else factor * gap, goal)
        return [self._cited(hypothesis, goal), None if factor == ONE else self.table.expression(factor), laws, None]

    def _sum(self, reason: reasons.Difference, goal: Goal) -> Json:
        terms: list[Json] = []
        for term in reason.terms:
            factors: list[Json] = [
                [self.table.expression(sign.value), sign.operator, power, self._sign(sign, goal)]
                for sign, power in term.factors
            ]
            terms.append([rational(term.coefficient), factors])
        return ["sum", terms, self._laws(difference(reason.relation), reason.expression, goal)]

    def _sign(self, sign: Sign, goal: Goal) -> Json:
        value, operator, why = sign.value, sign.operator, sign.why
        relation = Relation(value, operator, ZERO)
        match why:
            case Tangent(function, argument):
                laws = self._laws(value, why.gap, goal)
                return ["tangent", function, self.table.expression(argument), laws]
            case Rising(function, larger, smaller, then):
                gap = Apply(function, (larger,)) - Apply(function, (smaller,))
                after = Goal(goal.hypotheses, Relation(larger - smaller, ">", ZERO))
                ends = [self.table.expression(larger), self.table.expression(smaller)]
                return ["rising", function, *ends, self._laws(value, gap, goal), self._proof_of(then, after)]
            case Root(then):
                after = Goal(goal.hypotheses, Relation(value.children[0], ">", ZERO))
                return ["root", self._proof_of(then, after)]
            case None:
                return self._seen(relation, goal)
        return self._proof_of(why, Goal(goal.hypotheses, relation))

    def _proof_of(self, reason: Reason, goal: Goal) -> Json:
        return self.prove(goal.relation, self._given, reason, goal)

    def _seen(self, relation: Relation, goal: Goal) -> Json:
        if decide_by_range(relation):
            return None
        value, operator = relation.left, relation.operator
        for hypothesis in goal.relations:
            if follows(hypothesis, value, operator):
                return ["fact", *self._following(hypothesis, value, goal)]
        for hypothesis in goal.relations:
            if operator == "=" and reasons.leaves(hypothesis, value, goal):
                return ["fact", *self._following(hypothesis, value, goal)]
        return None

    def _put(
        self,
        relation: Relation,
        given: Sequence[Statement],
        values: Sequence[tuple[Symbol, Expression]],
        then: Reason,
        goal: Goal,
    ) -> Json:
        if not values:
            return self.prove(relation, given, then, goal)
        (symbol, value), *rest = values
        gap = symbol - value
        found = [one for one in goal.relations if one.operator == "=" and sign_between(difference(one), gap)]
        if not found:
            raise UnsupportedError(f"no equation gives {symbol}")
        equation = difference(found[0])
        factor = _quotient_of(equation, gap)
        after = put(goal, ((symbol, value),))
        left, right = (substitute(side, {symbol: value}) for side in (relation.left, relation.right))
        there = Relation(left, relation.operator, right)
        facts = (*(substitute_statement(one, {symbol: value}) for one in given), *domain_statements({symbol: value}))
        return [
            "put",
            symbol.name,
            self.table.expression(value),
            self._cited(found[0], goal),
            self.table.expression(factor),
            self._laws(equation, factor * gap, goal),
            None,
            self._put(there, facts, rest, then, after),
        ]

    def _instead(self, relation: Relation, equation: Relation, then: Reason, goal: Goal) -> Json:
        sign = ONE if equation.left == relation.left else -ONE
        rest = difference(then.relation) + sign * difference(equation)
        return [
            "instead",
            self.table.statement(then.relation),
            self._cited(equation, goal),
            self.table.expression(sign),
            self._laws(difference(relation), rest, goal),
            self.proof(then, Goal(goal.hypotheses, then.relation)),
        ]


def _quotient_of(value: Expression, gap: Expression) -> Expression:
    """What times a difference is a value, as a product of powers."""
    try:
        form = Form(dict.fromkeys((*free_symbols(value), *free_symbols(gap))), FewKernels((value, gap)))
        first, second = (form.reduced_quotient(form.quotient(one)) for one in (value, gap))
        if second.numerator.is_zero():
            raise UnsupportedError("a hypothesis compares what is the same")
        return in_factors(form, first / second, generators_of(form))
    except UndefinedError as error:
        raise UnsupportedError(str(error)) from error
