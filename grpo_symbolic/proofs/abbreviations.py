"""Goals with letters for what is repeated or nested in them, and reasons for these with the letters put back.

Of a letter only the range of what it stands for is known; so what is shown for all its values holds for the one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TypeVar

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, rebuild, substitute, walk
from grpo_symbolic.language.statement import Relation, Statement, expressions_of, map_expressions
from grpo_symbolic.proofs.goal import Goal
from grpo_symbolic.proofs.reason import Along, Put, Reason
from grpo_symbolic.translate.ranges import WHOLE_LINE, range_on_domain

FUNCTIONS = frozenset(("exp", "log", "sqrt", "cosh", "sinh", "tanh"))
#: More letters are no help, and shorter expressions need none.
_MOST, _LONGEST_NUMBER = 8, 10**6
T = TypeVar("T")


def abbreviated(goal: Goal) -> Iterator[tuple[Goal, dict[Symbol, Expression]]]:
    """A goal in other letters, and what these stand for: what is repeated, arguments of functions, all functions."""
    parts: tuple[Statement, ...] = (goal.relation, *goal.hypotheses)
    sides = [side for part in parts for side in expressions_of(part)]
    seen = set[Statement]()
    for chosen in (_repeated(sides), _arguments(sides), _functions(sides)):
        letters = {one: _letter(place, one) for place, one in enumerate(chosen[:_MOST])}
        put = partial(_with_letters, letters=letters)
        relation = map_expressions(goal.relation, put)
        if letters and isinstance(relation, Relation) and relation not in seen:
            seen.add(relation)
            hypotheses = tuple(map_expressions(one, put) for one in goal.hypotheses)
            yield Goal(hypotheses, relation), {letter: one for one, letter in letters.items()}


def has_functions(expression: Expression) -> bool:
    """Whether an exponential, a root or the like occurs."""
    return any(isinstance(node, Apply) and node.operator in FUNCTIONS for node in walk(expression))


def is_strange(expression: Expression) -> bool:
    """Whether something occurs that is no matter of polynomials and roots."""
    return any(isinstance(node, Apply) and node.operator in FUNCTIONS - {"sqrt"} for node in walk(expression))


def _repeated(sides: list[Expression]) -> list[Expression]:
    """The longest expressions with functions in them that occur more than once."""
    nodes = (node for side in sides for node in walk(side))
    counts: Counter[Expression] = Counter(node for node in nodes if isinstance(node, Apply) and has_functions(node))
    often = [node for node, count in counts.items() if count > 1]
    inner = {child for node in often for below in node.children for child in walk(below)}
    # What occurs more often than the longer one in which it does is worth a letter of its own.
    return [node for node in often if node not in inner or counts[node] > max(_around(node, often, counts))]


def _around(node: Expression, others: Sequence[Expression], counts: Counter[Expression]) -> list[int]:
    return [sum(one == node for one in walk(other)) * counts[other] for other in others if other is not node] or [0]


def _arguments(sides: list[Expression]) -> list[Expression]:
    """Arguments of functions that have functions in them, without their signs."""
    nodes = (node for side in sides for node in walk(side) if isinstance(node, Apply) and node.operator in FUNCTIONS)
    found = dict.fromkeys(_unsigned(node.operands[0]) for node in nodes)
    return [one for one in found if has_functions(one) and one not in _inside(found)]


def _unsigned(expression: Expression) -> Expression:
    match expression:
        case Apply("negate", (inner,)) | Apply("multiply" | "divide", (inner, Number())):
            return _unsigned(inner)
    return expression


def _functions(sides: list[Expression]) -> list[Expression]:
    nodes = (node for side in sides for node in walk(side))
    found: dict[Expression, None] = dict.fromkeys(
        node for node in nodes if isinstance(node, Apply) and node.operator in FUNCTIONS
    )
    return [one for one in found if one not in _inside(found)]


def _inside(found: Iterable[Expression]) -> set[Expression]:
    return {child for one in found for below in one.children for child in walk(below)}


def _letter(place: int, expression: Expression) -> Symbol:
    domain = range_on_domain(expression) or WHOLE_LINE
    lower, upper = domain.lower, domain.upper
    # Of ends with many digits only the signs are of use.
    lower = Fraction(0) if lower is not None and lower > 0 and _is_long(lower) else lower
    upper = Fraction(0) if upper is not None and upper < 0 and _is_long(upper) else upper
    rounded = Interval(
        None if lower is None or _is_long(lower) else lower,
        None if upper is None or _is_long(upper) else upper,
        lower is not None and lower == domain.lower and domain.lower_closed,
        upper is not None and upper == domain.upper and domain.upper_closed,
    )
    return Symbol(f"letter {place}", rounded, "", f"l_{place}")


def _is_long(number: Fraction) -> bool:
    return max(abs(number.numerator), number.denominator) > _LONGEST_NUMBER


def _with_letters(expression: Expression, letters: dict[Expression, Symbol]) -> Expression:
    if expression in letters:
        return letters[expression]
    children = tuple(_with_letters(child, letters) for child in expression.children)
    return rebuild(expression, children) if children != expression.children else expression


def with_values(reason: Reason, values: dict[Symbol, Expression]) -> Reason:
    """A reason with what letters stand for in their places.

    Raises:
        UnsupportedError: if it puts something else in the place of a letter, or goes along its interval.
    """
    return _back(reason, values)


def _back(part: T, values: dict[Symbol, Expression]) -> T:
    match part:
        case Put(_, given, _) if any(symbol in values for symbol, _ in given):
            raise UnsupportedError("a letter has a value already")
        case Along(_, symbol) if symbol in values:
            raise UnsupportedError("no stretches of a letter")
        case Expression():
            return substitute(part, values)  # type: ignore[return-value]
        case tuple():
            return tuple(_back(one, values) for one in part)  # type: ignore[return-value]
    if is_dataclass(part) and not isinstance(part, type):
        made: T = replace(part, **{one.name: _back(getattr(part, one.name), values) for one in fields(part)})
        return made
    return part
