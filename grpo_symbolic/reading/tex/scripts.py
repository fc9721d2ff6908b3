"""Subscripts, superscripts and primes, in any order, on the node that stands before them."""

from __future__ import annotations

from grpo_symbolic.reading.places import BrokenLatex
from grpo_symbolic.reading.tex.builder import Builder
from grpo_symbolic.reading.tex.tokens import Token
from grpo_symbolic.reading.tex.tree import Atom, Group, Name, Node, Nodes, Scripted, Space, place_of


def read_script(builder: Builder, nodes: list[Node], token: Token) -> None:
    """Attach a subscript, superscript or prime to the node before it."""
    last = nodes.pop() if nodes and not isinstance(nodes[-1], Space) else None
    place = token.place if last is None else last.place
    empty = isinstance(last, Group) and last.open == "{" and not last.items
    base: Node | None = None if empty else last
    sub: Nodes | None = None
    sup: Nodes | None = None
    primes = 0
    if isinstance(last, Scripted):
        base, sub, sup, primes = last.base, last.sub, last.sup, last.primes
    builder.index += 1
    if token.text == "'":
        if sup is not None:
            raise BrokenLatex(token.place, "double superscript: a prime after a superscript")
        primes += 1
    else:
        script = builder.argument(token)
        end = builder.tokens[builder.index - 1].place
        place = place.to(end)
        if token.text == "_":
            if sub is not None:
                raise BrokenLatex(token.place, "double subscript")
            sub = _one_name(script)
        elif script and all(isinstance(node, Atom) and node.text == r"\prime" for node in script):
            primes += len(script)
        elif sup is not None:
            raise BrokenLatex(token.place, "double superscript")
        else:
            sup = script
    nodes.append(Scripted(base, sub, sup, primes, place.to(builder.tokens[builder.index - 1].place)))


def _one_name(script: Nodes) -> Nodes:
    """Join a subscript of plain touching letters: ``\\pi_{ref}`` is ``\\pi_{\\mathrm{ref}}``."""
    if len(script) < 2:
        return script
    for node, following in zip(script, (*script[1:], None), strict=True):
        if not (isinstance(node, Atom) and len(node.text) == 1 and node.text.isalpha()):
            return script
        if following is not None and node.place.end != following.place.start and node.place != following.place:
            return script
    text = "".join(node.text for node in script if isinstance(node, Atom))
    return (Name(text, "upright", place_of(script)),)
