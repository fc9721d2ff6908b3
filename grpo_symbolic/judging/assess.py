"""Judge the claims of a library, in parallel, and let no claim stand above what it rests on."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from grpo_symbolic.cache.store import Store
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.bare import bare
from grpo_symbolic.judging.claims import Judged, combine
from grpo_symbolic.judging.digested import Digested
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.judging.judges import Judges, judges
from grpo_symbolic.judging.kept import NOTHING_REUSED, Judgements, Kept, Reused, differ
from grpo_symbolic.judging.progress import Listener, Reporter
from grpo_symbolic.judging.quotes import quotes_of
from grpo_symbolic.judging.reasons.why import Why, is_step, kept_why
from grpo_symbolic.processes.tasks import CLAIM_SECONDS
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
    with judges(settings, jobs=jobs, timeout=timeout) as hired_judges:
        return Provisional(library, hired_judges, only=only, listener=listener, cache=cache).settled()


class Provisional:
    """An ``assessment`` in which some judgements are kept from another run while they are made again beside this.

    It is to be told of only if ``settled`` gives the same one. What has to be judged anyhow is judged at once.

    Raises:
        LibraryError: if a name in ``only`` matches nothing, or a claim quotes something else than was typed for it.
        CheckError: if a check breaks on a claim, which is named, or no process can be started.
    """

    def __init__(
        self,
        library: Library,
        who: Judges,
        *,
        only: Iterable[str] = (),
        listener: Listener | None = None,
        cache: Store | None = None,
        digested: Digested | None = None,
    ) -> None:
        self._started = time.perf_counter()
        self._is_settled = False
        self._library, self._who = library, who
        names = tuple(only)
        self._selected = library.select(names) if names else frozenset(library.claims)
        #: What else is kept of the claims, with what is known of their contents.
        self._digested = Digested(library, Fragments(cache)) if digested is None else digested
        self.fragments = self._digested.fragments
        # What is quoted wrongly must not cost a run.
        self._quotes = quotes_of(library, self._selected, self.fragments)
        # Each claim is judged alone, so reading order will do, and result after result is completed.
        self._claims = [claim for id, claim in library.claims.items() if id in self._selected]
        self._bare = {claim.id: bare(claim) for claim in self._claims}
        self._reporter = Reporter(library, self._claims, listener)
        self._whys: dict[str, Why | None] = {}
        self._kept = (
            None
            if cache is None
            else Kept(cache, who.settings, self._bare.values(), self.fragments.expressions, self._digested.judged)
        )
        due = frozenset[str]() if self._kept is None else self._kept.due
        # It takes longest, so it is begun before anything else is looked up.
        self._due = {id: key for id in self._bare if id in due and (key := self._key(id)) is not None}
        self._again = who.again({key: self._bare[id] for id, key in self._due.items()})
        self._judgements: dict[str, Judgements] = {} if self._kept is None else dict(self._kept.found)
        if self._kept is not None:
            self._digested.remember(self._bare, self._kept.digest)
        for claim in self._claims:
            if claim.id in self._judgements:
                self._reporter.finished(claim, self._judgements[claim.id])
        self._judge([claim for claim in self._claims if claim.id not in self._judgements])
        self.assessment = self._assessed(Reused(self._found - due, due))

    def _key(self, id: str) -> str | None:
        return None if self._kept is None else self._kept.key(id)

    @property
    def _found(self) -> frozenset[str]:
        """The claims of which judgements were kept."""
        return frozenset() if self._kept is None else frozenset(self._kept.found)

    def settled(self) -> Assessment:
        """Wait for what is made again; if any of it comes out otherwise, all that was kept is judged anew.

        Raises:
            CheckError: if a check breaks on a claim, which is named.
        """
        due = self.assessment.reused.again
        if self._kept is None or self._is_settled or not due:
            return self.assessment
        self._is_settled = True
        made, known = self._again(), self._kept.found
        again = {id: made[key] for id, key in self._due.items() if key in made}
        differing = tuple(id for id in known if id in due and (id not in again or differ(again[id], known[id])))
        if differing:
            suspect = [claim for claim in self._claims if claim.id in known]
            self._reporter.withdrawn(suspect)
            self._judge(suspect)
            self.assessment = self._assessed(Reused(frozenset(), self._found, differing))
        return self.assessment

    def _judge(self, some: Sequence[Claim]) -> None:
        try:
            with closing(self._who.found(some, self._bare, self._reporter, self._whys)) as found:
                for claim, pair in found:
                    self._judgements[claim.id] = pair if self._kept is None else self._kept.keep(claim.id, pair)
        finally:
            if self._kept is not None:
                self._kept.write()

    def _assessed(self, reused: Reused) -> Assessment:
        """What is known by now, with the weakest link."""
        library, selected, judgements = self._library, self._selected, self._judgements
        ordered = [(claim, since) for claim, since in library.ordered if claim.id in selected]
        judged = {item.claim.id: item for item in combine(ordered, judgements)}
        for id, content in {} if self._kept is None else self._kept.contents.items():
            for number, one in enumerate(judgements[id]):
                if one is not None:
                    self.fragments.know(one, f"judgement {number}", content)
        whys = self._explained()
        seconds = time.perf_counter() - self._started
        return Assessment(library, self._who.settings, selected, judged, seconds, self._quotes, reused, whys)

    def _explained(self) -> dict[str, Why]:
        """Why claims hold, but for steps of derivations: what was found out already, was kept, or is found out now."""
        told = ((id, claim, self._digested.asked(claim)) for id, claim in self._bare.items() if not is_step(id))
        found = (
            (id, kept_why(claim, asked, self._judgements[id][0], self._whys, self.fragments))
            for id, claim, asked in told
        )
        return {id: one for id, one in found if one is not None}
