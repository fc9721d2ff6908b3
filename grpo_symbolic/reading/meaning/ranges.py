"""What stands below a sum or product: its indices, and the values that the set, the ends and the conditions leave.

Everything below the sign plays a part: ``i, j = 1``, ``o \\in \\{a, b\\} \\setminus \\{o'\\}``,
``1 \\le i < j \\le 3``, ``j \\ne i``, ``y : r(y) = 1``; what plays none makes the sum NOT UNDERSTOOD.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, pairwise, product
from math import prod

from grpo_symbolic.reading.meaning.conditions import OPERATORS
from grpo_symbolic.reading.meaning.elements import elements, numbers_between, whole
from grpo_symbolic.reading.meaning.labels import label_of, whole_number
from grpo_symbolic.reading.meaning.phrase import Phrase
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.scope import FreeIndex, Scope
from grpo_symbolic.reading.notation.context import MAX_TERMS
from grpo_symbolic.reading.notation.elementary import constant_value
from grpo_symbolic.reading.notation.patterns import head_key
from grpo_symbolic.reading.tex.normal import find, split
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.tree import Atom, Command, Group, Name, Nodes, Scripted, walk

#: Most combinations of several indices that are looked through for those that fulfil the conditions.
MAX_COMBINATIONS = 5_000
_SIGNS = (*OPERATORS, r"\in")
_BETWEEN = (",", ";", ":", "|")
_ORDERED = ("<", r"\le", ">", r"\ge")


@dataclass(frozen=True)
class Range:
    """The indices that a sum binds, their values together, and some values at which its body can be read anyhow."""

    indices: tuple[Nodes, ...]
    values: tuple[tuple[str, ...], ...]
    sample: tuple[str, ...]

    def scopes(self, scope: Scope) -> list[Scope]:
        """The scope once for all values of the indices."""
        return [_bound(scope, self.indices, labels) for labels in self.values]

    def anywhere(self, scope: Scope) -> Scope:
        """A scope in which to find the end of the body of a sum of no terms."""
        return _bound(scope, self.indices, self.sample)


def _bound(scope: Scope, indices: Sequence[Nodes], labels: Sequence[str]) -> Scope:
    for index, label in zip(indices, labels, strict=True):
        scope = scope.bind(index, label)
    return scope


def read_range(phrase: Phrase, node: Scripted, what: str) -> Range:
    """Read what stands below and above the sign of a sum or product.

    Raises:
        NotUnderstood: if an index is not declared, the ends are no whole numbers, what stands after ``\\in`` is no
            declared set or list, a condition is not decided by numbers, or there are too many terms.
        FreeIndex: if a condition is about an index that the sum does not bind.
    """
    return _Reader(phrase, node, what).read()


@dataclass
class _Reader:
    phrase: Phrase
    node: Scripted
    what: str
    domains: dict[Nodes, tuple[str, ...] | None] = field(default_factory=dict)
    conditions: list[Nodes] = field(default_factory=list)
    topped: bool = False

    def read(self) -> Range:
        for row in self._rows():
            waiting: list[Nodes] = []
            pieces = split(row, *_BETWEEN)
            self.phrase.serve("list", *(node for node in row if isinstance(node, Atom) and node.text in _BETWEEN))
            self._refuse_unclear(row, pieces)
            for piece in pieces:
                waiting = self._piece(piece, waiting)
            for index in waiting:
                self.domains.setdefault(index, None)
        if self.node.sup is not None and not self.topped:
            raise self._refuse("undeclared", f"{self.what} over an index that is not declared")
        if not self.domains:
            raise self._refuse("unsupported", f"{self.what} over what? nothing below it is a free index")
        return self._counted({index: self._domain(index, values) for index, values in self.domains.items()})

    def _rows(self) -> tuple[Nodes, ...]:
        sub = self.node.sub or ()
        stacked = sub[0] if len(sub) == 1 else None
        if isinstance(stacked, Command) and stacked.name == r"\substack":
            return stacked.arguments
        return (sub,)

    def _refuse(self, kind: str, reason: str, hint: str = "") -> NotUnderstood:
        return NotUnderstood(self.node.place, kind, reason, hint=hint)

    def _refuse_unclear(self, row: Nodes, pieces: Sequence[Nodes]) -> None:
        """Refuse ``d \\mid n``, without a condition after the bar, and lists with two ends, ``1 \\le i, j \\le 3``."""
        if find(row, ":", "|") is not None and find(pieces[-1], *_SIGNS) is None:
            raise self._refuse("unsupported", f"{self.what} over what has a property without a relation")
        for before, after in pairwise(pieces):
            left, right = find(before, *_ORDERED), find(after, *_ORDERED)
            if left is not None and right == 1 and self._end(before[:left]) is not None and left == len(before) - 2:
                readings = ("each has one end", "both have both ends")
                raise NotUnderstood(
                    self.node.place, "ambiguous", "a list of indices between two ends", readings=readings
                )

    def _piece(self, piece: Nodes, waiting: list[Nodes]) -> list[Nodes]:
        """Take up one piece between commas; indices without a relation wait for that of the next piece."""
        if not piece:
            raise self._refuse("meaningless", f"{self.what} over a list with a gap")
        signs = [node.text for node in piece if isinstance(node, Atom) and node.text in _SIGNS]
        self.phrase.serve("relation", *(node for node in piece if isinstance(node, Atom) and node.text in _SIGNS))
        if not signs:
            self.phrase.serve("index", *piece)
            return [*waiting, *_names(piece)]
        at = find(piece, *_SIGNS) or 0
        own, after = _names(piece[:at]), piece[at + 1 :]
        left = [*waiting, *own]
        if signs[0] in (r"\in", "=") and len(signs) == 1:
            self.phrase.serve("index", *piece[:at])
        if signs == [r"\in"]:
            members = elements(self.phrase, after, self.node.place, self.what)
            for index in left:
                self._give(index, members)
        elif signs == ["="] and self.node.sup is not None and all(map(self._is_new, left)):
            self.topped = True
            ends = self._numbers(after), self._numbers(self.node.sup)
            for index in left:
                self._give(index, numbers_between(*ends, self.node.place, self.what))
        elif r"\in" in signs:
            raise self._refuse("unsupported", f"{self.what} over a condition on a condition")
        elif signs == ["="] and any(map(self._unbound, own)) and self._end(after) is not None:
            raise self._refuse(
                "unsupported", f"{self.what} whose range is not two whole numbers", "declare sizes under [sizes]"
            )
        else:
            for index in waiting:
                self.domains.setdefault(index, None)
            self._condition(piece, signs)
        return []

    def _is_new(self, index: Nodes) -> bool:
        return index not in self.domains

    def _give(self, index: Nodes, values: tuple[str, ...]) -> None:
        if self.domains.get(index) is not None or not _may_be_index(index):
            raise self._refuse("ambiguous", f"{self.what} in which an index has two ranges, or is no symbol")
        self.domains[index] = values

    def _numbers(self, nodes: Nodes) -> int:
        try:
            return whole(self.phrase, nodes, self.node.place, self.what)
        except FreeIndex as free:
            if free.index not in self.domains:
                raise
            raise self._refuse("unsupported", f"{self.what} whose range depends on another of its indices") from free

    def _domain(self, index: Nodes, values: tuple[str, ...] | None) -> tuple[str, ...]:
        declared = self.phrase.context.labels.get(index)
        if declared is not None:
            self.phrase.context.used_indices.add(index)
        if values is None and (declared is None or index in self.phrase.context.sizes):
            hint = "declare it under [indices]"
            raise self._refuse("undeclared", f"{self.what} over an index that is not declared", hint)
        return values if values is not None else declared or ()

    # Conditions.

    def _condition(self, piece: Nodes, signs: Sequence[str]) -> None:
        """Keep a condition; what it binds is the indices in it that nothing else binds."""
        self.conditions.append(piece)
        sides = split(piece, *OPERATORS)
        first, last = self._end(sides[0]), self._end(sides[-1])
        if first is not None and last is not None and all(sign in _ORDERED for sign in signs):
            for side in filter(self._unbound, sides[1:-1]):
                low, high = min(first, last), max(first, last)
                self.domains[side] = numbers_between(low, high, self.node.place, self.what)
        new = [side for side in sides if side in self.phrase.context.labels and self._unbound(side)]
        for number, side in enumerate(new):
            self._compared(side, number, new)

    def _end(self, side: Nodes) -> int | None:
        """The whole number at an end of a chain such as ``1 \\le i < j``, if no free index stands there."""
        try:
            return whole_number(side, self.phrase.scope, self.phrase.context)
        except FreeIndex:
            return None

    def _unbound(self, side: Nodes) -> bool:
        if self.domains.get(side) is not None or side in self.phrase.scope.labels or len(side) != 1:
            return False
        table = self.phrase.context.table
        return _may_be_index(side) and (
            side in self.phrase.context.labels or not table.matches(head_key(side[0]), side, 0)
        )

    def _compared(self, index: Nodes, number: int, new: Sequence[Nodes]) -> None:
        """Bind an index that a condition compares with another one, unless the other one is free."""
        if index in self.domains or number == 0:
            self.domains.setdefault(index, None)
            return
        labels = self.phrase.context.labels[index]
        term = split(self.phrase.nodes[self.phrase.index + 1 :], "+", "-")[0]
        if not any((one,) == index for one in walk(term)):
            raise FreeIndex(index, labels)
        if compact(index) < compact(new[0]):
            raise NotUnderstood(
                self.node.place,
                "ambiguous",
                f"{self.what} below which two indices are compared",
                readings=(f"it runs over {compact(new[0])} only", "it runs over both"),
            )
        self.domains[index] = None

    def _counted(self, domains: dict[Nodes, tuple[str, ...]]) -> Range:
        if prod(map(len, domains.values())) > MAX_COMBINATIONS:
            raise self._refuse("limit", f"{self.what} over more than {MAX_COMBINATIONS} combinations of its indices")
        indices = tuple(domains)
        every = list(product(*domains.values()))
        if not every:
            raise self._refuse("limit", f"{self.what} of 0 terms")
        kept = tuple(islice(self._fulfilling(indices, every), MAX_TERMS + 1))
        if len(kept) > MAX_TERMS:
            raise self._refuse("limit", f"{self.what} of more than {MAX_TERMS} terms")
        return Range(indices, kept, every[0])

    def _fulfilling(self, indices: tuple[Nodes, ...], every: list[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
        for labels in every:
            scope = _bound(self.phrase.scope, indices, labels)
            if all(self._holds(piece, scope) for piece in self.conditions):
                yield labels

    def _holds(self, piece: Nodes, scope: Scope) -> bool:
        signs = [OPERATORS[node.text] for node in piece if isinstance(node, Atom) and node.text in OPERATORS]
        values = [self._value(side, scope) for side in split(piece, *OPERATORS)]
        return all(self._compare(*one) for one in zip(values, signs, values[1:], strict=False))

    def _value(self, side: Nodes, scope: Scope) -> Fraction | str:
        """The number or the label that a side of a condition is, once the indices have their values."""
        if not side:
            raise self._refuse("meaningless", f"{self.what} over a condition with a side missing")
        number = whole_number(side, scope, self.phrase.context)
        if number is not None:
            return Fraction(number)
        label = label_of(side, scope, self.phrase.context)
        if label is not None and any(label in labels for labels in self.phrase.context.labels.values()):
            return label
        value = constant_value(self.phrase.inner(side, self.node.place, scope))
        if value is None:
            raise self._refuse("unsupported", f"{self.what} over a condition that depends on more than its indices")
        return value

    def _compare(self, left: Fraction | str, operator: str, right: Fraction | str) -> bool:
        if operator in ("=", "!=") and isinstance(left, str) == isinstance(right, str):
            return (left == right) == (operator == "=")
        if isinstance(left, str) or isinstance(right, str):
            raise self._refuse("meaningless", f"{self.what} over a condition that compares a label with a number")
        return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator]


def _may_be_index(nodes: Nodes) -> bool:
    """Whether this is one symbol, as an index is: a letter, perhaps with an index or a prime of its own."""
    node = nodes[0] if len(nodes) == 1 else None
    bare = node.base if isinstance(node, Scripted) and node.sup is None else node
    return isinstance(bare, Atom | Name) and bare.text.lstrip("\\").isalpha()


def _names(piece: Nodes) -> list[Nodes]:
    """The indices of a list: ``i``, or those in the bracket of ``(i, j)``."""
    first = piece[0] if len(piece) == 1 else None
    if isinstance(first, Group) and (first.open, first.close) == ("(", ")"):
        return split(first.items, ",")
    return [piece]
