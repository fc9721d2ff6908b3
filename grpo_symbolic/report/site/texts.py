"""The papers' own text, row by row, for a site that stays with whoever has the papers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path

from markupsafe import Markup

from grpo_symbolic.coverage import rows
from grpo_symbolic.coverage.inventory import inventory
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.report.site.formulas import Formulas

_FORMULA = re.compile(r"\$\$(.+?)\$\$|\\\[(.+?)\\\]|(?<!\\)\$([^$]+)\$|\\\((.+?)\\\)", re.DOTALL)


def texts_of(library: Library, folder: Path) -> dict[str, dict[str, str]]:
    """The text of every row, by paper and digest, of the papers whose texts are in a folder.

    Raises:
        LibraryError: if the text of no paper is there.
    """
    found: dict[str, dict[str, str]] = {}
    for paper in rows.files(library):
        path = rows.text_of(paper, folder)
        if path is not None:
            text = path.read_text(encoding="utf-8")
            found[paper.id] = {row.digest: text[row.start : row.end].strip() for row in inventory(text, paper.terms)}
    if not found:
        raise LibraryError(f"no text in {folder} begins with the title of a paper; --papers names the folder of texts")
    return found


def quoted(text: str, formulas: Formulas) -> Markup:
    """A piece of a paper's text, with its formulas set."""
    parts, end = [], 0
    for match in _FORMULA.finditer(text):
        parts.append(_words(text[end : match.start()]))
        display, inline = match[1] or match[2], match[3] or match[4]
        parts.append(formulas.printed(display.strip()) if display else formulas.inline(inline.strip()))
        end = match.end()
    return Markup("".join([*parts, _words(text[end:])]))


def _words(text: str) -> str:
    """Words as they are; what is still LaTeX in them is shown as the code it is."""
    return re.sub(r"\\\S+", lambda match: f"<code>{match[0]}</code>", escape(text, quote=False))


def pages(found: Mapping[str, Mapping[str, str]], formulas: Formulas) -> dict[str, dict[str, Markup]]:
    """All rows as they stand on the pages."""
    return {
        paper: {digest: quoted(text, formulas) for digest, text in inside.items()} for paper, inside in found.items()
    }
