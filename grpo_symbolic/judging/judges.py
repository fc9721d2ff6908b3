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
from grpo_symbolic.errors import CheckError, DeclarationError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.judging.judge import judge_claim
from grpo_symbolic.judging.kept import Judgements
from grpo_symbolic.judging.progress import Reporter
from grpo_symbolic.judging.reasons.why import Why, is_step, why
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.processes.crew import Crew, hired
from grpo_symbolic.processes.tasks import CLAIM_SECONDS, Cause, Ended, Event, Lost, News, Started, Tell

_Found: TypeAlias = Generator[tuple[Claim, Judgements], None, None]
_Explained: TypeAlias = tuple[Judgements, Why | None]


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

    def __init__(self, settings: Settings, timeout: float, crew: Crew[_Task, _There] | None) -> None:
        self.settings = settings
        self._timeout = timeout
        self._crew = crew
        #: What was judged already of claims whose turn it is to be judged again, by their contents.
        self.ahead: Mapping[str, Judgements] = {}

    def start(self, many: int = 1) -> None:
        """Start processes although there is nothing to judge yet: that takes a while, and nobody need wait for it.

        Raises:
            CheckError: if no process can be started.
        """
        if self._crew is not None:
            self._crew.start(many)

    def found(
        self, claims: Sequence[Claim], tasks: Mapping[str, Claim], reporter: Reporter, whys: dict[str, Why | None]
    ) -> _Found:
        """Judge claims, as ``tasks`` has them, and put into ``whys`` why they hold."""
        if self._crew is None:
            return _judge_here(claims, tasks, self.settings, reporter)
        events = self._crew.events({claim.id: tasks[claim.id] for claim in claims}, self._timeout)
        return _heard(events, {claim.id: claim for claim in claims}, reporter, whys)

    def again(self, tasks: Mapping[str, Claim]) -> Callable[[], Mapping[str, Judgements]]:
        """Begin to judge claims in a process of its own, and say nothing of it; each has a key that tells its content.

        What is given waits for what was found, under the same keys; what was lost is left out. Other claims may be
        judged meanwhile. What was judged ``ahead`` is not judged once more.
        """
        known = {key: self.ahead[key] for key in tasks if key in self.ahead}
        batch = Batch({key: claim for key, claim in tasks.items() if key not in known})
        if self._crew is None or not batch.claims:
            return lambda: known | batch.judged(self.settings)
        events = self._crew.parted().events({0: batch}, self._timeout * len(batch.claims))
        # Handed over as soon as a process listens; what it finds waits in its pipe.
        begun = next(events)
        return lambda: known | _of_batch([begun, *events])


@dataclass(frozen=True)
class Batch:
    """Claims by keys, to be judged one after the other; nobody asks why they hold."""

    claims: Mapping[str, Claim]

    def judged(self, settings: Settings) -> dict[str, Judgements]:
        """What is found of them, under the same keys."""
        return {key: _judge(claim, settings, _unheard) for key, claim in self.claims.items()}


_Task: TypeAlias = Claim | Batch
_There: TypeAlias = _Explained | CheckError | dict[str, Judgements]


def _unheard(id: str, method: str) -> None:
    """Nobody listens."""


def _judge_here(claims: Sequence[Claim], tasks: Mapping[str, Claim], settings: Settings, reporter: Reporter) -> _Found:
    for claim in claims:
        reporter.started(claim)
        found = _judge(tasks[claim.id], settings, reporter.asking)
        reporter.finished(claim, found)
        yield claim, found


def _heard(
    events: Iterable[Event[str, _There]],
    claim_of: Mapping[str, Claim],
    reporter: Reporter,
    whys: dict[str, Why | None],
) -> _Found:
    for event in events:
        claim = claim_of[event.key]
        match event:
            case Started():
                reporter.started(claim)
            case News():
                reporter.asking(claim.id, event.text)
            case Ended():
                found, whys[claim.id] = _settled(claim, event.found)
                reporter.finished(claim, found)
                yield claim, found


def _of_batch(events: Iterable[Event[int, _There]]) -> dict[str, Judgements]:
    """What was found of claims that were judged again; nothing where their process was lost."""
    found: dict[str, Judgements] = {}
    for event in events:
        if isinstance(event, Ended):
            if isinstance(event.found, CheckError):
                raise event.found
            if isinstance(event.found, dict):
                found |= event.found
    return found


def _settled(claim: Claim, outcome: _There | Lost) -> _Explained:
    """What is known of a claim; one whose process ran over or died is open, whatever had been found until then."""
    if isinstance(outcome, CheckError):
        raise outcome
    if isinstance(outcome, tuple):
        return outcome
    if not isinstance(outcome, Lost) or outcome.cause is Cause.BROKE:
        raise CheckError(f"{claim.id}: {outcome.reason if isinstance(outcome, Lost) else 'nothing was found of it'}")
    evidence = Evidence(outcome.busy or "limits", Verdict.UNDECIDED, claim.id, outcome.reason)
    open_still = Judgement.left_open(evidence, seconds=outcome.seconds)
    return (open_still, None if claim.printed is None else replace(open_still, seconds=0.0)), None


def _judge_there(settings: Settings, task: _Task, tell: Tell) -> _There:
    """Judge claims in a worker process, and find out why one holds; want of memory is the process's to tell."""
    try:
        if isinstance(task, Batch):
            return task.judged(settings)
        found = _judge(task, settings, lambda id, method: tell(method))
        return found, None if is_step(task.id) else why(task, found[0])
    except CheckError as error:
        if isinstance(error.__cause__, MemoryError):
            raise error.__cause__ from None
        return error


def _judge(claim: Claim, settings: Settings, asking: Callable[[str, str], None]) -> Judgements:
    last = ""

    def watch(method: str) -> None:
        """Pass on what is new: a claim with many obligations goes round the methods many times."""
        nonlocal last
        if method != last:
            last = method
            asking(claim.id, method)

    try:
        return judge_claim(claim, settings, watch)
    except CheckError:
        raise
    except Exception as error:
        # Whatever a check or one of its libraries raised, the reader needs to know on which claim.
        raise CheckError(f"{claim.id}: {type(error).__name__}: {error}") from error
