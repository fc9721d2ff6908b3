"""Work that a copy of this process does while this one goes on, and that leaves nothing but files."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

from grpo_symbolic.errors import CheckError
from grpo_symbolic.processes.programs import end_with
from grpo_symbolic.processes.worker import said

#: Whether a copy helps: the system makes one at no cost, and has a processor for it.
_HELPS = os.name == "posix" and "fork" in multiprocessing.get_all_start_methods() and (os.cpu_count() or 1) > 1


@contextmanager
def beside(work: Callable[[], None], *, worth: bool = True) -> Iterator[None]:
    """Do some work in a copy of this process while the block runs; when the block is left, it is done.

    Files are all that it leaves. If the block raises, the work is given up. Where a copy does not help, or is not
    ``worth`` it, the work is done after the block, in this process.

    Raises:
        CheckError: if the copy dies.
        Exception: what the work raises.
    """
    if not (_HELPS and worth):
        yield
        work()
        return
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_do, args=(work, theirs), daemon=True)
    with warnings.catch_warnings():
        # Of other threads, the copy needs none, nor what they may have locked: it computes and writes files.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    theirs.close()
    try:
        yield
        try:
            failure = ours.recv()
        except EOFError:
            process.join()
            failure = CheckError(f"a copy of this process died (exit code {process.exitcode}); try again")
    finally:
        process.kill()
        process.join()
        ours.close()
    if failure is not None:
        raise failure


def _do(work: Callable[[], None], pipe: Connection) -> None:
    """Work in the copy, which leaves it to its parent to hear interrupts, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with(os.getppid())
    failure: Exception | None = None
    try:
        work()
    except Exception as error:  # whatever it is, the parent raises it
        failure = error
    try:
        pickle.loads(pickle.dumps(failure))
    except Exception:
        failure = CheckError(said(failure) if failure is not None else "")
    pipe.send(failure)
