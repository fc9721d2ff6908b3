r"""Cut the text of a paper into rows: sentences, steps of displays, captions, headings; nothing is left out.

Deterministic, so that the rows can be kept as hashes, compared with the text where it is present, and tied
to claims. A text is Markdown or plain text; its formulas, their rows and their steps are those that ``reading``
finds, also where mistakes in a formula keep it from being judged.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from grpo_symbolic.coverage.passages import Passage, passages, section_of
from grpo_symbolic.reading.document.blocks import Block
from grpo_symbolic.reading.document.displays import Display
from grpo_symbolic.reading.document.mending import mended_rows
from grpo_symbolic.reading.document.paper import read_displays
from grpo_symbolic.reading.document.parts import parts_of
from grpo_symbolic.reading.document.relations import SETS
from grpo_symbolic.reading.tex.symbols import LINES

#: Words of general mathematics, or beginnings of them, by which a sentence without a formula is still taken for
#: mathematics; better too many than too few. What only one subject calls so belongs to its papers (``Paper.terms``).
PHRASES = (
    # objects
    "constant", "distribution", "equation", "formula", "function", "gradient", "derivative", "logarithm", "polynomial",
    "ratio ", "root", "sequence", "simplex", "solution", "weight", "zero",
    # relations, and what one asks of them
    "at least", "at most", "bound", "depend", "equal", "equivalent", "greater", "inequality", "larger", "lower",
    "proportional", "smaller", "sufficient", "threshold", "unique",
    # properties of functions
    "absolute", "additive", "antisymmetric", "concav", "continuous", "convex", "decreas", "discontin", "increas",
    "invarian", "linear", "monoton", "multiplicative", "negative", "normalis", "normaliz", "positive", "quadratic",
    # limits and iterations
    "approximat", "asymptotic", "contraction", "converge", "fixed point", "fixed-point", "infinit", "iterat", "limit",
    "recur",
    # optimisation and games
    "closed form", "closed-form", "constraint", "equilibrium", "kkt", "maxim", "minim", "objective", "optim", "penalty",
    "stationar", "supremum",
    # probability
    "bernoulli", "bias", "binomial", "concentrated", "divergence", "expect", "law of large numbers", "mean",
    "probability", "support", "unbiased", "uniform", "variance",
)  # fmt: skip

_MARKUP = re.compile(
    rf"\\(?:begin|end)\s*\{{(?:{'|'.join(sorted(LINES))})\*?\}}(?:\s*\{{[lcr| ]*\}})?"
    r"|\\tag\s*\{[^{}]*\}|\\\\(?:\s*\[[^\]]*\])?|&|\$|\\[\[\]]"
)
_LABEL = re.compile(
    r"\W*((?:Theorem|Lemma|Proposition|Corollary|Remark|Assumption)\s+\d+)\b|\s*(Algorithm\s+\d+)|\s*(Figure\s+\d+)",
    re.IGNORECASE,
)
_LABEL_INSIDE = re.compile(r"\*\*((?:Theorem|Lemma|Proposition)\s+\d+)\*\*")
_CONTINUES = re.compile(r"\s*[a-z($\-.]")
_BOUNDARY = re.compile(r"(?<=[.!?])[)\]”\"*]*\s+(?=[A-Z\u0391-\u03a9\u03b1-\u03c9(\[$“*\\<0-9])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|i\.i\.d|cf|vs|resp|etc|al|Eqs?|Figs?)\.|\b[A-Z]\.|^\s*[\d.]+\.|^\s*Appendix [A-Z]\.)$"
)
_FORMULA = re.compile(
    r"\$|<math>|\\[a-z]+\b|[\u0391-\u03a9\u03b1-\u03c9∞≤≥∈±]|\b[A-Za-z][_^]|\b[A-Za-z]\s*[<>=]\s*[\w.]|\b\d+\s*[<>=]|\b0\.\d"
)


@dataclass(frozen=True)
class Row:
    """A piece of a text: what it is, where it stands, and a hash of its source.

    ``kind`` is heading, sentence, item, caption, footnote, step (of a display), display (without a relation),
    inline step (a relation of a chain inside the sentence before, which it repeats) or references. ``label``
    is the paper's own name: ``(11)`` for an equation, otherwise such as ``Theorem 3`` or ``Figure 2``.
    ``ordinal`` counts the rows of a section from 1. ``digest`` hashes the source without blanks and, in displays,
    without alignment; the source of a step includes the expression before its relation.
    """

    section: str
    ordinal: int
    kind: str
    label: str | None
    digest: str
    mathematics: bool
    start: int
    end: int


def inventory(text: str, terms: Sequence[str] = ()) -> tuple[Row, ...]:
    """Cut a text into rows, in reading order; every character that is not blank lies in a row.

    ``terms`` are words of the paper's own subject that make a sentence mathematics, as ``is_mathematical`` says.
    """
    rows: list[Row] = []
    section, label = "Title", None
    for passage in passages(text):
        if passage.display is not None:
            made = _display_rows(text, passage, passage.display, label)
        else:
            opened = section_of(text[passage.start : passage.end]) if rows else None  # a title opens no section
            opened = "References" if passage.kind == "references" else opened
            section = opened or section
            label = _label(text[passage.start : passage.end], None if opened else label)
            made = _text_rows(text, passage, label, terms, opened is not None or section == "Title")
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


def is_mathematical(sentence: str, terms: Sequence[str] = ()) -> bool:
    """Whether a sentence has a formula, a relation of numbers, one of the PHRASES or of a paper's own ``terms``."""
    folded = sentence.casefold()
    return _FORMULA.search(sentence) is not None or any(word.casefold() in folded for word in (*PHRASES, *terms))


