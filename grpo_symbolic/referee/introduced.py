"""Where a paper without a map introduces what it has not used before: that is a definition, and cannot be wrong."""

from __future__ import annotations

from collections.abc import Iterable

from grpo_symbolic.language.expression import Symbol, free_symbols
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.notation.objects import Objects


def introduced(outcomes: Iterable[InterpretedStep], objects: Objects | None) -> dict[int, str]:
    """The steps, by identity, that say what a new symbol or object is, each with what it introduces.

    A step does if it is the first equation of its chain, one symbol stands alone on its left side that no formula
    before has, and the right side is not about that symbol.
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
            and all(isinstance(one.left, Symbol) and one.whole is None for one in instances)
            and not any(one.left in seen or one.left in free_symbols(one.right) for one in instances)
            and all(free_symbols(one.right) for one in instances)
            and len({one.left for one in instances}) == len(instances)
        ):
            found[id(step)] = step.left[0].place.to(step.left[-1].place).text
        for one in instances:
            seen |= {*free_symbols(one.left), *free_symbols(one.right)}
    return found
