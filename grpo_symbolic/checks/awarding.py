"""The only place that seals evidence: a check that has decided something says so here.

Nothing outside this folder may import this module (a test sees to it), so whoever holds evidence with DECIDED, PROVED
or REFUTED in it holds what a check has found.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from grpo_symbolic.evidence import _KEY, Evidence, Seal, Verdict


def award(method: str, verdict: Verdict, obligation: str, about: object, note: str, **found: Any) -> Evidence:
    """Evidence with the verdict of a method ``about`` something, under its label; ``found`` are further fields."""
    return Evidence(method, verdict, obligation, note, seal=Seal(method, verdict, obligation, about, _KEY), **found)


def transferred(evidence: Evidence, obligation: str, about: object, **changes: Any) -> Evidence:
    """What was shown of one thing, as evidence on another that follows from it."""
    seal = Seal(evidence.method, evidence.verdict, obligation, about, _KEY)
    return replace(evidence, obligation=obligation, seal=seal, **changes)
