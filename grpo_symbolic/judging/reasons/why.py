"""Why a claim that is decided holds: its derivation, or a reason for each part of it, or that there is none.

A reason is searched for what a solver, normal forms or interval arithmetic decided, one relation at a time. It is told
only if nothing is objected to it and if it takes a few lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from grpo_symbolic.cache.store import Json
from grpo_symbolic.checks import enclosure
from grpo_symbolic.checks.common_terms import Variables
from grpo_symbolic.checks.deciding import composed
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.totals import reduce_totals
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.evidence import STANDING, Evidence
from grpo_symbolic.judging.claims import hypotheses_and_lemmas
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.judging.reasons.goal import goals_of
from grpo_symbolic.judging.reasons.known import Known
from grpo_symbolic.judging.reasons.reason import Reason
from grpo_symbolic.judging.reasons.search import reason_for, reason_in_numbers
from grpo_symbolic.judging.reasons.telling import Piece, kind_of, told
from grpo_symbolic.judging.reasons.terms import Effort
from grpo_symbolic.judging.verdicts import Inquiry, Judgement
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, rebuild, walk
from grpo_symbolic.language.statement import (
    All,
    expressions_of,
    symbols_of,
)
from grpo_symbolic.language.vocabulary import definitions_in
from grpo_symbolic.obligations.expansion import SUPPOSED_HAS_VALUE
from grpo_symbolic.obligations.obligation import Obligation

#: What is tried for one claim at most, and characters of LaTeX in what is still a few lines.
_EFFORT, _FEW_LINES = 120, 1100
_STEP = re.compile(r"\.step-[0-9]+$")
#: What is no reason that a person can multiply out.
BOXES, NONE = "boxes", "none"


class Standing(Enum):
    """Whether a claim tells why it holds."""

    DERIVED = "derivation"
    REASONED = "reason"
    PARTLY = "partly"
    NOT_YET = "none"


@dataclass(frozen=True)
class Ground:
    """One thing that was decided, by a method, and why it holds: a kind of reason, and what is told of it."""

    label: str
    method: str
    kind: str
    told: tuple[Piece, ...] = ()

    @property
    def is_reason(self) -> bool:
        """Whether a person can follow it."""
        return self.kind not in (BOXES, NONE)


@dataclass(frozen=True)
class Why:
    """Why a claim holds: by the steps of its derivation, or part by part."""

    derived: bool
    parts: tuple[Ground, ...] = ()

    @property
    def standing(self) -> Standing:
        """Whether all parts have a reason, some of them, or none."""
        if self.derived:
            return Standing.DERIVED
        reasons = [part.is_reason for part in self.parts]
        return Standing.REASONED if all(reasons) else Standing.PARTLY if any(reasons) else Standing.NOT_YET


def is_step(id: str) -> bool:
    """Whether an id is that of a step of a derivation, as ``Claim.steps`` gives them: its words say why it holds."""
    return _STEP.search(id) is not None


def why(claim: Claim, judgement: Judgement) -> Why | None:
    """Why a claim holds that is decided; None if it is not, or is assumed."""
    if claim.assumed or judgement.verdict not in STANDING:
        return None
    if claim.is_derived:
        return Why(True)
    decided = {item.obligation: item for item in reversed(judgement.evidence) if item.verdict in STANDING}
    inquiry = Inquiry(claim.statement, *hypotheses_and_lemmas(claim), composed(claim))
    plan = next((plan for plan in inquiry.plans if all(one.label in decided for one in plan)), ())
    effort = Effort(_EFFORT)
    parts = tuple(_part(one, decided[one.label], effort, claim) for one in plan if not _needs_none(one))
    # What was decided in another way than by one of its plans has no reason here.
    return Why(False, parts or (Ground("claim", "", NONE),))


def kept_why(
    claim: Claim, asked: Claim, judgement: Judgement, known: Mapping[str, Why | None], fragments: Fragments
) -> Why | None:
    """Why a claim holds, as it is known, or was kept of what is ``asked`` of it, decided by the same methods."""
    if claim.is_derived:
        return why(claim, judgement)
    decided = tuple((one.obligation, one.method, one.note) for one in judgement.evidence if one.verdict in STANDING)
    content = (asked, judgement.verdict.value, decided)
    return fragments.kept(
        "why", content, lambda: known[claim.id] if claim.id in known else why(claim, judgement), written, restored
    )


def _needs_none(one: Obligation) -> bool:
    """Whether an obligation says nothing, or only that something has a value, where nothing else could be meant."""
    return one.conclusion == All(()) or one.side_condition or SUPPOSED_HAS_VALUE in one.label


def _part(obligation: Obligation, found: Evidence, effort: Effort, claim: Claim) -> Ground:
    in_boxes = found.method == enclosure.METHOD and not _is_given(obligation)
    without = (
        Ground(obligation.label, found.method, BOXES, (Piece(found.note),))
        if in_boxes
        else Ground(obligation.label, found.method, NONE)
    )
    try:
        # What took boxes is worth no search for algebra, but perhaps a few stretches do.
        reasons = list(_reasons(obligation, None if in_boxes else effort))
    except GrpoSymbolicError:
        reasons = [None]
    given = [item for item in reasons if item is not None]
    if len(given) < len(reasons) or not given:
        return without
    known, powers = Known.of_claim(claim, obligation), _writes_powers(claim)
    pieces = _joined([told(reason, totals, known, powers=powers) for reason, totals in given])
    if sum(len(piece.text) for piece in pieces) > _FEW_LINES:
        return without
    return Ground(obligation.label, found.method, kind_of([reason for reason, _ in given]), pieces)


def _writes_powers(claim: Claim) -> bool:
    """Whether exponents stand in a claim, or in one that it uses, that are no numbers."""
    stated = (claim.statement, *claim.given, *(lemma.claim.statement for lemma in claim.using))
    sides = [side for item in stated for side in expressions_of(item)]
    sides += [made.body for side in tuple(sides) for made in definitions_in(side)]
    nodes = (node for side in sides for node in walk(side) if isinstance(node, Apply) and node.operator == "power")
    return any(not isinstance(node.operands[1], Number) for node in nodes)


def _is_given(obligation: Obligation) -> bool:
    """Whether hypotheses or lemmas say all of it outright, so that no boxes are needed, whatever decided it first."""
    goals = goals_of(obligation.hypotheses, obligation.conclusion)
    return all(goal.relation in goal.relations for goal in goals)


def _reasons(obligation: Obligation, effort: Effort | None) -> Iterator[tuple[Reason, dict[Symbol, Expression]] | None]:
    """The reasons for all that an obligation says, with what symbols in them stand for; None if one is wanting.

    Without an effort only ranges are looked at.
    """
    statements = (*obligation.hypotheses, obligation.conclusion)
    variables = Variables("total", frozenset(symbol.name for symbol in symbols_of(*statements)))
    reduced = reduce_totals(obligation, Everything(), variables)
    stands_for = _stands_for(symbols_of(*statements), variables)
    for goal in goals_of(reduced.hypotheses, reduced.conclusion):
        reason = reason_in_numbers(goal) if effort is None else reason_for(goal, effort)
        yield None if reason is None else (reason, stands_for)
        if reason is None:
            return


def _stands_for(symbols: Iterable[Symbol], variables: Variables) -> dict[Symbol, Expression]:
    """What sums and coordinates symbols stand for: where there are several sets, they are left without elements."""
    sums: dict[Symbol, Expression] = {symbol: total for total, symbol in variables.symbols.items()}

    def written_out(expression: Expression) -> Expression:
        # A sum of sums has symbols for these.
        if expression in sums:
            return written_out(sums[expression])
        return rebuild(expression, tuple(map(written_out, expression.children)))

    whole = {symbol: written_out(symbol) for symbol in (*symbols, *sums)}
    plain = {replace(symbol, indexed=None, second=None, of=None): value for symbol, value in whole.items()}
    return plain | whole


def _joined(parts: Sequence[tuple[Piece, ...]]) -> tuple[Piece, ...]:
    """Reasons one after the other, each only once."""
    found: list[Piece] = []
    for part in dict.fromkeys(parts):
        found += [*([Piece("; ")] if found else []), *part]
    return tuple(found)


def standings(whys: Iterable[Why]) -> dict[Standing, int]:
    """How many claims tell by which means why they hold."""
    found = [one.standing for one in whys]
    return {standing: found.count(standing) for standing in Standing}


def put_together(claims: Mapping[str, Claim], whys: Mapping[str, Why]) -> frozenset[str]:
    """The claims with a reason that only put lemmas together, each of which has a derivation or is such a claim."""
    settled: dict[str, bool] = {}

    def rests_on_derivations(id: str) -> bool:
        if id not in settled:
            found = whys.get(id)
            settled[id] = False  # nothing rests on itself
            if found is not None and found.standing is Standing.DERIVED:
                settled[id] = True
            elif found is not None and found.standing is Standing.REASONED and claims[id].uses:
                settled[id] = all(map(rests_on_derivations, claims[id].uses))
        return settled[id]

    return frozenset(id for id, found in whys.items() if not found.derived and rests_on_derivations(id))


def reasons_by_kind(whys: Iterable[Why]) -> dict[str, int]:
    """How often each kind of reason occurs, and how often there is none."""
    kinds = [part.kind for one in whys for part in one.parts]
    return {kind: kinds.count(kind) for kind in dict.fromkeys(sorted(kinds))}


def written(one: Why | None) -> Json:
    """What is kept of it."""
    if one is None:
        return {}
    parts: list[Json] = [
        [part.label, part.method, part.kind, [[piece.text, piece.is_formula] for piece in part.told]]
        for part in one.parts
    ]
    return {"derived": one.derived, "parts": parts}


def restored(value: Json) -> Why | None:
    """What was kept."""
    match value:
        case {"derived": bool() as derived, "parts": list() as parts}:
            return Why(derived, tuple(map(_restored, parts)))
    return None


def _restored(value: Json) -> Ground:
    match value:
        case [str() as label, str() as method, str() as kind, list() as pieces]:
            found = (piece for piece in pieces if isinstance(piece, list))
            return Ground(label, method, kind, tuple(Piece(str(text), bool(formula)) for text, formula in found))
    return Ground("", "", NONE)
