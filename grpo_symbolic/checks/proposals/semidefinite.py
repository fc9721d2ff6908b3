"""Matrices without negative eigenvalues that satisfy linear equations, in floating point; nobody believes them.

Of all of them Newton's method finds the one whose determinant is largest, which lies deep inside. If there is none
without zero eigenvalues, vectors that belong to these are seen where eigenvalues may be a little negative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flint import arb, arb_mat, fmpq
from mpmath import mp

from grpo_symbolic.translate.balls import as_fraction, midpoint, precision

Matrix: TypeAlias = list[list[float]]
#: Row and column of an entry, and how it counts in equations with these numbers.
_Counted: TypeAlias = tuple[int, int, list[tuple[int, float]]]

#: Steps of Newton's method at most, and at least where they cost more than so many operations together.
_MOST_STEPS, _LEAST_STEPS, _OPERATIONS = 40, 20, 250_000
#: After so many steps, less than this part of what the equations lack at first is lacking if they have a solution:
#: all of more than a hundred that were found had a fiftieth left at most.
_EARLY_STEPS, _EARLY_REST = 8, 0.1
#: After so many steps, a full one was done if there are solutions without zero eigenvalues: in all of those after ten.
_LATE_STEPS = 13
#: What the equations may lack, as a part of their largest right side, and with what they will not be solved any more.
_ACCURACY, _LOST = 1e-7, 1e-5
_BITS = 80
#: What rounding cannot explain, as a part of the sizes of the numbers that are added.
_CLEARLY = 1e-6
#: How much negative is allowed in turn, and how much eigenvalues that tend to 0 with it shrink at least.
_LIFTS, _SHRINKING = (1e-2, 1e-3, 1e-4, 1e-5), 0.5


class NoSolutionError(Exception):
    """No matrices without negative eigenvalues satisfy the equations, by a combination of them."""


@dataclass
class Budget:
    """How many operations may still be done, counted so that the machine plays no part."""

    left: int

    def spend(self, operations: int) -> bool:
        """Whether so many could be taken."""
        self.left -= operations
        return self.left >= 0


@dataclass(frozen=True)
class Coefficient:
    """How an entry of the matrix with this number counts in each equation."""

    block: int
    row: int
    column: int
    counts: Mapping[int, fmpq]


@dataclass(frozen=True)
class Equations:
    """Independent equations between entries of symmetric matrices of these sizes."""

    entries: tuple[Coefficient, ...]
    right: tuple[fmpq, ...]
    sizes: tuple[int, ...]


def deepest(equations: Equations, budget: Budget) -> list[Matrix] | None:
    """The matrices with the largest determinant, or None if they do not seem to exist.

    Raises:
        NoSolutionError: if there are no matrices without negative eigenvalues at all.
    """
    return _Search(equations, budget).deepest()


def tending_to_zero(equations: Equations, budget: Budget) -> list[list[list[float]]] | None:
    """For each matrix the vectors of eigenvalues that are 0 in all solutions; None if it was not found out.

    Raises:
        NoSolutionError: if there are no solutions, not even with a little of what is negative.
    """
    lifted: list[list[Matrix]] = []
    for lift in _LIFTS:
        found = _Search(equations, budget, lift).deepest(lifted[-1] if lifted else None)
        if found is None:
            break
        lifted.append(found)
    if len(lifted) < 2:
        return None
    return [_shrinking(*pair) for pair in zip(lifted[-2], lifted[-1], strict=True)]


def _shrinking(former: Matrix, matrix: Matrix) -> list[list[float]]:
    if not matrix:
        return []
    values, vectors = mp.eigsy(mp.matrix(matrix))
    before = mp.eigsy(mp.matrix(former), eigvals_only=True)
    size = len(matrix)
    numbers = [number for number in range(size) if values[number] < _SHRINKING * before[number]]
    return [[float(vectors[row, number]) for row in range(size)] for number in numbers]


class _Search:
    """Newton's method for the matrices with the largest determinant that satisfy equations."""

    def __init__(self, system: Equations, budget: Budget, lift: float = 0.0) -> None:
        self._sizes, self._budget = system.sizes, budget
        self._right = [float(as_fraction(value)) for value in system.right]
        lifted = lift * max(map(abs, self._right), default=1.0)
        for one in system.entries:
            for number, value in one.counts.items() if one.row == one.column else ():
                self._right[number] += lifted * float(as_fraction(value))
        self._products: list[list[_Counted]] = [
            [
                (one.row, one.column, [(number, float(as_fraction(value))) for number, value in one.counts.items()])
                for one in system.entries
                if one.block == block
            ]
            for block in range(len(system.sizes))
        ]

        counted = [sum(len(counts) for _, _, counts in products) for products in self._products]
        self._cost = _work(len(self._right)) + sum(number**2 for number in counted) // 2
        self._most = max(_LEAST_STEPS, min(_MOST_STEPS, _OPERATIONS // self._cost))

    def deepest(self, start: list[Matrix] | None = None) -> list[Matrix] | None:
        """The matrices, or None if they do not seem to exist."""
        scale = max(map(abs, self._right), default=1.0) or 1.0
        current = start or [
            [[scale * (row == column) for column in range(size)] for row in range(size)] for size in self._sizes
        ]
        at_first, is_solved = max(map(abs, self._missing(current)), default=0.0), False
        for number in range(self._most):
            if not self._budget.spend(self._cost):
                return None
            missing = self._missing(current)
            lack = max(map(abs, missing))
            if number == _EARLY_STEPS and lack > _EARLY_REST * at_first:
                return None
            # A full step solves the equations, until rounding errors grow at the boundary.
            if lack > _LOST * scale if is_solved else number == _LATE_STEPS:
                return None
            step = self._step(current, missing)
            if step is None:
                return None
            length = 1.0
            while not all(_is_positive(_moved(*pair, length)) for pair in zip(current, step, strict=True)):
                length *= 0.6
                if length < 1e-7:
                    return None
            is_solved = is_solved or length == 1.0
            # Not onto the boundary.
            length = length if length == 1.0 else 0.9 * length
            current = [_moved(*pair, length) for pair in zip(current, step, strict=True)]
            if length == 1.0 and lack < _ACCURACY * scale and self._is_small(step, current):
                return current
        return current if max(map(abs, self._missing(current))) < _ACCURACY * scale else None

    def _missing(self, current: Sequence[Matrix]) -> list[float]:
        left = list(self._right)
        for matrix, products in zip(current, self._products, strict=True):
            for row, column, counts in products:
                for number, count in counts:
                    left[number] -= count * matrix[row][column]
        return left

    def _step(self, current: Sequence[Matrix], missing: Sequence[float]) -> list[Matrix] | None:
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
        pairs = list(zip(current, self._products, strict=True))
        combinations = [_combination(len(block), products, multipliers) for block, products in pairs]
        if self._is_refuted(multipliers, combinations):
            raise NoSolutionError
        return [_stepped(*both) for both in zip(current, combinations, strict=True)]

    def _is_refuted(self, multipliers: Sequence[float], combinations: Sequence[Matrix]) -> bool:
        """Whether multipliers combine the equations to one that no matrices without negative eigenvalues satisfy.

        It says that the traces of their products with positive matrices sum to a negative number.
        """
        parts = [one * right for one, right in zip(multipliers, self._right, strict=True)]
        return sum(parts) < -_CLEARLY * sum(map(abs, parts)) and all(map(_is_positive, combinations))

    def _is_small(self, step: Sequence[Matrix], current: Sequence[Matrix]) -> bool:
        return all(
            abs(change) <= 1e-3 * abs(whole[place][place])
            for part, whole in zip(step, current, strict=True)
            for place, row in enumerate(part)
            for change in row[place : place + 1]
        )


def _work(equations: int) -> int:
    """Operations to set up and solve so many equations; those in flint are quick."""
    return 4 * equations**2 + equations**3 // 20


def _solved(matrix: Matrix, right: Sequence[float]) -> list[float] | None:
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


def _combination(size: int, products: Sequence[_Counted], multipliers: Sequence[float]) -> Matrix:
    """The combination of equations with these multipliers, as a matrix."""
    combination = [[0.0] * size for _ in range(size)]
    for row, column, counts in products:
        value = sum(count * multipliers[number] for number, count in counts)
        # An entry off the diagonal was counted twice.
        value = value if row == column else value / 2
        combination[row][column] = combination[column][row] = value
    return combination


def _stepped(block: Matrix, combination: Matrix) -> Matrix:
    """``block - block * combination * block``."""
    size = len(block)
    inner = _times(_times(block, combination), block)
    return [[block[row][column] - inner[row][column] for column in range(size)] for row in range(size)]


def _times(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [[sum(map(float.__mul__, row, column)) for column in columns] for row in left]


def _moved(matrix: Matrix, step: Matrix, length: float) -> Matrix:
    pairs = zip(matrix, step, strict=True)
    return [[value + length * change for value, change in zip(*rows, strict=True)] for rows in pairs]


def _is_positive(matrix: Matrix) -> bool:
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
