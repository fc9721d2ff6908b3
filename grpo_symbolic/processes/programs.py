"""Programs that end when the process which started them does, however that ends: by itself, on Ctrl-C or killed.

Run as a program, this file becomes another one: ``programs.py PARENT SECONDS PROCESSOR COMMAND ...``. It imports
nothing of the package, so that this takes some hundredths of a second.
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

#: ``PR_SET_PDEATHSIG`` of prctl(2).
_SIGNAL_ON_DEATH_OF_PARENT = 1
#: Seconds after its time that a program ends by itself, if nobody is there any more to end it.
_GRACE = 5.0


def run_program(
    command: Sequence[str],
    *,
    seconds: float,
    processor: float = math.inf,
    input: bytes | None = None,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes] | None:
    """Run a program, with what it writes captured; None if it takes longer than ``seconds``, and is killed.

    It never outlives this process either. Where the system can, it is also killed after so many whole seconds of the
    ``processor``, which a busy machine does not lengthen; then its exit code is negative.
    """
    launcher = [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(seconds + _GRACE), str(processor)]
    if os.name != "posix":
        launcher = []
    try:
        return subprocess.run(
            [*launcher, *command],
            input=input,
            cwd=folder,
            env=environment,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None


def show_program(command: Sequence[str]) -> int:
    """Run a program that writes to where this one does, and return its exit code; it never outlives this process."""
    return subprocess.run(tied(command), check=False).returncode


def tied(command: Sequence[str]) -> list[str]:
    """The command of a program that never outlives this process, where the system can see to that."""
    launcher = [sys.executable, "-I", "-S", __file__, str(os.getpid()), "0", str(math.inf)]
    return [*(launcher if os.name == "posix" else []), *command]


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Let a process that is started never see Ctrl-C, unless it lets interrupts through: its parent ends it.

    This one sees it afterwards: another thread, which has a mask of its own, may have been told meanwhile.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    with _interrupts_later():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Handle interrupts that come inside the block after it; only the main thread handles any."""
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            handler(signal.SIGINT, None)


def end_with(parent: int) -> None:
    """Let the system kill this process as soon as ``parent``, the process that started it, is gone.

    Linux can do that, and counts the end of the thread that started it; elsewhere only a parent that is gone already
    is noticed.
    """
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_SIGNAL_ON_DEATH_OF_PARENT, ctypes.c_ulong(signal.SIGKILL))
    if os.name == "posix" and os.getppid() != parent:
        os._exit(1)


def _become(parent: str, seconds: str, processor: str, *command: str) -> None:
    end_with(int(parent))
    if math.isfinite(float(processor)):
        import resource

        most = math.ceil(float(processor))
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    # The alarm outlasts the change of program, and the system rings it: this bounds a program where nothing else does.
    # After 0 seconds it never rings.
    signal.setitimer(signal.ITIMER_REAL, float(seconds))
    os.execvp(command[0], command)


if __name__ == "__main__":
    _become(*sys.argv[1:])
