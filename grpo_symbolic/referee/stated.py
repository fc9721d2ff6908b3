"""What the words right before a display say that it is, where a paper has no map: a definition, or a supposition.

Only the sentence counts that the display ends. Words that derive something, such as *hence* or *we obtain*, make it
neither, whatever else the sentence says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from grpo_symbolic.reading.document.displays import Display

#: How much text before a display is looked at, and the most of it that is quoted.
_BEFORE, _QUOTED = 600, 90
_MATHS = re.compile(r"\$[^$]{0,200}\$|\\\([^$]{0,200}?\\\)|\\\\\([^$]{0,200}?\\\\\)")
#: Where a sentence begins: after a full stop, another display, a heading, an item or an environment.
_BREAK = re.compile(
    r"[.!?](?=[\s*])(?<!i\.e\.)(?<!e\.g\.)(?<!w\.r\.t\.)(?<!cf\.)|\\end\{[a-z*]+\}|\\begin\{[a-z*]+\}(?:\[[^\]]*\])?|\\item\b"
    r"|\$\$|\\\]|\n\s*(?:[-*#>]|\d+\.)\s|```"
)
_DERIVED = re.compile(
    r"\b(?:obtain|gets?|got|hence|so|thus|therefore|then|have|has|holds?|yields?|gives?|giving|derive[sd]?|clearly|since"
    r"|pro(?:ve|of|ven)|shows?|shown|simplif\w+|know|known|note|observe|equivalent(?:ly)?|alternative(?:ly)?|identity"
    r"|theorem|lemma|rewrit\w+|expand\w*|recall|becomes?|reduces?|implies|find|conclude|result\w*|equals|true|must"
    r"|because|verify|check|return to|(?:by|from|using|of|in) (?:(?:the|our|its|this|their) )?definitions?)\b"
    r"|\bfollows\b(?<!as follows)",
    re.IGNORECASE,
)
_DEFINED = re.compile(
    r"\b(?:define|defines|defined|denote|denotes|denoted|denoting|abbreviat\w+|is called|are called|is known as"
    r"|computed as|calculated as|objective|loss(?: function)?)\b|\blet\b(?!['\u2019]s| us)"
    r"|\b(?:write|set|put|where|with)\s*:?$",
    re.IGNORECASE,
)
_NEW_WORD = re.compile(r"\\emph\{|\\textit\{|\\textbf\{")
_DEFINITIONS = re.compile(r"\\(begin|end)\{(?:defi|defn|definition|dfn|notation|nota)\}")
_SUPPOSED = re.compile(
    r"^(?:(?:now|further|furthermore|also|and|moreover|here|we|let us|first|next|additionally)[ ,]+){0,2}"
    r"(?:suppose|assume|require)\b",
    re.IGNORECASE,
)
_ONLY_IF = re.compile(
    r"\b(?:if|when|whenever|such that|satisf(?:y|ies|ying)|subject to|unless|provided that)"
    r"(?: (?!this|it|is|we)\w+){0,2}$",
    re.IGNORECASE,
)
#: How far from a display the word may stand that says that it defines something.
_NEAR = 45


@dataclass(frozen=True)
class Said:
    """That a display is a ``definition`` or a ``supposition``, and the words that say so."""

    kind: str
    words: str


def said_before(display: Display) -> Said | None:
    """What the sentence says of a display that it ends with, if it says so."""
    place = display.place
    before = place.source.text[max(0, place.start - _BEFORE) : place.start]
    sentence = _sentence(before)
    words = " ".join(_MATHS.sub(" x ", sentence).split())
    if not words or _DERIVED.search(words):
        return None
    quoted = " ".join(sentence.split())[-_QUOTED:]
    clause = words.removesuffix(":").removesuffix(", i.e.").removesuffix(", i.e.\\").removesuffix(", that is,").strip()
    if _ONLY_IF.search(clause) or _SUPPOSED.search(clause):
        return Said("supposition", quoted)
    near = any(len(words) - match.end() < _NEAR for match in _DEFINED.finditer(words))
    if near or (_NEW_WORD.search(sentence) and _in_definition(place.source.text[: place.start])):
        return Said("definition", quoted)
    return None


def _sentence(before: str) -> str:
    """The last sentence of a text, if it goes on: nothing if a full stop ends it."""
    text = before.rstrip()
    if text.endswith((".", "!", "?")) and not text.endswith(("i.e.", "e.g.", "resp.")):
        return ""
    breaks = [match.end() for match in _BREAK.finditer(text)]
    return text[breaks[-1] :] if breaks else text


def _in_definition(text: str) -> bool:
    marks = _DEFINITIONS.findall(text)
    return bool(marks) and marks[-1] == "begin"
