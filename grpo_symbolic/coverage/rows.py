"""Which line of a paper is dealt with where: the rows of an inventory, each tied to claims or left out with a reason.

The rows stand in ``coverage.json`` beside the derivations of a paper, with hashes and our own words instead of the
paper's text. Where the text is present it is compared with them; elsewhere they still say when it last was.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

from grpo_symbolic.coverage.inventory import Row
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.errors import LibraryError

NAME = "coverage.json"

#: What a row that is tied to claims says.
FORMS = ("identity", "inequality", "limit", "dynamics", "definition", "other")

#: Why a row is tied to no claim. The last three are mathematics all the same and count as not checked.
REASONS = {
    "not mathematics": "it introduces, describes or refers, and states nothing that could be derived",
    "empirical": "it reports what was observed",
    "cited": "it is a result of another paper, quoted as such",
    "out of scope": "it is mathematics that these derivations do not treat",
    "open": "it is mathematics that the checks could not settle",
    "pending": "nobody has dealt with it yet",
}
UNCHECKED = ("out of scope", "open", "pending")
_PLAIN = "not mathematics"
_TURNED = {True: "it is now taken for mathematics", False: "it is no longer taken for mathematics"}

_TEXTS = frozenset({".md", ".tex", ".txt"})
_BEGINNING = 4000  # characters in which a paper must have named its title


@dataclass(frozen=True)
class Annotation:
    """A row of a paper without its text: what it says in our words, and its claims or the reason for having none.

    ``because`` explains the reason; a row in which the inventory sees no mathematics needs no explanation.
    """

    section: str
    ordinal: int
    kind: str
    label: str | None
    digest: str
    mathematics: bool
    says: str = ""
    form: str | None = None
    claims: tuple[str, ...] = ()
    reason: str | None = None
    because: str = ""

    @property
    def place(self) -> str:
        """Where the row stands, such as ``2.3.1, row 5 (14)``."""
        return f"{self.section}, row {self.ordinal}" + ("" if self.label is None else f" {self.label}")

    @property
    def counts(self) -> bool:
        """Whether the row is mathematics that should have been checked."""
        return self.reason is None or self.reason in UNCHECKED


@dataclass(frozen=True)
class Coverage:
    """All rows of a paper, and the date on which they were last compared with its text."""

    paper: Paper
    compared: str
    entries: tuple[Annotation, ...]


def files(library: Library) -> dict[Paper, Path]:
    """Where the coverage of each paper stands, or would stand."""
    found: dict[Paper, Path] = {}
    for result in library.results:
        folder = result.folder
        if folder is not None:
            found.setdefault(result.paper, folder / NAME)
    return found


def load(library: Library) -> tuple[Coverage, ...]:
    """The coverage of every paper that has one.

    Raises:
        LibraryError: if a file cannot be read.
    """
    return tuple(read(paper, path) for paper, path in files(library).items() if path.is_file())


def text_of(paper: Paper, folder: Path) -> Path | None:
    """The text of a paper in a folder: the file that begins with its title, whatever the file is called.

    Raises:
        LibraryError: if a file cannot be read.
    """
    title = _letters(paper.title)
    for path in sorted(path for path in folder.iterdir() if path.suffix in _TEXTS):
        try:
            if title in _letters(path.read_text(encoding="utf-8")[:_BEGINNING]):
                return path
        except (OSError, ValueError) as error:
            raise LibraryError(f"cannot read {path}: {error}") from error
    return None


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def read(paper: Paper, path: Path) -> Coverage:
    """Read the coverage of a paper.

    Raises:
        LibraryError: if the file is not what ``write`` writes.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Coverage(paper, str(data["compared"]), tuple(map(_entry, data["rows"])))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise LibraryError(f"cannot read {path}: {type(error).__name__}: {error}; restore it from git") from error


def write(coverage: Coverage, path: Path) -> None:
    """Write a coverage with one row a line, so that differences can be read."""
    rows = ",\n".join(json.dumps(_as_json(entry), ensure_ascii=False) for entry in coverage.entries)
    head = json.dumps({"paper": coverage.paper.id, "compared": coverage.compared})[:-1]
    path.write_text(f'{head}, "rows": [\n{rows}\n]}}\n', encoding="utf-8")


def problems(coverage: Coverage, ids: Iterable[str]) -> tuple[str, ...]:
    """What is wrong with a coverage in itself, each with its place; ``ids`` are the claims there are."""
    known = frozenset(ids)
    found = [f"{entry.place}: {message}" for entry in coverage.entries for message in _mistakes(entry, known)]
    places = Counter((entry.section, entry.ordinal) for entry in coverage.entries)
    found += [f"{section}, row {ordinal}: stands there {n} times" for (section, ordinal), n in places.items() if n > 1]
    return tuple(found)


