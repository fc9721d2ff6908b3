"""Claims that a module states and hands to nobody, seen in its text: they would be missing without a word."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

#: A line that may begin such a statement; most modules have none, and need not be looked at more closely.
_MAYBE = re.compile(r"^\s+(?:\w+\s*=\s*)?claim\(", re.MULTILINE)


def forgotten(source: str) -> Iterator[tuple[int, str]]:
    """The lines at which a function calls ``claim`` and uses nothing of it, each with what is wrong."""
    if not _MAYBE.search(source):
        return
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            yield from _forgotten_in(function)


def _forgotten_in(function: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    used, named = set[str](), dict[str, int]()
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Expr(value=ast.Call(func=ast.Name(id="claim"))):
                yield node.lineno, "states a claim and does not yield it: write yield claim(...)"
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="claim"))):
                named[name] = node.lineno
    for name, line in named.items():
        if name not in used:
            yield line, f"states the claim {name} and does not yield it: write yield {name}"
