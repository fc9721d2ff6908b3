"""Where a paper without a map introduces what it has not used before: that is a definition, and cannot be wrong."""

from __future__ import annotations

from collections.abc import Iterable

from grpo_symbolic.language.expression import Symbol, free_symbols
from grpo_symbolic.reading.document.displays import PrintedStep
from grpo_symbolic.reading.document.heads import is_plain
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.reading.tex.normal import normal, split, trimmed
from grpo_symbolic.reading.tex.tree import Group, Nodes, Number, Scripted, walk


def introduced(outcomes: Iterable[InterpretedStep], objects: Objects | None) -> dict[int, str]:
    """The steps, by identity, that say what a new symbol or object is, each with what it introduces.

    A step does if it is the first equation of its chain, a name stands alone on its left side, perhaps with different
    letters in brackets, that no formula before has, and the right side has not this name.
    """
    seen: set[Symbol] = set() if objects is None else set(objects.composed)
    found: dict[int, str] = {}
    for outcome in outcomes:
        instances = () if outcome.read is None else outcome.read.instances
        step = outcome.step
        first = instances[0] if instances else None
        if (
            first is not None
            and step.index == 1
            and step.relation.symbol == "="
            and not step.relation.over
            and _says_what(step)
            and all(isinstance(one.left, Symbol) and one.whole is None for one in instances)
            and not any(one.left in seen or one.left in free_symbols(one.right) for one in instances)
            and all(free_symbols(one.right) for one in instances)
            and len({one.left for one in instances}) == len(instances)
        ):
            found[id(step)] = step.left[0].place.to(step.left[-1].place).text
        for one in instances:
            seen |= {*free_symbols(one.left), *free_symbols(one.right)}
    return found


def _says_what(step: PrintedStep) -> bool:
    """Whether the left side is a name, perhaps of different letters, that stands nowhere on the right side."""
    left = normal(trimmed(step.left))
    letters: list[Nodes] = []
    match left:
        case (head,):
            pass
        case (head, Group("(", ")", items)):
            letters = split(items, ",", ";", "|")
        case _:
            return False
    plain = all(len(letter) == 1 and is_plain(letter) and not isinstance(letter[0], Number) for letter in letters)
    name = head.base if isinstance(head, Scripted) and head.base is not None and head.sub is None else head
    if (
        (isinstance(head, Scripted) and head.primes)
        or isinstance(head.base if isinstance(head, Scripted) else head, Group)
        or len(set(letters)) < len(letters)
    ):
        return False
    return plain and all(node not in (head, name) for node in walk(normal(step.right)))
