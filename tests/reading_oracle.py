"""Values of expressions in complex numbers, and a reader of the machine text of the holpy corpus.

The values are a second opinion on what was read: integrals, series, limits and derivatives, which differ by far
more than rounding when they are misread, are replaced by fixed linear functionals of what they cover.
"""

import re
from fractions import Fraction

from mpmath import mp, mpc, mpf

from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Apply, Call, Derivative, Number, Substitution, Symbol
from grpo_symbolic.language.vocabulary import (
    absolute,
    arctan,
    cos,
    cosh,
    exp,
    gamma,
    log,
    sin,
    sinh,
    sqrt,
)

_MEANING = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "power": lambda a, b: mp.power(a, b),
    "negate": lambda a: -a,
    "sqrt": mp.sqrt,
    "exp": mp.exp,
    "log": mp.log,
    "cosh": mp.cosh,
    "sinh": mp.sinh,
    "tanh": mp.tanh,
    "sin": mp.sin,
    "cos": mp.cos,
    "arctan": mp.atan,
    "gamma": mp.gamma,
    "sign": mp.sign,
    "absolute": abs,
    "maximum": lambda a, b: a if a.real > b.real else b,
    "minimum": lambda a, b: a if a.real < b.real else b,
}
_FUNCTIONALS = {
    "integral": ((mpf("0.37"), 2), (mpf("1.21"), -3)),
    "series": ((mpf("2"), 5), (mpf("3"), 7)),
    "limit": ((mpf("0.11"), 11), (mpf("0.53"), 1)),
    "limit+": ((mpf("0.17"), 11), (mpf("0.53"), 1)),
    "limit-": ((mpf("0.23"), 11), (mpf("0.53"), 1)),
}


def value(expression, values):
    """The complex value of an expression; ``values`` by name of symbol."""
    match expression:
        case Number(number):
            return mpc(mpf(number.numerator) / number.denominator)
        case Symbol(name):
            return mpc(values[name])
        case Call():
            return value(expression.value, values)
        case Derivative(body, symbol):
            here = values[symbol.name]
            moved = [value(body, {**values, symbol.name: here + step}) for step in (mpf("0.013"), mpf("0.3"))]
            return 5 * moved[0] - 2 * moved[1]
        case Substitution(body, symbol, replacement):
            # Not exactly there, where many functions of the corpus have a pole.
            return value(body, {**values, symbol.name: value(replacement, values) + mpf("0.0007")})
        case Binder(kind, body, symbol, lower, upper):
            ends = [mpc(1000) if end is None else value(end, values) for end in (lower, upper)]
            inside = sum(weight * value(body, {**values, symbol.name: at}) for at, weight in _FUNCTIONALS[kind])
            return inside + mpf("0.7") * ends[0] - mpf("0.9") * ends[1]
        case Apply(operator, operands):
            return _MEANING[operator](*(value(operand, values) for operand in operands))
    raise TypeError(type(expression).__name__)


def same(first, second, samples):
    """Whether two expressions agree at the sample points where both are defined; None if there are none."""
    seen = False
    with mp.workdps(30):
        for values in samples:
            try:
                left, right = value(first, values), value(second, values)
            except (ZeroDivisionError, ValueError, OverflowError):
                continue
            if not (mp.isfinite(left) and mp.isfinite(right)):
                continue
            seen = True
            if abs(left - right) > mpf(10) ** -15 * max(abs(left), abs(right)):
                return False
    return True if seen else None


_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z]\w*)|(.))")
_PI = 4 * arctan(1)


def _inverse_cosine(a):
    # Integrals are compared at points beyond 1 as well, where forms that agree up to 1 are on different branches.
    return 2 * arctan(1) - 2 * arctan(a / (1 + sqrt(1 - a**2)))


_FUNCTIONS = {
    "exp": exp, "log": log, "sqrt": sqrt, "sin": sin, "cos": cos, "atan": arctan, "Gamma": gamma, "abs": absolute,
    "cosh": cosh, "sinh": sinh, "factorial": lambda a: gamma(a + 1), "tan": lambda a: sin(a) / cos(a),
    "cot": lambda a: cos(a) / sin(a), "sec": lambda a: 1 / cos(a), "csc": lambda a: 1 / sin(a),
    "acos": _inverse_cosine,
    "binom": lambda a, b: gamma(a + 1) / (gamma(b + 1) * gamma(a - b + 1)),
    "SKOLEM_CONST": lambda a: a, "SKOLEM_FUNC": lambda a: a,
}  # fmt: skip


