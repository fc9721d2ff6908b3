"""Brackets: matched by themselves, apart from half-open intervals and a brace before an array."""

from __future__ import annotations

from grpo_symbolic.reading.places import NotRead
from grpo_symbolic.reading.tex import symbols
from grpo_symbolic.reading.tex.builder import Builder
from grpo_symbolic.reading.tex.cursor import NOTHING
from grpo_symbolic.reading.tex.tokens import Token
from grpo_symbolic.reading.tex.tree import Atom, Environment, Group, Node, Nodes, Space, Words

_EDGES = symbols.RELATIONS | symbols.OPERATORS | symbols.PUNCTUATION | {"|"}


def read_bracket(builder: Builder, opening: Token, before: list[Node]) -> Group | Environment:
    """Read the rest of a bracket that was just opened; ``before`` is what stands before it.

    Raises:
        NotRead: it is never closed, or closed by a bracket of another kind.
    """
    builder.enter(opening)
    innermost, builder.innermost = builder.innermost, opening.text
    items = tuple(builder.finished(builder.items(inside=True)))
    closing = builder.peek()
    if items and isinstance(items[0], Environment) and _ends_nothing(opening, closing, items):
        builder.index += closing is not None and closing.text == NOTHING
        builder.innermost = innermost
        builder.depth -= 1
        return _braced_rows(items[0])
    if closing is None or closing.text not in symbols.CLOSING:
        builder.unclosed(opening, closing)
    if closing.text not in symbols.OPENING[opening.text] and not _is_interval(opening, closing, items, before):
        line, column = opening.place.line, opening.place.column
        raise NotRead(closing.place, f"{closing.text} closes the {opening.text} of {line}:{column}", "unbalanced")
    builder.index += 1
    builder.innermost = innermost
    builder.depth -= 1
    ends = {r"\lvert": "|", r"\rvert": "|", r"\lVert": r"\|", r"\rVert": r"\|"}
    place = opening.place.to(closing.place)
    return Group(ends.get(opening.text, opening.text), ends.get(closing.text, closing.text), items, place)


def _ends_nothing(opening: Token, closing: Token | None, items: Nodes) -> bool:
    """Whether a brace before rows needs no partner: before ``\\right.``, or if the rows end the formula."""
    if closing is not None and closing.text == NOTHING:
        return True
    return closing is None and opening.text == r"\{" and len(items) == 1


def _is_interval(opening: Token, closing: Token, items: Nodes, before: list[Node]) -> bool:
    """Say whether ``[a, b)`` is half-open: two parts, and what stands before cannot be applied to it."""
    if {opening.text, closing.text} not in ({"(", "]"}, {"[", ")"}):
        return False
    commas = sum(isinstance(node, Atom) and node.text == "," for node in items)
    last = before[-1] if before else None
    free = last is None or isinstance(last, Space | Words) or (isinstance(last, Atom) and last.text in _EDGES)
    return commas == 1 and free


def _braced_rows(rows: Environment) -> Environment:
    """Name what ``\\left\\{ ... \\right.`` holds: values with conditions are ``cases``, else lines."""
    if rows.name not in ("array", "aligned"):
        return rows
    values = all(len(row.cells) > 1 and not any(_is_relation(node) for node in row.cells[0]) for row in rows.rows)
    aligned = any(row.cells[1] and _is_relation(row.cells[1][0]) for row in rows.rows) if values else True
    return Environment("aligned" if aligned else "cases", rows.rows, rows.place)


def _is_relation(node: Node) -> bool:
    return isinstance(node, Atom) and node.text in symbols.RELATIONS
