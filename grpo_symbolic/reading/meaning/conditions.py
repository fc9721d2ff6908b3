"""Conditions inside formulas: ``r(q, o) = 1`` under an indicator, an expectation or in the rows of ``cases``."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from grpo_symbolic.language.calculus import times
from grpo_symbolic.language.expression import Expression, Number
from grpo_symbolic.language.vocabulary import absolute, sign
from grpo_symbolic.reading.meaning.phrase import Phrase
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.notation.elementary import constant_value, positive, total
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import find, split
from grpo_symbolic.reading.tex.tree import Atom, Group, Name, Nodes, Words, place_of

#: Relations of a formula, as our statements write them.
OPERATORS: Mapping[str, str] = {"=": "=", r"\equiv": "=", r"\ne": "!=", "<": "<", ">": ">", r"\le": "<=", r"\ge": ">="}

_SIGNS = frozenset({*OPERATORS, r"\in", r"\notin"})

ONE, ZERO = Number(Fraction(1)), Number(Fraction(0))


def indicator(phrase: Phrase, nodes: Nodes, place: Place) -> Expression:
    """1 where a condition holds, else 0; ``a < b < c`` and conditions with commas or "and" are conjunctions.

    Where numbers decide, the result is the number; else it is written with the sign of a difference.
    """
    result: Expression = ONE
    for part in conjuncts(phrase, nodes):
        for left, operator, right in relations(phrase, part, place):
            result = times(result, _holds(left, operator, right))
    return result


def conjuncts(phrase: Phrase, nodes: Nodes) -> list[Nodes]:
    """The parts of a condition between commas and words for "and"."""
    parts: list[Nodes] = []
    start = 0
    for index, node in enumerate(nodes):
        joins = isinstance(node, Atom) and node.text in (",", r"\wedge")
        if joins or (isinstance(node, Words | Name) and node.text.strip() == "and"):
            phrase.serve("list", node)
            parts.append(nodes[start:index])
            start = index + 1
    parts.append(nodes[start:])
    return [part for part in parts if part]


def listed_relations(phrase: Phrase, nodes: Nodes) -> list[Nodes]:
    """The conditions of a list such as ``x, y > 0, z < 1``, in which the first relation is about x as well."""
    found: list[Nodes] = []
    waiting: list[Nodes] = []
    for part in conjuncts(phrase, nodes):
        at = next((index for index, node in enumerate(part) if isinstance(node, Atom) and node.text in _SIGNS), None)
        if at is None:
            waiting.append(part)
            continue
        found += [one + part[at:] for one in waiting]
        found.append(part)
        waiting = []
    return [*found, *waiting]


def relations(phrase: Phrase, nodes: Nodes, place: Place) -> list[tuple[Expression, str, Expression]]:
    """The relations of a chain such as ``0 < x \\le 1``.

    Raises:
        NotUnderstood: if there is none, or one that compares something other than numbers.
    """
    inside = find(nodes, r"\in")
    if inside is not None:
        phrase.serve("relation", nodes[inside])
        return interval(phrase, phrase.inner(nodes[:inside], place), nodes[inside + 1 :])
    signs = [node for node in nodes if isinstance(node, Atom) and node.text in OPERATORS]
    if not signs:
        raise NotUnderstood(place, "unsupported", "a condition that is no relation between numbers")
    phrase.serve("relation", *signs)
    sides = [phrase.inner(side, place) for side in split(nodes, *OPERATORS)]
    return [
        (left, OPERATORS[relation.text], right) for left, relation, right in zip(sides, signs, sides[1:], strict=False)
    ]


def interval(phrase: Phrase, value: Expression, right: Nodes) -> list[tuple[Expression, str, Expression]]:
    """The relations that ``x \\in (0, 1]`` stands for; every number lies in ``\\mathbb{R}``.

    Raises:
        NotUnderstood: of a set that is neither.
    """
    place = place_of(right) if right else phrase.here()
    match right:
        case (Name("R", "blackboard"),):
            phrase.serve("set", *right)
            return []
        case (Group("(" | "[" as opening, ")" | "]" as closing, items),):
            ends = split(items, ",")
            if len(ends) == 2 and all(ends):
                low, high = ends
                phrase.serve("list", *(node for node in items if node == Atom(",", node.place)))
                phrase.serve(
                    "end", *(node for end, sign in ((low, "-"), (high, "+")) if infinite(end, sign) for node in end)
                )
                above = (
                    [] if infinite(low, "-") else [(phrase.inner(low, place), "<" if opening == "(" else "<=", value)]
                )
                below = [] if infinite(high) else [(value, "<" if closing == ")" else "<=", phrase.inner(high, place))]
                return above + below
    raise NotUnderstood(place, "unsupported", "a set that is neither an interval nor a list of numbers")


def infinite(nodes: Nodes, sign: str = "+") -> bool:
    """Whether this is infinity with this sign."""
    texts = [node.text for node in nodes if isinstance(node, Atom)]
    return len(texts) == len(nodes) and texts in ([sign, r"\infty"], [r"\infty"] if sign == "+" else [])


def _holds(left: Expression, operator: str, right: Expression) -> Expression:
    first, second = constant_value(left), constant_value(right)
    if first is not None and second is not None:
        truth = {
            "=": first == second, "!=": first != second, "<": first < second, "<=": first <= second,
            ">": first > second, ">=": first >= second,
        }[operator]  # fmt: skip
        return ONE if truth else ZERO
    gap = left - right if operator in (">", "<=", "=", "!=") else right - left
    match operator:
        case "=":
            return 1 - absolute(sign(gap))
        case "!=":
            return absolute(sign(gap))
        case "<" | ">":
            return positive(gap)
        case _:
            return 1 - positive(gap)


def add_up(terms: list[Expression]) -> Expression:
    """A sum, without terms that are 0."""
    kept = [term for term in terms if term != ZERO]
    return total(kept) if kept else ZERO
