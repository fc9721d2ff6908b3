"""Where a paper without a map introduces what it has not used before: that is a definition, and cannot be wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grpo_symbolic.language.expression import Expression, Symbol, free_symbols
from grpo_symbolic.reading.document.displays import PrintedStep
from grpo_symbolic.reading.document.heads import is_plain
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.meaning.steps import Instance
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import normal, split, trimmed
from grpo_symbolic.reading.tex.tree import Group, Nodes, Number, Scripted, walk


@dataclass(frozen=True)
class Introduced:
    """What a step says the meaning of: its name, and where that was said before, with the same right side or not."""

    name: str
    before: Place | None = None
    same: bool = True


def introduced(outcomes: Iterable[InterpretedStep], objects: Objects | None) -> dict[int, Introduced]:
    """The steps, by identity, that say what a symbol or object is, each with what it introduces.

    A step does if it is the first equation of its chain, a name stands alone on its left side, perhaps with different
    letters in brackets, the right side has not this name, and no formula before has it but right sides of such steps:
    these use what is explained later.
    """
    restricted: set[Symbol] = set() if objects is None else set(objects.composed)
    said: dict[Expression, tuple[Place, Expression]] = {}
    found: dict[int, Introduced] = {}
    for outcome in outcomes:
        instances = () if outcome.read is None else outcome.read.instances
        step = outcome.step
        name = step.left[0].place.to(step.left[-1].place).text if step.left else ""
        if _defines(step, instances) and not any(one.left in restricted for one in instances):
            known = [said[one.left] for one in instances if one.left in said]
            if not known:
                found[id(step)] = Introduced(name)
                said |= {one.left: (step.place, one.right) for one in instances}
                continue
            if len(known) == len(instances) and not any(one.hypotheses for one in instances):
                same = all(said[one.left][1] == one.right for one in instances)
                found[id(step)] = Introduced(name, known[0][0], same)
                continue
        for one in instances:
            restricted |= {*free_symbols(one.left), *free_symbols(one.right)}
    return found


def _defines(step: PrintedStep, instances: Sequence[Instance]) -> bool:
    """Whether a step has the form of a definition."""
    return (
        bool(instances)
        and step.index == 1
        and step.relation.symbol == "="
        and not step.relation.over
        and _says_what(step)
        and all(isinstance(one.left, Symbol) and one.whole is None for one in instances)
        and not any(one.left in free_symbols(one.right) for one in instances)
        and all(free_symbols(one.right) for one in instances)
        and len({one.left for one in instances}) == len(instances)
    )


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
