"""Where something stands: a text that was read, a span in it, and the errors that point there."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from grpo_symbolic.errors import GrpoSymbolicError


@dataclass(eq=False)
class Source:
    """One text that is read: the name shown to the user and the characters; compared by identity."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def line_column(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset, both counted from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def offset(self, line: int, column: int = 1) -> int:
        """Return the offset of a line and column, both counted from 1; past the end of the text is its end."""
        if not 1 <= line <= len(self._line_starts):
            return len(self.text)
        return min(self._line_starts[line - 1] + column - 1, len(self.text))


class Place(NamedTuple):
    """The span ``[start, end)`` of one source."""

    source: Source
    start: int
    end: int

    def to(self, last: Place) -> Place:
        """Return the span from here to the end of ``last``; over two sources, only this place."""
        if last.source is not self.source or last.end < self.start:
            return self
        return Place(self.source, self.start, last.end)

    @property
    def line(self) -> int:
        """The line of the first character, from 1."""
        return self.source.line_column(self.start)[0]

    @property
    def column(self) -> int:
        """The column of the first character, from 1."""
        return self.source.line_column(self.start)[1]

    @property
    def text(self) -> str:
        """The characters that stand here."""
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        line, column = self.source.line_column(self.start)
        return f"{self.source.name}:{line}:{column}"


class ReadingError(GrpoSymbolicError):
    """Text that cannot be read; it says where and why, as ``name:line:column: reason``."""

    def __init__(self, place: Place, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class BrokenLatex(ReadingError):  # noqa: N818 - a finding about the paper, not a failure of ours
    """LaTeX with a structural mistake, such as an unbalanced bracket or a double subscript.

    ``code`` says why a display was not read; only ``broken-latex`` is a mistake of the paper.
    """

    code = "broken-latex"


class TooLarge(BrokenLatex):
    """Text over one of the limits of the reader: size, nesting, macro expansion."""

    code = "limit"


class NotRead(BrokenLatex):
    """LaTeX that TeX accepts and that this reader does not follow, or of which it cannot say what it means."""

    def __init__(self, place: Place, reason: str, code: str = "unsupported") -> None:
        super().__init__(place, reason)
        self.code = code


def unforeseen(error: Exception) -> str:
    """What is said of a formula in which the reader itself failed."""
    said = " ".join(str(error).split())[:200]
    return f"not read: internal error, {type(error).__name__}{': ' if said else ''}{said}; please report it"
