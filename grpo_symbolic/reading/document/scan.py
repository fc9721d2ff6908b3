"""Going through a text once: formulas, definitions, included files, headings and the map lines in comments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from grpo_symbolic.reading.document.blocks import (
    MATH_ENVIRONMENTS,
    Block,
    fenced_close,
    find_close,
    find_end,
    skip_definition,
)
from grpo_symbolic.reading.document.files import Files, InputRefused
from grpo_symbolic.reading.document.scopes import BRANCH, Scopes
from grpo_symbolic.reading.places import BrokenLatex, Place, ReadingError, Source, TooLarge
from grpo_symbolic.reading.tex.macros import DEFINING, Macro
from grpo_symbolic.reading.tex.symbols import words

#: Most formulas of one paper.
MAX_BLOCKS = 20_000
#: Most definitions of macros in one paper, and most of them that are cut short.
MAX_DEFINITIONS = 2_000
MAX_CUT_SHORT = 20

_UNREAD_ENVIRONMENTS = words(
    "verbatim verbatim* Verbatim lstlisting minted comment filecontents filecontents* tikzpicture thebibliography"
)
_TEX = re.compile(
    r"""(?P<comment>%[^\n]*)
      | (?P<verb>\\verb\*?(?P<mark>[^A-Za-z*\s]).{0,500}?(?P=mark))
      | \\begin\s*\{(?P<begin>[^{}\n]*)\}
      | (?P<finish>\\end\s*\{document\}|\\endinput(?![A-Za-z@]))
      | \\end\s*\{(?P<end>[^{}\n]*)\}
      | \\newif\s*(?P<switch>\\if[A-Za-z@]*)
      | (?P<branch>"""
    + BRANCH
    + r""")
      | (?P<brace>[{}]|\\(?:begin|end|b|e)group(?![A-Za-z@]))
      | (?P<math>\$\$|\\\[|\$|\\\()
      | \\(?:input|include|subfile)\b\s*(?:\{\s*(?P<input>[^{}\n]*?)\s*\}|(?P<bare>[^\s{}%\\]+))
      | \\(?:part|chapter|(?:sub)*section)\*?\s*\{(?P<section>[^{}]*)\}
      | (?P<command>\\(?:[A-Za-z@]+|(?s:.)))
    """,
    re.VERBOSE,
)
_DOCUMENT = re.compile(r"^[^%\n]*\\begin\s*\{document\}", re.MULTILINE)
_MARKDOWN = re.compile(
    r"""<!--(?P<comment>:?(?s:.*?))(?:-->|\Z)
      | (?P<mapline>^%:[^\n]*)
      | (?P<verb>^(?P<mark>```+|~~~+)(?s:.*?)(?:^(?P=mark)|\Z)|`[^`\n]*`)
      | \\begin\s*\{(?P<begin>[^{}\n]*)\}
      | (?P<math>\$\$|\\\[|\$|\\\()
      | ^\#{1,6}[ \t]+(?P<section>[^\n]*)
      | (?P<command>\\(?:[A-Za-z@]+|(?s:.)))
    """,
    re.VERBOSE | re.MULTILINE,
)
_PRINTED_NUMBER = re.compile(
    r"[ \t]*\r?\n?[ \t]*\((?P<number>[A-Za-z0-9][\w.'*-]{0,15}(?: [A-Z][\w-]{0,15})?)\)[ \t]*(?=\r?\n|\Z)"
)
_PARAGRAPH = re.compile(r"\n[ \t]*\r?\n")
_MAP_LINE = re.compile(r"%:([^\n]*)")


@dataclass(frozen=True)
class MapLine:
    """One line of the notation map written in the paper, without the comment sign."""

    text: str
    place: Place


class Scanner:
    """Collects what a text holds; ``tex`` says that it is LaTeX and not Markdown."""

    def __init__(self, files: Files, *, tex: bool) -> None:
        self.files, self.pattern, self.tex = files, _TEX if tex else _MARKDOWN, tex
        self.blocks: list[Block] = []
        self.sources: list[Source] = []
        self.map_lines: list[MapLine] = []
        self.problems: list[ReadingError] = []
        self.scopes = Scopes()
        self.preamble = False
        self.section = ""
        self._definitions = self._cut_short = 0
        self._last_end: tuple[Source, int] | None = None
        self._unclosed: dict[tuple[str, str], int] = {}

    def scan(self, source: Source, active: tuple[str, ...]) -> None:
        """Go through a text once, from formula to formula."""
        self.sources.append(source)
        position = 0
        if len(active) == 1 and self.tex:
            self.preamble = _DOCUMENT.search(source.text) is not None
        while (match := self.pattern.search(source.text, position)) is not None:
            position = match.end()
            groups = match.groupdict()
            if groups.get("finish"):
                break
            if groups.get("math"):
                position = self._delimited(source, match)
            elif groups.get("begin") is not None:
                position = self._environment(source, match, groups["begin"])
            elif groups.get("section") is not None:
                self.section = " ".join(groups["section"].split())
            elif groups.get("command"):
                position = self._command(source, match)
            elif groups.get("input") or groups.get("bare"):
                self._input(groups["input"] or groups["bare"], Place(source, *match.span()), active)
            elif groups.get("branch"):
                position = self.scopes.branch(match.group(), source.text, position)
            elif self._grouped(match, groups):
                pass
            else:
                self._comment(source, match)

    @property
    def macros(self) -> Mapping[str, Macro]:
        """The macros that hold where the scanner is."""
        return self.scopes.macros

    def _grouped(self, match: re.Match[str], groups: Mapping[str, str | None]) -> bool:
        """Enter or leave a group, or take up a switch; say whether that was it."""
        if groups.get("brace"):
            opens = match.group() in ("{", r"\begingroup", r"\bgroup")
            self.scopes.begin("{") if opens else self.scopes.end("{")
        elif groups.get("end") is not None:
            self.scopes.end(groups["end"] or "")
        elif groups.get("switch"):
            self.scopes.switch(groups["switch"] or "")
        else:
            return False
        return True

    def _comment(self, source: Source, match: re.Match[str]) -> None:
        text, start = match.group(), match.start()
        if text.startswith("<!--:"):
            offset = start + len("<!--:")
            for line in text[len("<!--:") :].removesuffix("-->").split("\n"):
                self._map_line(line, Place(source, offset, offset + len(line)))
                offset += len(line) + 1
        elif text.startswith("%:"):
            self._map_line(text[2:], Place(source, start + 2, match.end()))

    def _map_line(self, text: str, place: Place) -> None:
        if text.strip():
            self.map_lines.append(MapLine(text.strip(), place))

    def _add(self, kind: str, place: Place, inner: Place, broken: BrokenLatex | None = None) -> int:
        """Add a block and return where the text goes on."""
        source, end = place.source, place.end
        if len(self.blocks) >= MAX_BLOCKS:
            raise TooLarge(place, f"more than {MAX_BLOCKS} formulas")
        tag, joined = None, False
        if kind == "display":
            if not self.tex and (number := _PRINTED_NUMBER.match(source.text, end)):
                tag, end = number["number"], number.end()
            if self._last_end is not None and self._last_end[0] is source:
                joined = not source.text[self._last_end[1] : place.start].strip()
            self._last_end = (source, end)
        self.blocks.append(Block(kind, place, inner, self.macros, joined, tag, self.section, broken))
        if self.tex:
            for comment in _MAP_LINE.finditer(source.text, inner.start, inner.end):
                self._map_line(comment[1], Place(source, *comment.span(1)))
        return end

    def _delimited(self, source: Source, match: re.Match[str]) -> int:
        opening = match.group()
        if self.preamble:
            return match.end()
        close = self._close(source, opening, match.end())
        kind = "display" if opening in ("$$", r"\[") else "inline"
        if close is not None:
            place = Place(source, match.start(), close + len(opening))
            return self._add(kind, place, Place(source, match.end(), close))
        if kind == "display":
            place = Place(source, *match.span())
            self._add(kind, place, place, BrokenLatex(place, f"this {opening} is never closed in its paragraph"))
            paragraph = _PARAGRAPH.search(source.text, match.end())
            return len(source.text) if paragraph is None else paragraph.end()
        return match.end()

    def _close(self, source: Source, opening: str, start: int) -> int | None:
        """Find the closing delimiter, but do not look through the same paragraph again for one that is not there."""
        if start < self._unclosed.get((source.name, opening), 0):
            return None
        close = find_close(source, opening, start)
        if close is None and not self.tex and opening == "$$":
            close = fenced_close(source, start)
        if close is None:
            paragraph = _PARAGRAPH.search(source.text, start)
            self._unclosed[source.name, opening] = len(source.text) if paragraph is None else paragraph.start()
        return close

    def _end(self, source: Source, environment: str, start: int) -> int | None:
        if (source.name, environment) in self._unclosed:
            return None
        end = find_end(source, environment, start)
        if end is None:
            self._unclosed[source.name, environment] = start
        return end

    def _environment(self, source: Source, match: re.Match[str], name: str) -> int:
        if name in _UNREAD_ENVIRONMENTS:
            return self._end(source, name, match.end()) or len(source.text)
        if name == "document":
            self.preamble = False
        if self.preamble or name.rstrip("*") not in MATH_ENVIRONMENTS:
            if self.tex:
                self.scopes.begin(name)
            return match.end()
        return self._math(source, match, name)

    def _math(self, source: Source, match: re.Match[str], name: str, close: int | None = None) -> int:
        kind = "inline" if name == "math" else "display"
        end = self._end(source, name, match.end()) if close is None else close
        if end is None:
            place = Place(source, *match.span())
            self._add(kind, place, place, BrokenLatex(place, f"the environment {name} is never ended"))
            return match.end()
        place = Place(source, match.start(), end)
        return self._add(kind, place, place)

    def _command(self, source: Source, match: re.Match[str]) -> int:
        """Follow a definition, and the macros that some authors write for ``\\begin{equation}``."""
        name = match.group()
        if name in DEFINING:
            return self._definition(source, match)
        if self.tex:
            self.scopes.switch(name)
            self.scopes.call(name)
        environment = self._stands_for(name, r"\begin")
        if environment is None:
            return match.end()
        key = (source.name, rf"\\end {environment}")
        ends = rf"%[^\n]*|(?P<end>\\end\s*\{{{re.escape(environment)}\}})|\\[A-Za-z@]+|\\(?s:.)"
        for later in re.compile(ends).finditer(source.text, match.end()) if key not in self._unclosed else ():
            if later["end"] or self._stands_for(later.group(), r"\end") == environment:
                return self._math(source, match, environment, later.end())
        self._unclosed[key] = match.end()
        return self._math(source, match, environment)

    def _definition(self, source: Source, match: re.Match[str]) -> int:
        self._definitions += 1
        if self._definitions > MAX_DEFINITIONS or self._cut_short > MAX_CUT_SHORT:
            reason = f"more than {MAX_DEFINITIONS} macros are defined, or {MAX_CUT_SHORT} definitions are cut short"
            raise TooLarge(Place(source, *match.span()), reason)
        try:
            macro, position = skip_definition(source, match.start(), self.macros)
        except BrokenLatex as error:
            self._cut_short += 1
            self.problems.append(error)
            return match.end()
        if macro is not None:
            self.scopes.define(macro, source.text[max(0, match.start() - 40) : match.end()])
        return position

    def _stands_for(self, name: str, command: str) -> str | None:
        """Return the mathematical environment that a macro begins or ends, if it does."""
        macro = self.macros.get(name)
        texts = [token.text for token in macro.body] if macro is not None else []
        if command not in texts:
            return None
        start = texts.index(command) + 2
        environment = "".join(texts[start : texts.index("}", start)]) if "}" in texts[start:] else ""
        return environment if environment.rstrip("*") in MATH_ENVIRONMENTS else None

    def _input(self, name: str, place: Place, active: tuple[str, ...]) -> None:
        try:
            included = self.files.open(name, place, active)
        except InputRefused as refused:
            self.problems.append(refused)
            return
        self.scan(included, (*active, included.name))
