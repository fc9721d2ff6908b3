"""Roots and logarithms of field elements, as far as signs allow them to be split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.expression import Number, Symbol
from grpo_symbolic.language.statement import ge, gt, ne
from grpo_symbolic.language.vocabulary import log
from grpo_symbolic.translate.ranges import decide_by_range
from grpo_symbolic.translate.tower_field import (
    FieldElement,
    Polynomial,
    Ratio,
    bits,
    content,
    factorisation,
    prime_factors,
    split_square,
)
from grpo_symbolic.translate.tower_ground import Ground

_ONE = Fraction(1)
_HALF = Fraction(1, 2)
#: The search for a root within the field doubles with each radical.
_MOST_RADICALS = 10


class FieldFunctions(Ground):
    """A ground with square roots and logarithms."""

    def __init__(self, symbols: Sequence[Symbol], sample: Mapping[Symbol, Fraction]) -> None:
        """Start with the symbols as generators."""
        super().__init__(symbols, sample)
        self._logarithm_of: dict[str, int] = {}

    def _root(self, radicand: FieldElement) -> FieldElement:
        if not radicand:
            self._propose(Number(Fraction(0)), 2)
            return radicand
        if set(radicand) == {0}:
            return self._root_of_ratio(radicand[0])
        return self._root_or_radical(radicand)

    def _root_of_ratio(self, ratio: Ratio) -> FieldElement:
        """sqrt(n/d) as a factor times the root of a squarefree polynomial."""
        field = self.field
        constant, factors = factorisation(ratio.numerator)
        _, divisors = factorisation(ratio.denominator)
        outer, inner = split_square(constant)
        squarefree = field.one * inner
        factor, roots = field.constant(outer), self.one
        self._propose(Number(outer), 2)
        vanishing = False
        for base, multiplicity in factors:
            before = roots
            squarefree, roots = self._with_root(squarefree, roots, base, multiplicity)
            vanishing = vanishing or ((multiplicity > 1 or roots is not before) and not self._is_nonzero(base))
            factor = field.multiply(factor, self._size_of_power(base, multiplicity // 2))
        for base, multiplicity in divisors:
            squarefree, roots = self._with_root(squarefree, roots, base, multiplicity)
            factor = field.multiply(factor, self._size_of_power(base, -((multiplicity + 1) // 2)))
        factor = field.multiply(factor, roots)
        if squarefree.is_one():
            return factor
        if squarefree.is_constant() and squarefree.leading_coefficient() < 0:
            raise UndefinedError("a square root of a negative number")
        if vanishing and not squarefree.is_constant():
            # Where a factor that was taken out is 0, the radical that stays need not be real.
            self._require(ge(self.write_polynomial(squarefree), 0))
        return field.multiply(factor, self._root_or_radical(field.of_polynomial(squarefree)))

    def _with_root(
        self, squarefree: Polynomial, roots: FieldElement, base: Polynomial, multiplicity: int
    ) -> tuple[Polynomial, FieldElement]:
        """Put a factor of odd multiplicity under the common root, or under its own if it is seen not to be negative."""
        if multiplicity % 2 == 0:
            return squarefree, roots
        for signed in (base, -base):
            if decide_by_range(ge(self.write_polynomial(signed), 0)):
                own = self._root_or_radical(self.field.of_polynomial(signed))
                return (squarefree if signed is base else -squarefree), self.field.multiply(roots, own)
        return squarefree * base, roots

    def _is_nonzero(self, base: Polynomial) -> bool:
        return bool(decide_by_range(ne(self.write_polynomial(base), 0)))

    def _root_or_radical(self, radicand: FieldElement) -> FieldElement:
        if len(self.field.radicands) > _MOST_RADICALS:
            raise UnsupportedError(f"more than {_MOST_RADICALS} roots that do not depend on each other")
        root = self.field.square_root(radicand)
        if root is None:
            self._propose(self._write(radicand), 1)
            return self.field.radical(self.field.adjoin(radicand))
        self._require_nonzero_denominators(root)
        positive = self._absolute(root)
        self._propose_element(positive, 2)
        return positive

    def _size_of_power(self, base: Polynomial, exponent: int) -> FieldElement:
        """|base|**exponent, where an even exponent needs no sign."""
        if exponent % 2 and self._sign_of_polynomial(base) < 0:
            base = -base
        self._propose(self.write_polynomial(base), 2 * exponent)
        return self.field.power(self.field.of_polynomial(base), exponent)

    def _absolute(self, element: FieldElement) -> FieldElement:
        """The absolute value of an element that is not zero, with its sign as a side condition."""
        if len(element) > 1:
            sign = self._sign_at_sample(self._value(element))
            positive = element if sign > 0 else self.field.negate(element)
            self._require(ge(self._write(positive), 0))
            return positive
        # Roots are not negative, so the sign of a single term is that of its fraction.
        ((_, ratio),) = element.items()
        constant, factors = factorisation(ratio.numerator)
        sign = 1 if constant > 0 else -1
        for base, multiplicity in [*factors, *factorisation(ratio.denominator)[1]]:
            if multiplicity % 2:
                sign *= self._sign_of_polynomial(base)
        return element if sign > 0 else self.field.negate(element)

    def _logarithm(self, argument: FieldElement, exponent: Fraction = _ONE) -> FieldElement:
        """The logarithm, split over irreducible factors that are required to be positive.

        What is proposed has the ``exponent`` with which the argument stands in a product.
        """
        field = self.field
        if not argument:
            raise UndefinedError("a logarithm of 0")
        if len(argument) > 1:
            return self._logarithm_of_sum(argument, exponent)
        ((mask, ratio),) = argument.items()
        result = self._logarithm_of_ratio(ratio, exponent)
        for number in bits(mask):
            inner = self._logarithm(field.radicands[number], exponent * _HALF)
            result = field.add(result, field.scale(inner, _HALF))
        return result

    def _logarithm_of_ratio(self, ratio: Ratio, exponent: Fraction) -> FieldElement:
        field = self.field
        constant, factors = factorisation(ratio.numerator)
        _, divisors = factorisation(ratio.denominator)
        result: FieldElement = {}
        for base, multiplicity in [*factors, *((base, -multiplicity) for base, multiplicity in divisors)]:
            sign = self._sign_at_sample(self._value_of_polynomial(base))
            constant *= sign if multiplicity % 2 else 1
            positive = base * sign
            self._require(gt(self.write_polynomial(positive), 0))
            self._propose(self.write_polynomial(positive), exponent * multiplicity)
            result = field.add(result, field.scale(self._logarithm_of_factor(positive), Fraction(multiplicity)))
        if constant <= 0:
            raise UnsupportedError("a logarithm has a negative argument at the sample point")
        for integer, side in ((constant.numerator, 1), (constant.denominator, -1)):
            for prime, multiplicity in prime_factors(integer):
                logarithm = self._logarithm_of_factor(field.one * prime)
                self._propose(Number(Fraction(prime)), exponent * side * multiplicity)
                result = field.add(result, field.scale(logarithm, Fraction(side * multiplicity)))
        return result

    def _logarithm_of_factor(self, positive: Polynomial) -> FieldElement:
        for number, exponent in self._exponents.items():
            if positive == self.field.generators[number]:
                return exponent
        return self._logarithm_generator(self.field.of_polynomial(positive))

    def _logarithm_of_sum(self, argument: FieldElement, exponent: Fraction) -> FieldElement:
        """The logarithm of a sum of radicals: only its common polynomial factors are split off."""
        field = self.field
        ratios = [argument[mask] for mask in sorted(argument)]
        divisor = field.one
        for ratio in ratios:
            divisor = divisor * (ratio.denominator / divisor.gcd(ratio.denominator))
        numerators = [ratio.numerator * (divisor / ratio.denominator) for ratio in ratios]
        common = numerators[0] / content(numerators[0])
        for numerator in numerators[1:]:
            common = common.gcd(numerator)
        common = common * content(numerators[0])
        inverse: FieldElement = {0: field.ratio(divisor, common)}
        rest = field.multiply(argument, inverse)
        if self._sign_at_sample(self._value(rest)) < 0:
            rest, common = field.negate(rest), -common
        self._require(gt(self._write(rest), 0))
        self._propose(self._write(rest), exponent)
        return field.add(
            self._logarithm_of_ratio(field.ratio(common, divisor), exponent), self._logarithm_generator(rest)
        )

    def _logarithm_generator(self, argument: FieldElement) -> FieldElement:
        written = self._write(argument)
        key = str(written)
        if key not in self._logarithm_of:
            number = self._new_generator(log(written), self._value(argument).log())
            self._logarithms[number] = argument
            self._logarithm_of[key] = number
        return self.field.of_polynomial(self.field.generators[self._logarithm_of[key]])
