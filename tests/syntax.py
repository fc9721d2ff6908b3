"""The syntax trees of files, parsed once for all tests that read the code."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path


@cache
def tree(path: Path) -> ast.Module:
    """The tree of a file, which nobody may change."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _by_kind(path: Path) -> dict[type[ast.AST], list[ast.AST]]:
    found = defaultdict(list)
    for node in ast.walk(tree(path)):
        found[type(node)].append(node)
    return found


def nodes(path: Path, *kinds: type[ast.AST]) -> list[ast.AST]:
    """The nodes of a file's tree that are of one of these very kinds."""
    return [node for kind in kinds for node in _by_kind(path)[kind]]


def imports(path: Path) -> list[tuple[str, int]]:
    """The modules that a file imports, or imports from, each with its line."""
    whole = [(alias.name, node.lineno) for node in nodes(path, ast.Import) for alias in node.names]
    return whole + [(node.module or "", node.lineno) for node in nodes(path, ast.ImportFrom)]
