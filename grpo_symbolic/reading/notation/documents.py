"""A TOML document that knows the line of every entry, and the documents that a paper holds in its comments."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any

from grpo_symbolic.reading.document.scan import MapLine
from grpo_symbolic.reading.notation.map import MapError
from grpo_symbolic.reading.places import Place, ReadingError, Source
from grpo_symbolic.reading.tex.macros import Macro, expand
from grpo_symbolic.reading.tex.tokens import Token, tokens_of

#: Longest notation map, in characters.
MAX_MAP = 500_000
#: Most dots in a line, since the memory for a dotted key grows with the square of its parts.
MAX_DOTS = 500

#: Where LaTeX stands in a map that need not be typed as in the paper.
_LATEX = frozenset({"tex", "alone", "expand", "assume"})
_AT = re.compile(r"\(at line (\d+), column (\d+)\)")
_HEADER = re.compile(r"^[ \t]*\[(?:\[?[ \t]*(?P<name>[\w.]+)[ \t]*\]\]?)?", re.MULTILINE)
_KEY = re.compile(r"""^[ \t]*(?P<entry>(?P<mark>["']?)(?P<key>[^\n]*?)(?P=mark)[ \t]*=[^\n]*)""", re.MULTILINE)
_CHARACTER = re.compile(r"[^\n]")


#: The table of what nobody has looked at yet, which has tables like a map of its own.
GUESSED = "guessed"


class Document:
    """One TOML text; ``data`` is what it says, or what it says in the tables whose names begin with ``prefix``."""

    prefix = ""

    def __init__(self, source: Source, text: str | None = None) -> None:
        """Read the text; it must have the lines of the source if it is not all of it.

        Raises:
            MapError: if it is not TOML.
        """
        self.source = source
        self.text = source.text if text is None else text
        if len(self.text) > MAX_MAP:
            raise MapError(Place(source, 0, 1), f"the map is longer than {MAX_MAP} characters")
        self._refuse_dots()
        try:
            self.data: dict[str, Any] = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            match = _AT.search(str(error))
            offset = source.offset(int(match[1]), int(match[2])) if match else len(self.text.rstrip())
            reason = _AT.sub("", str(error)).replace("(at end of document)", "").strip()
            twice = reason.startswith("Cannot")
            remedy = "it is there twice" if twice else "in TOML, LaTeX stands in single quotes: '\\beta'"
            raise MapError(Place(source, offset, offset + 1), reason, remedy) from error
        except RecursionError as error:
            raise MapError(Place(source, 0, 1), "the map is nested too deeply") from error
        except ValueError as error:  # Python converts no number of thousands of digits
            raise MapError(Place(source, 0, 1), f"a value of the map cannot be read: {error}") from error

    def expanded(self, macros: Mapping[str, Macro]) -> Document:
        """The document with the author's own commands in its LaTeX written out."""
        part = copy(self)
        part.data = {name: _written_out(value, macros) for name, value in self.data.items()}
        return part

    @property
    def guessed(self) -> Document | None:
        """What the document says under ``[guessed]``, if it says anything there.

        Raises:
            MapError: if that is no table.
        """
        found = self.data.get(GUESSED, {})
        if not isinstance(found, dict):
            raise MapError(self.place(GUESSED), f"{GUESSED} is not a table", f"write [{GUESSED}.symbols]")
        return self._part(found, f"{GUESSED}.") if found else None

    @property
    def declared(self) -> Document | None:
        """What the document says elsewhere, if it says anything there."""
        found = {name: value for name, value in self.data.items() if name != GUESSED}
        return self._part(found, "") if found else None

    def _part(self, data: dict[str, Any], prefix: str) -> Document:
        part = copy(self)
        part.data, part.prefix = data, prefix
        return part

    def _refuse_dots(self) -> None:
        start = 0
        for line in self.text.split("\n"):
            if line.count(".") > MAX_DOTS:
                reason = f"a line with more than {MAX_DOTS} dots"
                raise MapError(Place(self.source, start, start + 1), reason, "a key has at most three parts")
            start += len(line) + 1

    def place(self, table: str, number: int = 0, key: str = "") -> Place:
        """Where the ``number``-th table of this name begins, or its line with a key."""
        headers = self._headers.get(f"{self.prefix}{table}", [])
        if not headers:
            return self._find(key or table, 0, len(self.text))
        start, end, following = headers[min(number, len(headers) - 1)]
        return self._find(key, end, following) if key else Place(self.source, start, end)

    @cached_property
    def _headers(self) -> dict[str, list[tuple[int, int, int]]]:
        """Where the tables of each name begin, where their headers end, and where the next table begins."""
        found: dict[str, list[tuple[int, int, int]]] = {}
        matches = list(_HEADER.finditer(self.text))
        ends = [match.start() for match in matches[1:]] + [len(self.text)]
        for match, following in zip(matches, ends, strict=False):
            if match["name"]:
                found.setdefault(match["name"], []).append((match.start(), match.end(), following))
        return found

    @cached_property
    def _keys(self) -> dict[str, list[tuple[int, int]]]:
        """Where the lines stand that set each key."""
        found: dict[str, list[tuple[int, int]]] = {}
        for match in _KEY.finditer(self.text):
            found.setdefault(match["key"], []).append((match.start("entry"), match.end()))
        return found

    def _find(self, key: str, start: int, end: int) -> Place:
        places = self._keys.get(key, [])
        index = bisect_left(places, (start, start))
        if index < len(places) and places[index][1] <= end:
            return Place(self.source, *places[index])
        return Place(self.source, start, start + 1)


def _written_out(value: Any, macros: Mapping[str, Macro], *, latex: bool = False) -> Any:
    match value:
        case dict():
            return {key: _written_out(one, macros, latex=key in _LATEX) for key, one in value.items()}
        case list():
            return [_written_out(one, macros, latex=latex) for one in value]
        case str() if latex:
            try:
                return _typed(expand(tokens_of(Source("map", value)), macros), value)
            except ReadingError:
                return value
    return value


def _typed(tokens: Sequence[Token], before: str) -> str:
    """Tokens as text; what it was before if nothing changed."""
    if "".join(token.text for token in tokens) == "".join(before.split()):
        return before
    typed = ""
    for token in tokens:
        apart = token.spaced or (typed[-1:].isalpha() and token.text[:1].isalpha())
        typed += f" {token.text}" if apart else token.text
    return typed


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
