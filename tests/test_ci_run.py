"""The script that CI runs: a stage that fails or takes too long ends it and says which and why."""

from __future__ import annotations

import os
import re
import sys
import time
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def script():
    loader = SourceFileLoader("ci_run", str(ROOT / ".ci" / "run"))
    module = module_from_spec(spec_from_loader("ci_run", loader))
    sys.modules["ci_run"] = module  # its dataclass looks itself up
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
        yield module
    finally:
        sys.dont_write_bytecode = before
        del sys.modules["ci_run"]


def python(code):
    return [sys.executable, "-c", code]


def test_a_stage_tells_its_time_and_its_budget(script, capfd):
    seconds = script.perform(script.Stage("one", 60, (python("print('done')"),)), 100.0)
    assert seconds > 0
    assert re.fullmatch(r"== one\ndone\n== one: \d+ s of 60 s\n", capfd.readouterr().out)


def test_a_stage_that_fails_is_named(script):
    stage = script.Stage("two", 60, (python("raise SystemExit(7)"), python("print('not reached')")))
    with pytest.raises(SystemExit, match=r"== two: exit code 7 of .*python"):
        script.perform(stage, 100.0)


@pytest.mark.parametrize(
    ("budget", "left", "whose"), [(1, 100.0, "its budget of 1 s"), (60, 1.0, "the 3000 s of all stages")]
)
def test_a_stage_that_takes_too_long_is_ended_with_what_it_started(script, tmp_path, budget, left, whose):
    child = f"import os, time; open(r'{tmp_path}/pid', 'w').write(str(os.getpid())); time.sleep(600)"
    stage = script.Stage("three", budget, (python(f"import subprocess, sys; subprocess.run({python(child)!r})"),))
    with pytest.raises(SystemExit, match=f"== three: not done within {whose}"):
        script.perform(stage, left)
    if (tmp_path / "pid").exists() and (text := (tmp_path / "pid").read_text()):
        while Path(f"/proc/{text}").exists() and "Z" not in Path(f"/proc/{text}/stat").read_text().split()[2]:
            time.sleep(0.01)  # until it is gone; the time limit of tests ends a wait for ever


def test_budgets_and_names(script):
    assert script.TOTAL <= 50 * 60
    assert len({stage.name for stage in script.STAGES}) == len(script.STAGES)
    assert all(0 < stage.budget <= script.TOTAL for stage in script.STAGES)
    with pytest.raises(SystemExit, match="no such stage: nonsense; there are"):
        script.main(["nonsense"])


def test_it_can_be_run(script):
    assert all(os.access(ROOT / ".ci" / name, os.X_OK) for name in ("run", "api", "try_wheel.py"))
