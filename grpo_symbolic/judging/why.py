"""Why a claim that is decided holds: its derivation, or the proof that the kernel accepted, told in words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from grpo_symbolic.cache.store import Json
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.proofs.keeping import Document
from grpo_symbolic.proofs.telling import Told, told

_STEP = re.compile(r"\.step-[0-9]+$")


class Standing(Enum):
    """By what a claim tells why it holds."""

    DERIVED = "derivation"
    PROVED = "proof"
    NOT_YET = "none"


@dataclass(frozen=True)
class Why:
    """Why a claim holds: a proof is told part by part, and where there is none, the ``methods`` that decided it."""

    standing: Standing
    parts: tuple[Told, ...] = ()
    methods: tuple[str, ...] = ()


def is_step(id: str) -> bool:
    """Whether an id is that of a step of a derivation, as ``Claim.steps`` gives them: its words say why it holds."""
    return _STEP.search(id) is not None


def why(claim: Claim, judgement: Judgement, proof: Document | None) -> Why | None:
    """Why a claim holds that is decided, if need be by the proof of it; None if it is not, or is assumed."""
    if claim.assumed or judgement.verdict not in STANDING:
        return None
    if claim.is_derived:
        return Why(Standing.DERIVED)
    if judgement.verdict is Verdict.PROVED:
        return Why(Standing.PROVED, () if proof is None else told(claim, proof))
    decided = (item.method for item in judgement.evidence if item.verdict in STANDING)
    return Why(Standing.NOT_YET, methods=tuple(dict.fromkeys(decided)))


def kept_why(
    claim: Claim, asked: Claim, judgement: Judgement, proof: Document | None, fragments: Fragments
) -> Why | None:
    """The same as it was kept of what is ``asked`` of a claim, with the same proof, or decided by the same methods."""
    if claim.is_derived:
        return why(claim, judgement, proof)
    decided = tuple((item.method, item.verdict) for item in judgement.evidence)
    content = (asked, judgement.verdict, decided, json.dumps(proof, sort_keys=True))
    return fragments.kept("why", content, lambda: why(claim, judgement, proof), written, restored)


def standings(whys: Iterable[Why]) -> dict[Standing, int]:
    """How many claims tell by which means why they hold."""
    found = [one.standing for one in whys]
    return {standing: found.count(standing) for standing in Standing}


def put_together(claims: Mapping[str, Claim], whys: Mapping[str, Why]) -> frozenset[str]:
    """The claims with a proof that only put lemmas together, each of which has a derivation or is such a claim."""
    settled: dict[str, bool] = {}

    def rests_on_derivations(id: str) -> bool:
        if id not in settled:
            settled[id] = False  # nothing rests on itself
            standing = whys[id].standing if id in whys else Standing.NOT_YET
            of_lemmas = standing is Standing.PROVED and bool(claims[id].uses)
            settled[id] = standing is Standing.DERIVED or (
                of_lemmas and all(map(rests_on_derivations, claims[id].uses))
            )
        return settled[id]

    return frozenset(id for id, one in whys.items() if one.standing is Standing.PROVED and rests_on_derivations(id))


def reasons_by_rule(whys: Iterable[Why]) -> dict[str, int]:
    """How often each rule shows something."""
    rules = sorted(part.rule for one in whys for part in one.parts)
    return {rule: rules.count(rule) for rule in dict.fromkeys(rules)}


def written(one: Why | None) -> Json:
    """What is kept of it."""
    if one is None:
        return {}
    parts: list[Json] = [[part.part, part.goal, part.rule, part.words] for part in one.parts]
    return {"by": one.standing.value, "parts": parts, "methods": [*one.methods]}


def restored(value: Json) -> Why | None:
    """What was kept."""
    match value:
        case {"by": str() as by, "parts": list() as parts, "methods": list() as methods}:
            found = (Told(*map(str, part)) for part in parts if isinstance(part, list))
            return Why(Standing(by), tuple(found), tuple(map(str, methods)))
    return None
