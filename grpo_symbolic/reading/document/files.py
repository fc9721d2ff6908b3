"""The files of a paper: the one that was named, and what it ``\\input``s from its own folder and below."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from grpo_symbolic.reading.places import Place, ReadingError, Source

#: Largest file, in bytes, most files of one paper, and deepest ``\\input`` inside ``\\input``.
MAX_BYTES = 5_000_000
MAX_FILES = 100
MAX_DEPTH = 10

_MARKED = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
BYTE_ORDER_MARK = "\ufeff"
#: Characters that no text has, and how many of them are still taken for slips.
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MOST_CONTROLS = 0.05


class InputRefused(ReadingError):  # noqa: N818 - a finding about the paper, not a failure of ours
    """An ``\\input`` that is not followed: outside the folder, missing, too large or in a circle."""


def read_source(path: Path) -> Source:
    """Read a text file; UTF-8, UTF-16 with its mark, or else Latin-1; every end of a line becomes ``\\n``.

    Raises:
        OSError: the file cannot be read.
        InputRefused: it is larger than ``MAX_BYTES``, or no text.
    """
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    nowhere = Place(Source(path.name, ""), 0, 0)
    if len(content) > MAX_BYTES:
        raise InputRefused(nowhere, f"larger than {MAX_BYTES} bytes")
    text = content.decode(encoding_of(content)).removeprefix(BYTE_ORDER_MARK)
    if len(_CONTROLS.findall(text)) > len(text) * _MOST_CONTROLS:
        raise InputRefused(nowhere, "no text, but binary data")
    return Source(path.name, text.replace("\r\n", "\n").replace("\r", "\n"))


def encoding_of(content: bytes) -> str:
    """The encoding in which a file is read; a mark at its beginning is decoded as a character of the text."""
    encoding = _MARKED.get(content[:2], "utf-8")
    with suppress(UnicodeDecodeError):
        content.decode(encoding)
        return encoding
    return "latin-1"


class Files:
    """Finds the files that a paper includes: on disk below a folder, or in a mapping from names to texts."""

    def __init__(self, folder: Path | None = None, texts: Mapping[str, str] | None = None) -> None:
        self._folder = None if folder is None else folder.resolve()
        self._texts = texts or {}
        self._count = 0

    def open(self, name: str, place: Place, active: tuple[str, ...]) -> Source:
        """Return the text of an included file; ``active`` are the files that are being read, outermost first.

        Raises:
            InputRefused: the file is outside the folder, missing or too large, includes itself, or a limit is reached.
        """
        self._count += 1
        if self._count > MAX_FILES or len(active) > MAX_DEPTH:
            raise InputRefused(place, f"more than {MAX_FILES} files, or {MAX_DEPTH} inside one another")
        for candidate in (f"{name}.tex", name):
            if candidate in active:
                raise InputRefused(place, f"{candidate} includes itself")
            if candidate in self._texts:
                return Source(candidate, self._texts[candidate])
            source = self._on_disk(candidate, place)
            if source is not None:
                return source
        raise InputRefused(place, f"there is no file {name} in the folder of the paper")

    def _on_disk(self, name: str, place: Place) -> Source | None:
        if self._folder is None or "\0" in name:
            return None
        try:
            path = (self._folder / name).resolve()
            if not path.is_relative_to(self._folder):
                raise InputRefused(place, f"{name} is outside the folder of the paper")
            if not path.is_file():
                return None
            return Source(name, read_source(path).text)
        except (OSError, ValueError, RuntimeError) as error:
            raise InputRefused(place, f"{name} cannot be read: {type(error).__name__}") from error
        except InputRefused as refused:
            raise InputRefused(place, refused.reason) from refused
