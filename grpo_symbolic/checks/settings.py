"""How hard to look: nothing that is found depends on it, only whether it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """How hard to look.

    ``digits`` and ``points`` are for the numeric method. It looks at ``first_points`` before anything else, and at all
    ``points`` where no deciding method settles the statement. ``effort`` is the budget of a solver in its own
    deterministic resource units (thousands of z3 rlimit units), ``boxes`` that of ball arithmetic.
    ``hunt`` says whether counterexamples are searched for where samples show none; without it, a statement that is
    not decided is left at once. ``search`` says whether everything is decided and all proofs are searched for anew,
    ``forgiving`` whether one that is kept counts even so where none is found.
    """

    digits: int = 50
    points: int = 200
    seed: int = 20250218
    effort: int = 20_000
    boxes: int = 20_000
    hunt: bool = True
    first_points: int = 10
    search: bool = False
    forgiving: bool = False
