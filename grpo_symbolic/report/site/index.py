"""What the search of the site knows: one entry for each claim, result, erratum and row of a paper."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

_GREEK = re.compile(r"[α-ωΑ-Ωϵϕϑϱ]")
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


def script(entries: Iterable[Hit]) -> str:
    """The entries as a script, because a page that was opened from a disk may not fetch data."""
    rows = [
        [item.title, item.address, item.kind, item.id, item.number, item.place, searchable(item.words)]
        for item in entries
    ]
    data = json.dumps(rows, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f"window.INDEX={data};\n"


def searchable(text: str) -> str:
    """Text in small letters in which Greek letters have their names."""
    spelled = _GREEK.sub(lambda match: f" {_named(match[0])} ", text)
    return " ".join(spelled.lower().split())


def _named(letter: str) -> str:
    if letter in _VARIANTS:
        return _VARIANTS[letter]
    return unicodedata.name(letter).rpartition(" ")[2].lower().replace("lamda", "lambda")
