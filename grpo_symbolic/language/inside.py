"""What is in an expression: the kinds of its nodes, looked at once for each node.

Most questions about a tree are whether some kind of node stands in it, and mostly none does. So nobody walks through
what he is not looking for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from grpo_symbolic.language.expression import Apply, Expression, Number

Node = TypeVar("Node", bound=Expression)

#: The kind of a power whose exponent is no number.
GENERAL_POWER = "general power"


def kinds_in(expression: Expression) -> frozenset[object]:
    """The classes of all nodes of an expression, and the operators that are applied in it."""
    known: frozenset[object] | None = expression.__dict__.get("_kinds")
    if known is None:
        below = [kinds_in(child) for child in expression.children]
        found = frozenset[object](_own(expression)).union(*below)
        # Most nodes add nothing to what is in one of their parts, and share its set.
        known = next((one for one in below if len(one) == len(found)), found)
        object.__setattr__(expression, "_kinds", known)
    return known


def _own(node: Expression) -> tuple[object, ...]:
    if not isinstance(node, Apply):
        return (type(node),)
    if node.operator == "power" and not isinstance(node.operands[1], Number):
        return Apply, node.operator, GENERAL_POWER
    return Apply, node.operator


def holds(kind: type[Expression] | str, expressions: Iterable[Expression]) -> bool:
    """Whether a node of a class, or an operator, stands in one of some expressions."""
    return any(kind in kinds_in(expression) for expression in expressions)


def nodes_of(kind: type[Node], *expressions: Expression) -> Iterator[Node]:
    """All nodes of a class in expressions, as ``walk`` meets them."""
    for node in _walk(kind, expressions):
        if isinstance(node, kind):
            yield node


def applied(operator: str, *expressions: Expression) -> Iterator[Apply]:
    """All nodes in expressions that apply an operator, as ``walk`` meets them."""
    for node in _walk(operator, expressions):
        if isinstance(node, Apply) and node.operator == operator:
            yield node


def _walk(kind: object, expressions: tuple[Expression, ...]) -> Iterator[Expression]:
    """The nodes in which something of a kind stands, parents first."""
    waiting = [one for one in reversed(expressions) if kind in kinds_in(one)]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(child for child in reversed(node.children) if kind in kinds_in(child))


def every_node(*expressions: Expression) -> dict[Expression, None]:
    """All different nodes in expressions, in the order in which ``walk`` meets them first."""
    found = dict[Expression, None]()
    waiting = [*reversed(expressions)]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = None
            waiting.extend(reversed(node.children))
    return found
