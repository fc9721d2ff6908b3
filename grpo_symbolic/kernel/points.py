"""That statements can hold together, or that one fails: a point where it is so, with sums written out.

A point gives each symbol a value, a number or an expression of what was given before. A coordinate has one for each
element: ``x[2]`` is that of the second. What is supposed of a generic element has to hold at every one.

A value may also be ``[low, high, equation]``, a root between two numbers: there is one, as the difference of the sides
has values X
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from grpo_symbolic.kernel.ranges import MOST_BITS, Interval
from grpo_symbolic.kernel.rules import Goal, Obligation
from grpo_symbolic.kernel.statements import Record, between
from grpo_symbolic.kernel.terms import (
    RELATIONS,
    ZERO,
    RefusedError,
    Term,
    conditions,
    is_elementary,
    is_expression,
    make,
    negation,
    number,
    substitute,
    sym,
)

_MOST_ELEMENTS, _BITS = 6, (96, 700, MOST_BITS)


class Point:
    """Values of symbols, and how many elements the sets have."""

    def __init__(
        self,
        terms: Sequence[Term],
        record: Record,
        sizes: Mapping[str, int],
        values: Sequence[tuple[str, tuple[Term, ...]]],
    ) -> None:
        if not all(isinstance(size, int) and 0 < size <= _MOST_ELEMENTS for size in sizes.values()):
            raise RefusedError("a point has no elements, or too many")
        self._record, self._symbol, self._sizes = record, record.symbol, sizes
        self._terms, self._values = terms, dict[str, Term]()
        self._know({})
        for name, value in values:
            self._give(name, *value)

    def _know(self, roots: Mapping[str, Interval], *facts: Term) -> None:
        """Take symbols to lie between numbers, and facts to hold there."""
        self._goal = Goal(Obligation(roots, self._terms), facts, make("=", ZERO, ZERO))

    def require(self, statement: Term, laws: object) -> None:
        """Refuse a statement that is not shown to hold here, at each element of which it speaks."""
        for here, settled in self._at_each(statement, laws):
            if self._holds(settled, laws) is not True:
                raise RefusedError(f"{here} is not shown to hold at the point")

    def refute(self, statement: Term, laws: object) -> None:
        """Refuse a statement that is not shown to fail here, at one of the elements of which it speaks."""
        if not any(self._fails(one, laws) for _, one in self._at_each(statement, laws)):
            raise RefusedError("it is not shown to fail at the point")

    def _at_each(self, statement: Term, laws: object) -> Iterator[tuple[Term, Term]]:
        """A statement at each element of which it speaks, and without symbols."""
        letters = sorted(self._record.letters(statement))
        for chosen in product(*(range(1, self._size(one) + 1) for one in letters)):
            here = self._written(statement, dict(zip(letters, chosen, strict=True)))
            yield here, self._settled(substitute(here, self._values), laws)

    def _fails(self, statement: Term, laws: object) -> bool:
        """Whether something is false, or a side of a relation has no value as the first open condition of one fails."""
        if statement.op == "all":
            return any(self._fails(one, laws) for one in statement.args)
        if self._holds(statement, laws) is False:
            return True
        sides = statement.args if statement.op in RELATIONS else ()
        doubtful = (next((one for one in conditions(side) if not self._seen(one, [])), None) for side in sides)
        return any(one is not None and self._holds(one, []) is False for one in doubtful)

    def _give(self, name: str, *given: Term) -> None:
        """Give a value, or a root between two, to a symbol, which has to lie in its domain."""
        family, _, numbers = name.partition("[")
        place = self._symbol(family)
        labels = numbers.removesuffix("]").split(",") if numbers else []
        if name in self._values or place.of is not None or len(labels) != len(place.letters):
            raise RefusedError(f"{name} is given twice, or is no symbol")
        if name != (f"{family}[{','.join(labels)}]" if labels else family):
            raise RefusedError(f"{name} is no coordinate")
        *ends, value = (substitute(one, self._values) for one in given)
        if ends:
            value = self._root(name, value, *ends)
        if not self._is_closed(value) or not is_expression(value) or not self._has_values(value):
            raise RefusedError(f"{value} is no number")
        for one in between(value, *place.domain):
            if self._holds(one, []) is not True:
                raise RefusedError(f"{value} is not in the domain of {name}")
        if place.whole and not (value.op == "num" and value.args[0].denominator == 1):
            raise RefusedError(f"{name} is whole, and {value} is not")
        self._values[name] = value

    def _root(self, name: str, equation: Term, low: Term, high: Term) -> Term:
        """A symbol for a root of an equation of it alone, the sides of which change their order between two numbers."""
        known, before = self._goal.inside.domains, self._goal.facts
        if equation.op != "=" or not is_elementary(equation) or equation.free != {name} or name in known:
            raise RefusedError(f"{equation} is no equation of {name} alone")
        if low.op != "num" or high.op != "num" or not low.args[0] < high.args[0]:
            raise RefusedError(f"no number is between {low} and {high}")
        self._know({**known, name: Interval(low.args[0], True, high.args[0], True)}, *before)
        gap = make("subtract", *equation.args)
        left, right = (substitute(gap, {name: one}) for one in (low, high))
        if not self._has_values(gap) or not self._seen(make("<", make("multiply", left, right), ZERO), []):
            raise RefusedError(f"{gap} is not shown to change its sign between {low} and {high}")
        self._know(self._goal.inside.domains, *before, equation)
        return sym(name)

    def _size(self, letter: str) -> int:
        """How many elements the set of a letter has."""
        own = self._record.sets.get(letter, letter)
        if own not in self._sizes:
            raise RefusedError(f"it is not said how many {letter} there are")
        return self._sizes[own]

    def _written(self, term: Term, at: Mapping[str, int]) -> Term:
        """A term at elements, with sums written out."""
        if term.op == "sym":
            place = self._symbol(term.args[0])
            if not place.letters:
                return term
            return sym(f"{place.of or term.args[0]}[{','.join(str(at[one]) for one in place.letters)}]")
        if term.op == "delta":
            return number(int(at[term.args[0]] == at[term.args[1]]))
        if term.op == "total":
            body, letter = term.args
            terms = [self._written(body, {**at, letter: one}) for one in range(1, self._size(letter) + 1)]
            total = terms[0]
            for one in terms[1:]:
                total = make("add", total, one)
            return total
        return make(term.op, *(self._written(one, at) if isinstance(one, Term) else one for one in term.args))

    def _settled(self, term: Term, laws: object) -> Term:
        """What has no symbols, without brackets, each of which is 0 or its body."""
        if term.op != "supported":
            return make(term.op, *(self._settled(one, laws) if isinstance(one, Term) else one for one in term.args))
        vanishes = self._holds(make("=", self._settled(term.args[1], laws), ZERO), laws)
        if vanishes is None:
            raise RefusedError(f"it is not seen whether {term} counts")
        return ZERO if vanishes else self._settled(term.args[0], laws)

    def _holds(self, statement: Term, laws: object) -> bool | None:
        """Whether a statement without symbols holds or fails; None if that is not seen, or a part has no value."""
        op, args = statement.op, statement.args
        if op in RELATIONS:
            if not self._is_closed(statement) or not all(map(self._has_values, args)):
                return None
            if self._seen(statement, laws):
                return True
            return False if self._seen(negation(statement), laws) else None
        said = [self._holds(one, laws) for one in args]
        if op == "all":
            return False if False in said else None if None in said else True
        if op == "any":
            return True if True in said else None if None in said else False
        if op == "implies":
            return True if said[0] is False or said[1] is True else None if None in said else False
        if op == "iff":
            return None if None in said else said[0] is said[1]
        raise RefusedError(f"{op} is not evaluated at a point")

    def _is_closed(self, term: Term) -> bool:
        """Whether all symbols that are left are roots."""
        return term.free <= self._goal.inside.domains.keys()

    def _has_values(self, term: Term) -> bool:
        return all(self._seen(one, []) for one in conditions(term))

    def _seen(self, relation: Term, laws: object) -> bool:
        finer = map(self._goal.inside.finer, _BITS[: 1 if relation.op == "=" else 3])
        if self._goal.shown(relation) or any(ranges.holds(relation) for ranges in finer):
            return True
        return relation.op in ("=", "<=", ">=") and self._goal.ring(laws).are_equal(*relation.args)


def read_point(data: Any, terms: Sequence[Term], record: Record) -> Point:
    """The point that JSON holds: ``{"sizes": {letter: number}, "values": [[name, value]]}``, see above."""
    if (
        not isinstance(data, dict)
        or not isinstance(data.get("sizes"), dict)
        or not isinstance(data.get("values"), list)
    ):
        raise RefusedError("no point")
    pairs = data["values"]
    if not all(isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) for pair in pairs):
        raise RefusedError("a point has a name and a value for each symbol")
    at = Obligation({}, terms).at
    given = [(name, tuple(map(at, value)) if isinstance(value, list) else (at(value),)) for name, value in pairs]
    if any(len(value) not in (1, 3) for _, value in given):
        raise RefusedError("a value is one expression, or two numbers and an equation")
    return Point(terms, record, data["sizes"], given)
