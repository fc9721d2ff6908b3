"""Names: the symbols of a claim, and what somebody may have meant by a name that nothing has."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.statement import symbols_of


def symbols_in(claim: Claim) -> tuple[Symbol, ...]:
    """The symbols of statement and hypotheses.

    Raises:
        DeclarationError: if two different symbols share a name.
    """
    return symbols_of(*claim.given, claim.statement)


def near(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """At most five of the known names that look like one, or have it in them, the nearest first."""
    names = list(dict.fromkeys(known))
    folded = {one.casefold(): one for one in reversed(names)}
    close = (folded[one] for one in get_close_matches(name.casefold(), folded, n=5, cutoff=0.6))
    inside = (one for one in names if name.casefold() in one.casefold())
    return tuple(dict.fromkeys((*close, *inside)))[:5]


def meant(name: str, known: Iterable[str]) -> str:
    """A question after what was meant, to stand behind a complaint; empty if nothing is near."""
    found = near(name, known)
    return f"; did you mean {' or '.join(found)}?" if found else ""
