"""One process at a time in a folder, and folders of processes that are no more.

The system lets go of a lock when its process ends, however that is. Where it knows no locks, there are none.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other process is alone in a folder, and be it inside the block."""
    with _locked(folder, wait=True):
        yield


@contextmanager
def scratch_in(folder: Path, prefix: str) -> Iterator[Path]:
    """A fresh folder inside another one, gone after the block; what was left by processes that were killed goes too."""
    with ExitStack() as stack:
        # A folder that another process has made and not locked yet would seem to be left.
        with alone_in(folder):
            for left in folder.glob(f"{prefix}*"):
                _remove_left(left)
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix=prefix, dir=folder))
            stack.enter_context(_locked(Path(scratch), wait=False))
        yield Path(scratch)


def _remove_left(folder: Path) -> None:
    with suppress(OSError), _locked(folder, wait=False) as mine:
        if mine:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _locked(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Lock a folder; whether that was possible. Where the system knows no locks, only waiting succeeds."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield wait
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            locked = True
        except OSError:  # another process is there, or the file system knows no locks
            locked = wait
        yield locked
    finally:
        os.close(descriptor)
