"""What a claim's verdict rests on, and the least that somebody has to read to believe it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import STANDING
from grpo_symbolic.judging.assess import Assessment
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.solvers import agreement
from grpo_symbolic.judging.trusted_base import lines_that_run
from grpo_symbolic.kernel.verify import verify
from grpo_symbolic.language.expression import Definition, Delta, walk
from grpo_symbolic.language.further import further_elements
from grpo_symbolic.language.statement import Statement, expressions_of, parts_of
from grpo_symbolic.language.vocabulary import definitions_in
from grpo_symbolic.obligations.principles import Kind, Principle, principles_for
from grpo_symbolic.proofs.keeping import Document


@dataclass(frozen=True)
class ClaimTrust:
    """What has to be read and believed of one claim.

    To believe it one reads its statement, its hypotheses, the ``definitions`` of the functions in them and the
    ``assumptions`` on which it rests. ``lemmas`` are claims that it rests on, checked in their turn. ``methods`` counts
    how often a method decided something, and ``solvers`` how often both or one of them did, in the claim, the steps of
    its derivation and its lemmas. ``kernel`` has the files of the kernel with the lines of its functions that run when
    it accepts the proofs of all of these.
    """

    judged: Judged
    definitions: tuple[Definition, ...]
    assumptions: tuple[Claim, ...]
    lemmas: tuple[Judged, ...]
    steps: int
    methods: Mapping[str, int]
    solvers: Mapping[str, int]
    principles: tuple[Principle, ...]
    kernel: Mapping[str, int]


def trust(assessment: Assessment, id: str) -> ClaimTrust:
    """What the verdict on an assessed claim rests on."""
    judged = assessment.judged
    below = [judged[other] for other in _below(id, judged)]
    claims = [item.claim for item in (judged[id], *below)]
    # A step belongs to the derivation of its claim: who believes the checks need not read it.
    steps = {step.id for made in claims for step in made.steps}
    stated = [made for made in claims if made.id not in steps]
    decided = [item for one in (judged[id], *below) for item in one.alone.evidence if item.verdict in STANDING]
    methods = Counter(item.method for item in decided)
    statements = [statement for made in claims for statement in (*made.given, made.statement)]
    assumptions = tuple(made for made in stated if made.assumed)
    return ClaimTrust(
        judged[id],
        _definitions([*judged[id].claim.given, judged[id].claim.statement, *(made.statement for made in assumptions)]),
        assumptions,
        tuple(item for item in below if item.claim.id not in steps and not item.claim.assumed),
        len(steps),
        dict(methods),
        dict(Counter(said for item in decided if (said := agreement(item)) is not None)),
        principles_for((kind for statement in statements for kind in _kinds(statement)), methods),
        lines_that_run(
            lambda: _verify(proof for made in claims if (proof := assessment.proofs.get(made.id)) is not None)
        ),
    )


def _verify(proofs: Iterable[Document]) -> None:
    """Verify proofs that were accepted before."""
    for proof in proofs:
        verify(proof)


def _below(id: str, judged: Mapping[str, Judged]) -> Iterator[str]:
    """Everything that a claim rests on, directly or not, each once."""
    seen, waiting = {id}, list(judged[id].since)
    while waiting:
        other = waiting.pop(0)
        if other not in seen and other in judged:
            seen.add(other)
            waiting += judged[other].since
            yield other


def _definitions(statements: Iterable[Statement]) -> tuple[Definition, ...]:
    sides = (side for statement in statements for side in expressions_of(statement))
    return tuple(dict.fromkeys(made for side in sides for made in definitions_in(side)))


def _kinds(statement: Statement) -> Iterator[Kind]:
    """The kinds of statements and expressions that occur, also inside definitions."""
    yield type(statement)
    if further_elements(*expressions_of(statement)):
        yield Delta
    for side in expressions_of(statement):
        bodies = (made.body for made in definitions_in(side))
        yield from (type(node) for item in (side, *bodies) for node in walk(item))
    for part in parts_of(statement):
        yield from _kinds(part)
