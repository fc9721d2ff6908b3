"""The smallest single edit that makes a refuted step hold, if there is one: screened by sampling, then decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from grpo_symbolic.language.expression import Apply, Expression, Number, Substitution, Symbol, free_symbols
from grpo_symbolic.language.statement import MIRRORED, All, Equivalent, Implies, Relation, Statement, symbols_of
from grpo_symbolic.obligations.obligation import unfold_statement
from grpo_symbolic.points.solutions import satisfying
from grpo_symbolic.points.truth import Truth
from grpo_symbolic.referee.closing.closing import closed, whole_symbols
from grpo_symbolic.referee.edits import Edit, edited_alike, edits, effort, places_of, terms_in
from grpo_symbolic.referee.falsity import false_somewhere, has_binder, holds_at
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
_CERTAIN = (Verdict.DECIDED, Verdict.PROVED)
_WEAKER = {"<": "<=", ">": ">="}
#: Sides that differ by no more of their size are the same.
_SAME = 1e-9


@dataclass(frozen=True)
class Candidate:
    """An edit in words, its kind, how unlikely it is, and the relations of all instances with it.

    The kind is that of the edit, or ``weaker`` or ``reversed`` for another relation sign.
    """

    text: str
    kind: str
    effort: tuple[int, int]
    relations: tuple[Relation, ...]

    @property
    def operator(self) -> str:
        """The relation sign."""
        return self.relations[0].operator


def repaired(task: Repair, settings: Settings) -> Candidate | None:
    """The first edit, likely ones first, with which the step is decided to hold; None if there is none.

    In a chain the right side is the suspect, since the step before vouches for the left one. A step with free
    indices is edited alike for all their values. No edit is taken that only makes a claim say nothing, such as one
    with which both sides are printed alike. Many edits weaken an inequality until it holds: a sign the wrong way round
    and a wrong constant are preferred, and then what leaves the smallest gap between the sides, since a bound that an
    author states is hardly ever far off.
    """
    statements, relations = task.question.statements, task.question.relations
    symbols = symbols_of(*statements)
    points = [_points(statement, symbols, settings.seed) for statement in statements]
    if not all(points):
        return None
    budget = replace(settings, points=min(settings.points, 60), hunt=False)
    holding = _holding(statements, _candidates(relations, task.failing, task.suspect, symbols), relations, points)
    if relations[task.failing].operator != "=":
        telling = [(one, edited) for one, edited in holding if not _says_nothing(one, points)]
        holding = iter(sorted(telling, key=lambda one: _unlikely(one[0], points)))
    for candidate, edited in islice(holding, MAX_JUDGED):
        if all(_decided(statement, budget) for statement in edited):
            return candidate
        if any(map(has_binder, edited)) and all(_sampled(statement, budget) for statement in edited):
            return _as_far_as_sampled(candidate)
        if candidate.kind in ("weaker", "reversed"):
            return None  # it seems to be what is meant, so that another edit is none the better for being decided
    return None


def _as_far_as_sampled(candidate: Candidate) -> Candidate:
    """The repair of a step with integrals, series or limits, with the remark that it is not decided."""
    return replace(candidate, text=f"{candidate.text} (sampled, not decided)")


def _unlikely(candidate: Candidate, points: Sequence[Sequence[Point]]) -> tuple[int, float, tuple[int, int]]:
    """How unlikely an edit of an inequality is: its class, how far the sides are apart with it, and its effort."""
    order = {"weaker": 0, "reversed": 1, "number": 2}
    return order.get(candidate.kind, 3), round(_gap(candidate.relations, points), 2), candidate.effort


def _says_nothing(candidate: Candidate, points: Sequence[Sequence[Point]]) -> bool:
    """Whether the sides of an inequality are the same wherever it was looked at, though nobody wrote so."""
    return candidate.kind != "weaker" and _gap(candidate.relations, points, max) < _SAME


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


def _gap(
    relations: Sequence[Relation],
    points: Sequence[Sequence[Point]],
    typical: Callable[[Sequence[float]], float] = median,
) -> float:
    """How far the sides are apart, as a part of the larger one, at a typical point."""
    found: list[float] = []
    for relation, sample in zip(relations, points, strict=True):
        sides = Program((unfold(relation.left), unfold(relation.right)))
        for point in sample:
            with suppress(GrpoSymbolicError, ArithmeticError, ValueError):
                left, right = sides.run(FLOATS, point)
                found.append(abs(left - right) / (max(abs(left), abs(right)) or 1.0))
    return typical(found) if found else 1.0


def _points(statement: Statement, symbols: tuple[Symbol, ...], seed: int) -> Sequence[Point]:
    """Points at which what the statement supposes holds, since elsewhere it says nothing.

    Of an equivalence also those at which its other side holds, which hardly any point does by chance.
    """
    supposed: list[Statement] = []
    while isinstance(statement, Implies):
        supposed.append(unfold_statement(statement.premise))
        statement = statement.conclusion
    count = _SCREENING_POINTS if symbols else 1
    wanted = [tuple(supposed)]
    if isinstance(statement, Equivalent):
        wanted.append((*supposed, unfold_statement(statement.left)))
    found: list[Point] = []
    for hypotheses in wanted:
        with suppress(GrpoSymbolicError):
            found += satisfying(hypotheses, symbols, False, Truth(_SCREENING_DIGITS), count, seed).points
    return found


def _decided(statement: Statement, settings: Settings) -> bool:
    """Whether a statement is decided to hold, with closed forms for its integrals, sums and limits if it has some."""
    try:
        verdict = judge_statement(statement, (), settings, "repair").verdict
        if verdict not in _CERTAIN and has_binder(statement):
            form = closed(statement, lambda one: judge_statement(one, (), settings, "repair").verdict in _CERTAIN)
            verdict = judge_statement(form.statement, (), settings, "repair").verdict if form is not None else verdict
    except (GrpoSymbolicError, ArithmeticError):
        return False
    return verdict in _CERTAIN


def _sampled(statement: Statement, settings: Settings) -> bool:
    """Whether a statement holds as far as its integrals, series and limits are known by estimates."""
    try:
        return judge_statement(statement, (), settings, "repair").verdict in (*_CERTAIN, Verdict.SUPPORTED)
    except (GrpoSymbolicError, ArithmeticError):
        return False


def _candidates(
    relations: Sequence[Relation], failing: int, suspect: str, symbols: tuple[Symbol, ...]
) -> Iterator[Candidate]:
    """The edits of the instance that fails, put into all of them."""
    operator = relations[failing].operator
    yield from _with_operator(relations, "weaker", operator, _WEAKER)
    yield from _with_operator(relations, "reversed", operator, MIRRORED)
    sides = {"left": ("left", "right"), "right": ("right", "left")}.get(suspect, ("left", "right"))
    found = [list(_of_side(relations, failing, side, symbols)) for side in sides]
    if suspect == "either":
        yield from sorted((one for side in found for one in side), key=lambda one: one.effort)
    else:
        yield from (one for side in found for one in side)


def _with_operator(
    relations: Sequence[Relation], kind: str, operator: str, other: Mapping[str, str]
) -> Iterator[Candidate]:
    """The relation weakened, or turned round."""
    if operator in other:
        text = f"{RELATIONS[operator]} -> {RELATIONS[other[operator]]}"
        yield Candidate(text, kind, (0, 0), tuple(replace(one, operator=other[operator]) for one in relations))


def _of_side(relations: Sequence[Relation], failing: int, side: str, symbols: Sequence[Symbol]) -> Iterator[Candidate]:
    equation = relations[failing].operator == "="
    terms = [terms_in(one.left, one.right) if equation else [] for one in relations]
    known = set(symbols)
    for edit in edits(getattr(relations[failing], side), symbols, terms[failing]):
        if _gives_up(edit, getattr(relations[failing], side), equation=equation):
            continue
        if not set(free_symbols(edit.whole)) <= known:
            continue  # a variable that is bound elsewhere
        alike: list[Relation] = []
        for number, relation in enumerate(relations):
            whole = edit.whole if number == failing else _alike(relation, side, edit, symbols, terms[number])
            if whole is None:
                break
            alike.append(_with_side(relation, side, whole))
        else:
            if not any(_printed_alike(*one) for one in zip(relations, alike, strict=True)):
                text = f"{expression_text(edit.before)} -> {expression_text(edit.after)}"
                said = _which(edit, relations[failing], side)
                yield Candidate(text + said, edit.kind, effort(edit), tuple(alike))


def _printed_alike(before: Relation, after: Relation) -> bool:
    """Whether an edit copies one side to the other, so that nothing is claimed any more."""
    same = expression_text(after.left) == expression_text(after.right)
    return same and expression_text(before.left) != expression_text(before.right)


def _which(edit: Edit, relation: Relation, side: str) -> str:
    """Which occurrence of a part is changed, if it stands at several places of the step."""
    here = places_of(edit.before, getattr(relation, side))
    other = places_of(edit.before, relation.right if side == "left" else relation.left)
    if len(here) > 1 and edit.path in here:
        return f" ({_ordinal(here.index(edit.path) + 1)} of {len(here)} on the {side})"
    return f" (on the {side})" if other else ""


def _ordinal(number: int) -> str:
    names = {1: "first", 2: "second", 3: "third"}
    return names.get(number, f"{number}th")


def _gives_up(edit: Edit, side: Expression, *, equation: bool) -> bool:
    """Whether an edit makes the claim say less: a factor or a power 0 does, and for an inequality what drops a part.

    Almost any inequality holds with a part dropped, its sign turned, or a power or function put in.
    """
    zero = Number(Fraction(0))
    if isinstance(edit.after, Apply) and edit.after.operator == "power" and edit.after.operands[1] == zero:
        return True
    if edit.after == zero:
        return not equation or _in_product(edit, side)
    if equation:
        return False
    turned = isinstance(edit.after, Apply) and edit.after.operator == "negate" and edit.after.operands == (edit.before,)
    dropped = edit.kind in ("term", "factor") and edit.after in edit.before.children
    return turned or dropped


def _in_product(edit: Edit, side: Expression) -> bool:
    """Whether the part that is changed is a factor, a base or a divisor."""
    if not edit.path:
        return False
    node = side
    for position in edit.path[:-1]:
        node = node.children[position]
    return isinstance(node, Apply) and node.operator in ("multiply", "divide", "power")


def _alike(
    relation: Relation, side: str, edit: Edit, symbols: Sequence[Symbol], terms: Sequence[Expression]
) -> Expression | None:
    return edited_alike(getattr(relation, side), edit, symbols, terms)


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
        case Equivalent(other, own):
            inner = _put(own, relation, changed)
            return None if inner is None else Equivalent(other, inner)
        case All(parts) if relation in parts:
            return All(tuple(changed if part == relation else part for part in parts))
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
    if has_binder(plain):
        if whole_symbols(plain):
            return false_somewhere((plain,)) is False
        seen = [holds_at(plain, point) for point in points[:_FEWEST]]
        return False not in seen and True in seen
    for point in points:
        try:
            if not truth.holds_quickly(plain, point):
                return False
            agreeing += 1
        except (GrpoSymbolicError, ArithmeticError):
            continue
    return agreeing >= min(_FEWEST, len(points))
