"""The Markdown of a Jupyter notebook: a text for each cell, whose lines are counted as its author sees them."""

from __future__ import annotations

import json
import re

from grpo_symbolic.reading.document.files import InputRefused
from grpo_symbolic.reading.places import Place, Source

#: The ending of a notebook.
NOTEBOOK = ".ipynb"
_CELL = re.compile(r"(?P<file>.+\.ipynb), cell (?P<number>\d+)")
_REMEDY = "save it with a current Jupyter, or check its Markdown as a file of its own"


def cells(notebook: Source) -> tuple[Source, ...]:
    """The Markdown cells of a notebook, called ``paper.ipynb, cell 3``; cells of all kinds count, from 1.

    Raises:
        InputRefused: the text is no notebook of format 4.
    """
    try:
        found = json.loads(notebook.text)
    except json.JSONDecodeError as error:
        place = Place(notebook, error.pos, error.pos)
        raise InputRefused(place, f"no notebook, which is JSON: {error.msg}; {_REMEDY}") from error
    except (ValueError, RecursionError) as error:  # a number of very many digits, brackets in very many brackets
        raise _refused(notebook, "no notebook, but JSON that cannot be read") from error
    listed = found.get("cells") if isinstance(found, dict) else None
    if not isinstance(listed, list):
        raise _refused(notebook, "no notebook of format 4, which has a list of cells")
    return tuple(
        Source(f"{notebook.name}, cell {number}", _text(notebook, cell, number))
        for number, cell in enumerate(listed, start=1)
        if isinstance(cell, dict) and cell.get("cell_type") == "markdown"
    )


def cell_of(name: str) -> tuple[str, int] | None:
    """The notebook and the number of a cell, from the name of its text; None for the name of anything else."""
    found = _CELL.fullmatch(name)
    return None if found is None else (found["file"], int(found["number"]))


def _text(notebook: Source, cell: dict[str, object], number: int) -> str:
    text = cell.get("source")
    if isinstance(text, list) and all(isinstance(line, str) for line in text):
        text = "".join(text)
    if not isinstance(text, str):
        raise _refused(notebook, f"cell {number} has no text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _refused(notebook: Source, reason: str) -> InputRefused:
    return InputRefused(Place(notebook, 0, 0), f"{reason}; {_REMEDY}")
