"""The table of findings as it is printed: what each means, and the exit code of a run in which it is the worst."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from grpo_symbolic.referee.findings import MEANINGS

_COLUMNS = ("finding", "with a map", "and --allow-unchecked", "without a map", "a step that")


def rows() -> Iterator[tuple[str, ...]]:
    """The table in words, row by row, the first one with the names of the columns."""
    yield _COLUMNS
    for status, meaning in MEANINGS.items():
        guessed = "never said" if meaning.guessed is None else str(meaning.guessed)
        yield status.value, str(meaning.declared), str(meaning.allowed), guessed, meaning.says


def as_text(width: int = 76) -> str:
    """The table for a terminal: the exit codes in columns, and below each what it says."""
    heads, *body = rows()
    lines = [f"{'finding, a step that':<34}{heads[1]:>10}{heads[2]:>23}{heads[3]:>15}".rstrip()]
    for name, declared, allowed, guessed, says in body:
        lines.append(f"{name:<34}{declared:>10}{allowed:>23}{guessed:>15}")
        lines += wrap(says, width, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines)


def as_markdown() -> str:
    """The table for the documentation."""
    heads, *body = rows()
    return "\n".join([_line(heads), "|" + "---|" * len(heads), *map(_line, body)])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
