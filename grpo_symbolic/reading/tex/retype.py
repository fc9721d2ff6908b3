"""Print a tree back to LaTeX, with every brace written out; reading that again gives an equal tree."""

from __future__ import annotations

import re
from collections.abc import Mapping

from grpo_symbolic.reading.tex.tree import (
    Atom,
    Command,
    Environment,
    Group,
    Hole,
    Name,
    Node,
    Nodes,
    Number,
    Scripted,
    Space,
    Words,
)

_FONTS: Mapping[str, str] = {
    "upright": r"\mathrm",
    "blackboard": r"\mathbb",
    "calligraphic": r"\mathcal",
    "script": r"\mathscr",
    "fraktur": r"\mathfrak",
    "bold": r"\mathbf",
    "italic": r"\mathit",
    "typewriter": r"\mathtt",
}
_SIDES: Mapping[str, tuple[str, str]] = {"|": (r"\lvert", r"\rvert"), r"\|": (r"\lVert", r"\rVert")}
_LOOSE = re.compile(r"(?<=[^A-Za-z ]) (?=\S)|(?<=[A-Za-z]) (?=[^A-Za-z ])")


def latex(nodes: Nodes) -> str:
    """Return the LaTeX of a sequence of nodes."""
    return " ".join(_one(node) for node in nodes)


def compact(nodes: Nodes) -> str:
    """Return the LaTeX of a short sequence without the spaces that nobody would type."""
    return _LOOSE.sub("", latex(nodes)).replace(r"\mid", r" \mid").strip()


def _one(node: Node) -> str:
    match node:
        case Atom("|"):
            return r"\mid"
        case Atom(text) | Number(text):
            return text
        case Hole(name):
            return f"#{name}"
        case Name(text, font):
            return f"{_FONTS[font]}{{{text}}}"
        case Words(text):
            return rf"\text{{{text} }}"
        case Space():
            return r"\quad"
        case Command(name, arguments, option=option):
            square = "" if option is None else f"[{latex(option)}]"
            return name + square + "".join(f"{{{latex(argument)}}}" for argument in arguments)
        case Scripted():
            return _scripted(node)
        case Group(opening, closing, items):
            left, right = _SIDES.get(opening, (opening, closing))
            return f"{left} {latex(items)} {right}"
        case Environment(name, rows):
            body = r" \\ ".join(" & ".join(latex(cell) for cell in row.cells) for row in rows)
            return rf"\begin{{{name}}} {body} \end{{{name}}}"


def _scripted(node: Scripted) -> str:
    sub = "" if node.sub is None else f"_{{{latex(node.sub)}}}"
    sup = "" if node.sup is None else f"^{{{latex(node.sup)}}}"
    return ("{}" if node.base is None else _one(node.base)) + "'" * node.primes + sub + sup
