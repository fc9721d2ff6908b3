"""Decide relations by polynomial arithmetic; hypotheses that define a symbol are used by substitution.

A proposer says how it could be seen; what it says is checked here, and nothing else is used.

Soundness. Take a point of the domains at which the hypotheses hold and the relation has a value.

* A hypothesis ``symbol = value`` holds there, so ``symbol`` may be replaced by ``value`` in everything else.
* An equation E with ``times * E = slope * (symbol - value)`` holds there. If ``slope`` is not zero, and all parts have
  values, then ``symbol = value``.
* Terms are equal if their difference, times something that is not 0, lies between -3 and 3 and the sine of that is 0.
* If the sides of the relation differ by an expression identically, or where an equation holds that does, they differ by
  it there. The relation holds if the range of that, with symbols for what the sides of hypotheses differ by, compares
  with 0 as it says. The difference is an identity of ``translate.algebra``, if parts have the right signs and values.
* Of two expressions with values one is at most the other, so either may be a further hypothesis if both are tried.

Every condition is shown: by ranges over the domains, as a hypothesis, or by the SMT solvers under the hypotheses and
under what the relation needs to have a value. A normal form that is not 0 refutes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.smt import is_shown
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import Apply, Expression, Symbol, free_symbols, rebuild, substitute
from grpo_symbolic.language.statement import Relation, Statement, conjuncts, gt, lt, ne
from grpo_symbolic.obligations.obligation import Obligation, assigned, values_needed, without
from grpo_symbolic.translate.algebra import Form, Polynomial, Proposals
from grpo_symbolic.translate.ranges import NONNEGATIVE, POSITIVE, decide_by_range, negative_of

if TYPE_CHECKING:
    from grpo_symbolic.checks.proposer import Elimination, NormalForm, Proposer

METHOD = "exact"

#: Equations are solved for a symbol at most this often.
_MOST_ELIMINATIONS = 8
#: What the sides of a hypothesis may differ by.
_GAPS = {">": POSITIVE, ">=": NONNEGATIVE, "<": negative_of(POSITIVE), "<=": negative_of(NONNEGATIVE)}


@dataclass(frozen=True)
class _Problem:
    """A relation with what is known: the hypotheses that remain, and those that were given."""

    relation: Relation
    hypotheses: tuple[Statement, ...]
    given: tuple[Statement, ...]
    steps: tuple[str, ...] = ()

    def after(self, symbol: Symbol, value: Expression, step: str) -> _Problem:
        """The problem with ``symbol`` replaced in its relation."""
        left, right = (substitute(side, {symbol: value}) for side in (self.relation.left, self.relation.right))
        return replace(self, relation=Relation(left, self.relation.operator, right), steps=(*self.steps, step))


def check(goal: Obligation, proposer: Proposer) -> Evidence | None:
    """Decide a relation by what its sides differ by; None if nothing is known of an inequality, or it is none."""
    relation, given = goal.conclusion, tuple(conjuncts(*goal.hypotheses))
    if not isinstance(relation, Relation):
        return None
    problem = _substituted(_Problem(relation, given, given))
    for hypothesis in problem.hypotheses:
        if isinstance(hypothesis, Relation) and decide_by_range(hypothesis) is False:
            return award(METHOD, Verdict.DECIDED, goal.label, goal, f"{hypothesis} never holds")
    reasons: list[str] = []
    for attempt in _attempts(problem, proposer):
        for proposal in proposer.normal_forms(attempt.relation, attempt.hypotheses):
            objection = proposal if isinstance(proposal, str) else _objection(attempt, proposal, proposer)
            if objection is not None:
                reasons.append(objection)
            elif not isinstance(proposal, str):
                return award(METHOD, Verdict.DECIDED, goal.label, goal, "; ".join((proposal.note, *attempt.steps)))
    if relation.operator != "=" and not reasons:
        return None
    return Evidence(METHOD, Verdict.UNDECIDED, goal.label, next(iter(reasons), "no normal form was proposed"))


def _substituted(problem: _Problem) -> _Problem:
    """Use hypotheses of the form symbol = expression, in order, until none is left."""
    hypotheses, used = assigned(tuple(conjuncts(*problem.hypotheses)))
    for symbol, value in used:
        problem = problem.after(symbol, value, f"{symbol} substituted")
    return replace(problem, hypotheses=tuple(conjuncts(*hypotheses)))


def _attempts(problem: _Problem, proposer: Proposer) -> Iterator[_Problem]:
    """The problem itself, then an equation with linear equations among its hypotheses solved."""
    yield problem
    for _ in range(_MOST_ELIMINATIONS if problem.relation.operator == "=" else 0):
        proposals = proposer.eliminations(problem.relation, problem.hypotheses)
        eliminated = (_eliminated(problem, proposal, proposer) for proposal in proposals)
        found = next((item for item in eliminated if item is not None), None)
        if found is None:
            return
        problem = _substituted(found)
        yield problem


def _eliminated(problem: _Problem, proposal: Elimination, proposer: Proposer) -> _Problem | None:
    """Use an equation, if it is shown to give the value of a symbol."""
    equation, symbol, slope, value = proposal.equation, proposal.symbol, proposal.slope, proposal.value
    is_equation = equation in problem.hypotheses and equation.operator == "="
    difference = proposal.times * (equation.left - equation.right) - slope * (symbol - value)
    needed = (*values_needed((proposal.times, slope, value)), ne(slope, 0))
    if not is_equation or objection_to_zero(difference, proposal.laws, needed, problem.given, proposer) is not None:
        return None
    rest = tuple(item for item in problem.hypotheses if item is not equation)
    left = replace(problem, hypotheses=without(symbol, value, rest))
    return left.after(symbol, value, f"{symbol} eliminated")


def _objection(problem: _Problem, proposal: NormalForm, proposer: Proposer) -> str | None:
    """Why a relation does not follow by a normal form that is proposed; None if it does."""
    relation, where = problem.relation, proposal.where
    if proposal.cases is not None:
        left, right, *forms = proposal.cases
        if values_needed((left, right)):
            return "cases are told apart by what may have no value"
        cases = (replace(problem, hypotheses=(*problem.hypotheses, Relation(left, one, right))) for one in ("<=", ">="))
        said = (_objection(case, form, proposer) for case, form in zip(cases, forms, strict=True))
        return next((objection for objection in said if objection is not None), None)
    if not decide_by_range(Relation(proposal.difference, relation.operator, ZERO)):
        return f"the sides differ by {proposal.difference}"
    is_equation = where is None or (where in problem.hypotheses and where.operator == "=")
    signs = (made in problem.hypotheses and gap.domain == _GAPS.get(made.operator) for gap, made in proposal.gaps)
    if not (is_equation and all(signs)):
        return "what was proposed is no hypothesis of its kind"
    # Whether the relation has a value is an obligation of its own; here it has one.
    known = (*problem.given, *values_needed((relation.left, relation.right)))
    difference: Expression = relation.left - relation.right
    for equal in proposal.angles:
        gap = equal.times * (equal.old - equal.new)
        needed = (*values_needed((equal.times, equal.new)), ne(equal.times, 0), gt(gap, -3), lt(gap, 3))
        objection = objection_to_zero(Apply("sin", (gap,)), equal.laws, needed, known, proposer)
        if objection is not None:
            return objection
        difference = replaced(difference, equal.old, equal.new)
    difference -= substitute(proposal.difference, {gap: made.left - made.right for gap, made in proposal.gaps})
    needed, zero = values_needed((proposal.difference,)), None if where is None else where.left - where.right
    return objection_to_zero(difference, proposal.laws, needed, known, proposer, zero)


def replaced(expression: Expression, old: Expression, new: Expression) -> Expression:
    """The expression with one term in the place of another."""
    if expression == old:
        return new
    return rebuild(expression, tuple(replaced(child, old, new) for child in expression.children))


def objection_to_zero(
    expression: Expression,
    proposals: Proposals,
    needed: Iterable[Relation],
    known: tuple[Statement, ...],
    proposer: Proposer,
    where: Expression | None = None,
) -> str | None:
    """Why it is not shown that what is ``needed`` holds, and an expression is 0 wherever it has a value.

    None if it is shown at all points at which what is ``known`` holds. With ``where``, it is 0 at those at which this
    is 0 as well: a product of all factors of the one divides the other.
    """
    symbols = dict.fromkeys((*free_symbols(expression), *(() if where is None else free_symbols(where))))
    try:
        form = Form(symbols, proposals)
        value, zero = form.quotient(expression), None if where is None else form.quotient(where)
        # Cleared when all kernels are known.
        left = form.cleared(value)
        is_zero = left.is_zero() or (zero is not None and _divides(form, form.cleared(zero), left))
    except (UndefinedError, UnsupportedError) as error:
        return str(error)
    if not is_zero:
        return "polynomial arithmetic does not confirm the normal form"
    conditions = dict.fromkeys((*form.conditions, *needed))
    unseen = next((item for item in conditions if not is_shown(item, known, proposer)), None)
    return None if unseen is None else f"normal form 0, but not shown: {unseen}"


def _divides(form: Form, zero: Polynomial, polynomial: Polynomial) -> bool:
    """Whether each irreducible factor of a polynomial divides another one; of one without factors, nothing follows."""
    divisor = prod((factor for factor, _ in form.factors(zero)[1]), start=form.context.constant(1))
    return not divisor.is_constant() and bool(divmod(polynomial, divisor)[1].is_zero())
