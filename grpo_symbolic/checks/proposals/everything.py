"""The proposer that is used: towers, kernels, common terms, sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from grpo_symbolic.checks.proposals.angles import eliminations_by_angles, has_angles, proposed_by_angles
from grpo_symbolic.checks.proposals.certificates import proposed_certificates
from grpo_symbolic.checks.proposals.solving import Solving
from grpo_symbolic.checks.proposals.subdivision import Deepest, needs_equation
from grpo_symbolic.checks.proposals.sums import outer_shape, proposed_combinations
from grpo_symbolic.checks.proposals.towers import proposed_eliminations, proposed_normal_forms
from grpo_symbolic.checks.proposer import Answer, Box, Combination, Elimination, NormalForm, Opinion, Question
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.language.statement import Relation, Statement
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.algebra import Proposals
from grpo_symbolic.translate.kernels import FewKernels


@dataclass(frozen=True)
class Everything:
    """All proposals: with the seed of sample points, and with the budgets for solvers and boxes.

    ``brief`` searches for certificates are for those who ask others next.
    """

    settings: Settings = field(default_factory=Settings)
    brief: bool = False

    def normal_forms(self, relation: Relation, hypotheses: Sequence[Statement]) -> Iterator[NormalForm | str]:
        """Normal forms of the difference, by the addition theorems and in towers; then what shows the sign of it."""
        if has_angles(relation):
            yield from proposed_by_angles(relation, hypotheses, self.settings.seed)
        yield from proposed_normal_forms(relation, hypotheses, self.settings.seed)
        yield from proposed_certificates(relation, hypotheses, brief=self.brief)

    def eliminations(self, relation: Relation, hypotheses: Sequence[Statement]) -> Iterator[Elimination]:
        """Equations that are linear in a symbol."""
        yield from eliminations_by_angles(hypotheses)
        yield from proposed_eliminations(relation, hypotheses, self.settings.seed)

    def kernels(self, expressions: Iterable[Expression]) -> Proposals:
        """Few kernels for a solver."""
        return FewKernels(expressions)

    def hear(self, goal: Obligation, ask: Callable[[Question], Answer]) -> Opinion:
        """Ask one solver and then the other, with ever more facts."""
        return Solving(ask, self.settings.effort, self.kernels).opinion(goal)

    def combinations(self, body: Expression) -> Iterator[Combination]:
        """The normal form of a summand by monomials in coordinates, then the pieces of its outer shape."""
        yield from proposed_combinations(body)
        yield from outer_shape(body)

    def subdivision(
        self,
        hypotheses: Sequence[Statement],
        conclusion: Statement,
        symbols: tuple[Symbol, ...],
        is_finished: Callable[[Box], bool],
    ) -> Deepest | None:
        """Halve the widest side of boxes, unless small boxes show that it is hopeless, or an equation is needed."""
        if needs_equation(conclusion):
            return None
        return Deepest(hypotheses, conclusion, symbols, is_finished, self.settings.boxes)
