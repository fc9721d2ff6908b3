"""What runs in a worker process: tasks from a pipe, outcomes into it, and an end with the parent."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from grpo_symbolic.errors import CheckError
from grpo_symbolic.processes.programs import end_with
from grpo_symbolic.processes.tasks import Cause, Lost, Tell

#: ``M_TRIM_THRESHOLD`` and ``M_MMAP_THRESHOLD`` of mallopt(3): how much free memory is kept, and what is none of it.
_KEPT = ((-1, 2**28), (-3, 2**25))


class Word(Enum):
    """What a worker sends: that it is ready, a word about what it does, an outcome."""

    READY = "ready"
    NEWS = "news"
    FOUND = "found"


def serve(pipe: Connection) -> None:
    """Do tasks until the pipe is closed."""
    _tie_to_parent()
    with suppress(EOFError, OSError):
        memory = pipe.recv()
        _limit_memory(memory)
        work = pickle.loads(pipe.recv_bytes())
        seldom_collected()
        keep_memory()
        pipe.send((Word.READY, None))
        while True:
            task = pipe.recv_bytes()
            found = _done(work, task, lambda text: pipe.send((Word.NEWS, text)), memory)
            try:
                pipe.send((Word.FOUND, found))
            except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
                pipe.send((Word.FOUND, Lost(Cause.BROKE, f"its outcome cannot travel: {said(error)}")))


def _done(work: Callable[[Any, Tell], object], task: bytes, tell: Tell, memory: int) -> object:
    try:
        return work(pickle.loads(task), tell)
    except MemoryError:
        return Lost(Cause.MEMORY, f"more than {memory // 2**20} MB of memory")
    except Exception as error:  # a defect of ours, or of a library, must not end the run
        return Lost(Cause.BROKE, said(error))


def seldom_collected() -> None:
    """Look for garbage seldom, and never in what is imported by now: trees are no circles, and there are many."""
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)


def keep_memory() -> None:
    """Keep memory that is free again for what is needed next, where the C library can.

    A solver takes some megabytes for every question and gives them back; to get them from the system each time, page
    by page, takes longer than most of its answers.
    """
    if sys.platform == "linux":
        import ctypes

        for setting, size in _KEPT:
            # Another C library than that of GNU may have no such function, or not know the setting.
            with suppress(AttributeError):
                ctypes.CDLL(None).mallopt(setting, size)


def said(error: Exception) -> str:
    """An exception in words, with its kind."""
    return f"{type(error).__name__}: {error}"


def _tie_to_parent() -> None:
    """Begin a session, in which everything can be killed at once, and end with the parent."""
    parent = multiprocessing.parent_process()
    if parent is None or parent.pid is None:
        raise CheckError("a worker has to be started by multiprocessing")
    if hasattr(os, "setsid"):
        os.setsid()
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    end_with(parent.pid)


def _follow(parent: BaseProcess) -> None:
    """End this process, and what it started, after the parent; where the system does not do it, and for the rest."""
    parent.join()
    if hasattr(os, "killpg"):
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _limit_memory(memory: int) -> None:
    """Cap the address space, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
