"""Believe a proof that the kernel accepts. Awards PROVED.

Soundness. The kernel starts from a record of what is stated: the tree of the statement, the definitions of all that it
calls, the domains, the hypotheses and what is taken from other claims. It is compared with the record of this claim, so
that nothing is proved but what the claim says; what it rests on bounds its verdict elsewhere.
"""

from __future__ import annotations

from typing import Any

from grpo_symbolic.checks.awarding import award
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.records import record_of
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.kernel.terms import RefusedError
from grpo_symbolic.kernel.verify import verify

#: The method, and what its one piece of evidence on a claim is called.
METHOD = "proof"
#: The verdict that it awards.
AWARDED = Verdict.PROVED


def check(claim: Claim, proof: object) -> Evidence:
    """What the kernel says of a proof of a claim; UNDECIDED, with the reason, if it does not accept it."""
    try:
        record, _ = record_of(claim)
        verify({"record": record, "proof": proof})
    except (RefusedError, UnsupportedError) as error:
        return Evidence(METHOD, Verdict.UNDECIDED, METHOD, f"the kernel refuses a proof: {error}")
    return award(METHOD, AWARDED, METHOD, claim, f"the kernel accepts a proof {_how(proof)}")


def _how(proof: Any) -> str:
    """In words, by which plan something was proved and how long that is."""
    if proof["plan"] == "composed":
        return "that the steps compose to it"
    goals = sum(len(one["goals"]) for one in proof["parts"])
    return f"of {goals} goal{'' if goals == 1 else 's'}, {sum(map(_length, proof['parts']))} steps"


def _length(proof: object) -> int:
    """How many rules a proof names."""
    if isinstance(proof, dict):
        return sum(map(_length, proof["goals"]))
    if not isinstance(proof, list):
        return 0
    return int(bool(proof) and isinstance(proof[0], str)) + sum(map(_length, proof))
