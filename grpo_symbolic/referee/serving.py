"""The referee for editors and research agents: the Model Context Protocol on standard input and output.

Every call runs the command line in a process of its own, so that what breaks, or takes too long, ends that call and
nothing else, and says so: a call that was not done is an error, and never an answer.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from grpo_symbolic.processes.programs import run_program
from grpo_symbolic.referee.findings import USAGE, Status

_COMMAND = (sys.executable, "-m", "grpo_symbolic")
#: What the command line returns where it has an answer, whatever that is.
_ANSWERED = (0, 1, 3)
_FAILING = (Status.REFUTED.value, Status.NOT_AN_IDENTITY.value)
#: What is told of a step that fails; the rest is told by ``check``.
_TOLD = (
    *("file", "line", "column", "end_line", "end_column", "label", "left", "relation", "right"),
    *("verdict", "repair", "counterexample", "domains", "guesses"),
)
_ABOUT = """Check the mathematics of papers. A finding DECIDED or PROVED holds, SUPPORTED agrees at sampled points
only, REFUTED fails at the counterexample that is given, NOT UNDERSTOOD and UNDECIDED say nothing about the formula.
Without a notation map every domain is a guess, so nothing is refuted: look at the guesses beside each finding."""

Paper = Annotated[
    str, Field(description="Path of the paper: LaTeX (.tex), a notebook, or Markdown or text with $$...$$.")
]
Text = Annotated[str, Field(description="The LaTeX itself, with its formulas displayed, instead of a path.")]
Notation = Annotated[
    str, Field(description="The notation map as TOML. Without it, PAPER with the ending .notation.toml is used.")
]
Only = Annotated[tuple[str, ...], Field(description="Labels or tags of displays; all where there are none.")]
Inline = Annotated[bool, Field(description="Check the formulas inside sentences as well.")]
Place = Annotated[str, Field(description="A line such as 123, line and column such as 123:18, or a label.")]


def server(limit: float) -> MCPServer[Any]:
    """A server whose tools ``check``, ``explain`` and ``repair`` take at most ``limit`` seconds for a call."""
    made: MCPServer[Any] = MCPServer(
        "grpo-symbolic", version=version("grpo-symbolic"), instructions=_ABOUT, log_level="WARNING"
    )
    run = _Runner(limit)

    def check(
        paper: Paper = "", text: Text = "", notation: Notation = "", only: Only = (), inline: Inline = False
    ) -> dict[str, Any]:
        """Check every step of the formulas that a paper displays; the answer is what `check --format json` writes."""
        return run.check(paper, text, notation, only, inline)

    def repair(
        paper: Paper = "", text: Text = "", notation: Notation = "", only: Only = (), inline: Inline = False
    ) -> dict[str, Any]:
        """The steps that fail, each with the smallest edit with which it was decided to hold, if one was found."""
        return _repairs(run.check(paper, text, notation, only, inline))

    def explain(place: Place, paper: Paper = "", text: Text = "", notation: Notation = "") -> str:
        """Tell everything known about the steps at a place: how each token is read, and what was found."""
        with _files(paper, text, notation) as files:
            return run(["explain", *files.options, "--", f"{files.paper}:{place}"], files.folder)

    tools: tuple[Callable[..., Any], ...] = (check, explain, repair)
    for tool in tools:
        made.add_tool(tool, annotations=ToolAnnotations(read_only_hint=True))
    return made


class _Runner:
    def __init__(self, limit: float) -> None:
        self.limit = limit

    def __call__(self, arguments: Sequence[str], folder: Path | None) -> str:
        """What the command line prints when it is started in a folder.

        Raises:
            ToolError: if it cannot read the paper or its map, is not done in time, or ends in another way.
        """
        done = run_program([*_COMMAND, *arguments], seconds=self.limit, input=b"", folder=folder)
        if done is None:
            raise ToolError(f"not done within {self.limit:g} s, so nothing is known; ask for less with only")
        said = done.stderr.decode(errors="replace").strip()
        if done.returncode not in _ANSWERED:
            broke = "" if done.returncode == USAGE else f"ended with the code {done.returncode}: "
            raise ToolError(f"{broke}{said}")
        return done.stdout.decode(errors="replace")

    def check(self, paper: str, text: str, notation: str, only: Sequence[str], inline: bool) -> dict[str, Any]:
        with _files(paper, text, notation) as files:
            options = [*files.options, *(f"--only={name}" for name in only), *(["--inline"] if inline else [])]
            # Behind --, so that no name of a paper is an option.
            arguments = ["check", "--format", "json", *options, "--", str(files.paper)]
            found: dict[str, Any] = json.loads(self(arguments, files.folder))
            return found


class _Files(NamedTuple):
    """The paper, the options that name its map, and the folder from which a text is named like a paper in it."""

    paper: Path
    options: list[str]
    folder: Path | None


@contextmanager
def _files(paper: str, text: str, notation: str) -> Iterator[_Files]:
    """What is to be checked; what came as text stands in a temporary folder meanwhile."""
    if bool(paper) == bool(text):
        raise ToolError("give the path of a paper or a text, and not both")
    with tempfile.TemporaryDirectory(prefix="grpo-symbolic-") as made:
        folder = Path(made)
        if notation:
            (folder / "declared.toml").write_text(notation, encoding="utf-8")
        options = ["--notation", str(folder / "declared.toml")] if notation else []
        if paper:
            yield _Files(Path(paper), options, None)
        else:
            (folder / "paper.tex").write_text(text, encoding="utf-8")
            yield _Files(Path("paper.tex"), options, folder)


def _repairs(checked: dict[str, Any]) -> dict[str, Any]:
    failing = [{key: step[key] for key in _TOLD} for step in checked["steps"] if step["verdict"] in _FAILING]
    return {"failing": failing, "summary": checked["summary"]["text"]}
