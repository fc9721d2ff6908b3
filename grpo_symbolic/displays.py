r"""Cut a displayed formula into steps: each relation between two expressions is a claim of its own.

Lines of an aligned display that begin with a relation or an operator continue the line before. Brackets
are matched by themselves, since scans lose ``\left`` and ``\right`` more often than the brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"\\stackrel\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*\{[^{}]*\}"
    r"|\\begin\{(?P<begin>\w+\*?)\}(?:\s*\{[lcr| ]*\})?"
    r"|\\end\{(?P<end>\w+\*?)\}"
    r"|\\(?:text|mathrm|mbox)\s*\{[^{}]*\}"
    r"|\\tag\s*\{[^{}]*\}"
    r"|\\\\(?:\s*\[[^\]]*\])?"
    r"|\\[A-Za-z]+|\\.|[^\s$]",
    re.DOTALL,
)
_RELATION = re.compile(
    r"[=<>]|\\(?:leq?|geq?|leqslant|geqslant|neq?|lt|gt|equiv|approx|propto|simeq|Leftrightarrow|Rightarrow|iff|implies"
    r"|to|rightarrow)|\\stackrel.*\{\s*=\s*\}",
    re.DOTALL,
)
_OPERATOR = re.compile(r"[+\-]|\\(?:times|cdot|pm|mp|div)")
_SEPARATOR = re.compile(r",|\\q?quad|\\text\s*\{\s*(?:and|or|for all)\s*\}")
_CONDITION = re.compile(r"\W*if\b")
_FLAT = frozenset({"align", "align*", "aligned", "array", "gather", "gather*", "gathered", "split", "alignedat"})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


@dataclass(frozen=True)
class Step:
    """A part of a display: where it stands, what it says, and whether it relates two expressions.

    ``source`` repeats the expression before the relation, which belongs to the span of the step before.
    """

    start: int
    end: int
    source: str
    relation: bool


@dataclass(frozen=True)
class _Token:
    text: str
    start: int
    end: int
    top: bool

    @property
    def relation(self) -> bool:
        return self.top and _RELATION.fullmatch(self.text) is not None

    @property
    def row_break(self) -> bool:
        return self.top and self.text.startswith("\\\\")


def steps(text: str, start: int, end: int, before: str = "") -> tuple[Step, ...]:
    """Cut ``text[start:end]`` into steps; ``before`` is the last side of a display that this one continues.

    A line without a relation, such as a problem of maximisation, is one step. Every character except blanks
    and markup at the ends lies in exactly one step.
    """
    found: list[Step] = []
    tokens = _tokens(text, start, end)
    for statement in _statements(tokens):
        found += _steps_of(text, statement, "" if found else before)
    return tuple(found)


def last_side(text: str, start: int, end: int) -> str:
    """What stands after the last relation at top level of ``text[start:end]``: a next display may continue it."""
    tokens = _tokens(text, start, end)
    relations = [position for position, token in enumerate(tokens) if token.relation]
    return _source(text, tokens[relations[-1] + 1 :] if relations else tokens)


def begins_with_relation(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` continues a chain."""
    tokens = [token for token in _tokens(text, start, end) if token.text not in ("&",)]
    return bool(tokens) and tokens[0].relation


def relations(text: str, start: int, end: int) -> tuple[str, ...]:
    """The relations at top level, in order."""
    return tuple(token.text for token in _tokens(text, start, end) if token.relation)


def _tokens(text: str, start: int, end: int) -> list[_Token]:
    """The tokens with whether they stand at top level; a bracket that nothing opened is ignored."""
    found: list[_Token] = []
    open_: list[str] = []
    flattened: list[str] = []
    for match in _TOKEN.finditer(text, start, end):
        token = match[0]
        if match["begin"]:
            if match["begin"] in _FLAT and not open_:
                flattened.append(match["begin"])
                continue
            open_.append(match["begin"])
        elif match["end"]:
            if match["end"] in open_:
                del open_[_last(open_, match["end"]) :]
                found.append(_Token(token, match.start(), match.end(), False))
            continue
        elif token.startswith(r"\tag"):
            continue
        if token in _CLOSING:
            _close(open_, token)
        found.append(_Token(token, match.start(), match.end(), not open_))
        if token in _OPENING:
            open_.append(token)
    return found


def _close(open_: list[str], token: str) -> None:
    """Close the last bracket of the same make; intervals may mix round and square ones."""
    wanted = "{" if token == "}" else "(["
    for position in range(len(open_) - 1, -1, -1):
        if open_[position] in wanted:
            del open_[position:]
            return
        if open_[position] == "{" and wanted != "{":
            return  # a round bracket too many inside a group must not close the group


def _last(items: Sequence[str], wanted: str) -> int:
    return max(position for position, item in enumerate(items) if item == wanted)


def _statements(tokens: Sequence[_Token]) -> Iterator[list[_Token]]:
    """Lines joined to statements, and lines with several statements taken apart."""
    joined: list[list[_Token]] = []
    for row in _rows(tokens):
        first = next((token for token in row if token.text != "&"), None)
        if first is None:
            continue
        previous = joined[-1][-1] if joined else None
        continues = first.relation or _OPERATOR.fullmatch(first.text) or first.text == r"\left"
        if previous is not None and (continues or _goes_on(previous)) and not _conditional(row):
            joined[-1] += row
        else:
            joined.append(list(row))
    for statement in joined:
        yield from _parts(statement)


def _goes_on(token: _Token) -> bool:
    return token.relation or _OPERATOR.fullmatch(token.text) is not None


def _conditional(row: Sequence[_Token]) -> bool:
    return _CONDITION.match("".join(token.text for token in row[:6] if token.text != "&") + " ") is not None


def _rows(tokens: Sequence[_Token]) -> Iterator[list[_Token]]:
    row: list[_Token] = []
    for token in tokens:
        row.append(token)
        if token.row_break:
            row.pop()
            yield row
            row = []
    yield row


def _parts(statement: list[_Token]) -> Iterator[list[_Token]]:
    """Statements side by side, such as two equations with "and" between them."""
    if _conditional(statement):
        yield statement
        return
    parts: list[list[_Token]] = [[]]
    for token in statement:
        parts[-1].append(token)
        if token.top and _SEPARATOR.fullmatch(token.text):
            parts.append([])
    whole: list[list[_Token]] = []
    waiting: list[_Token] = []
    for part in parts:
        waiting += part
        if any(token.relation for token in part):
            whole.append(waiting)
            waiting = []
    if whole:
        whole[-1] += waiting
        yield from whole
    elif waiting:
        yield waiting


def _steps_of(text: str, statement: Sequence[_Token], before: str) -> Iterator[Step]:
    at = [position for position, token in enumerate(statement) if token.relation]
    if not at or _conditional(statement):
        yield Step(statement[0].start, statement[-1].end, _source(text, statement), relation=False)
        return
    for number, position in enumerate(at):
        following = at[number + 1] if number + 1 < len(at) else len(statement)
        left = statement[at[number - 1] + 1 if number else 0 : position]
        source = (_source(text, left) or before) + _source(text, statement[position:following])
        first = statement[position if number else 0]
        yield Step(first.start, statement[following - 1].end, source, relation=True)


def _source(text: str, tokens: Sequence[_Token]) -> str:
    return "".join(text[token.start : token.end] for token in tokens if token.text != "&")
