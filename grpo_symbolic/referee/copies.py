"""Copies of the files of a paper with changes in them, in the encoding and with the line ends that they had."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from grpo_symbolic.errors import LibraryError
from grpo_symbolic.reading.document.files import BYTE_ORDER_MARK, encoding_of
from grpo_symbolic.reading.places import Source

_LINE_END = re.compile("\r\n")

#: A change of a text: from one offset to another, what is written instead.
Replaced = tuple[int, int, str]


def changed(text: str, replaced: Iterable[Replaced]) -> str:
    """A text with some places in it replaced, no two of which overlap."""
    pieces: list[str] = []
    position = 0
    for start, end, new in sorted(replaced):
        pieces += [text[position:start], new]
        position = end
    return "".join([*pieces, text[position:]])


def changed_bytes(content: bytes, replaced: Iterable[Replaced]) -> bytes:
    """A file with some places replaced, whose offsets are those of the text that was read from it."""
    encoding = encoding_of(content)
    raw = content.decode(encoding)
    mark = BYTE_ORDER_MARK if raw.startswith(BYTE_ORDER_MARK) else ""
    raw = raw.removeprefix(mark)
    # Reading makes one character of the two that end a line on Windows.
    ends = [match.start() - number for number, match in enumerate(_LINE_END.finditer(raw))]
    moved = [(_before(ends, start), _before(ends, end), new) for start, end, new in replaced]
    return (mark + changed(raw, moved)).encode(encoding)


def _before(ends: Sequence[int], offset: int) -> int:
    return offset + sum(end < offset for end in ends)


def target_of(path: Path, sources: Sequence[Source], touched: Iterable[str], out: Path | None) -> Path:
    """Where the copy of a paper goes: beside it, or where ``out`` says, a folder for a paper of several files.

    Raises:
        LibraryError: there is only one file for the copy, and one that the paper includes is to be changed, or would
            not be found from there.
    """
    chosen = out if out is not None else path.with_name(f"{path.stem}.fixed{path.suffix}")
    if is_folder(chosen):
        return chosen
    remedy = f"name a folder for a copy of all files: --out {path.stem}.fixed/"
    included = [name for name in touched if name != sources[0].name]
    if included:
        raise LibraryError(f"{path.parent / included[0]} is to be changed, which {path} includes; {remedy}")
    if len(sources) > 1 and chosen.resolve().parent != path.resolve().parent:
        raise LibraryError(f"{path} includes files that are not beside {chosen}; {remedy}")
    return chosen


def is_folder(target: Path) -> bool:
    """Whether a place for a copy is a folder: one that is there, or a name without an ending that a file has."""
    return target.is_dir() or target.suffix not in (".tex", ".ltx", ".md", ".txt", ".markdown")


def write_copy(
    path: Path, sources: Sequence[Source], replaced: Mapping[str, Sequence[Replaced]], target: Path, *, force: bool
) -> tuple[Path, ...]:
    """Write the paper, or all files of it into a folder, with the changes in them; return what was written.

    Raises:
        LibraryError: a file is there already and ``force`` does not say to overwrite it, or it would be outside of the
            folder.
    """
    names = list(dict.fromkeys(source.name for source in sources)) if is_folder(target) else [sources[0].name]
    planned = {name: target / name if is_folder(target) else target for name in names}
    originals = {name: path if name == sources[0].name else path.parent / name for name in names}
    for name, copy in planned.items():
        if is_folder(target) and not copy.resolve().is_relative_to(target.resolve()):
            raise LibraryError(f"{originals[name]} would be copied to {copy}, outside of {target}")
        if copy.exists() and copy.resolve() in {one.resolve() for one in originals.values()}:
            raise LibraryError(f"{copy} is the paper itself; --in-place changes that")
        if copy.exists() and not force:
            raise LibraryError(f"{copy} is there already; --force overwrites it")
    for name, copy in planned.items():
        content = originals[name].read_bytes()
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(changed_bytes(content, replaced.get(name, ())))
    return tuple(planned.values())


def write_in_place(path: Path, sources: Sequence[Source], replaced: Mapping[str, Sequence[Replaced]]) -> None:
    """Change the files of a paper themselves."""
    for name, places in replaced.items():
        file = path if name == sources[0].name else path.parent / name
        file.write_bytes(changed_bytes(file.read_bytes(), places))
