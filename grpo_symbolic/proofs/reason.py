"""Reasons why relations may hold, as the search finds them; nothing is believed before the kernel accepts a proof."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TypeAlias

from grpo_symbolic.language.calculus import ONE, ZERO
from grpo_symbolic.language.expression import Apply, Expression, Symbol
from grpo_symbolic.language.folding import negated
from grpo_symbolic.language.relations import difference
from grpo_symbolic.language.statement import Relation, substitute_statement
from grpo_symbolic.obligations.obligation import domain_statements
from grpo_symbolic.proofs.goal import Goal, simplified
from grpo_symbolic.proofs.ring import (
    cofactors,
    mirrored_if,
    product_of,
    sign_between,
)

#: The signs of left side minus right side that relations allow.
SIGNS = {">": {1}, ">=": {0, 1}, "<": {-1}, "<=": {-1, 0}, "=": {0}, "!=": {-1, 1}}


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


def value_at(function: str, argument: Expression) -> Expression:
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
        above, below = value_at(self.function, self.larger), value_at(self.function, self.smaller)
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
            of_factor = SIGNS[sign.operator]
            if power < 0 and 0 in of_factor:
                return frozenset()
            found = {one * other ** abs(power) for one in found for other in of_factor}
        return frozenset(found)


@dataclass(frozen=True)
class Same:
    """Both sides of an equation multiply out to the same."""

    relation: Relation


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
class Stretch:
    """Up to ``upper``; by the range there, or by the slope and the value at the ``lower`` or ``upper`` end."""

    upper: Fraction
    end: str | None = None


@dataclass(frozen=True)
class Along:
    """It holds on each stretch of the interval in which a symbol lies."""

    relation: Relation
    symbol: Symbol
    stretches: tuple[Stretch, ...]


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


def rests_on_ranges(reason: object) -> bool:
    """Whether ranges play a part in a reason."""
    if isinstance(reason, Ranges | Along):
        return True
    parts = reason if isinstance(reason, tuple) else (getattr(reason, one, None) for one in ("terms", "factors", "why"))
    nested = () if isinstance(reason, tuple) else (getattr(reason, one, None) for one in ("then", "where", "elsewhere"))
    return any(rests_on_ranges(one) for one in (*parts, *nested) if one is not None)


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
    return sign != 0 and SIGNS[mirrored_if(hypothesis.operator, sign)] <= SIGNS[operator]


def leaves(equation: Relation, value: Expression, goal: Goal) -> bool:
    """Whether an equation is that a value times what is not 0, as other hypotheses say, is 0."""
    others = [one for one in goal.relations if one.operator in (">", "<", "!=")]
    rest = cofactors(difference(equation), value) if equation.operator == "=" else None
    return rest is not None and all(any(follows(one, factor, "!=") for one in others) for factor in rest)


def sum_of_signs(terms: list[frozenset[int]]) -> frozenset[int]:
    """The signs that a sum may have, by those of its terms; all of them if nothing is known of one."""
    if not all(terms):
        return frozenset((-1, 0, 1))
    found = frozenset.union(frozenset((0,)) if not terms else frozenset(), *terms)
    if {1, -1} <= found:
        return found if len(terms) == 1 else frozenset((-1, 0, 1))
    # What is not 0 in one term stays so, as no term has the other sign.
    return found - {0} if any(0 not in term for term in terms) else found
