"""What is told of the definitions of papers: which claims are about them, and whether these notice slips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from grpo_symbolic.coverage.aboutness import Aboutness
from grpo_symbolic.judging.definition_mutants import KINDS, NOTICED, OPEN, Listener, Notice, Question
from grpo_symbolic.judging.results import Json
from grpo_symbolic.judging.slips import Slip
from grpo_symbolic.report.lemmas import is_lemma, joined

SCHEMA = 1


@contextmanager
def progress() -> Iterator[Listener]:
    """Show on standard error how many questions are answered; each answer may lead to further ones."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def tell(done: int, total: int, question: Question) -> None:
            slip, id, _ = question
            bar.update(task, completed=done, total=total, description=id if slip is None else f"{slip.name}: {id}")

        yield tell


def as_json(aboutness: Aboutness, chosen: Sequence[Slip], found: Sequence[Notice], only: frozenset[str]) -> Json:
    """Definitions with their slips, tied claims, outcomes and mistakes in the tables; the command's help says how."""
    return {
        "schema": SCHEMA,
        "definitions": [
            {
                "paper": paper,
                "name": name,
                "slips": [_slip(slip) for slip in chosen if (slip.paper, slip.name) == (paper, name)],
            }
            for paper, table in aboutness.tables.items()
            for name in table.definitions
        ],
        "claims": [
            {
                "id": tie.id,
                "places": list(tie.places),
                "about": list(tie.about),
                "contains": list(tie.contains),
                "through": list(tie.through),
                "missing": list(tie.missing),
            }
            for tie in aboutness.ties.values()
            if tie.id in only
        ],
        "outcomes": [
            {
                "claim": outcome.claim,
                "name": outcome.name,
                "slip": None if outcome.slip is None else _slip(outcome.slip),
                "outcome": outcome.kind,
                "fell": outcome.fell,
                "reason": outcome.reason,
            }
            for outcome in found
        ],
        "problems": list(aboutness.problems()),
    }


def _slip(slip: Slip) -> Json:
    return {"function": slip.function.name, "number": slip.number, "change": slip.change}


def lines(aboutness: Aboutness, found: Sequence[Notice]) -> Iterator[str]:
    """One line for each slip with what came of it, one for each claim and definition that do not touch, the sums."""
    slips = dict.fromkeys(outcome.slip for outcome in found if outcome.slip is not None)
    for slip in slips:
        yield f"{slip.paper}, {slip.name}: {slip.function.name} with {slip.change}"
        for outcome in found:
            if outcome.slip is slip:
                yield f"  {outcome.kind}: {outcome.claim}{_where(outcome)}"
    abstract = dict.fromkeys(outcome.claim for outcome in found if outcome.slip is None)
    for id in abstract:
        tie = aboutness.ties[id]
        yield f"abstract: {id}, tied to {' and '.join(tie.places)}, does not depend on {joined(tie.missing, 'or')}"
    for problem in aboutness.problems():
        yield f"FINDING: {problem}"
    counts = Counter(outcome.kind for outcome in found if outcome.slip is not None)
    told = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
    noticed = sum(counts[kind] for kind in NOTICED)
    yield f"{len(slips)} slips: {noticed} of {counts.total()} times noticed ({told or 'nothing was asked'})"
    lemmas = sum(is_lemma(aboutness.ties[id]) for id in abstract)
    yield (
        f"{len(abstract)} of the {len({outcome.claim for outcome in found})} tied claims are abstract in something, "
        f"{lemmas} of them in everything"
    )


def _where(outcome: Notice) -> str:
    elsewhere = f", by {outcome.fell}" if outcome.fell not in (None, outcome.claim) else ""
    return f"{elsewhere} ({outcome.reason})" if outcome.reason else elsewhere


def wrong(aboutness: Aboutness, found: Sequence[Notice]) -> bool:
    """Whether something is to be mended: a table, or a claim of which nothing can be said."""
    return any(outcome.kind == OPEN for outcome in found) or any(True for _ in aboutness.problems())
