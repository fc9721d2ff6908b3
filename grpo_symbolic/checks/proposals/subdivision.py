"""Proposals for covers: which boxes are halved where and in what order, and when it is hopeless.

Many true inequalities are tight at a corner of the domain: there no subdivision helps, and it is soonest seen in small
boxes at corners, on edges and in the middle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product

from grpo_symbolic.checks.enclosure import compare, halves
from grpo_symbolic.checks.proposer import Box, Halve, Opinion
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.statement import All, Any, Relation, Statement, relations_of, truth
from grpo_symbolic.points.intervals import point_at
from grpo_symbolic.translate.balls import exact
from grpo_symbolic.translate.values import ValueFunction, is_determinate

#: A box this many halvings deep in every coordinate that is still undecided will not be decided by more.
_DEEPEST = 18
#: Boxes examined before the search, to see whether it can succeed at all.
_MAXIMAL_PROBES = 128

_Points = tuple[Mapping[Symbol, Fraction], ...]


class Deepest:
    """Halve the widest side; the half that looks closer to failing comes first, since there most is learnt."""

    def __init__(
        self,
        hypotheses: Sequence[Statement],
        conclusion: Statement,
        symbols: tuple[Symbol, ...],
        is_finished: Callable[[Box], bool],
        budget: int,
    ) -> None:
        self._hypotheses, self._conclusion, self._symbols = hypotheses, conclusion, symbols
        self._is_finished, self._budget = is_finished, budget
        self._open, self._narrowest = 0, Fraction(1)
        self._given_up: Opinion | None = None
        self._functions = {
            relation: ValueFunction(relation.left - relation.right, symbols)
            for statement in (*hypotheses, conclusion)
            for relation in relations_of(statement)
        }

    def next(self, box: Box, boxes: int) -> Halve | None:
        """Where to halve an open box, the last of so many boxes; None if it is hopeless, or there were too many."""
        self._given_up = self._reason(box, boxes)
        if self._given_up is not None:
            return None
        self._open += 1
        widths = [high - low for low, high in box]
        place = widths.index(max(widths))
        self._narrowest = min(self._narrowest, widths[place] / 2)
        lower, upper = halves(box, place)
        return Halve(place, upper_first=self._smallest_gap(upper) < self._smallest_gap(lower))

    def _reason(self, box: Box, boxes: int) -> Opinion | None:
        """Why no box should be divided any more."""
        hopeless = self._hopeless_box() if boxes == 1 else None
        if hopeless is not None:
            failing = self._failing(hopeless) or self._failing_on_a_grid(box)
            return Opinion(f"no subdivision helps {self._where(hopeless)}", failing)
        failing = self._failing(box)
        if failing:
            return Opinion(f"fails in the middle of a box {self._where(box)}", failing)
        if max((high - low for low, high in box), default=0) <= Fraction(1, 2**_DEEPEST):
            return Opinion(f"stuck after {_count(boxes)} {self._where(box)}")
        if boxes >= self._budget:
            return Opinion(f"budget of {_count(boxes)} spent, still open {self._where(box)}")
        return None

    def opinion(self) -> Opinion:
        """Why it was given up, else how many boxes it took: every box that is halved leaves one more."""
        if self._given_up is not None:
            return self._given_up
        count = _count(2 * self._open + 1)
        return Opinion(f"{count} of width >= 2^-{self._narrowest.denominator.bit_length() - 1}")

    def _hopeless_box(self) -> Box | None:
        """A smallest box in a corner, on an edge or in the middle of the domain that stays undecided.

        Every search would end up with it, so it saves the search: most claims that balls cannot decide
        are tight at such a place.
        """
        half, least = Fraction(1, 2), Fraction(1, 2**_DEEPEST)
        places = ((Fraction(0), least), (1 - least, Fraction(1)), (half - least, half))
        boxes = islice(product(places, repeat=len(self._symbols)), _MAXIMAL_PROBES)
        return next((box for box in boxes if not self._is_finished(box)), None)

    def _failing_on_a_grid(self, whole: Box) -> _Points:
        """Look for a counterexample in the middle of the first boxes, breadth first."""
        boxes = deque([whole])
        for _ in range(_MAXIMAL_PROBES):
            box = boxes.popleft()
            failing = self._failing(box)
            if failing or not box:
                return failing
            widths = [high - low for low, high in box]
            boxes += halves(box, widths.index(max(widths)))
        return ()

    def _failing(self, box: Box) -> _Points:
        """The middle of a box if balls see that it is a counterexample."""
        middle = self._middle(box)
        values = [exact(value) for value in middle.values()]

        def decide(relation: Relation) -> bool | None:
            return compare(self._functions[relation].enclose(values), relation.operator)

        fails = truth(self._conclusion, decide) is False
        return (middle,) if fails and all(truth(item, decide) for item in self._hypotheses) else ()

    def _middle(self, box: Box) -> dict[Symbol, Fraction]:
        points = zip(self._symbols, box, strict=True)
        return {symbol: point_at(symbol.domain, (low + high) / 2) for symbol, (low, high) in points}

    def _smallest_gap(self, box: Box) -> float:
        """How close the relations of the conclusion come to equality in the middle of the box."""
        values = [exact(value) for value in self._middle(box).values()]
        gaps = [self._functions[relation].enclose(values) for relation in relations_of(self._conclusion)]
        return min((abs(float(gap)) if is_determinate(gap) else 0.0 for gap in gaps), default=0.0)

    def _where(self, box: Box) -> str:
        middle = self._middle(box)
        place = ", ".join(f"{symbol} = {float(value):.6g}" for symbol, value in middle.items())
        return f"near {place}" if place else "(a constant)"


def needs_equation(conclusion: Statement) -> bool:
    """Whether the conclusion can only hold where some equation holds, which no ball can show."""
    match conclusion:
        case Relation(_, operator, _):
            return operator == "="
        case All(parts):
            return any(needs_equation(part) for part in parts)
        case Any(parts):
            return all(needs_equation(part) for part in parts)
        case _:
            return False


def _count(boxes: int) -> str:
    return f"{boxes:,} box{'' if boxes == 1 else 'es'}"
