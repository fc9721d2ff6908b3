"""Bounds of logarithms and exponentials by tangents, and what is left of a difference where they stand for these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grpo_symbolic.language.calculus import ONE, ZERO, differentiate
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_symbols, rebuild, walk
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.proofs.reason import Difference, Reason, Sign, Tangent, Term
from grpo_symbolic.proofs.samples import Samples
from grpo_symbolic.translate.ranges import WHOLE_LINE

_MOST_NODES, _MOST_LEAVES, _LONGEST = 4, 3, 400
_UP, _DOWN = frozenset((0, 1)), frozenset((0, -1))


@dataclass(frozen=True)
class Bound:
    """A function is not smaller than another expression, or not larger, and stands times a coefficient of one sign."""

    reason: Reason
    coefficient: Expression
    rising: bool

    @property
    def relation(self) -> Relation:
        """The bound."""
        return self.reason.relation

    @property
    def sign(self) -> Relation:
        """That the coefficient has that sign."""
        return Relation(self.coefficient, ">=" if self.rising else "<=", ZERO)


def bounded(gap: Expression, samples: Samples) -> Iterator[tuple[Expression, tuple[Bound, ...]]]:
    """What a difference, which is not to be negative, is not smaller than, if that seems not to be negative either."""
    nodes = [node for node in dict.fromkeys(walk(gap)) if isinstance(node, Apply) and node.operator in ("log", "exp")]
    if 0 < len(nodes) <= _MOST_NODES:
        found = _bounded(gap, tuple(nodes), tuple(nodes), samples)
        yield from (one for _, one in zip(range(_MOST_LEAVES), found, strict=False))


def _bounded(
    gap: Expression, nodes: tuple[Apply, ...], all_nodes: tuple[Apply, ...], samples: Samples
) -> Iterator[tuple[Expression, tuple[Bound, ...]]]:
    """The same for some nodes; what is bounded gets no larger, so that nothing follows of what seems negative."""
    if not nodes:
        yield gap, ()
        return
    node, rest = nodes[0], nodes[1:]
    letter = Symbol("bounded", WHOLE_LINE, "", "")
    coefficient = differentiate(_replaced(gap, node, letter), letter)
    signs = samples.signs(coefficient) if letter not in free_symbols(coefficient) else frozenset((1, -1))
    if signs and signs != {0} and (signs <= _UP or signs <= _DOWN):
        for reason in _bounds_of(node, all_nodes, upper=signs <= _DOWN, roots=_has_roots(gap)):
            relation = reason.relation
            other = _replaced(gap, node, relation.right if signs <= _UP else relation.left)
            if sum(1 for _ in walk(other)) <= _LONGEST and samples.signs(other) <= _UP:
                for left, bounds in _bounded(other, rest, all_nodes, samples):
                    yield left, (Bound(reason, coefficient, signs <= _UP), *bounds)
    for left, bounds in _bounded(gap, rest, all_nodes, samples):
        # What is left as it stands must be of no weight, once others are bounded by it.
        if bounds or rest:
            yield left, bounds


def _replaced(expression: Expression, node: Expression, value: Expression) -> Expression:
    if expression == node:
        return value
    children = tuple(_replaced(child, node, value) for child in expression.children)
    return rebuild(expression, children) if children != expression.children else expression


def _has_roots(expression: Expression) -> bool:
    return any(isinstance(node, Apply) and node.operator == "sqrt" for node in walk(expression))


def _bounds_of(node: Apply, others: Sequence[Apply], *, upper: bool, roots: bool) -> Iterator[Reason]:
    """Bounds of a function by tangents where it is 0 or 1, and where others of the kind are."""
    u = node.operands[0]
    same = [other.operands[0] for other in others if other != node and other.operator == node.operator]
    if node.operator == "exp":
        yield from () if upper else (exp_above(u), *(_solved(exp_pair(u, v), node) for v in same))
    elif upper:
        yield log_below(u)
        yield from (_solved(log_pair(u, v), node) for v in same)
        yield from (log_root_below(u),) if roots else ()
    else:
        yield log_above(u)
        yield from (_solved(log_pair(v, u), node) for v in same)
        yield from (log_root_above(u),) if roots else ()


def _solved(reason: Reason, node: Apply) -> Reason:
    """A bound of a difference of two functions as one of the first or the last of them."""
    relation = reason.relation
    match relation:
        case Relation(Apply("subtract", (one, other)), ">=", bound) if one == node:
            return replace(reason, relation=Relation(one, ">=", other + bound))
        case Relation(bound, ">=", Apply("subtract", (one, other))) if one == node:
            return replace(reason, relation=Relation(other + bound, ">=", one))
        case Relation(bound, ">=", Apply("subtract", (one, other))):
            return replace(reason, relation=Relation(other, ">=", one - bound))
    return reason


def by_tangent(relation: Relation, function: str, argument: Expression, *factors: Expression) -> Reason:
    """A relation of which the sides differ by the distance of a tangent times positive factors."""
    tangent = Tangent(function, argument)
    signs = [(Sign(one, ">"), 1) for one in factors]
    return Difference(relation, (Term(Fraction(1), (*signs, (Sign(tangent.gap, ">=", tangent), 1))),))


def _function(name: str, argument: Expression) -> Expression:
    return Apply(name, (argument,))


def log_below(u: Expression) -> Reason:
    """log(u) <= u - 1."""
    return by_tangent(Relation(u - 1, ">=", _function("log", u)), "log", u)


def log_above(u: Expression) -> Reason:
    """log(u) >= 1 - 1/u."""
    return by_tangent(Relation(_function("log", u), ">=", 1 - 1 / u), "log", 1 / u)


def exp_above(u: Expression) -> Reason:
    """exp(u) >= 1 + u."""
    return by_tangent(Relation(_function("exp", u), ">=", 1 + u), "exp", u)


def exp_below(u: Expression) -> Reason:
    """exp(u) (1 - u) <= 1."""
    value = _function("exp", u)
    return by_tangent(Relation(ONE, ">=", value * (1 - u)), "exp", -u, value)


def log_pair(u: Expression, v: Expression) -> Reason:
    """log(u) - log(v) <= u/v - 1."""
    return by_tangent(Relation(u / v - 1, ">=", _function("log", u) - _function("log", v)), "log", u / v)


def exp_pair(u: Expression, v: Expression) -> Reason:
    """exp(u) - exp(v) >= exp(v) (u - v)."""
    one, other = _function("exp", u), _function("exp", v)
    return by_tangent(Relation(one - other, ">=", other * (u - v)), "exp", u - v, other)


def log_root_below(u: Expression) -> Reason:
    """The logarithm is twice that of the root."""
    root = _function("sqrt", u)
    return by_tangent(Relation(2 * (root - 1), ">=", _function("log", u)), "log", root, Number(Fraction(2)))


def log_root_above(u: Expression) -> Reason:
    """The logarithm is twice that of the root, and this is not below its tangent."""
    root = _function("sqrt", u)
    return by_tangent(Relation(_function("log", u), ">=", 2 * (1 - 1 / root)), "log", 1 / root, Number(Fraction(2)))
