"""Which words on a row say that what follows them is assumed."""

from __future__ import annotations

from grpo_symbolic.reading.document.displays import Condition
from grpo_symbolic.reading.document.prose import connective, plain
from grpo_symbolic.reading.document.ranges import is_plain
from grpo_symbolic.reading.tex.tree import Atom, Nodes, Words

_RESTRICTING = frozenset(
    {
        "",
        "if",
        "when",
        "where",
        "for",
        "with",
        "for all",
        "for every",
        "for each",
        "for any",
        "whenever",
        "and",
        "provided",
        "provided that",
        "assuming",
        "assuming that",
        "as long as",
        "given",
        "let",
        "given that",
        "under",
    }
)
#: Reasons, which are taken as conditions where they compare variables with numbers; others would have to be shown.
_REASONS = frozenset({"since", "because", "as"})


def is_read(condition: Condition, nodes: Nodes) -> bool:
    """Whether the words of a condition say that what follows is assumed."""
    words = plain(condition.words)
    if condition.unclear or any(isinstance(node, Words) and connective(node) is None for node in nodes):
        return False
    return words in _RESTRICTING or (words in _REASONS and is_plain(nodes))


def without_quantifier(nodes: Nodes) -> Nodes:
    """A range such as ``\\forall x > 0`` without the quantifier, which every statement has anyway."""
    first = nodes[0] if nodes else None
    return nodes[1:] if isinstance(first, Atom) and first.text == r"\forall" else nodes
