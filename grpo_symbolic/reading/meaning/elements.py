"""The elements of a set that stands below a sum: a declared set, a list in braces, the numbers of ``[n]``."""

from __future__ import annotations

from grpo_symbolic.reading.meaning.conditions import OPERATORS
from grpo_symbolic.reading.meaning.labels import expanded, label_of, whole_number
from grpo_symbolic.reading.meaning.phrase import Phrase
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.notation.context import MAX_TERMS
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import find, split
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.tree import Atom, Group, Name, Nodes, place_of


def elements(phrase: Phrase, nodes: Nodes, place: Place, what: str) -> tuple[str, ...]:
    """The labels of a set, without those that ``\\setminus`` takes out.

    Raises:
        NotUnderstood: if it is neither a declared set, under the name that is printed, nor a list.
        FreeIndex: if it depends on an index that nothing binds.
    """
    without = (r"\setminus", r"\backslash")
    phrase.serve("set", *(node for node in nodes if isinstance(node, Atom) and node.text in without))
    first, *taken = split(nodes, *without)
    members = _plain_set(phrase, first, place, what)
    for other in taken:
        removed = _plain_set(phrase, other, place, what)
        members = tuple(label for label in members if label not in removed)
    return members


def _plain_set(phrase: Phrase, nodes: Nodes, place: Place, what: str) -> tuple[str, ...]:
    match nodes:
        case (Group(r"\{", r"\}", items),) if find(items, ":", "|", *OPERATORS, r"\in") is None:
            parts = expanded(items, phrase.scope, phrase.context)
            found = [label_of(part, phrase.scope, phrase.context) if part else None for part in parts]
            if None not in found:
                return tuple(dict.fromkeys(label for label in found if label is not None))
        case (Group("[", "]", items),) if find(items, ",") is None:
            return numbers_between(1, whole(phrase, items, place, what), place, what)
        case (Atom(text) | Name(text),):
            for name, labels in phrase.context.sets.items():
                if name in (text, compact(nodes)):
                    phrase.serve("set", *nodes)
                    return labels
    shown = place_of(nodes).text if nodes else "nothing"
    hint = "list it under [sets] by the name that the paper prints"
    raise NotUnderstood(place, "undeclared", f"{what} over {shown}, which is no declared set", hint=hint)


def whole(phrase: Phrase, nodes: Nodes, place: Place, what: str) -> int:
    """The whole number at an end of a range; the errors are those of ``elements``."""
    value = whole_number(nodes, phrase.scope, phrase.context)
    if value is None:
        reason = f"{what} whose range is not two whole numbers"
        raise NotUnderstood(place, "unsupported", reason, hint="declare sizes under [sizes]")
    return value


def numbers_between(low: int, high: int, place: Place, what: str) -> tuple[str, ...]:
    """The labels of the whole numbers of a range, of which there must be some and not too many."""
    if high < low or high - low >= MAX_TERMS:
        raise NotUnderstood(place, "limit", f"{what} of {max(high - low + 1, 0)} terms")
    return tuple(str(number) for number in range(low, high + 1))
