"""Answer questions in processes that can be killed: each question has a time limit, each process a limit of memory.

A question that runs over is left UNDECIDED with the method that was busy; the others go on in a fresh process.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.evidence import Settings
from grpo_symbolic.referee.answers import Answer, answer, repair
from grpo_symbolic.referee.findings import Status
from grpo_symbolic.referee.questions import Question, Repair

#: Most memory of one process, in bytes; its address space, of which a solver reserves more than it uses.
MEMORY = 4 * 2**30
#: Seconds that a process may take to start, before its first question counts as running over.
STARTING = 60.0

#: What a process can be asked.
Task: TypeAlias = Question | Repair
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
    """
    count = (os.cpu_count() or 1) if jobs is None else jobs
    if count < 1 or timeout <= 0:
        raise DeclarationError(f"{count} jobs with {timeout} seconds each cannot check anything")
    crew = _Crew(questions, settings, timeout, memory, listener)
    try:
        crew.work(min(count, len(questions)))
    finally:
        crew.dismiss()
    return crew.answers


@dataclass
class _Worker:
    """A process, the pipe to it, and the question that it is busy with, since when and by which method."""

    process: BaseProcess
    pipe: Connection
    number: int | None = None
    deadline: float = 0.0
    method: str = ""
    ready: bool = False


@dataclass
class _Crew:
    questions: Mapping[int, Task]
    settings: Settings
    timeout: float
    memory: int
    listener: Listener | None
    answers: dict[int, Answer] = field(default_factory=dict)
    workers: list[_Worker] = field(default_factory=list)

    def work(self, count: int) -> None:
        self.waiting = deque(self.questions)
        self.workers += [self._hired() for _ in range(count)]
        while len(self.answers) < len(self.questions):
            for worker in self.workers:
                self._feed(worker)
            nearest = min((one.deadline for one in self.workers if one.number is not None), default=0.0)
            pipes = [worker.pipe for worker in self.workers]
            ready = wait(pipes, timeout=max(0.0, nearest - time.monotonic()) + 0.01)
            for worker in list(self.workers):
                if worker.pipe in ready:
                    self._hear(worker)
                elif worker.number is not None and time.monotonic() > worker.deadline:
                    self._replace(worker, "timeout", self._late(worker))

    def dismiss(self) -> None:
        for worker in self.workers:
            _end(worker)

    def _hired(self) -> _Worker:
        # Fresh processes, not forks: nothing of this process, such as its open files, is at risk in them.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, self.settings, self.memory), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _feed(self, worker: _Worker) -> None:
        if worker.number is not None or not self.waiting:
            return
        number = self.waiting.popleft()
        worker.number, worker.method = number, ""
        worker.deadline = time.monotonic() + (self.timeout if worker.ready else STARTING)
        try:
            worker.pipe.send(self.questions[number])
        except (OSError, RecursionError) as error:
            self._replace(worker, "failed", f"could not be handed to a process: {type(error).__name__}")

    def _hear(self, worker: _Worker) -> None:
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            limit = self.memory // 2**20
            self._replace(worker, "memory", f"its process died, perhaps at the limit of {limit} MB of memory")
            return
        match message:
            case "ready":
                worker.ready = True
                worker.deadline = time.monotonic() + self.timeout
            case str():
                worker.method = message
            case Answer() if worker.number is not None:
                self._settle(worker.number, message)
                worker.number = None

    def _late(self, worker: _Worker) -> str:
        busy = f" in {worker.method}" if worker.method else ""
        return f"stopped after {self.timeout:g} s{busy}"

    def _replace(self, worker: _Worker, code: str, reason: str) -> None:
        _end(worker)
        if worker.number is not None:
            self._settle(worker.number, Answer(Status.UNDECIDED, 0, code, reason))
        self.workers.remove(worker)
        if len(self.answers) < len(self.questions):
            self.workers.append(self._hired())

    def _settle(self, number: int, found: Answer) -> None:
        self.answers[number] = found
        if self.listener is not None:
            self.listener(number, found)


def _end(worker: _Worker) -> None:
    worker.pipe.close()
    worker.process.kill()
    worker.process.join()
    worker.process.close()


def _serve(pipe: Any, settings: Settings, memory: int) -> None:
    """Answer questions until the pipe is closed; what a question breaks is told as its answer."""
    with suppress(ValueError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    _limit_memory(memory)
    pipe.send("ready")
    with suppress(EOFError, OSError):
        while True:
            task: Task = pipe.recv()
            try:
                found = repair(task, settings) if isinstance(task, Repair) else answer(task, settings, pipe.send)
            except MemoryError:
                found = Answer(Status.UNDECIDED, 0, "memory", f"more than {memory // 2**20} MB of memory")
            except Exception as error:  # a defect of ours, or of a library, must not end the run
                found = Answer(Status.UNDECIDED, 0, "failed", f"the engine broke: {type(error).__name__}: {error}")
            pipe.send(found)


def _limit_memory(memory: int) -> None:
    """Cap the address space, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
