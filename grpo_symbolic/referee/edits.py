"""Single edits of an expression: what an author may have meant instead of what was typed.

The edits are those of a slip of the pen, likely ones first: a sign, a term, a factor, an exponent, a number, a
symbol, operands the wrong way round, a root, a function, a bracket, an index or end that is one off, and last a term
that stands elsewhere in the formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Apply, Call, Expression, Number, Symbol, rebuild, walk
from grpo_symbolic.referee.bracketing import bracketed_otherwise

_FUNCTIONS = {"cosh": "sinh", "sinh": "cosh", "sin": "cos", "cos": "sin", "maximum": "minimum", "minimum": "maximum"}
_SUMMING = ("add", "subtract", "negate")
#: Most terms of a formula that are tried where one may be lost.
_MOST_TERMS = 16
_ONE, _TWO = Number(Fraction(1)), Number(Fraction(2))
#: Kinds of edits, likely ones first.
ORDER = (
    "sign", "term", "factor", "exponent", "number", "symbol", "order", "root", "function", "bracket", "index",
    "limit", "lost term",
)  # fmt: skip


@dataclass(frozen=True)
class Edit:
    """The expression with one part replaced; ``before`` and ``after`` are that part.

    The part stands at ``path``, and the edit is the one with that ``number`` among those of its node.
    """

    kind: str
    before: Expression
    after: Expression
    whole: Expression
    path: tuple[int, ...] = ()
    number: int = 0


def edits(expression: Expression, symbols: Sequence[Symbol], terms: Sequence[Expression] = ()) -> list[Edit]:
    """All single edits of an expression; likely kinds first, and among them the small ones.

    ``terms`` are what may have been lost from a sum, such as the terms of the other side.
    """
    found = [edit for edit in _edits(expression, symbols, terms) if edit.before != edit.after]
    return sorted(found, key=effort)


def terms_in(*expressions: Expression) -> list[Expression]:
    """The terms of all sums of some expressions, without their signs; an expression by itself is one as well."""
    found: list[Expression] = []
    waiting = list(reversed(expressions))
    while waiting:
        node = waiting.pop()
        summed = isinstance(node, Apply) and node.operator in _SUMMING
        if not summed and len(found) < _MOST_TERMS:
            found.append(node)
        waiting += [one for one in reversed(node.children) if summed or _has_sum(one)]
    return found


def places_of(part: Expression, expression: Expression) -> list[tuple[int, ...]]:
    """Where a part stands in an expression, in reading order: the paths to it."""
    found: list[tuple[int, ...]] = [()] if part == expression else []
    if isinstance(expression, Call) and not expression.arguments:
        return found
    for position, child in enumerate(expression.children):
        found += [(position, *path) for path in places_of(part, child)]
    return found


def edited_alike(
    expression: Expression, edit: Edit, symbols: Sequence[Symbol], terms: Sequence[Expression] = ()
) -> Expression | None:
    """Another instance of the formula with the same edit at the same place; None if there is none such."""
    nodes = [expression]
    for position in edit.path:
        if position >= len(nodes[-1].children):
            return None
        nodes.append(nodes[-1].children[position])
    last = nodes.pop()
    alike = type(last) is type(edit.before)
    if isinstance(last, Apply) and isinstance(edit.before, Apply):
        alike = last.operator == edit.before.operator
    found = list(islice(_here(last, symbols, terms), edit.number, edit.number + 1)) if alike else []
    if not found or found[0][0] != edit.kind:
        return None
    whole = found[0][1]
    for node, position in zip(reversed(nodes), reversed(edit.path), strict=True):
        whole = rebuild(node, (*node.children[:position], whole, *node.children[position + 1 :]))
    return whole


def effort(edit: Edit) -> tuple[int, int]:
    """How unlikely an edit is: its kind, and the size of what it changes."""
    return ORDER.index(edit.kind), _size(edit.before) + _size(edit.after)


def _edits(expression: Expression, symbols: Sequence[Symbol], terms: Sequence[Expression]) -> Iterator[Edit]:
    for number, (kind, after) in enumerate(_here(expression, symbols, terms)):
        yield Edit(kind, expression, after, after, (), number)
    if isinstance(expression, Call) and not expression.arguments:
        return  # an abbreviation is printed as one symbol
    for position, child in enumerate(expression.children):
        if isinstance(expression, Apply) and expression.operator == "power" and position == 1:
            continue  # the exponent is edited together with its power
        # A sum inside of a sum has the same places for a lost term.
        summing = isinstance(expression, Apply) and expression.operator in _SUMMING
        for edit in _edits(child, symbols, () if summing else terms):
            children = (*expression.children[:position], edit.whole, *expression.children[position + 1 :])
            whole = rebuild(expression, children)
            yield Edit(edit.kind, edit.before, edit.after, whole, (position, *edit.path), edit.number)


def _here(
    expression: Expression, symbols: Sequence[Symbol], terms: Sequence[Expression]
) -> Iterator[tuple[str, Expression]]:
    """The edits of a node itself, in an order that depends on nothing but what kind of node it is."""
    yield from _slips(expression, symbols)
    yield from _ends(expression)
    yield from _anywhere(expression)
    yield from (("bracket", other) for other in bracketed_otherwise(expression))
    if terms and not isinstance(expression, Number):
        there = _summands(expression)
        lost = [term for term in terms if term not in there]  # what is there would only be cancelled
        yield from (("lost term", whole) for term in lost for whole in (expression + term, expression - term))


def _slips(expression: Expression, symbols: Sequence[Symbol]) -> Iterator[tuple[str, Expression]]:
    match expression:
        case Number(value):
            yield "factor", Number(2 * value if abs(value) != 1 else value)
            yield "factor", Number(value / 2 if abs(value) != 2 else value)
            yield "number", Number(value + 1)
            yield "number", Number(value - 1)
            yield "function", Number(1 / value if value else value)
            yield "root", Apply("sqrt", (expression,)) if value > 1 else expression
        case Symbol():
            yield from (("symbol", other) for other in symbols)
            yield "symbol", _ONE - expression
            yield "index", expression - _ONE
            yield "index", expression + _ONE
        case Apply("add", (left, right)):
            yield "sign", left - right
            yield "term", left
            yield "term", right
        case Apply("subtract", (left, right)):
            yield "sign", left + right
            yield "term", left
            # 1 - x for x is a wrong letter more than a lost term.
            yield "symbol" if left == _ONE else "term", right
            yield "order", right - left
        case Apply("negate", (inner,)):
            yield "sign", inner
        case Apply("multiply", (left, right)):
            yield "factor", left
            yield "factor", right
            yield "function", left / right
        case Apply("divide", (left, right)):
            yield "factor", left
            yield "order", right / left
            yield "function", left * right
        case Apply("power", (base, Number(exponent))):
            yield "exponent", base if exponent == 2 else base ** (exponent - 1)
            yield "exponent", base ** (exponent + 1)
            yield "exponent", base**-exponent
            yield "exponent", base
        case Apply("sqrt" | "log" | "tanh" | "absolute", (inner,)):
            yield "function", inner
        case Apply("exp", (inner,)):
            yield "sign", Apply("exp", (_turned(inner),))
        case Apply(operator, operands) if operator in _FUNCTIONS:
            yield "function", Apply(_FUNCTIONS[operator], operands)
        case Call(definition, (first, second)):
            yield "order", Call(definition, (second, first))


def _ends(expression: Expression) -> Iterator[tuple[str, Expression]]:
    """The ends of an integral the other way round; a limit from the other side, or at the other end."""
    match expression:
        case Binder("integral", _, _, lower, upper) if lower is not None and upper is not None:
            yield "limit", replace(expression, lower=upper, upper=lower)
        case Binder("limit+" | "limit-" | "limit", _, _, _, upper):
            others = {"limit+": ("limit-",), "limit-": ("limit+",)}.get(expression.kind, ("limit+", "limit-"))
            yield from (("limit", replace(expression, kind=kind)) for kind in others if upper is not None)
            yield "limit", replace(expression, kind="limit", upper=None if upper is not None else Number(Fraction(0)))


def _anywhere(expression: Expression) -> Iterator[tuple[str, Expression]]:
    """What may have been lost at any place: a factor 2, a sign, a square."""
    if not isinstance(expression, Number):
        yield "factor", _TWO * expression
        yield "factor", expression / _TWO
        yield "sign", -expression
    if isinstance(expression, Symbol | Call) or (
        isinstance(expression, Apply) and expression.operator not in _NOT_SQUARED
    ):
        yield "exponent", expression**2
    if not isinstance(expression, Number) and not (isinstance(expression, Apply) and expression.operator == "sqrt"):
        yield "root", Apply("sqrt", (expression,))


#: What is not squared: a lost square of a product is that of a factor, or has lost its brackets as well.
_NOT_SQUARED = ("negate", "power", "multiply", "divide")


def _turned(expression: Expression) -> Expression:
    return expression.operands[0] if isinstance(expression, Apply) and expression.operator == "negate" else -expression


def _summands(expression: Expression) -> list[Expression]:
    """The terms of one sum, without their signs."""
    if not (isinstance(expression, Apply) and expression.operator in _SUMMING):
        return [expression]
    return [term for child in expression.children for term in _summands(child)]


def _has_sum(expression: Expression) -> bool:
    return any(isinstance(node, Apply) and node.operator in _SUMMING for node in walk(expression))


def _size(expression: Expression) -> int:
    return 1 + sum(map(_size, expression.children))
