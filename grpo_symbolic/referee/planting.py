"""Slips of the pen put into formulas that hold, of the kinds that papers really have, to see what would be noticed.

They are changes of what an author typed. What a changed formula says is found out by reading it; nothing here knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grpo_symbolic.reading.document.displays import PrintedStep
from grpo_symbolic.reading.tex.tree import Command, Nodes, Scripted, children
from grpo_symbolic.referee.slips import (
    Change,
    bounds,
    brackets,
    ends,
    factors,
    indices,
    is_atom,
    is_large,
    is_power,
    limits,
    powers,
    roots,
    signs,
    sizes,
    swapped,
    terms,
)

#: The kinds of slips, as a reader would call them.
KINDS = (
    "sign",
    "factor",
    "lost term",
    "index",
    "exponent",
    "swapped",
    "lost root",
    "variance",
    "bracket",
    "relation",
    "limit",
)
_REVERSED: Mapping[str, str] = {
    "<": ">", ">": "<", r"\le": r"\ge", r"\ge": r"\le", r"\leq": r"\geq", r"\geq": r"\leq",
    r"\leqslant": r"\geqslant", r"\geqslant": r"\leqslant",
}  # fmt: skip


@dataclass(frozen=True)
class Slip:
    """One slip: its kind, and what stands between two offsets of the formula in the place of what was there."""

    kind: str
    start: int
    end: int
    new: str


@dataclass(frozen=True)
class _Row:
    """A sequence inside a formula and where it stands: ``plain``, ``sub``, ``sup``, or at a sum, integral or limit."""

    nodes: Nodes
    where: str = "plain"
    below: bool = False


def slips(nodes: Nodes, text: str) -> Iterator[Slip]:
    """All slips in one side of a formula that is typed as ``text``, in reading order of what they change."""
    for row in _rows(nodes, "plain", below=False):
        for kind, start, end, new in _of_row(row, text):
            if 0 <= start <= end <= len(text) and text[start:end] != new:
                yield Slip(kind, start, end, _apart(text[:start], new, text[end:]))


def reversed_relation(step: PrintedStep) -> str | None:
    """The sign of an inequality the wrong way round; None for other relations, and where a macro prints the sign."""
    typed = step.relation.place.text.strip()
    return _REVERSED.get(typed) if step.relation.over is None else None


def _of_row(row: _Row, text: str) -> Iterator[Change]:
    if row.where == "large":
        yield from limits(row.nodes, text)
        yield from bounds(row.nodes)
        return
    if row.where == "sub":
        yield from indices(row.nodes)
        return
    yield from signs(row.nodes)
    if row.where == "sup":
        yield from powers(row.nodes)
        return
    yield from terms(row.nodes, text)
    yield from factors(row.nodes, text)
    yield from swapped(row.nodes, text)
    yield from roots(row.nodes, text)
    yield from sizes(row.nodes, below=row.below)
    yield from brackets(row.nodes, text)
    yield from ends(row.nodes, text)
    for node in row.nodes:
        if isinstance(node, Scripted) and node.sub is None and not node.primes and is_power(node):
            yield from () if node.base is None else [("exponent", node.base.place.end, node.place.end, "")]


def _rows(nodes: Nodes, where: str, *, below: bool) -> Iterator[_Row]:
    """The sequences of a formula that are typed where they seem to stand, each with what it is."""
    if nodes:
        yield _Row(nodes, where, below)
    for number, node in enumerate(nodes):
        if isinstance(node, Scripted):
            inside = "large" if node.base is not None and is_large(node.base) else ""
            if node.base is not None and not inside:
                for inner in children(node.base):
                    yield from _rows(inner, "plain" if where == "sup" else where, below=False)
            yield from _rows(node.sub or (), inside or "sub", below=False)
            yield from _rows(node.sup or (), inside or "sup", below=False)
        elif isinstance(node, Command) and node.name == r"\frac" and len(node.arguments) == 2:
            yield from _rows(node.arguments[0], where, below=False)
            yield from _rows(node.arguments[1], where, below=True)
        else:
            divides = number > 0 and is_atom(nodes[number - 1], "/")
            for inner in children(node):
                yield from _rows(inner, where, below=divides)


def _apart(before: str, new: str, after: str) -> str:
    """A text that does not run into a command before it or letters after it."""
    touching = before.rpartition("\\")[2]
    if new[:1].isalpha() and "\\" in before and touching.isalpha():
        new = f" {new}"
    if not new and after[:1].isalpha() and "\\" in before and touching.isalpha():
        new = " "
    return f"{new} " if new.rpartition("\\")[2].isalpha() and "\\" in new and after[:1].isalpha() else new
