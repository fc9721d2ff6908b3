"""Branch and bound over the whole domain: balls inside, exact ranges with open ends along its edges.

Soundness. Every symbol's domain is the image of a chart coordinate in [0, 1]. The first box is all of [0, 1]^n, and
a box is finished only when a hypothesis certainly fails on all of it or the conclusion certainly holds on all of it;
any other box is replaced by its two halves, wherever it is said to be halved. So when no box is left every point of the
domain lies in a finished one. A relation is certain on a box by balls that enclose its difference, by the mean value
form of this difference, or, along the edges of the domain, by ranges with open ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from grpo_symbolic.checks.awarding import award
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.language.calculus import differentiate
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Symbol, free_symbols, substitute
from grpo_symbolic.language.statement import (
    Relation,
    Statement,
    conjuncts,
    relations_of,
    substitute_statement,
    symbols_of,
    truth,
)
from grpo_symbolic.obligations.obligation import Obligation, assigned
from grpo_symbolic.translate.balls import INDETERMINATE, BallFunction, exact, interval_ball, precision
from grpo_symbolic.translate.ranges import decide_by_range, holds_for_signs

if TYPE_CHECKING:
    from grpo_symbolic.checks.proposer import Box, Proposer, Subdivision

METHOD = "enclosure"

_BITS = 64
_CONSTANT_BITS = 256


def check(obligation: Obligation, proposer: Proposer) -> Evidence | None:
    """Cover the domain with boxes on which the obligation certainly holds.

    None if balls have no word for something in it, or nothing is proposed.
    """
    # A hypothesis ``symbol = expression`` is used by substitution; the symbol's domain becomes a hypothesis.
    hypotheses, used = assigned(tuple(conjuncts(*obligation.hypotheses)))
    conclusion = obligation.conclusion
    for symbol, value in used:
        conclusion = substitute_statement(conclusion, {symbol: value})
    symbols = symbols_of(*hypotheses, conclusion)
    try:
        with precision(_BITS if symbols else _CONSTANT_BITS):
            cover = _Cover(hypotheses, conclusion, symbols)
            subdivision = proposer.subdivision(hypotheses, conclusion, symbols, cover.is_finished)
            if subdivision is None:
                return None
            is_covered = cover.is_completed(subdivision)
    except UnsupportedError:
        return None
    said = subdivision.opinion()
    if is_covered:
        return award(METHOD, Verdict.DECIDED, obligation.label, obligation, said.note)
    return Evidence(METHOD, Verdict.UNDECIDED, obligation.label, said.note, candidates=said.candidates)


class _Cover:
    """The boxes of one obligation."""

    def __init__(self, hypotheses: Sequence[Statement], conclusion: Statement, symbols: tuple[Symbol, ...]) -> None:
        self._symbols, self._hypotheses, self._conclusion = symbols, hypotheses, conclusion
        self._differences = {
            relation: _Difference(relation, symbols)
            for statement in (*hypotheses, conclusion)
            for relation in relations_of(statement)
        }

    def is_completed(self, subdivision: Subdivision) -> bool:
        """Whether all boxes are finished before it is given up."""
        stack: list[Box] = [tuple((Fraction(0), Fraction(1)) for _ in self._symbols)]
        boxes = 0
        while stack:
            box = stack.pop()
            boxes += 1
            if self.is_finished(box):
                continue
            said = subdivision.next(box, boxes)
            if said is None:
                return False
            lower, upper = halves(box, said.place)
            stack += (lower, upper) if said.upper_first else (upper, lower)
        return True

    def is_finished(self, box: Box) -> bool:
        """Whether a hypothesis certainly fails on all of a box, or the conclusion certainly holds."""
        intervals = [_image(symbol.domain, ends) for symbol, ends in zip(self._symbols, box, strict=True)]
        balls = [_ball(interval) for interval in intervals]
        at_edge = any(low == 0 or high == 1 for low, high in box)
        parts = zip(self._symbols, intervals, strict=True)
        narrowed = {symbol: replace(symbol, domain=interval) for symbol, interval in parts}

        def decide(relation: Relation) -> bool | None:
            verdict = self._differences[relation].decide(balls)
            if verdict is not None or not at_edge:
                return verdict
            left, right = (substitute(side, narrowed) for side in (relation.left, relation.right))
            return decide_by_range(Relation(left, relation.operator, right))

        fails = any(truth(hypothesis, decide) is False for hypothesis in self._hypotheses)
        return fails or truth(self._conclusion, decide) is True


class _Difference:
    """Left side minus right side of a relation, with its gradient where there is one."""

    def __init__(self, relation: Relation, symbols: tuple[Symbol, ...]) -> None:
        difference = relation.left - relation.right
        self._operator = relation.operator
        self._function = BallFunction(difference, symbols)
        try:
            derivatives = {symbol: differentiate(difference, symbol) for symbol in free_symbols(difference)}
        except UnsupportedError:
            derivatives = {}
        self._gradient = [(symbols.index(symbol), BallFunction(one, symbols)) for symbol, one in derivatives.items()]

    def decide(self, balls: Sequence[arb]) -> bool | None:
        """Whether the relation holds at all points of a box, or fails at all; None for neither."""
        enclosed = self._function.enclose(balls)
        verdict = compare(enclosed, self._operator)
        if verdict is not None or not enclosed.is_finite() or not self._gradient:
            return verdict
        # Mean value form: f(x) lies in f(m) + f'(box) * (box - m), which is narrower on small boxes.
        middle = [ball.mid() for ball in balls]
        linear = self._function.enclose(middle)
        for place, derivative in self._gradient:
            linear += derivative.enclose(balls) * (balls[place] - middle[place])
        return compare(linear, self._operator)


def compare(difference: arb, operator: str) -> bool | None:
    """Compare an enclosed difference with 0."""
    if not difference.is_finite():
        return None
    possible = {-1: not difference >= 0, 0: difference.contains(0), 1: not difference <= 0}
    return holds_for_signs(frozenset(sign for sign, is_possible in possible.items() if is_possible), operator)


def halves(box: Box, place: int) -> tuple[Box, Box]:
    """Both halves of a box, divided in one coordinate."""
    low, high = box[place]
    middle = (low + high) / 2
    before, after = box[:place], box[place + 1 :]
    return (*before, (low, middle), *after), (*before, (middle, high), *after)


def _image(domain: Interval, ends: tuple[Fraction, Fraction]) -> Interval:
    """The part of the domain between two chart coordinates, open or closed as the domain is."""
    low, high = domain.chart(ends[0]), domain.chart(ends[1])
    low_closed = low is not None and (ends[0] > 0 or domain.lower_closed)
    high_closed = high is not None and (ends[1] < 1 or domain.upper_closed)
    return Interval(low, high, low_closed, high_closed)


def _ball(interval: Interval) -> arb:
    if interval.lower is None or interval.upper is None:
        return INDETERMINATE
    return interval_ball(exact(interval.lower), exact(interval.upper))
