r"""Sums over all elements of an index set, for any number of elements.

Each Total is written as a linear combination of *aggregates*: sums of products of coordinates, such as
$\sum_i p_i \log p_i$, with coefficients that are the same for every element. An aggregate becomes
an opaque symbol; equal summands get the same symbol throughout an obligation. Nothing else about a sum is
used except that the sum has the sign that all summands have, so what holds for arbitrary aggregates holds for
any number of elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from grpo_symbolic.errors import UndefinedError, UnsupportedError
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
from grpo_symbolic.language.statement import (
    expressions_of,
    ge,
    gt,
    map_expressions,
)
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.points.sampling import sample_points
from grpo_symbolic.translate.ranges import decide_by_range
from grpo_symbolic.translate.tower import Element, Tower, normal_forms
from grpo_symbolic.translate.tower_field import Polynomial, bits, factorisation
from grpo_symbolic.translate.tower_ground import product

#: A product of powers of coordinates and of functions of them, in no particular order.
_Monomial: TypeAlias = frozenset[tuple[Expression, int]]

_SAMPLE_SEED = 1
_DRAWN_POINTS = 24
_TRIED_POINTS = 4
_REAL_LINE = Interval(None, None)
_POSITIVE = Interval(Fraction(0), None)
_NONNEGATIVE = Interval(Fraction(0), None, lower_closed=True)


def reduce_totals(obligation: Obligation) -> Obligation:
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
    aggregates = _Aggregates(frozenset(node.name for node in nodes if isinstance(node, Symbol)))

    def reduced(expression: Expression) -> Expression:
        return _reduce(expression, aggregates)

    return Obligation(
        obligation.label,
        tuple(map_expressions(hypothesis, reduced) for hypothesis in obligation.hypotheses),
        map_expressions(obligation.conclusion, reduced),
        obligation.necessary,
        tuple(map(reduced, obligation.defined)),
    )


@dataclass
class _Aggregates:
    """The aggregate symbols handed out for one obligation."""

    taken: frozenset[str]
    symbols: dict[_Monomial, Symbol] = field(default_factory=dict)

    def symbol(self, monomial: _Monomial) -> Symbol:
        """The symbol of a monomial's sum over the index set."""
        if monomial not in self.symbols:
            number = len(self.symbols) + 1
            while f"total_{number}" in self.taken:
                number += 1
            name = f"total_{number}"
            self.taken |= {name}
            summand = _written(monomial)
            domain = _sum_domain(summand)
            self.symbols[monomial] = Symbol(name, domain, f"sum of {summand}", name)
        return self.symbols[monomial]


def _sum_domain(summand: Expression) -> Interval:
    """Where the sum of a summand lies; there is at least one element, so strict signs are kept."""
    if decide_by_range(gt(summand, 0)):
        return _POSITIVE
    return _NONNEGATIVE if decide_by_range(ge(summand, 0)) else _REAL_LINE


def _reduce(expression: Expression, aggregates: _Aggregates) -> Expression:
    reduced = rebuild(expression, tuple(_reduce(child, aggregates) for child in expression.children))
    return _sum_of(reduced.body, aggregates) if isinstance(reduced, Total) else reduced


def _sum_of(body: Expression, aggregates: _Aggregates) -> Expression:
    """The sum of a Total-free body over the index set."""
    terms = _expanded(body)
    if terms is not None:
        return _combination(terms, aggregates)
    collected: dict[_Monomial, list[Expression]] = {}
    for coefficient, piece in _linear_pieces(body):
        split = _expanded(piece)
        known = {_opaque(piece): as_expression(1)} if split is None else split
        for monomial, inner in known.items():
            collected.setdefault(monomial, []).append(product([coefficient, inner]))
    return _combination({monomial: _sum(values) for monomial, values in collected.items()}, aggregates)


def _opaque(piece: Expression) -> _Monomial:
    return frozenset({(piece, 1)})


def _combination(terms: Mapping[_Monomial, Expression], aggregates: _Aggregates) -> Expression:
    return _sum([product([coefficient, aggregates.symbol(monomial)]) for monomial, coefficient in terms.items()])


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
            yield from ((product([left, coefficient]), piece) for coefficient, piece in _linear_pieces(right))
        case Apply("multiply", (left, right)) if not _is_indexed(right):
            yield from ((product([coefficient, right]), piece) for coefficient, piece in _linear_pieces(left))
        case Apply("divide", (left, right)) if not _is_indexed(right):
            yield from ((coefficient / right, piece) for coefficient, piece in _linear_pieces(left))
        case _:
            yield as_expression(1), body


def _expanded(body: Expression) -> dict[_Monomial, Expression] | None:
    """The body as monomials with coefficients, or None if its normal form needs more than the domains say."""
    for sample in _samples(free_symbols(body)):
        try:
            tower, (element,) = normal_forms([body], sample)
        except (UndefinedError, UnsupportedError):
            continue
        if all(decide_by_range(condition) for condition in tower.side_conditions):
            return _Expansion(tower).terms(element)
    return None


