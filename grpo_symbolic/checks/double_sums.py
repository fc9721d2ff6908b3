"""Sums of sums over index sets: one way to write each of them, whatever the order and the letters.

Soundness. The order of finite sums does not matter, nor does the letter of what a sum runs through, as long as it is
none of which the summand speaks beside it. A factor may be put into an inner sum unless that would bind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, permutations
from operator import mul

from grpo_symbolic.language.expression import Apply, Delta, Expression, Symbol, Total, free_indices, rebuild
from grpo_symbolic.language.index_set import IndexSet


@dataclass(frozen=True)
class Indices:
    """The index sets, and further elements of them, that an obligation names."""

    known: tuple[IndexSet, ...]

    @classmethod
    def of(cls, nodes: Iterable[Expression]) -> Indices:
        """Those that nodes name."""
        found = dict.fromkeys(chain.from_iterable(map(_named, nodes)))
        return cls(tuple(dict.fromkeys((*(one.whole for one in found), *found))))

    @property
    def only(self) -> IndexSet | None:
        """The set, if nothing else is named."""
        return self.known[0] if len(self.known) == 1 else None

    def canonical(self, total: Total) -> Total:
        """The same sum, or sum of sums, in a fixed order and with fixed letters."""
        bound, body = _opened(total)
        if not bound or (len(bound) == 1 and bound[0].of is None):
            return total
        targets = self._targets(bound, free_indices(total))
        best = min((_sorted_product(renamed(body, moved)) for moved in _renamings(bound, targets)), key=str)
        for over in sorted(targets, key=_order):
            best = Total(best, over)
        if not isinstance(best, Total):
            raise TypeError(f"nothing is summed in {total}")
        return best

    def _targets(self, bound: Sequence[IndexSet], free: Sequence[IndexSet]) -> list[IndexSet]:
        """The letters that are used for what sums run through: the first ones that are free for it."""
        found: list[IndexSet] = []
        for whole in dict.fromkeys(one.whole for one in bound):
            count = sum(one.whole == whole for one in bound)
            found += [one for one in self.known if one.whole == whole and one not in free][:count]
        return found


def _renamings(bound: Sequence[IndexSet], targets: Sequence[IndexSet]) -> Iterator[Mapping[IndexSet, IndexSet]]:
    """All ways to give these letters to what sums run through, each within its set."""
    for order in permutations(targets):
        moved = dict(zip(bound, order, strict=True))
        if all(one.whole == other.whole for one, other in moved.items()):
            yield moved


def put_inside(factors: Sequence[Expression], total: Total) -> Total | None:
    """A sum times factors, as the sum of multiples; None if it would bind one of them."""
    if any(total.over in free_indices(one) for one in factors):
        return None
    if isinstance(total.body, Total):
        inner = put_inside(factors, total.body)
        return None if inner is None else Total(inner, total.over)
    return Total(reduce(mul, (*factors, total.body)), total.over)


def factors_of(expression: Expression) -> list[Expression]:
    """The factors of a product; any other expression is its only factor."""
    match expression:
        case Apply("multiply", (left, right)):
            return [*factors_of(left), *factors_of(right)]
        case _:
            return [expression]


def renamed(expression: Expression, moved: Mapping[IndexSet, IndexSet]) -> Expression:
    """An expression without sums at other elements."""
    match expression:
        case Symbol() if expression.indices:
            return expression.at(*(moved.get(one, one) for one in expression.indices))
        case Delta(other) if moved.keys() & {other, other.whole}:
            raise TypeError(f"{expression} is written out before sums are exchanged")
    return rebuild(expression, tuple(renamed(child, moved) for child in expression.children))


def _named(node: Expression) -> tuple[IndexSet, ...]:
    match node:
        case Symbol():
            return node.indices
        case Delta(other):
            return (other,)
        case Total(_, over) if over is not None:
            return (over,)
    return ()


def _opened(total: Total) -> tuple[list[IndexSet], Expression]:
    """What the sums run through, from outside, as far as that is said, and what is summed."""
    bound: list[IndexSet] = []
    body: Expression = total
    while isinstance(body, Total) and body.over is not None:
        bound.append(body.over)
        body = body.body
    return bound, body


def _sorted_product(expression: Expression) -> Expression:
    return reduce(mul, sorted(factors_of(expression), key=str))


def _order(index: IndexSet) -> tuple[str, str]:
    return index.elements, index.letter
