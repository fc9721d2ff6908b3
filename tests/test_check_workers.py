"""Questions in processes that can be killed: limits of time and memory, and findings that do not depend on them."""

from __future__ import annotations

import functools
import os
import signal

import pytest
from referee_here import answering_here

from grpo_symbolic import cosh, eq, exp, gt, log, real
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.referee import check, workers
from grpo_symbolic.referee.answers import respond
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.findings import Status
from grpo_symbolic.referee.questions import Question
from grpo_symbolic.referee.workers import answering

x = real("x", "(0, 1)", "a number")
QUICK = Settings(points=40, digits=20, effort=2_000, boxes=2_000)


def question(statement) -> Question:
    return Question((statement,), (statement,), ((),), asserted=True, conditional=False)


@pytest.mark.slow
def test_findings_are_those_of_one_process(tmp_path, monkeypatch):
    (tmp_path / "p.md").write_text('%: [symbols]\n%: x = "(0, 1)"\n$$ x^2 = x \\cdot x = x^3 > 0 $$\n')

    def findings():
        review = check_paper(tmp_path / "p.md", Options(QUICK, timeout=300, jobs=2))
        return [(one.place, one.status, one.counterexample, one.repair, one.reason) for one in review.findings]

    there = findings()
    monkeypatch.setattr(check, "answering", answering_here)
    assert there == findings()
    assert [one[1].value for one in there] == ["DECIDED", "REFUTED", "DECIDED"]


@pytest.mark.slow
def test_a_step_that_runs_over_is_left_and_the_others_go_on():
    endless = gt(exp(cosh(x)) * log(1 + x), 0)
    tasks = {1: question(endless), 2: question(endless)}
    with answering(Settings(points=100_000, digits=3_000, first_points=100_000), jobs=1) as answer:
        found = answer(tasks, timeout=2)
    assert [found[number].status for number in tasks] == [Status.UNDECIDED] * 2
    assert {one.code for one in found.values()} == {"timeout"}
    assert found[1].reason == "stopped after 2 s in numeric"


def _dying(settings):
    """An engine that dies of what mentions 13."""
    return functools.partial(_die_of_13, settings)


def _die_of_13(settings, task, tell):
    """Answer as usual, but die of what mentions 13, and break on what mentions 14."""
    said = str(task.statements[0])
    if "13" in said:
        os.kill(os.getpid(), signal.SIGKILL)
    if "14" in said:
        raise LookupError("nothing there")
    return respond(task, settings, tell)


@pytest.mark.slow
def test_what_breaks_or_kills_a_process_takes_only_its_question_with_it(monkeypatch):
    monkeypatch.setattr(workers, "_engine", _dying)
    tasks = {1: question(eq(x, 13)), 2: question(eq(x, 14)), 3: question(eq(x + x, 2 * x))}
    told = []
    with answering(QUICK, jobs=1) as answer:
        found = answer(tasks, timeout=300, listener=lambda *heard: told.append(heard))
    assert [(one.status, one.code) for one in found.values()][:2] == [
        (Status.UNDECIDED, "died"),
        (Status.UNDECIDED, "failed"),
    ]
    assert found[1].reason == "its process died (killed by SIGKILL; its limit of memory is 4096 MB)"
    assert found[2].reason == "the engine broke: LookupError: nothing there"
    assert found[3].status is Status.DECIDED
    assert told == list(found.items())


@pytest.mark.parametrize(("jobs", "timeout"), [(0, 1.0), (1, 0.0)])
def test_no_room_for_work_is_refused(jobs, timeout):
    with pytest.raises(DeclarationError, match="check anything"), answering(QUICK, jobs=jobs) as answer:
        answer({}, timeout=timeout)
