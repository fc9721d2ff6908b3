"""Expressions as quotients of polynomials over symbols and kernels: the algebra on which decisions rest.

A kernel is what no quotient of polynomials can say: a square root, exponential, logarithm, absolute value, maximum or
minimum. Kernels of equal arguments are one generator of the polynomial ring. Which kernels suffice, and how the others
are written by them, is not worked out here: a *proposal* names factors, and one of three laws is checked.

    sqrt(u) = product of f**(c/2)   if u = product of f**c; all f that keep a root or an odd power are not negative
    log(u)  = sum of c*log(f)       if u = product of f**c; all f are positive
    exp(u)  = product of f**c       if u = sum of c*log(f); all f are positive

Cosine and sine of u follow by the addition theorems from those of angles v, if u is a sum of integer multiples of v.
Those of the inverse tangent of t are 1 and t over sqrt(1 + t**2).

Where a law needs the sign of a factor that was proposed as an expression, the sign is recorded in ``conditions``, for
whoever uses the form to show. In the first law one factor f with c = 1 is excused, if the others certainly do not
vanish: then f is not negative because u is not.

Soundness. Take a point of the domains. Give each symbol its value and each kernel the value of its function, so that
s*s = u for s = sqrt(u), and s*s = 1 - c*c for a sine s and its cosine c. If the conditions hold there and an expression
has a value as typed, then the denominator of its quotient does not vanish and the quotient is that value. For Number,
Symbol and arithmetic this is algebra: only common factors of a numerator and a denominator that is not zero are
cancelled. For kernels it is one of the laws, whose equations are checked by polynomial arithmetic with these squares.
So an expression whose numerator reduces to 0 is 0 wherever it has a value and the conditions hold.

An exponent or angle v that was proposed in the ring may have no value. Then exp(v), cos(v) and sin(v) are taken at
*some* v: the values that quotients have extend to a function of all quotients that is linear over the rationals, and
equations between exponents or angles must hold as they stand. No law may use what stands in such a v.

Solvers know no conditions: in their scripts any kernel without a value is *some* number in its range. There factors are
proposed in the ring. Then their signs must be certain for all values of the generators in their ranges, and those of a
root or a logarithm must be made of kernels in u, which have values where it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeAlias

import flint

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.translate import ranges
from grpo_symbolic.translate.balls import ARITHMETIC, as_fraction, exact
from grpo_symbolic.translate.factors import factored

#: A ``flint.fmpq_mpoly``; the library has no type information.
Polynomial: TypeAlias = flint.fmpq_mpoly

#: Polynomials with more terms are not factored: it would cost more than it helps.
_MOST_TERMS_TO_FACTOR = 400
_LARGEST_EXPONENT = 64
_POSITIVE_ONLY = frozenset((1,))


@dataclass(frozen=True)
class Quotient:
    """``numerator / denominator`` in lowest terms; the leading coefficient of the denominator is 1."""

    numerator: Polynomial
    denominator: Polynomial

    @classmethod
    def of(cls, numerator: Polynomial, denominator: Polynomial) -> Quotient:
        """A quotient in lowest terms, of polynomials of which the second is not 0."""
        if not denominator.is_constant():
            common = numerator.gcd(denominator)
            if not common.is_one():
                numerator, denominator = numerator / common, denominator / common
        leading = denominator.leading_coefficient()
        return cls(numerator / leading, denominator / leading)

    def __add__(self, other: Quotient) -> Quotient:
        if self.denominator == other.denominator:
            return Quotient.of(self.numerator + other.numerator, self.denominator)
        numerator = self.numerator * other.denominator + other.numerator * self.denominator
        return Quotient.of(numerator, self.denominator * other.denominator)

    def __neg__(self) -> Quotient:
        return Quotient(-self.numerator, self.denominator)

    def __sub__(self, other: Quotient) -> Quotient:
        return self + -other

    def __mul__(self, other: Quotient | Fraction | int) -> Quotient:
        if isinstance(other, Quotient):
            return Quotient.of(self.numerator * other.numerator, self.denominator * other.denominator)
        return Quotient.of(self.numerator * exact(Fraction(other)), self.denominator)

    def __pow__(self, exponent: int) -> Quotient:
        """An integer power.

        Raises:
            UndefinedError: for a negative power of zero.
            UnsupportedError: for exponents whose expansion would be enormous.
        """
        if abs(exponent) > _LARGEST_EXPONENT:
            raise UnsupportedError(f"exponent {exponent} is too large to expand")
        if exponent >= 0:
            return Quotient(self.numerator**exponent, self.denominator**exponent)
        if self.numerator == 0:
            raise UndefinedError("division by something that is identically zero")
        return Quotient.of(self.denominator**-exponent, self.numerator**-exponent)

    def __truediv__(self, other: Quotient) -> Quotient:
        return self * other**-1


@dataclass(frozen=True)
class Kernel:
    """A generator and what it stands for: a function of arguments, of a sine its square, with values in an interval."""

    kind: str
    name: str
    value: Quotient
    arguments: tuple[Quotient, ...]
    values: Interval


@dataclass(frozen=True)
class Factor:
    """A factor of a proposal, an expression or in the ring, with its exponent: an integer or half of one."""

    value: Expression | Quotient
    exponent: Fraction


class Proposals(Protocol):
    """Which kernels to use. Nothing that is proposed is believed."""

    @property
    def capacity(self) -> int:
        """How many kernels there will be at most."""

    def prepare(self, form: Form) -> None:
        """Called once, before anything else is asked."""

    def factors(self, form: Form, kind: str, argument: Quotient, typed: Apply | None) -> Sequence[Factor] | None:
        """The factors of a law for a function that was typed, or that another proposal led to; None for a kernel."""


class Form:
    """A polynomial ring with room for a number of kernels, and the kernels met so far."""

    def __init__(self, symbols: Iterable[Symbol], proposals: Proposals) -> None:
        self.symbols = tuple(symbols)
        self.names = {symbol.name: f"x{index}" for index, symbol in enumerate(self.symbols)}
        self.generator_names = (*self.names.values(), *(f"k{index}" for index in range(proposals.capacity)))
        self.context = flint.fmpq_mpoly_ctx.get(self.generator_names or ("x0",), "lex")
        self.kernels: list[Kernel] = []
        #: Signs of factors, and where factors have values and those below fraction bars do not vanish.
        self.conditions: dict[Relation, None] = {}
        self._proposals = proposals
        self._generators = self.context.gens()
        self._ranges: list[Interval] = [symbol.domain.hull for symbol in self.symbols]
        self._one = self.context.constant(1)
        self._known: dict[Expression, Quotient] = {
            symbol: self.polynomial(self._generators[place]) for place, symbol in enumerate(self.symbols)
        }
        self._signs: dict[str, frozenset[int]] = {}
        proposals.prepare(self)

    def quotient(self, expression: Expression) -> Quotient:
        """An expression as a quotient of polynomials.

        Raises:
            UndefinedError: if it divides by something that is identically zero.
            UnsupportedError: if the ring has no word for it, or a proposal does not fit.
        """
        if expression not in self._known:
            self._known[expression] = self._translate(expression)
        return self._known[expression]

    def _translate(self, expression: Expression) -> Quotient:
        match expression:
            case Number(value):
                return self.constant(value)
            case Apply("power", (base, Number(exponent))):
                if exponent.denominator == 2:
                    base = Apply("sqrt", (base,))
                return self.quotient(base) ** exponent.numerator
            case Apply("cosh" | "sinh" | "tanh" as name, (inner,)):
                growing = self.quotient(Apply("exp", (inner,)))
                even, odd = growing + growing**-1, growing - growing**-1
                return odd / even if name == "tanh" else (even if name == "cosh" else odd) * Fraction(1, 2)
            case Apply("cos" | "sin" as name, (inner,)):
                return self._turned(self.reduced_quotient(self.quotient(inner)), expression)[name == "sin"]
            case Apply("arctan", (inner,)):
                return self.kernel("arctan", self.reduced_quotient(self.quotient(inner)))
            case Apply("sqrt" | "exp" | "log" as kind, (inner,)):
                return self.function(kind, self.quotient(inner), expression)
            case Apply("absolute" | "maximum" | "minimum" as kind, operands):
                return self._chosen(kind, tuple(map(self.quotient, operands)))
            case Apply(name, operands) if name in ARITHMETIC:
                result: Quotient = ARITHMETIC[name](*map(self.quotient, operands))
                return result
            case _:
                raise UnsupportedError(f"no polynomial form for {expression}")

    def constant(self, value: Fraction | int) -> Quotient:
        """A rational number as a quotient."""
        return self.polynomial(self._one) * value

    def polynomial(self, polynomial: Polynomial) -> Quotient:
        """A polynomial as a quotient."""
        return Quotient(polynomial, self._one)

    def reduced(self, polynomial: Polynomial, *, cleared: bool = False) -> Polynomial:
        """Replace even powers of square roots of polynomials by their radicands, and those of sines.

        If ``cleared``, those of roots of quotients as well: the polynomial times something that does not vanish.
        """
        for kernel in reversed(self.kernels):
            if kernel.kind in ("sqrt", "sin") and (cleared or kernel.arguments[0].denominator.is_constant()):
                polynomial = self._without_squares(polynomial, kernel)
        return polynomial

    def cleared(self, value: Quotient) -> Polynomial:
        """The numerator, times something that does not vanish, without even powers of any square roots."""
        return self.reduced(value.numerator, cleared=True)

    def _without_squares(self, polynomial: Polynomial, kernel: Kernel) -> Polynomial:
        """The polynomial, times a power of the denominator of the radicand, without even powers of a root."""
        position = self.generator_names.index(kernel.name)
        most = polynomial.degrees()[position] // 2
        if most < 1:
            return polynomial
        above, below = kernel.arguments[0].numerator, kernel.arguments[0].denominator
        by_power: dict[int, dict[tuple[int, ...], flint.fmpq]] = {}
        for exponents, coefficient in polynomial.terms():
            half, odd = divmod(int(exponents[position]), 2)
            low = (*exponents[:position], odd, *exponents[position + 1 :])
            by_power.setdefault(half, {})[low] = coefficient
        total = self.context.constant(0)
        for half, terms in by_power.items():
            total = total + self.context.from_dict(terms) * above**half * below ** (most - half)
        return total

    def reduced_quotient(self, value: Quotient) -> Quotient:
        """The quotient of the reduced polynomials."""
        denominator = self.reduced(value.denominator)
        # A denominator that is zero as a number has no value; leave it as it is.
        return value if denominator == 0 else Quotient.of(self.reduced(value.numerator), denominator)

    # Signs of polynomials, whatever values in their ranges the generators have.

    def factors(self, polynomial: Polynomial) -> tuple[Fraction, list[tuple[Polynomial, int]]]:
        """A rational constant and irreducible factors with multiplicities (large polynomials stay whole)."""
        if polynomial.is_constant():
            return (as_fraction(polynomial.leading_coefficient()) if polynomial != 0 else Fraction(0)), []
        if len(polynomial.coeffs()) > _MOST_TERMS_TO_FACTOR:
            return Fraction(1), [(polynomial, 1)]
        constant, factors = factored(polynomial)
        return constant, [*factors]

    def signs(self, polynomial: Polynomial, *, whole: bool = False) -> frozenset[int]:
        """The signs that a polynomial, as a ``whole`` or by its factors, may have for generators in their ranges."""
        key = str(polynomial)
        if key not in self._signs:
            content, factors = (Fraction(1), [(polynomial, 1)]) if whole else self.factors(polynomial)
            signs = frozenset(((content > 0) - (content < 0),))
            for factor, multiplicity in factors:
                found = ranges.signs_of(self._range(factor))
                signs = frozenset(sign * other**multiplicity for sign in signs for other in found)
            self._signs[key] = signs
        return self._signs[key]

    def _range(self, polynomial: Polynomial) -> Interval:
        total = ranges.point(Fraction(0))
        for exponents, coefficient in polynomial.terms():
            term = ranges.point(as_fraction(coefficient))
            for position, exponent in enumerate(exponents):
                if exponent:
                    power = ranges.power_of(self._ranges[position], Fraction(int(exponent)))
                    term = ranges.product_of(term, ranges.WHOLE_LINE if power is None else power)
            total = ranges.sum_of(total, term)
            if total.lower is None and total.upper is None:
                return total
        return total

    # Kernels.

    def kernel(self, kind: str, *arguments: Quotient) -> Quotient:
        """The generator of a function's value at these arguments.

        Raises:
            UnsupportedError: if there is no room for another one.
        """
        for kernel in self.kernels:
            if kernel.kind == kind and kernel.arguments == arguments:
                return kernel.value
        index = len(self._ranges)
        if index >= len(self.generator_names):
            raise UnsupportedError("more kernels than foreseen")
        value = self.polynomial(self._generators[index])
        self._ranges.append(self._values(kind, arguments[0]))
        self.kernels.append(Kernel(kind, self.generator_names[index], value, arguments, self._ranges[-1]))
        return value

    def _values(self, kind: str, argument: Quotient) -> Interval:
        """An interval with all values of a function."""
        values = self._range(argument.numerator) if argument.denominator.is_constant() else ranges.WHOLE_LINE
        match kind:
            case "sqrt":
                return ranges.POSITIVE if self.signs(argument.numerator) == _POSITIVE_ONLY else ranges.NONNEGATIVE
            case "absolute":
                return ranges.NONNEGATIVE
            case "exp" | "arctan":
                return ranges.image_of(kind, values) or ranges.WHOLE_LINE
            case "cos" | "sin":
                return ranges.UNIT
            case "log" if argument.numerator.is_constant():
                return ranges.image_of("log", values) or ranges.WHOLE_LINE
            case "log" | "maximum" | "minimum":
                return ranges.WHOLE_LINE
        raise UnsupportedError(f"the ring has no word for {kind}; add it, or state it without {kind}")

    def _chosen(self, kind: str, operands: tuple[Quotient, ...]) -> Quotient:
        """An absolute value, a maximum or a minimum: one of two sides if it is known which, else a kernel."""
        first, second = operands if len(operands) == 2 else (operands[0], -operands[0])
        gap = second - first if kind == "minimum" else first - second
        signs = self.signs(gap.numerator * gap.denominator)
        if -1 not in signs:
            return first
        return self.kernel(kind, *operands) if 1 in signs else second

    def function(self, kind: str, argument: Quotient, typed: Apply | None = None) -> Quotient:
        """sqrt, exp or log of a quotient: by a law if one is proposed, else a kernel.

        Raises:
            UnsupportedError: if a proposal does not fit.
        """
        argument = self.reduced_quotient(argument)
        proposed = self._proposals.factors(self, kind, argument, typed)
        if proposed is None:
            return self.kernel(kind, argument)
        factors = [(self._read(factor.value), factor.exponent) for factor in proposed]
        if any((exponent if kind == "sqrt" else 2 * exponent).denominator != 1 for _, exponent in factors):
            raise UnsupportedError(f"the exponents that were proposed for a {kind} are too fine")
        in_ring = any(isinstance(factor.value, Quotient) for factor in proposed)
        if not self._fits(kind, argument, factors, strictly=in_ring):
            raise UnsupportedError(f"what was proposed for a {kind} is something else")
        self._require_signs(kind, argument, proposed, [value for value, _ in factors])
        if kind == "log":
            return self._sum_of_logarithms(factors)
        if kind == "sqrt":
            return self._product([(value, exponent / 2) for value, exponent in factors])
        pairs = zip(proposed, factors, strict=True)
        return self._product([self._without_root(factor, value) for factor, (value, _) in pairs])

    def _turned(self, angle: Quotient, typed: Apply) -> tuple[Quotient, Quotient]:
        """Cosine and sine of an angle, by the addition theorems from those of other angles if they are proposed."""
        proposed = self._proposals.factors(self, "cos", angle, typed) or [Factor(angle, Fraction(1))]
        parts = [(self._read(factor.value), factor.exponent) for factor in proposed]
        total, cosine, sine = self.constant(0), self.constant(1), self.constant(0)
        for part, times in parts:
            c, s = self._cosine_and_sine(part, self.inside(angle))
            total, s = total + part * times, s if times > 0 else -s
            for _ in range(int(abs(times))):
                cosine, sine = cosine * c - sine * s, sine * c + cosine * s
        if total != angle or any(times.denominator != 1 for _, times in parts):
            raise UnsupportedError("the angles that were proposed sum to something else")
        return self.reduced_quotient(cosine), self.reduced_quotient(sine)

    def _cosine_and_sine(self, angle: Quotient, inside: frozenset[str]) -> tuple[Quotient, Quotient]:
        """Two kernels, but by the tangent where the angle is the inverse tangent of what certainly has a value."""
        for kernel in self.kernels:
            if kernel.kind == "arctan" and kernel.value == angle and kernel.name in inside:
                square = self.constant(1) + kernel.arguments[0] ** 2
                cosine = self.function("sqrt", square) / square
                return cosine, cosine * kernel.arguments[0]
        cosine = self.kernel("cos", angle)
        return cosine, self.kernel("sin", self.constant(1) - cosine**2)

    def _without_root(self, factor: Factor, value: Quotient) -> tuple[Quotient, Fraction]:
        """A positive factor; half of an exponent is left to what is proposed for its square root."""
        if factor.exponent.denominator == 1:
            return value, factor.exponent
        typed = None if isinstance(factor.value, Quotient) else Apply("sqrt", (factor.value,))
        return self.function("sqrt", value, typed), 2 * factor.exponent

    def _read(self, value: Expression | Quotient) -> Quotient:
        return self.reduced_quotient(value if isinstance(value, Quotient) else self.quotient(value))

    def _fits(
        self, kind: str, argument: Quotient, factors: Sequence[tuple[Quotient, Fraction]], *, strictly: bool
    ) -> bool:
        """Whether the equation of a law holds."""
        if kind == "exp":
            found = self._sum_of_logarithms(factors)
            return found == argument or (not strictly and self.cleared(found - argument) == 0)
        # Neither side is negative, so their squares may be compared where exponents are halves.
        times = max((exponent.denominator for _, exponent in factors), default=1)
        product = self._product([(value, exponent * times) for value, exponent in factors])
        return bool(self.cleared(product - argument**times) == 0)

    def _require_signs(
        self, kind: str, argument: Quotient, proposed: Sequence[Factor], values: Sequence[Quotient]
    ) -> None:
        """Have it shown that the factors have real values, with the signs that the law of a kind needs.

        What is needed of expressions is recorded, unless their ranges show it.
        """
        inside = self.inside(argument)
        pairs = list(zip(proposed, values, strict=True))
        zeros = [
            n for n, (factor, value) in enumerate(pairs) if factor.exponent > 0 and 0 in self.signs(value.numerator)
        ]
        single = (n for n, factor in reversed(list(enumerate(proposed))) if kind == "sqrt" and factor.exponent == 1)
        excused = next((place for place in single if zeros in ([], [place])), None)
        for place, (factor, value) in enumerate(pairs):
            has_logarithm = kind == "exp" and self._has_logarithm(value, inside)
            signs = () if place == excused or has_logarithm else _needed(kind, factor.exponent)
            if not isinstance(factor.value, Quotient):
                needed = (Relation(factor.value, sign, ZERO) for sign in signs)
                conditions = (*side_conditions(factor.value), *needed)
                self.conditions |= dict.fromkeys(one for one in conditions if not ranges.decide_by_range(one))
            elif not (has_logarithm or (value.denominator.is_one() and self.inside(value) <= inside)):
                raise UnsupportedError("a factor in the ring contains what the argument does not")
            elif not all(ranges.holds_for_signs(self.signs(value.numerator), sign) for sign in signs):
                raise UnsupportedError("a factor in the ring has no certain sign")

    def _has_logarithm(self, value: Quotient, inside: frozenset[str]) -> bool:
        """Whether the value is an exponential, or its logarithm stands inside of something that has a value."""
        logarithms = (kernel for kernel in self.kernels if kernel.kind == "log" and kernel.name in inside)
        return self._exponent(value) is not None or any(one.arguments == (value,) for one in logarithms)

    def inside(self, value: Quotient) -> frozenset[str]:
        """The names of all generators in a quotient and in its kernels' arguments, but not in exponents and angles."""
        names = set[str]()
        for polynomial in (value.numerator, value.denominator):
            names |= set(self.generator_names) - set(polynomial.unused_gens())
        for kernel in self.kernels:
            if kernel.name in names and kernel.kind not in ("exp", "cos"):
                names.update(*(self.inside(argument) for argument in kernel.arguments))
        return frozenset(names)

    def _product(self, factors: Iterable[tuple[Quotient, Fraction]]) -> Quotient:
        product = self.constant(1)
        for value, exponent in factors:
            base = value if exponent.denominator == 1 else self.kernel("sqrt", value)
            product = product * base**exponent.numerator
        return product

    def _sum_of_logarithms(self, factors: Sequence[tuple[Quotient, Fraction]]) -> Quotient:
        total = self.constant(0)
        for value, exponent in factors:
            total = total + (self._exponent(value) or self.kernel("log", value)) * exponent
        return total

    def _exponent(self, value: Quotient) -> Quotient | None:
        """The argument of an exponential that is a kernel."""
        exponentials = (kernel for kernel in self.kernels if kernel.kind == "exp")
        return next((kernel.arguments[0] for kernel in exponentials if kernel.value == value), None)


def _needed(kind: str, exponent: Fraction) -> tuple[str, ...]:
    """How a factor has to compare with 0 in the law of a kind of kernel."""
    if kind != "sqrt":
        return (">",)
    sign = () if exponent % 4 == 0 else (">=",)
    return (*sign, "!=") if exponent < 0 else sign
