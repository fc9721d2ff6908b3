"""Judge the claims of a library, in parallel, and let no claim stand above what it rests on."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim, Lemma
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.errors import CheckError, DeclarationError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.judging.claims import Judged, combine
from grpo_symbolic.judging.judge import judge_claim
from grpo_symbolic.judging.quotes import quotes_of
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.processes.crew import working
from grpo_symbolic.processes.tasks import CLAIM_SECONDS, Cause, Ended, Limits, Lost, News, Started, Tell
from grpo_symbolic.readback.readings import QuoteRead

Judgements = tuple[Judgement, Judgement | None]


@dataclass(frozen=True)
class Assessment:
    """What the checks found about the selected claims of a library; ``judged`` is in dependency order.

    ``quotes`` are the readings of what they quote.
    """

    library: Library
    settings: Settings
    selected: frozenset[str]
    judged: Mapping[str, Judged]
    seconds: float
    quotes: Mapping[str, QuoteRead]


@dataclass(frozen=True)
class Progress:
    """A claim was started, is now being checked by ``asked``, or was finished with the verdict it has taken alone.

    Until then ``verdict`` is None. ``done`` of ``total`` claims are finished, and ``left`` claims of the same
    result are not.
    """

    result: str
    claim: str
    done: int
    total: int
    left: int
    verdict: Verdict | None = None
    methods: tuple[str, ...] = ()
    asked: str | None = None


Listener = Callable[[Progress], None]


def assess(
    library: Library,
    settings: Settings,
    *,
    only: Iterable[str] = (),
    jobs: int | None = None,
    timeout: float = CLAIM_SECONDS,
    listener: Listener | None = None,
) -> Assessment:
    """Judge all claims, or those that ``only`` names and what they rest on, in ``jobs`` processes.

    ``jobs=None`` means one process per processor. A claim that takes more than ``timeout`` seconds, or whose process
    dies or runs out of memory, is UNDECIDED; its evidence says why. ``jobs=1`` judges in this process, where nothing
    can be stopped. Else the findings do not depend on ``jobs``. Unless ``jobs`` is 1, a script must guard its own
    start by ``if __name__ == "__main__"``, because the worker processes import it.

    Raises:
        LibraryError: if a name in ``only`` matches nothing, or a claim quotes something else than was typed for it.
        CheckError: if a check breaks on a claim, which is named, or no process can be started.
        DeclarationError: if ``jobs`` is less than 1, or ``timeout`` is not positive.
    """
    started = time.perf_counter()
    workers = (os.cpu_count() or 1) if jobs is None else jobs
    if workers < 1 or timeout <= 0:
        raise DeclarationError(f"{workers} jobs with {timeout:g} s for a claim cannot judge anything; ask for more")
    names = tuple(only)
    selected = library.select(names) if names else frozenset(library.claims)
    # What is quoted wrongly must not cost a run.
    quotes = quotes_of(library, selected)
    # Each claim is judged alone, so reading order will do, and result after result is completed.
    claims = [claim for id, claim in library.claims.items() if id in selected]
    reporter = _Reporter(library, claims, listener)
    if jobs == 1:
        judgements = _judge_here(claims, settings, reporter)
    else:
        judgements = _judge_in_processes(claims, settings, workers, timeout, reporter)
    ordered = [(claim, since) for claim, since in library.ordered if claim.id in selected]
    judged = {item.claim.id: item for item in combine(ordered, judgements)}
    return Assessment(library, settings, selected, judged, time.perf_counter() - started, quotes)


class _Reporter:
    """Tell the listener where the work stands."""

    def __init__(self, library: Library, claims: Sequence[Claim], listener: Listener | None) -> None:
        result_of = {made.id: result for result in library.results for made in library.claims_of[result.module]}
        self._result_of = {claim.id: result_of[claim.id] for claim in claims}
        self._left = Counter(result.module for result in self._result_of.values())
        self._done = 0
        self._listener = listener

    def started(self, claim: Claim) -> None:
        self._tell(claim.id, None)

    def asking(self, id: str, method: str) -> None:
        self._tell(id, None, asked=method)

    def finished(self, claim: Claim, found: Judgements) -> None:
        self._done += 1
        self._left[self._result_of[claim.id].module] -= 1
        methods = dict.fromkeys(item.method for item in found[0].evidence)
        self._tell(claim.id, found[0].verdict, tuple(methods))

    def _tell(self, id: str, verdict: Verdict | None, methods: tuple[str, ...] = (), asked: str | None = None) -> None:
        if self._listener is None:
            return
        result = self._result_of[id]
        left = self._left[result.module]
        total = len(self._result_of)
        self._listener(Progress(result.title, id, self._done, total, left, verdict, methods, asked))


def _judge_here(claims: Sequence[Claim], settings: Settings, reporter: _Reporter) -> dict[str, Judgements]:
    found = {}
    for claim in claims:
        reporter.started(claim)
        found[claim.id] = _judge(bare(claim), settings, reporter.asking)
        reporter.finished(claim, found[claim.id])
    return found


def _judge_in_processes(
    claims: Sequence[Claim], settings: Settings, workers: int, timeout: float, reporter: _Reporter
) -> dict[str, Judgements]:
    claim_of = {claim.id: claim for claim in claims}
    tasks = {claim.id: bare(claim) for claim in claims}
    found = {}
    with working(partial(_judge_there, settings), tasks, jobs=workers, limits=Limits(timeout)) as events:
        for event in events:
            claim = claim_of[event.key]
            match event:
                case Started():
                    reporter.started(claim)
                case News():
                    reporter.asking(claim.id, event.text)
                case Ended():
                    found[claim.id] = _settled(claim, event.found)
                    reporter.finished(claim, found[claim.id])
    return found


def _settled(claim: Claim, outcome: Judgements | CheckError | Lost) -> Judgements:
    """What is known of a claim; one whose process ran over or died is open, whatever had been found until then."""
    if isinstance(outcome, CheckError):
        raise outcome
    if not isinstance(outcome, Lost):
        return outcome
    if outcome.cause is Cause.BROKE:
        raise CheckError(f"{claim.id}: {outcome.reason}")
    evidence = Evidence(outcome.busy or "limits", Verdict.UNDECIDED, claim.id, outcome.reason)
    open_still = Judgement.left_open(evidence, seconds=outcome.seconds)
    return open_still, None if claim.printed is None else replace(open_still, seconds=0.0)


def _judge_there(settings: Settings, claim: Claim, tell: Tell) -> Judgements | CheckError:
    """Judge a claim in a worker process; want of memory is the process's to tell."""
    try:
        return _judge(claim, settings, lambda id, method: tell(method))
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


def bare(claim: Claim) -> Claim:
    """The claim without the derivations behind its lemmas, of which checks need to know only what is assumed."""
    chain = claim.derivation
    if chain is not None:
        steps = (replace(step, using=tuple(map(_bare_lemma, _assuming(step.using)))) for step in chain.steps)
        chain = replace(chain, steps=tuple(steps))
    return replace(claim, derivation=chain, using=tuple(map(_bare_lemma, claim.using)))


def _bare_lemma(lemma: Lemma) -> Lemma:
    using = tuple(map(_bare_lemma, _assuming(lemma.claim.using_anywhere)))
    return replace(lemma, claim=replace(lemma.claim, derivation=None, printed=None, using=using))


def _assuming(lemmas: Iterable[Lemma]) -> Iterator[Lemma]:
    return (lemma for lemma in lemmas if lemma.assuming)
