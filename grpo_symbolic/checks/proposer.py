"""What the deciding methods ask for. Every answer is checked by the method that asks, and believed in nothing.

A proposer finds out how something could be shown; that takes field towers, sample points and heuristics. The method
checks what was found by arguments that are short. ``checks.proposals`` has the proposer that is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.language.statement import Relation, Statement
from grpo_symbolic.translate.algebra import Proposals


@dataclass(frozen=True)
class NormalForm:
    """The sides of a relation differ by ``constant``, at least where the hypothesis ``where`` holds.

    ``laws`` tell how roots, exponentials and logarithms can be written for this to be seen by polynomial arithmetic;
    ``note`` is for people.
    """

    laws: Proposals
    constant: Fraction
    where: Relation | None
    note: str


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
    """Something that is summed over the outputs, as a sum of terms.

    Each of the ``terms`` is a coefficient, the same for every output, and what it is multiplied by.
    """

    terms: tuple[tuple[Expression, Expression], ...]
    laws: Proposals


class Proposer(Protocol):
    """What is proposed, best first."""

    def normal_forms(self, relation: Relation, hypotheses: Sequence[Statement]) -> Iterable[NormalForm | str]:
        """How a relation could follow by normal forms, or a word on why it does not seem to."""

    def eliminations(self, relation: Relation, hypotheses: Sequence[Statement]) -> Iterable[Elimination]:
        """Equations among hypotheses that could be solved for a symbol, for the sake of a relation."""

    def kernels(self, expressions: Iterable[Expression]) -> Proposals:
        """Laws by which solvers get expressions with few variables."""

    def common_terms(self, statements: Sequence[Statement]) -> frozenset[Expression]:
        """Terms of several statements that a proof may not have to look into."""

    def combinations(self, body: Expression) -> Iterable[Combination]:
        """Ways to write something that is summed over the outputs as a sum of terms."""
