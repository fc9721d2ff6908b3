"""Questions in processes that can be killed: limits of time and memory, and findings that do not depend on them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from referee_here import answer_here

from grpo_symbolic import cosh, eq, exp, gt, log, real
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.evidence import Settings
from grpo_symbolic.referee import check, workers
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.findings import Status
from grpo_symbolic.referee.questions import Question
from grpo_symbolic.referee.workers import answer_all

x = real("x", "(0, 1)", "a number")
QUICK = Settings(points=40, digits=20, effort=2_000, boxes=2_000)


def question(statement) -> Question:
    return Question((statement,), (statement,), ((),), asserted=True, conditional=False)


def test_findings_are_those_of_one_process(tmp_path, monkeypatch):
    (tmp_path / "p.md").write_text('%: [symbols]\n%: x = "(0, 1)"\n$$ x^2 = x \\cdot x = x^3 > 0 $$\n')

    def findings():
        review = check_paper(tmp_path / "p.md", Options(QUICK, timeout=30, jobs=2))
        return [(one.place, one.status, one.counterexample, one.repair, one.reason) for one in review.findings]

    there = findings()
    monkeypatch.setattr(check, "answer_all", answer_here)
    assert there == findings()
    assert [one[1].value for one in there] == ["DECIDED", "REFUTED", "DECIDED"]


def test_a_step_that_runs_over_is_left_and_the_others_go_on():
    endless = gt(exp(cosh(x)) * log(1 + x), 0)
    tasks = {1: question(endless), 2: question(endless), 3: question(endless)}
    started = time.monotonic()
    found = answer_all(tasks, Settings(points=100_000, digits=3_000), timeout=0.4, jobs=1)
    assert time.monotonic() - started < 60
    assert [found[number].status for number in tasks] == [Status.UNDECIDED] * 3
    assert {one.code for one in found.values()} == {"timeout"}
    assert found[1].reason == "stopped after 0.4 s in numeric"


def _die_once(pipe, settings, memory) -> None:
    """Serve as usual, but die of the first question that mentions 13."""
    pipe.send("ready")
    while True:
        task = pipe.recv()
        if "13" in str(task.statements[0]):
            os._exit(9)
        pipe.send(workers.answer(task, settings, pipe.send))


def test_a_process_that_dies_takes_only_its_question_with_it(monkeypatch):
    monkeypatch.setattr(workers, "_serve", _die_once)
    tasks = {1: question(eq(x, 13)), 2: question(eq(x + x, 2 * x))}
    found = answer_all(tasks, QUICK, timeout=30, jobs=1)
    assert (found[1].status, found[1].code) == (Status.UNDECIDED, "memory")
    assert "its process died" in found[1].reason
    assert found[2].status is Status.DECIDED


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is limited on Linux: run there")
def test_a_process_has_a_limit_of_memory():
    hungry = "from grpo_symbolic.referee import workers; workers._limit_memory(2**29); bytearray(2**30)"
    found = subprocess.run([sys.executable, "-c", hungry], capture_output=True, text=True, check=False)
    assert found.returncode != 0
    assert "MemoryError" in found.stderr


@pytest.mark.parametrize(("jobs", "timeout"), [(0, 1.0), (1, 0.0)])
def test_no_room_for_work_is_refused(jobs, timeout):
    with pytest.raises(DeclarationError, match="cannot check anything"):
        answer_all({}, QUICK, timeout=timeout, jobs=jobs)
