"""Whether 0 is a sum of polynomials with coefficients that are not negative, modulo others. Nobody believes the answer.

What is not negative and what is 0 contradict each other if such a sum has a part of what is positive. Floating point
numbers find which polynomials take part, by least squares without negative coefficients (Lawson and Hanson 1974, chap.
23); with which coefficients they do is solved exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

_Powers: TypeAlias = tuple[int, ...]
Column: TypeAlias = Mapping[_Powers, fmpq]
_Array: TypeAlias = NDArray[np.float64]
_TINY, _LEFT_OVER = 1e-9, 1e-6
_FLAT, _DEPENDENT = 1e-4, 1e-10
_MOST_ROUNDS, _LARGEST_SUPPORT = 250, 140


def contradiction(
    parts: Sequence[Column], strict: Sequence[bool], free: Sequence[Column]
) -> tuple[dict[int, fmpq], dict[int, fmpq]] | None:
    """Coefficients of parts and of free columns that sum to 0, those of strict parts to 1; by their places."""
    if not any(strict):
        return None
    rows = {
        monomial: row for row, monomial in enumerate(dict.fromkeys(one for part in (*parts, *free) for one in part))
    }
    matrix, beside = _dense(parts, rows), _dense(free, rows)
    places = _cancelling(matrix, np.any(beside, axis=1))
    positive = np.array(strict, dtype=float)[places]
    if not positive.any():
        return None
    basis, kept = _basis(beside)
    # What the free columns reach does not count.
    matrix = matrix[:, places]
    matrix -= basis @ (basis.T @ matrix)
    matrix = np.vstack([matrix, positive])
    found = _least_squares(matrix)
    support = [int(places[at]) for at in np.flatnonzero(found > _TINY)]
    residual = matrix @ found
    residual[-1] -= 1
    if not support or np.abs(residual).max() > _LEFT_OVER or len(support) > _LARGEST_SUPPORT:
        return None
    return _exactly(parts, strict, free, rows, support, kept)


def _dense(columns: Sequence[Column], rows: Mapping[_Powers, int]) -> _Array:
    """Columns of floating point numbers, the largest one of each 1."""
    matrix = np.zeros((len(rows), len(columns)))
    for at, column in enumerate(columns):
        for monomial, value in column.items():
            matrix[rows[monomial], at] = int(value.p) / int(value.q)
    largest = np.abs(matrix).max(axis=0, initial=0.0)
    scaled: _Array = matrix / np.where(largest > 0, largest, 1.0)
    return scaled


def _cancelling(matrix: _Array, free: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The places of columns in which each number, in rows that are not free, has another one of the other sign."""
    above, below = matrix > 0, matrix < 0
    left = np.ones(matrix.shape[1], dtype=bool)
    while True:
        alone = ~free & (above[:, left].any(axis=1) ^ below[:, left].any(axis=1))
        after = left & ~(above[alone] | below[alone]).any(axis=0)
        if after.sum() == left.sum():
            return np.flatnonzero(left)
        left = after


def _basis(matrix: _Array) -> tuple[_Array, list[int]]:
    """An orthonormal basis of what columns span, and the places of those that it needs."""
    basis = np.zeros((matrix.shape[0], 0))
    kept: list[int] = []
    for at in range(matrix.shape[1]):
        column = matrix[:, at]
        size = np.linalg.norm(column)
        for _ in range(2):
            column = column - basis @ (basis.T @ column)
        left = np.linalg.norm(column)
        if left > _LEFT_OVER * size:
            basis, kept = np.hstack([basis, (column / left)[:, None]]), [*kept, at]
    return basis, kept


def _least_squares(matrix: _Array) -> _Array:
    """Coefficients, none negative, with which the columns come nearest to the last unit vector."""
    count = matrix.shape[1]
    found, banned = np.zeros(count), np.zeros(count, dtype=bool)
    passive = _Passive(matrix)
    residual = np.zeros(matrix.shape[0])
    residual[-1] = 1.0
    for _ in range(_MOST_ROUNDS):
        slopes = matrix.T @ residual
        slopes[passive.places], slopes[banned] = -1.0, -1.0
        best = int(np.argmax(slopes))
        # What is left may be a direction in which no column points, and then there is nothing to be found.
        if slopes[best] <= max(_TINY * _TINY, _FLAT * float(residual @ residual)):
            break
        if not passive.add(best):
            banned[best] = True
            continue
        while passive.places:
            wanted = passive.solution()
            if wanted.min() > 0:
                break
            here = found[passive.places]
            falling = wanted <= 0
            steps = np.where(falling, here / (here - wanted + 1e-300), 2.0)
            leaving = int(np.argmin(steps))
            found[passive.places] = np.maximum(here + steps[leaving] * (wanted - here), 0.0)
            found[passive.places[leaving]] = 0.0
            banned[passive.places[leaving]] = passive.places[leaving] == best
            passive.remove(leaving)
        if passive.places:
            found[passive.places] = wanted
        residual = -(matrix[:, passive.places] @ found[passive.places])
        residual[-1] += 1.0
    return found


class _Passive:
    """Columns that take part, with the inverse of the matrix of their products."""

    def __init__(self, matrix: _Array) -> None:
        self._matrix = matrix
        self.places: list[int] = []
        self._inverse = np.zeros((0, 0))

    def add(self, place: int) -> bool:
        """Let a column take part, unless the others span it."""
        column = self._matrix[:, place]
        size = float(column @ column)
        products = self._matrix[:, self.places].T @ column
        shares = self._inverse @ products
        apart = size - float(products @ shares)
        if apart <= _DEPENDENT * size:
            return False
        corner = np.append(-shares, 1.0)
        count = len(self.places)
        grown = np.zeros((count + 1, count + 1))
        grown[:count, :count] = self._inverse
        self._inverse = grown + np.outer(corner, corner) / apart
        self.places.append(place)
        return True

    def remove(self, at: int) -> None:
        """Let a column go."""
        column = self._inverse[:, at]
        left = self._inverse - np.outer(column, column) / column[at]
        keep = np.arange(len(self.places)) != at
        self._inverse = left[np.ix_(keep, keep)]
        del self.places[at]

    def solution(self) -> _Array:
        """With which coefficients the columns come nearest to the last unit vector."""
        found: _Array = self._inverse @ self._matrix[-1, self.places]
        return found


def _exactly(
    parts: Sequence[Column],
    strict: Sequence[bool],
    free: Sequence[Column],
    rows: Mapping[_Powers, int],
    support: Sequence[int],
    kept: Sequence[int],
) -> tuple[dict[int, fmpq], dict[int, fmpq]] | None:
    """The coefficients of a support, if they are determined and positive."""
    width = len(support) + len(kept)
    table = [[fmpq(0)] * (width + 1) for _ in range(len(rows) + 1)]
    for place, column in enumerate([*(parts[at] for at in support), *(free[at] for at in kept)]):
        for monomial, value in column.items():
            table[rows[monomial]][place] = value
    table[-1] = [fmpq(int(strict[at])) for at in support] + [fmpq(0)] * len(kept) + [fmpq(1)]
    echelon, rank = fmpq_mat(table).rref()
    if rank != width or any(echelon[place, place] != 1 for place in range(width)):
        return None
    found = [echelon[place, width] for place in range(width)]
    if any(value <= 0 for value in found[: len(support)]):
        return None
    return (
        dict(zip(support, found, strict=False)),
        {at: value for at, value in zip(kept, found[len(support) :], strict=True) if value},
    )