def _samples(symbols: tuple[Symbol, ...]) -> list[dict[Symbol, Fraction]]:
    points = sample_points(symbols, _DRAWN_POINTS, _SAMPLE_SEED)
    inside = [
        point
        for point in points
        if all(value not in (symbol.domain.lower, symbol.domain.upper) for symbol, value in point.items())
    ]
    return inside[:_TRIED_POINTS]


class _Expansion:
    """Separates what depends on the element from what does not, in the normal form of a summand."""

    def __init__(self, tower: Tower) -> None:
        self._tower = tower
        count = len(tower.symbols) + tower.exponentials + tower.logarithms
        self._indexed = [_is_indexed(tower.generator_expression(number)) for number in range(count)]

    def terms(self, element: Element) -> dict[_Monomial, Expression]:
        """Coefficients by monomial; the sum of their products is the element."""
        whole, divisor = self._separate_denominator(element)
        collected: dict[_Monomial, list[Expression]] = {}
        for mask, ratio in element.numerator.items():
            below, coefficient_below = self._separate_factors(ratio.denominator)
            roots = [self._tower.radical_expression(number) for number in bits(mask)]
            indexed_roots = [(root, 1) for root in roots if _is_indexed(root)]
            free_roots = [root for root in roots if not _is_indexed(root)]
            for monomial, polynomial in self._grouped(ratio.numerator).items():
                factors = [*monomial, *indexed_roots, *below, *divisor]
                coefficient = product([self._tower.write_polynomial(polynomial), *free_roots])
                for bottom in (coefficient_below, whole):
                    coefficient = coefficient if bottom is None else coefficient / bottom
                collected.setdefault(_monomial(factors), []).append(coefficient)
        return {monomial: _sum(values) for monomial, values in collected.items()}

    def _separate_denominator(self, element: Element) -> tuple[Expression | None, list[tuple[Expression, int]]]:
        """The denominator of several terms: a coefficient if it is the same for every element, else opaque."""
        written = self._tower.to_expression(Element(element.denominator, self._tower.one))
        if written == as_expression(1):
            return None, []
        return (None, [(written, -1)]) if _is_indexed(written) else (written, [])

    def _separate_factors(self, polynomial: Polynomial) -> tuple[list[tuple[Expression, int]], Expression | None]:
        """Factors of a denominator that depend on the element, as powers, and the product of all others."""
        constant, factors = factorisation(polynomial)
        indexed: list[tuple[Expression, int]] = []
        free: list[Expression] = [] if constant == 1 else [Number(constant)]
        for base, multiplicity in factors:
            written = self._tower.write_polynomial(base)
            if _is_indexed(written):
                indexed.append(self._factor(base, -multiplicity))
            else:
                free.append(written if multiplicity == 1 else written**multiplicity)
        return indexed, product(free) if free else None

    def _factor(self, base: Polynomial, power: int) -> tuple[Expression, int]:
        """A power of an irreducible polynomial, written like the same power in a numerator."""
        for number in range(len(self._indexed)):
            if base == self._tower.field.generators[number]:
                return self._tower.generator_power(number, power)
        return self._tower.write_polynomial(base), power

    def _grouped(self, polynomial: Polynomial) -> dict[tuple[tuple[Expression, int], ...], Polynomial]:
        """The terms of a polynomial by their part that depends on the element."""
        groups: dict[tuple[tuple[Expression, int], ...], dict[tuple[int, ...], object]] = {}
        for powers, coefficient in zip(polynomial.monoms(), polynomial.coeffs(), strict=True):
            indexed: list[tuple[Expression, int]] = []
            free = [0] * len(powers)
            for number, power in enumerate(powers):
                if power and self._indexed[number]:
                    indexed.append(self._tower.generator_power(number, int(power)))
                elif power:
                    free[number] = int(power)
            groups.setdefault(tuple(indexed), {})[tuple(free)] = coefficient
        return {key: self._tower.field.polynomial(terms) for key, terms in groups.items()}


def _is_indexed(expression: Expression) -> bool:
    return any(symbol.indexed for symbol in free_symbols(expression))


def _monomial(factors: Iterable[tuple[Expression, int]]) -> _Monomial:
    powers: dict[Expression, int] = {}
    for base, power in factors:
        powers[base] = powers.get(base, 0) + power
    return frozenset((base, power) for base, power in powers.items() if power)


def _written(monomial: _Monomial) -> Expression:
    factors = [base if power == 1 else base**power for base, power in monomial]
    return product(sorted(factors, key=str))


def _sum(terms: list[Expression]) -> Expression:
    if not terms:
        return as_expression(0)
    result = terms[0]
    for term in terms[1:]:
        result = result + term
    return result
