"""Answer questions in worker processes; one that runs over or dies is left UNDECIDED, and the others go on."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.processes.crew import working
from grpo_symbolic.processes.tasks import MEMORY, Cause, Ended, Limits, Lost, Tell
from grpo_symbolic.referee.answers import Answer, Task, respond
from grpo_symbolic.referee.findings import Status

#: Told the number of a question when it is answered.
Listener: TypeAlias = Callable[[int, Answer], None]


def answer_all(
    questions: Mapping[int, Task],
    settings: Settings,
    *,
    timeout: float,
    jobs: int | None = None,
    memory: int = MEMORY,
    listener: Listener | None = None,
) -> dict[int, Answer]:
    """Answer all questions in ``jobs`` processes, by default one per processor.

    Raises:
        DeclarationError: if ``jobs`` or ``timeout`` leaves no room for work.
        CheckError: if no process can be started.
    """
    count = (os.cpu_count() or 1) if jobs is None else jobs
    if count < 1 or timeout <= 0:
        raise DeclarationError(f"{count} jobs with {timeout} seconds each cannot check anything")
    answers = {}
    work = partial(_answered, settings)
    with working(work, questions, jobs=count, limits=Limits(timeout, memory)) as events:
        for event in events:
            if not isinstance(event, Ended):
                continue
            found = _unanswered(event.found) if isinstance(event.found, Lost) else event.found
            answers[event.key] = found
            if listener is not None:
                listener(event.key, found)
    return answers


def _answered(settings: Settings, task: Task, tell: Tell) -> Answer:
    return respond(task, settings, tell)


def _unanswered(lost: Lost) -> Answer:
    if lost.cause is Cause.BROKE:
        return Answer(Status.UNDECIDED, 0, "failed", f"the engine broke: {lost.reason}")
    return Answer(Status.UNDECIDED, 0, lost.cause.value, lost.reason)
