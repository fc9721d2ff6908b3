"""A paper's source as arXiv hands it out: an archive, of which only text is taken out, within limits.

Whoever wrote the archive is not trusted. Nothing is written but regular files with the endings below, opened by us in a
folder of our own; names that leave it, links that leave it and devices refuse the archive as a whole; what is unpacked
is counted while it is unpacked, whatever the archive says about sizes.
"""

from __future__ import annotations

import gzip
import io
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from stat import S_IFMT, S_ISDIR, S_ISREG
from tempfile import TemporaryDirectory
from typing import IO

from grpo_symbolic.errors import LibraryError

ENDINGS = (".tar.gz", ".tgz", ".tar", ".zip", ".gz")
#: What is taken out; figures, fonts and styles hold no formulas.
_TEXTS = (".tex", ".ltx", ".md", ".txt", ".bbl", ".toml")
#: Largest archive, most bytes that it unpacks to, most that are kept, and most members.
MAX_ARCHIVE = 200_000_000
MAX_UNPACKED = 300_000_000
MAX_KEPT = 50_000_000
MAX_MEMBERS = 5_000
#: Largest table of contents of a zip archive, in bytes; it is read as a whole.
MAX_CONTENTS = 4_000_000
_CHUNK = 1 << 16
#: What the standard library raises for archives that are damaged or written in a way that it does not know.
_DAMAGED = (tarfile.TarError, zipfile.BadZipFile, zlib.error, gzip.BadGzipFile, EOFError, RuntimeError, ValueError)
#: Where the end of a zip archive is looked for: its record with the longest comment.
_END_OF_ZIP = (1 << 16) + 22
_CLASS = re.compile(r"^[^%\n]*\\document(?:class|style)\b", re.MULTILINE)
_BEGIN = re.compile(r"^[^%\n]*\\begin\s*\{document\}", re.MULTILINE)


class ArchiveRefused(LibraryError):  # noqa: N818 - a finding about the archive, not a failure of ours
    """An archive that is too large, damaged, or reaches out of its folder; or has no one main file."""


def is_archive(path: Path) -> bool:
    """Whether a file is taken for an archive, by its ending."""
    return path.name.lower().endswith(ENDINGS)


def stem_of(path: Path) -> str:
    """The name of an archive without its ending."""
    ending = next((one for one in ENDINGS if path.name.lower().endswith(one)), "")
    return path.name[: len(path.name) - len(ending)]


@contextmanager
def unpacked(path: Path, main: str | None = None) -> Iterator[tuple[Path, Path]]:
    """A temporary folder with the text of an archive, and its main file; ``main`` names that, if there are several.

    Raises:
        OSError: the archive cannot be read.
        ArchiveRefused: it is too large, damaged or hostile, or no one file is the main one.
    """
    if path.stat().st_size > MAX_ARCHIVE:
        raise ArchiveRefused(f"{path} is larger than {MAX_ARCHIVE} bytes")
    with TemporaryDirectory(prefix="grpo-symbolic-") as name:
        folder = Path(name).resolve()
        try:
            _unpack(path, folder)
        except _DAMAGED as error:
            raise ArchiveRefused(f"{path} cannot be unpacked: {error}") from error
        yield folder, folder / _main(path, folder, main)


def _unpack(path: Path, folder: Path) -> None:
    kept = _Kept(path, folder)
    if path.name.lower().endswith(".zip"):
        _unpack_zip(path, kept)
        return
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        counted = _Counted(gzip.GzipFile(fileobj=file) if packed else file, path)
        head = counted.read(512)
        stream = _Joined(head, counted)
        if packed and not _is_tar(head):
            kept.take(f"{stem_of(path).removesuffix('.tex')}.tex", stream)  # one file, as arXiv sends short papers
            return
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            for member in archive:
                kept.count()
                _take_member(archive, member, kept)


def _is_tar(head: bytes) -> bool:
    try:
        tarfile.TarInfo.frombuf(head, "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def _take_member(archive: tarfile.TarFile, member: tarfile.TarInfo, kept: _Kept) -> None:
    kept.inside(member.name)
    if member.islnk() or member.issym():
        # The data filter of the standard library refuses what leads out; what stays inside is left out all the same.
        tarfile.data_filter(member, str(kept.folder))
        return
    if not (member.isreg() or member.isdir()):
        raise ArchiveRefused(f"{kept.archive}: {member.name!r} is no file but a device or a pipe")
    checked = tarfile.data_filter(member, str(kept.folder))
    if checked is not None and checked.isreg() and kept.wants(checked.name):
        content = archive.extractfile(member)
        if content is not None:
            kept.take(checked.name, content)


def _unpack_zip(path: Path, kept: _Kept) -> None:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _END_OF_ZIP))
        tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or int.from_bytes(tail[end + 12 : end + 16], "little") > MAX_CONTENTS:
        raise ArchiveRefused(f"{path} is no zip archive, or one of too many members")
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            kept.count()
            kept.inside(member.filename)
            mode = member.external_attr >> 16
            if S_IFMT(mode) and not (S_ISREG(mode) or S_ISDIR(mode)):
                raise ArchiveRefused(f"{path}: {member.filename!r} is no file but a link or a device")
            if not member.is_dir() and kept.wants(member.filename):
                with archive.open(member) as content:
                    kept.take(member.filename, content)


