"""What the search of the site knows: one entry for each claim, result, erratum and row of a paper."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

_GREEK = re.compile(r"[α-ωΑ-Ωϵϕϑϱ]")
#: What is looked for: words, letters with their indices, and numbers of several digits, without the signs between.
_WORD = re.compile(r"[^\W\d][\w']*(?:-[\w']+)*|\d[\w.]+")
#: So many items at the beginning of a row are empty if they are not given; the others follow from the group.
_TOLD = 4
_VARIANTS = {"ϵ": "epsilon", "ϕ": "phi", "ϑ": "theta", "ϱ": "rho", "ς": "sigma"}


@dataclass(frozen=True)
class Hit:
    """What the search may find: what it is, where, its id, the numbers by which it goes, and its words."""

    title: str
    address: str
    kind: str
    id: str
    number: str
    place: str
    words: str


@dataclass(frozen=True)
class _Group:
    """What the entries of a page have in common."""

    file: str
    kind: str
    paper: str
    number: str

    def numbered(self, position: int) -> str:
        """The number of an entry that says nothing else."""
        return f"{self.number}.{position}" if self.number and position else self.number

    def named(self, anchor: str) -> str:
        """The id of an entry that says nothing else."""
        return f"{self.paper}.{anchor}" if self.paper and anchor else ""


def script(entries: Iterable[Hit]) -> str:
    """The entries as a script, because a page that was opened from a disk may not fetch data.

    Those of one page stand together, as ``[page, kind, paper, number, rows]``, and a row leaves out what follows from
    these and from its place among the others: ``unfolded`` says how, and so does the script of the pages.
    """
    groups = [_folded(list(group)) for _, group in groupby(entries, lambda item: item.address.partition("#")[0])]
    data = json.dumps(groups, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f"window.INDEX={data};\n"


def _folded(entries: Sequence[Hit]) -> list[object]:
    file = entries[0].address.partition("#")[0]
    kinds = [item.kind for item in entries]
    papers = {item.id.partition(".")[0] for item in entries if item.id}
    paper = papers.pop() if len(papers) == 1 else ""
    group = _Group(file, max(kinds, key=kinds.count), paper, entries[0].number)
    rows = [_row(group, position, item) for position, item in enumerate(entries)]
    return [group.file, group.kind, group.paper, group.number, rows]


def _row(group: _Group, position: int, item: Hit) -> list[str | None]:
    anchor = item.address.partition("#")[2]
    row = [
        item.title,
        anchor,
        item.place,
        searchable(item.words),
        None if item.kind == group.kind else item.kind,
        None if item.number == group.numbered(position) else item.number,
        None if item.id == group.named(anchor) else item.id,
    ]
    while not row[-1]:
        if row[-1] == "" and len(row) > _TOLD:
            break
        row.pop()
    return row


def unfolded(script: str) -> list[list[str]]:
    """The rows of a script in full: title, address, kind, id, number, place and words."""
    rows = []
    groups: list[tuple[str, str, str, str, list[list[str | None]]]]
    groups = json.loads(script.removeprefix("window.INDEX=").rstrip(";\n"))
    for file, kind, paper, number, inside in groups:
        group = _Group(file, kind, paper, number)
        for position, row in enumerate(inside):
            whole = row + [None] * (7 - len(row))
            title, anchor, place, words, own, count, id = whole
            rows.append(
                [
                    title or "",
                    f"{file}#{anchor}" if anchor else file,
                    kind if own is None else own,
                    group.named(anchor or "") if id is None else id,
                    group.numbered(position) if count is None else count,
                    place or "",
                    words or "",
                ]
            )
    return rows


def searchable(text: str) -> str:
    """The words of a text in small letters, in which Greek letters have their names.

    Each stands there once: the search looks for one word at a time, anywhere in the text.
    """
    spelled = _GREEK.sub(lambda match: f" {_named(match[0])} ", text)
    words = list(dict.fromkeys(_WORD.findall(spelled.lower())))
    # No word has a blank in it, so that one which stands there more than once stands in another.
    together = " ".join(words)
    return " ".join(word for word in words if together.count(word) == 1)


def _named(letter: str) -> str:
    if letter in _VARIANTS:
        return _VARIANTS[letter]
    return unicodedata.name(letter).rpartition(" ")[2].lower().replace("lamda", "lambda")
