"""Which steps fail for all that is known, so that an edit is looked for with which they hold."""

from __future__ import annotations

from grpo_symbolic.language.expression import Call, Expression, Symbol
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.tex.tree import Group, Name, Nodes, Words, walk
from grpo_symbolic.referee.answers import Answer
from grpo_symbolic.referee.findings import Status

FAILS_BESIDE = "it fails in general, but what stands beside it was not read"


def fails(outcome: InterpretedStep, found: Answer) -> bool:
    """Whether a step is refuted, or an equation or inequality by itself is false and cannot be a definition.

    What has a letter or a function of letters for a side may say what that means; every edit of the other side would
    then only say something else.
    """
    if found.status is Status.REFUTED:
        return True
    if found.status is not Status.NOT_AN_IDENTITY or outcome.read is None:
        return False
    return not any(_names(side) for one in outcome.read.instances for side in (one.left, one.right))


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


def _names(side: Expression) -> bool:
    return isinstance(side, Symbol) or (isinstance(side, Call) and all(map(_names, side.arguments)))
