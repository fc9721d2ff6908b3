"""Exact arithmetic in a field Q(generators)(sqrt(r_1))(sqrt(r_2))..., where r_k may contain earlier roots.

An element maps sets of radicals (bit masks) to fractions of polynomials in the generators. A radical is
adjoined only if its radicand is not a square below it, so each one doubles the degree of the field
and an element is zero exactly if it has no entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, isqrt, lcm
from typing import Any, TypeAlias

from flint import Ordering, fmpq, fmpq_mpoly_ctx, fmpz

from grpo_symbolic.errors import UndefinedError
from grpo_symbolic.translate.balls import as_fraction
from grpo_symbolic.translate.factors import factored

#: A multivariate polynomial over the rationals (``fmpq_mpoly``); python-flint ships no types.
Polynomial: TypeAlias = Any


@dataclass(frozen=True)
class Ratio:
    """A fraction of polynomials in lowest terms; the denominator is primitive with positive leading coefficient."""

    numerator: Polynomial
    denominator: Polynomial


#: Bit k of a key stands for the radical number k; entries are never zero.
FieldElement: TypeAlias = Mapping[int, Ratio]


class RadicalField:
    """The field; it grows by ``adjoin``."""

    def __init__(self, generators: int) -> None:
        self._context = fmpq_mpoly_ctx.get([f"t{number}" for number in range(generators)], Ordering.lex)
        self.generators: tuple[Polynomial, ...] = tuple(self._context.gens())
        self.one: Polynomial = self._context.constant(1)
        self.radicands: list[FieldElement] = []

    def polynomial(self, terms: Mapping[tuple[int, ...], Any]) -> Polynomial:
        """The polynomial with these coefficients of exponent tuples."""
        return self._context.from_dict(dict(terms))

    def constant(self, value: Fraction) -> FieldElement:
        """A rational number as an element."""
        return self.of_polynomial(self.one * fmpq(value.numerator, value.denominator))

    def of_polynomial(self, polynomial: Polynomial) -> FieldElement:
        """A polynomial as an element."""
        return {} if polynomial.is_zero() else {0: Ratio(polynomial, self.one)}

    def radical(self, number: int) -> FieldElement:
        """The radical that ``adjoin`` numbered."""
        return {1 << number: Ratio(self.one, self.one)}

    def adjoin(self, radicand: FieldElement) -> int:
        """Adjoin a square root of an element that is not a square, and return its number."""
        self.radicands.append(radicand)
        return len(self.radicands) - 1

    def ratio(self, numerator: Polynomial, denominator: Polynomial) -> Ratio:
        """A fraction in lowest terms.

        Raises:
            UndefinedError: if the denominator is the zero polynomial.
        """
        if denominator.is_zero():
            raise UndefinedError("a denominator is identically zero")
        if denominator.is_one():
            return Ratio(numerator, denominator)
        if not denominator.is_constant():
            common = numerator.gcd(denominator)
            if not common.is_constant():
                numerator, denominator = numerator / common, denominator / common
        scale = content(denominator)
        return Ratio(numerator / scale, denominator / scale)

    def add(self, left: FieldElement, right: FieldElement) -> FieldElement:
        """The sum."""
        total = dict(left)
        for mask, term in right.items():
            total[mask] = self._add_ratios(total[mask], term) if mask in total else term
            if total[mask].numerator.is_zero():
                del total[mask]
        return total

    def _add_ratios(self, a: Ratio, b: Ratio) -> Ratio:
        if a.denominator == b.denominator:
            return self.ratio(a.numerator + b.numerator, a.denominator)
        return self.ratio(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)

    def negate(self, element: FieldElement) -> FieldElement:
        """The negative."""
        return {mask: Ratio(-term.numerator, term.denominator) for mask, term in element.items()}

    def subtract(self, left: FieldElement, right: FieldElement) -> FieldElement:
        """The difference."""
        return self.add(left, self.negate(right))

    def multiply(self, left: FieldElement, right: FieldElement) -> FieldElement:
        """The product."""
        total: FieldElement = {}
        for mask_a, a in left.items():
            for mask_b, b in right.items():
                product = self.ratio(a.numerator * b.numerator, a.denominator * b.denominator)
                term: FieldElement = {mask_a ^ mask_b: product}
                for number in bits(mask_a & mask_b):
                    term = self.multiply(term, self.radicands[number])
                total = self.add(total, term)
        return total

    def scale(self, element: FieldElement, factor: Fraction) -> FieldElement:
        """The element times a rational number."""
        return self.multiply(element, self.constant(factor))

    def power(self, element: FieldElement, exponent: int) -> FieldElement:
        """A power with any integer exponent.

        Raises:
            UndefinedError: for a power of 0 that is not positive.
        """
        base = self.inverse(element) if exponent < 0 else element
        if exponent == 0 and not element:
            raise UndefinedError("0 to the power 0")
        result, remaining = self.constant(Fraction(1)), abs(exponent)
        while remaining:
            if remaining & 1:
                result = self.multiply(result, base)
            remaining >>= 1
            if remaining:
                base = self.multiply(base, base)
        return result

    def inverse(self, element: FieldElement) -> FieldElement:
        """The reciprocal, by multiplying with conjugates.

        Raises:
            UndefinedError: for the zero element.
        """
        if not element:
            raise UndefinedError("a denominator is identically zero")
        if len(element) == 1:
            ((mask, term),) = element.items()
            reciprocal: FieldElement = {mask: self.ratio(term.denominator, term.numerator)}
            for number in bits(mask):
                reciprocal = self.multiply(reciprocal, self.inverse(self.radicands[number]))
            return reciprocal
        number, without, factor = self._split(element)
        radical = self.radical(number)
        conjugate = self.subtract(without, self.multiply(factor, radical))
        return self.multiply(conjugate, self.inverse(self._norm(number, without, factor)))

    def _norm(self, number: int, without: FieldElement, factor: FieldElement) -> FieldElement:
        squared = self.multiply(self.multiply(factor, factor), self.radicands[number])
        return self.subtract(self.multiply(without, without), squared)

    def _split(self, element: FieldElement) -> tuple[int, FieldElement, FieldElement]:
        """Write the element as ``without + factor * radical`` with its latest radical."""
        number = max(element).bit_length() - 1
        bit = 1 << number
        without = {mask: term for mask, term in element.items() if not mask & bit}
        factor = {mask ^ bit: term for mask, term in element.items() if mask & bit}
        return number, without, factor

    def square_root(self, element: FieldElement, below: int | None = None) -> FieldElement | None:
        """A square root within the field of the first ``below`` radicals, or None if there is none.

        The search is complete. With s the latest radical and r its radicand: (u + v s)^2 = A + B s
        means u^2 + r v^2 = A and 2 u v = B, so u^2 is half of A plus or minus a root of the norm.
        """
        level = len(self.radicands) if below is None else below
        if not element:
            return element
        if level == 0:
            return self._root_of_ratio(element[0])
        number = level - 1
        without = {mask: term for mask, term in element.items() if not mask >> number & 1}
        factor = {mask ^ (1 << number): term for mask, term in element.items() if mask >> number & 1}
        if not factor:
            return self._root_without_latest(without, number)
        norm_root = self.square_root(self._norm(number, without, factor), number)
        if norm_root is None:
            return None
        for signed in (norm_root, self.negate(norm_root)):
            u = self.square_root(self.scale(self.add(without, signed), Fraction(1, 2)), number)
            if u:
                v = self.scale(self.multiply(factor, self.inverse(u)), Fraction(1, 2))
                return self.add(u, self.multiply(v, self.radical(number)))
        return None

    def _root_without_latest(self, element: FieldElement, number: int) -> FieldElement | None:
        root = self.square_root(element, number)
        if root is not None:
            return root
        quotient = self.multiply(element, self.inverse(self.radicands[number]))
        root = self.square_root(quotient, number)
        return None if root is None else self.multiply(root, self.radical(number))

    def _root_of_ratio(self, term: Ratio) -> FieldElement | None:
        constant, factors = factorisation(term.numerator * term.denominator)
        outer, inner = split_square(constant)
        if inner != 1 or any(exponent % 2 for _, exponent in factors):
            return None
        root = self.one * fmpq(outer.numerator, outer.denominator)
        for factor, exponent in factors:
            root *= factor ** (exponent // 2)
        return {0: self.ratio(root, term.denominator)}


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    return (number for number in range(mask.bit_length()) if mask >> number & 1)


def content(polynomial: Polynomial) -> Any:
    """The rational by which a polynomial must be divided to become primitive with positive leading coefficient."""
    values = [as_fraction(value) for value in polynomial.coeffs()]
    size = Fraction(gcd(*(value.numerator for value in values)), lcm(*(value.denominator for value in values)))
    sign = -1 if values[0] < 0 else 1
    return fmpq(sign * size.numerator, size.denominator)


def factorisation(polynomial: Polynomial) -> tuple[Fraction, list[tuple[Polynomial, int]]]:
    """The rational constant and the irreducible factors with their exponents, in a reproducible order."""
    constant, factors = factored(polynomial)
    return constant, sorted(factors, key=lambda item: str(item[0]))


def split_square(value: Fraction) -> tuple[Fraction, int]:
    """Write a rational as ``outer**2 * inner`` with ``outer`` positive and ``inner`` a squarefree integer."""
    product = abs(value.numerator * value.denominator)
    outer, inner = 1, 1
    for prime, exponent in prime_factors(product):
        outer *= prime ** (exponent // 2)
        inner *= prime ** (exponent % 2)
    return Fraction(outer, value.denominator), inner if value >= 0 else -inner


def prime_factors(value: int) -> list[tuple[int, int]]:
    """The primes of a positive integer with their exponents; perfect squares are found without factoring."""
    root = isqrt(value)
    if root * root == value and value > 1:
        return [(prime, 2 * exponent) for prime, exponent in prime_factors(root)]
    return [(int(prime), int(exponent)) for prime, exponent in fmpz(value).factor()]
