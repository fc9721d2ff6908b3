"""Indices: which element of a finite set, or which whole number, a piece of LaTeX stands for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.scope import FreeIndex, Scope
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.tex.normal import split
from grpo_symbolic.reading.tex.numbers import comma_in_digits
from grpo_symbolic.reading.tex.tokens import is_digits
from grpo_symbolic.reading.tex.tree import Atom, Group, Hole, Name, Node, Nodes, Number, Scripted, place_of, walk

_DOTS = (r"\cdot", ".")
#: An index of so many letters need not be a word; one of more letters is none if all of them usually count something.
_SHORT, _INDICES = 3, frozenset("ijklmnst")
_WORDS = re.compile(r"[^\W\d_]+")


def holds_index(nodes: Nodes, index: Nodes) -> bool:
    """Whether an index stands in a name, also as one letter of several, ``a_{ij}``, ``\\text{loss_k}``."""
    if len(index) != 1:
        return set(index) <= set(walk(nodes))
    letter = index[0].text if isinstance(index[0], Atom) else ""
    return any(node == index[0] or (isinstance(node, Name) and _lists(node.text, letter)) for node in walk(nodes))


def _lists(text: str, letter: str) -> bool:
    """Whether a letter is an index in a name: k in ``abk`` and ``loss_k``, not in ``task``."""
    parts = (set(part) for part in _WORDS.findall(text) if len(part) <= _SHORT or set(part) <= _INDICES)
    return any(letter in part for part in parts)


def is_dot(nodes: Nodes) -> bool:
    """Whether this is the dot of ``\\pi(\\cdot \\mid q)``."""
    return len(nodes) == 1 and isinstance(nodes[0], Atom) and nodes[0].text in _DOTS


def label_of(nodes: Nodes, scope: Scope, context: Context) -> str | None:
    """The label that an index stands for, or ``None`` if it is none.

    Raises:
        FreeIndex: if it is a declared index that nothing binds here.
    """
    if nodes in scope.labels:
        context.account.serve(nodes, "index")
        return scope.labels[nodes]
    member = _member_of_group(nodes, scope, context)
    if member is not None:
        context.account.serve(nodes, "index")
        return scope.labels[member]
    if is_dot(nodes):
        context.account.serve(nodes, "index")
        return scope.slot
    if len(nodes) == 1 and isinstance(nodes[0], Hole):
        closure = scope.closures.get(nodes[0].name)
        return None if closure is None else label_of(closure.nodes, closure.scope, context)
    if nodes in context.labels:
        context.used_indices.add(nodes)
        raise FreeIndex(nodes, context.labels[nodes])
    if len(nodes) == 1 and isinstance(nodes[0], Group) and nodes[0].open in (r"\{", "("):
        return label_of(nodes[0].items, scope, context)
    text = _text(nodes)
    if text is not None:
        context.account.serve(nodes, "index")
        return text
    number = _difference(nodes, scope, context)
    return None if number is None else str(number)


def at_number(member: Nodes, index: Nodes, number: int) -> Nodes:
    """A member of a group, ``o_i``, at a number: ``o_2``."""
    result: list[Node] = []
    for node in member:
        if isinstance(node, Scripted) and node.sub == index:
            result.append(Scripted(node.base, (Number(str(number), node.place),), node.sup, node.primes, node.place))
        else:
            result.append(node)
    return tuple(result)


def _member_of_group(nodes: Nodes, scope: Scope, context: Context) -> Nodes | None:
    """The bound member of a group that ``o_i`` means, where i has to be a number.

    Raises:
        FreeIndex: if i is a declared index that nothing binds here.
        NotUnderstood: if no member of the group has this number.
    """
    node = nodes[0] if len(nodes) == 1 else None
    if not isinstance(node, Scripted) or node.sub is None or not any(_alike(node, one) for one in scope.members):
        return None
    number = label_of(node.sub, scope, context)
    whole = number is not None and is_digits(number) and len(number) < 7
    found = at_number(nodes, node.sub, int(number or "")) if whole else None
    if found not in scope.members:
        raise NotUnderstood(node.place, "ambiguous", f"{node.place.text} is which member of the group?")
    return found


def _alike(node: Scripted, member: Nodes) -> bool:
    """Whether a symbol is a member of the same group as a bound one, by another or the same number."""
    other = member[0]
    return isinstance(other, Scripted) and replace(other, sub=node.sub) == node


def _text(nodes: Nodes) -> str | None:
    if len(nodes) == 1 and isinstance(nodes[0], Atom | Name | Number):
        return nodes[0].text
    # A label of several letters, such as "ref", that the tree kept apart.
    if nodes and all(isinstance(node, Atom) and node.text.isalpha() for node in nodes):
        return "".join(node.text for node in nodes if isinstance(node, Atom))
    return None


def whole_number(nodes: Nodes, scope: Scope, context: Context) -> int | None:
    """The whole number that LaTeX such as ``G - 1`` stands for, or ``None``."""
    label = label_of(nodes, scope, context)
    if label is not None:
        digits = label.removeprefix("-")
        return int(label) if is_digits(digits) and len(digits) < 7 else None
    return _difference(nodes, scope, context)


def _difference(nodes: Nodes, scope: Scope, context: Context) -> int | None:
    for at in range(len(nodes) - 1, 0, -1):
        node = nodes[at]
        if isinstance(node, Atom) and node.text in ("+", "-") and at + 1 < len(nodes):
            left = whole_number(nodes[:at], scope, context)
            right = whole_number(nodes[at + 1 :], scope, context)
            if left is None or right is None:
                return None
            context.account.serve((node,), "index")
            return left + right if node.text == "+" else left - right
    return None


def expanded(nodes: Nodes, scope: Scope, context: Context) -> list[Nodes]:
    """The elements of a list, with an ellipsis such as ``r_1, \\dots, r_G`` written out.

    Raises:
        NotUnderstood: if the ellipsis does not show what changes from element to element.
    """
    context.account.serve((node for node in nodes if node == Atom(",", node.place)), "list")
    comma = comma_in_digits(nodes)
    if comma is not None:
        readings = ("one number", "two elements of the list")
        hint = "write 1{,}000, or a space after the comma"
        raise NotUnderstood(comma, "ambiguous", "a comma between digits", readings=readings, hint=hint)
    parts = split(nodes, ",")
    result: list[Nodes] = []
    index = 0
    while index < len(parts):
        part = parts[index]
        if len(part) == 1 and isinstance(part[0], Atom) and part[0].text == r"\dots":
            if not result or not any(parts[index + 1 : index + 2]):
                raise NotUnderstood(part[0].place, "unsupported", "an ellipsis without a beginning and an end")
            _fill_in(result, parts[index + 1], scope, context)
            context.account.serve((*part, *parts[index + 1]), "list")
            index += 1
        else:
            result.append(part)
        index += 1
    return result


def _fill_in(result: list[Nodes], last: Nodes, scope: Scope, context: Context) -> None:
    varied = _varying(result[-1], last)
    if varied is None:
        raise NotUnderstood(place_of(last), "unsupported", "an ellipsis whose two ends differ in more than an index")
    low, high, build = varied
    first, final = whole_number(low, scope, context), whole_number(high, scope, context)
    if first is None or final is None:
        raise NotUnderstood(place_of(last), "unsupported", "an ellipsis whose index is no whole number")
    if final < first:
        # With one element, r_1, ..., r_G is r_1 alone.
        del result[-1 - (first - final - 1) :]
        return
    for number in range(first + 1, final + 1):
        result.append(build((Number(str(number), place_of(last)),)))


def _varying(first: Nodes, last: Nodes) -> tuple[Nodes, Nodes, Callable[[Nodes], Nodes]] | None:
    """Where two sequences differ, and how to build another one like them."""
    if first == last:
        return None
    if len(first) != len(last):
        return first, last, lambda nodes: nodes
    changed = [index for index, (a, b) in enumerate(zip(first, last, strict=True)) if a != b]
    if len(changed) != 1:
        return first, last, lambda nodes: nodes
    at = changed[0]
    inner = _varying_node(first[at], last[at])
    if inner is None:
        return None
    low, high, build = inner
    return low, high, lambda nodes: (*first[:at], *build(nodes), *first[at + 1 :])


def _varying_node(first: Node, last: Node) -> tuple[Nodes, Nodes, Callable[[Nodes], Nodes]] | None:
    match first, last:
        case Scripted(base, sub, sup, primes, place), Scripted(other, below, above, marks, _) if (
            base == other and sup == above and primes == marks and sub is not None and below is not None
        ):
            inner = _varying(sub, below)
            if inner is None:
                return None
            return inner[0], inner[1], lambda nodes: (Scripted(base, inner[2](nodes), sup, primes, place),)
        case Group(opening, closing, items, place), Group(other_opening, _, others, _) if opening == other_opening:
            inner = _varying(items, others)
            if inner is None:
                return None
            return inner[0], inner[1], lambda nodes: (Group(opening, closing, inner[2](nodes), place),)
        case ((Atom() | Number() | Name()), (Atom() | Number() | Name())):
            return (first,), (last,), lambda nodes: nodes
        case _:
            return None
