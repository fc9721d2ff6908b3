"""The console on which commands print, apart from what they print, so that it is there at once."""

from __future__ import annotations

from rich.console import Console

#: Wide enough for a table when nobody's window sets the width, as in a pipe or a log.
LOG_WIDTH = 160


def console() -> Console:
    """A console on standard output that prints text as it is: mathematics is full of square brackets."""
    plain = Console(markup=False, emoji=False, highlight=False)
    if plain.is_terminal:
        return plain
    return Console(markup=False, emoji=False, highlight=False, width=LOG_WIDTH)
