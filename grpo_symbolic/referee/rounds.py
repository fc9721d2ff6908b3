"""What is asked again after the first answers: closed forms, opposites, laws, repairs, conditions, other solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import ParamSpec, TypeVar

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.reading.document.leads import Leads
from grpo_symbolic.reading.document.saying import is_denied
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.tree import place_of
from grpo_symbolic.referee.asking import Asked
from grpo_symbolic.referee.closing.closing import is_open
from grpo_symbolic.referee.closing.peeling import has_layers
from grpo_symbolic.referee.failing import fails, is_name
from grpo_symbolic.referee.findings import (
    CERTAIN,
    STANDING,
    Status,
)
from grpo_symbolic.referee.introduced import introduced
from grpo_symbolic.referee.nowhere import opposite_of
from grpo_symbolic.referee.papers import Opened
from grpo_symbolic.referee.questions import Closing, Question, Repair
from grpo_symbolic.referee.supposing import Definitions, Supposed, supposed
from grpo_symbolic.referee.suppositions import Needed, Spared
from grpo_symbolic.referee.weighing import Answer

Asking = ParamSpec("Asking")
Task = TypeVar("Task")


def _if_possible(ask: Callable[Asking, Task | None], *about: Asking.args, **more: Asking.kwargs) -> Task | None:
    """What is asked again; None if it cannot be said, so that the first answer stays and no other step suffers."""
    try:
        return ask(*about, **more)
    except (GrpoSymbolicError, ArithmeticError, RecursionError):
        return None


def closings(asked: Sequence[Asked], answers: Mapping[int, Answer]) -> Iterator[tuple[int, Closing]]:
    """What has integrals, sums, limits or roots and was not decided is asked with closed forms, or without roots."""
    for number, one in enumerate(asked):
        if one.question is None or answers[number].status not in (Status.SUPPORTED, Status.UNDECIDED):
            continue
        if any(is_open(statement) or has_layers(statement) for statement in one.question.statements):
            yield number, Closing(one.question)


def impossible_of(
    asked: Sequence[Asked], answers: Mapping[int, Answer], papers: Sequence[Opened]
) -> Iterator[tuple[int, Question]]:
    """What may be a condition and failed wherever it was tried, unless the words of the paper say so themselves."""
    leads: dict[int, Leads] = {}
    for number, (one, opened) in enumerate(zip(asked, papers, strict=True)):
        found = answers.get(number)
        if one.question is None or one.outcome is None or found is None or opened.proposed:
            continue
        opposite = _if_possible(opposite_of, one.question, found)
        if opposite is None:
            continue
        if id(opened) not in leads:
            leads[id(opened)] = Leads(shown.place for shown in opened.displays if shown.kind == "display")
        if not is_denied(leads[id(opened)].of(one.outcome.display.place)):
            yield number, opposite


def solutions(asked: Sequence[Asked], answers: Mapping[int, Answer]) -> Iterator[tuple[int, Question]]:
    """What solves an equation is asked whether anything else does."""
    for number, one in enumerate(asked):
        if one.question is not None and one.question.others and answers[number].status in STANDING:
            yield number, one.question.alone()


def supposed_of(
    asked: Sequence[Asked],
    answers: Mapping[int, Answer],
    papers: Sequence[Opened],
    known: dict[int, Definitions],
    *,
    defined: bool,
) -> Iterator[tuple[int, Supposed]]:
    """What is open without a map is asked again with what it may rest on: laws, or what is ``defined`` as well.

    ``known`` keeps what each paper defines from one round to the next.
    """
    for number, (one, opened) in enumerate(zip(asked, papers, strict=True)):
        if not opened.proposed or one.question is None or one.outcome is None:
            continue
        read = opened.interpretation
        if id(opened) not in known:
            new = introduced(read.outcomes, read.objects, opened.declared)
            known[id(opened)] = Definitions(read.outcomes, new, read.objects, opened.path)
        ask = partial(supposed, defined=defined)
        found = _if_possible(ask, one.outcome, one.question, answers[number], read.objects, known[id(opened)])
        if found is not None:
            yield number, found


def repairs_of(asked: Sequence[Asked], answers: Mapping[int, Answer]) -> Iterator[tuple[int, Repair]]:
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
        task = _if_possible(Repair.of, one.question, suspect, found.instance)
        wrong.update([place_of(step.right)] if step.right else [])
        if task is not None:
            yield number, task


def remarks_of(
    asked: Sequence[Asked], answers: Mapping[int, Answer], *, needed: bool, spared: bool
) -> Iterator[tuple[int, Needed | Spared]]:
    """What fails is asked for a condition that is missing; what is decided, for those that it does not need."""
    for number, one in enumerate(asked):
        found = answers.get(number)
        if one.question is None or one.outcome is None or found is None:
            continue
        if fails(one.outcome, found, follows=one.question.arrow):
            yield from [(number, Needed(one.question))] if needed else []
        elif spared and found.status in CERTAIN and one.question.given(found.instance):
            yield number, Spared(one.question)
