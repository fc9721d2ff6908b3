"""Who judges claims: worker processes with limits, or this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.errors import CheckError, DeclarationError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.judging.judge import KeptOrFound, judge_claim
from grpo_symbolic.judging.kept import Judgements
from grpo_symbolic.judging.progress import Reporter
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.processes.crew import Crew, hired
from grpo_symbolic.processes.tasks import CLAIM_SECONDS, Cause, Ended, Event, Lost, News, Started, Tell
from grpo_symbolic.proofs.keeping import Beside, Document

_Found: TypeAlias = Generator[tuple[Claim, Judgements], None, None]
#: The proofs that were accepted, by the ids of claims.
Proofs: TypeAlias = "dict[str, Document | None]"


@dataclass(frozen=True)
class Asked:
    """A claim that is to be judged, and the proofs beside its derivation."""

    claim: Claim
    beside: Beside | None


def beside_of(library: Library) -> dict[str, Beside]:
    """The proofs that are kept beside the derivations of claims, by the ids of these."""
    places = {result.module: result.folder for result in library.results}
    found = {folder: Beside.of(folder) for folder in set(places.values()) if folder is not None}
    return {
        claim.id: found[folder]
        for module, folder in places.items()
        if folder is not None
        for claim in library.claims_of[module]
    }


#: What is found of a claim: judgements, and the proof that the kernel accepted.
Proven: TypeAlias = "tuple[Judgements, Document | None]"


@contextmanager
def judges(settings: Settings, *, jobs: int | None = None, timeout: float = CLAIM_SECONDS) -> Iterator[Judges]:
    """Who judges, in ``jobs`` processes, of which none is left when the block is; see `assess`.

    Raises:
        DeclarationError: if ``jobs`` is less than 1, or ``timeout`` is not positive.
    """
    workers = (os.cpu_count() or 1) if jobs is None else jobs
    if workers < 1 or timeout <= 0:
        raise DeclarationError(f"{workers} jobs with {timeout:g} s for a claim cannot judge anything; ask for more")
    if jobs == 1:
        yield Judges(settings, timeout, None)
        return
    with hired(partial(_judge_there, settings), jobs=workers) as crew:
        yield Judges(settings, timeout, crew)


class Judges:
    """Judge claims in the processes of a crew, or in this one."""

    def __init__(self, settings: Settings, timeout: float, crew: Crew[Asked, _There] | None) -> None:
        self.settings = settings
        self._timeout = timeout
        self._crew = crew

    def start(self, many: int = 1) -> None:
        """Start processes although there is nothing to judge yet: that takes a while, and nobody need wait for it.

        Raises:
            CheckError: if no process can be started.
        """
        if self._crew is not None:
            self._crew.start(many)

    def found(self, claims: Sequence[Claim], tasks: Mapping[str, Asked], reporter: Reporter, proofs: Proofs) -> _Found:
        """Judge claims, as ``tasks`` has them, and put what proves them into ``proofs``."""
        if self._crew is None:
            return _judge_here(claims, tasks, self.settings, reporter, proofs)
        events = self._crew.events({claim.id: tasks[claim.id] for claim in claims}, self._timeout)
        return _heard(events, {claim.id: claim for claim in claims}, reporter, proofs)


_There: TypeAlias = "Proven | CheckError"


def _judge_here(
    claims: Sequence[Claim], tasks: Mapping[str, Asked], settings: Settings, reporter: Reporter, proofs: Proofs
) -> _Found:
    for claim in claims:
        reporter.started(claim)
        found, proofs[claim.id] = _judge(tasks[claim.id], settings, reporter.asking)
        reporter.finished(claim, found)
        yield claim, found


def _heard(
    events: Iterable[Event[str, _There]],
    claim_of: Mapping[str, Claim],
    reporter: Reporter,
    proofs: Proofs,
) -> _Found:
    for event in events:
        claim = claim_of[event.key]
        match event:
            case Started():
                reporter.started(claim)
            case News():
                reporter.asking(claim.id, event.text)
            case Ended():
                found, proofs[claim.id] = _settled(claim, event.found)
                reporter.finished(claim, found)
                yield claim, found


def _settled(claim: Claim, outcome: _There | Lost) -> Proven:
    """What is known of a claim; one whose process ran over or died is open, whatever had been found until then."""
    if isinstance(outcome, CheckError):
        raise outcome
    if not isinstance(outcome, Lost):
        return outcome
    if outcome.cause is Cause.BROKE:
        raise CheckError(f"{claim.id}: {outcome.reason}")
    evidence = Evidence(outcome.busy or "limits", Verdict.UNDECIDED, claim.id, outcome.reason)
    open_still = Judgement.left_open(evidence, seconds=outcome.seconds)
    return (open_still, None if claim.printed is None else replace(open_still, seconds=0.0)), None


def _judge_there(settings: Settings, task: Asked, tell: Tell) -> _There:
    """Judge a claim in a worker process; want of memory is the process's to tell."""
    try:
        return _judge(task, settings, lambda id, method: tell(method))
    except CheckError as error:
        if isinstance(error.__cause__, MemoryError):
            raise error.__cause__ from None
        return error


def _judge(task: Asked, settings: Settings, asking: Callable[[str, str], None]) -> Proven:
    """What is found of a claim, and that with the proof that the kernel accepted."""
    last, claim = "", task.claim

    def watch(method: str) -> None:
        """Pass on what is new: a claim with many obligations goes round the methods many times."""
        nonlocal last
        if method != last:
            last = method
            asking(claim.id, method)

    try:
        prover = KeptOrFound(settings, task.beside, watch)
        return judge_claim(claim, settings, watch, prover), prover.document
    except CheckError:
        raise
    except Exception as error:
        # Whatever a check or one of its libraries raised, the reader needs to know on which claim.
        raise CheckError(f"{claim.id}: {type(error).__name__}: {error}") from error