class MachineText:
    """Reader of texts such as ``1/2 * x ^ 2 + INT u:[0,1]. u``: one operator after the other, no cleverness."""

    def __init__(self, text, symbols, unknown):
        self.tokens = [next(part for part in match.groups() if part) for match in _TOKEN.finditer(text.strip())]
        self.index = 0
        self.symbols = symbols
        self.unknown = unknown

    def peek(self):
        return self.tokens[self.index] if self.index < len(self.tokens) else ""

    def take(self, *texts):
        if self.peek() in texts:
            self.index += 1
            return self.tokens[self.index - 1]
        return ""

    def need(self, text):
        if not self.take(text):
            raise ValueError(f"{text} expected at {self.tokens[self.index :]}")

    def whole(self):
        result = self.sum()
        if self.peek():
            raise ValueError(f"left over: {self.tokens[self.index :]}")
        return result

    def sum(self):
        result = self.product()
        while sign := self.take("+", "-"):
            right = self.product()
            result = result + right if sign == "+" else result - right
        return result

    def product(self):
        result = self.signed()
        while sign := self.take("*", "/"):
            right = self.signed()
            result = result * right if sign == "*" else result / right
        return result

    def signed(self):
        return -self.signed() if self.take("-") else self.power()

    def power(self):
        result = self.primary()
        while self.take("^"):
            exponent = -self.primary() if self.take("-") else self.primary()
            # Here powers stay general; the values decide.
            result = _general_power(result, exponent)
        return result

    def end(self):
        if self.take("-"):
            if self.take("oo"):
                return None
            return -self.sum()
        return None if self.take("oo") else self.sum()

    def primary(self):
        token = self.peek()
        self.index += 1
        if token == "(":
            result = self.sum()
            self.need(")")
            return result
        if token == "[":
            body = self.sum()
            self.need("]")
            self.index += 1  # the underscore, which sticks to the letter or stands alone
            symbol = self.symbols[self.tokens[self.index - 1].lstrip("_") or self.tokens[self.index]]
            if self.tokens[self.index - 1] == "_":
                self.index += 1
            self.need("=")
            lower = self.end()
            self.need(",")
            upper = self.end()
            return self._at(body, symbol, upper) - self._at(body, symbol, lower)
        if token[0].isdigit():
            return Number(Fraction(token))
        binders = {"INT": self.integral, "SUM": self.series, "LIM": self.limit, "D": self.derivative}
        if token in binders:
            return binders[token]()
        if token == "pi":
            return _PI
        if self.peek() == "(":
            self.index += 1
            arguments = [self.sum()]
            while self.take(","):
                arguments.append(self.sum())
            self.need(")")
            return (_FUNCTIONS.get(token) or self.unknown[token, len(arguments)])(*arguments)
        return self.symbols[token]

    def _at(self, body, symbol, end):
        return Binder("limit", body, symbol, None, None) if end is None else Substitution(body, symbol, end)

    def integral(self):
        symbol = self.symbols[self.peek()]
        self.index += 1
        self.need(":")
        self.need("[")
        lower = self.end()
        self.need(",")
        upper = self.end()
        self.need("]")
        self.need(".")
        return Binder("integral", self.sum(), symbol, lower, upper)

    def series(self):
        self.need("(")
        symbol = self.symbols[self.peek()]
        self.index += 1
        self.need(",")
        lower = self.end()
        self.need(",")
        upper = self.end()
        self.need(",")
        body = self.sum()
        self.need(")")
        return Binder("series", body, symbol, lower, upper)

    def limit(self):
        self.need("{")
        symbol = self.symbols[self.peek()]
        self.index += 1
        self.need("-")
        self.need(">")
        point = self.end()
        self.need("}")
        self.need(".")
        return Binder("limit", self.sum(), symbol, None, point)

    def derivative(self):
        symbol = self.symbols[self.peek()]
        self.index += 1
        self.need(".")
        return Derivative(self.sum(), symbol)


def _general_power(base, exponent):
    if isinstance(exponent, Number) and exponent.value.denominator in (1, 2):
        return base**exponent
    return exp(exponent * log(base))
