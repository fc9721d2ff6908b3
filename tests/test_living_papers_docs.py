"""What docs/living-papers.md offers is tried: the hook, the workflow, the editor's task, and every command it shows."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
import yaml
from pre_commit.clientlib import load_config, load_manifest
from referee_here import in_this_process
from typer.testing import CliRunner

from grpo_symbolic.cli import app

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "living-papers.md").read_text(encoding="utf-8")
MAP = '[symbols]\nx = "(0, 1)"\n[[claim]]\nquote = "="\nkind = "identity"\n'
PAPER = """\\[ x + x = 3x \\]
text
\\[ x + x = 2x \\]
text
\\[ x = \\mathfrak{q} \\]
text
\\[ x^2^2 = x \\]
text
% grpo-symbolic: ignore refuted because it is quoted
\\[ x = 4x \\]
"""


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("paper", "paper-v1", "paper-v2"):
        (tmp_path / f"{name}.tex").write_text(PAPER)
        (tmp_path / f"{name}.notation.toml").write_text(MAP)
    return tmp_path


def run(words: list[str]):
    assert words[0] == "grpo-symbolic"
    return CliRunner().invoke(app, words[1:])


# pre-commit.


def test_the_hook_is_one_for_pre_commit_and_its_entry_checks_the_paper(folder):
    (hook,) = load_manifest(str(ROOT / ".pre-commit-hooks.yaml"))
    config = folder / ".pre-commit-config.yaml"
    config.write_text(blocks("yaml")[0])
    ((used,),) = [repo["hooks"] for repo in load_config(str(config))["repos"]]
    assert used["id"] == hook["id"]
    assert not hook["pass_filenames"]
    run(["grpo-symbolic", "check", "paper.tex", "--write-baseline", "known.json", "--jobs", "1"])
    command = [*shlex.split(hook["entry"]), *used["args"], "--jobs", "1"]
    assert run(command).exit_code == 0
    (folder / "paper.tex").write_text(PAPER + "\ntext\n\\[ x + 1 = x \\]\n")
    assert run(command).exit_code == 1
    assert re.search(hook["files"], "parts/a.tex")
    assert not re.search(hook["files"], "figure.png")


# GitHub.


def test_the_commands_of_the_workflow_do_what_is_said(folder):
    workflow = yaml.safe_load(blocks("yaml")[1])
    steps = workflow["jobs"]["check"]["steps"]
    github, sarif = (step["run"] for step in steps if step.get("run", "").startswith("grpo-symbolic"))
    run(["grpo-symbolic", "check", "paper.tex", "--write-baseline", "known.json", "--jobs", "1"])
    assert run([*shlex.split(github), "--jobs", "1"]).exit_code == 0
    command, _, target = sarif.partition(" > ")
    found = run([*shlex.split(command), "--jobs", "1"])
    (upload,) = [step["with"]["sarif_file"] for step in steps if "upload-sarif" in step.get("uses", "")]
    assert target == upload
    assert json.loads(found.stdout)["version"] == "2.1.0"
    (written,) = [step for step in steps if step.get("run") == sarif]
    assert found.exit_code == 1
    assert written["continue-on-error"] is True


# Visual Studio Code.


def test_the_problem_matchers_read_what_is_printed(folder):
    (task,) = json.loads(blocks("json")[0])["tasks"]
    command = [task["command"], *(word.replace("${relativeFile}", "paper.tex") for word in task["args"]), "--jobs", "1"]
    lines = run(command).output.splitlines()
    found = []
    for matcher in task["problemMatcher"]:
        pattern = matcher["pattern"]
        # What of JavaScript's expressions is used here means the same in Python.
        for match in filter(None, (re.search(pattern["regexp"], line) for line in lines)):
            said = {name: match[pattern[name]] for name in ("file", "line", "column", "code")}
            found.append((matcher["severity"], *said.values()))
            assert match[pattern["message"]].startswith(("step", "display"))
    assert found == [
        ("error", "paper.tex", "1", "4", "REFUTED"),
        ("error", "paper.tex", "7", "7", "BROKEN"),
        ("warning", "paper.tex", "5", "4", "UNDECIDED"),
    ]


# Every command.


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for block in blocks("sh") for line in block.splitlines()])
def test_every_command_is_understood(folder, line):
    run(["grpo-symbolic", "check", "paper.tex", "--write-baseline", "known.json", "--jobs", "1"])
    found = run([*shlex.split(line, comments=True), "--jobs", "1"])
    assert found.exit_code in (0, 1, 3), found.output
    assert "Traceback" not in found.output
