"""What stands under "Printed" is printed: every quote is searched for in the text of its paper.

The texts of the papers are not part of the project; where they are absent the tests on them are skipped.
"""

from __future__ import annotations

import re
from functools import cache

import pytest
from judged_library import FOLDER, whole_library
from material import PAPERS, needed_text

from grpo_symbolic.readback.vocabulary import vocabulary

#: Signs that print the same.
SAME = (
    (r"\\mid(?![a-z])", "|"),
    (r"\\[lr]vert(?![a-z])", "|"),
    (r"\\(?:\||Vert(?![a-z])|parallel(?![a-z]))", "||"),
    (r"\\cdot(?![a-z])", "."),
    (r"\\leq?(?![a-z])", "≤"),
    (r"\\geq?(?![a-z])", "≥"),
    (r"\\[td]frac(?![a-z])", r"\\frac"),
    (r"\\math(?:bf|bb)\{1\}", "1"),
    (r"\\[lcd]?dots(?![a-z])|\.\.\.", "…"),
    (r"β", r"\\beta"),
    (r"σ", r"\\sigma"),
    (r"π", r"\\pi"),
    (r"([a-z])'_(\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})", r"\1_\2'"),
)
#: What is not seen, or only spaces, sizes and typefaces.
GONE = re.compile(
    r"\\(?:left|right|[bB]igg?[lr]?|q?quad|displaystyle|text|textrm|textit|emph|mathrm|rm|mathsf|operatorname)(?![a-z])\*?"
    r"|\\(?:begin|end)\{\w+\*?\}|\\[lr]brace(?![a-z])|\\[{},;!: \\]|</?su[bp]>|[\s&{}$*~]"
)
#: Where one piece of a quote ends and another one, from the same place, begins.
BETWEEN = re.compile(r"\\text\{([^{}]*)\}|\\q?quad(?![a-z])|\\ |\\[lcd]?dots(?![a-z])|(?<!\\)(?:[;:]|,(?= |\\))")


def plain(latex: str) -> str:
    for pattern, same in SAME:
        latex = re.sub(pattern, same, latex)
    return GONE.sub("", latex).lower()


def pieces(latex: str) -> list[str]:
    """The formulas of a quote, and the words between them."""
    return [plain(piece).strip(",.=…") for piece in BETWEEN.split(latex) if piece]


def is_in(latex: str, text: str) -> bool:
    return plain(latex) in text or all(piece in text for piece in pieces(latex))


@cache
def text_of(folder: str) -> str:
    return plain(needed_text(folder).read_text(encoding="utf-8"))


def quotes_of(folder: str) -> dict[str, str]:
    claims = whole_library().claims.items()
    return {id: made.printed.latex for id, made in claims if made.printed and id.startswith(f"{folder}.")}


@pytest.mark.parametrize("folder", PAPERS)
def test_what_is_said_to_be_printed_stands_in_the_text(folder):
    text, known = text_of(folder), vocabulary(FOLDER / folder)
    missing = {id for id, latex in quotes_of(folder).items() if not is_in(latex, text)}
    assert missing - known.abridged - known.in_words == set(), "quote what is printed, or list it in quotes.toml"
    assert (known.abridged | known.in_words) - missing == set(), (
        "these are quoted word for word: take them off the list"
    )


@pytest.mark.parametrize("folder", PAPERS)
def test_most_quotes_are_as_they_are_printed(folder):
    known = vocabulary(FOLDER / folder)
    assert not known.abridged & known.in_words
    assert len(known.abridged | known.in_words) <= 0.5 * len(quotes_of(folder))


TEXT = plain(r"We have $$\frac{1}{x} + \left(p\right)^2 \leq \text{KL}(a \| b) \qquad (3)$$ and so $x<1$ if $p > 0$.")


@pytest.mark.parametrize(
    ("latex", "there"),
    [
        (r"\tfrac{1}{x} + (p)^2 \le \mathrm{KL}(a \Vert b)", True),
        (r"\frac{1}{x} \ldots \le \mathsf{KL}(a \parallel b), \quad x < 1", True),
        (r"x < 1 \text{ if } p > 0", True),
        (r"x < 1 \text{ where } p > 0", False),
        (r"\frac{1}{x} - (p)^2 \le \mathrm{KL}(a \Vert b)", False),
        (r"\frac{1}{x} + (p)^3", False),
        (r"x < 1: p < 0", False),
        (r"\frac{1}{x} + p^2", False),
    ],
)
def test_what_counts_as_printed(latex, there):
    assert is_in(latex, TEXT) is there
