"""What the head of a sum, an integral or a gradient prints: its operator, its index, and what it runs over."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.reading.document.heads import GREEK
from grpo_symbolic.reading.places import BrokenLatex
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import find, normal
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.tree import Atom, Name, Node, Nodes, Scripted, walk, without_scripts


def latex_of(symbol: Symbol) -> str:
    """What a symbol prints, in one spelling; nothing if it cannot be told."""
    try:
        return compact(normal(parse_tree(symbol.latex, name="symbol")))
    except BrokenLatex:
        return ""


def operator_of(head: Nodes) -> str:
    """The sign or letters with which a head begins, without scripts."""
    bare = without_scripts(head[0]) if head else None
    return bare.text if isinstance(bare, Atom | Name) else ""


def is_everything(head: Nodes, variable: Node, parts: AbstractSet[str]) -> bool:
    """Whether a sum or integral has no limits, or a set is below it that is named after what runs there.

    None of the ``parts`` is, which the paper calls a sample or the like.
    """
    first = head[0]
    if not isinstance(first, Scripted) or first.sup:
        return False
    if first.sub is None or len(first.sub) == 1:
        return True
    last = first.sub[-1]
    if compact((last,)) in parts:
        return False
    letter = variable.text if isinstance(variable, Atom | Name) else ""
    named = isinstance(last, Atom | Name) and last.text.strip("{}").endswith(letter.upper())
    # The values of a variable, as in ``\\Omega_y``.
    values = isinstance(last, Scripted) and last.sup is None and last.base == Atom(r"\Omega", last.place)
    below = last.sub if values and isinstance(last, Scripted) else None
    named = named or (below is not None and len(below) == 1 and compact(below) in (letter, letter.upper()))
    return len(first.sub) == 3 and find(first.sub, r"\in") == 1 and bool(letter) and named


def shares_variable(inner: Nodes, head: Nodes) -> bool:
    """Whether the variable of a gradient stands in the limits of a sum."""
    variable = head[0].sub if head and isinstance(head[0], Scripted) else None
    return bool(variable) and any(node in walk(inner) for node in variable or ())


def index_below(head: Nodes) -> Nodes:
    """The one letter that a sum runs over, ``x`` of ``\\sum_x`` or ``\\sum_{x=1}^n``; nothing if there are more."""
    first = head[0] if head else None
    sub = first.sub if isinstance(first, Scripted) and first.sub else ()
    letter = without_scripts(sub[0]) if sub else None
    text = letter.text if isinstance(letter, Atom | Name) else ""
    named = (len(text) == 1 and text.isalpha()) or text in GREEK
    rest = sub[1:]
    relation = rest[0].text if rest and isinstance(rest[0], Atom) else ""
    plain = not rest or (
        relation in ("=", r"\in", r"\ne") and find(rest[1:], ",", "<", ">", r"\le", r"\ge", "=") is None
    )
    return sub[:1] if named and plain else ()
