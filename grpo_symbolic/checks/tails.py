r"""Bounds of an integral where quadrature cannot go: towards infinity, and next to an end that may be singular.

Let y run over $[Y, \infty)$ and stand for x itself (towards infinity), for -x, or for one over the distance from a
finite end, where $dx = dy / y^2$. Every expression f is given a *form*: rational exponents c, p, q and an interval I
with

    f = e^{c y} y^p (\log y)^q g,  g in I,  for all y >= Y,

by rules for each operator, of which each is an identity or an inequality that holds for all y >= Y:

* products, quotients and powers multiply forms; a sum has the larger exponents, and the other summand is at most
  its form at Y, because the ratio of the two falls from there on (``_largest`` checks that its logarithmic
  derivative is not positive);
* what is continuous up to a finite end lies in a ball over the whole closed piece; where it vanishes exactly at the
  end, it is the distance times its derivative somewhere in the piece;
* exp of something that tends to minus infinity is at most $e^{-\kappa y}$ or a power of y, and the logarithm of a form
  is a sum; $\log(1 + v)$ is v times a number between 1 and $1 / (1 + v)$.

Then the integral over the tail is that of the factor times a number in I. The factor is integrated exactly or bounded:
$e^{c y}$ with c < 0, $y^p$ with p < -1, and $(\log y)^q / y$ with q < -1. Whatever is not settled by these rules (no
form, no such exponents, a sign that is open) raises, and the integral is not enclosed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from typing import NamedTuple, TypeAlias

from flint import arb, fmpq

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.calculus import differentiate
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_symbols
from grpo_symbolic.language.vocabulary import exp
from grpo_symbolic.translate.balls import as_fraction, exact, interval_ball, midpoint
from grpo_symbolic.translate.values import Value, ValueFunction, is_determinate, is_exact, operation

#: The exponents c, p, q of a form; they are compared in this order.
_Exponents: TypeAlias = tuple[Fraction, Fraction, Fraction]

_ZERO = Fraction(0)
_BOUNDED: _Exponents = (_ZERO, _ZERO, _ZERO)
_LINEAR: _Exponents = (_ZERO, Fraction(1), _ZERO)
_LOGARITHMIC: _Exponents = (_ZERO, _ZERO, Fraction(1))
#: Exp of minus a root of y is bounded by this power of y.
_STEEP = Fraction(-8)
_UNIT = arb(0).union(arb(1))


class Form(NamedTuple):
    """An expression as exponents and a ball that contains the rest of it."""

    exponents: _Exponents
    rest: Value


class Tail:
    """All numbers beyond ``start`` in one direction, or no further than 1 / ``start`` from a finite end."""

    def __init__(self, symbol: Symbol, end: Fraction | None, direction: int, start: Fraction) -> None:
        """The tail of the line (``end`` None) or the piece that begins at ``end``, in the direction +1 or -1."""
        self._symbol, self._end, self._direction = symbol, end, direction
        self._start = arb(exact(start))
        if end is not None:
            self._piece = interval_ball(*sorted((exact(end), exact(end + direction / start))))

    def integral(self, integrand: Expression) -> Value:
        """A ball that contains the integral of an expression of the symbol alone, in the direction of growing numbers.

        Raises:
            UnsupportedError: if no rule bounds it.
        """
        exponents, rest = self._form(integrand)
        if self._end is not None:
            exponents = _plus(exponents, (_ZERO, Fraction(-2), _ZERO))
        found = rest * self._integrated(exponents)
        if not is_determinate(found):
            raise UnsupportedError(f"the tail of {integrand} has no bound")
        return found

    def _integrated(self, exponents: _Exponents) -> Value:
        """The integral from the start on of the factor with these exponents."""
        c, p, q = exponents
        start, logarithm = self._start, self._start.log()
        if c < 0:
            slope = arb(exact(c)) + exact(max(p, _ZERO)) / start + exact(max(q, _ZERO)) / (start * logarithm)
            return _required(_UNIT * self._factor(exponents) / -slope, slope < 0)
        _required(start, c == 0 and (p < -1 or (p == -1 and q < -1)))
        if p == -1:
            return _power(logarithm, q + 1) / exact(-q - 1)
        if q == 0:
            return _power(start, p + 1) / exact(-p - 1)
        # Half of the margin of p below -1 pays for the logarithm.
        half = (p + 1) / 2
        factor = self._largest((_ZERO, half, q))
        return _UNIT * factor * _power(start, half) / exact(-half)

    # --- forms

    def _form(self, expression: Expression) -> Form:
        if self._symbol not in free_symbols(expression):
            return Form(_BOUNDED, _constant(expression))
        match expression:
            case Apply("multiply", (left, right)):
                return _product(self._form(left), self._form(right))
            case Apply("divide", (left, right)):
                return _product(self._form(left), _raised(self._form(right), Fraction(-1)))
            case Apply("power", (base, Number(exponent))):
                return _raised(self._form(base), exponent)
            case Apply("sqrt", (radicand,)):
                return _raised(self._form(radicand), Fraction(1, 2))
            case Apply("negate", (inner,)):
                return _product(Form(_BOUNDED, fmpq(-1)), self._form(inner))
            case Symbol() if self._end is None:
                return Form(_LINEAR, fmpq(self._direction))
        if self._end is not None:
            regular = self._regular(expression, self._end)
            if regular is not None:
                return regular
        match expression:
            case Apply("add" | "subtract" | "tanh", _):
                return self._sum(expression)
            case Apply(operator, operands):
                return self._function(operator, operands)
            case _:
                raise UnsupportedError(f"no bound for {expression} far out")

    def _regular(self, expression: Expression, end: Fraction) -> Form | None:
        """The form of what has a value on the whole closed piece; None if it may have none."""
        function = ValueFunction(expression, (self._symbol,))
        ball = function.enclose([self._piece])
        if not is_determinate(ball):
            return None
        value = function([exact(end)])
        if is_exact(value) and value == 0:
            try:
                slope = ValueFunction(differentiate(expression, self._symbol), (self._symbol,)).enclose([self._piece])
            except UnsupportedError:
                return Form(_BOUNDED, ball)
            if is_determinate(slope):
                return Form((_ZERO, Fraction(-1), _ZERO), slope * self._direction)
        return Form(_BOUNDED, ball)

    def _sum(self, expression: Expression) -> Form:
        """The form of a sum, whose constants may cancel exactly."""
        constants: Value = fmpq(0)
        others = list[Form]()
        for term in _terms(expression):
            if self._symbol in free_symbols(term):
                others.append(self._form(term))
            else:
                constants += _constant(term)
        return reduce(self._added, others if constants == 0 else [*others, Form(_BOUNDED, constants)])

    def _added(self, first: Form, second: Form) -> Form:
        larger, smaller = sorted((first, second), key=lambda form: form.exponents, reverse=True)
        ratio = _minus(smaller.exponents, larger.exponents)
        return Form(larger.exponents, larger.rest + smaller.rest * self._range(ratio))

    def _function(self, operator: str, operands: tuple[Expression, ...]) -> Form:
        inner = operands[0]
        match operator:
            case "exp":
                return self._exp(inner)
            case "log":
                return self._log(inner)
            case "cosh" | "sinh":
                sign = 1 if operator == "cosh" else -1
                return self._form((exp(inner) + sign * exp(-inner)) / 2)
            case "sin" | "cos":
                self._form(inner)
                return Form(_BOUNDED, arb(0, 1))
            case "arctan":
                self._form(inner)
                return Form(_BOUNDED, arb(0, 2))
            case "absolute":
                form = self._form(inner)
                return Form(form.exponents, operation("absolute")(form.rest))
            case "sign":
                rest = self._form(inner).rest
                return Form(_BOUNDED, _required(fmpq(1 if rest > 0 else -1), rest != 0))
            case "maximum" | "minimum":
                rest = self._form(inner - operands[1]).rest
                first = bool(rest > 0) is (operator == "maximum")
                _required(rest, rest != 0)
                return self._form(operands[0 if first else 1])
            case _:
                raise UnsupportedError(f"no bound for {operator} far out")

    def _exp(self, exponent: Expression) -> Form:
        if isinstance(exponent, Apply) and exponent.operator in ("add", "subtract"):
            left, right = exponent.operands
            try:
                return _product(self._exp(left), self._exp(right if exponent.operator == "add" else -right))
            except UnsupportedError:
                pass  # the parts may be too large one by one
        exponents, rest = self._form(exponent)
        if exponents <= _BOUNDED:
            return Form(_BOUNDED, arb(rest * self._range(exponents)).exp())
        if exponents in (_LINEAR, _LOGARITHMIC) and (is_exact(rest) or rest.is_exact()):
            rate = as_fraction(rest) if is_exact(rest) else midpoint(rest)
            return Form((rate, _ZERO, _ZERO) if exponents == _LINEAR else (_ZERO, rate, _ZERO), fmpq(1))
        return self._exp_bounded(exponents, _above(rest))

    def _exp_bounded(self, exponents: _Exponents, rest: Fraction) -> Form:
        """A bound of exp of something that is at most the rest times the factor with these exponents."""
        c, p, q = exponents
        unit = _LOGARITHMIC if c == p == 0 else _LINEAR
        relative = _minus(exponents, unit)
        if rest < 0 and relative < _BOUNDED and unit == _LINEAR:
            # A root of y: y**m exp(rest * factor) falls, because its logarithmic derivative is not positive.
            factor, growth = self._factor(exponents), arb(exact(p)) - abs(arb(exact(q))) / self._start.log()
            falls = exact(-_STEEP) <= exact(-rest) * factor * growth
            largest = (self._start.log() * exact(-_STEEP) + exact(rest) * factor).exp()
            return Form((_ZERO, _STEEP, _ZERO), _UNIT * _required(largest, falls and growth > 0))
        if rest < 0:
            # The factor over y (or over its logarithm) does not fall.
            rate = exact(rest) / self._largest(_minus(unit, exponents))
        else:
            rate = exact(rest) * self._largest(relative)
        above = _above(arb(rate))
        return Form((above, _ZERO, _ZERO) if unit == _LINEAR else (_ZERO, above, _ZERO), _UNIT)

    def _log(self, argument: Expression) -> Form:
        if isinstance(argument, Apply) and argument.operator == "add" and Number(Fraction(1)) in argument.operands:
            other = argument.operands[argument.operands[0] == Number(Fraction(1))]
            form = self._form(other)
            if form.exponents < _BOUNDED:
                whole = 1 + form.rest * self._range(form.exponents)
                return Form(form.exponents, form.rest * _required(arb(1).union(1 / whole), whole > 0))
        (c, p, q), rest = self._form(argument)
        logarithm = arb(_required(rest, rest > 0)).log()
        if (c, p, q) == _BOUNDED:
            return Form(_BOUNDED, logarithm)
        double = self._start.log().log()
        # What is divided by y, or by its logarithm, falls from the start on.
        others = exact(q) * double * _UNIT + logarithm * _UNIT
        if c:
            return Form(_LINEAR, exact(c) + (exact(p) * self._start.log() * _UNIT + others) / self._start)
        if p:
            return Form(_LOGARITHMIC, exact(p) + others / self._start.log())
        raise UnsupportedError("the logarithm of a logarithm")

    # --- the factor e^{cy} y^p log(y)^q

    def _factor(self, exponents: _Exponents) -> Value:
        """Its value at the start."""
        c, p, q = (exact(exponent) for exponent in exponents)
        return (c * self._start + p * self._start.log() + q * self._start.log().log()).exp()

    def _largest(self, exponents: _Exponents) -> Value:
        """Its largest value, which is that at the start."""
        if exponents == _BOUNDED:
            return arb(1)
        c, p, q = exponents
        start, logarithm = self._start, self._start.log()
        # c + p / y + q / (y log y), in which what is positive is largest at the start.
        if c:
            slope = arb(exact(c)) + exact(max(p, _ZERO)) / start + exact(max(q, _ZERO)) / (start * logarithm)
        else:
            slope = arb(exact(p)) + exact(max(q, _ZERO) if p else q) / logarithm
        return _required(self._factor(exponents), slope <= 0)

    def _range(self, exponents: _Exponents) -> Value:
        """All its values."""
        return arb(1) if exponents == _BOUNDED else _UNIT * self._largest(exponents)


def _plus(left: _Exponents, right: _Exponents) -> _Exponents:
    return left[0] + right[0], left[1] + right[1], left[2] + right[2]


def _minus(left: _Exponents, right: _Exponents) -> _Exponents:
    return left[0] - right[0], left[1] - right[1], left[2] - right[2]


def _product(left: Form, right: Form) -> Form:
    return Form(_plus(left.exponents, right.exponents), left.rest * right.rest)


def _raised(base: Form, power: Fraction) -> Form:
    """A power with an exponent that is an integer or half of one."""
    c, p, q = base.exponents
    rest, steps = base.rest, power.numerator
    if power.denominator == 2 and rest != 1:
        rest = arb(_required(rest, rest >= 0)).sqrt()
    if steps <= 0:
        rest = 1 / _required(rest, rest != 0)
    return Form((c * power, p * power, q * power), rest ** abs(steps))


def _terms(expression: Expression) -> Iterator[Expression]:
    """The terms of a sum; the hyperbolic tangent is one of two."""
    match expression:
        case Apply("add", (left, right)):
            yield from _terms(left)
            yield from _terms(right)
        case Apply("subtract", (left, right)):
            yield from _terms(left)
            yield from _terms(-right)
        case Apply("negate", (Apply("add" | "subtract" | "negate" | "tanh", _) as inner,)):
            yield from (-term for term in _terms(inner))
        case Apply("tanh", (argument,)):
            yield Number(Fraction(1))
            yield -2 / (exp(2 * argument) + 1)
        case _:
            yield expression


def _constant(expression: Expression) -> Value:
    try:
        value = ValueFunction(expression, ())([])
    except UndefinedError as error:
        raise UnsupportedError(str(error)) from error
    return _required(value, is_determinate(value))


def _power(base: arb, exponent: Fraction) -> arb:
    return (base.log() * exact(exponent)).exp()


def _above(value: Value) -> Fraction:
    """A rational number that is not smaller."""
    return as_fraction(value) if is_exact(value) else midpoint(value.upper())


def _required(value: Value, condition: bool) -> Value:
    if not condition:
        raise UnsupportedError("no rule bounds the integrand far out")
    return value
