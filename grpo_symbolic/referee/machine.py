"""The findings as data: JSON after ``check.schema.json``, and the annotations that GitHub reads from a log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from grpo_symbolic.evidence import Evidence, Witness
from grpo_symbolic.referee.findings import OPEN, Finding, InstanceInWords, Review, Rewrite, Span, Status
from grpo_symbolic.referee.wording import details, headline, summary

#: Version of the JSON; 2 has what is ignored, known, related and typed as a repair.
SCHEMA = 2


def as_json(review: Review, exit_code: int) -> str:
    """The review as a JSON document, which ends in a line break."""
    return json.dumps(as_data(review, exit_code), indent=2, ensure_ascii=False) + "\n"


def as_data(review: Review, exit_code: int) -> dict[str, Any]:
    """The review as plain data; ``check.schema.json`` says what each field means."""
    counts = {status.value: review.counts[status] for status in Status}
    return {
        "schema": SCHEMA,
        "file": review.file,
        "notation": {"file": review.map_name, "proposed": review.proposed, "warnings": list(review.warnings)},
        "settings": {"digits": review.digits, "points": review.points, "seed": review.seed},
        "steps": [step_data(finding) for finding in review.findings],
        "problems": list(review.problems),
        "baseline": None if review.since is None else {"file": review.since.name, "gone": list(review.since.gone)},
        "summary": {"counts": counts, "exit_code": exit_code, "text": summary(review)},
    }


def step_data(finding: Finding) -> dict[str, Any]:
    """One of the ``steps`` of that document."""
    read = finding.read
    return {
        **_span(finding.place),
        "label": finding.label,
        "step": finding.index or None,
        "left": finding.left,
        "relation": finding.relation,
        "right": finding.right,
        "read_left": None if read is None else read.left,
        "read_right": None if read is None else read.right,
        "read_for": {} if read is None else dict(read.at),
        "read_given": [] if read is None else list(read.given),
        "instances": [_instance(one) for one in finding.instances],
        "verdict": finding.status.value,
        "kind": finding.kind or None,
        "code": finding.code or None,
        "reason": finding.reason or None,
        "token": finding.token or None,
        "readings": list(finding.readings),
        "counterexample": _witness(finding.counterexample),
        "failing": None if finding.failing is None else {"points": finding.failing[0], "of": finding.failing[1]},
        "repair": finding.repair,
        "domains": dict(finding.domains),
        "guesses": [{"name": one.name, "domain": one.domain, "why": one.why} for one in finding.guesses],
        "evidence": [_evidence(item) for item in finding.evidence],
        "notes": list(finding.notes),
        "across": finding.across,
        "printed": finding.printed or None,
        "rewrite": None if finding.rewrite is None else _rewrite(finding.rewrite),
        "unwritten": finding.unwritten or None,
        "related": [{**_span(one.place), "says": one.says} for one in finding.related],
        "ignored": finding.ignored or None,
        "known": finding.known,
    }


def _span(place: Span) -> dict[str, Any]:
    return {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }


def _rewrite(rewrite: Rewrite) -> dict[str, Any]:
    return {**_span(rewrite.place), "old": rewrite.old, "new": rewrite.new}


def _instance(one: InstanceInWords) -> dict[str, Any]:
    return {
        "for": dict(one.at),
        "left": one.left,
        "relation": one.relation,
        "right": one.right,
        "given": list(one.given),
    }


def _witness(witness: Witness | None) -> dict[str, Any] | None:
    return None if witness is None else {"at": dict(witness.at), "left": witness.left, "right": witness.right}


def _evidence(item: Evidence) -> dict[str, Any]:
    return {
        "method": item.method,
        "verdict": item.verdict.value,
        "about": item.obligation,
        "note": item.note,
        "digits": item.digits,
        "points": item.points,
        "worst_residual": item.worst_residual,
        "smallest_gap": item.smallest_gap,
    }


def github(review: Review) -> Iterator[str]:
    """One workflow command a finding that is not settled, so that it is shown beside its line."""
    for finding in review.findings:
        level = annotation_level(finding.status)
        if level is None or not finding.counts:
            continue
        place = finding.place
        values = {
            "file": place.file,
            "line": place.line,
            "endLine": place.end_line,
            "col": place.column,
            "endColumn": place.end_column,
            "title": finding.status.value,
        }
        properties = ",".join(f"{name}={_escaped(str(value), property=True)}" for name, value in values.items())
        said = "\n".join([headline(finding), *details(finding)])
        yield f"::{level} {properties}::{_escaped(said)}"


def annotation_level(status: Status) -> str | None:
    """How loud a finding is: ``error``, ``warning``, ``notice``, or not at all."""
    if status in (Status.REFUTED, Status.BROKEN):
        return "error"
    if status in OPEN:
        return "notice" if status is Status.NOT_UNDERSTOOD else "warning"
    return None


def _escaped(text: str, *, property: bool = False) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if property else text
