"""The methods: what each of them does, and how often each decided something, solvers counted apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from grpo_symbolic.checks import numeric
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.solvers import agreement

#: What each method does, in the order in which methods are asked.
METHODS: Mapping[str, str] = {
    "numeric": "evaluates both sides at many points with many digits; at most *supported*",
    "oracle": "compares with a program that shares no algebra, such as the enumeration of groups; at most *supported*",
    "range": "interval arithmetic on the domains of the symbols alone, without any solver",
    "exact": "normal forms: polynomial arithmetic over the symbols with roots, exponentials, logarithms and angles",
    "smt": "z3 and cvc5 on the same polynomial script; one decides and the other must not contradict",
    "enclosure": "ball arithmetic on boxes that cover the domain; interval Newton for the digits of zeros",
    "composition": "what a derivation composes to follows from its steps, each of which is checked alone",
    "proof": "a proof accepted by a small kernel, which needs the standard library alone and expands statements itself",
    "point": "a point at which the hypotheses certainly hold, so that a claim says something",
    "counterexample": "a point at which something certainly fails; it refutes",
}


@dataclass(frozen=True)
class Decisions:
    """How many pieces of evidence decide or refute something, by method, and those of solvers by who agrees."""

    methods: Mapping[str, int]
    solvers: Mapping[str, int]


def decisions(judged: Iterable[Judged]) -> Decisions:
    """Count the evidence on claims and steps; what is printed in their place is not counted."""
    items = [item for one in judged for item in one.alone.evidence]
    sealed = Counter(item.method for item in items if item.verdict in STANDING or item.verdict is Verdict.REFUTED)
    solvers = Counter(said for item in items if (said := agreement(item)) is not None)
    return Decisions(
        {name: sealed[name] for name in (*METHODS, *sorted(set(sealed) - set(METHODS))) if sealed[name]},
        dict(sorted(solvers.items())),
    )


def fewest_digits(judged: Iterable[Judged]) -> int | None:
    """The fewest digits to which samples agree; an oracle's own approximation says nothing about the formula."""
    sampled = (item for one in judged for item in one.alone.evidence if item.method == numeric.METHOD)
    return min((item.digits for item in sampled if item.digits), default=None)
