"""Decide relations by polynomial arithmetic; hypotheses that define a symbol are used by substitution.

A proposer says how it could be seen; what it says is checked here, and nothing else is used.

Soundness. Take a point of the domains at which the hypotheses hold and the relation has a value.

* A hypothesis ``symbol = value`` holds there, so ``symbol`` may be replaced by ``value`` in everything else.
* An equation E with ``times * E = slope * (symbol - value)`` holds there. If ``slope`` is not zero, and all parts have
  values, then ``symbol = value``.
* If the sides of the relation differ by an expression identically, or where an equation holds that does, they differ by
  it there. The relation holds if the range of that, with symbols for what the sides of hypotheses differ by, compares
  with 0 as it says. The difference is an identity of ``translate.algebra``, if parts have the right signs and values.
* Of two expressions with values one is at most the other, so either may be a further hypothesis if both are tried.

Every condition is shown: by ranges over the domains, as one of the hypotheses, or by the SMT solvers under the
hypotheses and under what the relation needs to have a value. A normal form that is not 0 refutes nothing; for that a
counterexample is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.smt import is_shown
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.expression import Expression, Symbol, free_symbols, substitute
from grpo_symbolic.language.statement import Relation, Statement, conjuncts, ne
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
    """Decide a relation by normal forms; one that is no equation by the range of what its sides differ by.

    None if nothing is known of an inequality, and for what is no relation.
    """
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
            if isinstance(proposal, str):
                reasons.append(proposal)
            elif (objection := _objection(attempt, proposal, proposer)) is not None:
                reasons.append(objection)
            else:
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
    if equation not in problem.hypotheses or equation.operator != "=":
        return None
    difference = proposal.times * (equation.left - equation.right) - slope * (symbol - value)
    needed = vanishing(difference, proposal.laws)
    if isinstance(needed, str):
        return None
    have_values = (condition for part in (proposal.times, slope, value) for condition in side_conditions(part))
    conditions = dict.fromkeys((*needed, *have_values, ne(slope, 0)))
    if not all(is_shown(condition, problem.given, proposer) for condition in conditions):
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
        told = ((*problem.hypotheses, Relation(left, sign, right)) for sign in ("<=", ">="))
        cases = (replace(problem, hypotheses=hypotheses) for hypotheses in told)
        said = (_objection(case, form, proposer) for case, form in zip(cases, forms, strict=True))
        return next((objection for objection in said if objection is not None), None)
    if not decide_by_range(Relation(proposal.difference, relation.operator, ZERO)):
        return f"the sides differ by {proposal.difference}"
    is_equation = where is None or (where in problem.hypotheses and where.operator == "=")
    signs = (made in problem.hypotheses and gap.domain == _GAPS.get(made.operator) for gap, made in proposal.gaps)
    if not (is_equation and all(signs)):
        return "what was proposed is no hypothesis of its kind"
    gaps = {gap: made.left - made.right for gap, made in proposal.gaps}
    difference = relation.left - relation.right - substitute(proposal.difference, gaps)
    needed = vanishing(difference, proposal.laws, where=None if where is None else where.left - where.right)
    if isinstance(needed, str):
        return needed
    # Whether the relation has a value is an obligation of its own; here it has one.
    known = (*problem.given, *side_conditions(relation.left), *side_conditions(relation.right))
    resisting = next((condition for condition in needed if not is_shown(condition, known, proposer)), None)
    return None if resisting is None else f"normal form 0, but not shown: {resisting}"


def vanishing(
    expression: Expression, proposals: Proposals, *, where: Expression | None = None
) -> tuple[Relation, ...] | str:
    """The conditions under which an expression is 0 wherever it has a value, or why arithmetic does not see it.

    With ``where``, it is 0 at those points at which ``where`` is 0 as well: a product of all factors of the one divides
    the other.
    """
    symbols = dict.fromkeys((*free_symbols(expression), *(() if where is None else free_symbols(where))))
    try:
        form = Form(symbols, proposals)
        value = form.quotient(expression)
        zero = None if where is None else form.quotient(where)
        # Cleared when all kernels are known.
        left = form.cleared(value)
        if left.is_zero() or (zero is not None and _divides(form, form.cleared(zero), left)):
            return tuple(form.conditions)
    except (UndefinedError, UnsupportedError) as error:
        return str(error)
    return "polynomial arithmetic does not confirm the normal form"


def _divides(form: Form, zero: Polynomial, polynomial: Polynomial) -> bool:
    """Whether each irreducible factor of a polynomial divides another one; of one without factors, nothing follows."""
    divisor = prod((factor for factor, _ in form.factors(zero)[1]), start=form.context.constant(1))
    return not divisor.is_constant() and bool(divmod(polynomial, divisor)[1].is_zero())
