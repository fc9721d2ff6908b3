r"""Sums over all elements of an index set, for any number of elements.

Each Total is written as a linear combination of *aggregates*: sums of other summands, such as
$\sum_i p_i \log p_i$, with coefficients that are the same for every element. An aggregate becomes
an opaque symbol; equal summands get the same symbol throughout an obligation. Nothing else about a sum is
used except that the sum has the sign that all summands have, so what holds for arbitrary aggregates holds for
any number of elements.

Soundness. Summands are split by linearity: by the outer shape of an expression, or as a proposer says. The latter is
used where polynomial arithmetic confirms that the terms sum to the summand, under conditions that hold on all of the
domains, and where each term has a value at every point of the domains at which the summand has one. So the sums of the
terms have values where the Total has one, and it is their combination. A summand that is not split is an aggregate
itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from grpo_symbolic.checks.proposer import Combination, Proposer
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import (
    Apply,
    Expression,
    Number,
    Symbol,
    Total,
    as_expression,
    free_symbols,
    rebuild,
    walk,
)
from grpo_symbolic.language.statement import Relation, expressions_of, ge, gt, map_expressions
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.algebra import Form
from grpo_symbolic.translate.identity import vanishing
from grpo_symbolic.translate.ranges import decide_by_range

_REAL_LINE = Interval(None, None)
_POSITIVE = Interval(Fraction(0), None)
_NONNEGATIVE = Interval(Fraction(0), None, lower_closed=True)
_ONE = as_expression(1)


def reduce_totals(obligation: Obligation, proposer: Proposer) -> Obligation:
    """Replace every Total by a linear combination of aggregate symbols, inner Totals first.

    The new symbols are called ``total_1``, ``total_2``, ... in order of appearance. They range over the
    positive (or non-negative) numbers if their summands do on the domains, else over all real numbers. Where a
    summand cannot be split without conditions on the coordinates that their domains do not guarantee,
    its Total as a whole becomes one aggregate.

    Raises:
        UnsupportedError: for composite statements; expand them first.
    """
    statements = (*obligation.hypotheses, obligation.conclusion)
    nodes = [node for statement in statements for item in expressions_of(statement) for node in walk(item)]
    nodes += [node for item in obligation.defined for node in walk(item)]
    if not any(isinstance(node, Total) for node in nodes):
        return obligation
    aggregates = _Aggregates(frozenset(node.name for node in nodes if isinstance(node, Symbol)), proposer)
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

    taken: frozenset[str]
    proposer: Proposer
    symbols: dict[Expression, Symbol] = field(default_factory=dict)

    def reduced(self, expression: Expression) -> Expression:
        """An expression without Totals."""
        inner = rebuild(expression, tuple(map(self.reduced, expression.children)))
        return self._sum(inner.body) if isinstance(inner, Total) else inner

    def _sum(self, body: Expression) -> Expression:
        """The sum of a Total-free body over the index set."""
        collected: dict[Expression, Expression] = {}
        for coefficient, summand in self._split(body):
            known = collected.get(summand)
            collected[summand] = coefficient if known is None else known + coefficient
        total: Expression | None = None
        for summand, coefficient in collected.items():
            term = _times(coefficient, self._symbol(summand))
            total = term if total is None else total + term
        return as_expression(0) if total is None else total

    def _split(self, body: Expression) -> Iterator[tuple[Expression, Expression]]:
        """Coefficients and summands: of the whole body if that is proposed, else of the pieces of its outer shape."""
        terms = self._confirmed(body)
        if terms is not None:
            yield from terms
            return
        for coefficient, piece in _linear_pieces(body):
            inside = self._confirmed(piece)
            for inner, summand in ((_ONE, piece),) if inside is None else inside:
                yield _times(coefficient, inner), summand

    def _confirmed(self, body: Expression) -> tuple[tuple[Expression, Expression], ...] | None:
        for proposal in self.proposer.combinations(body):
            if _is_confirmed(body, proposal, self.proposer):
                return proposal.terms
        return None

    def _symbol(self, summand: Expression) -> Symbol:
        """The symbol of a summand's sum over the index set."""
        if summand not in self.symbols:
            number = len(self.symbols) + 1
            while f"total_{number}" in self.taken:
                number += 1
            name = f"total_{number}"
            self.taken |= {name}
            self.symbols[summand] = Symbol(name, _sum_domain(summand), f"sum of {summand}", name)
        return self.symbols[summand]


