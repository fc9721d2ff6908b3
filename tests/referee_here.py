"""The referee without its worker processes, which take a second to start; the processes have tests of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grpo_symbolic.referee import check
from grpo_symbolic.referee.answers import Answer, answer, repair
from grpo_symbolic.referee.questions import Repair


def answer_here(tasks, settings, *, timeout, jobs=None, memory=0, listener=None) -> dict[int, Answer]:
    """Answer in this process."""
    return {
        number: repair(task, settings) if isinstance(task, Repair) else answer(task, settings, lambda method: None)
        for number, task in tasks.items()
    }


@pytest.fixture(scope="module")
def in_this_process() -> Iterator[None]:
    """Let the tests of a module check papers in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check, "answer_all", answer_here)
        yield
