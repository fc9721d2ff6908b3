"""Where what a reason uses comes from: a hypothesis, a supposition, or a lemma, which is named by the id of its claim.

A lemma that is a disjunction or an implication says a relation only where the other cases are excluded or the premise
holds. It is named only if the relation is left of it under the hypotheses alone, whatever other lemmas say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.judging.reasons.goal import Goal, plainly, simplified, suppositions
from grpo_symbolic.judging.reasons.reason import follows
from grpo_symbolic.language.statement import (
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    combined,
    conjuncts,
    is_elementary,
)
from grpo_symbolic.obligations.obligation import Obligation, unfold_statement


@dataclass(frozen=True)
class Known:
    """What is known: ``lemmas`` with the ids of their claims, what is ``given``, and what is ``assumed`` on the way.

    What is assumed, such as one of several cases, is known by nobody's word.
    """

    lemmas: tuple[tuple[Statement, str], ...] = ()
    given: tuple[Statement, ...] = ()
    assumed: frozenset[Statement] = frozenset()

    @classmethod
    def of_claim(cls, claim: Claim, obligation: Obligation) -> Known:
        """What the lemmas of a claim say, and what an obligation of it supposes besides."""
        lemmas = tuple((unfold_statement(lemma.statement), lemma.claim.id) for lemma in claim.using)
        # What is supposed of functions everywhere stands in an obligation at arguments only.
        stated = {unfold_statement(one) for one in claim.given if is_elementary(one)}
        said = {_conclusion(part) for statement, _ in lemmas for part in conjuncts(statement)}
        # Of a lemma about every element less may be left, which says the same.
        given = (one for one in conjuncts(*obligation.hypotheses) if one in stated or _conclusion(one) not in said)
        return cls(lemmas, tuple(given), frozenset(map(plainly, suppositions(obligation.conclusion))))

    def assuming(self, *more: Statement) -> Known:
        """The same in one of several cases."""
        return replace(self, assumed=self.assumed.union(more))

    def of(self, relation: Relation) -> tuple[str, str] | None:
        """The id of the claim that says a relation, and how; None if nobody does, or it is supposed as well."""
        if relation in self.assumed or relation in self._supposed:
            return None
        outright = ((id, "says") for statement, id in self.lemmas if relation in map(plainly, conjuncts(statement)))
        return next(outright, None) or next(self._in_some_cases(relation), None)

    def noun(self, relation: Relation | None = None) -> str:
        """What to call something that is known."""
        if relation in self.assumed:
            return "supposition"
        return "hypothesis" if not self.lemmas or relation in self._supposed else "hypothesis or lemma"

    def sayer(self, relation: Relation) -> str:
        """Who says how a value compares with 0, outright and up to a factor of one sign.

        A supposition, a hypothesis, or a claim, by its id between back quotes; what to call it if none says it by
        itself.
        """

        def says(statement: Statement) -> bool:
            parts = (plainly(part) for part in conjuncts(statement))
            return any(isinstance(one, Relation) and follows(one, relation.left, relation.operator) for one in parts)

        if any(map(says, self.assumed)):
            return "supposition"
        if any(map(says, self.given)):
            return "hypothesis"
        return next((f"`{id}`" for statement, id in self.lemmas if says(statement)), self.noun())

    @property
    def _supposed(self) -> frozenset[Statement]:
        return frozenset(plainly(one) for part in self.given for one in _concluded(part))

    def _in_some_cases(self, relation: Relation) -> Iterator[tuple[str, str]]:
        for statement, id in self.lemmas:
            for part in conjuncts(statement):
                if relation not in map(plainly, _concluded(part)):
                    continue
                if relation in simplified(Goal((*self.given, part), relation)).relations:
                    yield id, "leaves" if isinstance(_conclusion(part), Any) else "says"


def _conclusion(statement: Statement) -> Statement:
    return _conclusion(statement.conclusion) if isinstance(statement, Implies) else statement


def _concluded(statement: Statement) -> Iterator[Statement]:
    """The relations that a statement may leave where something is known."""
    match statement:
        case Relation():
            yield statement
        case Implies(_, conclusion):
            yield from _concluded(conclusion)
        case All() | Any() | Equivalent():
            for part in combined(statement) or ():
                yield from _concluded(part)
