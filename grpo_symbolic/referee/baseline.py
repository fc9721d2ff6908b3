"""Compare a review with an earlier one: what was there already is known, what is there no longer is told.

Findings are the same if the same stands in the row and the same is said of it, wherever the row stands; a second row
like it is a second finding.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grpo_symbolic.errors import LibraryError
from grpo_symbolic.referee.findings import RECORDED, STANDING, Finding, Review, Since, Status, unplaced
from grpo_symbolic.referee.machine import SCHEMA, step_data

#: Largest baseline, in bytes.
MAX_BASELINE = 100_000_000
_GOOD = {status.value for status in (*STANDING, *RECORDED)}


@dataclass(frozen=True)
class Row:
    """What stands in a row, without white space, and what is said of it; ``name`` is for a reader.

    ``number`` is the label of the display and the step in it, if it has a label.
    """

    text: tuple[str, ...]
    verdict: str
    code: str
    name: str
    number: tuple[str, int] | None
    ignored: bool = False
    place: str = field(default="", compare=False)

    @property
    def key(self) -> tuple[object, ...]:
        """By what two findings are the same."""
        return self.text, self.verdict, self.code

    @property
    def good(self) -> bool:
        """Whether nothing is to be told of it."""
        return self.verdict in _GOOD

    @property
    def counts(self) -> bool:
        """Whether it is a finding that counts: what was ignored was never accepted."""
        return not self.good and not self.ignored


@dataclass(frozen=True)
class Former:
    """An earlier result, as ``--format json`` writes it."""

    name: str
    rows: tuple[Row, ...]
    proposed: bool
    problems: tuple[str, ...]

    @classmethod
    def of(cls, review: Review) -> Former:
        """A review as an earlier result."""
        return cls(
            review.file, tuple(_row(step_data(one)) for one in review.findings), review.proposed, review.problems
        )


def refuse_to_overwrite(path: Path) -> None:
    """Refuse to write a result over a file that is there and is none, such as the paper.

    Raises:
        LibraryError: the file is something else.
    """
    if path.exists():
        _read(path)


def read_former(path: Path) -> Former:
    """Read a former result.

    Raises:
        OSError: the file cannot be read.
        LibraryError: it is no result of ``check``, too large, or of another version.
    """
    data = _read(path)
    if data["schema"] != SCHEMA:
        raise LibraryError(
            f"{path} was written by another version (schema {data['schema']!r}, this one writes {SCHEMA}); "
            f"write it again with --write-baseline {path}"
        )
    try:
        return Former(
            path.name,
            tuple(map(_row, data["steps"])),
            bool(data["notation"]["proposed"]),
            tuple(map(str, data["problems"])),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise LibraryError(f"{path} is not as --format json writes it: {error!r}") from error


def _read(path: Path) -> dict[str, Any]:
    """What a result of any version says."""
    with path.open("rb") as file:
        content = file.read(MAX_BASELINE + 1)
    if len(content) > MAX_BASELINE:
        raise LibraryError(f"{path} is larger than {MAX_BASELINE} bytes")
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise LibraryError(f"{path} is no JSON: {error}") from error
    if not isinstance(data, dict) or "schema" not in data or "steps" not in data:
        raise LibraryError(f"{path} is no result of grpo-symbolic check; --write-baseline FILE writes one")
    return data


def _row(step: Mapping[str, Any]) -> Row:
    text = tuple(_squeezed(str(step[name] or "")) for name in ("left", "relation", "right", "printed"))
    index = int(step["step"] or 0)
    label = step["label"]
    name = (f"step {index}" if index else "display") + (f" of {label}" if label else "")
    across = "across" if step["across"] else ""
    number = (str(label), index) if label else None
    verdict, code, ignored = str(step["verdict"]), str(step["code"] or ""), bool(step["ignored"])
    place = f"{step['file']}:{step['line']}:{step['column']}"
    return Row((*text, across), Status(verdict).value, code, name, number, ignored, place)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def since(review: Review, former: Former) -> Review:
    """The review with what a former result says as well marked as known, and what became of the rest of that."""
    left = Counter(row.key for row in former.rows if row.counts)
    findings: list[Finding] = []
    now = [_row(step_data(finding)) for finding in review.findings]
    for finding, row in zip(review.findings, now, strict=True):
        known = row.counts and left[row.key] > 0
        left[row.key] -= known
        findings.append(replace(finding, known=known))
    gone: list[str] = []
    for old in former.rows:
        if old.counts and left[old.key] > 0:
            left[old.key] -= 1
            gone.append(_became(old, now))
    unsettled = not any(row.good for row in former.rows)
    problems = frozenset(map(unplaced, former.problems))
    compared = Since(former.name, former.proposed, unsettled, problems, tuple(gone))
    return replace(review, findings=tuple(findings), since=compared)


def _became(old: Row, now: Sequence[Row]) -> str:
    was = f"{old.name}, {old.verdict} then"
    same = [row for row in now if row.text == old.text] or [
        row for row in now if old.number and row.number == old.number
    ]
    if not same:
        return f"{was}, is there no longer"
    return f"{was}, is mended" if any(row.good for row in same) else f"{was}, is {same[0].verdict} now"
