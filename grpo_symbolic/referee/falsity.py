"""Whether a statement is false somewhere, found out by evaluation alone: a second opinion on what was decided.

Sides are computed at seeded points to many digits, also where they hold integrals, series and limits, whose errors are
estimated. Nothing is concluded from it about a paper; it tells whether a planted slip made something false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial, reduce
from operator import add

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Expression, Number, Total, rebuild, substitute, walk
from grpo_symbolic.language.statement import (
    Equivalent,
    Implies,
    Relation,
    Statement,
    expressions_of,
    map_expressions,
    symbols_of,
    truth,
)
from grpo_symbolic.obligations.obligation import unfold_statement
from grpo_symbolic.points.solutions import satisfying
from grpo_symbolic.points.truth import Truth
from grpo_symbolic.processes.tasks import Tell
from grpo_symbolic.referee.closing.closing import for_numbers, whole_symbols
from grpo_symbolic.translate.estimates import Estimator
from grpo_symbolic.translate.program import Inexact, Point

_POINTS, _SEED, _DIGITS = 40, 11, 45
#: Whole numbers for which sums are written out, and most terms of one.
_NUMBERS, _MOST_TERMS = 6, 60
#: Relative differences below which sides count as equal, as computed and where integrals and the like are estimated.
_CLOSE, _ESTIMATED = 1e-24, 1e-5
#: A difference above this part of the sides certainly is one.
_APART, _ESTIMATED_APART = 1e-18, 1e-3


def false_somewhere(statements: Sequence[Statement], tell: Tell | None = None) -> bool | None:
    """Whether some statement fails at some point; None if it could be evaluated nowhere."""
    seen = False
    for statement in statements:
        for holds in (holds for one in _for_whole_numbers(statement) for holds in _found(one)):
            if holds is False:
                return True
            seen = seen or holds is True
    return False if seen else None


def _for_whole_numbers(statement: Statement) -> list[Statement]:
    """The statement, for the first whole numbers at which its sums end, with these written out."""
    statements = [statement]
    for symbol in whole_symbols(statement):
        statements = [each for one in statements for _, each in for_numbers(one, symbol, _NUMBERS)]
    return [map_expressions(one, _written_out) for one in statements[: _NUMBERS**2]]


def _written_out(expression: Expression) -> Expression:
    """An expression with the terms of its sums between two whole numbers added up."""
    inner = rebuild(expression, tuple(map(_written_out, expression.children)))
    match inner:
        case Binder("sum", body, symbol, Number(), Number()):
            (first, last) = (_whole(end) for end in (inner.lower, inner.upper))
            if first is None or last is None or last - first > _MOST_TERMS:
                return inner
            terms = [substitute(body, {symbol: Number(Fraction(at))}) for at in range(first, last + 1)]
            return reduce(add, terms) if terms else Number(Fraction(0))
    return inner


def _whole(end: Expression | None) -> int | None:
    return end.value.numerator if isinstance(end, Number) and end.value.denominator == 1 else None


def _found(statement: Statement) -> Iterator[bool | None]:
    """Whether a statement holds at each of some points at which what it supposes does."""
    supposed: list[Statement] = []
    while isinstance(statement, Implies):
        supposed.append(statement.premise)
        statement = statement.conclusion
    parts: list[tuple[Statement, tuple[Statement, ...]]] = [(statement, ())]
    if isinstance(statement, Equivalent):
        # Each side is looked at where the other one holds, since points by chance hardly ever solve an equation.
        parts = [(statement.right, (statement.left,)), (statement.left, (statement.right,))]
    for conclusion, more in parts:
        with suppress(GrpoSymbolicError, ArithmeticError, ValueError):
            yield from _at_points(unfold_statement(conclusion), [unfold_statement(one) for one in (*supposed, *more)])


def _at_points(conclusion: Statement, supposed: Sequence[Statement]) -> Iterator[bool | None]:
    symbols = symbols_of(conclusion, *supposed)
    totals = any(isinstance(node, Total) for side in expressions_of(conclusion) for node in walk(side))
    evaluator = Truth(_DIGITS)
    for point in satisfying(tuple(supposed), symbols, totals, evaluator, _POINTS if symbols else 1, _SEED).points:
        if totals:
            with suppress(GrpoSymbolicError, ArithmeticError):
                yield evaluator.holds(conclusion, point)
            continue
        yield holds_at(conclusion, point)


def has_binder(statement: Statement) -> bool:
    """Whether integrals, series or limits stand in a statement, whose values are estimates."""
    return any(isinstance(node, Binder) for side in expressions_of(statement) for node in walk(side))


def holds_at(statement: Statement, point: Point) -> bool | None:
    """Whether an elementary statement holds at a point; None where that is not seen."""
    return truth(statement, partial(_compared, point=point))


def _compared(relation: Relation, point: Point) -> bool | None:
    """Whether a relation holds at a point; None where that is not seen."""
    estimator = Estimator()
    context = estimator.context
    estimated = has_binder(relation)
    values = {
        name: context.make_mpf(at.value) if isinstance(at, Inexact) else context.mpf(at.numerator) / at.denominator
        for name, at in point.values.items()
    }
    try:
        left, right = (estimator.value(side, values) for side in (relation.left, relation.right))
    except (GrpoSymbolicError, ArithmeticError, ValueError):
        return None
    if not (context.isfinite(left) and context.isfinite(right)):
        return None
    gap, size = left - right, max(abs(left), abs(right))
    close, apart = (_ESTIMATED, _ESTIMATED_APART) if estimated else (_CLOSE, _APART)
    if abs(gap) <= close * size:
        return {"=": True, "<=": True, ">=": True}.get(relation.operator)
    if abs(gap) <= apart * size:
        return None
    return {
        "=": False, "!=": True, "<": gap < 0, "<=": gap < 0, ">": gap > 0, ">=": gap > 0,
    }.get(relation.operator)  # fmt: skip
