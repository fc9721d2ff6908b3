"""Whether a relation beside an equation is the range in which it is meant: ``a = b, \\quad x > 0``."""

from __future__ import annotations

from enum import Enum, auto

from grpo_symbolic.reading.document.relations import SETS, relation_of, relations_in
from grpo_symbolic.reading.tex.tree import Atom, Command, Group, Name, Node, Nodes, Number, Scripted

COMPARISONS = frozenset({"<", ">", r"\le", r"\ge", r"\ne"})
EQUALITIES = frozenset({"=", ":=", r"\equiv"})
_ACCENTS = frozenset({r"\tilde", r"\hat", r"\bar", r"\vec", r"\dot", r"\check", r"\overline"})
#: Commands that are a sign, not a letter.
_SIGNS = frozenset({r"\infty", r"\sum", r"\prod", r"\int", r"\max", r"\min", r"\lim", r"\dots", r"\partial"})


class Range(Enum):
    """Whether relations without words are a condition: a variable compared with a number is one, ``x < y`` may be."""

    CONDITION = auto()
    UNCLEAR = auto()
    STATEMENT = auto()


def range_of(part: Nodes) -> Range:
    """What relations are that stand beside an equation without a word, none of them an equality."""
    symbols = set(relations_in(part))
    if not symbols <= COMPARISONS:
        return Range.CONDITION if symbols <= SETS else Range.UNCLEAR
    kinds = [_kind(one) for side in _sides(part) for one in side]
    if "number" not in kinds:
        return Range.UNCLEAR if set(kinds) <= {"variable", "value"} else Range.STATEMENT
    return Range.CONDITION if set(kinds) <= {"variable", "number"} else Range.UNCLEAR


def is_plain(part: Nodes) -> bool:
    """Whether relations only compare variables with numbers, ``x, y > 0`` or ``x = 1``, or name their sets."""
    symbols = set(relations_in(part))
    if not symbols:
        return False
    if symbols <= SETS:
        return True
    kinds = {_kind(one) for side in _sides(part) for one in side}
    return symbols <= COMPARISONS | EQUALITIES and kinds <= {"variable", "number"} and "number" in kinds


def _sides(part: Nodes) -> list[list[Nodes]]:
    """The sides between relations, each cut at its commas."""
    sides: list[list[list[Node]]] = [[[]]]
    for node in part:
        if relation_of(node) is not None:
            sides.append([[]])
        elif isinstance(node, Atom) and node.text == ",":
            sides[-1].append([])
        else:
            sides[-1][-1].append(node)
    return [[tuple(one) for one in side] for side in sides]


def _kind(side: Nodes) -> str:
    if _is_number(side):
        return "number"
    match side:
        case (Group("|" | r"\|", _, inner),) if _is_variable(inner):
            return "variable"
        case (letter, Group("(")) if _is_variable((letter,)):
            return "value"
    return "variable" if _is_variable(side) else "formula"


def _is_number(side: Nodes) -> bool:
    if not side:
        return False
    for node in side:
        match node:
            case Number() | Atom("-" | "+" | "/" | r"\infty"):
                continue
            case Command(r"\frac", arguments) if all(map(_is_number, arguments)):
                continue
            case Scripted(Number(), None, sup) if sup is not None and _is_number(sup):
                continue
        return False
    return True


def _is_variable(side: Nodes) -> bool:
    if len(side) != 1:
        return False
    match side[0]:
        case Atom(text):
            return text not in _SIGNS and ((len(text) == 1 and text.isalpha()) or text[1:].isalpha())
        case Name():
            return True
        case Command(name, (argument,)):
            return name in _ACCENTS and _is_variable(argument)
        case Scripted(base, _, None) if base is not None:
            return _is_variable((base,))
        case Group("{", "}", items):
            return _is_variable(items)
    return False
