"""From tokens to the tree: a recursive descent with a handler for every form that TeX knows."""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.reading.places import BrokenLatex, Place, Source, TooLarge
from grpo_symbolic.reading.tex.brackets import read_bracket
from grpo_symbolic.reading.tex.builder import Builder, Forms
from grpo_symbolic.reading.tex.commands import HANDLERS
from grpo_symbolic.reading.tex.delimiters import check_delimiters
from grpo_symbolic.reading.tex.scripts import read_script
from grpo_symbolic.reading.tex.tokens import Token, tokens_of
from grpo_symbolic.reading.tex.tree import Nodes, Row, Space

#: Most tokens in one formula.
MAX_TOKENS = 50_000

_FORMS = Forms(read_bracket, read_script, HANDLERS)


def parse_tree(latex: Source | str | Sequence[Token], *, holes: bool = False, name: str = "formula") -> Nodes:
    """Read one formula, such as ``\\frac12 x``; with ``holes``, a pattern such as ``\\sigma(#z)``.

    Raises:
        BrokenLatex: the formula is unbalanced, has a double script, a missing argument or a row break.
        TooLarge: it is longer or nested deeper than the limits.
    """
    rows = parse_rows(latex, holes=holes, name=name)
    if len(rows) > 1:
        raise BrokenLatex(rows[1].place, "one formula was expected, and this is a second row")
    return tuple(node for node in rows[0].items if not isinstance(node, Space))


def parse_rows(
    latex: Source | str | Sequence[Token],
    *,
    holes: bool = False,
    name: str = "formula",
    start: Place | None = None,
    paired: bool = False,
) -> tuple[Row, ...]:
    """Read the rows of a display, at least one; the errors are those of ``parse_tree``.

    ``start`` is the place of a formula without tokens. ``paired`` asks for a ``\\right`` to every ``\\left``, which
    scans lose.
    """
    source = Source(name, latex) if isinstance(latex, str) else latex
    tokens = tokens_of(source) if isinstance(source, Source) else source
    if len(tokens) > MAX_TOKENS:
        raise TooLarge(tokens[MAX_TOKENS].place, f"a formula of more than {MAX_TOKENS} tokens")
    if start is None:
        start = tokens[0].place if tokens else Place(source if isinstance(source, Source) else Source(name, ""), 0, 0)
    check_delimiters(tokens, paired=paired)
    builder = Builder(tokens, _FORMS, holes=holes)
    rows = builder.rows(start)
    rest = builder.peek()
    if rest is not None:
        builder.refuse(rest)
    return rows
