"""How a paper uses its letters: what it differentiates and by what, and which stand as ordinary letters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grpo_symbolic.reading.places import BrokenLatex
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal, split
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Command,
    Group,
    Name,
    Node,
    Nodes,
    Number,
    Scripted,
    children,
    without_power,
    without_scripts,
)

#: What a letter depends on where the paper does not say it, as with a dot above it.
ANYTHING = ""
_SIGNS = ("d", r"\partial")
_DOTS = (r"\dot", r"\ddot")
_MATH = r"\$\s*([^$\n]{1,40}?)\s*\$"
_SAID = (
    re.compile(rf"\bfunctions?\s+{_MATH}\s+of\s+{_MATH}"),
    re.compile(rf"{_MATH}\s+(?:(?:is|be|are|as)\s+)?(?:an?\s+)?(?:[\w-]+\s+){{0,3}}functions?\s+of\s+{_MATH}"),
    re.compile(rf"{_MATH}\s+(?:\w+\s+)?(?:depends?|depending|dependent)\s+(?:\w+\s+)?o?n\s+{_MATH}"),
    re.compile(rf"{_MATH}\s+varies\s+with\s+{_MATH}"),
    re.compile(r"\$\s*(\\?\w+)\s*=\s*\1\s*\(\s*(\\?\w+)\s*\)\s*\$"),
)
_INLINE = re.compile(r"(?<!\$)\$(?!\$)([^$\n]{1,60})\$(?!\$)")
#: Letters in a row that are words, not a product.
_WORDS = 10
_COMMAND = re.compile(r"\\[A-Za-z]+")
_BARE_E = re.compile(r"(?<![A-Za-z_{^\\])e(?![A-Za-z^{_])")
_EULER = re.compile(r"\bEuler|natural logarithm")


@dataclass(frozen=True)
class Usage:
    """What the formulas and the words of a paper show about its letters, each printed without spaces.

    ``varying`` are pairs of letters of which the paper says that the first depends on the second, or on ``ANYTHING``.
    ``applied`` are pairs of a letter and of the letter, or list of letters, in brackets after it, as after a function.
    ``letter_e`` says that e stands somewhere as a letter like others, so that its powers need not be exponentials;
    ``side_e`` that it is one side of a relation, as Euler's number may be. ``integrals`` are the lower end, the upper
    end and the variable of its definite integrals.
    """

    varying: frozenset[tuple[str, str]] = frozenset()
    applied: frozenset[tuple[str, str]] = frozenset()
    letter_e: bool = False
    side_e: bool = False
    integrals: frozenset[tuple[str, str, str]] = frozenset()

    @classmethod
    def of(cls, formulas: Iterable[Nodes], texts: Iterable[str] = ()) -> Usage:
        """Go through the formulas, and through the texts around them."""
        varying: set[tuple[str, str]] = set()
        applied: set[tuple[str, str]] = set()
        integrals: set[tuple[str, str, str]] = set()
        letter_e = side_e = False
        for nodes in map(normal, formulas):
            varying.update(_varying(nodes))
            applied.update(_applied(nodes))
            integrals.update(_integrals(nodes))
            alone = len(nodes) == 1 and nodes[0] == Atom("e", nodes[0].place)
            side_e = side_e or alone
            letter_e = letter_e or (bare_e(nodes) and not alone)
        for text in texts:
            varying.update(_said_to_vary(text))
            letter_e = letter_e or _said_of_e(text)
        return cls(frozenset(varying), frozenset(applied), letter_e, side_e, frozenset(integrals))

    def depends(self, letter: Nodes, variable: Nodes) -> bool:
        """Whether the paper shows that a letter depends on a variable."""
        name = compact(letter)
        return (name, compact(variable)) in self.varying or (name, ANYTHING) in self.varying


def _varying(nodes: Nodes) -> Iterator[tuple[str, str]]:
    """Letters that a formula differentiates by another, or prints with it in brackets: ``dy/dx``, ``y(x)``."""
    for index, node in enumerate(nodes):
        following = nodes[index + 1] if index + 1 < len(nodes) else None
        match node:
            case Command(r"\frac", (top, bottom)) if len(top) == 2 and len(bottom) > 1:
                if _differential(top[0]) and _differential(bottom[0]):
                    yield compact((top[1],)), compact((*bottom[1:-1], without_power(bottom[-1])))
            case Command(name, (argument,)) if name in _DOTS:
                yield compact(argument), ANYTHING
            case Scripted(Atom(r"\partial" | r"\nabla"), sub, None, 0) if sub is not None and following is not None:
                yield compact((without_power(following),)), compact(sub)
            case Atom(r"\nabla") if following is not None:
                yield compact((without_power(following),)), ANYTHING
            case Atom() | Scripted() if isinstance(following, Group) and following.open == "(":
                yield compact((without_power(node),)), compact(following.items)
        for inner in children(node):
            yield from _varying(inner)


def _applied(nodes: Nodes) -> Iterator[tuple[str, str]]:
    for index, node in enumerate(nodes):
        following = nodes[index + 1] if index + 1 < len(nodes) else None
        group = without_scripts(following)
        if isinstance(node, Atom | Scripted) and isinstance(group, Group) and group.open == "(":
            parts = split(group.items, ",", ";", "|")
            if all(len(part) == 1 and _is_letter(part[0]) for part in parts):
                yield compact((without_power(node),)), compact(group.items)
        for inner in children(node):
            yield from _applied(inner)


def _integrals(nodes: Nodes) -> Iterator[tuple[str, str, str]]:
    opened: list[tuple[str, str] | None] = []
    for index, node in enumerate(nodes):
        match node:
            case Scripted(Atom(r"\int"), sub, sup, 0) if sub is not None and sup is not None:
                opened.append((compact(sub), compact(sup)))
            case Atom(r"\int") | Scripted(Atom(r"\int")):
                opened.append(None)
            case Atom("d") if opened and index + 1 < len(nodes):
                ends = opened.pop()
                if ends is not None:
                    yield *ends, compact((without_power(nodes[index + 1]),))
        for inner in children(node):
            yield from _integrals(inner)


def _is_letter(node: Node) -> bool:
    bare = node.base if isinstance(node, Scripted) and node.sup is None else node
    return isinstance(bare, Atom | Name) and bare.text.lstrip("\\").isalpha()


def _differential(node: Node) -> bool:
    bare = without_power(node)
    return isinstance(bare, Atom | Name) and bare.text in _SIGNS


def _said_to_vary(text: str) -> Iterator[tuple[str, str]]:
    text = text.replace(r"\(", "$").replace(r"\)", "$")
    for pattern in _SAID:
        for letter, variable in pattern.findall(text):
            yield _printed(letter), _printed(variable)


def _printed(latex: str) -> str:
    """The LaTeX of a letter as ``compact`` prints it; empty, which says nothing, where it is broken."""
    try:
        return compact(normal(parse_tree(latex, name="letter")))
    except BrokenLatex:
        return ANYTHING


def bare_e(nodes: Nodes) -> bool:
    """Whether e stands in a formula as a letter: without a power, or with that of the letter next to it, ``d^2 + e^2``.

    Indices do not count, and neither does an e with an index.
    """
    for index, node in enumerate(nodes):
        match node:
            case Atom("e") if _in_words(nodes, index) or (index and _is_mantissa(nodes[index - 1 : index + 3])):
                continue
            case Atom("e") | Scripted(Atom("e"), None, None, _):
                return True
            case Scripted(Atom("e"), None, (Number(),) as power, 0):
                beside = [Scripted(Atom(letter, node.place), None, power, 0, node.place) for letter in "df"]
                if any(other in beside for other in nodes):
                    return True
        inner = (node.sup or ()) if isinstance(node, Scripted) else ()
        base = node.base if isinstance(node, Scripted) and node.base is not None else node
        if bare_e(inner) or any(bare_e(part) for part in children(base)):
            return True
    return False


def _in_words(nodes: Nodes, index: int) -> bool:
    """Whether a letter is one of many in a row, as in a sentence that was typed as a formula."""
    start = end = index
    while start and _is_latin(nodes[start - 1]):
        start -= 1
    while end + 1 < len(nodes) and _is_latin(nodes[end + 1]):
        end += 1
    return end - start + 1 >= _WORDS


def _is_latin(node: Node) -> bool:
    return isinstance(node, Atom) and len(node.text) == 1 and node.text.isalpha()


def _is_mantissa(nodes: Nodes) -> bool:
    """Whether these are the parts of a number such as ``1e-3`` or ``2.5e-4``."""
    match nodes:
        case (Number(text), Atom("e"), Atom("+" | "-"), Number()):
            return text == "1" or "." in text
    return False


def _said_of_e(text: str) -> bool:
    if _EULER.search(text):
        return False
    inline = _INLINE.findall(text.replace(r"\(", "$").replace(r"\)", "$"))
    return any(_BARE_E.search(_COMMAND.sub(" ", formula)) for formula in inline)
