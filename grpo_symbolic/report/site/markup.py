r"""LaTeX of the report's views as HTML, so that pages and paper say the same words.

The dialect is closed: it is what ``escape`` and the modules of the report write. A command that is not in it is an
error, so that none can reach a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import Protocol

from markupsafe import Markup

from grpo_symbolic.errors import ReportError
from grpo_symbolic.report.site.formulas import Formulas

_COMMAND = re.compile(r"\\([A-Za-z]+\*?|.)", re.DOTALL)
_PLAIN = re.compile(r"[^\\${}~`'\-]+")
_LIGATURES = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("`", "‘"), ("'", "’"), ("~", "\u00a0"), ("-", "-"))
_CHARACTERS = {
    "textbackslash": "\\",
    "textasciicircum": "^",
    "textasciitilde": "~",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "ldots": "…",
    "S": "§",
    "textdegree": "°",
    "grponone": "·",
    " ": " ",
    "relax": "",
    "/": "",
}
_TAGS = {
    "emph": "em",
    "textit": "em",
    "textbf": "strong",
    "texttt": "code",
    "textsc": "small",
}
#: Badges of verdicts that are good news, and the rest, have classes of their own in the style sheet.
_BADGES = frozenset(("proved", "decided", "supported", "undecided", "refuted", "assumed"))


class Target(Protocol):
    """Where a label leads."""

    @property
    def address(self) -> str:
        """The address relative to the page."""

    @property
    def number(self) -> str:
        """The number in the report."""

    @property
    def title(self) -> str:
        """What stands there, in plain text."""


Find = Callable[[str], Target | None]


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
        return Markup(_Text(tex, self._formulas, self._find).all())

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
    shown = re.sub(r'<math[^>]*aria-label="([^"]*)"[^>]*>.*?</math>', r"\1", shown, flags=re.DOTALL)
    return " ".join(Markup(re.sub(r"<wbr>", "", shown)).striptags().split())


class _Text:
    """Reads one text from left to right."""

    def __init__(self, tex: str, formulas: Formulas, find: Find) -> None:
        self._tex = tex
        self._formulas = formulas
        self._find = find
        self._at = 0
        self._after_display = False

    def all(self) -> str:
        """The whole text."""
        shown = self._until("")
        if self._at < len(self._tex):
            raise ReportError(f"a brace without beginning in {self._tex!r}")
        return shown

    def _until(self, closing: str) -> str:
        parts: list[str] = []
        while self._at < len(self._tex) and not (closing and self._tex.startswith(closing, self._at)):
            if self._tex[self._at] == "}":
                break
            parts.append(self._piece())
        return "".join(parts)

    def _piece(self) -> str:
        letter = self._tex[self._at]
        if self._after_display:
            # As on paper, a comma or full stop does not begin the line below a formula.
            self._after_display = False
            if letter in ",.;":
                self._at += 1
                return ""
        if letter == "$":
            end = self._tex.index("$", self._at + 1)
            latex, self._at = self._tex[self._at + 1 : end], end + 1
            return self._formulas.inline(latex)
        if letter == "{":
            return self._group_html()
        if letter == "\\":
            return self._command()
        plain = _PLAIN.match(self._tex, self._at)
        if plain:
            self._at = plain.end()
            return escape(plain[0], quote=False)
        for source, shown in _LIGATURES:
            if self._tex.startswith(source, self._at):
                self._at += len(source)
                return shown
        raise ReportError(f"{letter!r} in {self._tex!r} is not for pages")

    def _group_html(self) -> str:
        self._at += 1
        shown = self._until("}")
        if not self._tex.startswith("}", self._at):
            raise ReportError(f"a brace is not closed in {self._tex!r}")
        self._at += 1
        return shown

    def _group(self) -> str:
        """What the braces here hold, as it is written."""
        depth, start, at = 0, self._at, self._at
        while at < len(self._tex):
            letter = self._tex[at]
            if letter == "\\":
                at += 1
            elif letter in "{}":
                depth += 1 if letter == "{" else -1
                if not depth:
                    self._at = at + 1
                    return self._tex[start + 1 : at]
            at += 1
        raise ReportError(f"a brace is not closed in {self._tex!r}")

    def _inner(self) -> str:
        """What the braces here hold, as HTML."""
        if not self._tex.startswith("{", self._at):
            raise ReportError(f"an argument is missing in {self._tex!r}")
        return self._group_html()

    def _command(self) -> str:
        match = _COMMAND.match(self._tex, self._at)
        if match is None:
            raise ReportError(f"a lone backslash in {self._tex!r}")
        start, name = self._at, match[1]
        self._at = match.end()
        if name in _CHARACTERS:
            if self._tex.startswith("{}", self._at):
                self._at += 2
            elif name.isalpha() and self._tex.startswith(" ", self._at):
                self._at += 1
            return escape(_CHARACTERS[name], quote=False)
        if len(name) == 1 and not name.isalpha():
            return escape(name, quote=False)
        if name in _TAGS:
            return f"<{_TAGS[name]}>{self._inner()}</{_TAGS[name]}>"
        return self._own(name, start)

    def _own(self, name: str, start: int) -> str:
        """The macros of the report."""
        match name:
            case "allowbreak":
                self._at += 2 * self._tex.startswith("{}", self._at)
                return "<wbr>"
            case "hskip":
                self._at += len("1em")
                return " "
            case "grpobadge":
                return badge(self._inner())
            case "grpolead":
                return f'<span class="lead">{self._inner()}</span> '
            case "grporef":
                return self._reference(self._group())
            case "grpolocated":
                shown = self._inner()
                self._group()
                return shown
            case "grposentence":
                return f'<span class="sentence">{self._inner()}</span>'
            case "grpodisplay":
                self._after_display = True
                return self._inner()
            case "grpopick" | "grpofit":
                self._at = start
                return self._formulas.display(self._forms())
            case "grpophrase":
                return self._phrase()
        raise ReportError(f"pages know no \\{name}, which stands in {self._tex!r}")

    def _forms(self) -> list[str]:
        forms = []
        while self._tex.startswith(r"\grpopick", self._at):
            self._at += len(r"\grpopick")
            forms.append(self._group())
            # The second argument is the rest; its closing brace is skipped below.
            self._at += 1
        self._at += len(r"\grpofit")
        last = self._group()
        self._at += len(forms)
        return [*forms, last]

    def _phrase(self) -> str:
        inline = self._group()
        if self._formulas.fits_in_text(inline):
            self._group()
            return self._formulas.inline(inline)
        shown = self._inner()
        self._after_display = True
        return shown

    def _reference(self, label: str) -> str:
        target = self._find(label)
        if target is None:
            return escape(label.removeprefix("grpo:"))
        return f'<a href="{escape(target.address)}" title="{escape(target.title)}">{escape(target.number)}</a>'


def badge(verdict: str) -> str:
    """The mark of a verdict."""
    kind = verdict if verdict in _BADGES else "other"
    return f'<span class="badge {kind}">{verdict}</span>'
