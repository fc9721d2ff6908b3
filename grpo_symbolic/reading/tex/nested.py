"""Bars within bars: which bar opens and which closes, where a formula leaves only one reading.

In ``||x| - |y||`` every bar can be only one of the two; in ``|a|b|c|`` nobody can know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grpo_symbolic.reading.places import NotRead
from grpo_symbolic.reading.tex.symbols import OPERATORS, PUNCTUATION, RELATIONS
from grpo_symbolic.reading.tex.tree import Atom, Group, Node, Scripted, Space, Words, without_scripts

#: Most bars between two relations.
MAX_BARS = 200

_PREFIXES = frozenset({"+", "-", r"\pm", r"\mp"})
_ENDING = OPERATORS | RELATIONS | PUNCTUATION


@dataclass(frozen=True)
class _Bar:
    """A bar of a formula: where it stands, whether it may open or close, and what stands around it."""

    at: int
    opens: bool
    closes: bool
    touches: bool  # the bar before it stands right before it
    before_factor: bool


#: Reads the bars of another kind in what stands between two bars.
_Inside: TypeAlias = Callable[[list[Node]], list[Node]]


def nest(nodes: list[Node], inside: _Inside) -> list[Node]:
    """Put what stands between two ``|`` into a group, in every part with four or more of them that leaves no choice.

    Parts end at relations, punctuation, words and wide spaces; ``inside`` finishes what a group holds.

    Raises:
        NotRead: if the bars of a part can be paired in several ways.
    """
    result: list[Node] = []
    part: list[Node] = []
    for node in nodes:
        if _separates(node):
            result += [*_part(part, inside), node]
            part = []
        else:
            part.append(node)
    return result + _part(part, inside)


def _separates(node: Node) -> bool:
    return isinstance(node, Space | Words) or (isinstance(node, Atom) and node.text in RELATIONS | PUNCTUATION)


def _is_bar(node: Node) -> bool:
    base = without_scripts(node)
    return isinstance(base, Atom) and base.text == "|"


def _is_bar_or(node: Node | None, signs: frozenset[str]) -> bool:
    return node is not None and (_is_bar(node) or (isinstance(node, Atom) and node.text in signs))


def _part(nodes: list[Node], inside: _Inside) -> list[Node]:
    places = [at for at, node in enumerate(nodes) if _is_bar(node)]
    if len(places) < 4 or len(places) % 2:
        return nodes
    if len(places) > MAX_BARS:
        raise NotRead(nodes[places[0]].place, f"more than {MAX_BARS} bars in a row", "limit")
    bars = [_bar(nodes, at, before) for at, before in zip(places, [-2, *places], strict=False)]
    if any(_evaluates(nodes[bar.at]) and not bar.touches for bar in bars):
        return nodes
    readings = ["()" * (len(bars) // 2)] if _is_flat(bars) else _readings(bars)
    if not readings:
        return nodes
    if len(readings) > 1:
        reason = r"these bars can be paired in several ways; write \lvert x \rvert"
        raise NotRead(nodes[places[0]].place, reason, "ambiguous")
    signs = dict(zip(places, readings[0], strict=True))
    return _grouped(nodes, signs, inside) if _certain(nodes, signs) else nodes


def _evaluates(node: Node) -> bool:
    """Whether a bar says where something is evaluated, as in ``f|_{x=0}``; ``||x||_2`` ends like that as well."""
    return isinstance(node, Scripted) and node.sub is not None


def _certain(nodes: list[Node], signs: dict[int, str]) -> bool:
    """Whether no outermost pair of bars stands between two factors, as in ``a|b|c``, where bars may say "given"."""
    depth, free = 0, True
    for at, sign in signs.items():
        if sign == "(":
            touches = depth == 0 < at and signs.get(at - 1) == ")"
            if depth == 0 and not touches:
                if not free:
                    return False
                free = at == 0 or _is_sign(nodes[at - 1])
            depth += 1
            continue
        depth -= 1
        ends = isinstance(nodes[at], Scripted) or at + 1 == len(nodes) or _is_sign(nodes[at + 1])
        free = free or (depth == 0 and ends)
    return free


def _is_sign(node: Node) -> bool:
    return isinstance(node, Atom) and node.text in _ENDING


def _bar(nodes: list[Node], at: int, last: int) -> _Bar:
    node = nodes[at]
    before = nodes[at - 1] if at else None
    after = nodes[at + 1] if at + 1 < len(nodes) else None
    starts = after is not None and not (isinstance(after, Atom) and after.text in _ENDING - _PREFIXES)
    ended = before is not None and not (isinstance(before, Atom) and before.text in _ENDING)
    plain = not isinstance(node, Scripted)
    factor = starts and not _is_bar_or(after, _PREFIXES)
    return _Bar(at, plain and starts, ended, last == at - 1, factor)


def _is_flat(bars: Sequence[_Bar]) -> bool:
    """Whether every second bar closes what the one before it opened, with no factor after it that it could open.

    So everybody reads ``|x| - 2|y|`` and ``|x||y||z|``, though a bar could open before the ``- 2``.
    """
    pairs = list(zip(bars[::2], bars[1::2], strict=True))
    closed = all(first.opens and last.closes and not last.touches for first, last in pairs)
    return closed and not any(last.before_factor for _, last in pairs[:-1])


def _readings(bars: Sequence[_Bar]) -> list[str]:
    """The first two ways to say of every bar that it opens, ``(``, or closes, ``)``."""
    ways: dict[tuple[int, bool], list[str]] = {(0, False): [""]}  # by depth, and whether the last bar opened
    for bar in bars:
        following: dict[tuple[int, bool], list[str]] = {}
        for (depth, opened), found in ways.items():
            if bar.opens:
                following.setdefault((depth + 1, True), []).extend(one + "(" for one in found)
            if bar.closes and depth and not (opened and bar.touches):
                following.setdefault((depth - 1, False), []).extend(one + ")" for one in found)
        ways = {state: found[:2] for state, found in following.items()}
    return ways.get((0, False), [])


def _grouped(nodes: list[Node], signs: dict[int, str], inside: _Inside) -> list[Node]:
    stack: list[list[Node]] = [[]]
    openings: list[Node] = []
    for at, node in enumerate(nodes):
        sign = signs.get(at)
        if sign == "(":
            openings.append(node)
            stack.append([])
        elif sign == ")":
            stack.append([*stack.pop(-2), _group(openings.pop(), inside(stack.pop()), node)])
        else:
            stack[-1].append(node)
    return stack[0]


def _group(opening: Node, items: list[Node], closing: Node) -> Node:
    place = opening.place.to(closing.place)
    only = items[0] if len(items) == 1 else None
    if isinstance(only, Group) and only.open == "|":
        group = Group(r"\|", r"\|", only.items, place)  # ||x|| is how a norm is typed
    else:
        group = Group("|", "|", tuple(items), place)
    if isinstance(closing, Scripted):
        return Scripted(group, closing.sub, closing.sup, closing.primes, place)
    return group
