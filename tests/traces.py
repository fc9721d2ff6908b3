"""Which processes descend from a test: they inherit a mark in their environment, which the system keeps readable."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

VARIABLE = "GRPO_SYMBOLIC_TEST_MARK"
#: Seconds after which waiting for something that has to happen is given up; a starved machine may need many minutes.
PATIENCE = 1800.0
patiently = pytest.mark.timeout(2 * PATIENCE)

needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are looked for in /proc")


def hear_interrupts() -> None:
    """Let a program end on Ctrl-C, as one that a person starts does; in the background a shell starts it deaf."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def marked(mark: str) -> dict[int, str]:
    """The living processes with a mark, and their commands; zombies have no environment any more.

    The tracker that multiprocessing starts beside a test's own process belongs to that one, and ends with it.
    """
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if f"{VARIABLE}={mark}".encode() in environment:
            found[int(folder.name)] = command
    return found


def eventually(condition: Callable[[], bool], what: str) -> None:
    """Wait for something that has to happen; how long it takes says nothing."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"not within {PATIENCE:g} s: {what}")
        time.sleep(0.02)


def nothing_left(mark: str) -> None:
    """Wait until no process has the mark; what is left is named, and killed for the sake of the next test."""
    with killing(mark):
        eventually(lambda: not workers_of(mark), f"the end of {workers_of(mark)}")


@contextmanager
def killing(mark: str) -> Iterator[None]:
    """Whatever has the mark when this block is left by an error is killed."""
    try:
        yield
    except BaseException:
        for number in workers_of(mark):
            os.kill(number, signal.SIGKILL)
        raise


def workers_of(mark: str) -> dict[int, str]:
    """The marked processes without the tracker of multiprocessing."""
    return {number: command for number, command in marked(mark).items() if "resource_tracker" not in command}
