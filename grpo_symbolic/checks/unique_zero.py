"""The digits of unique zeros, by interval Newton. Nothing rests on them.

That there is exactly one zero is decided by the obligations into which such a statement expands. Where they are about
numbers only, the zero between the two points of the statement can be enclosed as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from grpo_symbolic.checks.enclosure import METHOD
from grpo_symbolic.checks.newton import Zero, enclose_zero
from grpo_symbolic.errors import CheckError, UndefinedError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.composites import Existence, UniqueZero, Zeros
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import All, Statement, is_elementary
from grpo_symbolic.obligations.composites import zeros_in_brackets
from grpo_symbolic.obligations.expansion import instantiated
from grpo_symbolic.translate.balls import as_fraction, exact, precision
from grpo_symbolic.translate.values import Value, ValueFunction, is_exact

#: What the evidence is about, as the last part of its label.
LABEL = "the zero between the two points"

_DIGITS = 20
#: Enough to subtract a zero from an end that is as close to it as exp(-1000).
_PRINTING_BITS = 2048


def zeros(statement: Statement, prefix: str = "") -> Iterator[Evidence]:
    """The zeros that a statement is about, enclosed; none of a function that depends on other symbols, or has kinks."""
    match statement:
        case UniqueZero():
            found = _enclosed(statement)
            if found is not None:
                zero, place = found
                note = f"interval Newton: N(X) lies inside X of radius {zero.radius}, zero {place}"
                yield Evidence(METHOD, Verdict.SUPPORTED, prefix + LABEL, note, zero=place)
        case Zeros():
            unfolded = replace(statement, expression=unfold(statement.expression))
            for number, one in enumerate(zeros_in_brackets(unfolded), start=1):
                yield from zeros(one, f"{prefix}zero {number}: ")
        case All(parts):
            for number, part in enumerate(parts, start=1):
                yield from zeros(part, f"{prefix}part {number}: ")
        case Existence(inner, at) if not is_elementary(inner):
            yield from zeros(instantiated(inner, {symbol: unfold(value) for symbol, value in at}), prefix)


def _enclosed(statement: UniqueZero) -> tuple[Zero, str] | None:
    """The zero of one statement and its digits; None where interval Newton does not find any, or turned."""
    try:
        below, above = _number(statement.below), _number(statement.above)
        if below >= above or below not in statement.symbol.domain or above not in statement.symbol.domain:
            return None
        zero = enclose_zero(unfold(statement.expression), statement.symbol, below, above, _DIGITS)
    except (CheckError, UnsupportedError, UndefinedError):
        return None
    return (zero, _text(zero.enclosure, below, above)) if zero.increasing is statement.increasing else None


def _number(expression: Expression) -> Fraction:
    """The exact value of a constant.

    Raises:
        UndefinedError: if it has no value.
        UnsupportedError: if it depends on a symbol or is not known to be rational.
    """
    value = ValueFunction(unfold(expression), ())(())
    if not is_exact(value):
        raise UnsupportedError(f"{expression} is not known to be rational")
    return as_fraction(value)


def _text(zero: Value, below: Fraction, above: Fraction) -> str:
    """The digits of an enclosure; of the distance to an end of the bracket where that is short."""
    with precision(_PRINTING_BITS):
        short = exact((above - below) / 10**5)
        for end, sign, distance in ((above, "-", exact(above) - zero), (below, "+", zero - exact(below))):
            if distance < short and end != 0:
                return f"{end} {sign} {distance.str(_DIGITS)}"
        return str(zero.str(_DIGITS))
