"""Commas between digits: ``1{,}000`` is one thousand, and ``1,000`` may be that or a list of two numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grpo_symbolic.reading.places import NotRead, Place
from grpo_symbolic.reading.tex.tree import Atom, Group, Node, Number

_FIRST = re.compile(r"[1-9][0-9]{0,2}")
_FURTHER = re.compile(r"[0-9]{3}(?:\.[0-9]+)?")


def join_thousands(nodes: list[Node]) -> list[Node]:
    """Join ``1{,}000`` to one number.

    Raises:
        NotRead: if the digits around such a comma are not those of thousands: it may be a decimal comma.
    """
    result: list[Node] = []
    index = 0
    while index < len(nodes):
        node = nodes[index]
        before = result[-1] if result else None
        after = nodes[index + 1] if index + 1 < len(nodes) else None
        if not (_is_comma(node) and isinstance(before, Number) and isinstance(after, Number)):
            result.append(node)
            index += 1
            continue
        first = _FIRST.fullmatch(before.text) or (len(before.text) > 3 and _is_comma(nodes[index - 2]))
        if not first or not _FURTHER.fullmatch(after.text):
            raise NotRead(node.place, "a comma between digits: a decimal comma or one of thousands?", "ambiguous")
        result[-1] = Number(before.text + after.text, before.place.to(after.place))
        index += 2
    return result


def _is_comma(node: Node) -> bool:
    return isinstance(node, Group) and node.open == "{" and [getattr(one, "text", "") for one in node.items] == [","]


def comma_in_digits(nodes: Sequence[Node], begins: str = "0123456789") -> Place | None:
    """Where a comma without a space stands as in ``1,000``: between digits, of which three follow it.

    ``begins`` are the digits with which those three may begin.
    """
    for before, comma, after in zip(nodes, nodes[1:], nodes[2:], strict=False):
        if not (isinstance(before, Number) and isinstance(after, Number) and isinstance(comma, Atom)):
            continue
        touching = before.place.end == comma.place.start and comma.place.end == after.place.start
        if after.text[0] not in begins or comma.text != "," or not touching:
            continue
        if _FIRST.fullmatch(before.text) and _FURTHER.fullmatch(after.text):
            return comma.place
    return None


def refuse_commas(nodes: Sequence[Node]) -> None:
    """Refuse ``1,000``; ``[1,200]`` is a list wherever one is expected, since its second number begins with no 0.

    Raises:
        NotRead: if such a number stands there.
    """
    place = comma_in_digits(nodes, "0")
    if place is not None:
        raise NotRead(place, "a comma between digits: one number or a list of two?", "ambiguous")
