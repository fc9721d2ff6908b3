"""LaTeX of the report's views as HTML, so that pages and paper say the same words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from markupsafe import Markup

from grpo_symbolic.report.dialect import DialectReader, Find, Target
from grpo_symbolic.report.site.formulas import Formulas

_PUNCTUATION = re.compile(r"[.,;:!?)\]]+")
_OPENING = ("(", "[")
_FORMULA = ("<math", "<bdi>")
_TAGS = {
    "emph": "em",
    "textit": "em",
    "textbf": "strong",
    "texttt": "code",
    "textsc": "small",
}
#: Badges of verdicts that are good news, and the rest, have classes of their own in the style sheet.
_BADGES = frozenset(("proved", "decided", "supported", "undecided", "refuted", "assumed"))


class Converter:
    """Turns LaTeX text into HTML; ``find`` knows where the labels of the report lead to."""

    def __init__(self, formulas: Formulas, find: Find) -> None:
        self._formulas = formulas
        self._find = find

    def html(self, tex: str) -> Markup:
        """The text as HTML.

        Raises:
            ReportError: if it has a command that pages do not know, or a brace that is not closed.
        """
        return Markup(_Html(tex, self._formulas, self._find).all())

    def formula(self, tex: str) -> Markup:
        """Mathematics without delimiters, as it stands in a line."""
        return Markup(self._formulas.inline(tex))

    def printed(self, tex: str) -> Markup:
        """What a paper prints, without delimiters, in a line of its own."""
        return Markup(self._formulas.printed(tex))

    def text(self, tex: str) -> str:
        """The text without markup, for titles of pages and for the search."""
        return plain_text(self.html(tex))


def plain_text(shown: str) -> str:
    """HTML as plain text, in which formulas are their text alternatives."""
    # In parts of a string that is marked as HTML, ``re`` would have what is escaped escaped again.
    shown = re.sub(r'<math[^>]*aria-label="([^"]*)"[^>]*>.*?</math>', r"\1", str(shown), flags=re.DOTALL)
    return " ".join(Markup(re.sub(r"<wbr>", "", shown)).striptags().split())


class _Html(DialectReader):
    """A text as HTML."""

    pause = "<wbr>"

    def __init__(self, tex: str, formulas: Formulas, find: Find) -> None:
        super().__init__(tex, find)
        self._formulas = formulas

    def plain(self, text: str) -> str:
        return escape(text, quote=False)

    def tagged(self, command: str) -> str:
        return f"<{_TAGS[command]}>{self.inner()}</{_TAGS[command]}>"

    def joined(self, parts: list[str], piece: str) -> None:
        if parts and parts[-1][-1:] in _OPENING and piece.startswith(_FORMULA):
            # A line may end behind a formula or before it, but not between it and its bracket.
            first, wbr, rest = piece.partition("<wbr>")
            piece = f"{_unbroken(parts[-1][-1] + first)}{wbr}{rest}"
            parts[-1] = parts[-1][:-1]
        parts.append(piece)

    def formula(self, latex: str) -> str:
        shown = self._formulas.inline(latex)
        after = _PUNCTUATION.match(self.tex, self.at)
        # No line may begin with what stands behind a formula.
        if after is None or not shown.startswith("<math"):
            return shown
        self.at = after.end()
        before, wbr, last = shown.rpartition("<wbr>")
        return f"{before}{wbr}{_unbroken(last + after[0])}"

    def display(self, forms: Sequence[str]) -> str:
        return self._formulas.display(forms)

    def fits(self, latex: str) -> bool:
        return self._formulas.fits_in_text(latex)

    def badge(self, verdict: str) -> str:
        return badge(verdict)

    def lead(self, words: str) -> str:
        return f'<span class="lead">{words}</span> '

    def sentence(self, words: str) -> str:
        return f'<span class="sentence">{words}</span>'

    def link(self, target: Target) -> str:
        title = f' title="{escape(target.title)}"' if target.title else ""
        return f'<a href="{escape(target.address)}"{title}>{escape(target.number)}</a>'


def _unbroken(shown: str) -> str:
    # A short name for what the style sheet keeps in one line: there are thousands.
    return f"<bdi>{shown}</bdi>"


def badge(verdict: str) -> str:
    """The mark of a verdict."""
    kind = verdict if verdict in _BADGES else "other"
    return f'<span class="badge {kind}">{verdict}</span>'
