"""Decide equations by exact normal forms; hypotheses that define a symbol are used by substitution.

An equation holds if the difference of its sides has normal form 0 and every side condition of the normal
form is discharged: by ranges over the domains, else by the SMT solvers under the hypotheses. A normal
form that is not 0 refutes nothing by itself; for that a counterexample is needed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grpo_symbolic.checks import smt
from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.totals import reduce_totals
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Settings, Verdict
from grpo_symbolic.language.expression import Expression, Number, Symbol, substitute
from grpo_symbolic.language.outputs import has_totals
from grpo_symbolic.language.statement import (
    All,
    Any,
    Relation,
    Statement,
    conjuncts,
    is_equation,
    ne,
    symbols_of,
)
from grpo_symbolic.obligations.elimination import assigned, without
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.points.sampling import draw_points
from grpo_symbolic.translate.balls import BallFunction, exact, precision
from grpo_symbolic.translate.ranges import decide_by_range, holds_for_signs
from grpo_symbolic.translate.tower import Tower, normal_forms

METHOD = "exact"

#: How many points are drawn to find some that satisfy the hypotheses, and at how many signs are read.
_DRAWN_POINTS = 240
_TRIED_POINTS = 3
#: Equations are solved for a symbol at most this often.
_MOST_ELIMINATIONS = 8


@dataclass(frozen=True)
class _Finding:
    verdict: Verdict
    note: str
    not_zero: bool = False


@dataclass(frozen=True)
class _Problem:
    """A relation with what is known: remaining hypotheses, those that were given, and conditions of the way here."""

    relation: Relation
    hypotheses: tuple[Statement, ...]
    given: tuple[Statement, ...]
    conditions: tuple[Relation, ...] = ()
    steps: tuple[str, ...] = ()

    def after(self, symbol: Symbol, value: Expression, step: str, conditions: Sequence[Relation] = ()) -> _Problem:
        """The problem with ``symbol`` replaced in its relation, under these conditions."""
        left, right = (substitute(side, {symbol: value}) for side in (self.relation.left, self.relation.right))
        return replace(
            self,
            relation=Relation(left, self.relation.operator, right),
            conditions=(*self.conditions, *conditions),
            steps=(*self.steps, step),
        )


def unavailable() -> str | None:
    """None: everything this method needs comes with the package."""
    return None


def check(obligation: Obligation, settings: Settings) -> Evidence | None:
    """Decide an equation or a conjunction of equations by normal forms.

    Other relations are decided only if their sides differ by a rational constant. None if no part
    of the conclusion is of either kind.
    """
    started = time.perf_counter()
    parts = list(conjuncts(obligation.conclusion))
    relations = [part for part in parts if isinstance(part, Relation)]
    if len(relations) < len(parts):
        return None
    try:
        reduced = reduce_totals(obligation)
    except (UndefinedError, UnsupportedError) as error:
        return _evidence(obligation, _Finding(Verdict.UNDECIDED, str(error)), started)
    reduced_parts = [part for part in conjuncts(reduced.conclusion) if isinstance(part, Relation)]
    findings: list[tuple[Relation, _Finding | None]] = []
    for part, reduced_part in zip(relations, reduced_parts, strict=True):
        findings.append((part, _judge(replace(reduced, conclusion=reduced_part), settings)))
    combined = _combine(findings)
    return None if combined is None else _evidence(obligation, combined, started)


def _evidence(obligation: Obligation, finding: _Finding, started: float) -> Evidence:
    seconds = time.perf_counter() - started
    make = award if finding.verdict is Verdict.DECIDED else Evidence
    return make(METHOD, finding.verdict, obligation.label, finding.note, seconds=seconds)


def _combine(findings: Sequence[tuple[Relation, _Finding | None]]) -> _Finding | None:
    """All parts must be decided; the first that is not gives the reason."""
    known = [finding for _, finding in findings if finding is not None]
    if not known:
        return None
    for relation, finding in findings:
        if finding is None:
            return _Finding(Verdict.UNDECIDED, f"normal forms do not decide {relation}")
        if finding.verdict is not Verdict.DECIDED:
            return finding
    return _Finding(Verdict.DECIDED, "; ".join(dict.fromkeys(finding.note for finding in known)))


def _judge(reduced: Obligation, settings: Settings) -> _Finding | None:
    """Judge one relation."""
    relation = reduced.conclusion
    if not isinstance(relation, Relation):
        return None
    given = tuple(conjuncts(*reduced.hypotheses))
    problem = _substituted(_Problem(relation, given, given))
    never = _never(problem)
    if never is not None:
        return _Finding(Verdict.DECIDED, f"{never} never holds")
    if relation.operator != "=":
        return _judge_constant(problem, settings)
    reason = ""
    for attempt in _attempts(problem, settings):
        finding = _normal_form_zero(attempt, settings)
        if finding.verdict is Verdict.DECIDED:
            return finding
        reason = reason or finding.note
    return _Finding(Verdict.UNDECIDED, reason)


# --- what the hypotheses offer


def _substituted(problem: _Problem) -> _Problem:
    """Use hypotheses of the form symbol = expression, in order, until none is left."""
    hypotheses, used = assigned(problem.hypotheses)
    for symbol, value in used:
        problem = problem.after(symbol, value, f"{symbol} substituted")
    return replace(problem, hypotheses=hypotheses)


def _never(problem: _Problem) -> Statement | None:
    """A hypothesis that fails on the whole domain."""
    return next(
        (
            part
            for part in conjuncts(*problem.hypotheses)
            if isinstance(part, Relation) and decide_by_range(part) is False
        ),
        None,
    )


def _attempts(problem: _Problem, settings: Settings) -> Iterator[_Problem]:
    """The problem itself, then with linear equations among its hypotheses solved."""
    yield problem
    for _ in range(_MOST_ELIMINATIONS):
        eliminated = _eliminated(problem, settings)
        if eliminated is None:
            return
        problem = _substituted(eliminated)
        yield problem


def _eliminated(problem: _Problem, settings: Settings) -> _Problem | None:
    """Solve the first equation that is linear in a symbol whose coefficient does not vanish."""
    for number, hypothesis in enumerate(problem.hypotheses):
        if not is_equation(hypothesis):
            continue
        rest = problem.hypotheses[:number] + problem.hypotheses[number + 1 :]
        for symbol, value, conditions in _solutions(hypothesis, problem, settings):
            if all(_discharged(condition, problem.given, settings) for condition in conditions):
                left = replace(problem, hypotheses=without(symbol, value, rest))
                return left.after(symbol, value, f"{symbol} eliminated", conditions)
    return None


def _solutions(
    equation: Relation, problem: _Problem, settings: Settings
) -> Iterator[tuple[Symbol, Expression, list[Relation]]]:
    """Ways to solve an equation for a symbol in which it is linear, constant coefficients first."""
    for sample in _samples((equation, problem.relation), problem.hypotheses, settings)[:1]:
        try:
            tower, (difference,) = normal_forms([equation.left - equation.right], sample)
        except (UndefinedError, UnsupportedError):
            return
        found = []
        for symbol in tower.symbols:
            parts = tower.linear_parts(difference, symbol)
            if parts is not None:
                slope, rest = parts
                conditions = tower.side_conditions
                if not isinstance(slope, Number):
                    conditions.append(ne(slope, 0))
                found.append((symbol, -rest / slope, conditions))
        wanted = set(symbols_of(problem.relation))
        yield from sorted(found, key=lambda item: (len(item[2]), item[0] not in wanted, item[0].name))


# --- normal forms


def _normal_form_zero(problem: _Problem, settings: Settings) -> _Finding:
    """Look for a sample point at which the normal form is 0 under conditions that can be discharged."""
    relation = problem.relation
    equations = [part for part in problem.hypotheses if is_equation(part)]
    reason = "no sample point was found"
    for sample in _samples((relation, *equations), problem.hypotheses, settings):
        finding = _at_sample(problem, [], sample, settings)
        if finding.verdict is not Verdict.DECIDED and equations:
            with_equations = _at_sample(problem, equations, sample, settings)
            finding = with_equations if with_equations.verdict is Verdict.DECIDED else finding
        if finding.verdict is Verdict.DECIDED or finding.not_zero:
            return finding
        reason = finding.note
    return _Finding(Verdict.UNDECIDED, reason)


_NOT_ZERO = "normal form is not 0"


def _at_sample(
    problem: _Problem, equations: Sequence[Relation], sample: Mapping[Symbol, Fraction], settings: Settings
) -> _Finding:
    relations = (problem.relation, *equations)
    try:
        tower, elements = normal_forms([item.left - item.right for item in relations], sample)
    except (UndefinedError, UnsupportedError) as error:
        return _Finding(Verdict.UNDECIDED, str(error))
    difference, divisors = elements[0], elements[1:]
    if not (tower.is_zero(difference) or any(tower.vanishes_with(difference, divisor) for divisor in divisors)):
        undecided = _undischarged(tower.side_conditions, problem, settings)
        note = _NOT_ZERO if undecided is None else f"{_NOT_ZERO} where {undecided}"
        return _Finding(Verdict.UNDECIDED, note, not_zero=undecided is None)
    conditions = (*problem.conditions, *tower.side_conditions)
    failing = _undischarged(conditions, problem, settings)
    if failing is not None:
        return _Finding(Verdict.UNDECIDED, f"normal form 0, but not shown: {failing}")
    steps = (*problem.steps, *(("reduced modulo a hypothesis",) if equations else ()))
    return _Finding(Verdict.DECIDED, _described(tower, len(conditions), steps))


def _described(tower: Tower, conditions: int, steps: Sequence[str]) -> str:
    adjoined = [
        _count(number, word)
        for number, word in (
            (len(tower.symbols), "symbol"),
            (tower.radicals, "radical"),
            (tower.exponentials, "exponential"),
            (tower.logarithms, "logarithm"),
        )
        if number or word == "symbol"
    ]
    parts = ["normal form 0 over " + ", ".join(adjoined), *steps]
    if conditions:
        parts.append(f"{_count(conditions, 'side condition')} discharged")
    return "; ".join(parts)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _judge_constant(problem: _Problem, settings: Settings) -> _Finding | None:
    """Decide a relation whose sides differ by a rational constant."""
    for sample in _samples((problem.relation,), problem.hypotheses, settings):
        try:
            tower, (difference,) = normal_forms([problem.relation.left - problem.relation.right], sample)
        except (UndefinedError, UnsupportedError):
            continue
        value = tower.constant_value(difference)
        conditions = (*problem.conditions, *tower.side_conditions)
        if value is None or _undischarged(conditions, problem, settings) is not None:
            continue
        if holds_for_signs(frozenset(((value > 0) - (value < 0),)), problem.relation.operator):
            return _Finding(Verdict.DECIDED, f"the sides differ by the constant {value}")
        return _Finding(Verdict.UNDECIDED, f"the sides differ by the constant {value}")
    return None


# --- side conditions and sample points


def _undischarged(conditions: Sequence[Relation], problem: _Problem, settings: Settings) -> Relation | None:
    """The first condition that is not shown to follow from the hypotheses."""
    return next((item for item in conditions if not _discharged(item, problem.given, settings)), None)


def _discharged(condition: Relation, given: tuple[Statement, ...], settings: Settings) -> bool:
    if decide_by_range(condition):
        return True
    if condition in given or smt.unavailable() is not None:
        return condition in given
    found = smt.check(Obligation("side condition", given, condition), settings)
    return found is not None and found.verdict is Verdict.DECIDED


def _samples(
    relations: Sequence[Relation], hypotheses: Sequence[Statement], settings: Settings
) -> list[dict[Symbol, Fraction]]:
    """Points inside the domains, preferably such that the inequalities among the hypotheses hold."""
    symbols = symbols_of(*relations, *hypotheses)
    inside: list[dict[Symbol, Fraction]] = []
    found: list[dict[Symbol, Fraction]] = []
    with precision(128):
        tests = [_Test(hypothesis, symbols) for hypothesis in hypotheses]
        for point in draw_points(symbols, _DRAWN_POINTS, settings.seed):
            if not all(_is_inside(symbol, value) for symbol, value in point.items()):
                continue
            inside.append(point)
            if all(test(point) for test in tests):
                found.append(point)
                if len(found) == _TRIED_POINTS:
                    break
    return found or inside[:_TRIED_POINTS]


def _is_inside(symbol: Symbol, value: Fraction) -> bool:
    return value not in (symbol.domain.lower, symbol.domain.upper) or symbol.domain.lower == symbol.domain.upper


class _Test:
    """Whether a hypothesis holds at a point as far as inequalities can tell."""

    def __init__(self, hypothesis: Statement, symbols: Sequence[Symbol]) -> None:
        self._symbols = tuple(symbols)
        self._statement = hypothesis
        self._differences = {
            part: BallFunction(part.left - part.right, symbols)
            for part in _inequalities(hypothesis)
            if not has_totals([part])
        }

    def __call__(self, point: Mapping[Symbol, Fraction]) -> bool:
        values = [exact(point[symbol]) for symbol in self._symbols]
        return self._holds(self._statement, values)

    def _holds(self, statement: Statement, values: Sequence[object]) -> bool:
        match statement:
            case Relation(_, operator, _) if statement in self._differences:
                ball = self._differences[statement].enclose(values)
                signs = {sign for sign, seen in ((-1, ball < 0), (1, ball > 0), (0, ball == 0)) if seen}
                return bool(signs) and bool(holds_for_signs(frozenset(signs), operator))
            case All(parts):
                return all(self._holds(part, values) for part in parts)
            case Any(parts):
                return any(self._holds(part, values) for part in parts)
            case _:
                return True


def _inequalities(statement: Statement) -> Iterator[Relation]:
    match statement:
        case Relation(_, operator, _) if operator != "=":
            yield statement
        case All(parts) | Any(parts):
            for part in parts:
                yield from _inequalities(part)
