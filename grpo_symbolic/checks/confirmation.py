"""No refutation without a second opinion: what a search found counts only if other code confirms it. Awards REFUTED."""

from __future__ import annotations

from typing import Any

from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.recheck import refutes
from grpo_symbolic.evidence import Evidence, Verdict, Witness
from grpo_symbolic.obligations.obligation import Obligation


def confirms(obligation: Obligation, witness: Witness) -> bool:
    """Whether an evaluator that shares nothing with the search confirms a counterexample to an obligation."""
    return refutes(obligation.hypotheses, obligation.conclusion, witness, obligation.defined)


def refuted_by(method: str, obligation: Obligation, witness: Witness, note: str, **figures: Any) -> Evidence:
    """A refutation if its witness is confirmed, else UNDECIDED; ``figures`` are further fields of Evidence."""
    if confirms(obligation, witness):
        return award(method, Verdict.REFUTED, obligation.label, obligation, note, witness=witness, **figures)
    where = ", ".join(f"{name} = {value}" for name, value in witness.at)
    note = f"{note}; the counterexample {where} was found, but evaluating it again did not confirm it"
    return Evidence(method, Verdict.UNDECIDED, obligation.label, note, **figures)
