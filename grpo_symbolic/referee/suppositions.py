"""What a step supposes: a condition under which one that fails would hold, and those that one that holds does not need.

Both are remarks for the author and never verdicts: what is printed fails, or holds, as it is printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.statement import Implies, Relation, Statement, conjunction, symbols_of
from grpo_symbolic.language.vocabulary import rational
from grpo_symbolic.obligations.lemmas import taken_apart
from grpo_symbolic.obligations.obligation import unfold_statement
from grpo_symbolic.points.solutions import satisfying
from grpo_symbolic.points.truth import Truth
from grpo_symbolic.referee.questions import Question
from grpo_symbolic.translate.program import Point
from grpo_symbolic.translate.text import statement_text

#: Points of the domains at which a step is looked at, and how many of them have to meet a condition.
_POINTS, _FEWEST, _DIGITS = 60, 6, 20
#: Most letters between which conditions are tried, and most conditions that are judged.
_MOST_LETTERS, _MOST_JUDGED = 5, 3
_OPERATORS = (">=", "<=", ">", "<")


@dataclass(frozen=True)
class Needed:
    """What is asked about a step that fails: under which simple condition it would hold."""

    question: Question


@dataclass(frozen=True)
class Spared:
    """What is asked about a step that holds: which of the conditions that are printed it does not need."""

    question: Question


def needed(task: Needed, settings: Settings) -> str | None:
    """A sign of a letter or an order of two with which all statements are decided to hold, in words; None without one.

    Of several, the one that leaves the most points.
    """
    statements = task.question.statements
    symbols = symbols_of(*statements)
    budget = replace(settings, points=min(settings.points, 60), hunt=False)
    found = [seen for one in statements for seen in _looked_at(one, symbols, settings.seed)]
    if not symbols or all(holds for _, holds in found):
        return None
    truth = Truth(_DIGITS)
    meeting: list[tuple[int, Relation]] = []
    for condition in _conditions(symbols[:_MOST_LETTERS]):
        met = [holds for point, holds in found if truth.holds_quickly(condition, point)]
        if len(met) >= _FEWEST and all(met):
            meeting.append((len(met), condition))
    for _, condition in sorted(meeting, key=lambda one: -one[0])[:_MOST_JUDGED]:
        if all(_decided(_supposing(condition, one), budget) for one in statements):
            return statement_text(condition)
    return None


def spared(task: Spared, settings: Settings) -> tuple[str, ...]:
    """The conditions without which all statements are decided to hold as well, each by itself, in words."""
    split = [taken_apart(one) for one in task.question.statements]
    count = len(split[0][0]) if split else 0
    if any(len(parts) != count for parts, _ in split):
        return ()
    return tuple(
        statement_text(split[0][0][number])
        for number in range(count)
        if all(_decided(_without(number, parts, rest), settings) for parts, rest in split)
    )


def _conditions(symbols: Sequence[Symbol]) -> Iterator[Relation]:
    for symbol in symbols:
        yield from (Relation(symbol, operator, rational(0)) for operator in _OPERATORS)
    for first, second in combinations(symbols, 2):
        yield from (Relation(first, operator, second) for operator in _OPERATORS)
    for symbol in symbols:
        yield from (Relation(symbol, operator, rational(1)) for operator in _OPERATORS)


def _looked_at(statement: Statement, symbols: tuple[Symbol, ...], seed: int) -> Iterator[tuple[Point, bool]]:
    """Points at which what is supposed holds, with whether the statement does; none where it has no value."""
    supposed, rest = taken_apart(statement)
    truth = Truth(_DIGITS)
    with suppress(GrpoSymbolicError, ArithmeticError):
        hypotheses = tuple(unfold_statement(one) for one in supposed)
        plain = unfold_statement(rest)
        for point in satisfying(hypotheses, symbols, False, truth, _POINTS, seed).points:
            with suppress(GrpoSymbolicError, ArithmeticError):
                yield point, truth.holds_quickly(plain, point)


def _supposing(condition: Relation, statement: Statement) -> Statement:
    supposed, rest = taken_apart(statement)
    return Implies(conjunction([condition, *supposed]), rest)


def _without(number: int, supposed: Sequence[Statement], rest: Statement) -> Statement:
    kept = [one for at, one in enumerate(supposed) if at != number]
    return Implies(conjunction(kept), rest) if kept else rest


def _decided(statement: Statement, settings: Settings) -> bool:
    try:
        verdict = judge_statement(statement, (), settings, "supposition").verdict
    except (GrpoSymbolicError, ArithmeticError, RecursionError):
        return False
    return verdict in (Verdict.DECIDED, Verdict.PROVED)
