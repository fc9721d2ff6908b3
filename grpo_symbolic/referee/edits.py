"""Single edits of an expression: what an author may have meant instead of what was typed.

The edits are those of a slip of the pen, likely ones first: a sign, a term, a factor, an exponent, a number, a
symbol, operands the wrong way round, a function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from grpo_symbolic.language.expression import Apply, Call, Expression, Number, Symbol, rebuild

_FUNCTIONS = {"cosh": "sinh", "sinh": "cosh", "sin": "cos", "cos": "sin", "maximum": "minimum", "minimum": "maximum"}
_ONE, _TWO = Number(Fraction(1)), Number(Fraction(2))
#: Kinds of edits, likely ones first.
ORDER = ("sign", "term", "factor", "exponent", "number", "symbol", "order", "function")


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


def edits(expression: Expression, symbols: Sequence[Symbol]) -> list[Edit]:
    """All single edits of an expression; likely kinds first, and among them the small ones."""
    found = [edit for edit in _edits(expression, symbols) if edit.before != edit.after]
    return sorted(found, key=effort)


def edited_alike(expression: Expression, edit: Edit, symbols: Sequence[Symbol]) -> Expression | None:
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
    found = list(islice(_here(last, symbols), edit.number, edit.number + 1)) if alike else []
    if not found or found[0][0] != edit.kind:
        return None
    whole = found[0][1]
    for node, position in zip(reversed(nodes), reversed(edit.path), strict=True):
        whole = rebuild(node, (*node.children[:position], whole, *node.children[position + 1 :]))
    return whole


def effort(edit: Edit) -> tuple[int, int]:
    """How unlikely an edit is: its kind, and the size of what it changes."""
    return ORDER.index(edit.kind), _size(edit.before) + _size(edit.after)


def _edits(expression: Expression, symbols: Sequence[Symbol]) -> Iterator[Edit]:
    for number, (kind, after) in enumerate(_here(expression, symbols)):
        yield Edit(kind, expression, after, after, (), number)
    if isinstance(expression, Call) and not expression.arguments:
        return  # an abbreviation is printed as one symbol
    for position, child in enumerate(expression.children):
        if isinstance(expression, Apply) and expression.operator == "power" and position == 1:
            continue  # the exponent is edited together with its power
        for edit in _edits(child, symbols):
            children = (*expression.children[:position], edit.whole, *expression.children[position + 1 :])
            whole = rebuild(expression, children)
            yield Edit(edit.kind, edit.before, edit.after, whole, (position, *edit.path), edit.number)


def _here(expression: Expression, symbols: Sequence[Symbol]) -> Iterator[tuple[str, Expression]]:
    """The edits of a node itself, in an order that depends on nothing but what kind of node it is."""
    match expression:
        case Number(value):
            yield "number", Number(value + 1)
            yield "number", Number(value - 1)
            yield "number", Number(1 / value if value else value)
        case Symbol():
            yield from (("symbol", other) for other in symbols)
            yield "symbol", _ONE - expression
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
    yield from _anywhere(expression)


def _anywhere(expression: Expression) -> Iterator[tuple[str, Expression]]:
    """What may have been lost at any place: a factor 2, a sign, a square."""
    if not isinstance(expression, Number):
        yield "factor", _TWO * expression
        yield "factor", expression / _TWO
        yield "sign", -expression
    if isinstance(expression, Symbol | Call) or (isinstance(expression, Apply) and expression.operator not in _SUMS):
        yield "exponent", expression**2


_SUMS = ("add", "subtract", "negate", "power", "multiply", "divide")


def _turned(expression: Expression) -> Expression:
    return expression.operands[0] if isinstance(expression, Apply) and expression.operator == "negate" else -expression


def _size(expression: Expression) -> int:
    return 1 + sum(map(_size, expression.children))
