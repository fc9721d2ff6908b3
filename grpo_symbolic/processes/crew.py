"""Do tasks in processes that can be killed: each task has a limit of time, each process a limit of memory.

A task that runs over, or whose process dies, is lost alone; the others go on in a fresh process. Every worker has a
pipe and a session of its own, so that killing one, with all that it started, disturbs no other.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic

from grpo_symbolic.errors import CheckError
from grpo_symbolic.processes.programs import interrupts_blocked
from grpo_symbolic.processes.shares import Shares
from grpo_symbolic.processes.tasks import (
    MEMORY,
    Cause,
    Ended,
    Event,
    Found,
    Key,
    Limits,
    Lost,
    News,
    Started,
    Task,
    Tell,
)
from grpo_symbolic.processes.worker import Word, said, serve

#: Seconds that a process may take to start, however busy the machine is.
_STARTING = 300.0
#: So many processes in a row may end while they start; after that no other will do better.
_STILLBORN = 3
#: A few tasks may be done before another process has started, which takes so many seconds.
_FEW, _START = 12, 1.5
#: Seconds to wait for the exit code of a process that has closed its pipe.
_ENDING = 5.0
_FOREVER = float("inf")
#: Most seconds that the system is asked to wait at once; it cannot count far.
_DAY = 86_400.0


@contextmanager
def working(
    work: Callable[[Task, Tell], Found], tasks: Mapping[Key, Task], *, jobs: int, limits: Limits
) -> Iterator[Iterator[Event[Key, Found]]]:
    """Do all tasks in ``jobs`` processes; the events tell how it goes, and end when every task has ended.

    ``work`` and the tasks are pickled. What a task raises is told as ``Lost``. When the block is left, by whatever
    way, no process is left. A script must guard its own start by ``if __name__ == "__main__"``, because the
    processes import it.

    Raises:
        CheckError: if no process can be started.
    """
    with hired(work, jobs=jobs, memory=limits.memory) as crew:
        yield crew.events(tasks, limits.seconds)


@contextmanager
def hired(work: Callable[[Task, Tell], Found], *, jobs: int, memory: int = MEMORY) -> Iterator[Crew[Task, Found]]:
    """At most ``jobs`` processes for any number of rounds of tasks; a process that is idle waits for the next round.

    They start when there are tasks for them. When the block is left, by whatever way, no process is left; for
    ``work`` and tasks, and what it raises, see `working`.
    """
    crew = Crew(work, jobs, memory)
    try:
        yield crew
    finally:
        crew.dismiss()


class _Worker:
    """A process, the pipe to it, and the task that it is busy with, since when and until when."""

    def __init__(self) -> None:
        # Fresh processes, not forks: nothing of this process, such as its locks and open files, is at risk in them.
        context = multiprocessing.get_context("spawn")
        self.pipe, self._theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=serve, args=(self._theirs,), daemon=True)
        self.ready = False
        self.key: Any = None
        self.busy = ""
        self.since = time.monotonic()
        self.deadline = self.since + _STARTING

    def start(self, work: bytes, memory: int) -> None:
        try:
            # Starting its tracker, multiprocessing lets interrupts through again; a worker must not hear them.
            resource_tracker.ensure_running()
            with interrupts_blocked():
                self.process.start()
        finally:
            self._theirs.close()
        with suppress(OSError):  # it died already, and its end of the pipe will tell
            self.pipe.send(memory)
            self.pipe.send_bytes(work)

    def begin(self, key: object, seconds: float) -> None:
        self.key, self.busy, self.since = key, "", time.monotonic()
        self.deadline = self.since + seconds

    def rest(self) -> None:
        self.ready, self.key, self.deadline = True, None, _FOREVER

    def how_it_died(self) -> str:
        self.process.join(_ENDING)
        code = self.process.exitcode
        names = {number.value: number.name for number in signal.Signals}
        return f"killed by {names.get(-code, -code)}" if code is not None and code < 0 else f"exit code {code}"

    def end(self) -> None:
        """Kill the process and whatever it started; this can be done again if it is interrupted."""
        self.pipe.close()
        if self.process.pid is None:  # starting it was interrupted
            return
        self.process.kill()
        if hasattr(os, "killpg"):
            # As long as anything of its session lives, the system gives the number to nobody else.
            with suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.join()


class Crew(Generic[Task, Found]):
    """The workers, the tasks of this round that wait for one, and how many workers in a row did not start."""

    def __init__(self, work: Callable[[Task, Tell], Found], jobs: int, memory: int) -> None:
        self._do, self._work = work, pickle.dumps(work)
        self._jobs = jobs
        self._memory = memory
        self._seconds = _FOREVER
        self._begun = _FOREVER
        self._tasks: Mapping[Any, Task] = {}
        self._waiting: Shares[Any] = Shares()
        self._workers: list[_Worker] = []
        self._stillborn = 0

    def events(self, tasks: Mapping[Key, Task], seconds: float) -> Iterator[Event[Key, Found]]:
        """Do all tasks, each in so many ``seconds`` at most, and tell how it goes; to be heard to its end."""
        self._tasks, self._waiting, self._seconds, self._begun = tasks, Shares(tasks), seconds, _FOREVER
        while self._waiting or self._busy():
            self._hire(self._wanted())
            for worker in [one for one in self._workers if one.ready and one.key is None]:
                yield from self._feed(worker)
            for worker in self._speaking():
                yield from self._hear(worker)
            for worker in [one for one in self._workers if time.monotonic() > one.deadline and not one.pipe.poll()]:
                yield from self._lose(worker, Cause.TIMEOUT, self._late(worker))

    def dismiss(self) -> None:
        """Kill all processes."""
        with interrupts_blocked():
            for worker in self._workers:
                worker.end()

    def _wanted(self) -> int:
        """How many workers there is something to do for; a few tasks are one worker's until they take long."""
        useful = len(self._waiting) + self._busy()
        if len(self._waiting) <= _FEW and time.monotonic() < self._begun + _START:
            return min(useful, max(1, len(self._workers)))
        return useful

    def _busy(self) -> int:
        return sum(worker.key is not None for worker in self._workers)

    def start(self, many: int | None = None) -> None:
        """Start all processes, or so many of them, although there is nothing to do yet.

        Raises:
            CheckError: if no process can be started.
        """
        self._hire(self._jobs if many is None else many)

    def _hire(self, wanted: int) -> None:
        while len(self._workers) < min(self._jobs, wanted):
            # In the list before it starts, so that an interrupt meanwhile cannot lose it.
            worker = _Worker()
            self._workers.append(worker)
            _start(worker, self._work, self._memory)

    def _feed(self, worker: _Worker) -> Iterator[Event[Any, Found]]:
        """Hand the next task to a worker; one that cannot travel is lost, and the one after it is next."""
        while self._waiting and worker.key is None:
            key = self._waiting.next_for(worker)
            try:
                task = pickle.dumps(self._tasks[key])
            except Exception as error:  # whatever the task raises
                yield Started(key)
                yield Ended(key, Lost(Cause.BROKE, f"could not be handed to a process: {said(error)}"))
                continue
            worker.begin(key, self._seconds)
            self._begun = min(self._begun, worker.since)
            with suppress(OSError):  # it died a moment ago, and its end of the pipe will tell
                worker.pipe.send_bytes(task)
            yield Started(key)

    def _speaking(self) -> list[_Worker]:
        """The workers that have something to say, waited for until one of the others runs over."""
        if not (self._waiting or self._busy()):
            return []
        nearest = min(worker.deadline for worker in self._workers) - time.monotonic()
        if self._waiting and len(self._workers) < self._jobs:
            nearest = min(nearest, _START)
        ready = wait([worker.pipe for worker in self._workers], min(max(0.0, nearest), _DAY))
        return [worker for worker in self._workers if worker.pipe in ready]

    def _hear(self, worker: _Worker) -> Iterator[Event[Any, Found]]:
        try:
            word, content = worker.pipe.recv()
        except (EOFError, OSError):
            limit = f"its limit of memory is {self._memory // 2**20} MB"
            yield from self._lose(worker, Cause.DIED, f"its process died ({worker.how_it_died()}; {limit})")
            return
        except Exception as error:  # whatever an outcome that cannot travel raises
            yield from self._lose(worker, Cause.BROKE, f"its outcome cannot be read: {said(error)}")
            return
        if word is Word.NEWS:
            worker.busy = content
            yield News(worker.key, content)
        elif isinstance(content, Lost) and content.cause is Cause.MEMORY:
            yield from self._lose(worker, Cause.MEMORY, content.reason)
        else:
            self._stillborn = 0
            key = worker.key
            worker.rest()
            if word is Word.FOUND:
                yield Ended(key, content)

    def _late(self, worker: _Worker) -> str:
        seconds = self._seconds if worker.ready else _STARTING
        return f"stopped after {seconds:g} s" + (f" in {worker.busy}" if worker.busy else "")

    def _lose(self, worker: _Worker, cause: Cause, reason: str) -> Iterator[Event[Any, Found]]:
        """Let a worker go, and the task that it is busy with."""
        worker.end()
        self._workers.remove(worker)
        self._waiting.leave(worker)
        if worker.key is not None:
            yield Ended(worker.key, Lost(cause, reason, worker.busy, time.monotonic() - worker.since))
        elif not worker.ready:
            self._stillborn += 1
        if self._stillborn >= _STILLBORN:
            raise CheckError(
                f"{_STILLBORN} worker processes in a row did not start, the last: {reason}; a script must guard its "
                'own start by if __name__ == "__main__"'
            )


def _start(worker: _Worker, work: bytes, memory: int) -> None:
    try:
        worker.start(work, memory)
    except OSError as error:
        raise CheckError(f"a worker process could not be started: {error}") from error
