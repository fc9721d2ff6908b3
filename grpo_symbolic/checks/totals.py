r"""Sums over all elements of an index set, for any number of elements.

Each Total is written as a linear combination of *aggregates*: sums of other summands, such as
$\sum_i p_i \log p_i$, with coefficients that are the same for every element. An aggregate becomes
an opaque symbol; equal summands get the same symbol throughout an obligation. Nothing else about a sum is
used except that the sum has the sign that all summands have, so what holds for arbitrary aggregates holds for
any number of elements.

Soundness. Summands are split by linearity, as a proposer says. That is used where polynomial arithmetic confirms that
the terms sum to the summand, whatever the values of those of its parts are that it does not look into, under conditions
that hold at every point of the domains at which the summand has a value, and where each term has a value at these
points. So the sums of the terms have values where the Total has one, and it is their combination. A summand that is
not split is an aggregate itself.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from grpo_symbolic.checks.common_terms import Variables, generalised
from grpo_symbolic.checks.exact import objection_to_zero
from grpo_symbolic.language.calculus import ONE, times
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Expression, Symbol, Total, as_expression, free_symbols, rebuild, walk
from grpo_symbolic.language.statement import eq, expressions_of, ge, gt, map_expressions
from grpo_symbolic.obligations.obligation import Obligation, values_needed
from grpo_symbolic.translate.ranges import NONNEGATIVE, POSITIVE, WHOLE_LINE, decide_by_range

if TYPE_CHECKING:
    from grpo_symbolic.checks.proposer import Combination, Proposer


def reduce_totals(obligation: Obligation, proposer: Proposer, variables: Variables | None = None) -> Obligation:
    """Replace every Total by a linear combination of aggregate symbols, inner Totals first.

    The new symbols are called ``total_1``, ``total_2``, ... in order of appearance. They range over the
    positive (or non-negative) numbers if their summands do on the domains, else over all real numbers. Where no
    proposed split of a summand is confirmed, its Total as a whole becomes one aggregate. ``variables`` learn them.

    Raises:
        UnsupportedError: for composite statements; expand them first.
    """
    statements = (*obligation.hypotheses, obligation.conclusion)
    nodes = [node for statement in statements for item in expressions_of(statement) for node in walk(item)]
    nodes += [node for item in obligation.defined for node in walk(item)]
    if not any(isinstance(node, Total) for node in nodes):
        return obligation
    taken = frozenset(node.name for node in nodes if isinstance(node, Symbol))
    aggregates = _Aggregates(variables or Variables("total", taken), proposer)
    return Obligation(
        obligation.label,
        tuple(map_expressions(hypothesis, aggregates.reduced) for hypothesis in obligation.hypotheses),
        map_expressions(obligation.conclusion, aggregates.reduced),
        obligation.necessary,
        tuple(map(aggregates.reduced, obligation.defined)),
    )


@dataclass
class _Aggregates:
    """The aggregate symbols handed out for one obligation, by what they sum."""

    variables: Variables
    proposer: Proposer

    def reduced(self, expression: Expression) -> Expression:
        """An expression without Totals."""
        inner = rebuild(expression, tuple(map(self.reduced, expression.children)))
        return self._sum(inner.body) if isinstance(inner, Total) else inner

    def _sum(self, body: Expression) -> Expression:
        """The sum of a Total-free body over the index set."""
        collected: dict[Expression, Expression] = {}
        for coefficient, summand in self._split(body, whole=False):
            known = collected.get(summand)
            collected[summand] = coefficient if known is None else known + coefficient
        terms = [
            times(coefficient, self.variables.symbol(summand, _sum_domain(summand), f"sum of {summand}"))
            for summand, coefficient in collected.items()
        ]
        return reduce(operator.add, terms) if terms else as_expression(0)

    def _split(self, body: Expression, *, whole: bool) -> Iterator[tuple[Expression, Expression]]:
        """Coefficients and summands, as is proposed; summands that were not looked into are split once more."""
        for proposal in self.proposer.combinations(body):
            if whole and proposal.unknown:
                continue
            if _is_confirmed(body, proposal, self.proposer):
                for coefficient, summand in proposal.terms:
                    parts = self._split(summand, whole=True) if proposal.unknown else ((ONE, summand),)
                    yield from ((times(coefficient, inner), part) for inner, part in parts)
                return
        yield ONE, body


def _sum_domain(summand: Expression) -> Interval:
    """Where the sum of a summand lies; there is at least one element, so strict signs are kept."""
    if decide_by_range(gt(summand, 0)):
        return POSITIVE
    return NONNEGATIVE if decide_by_range(ge(summand, 0)) else WHOLE_LINE


def _is_confirmed(body: Expression, proposal: Combination, proposer: Proposer) -> bool:
    """Whether a body is the sum of the proposed terms wherever it has a value, whatever the symbols are."""
    if any(symbol.indexed for coefficient, _ in proposal.terms for symbol in free_symbols(coefficient)):
        return False
    known, needed = values_needed((body,)), values_needed(part for term in proposal.terms for part in term)
    difference = reduce(operator.sub, (coefficient * summand for coefficient, summand in proposal.terms), body)
    # The terms that were not looked into may have any value.
    general = generalised(Obligation("", (), eq(difference, 0)), proposal.unknown).conclusion
    return objection_to_zero(next(expressions_of(general)), proposal.laws, needed, known, proposer) is None
