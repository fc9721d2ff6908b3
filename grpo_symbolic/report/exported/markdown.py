"""LaTeX of the report's views as Markdown of the kind that GitHub shows: formulas stay LaTeX, between dollars."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import jinja2

from grpo_symbolic.errors import ReportError
from grpo_symbolic.report.claims import StepView
from grpo_symbolic.report.dialect import DialectReader, Find, Target
from grpo_symbolic.report.lines import NARROW, WIDE, glyphs
from grpo_symbolic.report.sources import SourceView
from grpo_symbolic.report.tex import Tex

_SPECIAL = re.compile(r"([\\`*_\[\]<>$|~#])")
_LIST_LIKE = re.compile(r"(?m)^([-+]|\d+[.)])(?=\s)")
_SPACES = re.compile(" {2,}")
_AT_END = re.compile(r"[ \t]+$", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*(?:\n[ \t]*)+\n")
#: Markdown takes a backslash before a punctuation mark for its own, and < for the beginning of a tag.
_IN_MATHS = {
    r"\{": r"\lbrace ",
    r"\}": r"\rbrace ",
    r"\|": r"\Vert ",
    r"\,": r"\thinspace ",
    r"\:": r"\medspace ",
    r"\;": r"\thickspace ",
    r"\!": r"\negthinspace ",
    r"\\": r"\cr ",
    "<": r"\lt ",
    ">": r"\gt ",
    "*": r"\ast ",
}
_SIGN = re.compile(r"\\[{}|,:;!\\]|\\.|[<>*]", re.DOTALL)


_INLINE = re.compile(r"\$([^$`]+)\$")


class Markdown(str):
    """Finished Markdown; nothing else reaches a page."""

    __slots__ = ()


def maths(latex: str) -> str:
    r"""LaTeX that means the same, in which Markdown finds nothing of its own: ``\{`` is ``\lbrace``."""
    return _SIGN.sub(lambda found: _IN_MATHS.get(found[0], found[0]), latex).strip()


def plain(text: str) -> Markdown:
    """Text without any meaning in Markdown."""
    return Markdown(_SPECIAL.sub(r"\\\1", text))


def markdown(tex: str, find: Find, before: str = "") -> Markdown:
    """The text as Markdown; ``before`` stands in front of its first display.

    Raises:
        ReportError: if it has a command that pages do not know, or a brace that is not closed.
    """
    shown = _AT_END.sub("", _SPACES.sub(" ", _Markdown(tex, find, before).all()))
    shown = _BLANK.sub("\n\n", shown).strip()
    return Markdown(_LIST_LIKE.sub(lambda found: f"{found[1][:-1]}\\{found[1][-1]}", shown))


def _tight(found: re.Match[str]) -> str:
    """A formula between marks that GitHub knows also behind brackets and beside letters."""
    return f"$`{found[1]}`$"


def displayed(latex: str) -> Markdown:
    """A formula in a line of its own."""
    return Markdown(f"$$\n{maths(latex)}\n$$")


class _Markdown(DialectReader):
    """A text as Markdown."""

    pause = ""

    def __init__(self, tex: str, find: Find, before: str) -> None:
        super().__init__(tex, find)
        self._before = before
        self._typewriter = False

    def plain(self, text: str) -> str:
        return text if self._typewriter else plain(text)

    def tagged(self, command: str) -> str:
        if command == "texttt":
            self._typewriter = True
            shown = self.inner()
            self._typewriter = False
            return f"``{shown}``" if "`" in shown else f"`{shown}`"
        marks = {"textbf": "**", "textsc": ""}.get(command, "*")
        return f"{marks}{_INLINE.sub(_tight, self.inner())}{marks}"

    def joined(self, parts: list[str], piece: str) -> None:
        before = parts[-1] if parts else ""
        if _INLINE.fullmatch(piece):
            if before.endswith("$") or before[-1:].isalpha():
                piece = f" {piece}"
            elif before and not before[-1].isspace():
                piece = _INLINE.sub(_tight, piece)
        elif _INLINE.fullmatch(before.lstrip()) and piece[:1].isalnum():
            parts[-1] = _INLINE.sub(_tight, before)
        parts.append(piece)

    def formula(self, latex: str) -> str:
        return f"${maths(latex)}$"

    def display(self, forms: Sequence[str]) -> str:
        widest = next((form for form in forms if glyphs(form) <= WIDE), forms[-1])
        before, self._before = self._before, ""
        return f"\n\n{displayed(f'{before} {widest}')}\n\n"

    def fits(self, latex: str) -> bool:
        return glyphs(latex) <= NARROW

    def badge(self, verdict: str) -> str:
        return f"**{verdict.upper()}**"

    def lead(self, words: str) -> str:
        return f"*{words}* "

    def sentence(self, words: str) -> str:
        before, self._before = self._before, ""
        return f"${maths(before)}$ {words}" if before else words

    def link(self, target: Target) -> str:
        return f"`{target.title}`"


def environment(folder: Path, find: Find) -> jinja2.Environment:
    """Templates in which LaTeX becomes Markdown, and no other text reaches the page."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: _finished(value, find),
        autoescape=False,
    )
    made.filters |= {
        "maths": lambda latex: Markdown(f"${maths(latex)}$"),
        "printed": displayed,
        "source": _source,
        "step": lambda step: _step(step, find),
        "fact": lambda said, name: Markdown(f"**{plain(name)}.** {_finished(said, find)}\n\n"),
        "code": Markdown,
        "indent": lambda text, width, first: Markdown(re.sub(r"(?m)^(?=.)", " " * width, text)),
    }
    return made


def tidy(text: str) -> str:
    """A page without more than one blank line anywhere."""
    return _BLANK.sub("\n\n", text).strip() + "\n"


def _source(source: SourceView) -> Markdown:
    place = f"`{source.place}`"
    return Markdown(place if source.address is None else f"[{place}](<{source.address}>)")


def _step(step: StepView, find: Find) -> Markdown:
    return markdown(step.formula, find, before=step.relation)


def _finished(value: object, find: Find) -> str:
    match value:
        case Markdown():
            return value
        case Tex():
            return markdown(value, find)
        case jinja2.Undefined():
            return str(value)  # StrictUndefined raises here and names what is missing
    raise ReportError(f"a template would print {value!r}, which is not escaped for Markdown")
