"""The same sign twice, or two signs in a row: refused, unless a product sign is repeated at a line break."""

from __future__ import annotations

import re

from grpo_symbolic.reading.meaning.phrase import Phrase
from grpo_symbolic.reading.tex.tree import Atom, Node, without_scripts

_SIGNS = ("+", "-", r"\pm", r"\mp")
_LINE_BREAK = re.compile(r"\\\\|\\(?:cr|newline|tabularnewline)\b")


def _after(phrase: Phrase) -> Node | None:
    return phrase.nodes[phrase.index + 1] if phrase.index + 1 < len(phrase.nodes) else None


def refuse_signs(phrase: Phrase) -> None:
    """Refuse two signs in a row, such as ``x ++ y`` and ``x +- y``: one of them is too many, or means ``\\pm``.

    Only the minus of a negative term may follow a minus.

    Raises:
        NotUnderstood: if another sign follows the one at the phrase's position, or stands before it.
    """
    before = phrase.nodes[phrase.index - 1] if phrase.index else None
    here = phrase.sign(*_SIGNS)
    for other in (before, _after(phrase)):
        if isinstance(other, Atom) and other.text in _SIGNS and not here == other.text == "-":
            raise phrase.refuse("ambiguous", "two signs in a row", hint="write brackets around a negative term")


def skip_at_line_break(phrase: Phrase, sign: str) -> None:
    """Step over a product sign that was repeated at a line break, as some authors do.

    Raises:
        NotUnderstood: if it stands twice without a line break between.
    """
    while sign != "/" and phrase.sign(sign):
        first, second = phrase.nodes[phrase.index - 1].place, phrase.here()
        if first.source is not second.source or not _LINE_BREAK.search(first.source.text[first.end : second.start]):
            raise phrase.refuse("ambiguous", f"{sign} twice in a row", hint="is something missing between them?")
        phrase.past("sign")


def refuse_factorials(phrase: Phrase) -> None:
    """Refuse ``n!!``, the double factorial, which is no factorial of a factorial.

    Raises:
        NotUnderstood: if another exclamation mark follows the one at the phrase's position.
    """
    after = _after(phrase)
    bare = without_scripts(after)
    if isinstance(bare, Atom) and bare.text == "!":
        raise phrase.refuse(
            "ambiguous",
            "two exclamation marks",
            readings=("the double factorial", "the factorial of a factorial"),
            hint="declare it in the notation map, or write brackets",
        )
