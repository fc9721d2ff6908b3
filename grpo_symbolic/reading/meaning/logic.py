"""Statements that "and", "or", a set and a sign such as ``\\pm`` make of relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grpo_symbolic.language.expression import as_expression
from grpo_symbolic.language.statement import Any, Relation, Statement, conjunction
from grpo_symbolic.reading.document.logic import AND, OR, division, truth_value
from grpo_symbolic.reading.document.prose import connective
from grpo_symbolic.reading.document.relations import relations_in
from grpo_symbolic.reading.meaning.conditions import listed_relations, relations
from grpo_symbolic.reading.meaning.phrase import Phrase
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.sets import member
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import find
from grpo_symbolic.reading.tex.tree import Atom, Command, Environment, Group, Node, Nodes, Scripted, children, walk

_SIGNS = {r"\pm": ("+", "-"), r"\mp": ("-", "+")}
_EVERYWHERE = Relation(as_expression(0), "=", as_expression(0))
_NOWHERE = Relation(as_expression(0), "=", as_expression(1))


def statement_of(phrase: Phrase, nodes: Nodes, place: Place) -> Statement:
    """The statement of relations that commas, "and", "or" and brackets join; "and" binds closer than "or".

    Raises:
        NotUnderstood: if a part is no relation between numbers, or has a sign that stands for two.
    """
    match nodes:
        case (Group("(" | "[" | "{", _, items),):
            return statement_of(phrase, items, place)
    known = truth_value(nodes)
    if known is not None:
        phrase.serve("truth value", *nodes)
        return _EVERYWHERE if known else _NOWHERE
    at = division(nodes)
    if at is None:
        if any(connective(node) == OR for node in nodes):
            raise NotUnderstood(place, "ambiguous", 'what "or" joins here are not statements')
        if signed(nodes):
            return either([_of_one_sign(phrase, nodes, choice, place) for choice in (0, 1)])
        return conjunction([one for part in listed_relations(phrase, nodes) for one in _listed(phrase, part, place)])
    sign = connective(nodes[at])
    phrase.serve("connective", nodes[at])
    if sign == AND and signed(nodes[:at]) and signed(nodes[at + 1 :]):
        raise NotUnderstood(place, "ambiguous", "do the double signs of both relations go together?")
    parts = [statement_of(phrase, part, place) for part in (nodes[:at], nodes[at + 1 :])]
    return either(parts) if sign == OR else conjunction(parts)


def _listed(phrase: Phrase, nodes: Nodes, place: Place) -> list[Statement]:
    """A chain of relations, or that a number lies in a set."""
    at = find(nodes, r"\in", r"\notin")
    if at is None:
        return [Relation(*one) for one in relations(phrase, nodes, place)]
    sign = nodes[at]
    phrase.serve("relation", sign)
    within = isinstance(sign, Atom) and sign.text == r"\in"
    return [member(phrase, phrase.inner(nodes[:at], place), nodes[at + 1 :], within=within)]


def _of_one_sign(phrase: Phrase, nodes: Nodes, choice: int, place: Place) -> Statement:
    """One of the two equations that ``x = a \\pm b`` stands for."""
    if len(signed(nodes)) != 1 or relations_in(nodes) != ["="] or signed(nodes[: find(nodes, "=")]):
        raise NotUnderstood(place, "ambiguous", "which of the double signs go together?")
    phrase.serve("double sign", *double_signs(nodes))
    return conjunction([Relation(*one) for one in relations(phrase, with_sign(nodes, choice), place)])


def either(parts: Sequence[Statement]) -> Statement:
    """At least one part holds; nested alternatives become one."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, Any) else (part,))]
    return Any(tuple(flat))


def signed(nodes: Nodes) -> list[str]:
    """The signs ``\\pm`` and ``\\mp`` in a formula, at any depth, but for those in a name such as ``x_\\pm``."""
    found: list[str] = []
    for node in nodes:
        if isinstance(node, Atom):
            found += [node.text] if node.text in _SIGNS else []
        else:
            found += [text for inner in children(node) if not _lone(inner) for text in signed(inner)]
    return found


def double_signs(nodes: Nodes) -> list[Node]:
    """The signs themselves, wherever they stand."""
    return [node for node in walk(nodes) if isinstance(node, Atom) and node.text in _SIGNS]


def _lone(nodes: Nodes | None) -> bool:
    return nodes is not None and len(nodes) == 1 and isinstance(nodes[0], Atom) and nodes[0].text in _SIGNS


def with_sign(nodes: Nodes, choice: int) -> Nodes:
    """The formula with the upper (0) or the lower (1) one of all double signs."""
    return tuple(_chosen(node, choice) for node in nodes)


def _chosen(node: Node, choice: int) -> Node:
    match node:
        case Atom(text) if text in _SIGNS:
            return replace(node, text=_SIGNS[text][choice])
        case Group(items=items):
            return replace(node, items=with_sign(items, choice))
        case Command(arguments=arguments):
            return replace(node, arguments=tuple(with_sign(one, choice) for one in arguments))
        case Scripted(base, sub, sup):
            inner = None if base is None else _chosen(base, choice)
            below, above = (one if one is None or _lone(one) else with_sign(one, choice) for one in (sub, sup))
            return replace(node, base=inner, sub=below, sup=above)
        case Environment(rows=rows):
            changed = (replace(row, cells=tuple(with_sign(cell, choice) for cell in row.cells)) for row in rows)
            return replace(node, rows=tuple(changed))
    return node


def is_statement(symbol: str) -> bool:
    """Whether a step with this sign is two statements joined, or one that has no sign."""
    return symbol in ("", AND, OR)
