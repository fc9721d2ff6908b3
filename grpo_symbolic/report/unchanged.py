"""Notice that a report is asked for once more, that nothing has changed since, and that its files are whole.

What a report is made of are the files of its derivations, those of this package, whatever else the derivations import,
and the versions of everything installed: all are compared by content. So is what was written. A build that left
something open is not remembered: another time more may be found.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from grpo_symbolic.cache.store import Json, Store
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.judging.content import installed
from grpo_symbolic.report import compile

_KIND = "build"
_PACKAGE = Path(__file__).resolve().parents[1]
#: Folders in which nothing is that a report is made of.
_PASSED_OVER = frozenset({"__pycache__", ".git"})


@dataclass(frozen=True)
class Order:
    """What is asked for."""

    folder: Path
    out: Path
    only: tuple[str, ...]
    settings: Settings
    timeout: float
    pdf: bool
    papers: Path | None = None
    source_url: str | None = None

    @property
    def key(self) -> str:
        """The name under which a build of this is remembered."""
        paths = str(self.folder.resolve()), str(self.out.resolve())
        beside = None if self.papers is None else str(self.papers.resolve())
        asked = sorted(self.only), asdict(self.settings), self.timeout, self.pdf, beside, self.source_url
        said = repr((paths, *asked))
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Built:
    """How a build ended: the exit code, what was said at its end, and how many files it wrote."""

    code: int
    said: tuple[str, ...]
    files: int


@dataclass(frozen=True)
class Ingredients:
    """Files with what is in them, and everything else that a report depends on."""

    files: Mapping[str, str]
    surroundings: str

    @classmethod
    def of(cls, folder: Path, papers: Path | None = None) -> Ingredients:
        """The ingredients of a report on a folder of derivations, and of ``papers``, as they are now."""
        texts = () if papers is None else _files_in(papers.resolve())
        files = (*_files_in(folder.resolve()), *_files_in(_PACKAGE), *texts)
        return cls({str(path): digest_of(path) for path in files}, _surroundings())


def program() -> tuple[str, ...]:
    """The files of this package with what is in them, and everything that is installed, as they are now.

    It counts as well when a file was saved: what was changed and then changed back may have been imported meanwhile.
    """
    files = ((path, path.stat().st_mtime_ns) for path in sorted(_files_in(_PACKAGE)))
    return *(f"{path} {saved} {digest_of(path)}" for path, saved in files), _surroundings()


def last_build(store: Store, order: Order, now: Ingredients) -> Built | None:
    """How the last build of the same ended; None if anything has changed since, or a file of it is not what it was."""
    found = store.get(_KIND, order.key)
    if not isinstance(found, dict):
        return None
    match found["made"], found["further"], found["wrote"], found["said"], found["code"]:
        case dict() as made, dict() as further, dict() as wrote, list() as said, int() as code:
            same = made == now.files and found["of"] == now.surroundings
            if same and are_still(further) and are_still(wrote):
                return Built(code, tuple(map(str, said)), len(wrote))
    return None


def remember(
    store: Store, order: Order, before: Ingredients, files: Iterable[Path], code: int, said: Sequence[str]
) -> None:
    """Remember how a build ended and what it wrote, unless something changed while it went on."""
    try:
        further = elsewhere(order.folder)
        wrote = {str(path.resolve()): digest_of(path) for path in files}
        if Ingredients.of(order.folder, order.papers) != before:
            return
    except OSError:  # a file has gone meanwhile
        return
    value: dict[str, Json] = {"of": before.surroundings, "code": code, "said": [*said]}
    value |= {"made": {**before.files}, "further": {**further}, "wrote": {**wrote}}
    store.put(_KIND, order.key, value)


def stamps(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """When the files of derivations and of this package were saved, and how long they are, which is quickly known."""
    found = []
    for path in (*_files_in(folder), *_files_in(_PACKAGE)):
        with suppress(OSError):  # it has gone a moment ago
            stat = path.stat()
            found.append((str(path), stat.st_mtime_ns, stat.st_size))
    return tuple(sorted(found))


def digest_of(path: Path) -> str:
    """The checksum of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def elsewhere(folder: Path) -> dict[str, str]:
    """Files of the modules that were imported from neither the derivations nor anything installed, with their digests.

    Raises:
        OSError: if one of them has gone meanwhile.
    """
    return {str(path): digest_of(path) for path in _imported_from_elsewhere(folder.resolve())}


def are_still(files: Mapping[str, Json]) -> bool:
    """Whether each of these files has the digest that stands beside it."""
    try:
        return all(digest_of(Path(path)) == digest for path, digest in files.items())
    except OSError:
        return False


def _files_in(folder: Path) -> Iterable[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _PASSED_OVER]
        yield from (Path(parent) / name for name in names if not name.endswith(".pyc"))


def _imported_from_elsewhere(folder: Path) -> Iterable[Path]:
    """Files of modules that belong neither to the derivations nor to anything installed."""
    homes = [folder, _PACKAGE, Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()]
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file is None:
            continue
        path = Path(file).resolve()
        if path.suffix == ".py" and path.is_file() and not any(path.is_relative_to(home) for home in homes):
            yield path


def _surroundings() -> str:
    """The digest of what is installed: Python, distributions with their versions, and the TeX engine."""
    said: list[object] = [installed()]
    engine = compile.engine()
    if engine is not None:
        stat = os.stat(engine)
        said += [engine, stat.st_mtime_ns, stat.st_size]
    return hashlib.sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()
