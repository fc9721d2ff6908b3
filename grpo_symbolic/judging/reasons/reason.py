"""Reasons, and what is objected to a reason for a goal.

Whoever searches for reasons is believed in nothing: a reason is told only if nothing is objected to it here. What
decides is polynomial arithmetic over the rationals, interval arithmetic on the domains, and the hypotheses; no solver
is asked. A verdict does not rest on a reason, it explains one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TypeAlias

from grpo_symbolic.judging.reasons.goal import Goal, simplified
from grpo_symbolic.judging.reasons.ring import (
    are_equal,
    cofactors,
    decide_by_range,
    mirrored_if,
    product_of,
    sign_between,
)
from grpo_symbolic.judging.reasons.stretches import Along, objection_to_stretches
from grpo_symbolic.language.calculus import ONE, ZERO
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.expression import Apply, Expression, Symbol, free_symbols
from grpo_symbolic.language.folding import negated
from grpo_symbolic.language.relations import difference
from grpo_symbolic.language.statement import Relation, ge, gt, substitute_statement
from grpo_symbolic.obligations.obligation import domain_statements

_RISING = ("log", "exp", "sqrt")
_SIGNS = {">": {1}, ">=": {0, 1}, "<": {-1}, "<=": {-1, 0}, "=": {0}, "!=": {-1, 1}}


@dataclass(frozen=True)
class Tangent:
    """A function lies on one side of its tangent: log u <= u - 1, or exp v >= 1 + v."""

    function: str
    argument: Expression

    @property
    def gap(self) -> Expression:
        """What is not negative by it.

        >>> from grpo_symbolic import real
        >>> str(Tangent("exp", real("x", "(-oo, oo)", "a number")).gap)
        '((exp(x) - x) - 1)'
        """
        value = Apply(self.function, (self.argument,))
        return (self.argument - value if self.function == "log" else value - self.argument) - 1


def _value_at(function: str, argument: Expression) -> Expression:
    """A function at an argument; a logarithm of 1 and an exponential of 0 as the numbers that they are."""
    known = {"log": (ONE, ZERO), "exp": (ZERO, ONE)}.get(function)
    return known[1] if known is not None and argument == known[0] else Apply(function, (argument,))


@dataclass(frozen=True)
class Rising:
    """An increasing function, log, exp or sqrt, is larger at the larger of two arguments."""

    function: str
    larger: Expression
    smaller: Expression
    why: Reason

    @property
    def gap(self) -> Expression:
        """What is positive by it."""
        above, below = _value_at(self.function, self.larger), _value_at(self.function, self.smaller)
        return above if below == ZERO else -below if above == ZERO else above - below


@dataclass(frozen=True)
class Root:
    """A root is positive, as what it is the root of is."""

    why: Reason


@dataclass(frozen=True)
class Sign:
    """A factor and how it compares with 0: by ``why``, else by the domains or a hypothesis."""

    value: Expression
    operator: str
    why: Reason | Tangent | Rising | Root | None = None


@dataclass(frozen=True)
class Term:
    """A coefficient times powers of factors whose signs are known."""

    coefficient: Fraction
    factors: tuple[tuple[Sign, int], ...] = ()

    @property
    def expression(self) -> Expression:
        """The product."""
        return product_of(((sign.value, power) for sign, power in self.factors), self.coefficient)

    @property
    def signs(self) -> frozenset[int]:
        """The signs that the product may have; empty if a factor below the fraction bar may be 0."""
        found = {(self.coefficient > 0) - (self.coefficient < 0)}
        for sign, power in self.factors:
            of_factor = _SIGNS[sign.operator]
            if power < 0 and 0 in of_factor:
                return frozenset()
            found = {one * other ** abs(power) for one in found for other in of_factor}
        return frozenset(found)


@dataclass(frozen=True)
class Same:
    """Both sides of an equation multiply out to the same, the ``value`` if it is short."""

    relation: Relation
    value: Expression | None = None


@dataclass(frozen=True)
class Given:
    """It is what a hypothesis says, up to a factor of one sign."""

    relation: Relation
    hypothesis: Relation


@dataclass(frozen=True)
class Ranges:
    """The domains leave each side only values that compare like this."""

    relation: Relation


@dataclass(frozen=True)
class Difference:
    """Left side minus right side is a sum of terms, and their signs show how it compares with 0."""

    relation: Relation
    terms: tuple[Term, ...]

    @property
    def expression(self) -> Expression:
        """The sum of the terms."""
        return reduce(add, (term.expression for term in self.terms)) if self.terms else ZERO


@dataclass(frozen=True)
class Put:
    """Equations among the hypotheses say what symbols are; with this the relation holds."""

    relation: Relation
    values: tuple[tuple[Symbol, Expression], ...]
    then: Reason


@dataclass(frozen=True)
class Instead:
    """By an equation among the hypotheses the left side is the other side of it; with that the relation holds."""

    relation: Relation
    equation: Relation
    then: Reason


@dataclass(frozen=True)
class Cases:
    """It holds where another relation does, and where it does not."""

    relation: Relation
    on: Relation
    where: Reason
    elsewhere: Reason


@dataclass(frozen=True)
class Contrary:
    """If it failed, a hypothesis would fail too."""

    relation: Relation
    hypothesis: Relation
    why: Reason


Reason: TypeAlias = Same | Given | Ranges | Along | Difference | Put | Instead | Cases | Contrary


def objection(reason: Reason, goal: Goal) -> str | None:
    """What is wrong with a reason for a goal; None if it is one."""
    relation = goal.relation
    if reason.relation != relation:
        return f"it is a reason for {reason.relation}, not for {relation}"
    match reason:
        case Same(_, value):
            return _objection_to_same(value, goal)
        case Given(_, hypothesis):
            if hypothesis not in goal.relations:
                return f"{hypothesis} is no hypothesis"
            if hypothesis == relation:
                return None
            return None if follows(hypothesis, difference(relation), relation.operator) else "a hypothesis says less"
        case Ranges():
            return None if decide_by_range(relation) else "the domains do not show it"
        case Along():
            return objection_to_stretches(reason)
        case Difference():
            return _objection_to_difference(reason, goal)
        case Put(_, values, then):
            return _objection_to_values(values, goal) or objection(then, put(goal, values))
        case Instead(_, equation, then):
            after = Goal(goal.hypotheses, then.relation)
            return _objection_to_other_side(equation, then, goal) or objection(then, after)
        case Cases(_, on, where, elsewhere):
            return objection(where, goal.assuming(on)) or objection(elsewhere, goal.assuming(negated(on)))
        case Contrary(_, hypothesis, why):
            if hypothesis not in goal.relations:
                return f"{hypothesis} is no hypothesis"
            return objection(why, contrary(goal, hypothesis))


def _objection_to_same(value: Expression | None, goal: Goal) -> str | None:
    relation = goal.relation
    if relation.operator not in ("=", "<=", ">="):
        return "equal sides do not show this"
    others = (relation.right,) if value is None else (relation.right, value)
    return None if all(are_equal(relation.left, side, goal.hypotheses) for side in others) else "the sides differ"


def _objection_to_other_side(equation: Relation, then: Reason, goal: Goal) -> str | None:
    relation, after = goal.relation, then.relation
    sides = {equation.left, equation.right}
    if equation not in goal.relations or equation.operator != "=":
        return f"{equation} is no equation among the hypotheses"
    if sides != {relation.left, after.left} or (relation.operator, relation.right) != (after.operator, after.right):
        return f"{equation} does not lead from {relation} to {after}"
    return None


def put(goal: Goal, values: tuple[tuple[Symbol, Expression], ...]) -> Goal:
    """The goal with values for symbols, one after the other; what their domains say of these is a hypothesis then."""
    for symbol, value in values:
        hypotheses = tuple(substitute_statement(item, {symbol: value}) for item in goal.hypotheses)
        relation = substitute_statement(goal.relation, {symbol: value})
        if isinstance(relation, Relation):
            goal = simplified(Goal((*hypotheses, *domain_statements({symbol: value})), relation))
    return goal


def contrary(goal: Goal, hypothesis: Relation) -> Goal:
    """That a hypothesis fails, where the others hold and the relation does not."""
    rest = tuple(item for item in goal.hypotheses if item != hypothesis)
    return simplified(Goal((*rest, negated(goal.relation)), negated(hypothesis)))


def follows(hypothesis: Relation, value: Expression, operator: str) -> bool:
    """Whether a hypothesis says that a value compares like this with 0, up to a factor of one sign."""
    sign = sign_between(difference(hypothesis), value)
    return sign != 0 and _SIGNS[mirrored_if(hypothesis.operator, sign)] <= _SIGNS[operator]


def leaves(equation: Relation, value: Expression, goal: Goal) -> bool:
    """Whether an equation is that a value times what is not 0, as other hypotheses say, is 0."""
    others = [one for one in goal.relations if one.operator in (">", "<", "!=")]
    rest = cofactors(difference(equation), value) if equation.operator == "=" else None
    return rest is not None and all(any(follows(one, factor, "!=") for one in others) for factor in rest)


def _objection_to_values(values: tuple[tuple[Symbol, Expression], ...], goal: Goal) -> str | None:
    for symbol, value in values:
        gap = symbol - value
        equations = [item for item in goal.relations if item.operator == "="]
        if symbol in free_symbols(value) or not any(sign_between(difference(one), gap) for one in equations):
            return f"no hypothesis says that {symbol} is {value}"
        goal = put(goal, ((symbol, value),))
    return None


def _objection_to_difference(reason: Difference, goal: Goal) -> str | None:
    relation = goal.relation
    if not are_equal(difference(relation), reason.expression, goal.hypotheses):
        return f"the sides do not differ by {reason.expression}"
    for term in reason.terms:
        for sign, _ in term.factors:
            found = _objection_to_sign(sign, goal)
            if found is not None:
                return found
    return (
        None
        if sum_of_signs([term.signs for term in reason.terms]) <= _SIGNS[relation.operator]
        else ("the signs of the terms do not show it")
    )


def sum_of_signs(terms: list[frozenset[int]]) -> frozenset[int]:
    """The signs that a sum may have, by those of its terms; all of them if nothing is known of one."""
    if not all(terms):
        return frozenset((-1, 0, 1))
    found = frozenset.union(frozenset((0,)) if not terms else frozenset(), *terms)
    if {1, -1} <= found:
        return found if len(terms) == 1 else frozenset((-1, 0, 1))
    # What is not 0 in one term stays so, as no term has the other sign.
    return found - {0} if any(0 not in term for term in terms) else found


def _has_values(rising: Rising, goal: Goal) -> bool:
    """Whether a function has values at both arguments wherever the relation has one."""
    compare = {"log": gt, "sqrt": ge}.get(rising.function)
    if compare is None:
        return True
    given = (*goal.hypotheses, *side_conditions(goal.relation.left), *side_conditions(goal.relation.right))
    needed = (compare(rising.larger, 0), compare(rising.smaller, 0))
    return all(one in given or decide_by_range(one) is True for one in needed)


def _has_tangent(tangent: Tangent, goal: Goal) -> bool:
    """Whether a function lies on one side of its tangent, and has a value wherever the relation has one."""
    needed = gt(tangent.argument, 0)
    given = (*goal.hypotheses, *side_conditions(goal.relation.left), *side_conditions(goal.relation.right))
    return tangent.function == "exp" or (
        tangent.function == "log" and (needed in given or decide_by_range(needed) is True)
    )


def _objection_to_sign(sign: Sign, goal: Goal) -> str | None:
    value, operator, why = sign.value, sign.operator, sign.why
    if isinstance(why, Tangent):
        if operator == ">=" and _has_tangent(why, goal) and are_equal(value, why.gap, goal.hypotheses):
            return None
        return f"no tangent shows that {value} {operator} 0"
    if isinstance(why, Rising):
        fits = operator in (">", ">=") and why.function in _RISING and are_equal(value, why.gap, goal.hypotheses)
        if not fits or not _has_values(why, goal):
            return f"nothing that rises shows that {value} {operator} 0"
        return objection(why.why, Goal(goal.hypotheses, Relation(why.larger - why.smaller, ">", ZERO)))
    if isinstance(why, Root):
        match value:
            case Apply("sqrt", (radicand,)) if operator in (">", ">=", "!="):
                return objection(why.why, Goal(goal.hypotheses, Relation(radicand, ">", ZERO)))
        return f"{value} is no root"
    if why is not None:
        return objection(why, Goal(goal.hypotheses, Relation(value, operator, ZERO)))
    if decide_by_range(Relation(value, operator, ZERO)):
        return None
    if any(follows(hypothesis, value, operator) for hypothesis in goal.relations):
        return None
    if operator == "=" and any(leaves(hypothesis, value, goal) for hypothesis in goal.relations):
        return None
    return f"nothing shows that {value} {operator} 0"
