"""The formulas in a text, before they are read: where they are, which macros hold there, what numbers them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from grpo_symbolic.reading.places import BrokenLatex, Place, Source
from grpo_symbolic.reading.tex.macros import DEFINING, Macro, expand, read_definition
from grpo_symbolic.reading.tex.symbols import words
from grpo_symbolic.reading.tex.tokens import Token, tokens_of

#: Environments of a LaTeX document that are displayed formulas.
MATH_ENVIRONMENTS = words(
    "equation align alignat flalign gather multline eqnarray displaymath math dmath dgroup IEEEeqnarray"
)
#: Longest definition of a macro, and longest ``\\text{...}`` with a formula in it, in characters.
MAX_DEFINITION = 20_000
MAX_TEXT_ARGUMENT = 500
#: Longest formula with empty lines in it, in characters, and its lines: the one that closes it, and what ends it open.
MAX_FENCED = 10_000
_FENCED = re.compile(r"[ \t]*\n")
_FENCED_LINE = re.compile(
    r"^[ \t]*(?:(?P<close>\$\$)[ \t]*(?:\{#[^}\n]*\}[ \t]*)?$|(?P<other>#|```|[^\n]*\$))", re.MULTILINE
)

_CLOSERS = {"$$": r"\$\$", r"\[": r"\\\]", "$": r"\$", r"\(": r"\\\)"}
_DELIMITERS = frozenset({"$$", r"\[", r"\]", "$", r"\(", r"\)"})


@dataclass(frozen=True)
class Block:
    """A formula that was found.

    ``kind`` is ``display`` or ``inline``; ``place`` spans it with its delimiters and ``inner`` without, except
    that an environment is its own delimiter. ``joined`` says that only white space stands between the
    display before and this one. ``tag`` is a number printed after the block, as scans do.
    """

    kind: str
    place: Place
    inner: Place
    macros: Mapping[str, Macro] = field(repr=False)
    joined: bool = False
    tag: str | None = None
    section: str = ""
    broken: BrokenLatex | None = None

    def tokens(self) -> list[Token]:
        """Return the tokens with the author's macros expanded.

        Raises:
            BrokenLatex: the block itself is broken, or a macro call or definition in it is.
        """
        if self.broken is not None:
            raise self.broken
        tokens = tokens_of(self.inner.source, self.inner.start, self.inner.end)
        tokens = _expanded(tokens, self.macros)
        while tokens and tokens[0].text in _DELIMITERS:  # a macro may stand for the delimiter
            tokens = tokens[1:]
        while tokens and tokens[-1].text in _DELIMITERS:
            tokens = tokens[:-1]
        return tokens


def _expanded(tokens: list[Token], macros: Mapping[str, Macro]) -> list[Token]:
    """Expand the macros in a formula, with the definitions in it, each of which holds to the end of its group.

    Raises:
        BrokenLatex: a definition is cut short, or a macro call lacks an argument.
    """
    if not any(token.text in DEFINING for token in tokens if token.kind == "command"):
        return expand(tokens, macros)
    result: list[Token] = []
    kept: list[Token] = []
    outer: list[Mapping[str, Macro]] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        index += 1
        before = macros
        if token.text in DEFINING:
            macro, index = read_definition(tokens, index - 1, macros)
            macros = macros if macro is None else {**macros, macro.name: macro}
        elif token.text == "{":
            outer.append(macros)
        elif token.text == "}" and outer:
            macros = outer.pop()
        if macros is not before:
            result += expand(kept, before)
            kept = []
        if token.text not in DEFINING:
            kept.append(token)
    return result + expand(kept, macros)


def find_close(source: Source, opening: str, start: int) -> int | None:
    """Return where the closing delimiter begins, in the same paragraph, or ``None``.

    Dollars inside braces belong to ``\\text{...}``, unless no other closes the formula.
    """
    pattern = _PATTERNS[opening]
    depth = 0
    inside: int | None = None
    for match in pattern.finditer(source.text, start):
        kind = match.lastgroup
        if kind == "brace":
            depth += 1 if match.group() == "{" else -1
        elif kind == "close":
            if depth <= 0:
                return match.start()
            inside = match.start() if inside is None else inside
        elif kind == "paragraph":
            break
        if inside is not None and match.end() > inside + MAX_TEXT_ARGUMENT:
            break
    return inside


_PATTERNS = {
    opening: re.compile(
        rf"(?P<close>{closing})|(?P<skip>%[^\n]*|\\.)|(?P<brace>[{{}}])|(?P<paragraph>\n[ \t]*\r?\n)", re.DOTALL
    )
    for opening, closing in _CLOSERS.items()
}


def fenced_close(source: Source, start: int) -> int | None:
    """Return where the ``$$`` begins that stands alone on a line, as the opening one does, or ``None``.

    So Markdown fences a formula, with empty lines in it if need be; a heading or a fence of code ends it.
    """
    line = source.text.rfind("\n", 0, start) + 1
    if source.text[line:start].strip() != "$$" or not _FENCED.match(source.text, start):
        return None
    for match in _FENCED_LINE.finditer(source.text, start, start + MAX_FENCED):
        if match["close"]:
            return match.start("close")
        if match["other"]:
            return None
    return None


def find_end(source: Source, environment: str, start: int) -> int | None:
    """Return the offset behind ``\\end{environment}``, or ``None`` if there is none."""
    pattern = re.compile(rf"%[^\n]*|(?P<end>\\end\s*\{{{re.escape(environment)}\}})|\\(?s:.)")
    for match in pattern.finditer(source.text, start):
        if match.lastgroup == "end":
            return match.end()
    return None


def skip_definition(source: Source, start: int, macros: Mapping[str, Macro]) -> tuple[Macro | None, int]:
    """Read the definition that begins at ``start``; return the macro and the offset behind it.

    Raises:
        BrokenLatex: the definition is cut short, or longer than ``MAX_DEFINITION``.
    """
    for size in (200, 2_000, MAX_DEFINITION):
        end = min(start + size, len(source.text))
        tokens = tokens_of(source, start, end)
        try:
            macro, index = read_definition(tokens, 0, macros)
        except BrokenLatex:
            if size == MAX_DEFINITION or end == len(source.text):
                raise
            continue
        if index < len(tokens) or end == len(source.text):
            break
    return macro, tokens[index - 1].place.end
