"""Which steps fail for all that is known, so that an edit is looked for with which they hold."""

from __future__ import annotations

from grpo_symbolic.language.expression import Symbol, free_symbols
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.meaning.steps import Instance
from grpo_symbolic.reading.tex.normal import normal, trimmed
from grpo_symbolic.reading.tex.tree import Atom, Group, Name, Nodes, Words, walk, without_scripts
from grpo_symbolic.referee.findings import Status
from grpo_symbolic.referee.weighing import Answer

FAILS_BESIDE = "it fails in general, but what stands beside it was not read"


def fails(outcome: InterpretedStep, found: Answer, *, follows: bool = False) -> bool:
    """Whether a step is refuted, or false as printed and cannot be a definition, so that an edit may mend it.

    An equation that has a letter for a side may say what that means; every edit of the other side would then only say
    something else. So may an inequality between a letter and a number be a condition on it. What ``follows`` from a
    statement before it does neither.
    """
    if found.status is Status.REFUTED:
        return True
    if found.status is not Status.NOT_AN_IDENTITY or outcome.read is None:
        return False
    return follows or not any(map(_may_say_what_a_letter_is, outcome.read.instances))


def _may_say_what_a_letter_is(one: Instance) -> bool:
    sides = (one.left, one.right)
    if not any(isinstance(side, Symbol) for side in sides):
        return False
    return one.operator == "=" or not all(map(free_symbols, sides))


def is_name(side: Nodes) -> bool:
    """Whether a side is a letter, with or without indices, or a function of something, by the look of it."""
    nodes = trimmed(normal(side))
    first = without_scripts(nodes[0]) if nodes else None
    if not isinstance(first, Atom | Name) or (isinstance(first, Atom) and not first.text.removeprefix("\\").isalpha()):
        return False
    return len(nodes) == 1 or (len(nodes) == 2 and isinstance(nodes[1], Group))


def remark_beside(outcome: InterpretedStep) -> bool:
    """Whether a remark that was not read, ``(Lemma 3)``, stands behind a step: it may say when that holds."""
    display, step = outcome.display, outcome.step
    behind = [one.place.start for one in display.steps if one.place.start > step.place.start]
    return any(
        one.place.source is step.place.source
        and step.place.start < one.place.start < min(behind, default=one.place.start + 1)
        and one.items
        and _remarks(one.items)
        for one in display.unread
    )


def _remarks(items: Nodes) -> bool:
    """Whether this is prose, or a bracket by itself with words in it."""
    named = isinstance(items[0], Group) and len(items) == 1 and any(isinstance(node, Name) for node in walk(items))
    return named or any(isinstance(node, Words) for node in walk(items))
