"""Claims without what stands behind their lemmas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any, TypeVar

from grpo_symbolic.derivation.chain import Claim, Derivation, Lemma, Step
from grpo_symbolic.derivation.unbuilt import Unbuilt, changed

Whole = TypeVar("Whole", Claim, Lemma, Derivation, Step)


def bare(claim: Claim) -> Claim:
    """The claim without what stands behind its lemmas, of which checks need to know only what they say and assume."""
    if isinstance(claim, Unbuilt):
        return changed(claim, bare)
    chain = claim.derivation
    if chain is not None:
        steps = (_with(step, using=tuple(map(bare_lemma, _assuming(step.using)))) for step in chain.steps)
        chain = _with(chain, steps=tuple(steps))
    return _with(claim, derivation=chain, using=tuple(map(bare_lemma, claim.using)))


def bare_lemma(lemma: Lemma) -> Lemma:
    """A lemma without what stands behind it."""
    using = tuple(map(bare_lemma, _assuming(lemma.claim.using_anywhere)))
    return _with(lemma, claim=_with(lemma.claim, derivation=None, printed=None, oracle=None, using=using))


def _assuming(lemmas: Iterable[Lemma]) -> Iterator[Lemma]:
    return (lemma for lemma in lemmas if lemma.assuming)


def _with(whole: Whole, **parts: object) -> Whole:
    """A copy with some parts exchanged for less: what was made whole need not be looked through once more."""
    # Asking for its parts builds a claim that was not, which changes its class.
    every: dict[str, Any] = {item.name: getattr(whole, item.name) for item in fields(whole)}
    made: Whole = object.__new__(type(whole))
    vars(made).update(every | parts)
    if isinstance(whole, Lemma):
        # What it says does not depend on what stands behind it.
        vars(made)["statement"] = whole.statement
    return made
