"""Words among formulas: ``\\text{...}``, names in a font of their own, prose typed bare between ``\\ ``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from grpo_symbolic.reading.places import BrokenLatex, Place
from grpo_symbolic.reading.tex import symbols
from grpo_symbolic.reading.tex.tokens import Token, is_digits
from grpo_symbolic.reading.tex.tree import Atom, Name, Node, Nodes, Number, Words

_NAME = re.compile(r"([A-Za-z][\w*'-]*)([.,;]?)")
_ABBREVIATION = re.compile(r"(?:[A-Za-z]\.)+")
_VOWEL = re.compile("[aeiou]")


def is_prose(run: str) -> bool:
    """Say whether letters beside a control space are a word: ``and``, ``decreasing``, but not ``dx``."""
    return run in symbols.CONNECTIVES or (len(run) > 2 and _VOWEL.search(run) is not None)


def lost_backslash(run: str, following: Token | None) -> str | None:
    """Return the command whose backslash these letters have lost, such as ``rac{`` for ``\\frac``."""
    if run in symbols.LOST_COMMANDS:
        return symbols.LOST_COMMANDS[run]
    before_brace = following is not None and following.text == "{" and not following.spaced
    return symbols.LOST_BEFORE_BRACE.get(run) if before_brace else None


def words_of(text: str, place: Place) -> list[Node]:
    """Read the prose of one ``\\text``: a single word is a name unless it joins or restricts formulas."""
    stripped = " ".join(text.split())
    if not stripped:
        return []
    match = _NAME.fullmatch(stripped)
    if match and match[1] not in symbols.CONNECTIVES:
        name: list[Node] = [Name(match[1], "upright", place)]
        return name + ([Atom(match[2], place)] if match[2] else [])
    if _ABBREVIATION.fullmatch(stripped):
        return [Name(stripped, "upright", place)]
    if is_digits(stripped):
        return [Number(stripped, place)]
    if stripped in symbols.PUNCTUATION:
        return [Atom(stripped, place)]
    return [Words(stripped, place)]


def text_nodes(tokens: Sequence[Token], place: Place, read: Callable[[Sequence[Token]], Nodes]) -> list[Node]:
    """Read what stands in ``\\text{...}``: words, and the formulas between dollars in it."""
    nodes: list[Node] = []
    words: list[str] = []
    math_from: int | None = None
    first: Place | None = None

    def flush() -> None:
        nonlocal first
        if words:
            nodes.extend(words_of("".join(words), place if first is None else first))
        words.clear()
        first = None

    for index, token in enumerate(tokens):
        if token.text == "$":
            if math_from is None:
                flush()
                math_from = index + 1
            else:
                nodes.extend(read(tokens[math_from:index]))
                math_from = None
        elif math_from is None:
            first = token.place if first is None else first.to(token.place)
            blank = token.spaced or token.text in symbols.CONTROL_SPACES
            words.append(" " * blank + _character(token))
    if math_from is not None:
        raise BrokenLatex(tokens[math_from - 1].place, "this $ has no partner")
    flush()
    return nodes


def _character(token: Token) -> str:
    if token.kind != "command":
        return "" if token.text in "{}" else token.text
    return token.text[1:] if len(token.text) == 2 and token.text[1] in "%&_#$" else ""


def font_name(tokens: Sequence[Token], font: str, place: Place, *, prose: bool = True) -> Node | None:
    """Return the name that letters set in a font are, or ``None`` if they are a formula of their own.

    Several words in an upright font are ``prose``, apart from "arg max".
    """
    pieces = [token for token in tokens if token.text not in symbols.CONTROL_SPACES]
    text = "".join(token.text for token in pieces)
    if not pieces or not all(token.kind in ("letter", "number") or token.text in ".-*'" for token in pieces):
        return None
    spaced = [token.spaced for token in pieces[1:]]
    prose = prose and font == "upright" and text not in ("argmax", "argmin")
    if prose and any(spaced) and not all(spaced):  # scans write a name as "K L"
        return Words(" ".join("".join(" " * token.spaced + token.text for token in pieces).split()), place)
    if font == "upright" and text in symbols.CONNECTIVES:
        return Words(text, place)
    if is_digits(text) and font in ("upright", "italic"):
        return Number(text, place)
    if font == "italic":
        return Atom(text, place) if len(text) == 1 else Name(text, font, place)
    return Name(text, font, place) if text.strip(".-*'") else None
