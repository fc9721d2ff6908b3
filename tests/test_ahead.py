"""Programs that are started ahead: they begin when told, and not at all if they are no longer what they were."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest
from test_builds_kept import MODULE
from typer.testing import CliRunner

from grpo_symbolic.cli import app
from grpo_symbolic.processes.ahead import STALE, Ahead
from grpo_symbolic.report import unchanged

PROGRAM = """
import sys
from pathlib import Path
from grpo_symbolic.processes.ahead import prepare, told
prepare()
Path(sys.argv[1], "ready").touch()
if told():
    Path(sys.argv[1], "begun").touch()
    sys.exit(7)
"""


def program(folder):
    return Ahead([sys.executable, "-c", PROGRAM, str(folder)])


def wait_for(path):
    while not path.exists():
        time.sleep(0.01)


def test_a_program_begins_when_it_is_told_and_hears_no_interrupt_before(tmp_path):
    one = program(tmp_path)
    wait_for(tmp_path / "ready")
    one._process.send_signal(signal.SIGINT)
    assert not (tmp_path / "begun").exists()
    assert one.begin() == 7
    assert (tmp_path / "begun").exists()


def test_a_program_hears_no_interrupt_while_it_starts(tmp_path):
    one = program(tmp_path)
    one._process.send_signal(signal.SIGINT)
    wait_for(tmp_path / "ready")
    assert one.begin() == 7


def test_a_program_that_died_while_it_waited_is_to_be_started_anew(tmp_path):
    one = program(tmp_path)
    wait_for(tmp_path / "ready")
    one._process.kill()
    one._process.wait()
    assert one.begin() == STALE
    assert not (tmp_path / "begun").exists()


def test_a_program_that_is_not_needed_leaves_nothing(tmp_path):
    one = program(tmp_path)
    wait_for(tmp_path / "ready")
    one.end()
    assert one._process.returncode == -signal.SIGKILL
    assert not (tmp_path / "begun").exists()


@pytest.fixture
def build(tmp_path, monkeypatch):
    """A report that was started ahead, as its exit code and its files; told to begin by a text."""
    monkeypatch.setattr(signal, "signal", lambda *rest: None)
    folder = tmp_path / f"ahead_{tmp_path.name}"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "some.py").write_text(MODULE)

    def run(told, *further):
        out = tmp_path / f"out{len(further)}"
        command = ["report", folder, "--out", out, "--no-pdf", "--points", 20, "--jobs", 1, "--no-cache", *further]
        found = CliRunner().invoke(app, list(map(str, command)), input=told)
        return found.exit_code, {path.name for path in out.rglob("*")} if out.exists() else set()

    return run


@pytest.mark.slow
def test_a_report_that_was_started_ahead_is_the_same_report(build):
    code, files = build("\n", "--ahead")
    assert (code, files) == build("")
    assert "results.json" in files


def test_a_report_that_nobody_asks_for_is_not_made(build):
    assert build("", "--ahead") == (0, set())


def test_a_program_that_has_changed_since_it_was_started_does_not_begin(build, monkeypatch):
    found = iter([("one",), ("another",)])
    monkeypatch.setattr(unchanged, "program", lambda: next(found))
    assert build("\n", "--ahead") == (STALE, set())


def test_what_is_installed_and_every_file_of_the_package_count(monkeypatch, tmp_path):
    monkeypatch.setattr(unchanged, "_PACKAGE", tmp_path)
    (tmp_path / "one.py").write_text("a = 1")
    seen = {unchanged.program()}
    (tmp_path / "one.py").write_text("a = 2")
    seen.add(unchanged.program())
    (tmp_path / "template.html").write_text("")
    seen.add(unchanged.program())
    monkeypatch.setattr(unchanged, "_surroundings", lambda: "others")
    seen.add(unchanged.program())
    assert len(seen) == 4


def test_a_file_that_was_changed_and_changed_back_counts(monkeypatch, tmp_path):
    """A process that was started meanwhile may have imported it as it was between."""
    monkeypatch.setattr(unchanged, "_PACKAGE", tmp_path)
    (tmp_path / "one.py").write_text("a = 1")
    before = unchanged.program()
    assert unchanged.program() == before
    os.utime(tmp_path / "one.py", ns=(0, 0))
    assert unchanged.program() != before
