"""Claims without what stands behind their lemmas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from grpo_symbolic.derivation.chain import Claim, Lemma
from grpo_symbolic.derivation.unbuilt import Unbuilt, changed


def bare(claim: Claim) -> Claim:
    """The claim without what stands behind its lemmas, of which checks need to know only what they say and assume."""
    if isinstance(claim, Unbuilt):
        return changed(claim, bare)
    chain = claim.derivation
    if chain is not None:
        steps = (replace(step, using=tuple(map(bare_lemma, _assuming(step.using)))) for step in chain.steps)
        chain = replace(chain, steps=tuple(steps))
    return replace(claim, derivation=chain, using=tuple(map(bare_lemma, claim.using)))


def bare_lemma(lemma: Lemma) -> Lemma:
    """A lemma without what stands behind it."""
    using = tuple(map(bare_lemma, _assuming(lemma.claim.using_anywhere)))
    return replace(lemma, claim=replace(lemma.claim, derivation=None, printed=None, oracle=None, using=using))


def _assuming(lemmas: Iterable[Lemma]) -> Iterator[Lemma]:
    return (lemma for lemma in lemmas if lemma.assuming)
