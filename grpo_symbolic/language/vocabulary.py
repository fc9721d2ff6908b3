"""What authors build expressions with, and what reports ask of them; no decision rests on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require, require_all, told
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Definition,
    Derivative,
    Expression,
    Number,
    Scalar,
    Substitution,
    Symbol,
    as_expression,
    free_symbols,
    is_whole,
)
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.index_set import ELEMENTS, IndexSet
from grpo_symbolic.language.inside import nodes_of
from grpo_symbolic.language.unknown import Applied, UnknownFunction

_INTERVAL = re.compile(r"\s*([\[(])\s*([^,\s]+)\s*,\s*([^,\s]+)\s*([\])])\s*")
_INFINITIES = {"oo": None, "+oo": None, "-oo": None}
#: Largest power of ten in a decimal number, and most characters of a number.
MAX_EXPONENT = 1_000
MAX_NUMBER = 1_000
_TEN_TO_THE = re.compile(r"[eE]([+-]?[0-9_]+)\s*\Z")


def interval(text: str) -> Interval:
    """Read an interval such as ``(0, 1]`` or ``[1/2, oo)``.

    Raises:
        DeclarationError: if the text is not an interval with rational or infinite ends.

    >>> interval("(0, 1/2]").upper
    Fraction(1, 2)
    """
    match = _INTERVAL.fullmatch(require(text, str, "an interval"))
    if match is None:
        raise DeclarationError(f"cannot read interval {text!r}; write e.g. '(0, 1]' or '[0, oo)'")
    left, low, high, right = match.groups()
    lower, upper = _end(low, "-oo", text), _end(high, "oo", text)
    found = Interval(lower, upper, left == "[", right == "]")
    if (lower is None and found.lower_closed) or (upper is None and found.upper_closed):
        raise DeclarationError(f"interval {text!r} is closed at infinity; write a round bracket there")
    if lower is not None and upper is not None:
        single = lower == upper and found.lower_closed and found.upper_closed
        if lower > upper or (lower == upper and not single):
            raise DeclarationError(f"interval {text!r} contains no number")
    return found


def _end(text: str, infinity: str, whole: str) -> Fraction | None:
    """Read one end point; ``infinity`` is the spelling of infinity that is allowed on this side."""
    if text in _INFINITIES:
        if text.lstrip("+") != infinity:
            raise DeclarationError(f"interval {whole!r}: {text} cannot stand on this side")
        return None
    try:
        return exact(text)
    except DeclarationError as error:
        raise DeclarationError(f"interval {whole!r}: {error}") from error
    except (ValueError, ZeroDivisionError) as error:
        raise DeclarationError(f"interval {whole!r}: end point {text!r} is neither rational nor infinite") from error


def exact(text: str) -> Fraction:
    """Read a number such as ``2``, ``1/3``, ``0.25`` or ``1e-6`` exactly.

    Raises:
        DeclarationError: if it is too large to be written out: longer than ``MAX_NUMBER``, or with a power of ten
            beyond ``MAX_EXPONENT``.
        ValueError: if it is no number.
        ZeroDivisionError: if its denominator is 0.

    >>> exact("2.5e-1")
    Fraction(1, 4)
    """
    if len(text) > MAX_NUMBER:
        raise DeclarationError(f"{text[:20]}... is a number of more than {MAX_NUMBER} characters")
    power = _TEN_TO_THE.search(text)
    if power is not None and abs(int(power[1])) > MAX_EXPONENT:
        raise DeclarationError(f"{text} is a number with a power of ten beyond {MAX_EXPONENT}; write a smaller one")
    return Fraction(text)


def real(
    name: str,
    domain: str,
    meaning: str,
    *,
    latex: str | None = None,
    indexed: IndexSet | tuple[IndexSet, IndexSet] | bool = False,
) -> Symbol:
    """Declare a real symbol with its domain, such as ``real("beta", "(0, oo)", "penalty weight")``.

    ``indexed`` names the set of which it is a coordinate; ``True`` means a set of which nothing is said. With two sets,
    or a set and a further element of it, it is of two elements.

    Raises:
        DeclarationError: if the name is not an identifier, the meaning is empty or the domain unreadable, or if it is
            twice of the same element.
    """
    if not require(name, str, "name of a symbol").isidentifier():
        raise DeclarationError(f"symbol name {name!r} is not an identifier")
    if not require(meaning, str, f"symbol {name}, its meaning").strip():
        raise DeclarationError(f"symbol {name}: say in words what it means")
    try:
        values = interval(domain)
    except DeclarationError as error:
        raise DeclarationError(f"symbol {name}: {error}") from error
    over, second = _indices(name, indexed)
    if (over is not None and over.of is not None) or (over is not None and over == second):
        raise DeclarationError(f"symbol {name}: it is declared at an element and at another one of the same set or not")
    shown = name if latex is None else require(latex, str, f"symbol {name}, its LaTeX")
    return Symbol(name, values, meaning, shown, over, second)


def _indices(
    name: str, indexed: IndexSet | tuple[IndexSet, IndexSet] | bool
) -> tuple[IndexSet | None, IndexSet | None]:
    """The sets of which a symbol is a coordinate."""
    if isinstance(indexed, bool):
        return (ELEMENTS if indexed else None), None
    sets = (indexed,) if isinstance(indexed, IndexSet) else require_all(indexed, IndexSet, f"symbol {name}, indexed")
    if len(sets) not in (1, 2):
        raise DeclarationError(f"symbol {name}: it is indexed by one set or by two, not by {len(sets)}")
    return sets[0], (*sets, None)[1]


def whole(name: str, domain: str, meaning: str, *, latex: str | None = None) -> Symbol:
    """Declare a whole number, such as ``whole("n", "[0, oo)", "number of steps")``.

    What is decided of it is often decided of all real numbers of the interval, which is more; a counterexample is
    whole.

    Raises:
        DeclarationError: as for ``real``, and if no whole number lies in the domain or it has no end on either side.
    """
    symbol = real(name, domain, meaning, latex=latex)
    low, high = symbol.domain.lower, symbol.domain.upper
    first = None if low is None else Fraction(ceil(low) if symbol.domain.lower_closed else floor(low) + 1)
    last = None if high is None else Fraction(floor(high) if symbol.domain.upper_closed else ceil(high) - 1)
    if first is not None and last is not None and first > last:
        raise DeclarationError(f"symbol {name}: no whole number lies in {domain}")
    try:
        return replace(symbol, domain=Interval(first, last, first is not None, last is not None, whole=True))
    except DeclarationError as error:
        raise DeclarationError(f"symbol {name}: {error}") from error


def rational(numerator: int, denominator: int = 1) -> Number:
    """An exact fraction as an expression: ``rational(1, 2)`` is one half.

    Raises:
        DeclarationError: for what is not exact, and for the denominator 0.
    """
    above, below = (as_expression(part) for part in (numerator, denominator))
    if not isinstance(above, Number) or not isinstance(below, Number) or not below.value:
        raise DeclarationError(f"{numerator} / {denominator} is no fraction of whole numbers")
    return Number(above.value / below.value)


def _function(operator: str) -> Callable[[Scalar], Apply]:
    def build(argument: Scalar) -> Apply:
        return Apply(operator, (as_expression(argument),))

    build.__name__ = operator
    build.__doc__ = f"The expression ``{operator}(argument)``, unevaluated."
    return build


sqrt = _function("sqrt")
exp = _function("exp")
log = _function("log")
cosh = _function("cosh")
sinh = _function("sinh")
tanh = _function("tanh")
sin = _function("sin")
cos = _function("cos")
arctan = _function("arctan")
gamma = _function("gamma")
sign = _function("sign")
absolute = _function("absolute")


def maximum(left: Scalar, right: Scalar) -> Apply:
    """The larger of two expressions, unevaluated."""
    return Apply("maximum", (as_expression(left), as_expression(right)))


def minimum(left: Scalar, right: Scalar) -> Apply:
    """The smaller of two expressions, unevaluated."""
    return Apply("minimum", (as_expression(left), as_expression(right)))


def define(name: str, parameters: tuple[Symbol, ...], body: Expression, *, latex: str | None = None) -> Definition:
    """Name a function, such as ``h = define("h", (p,), 1 / (1 + p))``; then write ``h(p)`` or ``h(rational(1, 2))``.

    Raises:
        DeclarationError: if the name is not an identifier or a parameter does not occur in the body.
    """
    if not require(name, str, "name of a function").isidentifier():
        raise DeclarationError(f"function name {name!r} is not an identifier")
    known = free_symbols(require(body, Expression, f"function {name}, its body"))
    variables = require_all(parameters, Symbol, f"function {name}, its parameters")
    for parameter in variables:
        if parameter not in known:
            raise DeclarationError(f"function {name} does not depend on its parameter {parameter}")
    shown = name if latex is None else require(latex, str, f"function {name}, its LaTeX")
    return Definition(name, variables, body, shown)


def unknown_function(
    name: str,
    argument: Symbol,
    meaning: str,
    *,
    derivatives: int | None = None,
    values: str = "(-oo, oo)",
    latex: str | None = None,
) -> UnknownFunction:
    """Declare any function on the domain of a symbol: ``f = unknown_function("f", x, "a map", derivatives=1)``.

    ``derivatives`` says how many continuous ones it has: with 0 it is continuous, and without a number it may jump. On
    whole numbers it is a sequence. Then write ``f(x)``, ``f(rational(1, 2))`` and, for its slope, ``f.slope(x)``.

    Raises:
        DeclarationError: if the name is not an identifier, the meaning is empty or the values are no interval, and as
            ``UnknownFunction`` does.
    """
    if not require(name, str, "name of a function").isidentifier():
        raise DeclarationError(f"function name {name!r} is not an identifier")
    if not require(meaning, str, f"function {name}, its meaning").strip():
        raise DeclarationError(f"function {name}: say in words what it means")
    domain = require(argument, Symbol, f"function {name}, its argument").domain
    if derivatives is not None and require(derivatives, int, f"function {name}, its derivatives") < 0:
        raise DeclarationError(f"function {name}: a number of derivatives is meant, and {derivatives} is none")
    try:
        among = interval(values)
    except DeclarationError as error:
        raise DeclarationError(f"function {name}: {error}") from error
    shown = name if latex is None else require(latex, str, f"function {name}, its LaTeX")
    return UnknownFunction(name, domain, meaning, shown, among, derivatives)


def sum_of(term: Scalar, index: Symbol, lower: Scalar, upper: Scalar) -> Binder:
    """The sum of a term over the whole numbers between two ends: ``sum_of(p**k, k, 0, n)``.

    Raises:
        DeclarationError: if the index is not whole, or has another domain, or an end is not plainly whole.
    """
    first, last = as_expression(lower), as_expression(upper)
    if not isinstance(index, Symbol) or not index.domain.whole:
        raise DeclarationError(f"a sum runs over whole numbers, and {told(index)} is none; declare it with whole(...)")
    for end in (first, last):
        if not is_whole(end):
            raise DeclarationError(f"a sum over whole numbers ends at {end}, which need not be one")
    if isinstance(first, Number) and first.value not in index.domain:
        raise DeclarationError(f"a sum from {first} on: {index} begins at {index.domain.lower}")
    return Binder("sum", as_expression(term), index, first, last)


def node_kind(expression: Expression) -> object:
    """What the expression is, apart from its parts; numbers are of one kind, and so are symbols."""
    match expression:
        case Apply(operator, _):
            return operator
        case Call(definition, _):
            return definition
        case Derivative(_, symbol) | Substitution(_, symbol, _):
            return type(expression), symbol
        case Applied(function, _, order):
            return function, order
        case GroupExpectation(member=member, law=law, own=own, mixed=mixed):
            return type(expression), member, len(law.values), len(own.values), mixed
        case Binder(kind, _, symbol, lower, upper):
            return kind, symbol, lower is None, upper is None
        case _:
            return type(expression)


def definitions_in(expression: Expression) -> Iterator[Definition]:
    """Yield the named functions in an expression, each after those that its own body uses."""
    for node in nodes_of(Call, expression):
        yield from definitions_in(node.definition.body)
        yield node.definition
