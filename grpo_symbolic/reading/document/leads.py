"""The words right before a formula: the sentence that leads to it, and the text since the last new beginning."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from grpo_symbolic.reading.places import Place, Source

#: Most characters before a formula in which its sentence is sought.
MAX_LEAD = 4_000
#: Characters behind a formula in which the words that go on from it are sought.
MAX_BEHIND = 80
#: How an inline formula prints in the words of a lead.
FORMULA = "$"

_INLINE = re.compile(r"\$\$?(?:[^$\\]|\\.)+\$\$?|\\\((?s:.*?)\\\)")
_PARAGRAPH = re.compile(r"\n[ \t]*\r?\n")
_NUMBER = re.compile(r"\s*(?:\([\w.*' -]{1,24}\))?\s*[.,;]?\s*")
_ENUMERATOR = re.compile(r"\s*\(\w{1,4}\)\s*$")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*|<!--(?s:.*?)-->")
_DROPPED = re.compile(r"\\(?:label|cite\w*|tag)\s*(?:\[[^\]]*\])?\{[^{}]*\}|\\(?:noindent|item|par|quad|qquad)\b")
_ITEM = re.compile(
    r"\\(?:begin|end)\{(?:itemize|enumerate|align\*?|equation\*?)\}(?:\[[^\]]*\])?|^\s*(?:[-*+]|\d+[.:])\s"
)
_COMMAND = re.compile(r"\\[A-Za-z]+\*?|[{}*_~`]")
# A full stop ends a sentence, but for that of an abbreviation or of a heading's number.
_STOP = re.compile(
    r"(?<!\bi\.e)(?<!\be\.g)(?<!\bcf)(?<!\beq)(?<!\beqs)(?<!\bresp)(?<!\bw\.r\.t)(?<!\bs\.t)(?<!\bviz)(?<!\bal)"
    r"(?<!\bfig)(?<!\bsec)(?<!\bthm)(?<!\bvs)(?<!\bdr)(?<!\bprof)(?<!\d)[.!?][\")\]]*\s+",
    re.IGNORECASE,
)
_BEGINNING = re.compile(
    r"^\s*(?:#{1,6}\s|\*\*|\\(?:sub)*section|\\paragraph|\\begin\{(?!itemize|enumerate|align|equation)"
    r"|\*?(?:theorem|lemma|proposition|corollary|proof|definition|remark|example|assumption|appendix)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTATIONS = ("quote", "quotation", "verse")
_QUOTED_LINE = re.compile(r"^\s*(?:>|\[\^|<sup>)")


@dataclass(frozen=True)
class Lead:
    """The words around a formula.

    ``words`` is its sentence up to the formula, in lower case, with ``$`` for every inline formula, the places of which
    are ``formulas``. ``place`` is that of the paragraph up to the formula, or of what stands between the display before
    and this one, and ``paragraph`` its words; ``end`` is its last character, ``behind`` the words right behind the
    formula. ``follows`` says that nothing but a number stands between the display before and this one, ``quoted`` that
    it stands in a quotation or a footnote.
    """

    words: str
    place: Place
    paragraph: str = ""
    formulas: tuple[Place, ...] = ()
    follows: bool = False
    quoted: bool = False
    behind: str = ""

    @property
    def end(self) -> Place:
        """The last character of the words."""
        last = self.place.start + len(self.place.text.rstrip())
        return Place(self.place.source, max(last - 1, 0), last)


class Leads:
    """Finds leads among the formulas of a paper, whose places these are."""

    def __init__(self, displayed: Iterable[Place]) -> None:
        self._ends: dict[int, list[int]] = {}
        self._begins: dict[int, list[int]] = {}
        for place in displayed:
            self._ends.setdefault(id(place.source), []).append(place.end)
        for ends in self._ends.values():
            ends.sort()

    def of(self, place: Place) -> Lead:
        """The lead of the formula at a place, which includes its delimiters."""
        source, text = place.source, place.source.text
        ends = self._ends.get(id(source), [])
        at = bisect_right(ends, place.start)
        before = ends[at - 1] if at else 0
        floor = max(before, place.start - MAX_LEAD)
        between = text[floor : place.start]
        if at and before == floor and _NUMBER.fullmatch(between):
            return Lead("", place, follows=True)
        start = _paragraph_start(between.rstrip()) + floor
        formulas = _inline(source, start, place.start)
        plain = _plain(text[start : place.start], start, formulas)
        stops = [match.end() for match in _STOP.finditer(plain)]
        if _STOP.search(plain.rstrip() + " ", stops[-1] if stops else 0):
            stops.append(len(plain))
        sentence = plain[stops[-1] if stops else 0 :]
        kept = formulas[len(formulas) - sentence.count(FORMULA) :] if sentence.count(FORMULA) else ()
        whole = Place(source, max(start, place.start - len(text[start : place.start].lstrip())), place.start)
        quoted = _is_quoted(text, start, place.start, plain)
        behind = _behind(place)
        return Lead(_worded(sentence), whole, _worded(plain), tuple(kept), quoted=quoted, behind=behind)

    def since_beginning(self, place: Place) -> Place:
        """The text since the last heading, theorem or proof began, up to a place."""
        source = place.source
        if id(source) not in self._begins:
            self._begins[id(source)] = [0, *(match.start() for match in _BEGINNING.finditer(source.text))]
        begins = self._begins[id(source)]
        return Place(source, begins[max(0, bisect_right(begins, place.start - 1) - 1)], place.start)


def _behind(place: Place) -> str:
    """The words that go on behind a formula; none where a sentence ends."""
    words = _stripped(place.source.text[place.end : place.end + MAX_BEHIND]).strip()
    ended = place.text.rstrip(" $\n\\])").endswith(".")
    return "" if ended or words[:1].isupper() or words.startswith(".") else _worded(words)


def _paragraph_start(between: str) -> int:
    """Where the last paragraph begins that is more than the number of an item."""
    breaks = [match.end() for match in _PARAGRAPH.finditer(between)]
    while breaks and _NUMBER.fullmatch(between[breaks[-1] :]):
        between = between[: breaks.pop()].rstrip()
        breaks = [match.end() for match in _PARAGRAPH.finditer(between)]
    return breaks[-1] if breaks else 0


def _inline(source: Source, start: int, end: int) -> tuple[Place, ...]:
    found = []
    for match in _INLINE.finditer(source.text, start, end):
        marks = 2 if match.group().startswith(("$$", r"\(")) else 1
        found.append(Place(source, match.start() + marks, match.end() - marks))
    return tuple(found)


def _plain(text: str, start: int, formulas: tuple[Place, ...]) -> str:
    """The words of some LaTeX or Markdown, with ``$`` for its inline formulas."""
    pieces: list[str] = []
    at = 0
    for place in formulas:
        begin, end = place.start - start, place.end - start
        opening = 2 if text[begin - 2 : begin] in ("$$", r"\(") else 1
        pieces += [_stripped(text[at : begin - opening]), FORMULA]
        at = end + opening
    return "".join([*pieces, _stripped(text[at:])])


def _stripped(text: str) -> str:
    for pattern in (_COMMENT, _DROPPED, _ITEM):
        text = pattern.sub(" ", text)
    return _COMMAND.sub(" ", text).replace(FORMULA, " ")


def _worded(text: str) -> str:
    return " ".join(_ENUMERATOR.sub("", text).lower().split()).replace(" ,", ",")


def _is_quoted(text: str, start: int, end: int, plain: str) -> bool:
    """Whether a place is in a quotation, or in a footnote, whose words are about something else."""
    if any(text.rfind(rf"\begin{{{name}}}", 0, end) > text.rfind(rf"\end{{{name}}}", 0, end) for name in _QUOTATIONS):
        return True
    note = text.rfind(r"\footnote", 0, end)
    if note >= 0 and text.count("{", note, end) > text.count("}", note, end):
        return True
    marks = plain.count("“") - plain.count("”") + text[start:end].count("``") - text[start:end].count("''")
    return bool(marks > 0 or plain.count('"') % 2 or _QUOTED_LINE.match(text[start:end]))
