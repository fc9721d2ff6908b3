"""Proposals for inequalities: that the difference of the sides is something the sign of which its parts show.

That is a sum of products of squares, of what the domains and the hypotheses do not let be negative, and of positive
numbers, over a positive denominator. It is looked for as it stands, and in every order of the variables, for

* the polynomial, made homogeneous by an equation if that is possible,
* the difference of the squares of two sides, if one of them is a root, and
* the polynomial times the product of the variables, if an inequality is given.

Searching is bounded by the sizes of polynomials and a number of operations, and given up at once where the inequality
fails at a simple point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import mul

from grpo_symbolic.checks.proposals.homogeneous import homogenised
from grpo_symbolic.checks.proposals.orders import Cases, Leaf, by_order
from grpo_symbolic.checks.proposals.positivity import Positivity, positivity
from grpo_symbolic.checks.proposals.semidefinite import Budget
from grpo_symbolic.checks.proposals.square_roots import in_roots, squared
from grpo_symbolic.checks.proposals.weighted import Seen, by_binomials, by_coefficients, by_squares, seems_true
from grpo_symbolic.checks.proposer import NormalForm
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import substitute
from grpo_symbolic.language.statement import Relation, Statement
from grpo_symbolic.translate.kernels import FewKernels
from grpo_symbolic.translate.ranges import POSITIVE
from grpo_symbolic.translate.text import expression_text

#: Operations of one search, about a second; and of a brief one, which finds almost everything that the other does: of
#: 251 certificates in the derivations two needed more than a fifth of all operations.
_OPERATIONS, _BRIEF = 2_000_000, 400_000
#: A longer certificate is not told in words.
_LONGEST = 600


def proposed_certificates(
    relation: Relation, hypotheses: Sequence[Statement], *, brief: bool = False
) -> Iterator[NormalForm]:
    """Why an inequality may hold: the first reason that is found, simple ones first."""
    goal = positivity(relation, hypotheses)
    if goal is None:
        return
    budget = Budget(_BRIEF if brief else _OPERATIONS)
    for variant in _variants(goal):
        found = _proposed(relation, variant, budget)
        if found is not None:
            yield found
            return


def _variants(goal: Positivity) -> Iterator[Positivity]:
    for one in (in_roots(goal) or goal, squared(goal), _multiplied(goal)):
        if one is not None:
            yield homogenised(one) or one


def _multiplied(goal: Positivity) -> Positivity | None:
    """Numerator and denominator times the product of all symbols, where a hypothesis is an inequality."""
    context, places = goal.form.context, goal.used
    if not any(weight.gap for weight in goal.weights) or any(goal.domains[place] != POSITIVE for place in places):
        return None
    factor = reduce(mul, (context.gen(place) for place in places), context.constant(1))
    return replace(goal, numerator=goal.numerator * factor, denominator=goal.denominator * goal.write(factor))


def _proposed(relation: Relation, goal: Positivity, budget: Budget) -> NormalForm | None:
    """How the numerator is seen not to be negative, if it is found out."""
    if not seems_true(goal, strictly=relation.operator in ("<", ">")):
        return None
    alone, tree = Leaf(goal, ()), by_order(goal)
    for see in (by_coefficients, by_binomials, by_squares):
        for cases in (alone, tree):
            found = None if cases is None else _in_cases(relation, cases, see, budget)
            if found is not None:
                return found
    return None


def _in_cases(
    relation: Relation, cases: Cases | Leaf, see: Callable[[Positivity, Budget], Seen | None], budget: Budget
) -> NormalForm | None:
    """How it is seen in all cases, or None."""
    if isinstance(cases, Leaf):
        seen = see(cases.goal, budget)
        return None if seen is None else _normal_form(relation, cases, seen)
    below = _in_cases(relation, cases.below, see, budget)
    above = None if below is None else _in_cases(relation, cases.above, see, budget)
    if below is None or above is None:
        return None
    note = below.note if below.cases is not None else f"by the order of the variables, of which one gives: {below.note}"
    return NormalForm(below.laws, ZERO, None, note, cases=(cases.left, cases.right, below, above))


def _normal_form(relation: Relation, leaf: Leaf, seen: Seen) -> NormalForm:
    """The difference of the sides of a relation by what is seen of the numerator."""
    goal, gaps = leaf.goal, (*leaf.gaps, *seen.gaps)
    difference = seen.written / goal.denominator
    difference = difference if goal.sign > 0 else -difference
    told = substitute(difference, {gap: made.left - made.right for gap, made in gaps})
    laws = FewKernels((relation.left, relation.right, told))
    text = expression_text(told)
    certificate = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({len(text)} characters)"
    return NormalForm(laws, difference, goal.where, f"left side - right side = {certificate}", gaps=gaps)
