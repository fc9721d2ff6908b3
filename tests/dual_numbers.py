"""Numbers with a derivative, for oracles: sums, products and quotients of fractions, differentiated by rule."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Dual:
    """A number and its derivative by the coordinate in question."""

    value: Fraction
    slope: Fraction = Fraction(0)

    def times(self, other: Dual) -> Dual:
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    def inverse(self) -> Dual:
        return Dual(1 / self.value, -self.slope / self.value**2)

    def raised(self, exponent: int) -> Dual:
        found = Dual(Fraction(1))
        for _ in range(exponent):
            found = found.times(self)
        return found


ARITHMETIC: Mapping[str, Callable[..., Dual]] = {
    "add": lambda one, other: Dual(one.value + other.value, one.slope + other.slope),
    "subtract": lambda one, other: Dual(one.value - other.value, one.slope - other.slope),
    "negate": lambda one: Dual(-one.value, -one.slope),
    "multiply": lambda one, other: one.times(other),
    "divide": lambda one, other: one.times(other.inverse()),
}
COMPARED = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
