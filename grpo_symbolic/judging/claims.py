"""Decide claims; then let no claim stand above what it rests on.

This is the root of the trusted base: what turns a claim into DECIDED is here or imported here. A claim stands as its
statement does, by sealed evidence on what this expands to (``verdicts``), or as its derivation does: the steps are
claims of their own, and a statement that is exactly what they compose to follows from them. Lemmas are consequences of
other claims. No claim stands above the weakest of its steps and of the claims of its lemmas. What gathers evidence is
passed in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grpo_symbolic.checks.deciding import composed
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.errors import CheckError, DeclarationError
from grpo_symbolic.evidence import STANDING, Evidence, Verdict, weakest
from grpo_symbolic.judging.verdicts import Inquiry, Judgement
from grpo_symbolic.language.sequences import supposed_of_functions, without_examples
from grpo_symbolic.language.statement import Statement

if TYPE_CHECKING:
    from grpo_symbolic.judging.search import Investigator, Prover


@dataclass(frozen=True)
class Judged:
    """A claim with its judgement, the judgement of what is printed, and its verdict after weakest link.

    Raises:
        CheckError: for a verdict above the judgement's own.
    """

    claim: Claim
    since: tuple[str, ...]
    alone: Judgement
    printed: Judgement | None
    verdict: Verdict

    def __post_init__(self) -> None:
        if not self.claim.assumed and self.verdict.rank > self.alone.verdict.rank:
            raise CheckError(f"{self.claim.id}: {self.verdict.value}, but the checks say {self.alone.verdict.value}")

    @property
    def carries(self) -> Verdict:
        """The height up to which another claim may rest on this one: an assumption is granted unless it is refuted.

        What rests on something refuted may still be true for another reason.
        """
        if self.verdict is Verdict.REFUTED:
            return Verdict.UNDECIDED
        return Verdict.PROVED if self.claim.assumed else self.verdict


def decide_claim(claim: Claim, investigator: Investigator, prover: Prover | None = None) -> Judgement:
    """Judge a claim's statement; ``decide_quote`` does what the paper prints in its place.

    What has a proof from a ``prover`` that the kernel accepts is only sampled; nothing else need decide it.

    Raises:
        CheckError: if a check breaks, or brute force disagrees with what was decided.
    """
    given, lemmas = hypotheses_and_lemmas(claim)
    if claim.assumed:
        # Its symbols stand for things that the statement does not define, so only an oracle can look at them.
        alone = Judgement.left_open()
    else:
        proof = None if prover is None else prover.kept(claim)
        whole = proof if proof is not None and proof.is_sealed_for(claim) else composed(claim)
        inquiry = Inquiry(claim.statement, given, lemmas, whole)
        alone = inquiry.judgement(investigator.investigate(inquiry, claim.id))
    compared = investigator.compare(claim)
    if compared is not None:
        if compared.verdict is Verdict.REFUTED and not compared.is_sealed_for(claim):
            raise CheckError(f"{claim.id}: brute force has refuted something else")
        if compared.verdict is Verdict.REFUTED and alone.verdict in STANDING:
            raise CheckError(f"{claim.id}: decided, but brute force disagrees: {compared.note} at {compared.witness}")
        if compared.verdict in STANDING or any(item.obligation == compared.obligation for item in alone.evidence):
            raise CheckError(f"{claim.id}: brute force says {compared.verdict.value}; it may support and refute only")
        # It may refute or support, as a plan of its own, of which no other evidence speaks.
        alone = replace(
            alone,
            plans=(*alone.plans, (compared.obligation,)),
            implied=alone.implied | {compared.obligation},
            evidence=(*alone.evidence, compared),
        )
    if prover is not None and not claim.assumed and alone.verdict in (Verdict.DECIDED, Verdict.SUPPORTED):
        alone = _proved(claim, alone, prover.found(claim, alone))
    return alone


def _proved(claim: Claim, alone: Judgement, found: Evidence | None) -> Judgement:
    """What is not refuted, with the word of the kernel on a proof: that is a plan of its own, premises included."""
    if found is None:
        return alone
    if not found.is_sealed_for(claim):
        return replace(alone, evidence=(*alone.evidence, found))
    return replace(alone, plans=(*alone.plans, (found.obligation,)), evidence=(*alone.evidence, found))


def hypotheses_and_lemmas(claim: Claim) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """What samples must satisfy, and what only helps to decide.

    What is assumed cannot be expected of arbitrary values, nor can what rests on it: both are hypotheses, not lemmas.

    Raises:
        DeclarationError: if a lemma supposes something of functions that the claim does not suppose as well.
    """
    supposed = {without_examples(item) for item in supposed_of_functions(claim.given)}
    for lemma in claim.using_anywhere:
        for item in lemma.supposed_of_functions:
            if without_examples(item) not in supposed:
                raise DeclarationError(f"{claim.id} uses {lemma.claim.id}, which supposes that {item}: suppose it too")
    assumed = dict.fromkeys(lemma.statement for lemma in claim.using_anywhere if lemma.assuming)
    return (*claim.given, *assumed), tuple(lemma.statement for lemma in claim.using if not lemma.assuming)


def decide_quote(claim: Claim, alone: Judgement, investigator: Investigator) -> Judgement | None:
    """Judge what a paper prints, if anything, under the hypotheses that it states itself.

    The claim's lemmas may help where the quote has the claim's hypotheses; elsewhere they may not hold.
    """
    quote = claim.printed
    if quote is None:
        return None
    same_hypotheses = quote.hypotheses == claim.given
    if same_hypotheses and quote.statement == claim.statement:
        return replace(alone, seconds=0.0)
    lemmas = tuple(lemma.statement for lemma in claim.using) if same_hypotheses else ()
    inquiry = Inquiry(quote.statement, quote.given, lemmas, proposed=quote.fails_at)
    return inquiry.judgement(investigator.investigate(inquiry, f"{claim.id} (printed)"))


def combine(
    ordered: Sequence[tuple[Claim, tuple[str, ...]]], judgements: Mapping[str, tuple[Judgement, Judgement | None]]
) -> tuple[Judged, ...]:
    """Propagate the weakest link along ``since``; claims must come after all they rest on.

    Raises:
        CheckError: if something else was judged under the id of a step or a lemma.
    """
    judged: dict[str, Judged] = {}
    claims: dict[str, Claim] = {}
    for claim, since in ordered:
        other = claim.misses(claims)
        if other is not None:
            raise CheckError(f"{claim.id} rests on {other}, but another claim was judged under this id")
        alone, printed = judgements[claim.id]
        bound = weakest(judged[id].carries for id in {*since, *claim.supports})
        verdict = alone.verdict if alone.verdict is Verdict.REFUTED else weakest([alone.verdict, bound])
        if printed is not None and printed.verdict is not Verdict.REFUTED:
            printed = replace(printed, limit=weakest([printed.limit, bound]))
        judged[claim.id] = Judged(claim, since, alone, printed, verdict)
        claims[claim.id] = claim
    return tuple(judged.values())
