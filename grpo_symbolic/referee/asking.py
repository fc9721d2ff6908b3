"""What is known of each step before anybody checks it, and what is asked about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.statement import symbols_of
from grpo_symbolic.reading.document.displays import Display, PrintedStep
from grpo_symbolic.reading.document.notebooks import cell_of
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.meaning.notated import AS_PRODUCT
from grpo_symbolic.reading.meaning.refusal import NothingAsserted, NotUnderstood
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.reading.places import BrokenLatex, unforeseen
from grpo_symbolic.referee.extents import cut, flat, row_of, span, text_of
from grpo_symbolic.referee.findings import (
    DEFINED_TWICE,
    Finding,
    InstanceInWords,
    Status,
)
from grpo_symbolic.referee.guesses import NOTHING, guesses_of
from grpo_symbolic.referee.introduced import Introduced, introduced
from grpo_symbolic.referee.papers import Opened, may_be_guessed
from grpo_symbolic.referee.questions import Asker, Question
from grpo_symbolic.referee.readings import by_definition, in_words
from grpo_symbolic.referee.unasserted import alone, as_supposed, is_expression, without_assertion

#: What stands in a display and needs no check: a number alone, or the rest of a formula that was read before.
_NOTHING_TO_CHECK = ("number-only", "joined")
#: A broken display has no tree, so its label is taken from its text.
_PRINTED_LABEL = re.compile(r"\\label\s*\{([^{}\n]{1,200})\}")


@dataclass(frozen=True)
class Asked:
    """What is known about something seen, what is asked about it, and how it was read, of which ``paper``."""

    finding: Finding
    question: Question | None = None
    outcome: InterpretedStep | None = None
    paper: Opened | None = None


def asked_of(opened: Opened, only: Sequence[str], wanted: Callable[[InterpretedStep | Display], bool]) -> list[Asked]:
    """Everything that was seen, in reading order; ``only`` picks labels and tags.

    What a map does not read is read with guesses beside it.
    """
    steps = [(one, found) for one, found in _steps(opened, wanted)]
    unread = {_place(one.step) for one, found in steps if may_be_guessed(one) and _is_unread(found)}
    guessed: dict[Hashable, Asked] = {}
    if opened.rest is not None and unread:
        again = _steps(opened.rest, lambda one: isinstance(one, InterpretedStep) and _place(one.step) in unread)
        guessed = {_place(one.step): _beside(found, opened.rest) for one, found in again if not _is_unread(found)}
    asked = [guessed.get(_place(one.step), found) for one, found in steps]
    for display in filter(wanted, opened.displays):
        asked += [Asked(finding) for finding in _of_display(display, opened.path, proposed=opened.proposed)]
    names = {name.strip("()") for name in only}
    chosen = [one for one in asked if not names or (one.finding.label or "").strip("()") in names]
    placed = [replace(one, paper=one.paper or opened) for one in chosen]
    return sorted(placed, key=lambda one: _order(one.finding, opened))


def _steps(
    opened: Opened, wanted: Callable[[InterpretedStep | Display], bool]
) -> Iterator[tuple[InterpretedStep, Asked]]:
    """The steps of a paper that are wanted, with what is asked about them."""
    asker = Asker(opened.displays, opened.interpretation.outcomes, opened.notation, declared=not opened.proposed)
    across = {id(one) for one in opened.across}
    read = opened.interpretation
    new = introduced(read.outcomes, read.objects, opened.declared) if opened.proposed else {}
    for one in (*read.outcomes, *opened.across):
        if wanted(one):
            found = _of_step_at_least(one, asker, opened, across=id(one) in across)
            yield one, _introduces(found, new.get(id(one.step)), one, opened)


def _beside(asked: Asked, rest: Opened) -> Asked:
    """What was read beside the map, which never counts as checked."""
    return replace(asked, finding=replace(asked.finding, guesses=asked.finding.guesses or (NOTHING,)), paper=rest)


def _place(step: PrintedStep) -> Hashable:
    return id(step.place.source), step.place.start, step.place.end, step.relation.place.start


def _is_unread(asked: Asked) -> bool:
    return asked.finding.status is Status.NOT_UNDERSTOOD


def atoms_of(outcome: InterpretedStep, objects: Objects | None) -> tuple[Symbol, ...]:
    """The unknown objects that a step is about."""
    if objects is None or outcome.read is None:
        return ()
    return objects.among(symbol for one in outcome.read.instances for symbol in symbols_of(one.statement))


def _introduces(asked: Asked, said: Introduced | None, outcome: InterpretedStep, opened: Opened) -> Asked:
    """What is asked about a step, unless it says what something is: then nothing is."""
    path = opened.path
    if said is not None and said.unread and asked.finding.status is Status.NOT_UNDERSTOOD:
        reason = f"the paper says that it defines {said.name}: {said.words}"
        notes = (*asked.finding.notes, f"its right side was not read: {said.unread}")
        told = replace(bare_finding(outcome, path), status=Status.BY_DEFINITION, code="introduced", reason=reason)
        return Asked(replace(told, notes=notes))
    if opened.proposed and asked.question is None and asked.finding.status is Status.NOT_UNDERSTOOD:
        supposed = as_supposed(replace(asked.finding, place=bare_finding(outcome, path).place), outcome)
        return asked if supposed is None else Asked(supposed)
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
            supposed = as_supposed(asked.finding, outcome)
            if supposed is not None:
                return Asked(supposed)
            status, code = Status.UNDECIDED, DEFINED_TWICE
            reason = f"says what {said.name} is otherwise than {place}: both are equal, or it means two things"
    return Asked(replace(asked.finding, status=status, code=code, reason=reason))


def _order(finding: Finding, opened: Opened) -> tuple[bool, str, int, int, int, bool]:
    main = finding.place.file == str(opened.path)
    file, cell = cell_of(finding.place.file) or (finding.place.file, 0)
    return not main, file, cell, finding.place.line, finding.place.column, finding.across


def _of_step_at_least(outcome: InterpretedStep, asker: Asker, opened: Opened, *, across: bool) -> Asked:
    """What is known about a step, if only that telling it failed: one step never costs the paper its result."""
    try:
        return _of_step(outcome, asker, opened, across=across)
    except Exception as error:
        # Two symbols of one name, that of a section and that of the whole paper, are a matter of the map.
        known = isinstance(error, DeclarationError)
        code, reason = ("ambiguous", str(error)) if known else ("internal", unforeseen(error))
        place, label = span(row_of(outcome.step), opened.path), _label(outcome.display, outcome.step)
        return Asked(Finding(place, Status.NOT_UNDERSTOOD, label, outcome.step.index, code=code, reason=reason))


def _of_step(outcome: InterpretedStep, asker: Asker, opened: Opened, *, across: bool) -> Asked:
    path = opened.path
    guesses = guesses_of(outcome, opened.proposals, opened.declared) if opened.proposed else ()
    finding = replace(bare_finding(outcome, path), across=across, guesses=guesses)
    if isinstance(outcome.refusal, NothingAsserted) and opened.proposed:
        return Asked(without_assertion(finding, outcome.refusal))
    if outcome.refusal is not None:
        return Asked(_refused(finding, outcome.refusal, path))
    read = outcome.read
    unclear = (
        next((note for note in read.notes if opened.proposed and note.text.endswith(AS_PRODUCT)), None)
        if read
        else None
    )
    if unclear is not None:
        # Nobody said that the symbol is no function, so nothing rests on that.
        reason = f"{unclear.text.removesuffix(AS_PRODUCT).strip()}: a product, or a function? say so in the map"
        return Asked(_refused(finding, NotUnderstood(unclear.place, "ambiguous", reason), path))
    if outcome.kind == "condition":
        reason = str(outcome.said) if outcome.said else "the map says that it is required or assumed"
        return Asked(replace(finding, status=Status.CONDITION, reason=reason))
    if read is not None and not read.instances:
        reason = str(outcome.said) if outcome.said else "it defines notation"
        return Asked(replace(finding, status=Status.BY_DEFINITION, reason=reason))
    noted = outcome.kind == "definition" or not atoms_of(outcome, opened.interpretation.objects)
    if noted and by_definition(outcome) and not (read is not None and read.unread):
        reason = "both sides are the same by the notation"
        reason = str(outcome.said) if outcome.said and outcome.kind == "definition" else reason
        return Asked(replace(finding, status=Status.BY_DEFINITION, reason=reason))
    try:
        question = asker.question(outcome, across=across)
        return Asked(_with_reading(finding, outcome, 0, question), question, outcome)
    except NotUnderstood as refusal:
        return Asked(_refused(finding, refusal, path))


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
