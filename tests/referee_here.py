"""The referee without its worker processes, which take a second to start; the processes have tests of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.reading.clock import Late, guarded
from grpo_symbolic.referee import check, workers
from grpo_symbolic.referee.answers import Answer, respond
from grpo_symbolic.referee.check import Options
from grpo_symbolic.referee.findings import Finding, Status
from grpo_symbolic.referee.workers import Answering


def answer_here(tasks, settings, timeout: float = 300.0) -> dict[int, Answer]:
    """Answer in this process, and leave open what takes more seconds of the processor."""
    return {number: _answer(task, settings, timeout) for number, task in tasks.items()}


def _answer(task, settings, timeout: float) -> Answer:
    try:
        with guarded(timeout):
            return respond(task, settings, lambda method: None)
    except Late:
        return Answer(Status.UNDECIDED, 0, "timeout", f"it took more than {timeout:g} s")


@contextmanager
def answering_here(settings, *, jobs=None, memory=0, ahead=False) -> Iterator[Answering]:
    """Answer any number of rounds in this process."""
    yield lambda tasks, *, timeout, listener=None: answer_here(tasks, settings, timeout)


#: For steps that are settled at once or not at all.
QUICK = Options(Settings(points=24, effort=1_000, boxes=1_000), timeout=20, jobs=1)


def findings(folder: Path, *displays: str) -> tuple[Finding, ...]:
    """What is found in a paper of some displays, for which there is no map."""
    paper = folder / "p.md"
    paper.write_text("\n\n".join(f"$${display}$$" for display in displays) + "\n")
    return check.check_paper(paper, QUICK).findings


@pytest.fixture(scope="module")
def in_this_process() -> Iterator[None]:
    """Let the tests of a module check papers in this process."""
    with pytest.MonkeyPatch.context() as patch:
        # The command takes it from where it is defined.
        for module in (check, workers):
            patch.setattr(module, "answering", answering_here)
        yield
