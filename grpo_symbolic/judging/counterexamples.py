"""The counterexample to a refuted statement as a reader sees it: the point, and the relation that fails there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from operator import itemgetter

from grpo_symbolic.checks.recheck import refutation
from grpo_symbolic.evidence import Evidence, Place, Verdict, Witness
from grpo_symbolic.judging.claims import Judged, hypotheses_and_lemmas
from grpo_symbolic.judging.verdicts import Inquiry, Judgement
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import (
    NEGATIONS,
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    is_elementary,
    truth,
)
from grpo_symbolic.obligations.obligation import WELL_DEFINED


@dataclass(frozen=True)
class Counterexample:
    """A point at which the ``hypotheses`` hold and each relation is as it says, which the statement excludes.

    ``relations`` are those that settle it, with whether they hold; the first one fails. ``alone`` says that it is all
    that is claimed, ``undefined`` that it is about whether the statement has a value at all.
    """

    witness: Witness
    hypotheses: tuple[Statement, ...]
    relations: tuple[tuple[Relation, bool], ...]
    alone: bool
    undefined: bool

    @property
    def failing(self) -> Relation:
        """The relation that fails."""
        return self.relations[0][0]

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Both sides of the relations."""
        return tuple(side for relation, _ in self.relations for side in (relation.left, relation.right))


def counterexample_to(inquiry: Inquiry, judgement: Judgement | None) -> Counterexample | None:
    """The first counterexample that a judgement has to an inquiry.

    The statement is taken as it is typed, where this is possible, and else as it was expanded.
    """
    found = None if judgement is None else refuting(judgement)
    if found is None or found.witness is None or found.obligation not in inquiry.bare:
        return None
    undefined = found.obligation.endswith(WELL_DEFINED)
    typed = None if undefined else _typed(inquiry.statement, found.obligation)
    expanded = inquiry.bare[found.obligation]
    for hypotheses, conclusion in (
        *([] if typed is None else [((*inquiry.hypotheses, *typed[0]), typed[1])]),
        (expanded.hypotheses, expanded.conclusion),
    ):
        relations = reasons(hypotheses, conclusion, found.witness.at)
        if relations:
            alone = conclusion == inquiry.statement == relations[0][0]
            return Counterexample(found.witness, hypotheses, relations, alone, undefined)
    return None


def counterexample_to_claim(judged: Judged) -> Counterexample | None:
    """The counterexample to what a claim states."""
    hypotheses, _ = hypotheses_and_lemmas(judged.claim)
    return counterexample_to(Inquiry(judged.claim.statement, hypotheses), judged.alone)


def counterexample_to_quote(judged: Judged) -> Counterexample | None:
    """The counterexample to what a paper prints in the place of a claim."""
    quote = judged.claim.printed
    return None if quote is None else counterexample_to(Inquiry(quote.statement, quote.given), judged.printed)


def refuting(judgement: Judgement) -> Evidence | None:
    """The first evidence with a witness that refutes."""
    refuted = (item for item in judgement.evidence if item.verdict is Verdict.REFUTED)
    return next((item for item in refuted if item.witness is not None), None)


def reasons(hypotheses: Iterable[Statement], conclusion: Statement, at: Place) -> tuple[tuple[Relation, bool], ...]:
    """Why a conclusion fails at a point: relations of it that suffice, with whether they hold, what fails first.

    Nothing if it is not certain that the hypotheses hold there and the conclusion fails.
    """
    given = tuple(hypotheses)
    if refutation(given, conclusion, at) is None:
        return ()
    found = _Reasons(given, at).of(conclusion, wanted=False)
    return tuple(sorted(dict.fromkeys(found), key=itemgetter(1)))


@dataclass(frozen=True)
class _Reasons:
    """Which relations hold at a point at which hypotheses do."""

    hypotheses: tuple[Statement, ...]
    at: Place

    def of(self, statement: Statement, *, wanted: bool) -> Iterator[tuple[Relation, bool]]:
        """Relations of a statement, with whether they hold, from which it follows that it holds, or does not."""
        match statement:
            case Relation():
                yield statement, wanted
            case Implies(premise, conclusion):
                sides = [(premise, not wanted), (conclusion, wanted)]
                yield from self._some(sides) if wanted else self._every(sides)
            case Equivalent(left, right):
                first = truth(left, self._holds) is True
                yield from self._every([(left, first), (right, first is wanted)])
            case All(parts) | Any(parts):
                sides = [(part, wanted) for part in parts]
                yield from self._every(sides) if isinstance(statement, All) is wanted else self._some(sides)

    def _every(self, sides: Iterable[tuple[Statement, bool]]) -> Iterator[tuple[Relation, bool]]:
        for statement, wanted in sides:
            yield from self.of(statement, wanted=wanted)

    def _some(self, sides: Iterable[tuple[Statement, bool]]) -> Iterator[tuple[Relation, bool]]:
        known = (side for side in sides if truth(side[0], self._holds) is side[1])
        yield from self._every([next(known)])

    def _holds(self, relation: Relation) -> bool | None:
        if refutation(self.hypotheses, relation, self.at) is not None:
            return False
        negated = replace(relation, operator=NEGATIONS[relation.operator])
        return None if refutation(self.hypotheses, negated, self.at) is None else True


def _typed(statement: Statement, obligation: str) -> tuple[tuple[Statement, ...], Statement] | None:
    """The hypotheses and the conclusion of an obligation as they are typed; None if they are typed nowhere."""
    part, _, rest = obligation.partition(": ")
    match statement:
        case All(parts) if part.startswith("part "):
            return _typed(parts[int(part.removeprefix("part ")) - 1], rest)
        case Implies(premise, conclusion):
            inner = _typed(conclusion, obligation)
            return None if inner is None else ((premise, *inner[0]), inner[1])
        case Equivalent(left, right):
            return {"forward": ((left,), right), "backward": ((right,), left)}.get(obligation)
    return ((), statement) if obligation == "claim" and is_elementary(statement) else None
