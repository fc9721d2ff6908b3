"""The only place that seals evidence: a check that has decided something says so here.

Nothing outside this folder may import this module (a test sees to it), so whoever holds evidence with DECIDED, PROVED
or REFUTED in it holds what a check has found.
"""

from __future__ import annotations

from typing import Any

from grpo_symbolic.evidence import _KEY, Evidence, Seal, Verdict


def award(method: str, verdict: Verdict, obligation: str, note: str, **found: Any) -> Evidence:
    """Evidence with the verdict of a method on an obligation; ``found`` are further fields of Evidence."""
    return Evidence(method, verdict, obligation, note, seal=Seal(method, verdict, obligation, _KEY), **found)
