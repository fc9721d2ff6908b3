"""The only place that seals evidence: a check that has decided something says so here.

Nothing outside this folder may import this module (a test sees to it), so whoever holds evidence with DECIDED, PROVED
or REFUTED in it holds what a check has found.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

from grpo_symbolic.derivation.chain import Whole
from grpo_symbolic.evidence import _KEY, Evidence, Seal, Verdict
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.obligations.premises import Premises

#: What evidence can be about.
About: TypeAlias = Obligation | Premises | Whole


def award(method: str, verdict: Verdict, about: About, note: str, **found: Any) -> Evidence:
    """Evidence with the verdict of a method on something; ``found`` are further fields of Evidence."""
    seal = Seal(method, verdict, about.label, about, _KEY)
    return Evidence(method, verdict, about.label, note, seal=seal, **found)


def transferred(evidence: Evidence, about: About, **changes: Any) -> Evidence:
    """What was shown of one thing, as evidence on another that follows from it."""
    seal = Seal(evidence.method, evidence.verdict, about.label, about, _KEY)
    return replace(evidence, obligation=about.label, seal=seal, **changes)
