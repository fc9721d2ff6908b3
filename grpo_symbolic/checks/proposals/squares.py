"""Write a polynomial as a sum of weights times sums of squares, with rational coefficients. Nobody believes the answer.

The coefficients of such sums are the matrices without negative eigenvalues that satisfy linear equations. Newton's
method finds the one whose determinant is largest, in floating point; it lies deep inside, so that one with rational
entries is near, which satisfies the equations exactly and is still positive. It can only be found if there is one
without zero eigenvalues, so squares that have to vanish at known zeros are made of polynomials that do.

Source: Peyrl and Parrilo, *Computing sum of squares decompositions with rational coefficients*, 2008.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TypeAlias

from flint import arb, arb_mat, fmpq, fmpq_mat
from mpmath import mp

from grpo_symbolic.translate.algebra import Polynomial
from grpo_symbolic.translate.balls import as_fraction, exact, midpoint, precision

#: Exponents of a monomial, with the coefficient.
Terms: TypeAlias = Mapping[tuple[int, ...], fmpq]
_Matrix: TypeAlias = list[list[float]]
#: Row and column of an entry, and how it counts in equations with these numbers.
_Counted: TypeAlias = tuple[int, int, list[tuple[int, float]]]

#: Larger problems are not tried: so many equations, and products of two polynomials.
_MOST_EQUATIONS, _MOST_PRODUCTS = 170, 420
_MOST_STEPS = 40
_BITS = 80
#: How often what has to vanish is taken out, how much negative is allowed to see it, and what then counts as 0.
_MOST_FACES, _LIFTS = 4, (1e-2, 1e-3, 1e-4, 1e-5)
_SHRINKING, _FAINT, _LARGEST_DENOMINATOR = 0.5, 1e-2, 60
#: Entries are rounded to these denominators in turn.
_ROUNDINGS = (1, 2, 6, 12, 60, 420, 10**4, 10**6, 10**9)


@dataclass
class Budget:
    """How many operations may still be done, counted so that the machine plays no part."""

    left: int

    def spend(self, operations: int) -> bool:
        """Whether so many could be taken."""
        self.left -= operations
        return self.left >= 0


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
        sizes = [len(basis) for basis in bases]
        deep = _Search(system, sizes, budget).deepest()
        if deep is not None:
            return _read(system, deep, bases)
        # All solutions may have an eigenvalue 0: then its vectors are seen where a little negative is allowed.
        lifted: list[list[_Matrix]] = []
        for lift in _LIFTS:
            found = _Search(system, sizes, budget, lift).deepest(lifted[-1] if lifted else None)
            if found is None:
                break
            lifted.append(found)
        if len(lifted) < 2:
            return None
        triples = zip(lifted[-2], lifted[-1], bases, strict=True)
        faces = [_without_kernel(former, matrix, basis) for former, matrix, basis in triples]
        if [len(face) for face in faces] == sizes:
            return None
        bases = faces
    return None


def _read(system: _System, deep: Sequence[_Matrix], bases: Sequence[Sequence[Polynomial]]) -> tuple[Square, ...] | None:
    """Squares with rational coefficients near matrices, the simplest that are found; None if rounding fails."""
    for denominator in _ROUNDINGS:
        matrices = system.rounded(deep, [len(basis) for basis in bases], denominator)
        parts = [_diagonal(matrix) for matrix in matrices]
        if all(part is not None for part in parts):
            return tuple(
                Square(factor, weight, _combined(vector, bases[weight]))
                for weight, part in enumerate(parts)
                for factor, vector in part or ()
            )
    return None


def _without_kernel(former: _Matrix, matrix: _Matrix, basis: Sequence[Polynomial]) -> list[Polynomial]:
    """The combinations of a basis that are orthogonal to vectors of those eigenvalues that tend to 0."""
    if not basis:
        return []
    values, vectors = mp.eigsy(mp.matrix(matrix))
    before = mp.eigsy(mp.matrix(former), eigvals_only=True)
    size = len(basis)
    tending = [number for number in range(size) if values[number] < _SHRINKING * before[number]]
    kernel = [[float(vectors[row, number]) for row in range(size)] for number in tending]
    echelon, pivots = _echelon(kernel)
    rest = []
    for free in (column for column in range(size) if column not in pivots):
        combination = basis[free]
        for row, pivot in zip(echelon, pivots, strict=True):
            near = Fraction(row[free]).limit_denominator(_LARGEST_DENOMINATOR)
            combination = combination - basis[pivot] * exact(near)
        rest.append(combination)
    return rest


def _echelon(rows: _Matrix) -> tuple[_Matrix, list[int]]:
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
class _Product:
    """An entry of the matrix with this number, and how it counts in each equation."""

    block: int
    row: int
    column: int
    counts: Mapping[int, fmpq]


@dataclass(frozen=True)
class _System:
    """Equations that the entries of matrices satisfy: independent, and solved for the entries at ``pivots``."""

    products: tuple[_Product, ...]
    right: tuple[fmpq, ...]
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
        products = tuple(_Product(*entry, count) for entry, count in zip(entries, counts, strict=True))
        return cls(products, tuple(rows[row][-1] for row in independent), echelon, tuple(pivots))

    def rounded(self, deep: Sequence[_Matrix], sizes: Sequence[int], denominator: int) -> list[list[list[fmpq]]]:
        """Rational matrices that satisfy the equations, near others."""
        values: list[fmpq] = []
        for product in self.products:
            entry = Fraction(deep[product.block][product.row][product.column])
            values.append(fmpq(round(entry * denominator), denominator))
        last = len(self.products)
        free = [place for place in range(last) if place not in set(self.pivots)]
        for row, pivot in enumerate(self.pivots):
            values[pivot] = self.echelon[row, last] - sum(
                (self.echelon[row, place] * values[place] for place in free if self.echelon[row, place] != 0), fmpq(0)
            )
        matrices = [[[fmpq(0)] * size for _ in range(size)] for size in sizes]
        for product, value in zip(self.products, values, strict=True):
            matrices[product.block][product.row][product.column] = value
            matrices[product.block][product.column][product.row] = value
        return matrices


def _independent(rows: Sequence[Sequence[fmpq]]) -> list[int]:
    """The places of rows of which the others are combinations."""
    echelon, rank = fmpq_mat([list(column) for column in zip(*rows, strict=True)]).rref()
    return [next(place for place in range(len(rows)) if echelon[row, place] != 0) for row in range(rank)]


class _Search:
    """Newton's method for the matrices with the largest determinant that satisfy equations."""

    def __init__(self, system: _System, sizes: Sequence[int], budget: Budget, lift: float = 0.0) -> None:
        self._sizes, self._budget = sizes, budget
        self._right = [float(as_fraction(value)) for value in system.right]
        lifted = lift * max(map(abs, self._right), default=1.0)
        for one in system.products:
            for number, value in one.counts.items() if one.row == one.column else ():
                self._right[number] += lifted * float(as_fraction(value))
        self._products: list[list[_Counted]] = [
            [
                (one.row, one.column, [(number, float(as_fraction(value))) for number, value in one.counts.items()])
                for one in system.products
                if one.block == block
            ]
            for block in range(len(sizes))
        ]

        counted = [sum(len(counts) for _, _, counts in products) for products in self._products]
        self._cost = len(self._right) ** 2 + sum(number**2 for number in counted) // 2

    def deepest(self, start: list[_Matrix] | None = None) -> list[_Matrix] | None:
        """The matrices, or None if they do not seem to exist."""
        scale = max(map(abs, self._right), default=1.0) or 1.0
        current = start or [
            [[scale * (row == column) for column in range(size)] for row in range(size)] for size in self._sizes
        ]
        for _ in range(_MOST_STEPS):
            if not self._budget.spend(self._cost):
                return None
            missing = self._missing(current)
            step = self._step(current, missing)
            if step is None:
                return None
            length = 1.0
            while not all(_is_positive(_moved(*pair, length)) for pair in zip(current, step, strict=True)):
                length *= 0.6
                if length < 1e-7:
                    return None
            # Not onto the boundary.
            length = length if length == 1.0 else 0.9 * length
            current = [_moved(*pair, length) for pair in zip(current, step, strict=True)]
            if length == 1.0 and max(map(abs, missing)) < 1e-9 * scale and self._is_small(step, current):
                return current
        return current if max(map(abs, self._missing(current))) < 1e-7 * scale else None

    def _missing(self, current: Sequence[_Matrix]) -> list[float]:
        left = list(self._right)
        for matrix, products in zip(current, self._products, strict=True):
            for row, column, counts in products:
                for number, count in counts:
                    left[number] -= count * matrix[row][column]
        return left

    def _step(self, current: Sequence[_Matrix], missing: Sequence[float]) -> list[_Matrix] | None:
        """Solve for multipliers, of which the step is a combination."""
        size = len(self._right)
        matrix = [[0.0] * size for _ in range(size)]
        values = [0.0] * size
        for block, products in zip(current, self._products, strict=True):
            for place, (row, column, counts) in enumerate(products):
                for number, count in counts:
                    values[number] += count * block[row][column]
                first, second = block[row], block[column]
                for other, (row_too, column_too, counts_too) in enumerate(products[place:], place):
                    met = first[row_too] * second[column_too] + first[column_too] * second[row_too]
                    met *= 0.5 if other != place else 0.25
                    for number, count in counts:
                        for number_too, count_too in counts_too:
                            shared = met * count * count_too
                            matrix[number][number_too] += shared
                            matrix[number_too][number] += shared
        # The multipliers make the equations hold after a full step.
        wanted = [value - lack for value, lack in zip(values, missing, strict=True)]
        multipliers = _solved(matrix, wanted)
        if multipliers is None:
            return None
        return [_stepped(block, products, multipliers) for block, products in zip(current, self._products, strict=True)]

    def _is_small(self, step: Sequence[_Matrix], current: Sequence[_Matrix]) -> bool:
        return all(
            abs(change) <= 1e-3 * abs(whole[place][place])
            for part, whole in zip(step, current, strict=True)
            for place, row in enumerate(part)
            for change in row[place : place + 1]
        )


