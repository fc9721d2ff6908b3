"""Normal forms of expressions with roots, exponentials and logarithms.

Exponentials and logarithms become generators of a polynomial ring, square roots become radicals of
``tower_field``, and hyperbolic functions become exponentials. Two rules hold only under conditions:
a root that is extracted has a sign, and a logarithm is split only over positive factors. The sign is
proposed by a sample point, never assumed: the condition is recorded in ``side_conditions``. An expression
with normal form 0 is zero at every point where it is defined and its side conditions hold.

Denominators with several terms stay denominators. Rationalising them would divide by a conjugate,
and that may vanish where the expression is defined: 1/(1 + sqrt(x)) = (1 - sqrt(x))/(1 - x) fails at 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.expression import (
    Apply,
    Expression,
    Number,
    Symbol,
    free_symbols,
    walk,
)
from grpo_symbolic.language.vocabulary import exp, sqrt
from grpo_symbolic.translate.algebra import Factor, Form, Quotient
from grpo_symbolic.translate.balls import as_fraction, exact, precision
from grpo_symbolic.translate.tower_field import FieldElement, Polynomial, Ratio, bits, factorisation
from grpo_symbolic.translate.tower_functions import FieldFunctions

_HALF = Fraction(1, 2)
#: Beyond these powers an expansion would not end in reasonable time.
_LARGEST_POWER_OF_SUM = 40
_LARGEST_POWER = 4000
_MOST_RESTARTS = 40
_KERNELS = ("sqrt", "exp", "log", "power", "cosh", "sinh", "tanh")
_SIGN_BITS = 256


#: A monomial over a divisor, times some radicals: what an exponential generator is the exponential of.
ExponentKey: TypeAlias = tuple[int, tuple[int, ...], str]


class FinenessError(UnsupportedError):
    """An exponential is a root of its generator; start again with the generator of ``key`` finer by ``factor``."""

    def __init__(self, key: ExponentKey, factor: int) -> None:
        super().__init__(f"an exponential generator must be finer by {factor}")
        self.key = key
        self.factor = factor


@dataclass(frozen=True)
class Element:
    """A quotient of field elements; the denominator vanishes nowhere where the expression is defined."""

    numerator: FieldElement
    denominator: FieldElement


class Tower(FieldFunctions):
    """A field tower over some symbols, with the side conditions of what was converted into it."""

    def __init__(
        self,
        symbols: Sequence[Symbol],
        sample: Mapping[Symbol, Fraction],
        fineness: Mapping[ExponentKey, int] | None = None,
    ) -> None:
        """Prepare a tower; ``sample`` gives every symbol a value, at which signs are read.

        Exponentials of multiples of z are powers of exp(z / fineness), where 1 is the default fineness.
        """
        super().__init__(symbols, sample)
        self._fineness = dict(fineness or {})
        self._exponential_of: dict[ExponentKey, int] = {}
        self._memory: dict[Expression, Element] = {}
        self.proposals: dict[Expression, Sequence[Factor]] = {}

    def convert(self, expression: Expression) -> Element:
        """The normal form of an expression over the tower's symbols.

        Raises:
            UndefinedError: if it is undefined everywhere, such as division by an expression that is zero.
            UnsupportedError: for absolute, maximum, minimum, Total and unfinished derivatives, and where
                the sample point does not show a sign.
            FinenessError: if exponentials need finer generators, see ``normal_forms``.
        """
        with precision(_SIGN_BITS):
            return self._convert(expression)

    def is_zero(self, element: Element) -> bool:
        """Whether the normal form is 0."""
        return not element.numerator

    def constant_value(self, element: Element) -> Fraction | None:
        """The value of an element that is a rational constant, else None."""
        if not element.numerator:
            return Fraction(0)
        if set(element.denominator) != set(element.numerator):
            return None
        mask = max(element.numerator)
        top, bottom = element.numerator[mask], element.denominator[mask]
        quotient = self.field.ratio(top.numerator * bottom.denominator, top.denominator * bottom.numerator)
        if not (quotient.numerator.is_constant() and quotient.denominator.is_one()):
            return None
        value = as_fraction(quotient.numerator.leading_coefficient())
        return value if self.field.scale(element.denominator, value) == element.numerator else None

    def to_expression(self, element: Element) -> Expression:
        """Write an element as an expression again."""
        numerator = self._write(element.numerator)
        return numerator if element.denominator == self.one else numerator / self._write(element.denominator)

    def linear_parts(self, element: Element, symbol: Symbol) -> tuple[Expression, Expression] | None:
        """Slope and rest of a numerator that is linear in the symbol, else None."""
        number = self.symbols.index(symbol)
        slope: dict[int, Ratio] = {}
        rest: dict[int, Ratio] = {}
        for mask, ratio in element.numerator.items():
            if symbol in self._hidden_symbols(mask, ratio) or ratio.numerator.degrees()[number] > 1:
                return None
            inner = ratio.numerator.derivative(number)
            outer = ratio.numerator - inner * self.field.generators[number]
            for part, polynomial in ((slope, inner), (rest, outer)):
                if not polynomial.is_zero():
                    part[mask] = self.field.ratio(polynomial, ratio.denominator)
        return (self._write(slope), self._write(rest)) if slope else None

    def vanishes_with(self, element: Element, other: Element) -> bool:
        """Whether the element is 0 wherever the other one is, by division of polynomials."""
        if set(other.numerator) != {0} or not element.numerator:
            return not element.numerator
        radical = self.field.one
        for factor, _ in factorisation(other.numerator[0].numerator)[1]:
            radical *= factor
        return all(divmod(ratio.numerator, radical)[1].is_zero() for ratio in element.numerator.values())

    def _hidden_symbols(self, mask: int, ratio: Ratio) -> set[Symbol]:
        """The symbols of a term that occur in its denominator, exponentials, logarithms or radicals."""
        hidden = set(free_symbols(self.write_polynomial(ratio.denominator)))
        for number, degree in enumerate(ratio.numerator.degrees()):
            if degree and number >= len(self.symbols):
                hidden.update(free_symbols(self._expressions[number]))
        for number in bits(mask):
            hidden.update(free_symbols(self.radical_expression(number)))
        return hidden

    def _convert(self, expression: Expression) -> Element:
        known = self._memory.get(expression)
        if known is not None:
            return known
        match expression:
            case Number(value):
                result = self._element(self.field.constant(value))
            case Symbol():
                if expression not in self.symbols:
                    raise UnsupportedError(f"the tower has no symbol {expression}")
                result = self._generator(self.symbols.index(expression))
            case Apply("power", (base, Number(exponent))):
                if exponent.denominator == 2:
                    base = Apply("sqrt", (base,))
                result = self._power(self._convert(base), exponent.numerator)
            case Apply("cosh" | "sinh" | "tanh" as operator, (inner,)):
                result = self._hyperbolic(operator, self._convert(exp(inner)), self._convert(inner))
            case Apply("sqrt" | "exp" | "log" as kind, (inner,)):
                result = self._proposed(expression, kind, self._convert(inner))
            case Apply(operator, operands):
                result = self._apply(operator, [self._convert(operand) for operand in operands])
            case _:
                raise UnsupportedError(f"no normal form for {type(expression).__name__} {expression}")
        self._memory[expression] = result
        return result

    def _apply(self, operator: str, operands: list[Element]) -> Element:
        first, last = operands[0], operands[-1]
        match operator:
            case "add":
                return self._add(first, last)
            case "subtract":
                return self._add(first, self._negate(last))
            case "multiply":
                return self._multiply(first, last)
            case "divide":
                return self._multiply(first, self._reciprocal(last))
            case "negate":
                return self._negate(first)
            case _:
                raise UnsupportedError(f"{operator} has no normal form")

    def _proposed(self, typed: Apply, kind: str, argument: Element) -> Element:
        """A square root, exponential or logarithm, and the factors by which it can be checked."""
        former, self._factors = self._factors, []
        if kind == "sqrt":
            result = self._square_root(argument)
        elif kind == "exp":
            result = self._exponential(argument)
        else:
            result = self._element(self._logarithm(self._rationalised(argument)))
        self.proposals[typed], self._factors = self._factors, former
        return result

    def _element(self, numerator: FieldElement) -> Element:
        return Element(numerator, self.one)

    def _generator(self, number: int) -> Element:
        return self._element(self.field.of_polynomial(self.field.generators[number]))

    def _add(self, left: Element, right: Element) -> Element:
        field = self.field
        if left.denominator == right.denominator:
            return self._quotient(field.add(left.numerator, right.numerator), left.denominator)
        crossed = field.add(
            field.multiply(left.numerator, right.denominator), field.multiply(right.numerator, left.denominator)
        )
        return self._quotient(crossed, field.multiply(left.denominator, right.denominator))

    def _negate(self, element: Element) -> Element:
        return Element(self.field.negate(element.numerator), element.denominator)

    def _multiply(self, left: Element, right: Element) -> Element:
        field = self.field
        return self._quotient(
            field.multiply(left.numerator, right.numerator), field.multiply(left.denominator, right.denominator)
        )

    def _quotient(self, numerator: FieldElement, denominator: FieldElement) -> Element:
        if not numerator:
            return self._element(numerator)
        if self._inverts_safely(denominator):
            return self._element(self.field.multiply(numerator, self.field.inverse(denominator)))
        return Element(numerator, denominator)

    def _reciprocal(self, element: Element) -> Element:
        if not element.numerator:
            raise UndefinedError("a denominator is identically zero")
        return self._quotient(element.denominator, element.numerator)

    def _inverts_safely(self, element: FieldElement) -> bool:
        """Whether the reciprocal in normal form has a denominator that vanishes only where the element does."""
        if len(element) != 1:
            return False
        return all(self._inverts_safely(self.field.radicands[number]) for number in bits(next(iter(element))))

    def _rationalised(self, element: Element) -> FieldElement:
        """The element without denominators of several terms; that they do not vanish becomes a condition."""
        if element.denominator == self.one:
            return element.numerator
        inverse = self.field.inverse(element.denominator)
        self._require_nonzero_denominators(inverse)
        return self.field.multiply(element.numerator, inverse)

    def _power(self, base: Element, power: int) -> Element:
        terms = sum(
            len(ratio.numerator.coeffs()) + len(ratio.denominator.coeffs()) for ratio in base.numerator.values()
        )
        if abs(power) > (_LARGEST_POWER if terms <= 2 else _LARGEST_POWER_OF_SUM):
            raise UnsupportedError(f"the power {power} is too large to expand")
        if power < 0:
            base = self._reciprocal(base)
        return self._quotient(
            self.field.power(base.numerator, abs(power)), self.field.power(base.denominator, abs(power))
        )

    def _hyperbolic(self, operator: str, growing: Element, argument: Element) -> Element:
        decaying = self._exponential(self._negate(argument))
        even, odd = self._add(growing, decaying), self._add(growing, self._negate(decaying))
        if operator == "tanh":
            return self._multiply(odd, self._reciprocal(even))
        half = self._element(self.field.constant(_HALF))
        return self._multiply(half, even if operator == "cosh" else odd)

    def _square_root(self, element: Element) -> Element:
        field = self.field
        if element.denominator == self.one:
            return self._element(self._root(element.numerator))
        # sqrt(a/b) = sqrt(a b)/|b|, which needs the sign of b but no conjugate of it.
        size = self._absolute(element.denominator)
        self._propose_element(size, -2)
        return self._quotient(self._root(field.multiply(element.numerator, element.denominator)), size)

    def _exponential(self, argument: Element) -> Element:
        field = self.field
        result = self._element(self.one)
        for mask, ratio in self._rationalised(argument).items():
            # Polynomial division relates arguments such as x/(x + 1) and 1/(x + 1).
            whole, rest = divmod(ratio.numerator, ratio.denominator)
            for polynomial, divisor in ((whole, field.one), (rest, ratio.denominator)):
                for powers, coefficient in zip(polynomial.monoms(), polynomial.coeffs(), strict=True):
                    factor = self._exponential_of_term(mask, powers, divisor, as_fraction(coefficient))
                    result = self._multiply(result, factor)
        return result

    def _exponential_of_term(
        self, mask: int, powers: tuple[int, ...], divisor: Polynomial, coefficient: Fraction
    ) -> Element:
        used = [number for number, power in enumerate(powers) if power]
        if mask == 0 and divisor.is_one() and coefficient.denominator <= 2 and sum(powers) == 1:
            argument = self._logarithms.get(used[0])
            if argument is not None:
                return self._power_of_argument(argument, coefficient)
        key = (mask, tuple(int(power) for power in powers), str(divisor))
        fineness = self._fineness.get(key, 1)
        multiple = coefficient * fineness
        if multiple.denominator != 1:
            raise FinenessError(key, multiple.denominator)
        if key not in self._exponential_of:
            unit = self.field.polynomial({key[1]: exact(Fraction(1, fineness))})
            exponent = {mask: self.field.ratio(unit, divisor)}
            number = self._new_generator(exp(self._write(exponent)), self._value(exponent).exp())
            self._exponents[number] = exponent
            self._exponential_of[key] = number
        self._propose(self._expressions[self._exponential_of[key]], multiple)
        return self._power(self._generator(self._exponential_of[key]), multiple.numerator)

    def _power_of_argument(self, argument: FieldElement, exponent: Fraction) -> Element:
        """exp(c*log(a)) = a**c for an exponent that is an integer or half of one."""
        written, base = self._write(argument), self._element(argument)
        self._propose(written, exponent)
        if exponent.denominator == 2:
            base = self._proposed(sqrt(written), "sqrt", base)
        return self._power(base, exponent.numerator)


class TowerProposals:
    """What a tower has found out about roots, exponentials and logarithms, for ``algebra`` to check."""

    def __init__(self, tower: Tower) -> None:
        self._proposals = dict(tower.proposals)
        written = [factor.value for factors in tower.proposals.values() for factor in factors]
        nodes = {node for item in (*tower.proposals, *written) if isinstance(item, Expression) for node in walk(item)}
        self.capacity = sum(isinstance(node, Apply) and node.operator in _KERNELS for node in nodes) + len(written)

    def prepare(self, form: Form) -> None:
        """Everything is known."""

    def factors(self, form: Form, kind: str, argument: Quotient, typed: Apply | None) -> Sequence[Factor] | None:
        """The factors of something that was converted into the tower; among them, it stands for itself."""
        return None if typed is None else self._proposals.pop(typed, None)


def normal_forms(
    expressions: Sequence[Expression], sample: Mapping[Symbol, Fraction], symbols: Sequence[Symbol] | None = None
) -> tuple[Tower, list[Element]]:
    """Convert expressions into one tower whose exponential generators are fine enough for all of them.

    Raises:
        UndefinedError, UnsupportedError: see ``Tower.convert``.
    """
    used = dict.fromkeys(symbol for expression in expressions for symbol in free_symbols(expression))
    ordered = tuple(sorted(used if symbols is None else symbols, key=lambda symbol: symbol.name))
    fineness: dict[ExponentKey, int] = {}
    for _ in range(_MOST_RESTARTS):
        tower = Tower(ordered, sample, fineness)
        try:
            return tower, [tower.convert(expression) for expression in expressions]
        except FinenessError as error:
            fineness[error.key] = fineness.get(error.key, 1) * error.factor
    raise UnsupportedError("exponential generators cannot be made fine enough")
