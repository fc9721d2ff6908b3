"""The smallest single edit that makes a refuted step hold, if there is one: screened by sampling, then decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from statistics import median

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import Apply, Expression, Number, Substitution, Symbol
from grpo_symbolic.language.statement import MIRRORED, All, Implies, Relation, Statement, symbols_of
from grpo_symbolic.obligations.obligation import unfold_statement
from grpo_symbolic.points.solutions import satisfying
from grpo_symbolic.points.truth import Truth
from grpo_symbolic.referee.edits import Edit, edited_alike, edits, effort
from grpo_symbolic.referee.questions import Repair
from grpo_symbolic.translate.arithmetics import FLOATS
from grpo_symbolic.translate.program import Point, Program
from grpo_symbolic.translate.text import RELATIONS, expression_text

#: Most edits that are screened, and most survivors that are judged.
MAX_EDITS = 1_500
MAX_JUDGED = 4
_SCREENING_POINTS, _SCREENING_DIGITS = 12, 20
#: Points at which an edited step must have a value, so that holding means something.
_FEWEST = 4
_WEAKER = {"<": "<=", ">": ">="}


@dataclass(frozen=True)
class Candidate:
    """An edit in words, how unlikely it is, and the relations of all instances with it."""

    text: str
    effort: tuple[int, int]
    relations: tuple[Relation, ...]

    @property
    def operator(self) -> str:
        """The relation sign."""
        return self.relations[0].operator


def repaired(task: Repair, settings: Settings) -> Candidate | None:
    """The first edit, likely ones first, with which the step is decided to hold; None if there is none.

    In a chain the right side is the suspect, since the step before vouches for the left one. A step with free
    indices is edited alike for all their values. Many edits weaken an inequality until it holds; a bound that an
    author states is hardly ever so far off, so the edit is taken that leaves the smallest gap between the sides.
    """
    statements, relations = task.question.statements, task.question.relations
    symbols = symbols_of(*statements)
    points = [_points(statement, symbols, settings.seed) for statement in statements]
    if not all(points):
        return None
    budget = replace(settings, points=min(settings.points, 60), hunt=False)
    holding = _holding(statements, _candidates(relations, task.failing, task.suspect, symbols), relations, points)
    if relations[task.failing].operator != "=":
        turned = MIRRORED.get(relations[task.failing].operator)
        # As tight as another edit, a sign the wrong way round is the likelier slip.
        holding = iter(
            sorted(holding, key=lambda one: (round(_gap(one[0].relations, points), 2), one[0].operator != turned))
        )
    for candidate, edited in islice(holding, MAX_JUDGED):
        if all(_decided(statement, budget) for statement in edited):
            return candidate
    return None


def _holding(
    statements: Sequence[Statement],
    candidates: Iterable[Candidate],
    relations: Sequence[Relation],
    points: Sequence[Sequence[Point]],
) -> Iterator[tuple[Candidate, list[Statement]]]:
    """The edits with which all statements hold at all of their points, and the statements with them."""
    for candidate in islice(candidates, MAX_EDITS):
        edited = _edited(statements, relations, candidate.relations)
        if edited is not None and all(map(_agrees, edited, points)):
            yield candidate, edited


def _gap(relations: Sequence[Relation], points: Sequence[Sequence[Point]]) -> float:
    """How far the sides are apart, as a part of the larger one, at a typical point."""
    found: list[float] = []
    for relation, sample in zip(relations, points, strict=True):
        sides = Program((unfold(relation.left), unfold(relation.right)))
        for point in sample:
            with suppress(GrpoSymbolicError, ArithmeticError, ValueError):
                left, right = sides.run(FLOATS, point)
                found.append(abs(left - right) / (max(abs(left), abs(right)) or 1.0))
    return median(found) if found else 1.0


def _points(statement: Statement, symbols: tuple[Symbol, ...], seed: int) -> Sequence[Point]:
    """Points at which what the statement supposes holds, since elsewhere it says nothing."""
    supposed: list[Statement] = []
    while isinstance(statement, Implies):
        supposed.append(unfold_statement(statement.premise))
        statement = statement.conclusion
    count = _SCREENING_POINTS if symbols else 1
    try:
        return satisfying(tuple(supposed), symbols, False, Truth(_SCREENING_DIGITS), count, seed).points
    except GrpoSymbolicError:
        return ()


def _decided(statement: Statement, settings: Settings) -> bool:
    try:
        verdict = judge_statement(statement, (), settings, "repair").verdict
    except (GrpoSymbolicError, ArithmeticError):
        return False
    return verdict in (Verdict.DECIDED, Verdict.PROVED)


def _candidates(
    relations: Sequence[Relation], failing: int, suspect: str, symbols: tuple[Symbol, ...]
) -> Iterator[Candidate]:
    """The edits of the instance that fails, put into all of them."""
    operator = relations[failing].operator
    yield from _with_operator(relations, operator, _WEAKER)
    sides = {"left": ("left", "right"), "right": ("right", "left")}.get(suspect, ("left", "right"))
    found = [list(_of_side(relations, failing, side, symbols)) for side in sides]
    if suspect == "either":
        yield from sorted((one for side in found for one in side), key=lambda one: one.effort)
    else:
        yield from (one for side in found for one in side)
    yield from _with_operator(relations, operator, MIRRORED)


def _with_operator(relations: Sequence[Relation], operator: str, other: Mapping[str, str]) -> Iterator[Candidate]:
    """The relation weakened, or turned round."""
    if operator in other:
        text = f"{RELATIONS[operator]} -> {RELATIONS[other[operator]]}"
        yield Candidate(text, (0, 0), tuple(replace(one, operator=other[operator]) for one in relations))


def _of_side(relations: Sequence[Relation], failing: int, side: str, symbols: Sequence[Symbol]) -> Iterator[Candidate]:
    for edit in edits(getattr(relations[failing], side), symbols):
        if relations[failing].operator != "=" and _gives_up(edit):
            continue
        alike: list[Relation] = []
        for relation in relations:
            whole = edit.whole if relation is relations[failing] else _alike(relation, side, edit, symbols)
            if whole is None:
                break
            alike.append(_with_side(relation, side, whole))
        else:
            text = f"{expression_text(edit.before)} -> {expression_text(edit.after)}"
            yield Candidate(text, effort(edit), tuple(alike))


def _gives_up(edit: Edit) -> bool:
    """Whether an edit drops a part or turns its sign: almost any inequality holds after one of those."""
    turned = isinstance(edit.after, Apply) and edit.after.operator == "negate" and edit.after.operands == (edit.before,)
    dropped = edit.kind in ("term", "factor") and edit.after in edit.before.children
    return turned or dropped or edit.after == Number(Fraction(0))


def _alike(relation: Relation, side: str, edit: Edit, symbols: Sequence[Symbol]) -> Expression | None:
    return edited_alike(getattr(relation, side), edit, symbols)


def _with_side(relation: Relation, side: str, whole: Expression) -> Relation:
    return replace(relation, left=whole) if side == "left" else replace(relation, right=whole)


def _edited(
    statements: Sequence[Statement], relations: Sequence[Relation], changed: Sequence[Relation]
) -> list[Statement] | None:
    found = [_put(*one) for one in zip(statements, relations, changed, strict=True)]
    kept = [one for one in found if one is not None]
    return kept if len(kept) == len(found) else None


def _put(statement: Statement, relation: Relation, changed: Relation) -> Statement | None:
    """The statement with another relation in the place of its conclusion."""
    if statement == relation:
        return changed
    match statement:
        case Implies(premise, conclusion):
            inner = _put(conclusion, relation, changed)
            return None if inner is None else Implies(premise, inner)
        case All(parts) if relation.left == changed.left:
            solved = [_put(part, relation, changed) for part in parts]
            kept = tuple(part for part in solved if part is not None)
            return All(kept) if len(kept) == len(solved) else None
        case Relation(left, operator, right) if relation.left == changed.left:
            return Relation(_solved(left, relation, changed), operator, _solved(right, relation, changed))
    return None


def _solved(side: Expression, relation: Relation, changed: Relation) -> Expression:
    """A side of an equation into which another solution is put."""
    if isinstance(side, Substitution) and side.replacement == relation.right:
        return replace(side, replacement=changed.right)
    return side


def _agrees(statement: Statement, points: Sequence[Point]) -> bool:
    """Whether the statement holds at all points at which it has a value, and at some."""
    truth = Truth(_SCREENING_DIGITS)
    agreeing = 0
    try:
        plain = unfold_statement(statement)
    except GrpoSymbolicError:
        return False
    for point in points:
        try:
            if not truth.holds_quickly(plain, point):
                return False
            agreeing += 1
        except (GrpoSymbolicError, ArithmeticError):
            continue
    return agreeing >= min(_FEWEST, len(points))
