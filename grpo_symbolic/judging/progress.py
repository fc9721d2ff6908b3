"""Tell whoever listens where the judging of a library stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.kept import Judgements


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


class Reporter:
    """Tells a listener, if there is one, where the work on some claims of a library stands."""

    def __init__(self, library: Library, claims: Sequence[Claim], listener: Listener | None) -> None:
        result_of = {made.id: result for result in library.results for made in library.claims_of[result.module]}
        self._result_of = {claim.id: result_of[claim.id] for claim in claims}
        self._left = Counter(result.module for result in self._result_of.values())
        self._done = 0
        self._listener = listener

    def started(self, claim: Claim) -> None:
        """Somebody begins to judge a claim."""
        self._tell(claim.id, None)

    def asking(self, id: str, method: str) -> None:
        """A method is asked about a claim."""
        self._tell(id, None, asked=method)

    def finished(self, claim: Claim, found: Judgements) -> None:
        """A claim is judged."""
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
