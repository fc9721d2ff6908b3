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

With several indices an aggregate is a function of the elements over which its sum does not run, and so no coefficient
of a sum that runs over one of them: there it is a factor, and the sum a double sum. What is given of it is given at
every element, so it may be put there inside of a sum.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, TypeAlias

from grpo_symbolic.checks.common_terms import Variables, generalised
from grpo_symbolic.checks.double_sums import Indices, factors_of, put_inside
from grpo_symbolic.checks.exact import objection_to_zero
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.calculus import ONE, times
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import (
    Delta,
    Expression,
    Symbol,
    Total,
    as_expression,
    exchanged,
    free_indices,
    free_symbols,
    rebuild,
    walk,
)
from grpo_symbolic.language.statement import Relation, Statement, conjuncts, eq, expressions_of, ge, gt, map_expressions
from grpo_symbolic.obligations.obligation import Obligation, values_needed
from grpo_symbolic.translate.ranges import NONNEGATIVE, POSITIVE, WHOLE_LINE, decide_by_range

if TYPE_CHECKING:
    from grpo_symbolic.checks.proposer import Combination, Proposer
    from grpo_symbolic.language.index_set import IndexSet


#: Coefficients, what they are multiplied by, and the symbols of the sums of that.
Terms: TypeAlias = tuple[tuple[Expression, Expression, Symbol], ...]


def reduce_totals(obligation: Obligation, proposer: Proposer, variables: Variables | None = None) -> Obligation:
    """Replace every Total by a linear combination of aggregate symbols, inner Totals first.

    The new symbols are called ``total_1``, ``total_2``, ... in order of appearance. They range over the
    positive (or non-negative) numbers if their summands do on the domains, else over all real numbers. Where no
    proposed split of a summand is confirmed, its Total as a whole becomes one aggregate. ``variables`` learn them.

    Raises:
        UnsupportedError: for composite statements; expand them first. Where an aggregate would depend on more than two
            elements, and for Kronecker's delta, which is to be written out before.
    """
    aggregates = Aggregates.of(obligation, proposer, variables)
    reduced = obligation if aggregates is None else _mapped(obligation, aggregates.reduced)
    return reduced if len(_indices(obligation).known) < 2 else _of_one_place(reduced)


def _nodes(obligation: Obligation) -> Iterator[Expression]:
    return (node for item in (*obligation.expressions, *obligation.defined) for node in walk(item))


def _indices(obligation: Obligation) -> Indices:
    return Indices.of(_nodes(obligation))


def _mapped(obligation: Obligation, change: Callable[[Expression], Expression]) -> Obligation:
    return Obligation(
        obligation.label,
        tuple(map_expressions(hypothesis, change) for hypothesis in obligation.hypotheses),
        map_expressions(obligation.conclusion, change),
        obligation.necessary,
        tuple(map(change, obligation.defined)),
    )


@lru_cache(maxsize=2**12)
def _has_sums(expression: Expression) -> bool:
    return isinstance(expression, Total) or any(map(_has_sums, expression.children))


def _of_one_place(obligation: Obligation) -> Obligation:
    """What is left of the elements of which it is when no sum is: numbers, and others for other elements."""
    symbols = (one for item in (*obligation.expressions, *obligation.defined) for one in free_symbols(item))
    plain = {one: replace(one, indexed=None, second=None, of=None) for one in symbols if one.indices}
    return _mapped(obligation, lambda expression: exchanged(expression, plain))