class _Kept:
    """What is taken out of an archive, and how much."""

    def __init__(self, archive: Path, folder: Path) -> None:
        self.archive, self.folder = archive, folder
        self._members = self._bytes = 0

    def count(self) -> None:
        """Count a member."""
        self._members += 1
        if self._members > MAX_MEMBERS:
            raise ArchiveRefused(f"{self.archive} has more than {MAX_MEMBERS} members")

    def inside(self, name: str) -> None:
        """Refuse a name that is not below the folder."""
        plain = PurePosixPath(name.replace("\\", "/"))
        drive = re.match(r"[A-Za-z]:", name) is not None
        if "\0" in name or plain.is_absolute() or drive or ".." in plain.parts:
            raise ArchiveRefused(f"{self.archive}: {name!r} is outside of the archive's folder")

    @staticmethod
    def wants(name: str) -> bool:
        """Whether a member is text that may matter."""
        return name.lower().endswith(_TEXTS)

    def take(self, name: str, content: IO[bytes] | io.RawIOBase) -> None:
        """Write one file, as long as there is room."""
        self.inside(name)
        target = self.folder / PurePosixPath(name.replace("\\", "/"))
        if not target.resolve().is_relative_to(self.folder) or target.is_symlink():
            raise ArchiveRefused(f"{self.archive}: {name!r} is outside of the archive's folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            while chunk := content.read(_CHUNK):
                self._bytes += len(chunk)
                if self._bytes > MAX_KEPT:
                    raise ArchiveRefused(f"{self.archive} has more than {MAX_KEPT} bytes of text")
                file.write(chunk)


class _Counted:
    """A stream that refuses to give more than an archive may unpack to."""

    def __init__(self, stream: IO[bytes] | gzip.GzipFile, archive: Path) -> None:
        self._stream, self._archive, self._given = stream, archive, 0

    def read(self, size: int = -1) -> bytes:
        """Read some bytes."""
        found = self._stream.read(min(size, _CHUNK) if size >= 0 else _CHUNK)
        self._given += len(found)
        if self._given > MAX_UNPACKED:
            raise ArchiveRefused(f"{self._archive} unpacks to more than {MAX_UNPACKED} bytes")
        return found


class _Joined(io.RawIOBase):
    """What was read of a stream, and then the rest of it."""

    def __init__(self, head: bytes, rest: _Counted) -> None:
        self._head, self._rest = head, rest

    def read(self, size: int = -1) -> bytes:
        """Read exactly ``size`` bytes, unless the stream ends."""
        pieces, wanted = [], _CHUNK if size < 0 else size
        while wanted:
            if self._head:
                chunk, self._head = self._head[:wanted], self._head[wanted:]
            else:
                chunk = self._rest.read(wanted)
            if not chunk:
                break
            pieces.append(chunk)
            wanted -= len(chunk)
        return b"".join(pieces)


def _main(archive: Path, folder: Path, wanted: str | None) -> str:
    """The one file that is a document of its own, as it is called below the folder."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    papers = [name for name in names if name.lower().endswith((".tex", ".ltx"))]
    if wanted is not None:
        if wanted in names:
            return wanted
        raise ArchiveRefused(f"{archive} has no text {wanted!r}; it has {_listed(papers)}")
    found = [name for name in papers if _is_main((folder / name).read_bytes())]
    if len(found) == 1:
        return found[0]
    if not found and len(papers) == 1:
        return papers[0]
    if found:
        raise ArchiveRefused(f"{archive} has several papers: {_listed(found)}; name one: --main {found[0]}")
    raise ArchiveRefused(
        f"{archive} has no file with \\documentclass and \\begin{{document}}; it has {_listed(papers)}"
    )


def _is_main(content: bytes) -> bool:
    text = content.decode("latin-1")
    return _CLASS.search(text) is not None and _BEGIN.search(text) is not None


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:10])
    return (shown + (f" and {len(names) - 10} more" if len(names) > 10 else "")) or "no LaTeX"
