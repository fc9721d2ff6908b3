"""Solutions of equations in the box that printed decimals name, by Krawczyk's operator.

Why there is one where this module says so: let f be as many equations as there are unknowns, continuous on a box X
around m, and let the matrices F contain slopes of f between any two points of X. Whatever the matrix C, the map
x - C f(x) sends X into K = m - C f(m) + (1 - C F)(X - m). Where K lies in the interior of X the map has a fixed point
in X by Brouwer's theorem; and C is regular, because 1 - C F then has a norm below 1 that is scaled by the sides of X;
so f vanishes at the fixed point (Moore, Kearfott and Cloud, *Introduction to Interval Analysis*, SIAM 2009, section
8.2). Here m, C and which equations are solved for which unknowns are guesses, made with machine numbers; f(m), F
and K are enclosed. Decimals that no equation determines are rationals like the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from mpmath import fp, libmp

from grpo_symbolic.checks.intervals import Arithmetic, Evaluation, Jet, Real, UnknownError, signs, wide
from grpo_symbolic.language.statement import Relation

#: A row that others determine but for so much of its largest entry is no further equation.
_INDEPENDENT = 1e-6
#: Steps of the simplified Newton method from the middle of the box, most of which give fifty bits more.
_STEPS = 40
#: Slopes of more than 2 to this power, or less than one over it, are not calculated with.
_LONGEST_SHIFT = 10_000


class Literal(NamedTuple):
    """A relation at one output; at output 0 if it says the same at all."""

    relation: Relation
    output: int


def difference(at: Evaluation, literal: Literal) -> Jet:
    """The left side minus the right side."""
    return at.value(literal.relation.left - literal.relation.right, literal.output or 1)


@dataclass(frozen=True)
class Box:
    """The numbers that decimals may stand for: so many units from the printed one, between -1 and 1."""

    values: Mapping[str, Fraction]
    units: Mapping[str, Fraction]
    outputs: int
    bits: int

    def at(self, offsets: Mapping[str, Real]) -> Evaluation:
        """Evaluate where these coordinates are so many units off; slopes are by the offsets."""
        calculate, values = Arithmetic(self.bits), {name: Jet(value, {}) for name, value in self.values.items()}
        for name, offset in offsets.items():
            unit = self.units[name]
            values[name] = Jet(calculate.plus(self.values[name], calculate.times(unit, offset)), {name: unit})
        return Evaluation(values, self.outputs, self.bits)

    def solved(self, literals: Sequence[Literal]) -> tuple[Evaluation, frozenset[Literal]]:
        """The small box of a solution of some of the relations as equations, and these relations.

        Raises:
            UnknownError: if it is not certain that there is one.
        """
        chosen, unknowns = self._system(literals)
        if not chosen:
            return self.at({}), frozenset()
        return self.at(self._krawczyk(chosen, unknowns)), frozenset(chosen)

    def _system(self, literals: Sequence[Literal]) -> tuple[list[Literal], list[str]]:
        """Relations that may be equations on the box, and as many unknowns, for which they look solvable."""
        everywhere = self.at(dict.fromkeys(self.units, _around(Fraction(0), Fraction(1), self.bits)))
        middle = self.at(dict.fromkeys(self.units, Fraction(0)))
        chosen, rows = list[Literal](), dict[str, dict[str, float]]()
        for literal in literals if self.units else ():
            try:
                if 0 not in signs(difference(everywhere, literal).number):
                    continue
                row, _ = _scaled(difference(middle, literal).slopes, self.units)
            except UnknownError:
                continue
            for pivot, other in rows.items():
                factor = row[pivot] / other[pivot]
                row = {name: row[name] - factor * other[name] for name in self.units}
            pivot = max(row, key=lambda name: abs(row[name]))
            if abs(row[pivot]) > _INDEPENDENT:
                chosen.append(literal)
                rows[pivot] = row
        return chosen, list(rows)

    def _krawczyk(self, chosen: Sequence[Literal], unknowns: Sequence[str]) -> dict[str, Real]:
        """A small part of the box that certainly contains a solution, as offsets of the unknowns."""
        centre, reciprocal = dict.fromkeys(unknowns, Fraction(0)), self._reciprocal(chosen, unknowns)
        radius = Fraction(1, 2 ** (self.bits // 2))
        for _ in range(_STEPS):
            before = centre
            centre = {name: _rounded(step) for name, step in self._newton(chosen, before, reciprocal).items()}
            if all(abs(centre[name] - before[name]) < radius / 2 for name in unknowns):
                break
        small = {name: _around(offset, radius, self.bits) for name, offset in centre.items()}
        slopes = [difference(self.at(small), literal).slopes for literal in chosen]
        calculate, around = Arithmetic(self.bits), _around(Fraction(0), radius, self.bits)
        for name, image in self._newton(chosen, centre, reciprocal).items():
            for other in unknowns:
                error: Real = Fraction(int(name == other))
                for factor, row in zip(reciprocal[name], slopes, strict=True):
                    error = calculate.minus(error, calculate.times(factor, row.get(other, Fraction(0))))
                image = calculate.plus(image, calculate.times(error, around))
            low, high = centre[name] - radius, centre[name] + radius
            inside = low >= -1 and high <= 1
            if not inside or signs(calculate.minus(image, low)) != {1} or signs(calculate.minus(image, high)) != {-1}:
                raise UnknownError("no solution is certain")
        return small

    def _newton(
        self, chosen: Sequence[Literal], centre: Mapping[str, Fraction], reciprocal: Mapping[str, Sequence[Fraction]]
    ) -> dict[str, Real]:
        """Where one step of the simplified Newton method leads from an exact point, enclosed."""
        calculate, at, found = Arithmetic(self.bits), self.at(centre), dict[str, Real](centre)
        residuals = [difference(at, literal).number for literal in chosen]
        for name, factors in reciprocal.items():
            for factor, residual in zip(factors, residuals, strict=True):
                found[name] = calculate.minus(found[name], calculate.times(factor, residual))
        return found

    def _reciprocal(self, chosen: Sequence[Literal], unknowns: Sequence[str]) -> dict[str, list[Fraction]]:
        """About the inverse of the matrix of slopes in the middle, one row for each unknown."""
        middle = self.at(dict.fromkeys(unknowns, Fraction(0)))
        rows = [_scaled(difference(middle, literal).slopes, unknowns) for literal in chosen]
        try:
            inverse = fp.inverse(fp.matrix([list(row.values()) for row, _ in rows]))
            scales = [Fraction(2) ** -shift for _, shift in rows]
            return {
                name: [Fraction(float(inverse[place, other])) * scale for other, scale in enumerate(scales)]
                for place, name in enumerate(unknowns)
            }
        except (ZeroDivisionError, OverflowError, ValueError) as error:
            raise UnknownError("the equations look dependent") from error


def _around(centre: Fraction, radius: Fraction, bits: int) -> Real:
    """An interval around all numbers that are no further from the centre."""
    return Arithmetic(bits).union(centre - radius, centre + radius)


def _rounded(value: Real) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(*map(int, libmp.to_rational(value[0])))


def _scaled(slopes: Mapping[str, Real], names: Iterable[str]) -> tuple[dict[str, float], int]:
    """About the slopes, divided by the power of 2 whose exponent is returned, so that the largest is near 1."""
    raw = {name: wide(slopes.get(name, Fraction(0)), 53)[0] for name in names}
    shift = max((value[2] + value[3] for value in raw.values() if value[1]), default=0)
    if abs(shift) > _LONGEST_SHIFT:
        raise UnknownError("the slopes are too far from 1")
    return {name: libmp.to_float(libmp.mpf_shift(value, -shift)) for name, value in raw.items()}, shift
