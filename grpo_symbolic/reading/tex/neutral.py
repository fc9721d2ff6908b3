"""What may stand in a display and say nothing; every other token serves a part of the meaning or refuses its step.

A table for the reader of the program and for its tests: deleting, doubling or changing any one token of a display
changes what is read, is refused, or touches only what is named here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grpo_symbolic.reading.tex import symbols
from grpo_symbolic.reading.tex.tokens import Token

_Matches: TypeAlias = Callable[[Sequence[Token], int], bool]

_STYLES = symbols.STYLES | symbols.words(r"\cline \boxed \fbox \smash")
_AFTER_END = frozenset({"\\\\", "&", r"\end", "$", "}", r"\right", r"\quad", r"\qquad", r"\label", r"\tag"})
_BEGIN = re.compile(r"\\begin\{[A-Za-z*]+\}$")
_BLANK = symbols.CONTROL_SPACES | symbols.WIDE_SPACES | symbols.SPACES | symbols.MEASURED


@dataclass(frozen=True)
class Neutral:
    """A pattern of tokens that changes nothing of what is read: its name, and what it looks like."""

    name: str
    shown: str
    matches: _Matches


def neutral(tokens: Sequence[Token], at: int) -> str:
    """The name of the neutral pattern that the token at a position belongs to; empty if there is none."""
    return next((one.name for one in NEUTRAL if one.matches(tokens, at)), "")


def _one_of(*families: frozenset[str] | Mapping[str, object]) -> _Matches:
    return lambda tokens, at: any(tokens[at].text in family for family in families)


def _near(tokens: Sequence[Token], at: int, step: int) -> str:
    """The next token that is no space, forwards or backwards."""
    at += step
    while 0 <= at < len(tokens) and tokens[at].text in _BLANK:
        at += step
    return tokens[at].text if 0 <= at < len(tokens) else ""


def _ends_statement(tokens: Sequence[Token], at: int) -> bool:
    following = _near(tokens, at, 1)
    number = [token.text for token in tokens[at + 1 :]]
    numbered = len(number) == 3 and (number[0], number[2]) == ("(", ")")
    heading = tokens[at].text == ":" and following in symbols.TEXT
    return tokens[at].text in symbols.PUNCTUATION and (
        following in _AFTER_END | symbols.PUNCTUATION or not following or numbered or heading
    )


def _separates(tokens: Sequence[Token], at: int) -> bool:
    """A comma or semicolon outside of all brackets, or right below a sum."""
    if tokens[at].text in (",", ";") and _below_sum(tokens, at):
        return True
    texts = [token.text for token in tokens[:at]]
    depth = sum((text in symbols.OPENING or text == "{") - (text in symbols.CLOSING or text == "}") for text in texts)
    return tokens[at].text in (",", ";") and depth == 0


def _spelling(tokens: Sequence[Token], at: int) -> bool:
    """Among the letters of ``sign``, or another spelling of a command."""
    if tokens[at].text in symbols.SYNONYMS:
        return True
    around = "".join(token.text for token in tokens[max(0, at - 3) : at + 4] if token.kind == "letter")
    return tokens[at].kind == "letter" and ("sign" in around or "sgn" in around)


def _of_product(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at].text in (r"\cdot", r"\times", "*")


def _unary(tokens: Sequence[Token], at: int) -> bool:
    """A plus sign that no term stands before: ``={} + x`` and ``\\begin{split} + x`` as well."""
    if tokens[at].text != "+":
        return False
    before = _near(tokens, at, -1)
    said = "".join(token.text for token in tokens[max(0, at - 40) : at] if token.text not in _BLANK)
    nothing = said.endswith("{}") or _BEGIN.search(said) is not None
    begins = before in symbols.RELATIONS | {"(", "{", "[", "&", "+", "-", "\\\\", ""}
    return begins or nothing


def _below_sum(tokens: Sequence[Token], at: int) -> bool:
    """Whether a token stands below a sum or product, in no brackets of its own."""
    opening = next(_enclosing(tokens, at), None)
    if opening is None or any(token.text in symbols.OPENING for token in tokens[opening:at]):
        return False
    return [token.text for token in tokens[max(0, opening - 2) : opening]] in ([r"\sum", "_"], [r"\prod", "_"])


def _bound_name(tokens: Sequence[Token], at: int) -> bool:
    """The first letter below a sum or product that stands nowhere else."""
    letter = tokens[at].text
    if not letter.isalpha() or _near(tokens, at, -1) != "{" or not _below_sum(tokens, at):
        return False
    return [token.text for token in tokens].count(letter) == 1


def _argument_of(*commands: str) -> _Matches:
    """Inside the first braces after one of these commands, or the command itself."""

    def matches(tokens: Sequence[Token], at: int) -> bool:
        return tokens[at].text in commands or any(
            _near(tokens, opening, -1) in commands for opening in _enclosing(tokens, at)
        )

    return matches


def _enclosing(tokens: Sequence[Token], at: int) -> Iterator[int]:
    """The positions of the braces that are open before a token, innermost first."""
    depth = 0
    for index in range(at - 1, -1, -1):
        text = tokens[index].text
        depth += (text == "}") - (text == "{")
        if depth < 0:
            yield index
            depth = 0


def _brace_label(tokens: Sequence[Token], at: int) -> bool:
    """A brace, or among what stands below or above it, or the mark before that."""
    if tokens[at].text in (r"\underbrace", r"\overbrace"):
        return True
    marks = [at, *(opening - 1 for opening in _enclosing(tokens, at)), at - 1]
    for mark in marks:
        if mark < 1 or tokens[mark].text not in ("_", "^") or tokens[mark - 1].text != "}":
            continue
        opening = next(_enclosing(tokens, mark - 1), 0)
        if _near(tokens, opening, -1) in (r"\underbrace", r"\overbrace"):
            return True
    return False


def _column(tokens: Sequence[Token], at: int) -> bool:
    """Among the letters that say how the columns of an array are aligned."""
    text = "".join(token.text for token in tokens[max(0, at - 24) : at + 1])
    return any(
        f"{{{name}}}{{" in text and "}" not in text.rpartition(f"{{{name}}}{{")[2]
        for name in ("array", "alignat", "alignedat", "tabular")
    )


#: At most thirty, so that they can be read.
NEUTRAL: tuple[Neutral, ...] = (
    Neutral("space", r"white space, \, \; \quad between statements, ~, \phantom{x}", _one_of(_BLANK)),
    Neutral(
        "size",
        r"\left \right \bigl, which do not say which brackets belong together",
        _one_of(symbols.PAIRED | symbols.SIZES),
    ),
    Neutral("style", r"\displaystyle, \limits, \nonumber, \boxed", _one_of(_STYLES)),
    Neutral("colour", r"\color{red}, \textcolor{red}{x}", _argument_of(r"\color", r"\textcolor", r"\colorbox")),
    Neutral("number", r"\label{eq:1}, \tag{1}, which name a row", _argument_of(r"\label", r"\tag")),
    Neutral(
        "alignment", r"& before a relation, and the letters of {array}{rcl}", lambda tokens, at: tokens[at].text == "&"
    ),
    Neutral("columns", r"the letters of \begin{array}{rcl}", _column),
    Neutral("row", r"\\ where a chain goes on, or at the end", lambda tokens, at: tokens[at].text in ("\\\\", r"\cr")),
    Neutral("end", "punctuation at the end of a statement", _ends_statement),
    Neutral("separator", "a comma or semicolon between statements, before a condition, or below a sum", _separates),
    Neutral("bound name", r"the name of an index that stands nowhere else: \sum_{j=1}^{3} 2", _bound_name),
    Neutral("spelling", r"\leq for \le, \dfrac for \frac, sgn for sign", _spelling),
    Neutral("braces", "{x} where x alone says the same", lambda tokens, at: tokens[at].text in ("{", "}")),
    Neutral("product", r"an explicit sign of a product: x \cdot y, x \times y", _of_product),
    Neutral("plus", "a plus sign before a first term", _unary),
    Neutral(
        "font",
        r"\text{ref}, \mathrm{ref}, {\rm ref}, or both of \mathbf{r} and r in the map",
        _one_of(symbols.FONTS, symbols.TEXT),
    ),
    Neutral(
        "reference",
        r"what stands at a relation as (a), 3 or Lemma 1: \stackrel{(a)}{=}",
        _argument_of(r"\stackrel", r"\overset"),
    ),
    Neutral("brace label", r"words or one name below \underbrace", _brace_label),
    Neutral(
        "words",
        r"\text{by (3)}, \text{and}, \text{so}: words that join statements or give a reason",
        _argument_of(*symbols.TEXT),
    ),
)