def _label(paragraph: str, before: str | None) -> str | None:
    found = _LABEL.match(paragraph)
    if found:
        return " ".join(next(group for group in found.groups() if group).split()).capitalize()
    return before if _CONTINUES.match(paragraph) else None


def _display_rows(text: str, passage: Passage, display: Display, label: str | None) -> list[Row]:
    """One row for each step; between them they hold all of the display."""
    parts = parts_of(display)
    starts = [passage.start, *(part.start for part in parts[1:]), passage.end]
    rows: list[Row] = []
    for part, (begin, end) in zip(parts, pairwise(starts), strict=True):
        left = "" if part.left is None else part.left.text
        source = _MARKUP.sub("", left + text[begin:end])
        kind = "step" if part.relation else "display"
        name = label if part.tag is None else f"({part.tag})"
        rows.append(Row("", 0, kind, name, digest(source), True, begin, end))
    return rows


def _text_rows(text: str, passage: Passage, label: str | None, terms: Sequence[str], opens: bool) -> list[Row]:
    if passage.kind == "references":
        return [
            Row("", 0, "references", None, digest(text[passage.start : passage.end]), False, passage.start, passage.end)
        ]
    kind = _kind(text[passage.start : passage.end])
    rows: list[Row] = []
    for number, (start, end) in enumerate(_sentences(text, passage)):
        source = text[start:end]
        inside = _LABEL_INSIDE.search(source)
        label = inside[1] if inside else label
        heading = opens and number == 0
        mathematics = not heading and is_mathematical(source, terms)
        rows.append(Row("", 0, "heading" if heading else kind, label, digest(source), mathematics, start, end))
        for block in passage.formulas:
            if start <= block.place.start < end:
                rows += _inline_steps(block, label)
    return rows


def _kind(paragraph: str) -> str:
    start = paragraph.lstrip()
    if start.startswith("- "):
        return "item"
    if start.startswith("<sup>"):
        return "footnote"
    return "caption" if re.match(r"FIGURE \d|Figure \d+:", start) else "sentence"


def _sentences(text: str, passage: Passage) -> Iterator[tuple[int, int]]:
    """Split at full stops outside formulas that end no abbreviation, number or initial."""
    masked = text[passage.start : passage.end]
    for formula in passage.formulas:
        start, end = formula.place.start - passage.start + 1, formula.place.end - passage.start - 1
        masked = masked[:start] + "x" * (end - start) + masked[end:]
    begin = 0
    for boundary in _BOUNDARY.finditer(masked):
        if not _ABBREVIATION.search(masked[begin : boundary.start()]):
            yield passage.start + begin, passage.start + boundary.end()
            begin = boundary.end()
    yield passage.start + begin, passage.end


def _inline_steps(block: Block, label: str | None) -> Iterator[Row]:
    """The steps of a chain inside a sentence that is more than the range of a variable."""
    (display,) = read_displays([block], mended_rows)
    used = [step.relation.symbol for step in display.steps if step.relation.symbol not in SETS]
    if len(used) >= 2 and any("=" in relation for relation in used):
        for step in display.steps:
            start = step.place.start if step.index == 1 else step.relation.place.start
            source = _MARKUP.sub("", step.place.text)
            yield Row("", 0, "inline step", label, digest(source), True, start, step.place.end)
