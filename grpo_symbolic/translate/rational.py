"""Expressions as quotients of polynomials over symbols and kernels.

A kernel is what no quotient of polynomials can say: a square root, exponential, logarithm, absolute
value, maximum or minimum. Each distinct kernel becomes one more generator of the polynomial ring.

Every rewriting here is an identity wherever the expression that was typed is defined. Cancelled
denominators are the business of whoever asks: ``definedness.side_conditions`` still lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm
from typing import TypeAlias

import flint

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, walk
from grpo_symbolic.translate import ranges

#: A ``flint.fmpq_mpoly``; the library has no type information.
Polynomial: TypeAlias = flint.fmpq_mpoly

_EXPONENTIALS = frozenset(("exp", "cosh", "sinh", "tanh"))
#: How many generators one node may need at most: a logarithm is split into those of its factors.
_RESERVED = {"sqrt": 1, "power": 1, "absolute": 1, "maximum": 1, "minimum": 1, "log": 6}
_RESERVED_FOR_EXPONENTIAL = 2
#: Polynomials with more terms are not factored: it would cost more than it helps.
_MOST_TERMS_TO_FACTOR = 400
_LARGEST_EXPONENT = 64
_LARGEST_INTEGER_TO_FACTOR = 10**12


@dataclass(frozen=True)
class Quotient:
    """``numerator / denominator`` in lowest terms; the leading coefficient of the denominator is 1."""

    numerator: Polynomial
    denominator: Polynomial


@dataclass(frozen=True)
class Kernel:
    """One generator and what it stands for: ``kind`` applied to ``arguments``.

    Where the arguments have no value, or the kernel none for them, the generator is any number in the
    range of its kind.
    """

    kind: str
    name: str
    generator: Polynomial
    arguments: tuple[Quotient, ...]


class RationalForm:
    """The polynomial ring in which a fixed collection of expressions is written.

    Raises:
        UnsupportedError: for nodes other than Number, Symbol and Apply, and for expressions too large.
    """

    def __init__(self, symbols: Iterable[Symbol], expressions: Iterable[Expression]) -> None:
        self._expressions = tuple(expressions)
        self.symbols = tuple(symbols)
        self.names = {symbol.name: f"x{index}" for index, symbol in enumerate(self.symbols)}
        capacity = sum(_generators_for(node) for expression in self._expressions for node in walk(expression))
        generator_names = (*self.names.values(), *(f"k{index}" for index in range(capacity)))
        self.context = flint.fmpq_mpoly_ctx.get(generator_names or ("x0",), "lex")
        self.generator_names = generator_names
        self._generators = self.context.gens()
        self._ranges: list[Interval] = [symbol.domain for symbol in self.symbols]
        self.kernels: list[Kernel] = []
        self._one = self.context.constant(1)
        self._position = {symbol.name: index for index, symbol in enumerate(self.symbols)}
        self._known: dict[Expression, Quotient] = {}
        self._factors: dict[str, tuple[Fraction, list[tuple[Polynomial, int]]]] = {}
        self._signs: dict[str, frozenset[int]] = {}
        self._prepare_exponentials()

    def quotient(self, expression: Expression) -> Quotient:
        """One of the given expressions, or a part of one, as a quotient of polynomials.

        Raises:
            UndefinedError: if it divides by something that is identically zero.
            UnsupportedError: if the ring has no word for it.
        """
        known = self._known.get(expression)
        if known is None:
            known = self._known[expression] = self._translate(expression)
        return known

    def _translate(self, expression: Expression) -> Quotient:
        match expression:
            case Number(value):
                return self.constant(value)
            case Symbol(name):
                return self._polynomial(self._generators[self._position[name]])
            case Apply("power", (base, Number(exponent))):
                if exponent.denominator == 2:
                    return self.power(self._root(self.quotient(base)), exponent.numerator)
                return self.power(self.quotient(base), exponent.numerator)
            case Apply(operator, operands):
                return self._apply(operator, [self.quotient(operand) for operand in operands])
            case _:
                raise UnsupportedError(f"no polynomial form for {type(expression).__name__}")

    def _apply(self, operator: str, values: list[Quotient]) -> Quotient:
        match operator, values:
            case "add", [left, right]:
                return self.add(left, right)
            case "subtract", [left, right]:
                return self.add(left, self.scale(right, Fraction(-1)))
            case "multiply", [left, right]:
                return self.multiply(left, right)
            case "divide", [left, right]:
                return self.multiply(left, self.power(right, -1))
            case "negate", [value]:
                return self.scale(value, Fraction(-1))
            case "sqrt", [value]:
                return self._root(value)
            case "log", [value]:
                return self._logarithm(value)
            case "absolute", [value]:
                return self._absolute(value)
            case (("maximum" | "minimum"), [left, right]):
                return self._extreme(operator, left, right)
            case _:
                raise UnsupportedError(f"no polynomial form for {operator}")

    def constant(self, value: Fraction | int) -> Quotient:
        """A rational number as a quotient."""
        fraction = Fraction(value)
        return self._polynomial(self.context.constant(flint.fmpq(fraction.numerator, fraction.denominator)))

    def add(self, left: Quotient, right: Quotient) -> Quotient:
        """The sum of two quotients."""
        if left.denominator == right.denominator:
            return self._lowest(left.numerator + right.numerator, left.denominator)
        numerator = left.numerator * right.denominator + right.numerator * left.denominator
        return self._lowest(numerator, left.denominator * right.denominator)

    def subtract(self, left: Quotient, right: Quotient) -> Quotient:
        """The difference of two quotients."""
        return self.add(left, self.scale(right, Fraction(-1)))

    def multiply(self, left: Quotient, right: Quotient) -> Quotient:
        """The product of two quotients."""
        return self._lowest(left.numerator * right.numerator, left.denominator * right.denominator)

    def scale(self, value: Quotient, factor: Fraction) -> Quotient:
        """A rational multiple of a quotient."""
        return Quotient(value.numerator * flint.fmpq(factor.numerator, factor.denominator), value.denominator)

    def power(self, base: Quotient, exponent: int) -> Quotient:
        """An integer power of a quotient.

        Raises:
            UndefinedError: for a negative power of zero.
            UnsupportedError: for exponents whose expansion would be enormous.
        """
        if abs(exponent) > _LARGEST_EXPONENT:
            raise UnsupportedError(f"exponent {exponent} is too large to expand")
        if exponent >= 0:
            return Quotient(base.numerator**exponent, base.denominator**exponent)
        if base.numerator == 0:
            raise UndefinedError("division by something that is identically zero")
        return self._lowest(base.denominator**-exponent, base.numerator**-exponent)

    def generator(self, kernel: Kernel) -> Quotient:
        """The generator of a kernel as a quotient."""
        return self._polynomial(kernel.generator)

    def range_of(self, kernel: Kernel) -> Interval:
        """An interval that contains every value of a kernel's generator."""
        return self._ranges[self.generator_names.index(kernel.name)]

    def _polynomial(self, polynomial: Polynomial) -> Quotient:
        return Quotient(polynomial, self._one)

    def _lowest(self, numerator: Polynomial, denominator: Polynomial) -> Quotient:
        if not denominator.is_constant():
            common = numerator.gcd(denominator)
            if not common.is_one():
                numerator, denominator = _exact_quotient(numerator, common), _exact_quotient(denominator, common)
        leading = denominator.leading_coefficient()
        return Quotient(numerator / leading, denominator / leading)

    # Signs of polynomials, whatever values in their ranges the generators have.

    def factors(self, polynomial: Polynomial) -> tuple[Fraction, list[tuple[Polynomial, int]]]:
        """A rational constant and irreducible factors with multiplicities (large polynomials stay whole)."""
        if polynomial.is_constant():
            return (_fraction(polynomial.leading_coefficient()) if polynomial != 0 else Fraction(0)), []
        if len(polynomial.coeffs()) > _MOST_TERMS_TO_FACTOR:
            return Fraction(1), [(polynomial, 1)]
        key = str(polynomial)
        if key not in self._factors:
            content, factors = polynomial.factor()
            self._factors[key] = _fraction(content), [(factor, int(power)) for factor, power in factors]
        return self._factors[key]

    def signs(self, polynomial: Polynomial) -> frozenset[int]:
        """The signs that a polynomial may have; holds for all values of generators within their ranges."""
        key = str(polynomial)
        if key not in self._signs:
            content, factors = self.factors(polynomial)
            signs = frozenset(((content > 0) - (content < 0),))
            for factor, multiplicity in factors:
                found = ranges.signs_of(self._range(factor))
                signs = frozenset(sign * other**multiplicity for sign in signs for other in found)
            self._signs[key] = signs
        return self._signs[key]

    def _range(self, polynomial: Polynomial) -> Interval:
        total = ranges.point(Fraction(0))
        for exponents, coefficient in polynomial.terms():
            term = ranges.point(_fraction(coefficient))
            for position, exponent in enumerate(exponents):
                if exponent:
                    power = ranges.power_of(self._ranges[position], Fraction(int(exponent)))
                    term = ranges.product_of(term, ranges.WHOLE_LINE if power is None else power)
            total = ranges.sum_of(total, term)
            if total.lower is None and total.upper is None:
                return total
        return total

    # Kernels.

    def _kernel(self, kind: str, arguments: tuple[Quotient, ...], values: Interval) -> Quotient:
        for kernel in self.kernels:
            if kernel.kind == kind and kernel.arguments == arguments:
                return self.generator(kernel)
        index = len(self._ranges)
        if index >= len(self.generator_names):
            raise UnsupportedError("more kernels than foreseen")
        kernel = Kernel(kind, self.generator_names[index], self._generators[index], arguments)
        self._ranges.append(values)
        self.kernels.append(kernel)
        return self.generator(kernel)

    def reduced(self, polynomial: Polynomial) -> Polynomial:
        """Replace even powers of square roots of polynomials by their radicands."""
        for kernel in reversed(self.kernels):
            if kernel.kind == "sqrt" and kernel.arguments[0].denominator.is_constant():
                position = self.generator_names.index(kernel.name)
                if polynomial.degrees()[position] >= 2:
                    polynomial = _reduce(polynomial, position, kernel.arguments[0].numerator)
        return polynomial

    def _reduced_quotient(self, value: Quotient) -> Quotient:
        denominator = self.reduced(value.denominator)
        # A denominator that is zero as a number has no value; leave it as it is.
        return value if denominator == 0 else self._lowest(self.reduced(value.numerator), denominator)

    def _root(self, radicand: Quotient) -> Quotient:
        """The square root; factors of known sign leave it, and a denominator of known sign is rationalised."""
        radicand = self._reduced_quotient(radicand)
        if self.signs(radicand.denominator) in (frozenset((1,)), frozenset((-1,))):
            # sqrt(n/d) = sqrt(n*d)/|d|
            inside, outside = self._pull_squares(radicand.numerator * radicand.denominator)
            below = self._absolute(self._polynomial(radicand.denominator))
            outside = self.multiply(outside, self.power(below, -1))
            rest = self._polynomial(inside)
        else:
            rest, outside = radicand, self.constant(1)
        if rest.numerator == rest.denominator or rest.numerator == 0:
            return self.multiply(outside, rest)
        values = ranges.POSITIVE if self.signs(rest.numerator) == frozenset((1,)) else ranges.NONNEGATIVE
        return self.multiply(outside, self._kernel("sqrt", (rest,), values))

    def _pull_squares(self, polynomial: Polynomial) -> tuple[Polynomial, Quotient]:
        content, factors = self.factors(polynomial)
        outside = self.constant(1)
        inside = self._one
        for factor, multiplicity in factors:
            if multiplicity > 1 and -1 not in self.signs(factor):
                outside = self.multiply(outside, self._polynomial(factor ** (multiplicity // 2)))
                multiplicity %= 2
            inside = inside * factor**multiplicity
        square = _square_part(content)
        rest = content / square**2
        inside = inside * flint.fmpq(rest.numerator, rest.denominator)
        return inside, self.scale(outside, square)

    def _absolute(self, value: Quotient) -> Quotient:
        signs = self.signs(value.numerator * value.denominator)
        if -1 not in signs:
            return value
        if 1 not in signs:
            return self.scale(value, Fraction(-1))
        return self._kernel("absolute", (value,), ranges.NONNEGATIVE)

    def _extreme(self, operator: str, left: Quotient, right: Quotient) -> Quotient:
        gap = self.subtract(left, right)
        signs = self.signs(gap.numerator * gap.denominator)
        if -1 not in signs:
            return left if operator == "maximum" else right
        if 1 not in signs:
            return right if operator == "maximum" else left
        return self._kernel(operator, (left, right), ranges.WHOLE_LINE)

    def _logarithm(self, value: Quotient) -> Quotient:
        """The logarithm, split into those of positive factors; log(exp(u)) = u and log(sqrt(a)) = log(a)/2."""
        value = self._reduced_quotient(value)
        parts = self._positive_factors(value)
        room = len(self.generator_names) - len(self._ranges)
        if parts is None or len(parts) > room:
            return self._log_kernel(value)
        total = self.constant(0)
        for factor, multiplicity in parts:
            total = self.add(total, self.scale(self._log_of_factor(factor), Fraction(multiplicity)))
        return total

    def _positive_factors(self, value: Quotient) -> list[tuple[Quotient, int]] | None:
        """Factors of known positive value whose powers multiply to the value, or None."""
        content, above = self.factors(value.numerator)
        bottom, below = self.factors(value.denominator)
        content /= bottom
        parts: list[tuple[Quotient, int]] = []
        for factor, multiplicity in (*above, *((factor, -multiplicity) for factor, multiplicity in below)):
            signs = self.signs(factor)
            if signs == frozenset((-1,)):
                content = -content if multiplicity % 2 else content
                parts.append((self._polynomial(-factor), multiplicity))
            elif signs == frozenset((1,)):
                parts.append((self._polynomial(factor), multiplicity))
            else:
                return None
        if content <= 0:
            return None
        return parts + [(self.constant(prime), power) for prime, power in _prime_powers(content)]

    def _log_of_factor(self, factor: Quotient) -> Quotient:
        for kernel in self.kernels:
            if kernel.generator == factor.numerator and factor.denominator.is_one():
                if kernel.kind == "exp":
                    return kernel.arguments[0]
                if kernel.kind == "sqrt":
                    return self.scale(self._logarithm(kernel.arguments[0]), Fraction(1, 2))
        return self._log_kernel(factor)

    def _log_kernel(self, value: Quotient) -> Quotient:
        values = ranges.WHOLE_LINE
        if value.numerator.is_constant() and value.denominator.is_constant() and value.numerator != 0:
            known = ranges.logarithm_of(ranges.point(_fraction(value.numerator.leading_coefficient())))
            values = ranges.WHOLE_LINE if known is None else known
        return self._kernel("log", (value,), values)

    def _prepare_exponentials(self) -> None:
        """Choose generators for all exponentials, inner ones first, so that related ones share generators."""
        levels: dict[int, list[Apply]] = {}
        for expression in self._expressions:
            for node in _exponentials(expression):
                levels.setdefault(_height(node), []).append(node)
        for height in sorted(levels):
            nodes = levels[height]
            arguments = [self._reduced_quotient(self.quotient(node.operands[0])) for node in nodes]
            for node, power in zip(nodes, self._exponentials_of(arguments), strict=True):
                self._known[node] = self._in_terms_of_exponential(node.operator, power)

    def _in_terms_of_exponential(self, operator: str, power: Quotient) -> Quotient:
        inverse = self.power(power, -1)
        if operator == "exp":
            return power
        if operator == "cosh":
            return self.scale(self.add(power, inverse), Fraction(1, 2))
        difference = self.subtract(power, inverse)
        if operator == "sinh":
            return self.scale(difference, Fraction(1, 2))
        return self.multiply(difference, self.power(self.add(power, inverse), -1))

    def _exponentials_of(self, arguments: list[Quotient]) -> list[Quotient]:
        """Exponentials of all arguments as products of integer powers of few generators.

        A basis of the arguments over the rationals is chosen; a basis element u whose multiples with
        denominator N occur contributes the generator exp(u/N).
        """
        peeled = [self._peel_logarithms(argument) for argument in arguments]
        vectors = _coordinates([rest for _, rest in peeled])
        basis, combinations = _rational_basis(vectors)
        scales = [lcm(*(row[column].denominator for row in combinations)) for column in range(len(basis))]
        generators = [
            self._exp_kernel(self.scale(peeled[index][1], Fraction(1, scale)))
            for index, scale in zip(basis, scales, strict=True)
        ]
        results = []
        for (factor, _), row in zip(peeled, combinations, strict=True):
            product = factor
            for generator, scale, coefficient in zip(generators, scales, row, strict=True):
                product = self.multiply(product, self.power(generator, int(coefficient * scale)))
            results.append(product)
        return results

    def _exp_kernel(self, argument: Quotient) -> Quotient:
        values = ranges.POSITIVE
        if argument.denominator.is_constant():
            values = ranges.exponential_of(self._range(argument.numerator))
        return self._kernel("exp", (argument,), values)

    def _peel_logarithms(self, argument: Quotient) -> tuple[Quotient, Quotient]:
        """Split exp(c*log(a) + rest) into a**c and rest, for c an integer or half of one."""
        factor, rest = self.constant(1), argument
        if not argument.denominator.is_constant():
            return factor, rest
        for kernel in tuple(self.kernels):
            if kernel.kind == "log":
                position = self.generator_names.index(kernel.name)
                unit = tuple(int(index == position) for index in range(len(self.generator_names)))
                coefficient = _fraction(argument.numerator.to_dict().get(unit, flint.fmpq(0)))
                if coefficient and coefficient.denominator in (1, 2) and abs(coefficient) <= _LARGEST_EXPONENT:
                    inside = kernel.arguments[0]
                    base = inside if coefficient.denominator == 1 else self._root(inside)
                    exponent = int(coefficient * coefficient.denominator)
                    factor = self.multiply(factor, self.power(base, exponent))
                    rest = self.subtract(rest, self.scale(self.generator(kernel), coefficient))
        return factor, rest


def _generators_for(node: Expression) -> int:
    if not isinstance(node, Apply):
        return 0
    return _RESERVED_FOR_EXPONENTIAL if node.operator in _EXPONENTIALS else _RESERVED.get(node.operator, 0)


def _exponentials(expression: Expression) -> Iterator[Apply]:
    for node in walk(expression):
        if isinstance(node, Apply) and node.operator in _EXPONENTIALS:
            yield node


def _height(expression: Expression) -> int:
    """How many exponential functions are nested in the expression."""
    inner = max((_height(child) for child in expression.children), default=0)
    return inner + (isinstance(expression, Apply) and expression.operator in _EXPONENTIALS)


def _fraction(value: flint.fmpq) -> Fraction:
    return Fraction(int(value.numerator), int(value.denominator))


def _exact_quotient(polynomial: Polynomial, divisor: Polynomial) -> Polynomial:
    return divmod(polynomial, divisor)[0]


def _reduce(polynomial: Polynomial, position: int, radicand: Polynomial) -> Polynomial:
    """Replace s**(2k) by radicand**k for the generator s at a position."""
    context = polynomial.context()
    by_power: dict[int, dict[tuple[int, ...], flint.fmpq]] = {}
    for exponents, coefficient in polynomial.terms():
        half, odd = divmod(int(exponents[position]), 2)
        low = (*exponents[:position], odd, *exponents[position + 1 :])
        by_power.setdefault(half, {})[low] = coefficient
    total = context.constant(0)
    for half, terms in by_power.items():
        total = total + context.from_dict(terms) * radicand**half
    return total


def _prime_powers(value: Fraction) -> list[tuple[Fraction, int]]:
    """The factorisation of a positive rational; parts too large to factor stay whole."""
    powers: list[tuple[Fraction, int]] = []
    for part, sign in ((value.numerator, 1), (value.denominator, -1)):
        if part > _LARGEST_INTEGER_TO_FACTOR:
            powers.append((Fraction(part), sign))
        else:
            powers += [(Fraction(int(prime)), sign * int(count)) for prime, count in flint.fmpz(part).factor()]
    return powers


def _square_part(value: Fraction) -> Fraction:
    """A rational whose square divides the value, so that a perfect square leaves 1."""
    if value == 0:
        return Fraction(1)
    top, bottom = isqrt(abs(value.numerator)), isqrt(value.denominator)
    above = top if top * top == abs(value.numerator) else 1
    below = bottom if bottom * bottom == value.denominator else 1
    return Fraction(above, below)


def _coordinates(values: list[Quotient]) -> list[list[Fraction]]:
    """The quotients as vectors over the monomials of their numerators over one common denominator."""
    if not values:
        return []
    common = values[0].denominator
    for value in values[1:]:
        common = common * _exact_quotient(value.denominator, common.gcd(value.denominator))
    numerators = [(value.numerator * _exact_quotient(common, value.denominator)).to_dict() for value in values]
    monomials = sorted({monomial for terms in numerators for monomial in terms})
    zero = flint.fmpq(0)
    return [[_fraction(terms.get(monomial, zero)) for monomial in monomials] for terms in numerators]


def _rational_basis(vectors: list[list[Fraction]]) -> tuple[list[int], list[list[Fraction]]]:
    """Positions of a basis among the vectors, and every vector as a combination of that basis."""
    basis: list[int] = []
    echelon: list[tuple[int, list[Fraction], list[Fraction]]] = []  # pivot, row, row in terms of the basis
    combinations: list[list[Fraction]] = []
    for index, vector in enumerate(vectors):
        rest, used = list(vector), [Fraction(0)] * len(vectors)
        for pivot, row, meaning in echelon:
            factor = rest[pivot] / row[pivot]
            if factor:
                rest = [value - factor * other for value, other in zip(rest, row, strict=True)]
                used = [value + factor * other for value, other in zip(used, meaning, strict=True)]
        first = next((position for position, value in enumerate(rest) if value), None)
        if first is not None:
            meaning = [-value for value in used]
            meaning[index] += 1
            echelon.append((first, rest, meaning))
            basis.append(index)
            used = [Fraction(int(position == index)) for position in range(len(vectors))]
        combinations.append(used)
    return basis, [[row[index] for index in basis] for row in combinations]
