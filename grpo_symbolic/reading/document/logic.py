"""Statements that "and" and "or" make of relations, and what stands between statements without being understood."""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.reading.document.prose import connective, plain
from grpo_symbolic.reading.document.relations import relation_of, relations_in
from grpo_symbolic.reading.tex.tree import Atom, Command, Group, Name, Node, Nodes, Words, walk

AND, OR = r"\wedge", r"\vee"
#: The sign of a step that is meant modulo something.
CONGRUENT = r"\equiv\pmod"
#: Relations between statements that are printed and not checked.
_ARROWS = frozenset(
    {
        r"\nRightarrow", r"\nLeftarrow", r"\nLeftrightarrow", r"\leftrightarrow", r"\longleftrightarrow",
        r"\leadsto", r"\rightsquigarrow", r"\Rrightarrow", r"\hookrightarrow", r"\rightharpoonup", r"\nrightarrow",
        r"\Updownarrow", r"\Uparrow", r"\Downarrow",
    }
)  # fmt: skip
#: What tells only for how much a statement holds: for everything, or for nothing.
_EVERYTHING = frozenset({"true", "all", "always", "all real numbers"})
_NOTHING = frozenset({"false", "none", "never", "no solution", "no solutions", "no real solution", "no real solutions"})
_BESIDE = frozenset({r"\rightarrow", r"\gets", r"\mapsto"})
_MODULO = frozenset({"mod", "modulo"})


def truth_value(nodes: Nodes) -> bool | None:
    """What ``\\text{all}``, ``\\mathbb{R}``, ``\\emptyset`` or ``\\text{no solution}`` say of a set of solutions."""
    match nodes:
        case (Words(text) | Name(text, "upright"),):
            said = plain(text)
            return True if said in _EVERYTHING else False if said in _NOTHING else None
        case (Name("R", "blackboard"),):
            return True
        case (Atom(r"\emptyset"),):
            return False
    return None


def asserts(nodes: Nodes) -> bool:
    """Whether nodes say something that is true or false: a relation, one in brackets, or for how much one holds."""
    if relations_in(nodes) or truth_value(nodes) is not None:
        return True
    match nodes:
        case (Group("(" | "[" | "{", _, items),):
            return asserts(items)
        case (Atom(r"\neg"), *rest):
            return asserts(tuple(rest))
    return division(nodes) is not None


def division(nodes: Nodes) -> int | None:
    """Where the weakest "or", else the first "and", stands between parts that all assert something."""
    signs = [connective(node) for node in nodes]
    if not any(signs):
        return None
    parts: list[list[Node]] = [[]]
    for node, sign in zip(nodes, signs, strict=True):
        if sign is None:
            parts[-1].append(node)
        else:
            parts.append([])
    if not all(part and asserts(tuple(part)) for part in parts):
        return None
    return signs.index(OR) if OR in signs else signs.index(AND)


def not_understood(nodes: Nodes) -> str | None:
    """Why relations among arrows say nothing that can be checked, if that is so."""
    for node in nodes:
        if isinstance(node, Atom) and node.text in _ARROWS:
            return f"what {node.text} says between two statements is not checked"
        if isinstance(node, Command) and node.name == r"\not":
            return r"a relation that \not denies is not checked"
    signs = [relation.symbol for node in nodes if (relation := relation_of(node)) is not None]
    arrows = [number for number, sign in enumerate(signs) if sign in _BESIDE]
    if arrows and arrows[0] > 0 and any(sign not in _BESIDE for sign in signs[arrows[0] + 1 :]):
        return "an arrow between two relations may be a limit or an implication"
    return None


def is_congruence(nodes: Sequence[Node], *, congruent: bool) -> bool:
    """Whether a chain says modulo what it is meant, as ``\\pmod`` does; ``congruent`` if it has the sign for it."""
    for node in walk(tuple(nodes)):
        if isinstance(node, Command) and node.name == r"\pmod":
            return True
        if isinstance(node, Atom) and (node.text in (r"\mod", r"\pod") or (congruent and node.text == r"\bmod")):
            return True
        if isinstance(node, Name | Words) and _MODULO & set(node.text.lower().strip("(). ").split()):
            return True
    return False
