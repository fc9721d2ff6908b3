"""What the words right before a display say that it is, where a paper has no map: a definition, or a supposition.

Only the sentence counts that the display ends. Words that derive something, such as *hence* or *we obtain*, make it
neither, whatever else the sentence says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grpo_symbolic.reading.document.displays import Display

#: How much text before a display is looked at, and the most of it that is quoted.
_BEFORE, _QUOTED = 600, 90
_MATHS = re.compile(r"\$[^$]{0,200}\$|\\\([^$]{0,200}?\\\)|\\\\\([^$]{0,200}?\\\\\)")
#: Where a sentence begins: after a full stop, another display, a heading, an item or an environment.
_BREAK = re.compile(
    r"[.!?](?=[\s*])(?<!i\.e\.)(?<!e\.g\.)(?<!w\.r\.t\.)(?<!cf\.)(?<!et al\.)"
    r"|(?m:^[ \t]*#{1,6} [^\n]*\n)|\\end\{[a-z*]+\}|\\begin\{[a-z*]+\}(?:\[[^\]]*\])?|\\item\b"
    r"|\$\$|\\\]|\n\s*(?:[-*#>]|\d+\.)\s|```"
)
_DERIVED = re.compile(
    r"\b(?:obtain|gets?|got|hence|so|thus|therefore|then|have|has|holds?|yields?|gives?|giving|derive[sd]?|clearly|since"
    r"|pro(?:ve|of|ven)|shows?|shown|simplif\w+|know|known|note|observe|equivalent(?:ly)?|alternative(?:ly)?|identity"
    r"|theorem|lemma|proposition|corollary|claim\w*|contribution|rewrit\w+|expand\w*|recall|becomes?|reduces?|implies"
    r"|find|conclude|result\w*|equals?|true|must|case|sees?|satisfies|leads?|arrives?|turns? out"
    r"|(?:comput|calculat|substitut|plugg|insert|differentiat|integrat|summ|tak|minimi[sz]|maximi[sz]|combin|collect)ing"
    r"|(?:comput|calcul|substitut|differenti|integr)ations?|calculus|linearity|inequality|rule"
    r"|because|verify|check|return to|(?:by|from|using|of|in|with) (?:(?:the|our|its|this|their) )?definitions?)\b"
    r"|\bfollows\b(?<!as follows)",
    re.IGNORECASE,
)
#: What says that the paper does not mean it, that it only might, or that others do.
_DOUBT = re.compile(
    r"\b(?:not|never|cannot|\w+n't|no|nobody|none|nor|neither|without|instead of|rather|would|could|might|may|whether"
    r"|wrong\w*|incorrect\w*|mistak\w*|mistook|false\w*|erroneous\w*|errors?|impossible|misprint|typo|were|had|hardly"
    r"|fails?|unlike|et al|authors?|they|some|others?|footnote|people|temptation|tempting)\b(?!-)",
    re.IGNORECASE,
)
#: Words that define what has a meaning already too, with no more than a name between them and the display.
_DEFINED = re.compile(
    r"(?:\b(?:define|defines|denote|denotes|denoting|abbreviat\w+)\b"
    r"|(?<![-\w])defined(?= (?:x )?(?:as|by|to|through|via)\b)"
    r"|\b(?:is|are) (?:called|known as)\b|\blet\b(?!['\u2019]s| us| the reader)"
    r"|\b(?:we|us|and|to|also|now) (?:write|set|put)\b"
    r"|^(?:write|set|put)\b|\bmodified to\b|(?:^|[,;]) ?(?:and )?where\b)(?P<name>[^;]*)$",
    re.IGNORECASE,
)
#: Words that say what something is: a definition, if the paper has said nothing else of it.
_DESCRIBED = re.compile(
    r"\b(?:denoted|computed as|calculated as|defined|objective|loss(?: function)?)\b"
    r"|\b(?:write|set|put|where|with)\s*:?$",
    re.IGNORECASE,
)
#: What stands between no word that defines and what it defines.
_AWAY = re.compile(
    r"\b(?:is|are|was|does|do|that|which|what|above|before|earlier|previous(?:ly)?|by \w+(?:ing|ation))\b",
    re.IGNORECASE,
)
#: What has a meaning already, so that an equation for it states a fact unless the words define it.
_MEANT = re.compile(
    r"\b(?:solutions?|roots?|derivatives?|gradients?|minim\w+|maxim\w+|optim(?:al|um)\w*|limits?|bounds?|variances?"
    r"|inverses?|integrals?|bayes\w*|jensen\w*)\b",
    re.IGNORECASE,
)
_NEW_WORD = re.compile(r"\\emph\{|\\textit\{|\\textbf\{")
_DEFINITIONS = re.compile(r"\\(begin|end)\{(?:defi|defn|definition|dfn|notation|nota)\}")
_SUPPOSED = re.compile(
    r"^(?:(?:now|further|furthermore|also|and|moreover|here|we|let us|first|next|additionally|conversely"
    r"|on the other hand)[ ,]+){0,2}"
    r"(?:suppose|assume|require)\b",
    re.IGNORECASE,
)
_ONLY_IF = re.compile(
    r"\b(?:if|(?<!even )when|(?<!even )whenever|(?<!is )(?<!are )such that"
    r"|(?:that|which|to|shall) satisfy|satisfying|subject to|unless|provided that)"
    r"(?: (?!this|it|is|we)\w+){0,2}$",
    re.IGNORECASE,
)
#: What goes on from a supposition to what follows from it.
_AFTERWARDS = re.compile(
    r";|\b(?:whence|which|wherefore|deduce\w*|infer\w*|it is|plain\w*|obvious\w*|evident\w*|immediate\w*|answer|makes?"
    r"|recogni[sz]\w*|by \w+ing|always|facts?|famil\w+|formulae?|well[- ]known)\b",
    re.IGNORECASE,
)
#: What a word means that is said to hold if all of some things are so: ``f is *convex* if for all x we have``.
_MEANS = re.compile(
    r"\b(?:is|are|be|call(?:ed)?|says? that [^.;]{1,60}?) [^.;]{0,60}?\bif (?:and only if )?(?:x, )?"
    r"for (?:all|any|every|each|some) (?P<which>[^.;]*)$",
    re.IGNORECASE,
)
_WE_HAVE = re.compile(r",? ?(?:we have|it holds that|there holds)[, ]*$", re.IGNORECASE)
#: A word that is printed as a new one, before what it means.
_EMPHASISED = re.compile(r"\\(?:emph|textit|textbf)\{[^{}]*\}|(?<![*\w])\*{1,2}\w[^*\n]*\*{1,2}")
_SUPPOSE_HAVE = re.compile(r"\b((?:suppose|assume)(?: that)?) we have\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|no|nothing|none|never|nowhere|without(?! loss)|fails?|cannot|\w+n't|wrong\w*|false\w*)\b", re.IGNORECASE
)
#: How far from a display the word may stand that says that it defines something.
_NEAR = 45


@dataclass(frozen=True)
class Said:
    """That a display is a ``definition`` or a ``supposition``, and the words that say so.

    A ``weak`` definition describes something, as the loss or as what is computed: it may state a fact about what has
    another meaning already.
    """

    kind: str
    words: str
    weak: bool = False


def said_before(display: Display) -> Said | None:
    """What the sentence says of a display that it ends with, if it says so."""
    sentence, words = _words_before(display)
    if words and _says_a_meaning(sentence, words):
        return Said("supposition", " ".join(sentence.split())[-_QUOTED:])
    words = _SUPPOSE_HAVE.sub(r"\1", words)
    if not words or _DERIVED.search(words):
        return None
    quoted = " ".join(sentence.split())[-_QUOTED:]
    clause = words.removesuffix(":").removesuffix(", i.e.").removesuffix(", i.e.\\").removesuffix(", that is,").strip()
    supposes = _SUPPOSED.search(clause)
    if _ONLY_IF.search(clause) or (supposes and not _AFTERWARDS.search(clause, supposes.end())):
        return None if _DENIED.search(words) else Said("supposition", quoted)
    if _DOUBT.search(words):
        return None
    if any(len(words) - found.start("name") < _NEAR and not _AWAY.search(found["name"]) for found in _all(clause)):
        return Said("definition", quoted)
    place = display.place
    if _NEW_WORD.search(sentence) and _in_definition(place.source.text[: place.start]):
        return Said("definition", quoted)
    described = any(len(words) - match.end() < _NEAR for match in _DESCRIBED.finditer(words))
    return Said("definition", quoted, weak=True) if described and not _MEANT.search(words) else None


def _says_a_meaning(sentence: str, words: str) -> bool:
    """Whether a sentence says what a new word means by what has to hold, so that this is not asserted."""
    clause = _WE_HAVE.sub("", words.removesuffix(":").strip())
    means = _MEANS.search(clause)
    if means is None or any(pattern.search(clause) for pattern in (_DERIVED, _DOUBT, _DENIED, _AFTERWARDS)):
        return False
    new = _EMPHASISED.search(sentence)
    return new is not None and bool(re.search(r"\bif\b", sentence[new.end() :]))


def is_hypothetical(display: Display) -> bool:
    """Whether a display is only supposed, or the words before it say that the paper does not mean it."""
    said, (_, words) = said_before(display), _words_before(display)
    return (said is not None and said.kind == "supposition") or _DOUBT.search(words) is not None


def _words_before(display: Display) -> tuple[str, str]:
    """The sentence that a display ends, and its words, with ``x`` for a formula."""
    place = display.place
    sentence = _sentence(place.source.text[max(0, place.start - _BEFORE) : place.start])
    return sentence, " ".join(_MATHS.sub(" x ", sentence).split())


def _all(clause: str) -> Iterator[re.Match[str]]:
    """Every place where a word defines, with all that follows it."""
    at = 0
    while (found := _DEFINED.search(clause, at)) is not None:
        yield found
        at = found.start() + 1


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
