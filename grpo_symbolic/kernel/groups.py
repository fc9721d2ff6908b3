"""Expectations over a group of independent members, written out as sums.

``["expectation", body, member, size, values, chances, own values, own chances, mixed]``: ``member`` is a coordinate of
one letter, which is bound in the body. There it is what one of ``size`` members has, and a total over its letter sums
over all of them. The one member has its value by its own law and each other one by the first, all independently. A law
lists values and the chances of all but the last one, which has what is left to 1; or its value is a coordinate, and its
one chance that of the element, which is drawn. Groups whose members all have one value count 0 if only ``mixed`` do.

Soundness. Where the size is a number and values are listed, this is the definition: a sum over all groups. Those are
taken together in which as many of the others have each value, as their chances and what they contribute are the same.

Else the body has to be a polynomial in sums over members, and is multiplied out. An expectation of a sum is that of its
terms, each a product of functions of the one member and of sums. One of these sums has a term for each member that was
met before, and one for each of the others, as many as the size less those met, all with the same expectation. When no
sum is left, functions of different members are independent. Groups whose members all have one value are taken away. At
a size that is no whole number this is what is meant, so that what holds at all sizes holds at whole ones.

Hidden is that a size is at least 2, that no chance is negative, and that those of the elements sum to 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, NamedTuple, Protocol, TypeAlias

from grpo_symbolic.kernel.terms import ONE, TWO, ZERO, RefusedError, Term, make, number, spend, substitute, totals

_MOST_MEMBERS, _LARGEST_POWER, _MOST_PRODUCTS = 12, 6, 200
#: Factors: sums over members, functions of the one member, and what is the same for all.
_Product: TypeAlias = tuple[Term, ...]


class Record(Protocol):
    """What a record knows of symbols."""

    def symbol(self, name: str) -> Any:
        """With the ``letters`` of a coordinate, and ``of`` which one it is a further one."""

    def letters(self, term: Term) -> tuple[str, ...]:
        """The elements of which something unfolded speaks, without those through which sums run."""

    def is_whole(self, value: Term) -> bool:
        """Whether it is plain that a value is a whole number."""


class _Law(NamedTuple):
    """Values with chances that are not plainly 0, or one that is drawn, and the letter of its element."""

    pairs: Sequence[tuple[Term, Term]]
    letter: str | None


class Group:
    """An expectation of unfolded parts, in which something is hidden; what it hides itself is added to that.

    Raises:
        RefusedError: if it is not clear what is meant.
    """

    def __init__(self, record: Record, parts: Sequence[Term], mixed: bool, hidden: list[Term]) -> None:
        self._body, member, self._size, *laws = parts
        self._record, self._member, self._mixed, place = record, member.args[0], mixed, record.symbol(member.args[0])
        if len(place.letters) != 1 or place.of is not None:
            raise RefusedError(f"{member} is not what each member has")
        (self._letter,) = place.letters
        self._refuse_unclear((self._size, *laws, *hidden))
        if self._size.op != "sym" and not record.is_whole(self._size):
            raise RefusedError(f"{self._size} need not be a whole number of members")
        if self._size.op == "num" and self._size.args[0] < 2:
            raise RefusedError(f"a group of {self._size} members")
        if self._size.op != "num":
            hidden.append(_root(make("subtract", self._size, TWO)))
        values, chances, own_values, own_chances = (one.args for one in laws)
        self._law, self._own = self._read(values, chances, hidden), self._read(own_values, own_chances, hidden)
        if mixed and (values != own_values or len({one for one in values if one.op == "num"}) < max(2, len(values))):
            raise RefusedError("groups are mixed only of values that are different numbers")
        if self._own.letter is not None and record.letters(self._body) not in ((), (self._letter,)):
            raise RefusedError(f"{self._body} is of one element, and another one is drawn")

    def _refuse_unclear(self, others: Sequence[Term]) -> None:
        """Refuse further elements, other symbols of members, and sums over members but of functions of one of them."""
        everything = make("list", self._body, *others)
        rest = (self._record.symbol(name) for name in everything.free if name != self._member)
        if any(one.of is not None or self._letter in one.letters for one in rest) or any(
            totals(everything, op="delta")
        ):
            raise RefusedError("inside of an expectation is another symbol of the members, or a further element")
        if any(map(self._depends, others)):
            raise RefusedError(f"{self._member} is bound, and something outside depends on it")
        for one in totals(everything):
            if (one.args[1] == self._letter) is not self._depends(one):
                raise RefusedError(f"{one} sums over members what is of none of them, or over others what is")
            if self._depends(one) and self._record.letters(one):
                raise RefusedError(f"{one} is of members, and of another element")

    def _read(self, values: Sequence[Term], chances: Sequence[Term], hidden: list[Term]) -> _Law:
        letter = None
        if len(values) == len(chances) == 1 and values[0].op == "sym" and len(self._record.letters(values[0])) == 1:
            (letter,) = self._record.letters(values[0])
            gap = make("subtract", make("total", chances[0], letter), ONE)
            hidden.append(_root(make("negate", make("power", gap, TWO))))
        elif len(chances) == len(values) - 1:
            chances = (*chances, reduce(_less, chances, ONE))
        else:
            raise RefusedError("a law has a chance for each value but the last, or for an element")
        hidden += (*values, *map(_root, chances))
        return _Law([pair for pair in zip(values, chances, strict=True) if letter or pair[1] is not ZERO], letter)

    def written_out(self) -> Term:
        """The expectation as a sum over all groups, or by moments."""
        listed = self._law.letter is self._own.letter is None
        return self._by_groups() if listed and self._size.op == "num" else self._by_moments()

    def _by_groups(self) -> Term:
        others, terms, known = int(self._size.args[0]) - 1, list[Term](), self._law.pairs
        if others >= _MOST_MEMBERS:
            raise RefusedError("too many members to write out all groups")
        for value, chance in self._own.pairs:
            for chosen in combinations_with_replacement(range(len(known)), others):
                everyone = [value, *(known[one][0] for one in chosen)]
                if self._mixed and len({*everyone}) == 1:
                    continue
                orders = number(factorial(others) // prod(map(factorial, Counter(chosen).values())))
                body = self._in_group(self._body, value, everyone, ONE)
                terms.append(_product(orders, chance, *(known[one][1] for one in chosen), body))
        return _sum(terms)

    def _in_group(self, term: Term, own: Term, everyone: Sequence[Term], times: Term) -> Term:
        """Something where the one member has a value, and so many times every member has one of some values."""
        if term.op == "sym" and term.args[0] == self._member:
            return own
        if not self._depends(term):
            return term
        if term.op == "total":
            return _product(times, _sum(self._in_group(term.args[0], one, everyone, times) for one in everyone))
        args = (self._in_group(one, own, everyone, times) if isinstance(one, Term) else one for one in term.args)
        return make(term.op, *args)

    def _by_moments(self) -> Term:
        terms = list[Term]()
        for factors in self._products(self._body):
            same, functions, sums = self._told_apart(factors)
            terms.append(_product(*same, self._moment([functions], [one.args[0] for one in sums])))
        for value, chance in self._law.pairs if self._mixed else ():
            others = make("exp", make("multiply", make("subtract", self._size, ONE), make("log", chance)))
            body = self._in_group(self._body, value, [value], self._size)
            own = (one for other, one in self._own.pairs if other is value)
            terms += (make("negate", _product(one, others, body)) for one in own)
        return _sum(terms)

    def _moment(self, met: Sequence[_Product], sums: _Product | list[Term]) -> Term:
        """The expectation of functions of members that were met, the one first, times sums over all members."""
        spend(1 + len(met) + len(sums))
        if not sums:
            return _product(self._mean(met[0], self._own), *(self._mean(one, self._law) for one in met[1:]))
        function, rest = sums[0], sums[1:]
        again = ([*met[:at], (*met[at], function), *met[at + 1 :]] for at in range(len(met)))
        others = make("subtract", self._size, number(len(met)))
        another = _product(others, self._moment([*met, (function,)], rest))
        return _sum((*(self._moment(one, rest) for one in again), another))

    def _mean(self, functions: _Product, law: _Law) -> Term:
        if not functions:
            return ONE
        function = _product(*functions)
        if law.letter in self._record.letters(function):
            raise RefusedError(f"{function} is of one element, and another one is drawn")
        means = [_product(one, substitute(function, {self._member: value})) for value, one in law.pairs]
        return _sum(means) if law.letter is None else make("total", *means, law.letter)

    def _products(self, term: Term) -> list[_Product]:
        """Something as a sum of products."""
        op, args = term.op, term.args
        if all(one.args[1] != self._letter for one in totals(term)):
            return [(term,)]
        match op:
            case "total":
                return [self._summed(one) for one in self._products(args[0])]
            case "negate":
                return _multiplied([(number(-1),)], self._products(args[0]))
            case "add":
                return [*self._products(args[0]), *self._products(args[1])]
            case "subtract":
                return [*self._products(args[0]), *self._products(make("negate", args[1]))]
            case "multiply":
                return _multiplied(*map(self._products, args))
            case "divide" if not self._depends(args[1]):
                return _multiplied([(make("divide", ONE, args[1]),)], self._products(args[0]))
            case "power" if args[1].op == "num" and args[1].args[0] in range(1, _LARGEST_POWER + 1):
                return reduce(_multiplied, [self._products(args[0])] * int(args[1].args[0]))
        raise RefusedError(f"{term} is no polynomial in sums over members")

    def _summed(self, factors: _Product) -> _Product:
        """The sum over members of a product: sums in it are the same for all of them."""
        same, functions, sums = self._told_apart(factors)
        return (*same, *sums, make("total", _product(*functions), self._letter) if functions else self._size)

    def _told_apart(self, factors: _Product) -> tuple[_Product, _Product, _Product]:
        """What is the same for all members, functions of the one member, and sums over all."""
        of_members = tuple(filter(self._depends, factors))
        functions, sums = (
            tuple(one for one in of_members if (one.op == "total") is summed) for summed in (False, True)
        )
        return tuple(one for one in factors if not self._depends(one)), functions, sums

    def _depends(self, term: Term) -> bool:
        return self._member in term.free


def _root(term: Term) -> Term:
    """What has a value where a term is not negative, and is differentiated only where it is positive."""
    return make("power", term, number(Fraction(1, 2)))


def _less(left: Term, right: Term) -> Term:
    return number(left.args[0] - right.args[0]) if left.op == right.op == "num" else make("subtract", left, right)


def _sum(terms: Iterable[Term]) -> Term:
    return reduce(lambda left, right: make("add", left, right), [*terms] or [ZERO])


def _product(*factors: Term) -> Term:
    return reduce(
        lambda left, right: make("multiply", left, right), [one for one in factors if one is not ONE] or [ONE]
    )


def _multiplied(left: Sequence[_Product], right: Sequence[_Product]) -> list[_Product]:
    spend(sum(map(len, left)) * len(right) + sum(map(len, right)) * len(left))
    if len(left) * len(right) > _MOST_PRODUCTS:
        raise RefusedError("too many products of sums over members")
    return [(*one, *other) for one in left for other in right]
