"""What a paper without a map prints and does not assert: expressions alone, and signs that say nothing exact."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from grpo_symbolic.reading.document.displays import Unread
from grpo_symbolic.reading.document.relations import relation_of
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.meaning.refusal import NothingAsserted
from grpo_symbolic.reading.tex.tree import Command, Environment, Nodes, Scripted, Space, Words, children
from grpo_symbolic.referee.findings import (
    NO_ASSERTION,
    RECORDED,
    STANDING,
    SUPPOSED,
    Finding,
    InstanceInWords,
    Status,
)
from grpo_symbolic.referee.stated import said_before
from grpo_symbolic.translate.text import expression_text

_BETWEEN = re.compile(r"\\(?:inter)?text|\\mbox|[$=<>]|\\(?:le|ge|ne|approx|sim|in|to)(?![a-z])")
#: Words right behind an expression that say something of it.
_VERB = re.compile(
    r"(?:[\s~,.;&]|\\[ ,;:!]|\\q?quad\b)*\\(?:text\w*|mbox|mathrm|intertext)\s*\{[^{}]*"
    r"\b(?:is|are|be|equals?|becomes?|gives?|has|holds?|yields?|means|exceeds?|vanish\w*|does|do|must)\b"
)
#: Why something may not be read that supposes something all the same.
_UNKNOWN = frozenset({"undeclared", "unsupported"})
_ALONE = "an expression alone, without a relation, asserts nothing"


def without_assertion(finding: Finding, refusal: NothingAsserted) -> Finding:
    """The finding about a step whose sign says nothing exact, with its sides if both were read."""
    reason = f"{finding.relation} asserts nothing exact: {refusal.why}"
    told = replace(finding, status=Status.CONDITION, code=NO_ASSERTION, reason=reason)
    if refusal.sides is None:
        return replace(told, notes=(*finding.notes, "its sides were not read"))
    left, right = map(expression_text, refusal.sides)
    read = InstanceInWords((), left, finding.relation, right)
    return replace(told, read=read, instances=(read,))


def as_supposed(finding: Finding, outcome: InterpretedStep | None) -> Finding | None:
    """The finding about the first step of a chain that may fail, where the words before its display suppose it."""
    if outcome is None or finding.status in STANDING or finding.status in RECORDED:
        return None
    refusal = outcome.refusal
    if refusal is not None and refusal.kind not in _UNKNOWN:
        return None
    chain = next((one for one in outcome.display.chains if outcome.step in one.steps), None)
    if chain is None or chain.link is not None or chain.continues or outcome.step.index > 1:
        return None
    said = said_before(outcome.display)
    if said is None or said.kind != "supposition":
        return None
    reason = f"the paper supposes it: {said.words}"
    notes = finding.notes if refusal is None else (*finding.notes, f"it was not read: {refusal.reason}")
    told = replace(finding, status=Status.CONDITION, code=SUPPOSED, reason=reason, notes=notes, token="", readings=())
    return replace(told, counterexample=None, failing=None, repair=None)


def alone(finding: Finding) -> Finding:
    """The finding about an expression that stands alone."""
    return replace(finding, status=Status.CONDITION, code=NO_ASSERTION, reason=_ALONE)


def is_expression(unread: Unread) -> bool:
    """Whether what was seen is an expression and nothing else: no relation in a bracket or box, no words beside it."""
    return (
        unread.code == "no-relation"
        and bool(unread.items)
        and not _says_more(unread.items)
        and not any(_BETWEEN.search(text) for text in _gaps(unread.items))
        and not _VERB.match(unread.items[-1].place.source.text, unread.items[-1].place.end)
    )


def _gaps(nodes: Nodes) -> Iterator[str]:
    """What is written between nodes, such as words that were cut away and may begin a statement of their own."""
    for one, other in pairwise(nodes):
        if one.place.source is other.place.source:
            yield one.place.source.text[one.place.end : other.place.start]


def _says_more(nodes: Nodes) -> bool:
    """Whether relations, words or wide spaces stand in nodes; what is set in scripts asserts nothing."""
    for node in nodes:
        bare = node.base if isinstance(node, Scripted) else node
        if bare is None or relation_of(bare) is not None or isinstance(bare, Words | Space | Environment):
            return True
        if isinstance(bare, Command) and bare.name == r"\not":
            return True
        if (
            isinstance(node, Scripted)
            and isinstance(bare, Command)
            and _says_more((*(node.sub or ()), *(node.sup or ())))
        ):
            return True  # what a brace is said to be
        if any(_says_more(part) for part in children(bare)):
            return True
    return False
