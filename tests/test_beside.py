"""Work in a copy of the process: files are what it leaves, and what it raises is raised."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from grpo_symbolic.errors import CheckError, ReportError
from grpo_symbolic.processes import beside as processes
from grpo_symbolic.processes.beside import beside


class _UnspeakableError(Exception):
    """An error that cannot travel."""

    def __init__(self) -> None:
        super().__init__("no words")
        self.kept = lambda: None


def _raising(error: Exception) -> Callable[[], None]:
    def work() -> None:
        raise error

    return work


@pytest.mark.parametrize(("helps", "worth"), [(True, True), (False, True), (True, False)])
def test_the_work_is_done_when_the_block_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, helps: bool, worth: bool
) -> None:
    if helps and not hasattr(os, "fork"):
        pytest.skip("this system makes no copies of processes")
    monkeypatch.setattr(processes, "_HELPS", helps)

    def work() -> None:
        (tmp_path / "made").write_text(str(os.getpid()))

    with beside(work, worth=worth):
        mine = os.getpid()
    assert ((tmp_path / "made").read_text() == str(mine)) is not (helps and worth)


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (ReportError("figure f: it has neither curves nor regions"), ReportError, "neither curves nor regions"),
        (OSError(28, "No space left on device"), OSError, "No space left"),
        (_UnspeakableError(), CheckError, "_UnspeakableError: no words"),
    ],
)
def test_what_the_work_raises_is_raised_after_the_block(
    monkeypatch: pytest.MonkeyPatch, error: Exception, kind: type[Exception], message: str
) -> None:
    monkeypatch.setattr(processes, "_HELPS", hasattr(os, "fork"))
    reached = False
    with pytest.raises(kind, match=message), beside(_raising(error)):
        reached = True
    assert reached


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system makes no copies of processes")
def test_a_copy_that_dies_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_HELPS", True)
    death = pytest.raises(CheckError, match=r"a copy of this process died \(exit code -9\)")
    with death, beside(lambda: os.kill(os.getpid(), signal.SIGKILL)):
        pass


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system makes no copies of processes")
def test_work_is_given_up_if_the_block_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_HELPS", True)

    def work() -> None:
        time.sleep(60)
        (tmp_path / "late").touch()

    started = time.monotonic()
    with pytest.raises(ReportError, match="of the block"), beside(work):
        raise ReportError("of the block")
    assert time.monotonic() - started < 30, "the block waited for work that nobody wants"
    assert not (tmp_path / "late").exists()
