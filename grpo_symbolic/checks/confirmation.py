"""No refutation without a second opinion: what a search found counts only if other code confirms it."""

from __future__ import annotations

from dataclasses import replace

from grpo_symbolic.checks.recheck import refutes
from grpo_symbolic.evidence import Evidence, Verdict, Witness
from grpo_symbolic.obligations.obligation import Obligation


def confirms(obligation: Obligation, witness: Witness) -> bool:
    """Whether an evaluator that shares nothing with the search confirms a counterexample to an obligation."""
    return refutes(obligation.hypotheses, obligation.conclusion, witness, obligation.defined)


def confirmed(evidence: Evidence, obligation: Obligation) -> Evidence:
    """The evidence, or UNDECIDED in the place of a refutation whose witness is not confirmed."""
    if evidence.verdict is not Verdict.REFUTED:
        return evidence
    if evidence.witness is not None and confirms(obligation, evidence.witness):
        return evidence
    at = () if evidence.witness is None else evidence.witness.at
    where = ", ".join(f"{name} = {value}" for name, value in at)
    note = f"{evidence.note}; the counterexample {where} was found, but evaluating it again did not confirm it"
    return replace(evidence, verdict=Verdict.UNDECIDED, note=note, witness=None)
