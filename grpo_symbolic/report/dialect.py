r"""The LaTeX of the report's views, read from left to right by whoever sets it as something else.

The dialect is closed: it is what ``escape`` and the modules of the report write. A command that is not in it is an
error, so that none can reach a page.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol

from grpo_symbolic.errors import ReportError
from grpo_symbolic.report.tex import braced

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


class DialectReader(ABC):
    """Reads one text; what its parts become is said by the classes below this one."""

    #: The commands with one argument that this medium knows.
    tags: ClassVar[frozenset[str]] = frozenset(("emph", "textit", "textbf", "texttt", "textsc"))
    #: Where a long name may break.
    pause: ClassVar[str]

    def __init__(self, tex: str, find: Find) -> None:
        self.tex = tex
        self.at = 0
        self._find = find
        self._after_display = False

    @abstractmethod
    def plain(self, text: str) -> str:
        """Text without any meaning."""

    @abstractmethod
    def tagged(self, command: str) -> str:
        """A command of ``tags``, whose argument comes next."""

    @abstractmethod
    def formula(self, latex: str) -> str:
        """Mathematics in a line; what follows it may be read along."""

    @abstractmethod
    def display(self, forms: Sequence[str]) -> str:
        """Mathematics in a line of its own, in forms from the widest on."""

    @abstractmethod
    def fits(self, latex: str) -> bool:
        """Whether mathematics can stand in a sentence."""

    @abstractmethod
    def badge(self, verdict: str) -> str:
        """The mark of a verdict."""

    @abstractmethod
    def lead(self, words: str) -> str:
        """The words that begin a line."""

    @abstractmethod
    def sentence(self, words: str) -> str:
        """A sentence in the place of a formula."""

    @abstractmethod
    def link(self, target: Target) -> str:
        """A reference to something that has a place."""

    def joined(self, parts: list[str], piece: str) -> None:
        """Add a piece to those before it."""
        parts.append(piece)

    def all(self) -> str:
        """The whole text.

        Raises:
            ReportError: if it has a command that pages do not know, or a brace that is not closed.
        """
        shown = self._until("")
        if self.at < len(self.tex):
            raise ReportError(f"a brace without beginning in {self.tex!r}")
        return shown

    def _until(self, closing: str) -> str:
        parts: list[str] = []
        while self.at < len(self.tex) and not (closing and self.tex.startswith(closing, self.at)):
            if self.tex[self.at] == "}":
                break
            self.joined(parts, self._piece())
        return "".join(parts)

    def _piece(self) -> str:
        letter = self.tex[self.at]
        if self._after_display:
            # As on paper, a comma or full stop does not begin the line below a formula.
            self._after_display = False
            if letter in ",.;":
                self.at += 1
                return ""
        if letter == "$":
            end = self.tex.index("$", self.at + 1)
            latex, self.at = self.tex[self.at + 1 : end], end + 1
            return self.formula(latex)
        if letter == "{":
            return self._group_set()
        if letter == "\\":
            return self._command()
        plain = _PLAIN.match(self.tex, self.at)
        if plain:
            self.at = plain.end()
            return self.plain(plain[0])
        for source, shown in _LIGATURES:
            if self.tex.startswith(source, self.at):
                self.at += len(source)
                return self.plain(shown)
        raise ReportError(f"{letter!r} in {self.tex!r} is not for pages")

    def _group_set(self) -> str:
        self.at += 1
        shown = self._until("}")
        if not self.tex.startswith("}", self.at):
            raise ReportError(f"a brace is not closed in {self.tex!r}")
        self.at += 1
        return shown

    def _group(self) -> str:
        """What the braces here hold, as it is written."""
        held, self.at = braced(self.tex, self.at)
        return held

    def inner(self) -> str:
        """What the braces here hold, set."""
        if not self.tex.startswith("{", self.at):
            raise ReportError(f"an argument is missing in {self.tex!r}")
        return self._group_set()

    def _command(self) -> str:
        match = _COMMAND.match(self.tex, self.at)
        if match is None:
            raise ReportError(f"a lone backslash in {self.tex!r}")
        start, name = self.at, match[1]
        self.at = match.end()
        if name in _CHARACTERS:
            if self.tex.startswith("{}", self.at):
                self.at += 2
            elif name.isalpha() and self.tex.startswith(" ", self.at):
                self.at += 1
            return self.plain(_CHARACTERS[name])
        if len(name) == 1 and not name.isalpha():
            return self.plain(name)
        if name in self.tags:
            return self.tagged(name)
        return self._own(name, start)

    def _own(self, name: str, start: int) -> str:
        """The macros of the report."""
        match name:
            case "allowbreak":
                self.at += 2 * self.tex.startswith("{}", self.at)
                return self.pause
            case "hskip":
                self.at += len("1em")
                return " "
            case "grpobadge":
                return self.badge(self.inner())
            case "grpolead":
                return self.lead(self.inner())
            case "grporef":
                return self._reference(self._group())
            case "grpolocated":
                shown = self.inner()
                self._group()
                return shown
            case "grposentence":
                return self.sentence(self.inner())
            case "grpodisplay":
                shown = self.inner()
                self._after_display = True
                return shown
            case "grpopick" | "grpofit":
                self.at = start
                return self.display(self._forms())
            case "grpophrase":
                return self._phrase()
        raise ReportError(f"pages know no \\{name}, which stands in {self.tex!r}")

    def _forms(self) -> list[str]:
        forms = []
        while self.tex.startswith(r"\grpopick", self.at):
            self.at += len(r"\grpopick")
            forms.append(self._group())
            # The second argument is the rest; its closing brace is skipped below.
            self.at += 1
        self.at += len(r"\grpofit")
        last = self._group()
        self.at += len(forms)
        return [*forms, last]

    def _phrase(self) -> str:
        inline = self._group()
        if self.fits(inline):
            self._group()
            return self.formula(inline)
        shown = self.inner()
        self._after_display = True
        return shown

    def _reference(self, label: str) -> str:
        target = self._find(label)
        return self.plain(label.removeprefix("grpo:")) if target is None else self.link(target)