def _solved(matrix: _Matrix, right: Sequence[float]) -> list[float] | None:
    with precision(_BITS):
        # The diagonal is raised a little, for systems that are nearly singular.
        most = max((matrix[place][place] for place in range(len(right))), default=0.0)
        rows = [
            [arb(value + (1e-14 * most if row == column else 0.0)) for column, value in enumerate(values)]
            for row, values in enumerate(matrix)
        ]
        try:
            found = arb_mat(rows).solve(arb_mat([[arb(value)] for value in right]), algorithm="approx")
        except ZeroDivisionError:
            return None
        return [float(midpoint(found[row, 0])) for row in range(len(right))]


def _stepped(block: _Matrix, products: Sequence[_Counted], multipliers: Sequence[float]) -> _Matrix:
    """``block - block * combination * block`` for the combination of equations with these multipliers."""
    size = len(block)
    combination = [[0.0] * size for _ in range(size)]
    for row, column, counts in products:
        value = sum(count * multipliers[number] for number, count in counts)
        # An entry off the diagonal was counted twice.
        value = value if row == column else value / 2
        combination[row][column] = combination[column][row] = value
    inner = _times(_times(block, combination), block)
    return [[block[row][column] - inner[row][column] for column in range(size)] for row in range(size)]


def _times(left: _Matrix, right: _Matrix) -> _Matrix:
    columns = list(zip(*right, strict=True))
    return [[sum(map(float.__mul__, row, column)) for column in columns] for row in left]


def _moved(matrix: _Matrix, step: _Matrix, length: float) -> _Matrix:
    pairs = zip(matrix, step, strict=True)
    return [[value + length * change for value, change in zip(*rows, strict=True)] for rows in pairs]


def _is_positive(matrix: _Matrix) -> bool:
    """Whether a matrix has a Cholesky decomposition."""
    size = len(matrix)
    lower = [[0.0] * size for _ in range(size)]
    for row in range(size):
        for column in range(row + 1):
            left = matrix[row][column] - sum(lower[row][k] * lower[column][k] for k in range(column))
            if row == column:
                if left <= 0:
                    return False
                lower[row][row] = left**0.5
            else:
                lower[row][column] = left / lower[column][column]
    return True


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
