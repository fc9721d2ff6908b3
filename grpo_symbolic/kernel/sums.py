"""Sums over all elements of an index set, however many these are: what is known of them by their summands alone.

A total is ``["total", body, letter]``; what is of an element is a symbol with its letter, and what is the same for all
is none. A certificate lists totals, inner ones first, and writes each as a combination of other sums, which get names:
``[total, [[coefficient, summand, name], ...], proofs]``. With a new symbol for each name nothing is left of elements
but numbers.

Soundness. Take a point at which a total has a value: then its body has one at every element, of which there is one at
least. At each of them it is shown, from the domains and facts that hold there, that the coefficients and summands have
values and that the body is the sum of their products. A coefficient is of other elements only, so that it is the same
for all of these, and the total is the combination of the sums of the summands. Such a sum is positive, or not negative,
if its summand is seen to be that on the domains. What holds whatever number it is, holds. Facts that speak of no
coordinate of the element hold there; so do those about it as it was declared, as these hold at every element, but none
about what is of a further one.

What is ``supported`` has a name too, ``[bracket, name, proofs]``: it is 0 where its second part is, and elsewhere its
first part, where that is shown to have a value by what holds at every element. So that is one coordinate of each.

A sum is of the elements of which its summand is beside its own. A sum of multiples of it is a sum over both; neither
the order of these nor their letters matter. So sums may have one name if what they sum is the same, where it has a
value, with other letters of the same sets.

Kronecker's delta ``["delta", j, i]`` is of the element i, 1 where that is the further element j of the same set, and
else 0. A sum over i of multiples of it, called null, is the multiple at j.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations
from math import inf

from grpo_symbolic.kernel.algebra import Ring
from grpo_symbolic.kernel.ranges import LINE, Interval
from grpo_symbolic.kernel.rules import Goal, Obligation, check, goals_of, is_evident
from grpo_symbolic.kernel.terms import (
    ONE,
    ZERO,
    RefusedError,
    Term,
    conditions,
    is_elementary,
    is_expression,
    make,
    substitute,
    sym,
)

_MOST_LETTERS = 4


@dataclass
class Elements:
    """Of which elements symbols are, by letters of these ``sets``, and of which coordinate one at other elements is."""

    letters: dict[str, tuple[str, ...]]
    families: Mapping[str, str]
    sets: Mapping[str, str]

    def of(self, term: Term) -> set[str]:
        """The letters of the elements of which a term without totals is."""
        return {letter for name in term.free for letter in self.letters.get(name, ())}

    def alike(self, letters: Mapping[str, str]) -> bool:
        """Whether letters are exchanged for others of the same sets."""
        return all(self.sets.get(one, one) == self.sets.get(other, other) for one, other in letters.items())

    def moved(self, term: Term, letters: Mapping[str, str]) -> Term:
        """A term without totals at other elements.

        Raises:
            RefusedError: if it has no name for what another element has.
        """
        return substitute(term, {name: sym(self._at(name, letters)) for name in term.free})

    def _at(self, name: str, letters: Mapping[str, str]) -> str:
        here = self.letters.get(name, ())
        there = tuple(letters.get(one, one) for one in here)
        family = self.families.get(name, name)
        for one, found in self.letters.items():
            if found == there and (one == name or self.families.get(one, one) == family):
                return one
        if not here:
            return name
        raise RefusedError(f"nothing is called {family} at {there}")


@dataclass
class Sequent:
    """That on the domains of symbols a conclusion follows from facts, which are given of every element."""

    domains: dict[str, Interval]
    elements: Elements
    facts: tuple[Term, ...]
    conclusion: Term


def without_totals(sequent: Sequent, terms: Sequence[Term], certificate: object) -> Sequent:
    """One that says no less, without totals.

    Raises:
        RefusedError: if it is not what the certificate says.
    """
    domains = dict(sequent.domains)
    elements = replace(sequent.elements, letters=dict(sequent.elements.letters))
    sums = _Sums(domains, elements, sequent.facts, Obligation(domains, terms))
    for entry in _listed(certificate):
        sums.remove(entry)
    *facts, conclusion = map(sums.plain, (*sums.facts, sequent.conclusion))
    if not all(map(is_elementary, (*facts, conclusion))):
        raise RefusedError("something is left that is no elementary statement")
    return Sequent(domains, Elements({}, {}, {}), tuple(facts), conclusion)


def _listed(some: object, count: int | None = None) -> Sequence[object]:
    if not isinstance(some, list) or count not in (None, len(some)):
        raise RefusedError(f"{str(some)[:80]} is no list, or none of {count}")
    return some


@dataclass
class _Sums:
    """What stands for totals, and the sums that have names: what they run through, and what they sum."""

    domains: dict[str, Interval]
    elements: Elements
    facts: Sequence[Term]
    inside: Obligation
    _named: dict[str, tuple[tuple[str, ...], Term]] = field(default_factory=dict)
    _plain: dict[Term, Term] = field(default_factory=dict)
    _deltas: list[str] = field(default_factory=list)

    def plain(self, term: Term) -> Term:
        """A term with what stands for totals."""
        if term not in self._plain:
            if term.op in ("total", "supported"):
                raise RefusedError(f"nothing is said of {term}")
            args = (self.plain(one) if isinstance(one, Term) else one for one in term.args)
            self._plain[term] = self._delta(*term.args) if term.op == "delta" else make(term.op, *args)
        return self._plain[term]

    def _delta(self, other: str, letter: str) -> Term:
        name = self._new(f"delta {other}")
        if other == letter or not self.elements.alike({letter: other}):
            raise RefusedError(f"a delta of {letter} alone, or of two sets")
        self.domains[name] = Interval(Fraction(0), True, Fraction(1), True)
        self.elements.letters[name] = (letter, other)
        self._deltas.append(name)
        return sym(name)

    def _at_other(self, summand: Term, letter: str) -> Term:
        """The sum of multiples of a delta."""
        for name in self._deltas:
            here, other = self.elements.letters[name]
            if here == letter and sym(name) in _factors(summand):
                return self.elements.moved(substitute(summand, {name: ONE}), {letter: other})
        raise RefusedError(f"{summand} is no multiple of a delta of {letter}")

    def remove(self, entry: object) -> None:
        """Put a combination of sums for a total, or a name for a bracket."""
        place, pairs, proofs = _listed(entry, 3)
        total = self.inside.at(place)
        if total.op == "supported":
            self._name_bracket(total, pairs, proofs)
            return
        if total.op != "total" or len(total.args) != 2 or not isinstance(total.args[1], str):
            raise RefusedError(f"{total} is no total")
        body, letter = self._expression(self.plain(total.args[0])), total.args[1]
        needed, found, whole = list[Term](), ZERO, ZERO
        for pair in _listed(pairs):
            first, second, name = _listed(pair, 3)
            coefficient, summand = map(self._expression, map(self.inside.at, (first, second)))
            if letter in self.elements.of(coefficient):
                raise RefusedError(f"{coefficient} is not the same for every {letter}")
            needed += (*conditions(coefficient), *conditions(summand))
            found = _plus(found, _times(coefficient, summand))
            value = self._at_other(summand, letter) if name is None else self._called(name, summand, letter)
            whole = _plus(whole, _times(coefficient, value))
        has_value = tuple(conditions(body))
        # What is below a fraction bar under a root is positive.
        roots = (one.args[0].args[0] for one in has_value if one.op == "!=" and one.args[0].op == "sqrt")
        given = (*self._at_each({letter}), *has_value, *(make(">", one, ZERO) for one in roots))
        self._require(given, make("all", *dict.fromkeys(needed), make("=", body, found)), proofs)
        self._plain[total] = whole

    def _name_bracket(self, bracket: Term, name: object, proofs: object) -> None:
        body, on = (self._expression(self.plain(one)) for one in bracket.args)
        zero, counts = (make(op, on, ZERO) for op in ("=", "!="))
        letters = self.elements.of(make("list", body, on))
        needed = (*conditions(on), *(make("implies", counts, one) for one in conditions(body)))
        self._require(tuple(self._at_each(letters)), make("all", *dict.fromkeys(needed)), proofs)
        new = self._new(name)
        self.domains[new], self.elements.letters[new] = LINE, tuple(sorted(letters))
        values = ((zero, ZERO), (counts, body))
        self.facts = (*self.facts, *(make("implies", case, make("=", sym(new), value)) for case, value in values))
        self._plain[bracket] = sym(new)

    def _require(self, given: Sequence[Term], shown: Term, proofs: object) -> None:
        goals = tuple(goals_of(self.inside, given, shown))
        for goal, proof in zip(goals, _listed(proofs, len(goals)), strict=True):
            if proof is not None:
                check(goal, proof)
            elif not is_evident(goal):
                raise RefusedError(f"no proof of {goal.relation}")

    def _at_each(self, letters: set[str]) -> Iterator[Term]:
        """The facts that hold at every element."""
        elsewhere = {*self.elements.families, *self._deltas}
        for one in self.facts:
            try:
                fact = self.plain(one)
            except RefusedError:
                # It speaks of a total that is not removed yet.
                continue
            if letters.isdisjoint(self.elements.of(fact)) or elsewhere.isdisjoint(one.free | fact.free):
                yield fact

    def _expression(self, term: Term) -> Term:
        if not is_expression(term) or not term.free <= self.domains.keys():
            raise RefusedError(f"{term} is no expression, or not of symbols with domains")
        return term

    def _called(self, name: object, summand: Term, letter: str) -> Term:
        """Give a name to a sum, or see that it has this name."""
        made = self._opened(summand, letter)
        if name not in self._named:
            new = self._new(name)
            self._named[new], self.domains[new] = made, self._domain(made[1])
            self.elements.letters[new] = tuple(sorted(self.elements.of(made[1]) - {*made[0]}))
        elif not any(map(self._are_same, _renamings(self.elements, made, self._named[str(name)]))):
            raise RefusedError(f"{name} is another sum")
        return sym(str(name))

    def _new(self, name: object) -> str:
        """A name that nothing has, nor what is given elsewhere of the same coordinate."""
        if not isinstance(name, str) or not name or name in {*self.domains, *self.elements.families.values()}:
            raise RefusedError(f"a sum cannot be called {name!r}")
        return name

    def _domain(self, summand: Term) -> Interval:
        low, low_in, _, _ = self.inside.ranges.of(summand)
        return Interval(Fraction(0), low == 0 and low_in, inf, False) if low >= 0 else LINE

    def _opened(self, summand: Term, letter: str) -> tuple[tuple[str, ...], Term]:
        """What a sum runs through and sums: a sum of multiples of another one of the same element runs on."""
        factors = list(_factors(summand))
        inner = [
            one for one in factors if one.op == "sym" and letter in self.elements.of(one) and one.args[0] in self._named
        ]
        if len(inner) == 1:
            bound, body = self._named[inner[0].args[0]]
            others = [one for one in factors if one is not inner[0]]
            if not any({letter, *self.elements.of(one)} & {*bound} for one in others):
                for one in others:
                    body = make("multiply", one, body)
                return (letter, *bound), body
        return (letter,), summand

    def _are_same(self, sides: tuple[Term, Term]) -> bool:
        """Whether two bodies have values at the same points, and the same ones."""
        for one, other in (sides, sides[::-1]):
            goal = Goal(self.inside, (), make("=", one, ZERO))
            if not all(map(goal.shown, conditions(other))):
                return False
        return Ring(self.inside.ranges.holds).are_equal(*sides)


def _factors(term: Term) -> Iterator[Term]:
    if term.op == "multiply":
        for one in term.args:
            yield from _factors(one)
    else:
        yield term


def _renamings(
    elements: Elements, one: tuple[tuple[str, ...], Term], other: tuple[tuple[str, ...], Term]
) -> Iterator[tuple[Term, Term]]:
    """What one sum sums, in all ways with the letters of another one, each within its set, and what that sums."""
    (bound, body), (target, wanted) = one, other
    free = [elements.of(body) - {*bound}, elements.of(wanted) - {*target}]
    if len(bound) != len(target) or len(bound) > _MOST_LETTERS or free[0] != free[1]:
        return
    for order in permutations(target):
        moved = dict(zip(bound, order, strict=True))
        if elements.alike(moved):
            try:
                yield elements.moved(body, moved), wanted
            except RefusedError:
                continue


def _plus(left: Term, right: Term) -> Term:
    return right if left is ZERO else make("add", left, right)


def _times(left: Term, right: Term) -> Term:
    if ZERO in (left, right):
        return ZERO
    return right if left is ONE else left if right is ONE else make("multiply", left, right)
