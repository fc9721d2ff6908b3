"""What the deciding methods ask for. Every answer is checked by the method that asks, and believed in nothing.

A proposer finds out how something could be shown; that takes field towers, sample points, budgets and heuristics. The
method checks what was found by arguments that are short. Here are only the shapes of proposals: the methods import them
for the type checker. ``checks.proposals`` has the proposer that is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.language.statement import Relation, Statement
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.algebra import Proposals


@dataclass(frozen=True)
class Angles:
    """The terms ``old`` and ``new`` are equal, as the sine of ``times`` their difference is 0 and that is small."""

    old: Expression
    new: Expression
    times: Expression
    laws: Proposals


@dataclass(frozen=True)
class NormalForm:
    """The sides of a relation differ by ``difference``, at least where the hypothesis ``where`` holds.

    In the sides, the new ones of ``angles`` are put for the old ones before. How the difference compares with 0 is seen
    by the ranges of its symbols. In ``gaps`` are those that stand for the left side of a hypothesis minus its right
    side. ``laws`` tell how roots, exponentials and logarithms can be written for this to be seen by polynomial
    arithmetic; ``note`` is for people.

    With ``cases`` there is nothing else but the note: of two expressions, the first is at most the second or at least
    the second, and there is a normal form for each case, in which it is a further hypothesis.
    """

    laws: Proposals
    difference: Expression
    where: Relation | None
    note: str
    angles: tuple[Angles, ...] = ()
    gaps: tuple[tuple[Symbol, Relation], ...] = ()
    cases: tuple[Expression, Expression, NormalForm, NormalForm] | None = None


@dataclass(frozen=True)
class Elimination:
    """The sides of the hypothesis ``equation``, times ``times``, differ by ``slope * (symbol - value)``."""

    equation: Relation
    times: Expression
    symbol: Symbol
    slope: Expression
    value: Expression
    laws: Proposals


@dataclass(frozen=True)
class Combination:
    """Something that is summed over an index set, as a sum of terms.

    Each of the ``terms`` is a coefficient, the same for every element, and what it is multiplied by. That they sum to
    it is seen without looking into ``unknown`` parts.
    """

    terms: tuple[tuple[Expression, Expression], ...]
    laws: Proposals
    unknown: frozenset[Expression] = frozenset()


@dataclass(frozen=True)
class Question:
    """A solver to be asked, with these terms as variables and perhaps strong axioms, until it gives up.

    It may spend ``effort`` in its own deterministic units and, if it has a clock, so many ``milliseconds``. A
    ``thorough`` solver uses a complete procedure for real arithmetic; cvc5 cannot be stopped then.
    """

    solver: str
    effort: int
    milliseconds: int
    thorough: bool
    terms: frozenset[Expression] = frozenset()
    strong: bool = False


#: What a solver says: ``sat``, ``unsat`` or ``unknown``, and a model of its own making if satisfiable.
Answer: TypeAlias = tuple[str, Any]


@dataclass(frozen=True)
class Opinion:
    """What is told of an attempt, and points at which the goal may fail."""

    note: str
    candidates: tuple[Mapping[Symbol, Fraction], ...] = ()


#: Chart coordinates of the two ends of a box, for every symbol.
Box: TypeAlias = tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True)
class Halve:
    """Halve a box in the coordinate at this place, and look at one of the halves first."""

    place: int
    upper_first: bool


class Subdivision(Protocol):
    """How the boxes of a cover are divided."""

    def next(self, box: Box, boxes: int) -> Halve | None:
        """What to do about an open box, the last of so many boxes; None if no subdivision will help."""

    def opinion(self) -> Opinion:
        """What is told of it in the end."""


class Proposer(Protocol):
    """What is proposed, best first."""

    def __hash__(self) -> int:
        """Equal proposers propose the same: what came of a proposal is kept for them."""

    def normal_forms(self, relation: Relation, hypotheses: Sequence[Statement]) -> Iterable[NormalForm | str]:
        """How a relation could follow by normal forms, or a word on why it does not seem to."""

    def eliminations(self, relation: Relation, hypotheses: Sequence[Statement]) -> Iterable[Elimination]:
        """Equations among hypotheses that could be solved for a symbol, for the sake of a relation."""

    def kernels(self, expressions: Iterable[Expression]) -> Proposals:
        """Laws by which solvers get expressions with few variables."""

    def hear(self, goal: Obligation, ask: Callable[[Question], Answer]) -> Opinion:
        """Ask solvers about a goal, as long as it seems worth while."""

    def combinations(self, body: Expression) -> Iterable[Combination]:
        """Ways to write something that is summed over an index set as a sum of terms."""

    def subdivision(
        self,
        hypotheses: Sequence[Statement],
        conclusion: Statement,
        symbols: tuple[Symbol, ...],
        is_finished: Callable[[Box], bool],
    ) -> Subdivision | None:
        """How to divide the domain of symbols into boxes on which a conclusion is seen to hold under hypotheses."""
