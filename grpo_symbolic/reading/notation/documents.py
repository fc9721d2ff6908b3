"""A TOML document that knows the line of every entry, and the documents that a paper holds in its comments."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from grpo_symbolic.reading.document.scan import MapLine
from grpo_symbolic.reading.notation.map import MapError
from grpo_symbolic.reading.places import Place, Source

#: Longest notation map, in characters.
MAX_MAP = 500_000

_AT = re.compile(r"\(at line (\d+), column (\d+)\)")
_CHARACTER = re.compile(r"[^\n]")


class Document:
    """One TOML text; ``data`` is what it says."""

    def __init__(self, source: Source, text: str | None = None) -> None:
        """Read the text; it must have the lines of the source if it is not all of it.

        Raises:
            MapError: if it is not TOML.
        """
        self.source = source
        self.text = source.text if text is None else text
        if len(self.text) > MAX_MAP:
            raise MapError(Place(source, 0, 1), f"the map is longer than {MAX_MAP} characters")
        try:
            self.data: dict[str, Any] = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            match = _AT.search(str(error))
            offset = source.offset(int(match[1]), int(match[2])) if match else len(self.text.rstrip())
            reason = _AT.sub("", str(error)).strip()
            remedy = "in TOML, LaTeX stands in single quotes: '\\beta'"
            raise MapError(Place(source, offset, offset + 1), reason, remedy) from error
        except RecursionError as error:
            raise MapError(Place(source, 0, 1), "the map is nested too deeply") from error

    def place(self, table: str, number: int = 0, key: str = "") -> Place:
        """Where the ``number``-th table of this name begins, or its line with a key."""
        headers = list(re.finditer(rf"^[ \t]*\[\[?[ \t]*{re.escape(table)}[ \t]*\]\]?", self.text, re.MULTILINE))
        if not headers:
            return self._find(key or table, 0, len(self.text))
        header = headers[min(number, len(headers) - 1)]
        following = re.compile(r"^[ \t]*\[", re.MULTILINE).search(self.text, header.end())
        if not key:
            return Place(self.source, header.start(), header.end())
        return self._find(key, header.end(), following.start() if following else len(self.text))

    def _find(self, key: str, start: int, end: int) -> Place:
        pattern = re.compile(rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*=[^\n]*", re.MULTILINE)
        match = pattern.search(self.text, start, end)
        if match is None:
            return Place(self.source, start, start + 1)
        return Place(self.source, match.start() + len(match[0]) - len(match[0].lstrip()), match.end())


def documents_in(lines: Iterable[MapLine]) -> Iterator[Document]:
    """The maps in the comments of a paper, ``%:`` in LaTeX and ``<!--: -->`` in Markdown; neighbours are one document.

    Raises:
        MapError: if one of them is not TOML.
    """
    group: list[Place] = []
    for line in lines:
        if group and not _adjacent(group[-1], line.place):
            yield _document(group)
            group = []
        group.append(line.place)
    if group:
        yield _document(group)


def _adjacent(before: Place, after: Place) -> bool:
    between = before.source.text[before.end : after.start]
    return before.source is after.source and not re.sub(r"%:|<!--:|-->", "", between).strip()


def _document(places: Sequence[Place]) -> Document:
    """A document with everything blank but these lines, so that its lines and columns are those of the paper."""
    source = places[0].source
    pieces: list[str] = []
    end = 0
    for place in places:
        pieces += [_CHARACTER.sub(" ", source.text[end : place.start]), place.text]
        end = place.end
    return Document(source, "".join(pieces))
