"""Proofs of steps that hold: found where steps are answered, accepted by the kernel, and written for all to verify."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grpo_symbolic.checks import proof
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.proofs.claims import prove
from grpo_symbolic.proofs.keeping import NAME, PROGRAM, Document, called, publish
from grpo_symbolic.referee.asking import Asked
from grpo_symbolic.referee.findings import STANDING, Review, Status
from grpo_symbolic.referee.questions import Question
from grpo_symbolic.referee.weighing import Answer

#: What is no part of an id, and what a step is called until it is known where it stands.
_NO_NAME, _ANY = re.compile(r"[^A-Za-z0-9]+"), "step"


@dataclass(frozen=True)
class Certify:
    """What is asked about a step that holds: a proof of each of its statements."""

    question: Question


def certificates_of(
    asked: Sequence[Asked], answers: Mapping[int, Answer], questions: Mapping[int, Question]
) -> Iterator[tuple[int, Certify]]:
    """What holds is asked for proofs, unless what was read says less than what is printed: for some sizes or bases."""
    for number, one in enumerate(asked):
        question = questions.get(number, one.question)
        if question is None or number not in answers or answers[number].status not in STANDING:
            continue
        if not question.sizes and not question.powers and not question.conditional:
            yield number, Certify(question)


def certify(task: Certify, settings: Settings) -> Answer:
    """PROVED, with a document for each statement that the kernel accepts; UNDECIDED if one has none."""
    documents, evidence = list[str](), []
    for statement in task.question.statements:
        claim = Claim(_ANY, "a step", statement)
        found = prove(claim, settings)
        if found.proof is None:
            return Answer(Status.UNDECIDED, reason="; ".join(found.resisted))
        evidence.append(proof.check(claim, found.proof))
        documents.append(json.dumps({"record": found.record, "proof": found.proof}, separators=(",", ":")))
    if not all(one.verdict is proof.AWARDED for one in evidence):
        return Answer(Status.UNDECIDED, reason="; ".join(one.note for one in evidence))
    return Answer(Status.PROVED, evidence=tuple(evidence), proofs=tuple(documents))


def with_proofs(answer: Answer, found: Answer) -> Answer:
    """An answer that something holds, after a search for proofs."""
    if found.status is not Status.PROVED:
        return answer
    return replace(answer, status=found.status, evidence=(*found.evidence, *answer.evidence), proofs=found.proofs)


def write_proofs(review: Review, folder: Path) -> str:
    """Write the proofs of a review into a folder, with the program that verifies them, and say so.

    Raises:
        OSError: if the folder cannot be written.
    """
    documents = dict(_documents(review))
    # What was written before is of the paper as it was then.
    (folder / NAME / f"{_paper(review)}.jsonl").unlink(missing_ok=True)
    if not documents:
        return f"no step that holds has a proof, so there is none in {folder}"
    publish(folder, documents)
    steps = sum(bool(one.proofs) for one in review.findings)
    return (
        f"{steps} {'step has a proof' if steps == 1 else 'steps have proofs'} in {folder / NAME}; verify them by "
        f"grpo-symbolic verify {folder / NAME}, or with nothing installed by python3 {folder / PROGRAM} {folder / NAME}"
    )


def _paper(review: Review) -> str:
    return _NO_NAME.sub("-", Path(review.file).stem)


def _documents(review: Review) -> Iterator[tuple[str, Document]]:
    """What was proved, by the paper, the place and a number where there are several."""
    seen = dict[str, int]()
    for finding in review.findings:
        place = f"{_paper(review)}.{_NO_NAME.sub('-', Path(finding.place.file).stem)}-{finding.place.line}"
        for text in finding.proofs:
            seen[place] = seen.get(place, 0) + 1
            id = f"{place}.{seen[place]}"
            yield id, called(json.loads(text), id)
