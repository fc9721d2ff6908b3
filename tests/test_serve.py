"""The server for editors and agents, asked by a real client over standard input and output."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from typer.testing import CliRunner

from grpo_symbolic.cli import app

EXAMPLE = Path(__file__).resolve().parent.parent / "docs" / "example"
WRONG = r"\begin{equation} \label{eq:square} (x + y)^2 = x^2 + x y + y^2 \end{equation}"
MAP = '[symbols]\nx = "(0, 1)"\ny = "(0, 1)"\n[[claim]]\nlabel = "eq:square"\nkind = "identity"\n'


def asked(*questions: tuple[str, dict[str, object]], limit: float = 200):
    """The answers of a server to some calls of its tools, in order."""

    async def ask():
        started = StdioServerParameters(
            command=sys.executable, args=["-m", "grpo_symbolic", "serve", "--limit", str(limit)]
        )
        async with Client(stdio_client(started)) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            return tools, [await client.call_tool(name, arguments) for name, arguments in questions]

    return anyio.run(ask)


def said(answer) -> str:
    return "".join(block.text for block in answer.content)


@pytest.fixture(scope="module")
def conversation():
    paper = str(EXAMPLE / "variance.tex")
    return asked(
        ("check", {"paper": paper}),
        ("repair", {"paper": paper}),
        ("explain", {"paper": paper, "place": "9:50"}),
        ("check", {"text": WRONG, "notation": MAP}),
        ("repair", {"text": WRONG}),
        ("check", {"paper": str(EXAMPLE / "nowhere.tex")}),
        ("check", {"paper": paper, "text": WRONG}),
        ("check", {"text": WRONG, "notation": "[symbols"}),
        ("check", {"paper": paper, "only": ["eq:nothing"]}),
        ("check", {"paper": "--help"}),
    )


@pytest.mark.slow
def test_the_tools_are_named_and_a_paper_is_checked(conversation):
    tools, (checked, *_) = conversation
    assert tools == {"check", "explain", "repair"}
    assert not checked.is_error
    assert checked.structured_content["summary"]["exit_code"] == 1
    refuted = [step for step in checked.structured_content["steps"] if step["verdict"] == "REFUTED"]
    assert [(step["line"], step["repair"]) for step in refuted] == [(9, "p²/2 -> p²")]


@pytest.mark.slow
def test_repairs_and_explanations_are_those_of_the_command_line(conversation):
    _, (_, repaired, explained, *_) = conversation
    (failing,) = repaired.structured_content["failing"]
    assert (failing["line"], failing["verdict"], failing["repair"]) == (9, "REFUTED", "p²/2 -> p²")
    shown = CliRunner().invoke(app, ["explain", f"{EXAMPLE / 'variance.tex'}:9:50"])
    assert shown.exit_code == 0
    assert said(explained) == shown.output


@pytest.mark.slow
def test_a_text_is_checked_with_its_map_and_never_refuted_without(conversation):
    _, (_, _, _, declared, guessed, *_) = conversation
    (step,) = declared.structured_content["steps"]
    assert (step["file"], step["verdict"]) == ("paper.tex", "REFUTED")
    (failing,) = guessed.structured_content["failing"]
    assert failing["verdict"] == "NOT AN IDENTITY"
    assert {one["name"] for one in failing["guesses"]} == {"x", "y"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "message"),
    [
        (5, "nowhere.tex: No such file"),
        (6, "the path of a paper or a text, and not both"),
        (7, "declared.toml"),
        (8, "no display with the label or tag eq:nothing"),
        (9, "--help: No such file"),
    ],
)
def test_what_cannot_be_answered_is_an_error_that_says_why(conversation, number, message):
    _, answers = conversation
    assert answers[number].is_error
    assert message in said(answers[number])


@pytest.mark.slow
def test_a_call_that_takes_too_long_is_an_error_and_the_server_goes_on():
    slow = r"\[ " + " + ".join(rf"\int_0^1 \sin(x^{{{n}}}) e^{{x}} dx" for n in range(2, 40)) + r" = 3 \]"
    _, (late, other) = asked(("check", {"text": slow}), ("check", {}), limit=1)
    assert late.is_error
    assert "not done within 1 s, so nothing is known" in said(late)
    assert "the path of a paper or a text" in said(other)


def test_without_its_package_the_server_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr("grpo_symbolic.referee.commands.find_spec", lambda name: None)
    shown = CliRunner().invoke(app, ["serve"])
    assert shown.exit_code == 2
    assert "pip install 'grpo-symbolic[serve]'" in shown.output
