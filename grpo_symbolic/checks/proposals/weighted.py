"""A polynomial that is not negative, as what can be seen not to be: positive terms, weights times squares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, islice, permutations, product
from math import prod
from operator import mul
from typing import TypeAlias

from flint import fmpq

from grpo_symbolic.checks.proposals.homogeneous import is_homogeneous
from grpo_symbolic.checks.proposals.positivity import Positivity, Weight, added, points
from grpo_symbolic.checks.proposals.semidefinite import Budget
from grpo_symbolic.checks.proposals.squares import sum_of_squares, vanishing_at
from grpo_symbolic.language.expression import Expression, Number, Symbol
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.translate.algebra import Polynomial

#: What stands for differences of sides of hypotheses.
Gaps: TypeAlias = tuple[tuple[Symbol, Relation], ...]
_Powers: TypeAlias = tuple[int, ...]
_Point: TypeAlias = Sequence[fmpq]

#: So many products of polynomials, of which sums of squares are made, and so many weights in one product.
_MOST_PRODUCTS, _MOST_WEIGHTS = 400, 4
#: With more of them, products of weights have two factors only. Longer lists of monomials are not gone through.
_MANY_WEIGHTS, _MOST_MONOMIALS, _MOST_IN_BASIS = 6, 3000, 35


@dataclass(frozen=True)
class Seen:
    """An expression that the numerator equals, the range of which is not negative."""

    written: Expression
    gaps: Gaps = ()


def seems_true(goal: Positivity, *, strictly: bool = False) -> bool:
    """Whether the numerator has the right sign at simple points; on the edge of the domains it may always be 0."""
    for point in _inside(goal):
        value = goal.numerator(*point)
        if value < 0 or (strictly and value == 0 and goal.is_within(point)):
            return False
    return True


def by_coefficients(goal: Positivity, budget: Budget) -> Seen | None:
    """The numerator itself, if nothing in it is negative."""
    if not _has_no_signs(goal) or any(value < 0 for value in goal.numerator.coeffs()):
        return None
    return Seen(goal.write(goal.numerator))


def by_binomials(goal: Positivity, budget: Budget) -> Seen | None:
    """The numerator as a sum of positive terms, of such times hypotheses, and of squares of differences of two."""
    if goal.equation is not None or not _has_no_signs(goal):
        return None
    problem = _Problem(goal)
    terms = {_powers(powers): value for powers, value in goal.numerator.terms()}
    gaps = [weight for weight in goal.weights if weight.gap is not None]
    for weight, monomial in _multiples(goal, gaps):
        problem.add((weight, Weight(monomial, goal.write(monomial))), [goal.form.context.constant(1)])
    if gaps:
        parts = [goal.numerator, *problem.weights]
        support = sorted({_powers(powers) for part in parts for powers in part.monoms()})
        pairs = _neighbours(goal, support)
    else:
        support = [powers for powers, value in terms.items() if value > 0]
        pairs = _around(support, [powers for powers, value in terms.items() if value < 0])
    for powers in support:
        problem.add_monomials(powers, [tuple(0 for _ in powers)])
    for one, other in pairs:
        least = tuple(map(min, one, other))
        problem.add_monomials(
            least, [tuple((p - q) // 2 for p, q in zip(each, least, strict=True)) for each in (one, other)]
        )
    return problem.solved(budget)


def by_squares(goal: Positivity, budget: Budget) -> Seen | None:
    """The numerator as a sum of products of weights times squares of polynomials."""
    is_bound = goal.equation is not None or any(weight.gap for weight in goal.weights)
    # Of what only holds under conditions, the squares may have a higher degree.
    for more in (0, 2) if is_bound else (0,):
        found = _with_squares(goal, more).solved(budget)
        if found is not None:
            return found
    return None


class _Problem:
    """A numerator, and products of weights, each with the polynomials whose squares it may have."""

    def __init__(self, goal: Positivity) -> None:
        self._goal = goal
        self._zeros = [point for point in _inside(goal) if goal.numerator(*point) == 0]
        self._parts: list[tuple[Weight, ...]] = []
        self.weights: list[Polynomial] = []
        self.bases: list[list[Polynomial]] = []

    def add(self, parts: tuple[Weight, ...], basis: Sequence[Polynomial], most: int = _MOST_PRODUCTS) -> None:
        """Add a product of weights, unless there would be too many products of polynomials, or none."""
        weight = reduce(mul, (part.polynomial for part in parts), self._goal.form.context.constant(1))
        able = vanishing_at(basis, [zero for zero in self._zeros if weight(*zero) != 0])
        size = sum(len(one) * (len(one) + 1) // 2 for one in (*self.bases, able))
        if able and size <= most:
            self._parts.append(parts)
            self.weights.append(weight)
            self.bases.append(able)

    def add_monomials(self, weight: _Powers, basis: Sequence[_Powers]) -> None:
        """Add a monomial as a weight, with others to be squared."""
        context = self._goal.form.context
        factor = context.from_dict({weight: 1})
        self.add((Weight(factor, self._goal.write(factor)),), [context.from_dict({one: 1}) for one in basis])

    def solved(self, budget: Budget) -> Seen | None:
        """The sum that the numerator is, if one is found."""
        found = sum_of_squares(self._goal.numerator, self.weights, self.bases, self._goal.reduced, budget)
        if found is None:
            return None
        terms, gaps = list[Expression](), dict[tuple[Symbol, Relation], None]()
        for square in found:
            term: Expression = Number(square.factor)
            for part in self._parts[square.weight]:
                term = term * part.written
                gaps |= {} if part.gap is None else {part.gap: None}
            terms.append(term if square.polynomial.is_one() else term * self._goal.write(square.polynomial) ** 2)
        return Seen(added(terms), tuple(gaps))


def _inside(goal: Positivity) -> Iterator[_Point]:
    """Simple points at which the equation and the hypotheses hold."""
    for point in points(goal):
        if goal.equation is not None and goal.equation(*point) != 0:
            continue
        if all(weight.polynomial(*point) >= 0 for weight in goal.weights):
            yield point


def _has_no_signs(goal: Positivity) -> bool:
    """Whether no generator can be negative."""
    return all((lower := goal.domains[place].lower) is not None and lower >= 0 for place in goal.used)


def _powers(powers: Sequence[int]) -> _Powers:
    return tuple(map(int, powers))


def _around(positive: Sequence[_Powers], negative: Sequence[_Powers]) -> Iterator[tuple[_Powers, _Powers]]:
    """Positive terms whose geometric mean is a negative one."""
    known = set(positive)
    for middle, one in product(negative, positive):
        other = tuple(2 * mean - power for mean, power in zip(middle, one, strict=True))
        if other > one and other in known:
            yield one, other


def _neighbours(goal: Positivity, support: Sequence[_Powers]) -> Iterator[tuple[_Powers, _Powers]]:
    """Terms on both sides of one of them, a variable more and another one less."""
    known = set(support)
    for middle, (up, down) in product(support, permutations(goal.used, 2)):
        step = [(place == up) - (place == down) for place in range(len(middle))]
        one = tuple(power + change for power, change in zip(middle, step, strict=True))
        other = tuple(power - change for power, change in zip(middle, step, strict=True))
        if one > other and one in known and other in known:
            yield one, other


def _multiples(goal: Positivity, gaps: Sequence[Weight]) -> Iterator[tuple[Weight, Polynomial]]:
    """What hypotheses say with monomials to multiply it by, as far as all degrees are those of the numerator."""
    degrees = {sum(_powers(powers)) for powers in goal.numerator.monoms()}
    most = goal.numerator.degrees()
    for weight in gaps:
        powers_of = [range(int(most[place]) + 1) for place in goal.used]
        for powers in product(*powers_of) if prod(map(len, powers_of)) <= _MOST_MONOMIALS // 10 else ():
            monomial = _monomial(goal, powers)
            parts = [_powers(term) for term in (weight.polynomial * monomial).monoms()]
            if all(sum(part) in degrees and all(map(int.__le__, part, map(int, most))) for part in parts):
                yield weight, monomial


def _with_squares(goal: Positivity, more: int) -> _Problem:
    """Squares of all polynomials up to a degree, ``more`` than that of the numerator."""
    target = goal.reduced(goal.numerator)
    polynomials = [target, *(weight.polynomial for weight in goal.weights)]
    exactly = goal.equation is None and all(map(is_homogeneous, polynomials))
    top = target.total_degree() + more
    top += 0 if exactly else top % 2
    is_free = goal.equation is None and not any(weight.gap for weight in goal.weights)
    problem = _Problem(goal)
    most = _MOST_WEIGHTS if len(goal.weights) <= _MANY_WEIGHTS else 2
    for number in range(min(most, len(goal.weights)) + 1):
        for parts in combinations(goal.weights, number):
            weight = reduce(mul, (part.polynomial for part in parts), goal.form.context.constant(1))
            left = top - weight.total_degree()
            if left < 0 or (exactly and left % 2):
                continue
            # Highest powers do not cancel where all weights are independent.
            bounds = [int(a - b) // 2 for a, b in zip(target.degrees(), weight.degrees(), strict=True)]
            highest = [min(left // 2, bounds[place]) if is_free else left // 2 for place in goal.used]
            basis = list(islice(_monomials(goal, left // 2, highest, exactly=exactly), _MOST_IN_BASIS + 1))
            if len(basis) <= _MOST_IN_BASIS:
                problem.add(parts, basis)
    return problem


def _monomials(goal: Positivity, degree: int, highest: Sequence[int], *, exactly: bool) -> Iterator[Polynomial]:
    """Monomials in the generators up to a degree, or of exactly this degree, with bounds for each power."""
    powers_of = [range(most + 1) for most in highest]
    for powers in product(*powers_of) if prod(map(len, powers_of)) <= _MOST_MONOMIALS else ():
        if sum(powers) == degree or (not exactly and sum(powers) < degree):
            yield _monomial(goal, powers)


def _monomial(goal: Positivity, powers: Sequence[int]) -> Polynomial:
    """A product of powers of the generators that are used."""
    whole = [0] * len(goal.generators)
    for power, place in zip(powers, goal.used, strict=True):
        whole[place] = power
    return goal.form.context.from_dict({tuple(whole): 1})
