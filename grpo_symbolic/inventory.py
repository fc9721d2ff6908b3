r"""Cut the text of a paper into rows: sentences, steps of displays, captions, headings; nothing is left out.

Deterministic, so that the rows can be kept as hashes, compared with the text where it is present, and tied
to claims. A text is Markdown or plain text with formulas between ``$`` and ``$$``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grpo_symbolic.displays import begins_with_relation, last_side, relations, steps

#: Words by which a sentence without a formula is still taken for mathematics; better too many than too few.
PHRASES = (
    "absolute", "additive", "advantage", "aggregat", "amplif", "antisymmetric", "approximat", "at least", "at most",
    "asymptotic", "bernoulli", "bias", "binomial", "bound", "clip", "closed form", "closed-form", "concav",
    "concentrated", "constant", "constraint", "continuous", "contraction", "contrastive", "converge", "convex",
    "decreas", "depend", "derivative", "discontin", "distribution", "divergence", "equal", "equation", "equilibrium",
    "equivalent", "expect", "fixed point", "fixed-point", "formula", "function", "gradient", "greater", "importance",
    "increas", "inequality", "infinit", "invarian", "iterat", "kkt", "larger", "law of large numbers", "limit",
    "linear", "logarithm", "lower", "maxim", "mean", "minim", "monoton", "multiplicative", "negative", "normalis",
    "objective", "optim", "penalty", "pooling", "positive", "preference", "probability", "proportional", "quadratic",
    "ratio ", "recur", "rewards", "root", "sequence", "simplex", "smaller", "solution", "stationar", "sufficient",
    "support", "supremum", "threshold", "unbiased", "uniform", "unique", "variance", "weight", "whiten", "zero",
)  # fmt: skip

_DISPLAY = re.compile(r"\$\$.*?\$\$|^=[^\n]*\$[^\n]*$", re.DOTALL | re.MULTILINE)
_ONLY_TAG = re.compile(r"\$\$\s*\\tag\s*\{[^{}]*\}\s*\$\$")
_TAG = re.compile(r"\\tag\s*\{\s*\(?([^{}()]*)\)?\s*\}|[.\s]\((\d+|[A-Z][A-Za-z -]+)\)\s*\$*\s*$")
_TAG_LINE = re.compile(r"[ \t]*\n[ \t]*\((?:\d+|[A-Z][A-Za-z -]+)\)[ \t]*(?=\n|$)")
_ALONE = re.compile(r"\s*\$[^$]+\$\s*")
_INLINE = re.compile(r"\$[^$]+\$")
_NEW_PARAGRAPH = re.compile(r"\s*(?:- |#{1,6} |FIGURE |Figure \d|<sup>)")
_MARKDOWN = re.compile(r"\s*#{1,6}\s+")
_NUMBER = re.compile(r"(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)*)(?=\.?\s)")
_PLAIN = re.compile(r"\s*(?:(\d+(?:\.\d+)*)\.\s+(?=[A-Z*])|Appendix\s+([A-Z])\.\s|(References)\s*$|ABSTRACT\.\s)")
_LABEL = re.compile(
    r"\W*((?:Theorem|Lemma|Proposition|Corollary|Remark|Assumption)\s+\d+)\b|\s*(Algorithm\s+\d+)|\s*(Figure\s+\d+)",
    re.IGNORECASE,
)
_LABEL_INSIDE = re.compile(r"\*\*((?:Theorem|Lemma|Proposition)\s+\d+)\*\*")
_CONTINUES = re.compile(r"\s*[a-z($\-.]")
_BOUNDARY = re.compile(r"(?<=[.!?])[)\]”\"*]*\s+(?=[A-Zπ(\[$“*\\<0-9])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|i\.i\.d|cf|vs|resp|etc|al|Eqs?|Figs?)\.|\b[A-Z]\.|^\s*[\d.]+\.|^\s*Appendix [A-Z]\.)$"
)
_FORMULA = re.compile(
    r"\$|<math>|\\[a-z]+\b|[πεβθωσδμξ∞≤≥∈±]|\b[A-Za-z][_^]|\b[A-Za-z]\s*[<>=]\s*[\w.]|\b\d+\s*[<>=]|\b0\.\d"
)


@dataclass(frozen=True)
class Row:
    """A piece of a text: what it is, where it stands, and a hash of its source.

    ``kind`` is heading, sentence, item, caption, footnote, step (of a display), display (without a relation),
    inline step (a relation of a chain inside the sentence before, which it repeats) or references. ``label``
    is the paper's own name: ``(11)`` for an equation, otherwise such as ``Theorem 3`` or ``Figure 2``.
    ``ordinal`` counts the rows of a section from 1. ``digest`` hashes the source without blanks; the source of
    a step includes the expression before its relation.
    """

    section: str
    ordinal: int
    kind: str
    label: str | None
    digest: str
    mathematics: bool
    start: int
    end: int


@dataclass(frozen=True)
class _Block:
    """A display with its tag, a paragraph, or a list of references."""

    kind: str
    start: int
    end: int


def inventory(text: str) -> tuple[Row, ...]:
    """Cut a text into rows, in reading order; every character that is not blank lies in a row."""
    rows: list[Row] = []
    section, label, chain = "Title", None, ""
    for block in _blocks(text):
        if block.kind == "display":
            if not begins_with_relation(text, block.start, block.end):
                chain = ""
            made = _display_rows(text, block, chain, label)
            chain = last_side(text, block.start, block.end)
        else:
            opened = _section(text[block.start : block.end]) if rows else None  # a title opens no section
            opened = "References" if block.kind == "references" else opened
            section, chain = opened or section, ""
            label = _label(text[block.start : block.end], None if opened else label)
            made = _text_rows(text, block, label, opened is not None or section == "Title")
            label = next((row.label for row in reversed(made)), label)
            label = None if label is None or label.startswith("Figure") else label
        rows += (replace(row, section=section) for row in made)
    counted: dict[str, int] = {}
    for number, row in enumerate(rows):
        counted[row.section] = counted.get(row.section, 0) + 1
        rows[number] = replace(row, ordinal=counted[row.section])
    return tuple(rows)


def digest(source: str) -> str:
    """A short hash of a source that does not depend on blanks and line breaks."""
    return hashlib.sha256("".join(source.split()).encode()).hexdigest()[:12]


def is_mathematical(sentence: str) -> bool:
    """Whether a sentence has a formula, a relation of numbers, or one of the PHRASES."""
    folded = sentence.casefold()
    return _FORMULA.search(sentence) is not None or any(phrase in folded for phrase in PHRASES)


def _blocks(text: str) -> Iterator[_Block]:
    """Displays and paragraphs in order; a tag on a line of its own belongs to the display before."""
    displays: list[_Block] = []
    for match in _DISPLAY.finditer(text):
        end = match.end()
        tag = _TAG_LINE.match(text, end)
        if _ONLY_TAG.fullmatch(match[0]) and displays:
            displays[-1] = replace(displays[-1], end=end)
        else:
            displays.append(_Block("display", match.start(), tag.end() if tag else end))
    at = 0
    references_until = 0
    for display in [*displays, None]:
        until = display.start if display else len(text)
        for block in _paragraphs(text, at, until):
            if block.start < references_until:
                continue
            if _section(text[block.start : block.end]) == "References":
                references_until = _next_heading(text, block.end)
                block = _Block("references", block.start, references_until)
            yield block
        if display and display.start >= references_until:
            yield display
        at = display.end if display else until


def _next_heading(text: str, start: int) -> int:
    found = re.compile(r"^#{1,6} ", re.MULTILINE).search(text, start)
    return found.start() if found else len(text)


def _paragraphs(text: str, start: int, end: int) -> Iterator[_Block]:
    """Paragraphs end at blank lines, and before items of lists, headings, captions and footnotes."""
    begin = start
    for line in re.finditer(r"[^\n]*(?:\n|$)", text[start:end]):
        at = start + line.start()
        blank = not line[0].strip()
        if (blank or _NEW_PARAGRAPH.match(line[0])) and text[begin:at].strip():
            yield _paragraph(text, begin, at)
            begin = at
        elif blank:
            begin = start + line.end()
    if text[begin:end].strip():
        yield _paragraph(text, begin, end)


def _paragraph(text: str, start: int, end: int) -> _Block:
    trimmed = start + len(text[start:end]) - len(text[start:end].lstrip())
    return _Block("display" if _ALONE.fullmatch(text[start:end]) else "text", trimmed, end)


def _section(paragraph: str) -> str | None:
    """The section that a paragraph opens, by number or name."""
    markdown = _MARKDOWN.match(paragraph)
    if markdown:
        title = paragraph[markdown.end() :].replace("*", "").strip()
        number = _NUMBER.match(title)
        return title if title in ("Abstract", "References") else number[0] if number else None
    plain = _PLAIN.match(paragraph)
    return (plain[1] or plain[2] or plain[3] or "Abstract") if plain else None


def _label(paragraph: str, before: str | None) -> str | None:
    found = _LABEL.match(paragraph)
    if found:
        return " ".join(next(group for group in found.groups() if group).split()).capitalize()
    return before if _CONTINUES.match(paragraph) else None


def _display_rows(text: str, block: _Block, chain: str, label: str | None) -> list[Row]:
    """One row for each step; between them they hold all of the block."""
    tag = _TAG.search(text[block.start : block.end])
    label = f"({next(group for group in tag.groups() if group)})" if tag else label
    found = steps(text, block.start, block.end, chain)
    if not found:  # a tag that no display precedes
        return [Row("", 0, "display", label, digest(text[block.start : block.end]), True, block.start, block.end)]
    starts = [block.start, *(step.start for step in found[1:]), block.end]
    return [
        Row("", 0, "step" if step.relation else "display", label, digest(step.source), True, begin, end)
        for step, begin, end in zip(found, starts[:-1], starts[1:], strict=True)
    ]


def _text_rows(text: str, block: _Block, label: str | None, opens: bool) -> list[Row]:
    if block.kind == "references":
        return [Row("", 0, "references", None, digest(text[block.start : block.end]), False, block.start, block.end)]
    kind = _kind(text[block.start : block.end])
    rows: list[Row] = []
    for number, (start, end) in enumerate(_sentences(text, block.start, block.end)):
        source = text[start:end]
        inside = _LABEL_INSIDE.search(source)
        label = inside[1] if inside else label
        heading = opens and number == 0
        rows.append(
            Row(
                "",
                0,
                "heading" if heading else kind,
                label,
                digest(source),
                not heading and is_mathematical(source),
                start,
                end,
            )
        )
        rows += _inline_steps(text, start, end, label)
    return rows


def _kind(paragraph: str) -> str:
    start = paragraph.lstrip()
    if start.startswith("- "):
        return "item"
    if start.startswith("<sup>"):
        return "footnote"
    return "caption" if re.match(r"FIGURE \d|Figure \d+:", start) else "sentence"


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split at full stops outside formulas that end no abbreviation, number or initial."""
    paragraph = text[start:end]
    masked = _INLINE.sub(lambda match: "$" + "x" * (len(match[0]) - 2) + "$", paragraph)
    begin = 0
    for boundary in _BOUNDARY.finditer(masked):
        if not _ABBREVIATION.search(masked[begin : boundary.start()]):
            yield start + begin, start + boundary.end()
            begin = boundary.end()
    yield start + begin, end


def _inline_steps(text: str, start: int, end: int, label: str | None) -> list[Row]:
    """The steps of chains inside a sentence that are more than the range of a variable."""
    rows: list[Row] = []
    for match in _INLINE.finditer(text, start, end):
        used: Sequence[str] = relations(text, match.start(), match.end())
        if len(used) >= 2 and any("=" in relation for relation in used):
            rows += (
                Row("", 0, "inline step", label, digest(step.source), True, step.start, step.end)
                for step in steps(text, match.start(), match.end())
                if step.relation
            )
    return rows
