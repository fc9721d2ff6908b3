"""The cases in which an obligation fails: its negation as a disjunction of lists of relations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice, product

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.folding import negated
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Relation, Statement
from grpo_symbolic.obligations.obligation import Obligation

_MAXIMAL_CASES = 64


@dataclass(frozen=True)
class Literal:
    """A relation that must hold in a case; ``violated`` is the relation of the conclusion that it negates."""

    relation: Relation
    violated: Relation | None = None


def ways_to_fail(obligation: Obligation) -> Iterator[tuple[Literal, ...]]:
    """The ways in which the obligation can fail, and then those in which a strict inequality is just touched."""
    failures = (
        (*(Literal(literal.relation) for literal in given), *failing)
        for given in _ways(All(obligation.hypotheses), True)
        for failing in _ways(obligation.conclusion, False)
    )
    plain = list(islice(failures, _MAXIMAL_CASES))
    yield from plain
    for literals in plain:
        for position, literal in enumerate(literals):
            if literal.violated is not None and literal.violated.operator in ("<", ">"):
                touching = replace(literal.relation, operator="=")
                yield (*literals[:position], Literal(touching, literal.violated), *literals[position + 1 :])


def _ways(statement: Statement, wanted: bool) -> Iterator[tuple[Literal, ...]]:
    """The disjunctive normal form of an elementary statement or of its negation."""
    match statement:
        case Relation():
            yield (Literal(statement) if wanted else Literal(negated(statement), statement),)
        case All(parts) | Any(parts):
            ways = [_ways(part, wanted) for part in parts]
            if isinstance(statement, All) is wanted:
                for combination in product(*ways):
                    yield tuple(chain.from_iterable(combination))
            else:
                yield from chain.from_iterable(ways)
        case Implies(premise, conclusion) if wanted:
            yield from chain(_ways(premise, False), _ways(conclusion, True))
        case Implies(premise, conclusion):
            yield from _both_ways(premise, True, conclusion, False)
        case Equivalent(left, right):
            yield from _both_ways(left, True, right, wanted)
            yield from _both_ways(left, False, right, not wanted)
        case _:
            raise UnsupportedError(f"{type(statement).__name__} is not elementary")


def _both_ways(
    left: Statement, left_wanted: bool, right: Statement, right_wanted: bool
) -> Iterator[tuple[Literal, ...]]:
    for first in _ways(left, left_wanted):
        for second in _ways(right, right_wanted):
            yield (*first, *second)
