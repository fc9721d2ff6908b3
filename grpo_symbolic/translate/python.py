"""Expressions as plain Python, for a reader who checks numbers with nothing of this package.

Numbers are fractions where that suffices, and else those of mpmath. A derivative is left to mpmath, as
a difference quotient, so that nobody has to believe ours; one by a coordinate is carried out, and can be read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from keyword import iskeyword

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.elements import outside_totals
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Definition,
    Delta,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    Total,
    free_symbols,
    rebuild,
    walk,
)
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.indexed import index_sets
from grpo_symbolic.language.inside import every_node, nodes_of
from grpo_symbolic.language.support import Supported

#: How strongly a text holds together; a weaker one inside a stronger one needs parentheses.
_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(5)
#: Operators whose values at rationals are rational.
_RATIONAL = frozenset(("add", "subtract", "multiply", "divide", "negate", "maximum", "minimum", "absolute"))
_INFIX = {"add": ("+", _SUM), "subtract": ("-", _SUM), "multiply": ("*", _PRODUCT), "divide": ("/", _PRODUCT)}
#: What Python and mpmath call a function that we call otherwise.
_NAMES = {"maximum": "max", "minimum": "min", "absolute": "abs", "arctan": "atan"}
#: Those that Python has itself.
_BUILT_IN = frozenset(("max", "min", "abs"))
#: The letter of an element in a sum.
_ELEMENT = "i"
#: What programs call other things.
_TAKEN = frozenset(
    ("left", "right", "claim", "F", "k", _ELEMENT, "mp", "mpf", "chop", "diff", "sqrt", "exp", "log", "int")
)


def identifier(name: str) -> str:
    """The name of a symbol in Python, another one if Python or a program has it for something else.

    >>> identifier("beta"), identifier("lambda")
    ('beta', 'lambda_')
    """
    return f"{name}_" if iskeyword(name) or name in _TAKEN else name


def is_rational(expressions: Iterable[Expression]) -> bool:
    """Whether fractions suffice for the values of expressions at rational points."""
    return all(_rational(node) for expression in expressions for node in walk(expression))


def _rational(node: Expression) -> bool:
    match node:
        case Apply("power", (_, Number(exponent))):
            return exponent.denominator == 1
        case Apply(operator, _):
            return operator in _RATIONAL
        case Call(definition, _):
            return is_rational([definition.body])
        case Derivative() | Substitution():
            return by_coordinate(node) and is_rational([unfold(node)])
        case GroupExpectation():
            return is_rational([unfold(node)])
        case _:
            return isinstance(node, Number | Symbol | Delta | Total | Supported)


def by_coordinate(node: Expression) -> bool:
    """Whether a derivative or substitution is by a coordinate of an element."""
    inner = (other for other in walk(node) if isinstance(other, Derivative | Substitution))
    return any(item.symbol.indexed is not None for item in inner)


def number(value: Fraction, *, exact: bool) -> str:
    """A number that Python takes for a fraction, or for one of mpmath."""
    if exact:
        return f"F({value})" if value.denominator == 1 else f"F({value.numerator}, {value.denominator})"
    return f"mpf({value})" if value.denominator == 1 else f"mpf({value.numerator})/{value.denominator}"


@dataclass(frozen=True)
class Python:
    """Writes expressions, with fractions if ``exact``.

    ``element`` is the number, from 0 on, of the element that is spoken of, of as many as ``elements`` says.
    """

    exact: bool
    element: str = "0"
    elements: str = "1"

    def text(self, expression: Expression) -> str:
        """Write an expression.

        Raises:
            UnsupportedError: for what is no number at a point, such as an integral.
        """
        return self._written(expression)[0]

    def definition(self, made: Definition) -> str:
        """Write a named function on one line."""
        parameters = ", ".join(identifier(symbol.name) for symbol in made.parameters)
        return f"def {made.name}({parameters}): return {self.text(made.body)}"

    def functions(self, expressions: Iterable[Expression]) -> set[str]:
        """What has to be imported of mpmath for expressions, besides its numbers."""
        found = set[str]()
        for node in every_node(*expressions):
            match node:
                case Apply("power", (_, Number(exponent))) if exponent.denominator == 2:
                    found.add("sqrt")
                case Apply(operator, _) if operator not in _INFIX and operator not in ("negate", "power"):
                    found |= {_NAMES.get(operator, operator)} - _BUILT_IN
                case Call(definition, _):
                    found |= self.functions([definition.body])
                case Derivative() | Substitution() if by_coordinate(node):
                    found |= self.functions([unfold(node)])
                case GroupExpectation():
                    found |= self.functions([unfold(node)])
                case Derivative():
                    found.add("diff")
        return found

    def _written(self, expression: Expression) -> tuple[str, int]:
        match expression:
            case Number(value):
                if value.denominator == 1:
                    return str(value), _SIGN if value < 0 else _ATOM
                return number(value, exact=self.exact), _ATOM if self.exact else _PRODUCT
            case Symbol():
                own = identifier(expression.family.name)
                return f"{own}[{self._place(expression.indexed)}]" if expression.indexed else own, _ATOM
            case Delta(other):
                return f"int({self.element} == {self._place(other)})", _ATOM
            case Total(body):
                return f"sum({self._summand(body)})", _ATOM
            case Supported(body, on):
                zero = number(Fraction(0), exact=self.exact)
                return f"({self.text(body)} if {self.text(on)} else {zero})", _ATOM
            case Call(definition, arguments):
                if not is_function(definition):
                    return self._written(expression.value)
                return f"{definition.name}({', '.join(map(self._argument, arguments))})", _ATOM
            case Derivative() | Substitution():
                return self._changed(expression)
            case GroupExpectation():
                return self._written(unfold(expression))
            case Apply(operator, operands):
                return self._applied(operator, operands)
            case _:
                raise UnsupportedError(f"{type(expression).__name__} is no number that Python could calculate")

    def _place(self, over: IndexSet) -> str:
        """The number of an element: the one that is spoken of, or a further one, whose number its letter has."""
        return self.element if over.of is None else identifier(over.letter.lstrip("\\"))

    def _argument(self, expression: Expression) -> str:
        """An expression that is never an integer of Python, of which a quotient would be rounded."""
        text = self.text(expression)
        return f"{'F' if self.exact else 'mpf'}({text})" if _is_whole(expression) else text

    def _summand(self, body: Expression) -> str:
        over = next((identifier(symbol.name) for symbol in outside_totals(body)), None)
        if over is not None and body in free_symbols(body):
            return over
        inside = replace(self, element=_ELEMENT).text(body)
        return f"{inside} for {_ELEMENT} in range({self.elements if over is None else f'len({over})'})"

    def _changed(self, expression: Derivative | Substitution) -> tuple[str, int]:
        """A derivative by mpmath, and what is put for a symbol as an argument of a function without a name."""
        if by_coordinate(expression):
            return self._written(unfold(expression))
        body, symbol = expression.body, expression.symbol
        if isinstance(expression, Substitution):
            inner = self.text(_opened(body, symbol))
            return f"(lambda {identifier(symbol.name)}: {inner})({self._argument(expression.replacement)})", _ATOM
        times = 1
        while isinstance(body, Derivative) and body.symbol == symbol:
            body, times = body.body, times + 1
        order = "" if times == 1 else f", {times}"
        own = identifier(symbol.name)
        return f"diff(lambda {own}: {self.text(_opened(body, symbol))}, {own}{order})", _ATOM

    def _applied(self, operator: str, operands: tuple[Expression, ...]) -> tuple[str, int]:
        first = operands[0]
        if operator == "power":
            return self._power(*operands), _POWER
        if operator == "negate":
            return f"-{self._held(first, _SIGN)}", _SIGN
        if operator not in _INFIX:
            return f"{_NAMES.get(operator, operator)}({', '.join(map(self.text, operands))})", _ATOM
        sign, strength = _INFIX[operator]
        left = self._held(first, strength)
        if operator == "divide" and all(map(_is_whole, operands)):
            left = self._argument(first)  # a quotient of integers is a float
        right = self._held(operands[1], strength if operator in ("add", "multiply") else strength + 1)
        if right.startswith("-"):
            right = f"({right})"
        between = f" {sign} " if strength == _SUM else sign
        return f"{left}{between}{right}", strength

    def _power(self, base: Expression, exponent: Expression) -> str:
        if not isinstance(exponent, Number):
            # Whole numbers of Python would give a float where the exponent is negative.
            held = self._argument(base) if _is_whole(base) else self._held(base, _ATOM)
            return f"{held}**{self._held(exponent, _ATOM)}"
        steps = exponent.value
        if steps.denominator == 2:
            return f"sqrt({self.text(base)})**{steps.numerator}"
        held = self._held(base, _ATOM)
        if steps < 0 and _is_whole(base):
            held = self._argument(base)
        return f"{held}**{steps}" if steps >= 0 else f"{held}**({steps})"

    def _held(self, expression: Expression, strength: int) -> str:
        text, own = self._written(expression)
        return text if own >= strength else f"({text})"


def is_function(made: Definition) -> bool:
    """Whether a definition is written as a function; abbreviations and functions of elements are written out."""
    return bool(made.parameters) and not index_sets(made.body)


def called(expressions: Iterable[Expression]) -> tuple[Definition, ...]:
    """The functions that have to be defined, those first that others call."""
    found: dict[Definition, None] = {}
    for node in nodes_of(Call, *expressions):
        found |= dict.fromkeys(called([node.definition.body, *node.arguments]))
        if is_function(node.definition):
            found.setdefault(node.definition)
    return tuple(found)


def _opened(expression: Expression, symbol: Symbol) -> Expression:
    """An expression with functions written out that depend on a symbol which is not among their parameters."""
    if isinstance(expression, Call):
        made = expression.definition
        if symbol in {*free_symbols(made.body)} - {*made.parameters}:
            return _opened(expression.value, symbol)
    return rebuild(expression, tuple(_opened(child, symbol) for child in expression.children))


def _is_whole(expression: Expression) -> bool:
    """Whether Python takes the text for an integer."""
    match expression:
        case Number(value):
            return value.denominator == 1
        case Apply("add" | "subtract" | "multiply" | "negate" | "maximum" | "minimum" | "absolute", operands):
            return all(map(_is_whole, operands))
        case Apply("power", (base, Number(exponent))):
            return _is_whole(base) and exponent.denominator == 1 and exponent >= 0
        case _:
            return False
