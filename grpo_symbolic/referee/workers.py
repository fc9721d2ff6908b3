"""Answer questions in worker processes; one that runs over or dies is left UNDECIDED, and the others go on.

The engine takes a second to import, so that it is imported by the processes, and here only once there are answers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeAlias

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.processes.crew import Crew, hired
from grpo_symbolic.processes.tasks import MEMORY, Cause, Ended, Lost, Tell
from grpo_symbolic.referee.findings import Status

if TYPE_CHECKING:
    from grpo_symbolic.referee.answers import Task
    from grpo_symbolic.referee.weighing import Answer

#: Told the number of a question when it is answered.
Listener: TypeAlias = "Callable[[int, Answer], None]"


class Answering(Protocol):
    """Answers questions, each in so many seconds at most."""

    def __call__(
        self, questions: Mapping[int, Task], *, timeout: float, listener: Listener | None = None
    ) -> dict[int, Answer]:
        """The answers by the numbers of the ``questions``; ``timeout`` is in seconds, for each."""


@contextmanager
def answering(
    settings: Settings, *, jobs: int | None = None, memory: int = MEMORY, ahead: bool = False
) -> Iterator[Answering]:
    """What answers any number of rounds of questions in the same ``jobs`` processes, by default one per processor.

    They start when there are questions, or ``ahead`` of them.

    Raises:
        DeclarationError: if ``jobs``, or a ``timeout`` later, leaves no room for work.
        CheckError: if no process can be started.
    """
    count = (os.cpu_count() or 1) if jobs is None else jobs
    if count < 1:
        raise DeclarationError(f"{count} jobs cannot check anything")
    with hired(_Work(settings), jobs=count, memory=memory) as crew:
        if ahead:
            crew.start()
        yield partial(_answer_all, crew)


class _Work:
    """The engine as it travels: it is imported where this arrives."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __call__(self, task: Task, tell: Tell) -> Answer:
        return _engine(self._settings)(task, tell)

    def __reduce__(self) -> tuple[Callable[[Settings], Callable[[Task, Tell], Answer]], tuple[Settings]]:
        return _engine, (self._settings,)


def _engine(settings: Settings) -> Callable[[Task, Tell], Answer]:
    from grpo_symbolic.referee.answers import respond

    return lambda task, tell: respond(task, settings, tell)


def _answer_all(
    crew: Crew[Task, Answer], questions: Mapping[int, Task], *, timeout: float, listener: Listener | None = None
) -> dict[int, Answer]:
    if timeout <= 0:
        raise DeclarationError(f"{timeout} seconds for each step leave no room to check anything")
    answers = {}
    for event in crew.events(questions, timeout):
        if not isinstance(event, Ended):
            continue
        found = _unanswered(event.found) if isinstance(event.found, Lost) else event.found
        answers[event.key] = found
        if listener is not None:
            listener(event.key, found)
    return answers


def _unanswered(lost: Lost) -> Answer:
    from grpo_symbolic.referee.weighing import Answer

    if lost.cause is Cause.BROKE:
        return Answer(Status.UNDECIDED, 0, "failed", f"the engine broke: {lost.reason}")
    return Answer(Status.UNDECIDED, 0, lost.cause.value, lost.reason)
