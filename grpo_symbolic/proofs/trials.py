"""Points at which facts seem to hold, so that no contradiction is looked for that is not there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf

import numpy as np
from numpy.typing import NDArray

from grpo_symbolic.kernel.ranges import Interval
from grpo_symbolic.kernel.rules import Goal, conditions_of
from grpo_symbolic.kernel.terms import Term

_POINTS, _SEED, _CLEARLY = 400, 20240, 1e-9
_Values = NDArray[np.float64]


def seem_possible(goal: Goal) -> bool:
    """Whether the relations among the facts of a goal hold clearly at one of a few points."""
    generator = np.random.default_rng(_SEED)
    points = {name: _drawn(domain, generator) for name, domain in sorted(goal.inside.domains.items())}
    known: dict[Term, _Values] = {}
    here = np.ones(_POINTS, dtype=bool)
    with np.errstate(all="ignore"):
        given = dict.fromkeys((*goal.relations, *(one for fact in goal.relations for one in conditions_of(fact))))
        for relation in given:
            left, right = (_value(side, points, known) for side in relation.args)
            size = _CLEARLY * (1 + np.abs(left) + np.abs(right))
            gap = left - right
            match relation.op:
                case ">" | ">=":
                    here &= gap > size
                case "<" | "<=":
                    here &= gap < -size
                case "!=":
                    here &= np.abs(gap) > size
                case _:
                    here &= np.abs(gap) <= size / 10
            if not here.any():
                return False
    return True


def _drawn(domain: Interval, generator: np.random.Generator) -> _Values:
    if domain.low != -inf and domain.high != inf:
        low, high = float(domain.low), float(domain.high)
        shares = generator.beta(0.5, 0.5, _POINTS)
        drawn: _Values = low + (high - low) * shares
        return drawn
    away: _Values = np.exp(generator.normal(0.0, 1.5, _POINTS))
    if domain.low != -inf:
        away = float(domain.low) + away
    elif domain.high != inf:
        away = float(domain.high) - away
    else:
        away = away * generator.choice((-1.0, 1.0), _POINTS)
    return away


def _value(term: Term, points: Mapping[str, _Values], known: dict[Term, _Values]) -> _Values:
    if term not in known:
        if term.op == "num":
            known[term] = np.full(_POINTS, float(term.args[0]))
        elif term.op == "sym":
            known[term] = points.get(term.args[0], np.full(_POINTS, np.nan))
        else:
            inner = [_value(one, points, known) for one in term.args]
            known[term] = _FUNCTIONS[term.op](*inner)
    return known[term]


_FUNCTIONS: Mapping[str, Callable[..., _Values]] = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "power": np.power,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "negate": np.negative,
    "absolute": np.abs,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
    "cosh": np.cosh,
    "sinh": np.sinh,
    "tanh": np.tanh,
}
