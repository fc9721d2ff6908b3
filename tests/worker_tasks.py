"""What the tests of worker processes let them do; light, because every process imports it.

Run as a program it lets two workers do one task without end: ``worker_tasks.py TASK FOLDER``.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from grpo_symbolic.processes.crew import working
from grpo_symbolic.processes.programs import run_program
from grpo_symbolic.processes.tasks import Limits

#: Polynomial equations in six unknowns: with this budget cvc5's coverings take hours.
HARD = (
    "(set-logic QF_NRA)"
    + "".join(f"(declare-const {name} Real)" for name in "abcdef")
    + "(assert (= (+ (* a a a) (* b b b) (* c c c) (* d d d) (* e e e) (* f f f)) 1))"
    + "(assert (= (* a b c d e f) 7))"
    + "(assert (= (+ (* a a a b) (* b b b c) (* c c c d) (* d d d e) (* e e e f) (* f f f a)) (- 3)))"
)


def double(task, tell):
    return 2 * task


def obey(task, tell):
    """Do what the first word of the task says to do with the rest."""
    name, *rest = task
    return TASKS[name](tell, *rest)


def spin(tell, busy=None):
    """Never end, in Python."""
    if busy is not None:
        (Path(busy) / f"busy-{os.getpid()}").touch()
    while True:
        pass


def spin_in_c(tell, busy):
    """Never end, without ever giving another thread its turn."""
    (Path(busy) / f"busy-{os.getpid()}").touch()
    sum(range(10**18))


def wait_for_program(tell, busy):
    """Run a program for an hour."""
    (Path(busy) / f"busy-{os.getpid()}").touch()
    run_program(["sleep", "3600"], seconds=3600)


def wait_for_careless_program(tell, busy):
    """Run a program that nothing but its session ties to anybody."""
    (Path(busy) / f"busy-{os.getpid()}").touch()
    subprocess.run(["sleep", "3600"], check=False)


def ask_cvc5(tell, busy):
    """Ask cvc5 for an hour."""
    from grpo_symbolic.checks.proposals.apart import ask_apart

    (Path(busy) / f"busy-{os.getpid()}").touch()
    ask_apart(HARD, 10**9, True, 3600)


def spin_untied(tell, busy):
    """Never end, and have the system forget to end this process with its parent."""
    ctypes.CDLL(None).prctl(1, 0)
    spin(tell, busy)


def report(tell, text):
    """Tell something, then wait to be stopped."""
    tell(text)
    while True:
        time.sleep(1)


def say(tell, text):
    """Tell something."""
    tell(text)


def die(tell, how):
    """Kill this process."""
    os.kill(os.getpid(), getattr(signal, how))


def leave(tell, code):
    """Exit at once."""
    os._exit(code)


def eat(tell, size):
    """Ask for much memory."""
    return len(bytearray(size))


def take_again(tell, size, times):
    """Take memory and give it back, once and then so many times, for which the system had to get so many pages."""
    import resource

    eat(tell, size)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(times):
        eat(tell, size)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def fail(tell, text):
    """Raise."""
    raise ArithmeticError(text)


def return_function(tell):
    """Return what cannot be pickled."""
    return lambda: 0


class StubbornError(Exception):
    """What can be pickled, but not read back."""

    def __init__(self, one, two):
        super().__init__(one)


def return_stubborn(tell):
    """Return what cannot be read back."""
    return StubbornError("one", "two")


def give(tell, size):
    """Return so many bytes."""
    return bytes(size)


def echo(tell, value):
    """Return the value."""
    return value


def slow_number(tell, seconds):
    """The number of this process, after a moment in which another one starts."""
    time.sleep(seconds)
    return os.getpid()


def own_number(tell):
    """Return the number of this process."""
    return os.getpid()


TASKS = {
    function.__name__: function
    for function in (
        spin, spin_in_c, spin_untied, wait_for_program, wait_for_careless_program, ask_cvc5, report, say, die,
        leave, eat, take_again, fail, return_function, return_stubborn, give, echo, own_number,
        slow_number,
    )
}  # fmt: skip


if __name__ == "__main__":
    name, folder = sys.argv[1:]
    with working(obey, {1: (name, folder), 2: (name, folder)}, jobs=2, limits=Limits(3600)) as events:
        for _ in events:
            pass
