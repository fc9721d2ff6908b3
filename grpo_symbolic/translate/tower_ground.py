"""What the generators of a tower stand for: their expressions, their values at a sample point, and signs.

A sign is read at the sample point, which proves nothing; each reading is therefore recorded as a side
condition, and the caller has to show that it holds on the whole domain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from flint import arb

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.expression import (
    Expression,
    Number,
    Symbol,
    free_symbols,
)
from grpo_symbolic.language.statement import Relation, ge, ne
from grpo_symbolic.language.vocabulary import exp, sqrt
from grpo_symbolic.translate.algebra import Factor
from grpo_symbolic.translate.balls import as_fraction, exact
from grpo_symbolic.translate.tower_field import (
    FieldElement,
    Polynomial,
    RadicalField,
    bits,
    factorisation,
)

#: Room for exponentials and logarithms beside the symbols.
_SPARE_GENERATORS = 24


class Ground:
    """Generators with their meanings, over a field of radicals."""

    def __init__(self, symbols: Sequence[Symbol], sample: Mapping[Symbol, Fraction]) -> None:
        """Start with the symbols as generators; ``sample`` gives every symbol a value, at which signs are read."""
        self.symbols = tuple(symbols)
        self.field = RadicalField(len(self.symbols) + _SPARE_GENERATORS)
        self.one = self.field.constant(Fraction(1))
        self._conditions: dict[Relation, None] = {}
        self._expressions: list[Expression] = list(self.symbols)
        self._values: list[arb] = [arb(exact(sample[symbol])) for symbol in self.symbols]
        self._exponents: dict[int, FieldElement] = {}
        self._logarithms: dict[int, FieldElement] = {}
        self._factors: list[Factor] = []

    @property
    def side_conditions(self) -> list[Relation]:
        """What the conversions so far rest on; conditions between constants are left out."""
        return list(self._conditions)

    @property
    def radicals(self) -> int:
        """How many square roots were adjoined."""
        return len(self.field.radicands)

    @property
    def exponentials(self) -> int:
        """How many exponentials were adjoined."""
        return len(self._exponents)

    @property
    def logarithms(self) -> int:
        """How many logarithms were adjoined."""
        return len(self._logarithms)

    def generator_expression(self, number: int) -> Expression:
        """The symbol, exponential or logarithm that a generator stands for."""
        return self._expressions[number]

    def radical_expression(self, number: int) -> Expression:
        """The square root that a radical stands for."""
        return sqrt(self._write(self.field.radicands[number]))

    def generator_power(self, number: int, power: int) -> tuple[Expression, int]:
        """A base and an exponent; powers of an exponential are written as one exponential, however fine it is."""
        argument = self._exponents.get(number)
        if argument is None:
            return self._expressions[number], power
        return exp(self._write(self.field.scale(argument, Fraction(power)))), 1

    def write_polynomial(self, polynomial: Polynomial) -> Expression:
        """Write a polynomial in the generators as an expression, terms with a plus sign first."""
        terms = [
            (powers, as_fraction(coefficient))
            for powers, coefficient in zip(polynomial.monoms(), polynomial.coeffs(), strict=True)
        ]
        terms.sort(key=lambda term: term[1] < 0)
        result: Expression | None = None
        for powers, value in terms:
            written = self._write_term(powers, abs(value))
            if result is None:
                result = written if value > 0 else -written
            else:
                result = result + written if value > 0 else result - written
        return Number(Fraction(0)) if result is None else result

    def _write_term(self, powers: tuple[int, ...], coefficient: Fraction) -> Expression:
        factors: list[Expression] = [Number(coefficient)]
        for number, power in enumerate(powers):
            if power:
                base = self._expressions[number]
                factors.append(base if power == 1 else base ** int(power))
        return product(factors)

    def _write(self, element: FieldElement) -> Expression:
        result: Expression | None = None
        for mask in sorted(element):
            ratio = element[mask]
            minus = result is not None and ratio.numerator.leading_coefficient() < 0
            top = self.write_polynomial(-ratio.numerator if minus else ratio.numerator)
            written = product([top, *(self.radical_expression(number) for number in bits(mask))])
            if not ratio.denominator.is_one():
                written = written / self.write_polynomial(ratio.denominator)
            if minus and result is not None:
                result = result - written
            else:
                result = written if result is None else result + written
        return Number(Fraction(0)) if result is None else result

    def _new_generator(self, expression: Expression, value: arb) -> int:
        if len(self._expressions) == len(self.field.generators):
            raise UnsupportedError("too many different exponentials and logarithms")
        self._expressions.append(expression)
        self._values.append(value)
        return len(self._expressions) - 1

    def _propose(self, value: Expression, exponent: Fraction | int) -> None:
        """Note a factor by which the function that is being converted can be checked, see ``algebra``."""
        if exponent and value != Number(Fraction(1)):
            self._factors.append(Factor(value, Fraction(exponent)))

    def _propose_element(self, element: FieldElement, exponent: Fraction | int) -> None:
        """Propose a positive element; if it has one term, by factors whose signs are easier to see."""
        if len(element) > 1:
            self._propose(self._write(element), exponent)
            return
        ((mask, ratio),) = element.items()
        constant, factors = factorisation(ratio.numerator)
        _, divisors = factorisation(ratio.denominator)
        self._propose(Number(abs(constant)), exponent)
        for base, multiplicity in [*factors, *((base, -multiplicity) for base, multiplicity in divisors)]:
            positive = base * self._sign_at_sample(self._value_of_polynomial(base))
            self._propose(self.write_polynomial(positive), exponent * multiplicity)
        for number in bits(mask):
            self._propose(self.radical_expression(number), exponent)

    def _require(self, condition: Relation) -> None:
        if free_symbols(condition.left):
            self._conditions.setdefault(condition)

    def _require_nonzero_denominators(self, element: FieldElement) -> None:
        for ratio in element.values():
            for base, _ in factorisation(ratio.denominator)[1]:
                self._require(ne(self.write_polynomial(base), 0))

    def _sign_at_sample(self, value: arb) -> int:
        if value > 0:
            return 1
        if value < 0:
            return -1
        raise UnsupportedError("a sign is not visible at the sample point")

    def _sign_of_polynomial(self, base: Polynomial) -> int:
        """The sign at the sample point, with the condition that it is the sign everywhere."""
        sign = self._sign_at_sample(self._value_of_polynomial(base))
        self._require(ge(self.write_polynomial(base * sign), 0))
        return sign

    def _value_of_polynomial(self, polynomial: Polynomial) -> arb:
        total = arb(0)
        for powers, coefficient in zip(polynomial.monoms(), polynomial.coeffs(), strict=True):
            term = arb(coefficient)
            for number, power in enumerate(powers):
                if power:
                    term *= self._values[number] ** int(power)
            total += term
        return total

    def _value(self, element: FieldElement) -> arb:
        total = arb(0)
        for mask, ratio in element.items():
            term = self._value_of_polynomial(ratio.numerator) / self._value_of_polynomial(ratio.denominator)
            for number in bits(mask):
                term *= self._value(self.field.radicands[number]).sqrt()
            total += term
        return total


def product(factors: Sequence[Expression]) -> Expression:
    """The product of some expressions, leaving out factors 1."""
    kept = [factor for factor in factors if factor != Number(Fraction(1))]
    if not kept:
        return Number(Fraction(1))
    result = kept[0]
    for factor in kept[1:]:
        result = result * factor
    return result
