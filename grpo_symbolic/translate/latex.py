r"""Typeset statements as LaTeX; ``formula.py`` does the same for expressions.

Relations and their Boolean combinations become pure mathematics. Composite statements, which speak
about a whole interval, become a sentence: words with ``$...$`` between them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.composites import (
    Existence,
    Extremum,
    Impossible,
    Limit,
    Monotone,
    Summed,
    TermOfTotal,
    UniqueRoot,
    UniqueZero,
    Zeros,
)
from grpo_symbolic.language.expression import (
    Expression,
    Total,
    as_expression,
)
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.indexed import index_set_of, sets_summed
from grpo_symbolic.language.nearby import Converges, EveryCycle, EveryIterate, FixedPoint, LocalExtremum, SomeZero
from grpo_symbolic.language.sequences import InTheLimit, LimitSuperior, MonotoneLimit, SequenceLimit
from grpo_symbolic.language.statement import (
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    eq,
    expressions_of,
    ge,
    is_elementary,
    le,
    lt,
)
from grpo_symbolic.language.unknown import ForEvery
from grpo_symbolic.language.vocabulary import absolute, sqrt
from grpo_symbolic.translate.formula import Tex, domain_latex, expression_latex, symbol_latex
from grpo_symbolic.translate.phrases import (
    Maths,
    Phrase,
    in_domain,
    of_nearby,
    of_sequences,
    sequence,
    such_as,
    without_zero,
)

__all__ = ["Maths", "Phrase", "Tex", "domain_latex", "expression_latex", "sentence", "statement_latex", "symbol_latex"]

_NUMERALS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
RELATIONS = {"=": "=", "!=": r"\neq", "<": "<", "<=": r"\leq", ">": ">", ">=": r"\geq"}


def statement_latex(statement: Statement) -> Tex:
    """Typeset a statement: pure mathematics if it is elementary, else a sentence with ``$...$`` in it."""
    if is_elementary(statement):
        return Tex(_elementary(statement))
    return Tex("".join(part if isinstance(part, str) else f"${phrase_latex(part)}$" for part in sentence(statement)))


def phrase_latex(part: Statement | Expression | Maths) -> Tex:
    """Typeset the mathematics in a sentence, without delimiters."""
    if isinstance(part, Maths):
        return part.tex
    return expression_latex(part) if isinstance(part, Expression) else Tex(_elementary(part))


def _elementary(statement: Statement) -> str:
    match statement:
        case Relation(left, operator, right):
            return f"{expression_latex(left)} {RELATIONS[operator]} {expression_latex(right)}"
        case All(parts):
            return _listed([_grouped(part, Any, Implies, Equivalent) for part in _between(parts)], "and")
        case Any(parts):
            return _listed([_grouped(part, All, Implies, Equivalent) for part in parts], "or")
        case Implies(premise, conclusion):
            return rf"{_grouped(premise, Implies, Equivalent)} \implies {_grouped(conclusion, Implies, Equivalent)}"
        case Equivalent(left, right):
            return rf"{_grouped(left, Implies, Equivalent)} \iff {_grouped(right, Implies, Equivalent)}"
    raise UnsupportedError(f"{type(statement).__name__} is not elementary: {statement}")


@dataclass(frozen=True)
class _Between(Statement):
    """Two bounds of one expression, to be typeset as ``low < expression < high``."""

    low: Expression
    lower: str
    middle: Expression
    upper: str
    high: Expression


def _between(parts: Sequence[Statement]) -> list[Statement]:
    """Join neighbouring bounds of the same expression."""
    joined: list[Statement] = []
    for part in parts:
        match joined[-1] if joined else None, part:
            case Relation(middle, ">" | ">=" as lower, low), Relation(same, "<" | "<=" as upper, high) if (
                middle == same
            ):
                joined[-1] = _Between(low, lower.replace(">", "<"), middle, upper, high)
            case Relation(low, "<" | "<=" as lower, middle), Relation(same, "<" | "<=" as upper, high) if (
                middle == same
            ):
                joined[-1] = _Between(low, lower, middle, upper, high)
            case _:
                joined.append(part)
    return joined


def _grouped(statement: Statement, *kinds: type[Statement]) -> str:
    if isinstance(statement, _Between):
        low, middle, high = (expression_latex(item) for item in (statement.low, statement.middle, statement.high))
        return f"{low} {RELATIONS[statement.lower]} {middle} {RELATIONS[statement.upper]} {high}"
    text = _elementary(statement)
    return rf"\left[{text}\right]" if isinstance(statement, kinds) else text


def _listed(items: Sequence[str], word: str) -> str:
    if not items:
        return r"\text{true}" if word == "and" else r"\text{false}"
    if len(items) == 1:
        return items[0]
    comma = r",\ "
    return rf"{comma.join(items[:-1])} \text{{ {word} }} {items[-1]}"


def sentence(statement: Statement) -> list[Phrase]:
    """Say a statement in words and mathematics; an elementary statement is mathematics alone.

    The parts of the sentence are kept apart so that a page can display the long ones.
    """
    if is_elementary(statement):
        return [statement]
    match statement:
        case All(parts):
            return sequence([sentence(part) for part in parts])
        case Implies(premise, conclusion) if is_elementary(premise):
            return ["if ", premise, ", then ", *sentence(conclusion)]
        case Monotone(expression, symbol, rising):
            kind = "increasing" if rising else "decreasing"
            return [expression, f" is strictly {kind} in ", in_domain(symbol)]
        case UniqueRoot(symbol, condition, root):
            return [root, " is the only ", in_domain(symbol), " with ", condition]
        case _ if type(statement) in _SENTENCES:
            return _SENTENCES[type(statement)](statement)
        case TermOfTotal(body):
            return [ge(body, 0), *_everywhere(index_set_of(statement)), ", so ", le(body, Total(body))]
        case ForEvery(symbol, body):
            return ["for every ", in_domain(symbol), " ", body, *such_as(statement)]
        case Impossible(condition):
            return ["it is impossible that ", condition]
        case Existence(inner, at):
            values = [[eq(symbol, value)] for symbol, value in at]
            return [*sentence(inner), " at ", *sequence(values, ", ")]
    raise UnsupportedError(f"no words for {type(statement).__name__}: {statement}")


def _summed(statement: Summed) -> list[Phrase]:
    summands = (*expressions_of(statement.premise), statement.weight)
    among = sets_summed(summands, statement.conclusion) or (index_set_of(statement),)
    first: list[Phrase] = ["if ", statement.premise, *_everywhere(*among), ", then ", statement.conclusion]
    every = f"sum over all {' and '.join(over.elements for over in among)}"
    if statement.weight == as_expression(1):
        return [*first, f" ({every})"]
    return [*first, " (multiply by ", statement.weight, f" and {every})"]


def _everywhere(*among: IndexSet) -> list[Phrase]:
    named = [(f"{over.element} ", Maths(Tex(over.letter))) for over in among]
    return [" for every ", *named[0], *(part for one in named[1:] for part in (" and ", *one))]


def _limit(statement: Limit) -> list[Phrase]:
    symbol = symbol_latex(statement.symbol)
    goal = r"\infty" if statement.side == "oo" else expression_latex(statement.point)
    arrow = {"+": r"\downarrow", "-": r"\uparrow", "oo": r"\to"}[statement.side]
    distance = without_zero(statement.distance)
    if statement.value is None:
        value, bound = (
            Maths(Tex(r"\infty")),
            ge(statement.expression, _rate(statement.constant, distance, -statement.exponent)),
        )
    else:
        value = Maths(expression_latex(statement.value))
        gap = absolute(without_zero(statement.expression - statement.value))
        bound = le(gap, _rate(statement.constant, distance, statement.exponent))
    parts: list[Phrase] = [statement.expression, " tends to ", value, " as ", Maths(Tex(f"{symbol} {arrow} {goal}"))]
    if statement.near is None:
        return [*parts, ", at the rate ", bound]
    return [*parts, ", at the rate ", bound, " for ", All((lt(0, distance), le(distance, statement.near)))]


def _rate(constant: Expression, distance: Expression, exponent: Fraction) -> Expression:
    power = distance if abs(exponent) == 1 else distance ** abs(exponent)
    if abs(exponent) == Fraction(1, 2):
        power = sqrt(distance)
    return constant / power if exponent < 0 else constant * power


def _unique_zero(statement: UniqueZero) -> list[Phrase]:
    kind = "increasing" if statement.increasing else "decreasing"
    parts: list[Phrase] = [statement.expression, " vanishes at exactly one ", in_domain(statement.symbol)]
    bounds: list[Statement] = []
    if statement.lower is not None:
        bounds.append(lt(statement.lower, statement.symbol))
    if statement.upper is not None:
        bounds.append(lt(statement.symbol, statement.upper))
    if bounds:
        parts += [" with ", All(tuple(bounds))]
    zero: list[Phrase] = [", between ", statement.below, " and ", statement.above]
    return [*parts, *zero, f": it is strictly {kind} there and changes its sign"]


def _extremum(statement: Extremum) -> list[Phrase]:
    before, after = ("decreasing", "increasing") if statement.minimum else ("increasing", "decreasing")
    kind, domain = "minimum" if statement.minimum else "maximum", in_domain(statement.symbol)
    place = eq(statement.symbol, statement.at)
    over: list[Phrase] = [statement.expression, f" has its {kind} over ", domain, " exactly at ", place]
    if not statement.sloped:
        return over
    return [*over, f": it is strictly {before} before that point and strictly {after} after it"]


def _zeros(statement: Zeros) -> list[Phrase]:
    count = len(statement.brackets)
    one, first, each = (", one ", "the first", "at each") if count > 1 else (", ", "it", "there")
    places = sequence([["between ", low, " and ", high] for low, high in statement.brackets], ", ")
    sign = "negative" if statement.rising else "positive"
    start: list[Phrase] = [statement.expression, f" vanishes at exactly {_NUMERALS.get(count, str(count))} "]
    end: list[Phrase] = [f"; it is {sign} before {first} and changes its sign {each}"]
    return [*start, in_domain(statement.symbol), one, *places, *end]


#: What says the statements that need more than a line.
_SENTENCES: Mapping[type[Statement], Callable[..., list[Phrase]]] = {
    Limit: _limit,
    UniqueZero: _unique_zero,
    Zeros: _zeros,
    Extremum: _extremum,
    Summed: _summed,
    **dict.fromkeys((FixedPoint, LocalExtremum, Converges, SomeZero, EveryCycle, EveryIterate), of_nearby),
    **dict.fromkeys((SequenceLimit, LimitSuperior, InTheLimit, MonotoneLimit), of_sequences),
}
