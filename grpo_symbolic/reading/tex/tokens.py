"""The lexer: one regular expression over mathematical LaTeX; every token keeps its place."""

from __future__ import annotations

import re
from typing import NamedTuple

from grpo_symbolic.reading.places import Place, Source, TooLarge

#: Longest text that is read, in characters; a book has about two million.
MAX_TEXT = 5_000_000

_TOKEN = re.compile(
    r"""(?P<letter>[^\W\d_])
      | (?P<command>\\(?:[A-Za-z]+|(?s:.)))
      | (?P<number>[0-9]+(?:\.[0-9]+)?|(?<![\w.)\]}])\.[0-9]+)
      | (?P<space>\s+)
      | (?P<comment>%[^\n]*(?:\n[ \t]*)?)
      | (?P<hole>\#[A-Za-z][A-Za-z0-9]*)
      | (?P<parameter>\#+[0-9])
      | (?P<symbol>(?s:.))
    """,
    re.VERBOSE,
)

#: Characters that scans and editors write instead of the plain ones.
_PLAIN = {
    "\u2019": "'", "\u2018": "'", "\u2032": "'", "\u2033": "''", "\u2212": "-", "\u2013": "-", "\u00b7": r"\cdot",
    "\u00d7": r"\times", "\u2026": r"\dots", "\u22ef": r"\cdots", "\u2264": r"\le", "\u2265": r"\ge",
    "\u2260": r"\ne", "\u2208": r"\in", "\u221e": r"\infty", "\u2223": "|", "\u2225": r"\|", "\u2192": r"\to",
    "\u2211": r"\sum", "\u221a": r"\sqrt", "\u2248": r"\approx", "\u223c": r"\sim", "\u2261": r"\equiv",
}  # fmt: skip


class Token(NamedTuple):
    """A piece of LaTeX.

    ``kind`` is ``command`` (text with its backslash), ``number``, ``letter``, ``symbol``, ``hole``
    (``#name`` of a pattern) or ``parameter`` (``#1`` of a macro body). White space is no token, since it
    means nothing in mathematics; ``spaced`` remembers that some stood before, for prose inside a formula.
    """

    kind: str
    text: str
    place: Place
    spaced: bool = False


def is_digits(text: str) -> bool:
    """Whether a text is a whole number in the plain digits, which neither ``²`` nor an Arabic three is."""
    return text.isascii() and text.isdigit()


def tokens_of(source: Source, start: int = 0, end: int | None = None) -> list[Token]:
    """Return the tokens of a span of a source, without comments.

    Raises:
        TooLarge: the span is longer than ``MAX_TEXT``.
    """
    stop = len(source.text) if end is None else end
    if stop - start > MAX_TEXT:
        raise TooLarge(Place(source, start, start + 1), f"longer than {MAX_TEXT} characters")
    tokens: list[Token] = []
    spaced = False
    make = tuple.__new__  # half of the time of a reading goes into these two kinds of tuples
    for match in _TOKEN.finditer(source.text, start, stop):
        kind = match.lastgroup or ""
        if kind == "space" or kind == "comment":
            spaced = spaced or kind == "space"
            continue
        text = match.group()
        place = make(Place, (source, *match.span()))
        plain = _PLAIN.get(text)
        if plain is None:
            tokens.append(make(Token, (kind, text, place, spaced)))
        elif plain[0] == "\\":
            tokens.append(Token("command", plain, place, spaced))
        else:
            tokens.extend(Token("symbol", character, place, spaced) for character in plain)
        spaced = False
    return tokens
