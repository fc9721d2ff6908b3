"""Small pieces of HTML that need nothing from anywhere: formulas as MathML, styles beside the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from grpo_symbolic.api.words import conditions_typeset, said, typeset
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.translate.mathml import mathml

#: Dark on light and light on dark alike.
_COLOURS = {
    Verdict.PROVED.value: "#2e7d32",
    Verdict.DECIDED.value: "#2e7d32",
    Verdict.SUPPORTED.value: "#1e73b8",
    Verdict.REFUTED.value: "#c62828",
}
_OPEN = "#9a6700"


class Html(str):
    """Finished HTML; a plain text is escaped where it is put into HTML."""

    __slots__ = ()


def text(part: str) -> Html:
    """A text, escaped; finished HTML is left alone."""
    return part if isinstance(part, Html) else Html(escape(part))


def joined(*parts: str) -> Html:
    """Texts and finished HTML one after the other."""
    return Html("".join(map(text, parts)))


def tag(name: str, *parts: str, style: str = "") -> Html:
    """An element with its content."""
    styled = f' style="{escape(style)}"' if style else ""
    return Html(f"<{name}{styled}>{joined(*parts)}</{name}>")


def block(*parts: str, indent: bool = False) -> Html:
    """A line of its own."""
    return tag("div", *parts, style=f"margin: 0.2em 0 0.2em {'1.5em' if indent else '0'}")


def formula(latex: str, label: str | None = None) -> Html:
    """LaTeX as MathML, which a browser sets by itself; what that has no signs for is shown as it was written."""
    try:
        return Html(mathml(latex, label=label))
    except UnsupportedError:
        return tag("code", latex)


def sentence(latex: str) -> Html:
    """A sentence with ``$...$`` in it, with its formulas as MathML."""
    parts = re.split(r"(?<!\\)\$", latex)
    return joined(*(formula(part) if number % 2 else text(part) for number, part in enumerate(parts)))


def either(latex: str) -> Html:
    """What is a sentence with ``$...$`` in it, or a formula without delimiters."""
    return sentence(latex) if "$" in latex else formula(latex)


def mathematics(part: Expression | Statement) -> Html:
    """An expression or a statement; what has no LaTeX as text."""
    try:
        latex = typeset(part)
    except UnsupportedError:
        return tag("code", said(part))
    return sentence(latex) if "$" in latex else formula(latex, said(part))


def conditions(statement: Statement, given: Iterable[Statement]) -> Html:
    """For which values, and under which hypotheses, a statement is meant; empty if there is nothing to say."""
    try:
        told = [(words, list(map(either, formulas))) for words, formulas in conditions_typeset(statement, given)]
    except UnsupportedError:
        return Html("")
    return joined(*(block(f"{words} ", *_listed(formulas), indent=True) for words, formulas in told))


def _listed(parts: Sequence[str]) -> Iterable[str]:
    for number, part in enumerate(parts):
        if number:
            yield ", "
        yield part


def verdict(word: str) -> Html:
    """A verdict or the status of a finding, in its colour."""
    return tag("b", word, style=f"color: {_COLOURS.get(word, _OPEN)}")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    """A table whose cells begin at the left, with the names of its columns above."""
    left = "text-align: left"
    head = tag("tr", *(tag("th", name, style=left) for name in heads))
    body = (tag("tr", *(tag("td", cell, style=left) for cell in row)) for row in rows)
    return tag("table", tag("thead", head), tag("tbody", *body))


def folded(title: str, *parts: str) -> Html:
    """What is shown when a reader asks for it."""
    return Html(f"<details><summary>{text(title)}</summary>{joined(*parts)}</details>")
