"""What the words between formulas do: begin a statement, restrict one, join two, give a reason, or remark."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, auto

from grpo_symbolic.reading.document.relations import relations_in
from grpo_symbolic.reading.tex.symbols import words
from grpo_symbolic.reading.tex.tree import Atom, Name, Node, Nodes, Words


class Role(Enum):
    """What words do between what stands before and after them."""

    BEGINS = auto()
    JOINS = auto()
    REMARKS = auto()
    RESTRICTS = auto()


#: Words that introduce a statement without restricting it.
_NEUTRAL = words(
    "and then so hence thus therefore where let we have it follows that namely but while also finally clearly note"
    " obtain get i.e either whence moreover furthermore similarly likewise again now indeed viz thereby conversely"
)
_CONCLUDING = frozenset(
    {
        "that is", "that is to say", "which is", "which is to say", "which gives", "giving", "gives", "this gives",
        "yielding", "yields", "which yields", "this yields", "equivalently", "or equivalently", "in other words",
        "which means", "this means", "meaning", "meaning that", "which means that", "this means that", "as well as",
        "which implies", "this implies", "which implies that", "this implies that", "so that", "or rather", "or simply",
        "which shows", "which shows that", "in particular", "in short", "to wit", "as well", "together with",
    }
)  # fmt: skip
#: A name in an upright font that is one of these is a word of the sentence.
_SPOKEN = _NEUTRAL | words(
    "equivalently giving gives yielding yields meaning otherwise provided assuming suppose using respectively i.e. e.g."
    " s.t. w.r.t. resp. viz. cf. a.s. a.e. w.l.o.g. both implies approximately exactly modulo mod whence"
)
_LINKS: Mapping[str, str] = {
    "if and only if": r"\Leftrightarrow",
    "iff": r"\Leftrightarrow",
    "exactly if": r"\Leftrightarrow",
    "is equivalent to": r"\Leftrightarrow",
    "are equivalent to": r"\Leftrightarrow",
    "implies": r"\Rightarrow",
    "implies that": r"\Rightarrow",
    "is implied by": r"\Leftarrow",
}
_REASON = re.compile(
    r"[(\[]|(?:by|using|from|due to|because|since|see|via|follows|thanks|eq|lemma|theorem|prop|cor|assum|def)\b",
    re.IGNORECASE,
)
_QUALIFYING = re.compile(
    r"\b(?:if|unless|when|whenever|provided|only|except|mod|modulo|not|for|no|never|false|wrong|almost|up to|approx\w*"
    r"|assuming|otherwise|suppose|asymptotically|subject|such|given|probability)\b|\b(?:a\.s|a\.e|s\.t|w\.p)\b",
    re.IGNORECASE,
)
_MORE_QUALIFYING = re.compile(
    r"\b(?:where|with|is|are|holds?|under|on|in|every|each|some|all|any|while|until|near|order|large|small|as|locally"
    r"|constants?|least|most|decreas\w*|increas\w*|achieves?|minim\w*|maxim\w*)\b",
    re.IGNORECASE,
)


def spoken(node: Node) -> Node:
    """A single word in an upright font as a word of the sentence, and "if and only if" as the arrow that it says."""
    if isinstance(node, Name) and node.font == "upright" and node.text.lower() in _SPOKEN:
        node = Words(node.text, node.place)
    if isinstance(node, Words) and (link := _LINKS.get(plain(node.text))) is not None:
        return Atom(link, node.place)
    return node


def plain(prose: str) -> str:
    """Words in lower case, without punctuation around or commas between them."""
    return " ".join(prose.lower().replace(",", " ").strip(" .;:").split())


def connective(node: Node) -> str | None:
    """The sign for "and" or "or" that a node is: a word of the sentence, or a sign of logic or of a lattice."""
    if isinstance(node, Words) and (word := plain(node.text)) in ("and", "or"):
        return r"\wedge" if word == "and" else r"\vee"
    return node.text if isinstance(node, Atom) and node.text in (r"\wedge", r"\vee") else None


def role(prose: str, following: Nodes) -> Role:
    """What words do that stand before ``following``, which is empty at the end of a row."""
    text = plain(prose)
    if text in ("and", "or") and following:
        return Role.JOINS
    neutral = all(word.strip(",.:") in _NEUTRAL for word in text.split())
    if text in _CONCLUDING or (following and neutral):
        return Role.BEGINS
    if not relations_in(following) and _is_remark(prose, bare=not following):
        return Role.REMARKS
    return Role.RESTRICTS


def says_nothing(prose: str) -> bool:
    """Whether words only lead from one statement to the next, or give a reason or a name."""
    neutral = all(word.strip(",.:") in _NEUTRAL for word in plain(prose).split())
    return neutral or plain(prose) in _CONCLUDING or _is_remark(prose, bare=True)


def _is_remark(prose: str, *, bare: bool) -> bool:
    """Whether words give a reason or a name, such as "by Lemma 2" or "(Jensen)", and do not restrict anything."""
    if _QUALIFYING.search(prose):
        return False
    given = _REASON.match(prose)
    reason = given is not None and given.group() not in ("(", "[")
    return reason or (bare and not _MORE_QUALIFYING.search(prose))
