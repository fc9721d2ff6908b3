"""Unique zeros by interval Newton: numbers only, and then with the digits of the zero. Awards DECIDED.

The derivative is seen to have one sign on all of the interval, and the Newton operator shows that there is a zero
between the two points of the statement.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from time import perf_counter

from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.enclosure import METHOD
from grpo_symbolic.checks.newton import Zero, enclose_zero
from grpo_symbolic.errors import CheckError, UndefinedError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.composites import Instance, UniqueZero, Zeros
from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.language.statement import All, Statement, is_elementary
from grpo_symbolic.obligations.composites import ZERO_LABELS, zeros_in_brackets
from grpo_symbolic.obligations.expansion import instantiated
from grpo_symbolic.translate.balls import BallFunction, Value, as_fraction, exact, is_exact, precision

#: What the evidence is about, as the last part of its label.
LABEL = "exactly one zero"
_IN_BRACKET = f"{LABEL} between the two points"

_DIGITS = 20
#: Enough to subtract a zero from an end that is as close to it as exp(-1000).
_PRINTING_BITS = 2048


def check(statement: Statement, prefix: str = "") -> Iterator[tuple[str, Evidence]]:
    """Look at the unique zeros in a statement: the label of every obligation that is settled, with the evidence.

    These are all obligations of the zero, or the signs at its two points where the interval is unbounded or balls
    do not see the derivative's sign on all of it. Nothing is said of a zero that depends on other symbols.
    """
    match statement:
        case UniqueZero():
            started = perf_counter()
            found = _certify(statement)
            if found is not None:
                label, verdict, note, place = found
                seconds = perf_counter() - started
                make = award if verdict is Verdict.DECIDED else Evidence
                evidence = make(
                    METHOD, verdict, prefix + label, f"interval Newton: {note}", seconds=seconds, zero=place
                )
                for settled in ZERO_LABELS if label == LABEL else ZERO_LABELS[2:]:
                    yield prefix + settled, evidence
        case Zeros():
            for number, zero in enumerate(
                zeros_in_brackets(replace(statement, expression=unfold(statement.expression))), start=1
            ):
                yield from check(zero, f"{prefix}zero {number}: ")
        case All(parts):
            for number, part in enumerate(parts, start=1):
                yield from check(part, f"{prefix}part {number}: ")
        case Instance(inner, at) if not is_elementary(inner):
            yield from check(instantiated(inner, {symbol: unfold(value) for symbol, value in at}), prefix)


def _certify(statement: UniqueZero) -> tuple[str, Verdict, str, str | None] | None:
    """Label, verdict, note and where the zero lies, for one statement; None if it is not about numbers only."""
    symbol, domain = statement.symbol, statement.symbol.domain
    try:
        below, above = _number(statement.below), _number(statement.above)
        lower = domain.lower if statement.lower is None else _number(statement.lower)
        upper = domain.upper if statement.upper is None else _number(statement.upper)
        body = unfold(statement.expression)
        if not _well_placed(statement, lower, below, above, upper):
            return LABEL, Verdict.UNDECIDED, "the points do not lie in the interval", None
        label, zero = _enclose(body, symbol, (below, above), (lower, upper))
    except (UnsupportedError, UndefinedError):
        return None
    except CheckError as error:
        return LABEL, Verdict.UNDECIDED, str(error), None
    if zero.increasing is not statement.increasing:
        return LABEL, Verdict.UNDECIDED, "the derivative has the other sign", None
    place = _text(zero.enclosure, below, above)
    return label, Verdict.DECIDED, f"N(X) lies inside X of radius {zero.radius}, zero {place}", place


def _enclose(
    body: Expression,
    symbol: Symbol,
    points: tuple[Fraction, Fraction],
    ends: tuple[Fraction | None, Fraction | None],
) -> tuple[str, Zero]:
    """The zero in an interval if the derivative has one sign there, otherwise between two points, with its label."""
    lower, upper = ends
    if lower is not None and upper is not None:
        try:
            return LABEL, enclose_zero(body, symbol, *points, _DIGITS, throughout=(lower, upper))
        except CheckError:
            if points == ends:
                raise
    return _IN_BRACKET, enclose_zero(body, symbol, *points, _DIGITS)


def _number(expression: Expression) -> Fraction:
    """The exact value of a constant.

    Raises:
        UndefinedError: if it has no value.
        UnsupportedError: if it depends on a symbol or is not known to be rational.
    """
    value = BallFunction(unfold(expression), ())(())
    if not is_exact(value):
        raise UnsupportedError(f"{expression} is not known to be rational")
    return as_fraction(value)


def _well_placed(
    statement: UniqueZero, lower: Fraction | None, below: Fraction, above: Fraction, upper: Fraction | None
) -> bool:
    """Whether the bracket lies where the statement says: in the domain, and strictly between stated bounds."""
    domain = statement.symbol.domain
    after = statement.lower is None or lower is None or lower < below
    before = statement.upper is None or upper is None or above < upper
    return after and before and below < above and below in domain and above in domain


def _text(zero: Value, below: Fraction, above: Fraction) -> str:
    """The digits of an enclosure; of the distance to an end of the bracket where that is short."""
    with precision(_PRINTING_BITS):
        short = exact((above - below) / 10**5)
        for end, sign, distance in ((above, "-", exact(above) - zero), (below, "+", zero - exact(below))):
            if distance < short and end != 0:
                return f"{end} {sign} {distance.str(_DIGITS)}"
        return str(zero.str(_DIGITS))
