"""Where what a reason uses comes from: a hypothesis, a supposition, or a lemma, which is named by the id of its claim.

A lemma that is a disjunction or an implication says a relation only where the other cases are excluded or the premise
holds. It is named alone if the relation is left of it under the hypotheses, whatever other lemmas say; else with all
others that cannot be spared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
from grpo_symbolic.obligations.unknown import in_letters


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
        # Values of unknown functions are letters in an obligation.
        lemmas = tuple((in_letters((unfold_statement(one.statement),))[0], one.claim.id) for one in claim.using)
        # What is supposed of functions everywhere stands there at arguments only.
        stated = {in_letters((unfold_statement(one),))[0] for one in claim.given if is_elementary(one)}
        said = {_conclusion(part) for statement, _ in lemmas for part in conjuncts(statement)}
        # Of a lemma about every element less may be left, which says the same.
        given = (one for one in conjuncts(*obligation.hypotheses) if one in stated or _conclusion(one) not in said)
        return cls(lemmas, tuple(given), frozenset(map(plainly, suppositions(obligation.conclusion))))

    def assuming(self, *more: Statement) -> Known:
        """The same in one of several cases."""
        return replace(self, assumed=self.assumed.union(more))

    def of(self, relation: Relation) -> str | None:
        """Which claims say a relation, by their ids between back quotes, and how; None if it is supposed as well."""
        if relation in self.assumed or relation in self._supposed:
            return None
        outright = (f"`{id}` says" for statement, id in self.lemmas if relation in map(plainly, conjuncts(statement)))
        found = next(outright, None) or next(self._in_some_cases(relation), None)
        return found or self._together(lambda one: one == relation, relation)

    def _together(self, says: Callable[[Relation], bool], relation: Relation) -> str | None:
        """Who leaves something that ``says`` it: the hypotheses alone, or the claims that cannot be spared."""
        supposed = (*self.given, *self.assumed)

        def leave(lemmas: Iterable[tuple[Statement, str]]) -> bool:
            said = (statement for statement, _ in lemmas)
            return any(map(says, simplified(Goal((*supposed, *said), relation)).relations))

        if leave(()):
            return "the hypotheses leave"
        if not leave(self.lemmas):
            return None
        apart = ((id, tuple(one for one in self.lemmas if one[1] != id)) for id in dict.fromkeys(self._ids))
        needed = [f"`{id}`" for id, others in apart if not leave(others)]
        *some, last = needed or [""]
        return f"{', '.join(some)} and {last} give" if some else f"{last} gives" if last else None

    @property
    def _ids(self) -> Iterator[str]:
        return (id for _, id in self.lemmas)

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
        by = next((f"`{id}`" for statement, id in self.lemmas if says(statement)), None)
        together = None if by else self._together(says, relation)
        return by or (f"what {together}" if together else self.noun())

    @property
    def _supposed(self) -> frozenset[Statement]:
        return frozenset(plainly(one) for part in self.given for one in _concluded(part))

    def _in_some_cases(self, relation: Relation) -> Iterator[str]:
        for statement, id in self.lemmas:
            for part in conjuncts(statement):
                if relation not in map(plainly, _concluded(part)):
                    continue
                if relation in simplified(Goal((*self.given, part), relation)).relations:
                    yield f"`{id}` {'leaves' if isinstance(_conclusion(part), Any) else 'says'}"


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
