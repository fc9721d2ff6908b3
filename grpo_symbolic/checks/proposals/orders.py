"""Inequalities by the order of their variables: in differences of neighbours, all coefficients may be positive.

For every order of the variables, the least of them and the differences of neighbours are not negative. So is a
polynomial in these, if its coefficients are not, or if it is a sum of squares with such weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grpo_symbolic.checks.proposals.positivity import Positivity, Weight, gap_symbol
from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.translate.ranges import NONNEGATIVE

#: Of more variables, only the least is told apart.
_MOST_IN_ORDER, _MOST_VARIABLES = 4, 5


@dataclass(frozen=True)
class Leaf:
    """A case: what is to be shown in it, and the hypotheses that say which case it is."""

    goal: Positivity
    gaps: tuple[tuple[Symbol, Relation], ...]


@dataclass(frozen=True)
class Cases:
    """Two cases: whether the first expression is at most the second, or at least."""

    left: Expression
    right: Expression
    below: Cases | Leaf
    above: Cases | Leaf


def by_order(goal: Positivity) -> Cases | Leaf | None:
    """All orders of the variables as a tree of cases; None where there are too few of them or too many."""
    places = goal.used
    if not 2 <= len(places) <= _MOST_VARIABLES or any(place >= len(goal.form.symbols) for place in places):
        return None
    if any(goal.domains[place].lower != 0 or goal.domains[place].upper is not None for place in places):
        return None
    if len(places) > _MOST_IN_ORDER:
        return _least(goal, places[0], (), places[1:])
    return _inserted(goal, [places[0]], places[1:])


def _inserted(goal: Positivity, order: Sequence[int], rest: Sequence[int], since: int = 0) -> Cases | Leaf:
    """Cases in which variables are sorted; from this place of the order on the next one has yet to be inserted."""
    if not rest:
        return _leaf(goal, [(order[0], None), *zip(order[1:], order[:-1], strict=True)])
    new = rest[0]
    if since == len(order):
        return _inserted(goal, [*order, new], rest[1:])
    before = _inserted(goal, [*order[:since], new, *order[since:]], rest[1:])
    after = _inserted(goal, order, rest, since + 1)
    return Cases(goal.generators[new], goal.generators[order[since]], before, after)


def _least(goal: Positivity, least: int, above: Sequence[tuple[int, int]], rest: Sequence[int]) -> Cases | Leaf:
    """Cases in which one variable is the least; every other one is above one with which it was compared."""
    if not rest:
        return _leaf(goal, [(least, None), *reversed(above)])
    new = rest[0]
    lower = _least(goal, new, [*above, (least, new)], rest[1:])
    higher = _least(goal, least, [*above, (new, least)], rest[1:])
    return Cases(goal.generators[new], goal.generators[least], lower, higher)


def _leaf(goal: Positivity, below: Sequence[tuple[int, int | None]]) -> Leaf:
    """The goal with each variable replaced by one below it plus a difference, which takes its place in the ring."""
    context = goal.form.context
    variables = list(context.gens())
    generators, gaps = list(goal.generators), []
    domains = list(goal.domains)
    for number, (place, under) in enumerate(below):
        if under is None:
            continue
        variables[place] = variables[under] + context.gen(place)
        made, sign = _compared(goal, place, under)
        gap = gap_symbol(made, 100 + number)
        gaps.append((gap, made))
        generators[place] = gap if sign > 0 else -gap
        domains[place] = NONNEGATIVE

    inside = goal.composed(variables)
    weights = (*(Weight(context.gen(place), generators[place]) for place, _ in below), *inside.weights)
    inside = replace(inside, generators=tuple(generators), domains=tuple(domains), weights=weights)
    return Leaf(inside, tuple(gaps))


def _compared(goal: Positivity, larger: int, smaller: int) -> tuple[Relation, int]:
    """The hypothesis that one variable is at least another, as cases have it: the later one is on the left."""
    left, right = max(larger, smaller), min(larger, smaller)
    sign = 1 if left == larger else -1
    return Relation(goal.generators[left], ">=" if sign > 0 else "<=", goal.generators[right]), sign
