"""Proposals for sums over an index set: a summand as a linear combination of monomials in coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import TypeAlias

from grpo_symbolic.checks.proposer import Combination
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, as_expression, free_symbols
from grpo_symbolic.points.sampling import sample_points
from grpo_symbolic.translate.kernels import FewKernels
from grpo_symbolic.translate.ranges import decide_by_range
from grpo_symbolic.translate.tower import Element, Tower, TowerProposals, normal_forms
from grpo_symbolic.translate.tower_field import Polynomial, bits, factorisation
from grpo_symbolic.translate.tower_ground import product

#: A product of powers of coordinates and of functions of them, in no particular order.
_Monomial: TypeAlias = frozenset[tuple[Expression, int]]

_ONE = as_expression(1)
_SAMPLE_SEED = 1
_DRAWN_POINTS = 24
_TRIED_POINTS = 4


def proposed_combinations(body: Expression) -> Iterator[Combination]:
    """The normal form of a summand by monomials; none if it needs more than the domains say."""
    for sample in _samples(free_symbols(body)):
        try:
            tower, (element,) = normal_forms([body], sample)
        except (UndefinedError, UnsupportedError):
            continue
        if all(decide_by_range(condition) for condition in tower.side_conditions):
            terms = _Expansion(tower).terms(element)
            written = tuple((coefficient, _written(monomial)) for monomial, coefficient in terms.items())
            with suppress(UndefinedError, UnsupportedError):
                # What was written is converted again, for laws about the powers of exponentials in it.
                for term in written:
                    for part in term:
                        tower.convert(part)
            yield Combination(written, TowerProposals(tower))
            return


def outer_shape(body: Expression) -> Iterator[Combination]:
    """A body as a sum of pieces times coefficients, without looking into any; none if it is one piece."""
    terms = tuple(_linear_pieces(body))
    if terms != ((_ONE, body),):
        unknown = frozenset((*(piece for _, piece in terms), *_free_parts(body))) - {_ONE}
        yield Combination(terms, FewKernels(()), unknown)


def _free_parts(body: Expression) -> Iterator[Expression]:
    """The largest parts that are the same for every element."""
    if not _is_indexed(body):
        yield body
    else:
        for child in body.children:
            yield from _free_parts(child)


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
    return right if left == _ONE else left if right == _ONE else left * right


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
        """Factors of a denominator that depend on the output, as powers, and the product of all others."""
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
