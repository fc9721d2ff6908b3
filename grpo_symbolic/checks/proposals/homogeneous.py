"""Terms of different degrees made to have the same one, by an equation of a constant and a homogeneous polynomial."""

from __future__ import annotations

from dataclasses import replace

from grpo_symbolic.checks.proposals.positivity import Positivity
from grpo_symbolic.translate.algebra import Polynomial

_LARGEST_DEGREE = 14


def homogenised(goal: Positivity) -> Positivity | None:
    """The same with a homogeneous numerator and no equation; None if the equation does not allow it, or is none.

    The difference of both numerators is a multiple of the equation.
    """
    if goal.equation is None or any(weight.gap for weight in goal.weights):
        return None
    context = goal.form.context
    constant = context.constant(dict(goal.equation.terms()).get((0,) * len(goal.generators), 0))
    unit = goal.equation - constant
    if constant.is_zero() or unit.is_zero() or not is_homogeneous(unit):
        return None
    one, degree = unit / -constant, unit.total_degree()
    by_degree: dict[int, Polynomial] = {}
    for powers, value in goal.numerator.terms():
        total = int(sum(powers))
        by_degree[total] = by_degree.get(total, 0) + context.from_dict({powers: value})
    most = max(by_degree, default=0)
    if most > _LARGEST_DEGREE or any((most - total) % degree for total in by_degree):
        return None
    numerator = sum(
        (part * one ** ((most - total) // degree) for total, part in by_degree.items()), context.constant(0)
    )
    return replace(goal, numerator=numerator, equation=None)


def is_homogeneous(polynomial: Polynomial) -> bool:
    """Whether all terms have the same degree."""
    return len({sum(map(int, powers)) for powers in polynomial.monoms()}) < 2