@dataclass
class Aggregates:
    """The aggregate symbols handed out for one obligation, by the sums that they are, and what is given of them.

    For each Total that was ``removed`` it is kept what it sums, without others, and over what, and how that is apart.
    """

    variables: Variables
    proposer: Proposer
    indices: Indices
    sums: dict[Symbol, Total] = field(default_factory=dict)
    known: dict[Symbol, Expression] = field(default_factory=dict)
    removed: dict[Total, tuple[Expression, IndexSet | None, Terms]] = field(default_factory=dict)

    @classmethod
    def of(cls, obligation: Obligation, proposer: Proposer, variables: Variables | None = None) -> Aggregates | None:
        """Those of an obligation, which are none yet; None if it has no Totals."""
        nodes = tuple(_nodes(obligation))
        if not any(isinstance(node, Total) for node in nodes):
            return None
        if any(isinstance(node, Delta) for node in nodes):
            # It depends on elements without naming a symbol.
            raise UnsupportedError(f"{obligation.label}: a delta is left under a sum")
        taken = frozenset(node.name for node in nodes if isinstance(node, Symbol))
        found = cls(variables or Variables("total", taken), proposer, Indices.of(nodes))
        for hypothesis in conjuncts(*obligation.hypotheses) if found.indices.only is None else ():
            found.learn(hypothesis)
        # Once everything is learned, more may be known of what was summed.
        found.removed.clear()
        return found

    def learn(self, hypothesis: Statement) -> None:
        """What an equation that holds at every element says an aggregate of other elements is."""
        if isinstance(hypothesis, Relation) and hypothesis.operator == "=":
            left, right = self.reduced(hypothesis.left), self.reduced(hypothesis.right)
            for symbol, value in ((left, right), (right, left)):
                if isinstance(symbol, Symbol) and symbol in self.sums and symbol.indices and _is_free(symbol, value):
                    self.known.setdefault(symbol, value)
                    return

    def reduced(self, expression: Expression) -> Expression:
        """An expression without Totals."""
        if not _has_sums(expression):
            return expression
        inner = rebuild(expression, tuple(map(self.reduced, expression.children)))
        if not (isinstance(inner, Total) and isinstance(expression, Total)):
            return inner
        if expression not in self.removed:
            over = inner.over or self.indices.only
            self.removed[expression] = (inner.body, over, self._terms(inner.body, over))
        terms = [times(coefficient, symbol) for coefficient, _, symbol in self.removed[expression][2]]
        return reduce(operator.add, terms) if terms else as_expression(0)

    def _terms(self, body: Expression, over: IndexSet | None) -> Terms:
        """Coefficients and summands of a Total-free body, and the symbols of the sums of these over an index."""
        collected: dict[Expression, Expression] = {}
        for coefficient, summand in self._apart(exchanged(body, self.known), over):
            known = collected.get(summand)
            collected[summand] = coefficient if known is None else known + coefficient
        return tuple(
            (coefficient, summand, self._aggregate(summand, over)) for summand, coefficient in collected.items()
        )

    def _aggregate(self, summand: Expression, over: IndexSet | None) -> Symbol:
        """The symbol of the sum of a summand, which is of the elements on which it still depends.

        A sum of multiples of an inner sum is a double sum, whose order does not matter.
        """
        total = self.indices.canonical(self._exposed(summand, over))
        free = free_indices(total)
        if len(free) > 2:
            raise UnsupportedError(f"{total} depends on more than two elements")
        inner = innermost(total)
        found = self.variables.symbol(total, _sum_domain(inner), f"sum of {inner}", free)
        self.sums[found] = total
        return found

    def _exposed(self, summand: Expression, over: IndexSet | None) -> Total:
        """The sum of a summand; if that is a multiple of an inner sum of the same element, the sum of its multiples."""
        factors = factors_of(summand)
        inner = [one for one in factors if isinstance(one, Symbol) and one in self.sums and over in one.indices]
        others = [one for one in factors if one not in inner]
        within = put_inside(others, self.sums[inner[0]]) if len(inner) == 1 else None
        return Total(summand if within is None else within, over)

    def _apart(self, body: Expression, over: IndexSet | None) -> Iterator[tuple[Expression, Expression]]:
        """Coefficients that do not depend on the element, and summands."""
        others = [one for one in free_symbols(body) if one.indices and over is not None and over not in one.indices]
        plain = {one: replace(one, indexed=None, second=None, of=None) for one in others}
        back = {value: key for key, value in plain.items()}
        for coefficient, summand in _split(exchanged(body, plain), self.proposer):
            yield exchanged(coefficient, back), exchanged(summand, back)


# The obligations of a claim, and the steps of its derivation, mostly have the same sums in their hypotheses.
@lru_cache(maxsize=256)
def _split(body: Expression, proposer: Proposer, *, whole: bool = False) -> tuple[tuple[Expression, Expression], ...]:
    """Coefficients and summands, as is proposed; summands that were not looked into are split once more."""
    for proposal in proposer.combinations(body):
        if not (whole and proposal.unknown) and _is_confirmed(body, proposal, proposer):
            return tuple(
                (times(coefficient, inner), part)
                for coefficient, summand in proposal.terms
                for inner, part in (_split(summand, proposer, whole=True) if proposal.unknown else ((ONE, summand),))
            )
    return ((ONE, body),)


def _is_free(symbol: Symbol, value: Expression) -> bool:
    """Whether an equation with this value defines an aggregate at every element of which it is."""
    return symbol not in free_symbols(value) and set(free_indices(value)) <= set(symbol.indices)


def innermost(total: Total) -> Expression:
    """What a sum, or a sum of sums, sums."""
    return innermost(total.body) if isinstance(total.body, Total) else total.body


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
