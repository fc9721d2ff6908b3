"""Which nodes are relations, and simple questions about what stands at the two ends of a formula."""

from __future__ import annotations

import re
from collections.abc import Mapping

from grpo_symbolic.reading.document.displays import RelationSign
from grpo_symbolic.reading.tex.symbols import OPERATORS, RELATIONS
from grpo_symbolic.reading.tex.tree import Atom, Command, Group, Name, Node, Nodes, Number, Scripted, Space, Words

_WHY = re.compile(r"(?:by|eq|lem|th|prop|cor|ass|def|using|via|see|from|because|since|due)", re.IGNORECASE)
_DEFINED = frozenset({"def", "definition", "defn", r"\delta", r"\triangle", r"\vartriangle"})
#: Signs between whole statements; the first says that both hold at the same points.
EQUIVALENT = r"\Leftrightarrow"
LINKS = frozenset({EQUIVALENT, r"\Rightarrow", r"\Leftarrow"})
#: Signs that say for what a statement is meant.
QUANTIFIERS = frozenset({r"\forall", r"\exists"})
#: Relations that restrict a letter more often than they assert something.
SETS = frozenset({r"\in", r"\notin", r"\subset", r"\subseteq"})

#: What signs say that assert nothing which a calculation could show to be wrong.
LOOSE: Mapping[str, str] = {
    r"\approx": "about equal, within a margin that is not printed",
    r"\simeq": "about equal, within a margin that is not printed",
    r"\cong": "about equal or isomorphic",
    r"\doteq": "about equal, within a margin that is not printed",
    r"\asymp": "of the same order",
    r"\sim": "drawn from, or of the same order",
    r"\propto": "equal but for a factor that is not printed",
    r"\ll": "much less, by a margin that is not printed",
    r"\gg": "much greater, by a margin that is not printed",
    r"\lesssim": "less but for a factor that is not printed",
    r"\gtrsim": "greater but for a factor that is not printed",
    r"\in": "of which set something is a member",
    r"\rightarrow": "what something tends to or becomes",
    r"\gets": "an assignment",
    r"\mapsto": "what is assigned to something",
}


def relation_of(node: Node | None) -> RelationSign | None:
    """Return the relation that a node is: ``=``, ``\\le_{(a)}``, ``\\stackrel{def}{=}``; else ``None``."""
    match node:
        case Atom(text) if text in RELATIONS:
            return RelationSign(text, node.place)
        case Scripted(Atom(text), sub, sup) if text in RELATIONS:
            return RelationSign(text, node.place, (sub or ()) + (sup or ()))
        case Command(r"\stackrel", (over, (Atom(text),))) if text in RELATIONS:
            if text == "=" and _says_defined(over):
                return RelationSign(":=", node.place)
            return RelationSign(text, node.place, over)
        case Command(r"\xrightarrow" | r"\xleftarrow", (over,)):
            return RelationSign(r"\rightarrow" if node.name == r"\xrightarrow" else r"\gets", node.place, over)
    return None


def _says_defined(over: Nodes) -> bool:
    text = "".join(node.text for node in over if isinstance(node, Atom | Name | Words))
    return text.strip(". ").lower() in _DEFINED


def is_reference(over: Nodes) -> bool:
    """Whether what stands at a sign only says why it holds: ``(a)``, ``3``, ``*``, ``Lemma 1``, ``by symmetry``."""
    match over:
        case (Group("(" | "[", _, items),):
            return all(isinstance(node, Atom | Number | Name | Words) for node in items)
        case (Number(),) | (Atom("*" | r"\star" | r"\dagger"),):
            return True
        case (Name(_, "upright") | Words() as first, *rest):
            return _WHY.match(first.text) is not None and all(
                isinstance(node, Atom | Number | Name | Words) for node in rest
            )
    return False


def relations_in(items: Nodes) -> list[str]:
    """Return the relations at the top level, in order."""
    return [relation.symbol for relation in map(relation_of, items) if relation is not None]


def joins(node: Node | None) -> bool:
    """Say whether a node is a relation or an operator, so that something must stand on both its sides."""
    return (isinstance(node, Atom) and node.text in OPERATORS) or relation_of(node) is not None


def stripped(items: Nodes, ends: frozenset[str]) -> Nodes:
    """Drop spaces and the punctuation ``ends`` from both ends."""
    first, last = 0, len(items)
    while first < last and _is_end(items[first], ends - {"."}):
        first += 1
    while last > first and _is_end(items[last - 1], ends):
        last -= 1
    return items[first:last]


def _is_end(node: Node, ends: frozenset[str]) -> bool:
    return isinstance(node, Space) or (isinstance(node, Atom) and node.text in ends)
