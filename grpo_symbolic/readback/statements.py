"""From LaTeX to an elementary statement: relations joined by "and", "or", implications and equivalences."""

from __future__ import annotations

from grpo_symbolic.expression import Expression
from grpo_symbolic.reading.meaning.conditions import OPERATORS
from grpo_symbolic.reading.meaning.parser import read_side
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.scope import FreeIndex, Scope
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.places import Place, Source
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal, split, trimmed
from grpo_symbolic.reading.tex.tree import Atom, Group, Node, Nodes, Words, place_of
from grpo_symbolic.statement import All, Any, Equivalent, Implies, Relation, Statement

_IFF, _IMPLIES = r"\Leftrightarrow", r"\Rightarrow"


def read_formula(latex: str, context: Context, scope: Scope) -> Statement | Expression:
    """Read LaTeX as a statement, or as an expression if no relation stands in it.

    Raises:
        NotUnderstood: where it is not understood.
        BrokenLatex: where its structure is broken.
    """
    nodes = normal(parse_tree(latex))
    if not nodes:
        raise NotUnderstood(Place(Source("formula", latex), 0, 0), "meaningless", "a formula is missing here")
    reader = _Reader(context, scope)
    try:
        context.work = 0
        if _is_statement(nodes):
            return reader.statement(nodes)
        return reader.side(nodes, place_of(nodes))
    except FreeIndex as free:
        name = place_of(free.index).text
        raise NotUnderstood(place_of(nodes), "meaningless", f"the index {name} is free here") from free


def _is_statement(nodes: Nodes) -> bool:
    return any(_sign(node) is not None for node in nodes) or (
        any(isinstance(node, Words) for node in nodes) or (len(nodes) == 1 and _bracketed(nodes[0]) is not None)
    )


def _sign(node: Node) -> str | None:
    """The text of a sign that only statements have at top level."""
    signs = (*OPERATORS, _IFF, _IMPLIES)
    return node.text if isinstance(node, Atom) and node.text in signs else None


def _bracketed(node: Node) -> Nodes | None:
    """The statement in square brackets, if that is what stands here."""
    if isinstance(node, Group) and node.open == "[" and _is_statement(node.items):
        return node.items
    return None


class _Reader:
    def __init__(self, context: Context, scope: Scope) -> None:
        self.context = context
        self.scope = scope

    def statement(self, nodes: Nodes) -> Statement:
        for sign, kind in ((_IFF, Equivalent), (_IMPLIES, Implies)):
            parts = split(nodes, sign)
            if len(parts) > 2 or not all(parts):
                raise NotUnderstood(place_of(nodes), "ambiguous", f"{sign} twice or without a side")
            if len(parts) == 2:
                return kind(self.statement(parts[0]), self.statement(parts[1]))
        conditional = self._conditional(nodes)
        if conditional is not None:
            return conditional
        words = {node.text.strip() for node in nodes if isinstance(node, Words)}
        if words <= {"and"} or words <= {"or"}:
            return self._listed(nodes, Any if words == {"or"} else All)
        if words in ({"true"}, {"false"}) and len(nodes) == 1:
            return All(()) if words == {"true"} else Any(())
        raise NotUnderstood(place_of(nodes), "words", f"the words {' and '.join(sorted(words))} between formulas")

    def _conditional(self, nodes: Nodes) -> Statement | None:
        """Read ``B if A``, ``A: B``, and several of these with a semicolon between them."""
        several = split(nodes, ";")
        if len(several) > 1 and all(several):
            return All(tuple(map(self.statement, several)))
        parts = split(nodes, ":")
        if len(parts) == 2 and all(parts):
            return Implies(self.statement(parts[0]), self.statement(parts[1]))
        at = [index for index, node in enumerate(nodes) if isinstance(node, Words) and node.text.strip() == "if"]
        if len(at) == 1 and 0 < at[0] < len(nodes) - 1:
            return Implies(self.statement(nodes[at[0] + 1 :]), self.statement(nodes[: at[0]]))
        return None

    def _listed(self, nodes: Nodes, kind: type[All] | type[Any]) -> Statement:
        read = [self._relations(part, place_of(nodes)) for part in _items(nodes)]
        return read[0] if len(read) == 1 else kind(tuple(read))

    def _relations(self, nodes: Nodes, place: Place) -> Statement:
        nodes = trimmed(nodes)
        if len(nodes) == 1 and (inside := _bracketed(nodes[0])) is not None:
            return self.statement(inside)
        signs = [node.text for node in nodes if isinstance(node, Atom) and node.text in OPERATORS]
        if not signs:
            raise NotUnderstood(place, "meaningless", "a formula without a relation where a statement was expected")
        sides = [self.side(side, place) for side in split(nodes, *OPERATORS)]
        pairs = zip(sides, signs, sides[1:], strict=False)
        relations = [Relation(left, OPERATORS[sign], right) for left, sign, right in pairs]
        return relations[0] if len(relations) == 1 else All(tuple(relations))

    def side(self, nodes: Nodes, place: Place) -> Expression:
        return read_side(trimmed(nodes), self.scope, self.context, place)


def _items(nodes: Nodes) -> list[Nodes]:
    """The parts of a list with commas and a word before the last one."""
    parts: list[Nodes] = []
    start = 0
    for index, node in enumerate((*nodes, None)):
        if node is None or isinstance(node, Words) or node == Atom(",", node.place):
            parts.append(nodes[start:index])
            start = index + 1
    return parts
