"""The functions and constants that need no declaration, and powers as our tree writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import factorial as whole_factorial

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import (
    Apply,
    Definition,
    Expression,
    Number,
    Symbol,
)
from grpo_symbolic.language.vocabulary import (
    absolute,
    arctan,
    cos,
    cosh,
    exp,
    gamma,
    log,
    maximum,
    minimum,
    real,
    sign,
    sin,
    sinh,
    sqrt,
    tanh,
)

#: Largest numerator or denominator of an exponent, and largest argument of a factorial that is multiplied out.
LARGEST_EXPONENT = 10_000
LARGEST_FACTORIAL = 1_000

_U = real("u", "(-oo, oo)", "argument of a function")
_ONE = Number(Fraction(1))


def named(name: str, parameters: tuple[Symbol, ...], body: Expression, latex: str) -> Definition:
    """A named function or abbreviation that need not depend on all of its parameters."""
    return Definition(name, parameters, body, latex)


def _of(name: str, body: Expression, latex: str) -> Callable[[Expression], Expression]:
    return named(name, (_U,), body, latex)


#: Half of the angle has a value at -1 and 1 as well.
_ARCSIN = 2 * arctan(_U / (1 + sqrt(1 - _U**2)))

#: One-place functions by the name that a paper prints upright or after a backslash.
FUNCTIONS: Mapping[str, Callable[[Expression], Expression]] = {
    "exp": exp,
    "log": log,
    "ln": log,
    "sqrt": sqrt,
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
    "coth": _of("coth", cosh(_U) / sinh(_U), r"\coth"),
    "sin": sin,
    "cos": cos,
    "tan": _of("tan", sin(_U) / cos(_U), r"\tan"),
    "cot": _of("cot", cos(_U) / sin(_U), r"\cot"),
    "sec": _of("sec", 1 / cos(_U), r"\sec"),
    "csc": _of("csc", 1 / sin(_U), r"\csc"),
    "arctan": arctan,
    "arcsin": _of("arcsin", _ARCSIN, r"\arcsin"),
    "arccos": _of("arccos", 2 * arctan(_ONE) - _ARCSIN, r"\arccos"),
    "sign": sign,
    "sgn": sign,
}

#: Functions that only the notation map can name, since their usual signs have other meanings too.
MAP_FUNCTIONS: Mapping[str, Callable[[Expression], Expression]] = {**FUNCTIONS, "abs": absolute, "gamma": gamma}

#: Constants that only the notation map can name.
CONSTANTS: Mapping[str, Expression] = {
    "pi": named("pi", (), 4 * arctan(_ONE), r"\pi")(),
    "e": named("e", (), exp(_ONE), "e")(),
}


def largest(values: list[Expression]) -> Expression:
    """The largest of some expressions."""
    result = values[0]
    for value in values[1:]:
        result = maximum(result, value)
    return result


def smallest(values: list[Expression]) -> Expression:
    """The smallest of some expressions."""
    result = values[0]
    for value in values[1:]:
        result = minimum(result, value)
    return result


def total(values: Sequence[Expression]) -> Expression:
    """The sum of some expressions."""
    result = values[0]
    for value in values[1:]:
        result = result + value
    return result


def mean(values: list[Expression]) -> Expression:
    """The average of some expressions."""
    return total(values) / len(values)


def deviation(values: list[Expression]) -> Expression:
    """The standard deviation of some equally likely values (divided by their number, not by one less)."""
    average = mean(values)
    return sqrt(total([(value - average) ** 2 for value in values]) / len(values))


#: Functions of a list, such as ``r_1, \\dots, r_G``.
LIST_FUNCTIONS: Mapping[str, Callable[[list[Expression]], Expression]] = {
    "max": largest,
    "min": smallest,
    "sum": total,
    "mean": mean,
    "std": deviation,
}


def constant_value(expression: Expression) -> Fraction | None:
    """The value of an expression made of numbers by the four operations, else ``None``."""
    match expression:
        case Number(value):
            return value
        case Apply("negate", (inner,)):
            negated = constant_value(inner)
            return None if negated is None else -negated
        case Apply("add" | "subtract" | "multiply" | "divide" as operator, (left, right)):
            first, second = constant_value(left), constant_value(right)
            if first is None or second is None or (operator == "divide" and second == 0):
                return None
            match operator:
                case "add":
                    return first + second
                case "subtract":
                    return first - second
                case "multiply":
                    return first * second
                case _:
                    return first / second
    return None


def power(base: Expression, exponent: Expression) -> Expression:
    """``base ** exponent``; an exponent that is no multiple of one half is written with exp and log.

    Raises:
        DeclarationError: if the exponent is a number beyond ``LARGEST_EXPONENT``.
    """
    value = constant_value(exponent)
    if value is not None and max(abs(value.numerator), value.denominator) > LARGEST_EXPONENT:
        raise DeclarationError(f"an exponent is beyond the limit of {LARGEST_EXPONENT}")
    if value is not None and value.denominator in (1, 2):
        return base ** Number(value)
    if base == CONSTANTS["e"]:
        return exp(exponent)
    return exp(exponent * log(base))


def factorial(argument: Expression) -> Expression:
    """``argument!``, as a number where it is one, else by the gamma function."""
    value = constant_value(argument)
    if value is not None and value.denominator == 1 and 0 <= value <= LARGEST_FACTORIAL:
        return Number(Fraction(whole_factorial(int(value))))
    return gamma(argument + 1)


def binomial(top: Expression, bottom: Expression) -> Expression:
    """The binomial coefficient, by factorials."""
    return factorial(top) / (factorial(bottom) * factorial(top - bottom))


def positive(argument: Expression) -> Expression:
    """1 where the argument is positive, else 0."""
    return maximum(sign(argument), Number(Fraction(0)))
