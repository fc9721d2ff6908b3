"""Write a polynomial as a sum of weights times sums of squares, with rational coefficients. Nobody believes the answer.

The coefficients of such sums are the matrices without negative eigenvalues that satisfy linear equations. Newton's
method finds the one whose determinant is largest, in floating point; it lies deep inside, so that one with rational
entries is near, which satisfies the equations exactly and is still positive. It can only be found if there is one
without zero eigenvalues, so squares that have to vanish at known zeros are made of polynomials that do.

Source: Peyrl and Parrilo, *Computing sum of squares decompositions with rational coefficients*, 2008.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

from flint import fmpq, fmpq_mat

from grpo_symbolic.checks.proposals.semidefinite import (
    Budget,
    Coefficient,
    Equations,
    Matrix,
    NoSolutionError,
    deepest,
    tending_to_zero,
)
from grpo_symbolic.translate.algebra import Polynomial
from grpo_symbolic.translate.balls import as_fraction, exact

#: Larger problems are not tried: so many equations, and products of two polynomials.
_MOST_EQUATIONS, _MOST_PRODUCTS = 170, 420
#: How often what has to vanish is taken out, what counts as 0 then, and the largest denominators in it.
_MOST_FACES, _FAINT, _LARGEST_DENOMINATOR = 4, 1e-2, 60
#: Entries are rounded to these denominators in turn.
_ROUNDINGS = (1, 2, 6, 12, 60, 420, 10**4, 10**6, 10**9)


@dataclass(frozen=True)
class Square:
    """``factor * weight * polynomial**2``, with a positive factor and the weight at this place of those given."""

    factor: Fraction
    weight: int
    polynomial: Polynomial


def sum_of_squares(
    target: Polynomial,
    weights: Sequence[Polynomial],
    bases: Sequence[Sequence[Polynomial]],
    reduced: Callable[[Polynomial], Polynomial],
    budget: Budget,
) -> tuple[Square, ...] | None:
    """Squares of combinations of the polynomials of a basis, times its weight, that sum to a target up to reduction.

    None if there are none or none was found, also because the problem is too large or the budget is spent.
    """
    for _ in range(_MOST_FACES):
        system = _System.of(target, weights, bases, reduced)
        if system is None:
            return None
        try:
            deep = deepest(system.equations, budget)
            if deep is not None:
                return _read(system, deep, bases)
            kernels = tending_to_zero(system.equations, budget)
        except NoSolutionError:
            return None
        if not kernels or not any(kernels):
            return None
        bases = [_orthogonal(kernel, basis) for kernel, basis in zip(kernels, bases, strict=True)]
    return None


def _read(system: _System, deep: Sequence[Matrix], bases: Sequence[Sequence[Polynomial]]) -> tuple[Square, ...] | None:
    """Squares with rational coefficients near matrices, the simplest that are found; None if rounding fails."""
    for denominator in _ROUNDINGS:
        matrices = system.rounded(deep, denominator)
        parts = [_diagonal(matrix) for matrix in matrices]
        if all(part is not None for part in parts):
            return tuple(
                Square(factor, weight, _combined(vector, bases[weight]))
                for weight, part in enumerate(parts)
                for factor, vector in part or ()
            )
    return None


def _orthogonal(kernel: Matrix, basis: Sequence[Polynomial]) -> list[Polynomial]:
    """The combinations of a basis that are orthogonal to vectors, which are near rational ones."""
    echelon, pivots = _echelon(kernel)
    rest = []
    for free in (column for column in range(len(basis)) if column not in pivots):
        combination = basis[free]
        for row, pivot in zip(echelon, pivots, strict=True):
            near = Fraction(row[free]).limit_denominator(_LARGEST_DENOMINATOR)
            combination = combination - basis[pivot] * exact(near)
        rest.append(combination)
    return rest


def _echelon(rows: Matrix) -> tuple[Matrix, list[int]]:
    """The reduced echelon form of rows in floating point, with the columns of its pivots."""
    left, done, pivots = [list(row) for row in rows], list[list[float]](), list[int]()
    while left:
        row, column = max(
            ((number, place) for number, row in enumerate(left) for place in range(len(row))),
            key=lambda at: abs(left[at[0]][at[1]]),
        )
        pivot = left.pop(row)
        if abs(pivot[column]) < _FAINT:
            break
        pivot = [value / pivot[column] for value in pivot]
        for other in (*left, *done):
            factor = other[column]
            other[:] = [value - factor * own for value, own in zip(other, pivot, strict=True)]
        done.append(pivot)
        pivots.append(column)
    return done, pivots


def vanishing_at(basis: Sequence[Polynomial], zeros: Sequence[Sequence[fmpq]]) -> list[Polynomial]:
    """A basis of the combinations of polynomials that are 0 at all of some points."""
    if not zeros or not basis:
        return list(basis)
    values = fmpq_mat([[polynomial(*zero) for polynomial in basis] for zero in zeros])
    echelon, rank = values.rref()
    pivots = [next(column for column in range(len(basis)) if echelon[row, column] != 0) for row in range(rank)]
    kernel = []
    for free in (column for column in range(len(basis)) if column not in pivots):
        combination = basis[free]
        for row, pivot in enumerate(pivots):
            combination = combination - basis[pivot] * echelon[row, free]
        kernel.append(combination)
    return kernel


@dataclass(frozen=True)
class _System:
    """Equations that the entries of matrices satisfy: independent, and solved for the entries at ``pivots``."""

    equations: Equations
    echelon: fmpq_mat
    pivots: tuple[int, ...]

    @classmethod
    def of(
        cls,
        target: Polynomial,
        weights: Sequence[Polynomial],
        bases: Sequence[Sequence[Polynomial]],
        reduced: Callable[[Polynomial], Polynomial],
    ) -> _System | None:
        """The equations between the coefficients of a target and of the sum; None if they have no solution."""
        entries = [
            (block, row, column)
            for block, basis in enumerate(bases)
            for row, column in combinations_with_replacement(range(len(basis)), 2)
        ]
        if not entries or len(entries) > _MOST_PRODUCTS:
            return None
        columns = []
        for block, row, column in entries:
            product = reduced(weights[block] * bases[block][row] * bases[block][column])
            columns.append(dict((product if row == column else 2 * product).terms()))
        goal = dict(reduced(target).terms())
        monomials = list(dict.fromkeys(monomial for column in (goal, *columns) for monomial in column))
        if len(monomials) > _MOST_EQUATIONS:
            return None
        rows = [[*(column.get(one, fmpq(0)) for column in columns), goal.get(one, fmpq(0))] for one in monomials]
        echelon, rank = fmpq_mat(rows).rref()
        pivots = [next(place for place in range(len(entries) + 1) if echelon[row, place] != 0) for row in range(rank)]
        if not pivots or pivots[-1] == len(entries):
            return None
        independent = _independent(rows)
        counts = [
            {number: rows[row][place] for number, row in enumerate(independent) if rows[row][place] != 0}
            for place in range(len(entries))
        ]
        counted = tuple(Coefficient(*entry, count) for entry, count in zip(entries, counts, strict=True))
        sizes = tuple(map(len, bases))
        equations = Equations(counted, tuple(rows[row][-1] for row in independent), sizes)
        return cls(equations, echelon, tuple(pivots))

    def rounded(self, deep: Sequence[Matrix], denominator: int) -> list[list[list[fmpq]]]:
        """Rational matrices that satisfy the equations, near others."""
        values: list[fmpq] = []
        for product in self.equations.entries:
            entry = Fraction(deep[product.block][product.row][product.column])
            values.append(fmpq(round(entry * denominator), denominator))
        last = len(self.equations.entries)
        free = [place for place in range(last) if place not in set(self.pivots)]
        for row, pivot in enumerate(self.pivots):
            values[pivot] = self.echelon[row, last] - sum(
                (self.echelon[row, place] * values[place] for place in free if self.echelon[row, place] != 0), fmpq(0)
            )
        matrices = [[[fmpq(0)] * size for _ in range(size)] for size in self.equations.sizes]
        for product, value in zip(self.equations.entries, values, strict=True):
            matrices[product.block][product.row][product.column] = value
            matrices[product.block][product.column][product.row] = value
        return matrices


def _independent(rows: Sequence[Sequence[fmpq]]) -> list[int]:
    """The places of rows of which the others are combinations."""
    echelon, rank = fmpq_mat([list(column) for column in zip(*rows, strict=True)]).rref()
    return [next(place for place in range(len(rows)) if echelon[row, place] != 0) for row in range(rank)]


def _diagonal(matrix: list[list[fmpq]]) -> list[tuple[Fraction, list[fmpq]]] | None:
    """Positive factors and vectors, the squares of which sum to the form of a matrix; None if it may be negative."""
    left = [list(row) for row in matrix]
    size, found = len(left), list[tuple[Fraction, list[fmpq]]]()
    for place in range(size):
        head = left[place][place]
        if head < 0 or (head == 0 and any(left[place][column] != 0 for column in range(place, size))):
            return None
        if head == 0:
            continue
        vector = [value / head if column >= place else fmpq(0) for column, value in enumerate(left[place])]
        found.append((as_fraction(head), vector))
        for row in range(place, size):
            for column in range(place, size):
                left[row][column] -= head * vector[row] * vector[column]
    return found


def _combined(vector: Sequence[fmpq], basis: Sequence[Polynomial]) -> Polynomial:
    total = basis[0] * 0
    for factor, polynomial in zip(vector, basis, strict=True):
        total += polynomial * factor
    return total
