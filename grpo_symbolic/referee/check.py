"""Check a paper: every step becomes a finding."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.statement import Relation, symbols_of
from grpo_symbolic.processes.tasks import MEMORY
from grpo_symbolic.reading.document.displays import Display, PrintedStep
from grpo_symbolic.reading.document.leads import Leads
from grpo_symbolic.reading.document.saying import is_denied
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.meaning.notated import AS_PRODUCT
from grpo_symbolic.reading.meaning.refusal import NothingAsserted, NotUnderstood
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.reading.places import BrokenLatex, Place, unforeseen
from grpo_symbolic.reading.tex.tree import place_of
from grpo_symbolic.referee.answers import Answer, Task
from grpo_symbolic.referee.closing.closing import is_open
from grpo_symbolic.referee.closing.peeling import has_layers
from grpo_symbolic.referee.contingent import in_doubt
from grpo_symbolic.referee.declared import with_dependants, with_related
from grpo_symbolic.referee.extents import cut, flat, row_of, span, text_of
from grpo_symbolic.referee.failing import FAILS_BESIDE, fails, is_name, remark_beside
from grpo_symbolic.referee.findings import (
    CONDITION_NOT_READ,
    DEFINED_TWICE,
    NEVER,
    NOT_UNIQUE,
    RECORDED,
    SIZES,
    STANDING,
    Finding,
    InstanceInWords,
    Review,
    Status,
)
from grpo_symbolic.referee.guesses import guesses_of, on_guesses
from grpo_symbolic.referee.ignores import ignores_of, ignoring
from grpo_symbolic.referee.introduced import Introduced, introduced
from grpo_symbolic.referee.nowhere import opposite_of
from grpo_symbolic.referee.papers import Opened, open_paper
from grpo_symbolic.referee.questions import Asker, Closing, Question, Repair
from grpo_symbolic.referee.readings import by_definition, in_words
from grpo_symbolic.referee.rewriting import with_rewrites
from grpo_symbolic.referee.supposing import Definitions, Supposed, supposed
from grpo_symbolic.referee.suppositions import Needed, Spared
from grpo_symbolic.referee.unasserted import alone, as_supposed, is_expression, without_assertion
from grpo_symbolic.referee.workers import Listener, answer_all

#: What stands in a display and needs no check: a number alone, or the rest of a formula that was read before.
_NOTHING_TO_CHECK = ("number-only", "joined")
_NOWHERE = "holds nowhere on the declared domains, so that it is no condition either"
#: Most seconds for the closed forms of one step.
_CLOSING_SECONDS = 10.0
#: A broken display has no tree, so its label is taken from its text.
_PRINTED_LABEL = re.compile(r"\\label\s*\{([^{}\n]{1,200})\}")


@dataclass(frozen=True)
class Options:
    """How a paper is checked; ``timeout`` is in seconds, for each step, and ``memory`` in bytes.

    ``needed`` asks for a condition under which what fails would hold, ``spared`` which conditions on what holds are
    not needed.
    """

    settings: Settings = field(default_factory=lambda: Settings(effort=4_000, boxes=4_000))
    timeout: float = 10.0
    jobs: int | None = None
    memory: int = MEMORY
    only: tuple[str, ...] = ()
    inline: bool = False
    needed: bool = True
    spared: bool = False


def check_paper(path: Path, options: Options, notation: Path | None = None, listener: Listener | None = None) -> Review:
    """Read a paper, check its steps and put the findings in reading order.

    Raises:
        OSError, ReadingError, MapError: if the paper or its map cannot be read.
    """
    started = time.perf_counter()
    review = review_of(open_paper(path, notation, inline=options.inline), options, listener)
    return replace(review, seconds=time.perf_counter() - started)


def review_of(opened: Opened, options: Options, listener: Listener | None = None) -> Review:
    """Check the steps of a paper that was opened.

    Raises:
        ReadingError: if a comment of the paper ignores something without a reason.
    """
    wanted = ignores_of(opened)
    findings, idle = ignoring(opened, check_opened(opened, options, listener=listener), wanted)
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
) -> tuple[Finding, ...]:
    """Check the steps and displays of a paper that are ``wanted``, in reading order."""
    (checked,) = check_together([(opened, wanted)], options, listener)
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
) -> list[list[Checked]]:
    """Check what is wanted of several papers, or of versions of one, in the same processes; no repair is typed."""

    def work(tasks: Mapping[int, Task], told: Listener | None, timeout: float = options.timeout) -> dict[int, Answer]:
        return answer_all(
            tasks, options.settings, timeout=timeout, jobs=options.jobs, memory=options.memory, listener=told
        )

    each = [_asked(opened, options.only, wanted) for opened, wanted in papers]
    asked = [one for some in each for one in some]
    answers = work({number: one.question for number, one in enumerate(asked) if one.question is not None}, listener)
    # Apart, with a time of their own: to look for an antiderivative may take long and find none.
    for number, found in work(dict(_closings(asked, answers)), None, min(options.timeout, _CLOSING_SECONDS)).items():
        if found.status is not Status.UNDECIDED:
            answers[number] = found
    papers_of = [opened for (opened, _), some in zip(papers, each, strict=True) for _ in some]
    for number, found in work(dict(_impossible(asked, answers, papers_of)), None).items():
        if found.status in (Status.PROVED, Status.DECIDED):
            answers[number] = replace(answers[number], status=Status.REFUTED, code=NEVER, reason=_NOWHERE)
    for defined in (False, True):
        again = dict(_supposed(asked, answers, papers_of, defined=defined))
        for number, found in work({number: one.question for number, one in again.items()}, None).items():
            if found.status in STANDING:
                answers[number] = replace(found, reasons=(*found.reasons, *again[number].rests))
    # Later, so that a refutation does not wait for its repair, and never gets lost over one.
    repairs, remarks = dict(_repairs(asked, answers)), dict(_remarks(asked, answers, options))
    shift = len(asked)
    later = work({**repairs, **{shift + number: task for number, task in remarks.items()}}, None)
    for key, found in later.items():
        before = answers[key % shift]
        answers[key % shift] = (
            replace(before, repair=found.repair, mended=found.mended)
            if key < shift
            else replace(before, notes=found.notes)
        )
    alone = work(dict(_solutions(asked, answers)), None)
    checked = iter(
        [
            _checked(one, opened, answers.get(number), alone.get(number))
            for number, (one, opened) in enumerate(zip(asked, papers_of, strict=True))
        ]
    )
    return [list(islice(checked, len(some))) for some in each]


def _checked(asked: _Asked, opened: Opened, found: Answer | None, alone: Answer | None) -> Checked:
    finding = _about_objects(_settled(asked, found, alone), asked, opened.interpretation.objects)
    if opened.proposed:
        finding = _on_guesses(finding, asked)
    return Checked(finding, asked.outcome, asked.question, found.mended if found is not None else ())


def _on_guesses(finding: Finding, asked: _Asked) -> Finding:
    """The finding of a paper without a map; what an arrow says is asserted whatever its letters are."""
    supposed = as_supposed(finding, asked.outcome)
    if supposed is not None:
        return supposed
    guessed = on_guesses(finding)
    return guessed if asked.question is None or asked.question.arrow else in_doubt(guessed, asked.outcome)


def _atoms(outcome: InterpretedStep, objects: Objects | None) -> tuple[Symbol, ...]:
    """The unknown objects that a step is about."""
    if objects is None or outcome.read is None:
        return ()
    return objects.among(symbol for one in outcome.read.instances for symbol in symbols_of(one.statement))


def _about_objects(finding: Finding, asked: _Asked, objects: Objects | None) -> Finding:
    """What holds, holds for all objects that print so; what does not may still hold of those that are meant."""
    if asked.outcome is None or finding.status in RECORDED or not _atoms(asked.outcome, objects):
        return finding
    if finding.status in STANDING:
        return replace(finding, notes=(*finding.notes, "for all objects that are printed so"))
    reason = "not so for all objects that print so: it rests on what they are"
    return replace(finding, status=Status.UNDECIDED, code="objects", reason=reason, repair=None)


def _closings(asked: Sequence[_Asked], answers: Mapping[int, Answer]) -> Iterator[tuple[int, Closing]]:
    """What has integrals, sums, limits or roots and was not decided is asked with closed forms, or without roots."""
    for number, one in enumerate(asked):
        if one.question is None or answers[number].status not in (Status.SUPPORTED, Status.UNDECIDED):
            continue
        if any(is_open(statement) or has_layers(statement) for statement in one.question.statements):
            yield number, Closing(one.question)


def _impossible(
    asked: Sequence[_Asked], answers: Mapping[int, Answer], papers: Sequence[Opened]
) -> Iterator[tuple[int, Question]]:
    """What may be a condition and failed wherever it was tried, unless the words of the paper say so themselves."""
    leads = {id(one): Leads(shown.place for shown in one.displays if shown.kind == "display") for one in papers}
    for number, (one, opened) in enumerate(zip(asked, papers, strict=True)):
        found = answers.get(number)
        if one.question is None or one.outcome is None or found is None or opened.proposed:
            continue
        opposite = opposite_of(one.question, found)
        if opposite is not None and not is_denied(leads[id(opened)].of(one.outcome.display.place)):
            yield number, opposite


def _solutions(asked: Sequence[_Asked], answers: Mapping[int, Answer]) -> Iterator[tuple[int, Question]]:
    """What solves an equation is asked whether anything else does."""
    for number, one in enumerate(asked):
        if one.question is not None and one.question.others and answers[number].status in STANDING:
            yield number, one.question.alone()


def _supposed(
    asked: Sequence[_Asked], answers: Mapping[int, Answer], papers: Sequence[Opened], *, defined: bool
) -> Iterator[tuple[int, Supposed]]:
    """What is open without a map is asked again with what it may rest on: laws, or what is ``defined`` as well."""
    known: dict[int, Definitions] = {}
    for number, (one, opened) in enumerate(zip(asked, papers, strict=True)):
        if not opened.proposed or one.question is None or one.outcome is None:
            continue
        read = opened.interpretation
        if id(opened) not in known:
            new = introduced(read.outcomes, read.objects)
            known[id(opened)] = Definitions(read.outcomes, new, read.objects, opened.path)
        found = supposed(one.outcome, one.question, answers[number], read.objects, known[id(opened)], defined=defined)
        if found is not None:
            yield number, found


def _repairs(asked: Sequence[_Asked], answers: Mapping[int, Answer]) -> Iterator[tuple[int, Repair]]:
    """What fails is to be repaired; where the step before fails too, the side between them is to blame."""
    wrong: set[Place] = set()
    for number, one in enumerate(asked):
        found = answers.get(number)
        if one.question is None or one.outcome is None or found is None:
            continue
        if not fails(one.outcome, found, follows=one.question.arrow):
            continue
        step = one.outcome.step
        suspect = "left" if place_of(step.left) in wrong else "either" if step.index == 1 else "right"
        if suspect == "either" and is_name(step.left) is not is_name(step.right):
            # What a name stands for is printed elsewhere.
            suspect = "right" if is_name(step.left) else "left"
        task = Repair.of(one.question, suspect, found.instance)
        wrong.update([place_of(step.right)] if step.right else [])
        if task is not None:
            yield number, task


def _remarks(
    asked: Sequence[_Asked], answers: Mapping[int, Answer], options: Options
) -> Iterator[tuple[int, Needed | Spared]]:
    """What fails is asked for a condition that is missing; what is decided, for those that it does not need."""
    for number, one in enumerate(asked):
        found = answers.get(number)
        if one.question is None or one.outcome is None or found is None:
            continue
        if fails(one.outcome, found, follows=one.question.arrow):
            yield from [(number, Needed(one.question))] if options.needed else []
        elif options.spared and found.status in (Status.DECIDED, Status.PROVED) and one.question.given(found.instance):
            yield number, Spared(one.question)


@dataclass(frozen=True)
class _Asked:
    """What is known about something seen, what is asked about it, and how it was read."""

    finding: Finding
    question: Question | None = None
    outcome: InterpretedStep | None = None


def _asked(opened: Opened, only: Sequence[str], wanted: Callable[[InterpretedStep | Display], bool]) -> list[_Asked]:
    """Everything that was seen, in reading order; ``only`` picks labels and tags."""
    asker = Asker(opened.displays, opened.interpretation.outcomes, opened.notation, declared=not opened.proposed)
    across = {id(one) for one in opened.across}
    read = opened.interpretation
    new = introduced(read.outcomes, read.objects) if opened.proposed else {}
    outcomes = (*opened.interpretation.outcomes, *opened.across)
    asked = [
        _introduces(_of_step_at_least(one, asker, opened, across=id(one) in across), new.get(id(one.step)), opened.path)
        for one in outcomes
        if wanted(one)
    ]
    for display in filter(wanted, opened.displays):
        asked += [_Asked(finding) for finding in _of_display(display, opened.path, proposed=opened.proposed)]
    names = {name.strip("()") for name in only}
    chosen = [one for one in asked if not names or (one.finding.label or "").strip("()") in names]
    return sorted(chosen, key=lambda one: _order(one.finding, opened))


def _introduces(asked: _Asked, said: Introduced | None, path: Path) -> _Asked:
    """What is asked about a step, unless it says what something is: then nothing is."""
    if said is None or asked.question is None or asked.question.conditional:
        return asked
    status, code = Status.BY_DEFINITION, "introduced"
    reason = f"taken to say what {said.name} is, which nothing before says or restricts"
    if said.words:
        reason = f"the paper says that it defines {said.name}: {said.words}"
        if said.before is not None and not said.same:
            reason += f" (otherwise than {span(said.before, path)}, so that it means another thing from here on)"
    elif said.before is not None:
        place = span(said.before, path)
        reason = f"says again what {said.name} is, as {place} does"
        if not said.same:
            status, code = Status.UNDECIDED, DEFINED_TWICE
            reason = f"says what {said.name} is otherwise than {place}: both are equal, or it means two things"
    return _Asked(replace(asked.finding, status=status, code=code, reason=reason))


def _order(finding: Finding, opened: Opened) -> tuple[bool, str, int, int, bool]:
    main = finding.place.file == str(opened.path)
    return not main, finding.place.file, finding.place.line, finding.place.column, finding.across


def _of_step_at_least(outcome: InterpretedStep, asker: Asker, opened: Opened, *, across: bool) -> _Asked:
    """What is known about a step, if only that telling it failed: one step never costs the paper its result."""
    try:
        return _of_step(outcome, asker, opened, across=across)
    except Exception as error:
        # Two symbols of one name, that of a section and that of the whole paper, are a matter of the map.
        known = isinstance(error, DeclarationError)
        code, reason = ("ambiguous", str(error)) if known else ("internal", unforeseen(error))
        place, label = span(row_of(outcome.step), opened.path), _label(outcome.display, outcome.step)
        return _Asked(Finding(place, Status.NOT_UNDERSTOOD, label, outcome.step.index, code=code, reason=reason))


def _of_step(outcome: InterpretedStep, asker: Asker, opened: Opened, *, across: bool) -> _Asked:
    path = opened.path
    guesses = guesses_of(outcome, opened.proposals) if opened.proposed else ()
    finding = replace(bare_finding(outcome, path), across=across, guesses=guesses)
    if isinstance(outcome.refusal, NothingAsserted) and opened.proposed:
        return _Asked(without_assertion(finding, outcome.refusal))
    if outcome.refusal is not None:
        return _Asked(_refused(finding, outcome.refusal, path))
    read = outcome.read
    unclear = (
        next((note for note in read.notes if opened.proposed and note.text.endswith(AS_PRODUCT)), None)
        if read
        else None
    )
    if unclear is not None:
        # Nobody said that the symbol is no function, so nothing rests on that.
        reason = f"{unclear.text.removesuffix(AS_PRODUCT).strip()}: a product, or a function? say so in the map"
        return _Asked(_refused(finding, NotUnderstood(unclear.place, "ambiguous", reason), path))
    if outcome.kind == "condition":
        reason = str(outcome.said) if outcome.said else "the map says that it is required or assumed"
        return _Asked(replace(finding, status=Status.CONDITION, reason=reason))
    if read is not None and not read.instances:
        reason = str(outcome.said) if outcome.said else "it defines notation"
        return _Asked(replace(finding, status=Status.BY_DEFINITION, reason=reason))
    noted = outcome.kind == "definition" or not _atoms(outcome, opened.interpretation.objects)
    if noted and by_definition(outcome) and not (read is not None and read.unread):
        reason = "both sides are the same by the notation"
        reason = str(outcome.said) if outcome.said and outcome.kind == "definition" else reason
        return _Asked(replace(finding, status=Status.BY_DEFINITION, reason=reason))
    try:
        question = asker.question(outcome, across=across)
        return _Asked(_with_reading(finding, outcome, 0, question), question, outcome)
    except NotUnderstood as refusal:
        return _Asked(_refused(finding, refusal, path))


def bare_finding(outcome: InterpretedStep, path: Path) -> Finding:
    """What is known about a step before anybody checks it."""
    step, read = outcome.step, outcome.read
    reason = outcome.claim.reason if outcome.claim is not None else ""
    instances = () if read is None else read.instances
    symbols = dict.fromkeys(symbol for one in instances for symbol in symbols_of(one.statement))
    notes = [] if read is None else [note.text for note in read.notes]
    if read is not None:
        notes += [f"not read on this row: {condition.place.text.strip()}" for condition in read.unread]
    if outcome.said is not None and outcome.kind not in ("condition", "definition"):
        notes.append(str(outcome.said))
    finding = Finding(
        span(row_of(step), path),
        Status.UNDECIDED,
        _label(outcome.display, step),
        step.index,
        text_of(step.left),
        step.relation.symbol,
        text_of(step.right),
        kind=outcome.kind,
        reason=reason,
        domains=tuple((symbol.name, str(symbol.domain)) for symbol in symbols),
        notes=tuple(dict.fromkeys(notes)),
    )
    return _with_reading(finding, outcome)


def _label(display: Display, step: PrintedStep) -> str | None:
    return step.label or display.label or (f"({tag.strip('()')})" if (tag := step.tag or display.tag) else None)


def _with_reading(
    finding: Finding, outcome: InterpretedStep, number: int = 0, question: Question | None = None
) -> Finding:
    """The finding with all instances of the step in words; that of this ``number`` is the one that is told of."""
    read = outcome.read
    if read is None or not read.instances:
        return finding
    instances = tuple(
        InstanceInWords(one.at, *in_words(one), () if question is None else question.given(at))
        for at, one in enumerate(dict.fromkeys(read.instances))
    )
    return replace(finding, read=instances[number], instances=instances)


def _refused(finding: Finding, refusal: NotUnderstood, path: Path) -> Finding:
    return replace(
        finding,
        place=span(refusal.place, path) if refusal.kind != "skipped" else finding.place,
        status=Status.NOT_UNDERSTOOD,
        code=refusal.kind,
        reason=refusal.reason,
        token=cut(" ".join(refusal.token.split())),
        readings=refusal.readings,
    )


def _of_display(display: Display, path: Path, *, proposed: bool) -> list[Finding]:
    """Findings about what is no step: a broken display, words, expressions without a relation."""
    label = display.label or (f"({display.tag.strip('()')})" if display.tag else None)
    if display.broken is not None:
        place = span(display.broken.place, path)
        printed = _PRINTED_LABEL.search(display.place.text)
        label = label or (printed[1] if printed else None)
        status = Status.BROKEN if display.broken.code == BrokenLatex.code else Status.NOT_UNDERSTOOD
        broken = Finding(place, status, label, code=display.broken.code, reason=display.broken.reason)
        return [replace(broken, printed=flat(display.place))]
    return [
        Finding(
            span(one.place, path),
            Status.NOT_UNDERSTOOD,
            label,
            left=text_of(one.items),
            code=one.code,
            reason=one.reason,
        )
        if not (proposed and is_expression(one))
        else alone(Finding(span(one.place, path), Status.CONDITION, label, left=text_of(one.items)))
        for one in display.unread
        if one.code not in _NOTHING_TO_CHECK
    ]


def _settled(asked: _Asked, found: Answer | None, alone: Answer | None = None) -> Finding:
    """The finding with what the engine answered, and what it answered about other solutions."""
    finding = asked.finding
    if found is None or asked.outcome is None:
        return finding
    status, reason, code = found.status, found.reason or finding.reason, found.code
    if status is Status.NOT_AN_IDENTITY and remark_beside(asked.outcome):
        status, code, reason = Status.UNDECIDED, CONDITION_NOT_READ, FAILS_BESIDE
    sizes = () if asked.question is None else asked.question.sizes
    if sizes and status in (Status.PROVED, Status.DECIDED):
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
