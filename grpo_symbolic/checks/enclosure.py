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
from time import perf_counter

from flint import arb

from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.proposer import Box, GiveUp, Proposer, Subdivision
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.evidence import Evidence, Settings, Verdict
from grpo_symbolic.language.calculus import differentiate
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Symbol, free_symbols, substitute
from grpo_symbolic.language.statement import (
    All,
    Any,
    Relation,
    Statement,
    conjuncts,
    relations_of,
    substitute_statement,
    symbols_of,
    truth,
)
from grpo_symbolic.obligations.elimination import assigned
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.balls import (
    INDETERMINATE,
    BallFunction,
    exact,
    interval_ball,
    is_determinate,
    precision,
)
from grpo_symbolic.translate.ranges import decide_by_range

METHOD = "enclosure"

_BITS = 64
_CONSTANT_BITS = 256


def unavailable() -> str | None:
    """None: ball arithmetic comes with the package."""
    return None


def check(obligation: Obligation, settings: Settings, proposer: Proposer) -> Evidence | None:
    """Cover the domain with boxes on which the obligation certainly holds, or find a point where it fails.

    None if the conclusion is an equation, which no ball can show, or sums over outputs.
    """
    if _needs_equation(obligation.conclusion):
        return None
    started = perf_counter()
    hypotheses, conclusion = _eliminate(obligation)
    symbols = symbols_of(*hypotheses, conclusion)
    try:
        with precision(_BITS if symbols else _CONSTANT_BITS):
            cover = _Cover(hypotheses, conclusion, symbols)
            said = cover.run(proposer.subdivision(hypotheses, conclusion, symbols, cover.is_finished, settings.boxes))
    except UnsupportedError:
        return None
    seconds = perf_counter() - started
    if isinstance(said, GiveUp):
        label, found = obligation.label, said.candidates
        return Evidence(METHOD, Verdict.UNDECIDED, label, said.note, candidates=found, seconds=seconds)
    return award(METHOD, Verdict.DECIDED, obligation.label, said, seconds=seconds)


def _needs_equation(conclusion: Statement) -> bool:
    """Whether the conclusion can only hold where some equation holds."""
    match conclusion:
        case Relation(_, operator, _):
            return operator == "="
        case All(parts):
            return any(_needs_equation(part) for part in parts)
        case Any(parts):
            return all(_needs_equation(part) for part in parts)
        case _:
            return False


def _eliminate(obligation: Obligation) -> tuple[tuple[Statement, ...], Statement]:
    """Use hypotheses ``symbol = expression`` by substitution; the symbol's domain becomes a hypothesis."""
    hypotheses, used = assigned(tuple(conjuncts(*obligation.hypotheses)))
    conclusion = obligation.conclusion
    for symbol, value in used:
        conclusion = substitute_statement(conclusion, {symbol: value})
    return hypotheses, conclusion


class _Cover:
    """One run of branch and bound."""

    def __init__(self, hypotheses: Sequence[Statement], conclusion: Statement, symbols: tuple[Symbol, ...]) -> None:
        self._symbols, self._hypotheses, self._conclusion = symbols, hypotheses, conclusion
        self._differences = {
            relation: _Difference(relation, symbols)
            for statement in (*hypotheses, conclusion)
            for relation in relations_of(statement)
        }

    def run(self, subdivision: Subdivision) -> str | GiveUp:
        """A note if all boxes are finished, else what was said of one that is not."""
        stack: list[Box] = [tuple((Fraction(0), Fraction(1)) for _ in self._symbols)]
        boxes, narrowest, holding = 0, Fraction(1), 0
        while stack:
            box = stack.pop()
            boxes += 1
            excluded, holds = self._examine(box)
            holding += holds
            if excluded or holds:
                continue
            said = subdivision.next(box, boxes)
            if isinstance(said, GiveUp):
                return said
            lower, upper = halves(box, said.place)
            stack += (lower, upper) if said.upper_first else (upper, lower)
            narrowest = min(narrowest, lower[said.place][1] - lower[said.place][0])
        count = f"{boxes:,} box{'' if boxes == 1 else 'es'}"
        covered = f"{count} of width >= 2^-{narrowest.denominator.bit_length() - 1}"
        return covered if holding else f"{covered}; the hypotheses hold in none of them"

    def is_finished(self, box: Box) -> bool:
        """Whether the hypotheses certainly fail on all of a box, or the conclusion certainly holds."""
        return any(self._examine(box))

    def _examine(self, box: Box) -> tuple[bool, bool]:
        """Whether the hypotheses certainly fail on all of the box, and whether the conclusion certainly holds."""
        intervals = [_image(symbol.domain, ends) for symbol, ends in zip(self._symbols, box, strict=True)]
        balls = [_ball(interval) for interval in intervals]
        at_edge = any(low == 0 or high == 1 for low, high in box)
        narrowed = {
            symbol: replace(symbol, domain=interval) for symbol, interval in zip(self._symbols, intervals, strict=True)
        }

        def decide(relation: Relation) -> bool | None:
            verdict = self._differences[relation].decide(balls)
            if verdict is None and at_edge:
                return decide_by_range(
                    Relation(
                        substitute(relation.left, narrowed), relation.operator, substitute(relation.right, narrowed)
                    )
                )
            return verdict

        if any(truth(hypothesis, decide) is False for hypothesis in self._hypotheses):
            return True, False
        return False, truth(self._conclusion, decide) is True


class _Difference:
    """Left side minus right side of a relation, with its gradient where there is one."""

    def __init__(self, relation: Relation, symbols: tuple[Symbol, ...]) -> None:
        difference = relation.left - relation.right
        self._operator = relation.operator
        self._function = BallFunction(difference, symbols)
        self._gradient: list[tuple[int, BallFunction]] = []
        try:
            derivatives = [
                (symbols.index(symbol), differentiate(difference, symbol)) for symbol in free_symbols(difference)
            ]
        except UnsupportedError:
            return
        self._gradient = [(place, BallFunction(derivative, symbols)) for place, derivative in derivatives]

    def decide(self, balls: Sequence[arb]) -> bool | None:
        """Whether the relation holds at all points of a box, or fails at all; None for neither."""
        enclosed = self._function.enclose(balls)
        verdict = compare(enclosed, self._operator)
        if verdict is not None or not is_determinate(enclosed) or not self._gradient:
            return verdict
        # Mean value form: f(x) lies in f(m) + f'(box) * (box - m), which is narrower on small boxes.
        middle = [ball.mid() for ball in balls]
        linear = self._function.enclose(middle)
        for place, derivative in self._gradient:
            linear += derivative.enclose(balls) * (balls[place] - middle[place])
        return compare(linear, self._operator)


def compare(difference: arb, operator: str) -> bool | None:
    """Compare an enclosed difference with 0."""
    if not is_determinate(difference):
        return None
    below, above = bool(difference < 0), bool(difference > 0)
    zero = bool(difference == 0)
    match operator:
        case "=" | "!=":
            equal = True if zero else (False if below or above else None)
            return equal if operator == "=" or equal is None else not equal
        case "<" | ">=":
            less = True if below else (False if difference >= 0 else None)
            return less if operator == "<" or less is None else not less
        case _:
            greater = True if above else (False if difference <= 0 else None)
            return greater if operator == ">" or greater is None else not greater


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
