"""The symbols of a claim, by which it is shown and compared with programs."""

from __future__ import annotations

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.statement import symbols_of


def symbols_in(claim: Claim) -> tuple[Symbol, ...]:
    """The symbols of statement and hypotheses.

    Raises:
        DeclarationError: if two different symbols share a name.
    """
    return symbols_of(*claim.given, claim.statement)