def _sum_domain(summand: Expression) -> Interval:
    """Where the sum of a summand lies; there is at least one element, so strict signs are kept."""
    if decide_by_range(gt(summand, 0)):
        return _POSITIVE
    return _NONNEGATIVE if decide_by_range(ge(summand, 0)) else _REAL_LINE


def _is_confirmed(body: Expression, proposal: Combination, proposer: Proposer) -> bool:
    """Whether a body is the sum of the proposed terms wherever it has a value, whatever the symbols are."""
    difference, known = body, frozenset(side_conditions(body))
    parts: list[Expression] = []
    for coefficient, summand in proposal.terms:
        if _is_indexed(coefficient):
            return False
        parts += (coefficient, summand)
        difference = difference - coefficient * summand
    try:
        identity = vanishing(difference, proposal.laws)
    except (UndefinedError, UnsupportedError):
        return False
    if identity is None:
        return False
    have_values = (condition for part in parts for condition in side_conditions(part))
    conditions = dict.fromkeys((*identity.signs, *identity.values, *have_values))
    return all(_follows(item, known, proposer) for item in conditions)


def _follows(condition: Relation, known: frozenset[Relation], proposer: Proposer) -> bool:
    """Whether a condition holds on all of the domains, or wherever known ones hold."""
    if condition in known or decide_by_range(condition):
        return True
    match condition:
        case Relation(Apply("sqrt"), ">=", Number(Fraction(numerator=0))):
            return True  # that a root has a value is a condition of its own
    return any(_implies(item, condition, proposer) for item in known if item.operator == condition.operator)


def _implies(known: Relation, condition: Relation, proposer: Proposer) -> bool:
    """Whether a comparison with 0 follows from another one: of a positive multiple, or of what is 0 where it is 0."""
    there, here = known.left - known.right, condition.left - condition.right
    laws = proposer.kernels((there, here))
    try:
        if condition.operator == "!=":
            identity = vanishing(there**2, laws, where=here)
            return identity is not None and not (identity.signs or identity.values)
        form = Form(dict.fromkeys((*free_symbols(there), *free_symbols(here))), laws)
        ratio = form.quotient(here / there)
        positive = form.signs(ratio.numerator * ratio.denominator) == frozenset((1,))
        return positive and not (form.conditions or form.values)
    except (UndefinedError, UnsupportedError):
        return False


def _linear_pieces(body: Expression) -> Iterator[tuple[Expression, Expression]]:
    """The body as a sum of pieces times coefficients without coordinates, read off its outer shape."""
    match body:
        case Apply("add", (left, right)):
            yield from _linear_pieces(left)
            yield from _linear_pieces(right)
        case Apply("subtract", (left, right)):
            yield from _linear_pieces(left)
            yield from ((-coefficient, piece) for coefficient, piece in _linear_pieces(right))
        case Apply("negate", (inner,)):
            yield from ((-coefficient, piece) for coefficient, piece in _linear_pieces(inner))
        case Apply("multiply", (left, right)) if not _is_indexed(left):
            yield from ((_times(left, coefficient), piece) for coefficient, piece in _linear_pieces(right))
        case Apply("multiply", (left, right)) if not _is_indexed(right):
            yield from ((_times(coefficient, right), piece) for coefficient, piece in _linear_pieces(left))
        case Apply("divide", (left, right)) if not _is_indexed(right):
            yield from ((coefficient / right, piece) for coefficient, piece in _linear_pieces(left))
        case _:
            yield _ONE, body


def _times(left: Expression, right: Expression) -> Expression:
    """A product, without factors 1."""
    if left == _ONE:
        return right
    return left if right == _ONE else left * right


def _is_indexed(expression: Expression) -> bool:
    return any(symbol.indexed for symbol in free_symbols(expression))
