"""Judge the claims of a library, in parallel, and let no claim stand above what it rests on."""

from __future__ import annotations

import multiprocessing
import multiprocessing.queues
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

from grpo_symbolic.derivation.chain import Claim, Lemma
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.errors import CheckError, DeclarationError
from grpo_symbolic.evidence import Settings, Verdict
from grpo_symbolic.judging.judge import Judged, combine, judge_claim
from grpo_symbolic.judging.verdicts import Judgement

Judgements = tuple[Judgement, Judgement | None]
_News: TypeAlias = "multiprocessing.queues.SimpleQueue[tuple[str, str]]"

#: Seconds between two looks at what the workers are doing.
_GLANCE = 0.1
#: Where a worker process sends the claim and the method that it is busy with.
_news: _News | None = None


@dataclass(frozen=True)
class Assessment:
    """What the checks found about the selected claims of a library; ``judged`` is in dependency order."""

    library: Library
    settings: Settings
    selected: frozenset[str]
    judged: Mapping[str, Judged]
    seconds: float


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
    listener: Listener | None = None,
) -> Assessment:
    """Judge all claims, or those that ``only`` names and what they rest on, in ``jobs`` processes.

    ``jobs=None`` means one process per processor; ``jobs=1`` judges in this process. The findings do not
    depend on ``jobs``. With more than one job, a script must guard its own start by
    ``if __name__ == "__main__"``, because the worker processes import it.

    Raises:
        LibraryError: if a name in ``only`` matches nothing.
        CheckError: if a check breaks on a claim, which is named.
        DeclarationError: if ``jobs`` is less than 1.
    """
    started = time.perf_counter()
    workers = (os.cpu_count() or 1) if jobs is None else jobs
    if workers < 1:
        raise DeclarationError(f"{workers} jobs cannot judge anything; ask for 1 or more")
    names = tuple(only)
    selected = library.select(names) if names else frozenset(library.claims)
    # Each claim is judged alone, so reading order will do, and result after result is completed.
    claims = [claim for id, claim in library.claims.items() if id in selected]
    reporter = _Reporter(library, claims, listener)
    run = _judge_here if workers == 1 else _judge_in_processes
    judgements = run(claims, settings, workers, reporter)
    ordered = [(claim, since) for claim, since in library.ordered if claim.id in selected]
    judged = {item.claim.id: item for item in combine(ordered, judgements)}
    return Assessment(library, settings, selected, judged, time.perf_counter() - started)


class _Reporter:
    """Tell the listener where the work stands."""

    def __init__(self, library: Library, claims: Sequence[Claim], listener: Listener | None) -> None:
        result_of = {made.id: result for result in library.results for made in library.claims_of[result.module]}
        self._result_of = {claim.id: result_of[claim.id] for claim in claims}
        self._left = Counter(result.module for result in self._result_of.values())
        self._done = 0
        self._listener = listener

    @property
    def listening(self) -> bool:
        """Whether anybody wants to know."""
        return self._listener is not None

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


def _judge_here(
    claims: Sequence[Claim], settings: Settings, workers: int, reporter: _Reporter
) -> dict[str, Judgements]:
    found = {}
    for claim in claims:
        reporter.started(claim)
        found[claim.id] = _judge(_bare(claim), settings, reporter.asking)
        reporter.finished(claim, found[claim.id])
    return found


def _judge_in_processes(
    claims: Sequence[Claim], settings: Settings, workers: int, reporter: _Reporter
) -> dict[str, Judgements]:
    # Fresh processes, not forks: the progress display runs a thread, whose locks a fork would copy while held.
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    news = context.SimpleQueue() if reporter.listening else None
    count = max(1, min(workers, len(claims)))
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_report_to, initargs=(news,))
    try:
        _start(pool, count)
        found = _collect(pool, claims, settings, workers, reporter, news)
    except BaseException:
        # A solver may be in the middle of a long budget: waiting for it would make Ctrl-C hang.
        with suppress(OSError):  # the pipes of a pool whose workers died may be closed already
            pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    pool.shutdown()
    return found


def _start(pool: ProcessPoolExecutor, count: int) -> None:
    """Start all processes before the first claim; a pool that still grows when one of them dies trips over itself."""
    try:
        with _interrupts_held():
            for _ in range(count):
                pool.submit(_wake)
    except OSError as error:
        raise CheckError(f"a worker process could not be started: {error}") from error


def _wake() -> None:
    """Do nothing: a process is started for it."""


def _collect(
    pool: ProcessPoolExecutor,
    claims: Sequence[Claim],
    settings: Settings,
    workers: int,
    reporter: _Reporter,
    news: _News | None,
) -> dict[str, Judgements]:
    """Keep as many claims in flight as there are workers, so that "started" is true when it is said."""
    waiting: Iterator[Claim] = iter(claims)
    flying: dict[Future[Judgements], Claim] = {}
    found: dict[str, Judgements] = {}
    try:
        while len(found) < len(claims):
            while len(flying) < workers and (claim := next(waiting, None)) is not None:
                flying[_submit(pool, claim, settings)] = claim
                reporter.started(claim)
            landed, _ = wait(flying, timeout=_GLANCE if news is not None else None, return_when=FIRST_COMPLETED)
            # A worker sends its news before its result, so none is left over once the result is here.
            while news is not None and not news.empty():
                reporter.asking(*news.get())
            for future in landed:
                found[flying[future].id] = future.result()
                claim = flying.pop(future)
                reporter.finished(claim, found[claim.id])
    except BrokenProcessPool as error:
        busy = ", ".join(claim.id for claim in flying.values())
        raise CheckError(f"a worker process died while judging one of: {busy}") from error
    return found


def _submit(pool: ProcessPoolExecutor, claim: Claim, settings: Settings) -> Future[Judgements]:
    """Hand a claim to the workers; this starts another process while there are too few."""
    try:
        with _interrupts_held():
            return pool.submit(_judge_there, _bare(claim), settings)
    except OSError as error:
        # No process could be started, or the pool closed its pipes because one died a moment ago.
        raise CheckError(f"{claim.id}: a worker process died or could not be started: {error}") from error


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back for a moment; a process started meanwhile never sees it and leaves it to the parent."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _report_to(news: _News | None) -> None:
    """Remember, once in every worker process, where to send news; a queue cannot travel with each task."""
    global _news
    _news = news


def _judge_there(claim: Claim, settings: Settings) -> Judgements:
    """Judge a claim in a worker process."""
    news = _news
    return _judge(claim, settings, None if news is None else lambda id, method: news.put((id, method)))


def _judge(claim: Claim, settings: Settings, asking: Callable[[str, str], None] | None) -> Judgements:
    last = ""

    def watch(method: str) -> None:
        """Pass on what is new: a claim with many obligations goes round the methods many times."""
        nonlocal last
        if asking is not None and method != last:
            last = method
            asking(claim.id, method)

    try:
        return judge_claim(claim, settings, watch)
    except CheckError:
        raise
    except Exception as error:
        # Whatever a check or one of its libraries raised, the reader needs to know on which claim.
        raise CheckError(f"{claim.id}: {type(error).__name__}: {error}") from error


def _bare(claim: Claim) -> Claim:
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
