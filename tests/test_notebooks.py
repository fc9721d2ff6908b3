"""Notebooks as papers: the formulas of their Markdown cells, with places in cells; what is no notebook is told so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee_here import in_this_process
from typer.testing import CliRunner

from grpo_symbolic.cli import app
from grpo_symbolic.reading.document.files import InputRefused
from grpo_symbolic.reading.document.notebooks import cell_of, cells
from grpo_symbolic.reading.document.paper import read_paper
from grpo_symbolic.reading.places import Source

__all__ = ["in_this_process"]

MAP = '[symbols]\np = { in = "(0, 1)" }\n[[claim]]\nquote = "p + p = 3p"\nkind = "identity"\n'
CELLS = [
    ("markdown", "# Variance\n"),
    ("code", "print('$$ 1 = 2 $$')"),
    ("markdown", "Then\n$$ p(1-p) = p - p^2 $$\nand\n\\begin{align}\n p(1-p)^2 + (1-p)p^2 &= p - p^2 \n\\end{align}\n"),
    ("raw", "$$ 1 = 2 $$"),
    *[("markdown", "only $p = 2p$")] * 6,
    ("markdown", "$$ p + p = 3p $$"),
]


def notebook(path: Path, listed: list[tuple[str, str]], *, lines: bool = True) -> Path:
    made = [
        {"cell_type": kind, "source": text.splitlines(keepends=True) if lines else text, "metadata": {}}
        for kind, text in listed
    ]
    path.write_text(json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return path


def run(*arguments: object):
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.mark.parametrize("lines", [True, False], ids=["lines", "text"])
def test_displays_of_markdown_cells_are_read_with_their_places(tmp_path: Path, lines: bool) -> None:
    paper = read_paper(notebook(tmp_path / "a.ipynb", CELLS, lines=lines))
    places = [str(display.place) for display in paper.displays()]
    assert places == ["a.ipynb, cell 3:2:1", "a.ipynb, cell 3:4:1", "a.ipynb, cell 11:1:1"]
    assert paper.problems == ()


def test_macros_and_words_go_from_cell_to_cell(tmp_path: Path) -> None:
    listed = [("markdown", r"$\newcommand{\q}{p}$"), ("markdown", r"$$ \q = p $$")]
    (display,) = read_paper(notebook(tmp_path / "a.ipynb", listed)).displays()
    assert len(display.steps) == 1


def test_findings_are_told_by_cell_in_their_order(tmp_path: Path, in_this_process: None) -> None:
    (tmp_path / "a.notation.toml").write_text(MAP)
    path = notebook(tmp_path / "a.ipynb", [*CELLS, ("markdown", "$$ p = p $$")])
    found = run("check", path, "--verbose")
    assert found.exit_code == 1, found.output
    told = [line.split(": ")[:2] for line in found.stdout.splitlines() if line.startswith(f"{path}, cell")]
    assert [(place.removeprefix(str(path)), verdict.split()[0]) for place, verdict in told] == [
        (", cell 3:2:4", "DECIDED"),
        (", cell 3:5:2", "DECIDED"),
        (", cell 11:1:4", "REFUTED"),
        (", cell 12:1:4", "DECIDED"),
    ]


@pytest.mark.parametrize(("place", "expected"), [(", cell 11", True), (", cell 11:1", True), (", cell 3:1", False)])
def test_a_step_in_a_cell_is_explained(tmp_path: Path, in_this_process: None, place: str, expected: bool) -> None:
    (tmp_path / "a.notation.toml").write_text(MAP)
    found = run("explain", f"{notebook(tmp_path / 'a.ipynb', CELLS)}{place}")
    assert (found.exit_code == 0) == expected
    assert ("p + p  =  3·p" in found.stdout) == expected
    assert "p(1-p)" not in found.stdout


def test_a_notebook_without_a_display_says_so(tmp_path: Path, in_this_process: None) -> None:
    found = run("check", notebook(tmp_path / "a.ipynb", CELLS[:2]))
    assert found.exit_code == 3
    assert "none of 1 Markdown cells displays a formula, between $$ or \\[ and \\]" in found.output


def test_repairs_are_not_typed_into_a_notebook(tmp_path: Path) -> None:
    path = notebook(tmp_path / "a.ipynb", CELLS)
    before = path.read_bytes()
    found = run("check", path, "--fix")
    assert found.exit_code == 2
    assert "is a notebook, into which repairs are not typed: leave out --fix" in found.stderr
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"cells": [', r"^a\.ipynb:1:12: no notebook, which is JSON: Expecting value; save it with a current Jupyter"),
        ("plain text", r"^a\.ipynb:1:1: no notebook, which is JSON"),
        ("[1, 2]", r"^a\.ipynb:1:1: no notebook of format 4, which has a list of cells"),
        ('{"worksheets": []}', "no notebook of format 4"),
        ('{"cells": [{"cell_type": "markdown", "source": 3}]}', "cell 1 has no text"),
        ('{"cells": [{"cell_type": "markdown", "source": ["a", 1]}]}', "cell 1 has no text"),
        ("[" * 100_000, "no notebook"),
        ('{"cells": ' + "1" * 10_000 + "}", "no notebook"),
    ],
    ids=["cut off", "text", "list", "format 3", "number", "mixed", "nested", "digits"],
)
def test_what_is_no_notebook_is_told(text: str, message: str) -> None:
    with pytest.raises(InputRefused, match=message):
        cells(Source("a.ipynb", text))


def test_what_is_no_notebook_is_an_error_of_use(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text('{"cells": [')
    found = run("check", tmp_path / "a.ipynb")
    assert found.exit_code == 2
    assert "a.ipynb:1:12: no notebook" in found.stderr


@given(st.lists(st.tuples(st.sampled_from(["markdown", "code", "raw"]), st.text(max_size=20)), max_size=5))
def test_every_markdown_cell_is_a_text_and_no_other(listed: list[tuple[str, str]]) -> None:
    made = [{"cell_type": kind, "source": text} for kind, text in listed]
    found = cells(Source("a.ipynb", json.dumps({"cells": made})))
    numbers = [number for number, (kind, _) in enumerate(listed, start=1) if kind == "markdown"]
    assert [cell_of(cell.name) for cell in found] == [("a.ipynb", number) for number in numbers]
    texts = [text.replace("\r\n", "\n").replace("\r", "\n") for kind, text in listed if kind == "markdown"]
    assert [cell.text for cell in found] == texts


@pytest.mark.parametrize("name", ["a.ipynb", "a.tex, cell 3", "a.ipynb, cell x"])
def test_other_names_are_no_cells(name: str) -> None:
    assert cell_of(name) is None
