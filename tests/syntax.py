"""The syntax trees of files, parsed once for all tests that read the code."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree(path: Path) -> ast.Module:
    """The tree of a file, which nobody may change."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file's tree."""
    return tuple(ast.walk(tree(path)))