def _mistakes(entry: Annotation, known: frozenset[str]) -> Iterator[str]:
    unknown = [id for id in entry.claims if id not in known]
    if unknown:
        yield f"no claim is called {', '.join(unknown)}"
    if entry.claims and entry.reason is not None:
        yield "it is tied to claims and has a reason for not being tied"
    if not entry.claims and entry.reason is None:
        yield "untied: name the claims that say this, or a reason"
    if entry.reason is not None and entry.reason not in REASONS:
        yield f"no reason is called {entry.reason!r}; there are {', '.join(REASONS)}"
    if entry.reason is not None and entry.mathematics and not entry.because.strip():
        yield "say why it is left out"
    if entry.claims and entry.form not in FORMS:
        yield f"its form {entry.form!r} is none of {', '.join(FORMS)}"
    if (entry.claims or entry.reason in UNCHECKED) and not entry.says.strip():
        yield "say in your own words what it states"


def differences(coverage: Coverage, rows: Sequence[Row]) -> tuple[str, ...]:
    """How the rows of a text depart from those in the file, each with its place; none means that they agree.

    A row departs as well if the same text is now taken for mathematics, or is so no longer.
    """
    found: list[str] = []
    remedy = "`grpo-symbolic coverage --papers DIR --update` takes it over; then read it and tie it"
    for tag, old, new in _matched(coverage.entries, rows):
        if tag == "equal":
            turned = (entry for entry, row in zip(old, new, strict=True) if entry.mathematics != row.mathematics)
            found += (f"{entry.place}: {_TURNED[not entry.mathematics]}; {remedy}" for entry in turned)
            continue
        changed = min(len(old), len(new)) if tag == "replace" else 0
        found += (f"{entry.place}: the text has changed; {remedy}" for entry in old[:changed])
        found += (f"{entry.place}: it is no longer in the text; {remedy}" for entry in old[changed:])
        found += (f"{row.section}, row {row.ordinal}: it is new in the text; {remedy}" for row in new[changed:])
    return tuple(found)


def updated(coverage: Coverage, rows: Sequence[Row], today: str) -> Coverage:
    """Take over the rows of a text: a row with the same hash keeps its tie, a new one is untied.

    A row keeps its tie also where it is now taken for another kind of row. New rows in which the inventory sees no
    mathematics are left out with that reason.
    """
    entries: list[Annotation] = []
    for tag, old, new in _matched(coverage.entries, rows, loosely=True):
        if tag == "equal":
            entries += (_renewed(row, entry) for entry, row in zip(old, new, strict=True))
        else:
            entries += (_renewed(row, None) for row in new)
    return replace(coverage, compared=today, entries=tuple(entries))


def _renewed(row: Row, old: Annotation | None) -> Annotation:
    made = Annotation(row.section, row.ordinal, row.kind, row.label, row.digest, row.mathematics)
    if old is not None:
        return replace(made, says=old.says, form=old.form, claims=old.claims, reason=old.reason, because=old.because)
    return made if row.mathematics else replace(made, reason=_PLAIN)


def _matched(
    entries: Sequence[Annotation], rows: Sequence[Row], *, loosely: bool = False
) -> Iterator[tuple[str, Sequence[Annotation], Sequence[Row]]]:
    """Both lists cut into parts that agree ("equal") and parts that differ; ``loosely``, if only the texts agree."""
    here, there = (
        [(item.section, item.digest, *(() if loosely else (item.kind, item.label))) for item in items]
        for items in (entries, rows)
    )
    for tag, start, end, other_start, other_end in SequenceMatcher(None, here, there, autojunk=False).get_opcodes():
        yield tag, entries[start:end], rows[other_start:other_end]


def _entry(data: Mapping[str, object]) -> Annotation:
    claims = data.get("claims", [])
    if not isinstance(claims, list):
        raise TypeError("claims must be a list")
    return Annotation(
        section=str(data["section"]),
        ordinal=int(str(data["ordinal"])),
        kind=str(data["kind"]),
        label=_text(data, "label"),
        digest=str(data["digest"]),
        mathematics=bool(data["mathematics"]),
        says=_text(data, "says") or "",
        form=_text(data, "form"),
        claims=tuple(map(str, claims)),
        reason=_text(data, "reason"),
        because=_text(data, "because") or "",
    )


def _text(data: Mapping[str, object], key: str) -> str | None:
    value = data.get(key)
    return None if value is None else str(value)


def _as_json(entry: Annotation) -> dict[str, object]:
    """The fields that say something; the first six are always there."""
    always = {
        "section": entry.section,
        "ordinal": entry.ordinal,
        "kind": entry.kind,
        "label": entry.label,
        "digest": entry.digest,
        "mathematics": entry.mathematics,
    }
    rest = {
        "says": entry.says,
        "form": entry.form,
        "claims": list(entry.claims),
        "reason": entry.reason,
        "because": entry.because,
    }
    return always | {key: value for key, value in rest.items() if value}
