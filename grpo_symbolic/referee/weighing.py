"""What a judgement says of a step: the answer, and what a failure of it means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grpo_symbolic.evidence import Evidence, Verdict, Witness
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.language.statement import Equivalent, Relation, Statement, conjuncts
from grpo_symbolic.obligations.obligation import WELL_DEFINED
from grpo_symbolic.referee.findings import CONDITION_NOT_READ, KIND_UNKNOWN, NO_VALUE, NOT_EQUIVALENT, Status
from grpo_symbolic.referee.questions import Question

#: The code of a statement whose condition never holds.
VACUOUS = "vacuous"
#: Words that were not read may say anything: ``modulo 3``, ``is false``.
HOLDS_AS_READ = "it holds as far as it was read, but a condition on its row was not read"
#: Why what stands before an arrow asserts nothing.
PREMISE = "what the arrow leads to is said for the case that it holds"


@dataclass(frozen=True)
class Answer:
    """What the engine says about one question; ``instance`` is the number of the statement that decides it.

    ``repair`` tells the edit with which it holds, and ``mended`` are its relations with that. ``reasons`` say why its
    integrals, series and limits were replaced by closed forms, ``notes`` are remarks on what it supposes, and
    ``proofs`` are those of its statements, as JSON, if they were asked for and found.
    """

    status: Status
    instance: int = 0
    code: str = ""
    reason: str = ""
    counterexample: Witness | None = None
    failing: tuple[int, int] | None = None
    repair: str | None = None
    evidence: tuple[Evidence, ...] = ()
    mended: tuple[Relation, ...] = ()
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()


def weigh(judgement: Judgement, question: Question, number: int) -> Answer:
    """Turn a judgement into an answer; only the failure of the relation itself can refute a step."""
    evidence = judgement.evidence
    if judgement.verdict in (Verdict.PROVED, Verdict.DECIDED, Verdict.SUPPORTED):
        if question.conditional:
            return Answer(Status.UNDECIDED, number, CONDITION_NOT_READ, HOLDS_AS_READ, evidence=evidence)
        return Answer(Status.of(judgement.verdict), number, evidence=evidence)
    undefined = next((item for item in _undefined(evidence)), None)
    refuting = next(
        (
            item
            for item in evidence
            if item.verdict is Verdict.REFUTED and item.witness and not item.obligation.endswith(WELL_DEFINED)
        ),
        None,
    )
    if refuting is not None and judgement.verdict is Verdict.REFUTED:
        return _failed(refuting, question, number, evidence)
    apart = _without_value(question.statements[number], evidence)
    if apart is not None and question.asserted and not question.conditional:
        reason = "is not equivalent: one side holds where the other has no value"
        return Answer(Status.REFUTED, number, NO_VALUE, reason, apart, evidence=evidence)
    if undefined is not None:
        return Answer(Status.UNDECIDED, number, "domain", undefined, evidence=evidence)
    never = next((item for item in evidence if item.impossible), None)
    if never is not None:
        reason = f"its condition never holds: {never.note}"
        return Answer(Status.UNDECIDED, number, VACUOUS, reason, evidence=evidence)
    return Answer(Status.UNDECIDED, number, "resisted", _resisted(evidence), evidence=evidence)


def _failed(refuting: Evidence, question: Question, number: int, evidence: tuple[Evidence, ...]) -> Answer:
    share = _share(evidence)
    if question.conditional:
        reason = "it fails in general, but a condition on its row was not read"
        return Answer(Status.UNDECIDED, number, CONDITION_NOT_READ, reason, refuting.witness, share, None, evidence)
    if question.asserted and question.arrow:
        reason = "is not equivalent to what stands before the arrow"
        return Answer(Status.REFUTED, number, NOT_EQUIVALENT, reason, refuting.witness, share, None, evidence)
    if question.asserted:
        return Answer(Status.REFUTED, number, "", "is not an identity", refuting.witness, share, None, evidence)
    if question.premise:
        return Answer(Status.CONDITION, number, "", PREMISE)
    reason = "fails as an identity; is it a condition, a definition or a consequence? say so in the map"
    if question.arrow:
        reason = "does not follow as the arrow before it says; is something assumed? say so in the map"
    return Answer(Status.NOT_AN_IDENTITY, number, KIND_UNKNOWN, reason, refuting.witness, share, None, evidence)


def _without_value(statement: Statement, evidence: Sequence[Evidence]) -> Witness | None:
    """A point at which one side of an equivalence certainly holds and the other, all of relations, has no value."""
    if not isinstance(statement, Equivalent):
        return None
    for side, label in ((statement.right, "forward"), (statement.left, "backward")):
        if not all(isinstance(part, Relation) for part in conjuncts(side)):
            continue
        for item in evidence:
            certain = item.verdict is Verdict.REFUTED and item.obligation == f"{label}{WELL_DEFINED}"
            if certain and item.witness is not None:
                return replace(item.witness, left="holds", right="no value")
    return None


def _share(evidence: Sequence[Evidence]) -> tuple[int, int] | None:
    for item in evidence:
        if item.failing and item.points:
            return item.failing, item.points
    return None


def _undefined(evidence: Sequence[Evidence]) -> Iterator[str]:
    for item in evidence:
        if item.undefined:
            yield f"a side is {item.note}"
        if item.verdict is Verdict.REFUTED and item.obligation.endswith(WELL_DEFINED):
            at = ", ".join(f"{name} = {value}" for name, value in item.witness.at) if item.witness else ""
            yield "a side is undefined at " + at if at else f"a side is undefined on the domains: {item.note}"


def _resisted(evidence: Sequence[Evidence]) -> str:
    tried = [f"{item.method}: {item.note}" for item in evidence if item.verdict is Verdict.UNDECIDED and item.note]
    return "; ".join(dict.fromkeys(tried)) or "no method could say anything"
