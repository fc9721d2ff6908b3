r"""``\left`` and ``\right``: TeX asks that they are paired within a group and a cell, and that a delimiter follows."""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.reading.places import BrokenLatex
from grpo_symbolic.reading.tex import symbols
from grpo_symbolic.reading.tex.tokens import Token

_DELIMITERS = frozenset("()[]/|.<>")
#: Commands that are no delimiters for certain; of others, such as those of a package, nobody knows.
_NO_DELIMITERS = (
    frozenset(name for name in symbols.RELATIONS | symbols.OPERATORS if "arrow" not in name)
    | frozenset(symbols.ARGUMENTS)
    | frozenset(symbols.FONTS)
    | symbols.TEXT
    | symbols.LETTERS
    | symbols.SIZES
    | symbols.PAIRED
    | {"\\\\", r"\begin", r"\end"}
)
_OPENS = {"{": "}", r"\bgroup": r"\egroup", r"\begin": r"\end"}
_CLOSES = frozenset(_OPENS.values())


def check_delimiters(tokens: Sequence[Token], *, paired: bool) -> None:
    r"""Check that a delimiter follows every ``\left``, ``\right`` and ``\big``, and that they are ``paired``, if asked.

    Raises:
        BrokenLatex: one has no partner within its group and cell, or no delimiter follows it.
    """
    if not any(token.text in symbols.PAIRED or token.text in symbols.SIZES for token in tokens):
        return
    groups: list[tuple[str, list[Token]]] = [("", [])]  # what opened each, and its \left that wait for their \right
    for index, token in enumerate(tokens):
        text = token.text
        if text in _OPENS:
            groups.append((text, []))
        elif text in _CLOSES:
            _all_closed(groups[-1][1])
            if len(groups) > 1:
                groups.pop()
        elif text in ("&", "\\\\", r"\cr") and groups[-1][0] == r"\begin":
            _all_closed(groups[-1][1])
        elif text in symbols.PAIRED or text in symbols.SIZES:
            _delimited(token, tokens[index + 1] if index + 1 < len(tokens) else None)
            if paired:
                _pair(token, groups[-1][1])
    for _, waiting in groups:
        _all_closed(waiting)


def _pair(token: Token, waiting: list[Token]) -> None:
    if token.text == r"\left":
        waiting.append(token)
    elif token.text in symbols.PAIRED and not waiting:
        raise BrokenLatex(token.place, rf"this {token.text} has no \left in its group and cell")
    elif token.text == r"\right":
        waiting.pop()


def _all_closed(waiting: list[Token]) -> None:
    if waiting:
        raise BrokenLatex(waiting[-1].place, r"this \left has no \right in its group and cell")


def _delimited(token: Token, following: Token | None) -> None:
    if following is not None:
        text = following.text
        if text in _DELIMITERS or (text == "{" and token.text in symbols.SIZES):
            return
        if following.kind == "command" and text not in _NO_DELIMITERS:
            return
    raise BrokenLatex(token.place, f"no delimiter follows this {token.text}")
