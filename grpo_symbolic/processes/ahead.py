"""Programs that are started ahead of their time: they prepare, and begin when they are told to."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence

from grpo_symbolic.processes.programs import interrupts_blocked, tied

#: The exit code of a program that was told to begin and would not do what one does that is started now.
STALE = 75


class Ahead:
    """A program that prepares and then waits; it writes to where this one does, and never outlives it."""

    def __init__(self, command: Sequence[str]) -> None:
        with interrupts_blocked():  # until it has said by ``prepare`` what becomes of them
            self._process = subprocess.Popen(tied(command), stdin=subprocess.PIPE)

    def begin(self) -> int:
        """Tell the program to begin, wait for its end, and return its exit code; STALE if it had ended before."""
        try:
            if self._process.poll() is not None:
                return STALE
            self._process.communicate(b"\n")
            return self._process.returncode
        finally:
            self.end()

    def end(self) -> None:
        """Kill the program, if it has not ended."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()


def prepare() -> None:
    """Hear no interrupts until this program is told to begin: whoever started it ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):  # blocked since before it was started
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def told() -> bool:
    """Wait until this program is told to begin; False if nobody will."""
    line = sys.stdin.readline()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return bool(line)
