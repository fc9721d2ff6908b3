"""Small words between formulas: what they say, and where."""

from __future__ import annotations

from grpo_symbolic.reading.tex.tree import Name, Node, Nodes, Words


def said(node: Node | None) -> str | None:
    """The words that a node is, without punctuation around them; ``None`` if it is none."""
    if isinstance(node, Words) or (isinstance(node, Name) and node.font == "upright"):
        return node.text.strip(" ,.;:").lower()
    return None


def where_said(nodes: Nodes, words: str) -> int | None:
    """The position of some words if they stand there exactly once."""
    found = [index for index, node in enumerate(nodes) if said(node) == words]
    return found[0] if len(found) == 1 else None


def split_at(nodes: Nodes, *words: str) -> list[Nodes] | None:
    """The formulas between these words, if exactly these stand there in this order."""
    places = [index for index, node in enumerate(nodes) if isinstance(node, Words) or said(node) in words]
    if tuple(said(nodes[index]) for index in places) != words:
        return None
    parts: list[Nodes] = []
    start = 0
    for index in (*places, len(nodes)):
        parts.append(nodes[start:index])
        start = index + 1
    return parts
