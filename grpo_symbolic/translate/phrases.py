"""The parts of a sentence about a composite statement: words, and mathematics that is typeset between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.language.nearby import (
    Converges,
    EveryCycle,
    EveryIterate,
    FixedPoint,
    LocalExtremum,
    Nearby,
    SomeZero,
)
from grpo_symbolic.language.sequences import (
    InTheLimit,
    LimitSuperior,
    MonotoneLimit,
    OfSequences,
    SequenceLimit,
    Supposed,
)
from grpo_symbolic.language.statement import Statement, eq, ge, le, lt
from grpo_symbolic.language.unknown import ForEvery
from grpo_symbolic.language.vocabulary import absolute
from grpo_symbolic.translate.formula import Tex, domain_latex, symbol_latex


@dataclass(frozen=True)
class Maths:
    """Finished mathematics in a sentence, such as ``x \\to 0``."""

    tex: Tex


#: A part of a sentence: words, or a statement, an expression or finished LaTeX to be set as mathematics.
Phrase = str | Statement | Expression | Maths


def sequence(items: Sequence[Sequence[Phrase]], comma: str = "; ") -> list[Phrase]:
    """Sentences one after the other; with the comma of a list, the last one after "and"."""
    parts: list[Phrase] = []
    for position, item in enumerate(items):
        if position:
            parts.append(" and " if comma == ", " and position == len(items) - 1 else comma)
        parts += item
    return parts


def in_domain(symbol: Symbol) -> Maths:
    """The symbol with its domain."""
    return Maths(domain_latex(symbol))


def without_zero(difference: Expression) -> Expression:
    """``x - 0`` as ``x``: these differences are ours, not typed by anybody."""
    match difference:
        case Apply("subtract", (left, Number(value))) if value == 0:
            return left
        case _:
            return difference


def of_nearby(statement: Nearby) -> list[Phrase]:
    """Say a statement about what is near a point or about iterations, with the reason that it names."""
    match statement:
        case FixedPoint():
            return _of_fixed_point(statement)
        case LocalExtremum():
            return _of_local_extremum(statement)
        case Converges():
            return _of_convergence(statement)
        case SomeZero():
            return _of_some_zero(statement)
        case EveryCycle():
            return _of_every_cycle(statement)
        case EveryIterate():
            return _of_every_iterate(statement)


def _of_fixed_point(statement: FixedPoint) -> list[Phrase]:
    count = len(statement.variables)
    variables, steps = _names(statement.variables), sequence([[step] for step in statement.steps], ", ")
    start: list[Phrase] = ["under steps from ", *variables, " to "]
    if statement.flow:
        start = ["where ", *variables, " changes" if count == 1 else " change", " at the rate ", *steps]
    elif statement.successors:
        equations = sequence([[eq(step, 0)] for step in statement.steps], ", ")
        start += [*_names(statement.successors), " nearby with ", *equations]
    else:
        start += steps
    point: list[Phrase] = [f", the {'rest' if statement.flow else 'fixed'} point ", *_point(statement)]
    return [*start, *point, f" {statement.effect}: {statement.reason}"]


def _names(symbols: Sequence[Symbol]) -> list[Phrase]:
    return sequence([[in_domain(symbol)] for symbol in symbols], ", ")


def _point(statement: FixedPoint | LocalExtremum) -> list[Phrase]:
    """The coordinates of the point, each with its variable if the two differ."""
    pairs = zip(statement.variables, statement.at, strict=True)
    return sequence([[symbol if symbol == value else eq(symbol, value)] for symbol, value in pairs], ", ")


def _of_local_extremum(statement: LocalExtremum) -> list[Phrase]:
    """Where an extremum is, and why it is one."""
    kind, sign = ("minimum", "positive") if statement.minimum else ("maximum", "negative")
    many = len(statement.variables) > 1
    why = f"it is stationary there, and its second derivative is {sign}" + (" in all directions" if many else "")
    return [
        statement.expression,
        " over ",
        *_names(statement.variables),
        f" has a strict local {kind} at ",
        *_point(statement),
        f": {why}",
    ]


def _of_convergence(statement: Converges) -> list[Phrase]:
    """Where iterates go, from where, and why."""
    symbol = statement.symbol
    start: list[Phrase] = ["steps from ", in_domain(symbol)]
    if statement.within is not None:
        start += [" with ", lt(_distance(symbol, statement.to), statement.within)]
    nearer = lt(_distance(statement.step, statement.to), _distance(symbol, statement.to))
    why: list[Phrase] = [", to which each one from elsewhere leads nearer: ", nearer]
    return [*start, " to ", statement.step, " converge to ", statement.to, *why]


def _distance(first: Expression, second: Expression) -> Expression:
    return absolute(without_zero(first - second))


def _of_some_zero(statement: SomeZero) -> list[Phrase]:
    """Between which points a zero is, and why."""
    before, after = ("negative", "positive") if statement.rising else ("positive", "negative")
    ends: list[Phrase] = [statement.below, " and ", statement.above]
    why: list[Phrase] = [f", for it is {before} at the first one and {after} at the second one"]
    return [statement.expression, " vanishes for some ", in_domain(statement.symbol), " between ", *ends, *why]


def _of_every_cycle(statement: EveryCycle) -> list[Phrase]:
    """Where the cycles are, and why."""
    symbol, low, middle, high = statement.symbol, statement.lower, statement.middle, statement.upper
    steps: list[Phrase] = ["steps from ", in_domain(symbol), " to ", statement.step, " have cycles of every length"]
    goes = [([low], ge(symbol, high)), ([middle], lt(symbol, low)), ([high], ge(symbol, middle))]
    why = sequence([["from ", *start, " one leads to some ", place] for start, place in goes], ", ")
    return [*steps, " between ", low, " and ", high, ", for ", *why]


def _of_every_iterate(statement: EveryIterate) -> list[Phrase]:
    """From where which steps are taken, what they keep, and why that is enough."""
    counted = statement.counted
    if counted is not None:
        base = eq(counted, statement.start[0])
        step: list[Phrase] = [statement.steps[0], " wherever it holds for ", counted]
        said: list[Phrase] = [statement.kept, " for every ", in_domain(counted), ": it holds for ", base]
        for factor, shift in statement.changes:
            terms: list[Phrase] = [" times what it was, and more by how ", shift, " grows to the next term"]
            step += ["; at the next number a term is ", factor, *terms]
        return [*said, ", and for ", *step]
    begin = sequence(
        [[eq(symbol, value)] for symbol, value in zip(statement.variables, statement.start, strict=True)], ", "
    )
    steps = sequence([[step] for step in statement.steps], ", ")
    moves: list[Phrase] = [
        "from ",
        *begin,
        " on, any number of steps from ",
        *_names(statement.variables),
        " to ",
        *steps,
    ]
    if statement.where is not None:
        values = [[eq(symbol, value)] for symbol, value in statement.such_as]
        moves += [" with ", statement.where, *([" (such as ", *sequence(values, ", "), ")"] if values else [])]
    stay = "" if all(symbol.domain.is_whole_line for symbol in statement.variables) else " stay there and"
    why = ", which holds at the start, and after a step from wherever it holds"
    return [*moves, f"{stay} keep ", statement.kept, why]


def of_sequences(statement: OfSequences) -> list[Phrase]:
    """Say a statement about the limit of a sequence, with the reason that it names."""
    grows: list[Phrase] = [" as ", Maths(Tex(rf"{symbol_latex(statement.symbol)} \to \infty"))]
    every: list[Phrase] = ["for every ", statement.symbol]
    match statement:
        case SequenceLimit(term, _, to, by):
            said: list[Phrase] = [term, " tends to ", to, *grows]
            if by is None:
                return [*said, *such_as(statement)]
            return [*said, ": ", *every, " ", le(_distance(term, to), by), ", which tends to ", Number(Fraction(0))]
        case LimitSuperior(term, _, most, by, where):
            said = ["the limit superior of ", term, *grows, " is at most ", most]
            why: list[Phrase] = [le(term, by), ", and the limit of the latter is at most ", most]
            if where is None:
                return [*said, ": ", *every, " ", *why]
            return [*said, " if, ", *every, " and some values of its other letters, ", where, ": then ", *why]
        case InTheLimit(conclusion, _, because):
            return [conclusion, ": ", *every, " ", because, ", which passes on to the limits", *grows]
        case MonotoneLimit(term, _, bound, rising):
            never, within = ("falls", le(term, bound)) if rising else ("rises", ge(term, bound))
            return [term, " has a limit", *grows, f": it never {never}, and ", *every, " ", within]


def such_as(statement: Supposed) -> list[Phrase]:
    """The examples of what is supposed, and where they are like it."""
    if not statement.such_as:
        return []
    shown = sequence([[item] for item in statement.shown_examples], ", ")
    if isinstance(statement, ForEvery) and statement.where is not None:
        shown += [" where ", statement.where]
    return [" (such as ", *shown, ")"]
