"""Which statements of a paper rest on one that is wrong as printed, and whether they survive.

Two facts tell what rests on it: our claims that use the corrected claim, computed from the objects, and what an
author noted about the paper's own argument (``paper_uses``). Nothing that was judged uses a refuted statement, so
what is decided survives without it: where only a hypothesis was missing, only if it is decided without this hypothesis,
which it is if it speaks of what the hypothesis is about. What falls is followed further, because what rests on it is in
doubt as well, and so is what is known only under the missing hypothesis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.errata import is_ambiguous, is_erratum
from grpo_symbolic.language.statement import symbols_of


class Fate(Enum):
    """What becomes of a statement when one that it rests on is wrong as printed."""

    SURVIVES = "survives"
    """It is decided without the wrong one."""
    CORRECTED = "survives as corrected"
    """What the claim says in its place is decided; the printed form was not judged by itself."""
    RESTRICTED = "holds only under the missing hypothesis, as far as is known"
    """It is decided, but not of what the missing hypothesis excludes."""
    FALLS = "falls"
    """As printed it is refuted, or it is known only where the wrong statement is taken for granted."""
    OPEN = "open"
    """The checks could not settle it."""


@dataclass(frozen=True)
class Dependant:
    """A statement of the paper that rests on a wrong one: the claim about it, its place, what becomes of it."""

    id: str
    place: str
    outcome: Fate


def blast_radius(id: str, judged: Mapping[str, Judged]) -> tuple[Dependant, ...]:
    """The paper's statements that rest on what it prints at claim ``id``, the nearest first.

    Only claims about a place in the paper count. An undecided or refuted dependant is followed in its turn.
    """
    found: dict[str, Dependant] = {}
    waiting = [id]
    while waiting:
        source = waiting.pop(0)
        for made in _resting_on(source, judged):
            if made.id == id or made.id in found:
                continue
            outcome = _outcome(judged[made.id], judged[source].claim.printed)
            if outcome in (Fate.SURVIVES, Fate.CORRECTED) and not _general(made, judged[id].claim.printed):
                outcome = Fate.RESTRICTED
            found[made.id] = Dependant(made.id, _place(made), outcome)
            if outcome in (Fate.FALLS, Fate.OPEN, Fate.RESTRICTED):
                waiting.append(made.id)
    return tuple(found.values())


def _resting_on(id: str, judged: Mapping[str, Judged]) -> Sequence[Claim]:
    """The claims about places in the paper that use a claim, or that the paper concludes from what is printed."""
    return _users(_Same(judged)).get(id, ())


@dataclass(frozen=True, eq=False)
class _Same:
    """What was judged in one run, which is compared as the very object: nobody changes it."""

    judged: Mapping[str, Judged]

    def __hash__(self) -> int:
        return id(self.judged)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.judged is self.judged


# Each finding, erratum and row asks again.
@lru_cache(maxsize=1)
def _users(everything: _Same) -> Mapping[str, Sequence[Claim]]:
    """By id of a claim, the claims about places in the paper that use it or are concluded from it."""
    found: dict[str, list[Claim]] = {}
    for item in everything.judged.values():
        made = item.claim
        if made.printed is not None or made.equation is not None:
            for used in {*made.paper_uses, *made.uses}:
                found.setdefault(used, []).append(made)
    return found


def _general(made: Claim, wrong: Quote | None) -> bool:
    """Whether a claim speaks of what the hypothesis that is missing elsewhere, if one is, would be about."""
    if wrong is None or not wrong.missing:
        return True
    quote = made.printed
    spoken = (made.statement, *made.given) if quote is None else (quote.statement, *quote.hypotheses)
    return not set(symbols_of(*wrong.missing)).isdisjoint(symbols_of(*spoken))


def _place(made: Claim) -> str:
    return made.printed.where if made.printed is not None else made.equation or ""


def _outcome(item: Judged, wrong: Quote | None) -> Fate:
    """What becomes of a statement that rests on a wrong one, which its quote may take for granted."""
    quote, printed = item.claim.printed, item.printed
    if quote is not None and printed is not None:
        if is_erratum(item) or (wrong is not None and quote.takes_for_granted(wrong)):
            return Fate.FALLS
        return Fate.SURVIVES if is_ambiguous(item) or printed.verdict in STANDING else Fate.OPEN
    if item.verdict is Verdict.REFUTED:
        return Fate.FALLS
    return Fate.CORRECTED if item.verdict in STANDING else Fate.OPEN
