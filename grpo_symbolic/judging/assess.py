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
from grpo_symbolic.judging.judges import Asked, Judges, Proofs, beside_of, judges
from grpo_symbolic.judging.kept import Judgements, Kept
from grpo_symbolic.judging.progress import Listener, Reporter
from grpo_symbolic.judging.quotes import quotes_of
from grpo_symbolic.judging.why import Why, is_step, kept_why
from grpo_symbolic.processes.tasks import CLAIM_SECONDS
from grpo_symbolic.proofs.keeping import Document, called
from grpo_symbolic.readback.readings import QuoteRead


@dataclass(frozen=True)
class Assessment:
    """What the checks found about the selected claims of a library; ``judged`` is in dependency order.

    ``quotes`` are the readings of what they quote, ``kept`` the claims whose judgements were kept from another run, and
    ``whys`` why claims that are decided hold; of the steps of derivations their words say it. ``proofs`` are those that
    the kernel accepted.
    """

    library: Library
    settings: Settings
    selected: frozenset[str]
    judged: Mapping[str, Judged]
    seconds: float
    quotes: Mapping[str, QuoteRead]
    kept: frozenset[str] = frozenset()
    whys: Mapping[str, Why] = field(default_factory=dict)
    proofs: Mapping[str, Document] = field(default_factory=dict)

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
    the same claim by the same program is taken from there.

    Raises:
        LibraryError: if a name in ``only`` matches nothing, or a claim quotes something else than was typed for it.
        CheckError: if a check breaks on a claim, which is named, or no process can be started.
        DeclarationError: if ``jobs`` is less than 1, or ``timeout`` is not positive.
    """
    with judges(settings, jobs=jobs, timeout=timeout) as hired_judges:
        return assess_by(
            hired_judges, library, Digested(library, Fragments(cache)), only=only, listener=listener, cache=cache
        )


def assess_by(
    who: Judges,
    library: Library,
    digested: Digested,
    *,
    only: Iterable[str] = (),
    listener: Listener | None = None,
    cache: Store | None = None,
) -> Assessment:
    """The same by judges that are there, with what is known of the contents of claims.

    Raises:
        LibraryError: if a name in ``only`` matches nothing, or a claim quotes something else than was typed for it.
        CheckError: if a check breaks on a claim, which is named, or no process can be started.
    """
    started, names, fragments = time.perf_counter(), tuple(only), digested.fragments
    selected = library.select(names) if names else frozenset(library.claims)
    # What is quoted wrongly must not cost a run.
    quotes = quotes_of(library, selected, fragments)
    # Each claim is judged alone, so reading order will do, and result after result is completed.
    claims = [claim for id, claim in library.claims.items() if id in selected]
    asked = {claim.id: bare(claim) for claim in claims}
    kept = None if cache is None else Kept(cache, who.settings, asked.values(), fragments.expressions, digested.judged)
    found, proven = _judgements(who, library, claims, asked, kept, listener)
    if kept is not None:
        digested.remember(asked, kept.digest)
        for id, content in kept.contents.items():
            for number, judgement in enumerate(found[id]):
                if judgement is not None:
                    fragments.know(judgement, f"judgement {number}", content)
    known = frozenset() if kept is None else frozenset(kept.found)
    ordered = [(claim, since) for claim, since in library.ordered if claim.id in selected]
    judged = {item.claim.id: item for item in combine(ordered, found)}
    contents = {id: None if kept is None else kept.key(id) for id in asked}
    proofs = {
        id: proof
        for id, key in contents.items()
        if (proof := _proof(id, key, proven.get(id), fragments, id in known)) is not None
    }
    whys = {
        id: why
        for id, claim in asked.items()
        if not is_step(id)
        and (why := kept_why(claim, digested.asked(claim), found[id][0], proofs.get(id), fragments)) is not None
    }
    seconds = time.perf_counter() - started
    return Assessment(library, who.settings, selected, judged, seconds, quotes, known, whys, proofs)


def _judgements(
    who: Judges,
    library: Library,
    claims: Sequence[Claim],
    asked: Mapping[str, Claim],
    kept: Kept | None,
    listener: Listener | None,
) -> tuple[dict[str, Judgements], Proofs]:
    """The judgements on claims, those that are kept and those that are made, and what was proved now."""
    found = {} if kept is None else dict(kept.found)
    reporter, beside = Reporter(library, claims, listener), beside_of(library)
    proofs: Proofs = {}
    for claim in claims:
        if claim.id in found:
            reporter.finished(claim, found[claim.id])
    tasks = {id: Asked(claim, beside.get(id)) for id, claim in asked.items()}
    due = [claim for claim in claims if claim.id not in found]
    try:
        with closing(who.found(due, tasks, reporter, proofs)) as made:
            for claim, pair in made:
                found[claim.id] = pair if kept is None else kept.keep(claim.id, pair)
    finally:
        if kept is not None:
            kept.write()
    return found, proofs


def _proof(id: str, content: str | None, made: Document | None, fragments: Fragments, is_kept: bool) -> Document | None:
    """The proof of a claim that was accepted now, or when the judgement was made that is kept of what it says."""
    key = None if content is None else fragments.key("proof", (content,))
    if made is not None:
        fragments.keep("proof", key, made)
        return made
    found = fragments.found("proof", key) if is_kept else None
    return called(found, id) if isinstance(found, dict) else None
