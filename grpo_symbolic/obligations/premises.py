"""What must be able to hold for a statement to say anything: its hypotheses, and the premises inside it.

A statement whose hypotheses never hold is true and says nothing. Hypotheses are all that restrict where it speaks:
those that are given, the premise of an implication, what is summed over the outputs. Of an equivalence it is enough
that one side can hold, since the other then does; where neither can, it holds, but this has to be shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grpo_symbolic.language.composites import Existence, Summed
from grpo_symbolic.language.statement import All, Equivalent, Implies, Statement
from grpo_symbolic.obligations.obligation import parted, unfold_statement


@dataclass(frozen=True)
class Premises:
    """Unfolded statements that must hold together somewhere, or for an equivalence one of two such lists."""

    label: str
    statements: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


def premises(statement: Statement, hypotheses: Sequence[Statement]) -> tuple[Premises, ...]:
    """Everything that must be able to hold, each list once; nothing where nothing restricts the statement."""
    found: dict[tuple[Statement, ...], Premises] = {}
    for item in _premises(statement, tuple(hypotheses)):
        known = tuple(map(unfold_statement, item.statements))
        if known and known not in found:
            # Evidence is found by its label, so labels differ.
            before = sum(other.label.startswith(item.label) for other in found.values())
            label = f"{item.label} ({before + 1})" if before else item.label
            found[known] = Premises(label, known, tuple(map(unfold_statement, item.otherwise)))
    return tuple(found.values())


def _premises(statement: Statement, given: tuple[Statement, ...]) -> Iterator[Premises]:
    match statement:
        case All(parts) if parts:
            for part in parts:
                yield from _premises(part, given)
        case Implies(premise, conclusion):
            yield from _premises(conclusion, (*given, premise))
        case Equivalent(left, right):
            yield Premises("one side can hold", (*given, left), (*given, right))
        case Summed(premise):
            yield Premises("the premise can hold", (*given, premise))
        case Existence(inner, at):
            # Hypotheses about the witness are shown of it; the others are about parameters.
            yield from _premises(inner, parted(dict(at), given)[1])
        case _:
            yield Premises("the hypotheses can hold", given)
