"""One form for what prints the same: invisible braces are dissolved before anything is read or compared."""

from __future__ import annotations

from dataclasses import replace

from grpo_symbolic.reading.tex.tree import Atom, Command, Environment, Group, Node, Nodes, Scripted


def normal(nodes: Nodes) -> Nodes:
    """Dissolve braces that group nothing visible: ``{(t)}`` is ``(t)`` and ``\\log{a}`` is ``\\log a``.

    Braces stay where dissolving them would hide a mistake: after a letter, where a ``\\frac`` may have been
    lost (``c{x}``), and under a script, where they print as if they were not there (``{x + y}^2``).
    """
    result: list[Node] = []
    changed = False
    for node in nodes:
        inner = _inside(node)
        changed = changed or inner is not node
        if isinstance(inner, Group) and inner.open == "{" and not _after_letter(result, inner):
            result.extend(inner.items)
            changed = True
        else:
            result.append(inner)
    return tuple(result) if changed else nodes


def _after_letter(before: list[Node], group: Group) -> bool:
    last = before[-1] if before else None
    if isinstance(last, Scripted):
        last = last.base
    bracketed = len(group.items) == 1 and isinstance(group.items[0], Group)
    return isinstance(last, Atom) and len(last.text) == 1 and last.text.isalpha() and not bracketed


def _inside(node: Node) -> Node:
    match node:
        case Scripted(base, sub, sup, _, _):
            return _scripted(node, base, sub, sup)
        case Group(items=items):
            inner = normal(items)
            return node if inner is items else replace(node, items=inner)
        case Command(arguments=arguments, option=option):
            new = tuple(normal(argument) for argument in arguments)
            choice = None if option is None else normal(option)
            same = choice is option and all(a is b for a, b in zip(new, arguments, strict=True))
            return node if same else replace(node, arguments=new, option=choice)
        case Environment(rows=rows):
            return replace(
                node, rows=tuple(replace(row, cells=tuple(normal(cell) for cell in row.cells)) for row in rows)
            )
        case _:
            return node


def _scripted(node: Scripted, base: Node | None, sub: Nodes | None, sup: Nodes | None) -> Node:
    below = None if sub is None else normal(sub)
    above = None if sup is None else normal(sup)
    inner = None if base is None else _inside(base)
    if isinstance(inner, Group) and inner.open == "{" and len(inner.items) == 1:
        inner = inner.items[0]
    if isinstance(inner, Scripted) and inner.sup is None and below is None and not (inner.primes and node.primes):
        # {x_1}^2 prints as x_1^2.
        return Scripted(inner.base, inner.sub, above, inner.primes + node.primes, node.place)
    if inner is base and below is sub and above is sup:
        return node
    return Scripted(inner, below, above, node.primes, node.place)


def split(nodes: Nodes, *marks: str) -> list[Nodes]:
    """The parts of a sequence between atoms such as ``,``; at least one, perhaps empty."""
    parts: list[Nodes] = []
    start = 0
    for index, node in enumerate(nodes):
        if isinstance(node, Atom) and node.text in marks:
            parts.append(nodes[start:index])
            start = index + 1
    parts.append(nodes[start:])
    return parts


def find(nodes: Nodes, *marks: str) -> int | None:
    """The position of the first of these atoms at this level."""
    for index, node in enumerate(nodes):
        if isinstance(node, Atom) and node.text in marks:
            return index
    return None


def trimmed(nodes: Nodes) -> Nodes:
    """The sequence without punctuation at its end, and without the sign that a proof ends there."""
    end = len(nodes)
    while end:
        last = nodes[end - 1]
        if not (isinstance(last, Atom) and last.text in (",", ".", ";", ":", r"\qedhere")):
            break
        end -= 1
    return nodes[:end]
