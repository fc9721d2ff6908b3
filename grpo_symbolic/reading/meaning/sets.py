"""That a number lies in a set of numbers or outside of it: intervals, lists, all real numbers, none, and what signs of
sets make of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import NEGATIONS, All, Any, Relation, Statement, conjunction
from grpo_symbolic.reading.document.logic import truth_value
from grpo_symbolic.reading.meaning.conditions import interval
from grpo_symbolic.reading.meaning.phrase import Phrase
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.tex.normal import split
from grpo_symbolic.reading.tex.tree import Atom, Group, Nodes, Words, place_of

_UNION, _COMMON, _WITHOUT = (r"\cup",), (r"\cap",), (r"\setminus", r"\backslash")


def member(phrase: Phrase, value: Expression, nodes: Nodes, *, within: bool = True) -> Statement:
    """That a number lies in a set, or does not.

    Raises:
        NotUnderstood: of a set that is none of those named above, or in which different signs need brackets.
    """
    said = _inside(phrase, value, nodes)
    return said if within else _denied(said)


def _inside(phrase: Phrase, value: Expression, nodes: Nodes) -> Statement:
    signs = [node for node in nodes if isinstance(node, Atom) and node.text in (*_UNION, *_COMMON, *_WITHOUT)]
    if not signs:
        return _in_one(phrase, value, nodes)
    for kind in (_UNION, _COMMON, _WITHOUT):
        if all(sign.text in kind for sign in signs):
            phrase.serve("set", *signs)
            first, *others = [_in_one(phrase, value, part) for part in split(nodes, *kind)]
            if kind is _UNION:
                return Any((first, *others))
            return All((first, *(map(_denied, others) if kind is _WITHOUT else others)))
    raise NotUnderstood(place_of(nodes), "ambiguous", "different signs between sets without brackets")


def _in_one(phrase: Phrase, value: Expression, nodes: Nodes) -> Statement:
    known = truth_value(nodes)
    if known is not None and not isinstance(nodes[0], Words):
        phrase.serve("set", *nodes)
        # Not simply true or false, since the number may have no value.
        return Relation(value, "=" if known else "!=", value)
    match nodes:
        case (Group(r"\{", r"\}", items),) if items:
            phrase.serve("list", *(node for node in items if isinstance(node, Atom) and node.text == ","))
            listed = [Relation(value, "=", phrase.inner(part, place_of(nodes))) for part in split(items, ",")]
            return _either(listed)
        case (Group("(", ")", items),) if len(split(items, ",")) == 1:
            return _inside(phrase, value, items)
    bounds = [Relation(*one) for one in interval(phrase, value, nodes)]
    return conjunction(bounds) if bounds else Relation(value, "=", value)


def _either(parts: Sequence[Statement]) -> Statement:
    return parts[0] if len(parts) == 1 else Any(tuple(parts))


def _denied(statement: Statement) -> Statement:
    """That relations joined by "and" and "or" do not hold, where they have a value."""
    match statement:
        case Relation():
            return replace(statement, operator=NEGATIONS[statement.operator])
        case Any(parts):
            return All(tuple(map(_denied, parts)))
        case All(parts):
            return _either(tuple(map(_denied, parts)))
    raise TypeError(f"no statement about a set: {statement}")
