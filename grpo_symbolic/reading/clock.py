"""A clock for reading: what takes too long is given up, and the reader says where.

The limits on size, nesting and work keep reading short; this is for what they miss. It needs signals, so on
Windows, and outside the main thread, there are only those limits.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

#: Seconds of the processor for one formula or step, and for finding the formulas of all files of a paper.
FORMULA_SECONDS = 5.0
FILES_SECONDS = 30.0
#: Seconds for all steps of a paper together, after which those that are left are refused, and for everything.
STEPS_SECONDS = 300.0
PAPER_SECONDS = 600.0


#: A time that is over at once; no time at all would stop the clock.
_SOON = 1e-4


class Late(BaseException):
    """Raised wherever the program is when the time of a guard is over; no ``except Exception`` on the way stops it."""


@contextmanager
def guarded(seconds: float) -> Iterator[None]:
    """Let the block run for some seconds of the processor, at most as long as a guard around it allows.

    Raises:
        Late: inside the block, when its time is over.
    """
    if not _has_signals():
        yield
        return
    former = signal.signal(signal.SIGVTALRM, _ring) or signal.SIG_DFL
    outer = signal.getitimer(signal.ITIMER_VIRTUAL)[0]
    given = min(seconds, outer) if outer else seconds
    left = given
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, given)
        yield
    finally:
        # A signal that was on its way when the block ended says nothing any more.
        with suppress(Late):
            left = signal.setitimer(signal.ITIMER_VIRTUAL, 0)[0]
        signal.signal(signal.SIGVTALRM, former)
        if outer:
            signal.setitimer(signal.ITIMER_VIRTUAL, max(outer - (given - left), _SOON))


class Budget:
    """Seconds of the processor that are shared by many guards."""

    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds

    def share(self, most: float) -> float:
        """How long the next guard may take, at most ``most``."""
        return max(min(most, self._end - time.process_time()), _SOON)

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return time.process_time() >= self._end


def _has_signals() -> bool:
    return hasattr(signal, "SIGVTALRM") and threading.current_thread() is threading.main_thread()


def _ring(number: int, frame: FrameType | None) -> None:
    raise Late
