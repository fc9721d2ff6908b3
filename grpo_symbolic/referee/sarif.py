"""The findings as SARIF 2.1.0, the format in which tools hand results to code review.

See the OASIS standard *Static Analysis Results Interchange Format (SARIF) Version 2.1.0*.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from grpo_symbolic.referee.findings import MEANINGS, Finding, Review, Rewrite, Span, Status
from grpo_symbolic.referee.machine import annotation_level
from grpo_symbolic.referee.wording import details, headline

VERSION = "2.1.0"
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "notice": "note"}
#: Findings that code review should show; the others are what holds.
_TOLD = tuple(status for status in Status if annotation_level(status) is not None)


def as_sarif(review: Review, version: str) -> str:
    """The review as a SARIF log with one run of this ``version`` of the package."""
    rules = [_rule(status) for status in _TOLD]
    driver = {"name": "grpo-symbolic", "version": version, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _notifications(review)}],
        "results": [_result(one, review.since is not None) for one in review.findings if one.status in _TOLD],
    }
    log = {"$schema": _SCHEMA, "version": VERSION, "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _rule(status: Status) -> dict[str, Any]:
    return {
        "id": _id(status),
        "shortDescription": {"text": f"A step {MEANINGS[status].says}."},
        "defaultConfiguration": {"level": _level(status)},
    }


def _id(status: Status) -> str:
    return status.value.lower().replace(" ", "-")


def _level(status: Status) -> str:
    return _LEVELS[annotation_level(status) or "notice"]


def _result(finding: Finding, known_before: bool) -> dict[str, Any]:
    """One result; ``known_before`` says that there is a baseline."""
    said = "\n".join([headline(finding), *details(finding)])
    result: dict[str, Any] = {
        "ruleId": _id(finding.status),
        "ruleIndex": _TOLD.index(finding.status),
        "level": _level(finding.status),
        "message": {"text": said},
        "locations": [{"physicalLocation": _location(finding.place)}],
    }
    if finding.rewrite is not None:
        result["fixes"] = [_fix(finding.rewrite, finding.repair or "")]
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(one.place), "message": {"text": one.says}}
            for number, one in enumerate(finding.related, 1)
        ]
    if finding.known:
        result["baselineState"] = "unchanged"
    elif known_before:
        result["baselineState"] = "new"
    if finding.ignored:
        kind = "inSource" if finding.ignored_here else "external"
        result["suppressions"] = [{"kind": kind, "status": "accepted", "justification": finding.ignored}]
    return result


def _fix(rewrite: Rewrite, repair: str) -> dict[str, Any]:
    location = _location(rewrite.place)
    return {
        "description": {"text": f"repair: {repair}"},
        "artifactChanges": [
            {
                "artifactLocation": location["artifactLocation"],
                "replacements": [{"deletedRegion": location["region"], "insertedContent": {"text": rewrite.new}}],
            }
        ],
    }


def _location(place: Span) -> dict[str, Any]:
    return {
        "artifactLocation": {"uri": _uri(place.file)},
        "region": {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        },
    }


def _uri(file: str) -> str:
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _notifications(review: Review) -> list[dict[str, Any]]:
    said = [*review.warnings, *(f"not followed: {problem}" for problem in review.problems)]
    if review.proposed:
        said.append("no notation was declared: every domain is a guess")
    return [{"level": "warning", "message": {"text": text}} for text in said]
