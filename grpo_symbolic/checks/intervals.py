"""Interval arithmetic on our own trees, with slopes: what the re-check of counterexamples calculates with.

A number is an exact rational as long as all operations stay rational, and beyond that an interval that contains it:
sums, products and quotients are rounded outwards by mpmath, and its elementary functions are believed to ``_GUARD``
bits less than they are asked for. What may be undefined somewhere in an interval (a zero denominator, a negative
radicand) has no value. Beside each number stand its slopes: intervals that contain the derivatives by the unknowns all
over the box of the unknowns; where the sign in an absolute value, maximum or minimum is open, those of both branches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import factorial, isqrt
from typing import NamedTuple, TypeAlias

from mpmath import libmp

from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import Apply, Call, Derivative, Expression, Number, Substitution, Symbol, Total
from grpo_symbolic.language.powers import as_power

#: A number as mpmath keeps it: sign, mantissa, exponent and bits of the mantissa.
_Raw: TypeAlias = tuple[int, int, int, int]
#: An exact number, or the interval between two.
Real: TypeAlias = Fraction | tuple[_Raw, _Raw]

#: Bits of an elementary function of mpmath that are not believed.
_GUARD = 10
#: Exact numbers of more bits are rounded, and functions of arguments beyond 2 to this power are not evaluated.
_LONGEST, _LARGEST, _LARGEST_FACTORIAL = 20_000, 4_000, 100
#: The smallest value of the gamma function for positive numbers, rounded down, and where it lies between.
_LEAST_GAMMA, _BEFORE, _AFTER = (libmp.from_rational(*pair, 53, "n") for pair in ((885, 1000), (146, 100), (147, 100)))


class UnknownError(Exception):
    """Something has no value that is certain."""


class Jet(NamedTuple):
    """A number and its slopes by the unknowns on which it depends."""

    number: Real
    slopes: Mapping[str, Real]


def wide(value: Real, bits: int) -> tuple[_Raw, _Raw]:
    """An interval around the number."""
    if not isinstance(value, Fraction):
        return value
    low, high = (libmp.from_rational(value.numerator, value.denominator, bits, mode) for mode in "fc")
    return low, high


def signs(value: Real) -> set[int]:
    """The signs that the number may have."""
    if isinstance(value, Fraction):
        return {(value > 0) - (value < 0)}
    low, high = map(libmp.mpf_sign, value)
    return {sign for sign in (-1, 0, 1) if low <= sign <= high}


class Arithmetic:
    """Operations on numbers, rounded to so many bits where they are not exact."""

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def plus(self, left: Real, right: Real) -> Real:
        """The sum."""
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return self._short(left + right)
        return libmp.mpi_add(wide(left, self.bits), wide(right, self.bits), self.bits)  # type: ignore[no-any-return]

    def times(self, left: Real, right: Real) -> Real:
        """The product."""
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return self._short(left * right)
        if 0 in (left, right):
            return Fraction(0)
        return libmp.mpi_mul(wide(left, self.bits), wide(right, self.bits), self.bits)  # type: ignore[no-any-return]

    def minus(self, left: Real, right: Real) -> Real:
        """The difference."""
        return self.plus(left, self.times(Fraction(-1), right))

    def power(self, base: Real, exponent: int) -> Real:
        """An integer power; one that is not positive has no value at 0."""
        if exponent <= 0 and 0 in signs(base):
            raise UnknownError("a denominator may be 0")
        if isinstance(base, Fraction) and _length(base) * abs(exponent) <= _LONGEST:
            return base**exponent
        return libmp.mpi_pow_int(wide(base, self.bits), exponent, self.bits)  # type: ignore[no-any-return]

    def union(self, left: Real, right: Real) -> Real:
        """An interval around both."""
        first, second = wide(left, self.bits), wide(right, self.bits)
        return _smaller(first[0], second[0]), _larger(first[1], second[1])

    def maximum(self, left: Real, right: Real) -> Real:
        """The larger one."""
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return max(left, right)
        first, second = wide(left, self.bits), wide(right, self.bits)
        return _larger(first[0], second[0]), _larger(first[1], second[1])

    def function(self, name: str, value: Real) -> Real:
        """An elementary function; exact where a rational argument has a rational value that is plain to see."""
        plain = _plain_value(name, value) if isinstance(value, Fraction) else None
        if plain is not None:
            return plain
        low, high = wide(value, self.bits)
        limit = _LARGEST_FACTORIAL if name == "gamma" else _LARGEST
        known, least = name in _FUNCTIONS, _LEAST_SIGN.get(name)
        if not known or max(low[2] + low[3], high[2] + high[3]) > limit or (least is not None and _sign(low) < least):
            raise UnknownError(f"{name} may have no value here")
        return self._around(name, low, high)

    def _around(self, name: str, low: _Raw, high: _Raw) -> Real:
        if name in ("sin", "cos"):
            # Values at two points differ by no more than the points.
            error = libmp.mpf_add(libmp.mpf_sub(high, low), libmp.mpf_shift(libmp.fone, -self.bits), self.bits, "c")
            value = _FUNCTIONS[name](low, self.bits + _GUARD, "n")
            return libmp.mpf_sub(value, error, self.bits, "f"), libmp.mpf_add(value, error, self.bits, "c")
        if name == "cosh":
            low, high = libmp.mpi_abs((low, high))
        ends = self._believed(name, low), self._believed(name, high)
        if name in _RISING or (name == "gamma" and libmp.mpf_ge(low, _AFTER)):
            return ends[0][0], ends[1][1]
        if name != "gamma":
            raise UnknownError(f"how {name} rises and falls is not known")
        # It is convex: falling, least between two points, then rising.
        least = ends[1][0] if libmp.mpf_le(high, _BEFORE) else _LEAST_GAMMA
        return least, _larger(ends[0][1], ends[1][1])

    def _believed(self, name: str, value: _Raw) -> tuple[_Raw, _Raw]:
        found = _FUNCTIONS[name](value, self.bits + _GUARD, "n")
        error = libmp.mpf_shift(libmp.mpf_abs(found), -self.bits)
        return libmp.mpf_sub(found, error, self.bits, "f"), libmp.mpf_add(found, error, self.bits, "c")

    def _short(self, value: Fraction) -> Real:
        return value if _length(value) <= _LONGEST else wide(value, self.bits)


_FUNCTIONS: Mapping[str, Callable[..., _Raw]] = {
    "arctan": libmp.mpf_atan,
    **{name: getattr(libmp, f"mpf_{name}") for name in ("sqrt", "exp", "log", "cosh", "sinh", "tanh", "sin", "cos")},
    "gamma": libmp.mpf_gamma,
}
#: Functions that rise, cosh for arguments that are not negative.
_RISING = frozenset(("arctan", "sqrt", "exp", "log", "cosh", "sinh", "tanh"))
#: The sign that the argument of a function must have at least.
_LEAST_SIGN = {"sqrt": 0, "log": 1, "gamma": 1}
_AT_ZERO = {"exp": 1, "cosh": 1, "cos": 1, "sinh": 0, "tanh": 0, "sin": 0, "arctan": 0}


def _plain_value(name: str, value: Fraction) -> Fraction | None:
    if value == 0 and name in _AT_ZERO:
        return Fraction(_AT_ZERO[name])
    if name == "log" and value == 1:
        return Fraction(0)
    if name == "gamma" and value.denominator == 1 and 0 < value < _LARGEST_FACTORIAL:
        return Fraction(factorial(value.numerator - 1))
    if name == "sqrt" and value >= 0:
        root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
        return root if root * root == value else None
    return None


def _length(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _sign(value: _Raw) -> int:
    return int(libmp.mpf_sign(value))


def _smaller(left: _Raw, right: _Raw) -> _Raw:
    return left if libmp.mpf_le(left, right) else right


def _larger(left: _Raw, right: _Raw) -> _Raw:
    return left if libmp.mpf_ge(left, right) else right


class Evaluation:
    """Values of expressions at a point, or all over a box; ``values`` are the coordinates by name, and those known."""

    def __init__(self, values: Mapping[str, Jet], outputs: int, bits: int) -> None:
        self.values, self.outputs, self.arithmetic = values, outputs, Arithmetic(bits)
        self._known: dict[tuple[Expression, int], Jet] = {}

    def value(self, expression: Expression, output: int) -> Jet:
        """The value at an output, numbered from 1, on which coordinates depend that no sum binds.

        Raises:
            UnknownError: where it may have none.
        """
        known = self._known.get((expression, output))
        if known is None:
            known = self._known[expression, output] = self._value(expression, output)
        return known

    def _value(self, expression: Expression, output: int) -> Jet:
        match expression:
            case Number(value):
                return Jet(value, {})
            case Symbol(name):
                coordinate = f"{name}[{output}]"
                found = self.values.get(coordinate if expression.indexed and coordinate in self.values else name)
                if found is None:
                    raise UnknownError(f"{name} is not given")
                return found
            case Total(body):
                total = self.value(body, 1)
                for other in range(2, self.outputs + 1):
                    total = self._sum(total, self.value(body, other))
                return total
            case Call() | Derivative() | Substitution():
                return self.value(unfold(expression), output)
            case Apply("power", (base, Number(exponent))):
                return self._power(self.value(base, output), exponent)
            case Apply("power"):
                return self.value(unfold(expression), output)
            case Apply("exp") if (exact := self._whole_power(expression, output)) is not None:
                return exact
            case Apply(operator, operands):
                return self._apply(operator, *(self.value(operand, output) for operand in operands))
            case _:
                raise UnknownError(f"no value for {type(expression).__name__}")

    def _whole_power(self, expression: Expression, output: int) -> Jet | None:
        """The power exp(exponent * log(base)) of a positive rational for a whole exponent, which is rational."""
        parts = as_power(expression)
        base, exponent = (None, None) if parts is None else (self.value(part, output) for part in parts)
        if base is None or exponent is None or base.slopes or exponent.slopes:
            return None
        number, steps = base.number, exponent.number
        if not (isinstance(number, Fraction) and isinstance(steps, Fraction)):
            return None
        if number <= 0 or steps.denominator != 1 or abs(steps) * _length(number) > _LONGEST:
            return None
        return Jet(number**steps.numerator, {})

    def _apply(self, operator: str, first: Jet, second: Jet | None = None) -> Jet:
        if second is None:
            return self._function(operator, first)
        match operator:
            case "add":
                return self._sum(first, second)
            case "subtract":
                return self._sum(first, self._multiple(second, Fraction(-1)))
            case "multiply":
                product = self.arithmetic.times(first.number, second.number)
                parts = self._multiple(first, second.number), self._multiple(second, first.number)
                return Jet(product, self._sum(*parts).slopes)
            case "divide":
                return self._apply("multiply", first, self._power(second, Fraction(-1)))
            case "maximum":
                return self._larger(first, second)
            case "minimum":
                turned = self._larger(self._multiple(first, Fraction(-1)), self._multiple(second, Fraction(-1)))
                return self._multiple(turned, Fraction(-1))
        raise UnknownError(f"no value of {operator} is known")

    def _function(self, name: str, inner: Jet) -> Jet:
        number, known = inner.number, signs(inner.number)
        match name:
            case "negate":
                return self._multiple(inner, Fraction(-1))
            case "sign":
                if len(known) > 1:
                    raise UnknownError("a sign is open")
                return Jet(Fraction(*known), {})
            case "absolute":
                larger = self._larger(inner, self._multiple(inner, Fraction(-1)))
                exact = isinstance(number, Fraction)
                return larger if exact else Jet(libmp.mpi_abs(wide(number, self.arithmetic.bits)), larger.slopes)
            case _:
                value = self.arithmetic.function(name, number)
                return Jet(
                    value, self._multiple(inner, self._slope(name, number, value)).slopes if inner.slopes else {}
                )

    def _slope(self, name: str, argument: Real, value: Real) -> Real:
        """The derivative of a function, given its argument and its value."""
        calculate, one = self.arithmetic, Fraction(1)
        match name:
            case "sqrt":
                return calculate.power(calculate.times(Fraction(2), value), -1)
            case "exp":
                return value
            case "log":
                return calculate.power(argument, -1)
            case "cosh" | "sinh":
                return calculate.function("sinh" if name == "cosh" else "cosh", argument)
            case "tanh":
                return calculate.minus(one, calculate.power(value, 2))
            case "sin":
                return calculate.function("cos", argument)
            case "cos":
                return calculate.times(-one, calculate.function("sin", argument))
            case "arctan":
                return calculate.power(calculate.plus(one, calculate.power(argument, 2)), -1)
            case _:
                raise UnknownError(f"the derivative of {name} is not known")

    def _power(self, base: Jet, exponent: Fraction) -> Jet:
        if exponent.denominator == 2:
            return self._power(self._function("sqrt", base), Fraction(exponent.numerator))
        steps, calculate = exponent.numerator, self.arithmetic
        value = calculate.power(base.number, steps)
        if not base.slopes or not steps:
            return Jet(value, {})
        reduced = Fraction(1) if steps == 1 else calculate.power(base.number, steps - 1)
        return Jet(value, self._multiple(base, calculate.times(exponent, reduced)).slopes)

    def _sum(self, first: Jet, second: Jet) -> Jet:
        slopes = dict(first.slopes)
        for name, slope in second.slopes.items():
            slopes[name] = self.arithmetic.plus(slopes[name], slope) if name in slopes else slope
        return Jet(self.arithmetic.plus(first.number, second.number), slopes)

    def _multiple(self, jet: Jet, factor: Real) -> Jet:
        times = self.arithmetic.times
        return Jet(times(jet.number, factor), {name: times(slope, factor) for name, slope in jet.slopes.items()})

    def _larger(self, first: Jet, second: Jet) -> Jet:
        """The larger of two; where it is open which one it is, the slopes hold those of both."""
        calculate, zero = self.arithmetic, Fraction(0)
        known = signs(calculate.minus(first.number, second.number))
        if len(known) == 1 and 0 not in known:
            return first if known == {1} else second
        names = {**first.slopes, **second.slopes}
        slopes = {name: calculate.union(first.slopes.get(name, zero), second.slopes.get(name, zero)) for name in names}
        return Jet(calculate.maximum(first.number, second.number), slopes)
