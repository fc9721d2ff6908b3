"""A symbol of a paper as an identifier: ``x_{+}``, ``\\hat x`` and ``x^{(2)}`` spelled in letters, digits and ``_``."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import count

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

#: Signs that tell symbols apart, in a word.
_SIGNS: Mapping[str, str] = {
    "+": "plus", "-": "minus", "*": "star", "|": "given", r"\|": "norm", "/": "over", "<": "less", ">": "greater",
    "=": "equal", "!": "factorial", ":": "colon", ";": "semicolon", ".": "dot",
}  # fmt: skip
_BRACKETS = {"(": "of", "[": "square", r"\{": "set", "|": "absolute", r"\|": "norm"}


def spelled(nodes: Nodes, *, full: bool = False) -> str:
    """An identifier for what a sequence prints: ``\\omega_{\\varepsilon}^{+}`` is ``omega_varepsilon_plus``.

    In ``full`` it tells fonts, brackets and which script is which as well: ``pi_sup_old``, ``X_calligraphic``.
    """
    said = "_".join(part for node in nodes for part in _parts(node, full))
    name = "_".join(re.findall(r"[A-Za-z0-9]+", said)) or "symbol"
    name = name if name[0].isalpha() else f"s_{name}"
    return f"{name}_" if keyword.iskeyword(name) else name


def apart(sequences: Sequence[Nodes]) -> list[str]:
    """An identifier for each of some sequences, short ones where they differ, and no two alike."""
    short, full = [spelled(nodes) for nodes in sequences], [spelled(nodes, full=True) for nodes in sequences]
    uses = Counter(short)
    # What needs no more words than its letters keeps the short name; its twins say what else they are.
    plain = {whole for one, whole in zip(short, full, strict=True) if one == whole}
    known = {*short, *full}
    taken: set[str] = set()
    found: list[str] = []
    for one, whole in zip(short, full, strict=True):
        name = one if one == whole or (uses[one] == 1 and one not in plain) else whole
        found.append(name if name not in taken else numbered(name, known))
        taken.add(found[-1])
        known.add(found[-1])
    return found


def numbered(name: str, taken: Container[str]) -> str:
    """The name with the first number from 2 on with which it is not taken."""
    return next(fresh for number in count(2) if (fresh := f"{name}_no_{number}") not in taken)


def _parts(node: Node, full: bool) -> Iterator[str]:
    match node:
        case Atom(text) | Number(text):
            yield _SIGNS.get(text, text) if full or text != "|" else ""
        case Name(text, font):
            yield text
            yield from [font] if full and font else []
        case Words(text):
            yield "_".join(text.split())
        case Command(name, arguments):
            yield name.lstrip("\\")
            yield from (part for argument in arguments for inner in argument for part in _parts(inner, full))
        case Group(opening, _, items):
            yield from [_BRACKETS.get(opening, "of")] if full else []
            yield from (part for inner in items for part in _parts(inner, full))
        case Scripted(base, sub, sup, primes):
            yield from _parts(base, full) if base is not None else ()
            yield from _script(sub, "sub" if full else "", full)
            # x^{(2)} and x^2, where they are names, are not x_2.
            yield from _script(sup, "sup" if full or _counts(sup) else "", full)
            yield from ["prime"] * primes
        case Space() | Hole() | Environment():
            return


def _script(nodes: Nodes | None, name: str, full: bool) -> Iterator[str]:
    if nodes:
        yield name
        yield from (part for inner in nodes for part in _parts(inner, full))


def _counts(nodes: Nodes | None) -> bool:
    """Whether a superscript is a number, alone or in brackets."""
    match nodes:
        case (Number(),) | (Group(_, _, (Number(),)),):
            return True
    return False
