"""What modules of derivations are made of: their own sources and those of all that they import from their folder.

Two modules of which these are the same make the same claims, if this package and what is installed are the same. That
is not so of a module that reads a file, or looks at or changes what belongs to another one; by what it imports and
names, it can be told whether a module may do that. Of one that may, and of all that import it, no origin is known.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from grpo_symbolic.cache.store import Json
from grpo_symbolic.derivation.keeping import kept

#: The names of modules with the digests of their sources, sorted.
Origin: TypeAlias = tuple[tuple[str, str], ...]

_PACKAGE = __name__.partition(".")[0]
#: Libraries that only compute.
_PURE = (
    *("__future__", "abc", "collections", "dataclasses", "decimal", "enum", "fractions", "functools", "itertools"),
    *("math", "mpmath", "numbers", "operator", "re", "string", "sympy", "textwrap", "types", "typing"),
)
#: Rooms of this package that know more than what an author writes with, such as files.
_FURTHER = (
    *("__main__", "api", "cache", "checks", "cli", "coverage", "judging", "kernel", "points", "processes", "proofs"),
    *("readback", "reading", "referee", "report", "wording"),
)
#: Names by which a module reaches something else than what it imports.
_REACHING = (
    *("__builtins__", "__dict__", "__globals__", "__import__", "__loader__", "__spec__", "breakpoint", "compile"),
    *("delattr", "eval", "exec", "globals", "import_module", "input", "locals", "open", "setattr", "vars"),
    *("assess", "check_text", "judge", "load", "folder", "glob", "iterdir", "read_bytes", "read_text", "rglob"),
)
#: Methods that change what they are called on.
_CHANGING = (
    *("add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault"),
    *("sort", "update"),
)


class Origins:
    """The origins of the modules of a folder, each file of which is read once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, tuple[str, tuple[str, ...] | None] | None] = {}

    def of(self, module: str) -> Origin | None:
        """The origin of a module; None if none can be told."""
        found: dict[str, str] = {}
        waiting = list(_with_packages(module))
        while waiting:
            name = waiting.pop()
            read = self._of(name)
            if name in found or read is None:  # what is no module is a name inside of one
                continue
            found[name], imported = read
            if imported is None:
                return None
            waiting += imported
        return tuple(sorted(found.items())) if module in found else None

    def _of(self, name: str) -> tuple[str, tuple[str, ...] | None] | None:
        """The digest of a module's source, and the names that it imports from the folder, if it is a module."""
        if name not in self._read:
            self._read[name] = self._looked_into(name)
        return self._read[name]

    def _looked_into(self, name: str) -> tuple[str, tuple[str, ...] | None] | None:
        base = self._folder.parent.joinpath(*name.split("."))
        path = next((path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file()), None)
        if path is None:
            return None
        source = path.read_bytes()
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        found = kept("imports", (source, package), lambda: _json(imports_of(source, package, self._folder.name)))
        imported = (
            tuple(map(str, found["from"])) if isinstance(found, dict) and isinstance(found["from"], list) else None
        )
        return hashlib.sha256(source).hexdigest(), imported


def sources_in(folder: Path) -> frozenset[str]:
    """The digests of all sources in a folder."""
    paths = (path for path in folder.rglob("*.py") if path.is_file())
    return frozenset(hashlib.sha256(path.read_bytes()).hexdigest() for path in paths)


def _json(imported: tuple[str, ...] | None) -> Json:
    return {"from": None if imported is None else [*imported]}


def imports_of(source: bytes, package: str, root: str) -> tuple[str, ...] | None:
    """The names that a source in a package imports from the folder ``root``, with the packages they are in.

    None if it may reach more than that, or cannot be read, as one that is being saved.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    found: dict[str, None] = {}
    foreign: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom():
                for name, bound in _imported(node, package):
                    if name.partition(".")[0] == root:
                        found.update(dict.fromkeys(_with_packages(name)))
                    elif not _is_pure(name):
                        return None
                    foreign.add(bound)
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _REACHING:
                return None
            case ast.Global():
                return None
    return None if any(_changes(node, foreign) for node in ast.walk(tree)) else tuple(found)


def _imported(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[tuple[str, str]]:
    """What is imported, by its whole name, and the name that it is bound to."""
    if isinstance(node, ast.Import):
        yield from ((item.name, item.asname or item.name.partition(".")[0]) for item in node.names)
        return
    above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
    module = ".".join((*above, *filter(None, [node.module])))
    for item in node.names:
        yield f"{module}.{item.name}", item.asname or item.name


def _is_pure(name: str) -> bool:
    first, _, rest = name.partition(".")
    if first != _PACKAGE:
        return first in _PURE
    return rest.partition(".")[0] not in (*_FURTHER, *_REACHING)


def _changes(node: ast.AST, foreign: set[str]) -> bool:
    """Whether a node changes something that belongs to another module."""
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
            return _root(node) in foreign
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _CHANGING:
            return _root(value) in foreign
    return False


def _root(node: ast.AST) -> str | None:
    """The name at the beginning of something like ``name.part[index]``."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def _with_packages(name: str) -> Iterable[str]:
    """A name and the packages it is in, whose ``__init__`` runs first."""
    parts = name.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts) + 1)]
