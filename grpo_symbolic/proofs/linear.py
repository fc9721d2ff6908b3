"""A polynomial as a sum of few others with coefficients that are not negative. Nobody believes the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from flint import fmpq, fmpq_mat

from grpo_symbolic.translate.algebra import Polynomial

_Powers: TypeAlias = tuple[int, ...]
_TINY, _LEFT_OVER = 1e-9, 1e-7
_MOST_PIVOTS = 120


def combination(target: Polynomial, parts: Sequence[Polynomial]) -> dict[int, fmpq] | None:
    """Coefficients by the places of parts, such that these sum to the target; earlier parts are preferred."""
    wanted = dict(target.terms())
    columns = [dict(part.terms()) for part in parts]
    monomials = list(dict.fromkeys(monomial for terms in (wanted, *columns) for monomial in terms))
    if any(all(monomial not in column for column in columns) for monomial in wanted):
        return None
    support = _support(monomials, wanted, columns)
    return None if support is None else _solved(monomials, wanted, columns, support)


def _support(
    monomials: Sequence[_Powers], wanted: Mapping[_Powers, fmpq], columns: Sequence[Mapping[_Powers, fmpq]]
) -> list[int] | None:
    """The columns that the first phase of the simplex method leaves in the basis, by Bland's rule."""
    rows = []
    for monomial in monomials:
        row = [_float(column.get(monomial)) for column in columns]
        row.append(_float(wanted.get(monomial)))
        rows.append([-value for value in row] if row[-1] < 0 else row)
    count = len(columns)
    basis = [count + place for place in range(len(rows))]
    costs = [-sum(row[place] for row in rows) for place in range(count)] + [-sum(row[-1] for row in rows)]
    for _ in range(_MOST_PIVOTS):
        entering = next((place for place in range(count) if costs[place] < -_TINY), None)
        if entering is None:
            break
        ratios = [(row[-1] / row[entering], basis[at], at) for at, row in enumerate(rows) if row[entering] > _TINY]
        if not ratios:
            return None
        _, _, leaving = min(ratios)
        pivot = rows[leaving][entering]
        rows[leaving] = chosen = [value / pivot for value in rows[leaving]]
        for at, row in enumerate(rows):
            factor = row[entering]
            if at != leaving and factor:
                rows[at] = [value - factor * other for value, other in zip(row, chosen, strict=True)]
        factor = costs[entering]
        costs = [value - factor * other for value, other in zip(costs, chosen, strict=True)]
        basis[leaving] = entering
    if abs(costs[-1]) > _LEFT_OVER:
        return None
    return sorted(place for row, place in zip(rows, basis, strict=True) if place < count and row[-1] > _TINY)


def _float(value: fmpq | None) -> float:
    return 0.0 if value is None else int(value.p) / int(value.q)


def _solved(
    monomials: Sequence[_Powers],
    wanted: Mapping[_Powers, fmpq],
    columns: Sequence[Mapping[_Powers, fmpq]],
    support: Sequence[int],
) -> dict[int, fmpq] | None:
    """Exact coefficients of the columns of a support, if they exist, are determined and are positive."""
    zero = fmpq(0)
    rows = [[*(columns[at].get(one, zero) for at in support), wanted.get(one, zero)] for one in monomials]
    echelon, rank = fmpq_mat(rows).rref()
    if rank != len(support) or any(echelon[place, place] != 1 for place in range(rank)):
        return None
    found = {at: echelon[place, len(support)] for place, at in enumerate(support)}
    return found if all(value > 0 for value in found.values()) else None
