"""The smallest single edit that makes a refuted step hold, if there is one: screened by sampling, then decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.evidence import Settings, Verdict
from grpo_symbolic.judge import judge_statement
from grpo_symbolic.obligations import unfold_statement
from grpo_symbolic.referee.edits import Edit, edits, effort
from grpo_symbolic.referee.questions import Repair
from grpo_symbolic.sampling import draw_points
from grpo_symbolic.statement import Implies, Relation, Statement, symbols_of
from grpo_symbolic.terminal import expression_text
from grpo_symbolic.translate.program import Point
from grpo_symbolic.truth import Truth

#: Most edits that are screened, and most survivors that are judged.
MAX_EDITS = 1_500
MAX_JUDGED = 4
_SCREENING_POINTS, _SCREENING_DIGITS = 12, 20
#: Points at which an edited step must have a value, so that holding means something.
_FEWEST = 4


def find_repair(task: Repair, settings: Settings) -> str | None:
    """Describe the first edit, likely ones first, with which the step is decided to hold; None if there is none.

    In a chain the right side is the suspect, since the step before vouches for the left one.
    """
    statement, relation = task.question.statements[0], task.question.relations[0]
    points = [
        Point({symbol.name: value for symbol, value in point.items()})
        for point in draw_points(symbols_of(statement), _SCREENING_POINTS, settings.seed)
    ]
    budget = replace(settings, points=min(settings.points, 60), hunt=False)
    for edit, edited in islice(_holding(statement, _candidates(relation, task.suspect), relation, points), MAX_JUDGED):
        try:
            verdict = judge_statement(edited, (), budget, "repair").verdict
        except (GrpoSymbolicError, ArithmeticError):
            continue
        if verdict in (Verdict.DECIDED, Verdict.PROVED):
            return f"{expression_text(edit.before)} -> {expression_text(edit.after)}"
    return None


def _holding(
    statement: Statement, candidates: Iterable[tuple[Edit, Relation]], relation: Relation, points: list[Point]
) -> Iterator[tuple[Edit, Statement]]:
    for edit, changed in islice(candidates, MAX_EDITS):
        edited = _put(statement, relation, changed)
        if edited is not None and _agrees(edited, points):
            yield edit, edited


def _candidates(relation: Relation, suspect: str) -> list[tuple[Edit, Relation]]:
    symbols = symbols_of(relation)
    left = [(edit, replace(relation, left=edit.whole)) for edit in edits(relation.left, symbols)]
    right = [(edit, replace(relation, right=edit.whole)) for edit in edits(relation.right, symbols)]
    match suspect:
        case "left":
            return left + right
        case "right":
            return right + left
        case _:
            return sorted(left + right, key=lambda candidate: effort(candidate[0]))


def _put(statement: Statement, relation: Relation, changed: Relation) -> Statement | None:
    """The statement with another relation in the place of its conclusion."""
    if statement == relation:
        return changed
    if isinstance(statement, Implies) and statement.conclusion == relation:
        return replace(statement, conclusion=changed)
    return None


def _agrees(statement: Statement, points: list[Point]) -> bool:
    """Whether the statement holds at all points at which it has a value, and at some."""
    truth = Truth(_SCREENING_DIGITS)
    agreeing = 0
    try:
        plain = unfold_statement(statement)
    except GrpoSymbolicError:
        return False
    for point in points:
        try:
            if not truth.holds(plain, point):
                return False
            agreeing += 1
        except (GrpoSymbolicError, ArithmeticError):
            continue
    return agreeing >= min(_FEWEST, len(points))
