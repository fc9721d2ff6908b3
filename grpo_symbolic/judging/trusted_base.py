"""Which files and libraries have to be believed where a verdict is: everything that the deciding function imports.

Computed from the text of the files, so that nobody keeps a list: imports anywhere count, also inside functions, but
not those for a type checker only, which never run. The package's own ``__init__``, the vocabulary of authors, does not
count: no file of the base uses it (a test imports the base without it).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from types import CodeType, FrameType

#: The file of the function that turns a claim into DECIDED.
ROOT = "grpo_symbolic.judging.claims"
#: What accepts proofs. Whoever believes that a claim is PROVED believes no more than this.
KERNEL = "grpo_symbolic.kernel.verify"
#: What certifies counterexamples and points at which hypotheses hold. No claim is DECIDED by it.
SEARCH = "grpo_symbolic.checks.refuting"

_PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class File:
    """A file of the package, relative to what contains the package, with all of its lines."""

    path: str
    lines: int


@dataclass(frozen=True)
class TrustedBase:
    """All files that a module imports, itself included, and the modules from elsewhere that these import."""

    root: str
    files: tuple[File, ...]
    modules: tuple[str, ...]

    @property
    def lines(self) -> int:
        """The number of lines of all files."""
        return sum(file.lines for file in self.files)


def lines_that_run(work: Callable[[], object], root: str = KERNEL, package: Path = _PACKAGE) -> Mapping[str, int]:
    """The files beside a module, each with the lines of its functions that run during some work.

    Whatever does not run has no part in what comes of the work.
    """
    folder, codes = package.parent.joinpath(*root.split(".")).parent, set[CodeType]()

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    found: dict[str, set[int]] = {}
    for code in codes:
        if Path(code.co_filename).parent == folder:
            places = [line for _, _, line in code.co_lines() if line is not None]
            path = Path(code.co_filename).relative_to(package.parent).as_posix()
            found.setdefault(path, set()).update(range(min(places), max(places) + 1))
    return {path: len(found[path]) for path in sorted(found)}


@cache
def trusted_base(root: str = ROOT, package: Path = _PACKAGE) -> TrustedBase:
    """Everything that ``root``, a module of the package in this folder, imports directly or indirectly.

    Read once: what a program runs does not change while it runs.
    """
    found: dict[Path, None] = {}
    elsewhere: set[str] = set()
    waiting = [root]
    while waiting:
        path = _file_of(waiting.pop(), package)
        if path is None or path in found:
            continue
        found[path] = None
        for name in _imported(ast.parse(path.read_text(encoding="utf-8"))):
            if name.partition(".")[0] == package.name:
                waiting += _with_folders(name)
            else:
                elsewhere.add(name.partition(".")[0])
    files = (File(path.relative_to(package.parent).as_posix(), _lines(path)) for path in found)
    outside = elsewhere - set(sys.stdlib_module_names)
    return TrustedBase(root, tuple(sorted(files, key=lambda file: file.path)), tuple(sorted(outside)))


def versions_of(modules: tuple[str, ...]) -> dict[str, str | None]:
    """Python and the distributions that contain modules, with their versions; None for what is not installed."""
    found: dict[str, str | None] = {"python": sys.version.partition(" ")[0]}
    homes = _homes()
    for module in modules:
        homes_of_module = homes.get(module, [])
        if not homes_of_module:
            found[module] = None
        for name in homes_of_module:
            found[name] = metadata.version(name)
    return found


@cache
def _homes() -> Mapping[str, list[str]]:
    """The distributions that contain each module; to find them, the list of files of every one is read."""
    return metadata.packages_distributions()


def _with_folders(name: str) -> Iterator[str]:
    """A module or a name in one, and the folders it lies in, whose ``__init__`` runs first; not the package itself."""
    parts = name.split(".")
    for length in range(2, len(parts) + 1):
        yield ".".join(parts[:length])


def _file_of(module: str, package: Path) -> Path | None:
    """The file of a module; None if the name is that of something inside a module."""
    base = package.parent.joinpath(*module.split("."))
    candidates = (base.with_suffix(".py"), base / "__init__.py")
    return next((path for path in candidates if path.is_file()), None)


def _imported(node: ast.AST) -> Iterator[str]:
    """The names of all modules that are imported in a tree, and of what is taken from them."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.If(test=ast.Name("TYPE_CHECKING"), orelse=otherwise):
                for statement in otherwise:
                    yield from _imported(ast.Module([statement], []))
            case ast.Import(names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{alias.name}" for alias in names)
            case _:
                yield from _imported(child)


def _lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")
