"""Judge the claims of a library, in parallel, and let no claim stand above what it rests on."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from grpo_symbolic.cache.store import Store
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim, Lemma
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.errors import CheckError, DeclarationError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.judging.claims import Judged, combine
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.judging.judge import judge_claim
from grpo_symbolic.judging.kept import NOTHING_REUSED, Judgements, Kept, Reused, differ
from grpo_symbolic.judging.quotes import quotes_of
from grpo_symbolic.judging.reasons.why import Why, is_step, kept_why, why
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.processes.crew import working
from grpo_symbolic.processes.tasks import CLAIM_SECONDS, Cause, Ended, Limits, Lost, News, Started, Tell
from grpo_symbolic.readback.readings import QuoteRead


@dataclass(frozen=True)
class Assessment:
    """What the checks found about the selected claims of a library; ``judged`` is in dependency order.

    ``quotes`` are the readings of what they quote, ``reused`` says which judgements were kept from another run, and
    ``whys`` why claims that are decided hold; of the steps of derivations their words say it.
    """

    library: Library
    settings: Settings
    selected: frozenset[str]
    judged: Mapping[str, Judged]
    seconds: float
    quotes: Mapping[str, QuoteRead]
    reused: Reused = NOTHING_REUSED
    whys: Mapping[str, Why] = field(default_factory=dict)

    @property
    def left_open(self) -> bool:
        """Whether nothing could be said of a claim or a quote; at another time, more may be."""
        found = (one for judged in self.judged.values() for one in (judged.alone, judged.printed) if one is not None)
        return any(one.verdict is Verdict.UNDECIDED for one in found)


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
_Found: TypeAlias = Generator[tuple[Claim, Judgements], None, None]
_Explained: TypeAlias = tuple[Judgements, Why | None]


def assess(
    library: Library,
    settings: Settings,
    *,
    only: Iterable[str] = (),
    jobs: int | None = None,
    timeout: float = CLAIM_SECONDS,
    listener: Listener | None = None,
    cache: Store | None = None,
) -> Assessment:
    """Judge all claims, or those that ``only`` names and what they rest on, in ``jobs`` processes.

    ``jobs=None`` means one process per processor. A claim that takes more than ``timeout`` seconds, or whose process
    dies or runs out of memory, is UNDECIDED; its evidence says why. ``jobs=1`` judges in this process, where nothing
    can be stopped. Else the findings do not depend on ``jobs``. Unless ``jobs`` is 1, a script must guard its own
    start by ``if __name__ == "__main__"``, because the worker processes import it. With a ``cache``, what was found of
    the same claim by the same program is taken from there; some of it is judged again all the same, and if that
    differs, all of it.

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
    fragments = Fragments(cache)
    quotes = quotes_of(library, selected, fragments)
    # Each claim is judged alone, so reading order will do, and result after result is completed.
    claims = [claim for id, claim in library.claims.items() if id in selected]
    reporter = _Reporter(library, claims, listener)
    whys: dict[str, Why | None] = {}

    def judge(some: Sequence[Claim]) -> _Found:
        if jobs == 1:
            return _judge_here(some, settings, reporter)
        return _judge_in_processes(some, settings, workers, timeout, reporter, whys)

    kept = None if cache is None else Kept(cache, settings, map(bare, claims), fragments.expressions)
    judgements, reused = _judged(claims, judge, reporter, kept)
    explained = _explained(claims, judgements, whys, fragments)
    ordered = [(claim, since) for claim, since in library.ordered if claim.id in selected]
    judged = {item.claim.id: item for item in combine(ordered, judgements)}
    return Assessment(library, settings, selected, judged, time.perf_counter() - started, quotes, reused, explained)


def _explained(
    claims: Sequence[Claim],
    judgements: Mapping[str, Judgements],
    whys: Mapping[str, Why | None],
    fragments: Fragments,
) -> dict[str, Why]:
    """Why claims hold, but for the steps of derivations: what was found out already, was kept, or is found out now."""
    told = (claim for claim in claims if not is_step(claim.id))
    found = ((claim.id, kept_why(bare(claim), judgements[claim.id][0], whys, fragments)) for claim in told)
    return {id: one for id, one in found if one is not None}


def _judged(
    claims: Sequence[Claim],
    judge: Callable[[Sequence[Claim]], _Found],
    reporter: _Reporter,
    kept: Kept | None,
) -> tuple[dict[str, Judgements], Reused]:
    """Judge claims of which no judgement is kept, and some of the others; all of these if one comes out otherwise."""
    if kept is None:
        with closing(judge(claims)) as found:
            return {claim.id: pair for claim, pair in found}, NOTHING_REUSED
    due = kept.due
    judgements = {id: pair for id, pair in kept.found.items() if id not in due}
    for claim in claims:
        if claim.id in judgements:
            reporter.finished(claim, judgements[claim.id])
    differing: list[str] = []

    def judge_and_keep(some: Sequence[Claim]) -> None:
        try:
            with closing(judge(some)) as found:
                for claim, pair in found:
                    judgements[claim.id] = pair
                    kept.keep(claim.id, pair)
                    if claim.id in kept.found and differ(pair, kept.found[claim.id]):
                        differing.append(claim.id)
        finally:
            kept.write()

    judge_and_keep([claim for claim in claims if claim.id not in judgements])
    if differing:
        suspect = [claim for claim in claims if claim.id in kept.found and claim.id not in due]
        due = frozenset(kept.found)
        reporter.withdrawn(suspect)
        judge_and_keep(suspect)
    return judgements, Reused(frozenset(kept.found) - due, due, tuple(differing))


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

    def withdrawn(self, claims: Iterable[Claim]) -> None:
        """Claims that were finished are to be judged after all."""
        for claim in claims:
            self._done -= 1
            self._left[self._result_of[claim.id].module] += 1

    def _tell(self, id: str, verdict: Verdict | None, methods: tuple[str, ...] = (), asked: str | None = None) -> None:
        if self._listener is None:
            return
        result = self._result_of[id]
        left = self._left[result.module]
        total = len(self._result_of)
        self._listener(Progress(result.title, id, self._done, total, left, verdict, methods, asked))


def _judge_here(claims: Sequence[Claim], settings: Settings, reporter: _Reporter) -> _Found:
    for claim in claims:
        reporter.started(claim)
        found = _judge(bare(claim), settings, reporter.asking)
        reporter.finished(claim, found)
        yield claim, found


def _judge_in_processes(
    claims: Sequence[Claim],
    settings: Settings,
    workers: int,
    timeout: float,
    reporter: _Reporter,
    whys: dict[str, Why | None],
) -> _Found:
    """Judge claims, and put into ``whys`` why they hold."""
    claim_of = {claim.id: claim for claim in claims}
    tasks = {claim.id: bare(claim) for claim in claims}
    with working(partial(_judge_there, settings), tasks, jobs=workers, limits=Limits(timeout)) as events:
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


def _settled(claim: Claim, outcome: _Explained | CheckError | Lost) -> _Explained:
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


def _judge_there(settings: Settings, claim: Claim, tell: Tell) -> _Explained | CheckError:
    """Judge a claim in a worker process, and find out why it holds; want of memory is the process's to tell."""
    try:
        found = _judge(claim, settings, lambda id, method: tell(method))
        return found, None if is_step(claim.id) else why(claim, found[0])
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
