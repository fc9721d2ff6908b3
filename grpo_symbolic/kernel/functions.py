"""Functions of which nothing is known but where they are defined, where their values lie and how smooth they are.

``["applied", name, primes, argument]`` is the value of a function, or of its derivative. What is supposed of one is
``["for-every", symbol, relation, [value at the symbol, example, ...], where]``, that a relation holds at every
argument, or ``["sequence-limit", symbol, value at it, limit, null, [...]]``. Its values are called ``f(x)``, those of
its derivative ``f('x)`` and so on, and ``f(~1)`` is an argument between two others.

Soundness. The values of a function at finitely many arguments lie in its range, and are equal at equal arguments. What
is supposed at every argument is so at each of these, and by the mean value theorem at one where the slope is that of a
chord. What holds of all numbers of which this is true holds of all functions.

That there are such functions is seen by the examples, which are smooth enough and are as supposed wherever the rest
that is given holds. For one without example there is one with given values and slopes at finitely many arguments.

Sequences have limits where this is supposed, and what is made of them by what is continuous wherever it has a value,
and has one at these limits, tends to that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import inf
from typing import Any, TypeAlias

from grpo_symbolic.kernel.ranges import Ranges
from grpo_symbolic.kernel.statements import OF_FUNCTIONS, Record, between, joined
from grpo_symbolic.kernel.terms import (
    OPERATORS,
    RefusedError,
    Term,
    conditions,
    derivative,
    make,
    number,
    spend,
    substitute,
    sym,
    totals,
)

#: A function, the primes of its derivative, and an argument.
Value: TypeAlias = tuple[str, str, Term]
#: Chords are drawn between at most as many arguments, and a sequence that is an example is constant after so many.
_MOST_PLACES, _SETTLED_AFTER = 3, 2


def applied(*terms: Term) -> Iterator[Term]:
    """The values of functions in terms."""
    return totals(*terms, op="applied")


@dataclass
class _Letters:
    """Symbols for the values of functions."""

    record: Record
    known: dict[Value, Term] = field(default_factory=dict)
    between: int = 0

    def put(self, term: Term) -> Term:
        """A term with symbols for values."""
        if term.op in ("num", "sym"):
            return term
        parts: list[Any] = [self.put(one) if isinstance(one, Term) else one for one in term.args]
        return self.value(*parts) if term.op == "applied" else make(term.op, *parts)

    def value(self, name: str, primes: str, argument: Term) -> Term:
        """The symbol for a value, at an argument which plainly is one of the function."""
        known = self.record.functions[name]
        if len(primes) > (known.derivatives or 0):
            raise RefusedError(f"{name} is not known to have a derivative of the order {len(primes)}")
        if (
            any(self.record.letters(argument))
            or any(conditions(argument))
            or not _is_inside(self.record, name, argument)
        ):
            raise RefusedError(f"{argument} is not plainly an argument of {name}")
        if (name, primes, argument) not in self.known:
            called = f"{name}({primes}{_shown(argument)})"
            while sym(called) in self.known.values():
                called = f"{called[:-1]}#)"
            self.known[name, primes, argument] = sym(called)
        return self.known[name, primes, argument]

    def supposed(self) -> Iterator[Term]:
        """What is supposed everywhere, at the arguments that there are, and where the slope is that of a chord."""
        before = [*self.known]
        for one in self.record.supposed if before else ():
            spend(one.size)
            if one.op == "for-every":
                symbol, body, functions = *one.args[:2], {inner.args[0] for inner in applied(one.args[1])}
                places = [argument for name, _, argument in before if name in functions]
                for name in sorted({inner.args[0] for inner in applied(body) if inner.args[1]}):
                    arguments = [place for other, primes, place in before if other == name and not primes]
                    for pair in combinations(arguments, 2) if len(arguments) <= _MOST_PLACES else ():
                        self.between += 1
                        places.append(sym(f"{name}(~{self.between})"))
                        yield from self._chord(name, places[-1], *pair)
                for place in dict.fromkeys(places):
                    yield from self._at(symbol.args[0], body, place)

    def _at(self, symbol: str, body: Term, place: Term) -> Iterator[Term]:
        if self.record.symbol(symbol).whole and not self.record.is_whole(place):
            return
        before = dict(self.known)
        reached, said = self.record.within(symbol, place), self.put(substitute(body, {symbol: place}))
        if said.free.isdisjoint(one.args[0] for one in before.values()):
            # It says nothing of what is spoken of.
            self.known = before
        else:
            yield make("implies", joined(reached), said) if reached else said

    def _chord(self, name: str, there: Term, first: Term, second: Term) -> Iterator[Term]:
        rise = make("subtract", self.value(name, "", first), self.value(name, "", second))
        yield make("=", rise, make("multiply", self.value(name, "'", there), make("subtract", first, second)))
        orders = ((first, second), (second, first))
        yield make("any", *(make("all", make("<=", a, there), make("<=", there, b)) for a, b in orders))

    def congruence(self) -> Iterator[Term]:
        """That values are equal at equal arguments."""
        for (name, primes, one), (other, more, there) in combinations(self.known, 2):
            if (name, primes) == (other, more) and not _differ(one, there):
                same = make("=", self.known[name, primes, one], self.known[name, primes, there])
                yield make("implies", make("=", one, there), same)


def _shown(term: Term) -> str:
    return " + ".join(map(_shown, term.args)) if term.op == "add" else repr(term)


def _is_inside(record: Record, name: str, argument: Term) -> bool:
    on, whole, _, _ = record.functions[name]
    if whole and not record.is_whole(argument):
        return False
    return all(map(Ranges(record.domains(argument)).holds, between(argument, *on)))


def _differ(one: Term, other: Term) -> bool:
    """Whether two terms are the same but for different numbers that are added."""
    (base, shift), (same, more) = map(_shifted, (one, other))
    return base is same and shift != more


def _shifted(term: Term) -> tuple[Term | None, Fraction]:
    if term.op == "add" and term.args[1].op == "num":
        base, shift = _shifted(term.args[0])
        return base, shift + term.args[1].args[0]
    return (None, term.args[0]) if term.op == "num" else (term, Fraction(0))


def lettered(
    record: Record, facts: Sequence[Term], conclusion: Term, hidden: Sequence[Term]
) -> tuple[tuple[Term, ...], Term, tuple[Term, ...]]:
    """What is to be shown, with symbols for the values of functions and what is supposed of these."""
    if not record.functions:
        return tuple(facts), conclusion, tuple(hidden)
    letters = _Letters(record)
    said = [letters.put(one) for one in (conclusion, *hidden, *facts)]
    supposed = [*letters.supposed(), *letters.congruence()]
    return (*said[1 + len(hidden) :], *supposed), said[0], tuple(said[1 : 1 + len(hidden)])


# Examples.


def _examples(record: Record) -> dict[str, tuple[str, Term]]:
    """The example of each function of which something is supposed, and the symbol at which it is written down."""
    found = dict[str, tuple[str, Term]]()
    for one in record.supposed:
        symbol, pairs = one.args[0], one.args[2 if one.op == "for-every" else 4].args
        where = one.args[3] if one.op == "for-every" else None
        if where is not None and (symbol.args[0] in where.free or any(applied(where))):
            raise RefusedError(f"where examples are like this is said of {symbol}, or of functions")
        on = record.symbol(symbol.args[0])
        for value, example in zip(pairs[::2], pairs[1::2], strict=True):
            name = value.args[0]
            if value.op != "applied" or value.args[1:] != ("", symbol) or record.functions[name][:2] != on[:2]:
                raise RefusedError(f"{value} is no value of a function at {symbol}")
            if found.setdefault(name, (symbol.args[0], example)) != (symbol.args[0], example):
                raise RefusedError(f"two examples of {name}")
            jumps = (*totals(example), *totals(example, op="supported"))
            if any(applied(example)) or any(symbol.args[0] in inner.free for inner in jumps):
                raise RefusedError(f"{example} is no known function, or it may jump")
    missing = {inner.args[0] for one in record.supposed for inner in applied(*one.args[1:3])} - found.keys()
    if missing:
        raise RefusedError(f"something is supposed of {', '.join(sorted(missing))} without an example")
    return found


def possible(record: Record, facts: Iterable[Term], growing: str | None = None) -> tuple[Term, ...]:
    """What must be able to hold so that facts can, with what is given: of the examples, and of other functions.

    Where a symbol is growing these are constant, so that it is so for every number.
    """
    if not record.functions:
        return tuple(facts)
    examples, hidden = _examples(record), list[Term]()
    given = [record.unfold(one, hidden) for one in record.given if one.op not in OF_FUNCTIONS]
    where = [one.args[3] for one in record.supposed if one.op == "for-every" and one.args[3] is not None]
    known, letters = [*dict.fromkeys((*facts, *given, *where))], _Letters(record)
    inside = list[Term]()
    said = [_realised(record, examples, one, inside) for one in known]
    if growing is not None:
        constant = {one: sym(f"{one.args[0]}()") for one in applied(*said, *inside)}
        if any(one.args[1] for one in constant):
            raise RefusedError("a slope of what grows")
        said = [_replaced(one, constant) for one in (*said, *inside)]
        if any(growing in one.free for one in said):
            raise RefusedError(f"this may hold for the first {growing} only")
        return tuple(dict.fromkeys(said))
    said = [letters.put(one) for one in (*said, *inside)]
    return tuple(dict.fromkeys((*said, *letters.congruence())))


def _replaced(term: Term, values: Mapping[Term, Term]) -> Term:
    if term in values:
        return values[term]
    return make(term.op, *(_replaced(one, values) if isinstance(one, Term) else one for one in term.args))


def _realised(record: Record, examples: Mapping[str, tuple[str, Term]], term: Term, inside: list[Term]) -> Term:
    """A term with examples for functions, at arguments that are ``inside``."""
    if term.op == "num":
        return term
    parts: list[Any] = [_realised(record, examples, one, inside) if isinstance(one, Term) else one for one in term.args]
    if term.op != "applied" or term.args[0] not in examples:
        return make(term.op, *parts)
    name, primes, argument = parts
    known, (symbol, value) = record.functions[name], examples[name]
    if known.whole and not record.is_whole(argument):
        raise RefusedError(f"{argument} is no argument of {name}")
    # An example may not depend on it.
    inside += conditions(argument)
    if not _is_inside(record, name, argument):
        inside += between(argument, *known.on)
    for _ in primes:
        value = derivative(value, symbol)
    return substitute(value, {symbol: argument})


def examples_hold(record: Record) -> Iterator[tuple[tuple[Term, ...], Term, tuple[Term, ...]]]:
    """That examples are what is supposed wherever the rest that is given holds; they are smooth enough."""
    examples, inside = _examples(record) if record.functions else {}, list[Term]()
    known = possible(record, ()) if record.supposed else ()
    for one in record.supposed:
        symbol, body = one.args[0].args[0], one.args[1]
        if one.op == "sequence-limit":
            late = number(Fraction(record.symbol(symbol).domain.low) + _SETTLED_AFTER)
            body = make("implies", make(">=", sym(symbol), late), make("=", *one.args[1:3]))
        hidden = list[Term]()
        for name in dict.fromkeys(inner.args[0] for inner in applied(*one.args[1:3])):
            at, value = examples[name]
            hidden.append(substitute(value, {at: sym(symbol)}))
            inside += between(hidden[-1], *record.functions[name].values)
            for _ in range(record.functions[name].derivatives or 0):
                hidden.append(derivative(hidden[-1], symbol))
        said = _realised(record, examples, body, inside)
        yield known, make("all", *inside, said), tuple(hidden)


# Limits.


def limit_of(record: Record, term: Term, name: str) -> Term:
    """What a term tends to as a whole number grows, by what is supposed of sequences."""
    if name not in term.free:
        return term
    if term.op == "applied":
        function, primes, argument = term.args
        if not primes and _grows(argument, name):
            for one in record.supposed:
                if one.op == "sequence-limit" and one.args[1].args == (function, "", one.args[0]):
                    return _constant(record, one)
        if record.functions[function].derivatives is None:
            raise RefusedError(f"no limit of {term} is supposed, or it may jump there")
        return make(term.op, function, primes, limit_of(record, argument, name))
    if term.op not in OPERATORS:
        raise RefusedError(f"no limit of {term} is known")
    return make(term.op, *(limit_of(record, one, name) for one in term.args))


def _constant(record: Record, supposed: Term) -> Term:
    symbol, value, limit = supposed.args[:3]
    along = record.symbol(symbol.args[0])
    if symbol.args[0] in limit.free or supposed.args[3] is not None:
        raise RefusedError(f"{limit} is no limit")
    if record.functions[value.args[0]][:2] != along[:2] or along.domain.high != inf:
        raise RefusedError(f"{symbol} does not run through all arguments of {value.args[0]}, or not to infinity")
    return limit  # type: ignore[no-any-return]


def _grows(argument: Term, name: str) -> bool:
    """Whether an argument takes each of infinitely many whole numbers in turn, one after the other."""
    if argument.op == "add":
        fixed = [one for one in argument.args if name not in one.free]
        return len(fixed) == 1 and any(_grows(one, name) for one in argument.args if one is not fixed[0])
    if argument.op == "multiply" and argument.args[0].op == "num":
        return argument.args[0].args[0] >= 1 and _grows(argument.args[1], name)
    return argument is sym(name)
