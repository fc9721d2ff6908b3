"""Typeset expressions as LaTeX, with no more parentheses than a reader needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.counting import as_binomial
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Delta,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    Total,
    rule_for,
    walk,
)
from grpo_symbolic.language.groups import GroupExpectation, Law
from grpo_symbolic.language.index_set import ELEMENTS, IndexSet
from grpo_symbolic.language.support import Supported
from grpo_symbolic.language.unknown import Applied, UnknownFunction


class Tex(str):
    """LaTeX source that may be put on a page as it is; operations on it give plain strings again."""

    __slots__ = ()


_GREEK = re.compile(
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|upsilon|phi|chi|psi"
    "|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega"
)
_TALL = re.compile(r"\\(frac|sum|left|sqrt\{\\frac)")
_FUNCTIONS = {
    "log": r"\log",
    "cosh": r"\cosh",
    "sinh": r"\sinh",
    "tanh": r"\tanh",
    "sin": r"\sin",
    "cos": r"\cos",
    "arctan": r"\arctan",
    "gamma": r"\Gamma",
    "sign": r"\operatorname{sign}",
}
_SHORT_EXPONENT = 24  # characters of source; longer exponents are easier to read after \exp

# How tightly a piece of LaTeX holds together, from loose to tight; a ratio is a quotient written with a slash.
_SUM, _RATIO, _PRODUCT, _POWER, _ATOM = range(5)


@dataclass(frozen=True)
class _Piece:
    """Rendered LaTeX; ``open_ended`` pieces, such as ``\\log x``, would swallow a factor to their right."""

    tex: str
    level: int
    open_ended: bool = False


@dataclass(frozen=True)
class _Place:
    """Where we are: inside how many sums over an index set, and whether in small type.

    ``groups`` says in how many sums the expectations stand in which we are, by the sets of their members.
    """

    sums: tuple[IndexSet | None, ...] = ()
    script: bool = False
    groups: tuple[tuple[IndexSet | None, int], ...] = ()
    drawn_for: str = ""

    def index(self, over: IndexSet | None) -> str:
        """The letter of an element here: i outside of all sums, i' inside the first, and so on.

        The one that is ``drawn_for`` a member has its letter as an index; a further element has one letter everywhere.
        """
        if self.drawn_for and over not in dict(self.groups):
            return f"{(over or ELEMENTS).letter}_{self.drawn_for}"
        return (over or ELEMENTS).letter + "'" * (self._around(over) - dict(self.groups).get(over, 0))

    def _around(self, over: IndexSet | None) -> int:
        """How many sums over a set there are around this place."""
        return sum(other in (over, None) for other in self.sums)

    def within(self, node: GroupExpectation) -> _Place:
        """Inside an expectation, where sums over members are counted anew."""
        return replace(self, groups=(*self.groups, (node.member.indexed, self._around(node.member.indexed))))

    def symbol(self, symbol: Symbol) -> Tex:
        """A symbol as it is typeset here."""
        return symbol_latex(symbol, self.index(symbol.indexed), self.index(symbol.second))


# A page shows the same formula in several forms, and says it in several places.
@lru_cache(maxsize=2**12)
def expression_latex(expression: Expression) -> Tex:
    """Typeset an expression, without math delimiters.

    >>> from grpo_symbolic.language.vocabulary import real, sqrt
    >>> x = real("x", "(0, 1)", "a probability")
    >>> str(expression_latex(x * (1 - x) / sqrt(2 * x)))
    '\\\\frac{x(1 - x)}{\\\\sqrt{2x}}'
    """
    return Tex(_piece(expression, _Place()).tex)


def _piece(expression: Expression, place: _Place) -> _Piece:
    match expression:
        case Number(value):
            return _number(value, place)
        case Symbol():
            return _Piece(place.symbol(expression), _ATOM)
        case Delta(other):
            return _Piece(rf"\delta_{{{place.index(other.of)}, {place.index(other)}}}", _ATOM)
        case Derivative(Call(definition, (argument,)), symbol) if argument == symbol:
            # The derivative of a named function by its only argument is its prime.
            return _Piece(f"{_primed(definition.latex)}({place.symbol(symbol)})", _ATOM)
        case Derivative(body, symbol):
            inner = _piece(body, place).tex
            by = place.symbol(symbol)
            return _Piece(rf"\frac{{\partial}}{{\partial {by}}}{_fenced(inner, '[', ']')}", _PRODUCT)
        case Substitution(body, symbol, replacement):
            at = place.symbol(symbol)
            target = _piece(replacement, replace(place, script=True)).tex
            inside = _piece(body, place).tex
            if isinstance(body, Derivative):
                return _Piece(rf"\left.{inside}\right|_{{{at} = {target}}}", _PRODUCT)
            return _Piece(rf"\left[{inside}\right]_{{{at} = {target}}}", _PRODUCT)
        case Total(body, over):
            deeper = replace(place, sums=(*place.sums, over))
            summand = _at_least(_piece(body, deeper), _PRODUCT)
            index = deeper.index(over)
            part = "" if over is None or not over.where else r" \colon " + over.where.replace("{index}", index)
            return _Piece(rf"\sum_{{{index}{part}}} {summand}", _PRODUCT, open_ended=True)
        case Supported(body):
            counted = _product((body,), place)
            return _Piece(_bracket(expression, place) + rf" \, {counted.tex}", _PRODUCT, open_ended=True)
        case Call() | Applied():
            name = expression.definition.latex if isinstance(expression, Call) else expression.latex
            inside = ", ".join(_piece(argument, place).tex for argument in expression.children)
            shown = _fenced(inside, "(", ")", tight=True) if expression.children else ""
            return _Piece(name + shown, _ATOM)
        case Binder():
            return _binder(expression, place)
        case GroupExpectation(body):
            before, after = _frame(expression, place)
            return _Piece(f"{before}{_fenced(_piece(body, place.within(expression)).tex + after, '[', ']')}", _ATOM)
        case Apply(operator, operands):
            return _apply(operator, operands, place)
    raise UnsupportedError(f"no LaTeX for {type(expression).__name__}")


def bracket_frame(node: Supported) -> str:
    """What stands in the bracket of what is counted only on a support, after what is not to vanish."""
    return r"> 0" if node.bracket.operator == ">" else r"\neq 0"


def _bracket(node: Supported, place: _Place) -> str:
    return _fenced(f"{_piece(node.on, place).tex} {bracket_frame(node)}", "[", "]")


def symbol_latex(symbol: Symbol, index: str | None = None, second: str | None = None) -> Tex:
    """Typeset a symbol; if it is indexed, ``index`` stands for the element, or the letter of its index set.

    ``second`` does for the second one of two.

    A symbol without LaTeX of its own is typeset by its name: Greek letters, subscripts, upright words.
    """
    if index is None:
        index = (symbol.indexed or ELEMENTS).letter
    if second is None:
        second = (symbol.second or ELEMENTS).letter
    pair, symbol = symbol.second is not None, symbol.family
    if symbol.latex != symbol.name:
        # As a script the letter keeps its braces: in z_o' the prime would belong to z.
        scripted = symbol.latex.replace("_{index}", f"_{{{index}}}") if len(index) > 1 else symbol.latex
        return Tex(scripted.replace("{index}", index).replace("{second}", second))
    base, *rest = symbol.name.split("_")
    shown = _letter(base)
    subscript = r",\,".join(_letter(part) for part in rest if part)
    if symbol.indexed:
        inside = f"{index}, {second}" if pair else index
        return Tex(f"{shown}_{{{subscript}}}({inside})" if subscript else f"{shown}({inside})")
    return Tex(f"{shown}_{{{subscript}}}" if subscript else shown)


def _letter(name: str) -> str:
    if _GREEK.fullmatch(name):
        return "\\" + name
    match = re.fullmatch(r"([A-Za-z])(\d+)", name)
    if match:
        return f"{match[1]}_{match[2]}" if len(match[2]) == 1 else f"{match[1]}_{{{match[2]}}}"
    return name if len(name) == 1 or name.isdigit() else rf"\mathrm{{{name}}}"


def _primed(name: str) -> str:
    """The name of a derivative; a second prime stands beside the first, because TeX refuses it after a subscript."""
    before, prime, after = name.partition("'")
    return f"{before}''{after}" if prime else f"{name}'"


def _binder(binder: Binder, place: _Place) -> _Piece:
    symbol, small = place.symbol(binder.symbol), replace(place, script=True)
    lower = r"-\infty" if binder.lower is None else _piece(binder.lower, small).tex
    upper = r"\infty" if binder.upper is None else _piece(binder.upper, small).tex
    body = _piece(binder.body, place)
    if binder.kind == "integral":
        return _Piece(rf"\int_{{{lower}}}^{{{upper}}} {body.tex} \, d{symbol}", _PRODUCT, open_ended=True)
    body_tex = _at_least(body, _PRODUCT)
    if binder.kind in ("series", "sum"):
        return _Piece(rf"\sum_{{{symbol}={lower}}}^{{{upper}}} {body_tex}", _PRODUCT, open_ended=True)
    arrow = {"limit": r"\to", "limit+": r"\downarrow", "limit-": r"\uparrow"}[binder.kind]
    return _Piece(rf"\lim_{{{symbol} {arrow} {upper}}} {body_tex}", _PRODUCT, open_ended=True)


def expectation_frame(node: GroupExpectation, sums: tuple[IndexSet | None, ...] = ()) -> tuple[str, str]:
    """What stands before the bracket of an expectation inside sums over these sets, and before the end of the bracket.

    Before it stand the law of a member and how many there are; inside, what the one member is known to have or by
    which law it has it, and whether only mixed groups count.
    """
    return _frame(node, _Place(sums))


def _frame(node: GroupExpectation, outer: _Place) -> tuple[str, str]:
    place = outer.within(node)
    small = replace(place, script=True)
    member, size = place.symbol(node.member), _piece(node.size, small).tex
    letter = (node.member.indexed or ELEMENTS).letter
    before = rf"\mathbb{{E}}_{{{member} {_by_law(node.law, small, letter)},\, {letter} \le {size}}}"
    known = "" if node.own == node.law else rf" \mid {member} {_by_law(node.own, place, letter)}"
    # As usual, a semicolon restricts the expectation to an event; it is no condition.
    return before, (r";\, \text{mixed}" if node.mixed else "") + known


def _by_law(law: Law, place: _Place, letter: str) -> str:
    """By which law something has its value: B(p) for 1 with probability p and else 0; drawn; certainly."""
    if law.is_drawn:
        value, chance = (_piece(item, replace(place, drawn_for=letter)).tex for item in (*law.values, *law.chances))
        elements = next((symbol.indexed for symbol in walk(law.chances[0]) if isinstance(symbol, Symbol)), None)
        return rf"= {value},\, {(elements or ELEMENTS).letter}_{letter} \sim {chance}"
    shown = [_piece(item, place).tex for item in law.values]
    chances = [_piece(item, place).tex for item in law.chances]
    one, zero = Number(Fraction(1)), Number(Fraction(0))
    if all(chance in (one, zero) for chance in law.chances):
        return (
            f"= {next((value for value, chance in zip(shown, law.chances, strict=False) if chance == one), shown[-1])}"
        )
    if shown == ["1", "0"]:
        return rf"\sim \mathrm{{B}}({chances[0]})"
    listed = r",\, ".join([*(f"{value} : {chance}" for value, chance in zip(shown, chances, strict=False)), shown[-1]])
    return rf"\sim \{{{listed}\}}"


def _number(value: Fraction, place: _Place) -> _Piece:
    level = _SUM if value < 0 else _ATOM
    if value.denominator == 1:
        return _Piece(str(value.numerator), level)
    sign = "-" if value < 0 else ""
    if place.script:
        return _Piece(f"{sign}{abs(value.numerator)}/{value.denominator}", min(level, _RATIO))
    return _Piece(rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}", level)


def _apply(operator: str, operands: Sequence[Expression], place: _Place) -> _Piece:
    if operator in ("add", "subtract"):
        return _Piece(_joined(sum_terms(Apply(operator, tuple(operands))), place), _SUM)
    if operator == "multiply":
        return _product(product_factors(Apply(operator, tuple(operands))), place)
    if operator == "divide" and (chosen := as_binomial(Apply(operator, tuple(operands)))) is not None:
        top, bottom = (_piece(part, place).tex for part in chosen)
        return _Piece(rf"\binom{{{top}}}{{{bottom}}}", _ATOM)
    if operator == "divide":
        return _quotient(operands[0], operands[1], place)
    if operator == "power":
        return _power(operands[0], operands[1], place)
    if operator == "exp":
        return _exponential(operands[0], place)
    if operator in ("maximum", "minimum"):
        inside = ", ".join(_piece(operand, place).tex for operand in operands)
        return _Piece(rf"\{operator[:3]}{_fenced(inside, chr(92) + '{', chr(92) + '}', tight=True)}", _ATOM)
    inner = _piece(operands[0], place)
    if operator == "negate":
        return _Piece(f"-{_at_least(inner, _RATIO)}", _SUM, inner.open_ended)
    if operator == "sqrt":
        return _Piece(rf"\sqrt{{{inner.tex}}}", _ATOM)
    if operator == "absolute":
        return _Piece(_fenced(inner.tex, r"\lvert ", r"\rvert "), _ATOM)
    return _function(rule_for(operator, _FUNCTIONS, "formulas"), operands[0], inner)


def sum_terms(expression: Expression) -> list[tuple[str, Expression]]:
    """The terms of a sum with their signs, ``+`` or ``-``; any other expression is its only term.

    A term that begins with a negative number gives up its sign: ``a + (-2) b`` is ``a - 2 b``.
    """
    match expression:
        case Apply("add", (left, right)):
            return [*sum_terms(left), *_added(right)]
        case Apply("subtract", (left, right)):
            return [*sum_terms(left), ("-", right)]
        case _:
            return [("+", expression)]


def _added(term: Expression) -> list[tuple[str, Expression]]:
    match term:
        case Number(value) if value < 0:
            return [("-", Number(-value))]
        case Apply("negate", (inner,)):
            return [("-", inner)]
        case Apply("multiply" | "divide" as operator, (left, right)):
            sign, first = _added(left)[0]
            return [(sign, Apply(operator, (first, right)))] if sign == "-" else [("+", term)]
        case Apply("add" | "subtract", _):
            return sum_terms(term)
        case _:
            return [("+", term)]


def _joined(terms: Sequence[tuple[str, Expression]], place: _Place) -> str:
    text = ""
    for sign, term in terms:
        piece = _piece(term, place)
        if not text:
            text = piece.tex
        else:
            text += f" {sign} {_at_least(piece, _RATIO)}"
    return text


def term_latex(term: Expression) -> Tex:
    """Typeset one term of a sum, to stand after its sign."""
    return Tex(_at_least(_piece(term, _Place()), _PRODUCT))


def product_factors(expression: Expression) -> list[Expression]:
    """The factors of a product; any other expression is its only factor."""
    match expression:
        case Apply("multiply", (left, right)):
            return [*product_factors(left), *product_factors(right)]
        case _:
            return [expression]


def _product(factors: Sequence[Expression], place: _Place) -> _Piece:
    text, level, last = "", _PRODUCT, len(factors) - 1
    for position, factor in enumerate(factors):
        piece = _piece(factor, place)
        if position == 0 and isinstance(factor, Number) and piece.level == _SUM and "/" not in piece.tex:
            shown, level = piece.tex, _SUM  # a leading minus needs no brackets of its own
        else:
            shown = _at_least(piece, _PRODUCT)
        if piece.open_ended and position < last:
            shown = _closed(factor, piece, place)
        text += _times(text, shown) + shown
    return _Piece(text, level, open_ended=piece.open_ended)


def _closed(factor: Expression, piece: _Piece, place: _Place) -> str:
    """An open-ended factor that more factors follow: brackets say where it ends."""
    match factor:
        case Apply(operator, (argument,)) if operator in _FUNCTIONS:
            return f"{_FUNCTIONS[operator]}{_fenced(_piece(argument, place).tex, '(', ')', tight=True)}"
        case _:
            return _fenced(piece.tex, "(", ")")


def _times(left: str, right: str) -> str:
    r"""What stands between two factors: nothing where that is clear, else a space or ``\cdot``."""
    if not left:
        return ""
    numeric_left = re.search(r"(?:^|[\d}])$", left) is not None and re.search(r"(\d|\\frac\{\d+\}\{\d+\})$", left)
    if right[0].isdigit() or (numeric_left and re.match(r"\\frac\{\d", right)):
        return r" \cdot "
    if r"\mathrm" in left[-40:] or right.startswith(r"\mathrm"):
        return r" \, "
    if right[0] in "([" or right.startswith((r"\left(", r"\left[")):
        return "" if right[0] == "(" else r" \, "
    if left[-1].isdigit() and not numeric_left:
        return " "
    return "" if left.isdigit() else " "


def _quotient(numerator: Expression, denominator: Expression, place: _Place) -> _Piece:
    above, below = _piece(numerator, place), _piece(denominator, place)
    if place.script:
        signed = isinstance(numerator, Apply) and numerator.operator == "negate" and "/" not in above.tex
        shown = above.tex if signed else _at_least(above, _PRODUCT)
        return _Piece(f"{shown}/{_at_least(below, _POWER)}", _SUM if signed else _RATIO)
    return _Piece(rf"\frac{{{above.tex}}}{{{below.tex}}}", _ATOM)


def _power(base: Expression, exponent: Expression, place: _Place) -> _Piece:
    above = _piece(exponent, replace(place, script=True)).tex
    match base:
        case Apply(operator, (argument,)) if operator in _FUNCTIONS and operator != "gamma" and above.isdigit():
            inner = _fenced(_piece(argument, place).tex, "(", ")", tight=True)
            return _Piece(f"{_FUNCTIONS[operator]}^{{{above}}}{inner}", _POWER)
    piece = _piece(base, place)
    # Fractions hold together, but a raised exponent would seem to belong to the numerator.
    plain = piece.level == _ATOM and not piece.tex.startswith(r"\frac") and not re.search(r"[\^']", piece.tex)
    shown = piece.tex if plain else _fenced(piece.tex, "(", ")")
    return _Piece(f"{shown}^{{{above}}}", _POWER)


def _exponential(argument: Expression, place: _Place) -> _Piece:
    small = _piece(argument, replace(place, script=True)).tex
    if len(small) <= _SHORT_EXPONENT and not _TALL.search(small):
        return _Piece(f"e^{{{small}}}", _POWER)
    return _Piece(rf"\exp{_fenced(_piece(argument, place).tex, '(', ')', tight=True)}", _ATOM)


def _function(name: str, argument: Expression, inner: _Piece) -> _Piece:
    if name == _FUNCTIONS["gamma"]:  # a letter, which would seem to be a factor
        return _Piece(f"{name}{_fenced(inner.tex, '(', ')', tight=True)}", _ATOM)
    if isinstance(argument, Symbol) and "(" not in inner.tex:
        return _Piece(f"{name} {inner.tex}", _PRODUCT, open_ended=True)
    if inner.tex.startswith(r"\frac{") and inner.level == _ATOM:
        return _Piece(f"{name} {inner.tex}", _PRODUCT, open_ended=True)
    return _Piece(f"{name}{_fenced(inner.tex, '(', ')', tight=True)}", _ATOM)


def _at_least(piece: _Piece, level: int) -> str:
    return piece.tex if piece.level >= level else _fenced(piece.tex, "(", ")")


def _fenced(inside: str, left: str, right: str, *, tight: bool = False) -> str:
    """Brackets around LaTeX, growing only where the inside is tall; ``tight`` after a function name."""
    if not _TALL.search(inside):
        return f"{left}{inside}{right}"
    return rf"{chr(92) + '!' if tight else ''}\left{left}{inside}\right{right}"


def interval_latex(interval: Interval) -> Tex:
    """Typeset an interval such as ``(0, 1]``, or the whole numbers in one, such as ``{0, 1, ...}``."""
    if interval.whole:
        return Tex(rf"\{{{', '.join(interval.listed(chr(92) + 'dots'))}\}}")
    left = "[" if interval.lower_closed else "("
    right = "]" if interval.upper_closed else ")"
    low = r"-\infty" if interval.lower is None else _number(interval.lower, _Place(script=True)).tex
    high = r"\infty" if interval.upper is None else _number(interval.upper, _Place(script=True)).tex
    return Tex(f"{left}{low}, {high}{right}")


def domain_latex(symbol: Symbol) -> Tex:
    r"""Typeset a symbol with its domain, such as ``x \in (0, 1)``."""
    if symbol.domain.lower is None and symbol.domain.upper is None:
        return Tex(rf"{symbol_latex(symbol)} \in \mathbb{{R}}")
    return Tex(rf"{symbol_latex(symbol)} \in {interval_latex(symbol.domain)}")


def function_latex(function: UnknownFunction) -> Tex:
    r"""Typeset an unknown function with its sets, such as ``f\colon \mathbb{R} \to [0, 1]``."""
    sets = (function.on, function.values)
    start, end = (r"\mathbb{R}" if one.is_whole_line else interval_latex(one) for one in sets)
    return Tex(rf"{function.latex}\colon {start} \to {end}")
