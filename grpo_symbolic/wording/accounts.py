"""What is said in prose and stands in no statement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.language.statement import Statement, symbols_of
from grpo_symbolic.wording.numbers import unexplained
from grpo_symbolic.wording.prose import sentences_of
from grpo_symbolic.wording.values import values_drawn, values_in


@dataclass(frozen=True)
class Complaint:
    """Something that a sentence says without a statement behind it."""

    where: str
    what: str


def numbers_without_source(result: Result) -> Iterator[Complaint]:
    """The decimals in the texts of a result that its statements do not give."""
    statements = [statement for made in result.claims for statement in _said(made)]
    values = values_in(statements)
    symbols = {symbol for statement in statements for symbol in symbols_of(statement)}
    for sentence in sentences_of(result):
        known = values if sentence.figure is None else values | values_drawn(sentence.figure)
        for printed in unexplained(sentence.text, known, symbols):
            yield Complaint(sentence.where, f"{printed} stands in no statement here, and nothing enclosed rounds to it")


def _said(made: Claim) -> Iterator[Statement]:
    """Everything that a claim states: also the steps of its derivation, and what the paper prints."""
    yield from (*made.given, made.statement)
    if made.printed is not None:
        yield from (*made.printed.hypotheses, made.printed.statement)
    if made.derivation is not None:
        yield from made.derivation.step_statements
