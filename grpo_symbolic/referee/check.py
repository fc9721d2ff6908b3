"""Check a paper: every step becomes a finding."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from grpo_symbolic.language.statement import Relation
from grpo_symbolic.reading.document.displays import Display
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.referee.answers import Task
from grpo_symbolic.referee.asking import Asked, asked_of, atoms_of
from grpo_symbolic.referee.certifying import certificates_of, with_proofs
from grpo_symbolic.referee.contingent import in_doubt
from grpo_symbolic.referee.declared import with_dependants, with_related
from grpo_symbolic.referee.failing import FAILS_BESIDE, remark_beside
from grpo_symbolic.referee.findings import (
    CERTAIN,
    CONDITION_NOT_READ,
    NEVER,
    NOT_UNIQUE,
    RECORDED,
    SIZES,
    STANDING,
    Finding,
    Review,
    Status,
)
from grpo_symbolic.referee.guesses import on_guessed_products, on_guesses
from grpo_symbolic.referee.ignores import ignores_of, ignoring
from grpo_symbolic.referee.options import Options
from grpo_symbolic.referee.papers import Opened, open_paper
from grpo_symbolic.referee.questions import Question
from grpo_symbolic.referee.rewriting import with_rewrites
from grpo_symbolic.referee.rounds import closings, impossible_of, remarks_of, repairs_of, solutions, supposed_of
from grpo_symbolic.referee.supposing import Definitions
from grpo_symbolic.referee.unasserted import as_supposed
from grpo_symbolic.referee.weighing import Answer
from grpo_symbolic.referee.workers import Answering, Listener, answering

_NOWHERE = "holds nowhere on the declared domains, so that it is no condition either"
#: Most seconds for the closed forms of one step.
_CLOSING_SECONDS = 10.0


def check_paper(path: Path, options: Options, notation: Path | None = None, listener: Listener | None = None) -> Review:
    """Read a paper, check its steps and put the findings in reading order.

    Raises:
        OSError, ReadingError, MapError: if the paper or its map cannot be read.
    """
    started = time.perf_counter()
    review = review_of(open_paper(path, notation, inline=options.inline), options, listener)
    return replace(review, seconds=time.perf_counter() - started)


def review_of(
    opened: Opened, options: Options, listener: Listener | None = None, answer: Answering | None = None
) -> Review:
    """Check the steps of a paper that was opened; with ``answer``, in processes that are there already.

    Raises:
        ReadingError: if a comment of the paper ignores something without a reason.
    """
    wanted = ignores_of(opened)
    findings, idle = ignoring(opened, check_opened(opened, options, listener=listener, answer=answer), wanted)
    settings = options.settings
    return Review(
        str(opened.path),
        findings,
        settings.digits,
        settings.points,
        settings.seed,
        opened.proposed,
        opened.map_name,
        (*opened.warnings, *(() if options.only else idle)),
        opened.problems,
    )


def check_opened(
    opened: Opened,
    options: Options,
    *,
    wanted: Callable[[InterpretedStep | Display], bool] = lambda item: True,
    listener: Listener | None = None,
    answer: Answering | None = None,
) -> tuple[Finding, ...]:
    """Check the steps and displays of a paper that are ``wanted``, in reading order."""
    (checked,) = check_together([(opened, wanted)], options, listener, answer)
    steps = [(one.outcome, one.mended) for one in checked]
    findings = with_rewrites(opened, [one.finding for one in checked], steps)
    outcomes = [one.outcome for one in checked]
    return with_dependants(with_related(opened, findings, outcomes), outcomes)


@dataclass(frozen=True)
class Checked:
    """What was found about something seen, with the step that was read, what was asked, and its relations mended."""

    finding: Finding
    outcome: InterpretedStep | None = None
    question: Question | None = None
    mended: tuple[Relation, ...] = ()


def check_together(
    papers: Sequence[tuple[Opened, Callable[[InterpretedStep | Display], bool]]],
    options: Options,
    listener: Listener | None = None,
    answer: Answering | None = None,
) -> list[list[Checked]]:
    """Check what is wanted of several papers, or of versions of one, in the same processes; no repair is typed."""
    each = [asked_of(opened, options.only, wanted) for opened, wanted in papers]
    asked = [one for some in each for one in some]
    papers_of = [one.paper or opened for (opened, _), some in zip(papers, each, strict=True) for one in some]
    with ExitStack() as stack:
        if answer is None:
            answer = stack.enter_context(answering(options.settings, jobs=options.jobs, memory=options.memory))
        questions = {number: one.question for number, one in enumerate(asked) if one.question is not None}
        answers = answer(questions, timeout=options.timeout, listener=listener)
        _ask_again(asked, papers_of, answers, options, answer)
        alone = answer(dict(solutions(asked, answers)), timeout=options.timeout)
    checked = iter(
        [
            _checked(one, opened, answers.get(number), alone.get(number))
            for number, (one, opened) in enumerate(zip(asked, papers_of, strict=True))
        ]
    )
    return [list(islice(checked, len(some))) for some in each]


def _ask_again(
    asked: Sequence[Asked],
    papers_of: Sequence[Opened],
    answers: dict[int, Answer],
    options: Options,
    answer: Answering,
) -> None:
    """Better the first ``answers`` by what is asked in later rounds."""
    # Apart, with a time of their own: to look for an antiderivative may take long and find none.
    patience = min(options.timeout, _CLOSING_SECONDS)
    for number, found in answer(dict(closings(asked, answers)), timeout=patience).items():
        if found.status is not Status.UNDECIDED:
            answers[number] = found
    for number, found in answer(dict(impossible_of(asked, answers, papers_of)), timeout=options.timeout).items():
        if found.status in CERTAIN:
            answers[number] = replace(answers[number], status=Status.REFUTED, code=NEVER, reason=_NOWHERE)
    known: dict[int, Definitions] = {}
    supposing: dict[int, Question] = {}
    for defined in (False, True):
        again = dict(supposed_of(asked, answers, papers_of, known, defined=defined))
        questions = {number: one.question for number, one in again.items()}
        for number, found in answer(questions, timeout=options.timeout).items():
            if found.status in STANDING:
                answers[number] = replace(found, reasons=(*found.reasons, *again[number].rests))
                supposing[number] = questions[number]
    # Later, so that a refutation does not wait for its repair, and never gets lost over one.
    repairs = dict(repairs_of(asked, answers))
    remarks = dict(remarks_of(asked, answers, needed=options.needed, spared=options.spared))
    shift = len(asked)
    tasks: dict[int, Task] = {**repairs, **{shift + number: task for number, task in remarks.items()}}
    for key, found in answer(tasks, timeout=options.timeout).items():
        before = answers[key % shift]
        answers[key % shift] = (
            replace(before, repair=found.repair, mended=found.mended)
            if key < shift
            else replace(before, notes=found.notes)
        )
    wanted = dict(certificates_of(asked, answers, supposing)) if options.certified else {}
    for number, found in answer(wanted, timeout=options.timeout).items():
        answers[number] = with_proofs(answers[number], found)


def _checked(asked: Asked, opened: Opened, found: Answer | None, alone: Answer | None) -> Checked:
    finding = _about_objects(_settled(asked, found, alone), asked, opened.interpretation.objects)
    finding = on_guessed_products(finding)
    if opened.proposed:
        finding = _on_guesses(finding, asked, opened.interpretation.outcomes)
    return Checked(finding, asked.outcome, asked.question, found.mended if found is not None else ())


def _on_guesses(finding: Finding, asked: Asked, outcomes: Sequence[InterpretedStep]) -> Finding:
    """The finding of a paper without a map; what an arrow says is asserted whatever its letters are."""
    supposed = as_supposed(finding, asked.outcome)
    if supposed is not None:
        return supposed
    guessed = on_guesses(finding)
    return guessed if asked.question is None or asked.question.arrow else in_doubt(guessed, asked.outcome, outcomes)


def _about_objects(finding: Finding, asked: Asked, objects: Objects | None) -> Finding:
    """What holds, holds for all objects that print so; what does not may still hold of those that are meant."""
    if asked.outcome is None or finding.status in RECORDED or not atoms_of(asked.outcome, objects):
        return finding
    if finding.status in STANDING:
        return replace(finding, notes=(*finding.notes, "for all objects that are printed so"))
    reason = "not so for all objects that print so: it rests on what they are"
    return replace(finding, status=Status.UNDECIDED, code="objects", reason=reason, repair=None)


def _settled(asked: Asked, found: Answer | None, alone: Answer | None = None) -> Finding:
    """The finding with what the engine answered, and what it answered about other solutions."""
    finding = asked.finding
    if found is None or asked.outcome is None:
        return finding
    status, reason, code = found.status, found.reason or finding.reason, found.code
    if status is Status.NOT_AN_IDENTITY and remark_beside(asked.outcome):
        status, code, reason = Status.UNDECIDED, CONDITION_NOT_READ, FAILS_BESIDE
    sizes = () if asked.question is None else asked.question.sizes
    if sizes and status in CERTAIN:
        status, code, reason = Status.SUPPORTED, SIZES, f"checked for {' and '.join(sizes)} only"
    if finding.kind == "definition" and status in (Status.PROVED, Status.DECIDED, Status.SUPPORTED):
        status = Status.BY_DEFINITION
    settled = replace(
        finding,
        status=status,
        read=finding.instances[found.instance] if finding.instances else None,
        code=code,
        reason=reason,
        counterexample=found.counterexample,
        failing=found.failing,
        repair=found.repair,
        evidence=found.evidence,
        notes=(*finding.notes, *found.reasons, *found.notes),
        proofs=found.proofs,
    )
    return settled if alone is None or asked.question is None else _with_others(settled, asked.question, alone)


def _with_others(finding: Finding, question: Question, alone: Answer) -> Finding:
    """The finding about a solution, with what is known about others: a note, unless it is said to be the only one."""
    if alone.status in STANDING:
        certain = "" if alone.status is not Status.SUPPORTED else ", as far as was sampled"
        return replace(finding, notes=(*finding.notes, f"it is the only solution in its domain{certain}"))
    witness = alone.counterexample
    if witness is not None and alone.status is Status.REFUTED:
        at = ", ".join(f"{name} = {value}" for name, value in witness.at)
        if question.unique:
            reason = "is not the only solution"
            return replace(
                finding,
                status=Status.REFUTED,
                code=NOT_UNIQUE,
                reason=reason,
                counterexample=witness,
                evidence=alone.evidence,
            )
        return replace(finding, notes=(*finding.notes, f"another solution in its domain: {at}"))
    left = f"whether there is another solution was not decided: {alone.reason}"
    if question.unique:
        return replace(finding, status=Status.UNDECIDED, code=NOT_UNIQUE, reason=left, evidence=alone.evidence)
    return replace(finding, notes=(*finding.notes, left))
