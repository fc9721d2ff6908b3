"""Load a folder of derivations and judge what is in it, from Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from grpo_symbolic.api import html
from grpo_symbolic.api.shown import printing
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.library import Library, load
from grpo_symbolic.judging.assess import Assessment
from grpo_symbolic.judging.assess import assess as assess_library
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.progress import Listener
from grpo_symbolic.processes.tasks import CLAIM_SECONDS

__all__ = ["assess", "load"]


def assess(
    derivations: Library | str | Path,
    settings: Settings | None = None,
    *,
    only: str | Iterable[str] = (),
    jobs: int | None = None,
    timeout: float = CLAIM_SECONDS,
    listener: Listener | None = None,
) -> Assessment:
    """Judge the claims of a library or a folder, or those that ``only`` names and what they rest on.

    ``jobs`` processes are used, by default one per processor, so that a script must guard its own start by
    ``if __name__ == "__main__"``; ``jobs=1`` judges in this process, without the limit of ``timeout`` seconds for a
    claim. ``judged`` of what is returned has the claims by their ids.

    Raises:
        LibraryError: if the folder cannot be loaded, or a name in ``only`` matches nothing.
        CheckError: if a check breaks on a claim, or no process can be started.
        DeclarationError: if ``jobs`` is less than 1, or ``timeout`` is not positive.
    """
    library = derivations if isinstance(derivations, Library) else load(derivations)
    names = (only,) if isinstance(only, str) else tuple(only)
    used = settings or Settings()
    return assess_library(library, used, only=names, jobs=jobs, timeout=timeout, listener=listener)


def library_said(library: Library) -> str:
    """The results of a library, each with its claims."""
    lines = []
    for result in library.results:
        lines.append(f"{result.paper.id}.{result.slug}: {result.title}")
        lines += [f"    {made.id}: {made.title}" for made in result.claims]
    return "\n".join(lines)


def _library_page(library: Library) -> html.Html:
    rows = [
        (made.id, made.equation or "", html.sentence(made.title), html.mathematics(made.statement))
        for result in library.results
        for made in result.claims
    ]
    return html.table(["id", "equation", "title", "statement"], rows)


def assessment_said(assessment: Assessment) -> str:
    """How many claims have each verdict, then all of them, without the steps of derivations."""
    counts = Counter(item.verdict.value for item in assessment.judged.values())
    counted = ", ".join(f"{count} {name}" for name, count in counts.most_common())
    head = f"{len(assessment.judged)} claims and steps: {counted}"
    return "\n".join([head, *(f"    {item.verdict.value}  {item.claim.id}" for item in _stated(assessment))])


def _assessment_page(assessment: Assessment) -> html.Html:
    rows = [
        (
            html.verdict(item.verdict.value),
            item.claim.id,
            html.sentence(item.claim.title),
            html.mathematics(item.claim.statement),
        )
        for item in _stated(assessment)
    ]
    return html.table(["verdict", "id", "title", "statement"], rows)


def _stated(assessment: Assessment) -> list[Judged]:
    """What was judged in reading order, without steps."""
    stated = (made.id for result in assessment.library.results for made in result.claims)
    return [assessment.judged[id] for id in stated if id in assessment.judged]


printing(Library, words=library_said, page=_library_page, latex=None)
printing(Assessment, words=assessment_said, page=_assessment_page, latex=None)
