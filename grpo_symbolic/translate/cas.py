"""Expressions to SymPy and back. SymPy proposes the next line of a derivation; it never decides one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import (
    Apply,
    Expression,
    Number,
    Symbol,
    Total,
    rule_for,
)
from grpo_symbolic.language.vocabulary import (
    arctan,
    cos,
    cosh,
    exp,
    gamma,
    log,
    sign,
    sin,
    sinh,
    sqrt,
    tanh,
)

_TO: dict[str, Callable[..., sympy.Expr]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "power": lambda a, b: a**b,
    "negate": lambda a: -a,
    "sqrt": sympy.sqrt,
    "exp": sympy.exp,
    "log": sympy.log,
    "cosh": sympy.cosh,
    "sinh": sympy.sinh,
    "tanh": sympy.tanh,
    "sin": sympy.sin,
    "cos": sympy.cos,
    "arctan": sympy.atan,
    "gamma": sympy.gamma,
    "sign": sympy.sign,
    "absolute": sympy.Abs,
    "maximum": sympy.Max,
    "minimum": sympy.Min,
}

_FROM: dict[type[sympy.Basic], Callable[[Expression], Expression]] = {
    sympy.exp: exp,
    sympy.log: log,
    sympy.cosh: cosh,
    sympy.sinh: sinh,
    sympy.tanh: tanh,
    sympy.sin: sin,
    sympy.cos: cos,
    sympy.atan: arctan,
    sympy.gamma: gamma,
    sympy.sign: sign,
}


class Bridge:
    """A two-way dictionary between our symbols and totals and SymPy symbols, for one computation."""

    def __init__(self) -> None:
        self._outward: dict[Expression, sympy.Symbol] = {}
        self._inward: dict[sympy.Symbol, Expression] = {}

    def to_sympy(self, expression: Expression) -> sympy.Expr:
        """Translate; derivatives are carried out first, a Total becomes an opaque symbol."""
        return self._to(unfold(expression))

    def _to(self, expression: Expression) -> sympy.Expr:
        match expression:
            case Number(value):
                return sympy.Rational(value.numerator, value.denominator)
            case Symbol() | Total():
                return self._atom(expression)
            case Apply(operator, operands):
                return rule_for(operator, _TO, "computer algebra")(*(self._to(operand) for operand in operands))
            case _:
                raise UnsupportedError(f"SymPy has no word for {expression}")

    def _atom(self, expression: Expression) -> sympy.Symbol:
        if expression not in self._outward:
            positive = isinstance(expression, Symbol) and (expression.domain.lower or Fraction(-1)) >= 0
            if isinstance(expression, Symbol) and expression.domain.lower == 0:
                positive = not expression.domain.lower_closed
            name = expression.name if isinstance(expression, Symbol) else f"total_{len(self._outward)}"
            symbol = sympy.Symbol(name, real=True, positive=True if positive else None)
            self._outward[expression] = symbol
            self._inward[symbol] = expression
        return self._outward[expression]

    def from_sympy(self, term: sympy.Basic) -> Expression:
        """Translate back.

        Raises:
            UnsupportedError: for anything that is not built from the operators of our tree. A power with another
                exponent than a multiple of one half becomes an exponential, as where it is read.
        """
        if isinstance(term, sympy.Symbol):
            return self._inward[term]
        if isinstance(term, sympy.Rational):
            return Number(Fraction(int(term.p), int(term.q)))
        if isinstance(term, sympy.Add):
            return self._sum(term)
        if isinstance(term, sympy.Mul):
            return self._product(term)
        if isinstance(term, sympy.Pow):
            return self._power(term)
        build = _FROM.get(type(term))
        if build is None:
            raise UnsupportedError(f"no translation back from SymPy's {type(term).__name__}")
        return build(self.from_sympy(term.args[0]))

    def _sum(self, term: sympy.Add) -> Expression:
        # SymPy's printing order, but a positive term first: "a - b" reads better than "-b + a".
        parts = sorted(term.as_ordered_terms(), key=lambda part: part.could_extract_minus_sign())
        total = self.from_sympy(parts[0])
        for part in parts[1:]:
            negative = part.could_extract_minus_sign()
            total = total - self.from_sympy(-part) if negative else total + self.from_sympy(part)
        return total

    def _product(self, term: sympy.Mul) -> Expression:
        if term.could_extract_minus_sign():
            return -self.from_sympy(-term)
        numerator, denominator = sympy.fraction(term, exact=True)
        if denominator != 1:
            return self.from_sympy(numerator) / self.from_sympy(denominator)
        factors = [self.from_sympy(factor) for factor in term.as_ordered_factors()]
        product = factors[0]
        for factor in factors[1:]:
            product = product * factor
        return product

    def _power(self, term: sympy.Pow) -> Expression:
        base, exponent = self.from_sympy(term.base), term.exp
        if not isinstance(exponent, sympy.Rational) or exponent.q not in (1, 2):
            return exp(self.from_sympy(exponent) * log(base))
        value = Fraction(int(exponent.p), int(exponent.q))
        if value < 0:
            return Number(Fraction(1)) / self.from_sympy(term.base ** (-exponent))
        if value.denominator == 2:
            root = sqrt(base)
            return root if value.numerator == 1 else root**value.numerator
        return base**value
