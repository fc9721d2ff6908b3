"""What must be able to hold for a statement to say anything: its hypotheses, and the premises inside it.

A statement whose hypotheses never hold is true and says nothing. Hypotheses are all that restrict where it speaks:
those that are given, the premise of an implication, what is summed over the outputs. Of an equivalence it is enough
that one side can hold, since the other then does; where neither can, it holds, but this has to be shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grpo_symbolic.language.composites import Instance, Summed
from grpo_symbolic.language.statement import All, Equivalent, Implies, Statement, symbols_of
from grpo_symbolic.obligations.obligation import unfold_statement


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
            other = tuple(map(unfold_statement, item.otherwise))
            found[known] = Premises(item.label, known, other)
    return tuple(_numbered(list(found.values())))


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
        case Instance(inner, at):
            # Hypotheses about the witness are shown of it; the others are about parameters.
            witnessed = {symbol for symbol, _ in at}
            yield from _premises(inner, tuple(item for item in given if witnessed.isdisjoint(symbols_of(item))))
        case _:
            yield Premises("the hypotheses can hold", given)


def _numbered(items: list[Premises]) -> Iterator[Premises]:
    """The same with labels that differ, since evidence is found by its label."""
    labels = [item.label for item in items]
    for number, item in enumerate(items):
        before = labels[:number].count(item.label)
        yield replace(item, label=f"{item.label} ({before + 1})") if before else item
