"""Branch and bound over the whole domain: balls inside, exact ranges with open ends along its edges.

Every symbol's domain is the image of a chart coordinate in [0, 1]. A box of coordinates is finished when
a hypothesis certainly fails on it or the conclusion certainly holds on it; other boxes are halved. Many
true inequalities are tight at a corner of the domain: there no subdivision helps, and the search gives up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from time import perf_counter

from grpo_symbolic.checks.awarding import award
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
    Value,
    exact,
    interval_ball,
    is_determinate,
    precision,
)
from grpo_symbolic.translate.ranges import decide_by_range

METHOD = "enclosure"

_BITS = 64
_CONSTANT_BITS = 256
#: A box this many halvings deep in every coordinate that is still undecided will not be decided by more.
_DEEPEST = 18
#: Boxes examined before the search, to see whether it can succeed at all.
_MAXIMAL_PROBES = 128
#: Chart coordinates of the two ends of a box, for every symbol.
_Box = tuple[tuple[Fraction, Fraction], ...]


def unavailable() -> str | None:
    """None: ball arithmetic comes with the package."""
    return None


def check(obligation: Obligation, settings: Settings) -> Evidence | None:
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
            decided, note, candidates = _Search(hypotheses, conclusion, symbols, settings).run()
    except UnsupportedError:
        return None
    seconds = perf_counter() - started
    if decided:
        return award(METHOD, Verdict.DECIDED, obligation.label, note, seconds=seconds)
    return Evidence(METHOD, Verdict.UNDECIDED, obligation.label, note, candidates=candidates, seconds=seconds)


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


class _Search:
    """One run of branch and bound."""

    def __init__(
        self,
        hypotheses: Sequence[Statement],
        conclusion: Statement,
        symbols: tuple[Symbol, ...],
        settings: Settings,
    ) -> None:
        self._settings, self._symbols = settings, symbols
        self._hypotheses, self._conclusion = hypotheses, conclusion
        self._differences = {
            relation: _Difference(relation, symbols)
            for statement in (*hypotheses, conclusion)
            for relation in relations_of(statement)
        }
        self._whole: _Box = tuple((Fraction(0), Fraction(1)) for _ in symbols)

    def run(self) -> tuple[bool, str, tuple[Mapping[Symbol, Fraction], ...]]:
        """Whether it is decided, a note, and otherwise where it seems to fail."""
        hopeless = self._hopeless_box()
        if hopeless is not None:
            failing = self._failing(hopeless) or self._failing_on_a_grid()
            return False, f"no subdivision helps {self._where(hopeless)}", failing
        stack = [self._whole]
        boxes, narrowest, holding = 0, Fraction(1), 0
        while stack:
            box = stack.pop()
            boxes += 1
            excluded, holds = self._examine(box)
            holding += holds
            if excluded or holds:
                continue
            failing = self._failing(box)
            if failing:
                return False, f"fails in the middle of a box {self._where(box)}", failing
            width, place = max(
                ((high - low, -place) for place, (low, high) in enumerate(box)), default=(Fraction(0), 0)
            )
            if width <= Fraction(1, 2**_DEEPEST):
                return False, f"stuck after {_count(boxes)} {self._where(box)}", ()
            if boxes >= self._settings.boxes:
                return False, f"budget of {_count(boxes)} spent, still open {self._where(box)}", ()
            narrowest = min(narrowest, width / 2)
            # The half that looks closer to failing comes first: where the claim is tight we learn it early.
            stack += sorted(_halves(box, -place), key=self._smallest_gap, reverse=True)
        covered = f"{_count(boxes)} of width >= 2^-{narrowest.denominator.bit_length() - 1}"
        return True, covered if holding else f"{covered}; the hypotheses hold in none of them", ()

    def _hopeless_box(self) -> _Box | None:
        """A smallest box in a corner, on an edge or in the middle of the domain that stays undecided.

        Every search would end up with it, so it saves the search: most claims that balls cannot decide
        are tight at such a place.
        """
        half, least = Fraction(1, 2), Fraction(1, 2**_DEEPEST)
        places = ((Fraction(0), least), (1 - least, Fraction(1)), (half - least, half))
        for box in islice(product(places, repeat=len(self._symbols)), _MAXIMAL_PROBES):
            excluded, holds = self._examine(box)
            if not (excluded or holds):
                return box
        return None

    def _failing_on_a_grid(self) -> tuple[Mapping[Symbol, Fraction], ...]:
        """Look for a counterexample in the middle of the first boxes, breadth first."""
        boxes = deque([self._whole])
        for _ in range(_MAXIMAL_PROBES):
            box = boxes.popleft()
            failing = self._failing(box)
            if failing or not box:
                return failing
            widths = [high - low for low, high in box]
            boxes += _halves(box, widths.index(max(widths)))
        return ()

    def _examine(self, box: _Box) -> tuple[bool, bool]:
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

    def _failing(self, box: _Box) -> tuple[Mapping[Symbol, Fraction], ...]:
        """The middle of a box if balls see that it is a counterexample."""
        middle = self._middle(box)
        values = [exact(value) for value in middle.values()]

        def decide(relation: Relation) -> bool | None:
            return self._differences[relation].decide_at(values)

        fails = truth(self._conclusion, decide) is False
        return (middle,) if fails and all(truth(item, decide) for item in self._hypotheses) else ()

    def _middle(self, box: _Box) -> dict[Symbol, Fraction]:
        points = zip(self._symbols, box, strict=True)
        return {symbol: symbol.domain.at((low + high) / 2) for symbol, (low, high) in points}

    def _smallest_gap(self, box: _Box) -> float:
        """How close the relations of the conclusion come to equality in the middle of the box."""
        values = [exact(value) for value in self._middle(box).values()]
        gaps = [self._differences[relation].function.enclose(values) for relation in relations_of(self._conclusion)]
        return min((abs(float(gap)) if is_determinate(gap) else 0.0 for gap in gaps), default=0.0)

    def _where(self, box: _Box) -> str:
        middle = self._middle(box)
        place = ", ".join(f"{symbol} = {float(value):.6g}" for symbol, value in middle.items())
        return f"near {place}" if place else "(a constant)"


class _Difference:
    """Left side minus right side of a relation, with its gradient where there is one."""

    def __init__(self, relation: Relation, symbols: tuple[Symbol, ...]) -> None:
        difference = relation.left - relation.right
        self._operator = relation.operator
        self.function = BallFunction(difference, symbols)
        self._gradient: list[tuple[int, BallFunction]] = []
        try:
            derivatives = [
                (symbols.index(symbol), differentiate(difference, symbol)) for symbol in free_symbols(difference)
            ]
        except UnsupportedError:
            return
        self._gradient = [(place, BallFunction(derivative, symbols)) for place, derivative in derivatives]

    def decide_at(self, values: Sequence[Value]) -> bool | None:
        """Whether the relation holds at a point; None if the balls cannot tell or it is undefined there."""
        return _compare(self.function.enclose(values), self._operator)

    def decide(self, balls: Sequence[Value]) -> bool | None:
        """Whether the relation holds at all points of a box, or fails at all; None for neither."""
        enclosed = self.function.enclose(balls)
        verdict = _compare(enclosed, self._operator)
        if verdict is not None or not is_determinate(enclosed) or not self._gradient:
            return verdict
        # Mean value form: f(x) lies in f(m) + f'(box) * (box - m), which is narrower on small boxes.
        middle = [ball.mid() for ball in balls]
        linear = self.function.enclose(middle)
        for place, derivative in self._gradient:
            linear += derivative.enclose(balls) * (balls[place] - middle[place])
        return _compare(linear, self._operator)


def _compare(difference: Value, operator: str) -> bool | None:
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


def _count(boxes: int) -> str:
    return f"{boxes:,} box{'' if boxes == 1 else 'es'}"


def _halves(box: _Box, place: int) -> list[_Box]:
    low, high = box[place]
    middle = (low + high) / 2
    return [(*box[:place], half, *box[place + 1 :]) for half in ((low, middle), (middle, high))]


def _image(domain: Interval, ends: tuple[Fraction, Fraction]) -> Interval:
    """The part of the domain between two chart coordinates, open or closed as the domain is."""
    low, high = domain.chart(ends[0]), domain.chart(ends[1])
    low_closed = low is not None and (ends[0] > 0 or domain.lower_closed)
    high_closed = high is not None and (ends[1] < 1 or domain.upper_closed)
    return Interval(low, high, low_closed, high_closed)


def _ball(interval: Interval) -> Value:
    if interval.lower is None or interval.upper is None:
        return INDETERMINATE
    return interval_ball(exact(interval.lower), exact(interval.upper))
