"""Records of claims: what they state, on which domains, by which definitions, and what that amounts to.

A record is JSON: ``{"format": 1, "id", "symbols", "definitions", "terms", "statement", "given", "assumed", "lemmas",
"derivation"}``. References are places in the table ``terms``, see ``terms.read_terms``.

* ``symbols``: ``{name: [low, high, low_in, high_in, whole, letters, of]}``: the domain, with null for no end, and for a
  coordinate the letters of the elements of which it is one; ``of`` is the coordinate that it is at another element.
* ``functions``, if there are any: ``{name: [on, values, derivatives]}``, see ``functions``.
* ``definitions``: ``{key: [[parameter, ...], body]}``; a body calls only what stands before it.
* ``lemmas``: ``{"claim", "statement", "given", "values": [[name, reference], ...], "ends": null or two references,
  "supposed"}``: what another claim says at values, or a monotone one between two ends. One that is ``supposed`` rests
  on an assumption, so that it has to be possible.
* ``derivation``: null, or ``{"start", "given", "steps": [[relation, reference, claim], ...]}``.

Beside the elementary operators terms have those of ``_WORDS``. One that is ``supported`` is 0 where its second part is
0, and else its first part, which needs a value only there. A ``delta`` of two letters of a set is 1 where they are of
one element, and else 0. For an ``expectation`` over the members of a group see ``groups``. Where nothing else is said,
a statement is about all values of its symbols in their domains at which all that is given holds; what is given of an
element is so of every one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from grpo_symbolic.kernel.groups import Group
from grpo_symbolic.kernel.ranges import LINE, End, Interval, Ranges
from grpo_symbolic.kernel.terms import (
    COMBINATIONS,
    ONE,
    OPERATORS,
    RELATIONS,
    ZERO,
    RefusedError,
    Term,
    conditions,
    derivative,
    make,
    number,
    read_number,
    read_terms,
    spend,
    substitute,
    sym,
    totals,
)

#: What operators stand over: (e)xpressions, (s)ymbols, s(t)atements, (b)ooleans, te(x)t; capitals may be null; several
#: in a ``list`` are (l). Fields are in the order of the language's own.
_WORDS: Mapping[str, str] = {
    **{"derivative": "es", "substitution": "ese", "total": "ex", "supported": "ee", "delta": "xx"},
    **{"expectation": "esellllb", "applied": "xxe"},
}
_FIELDS: Mapping[str, str] = {
    **{op: "e" * count for op, count in OPERATORS.items()},
    **dict.fromkeys(RELATIONS, "ee"),
    **{"implies": "tt", "iff": "tt", **_WORDS},
    **{"instance": "tll", "summed": "tete", "term-of-total": "e"},
    **{"monotone": "esb", "limit": "esexEeeE", "unique-root": "ste", "unique-zero": "eseebEE", "zeros": "eslb"},
    **{"extremum": "esebb", "fixed-point": "lllblb", "local-extremum": "ellb", "every-iterate": "tlllTl"},
    **{"converges": "eseE", "some-zero": "eseeb", "every-cycle": "eseee"},
    **{"for-every": "stlT", "sequence-limit": "seeEl", "limit-superior": "seeeT"},
    **{"in-the-limit": "stt", "monotone-limit": "seeb"},
}
#: What may be supposed of functions, and how much of that is no example.
OF_FUNCTIONS: Mapping[str, int] = {"for-every": 2, "sequence-limit": 3}
_MOST_DERIVATIVES = 9
_EXPRESSIONS = {"num", "sym", "call", *_WORDS, *OPERATORS}
_COMPOSING = (("<", "<=", "="), (">", ">=", "="), ("implies", "iff"))


class Symbol(NamedTuple):
    """Where the values of a symbol lie, and of which elements it is a coordinate."""

    domain: Interval
    whole: bool
    letters: tuple[str, ...]
    of: str | None


class Function(NamedTuple):
    """Any function on an interval, or its whole numbers, with so many continuous derivatives; it may jump if None."""

    on: Interval
    whole: bool
    values: Interval
    derivatives: int | None


class Lemma(NamedTuple):
    """What another claim states under what is given there, at some values or between two ends."""

    claim: str
    statement: Term
    given: tuple[Term, ...]
    values: Mapping[str, Term]
    ends: tuple[Term, ...]
    supposed: bool


class Derivation(NamedTuple):
    """A first line, and by which relation and which claim each further one follows."""

    start: Term
    given: tuple[Term, ...]
    steps: tuple[tuple[str, Term, str], ...]


@dataclass(frozen=True)
class Record:
    """A claim with all that it speaks of."""

    id: str
    symbols: Mapping[str, Symbol]
    definitions: Mapping[str, tuple[tuple[str, ...], Term]]
    terms: Sequence[Term]
    statement: Term
    given: tuple[Term, ...]
    assumed: bool
    lemmas: tuple[Lemma, ...]
    derivation: Derivation | None
    functions: Mapping[str, Function]

    def symbol(self, name: str) -> Symbol:
        """A symbol; with a prime it is another value of the same one, with a bracket what ``functions`` calls so."""
        function, bracket, kind = name.rstrip("'").partition("(")
        if not bracket:
            return self.symbols[function]
        known = self.functions[function]
        return Symbol({"'": LINE, "~": known.on}.get(kind[0], known.values), False, (), None)

    @cached_property
    def supposed(self) -> tuple[Term, ...]:
        """What is given of functions as such, and not of single values."""
        return tuple(self.everywhere(one, {}) for one in self.given if one.op in OF_FUNCTIONS)

    def everywhere(self, supposed: Term, values: Mapping[str, Term]) -> Term:
        """What is supposed of functions, at values of other symbols, with a name of its own for what is bound."""
        hidden, bound = list[Term](), supposed.args[0].args[0]
        unfolded = substitute(self.unfold(supposed, hidden), {bound: sym(f"{bound}''")})
        if hidden or self.letters(unfolded):
            raise RefusedError("what is supposed of functions differentiates something, or is about an element")
        return self.put(unfolded, values)

    def domains(self, *terms: Term) -> Mapping[str, Interval]:
        """The domains of all symbols in terms."""
        return {name: self.symbol(name).domain for one in terms for name in sorted(one.free)}

    @cached_property
    def couples(self) -> bool:
        """Whether other elements may matter to what is said of one."""
        return self.couple(*self.terms) or any(one.of for one in self.symbols.values())

    def couple(self, *terms: Term) -> bool:
        """Whether sums or further elements occur, so that what is said of one element and of every one differs."""
        waiting, seen = [*terms], set[Term]()
        while waiting:
            term = waiting.pop()
            coupling = term.op in ("total", "delta", "expectation")
            if coupling or (term.op == "sym" and self.symbol(term.args[0]).of is not None):
                return True
            if term not in seen:
                seen.add(term)
                waiting += (one for one in term.args if isinstance(one, Term))
        return False

    @cached_property
    def sets(self) -> Mapping[str, str]:
        """For a letter one of those of the same set: a coordinate and what it is at other elements are of one set."""
        found = dict[str, str]()
        families = ((one, self.symbols[one.of] if one.of else one) for one in self.symbols.values())
        pairs = [pair for one, other in families for pair in zip(one.letters, other.letters, strict=True)]
        for pair in (*pairs, *(one.args for one in self.terms if one.op == "delta")):
            joined = {found.setdefault(letter, letter) for letter in pair}
            found |= {letter: min(joined) for letter, known in found.items() if known in joined}
        return found

    def letters(self, term: Term) -> tuple[str, ...]:
        """The elements of which something unfolded speaks, without those through which sums run."""
        if term.op in ("sym", "delta"):
            return self.symbol(term.args[0]).letters if term.op == "sym" else term.args
        inside = (letter for one in term.args if isinstance(one, Term) for letter in self.letters(one))
        return tuple(dict.fromkeys(one for one in inside if term.op != "total" or one != term.args[1]))

    def put(self, term: Term, values: Mapping[str, Term]) -> Term:
        """Something unfolded with values in the places of symbols, at every element of which it speaks.

        A sum would bind what is of one of its elements, unless what is replaced is a coordinate of that as well.
        """
        for name, value in values.items():
            loose = {*self.letters(value)}.difference(self.symbol(name).letters)
            bound = {one.args[1] for one in totals(term) if name in one.free}
            if loose & bound or self.symbol(name).of is not None or self.elsewhere(name, term):
                raise RefusedError(f"{value} does not fit into the place of {name}")
        return substitute(term, values)

    def loose(self, values: Mapping[str, Term]) -> bool:
        """Whether a value is of one element where its symbol is not, so that in a premise it would be of every one."""
        return any({*self.letters(one)}.difference(self.symbol(name).letters) for name, one in values.items())

    def elsewhere(self, name: str, term: Term) -> bool:
        """Whether a term speaks of what a coordinate is at further elements."""
        return any(self.symbol(one).of == name for one in term.free)

    def unfold(self, term: Term, hidden: list[Term]) -> Term:
        """Something with derivatives, substitutions, calls and expectations carried out, innermost first.

        What is ``hidden`` has to have a value for this to mean the same: a function that was differentiated at a point,
        also beside the point, if roots of half powers in it move; their derivatives may vanish where it ends; and
        values in the places of symbols that do not occur.
        """
        op, args = term.op, term.args
        if op == "derivative":
            name, inside = args[1].args[0], list[Term]()
            body = self.unfold(args[0], inside)
            # At other elements what moves has other names.
            moving = None if self.symbol(name).of else name
            roots = (root for one in (body, *inside) for root in _half_powers(one, moving))
            hidden += [*inside, body, *(make("power", one.args[0], number(Fraction(-1, 2))) for one in roots)]
            hidden += (one for part in (body, *inside) for one in self._beside(part, moving))
            return self.derivative(body, name)
        if op in ("substitution", "call"):
            names, body = ((args[1].args[0],), args[0]) if op == "substitution" else self.definitions[args[0]]
            inside = list[Term]()
            body = self.unfold(body, inside)
            places = args[2:] if op == "substitution" else args[1:]
            values = {name: self.unfold(one, hidden) for name, one in zip(names, places, strict=True)}
            hidden += [self.put(one, values) for one in inside]
            hidden += (one for name, one in values.items() if name not in body.free)
            return self.put(body, values)
        inside = list[Term]()
        parts = [self.unfold(one, inside) if isinstance(one, Term) else one for one in args]
        group = Group(self, parts[:-1], args[-1], inside) if op == "expectation" else None
        hidden += inside
        if group is not None:
            return group.written_out()
        if op == "power" and args[1].op != "num":
            return make("exp", make("multiply", parts[1], make("log", parts[0])))
        return make(op, *parts)

    def _beside(self, body: Term, name: str | None) -> Iterator[Term]:
        """What has a value where arguments that move are no ends, unless they are arguments all over the domains."""
        for one in totals(body, op="applied"):
            argument, ranges = one.args[2], Ranges(self.domains(one.args[2]))
            for end in between(argument, *self.functions[one.args[0]].on):
                if (name is None or name in argument.free) and not ranges.holds(end):
                    gap = make("subtract", *(end.args if end.op in (">", ">=") else end.args[::-1]))
                    yield make("power", gap, number(Fraction(-1, 2)))

    def derivative(self, body: Term, name: str) -> Term:
        """The derivative by a symbol, for a coordinate by that at the one element of which a statement speaks.

        What the coordinate is at another element has the derivative 1 where that is the same one, and else 0; a sum
        with its letter would make that one every one. No multiple of 0 tells whether a root has one.
        """
        symbol, others = self.symbol(name), dict[str, Term]()
        if symbol.of is not None and len(symbol.letters) == 1:
            like = (one for one in body.free if one != name and symbol.of in (one, self.symbol(one).of))
            others = {one: make("delta", *symbol.letters, *self.symbol(one).letters) for one in sorted(like)}
        elif symbol.of is not None or self.elsewhere(name, body):
            raise RefusedError(f"no derivative by {name}")
        bound = (one.free for one in totals(body) if symbol.of is not None and one.args[1] in symbol.letters)
        nothing = (one for op in ("multiply", "divide") for one in totals(body, op=op) if ZERO in one.args)
        roots = (one.free for one in totals(*nothing, op="sqrt"))
        # Functions of which something with it is supposed may be others next to a point.
        tied = (one.free for one in self.supposed)
        if symbol.whole or not {name, *others}.isdisjoint(frozenset().union(*bound, *roots, *tied)):
            raise RefusedError(f"no derivative by {name}")
        return derivative(body, name, () if symbol.of else symbol.letters, others)

    def within(self, name: str, value: Term) -> tuple[Term, ...]:
        """That a value lies in the domain of a symbol; for whole numbers only where that is plain but for the ends."""
        if self.symbol(name).whole and not self.is_whole(value):
            raise RefusedError(f"{name} is whole, and {value} need not be")
        return between(value, *self.symbol(name).domain)

    def runs_on(self, variables: Sequence[Term], steps: Sequence[Term], start: Sequence[Term]) -> bool:
        """Whether steps lead to every whole number of a domain."""
        if not len(variables) == len(steps) == len(start) == 1:
            return False
        (low, _, _, _), whole, _, _ = self.symbol(variables[0].args[0])
        return whole and steps[0] is make("add", variables[0], ONE) and start[0].args == (low,)

    def is_whole(self, value: Term) -> bool:
        """Whether it is plain that a value is a whole number."""
        if value.op in ("num", "sym"):
            return value.args[0].denominator == 1 if value.op == "num" else self.symbol(value.args[0]).whole
        return value.op in ("add", "subtract", "multiply", "negate") and all(map(self.is_whole, value.args))


def between(value: Term, low: End, low_in: bool, high: End, high_in: bool) -> tuple[Term, ...]:
    """That a value lies between two ends, of which some may belong to what is meant."""
    ends = ((low, ">=" if low_in else ">"), (high, "<=" if high_in else "<"))
    return tuple(make(op, value, number(Fraction(end))) for end, op in ends if end not in (inf, -inf))


def _half_powers(body: Term, name: str | None) -> Iterator[Term]:
    if body.op == "power" and body.args[1].args[0].denominator == 2 and (name is None or name in body.free):
        yield body
    for one in body.args:
        if isinstance(one, Term):
            yield from _half_powers(one, name)


def is_combination(term: Term) -> bool:
    """Whether a statement consists of relations alone."""
    return term.op in RELATIONS or (term.op in COMBINATIONS and all(map(is_combination, term.args)))


def joined(parts: Iterable[Term]) -> Term:
    """All parts together; one is itself."""
    several = tuple(parts)
    return several[0] if len(several) == 1 else make("all", *several)


# Reading.


def read_record(data: object) -> Record:
    """The record that JSON holds.

    Raises:
        RefusedError: for what is none.
    """
    try:
        return _read(data)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise RefusedError(f"no record: {error!r}") from error


@dataclass
class _Table:
    """The terms of a record while it is read, and what of them is known to be made as ``_FIELDS`` says."""

    terms: Sequence[Term]
    symbols: Mapping[str, Symbol]
    functions: Mapping[str, Function]
    definitions: dict[str, tuple[tuple[str, ...], Term]] = field(default_factory=dict)
    known: set[tuple[object, str]] = field(default_factory=set)

    def at(self, place: object, kind: str) -> Term:
        """The term of a kind to which a record refers."""
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(self.terms):
            raise RefusedError(f"{place!r} is no term of the record")
        self._require(self.terms[place], kind)
        return self.terms[place]

    def all(self, places: Iterable[object], kind: str) -> tuple[Term, ...]:
        """All of some terms of a kind."""
        return tuple(self.at(one, kind) for one in places)

    def _require(self, term: Any, kind: str) -> None:
        if (term is None and kind.isupper()) or (term, kind) in self.known:
            return
        if kind in "bx":
            fits = isinstance(term, bool if kind == "b" else str)
        else:
            fits, kind = isinstance(term, Term), kind.lower()
            op: str = term.op
            args: tuple[Any, ...] = () if op == "num" else term.args
            fields = {"num": "", "sym": "x", "call": "x" + "e" * (len(args) - 1), "list": "e" * len(args)}
            fields |= dict.fromkeys(("all", "any"), "t" * max(1, len(args)))
            wanted = fields[op] if op in fields else _FIELDS[op]
            fits = fits and (op in _EXPRESSIONS) is (kind in "es") and (op == "list") is (kind == "l")
            fits = fits and len(wanted) == len(args) and (kind != "s" or op == "sym")
            fits = fits and (op != "sym" or args[0] in self.symbols)
            fits = fits and (op != "applied" or (args[0] in self.functions and not args[1].strip("'")))
            fits = fits and (op != "call" or len(self.definitions[args[0]][0]) == len(args) - 1)
            for one, inner in zip(args, wanted, strict=False):
                self._require(one, inner)
        if not fits:
            raise RefusedError(f"{term} stands in a wrong place")
        self.known.add((term, kind))


def _read(data: Any) -> Record:
    if data["format"] != 1 or not isinstance(data["id"], str) or not isinstance(data["assumed"], bool):
        raise RefusedError("no record of format 1")
    symbols = {name: _symbol(name, *entry) for name, entry in data["symbols"].items()}
    for name, one in symbols.items():
        family = one if one.of is None else symbols[one.of]
        if family.of is not None or len(family.letters) != len(one.letters) or family[:2] != one[:2]:
            raise RefusedError(f"{name} is no coordinate of {one.of}, or has another domain")
    functions = {name: _function(name, *entry) for name, entry in data.get("functions", {}).items()}
    table = _Table(read_terms(data["terms"]), symbols, functions)
    for key, (parameters, body) in data["definitions"].items():
        if len(set(parameters)) != len(parameters) or not symbols.keys() >= set(parameters):
            raise RefusedError(f"the parameters of {key} are no different symbols")
        table.definitions[key] = (tuple(parameters), table.at(body, "e"))
    lemmas = tuple(
        Lemma(
            str(one["claim"]),
            table.at(one["statement"], "t"),
            table.all(one["given"], "t"),
            {name: table.at(value, "e") for name, value in one["values"] if symbols[name]},
            table.all(one["ends"] or (), "e"),
            bool(one["supposed"]),
        )
        for one in data["lemmas"]
    )
    chain = data["derivation"]
    if chain is not None:
        kind = "e" if table.terms[chain["start"]].op in _EXPRESSIONS else "t"
        steps = tuple((str(relation), table.at(to, kind), str(claim)) for relation, to, claim in chain["steps"])
        chain = Derivation(table.at(chain["start"], kind), table.all(chain["given"], "t"), steps)
    stated = (table.at(data["statement"], "t"), table.all(data["given"], "t"), data["assumed"])
    return Record(data["id"], symbols, table.definitions, table.terms, *stated, lemmas, chain, functions)


def _function(name: str, on: Any, values: Any, derivatives: Any) -> Function:
    where, image = (_symbol(name, *[*entry, [], None]) for entry in (on, values))
    fits = not image.whole and (derivatives is None or (not where.whole and derivatives in range(_MOST_DERIVATIVES)))
    # At a single point nothing has a slope.
    fits = fits and not (derivatives and where.domain.low == where.domain.high)
    # At the ends of the values a slope would have to be 0.
    if not fits or isinstance(derivatives, bool) or (derivatives and image.domain != LINE):
        raise RefusedError(f"{name} is no function that is known to be so smooth")
    return Function(where.domain, where.whole, image.domain, derivatives)


def _symbol(name: str, low: Any, high: Any, low_in: Any, high_in: Any, whole: Any, letters: Any, of: Any) -> Symbol:
    bottom, top = (-inf if low is None else read_number(low)), (inf if high is None else read_number(high))
    fits = all(isinstance(one, bool) for one in (low_in, high_in, whole)) and name and {*"[(~'"}.isdisjoint(name)
    fits = fits and (bottom < top or (low_in and high_in and bottom == top))
    fits = fits and not (low is None and low_in) and not (high is None and high_in)
    if whole:
        fits = fits and all(end in (inf, -inf) or Fraction(end).denominator == 1 for end in (bottom, top))
        fits = fits and top - bottom > 1 - low_in - high_in
    if not fits or len(letters) > 2 or not all(isinstance(one, str) for one in letters):
        raise RefusedError(f"{name!r} has no such domain or elements")
    return Symbol(Interval(bottom, low_in, top, high_in), whole, tuple(letters), of)


# What rests on other claims.


def lemma_statement(record: Record, lemma: Lemma) -> Term:
    """What another claim says at values, where these lie in the domains and all that it supposes holds.

    A claim is about all values of its symbols, so about these. A monotone expression is compared at two ends.
    """
    statement, values = lemma.statement, {name: record.unfold(one, []) for name, one in lemma.values.items()}
    given = [record.unfold(one, []) for one in lemma.given if one.op not in OF_FUNCTIONS]
    places, further = [values], list[Term]()
    supposed = [*given]
    if lemma.ends:
        first, second = (record.unfold(one, []) for one in lemma.ends)
        if statement.op != "monotone":
            raise RefusedError(f"{lemma.claim} says nothing of two ends")
        body, name = record.unfold(statement.args[0], []), statement.args[1].args[0]
        if any(name in one.free for one in totals(body, *given)):
            raise RefusedError(f"two values of {name} differ at all elements")
        places, further = [{name: first}, {name: second}], [make("<", first, second)]
        ends = [record.put(body, place) for place in places]
        said = make("<" if statement.args[2] else ">", *ends)
    else:
        inner = _consequence(record, statement)
        said = record.put(inner, values)
        while inner.op == "implies":
            supposed, inner = [*supposed, inner.args[0]], inner.args[1]
    for one in lemma.given:
        _refuse_unsupposed(record, lemma, one, places)
    for at in places if record.couples else ():
        _refuse_captured(record, lemma, supposed, at)
    reached = ((*conditions(value), *record.within(name, value)) for at in places for name, value in at.items())
    premises = [joined(one) for one in reached if one]
    premises += [record.put(one, place) for one in given for place in places]
    premises += further
    return make("implies", joined(premises), said) if premises else said


def _refuse_unsupposed(record: Record, lemma: Lemma, supposed: Term, places: Sequence[Mapping[str, Term]]) -> None:
    """Refuse what a claim supposes of functions and the statement does not."""
    size = OF_FUNCTIONS.get(supposed.op)
    for at in places if size is not None else ():
        said = record.everywhere(supposed, at)
        if not any(said.op == one.op and said.args[:size] == one.args[:size] for one in record.supposed):
            raise RefusedError(f"{lemma.claim} supposes more of functions")


def _refuse_captured(record: Record, lemma: Lemma, supposed: Sequence[Term], values: Mapping[str, Term]) -> None:
    """Refuse a value of one element in what is supposed of every one: this would be of the same one then."""
    for premise in supposed:
        for name, value in values.items():
            loose = {*record.letters(value)}.difference(record.symbol(name).letters)
            if name in premise.free and not loose.isdisjoint(record.letters(premise)):
                raise RefusedError(f"{lemma.claim} supposes something of every element, and a value is of one")


def _consequence(record: Record, statement: Term) -> Term:
    """What a claim says at each point: of an only root or a least value by what these mean."""
    args = [record.unfold(one, []) if isinstance(one, Term) else one for one in statement.args]
    match statement.op:
        case "unique-root" if is_combination(args[1]):
            return make("iff", args[1], make("=", args[0], args[2]))
        case "summed":
            # What is known of every element may stand for the premise, see ``kinds.Setting.using``.
            return make("implies", args[0], args[2])
        case "extremum":
            return make(">=" if args[3] else "<=", args[0], record.put(args[0], {args[1].args[0]: args[2]}))
        case "every-iterate" if args[4] is None and record.runs_on(*(one.args for one in args[1:4])):
            return args[0]
        case "in-the-limit":
            return args[1]
        case "term-of-total":
            (letter,) = record.letters(args[0]) or ("",)
            return make("<=", args[0], make("total", args[0], letter))
    if not is_combination(statement):
        raise RefusedError(f"{statement.op} says nothing of single points")
    return make(statement.op, *args)


def composed(record: Record) -> tuple[tuple[str, str], ...]:
    """The claims of the steps, if what these compose to is the statement, which then follows from them.

    From a = b and b <= c follows a <= c, and from A if and only if B and B implies C follows that A implies C.
    """
    chain = record.derivation
    if chain is None or not chain.steps or chain.given != record.given:
        raise RefusedError("no derivation, or one under other hypotheses")
    kinds, line, found = {relation for relation, _, _ in chain.steps}, chain.start, list[tuple[str, str]]()
    row = next((row for row in _COMPOSING if kinds.issubset(row)), None)
    if row is None or (row[-1] == "iff") is (chain.start.op in _EXPRESSIONS):
        raise RefusedError(f"steps by {', '.join(sorted(kinds))} compose to nothing")
    for relation, to, claim in chain.steps:
        if to.op == "summed":
            raise RefusedError("a sum over all elements speaks of more than the line before it")
        found.append((claim, digest(record, make(relation, line, to), chain.given)))
        line = to
    if record.statement is not make(next(one for one in row if one in kinds), chain.start, line):
        raise RefusedError("the steps compose to something else")
    return tuple(found)


def digest(record: Record, statement: Term, given: Sequence[Term]) -> str:
    """The same for claims that say the same, whatever their symbols and definitions are called."""
    numbers, listed, known, sets = dict[str, int](), list[object](), dict[Term, str](), dict[str, dict[str, None]]()
    functions = dict[str, list[object]]()

    def run(*letters: str) -> None:
        for one in letters:
            sets.setdefault(record.sets.get(one, one), {})[one] = None

    def symbol(name: str) -> int:
        if name not in numbers:
            numbers[name] = len(numbers)
            domain, whole, letters, of = record.symbol(name)
            run(*letters)
            listed.append([numbers[name], domain, whole, letters, None if of is None else symbol(of)])
        return numbers[name]

    def node(term: Term) -> str:
        if term not in known:
            spend(5)
            args = [node(one) if isinstance(one, Term) else one for one in term.args]
            if term.op == "sym":
                args = [symbol(term.args[0])]
            if term.op == "call":
                parameters, body = record.definitions[term.args[0]]
                args[0] = [[*map(symbol, parameters)], node(body)]
            if term.op == "applied":
                args[0] = functions.setdefault(term.args[0], [len(functions), record.functions[term.args[0]]])
            if term.op in ("total", "delta"):
                run(*(one for one in term.args if isinstance(one, str)))
            known[term] = _hash([term.op, *args])
        return known[term]

    return _hash([[*map(node, (statement, *given))], listed, [[*one] for one in sets.values()]])


def _hash(data: object) -> str:
    return hashlib.sha256(json.dumps(data, default=str).encode()).hexdigest()


def rests_on(record: Record) -> tuple[tuple[str, str], ...]:
    """The claims whose consequences are used, each with the digest that its own statement must have."""
    return tuple((one.claim, digest(record, one.statement, one.given)) for one in record.lemmas)
