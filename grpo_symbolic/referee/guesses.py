"""What a finding hangs on where nobody declared the notation: domains that were guessed, and what functions are."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.statement import symbols_of
from grpo_symbolic.language.vocabulary import definitions_in
from grpo_symbolic.reading.document.discover import Proposal
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.meaning.notated import GUESSED_PRODUCT
from grpo_symbolic.reading.tex.spelling import spelled
from grpo_symbolic.referee.findings import GUESSED, STANDING, Finding, Guess, Status

_ON_GUESSES = "is asserted, and fails on domains that were guessed: declare them in a map"
_ON_PRODUCTS = "holds if this is a product: say factor = true in the map, or declare the function"
NOTHING = Guess("no domain", None, "its signs are taken to mean what they usually do")


def guesses_of(
    outcome: InterpretedStep, proposals: Mapping[str, Proposal], declared: Collection[Symbol]
) -> tuple[Guess, ...]:
    """What was guessed of the symbols and functions in a step; ``proposals`` are those of its paper by name.

    What somebody ``declared`` is no guess.
    """
    if outcome.read is None:
        return ()
    instances = outcome.read.instances
    found: dict[Guess, None] = {}
    symbols = dict.fromkeys(symbol for one in instances for symbol in symbols_of(one.statement))
    for symbol in (one for one in symbols if one not in declared):
        proposal = proposals.get(symbol.name)
        why = proposal.why.removeprefix("a guess: ") if proposal is not None and proposal.why else "nobody declared it"
        found[Guess(symbol.name, str(symbol.domain), why)] = None
    sides = dict.fromkeys(side for one in instances for side in (one.left, one.right))
    for name in dict.fromkeys(definition.name for side in sides for definition in definitions_in(side)):
        for said in _said(name, proposals):
            found[Guess(name, None, f"taken to be what {said.place} says")] = None
    return tuple(found) or (NOTHING,)


def _said(name: str, proposals: Mapping[str, Proposal]) -> Iterator[Proposal]:
    """The equations that were taken to define a function of this name."""
    for proposal in proposals.values():
        if proposal.kind == "definition" and name in (spelled(proposal.nodes), spelled(proposal.nodes, full=True)):
            yield proposal


def on_guesses(finding: Finding) -> Finding:
    """The finding where nothing was declared: what would be refuted is no identity on the domains that were guessed."""
    if finding.status is not Status.REFUTED:
        return finding
    return replace(finding, status=Status.NOT_AN_IDENTITY, code=GUESSED, reason=_ON_GUESSES)


def on_guessed_products(finding: Finding) -> Finding:
    """The finding where a letter before brackets was only guessed to be a factor: nothing is settled by that."""
    if not any(note.endswith(GUESSED_PRODUCT) for note in finding.notes):
        return finding
    if finding.status in STANDING:
        return replace(finding, status=Status.UNDECIDED, code=GUESSED, reason=_ON_PRODUCTS)
    return on_guesses(finding)
